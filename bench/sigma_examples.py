"""The examples of section 7 of the sigma paper by a program of its own, with numpy alone.

Written from the paper; shares nothing with precess but the data of the examples. Bodies on R^3xSO(3) by the scheme (11)-(16)
solved exactly or by Algorithm 1, in Euler parameters and in Tait-Bryan angles x-y-z; index-3, index-2 and stabilized index-2 form.
Derivatives are complex steps, so every matrix is exact. Newton's method stops as the paper says (section 7): the residual
|r|/sqrt(n) is below a_tol = 1e-10, or below r_tol = 1e-8 (slider-crank 1e-9) of its first value, or rounding errors keep it from
falling; it starts from v' = 0, lambda = 0. The modified Newton method forms a new matrix when an iteration contracts by less than 0.5.
With rule = "corrections", the rule of precess, it starts from a and lambda of the last step and stops when the corrections of q show
that the remaining error is below 1e-7 of the first correction, or a sixteenth of a rounding error; contraction is that of corrections.
Claims of SM that name this file have their expected values from here. top takes minutes, crank and rotor half an hour each, counts minutes.
    python3 -m venv target/peers && target/peers/bin/pip install numpy
    target/peers/bin/python bench/sigma_examples.py top        # also: rotor, crank, counts; or all of them without a word
"""
import math
import sys

import numpy as np

TERMS = 18
EPSILON = 2.0**-52
SINC, COSC, SINC3 = ([(-1) ** k / math.factorial(2 * k + j) for k in range(TERMS)] for j in (1, 2, 3))


def series(c, z):
    out = np.full_like(z, c[-1])
    for x in c[-2::-1]:
        out = out * z + x
    return out[..., None, None]


def hat(w):
    s = np.zeros(w.shape + (3,), dtype=w.dtype)
    s[..., 0, 1], s[..., 0, 2], s[..., 1, 2] = -w[..., 2], w[..., 1], -w[..., 0]
    s[..., 1, 0], s[..., 2, 0], s[..., 2, 1] = w[..., 2], -w[..., 1], w[..., 0]
    return s


def times(a, x):
    return np.einsum("...ij,...j->...i", a, x)


def transposed(a, x):
    return np.einsum("...ji,...j->...i", a, x)


def exp(w):
    s, z = hat(w), (w * w).sum(-1)
    return np.eye(3) + series(SINC, z) * s + series(COSC, z) * (s @ s)


def tangent(w):
    s, z = hat(w), (w * w).sum(-1)
    return np.eye(3) - series(COSC, z) * s + series(SINC3, z) * (s @ s)


