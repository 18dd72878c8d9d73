"""Values of SM: `python sigma.py top|rotor|charts|deviation` prints a line "ID value" for every value of its claims that comes from this program.

Written from the paper: the scheme (11)-(19) solved exactly, and Algorithms 1 to 3 to the letter, with the factor p of line 6: 1 as printed, 1/2
as (81)-(83) give it. The heavy top in SO(3)xR^3 and SE(3), the rotor of section 7.2, also in Euler parameters and Tait-Bryan angles (charts).
The heavy top and the slider-crank in these coordinates are in ../sigma_examples.py, the method without (74) is in ../algorithm_2.py.
"""
import sys

import numpy as np

from la import say
from lie import GRAVITY, INERTIA, MASS, X, cross, exp, hat, log, motion_of_the_top, shift, tangent, times, transposed
from top import Tops, norm

UNIT = 1e-30


def adjoint(theta, se3):
    out = np.zeros(theta.shape[:-1] + (6, 6), dtype=theta.dtype)
    out[..., :3, :3] = hat(theta[..., :3])
    if se3:
        out[..., 3:, :3], out[..., 3:, 3:] = hat(theta[..., 3:]), hat(theta[..., :3])
    return out


def tangent_6(theta, se3):
    if not se3:
        out = np.zeros(theta.shape[:-1] + (6, 6), dtype=theta.dtype) + np.eye(6)
        out[..., :3, :3] = tangent(theta[..., :3])
        return out
    ad, value = -adjoint(theta, True), np.eye(6)
    for i in range(17, 1, -1):
        value = np.eye(6) + ad @ value / i
    return value


class Rotor:
    """The rotor: MASSES, forces and the start; no constraints."""

    rows, se3 = 0, False
    mass = np.r_[0.001541, 0.000812, 0.000812, 1.223 * np.ones(3)]
    left, right = np.array([-0.11, 0, 0]), np.array([0.09, 0, 0])

    def __init__(self, damping):
        self.damping = damping
        self.moment = np.array([0, 0, 0.01 * 1.223 * 9.81])

    def start(self, n):
        v = np.zeros((n, 6))
        v[:, 0] = 2 * np.pi * 200000 / 60
        return np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)), v

    def balance(self, r, x, v, vd, lam):
        om, u = v[..., :3], v[..., 3:]
        zero = np.zeros_like(u)
        torque, force = transposed(r, self.moment + zero), zero
        for p, on in ((self.left, np.array([1.0, 1, 1])), (self.right, np.array([0.0, 1, 1]))):
            away, speed = x + times(r, p + zero) - p, u + times(r, cross(om, p + zero))
            f = -on * (4000.0 * away + self.damping * speed)
            force, torque = force + f, torque + cross(p + zero, transposed(r, f))
        inertia = self.mass[:3]
        spin = cross(om, inertia * om)
        return self.mass * vd + np.concatenate([spin - torque, -force], -1)

    def end(self, r, x, v, p):
        return x + times(r, np.tile(p, (len(x), 1))), v[:, 3:] + times(r, cross(v[:, :3], np.tile(p, (len(x), 1))))


class Top:
    """The heavy top in one of the groups."""

    rows = 3

    def __init__(self, group, n):
        self.tops, self.se3 = Tops([{"group": group}] * n), group == "SE3"
        self.mass = np.r_[INERTIA, MASS * np.ones(3)]

    def start(self, n):
        return self.tops.r, self.tops.x, self.tops.v

    def balance(self, r, x, v, vd, lam):
        return self.mass * vd + self.tops.forces(r, v) + self.tops.pull(r, x, lam)


