"""Values of GGL: `python ggl.py pendulum|top|particles|stability|small` prints a line "ID value" for every value of its claims that comes
from this program.

Written from the paper: VI-S (55), VI-A (79), VI-B (83), EM (84), EM-G (without the secondary constraints), BS99 (166). All constraints are
quadratic, g_k = q.A_k q/2 + b_k.q + c_k; matrices are exact (complex steps). Newton's method starts from the values of the last step and
makes one more update when the largest residual is below 1e-9; this one counts as well. The paper does not name the norm: `norm` may be "max",
"two" (Euclidean) or "scaled", the rule of precess: rows of momenta over the largest mass and over the speed, velocities over the speed.
"""
import sys

import numpy as np

from la import say

TOLERANCE = 1e-9


class System:
    """mass per coordinate, A (m, d, d), b (m, d), c (m); gradient(q), energy(q) and the discrete gradient(q_0, q_1) of V."""

    def __init__(self, mass, a, b, c, q, v, gradient, discrete, energy):
        self.mass, self.a, self.b, self.c = mass, a, b, c
        self.q, self.v = q, v
        self.gradient, self.discrete, self.potential = gradient, discrete, energy
        self.d, self.m = len(mass), len(c)

    def g(self, q):
        return 0.5 * np.einsum("kij,...i,...j->...k", self.a, q, q, optimize=True) + q @ self.b.T + self.c

    def jacobian(self, q):
        return np.tensordot(q, self.a, axes=([-1], [1])) + self.b

    def gt(self, q, lam):
        return (lam[..., None, :] @ self.jacobian(q))[..., 0, :]

    def gv(self, q, v):
        return (self.jacobian(q) @ v[..., None])[..., 0]

    def bend(self, gamma, v):
        """sum gamma_k D^2 g_k v."""
        return (np.tensordot(gamma, self.a, axes=([-1], [0])) @ v[..., None])[..., 0]

    def energy(self, q, w):
        return 0.5 * (self.mass * w * w).sum() + self.potential(q)


def pendulum():
    weight = np.array([0, 0, 9.81])
    return System(
        np.ones(3), np.eye(3)[None], np.zeros((1, 3)), np.array([-0.5]), np.array([1.0, 0, 0]), np.array([0, 1.0, 0]),
        lambda q: weight + 0 * q, lambda p, q: weight + 0 * q, lambda q: 9.81 * q[2],
    )


def top():
    m, inertia, l, rate = 0.7069, 5.3014e-4, 0.075, 10.0
    spin = m * 9.81 * l / (inertia * rate) + m * l * l / inertia * rate * 0.5
    say("GGL-112", spin)
    a, b, c = np.zeros((9, 12, 12)), np.zeros((9, 12)), np.r_[-0.5 * np.ones(3), np.zeros(6)]
    unit = np.eye(3)
    for k in range(3):
        a[k, 3 + 3 * k : 6 + 3 * k, 3 + 3 * k : 6 + 3 * k] = unit
    for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        i, j = 3 + 3 * i, 3 + 3 * j
        a[3 + k, i : i + 3, j : j + 3] = a[3 + k, j : j + 3, i : i + 3] = unit
    b[6:, :3], b[6:, 9:] = unit / l, -unit
    cos, sin = 0.5, np.sqrt(0.75)
    r = np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])
    d = [r[:, k] for k in range(3)]
    omega = rate * np.array([0, 0, 1]) + spin * d[2]
    q = np.concatenate([l * d[2], *d])
    v = np.concatenate([np.cross(omega, x) for x in q.reshape(4, 3)])
    weight = np.zeros(12)
    weight[2] = m * 9.81
    mass = np.r_[m * np.ones(3), 0.5 * inertia * np.ones(9)]
    return System(mass, a, b, c, q, v, lambda q: weight + 0 * q, lambda p, q: weight + 0 * q, lambda q: weight[2] * q[2])