class Model:
    """Rigid bodies: m, principal inertia, start (R, x, Omega, u), a load and joints.

    Rows are ("point", a, p_a, b, p_b): two points coincide, and ("dot", a, u, b, w): two axes are perpendicular; a = None is the
    ground. A point may keep some directions of the ground only.
    """

    def __init__(self, mass, inertia, start, load, joints):
        self.mass, self.inertia = np.array(mass), np.array(inertia)
        self.start = [np.array(s, dtype=float) for s in start]
        self.load, self.joints, self.nb = load, joints, len(mass)
        self.rows = sum(len(j[5]) if j[0] == "point" else 1 for j in joints)

    def place(self, body, p, r, x):
        return np.array(p) if body is None else x[..., body, :] + r[..., body, :, :] @ np.array(p)

    def axis(self, body, u, r):
        return np.array(u) if body is None else r[..., body, :, :] @ np.array(u)

    def constraint(self, r, x):
        out = []
        for kind, a, p, b, q, keep in self.joints:
            if kind == "point":
                d = self.place(b, q, r, x) - self.place(a, p, r, x)
                out += [d[..., k] for k in keep]
            else:
                out.append((self.axis(a, p, r) * self.axis(b, q, r)).sum(-1))
        return np.stack(out, -1) if out else np.zeros(x.shape[:-2] + (0,))

    def rate(self, r, x, om, u):
        """B v."""
        out = []
        for kind, a, p, b, q, keep in self.joints:
            if kind == "point":
                d = 0
                for body, point, sign in ((b, q, 1.0), (a, p, -1.0)):
                    if body is not None:
                        turned = times(r[..., body, :, :], np.cross(om[..., body, :], np.array(point)))
                        d = d + sign * (u[..., body, :] + turned)
                out += [d[..., k] for k in keep]
            else:
                d = 0
                for body, own, other, its in ((a, p, b, q), (b, q, a, p)):
                    if body is not None:
                        turned = times(r[..., body, :, :], np.cross(om[..., body, :], np.array(own)))
                        d = d + (turned * self.axis(other, its, r)).sum(-1)
                out.append(d)
        return np.stack(out, -1) if out else np.zeros(x.shape[:-2] + (0,))

    def reactions(self, r, x, lam):
        """B^T lambda: torques in body frames, forces in that of the ground."""
        torque, force, n = np.zeros_like(x + 0 * lam[..., :1, None]), np.zeros_like(x + 0 * lam[..., :1, None]), 0
        for kind, a, p, b, q, keep in self.joints:
            if kind == "point":
                f = np.zeros(lam.shape[:-1] + (3,), dtype=lam.dtype)
                for k in keep:
                    f[..., k] = lam[..., n]
                    n += 1
                for body, point, sign in ((b, q, 1.0), (a, p, -1.0)):
                    if body is not None:
                        force[..., body, :] += sign * f
                        torque[..., body, :] += sign * np.cross(np.array(point), transposed(r[..., body, :, :], f))
            else:
                for body, own, other, its in ((a, p, b, q), (b, q, a, p)):
                    if body is not None:
                        w = transposed(r[..., body, :, :], self.axis(other, its, r) + 0 * lam[..., :1])
                        torque[..., body, :] += lam[..., n, None] * np.cross(np.array(own), w)
                n += 1
        return torque, force

    def balance(self, r, x, om, u, dom, du, lam):
        """Newton's and Euler's equations."""
        torque, force = self.load(r, x, om, u)
        spin = np.cross(om, self.inertia * om)
        rot, trans = self.inertia * dom + spin - torque, self.mass[:, None] * du - force
        if self.rows:
            t, f = self.reactions(r, x, lam)
            rot, trans = rot + t, trans + f
        return rot, trans

    def accelerations(self):
        """Consistent v' and lambda: balance and the second derivative of the constraints."""
        r, x, om, u = self.start
        n = 6 * self.nb
        e = 1e-30j
        bias = self.rate(r @ exp(e * om), x + e * u, om + 0j, u + 0j).imag / 1e-30 if self.rows else np.zeros(0)

        def equations(z):
            dom, du = z[..., :n].reshape(z.shape[:-1] + (self.nb, 6))[..., :3], z[..., :n].reshape(z.shape[:-1] + (self.nb, 6))[..., 3:]
            shape = z.shape[:-1]
            rr, xx = np.broadcast_to(r, shape + r.shape), np.broadcast_to(x, shape + x.shape)
            rot, trans = self.balance(rr, xx, om, u, dom, du, z[..., n:])
            out = np.concatenate([rot, trans], -1).reshape(shape + (n,))
            return np.concatenate([out, self.rate(rr, xx, dom, du) + bias], -1) if self.rows else out

        zero = np.zeros(n + self.rows)
        matrix = np.array([equations(unit) - equations(zero) for unit in np.eye(len(zero))]).T
        z = np.linalg.solve(matrix, -equations(zero))
        a = z[:n].reshape(self.nb, 6)
        return a[:, :3], a[:, 3:]


def g_matrix(p):
    e0, e1, e2, e3 = (p[..., k] for k in range(4))
    return np.stack([np.stack(row, -1) for row in ((-e1, e0, e3, -e2), (-e2, -e3, e0, e1), (-e3, e2, -e1, e0))], -2)