class Sigma:
    """Runs with the same form side by side; `runs` are (sigma, algorithm, p, rho): algorithm None solves (11)-(19)."""

    def __init__(self, model, form, runs, h):
        self.model, self.form, self.h, self.runs = model, form, h, runs
        rho = np.array([run[3] for run in runs])[:, None]
        self.a_m, self.a_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.a_f - self.a_m
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        best = self.gamma / (3 * self.beta)
        self.sigma = np.array([[best[i, 0] if run[0] == "optimal" else run[0]] for i, run in enumerate(runs)])
        self.p = np.array([[run[2]] for run in runs])
        self.algorithm = runs[0][1]
        assert all(run[1] == self.algorithm for run in runs)
        self.r, self.x, self.v = model.start(len(runs))
        if model.rows:
            self.vd, self.lam = model.tops.accelerations(self.r, self.x, self.v)
        else:
            self.lam = np.zeros((len(runs), 0))
            self.vd = -model.balance(self.r, self.x, self.v, 0 * self.v, self.lam) / model.mass
        self.a = self.vd.copy()
        self.extra = model.rows if form == "stabilized" else 0
        self.iterations = self.steps = 0

    def move(self, r, x, theta):
        w, u = theta[..., :3], theta[..., 3:]
        return r @ exp(w), x + (times(r, times(shift(w), u)) if self.model.se3 else u)

    def level(self, r, x, v):
        """The constraints of the form, of order h^2."""
        if not self.model.rows:
            return np.zeros(v.shape[:-1] + (0,))
        tops, h = self.model.tops, self.h
        rows = [] if self.form == "index2" else [tops.rows(r, x)]
        return np.concatenate(rows + ([] if self.form == "index3" else [h * tops.rate(r, x, v)]), -1)

    def p_inverse(self, theta, series=False):
        wide = lambda y: y[(slice(None),) + (None,) * (theta.ndim - 2)][..., None]
        s = wide(self.sigma)
        if series:
            w = adjoint(theta, self.model.se3)
            return np.eye(6) + (1 - s) / 2 * (w - (2 - 3 * (1 - s)) / 6 * w @ w)
        return np.linalg.inv(s * np.eye(6) + (1 - s) * tangent_6(theta, self.model.se3))

    def from_theta(self, z):
        """q, v, v', lambda, a of the unknowns (theta, h^2 lambda, h eta) by (11)-(16)."""
        h, m, rows = self.h, self.model, self.model.rows
        wide = lambda y: y[(slice(None),) + (None,) * (z.ndim - 2)]
        theta, lam = z[..., :6], z[..., 6 : 6 + rows] / (h * h)
        ratio = self.beta / self.gamma
        known = h * (1 - ratio) * self.v + h * h * (0.5 - ratio) * self.a
        t = tangent_6(theta, m.se3)
        right = theta - times(t, wide(known) + 0 * theta)
        if self.extra:
            eta = z[..., 6 + rows :]
            right = right + m.tops.pull(wide(self.r) + 0 * eta[..., None], wide(self.x) + 0 * eta, eta)
        s = wide(self.sigma)[..., None]
        v = times(np.linalg.inv(s * np.eye(6) + (1 - s) * t), right) / (h * wide(ratio))
        a_1 = (v - wide(self.v) - h * (1 - wide(self.gamma)) * wide(self.a)) / (h * wide(self.gamma))
        vd = ((1 - wide(self.a_m)) * a_1 + wide(self.a_m) * wide(self.a) - wide(self.a_f) * wide(self.vd)) / (1 - wide(self.a_f))
        r, x = self.move(wide(self.r) + 0 * theta[..., :3, None], wide(self.x) + 0 * theta[..., :3], theta)
        return r, x, v, vd, lam, a_1

    def equations(self, state):
        r, x, v, vd, lam = state[:5]
        balance = self.h**2 * self.model.balance(r, x, v, vd, lam)
        return np.concatenate([balance, self.level(r, x, v)], -1)

    def step(self):
        self.steps += 1
        return self.step_printed() if self.algorithm else self.step_exact()

    def newton(self, at, correct, size):
        last = None
        for k in range(12):
            out = self.equations(at(UNIT * 1j * np.eye(size)))
            matrix = out.imag.transpose(0, 2, 1) / UNIT
            d = np.linalg.solve(matrix, -out[:, 0].real[..., None])[..., 0]
            correct(d)
            self.iterations += 1
            now = np.abs(d[:, :6]).max()
            if now < 1e-15 or (k > 1 and now > 0.1 * last):
                return
            last = now

    def step_exact(self):
        h = self.h
        theta = h * self.v + h * h / 2 * self.a
        z = [np.concatenate([theta, h * h * self.lam, np.zeros((len(theta), self.extra))], -1)]

        def correct(d):
            z[0] = z[0] + d

        self.newton(lambda unit: self.from_theta(z[0][:, None] + unit), correct, z[0].shape[-1])
        self.r, self.x, self.v, self.vd, self.lam, self.a = self.from_theta(z[0])

    def step_printed(self):
        """Algorithms 1, 2 and 3: v' = 0, lambda = 0; increments are added."""
        h, rows, m = self.h, self.model.rows, self.model
        a_1 = (self.a_f * self.vd - self.a_m * self.a) / (1 - self.a_m)
        v = self.v + h * (1 - self.gamma) * self.a + h * self.gamma * a_1
        theta = h * self.v + h * h * ((0.5 - self.beta) * self.a + self.beta * a_1)
        w = theta.copy()
        w[:, :3] -= self.p * self.sigma * h * self.beta / self.gamma * cross(v[:, :3], theta[:, :3])
        gamma_, beta_ = self.gamma / (h * self.beta), (1 - self.a_m) / (h * h * self.beta * (1 - self.a_f))
        epsilon = (1 - self.a_m) / (h * self.gamma * (1 - self.a_f))
        now = {"theta": w, "v": v, "vd": 0 * v, "lam": np.zeros((len(v), rows))}
        now["r"], now["x"] = self.move(self.r, self.x, w)
        series = self.algorithm == "series"

        def at(d, matrices=None):
            wide = lambda y: y[(slice(None),) + (None,) * (d.ndim - 1)] if d.ndim == 2 and d.shape[0] != len(y) else y
            if matrices is None:
                matrices = self.p_inverse(now["theta"], series) if self.algorithm != "1" else None
                d = d[None] + np.zeros((len(v), 1, 1))
                wide = lambda y: y[:, None]
                matrices = None if matrices is None else matrices[:, None]
            delta, lam = d[..., :6], d[..., 6 : 6 + rows] / (h * h)
            step = delta if matrices is None else times(matrices, delta)
            v_1, vd_1 = wide(now["v"]) + wide(gamma_) * step, wide(now["vd"]) + wide(beta_) * step
            if self.extra:
                eta = d[..., 6 + rows :] / h
                pulled = m.tops.pull(wide(self.r) + 0 * eta[..., None], wide(self.x) + 0 * eta, eta)
                v_1, vd_1 = v_1 + pulled, vd_1 + wide(epsilon) * pulled
            r, x = self.move(wide(now["r"]) + 0 * delta[..., :3, None], wide(now["x"]) + 0 * delta[..., :3], delta)
            return r, x, v_1, vd_1, wide(now["lam"]) + lam

        def correct(d):
            delta, old = d[:, :6], now["theta"]
            if self.algorithm == "1":
                now["r"], now["x"] = self.move(now["r"], now["x"], delta)
                step = delta
            else:
                now["theta"] = old + times(np.linalg.inv(tangent_6(old, m.se3)), delta)
                now["r"], now["x"] = self.move(self.r, self.x, now["theta"])
                step = times(self.p_inverse(now["theta"], series), delta)
            now["v"], now["vd"] = now["v"] + gamma_ * step, now["vd"] + beta_ * step
            if self.extra:
                pulled = m.tops.pull(self.r, self.x, d[:, 6 + rows :] / h)
                now["v"], now["vd"] = now["v"] + pulled, now["vd"] + epsilon * pulled
            now["lam"] = now["lam"] + d[:, 6 : 6 + rows] / (h * h)

        self.newton(at, correct, 6 + rows + self.extra)
        self.r, self.x, self.v, self.vd, self.lam = (now[k] for k in ("r", "x", "v", "vd", "lam"))
        self.a = a_1 + (1 - self.a_f) / (1 - self.a_m) * self.vd