def particles():
    masses = np.array([1, 3, 2.3, 1.7])
    a = np.zeros((2, 12, 12))

    def between(i, j):
        out = np.zeros((12, 12))
        for p, q, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            out[3 * p : 3 * p + 3, 3 * q : 3 * q + 3] += sign * np.eye(3)
        return out

    a[0], a[1] = between(0, 1), between(2, 3)
    springs = [(50.0, between(0, 2)), (500.0, between(1, 3))]
    size = lambda q, s: (q * (q @ s)).sum(-1)[..., None]
    gradient = lambda q: sum(2 * k * (size(q, s) - 1) * (q @ s) for k, s in springs)
    discrete = lambda p, q: sum(k * (size(p, s) + size(q, s) - 2) * 0.5 * ((p + q) @ s) * 1.0 for k, s in springs)
    energy = lambda q: sum(0.5 * k * (q @ s @ q - 1) ** 2 for k, s in springs)
    q = np.array([0, 0, 0, 1.0, 0, 0, 0, 1.0, 0, 1.0, 1.0, 0])
    v = np.r_[np.zeros(11), 2 / 1.7]
    return System(np.repeat(masses, 3), a, np.zeros((2, 12)), np.array([-0.5, -0.5]), q, v, gradient, discrete, energy)


class Failed(Exception):
    pass


class Method:
    """Unknowns q_1, w_1 = M^-1 p_1, v (variational integrators), lambda, gamma (all but EM-G)."""

    def __init__(self, system, name, h, principle=True, norm="max"):
        self.s, self.name, self.h, self.principle, self.norm = system, name, h, principle, norm
        d, m = system.d, system.m
        self.q, self.w = system.q.copy(), system.v.copy()
        self.levels, self.kinds = (2 if name.startswith("EM") else 3), (1 if name == "EM-G" else 2)
        self.x = np.concatenate([self.q, self.w, self.w if self.levels > 2 else [], np.zeros(self.kinds * m)])
        self.v, self.updates, self.function = self.w.copy(), 0, None
        self.size = self.levels * d + self.kinds * m

    def split(self, x):
        d, m = self.s.d, self.s.m
        q, w = x[..., :d], x[..., d : 2 * d]
        v = x[..., 2 * d : 3 * d] if self.levels > 2 else w
        lam = x[..., self.levels * d : self.levels * d + m]
        return q, w, v, lam, x[..., self.levels * d + m :]

    def residual(self, x):
        s, h, q0, w0 = self.s, self.h, self.q, self.w
        q, w, v, lam, gamma = self.split(x)
        zero = 0 * q
        if self.name == "VI-S":
            place = q0 + h * v
            kinematic = s.mass * (q - q0 - h * v) - h * s.gt(place, gamma)
            dynamic = s.mass * (w - w0) + h * s.gradient(q0 + zero) + h * s.gt(q0 + zero, lam) + h * s.bend(gamma, w)
            velocity = s.mass * v - s.mass * w - h * s.bend(gamma, w)
            return np.concatenate([kinematic, dynamic, velocity, s.g(q), s.gv(place, w)], -1)
        if self.name in ("VI-A", "VI-B"):
            theta = 0.5 if self.name == "VI-A" else 1.0
            place = (1 - theta) * q0 + theta * q
            kinematic = s.mass * (q - q0 - h * v) - h * s.gt(place, gamma)
            dynamic = s.mass * (w - w0) + h * s.gradient(place) + h * s.bend(gamma, v)
            velocity = s.mass * v - s.mass * (theta * w0 + (1 - theta) * w)
            if self.name == "VI-A":
                dynamic = dynamic + h * s.gt(place, lam)
                position = s.g(place)
            else:
                dynamic = dynamic + 0.5 * h * (s.gt(q0 + zero, lam) + s.gt(q, lam))
                velocity = velocity + 0.5 * h * s.gt(q0 + zero, lam)
                position = s.g(q)
            return np.concatenate([kinematic, dynamic, velocity, position, s.gv(place, v)], -1)
        qm, wm = 0.5 * (q0 + q), 0.5 * (w0 + w)
        kinematic = s.mass * (q - q0 - h * wm)
        dynamic = s.mass * (w - w0) + h * s.discrete(q0 + zero, q) + h * s.gt(qm, lam)
        if self.kinds == 1:
            return np.concatenate([kinematic, dynamic, s.g(q)], -1)
        kinematic = kinematic - h * s.gt(qm, gamma)
        if self.principle:
            dynamic = dynamic + h * s.bend(gamma, wm)
        return np.concatenate([kinematic, dynamic, s.g(q), s.gv(q, w)], -1)

    def large(self, r):
        """The size of a residual."""
        if self.norm == "two":
            return np.linalg.norm(r)
        if self.norm == "max":
            return np.abs(r).max()
        two = lambda x: 2.0 ** np.round(np.log2(x))
        h, m, mass = two(self.h), self.s.m, two(np.full(self.s.d, self.s.mass.max()))
        speed = h / np.clip(np.abs(self.w).max() * self.h, 1e-3, 1)
        rows = [1 / mass] + [speed / mass] * (self.levels - 1) + [np.ones(m)] + [speed * np.ones(m)] * (self.kinds - 1)
        return np.abs(r * np.concatenate(rows)).max()

    def step(self, advanced=False):
        d, x = self.s.d, self.x.copy()
        x[:d], x[d : 2 * d] = self.q, self.w
        if advanced:
            x[:d] += self.h * self.w
        unit, last = 1e-30j * np.eye(self.size), False
        for _ in range(26):
            out = self.residual(x + unit)
            r = out[0].real
            if last:
                break
            last = self.large(r) < TOLERANCE
            x = x - np.linalg.solve(out.imag.T / 1e-30, r)
            if not np.isfinite(x).all():
                raise Failed
            self.updates += 1
        else:
            raise Failed
        q, w, v, lam, gamma = self.split(x)
        s = self.s
        function = lambda q, w, v: (s.mass * w * v).sum() - 0.5 * (s.mass * v * v).sum() + s.potential(q)
        self.function = function(self.q, self.w, v) if self.name == "VI-S" else function(q, w, v)
        self.x, self.q, self.w, self.v, self.lam, self.gamma = x, q, w, v, lam, gamma