class Lie:
    """R^3xSO(3): velocities are (Omega, u)."""

    size, own = 6, 0

    def start(self, r, x, om, u, dom, du):
        return (r, x), np.concatenate([om, u], -1), np.concatenate([dom, du], -1)

    def move(self, q, theta):
        return q[0] @ exp(theta[..., :3]), q[1] + theta[..., 3:]

    def tangent(self, theta):
        out = np.zeros(theta.shape + (6,), dtype=theta.dtype) + np.eye(6)
        out[..., :3, :3] = tangent(theta[..., :3])
        return out

    def motion(self, q, v, a):
        return (*q, v[..., :3], v[..., 3:], a[..., :3], a[..., 3:])

    def pull(self, q, v, rot, trans):
        return np.concatenate([rot, trans], -1)


class Chart:
    """Coordinates y = (parameters of the rotation, x): the classical method on R^n."""

    own = 0

    def start(self, r, x, om, u, dom, du):
        p, rate, bend = self.parameters(r, om, dom)
        return np.concatenate([p, x], -1), np.concatenate([rate, u], -1), np.concatenate([bend, du], -1)

    def move(self, q, theta):
        return q + theta

    def tangent(self, theta):
        return np.broadcast_to(np.eye(self.size), theta.shape + (self.size,))

    def motion(self, q, v, a):
        k = self.size - 3
        r, e, om, dom = self.rotation(q[..., :k], v[..., :k], a[..., :k])
        return r, q[..., k:], om, v[..., k:], dom, a[..., k:]

    def pull(self, q, v, rot, trans):
        k = self.size - 3
        return np.concatenate([transposed(self.rotation(q[..., :k], v[..., :k], v[..., :k])[1], rot), trans], -1)


class Euler(Chart):
    """Four parameters, (p.p - 1)/2 = 0, Omega = 2 G p'/(p.p)."""

    size, own = 7, 1

    def parameters(self, r, om, dom):
        ps = []
        for m in r:
            e0 = 0.5 * math.sqrt(1 + np.trace(m))
            ps.append([e0, *(np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) / (4 * e0))])
        p = np.array(ps)
        g = g_matrix(p)
        rate = 0.5 * transposed(g, om)
        return p, rate, 0.5 * transposed(g, dom) - (rate * rate).sum(-1)[..., None] * p

    def rotation(self, p, v, a):
        c, e0, e = (p * p).sum(-1)[..., None], p[..., :1], p[..., 1:]
        s = hat(e)
        r = np.eye(3) + 2 * (e0[..., None] * s + s @ s) / c[..., None]
        big = 2 * g_matrix(p) / c[..., None]
        om = times(big, v)
        return r, big, om, times(big, a) - om * (2 * (p * v).sum(-1)[..., None] / c)


class Tait(Chart):
    """Angles about x, y, z."""

    size = 6

    def parameters(self, r, om, dom):
        p = np.array([[math.atan2(-m[1, 2], m[2, 2]), math.asin(m[0, 2]), math.atan2(-m[0, 1], m[0, 0])] for m in r])
        e = self.rotation(p, 0 * p, 0 * p)[1]
        rate = np.linalg.solve(e, om[..., None])[..., 0]
        return p, rate, np.linalg.solve(e, (dom - self.rotation(p, rate, 0 * p)[3])[..., None])[..., 0]

    def rotation(self, p, v, a):
        (s1, s2, s3), (c1, c2, c3) = ([f(p[..., k]) for k in range(3)] for f in (np.sin, np.cos))
        zero, one = 0 * s1, 0 * s1 + 1

        def matrix(rows):
            return np.stack([np.stack(row, -1) for row in rows], -2)

        r = matrix([(c2 * c3, -c2 * s3, s2), (c1 * s3 + s1 * s2 * c3, c1 * c3 - s1 * s2 * s3, -s1 * c2),
                    (s1 * s3 - c1 * s2 * c3, s1 * c3 + c1 * s2 * s3, c1 * c2)])
        e = matrix([(c2 * c3, s3, zero), (-c2 * s3, c3, zero), (s2, zero, one)])
        d2, d3 = v[..., 1], v[..., 2]
        de = matrix([(-s2 * c3 * d2 - c2 * s3 * d3, c3 * d3, zero), (s2 * s3 * d2 - c2 * c3 * d3, -s3 * d3, zero), (c2 * d2, zero, zero)])
        return r, e, times(e, v), times(e, a) + times(de, v)