def top_errors(form, runs, h, path, stride, group="R3SO3"):
    """Largest errors of q, v and lambda on [0, 1]."""
    model = Top(group, len(runs))
    method = Sigma(model, form, runs, h)
    largest = np.zeros((3, len(runs)))
    for n in range(1, round(1 / h) + 1):
        method.step()
        model.tops.r, model.tops.x, model.tops.v, model.tops.lam = method.r, method.x, method.v, method.lam
        q, v, lam = model.tops.errors(path[0][n * stride], path[1][n * stride])
        largest = np.maximum(largest, [norm(q), norm(v) / norm(method.v), norm(lam) / norm(method.lam)])
    return largest, method.iterations / method.steps


def top():
    path = motion_of_the_top(1.0, 1.25e-4, 10)
    exact = lambda rho: [(s, None, 1, rho) for s in (0.0, 1.0, "optimal")]
    x, n = top_errors("index3", exact(0.65), 5e-4, path, 4)
    say("SM-Fig3-index3-sigma1", x[0, 0] / x[0, 1])
    say("SM-Fig3-index3-optimal", x[0, 0] / x[0, 2])
    say("SM-Fig3b-index3", x[1, 0] / x[1, 1])
    say("SM-Fig4-index3-sigma1", x[2, 0] / x[2, 1])
    say("SM-Fig4-index3-optimal", x[2, 0] / x[2, 2])
    say("SM-optimal", x[0, 2] / x[0, 1])
    print("# errors and iterations", x, n)
    y, _ = top_errors("index3", [(1.0, "1", 1, 0.65), (1.0, "1", 0.5, 0.65)], 5e-4, path, 4)
    say("SM-Fig3-alg1", x[0, 0] / y[0, 0])
    say("SM-Fig3-alg1-half", x[0, 0] / y[0, 1])
    y, _ = top_errors("index3", [("optimal", "2", 1, 0.65)], 5e-4, path, 4)
    say("SM-Fig3-alg2", x[0, 0] / y[0, 0])
    say("SM-57-derivative", x[0, 2] / y[0, 0])
    x, _ = top_errors("index2", exact(0.65), 5e-4, path, 4)
    say("SM-7.1-index2", x[0, 0] / x[0, 1])
    x, _ = top_errors("stabilized", exact(1.0), 5e-4, path, 4)
    say("SM-Fig3b-stabilized", x[1, 0] / x[1, 1])
    say("SM-Fig4-stabilized-sigma1", x[2, 0] / x[2, 1])
    say("SM-Fig4-stabilized-optimal", x[2, 0] / x[2, 2])
    y, _ = top_errors("stabilized", [(1.0, "1", 1, 1.0)], 5e-4, path, 4)
    say("SM-Fig3-alg3", x[0, 0] / y[0, 0])
    x, _ = top_errors("stabilized", exact(1.0), 1.25e-4, path, 1)
    say("SM-Fig3-stabilized-sigma1", x[0, 0] / x[0, 1])
    say("SM-Fig3-stabilized-optimal", x[0, 0] / x[0, 2])
    x, _ = top_errors("index3", [(0.0, None, 1, 0.9), (1.0, None, 1, 0.9)], 5e-4, path, 4, "SE3")
    say("SM-SE3", x[0, 0] / x[0, 1])