def run(system, name, h, n, **more):
    """Maxima over a run."""
    method = Method(system, name, h, **{k: v for k, v in more.items() if k in ("principle", "norm")})
    first = system.energy(method.q, method.w)
    top_height = method.q[2]
    seen = {"H": 0, "E": 0, "g": 0, "gv": 0, "int": 0, "ext": 0, "height": 0, "gvv": 0, "lam": [], "gamma": [], "end": None, "steps": n}
    for k in range(n):
        try:
            method.step(more.get("advanced", False))
        except (Failed, np.linalg.LinAlgError):
            seen["end"] = k * h
            break
        rows = system.gv(method.q, method.w)
        for key, value in (
            ("H", system.energy(method.q, method.w) - first), ("E", method.function - first), ("g", np.abs(system.g(method.q)).max()),
            ("gv", np.abs(rows).max()), ("int", np.abs(rows[:6]).max()), ("ext", np.abs(rows[6:]).max() if len(rows) > 6 else 0),
            ("height", method.q[2] - top_height), ("gvv", np.abs(system.gv(method.q, method.v)).max()),
        ):
            seen[key] = max(seen[key], abs(value))
        seen["lam"].append(method.lam[0])
        seen["gamma"].extend(method.gamma[:1])
        if not seen["H"] <= 1e3:
            seen["end"] = (k + 1) * h
            break
    seen["mean"], seen["q"], seen["w"] = method.updates / (k + 1), method.q, method.w
    return seen


def zigzag(x):
    return max(abs(np.convolve(x, [1, -4, 6, -4, 1], "valid"))) / 16


def bs99_height(h, n):
    m, inertia, l = 0.7069, 5.3014e-4, 0.075
    s = top()
    d3, omega = s.q[9:], 10 * np.array([0, 0, 1.0]) + (m * 9.81 * l / (inertia * 10) + m * l * l / inertia * 5) * s.q[9:]
    j1, j3 = inertia + m * l * l, inertia
    momentum = j1 * omega + (j3 - j1) * (omega @ d3) * d3
    worst = 0
    for _ in range(n):
        momentum = momentum + h * m * 9.81 * l * np.cross([0, 0, 1.0], d3)
        x, y, z = momentum * 0.5 * h / j1
        half = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        d3 = np.linalg.solve(np.eye(3) - half, d3 + half @ d3)
        worst = max(worst, abs(l * d3[2] - 0.0375))
    return worst


def example_pendulum():
    s = pendulum()
    vi = {name: run(s, name, 0.05, 200) for name in ("VI-S", "VI-A", "VI-B")}
    for name in vi:
        say(f"GGL-Fig8-{name}", vi[name]["E"])
        say("GGL-Fig7-VI-S" if name == "VI-S" else f"GGL-6.1-H-{name}", vi[name]["H"])
    say("GGL-Fig13-g", vi["VI-A"]["g"])
    say("GGL-Fig14-VI-B-p", vi["VI-B"]["gv"])
    say("GGL-Fig15-VI-A", vi["VI-A"]["gv"])
    for name in ("VI-A", "VI-B"):
        say(f"GGL-6.1-lambda-{name}", zigzag(vi[name]["lam"]))
        say(f"GGL-6.1-gamma-{name}", zigzag(vi[name]["gamma"]))
    say("GGL-32-original", run(s, "EM", 0.05, 200, principle=False)["H"])
    print("# EM", run(s, "EM", 0.05, 200)["H"])


