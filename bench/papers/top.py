"""Generalized-alpha on the heavy top, for la.py and vp.py: many runs with the same steps side by side.

Written from LA: (37), (56), forms of lower index, the starts of Tables 1 and 2; groups SO(3)xR^3 and SE(3); the constraint in the
frame of the body (LA) or of the ground (VP). The unknowns of a step are a_1, lambda_1 and eta; the matrix is exact (complex steps).
"""
import numpy as np

from lie import GRAVITY, INERTIA, MASS, OMEGA_0, X, cross, exp, log, motion_of_the_top, shift, times, transposed

MASSES = np.r_[INERTIA, MASS * np.ones(3)]


class Tops:
    """Runs that differ in `form`, `group`, `frame`, `start`, `rho`; one step size.

    Each run is a dict with these keys; missing ones are index3, R3SO3, body, classical, 0.9.
    """

    def __init__(self, runs, speed=1.0):
        usual = {"form": "index3", "group": "R3SO3", "frame": "body", "start": "classical", "rho": 0.9}
        self.runs = [{**usual, **run} for run in runs]
        n = len(runs)
        of = lambda key, value: np.array([run[key] == value for run in self.runs])
        self.se3, self.ground = of("group", "SE3"), of("frame", "ground")
        self.position = of("form", "index3") | of("form", "stabilized")
        self.stabilized, self.index1 = of("form", "stabilized"), of("form", "index1")
        rho = np.array([run["rho"] for run in self.runs])[:, None]
        self.a_m, self.a_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.a_f - self.a_m
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        self.offset = self.a_m - self.a_f
        self.c_q = (1 - 6 * self.beta - 3 * self.offset) / 6
        omega = np.tile(speed * OMEGA_0, (n, 1))
        self.r, self.x = np.tile(np.eye(3), (n, 1, 1)), np.tile(X, (n, 1))
        self.v = np.concatenate([omega, cross(omega, self.x)], -1)

    def mask(self, x, like):
        return x.reshape(x.shape + (1,) * (like.ndim - 1))

    def rows(self, r, x):
        """Phi."""
        y = transposed(r, x)
        return np.where(self.mask(self.ground, y), times(r, X + 0 * x) - x, X - y)

    def rate(self, r, x, v):
        """B v."""
        om, u, y = v[..., :3], v[..., 3:], transposed(r, x)
        own = np.where(self.mask(self.se3, u), u, transposed(r, u))
        return np.where(self.mask(self.ground, u), times(r, cross(om, X + 0 * u)) - u, cross(om, y) - own)

    def second(self, r, x, v, a):
        """B v' + Z(v, v)."""
        om, u, y = v[..., :3], v[..., 3:], transposed(r, x)
        dom, du = a[..., :3], a[..., 3:]
        xs = X + 0 * u
        ground = times(r, cross(dom, xs) + cross(om, cross(om, xs))) - du
        se3 = self.mask(self.se3, u)
        own = np.where(se3, u, transposed(r, u))
        bend = np.where(se3, du, transposed(r, du) - cross(om, own))
        return np.where(self.mask(self.ground, u), ground, cross(dom, y) + cross(om, own - cross(om, y)) - bend)

    def pull(self, r, x, lam):
        """B^T lambda."""
        y = transposed(r, x)
        ground, se3 = self.mask(self.ground, y), self.mask(self.se3, y)
        turn = np.where(ground, cross(X + 0 * y, transposed(r, lam)), cross(y, lam))
        push = np.where(ground | se3, -lam, -times(r, lam))
        return np.concatenate([turn, push], -1)

    def forces(self, r, v):
        om, u = v[..., :3], v[..., 3:]
        se3 = self.mask(self.se3, u)
        weight = MASS * GRAVITY + 0 * u
        return np.concatenate([cross(om, INERTIA * om), np.where(se3, MASS * cross(om, u) - transposed(r, weight), -weight)], -1)

    def move(self, r, x, theta):
        w, u = theta[..., :3], theta[..., 3:]
        along = np.where(self.mask(self.se3, u), times(r, times(shift(w), u)), u)
        return r @ exp(w), x + along

    def jacobian(self, r, x):
        """B, one column per unit vector."""
        return np.stack([self.rate(r, x, np.tile(e, (len(r), 1))) for e in np.eye(6)], -1)

    def accelerations(self, r, x, v):
        """v' and lambda of (19)."""
        b = self.jacobian(r, x)
        zero = np.zeros((len(r), 3, 3))
        top = np.concatenate([np.tile(np.diag(MASSES), (len(r), 1, 1)), b.transpose(0, 2, 1)], -1)
        matrix = np.concatenate([top, np.concatenate([b, zero], -1)], -2)
        right = np.concatenate([-self.forces(r, v), -self.second(r, x, v, 0 * v)], -1)
        z = np.linalg.solve(matrix, right[..., None])[..., 0]
        return z[:, :6], z[:, 6:]

    def correct(self, r, x, wanted):
        """M^-1 B^T (B M^-1 B^T)^-1 of a residual."""
        b = self.jacobian(r, x)
        inverse = b.transpose(0, 2, 1) / MASSES[:, None]
        return times(inverse, np.linalg.solve(b @ inverse, wanted[..., None])[..., 0])

    def begin(self, h):
        """Classical start, Table 1 (s = 1/10) or Table 2."""
        self.h = h
        self.vd, self.lam = self.accelerations(self.r, self.x, self.v)
        self.a = self.vd.copy()
        s, sides = 0.1 * h, []
        for t in (s, -s):
            r, x = self.move(self.r, self.x, t * self.v + t * t * self.vd / 2)
            sides.append(self.accelerations(r, x, self.v + t * self.vd)[0])
        jerk = (sides[0] - sides[1]) / (2 * s)
        start = np.array([run["start"] for run in self.runs])[:, None]
        self.a = np.where(start == "classical", self.a, self.vd + self.offset * h * jerk)
        om, u, dom, du = self.v[:, :3], self.v[:, 3:], self.vd[:, :3], self.vd[:, 3:]
        turning = np.where(self.se3[:, None], cross(om, du) + cross(u, dom), 0)
        bracket = np.concatenate([cross(om, dom), turning], -1)
        shift_ = self.correct(self.r, self.x, self.rate(self.r, self.x, h * h * (self.c_q * jerk + bracket / 12)))
        self.v = np.where(start == "table2", self.v + shift_, self.v)
        self.eta = np.zeros_like(self.lam)

    def residual(self, z, eyes):
        """The equations of a step; z = (h^2 (a_1 - a_0), h^2 lambda, eta) with further axes in the middle."""
        wide = lambda y: y[(slice(None),) + (None,) * eyes]
        h, beta = self.h, wide(self.beta)
        a_1 = wide(self.a) + z[..., :6] / (h * h)
        lam, eta = z[..., 6:9] / (h * h), z[..., 9:]
        r_0, x_0 = wide(self.r), wide(self.x)
        theta = h * wide(self.v) + h * h * ((0.5 - beta) * wide(self.a) + beta * a_1) - h * self.pull(r_0 + 0 * eta[..., None], x_0 + 0 * eta, eta)
        v_1 = wide(self.v) + h * ((1 - wide(self.gamma)) * wide(self.a) + wide(self.gamma) * a_1)
        a_m, a_f = wide(self.a_m), wide(self.a_f)
        vd = ((1 - a_m) * a_1 + a_m * wide(self.a) - a_f * wide(self.vd)) / (1 - a_f)
        r, x = self.move(r_0 + 0 * theta[..., :3, None], x_0 + 0 * theta[..., :3], theta)
        balance = MASSES * vd + self.forces(r, v_1) + self.pull(r, x, lam)
        phi, rate, second = self.rows(r, x), self.rate(r, x, v_1), self.second(r, x, v_1, vd)
        m = lambda mask: self.mask(mask, phi)
        first = np.where(m(self.position), phi, np.where(m(self.index1), h * h * second, h * rate))
        last = np.where(m(self.stabilized), h * rate, h * eta)
        return np.concatenate([h * h * balance, first, last], -1), (r, x, v_1, vd, a_1, lam, eta)

    def step(self):
        z = np.concatenate([0 * self.a, self.h**2 * self.lam, 0 * self.eta], -1)
        unit = 1e-30j * np.eye(12)
        size = None
        for k in range(12):
            out, _ = self.residual(z[:, None, :] + unit, 1)
            matrix = out.imag.transpose(0, 2, 1) / 1e-30
            d = np.linalg.solve(matrix, -out[:, 0].real[..., None])[..., 0]
            z = z + d
            last, size = size, np.abs(d[:, :9]).max()
            if k > 1 and (size < 1e-15 or size > 0.1 * last):
                break
        _, (self.r, self.x, self.v, self.vd, self.a, self.lam, self.eta) = self.residual(z, 0)

    def project(self):
        """The nearest velocities that satisfy the constraints (VP 7)."""
        for _ in range(2):
            self.v = self.v - self.correct(self.r, self.x, self.rate(self.r, self.x, self.v))

    def errors(self, r, omega):
        """Errors of q, v, lambda (vectors) against the exact orientation and angular velocity."""
        n = len(self.runs)
        r, om = np.tile(r, (n, 1, 1)), np.tile(omega, (n, 1))
        x, se3 = times(r, np.tile(X, (n, 1))), self.se3[:, None]
        spin = cross(om, np.tile(X, (n, 1)))
        v = np.concatenate([om, np.where(se3, spin, times(r, spin))], -1)
        lam = self.accelerations(r, x, v)[1]
        turn = log(self.r.transpose(0, 2, 1) @ r)
        own = transposed(self.r, x - self.x)
        along = np.where(se3, np.linalg.solve(shift(turn), own[..., None])[..., 0], x - self.x)
        return np.concatenate([turn, along], -1), v - self.v, lam - self.lam