def deviation():
    """Fig. 2: position and velocity of the centre of mass at t = 1, h = 2.5e-5."""
    r, om = (y[-1] for y in motion_of_the_top(1.0, 0.01, 1000))
    method = Sigma(Top("R3SO3", 1), "index3", [(1.0, None, 1, 0.9)], 2.5e-5)
    for _ in range(40000):
        method.step()
    say("SM-Fig2-position", np.linalg.norm(method.x[0] - r @ X))
    say("SM-Fig2-velocity", np.linalg.norm(method.v[0, 3:] - r @ np.cross(om, X)))


# Place and speed of the right support at t = 1 (damping by the formula of Table 1), Taylor series of order 26 in extended precision.
PLACE = np.array([0.089999201604227, 0.000267238567964133, 9.15981115808533e-05])
SPEED = np.array([-6.73429187160681e-07, 0.000226094349988591, -0.000291737493456589])
DAMPING = 2 * 1e-4 * (2 * np.pi * 200000 / 60) * 1.223


class Euler:
    """p with R = E(p) G(p)^T and Omega = 2 G(p) p'; the length of p is a constraint."""

    n, rows, start = 4, 1, np.array([1.0, 0, 0, 0])

    def turn(self, p):
        e, v = p[..., 0], p[..., 1:]
        s = hat(v)
        return np.eye(3) + 2 * e[..., None, None] * s + 2 * s @ s

    def g(self, p):
        return 2 * np.concatenate([-p[..., 1:, None], p[..., 0, None, None] * np.eye(3) - hat(p[..., 1:])], -1)

    def constraint(self, p):
        return 0.5 * ((p * p).sum(-1, keepdims=True) - 1)

    def pull(self, p, lam):
        return p * lam