def example_top():
    s = top()
    for name in ("EM", "VI-S", "VI-A", "VI-B"):
        seen = run(s, name, 0.002, 500)
        say(f"GGL-Fig17-{name}", seen["height"])
        if name == "VI-S":
            say("GGL-Fig20-int", seen["int"])
        if name == "VI-A":
            say("GGL-6.2-VI-A-int", seen["int"])
            say("GGL-6.2-VI-A-g", seen["g"])
    say("GGL-Fig17-BS99", bs99_height(0.002, 500))
    angle = 10 * 1e-3
    phi = np.array([np.cos(angle) * s.q[0] - np.sin(angle) * s.q[1], np.sin(angle) * s.q[0] + np.cos(angle) * s.q[1], s.q[2]])
    p = 10 * np.cross([0, 0, 1.0], phi)
    errors = [np.linalg.norm(run(s, "VI-S", 1e-3 / n, n)["w"][:3] - p) for n in (200, 1000)]
    say("GGL-Fig19-VI-S", np.log(errors[0] / errors[1]) / np.log(5))


def example_particles():
    s = particles()
    for advanced in (False, True):
        for norm in ("scaled", "max", "two"):
            counts = {name: run(s, name, 0.01, 1000, advanced=advanced, norm=norm)["mean"] for name in ("VI-S", "VI-A", "VI-B", "EM")}
            print("# Table 2, advanced guess" if advanced else "# Table 2, simple guess", norm, counts)
            if norm == "scaled":
                for name, count in counts.items():
                    say(f"GGL-Table2-{name}" + ("-adv" if advanced else ""), count)
    say("GGL-Fig23-EM-G", run(s, "EM-G", 0.01, 1000)["gv"])
    say("GGL-Fig32-VI-S", run(s, "VI-S", 0.05, 2000)["end"])
    say("GGL-Fig32-VI-B", run(s, "VI-B", 0.05, 2000)["end"])
    say("GGL-Fig33-VI-A", run(s, "VI-A", 0.25, 400)["end"])
    say("GGL-6.3-EM-plain", run(s, "EM", 0.675, 1481)["end"])


def exact_lambda():
    """lambda of the particles at t = 0.1, from VI-A's kin: EM with extrapolated midpoint multipliers is not exact, so Runge-Kutta."""
    s = particles()

    def rate(y):
        q, v = y[:12], y[12:]
        j = s.jacobian(q)
        curvature = np.einsum("kij,i,j->k", s.a, v, v)
        matrix = np.block([[np.diag(s.mass), j.T], [j, np.zeros((2, 2))]])
        z = np.linalg.solve(matrix, np.r_[-s.gradient(q), -curvature])
        return np.r_[v, z[:12]], z[12:]

    y, n = np.r_[s.q, s.v], 4000
    h = 0.1 / n
    for _ in range(n):
        a = rate(y)[0]
        b = rate(y + h / 2 * a)[0]
        c = rate(y + h / 2 * b)[0]
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c)[0])
    return y, rate(y)[1]


def small_steps():
    s = particles()
    y, lam = exact_lambda()
    print("# exact q_4, p_4, lambda", y[9:12], 1.7 * y[21:], lam)

    def error(name, n):
        method = Method(s, name, 0.1 / n)
        for _ in range(n):
            method.step()
        return np.linalg.norm(method.lam - lam)

    say("GGL-Fig30-EM-G", np.log(error("EM-G", 200) / error("EM-G", 800)) / np.log(4))
    say("GGL-Fig30-EM", np.log(error("EM", 200) / error("EM", 800)) / np.log(4))
    say("GGL-6.3-EM-index2", error("EM-G", 10000) / error("EM", 10000))


def stability():
    s = particles()
    say("GGL-6.3-stable", max(run(s, name, 0.04, 25000)["H"] for name in ("VI-B",)))


if __name__ == "__main__":
    for word in sys.argv[1:] or ["pendulum", "top", "particles", "small", "stability"]:
        {"pendulum": example_pendulum, "top": example_top, "particles": example_particles, "small": small_steps, "stability": stability}[word]()