class Failed(Exception):
    pass


class Run:
    """Generalized-alpha, steps of size h. sigma = "optimal" is gamma/(3 beta); algorithm = 1 is Algorithm 1 to the letter."""

    def __init__(self, model, chart, h, rho, form="index3", sigma=0.0, algorithm=None, newton="full", r_tol=1e-8, extra=False, tangent_eta=False, rule="residual"):
        self.model, self.chart, self.h, self.form, self.algorithm = model, chart, h, form, algorithm
        self.newton, self.r_tol, self.extra, self.tangent_eta, self.rule = newton, r_tol, extra, tangent_eta, rule
        self.a_m, self.a_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.a_f - self.a_m
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        self.sigma = self.gamma / (3 * self.beta) if sigma == "optimal" else sigma
        dom, du = model.accelerations()
        self.q, self.v, self.vd = chart.start(*model.start, dom, du)
        self.a = self.vd.copy()
        self.n, self.m = model.nb * chart.size, model.rows + chart.own * model.nb
        self.iterations = self.matrices = self.steps = 0
        self.inverse = None
        self.lam = np.zeros(self.m)

    def residual(self, q, v, vd, lam):
        """Equations of motion and constraints of the form."""
        c, m = self.chart, self.model
        r, x, om, u, dom, du = c.motion(q, v, vd)
        rot, trans = m.balance(r, x, om, u, dom, du, lam)
        force = c.pull(q, v, rot, trans)
        rows = []
        if self.form != "index2":
            rows.append(m.constraint(r, x))
        if self.form != "index3":
            rows.append(m.rate(r, x, om, u))
        if c.own:
            p, pd = q[..., :4], v[..., :4]
            force[..., :4] += lam[..., m.rows:, None] * p
            level = {"position": ((p * p).sum(-1) - 1) / 2, "velocity": (p * pd).sum(-1)}
            kinds = {"index3": ["position"], "index2": ["velocity"]}.get(self.form, ["position", "velocity"])
            rows = [np.concatenate([row, level[kind]], -1) for row, kind in zip(rows, kinds)]
        return np.concatenate([force.reshape(force.shape[:-2] + (self.n,)), *rows], -1)

    def direction(self, eta):
        """B(q_n)^T eta."""
        c, m = self.chart, self.model
        r, x = c.motion(self.q, self.v, self.vd)[:2]
        shape = eta.shape[:-1]
        t, f = m.reactions(np.broadcast_to(r, shape + r.shape), np.broadcast_to(x, shape + x.shape), eta)
        q = self.q if isinstance(self.q, tuple) else np.broadcast_to(self.q, shape + self.q.shape)
        out = c.pull(q, self.v, t, f)
        if c.own:
            out[..., :4] += eta[..., m.rows:, None] * self.q[..., :4]
        return out

    def from_theta(self, z):
        """q, v, v', lambda of the unknowns (theta, lambda, eta), by (11)-(16)."""
        h, c, shape = self.h, self.chart, z.shape[:-1]
        theta = z[..., : self.n].reshape(shape + (self.model.nb, c.size))
        known = h * (1 - self.beta / self.gamma) * self.v + h * h * (0.5 - self.beta / self.gamma) * self.a
        t = c.tangent(theta)
        right = theta - times(t, known)
        if self.form == "stabilized":
            eta = h * self.direction(z[..., self.n + self.m :])
            right = right + (eta if self.tangent_eta else times(t, eta))
        p = self.sigma * np.eye(c.size) + (1 - self.sigma) * t
        v = self.gamma / (h * self.beta) * np.linalg.solve(p, right[..., None])[..., 0]
        a_1 = (v - self.v - h * (1 - self.gamma) * self.a) / (h * self.gamma)
        vd = ((1 - self.a_m) * a_1 + self.a_m * self.a - self.a_f * self.vd) / (1 - self.a_f)
        return c.move(self.q, theta), v, vd, z[..., self.n : self.n + self.m], a_1

    def solve(self, z, equations, update):
        first = last = None
        polish = self.extra
        for _ in range(40):
            res = equations(z)
            size = np.linalg.norm(res) / math.sqrt(len(res))
            if not np.isfinite(size):
                raise Failed(f"step {self.steps + 1}")
            done = size < 1e-10 or (first is not None and size < self.r_tol * first)
            if done or (last is not None and 0.5 * last < size < 1e-6 * first):  # as far as rounding errors allow
                if not polish:
                    return z
                polish = False
            if self.newton == "full" or self.inverse is None or (last is not None and size > 0.5 * last):
                columns = equations(z + 1e-30j * np.eye(len(z)))
                self.inverse = np.linalg.inv(columns.imag.T / 1e-30)
                self.matrices += 1
            first, last = first or size, size
            z = update(z, -self.inverse @ res)
            self.iterations += 1
        raise Failed(f"step {self.steps + 1}")

    def solve_by_corrections(self, z, equations):
        count, previous, rate, matrix = 0, math.inf, 0.0, self.newton == "full" or self.inverse is None
        own = matrix
        while count < 40:
            res = equations(z)
            if matrix:
                columns = equations(z + 1e-30j * np.eye(len(z)))
                self.inverse = np.linalg.inv(columns.imag.T / 1e-30)
                self.matrices += 1
                own = True
            d = -self.inverse @ res
            z, count = z + d, count + 1
            self.iterations += 1
            parts = d[: self.n].reshape(self.model.nb, self.chart.size)
            k = self.chart.size - 3
            size = max(np.linalg.norm(parts[:, :k], axis=1).max(), np.linalg.norm(parts[:, k:], axis=1).max())
            if not np.isfinite(size):
                break
            rate = size / previous
            missing = size if previous == math.inf else size * rate / (1 - rate) if rate < 1 else math.inf
            tolerated = max(1e-7 * size, EPSILON / 16) if count == 1 else tolerated
            if size <= EPSILON * (1 if own else 1 / 16) or missing <= tolerated or (own and rate > 0.5 and size < 1e4 * EPSILON and count > 2):
                return z
            previous = size
            matrix = self.newton == "full" or rate > 0.5
        raise Failed(f"step {self.steps + 1}")

    def step(self):
        h = self.h
        if self.rule == "corrections":
            theta = h * self.v + h * h / 2 * self.a
            z = np.concatenate([theta.ravel(), self.lam])
            z = self.solve_by_corrections(z, lambda z: self.residual(*self.from_theta(z)[:4]))
            self.q, self.v, self.vd, self.lam, self.a = self.from_theta(z)
            self.steps += 1
            return
        a_1 = (self.a_f * self.vd - self.a_m * self.a) / (1 - self.a_m)
        v_1 = self.v + h * (1 - self.gamma) * self.a + h * self.gamma * a_1
        theta = h * self.v + h * h * ((0.5 - self.beta) * self.a + self.beta * a_1)
        if self.algorithm:
            return self.step_printed(a_1, v_1, theta)
        stabilized = self.m if self.form == "stabilized" else 0
        z = np.concatenate([theta.ravel(), np.zeros(self.m + stabilized)])
        z = self.solve(z, lambda z: self.residual(*self.from_theta(z)[:4]), lambda z, d: z + d)
        self.q, self.v, self.vd, _, self.a = self.from_theta(z)
        self.steps += 1

    def step_printed(self, a_1, v_1, theta):
        """Algorithm 1: increments of v and v' are those of q."""
        h, c, nb = self.h, self.chart, self.model.nb
        gamma_, beta_ = self.gamma / (h * self.beta), (1 - self.a_m) / (h * h * self.beta * (1 - self.a_f))
        theta = theta.copy()
        theta[:, :3] -= h * self.beta / self.gamma * np.cross(v_1[:, :3], theta[:, :3])
        now = [c.move(self.q, theta), v_1, np.zeros_like(v_1), np.zeros(self.m)]

        def moved(z):
            xi = z[..., : self.n].reshape(z.shape[:-1] + (nb, c.size))
            return c.move(now[0], xi), now[1] + gamma_ * xi, now[2] + beta_ * xi, now[3] + z[..., self.n :]

        def update(z, d):
            now[:] = moved(d)
            return z

        self.solve(np.zeros(self.n + self.m), lambda z: self.residual(*moved(z)), update)
        self.q, self.v, self.vd, _ = now
        self.a = a_1 + (1 - self.a_f) / (1 - self.a_m) * self.vd
        self.steps += 1

    def until(self, t_end, look=lambda run: None):
        for _ in range(round(t_end / self.h)):
            self.step()
            look(self)
        return self

    def pose(self):
        return self.chart.motion(self.q, self.v, self.vd)

    def mean(self):
        return self.iterations / self.steps