def norm(x):
    return np.sqrt((x * x).sum(-1))


class Record:
    """Everything the claims need of a run with steps h up to t_end."""

    def __init__(self, runs, h, t_end, path=None, stride=1, speed=1.0, project_at=None):
        tops = Tops(runs, speed)
        tops.begin(h)
        rows = {name: [] for name in ("q", "v", "lam", "lam1", "error", "size", "bv", "bv1", "phi", "phi_max", "eta")}
        self.h, self.start_bv = h, norm(tops.rate(tops.r, tops.x, tops.v))
        for n in range(1, round(t_end / h) + 1):
            tops.step()
            if project_at and n == round(project_at / h):
                tops.project()
            phi, bv = tops.rows(tops.r, tops.x), tops.rate(tops.r, tops.x, tops.v)
            rows["phi"].append(norm(phi)), rows["phi_max"].append(np.abs(phi).max(-1))
            rows["bv"].append(norm(bv)), rows["bv1"].append(np.abs(bv[:, 0])), rows["eta"].append(norm(tops.eta))
            rows["size"].append(norm(tops.lam))
            if path:
                q, v, lam = tops.errors(path[0][n * stride], path[1][n * stride])
                rows["q"].append(norm(q)), rows["v"].append(norm(v) / norm(tops.v)), rows["lam"].append(norm(lam) / norm(tops.lam))
                rows["lam1"].append(lam[:, 0] / norm(tops.lam)), rows["error"].append(lam)
        self.__dict__.update({name: np.array(values) for name, values in rows.items() if values})

    def max(self, what, run, window=(0.0, 1e9)):
        steps = np.arange(1, len(self.bv) + 1) * self.h
        inside = (steps > window[0] + 1e-9 * self.h) & (steps <= window[1] + 1e-9 * self.h)
        return np.abs(getattr(self, what)[inside, run]).max()


def order(coarse, fine):
    return np.log2(coarse / fine)