class Angles:
    """R = R_x R_y R_z; Omega = R_z^T (R_y^T e_1 a' + e_2 b' + e_3 c')."""

    n, rows, start = 3, 0, np.zeros(3)

    def parts(self, p):
        def about(k):
            cos, sin, i, j = np.cos(p[..., k]), np.sin(p[..., k]), (k + 1) % 3, (k + 2) % 3
            out = np.zeros(p.shape[:-1] + (3, 3), dtype=p.dtype) + np.eye(3)
            out[..., i, i], out[..., j, j], out[..., i, j], out[..., j, i] = cos, cos, -sin, sin
            return out

        return [about(k) for k in range(3)]

    def turn(self, p):
        x, y, z = self.parts(p)
        return x @ y @ z

    def g(self, p):
        _, y, z = self.parts(p)
        zt = np.swapaxes(z, -1, -2)
        return np.stack([(zt @ np.swapaxes(y, -1, -2))[..., 0], zt[..., 1], zt[..., 2]], -1)

    def constraint(self, p):
        return p[..., :0]

    def pull(self, p, lam):
        return 0 * p


def chart(kind, h, steps, rho=0.9):
    """Errors of place and speed of the right support at t = 1 in coordinates (p, x), index-3 form."""
    c, model = kind(), Rotor(DAMPING)
    n, m = c.n, c.rows
    a_m, a_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + a_f - a_m
    beta = 0.25 * (gamma + 0.5) ** 2

    def rate(p, w):
        """d/dt G(p) along w; G of Euler parameters is linear, that of angles by a complex step on top of the one of the matrix."""
        if kind is Euler:
            return c.g(w)
        d = 1e-6
        return (8 * (c.g(p + d * w / 2) - c.g(p - d * w / 2)) - (c.g(p + d * w) - c.g(p - d * w))) / (6 * d)

    def balance(q, w, a, lam):
        p, x = q[..., :n], q[..., n:]
        g = c.g(p)
        omega, omega_t = times(g, w[..., :n]), times(g, a[..., :n])
        scale = np.sqrt((w[..., :n].real ** 2).sum(-1, keepdims=True))  # differences along a unit vector
        omega_t = omega_t + times(rate(p, w[..., :n] / scale), w[..., :n]) * scale
        v, vd = np.concatenate([omega, w[..., n:]], -1), np.concatenate([omega_t, a[..., n:]], -1)
        r = model.balance(c.turn(p), x, v, vd, lam)
        return np.concatenate([transposed(g, r[..., :3]) + c.pull(p, lam), r[..., 3:]], -1)

    spin = 2 * np.pi * 200000 / 60
    q = np.r_[c.start, np.zeros(3)]
    w = np.zeros(n + 3)
    w[1 if kind is Euler else 0] = spin / 2 if kind is Euler else spin

    def start(z):
        a, lam = z[..., : n + 3], z[..., n + 3 :]
        p, pt = q[:n], w[:n]
        second = (pt * pt).sum() + (p * a[..., :n]).sum(-1, keepdims=True) if m else z[..., :0]
        return np.concatenate([balance(q + 0 * a, w + 0 * a, a, lam), second], -1)

    size = n + 3 + m
    unit = np.vstack([np.zeros((1, size)), UNIT * 1j * np.eye(size)])
    z = np.zeros(size)
    for _ in range(3):
        out = start(z + unit)
        z = z - np.linalg.solve(out[1:].imag.T / UNIT, out[0].real)
    a, acc, lam = z[: n + 3].copy(), z[: n + 3].copy(), z[n + 3 :].copy()
    for _ in range(steps):
        z = np.r_[h * h * acc, h * h * lam]

        def at(z):
            acc_1 = z[..., : n + 3] / (h * h)
            a_1 = ((1 - a_f) * acc_1 + a_f * acc - a_m * a) / (1 - a_m)
            q_1 = q + h * w + h * h * ((0.5 - beta) * a + beta * a_1)
            return q_1, w + h * ((1 - gamma) * a + gamma * a_1), acc_1, z[..., n + 3 :] / (h * h), a_1

        last = np.inf
        for k in range(12):
            q_1, w_1, acc_1, lam_1, _ = at(z + unit)
            out = np.concatenate([h * h * balance(q_1, w_1, acc_1, lam_1), c.constraint(q_1[..., :n])], -1)
            d = np.linalg.solve(out[1:].imag.T / UNIT, -out[0].real)
            z, now = z + d, np.abs(d[: n + 3]).max()
            if not np.isfinite(now) or now > 1e3:
                return np.nan, np.nan
            if now < 1e-15 or (k > 0 and now > 0.1 * last):
                break
            last = now
        q, w, acc, lam, a = at(z)
    om = times(c.g(q[:n]), w[:n])
    p, v = model.end(c.turn(q[:n])[None], q[None, n:], np.r_[om, w[n:]][None], model.right)
    return norm(p - PLACE)[0], norm(v - SPEED)[0]