ALL = (0, 1, 2)
X = np.array([0.0, 1.0, 0.0])


def heavy_top():
    weight = np.array([0, 0, -9.81 * 15.0])
    omega = np.array([0.0, 150.0, -4.61538])
    start = ([np.eye(3)], [X], [omega], [np.cross(omega, X)])
    return Model([15.0], [[0.234375, 0.46875, 0.234375]], start, lambda r, x, om, u: (0, weight), [("point", None, (0, 0, 0), 0, tuple(-X), ALL)])


def rotor():
    k, d = 4000.0, 5.165093
    left, right = np.array([-0.11, 0, 0]), np.array([0.09, 0, 0])
    moment = np.array([0, 0, 0.01 * 1.223 * 9.81])

    def load(r, x, om, u):
        torque, force = transposed(r, np.broadcast_to(moment, x.shape)), 0
        for p, on in ((left, (1, 1, 1)), (right, (0, 1, 1))):
            away, speed = x + r @ p - p, u + times(r, np.cross(om, p))
            f = -np.array(on) * (k * away + d * speed)
            force, torque = force + f, torque + np.cross(p, transposed(r, f))
        return torque, force

    start = ([np.eye(3)], [np.zeros(3)], [[20943.951023932, 0, 0]], [np.zeros(3)])
    return Model([1.223], [[0.001541, 0.000812, 0.000812]], start, load, [])


def crank():
    x1, y1 = np.array([2.0, -1, -2]) / 3, np.array([0.0, 2, -1]) / math.sqrt(5)
    rod = np.stack([x1, y1, np.cross(x1, y1)], -1)
    mass = np.array([0.12, 0.5, 2.0])
    start = (
        [np.eye(3), rod, np.eye(3)],
        [[0, 0.1, 0.16], [0.1, 0.05, 0.1], [0.2, 0, 0]],
        [[6, 0, 0], rod.T @ [1.92, -0.96, 0.48], [0, 0, 0]],
        [[0, -0.24, 0], [0.12, -0.24, 0], [0.24, 0, 0]],
    )
    weight = mass[:, None] * np.array([0, 0, -9.81])
    ex, ey, ez = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    joints = [("point", None, (0, 0.1, 0.12), 0, (0, 0, -0.04), ALL), ("point", 0, (0, 0, 0.04), 1, (-0.15, 0, 0), ALL)]
    joints += [("point", 2, (0, 0, 0), 1, (0.15, 0, 0), ALL), ("point", None, (0, 0, 0), 2, (0, 0, 0), (1, 2))]
    axes = [(None, ey, 0, ex), (None, ez, 0, ex), (2, ex, 1, ey), (None, ex, 2, ey), (None, ey, 2, ez), (None, ez, 2, ex)]
    joints += [("dot", *axis, None) for axis in axes]
    return Model(mass, [[1e-4, 1e-4, 1e-5], [4e-4, 4e-3, 4e-3], [1e-4] * 3], start, lambda r, x, om, u: (0, weight), joints)