def charts():
    """The rotor in Euler parameters (h = 5e-6) and Tait-Bryan angles (2e-5) beside the Lie group methods."""
    runs = {5e-6: [(1.0, "1", 1, 0.9)], 2e-5: [(1.0, None, 1, 0.9)]}
    lie = {}
    for h, run in runs.items():
        model = Rotor(DAMPING)
        method = Sigma(model, "index3", run, h)
        for _ in range(round(1 / h)):
            method.step()
        p, v = model.end(method.r, method.x, method.v, model.right)
        lie[h] = norm(p - PLACE)[0], norm(v - SPEED)[0]
    euler, angles = chart(Euler, 5e-6, 200000), chart(Angles, 2e-5, 50000)
    print("# Euler parameters, Tait-Bryan angles, Lie group methods", euler, angles, lie)
    print("# Euler parameters over Algorithm 1, place and speed", euler[0] / lie[5e-6][0], euler[1] / lie[5e-6][1])
    say("SM-Fig7-tb", angles[0] / lie[2e-5][0])
    say("SM-Fig7-tb-velocity", angles[1] / lie[2e-5][1])
    failed = [h for h in (1e-4, 2e-5, 1e-5) if not chart(Euler, h, round(0.02 / h))[0] < 1]
    say("SM-Fig7-ep-fails", len(failed))


def rotor(steps=(1e-4, 2e-5, 1e-5)):
    place, speed, damping = PLACE, SPEED, DAMPING
    exact = [(s, None, 1, 0.9) for s in (0.0, 1.0, "optimal")]
    one, two = [(1.0, "1", p, 0.9) for p in (1, 0.5)], [("optimal", a, 1, 0.9) for a in ("2", "series")]
    halved = [("optimal", "2", 0.5, 0.9)]
    for h in steps:
        errors, counts = [], []
        for runs in (exact, one, *([two[:1], two[1:]] if h == 1e-4 else [two[:1], halved] if h == 2e-5 else [])):
            model = Rotor(damping)
            method = Sigma(model, "index3", runs, h)
            for _ in range(round(1 / h)):
                method.step()
            p, v = model.end(method.r, method.x, method.v, model.right)
            errors.append([norm(p - place), norm(v - speed)])
            counts.append(method.iterations / method.steps)
        print("# rotor", h, errors, counts, flush=True)
        (geom1, sigma1, optimal), (printed, half) = (e[0] for e in errors[:2])
        (geom1v, _, _), (printedv, halfv) = (e[1] for e in errors[:2])
        if h == 1e-4:
            say("SM-7.2-large-steps", sigma1)
            say("SM-65-rotor", errors[3][0][0])
        if h == 2e-5:
            say("SM-Fig7-exact", geom1 / sigma1)
            say("SM-Fig7-optimal", geom1 / optimal)
            say("SM-Fig7-alg1", geom1 / printed)
            say("SM-Fig7-alg2", geom1 / errors[2][0][0])
            say("SM-Fig7-alg2-half", geom1 / errors[3][0][0])
            say("SM-Fig7-velocity", (geom1v / printedv) / (geom1 / printed))
            say("SM-Fig7-half", geom1 / half)
            say("SM-Fig7-half-velocity", (geom1v / halfv) / (geom1 / half))
        if h == 1e-5:
            say("SM-Fig7-half-1e-5", geom1 / half)


if __name__ == "__main__":
    # "fine" prints the errors at the step of SM-Fig7-ep.
    words = {"top": top, "charts": charts, "deviation": deviation, "rotor": rotor, "fine": lambda: rotor((5e-6,))}
    for word in sys.argv[1:] or ["top", "deviation", "rotor", "charts"]:
        words[word]()