def top_reference(h, steps, parts=20):
    """Orientations of the top about its fixed point, by Runge-Kutta steps of order 4."""
    about = np.diag([15.234375, 0.46875, 15.234375])
    k = h / parts

    def rate(r, w):
        moment = np.cross(X, 15.0 * r.T @ np.array([0, 0, -9.81]))
        return r @ hat(w), np.linalg.solve(about, moment - np.cross(w, about @ w))

    r, w, path = np.eye(3), np.array([0.0, 150.0, -4.61538]), []
    for n in range(steps * parts):
        d1 = rate(r, w)
        d2 = rate(r + k / 2 * d1[0], w + k / 2 * d1[1])
        d3 = rate(r + k / 2 * d2[0], w + k / 2 * d2[1])
        d4 = rate(r + k * d3[0], w + k * d3[1])
        r, w = (y + k / 6 * (a + 2 * b + 2 * c + d) for y, a, b, c, d in zip((r, w), d1, d2, d3, d4))
        if n % parts == parts - 1:
            path.append(r)
    return path


def top_error(path, **options):
    """Largest error in q on [0, 1]."""
    errors = []

    def look(run):
        r, x = (y[0] for y in run.pose()[:2])
        d = r.T @ path[run.steps - 1]
        sine = np.array([d[2, 1] - d[1, 2], d[0, 2] - d[2, 0], d[1, 0] - d[0, 1]]) / 2
        angle = math.atan2(np.linalg.norm(sine), (np.trace(d) - 1) / 2)
        errors.append(math.hypot(angle, np.linalg.norm(path[run.steps - 1] @ X - x)))

    Run(heavy_top(), h=5e-4, extra=True, **options).until(1.0, look)
    return max(errors)


def attempt(words, model, t_end, **options):
    run = Run(model, **options)
    try:
        run.until(t_end)
        print(f"{words}: {run.mean():.3f} iterations, {run.matrices} matrices in {run.steps} steps", flush=True)
    except (Failed, np.linalg.LinAlgError) as e:
        print(f"{words}: fails ({e}), {run.iterations / max(run.steps, 1):.2f} iterations until then", flush=True)
    return run


COORDINATES = [("geom1", Lie(), {}), ("sigma = 1", Lie(), {"sigma": 1.0}), ("sigma optimal", Lie(), {"sigma": "optimal"}),
               ("Algorithm 1", Lie(), {"algorithm": 1, "sigma": 1.0}), ("Euler parameters", Euler(), {}), ("Tait-Bryan", Tait(), {})]


def section_7_1():
    path = top_reference(5e-4, 2000)
    for form, rho in (("index3", 0.65), ("stabilized", 1.0)):
        for name, chart, more in COORDINATES[:2] + COORDINATES[4:5]:
            print(f"top {form} h 5e-4 error in q {name}: {top_error(path, chart=chart, rho=rho, form=form, **more):.4e}", flush=True)
    for h in (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4):
        attempt(f"top index3 h {h} Tait-Bryan full", heavy_top(), 1.0, chart=Tait(), h=h, rho=0.65)
    for name, chart, h, t_end in (("Euler parameters", Euler(), 1e-3, 1.0), ("Tait-Bryan", Tait(), 1.5e-5, 0.2)):
        attempt(f"top index3 h {h} {name} full", heavy_top(), t_end, chart=chart, h=h, rho=0.65)
    for name, chart, more, h, t_end in (("geom1", Lie(), {}, 5e-4, 1.0), ("sigma = 1", Lie(), {"sigma": 1.0}, 5e-4, 1.0),
                                        ("Algorithm 1", Lie(), {"algorithm": 1, "sigma": 1.0}, 5e-4, 1.0),
                                        ("Euler parameters", Euler(), {}, 5e-4, 1.0)):
        attempt(f"top index3 h {h} {name} modified", heavy_top(), t_end, chart=chart, h=h, rho=0.65, newton="modified", **more)


RIGHT = np.array([0.089999201656640873, 2.672309243353168e-4, 9.1592044851949758e-5])


def section_7_2(long):
    for h in (1e-4, 2e-5, 1e-5):
        attempt(f"rotor h {h} Euler parameters full", rotor(), 0.02, chart=Euler(), h=h, rho=0.9)
    for name, chart, h, t_end in (("Euler parameters", Euler(), 5e-6, 0.05), ("Tait-Bryan", Tait(), 1e-5, 0.1)):
        for newton in ("full", "modified"):
            attempt(f"rotor h {h} {name} {newton}", rotor(), t_end, chart=chart, h=h, rho=0.9, newton=newton)
    if long:
        for name, chart, more, h in (("Euler parameters", Euler(), {}, 5e-6), ("Tait-Bryan", Tait(), {}, 1e-4), ("Tait-Bryan", Tait(), {}, 5e-5), ("Tait-Bryan", Tait(), {}, 2e-5),
                                     ("sigma = 1", Lie(), {"sigma": 1.0}, 2e-5)):
            run = attempt(f"rotor h {h} {name} full", rotor(), 1.0, chart=chart, h=h, rho=0.9, **more)
            r, x = run.pose()[:2]
            print(f"    error of the right support {np.linalg.norm(x[0] + r[0] @ [0.09, 0, 0] - RIGHT):.4e}", flush=True)


# At t = 2 s; here and at t = 5 s by the equation of its one degree of freedom, with the energy as first integral.
SLIDER = np.array([0.28908519707, 0, 0])


def section_7_3():
    for form in ("index3", "index2", "stabilized"):
        for name, chart, more in COORDINATES:
            if form != "stabilized" or name != "Algorithm 1":
                run = attempt(f"crank {form} {name} full", crank(), 2.0, chart=chart, h=1e-3, rho=0.875, form=form, r_tol=1e-9, **more)
                print(f"    error of the slider {np.linalg.norm(run.pose()[1][2] - SLIDER):.4e}", flush=True)
    run = attempt("crank index3 sigma = 1 full, 5 s", crank(), 5.0, chart=Lie(), h=1e-3, rho=0.875, r_tol=1e-9, sigma=1.0)
    print(f"    error of the slider {np.linalg.norm(run.pose()[1][2] - [0.24071957373, 0, 0]):.4e}", flush=True)
    for name, chart, more in COORDINATES:
        attempt(f"crank index3 {name} modified", crank(), 2.0, chart=chart, h=1e-3, rho=0.875, r_tol=1e-9, newton="modified", **more)


def counts():
    """Iterations and matrices by the rule of precess: newton = full, modified."""
    for name, chart, more, h, newton, t_end in (
        ("Euler parameters", Euler(), {}, 1e-3, "full", 1.0), ("Tait-Bryan", Tait(), {}, 1.5e-5, "full", 0.2), ("geom1", Lie(), {}, 5e-4, "modified", 1.0),
        ("sigma = 1", Lie(), {"sigma": 1.0}, 5e-4, "modified", 1.0), ("Euler parameters", Euler(), {}, 5e-4, "modified", 1.0),
        ("Tait-Bryan", Tait(), {}, 1.5e-5, "modified", 0.2), ("sigma = 1, index2", Lie(), {"sigma": 1.0, "form": "index2"}, 5e-4, "modified", 1.0),
    ):
        attempt(f"corrections top h {h} {name} {newton}", heavy_top(), t_end, chart=chart, h=h, rho=0.65, newton=newton, rule="corrections", **more)
    for name, chart, h, t_end in (("Euler parameters", Euler(), 5e-6, 0.05), ("Tait-Bryan", Tait(), 1e-5, 0.1)):
        for newton in ("full", "modified"):
            attempt(f"corrections rotor h {h} {name} {newton}", rotor(), t_end, chart=chart, h=h, rho=0.9, newton=newton, rule="corrections")
    for form in ("index3", "index2"):
        for name, chart, more in COORDINATES[:2] + COORDINATES[4:]:
            if form == "index3" or chart is COORDINATES[0][1] or name == "sigma = 1":
                attempt(f"corrections crank {form} {name} modified", crank(), 2.0, chart=chart, h=1e-3, rho=0.875, form=form, newton="modified", rule="corrections", **more)


if __name__ == "__main__":
    words = sys.argv[1:] or ["top", "rotor", "crank", "counts"]
    if "counts" in words:
        counts()
    if "top" in words:
        section_7_1()
    if "rotor" in words or "rotor-short" in words:
        section_7_2("rotor" in words)
    if "crank" in words:
        section_7_3()
