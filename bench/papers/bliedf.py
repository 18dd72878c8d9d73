"""Values of BLieDF: `python bliedf.py` prints a line "ID value" for every value of its claims that comes from this program.

Written from the paper: (20), (22), (23), (56), with the k starting values of (21) from the exact motion. The stabilized form, which the paper
leaves to future work, has B v = 0 beside Phi = 0 and the commutators of the Magnus expansion of order 6. Runs with the same steps go side by
side; the matrix is exact (complex steps).
"""
import sys

import numpy as np

from la import say
from lie import ABOUT_TIP, GRAVITY, INERTIA, MASS, X, cross, exp, log, motion_of_the_top, tangent, times, transposed
from top import Tops, norm, order

MASSES = np.r_[INERTIA, MASS * np.ones(3)]
FINE = 6.25e-5
DEPTH = 7


def coefficients(k):
    """alpha of (4) and gamma of (5), from sum nabla^j / j."""
    alpha = np.zeros(DEPTH + 1)
    for j in range(1, k + 1):
        row = np.array([1.0])
        for _ in range(j):
            row = np.convolve(row, [1.0, -1.0])
        alpha[: j + 1] += row / j
    return alpha, np.cumsum(alpha)[:DEPTH] * (np.arange(DEPTH) < k)


def correction(k):
    """Weights of v_n, v_nm1, ... in the difference quotient of (22), times h."""
    out = np.zeros(DEPTH)
    out[:4] = {3: [1.5, -2.0, 0.5, 0.0], 4: [1.75, -1.75, -0.75, 0.75]}.get(k, [0.0] * 4)
    return out


class Top(Tops):
    """Runs with (k, corrected, shifted) from the exact motion `path` with steps of `stride` entries. `so3`: without constraints."""

    def __init__(self, runs, path, h, stride, so3=False):
        super().__init__([{}] * len(runs))
        self.h, self.so3, self.k = h, so3, [run[0] for run in runs]
        ab = [coefficients(k) for k in self.k]
        self.alpha, self.gamma_ = np.array([a for a, _ in ab]), np.array([g for _, g in ab])
        self.weights = np.array([correction(run[0]) * run[1] for run in runs])
        self.size = 3 if so3 else 6
        n = len(runs)
        self.dq, self.vs = np.zeros((DEPTH, n, self.size)), np.zeros((DEPTH + 1, n, self.size))
        self.first = np.array(self.k)
        r, om = path[0][::stride], path[1][::stride]
        x = times(r, np.tile(X, (len(r), 1)))
        spin = cross(om, np.tile(X, (len(om), 1)))
        self.exact = (r, x, np.concatenate([om, times(r, spin)], -1)[:, : self.size])
        self.shifts = [run[2] for run in runs]
        # All runs are at t_{k-1} of their own k; the histories are filled one by one.
        self.n = np.array(self.k) - 1
        self.r, self.x = r[self.n], x[self.n]
        for i, k in enumerate(self.k):
            for j in range(k - 1):
                self.dq[j, i] = self.increment(self.n[i] - 1 - j)
            for j in range(k):
                self.vs[j, i] = self.exact[2][self.n[i] - j]
        if not so3:
            delta = self.shift_of_velocities()
            for i, shifted in enumerate(self.shifts):
                if shifted:
                    self.vs[: self.k[i], i] += delta[i]
        self.lam = np.zeros((n, 3))

    def increment(self, n):
        """Delta q(t_n) of (25)."""
        r, x = self.exact[:2]
        turn = log(r[n].T @ r[n + 1])
        return (turn if self.so3 else np.concatenate([turn, x[n + 1] - x[n]])) / self.h

    def bend(self, vs):
        """h^2 L of (22)."""
        w = np.einsum("bj,jbi->bi", self.weights, vs[:DEPTH, :, :3])
        out = np.zeros(vs.shape[1:])
        out[:, :3] = self.h / 12 * cross(vs[0, :, :3], w)
        return out

    def shift_of_velocities(self):
        """Delta v of (56)."""
        wanted = np.zeros((len(self.k), 6))
        for i, k in enumerate(self.k):
            steps = [self.increment(self.n[i] - j) for j in range(k)]
            wanted[i] = sum(g * d for g, d in zip(self.gamma_[i], steps)) - self.exact[2][self.n[i] + 1]
        wanted -= self.bend(self.vs)
        return self.correct(self.r, self.x, self.rate(self.r, self.x, wanted))

    def equations(self, z):
        h, eyes = self.h, z.ndim - 2
        wide = lambda y: y[(slice(None),) + (None,) * eyes]
        m = self.size
        dq, lam = z[..., :m] / h, z[..., m:] / (h * h)
        v = wide(self.known_v) + wide(self.gamma_[:, :1]) * dq
        vd = (wide(self.known_a) + wide(self.alpha[:, :1]) * v) / h
        r = wide(self.r) @ exp(h * dq[..., :3])
        if self.so3:
            about = np.array(ABOUT_TIP)
            moment = cross(X + 0 * v, transposed(r, MASS * GRAVITY + 0 * v))
            return h * h * (about * vd + cross(v, about * v) - moment), (r, None, v, dq, None)
        x = wide(self.x) + h * dq[..., 3:]
        balance = MASSES * vd + self.forces(r, v) + self.pull(r, x, lam)
        return np.concatenate([h * h * balance, self.rows(r, x)], -1), (r, x, v, dq, lam)

    def step(self):
        h, m = self.h, self.size
        self.known_v = np.einsum("bi,ibj->bj", self.gamma_[:, 1:], self.dq[: DEPTH - 1]) - self.bend(self.vs)
        self.known_a = np.einsum("bi,ibj->bj", self.alpha[:, 1:], self.vs[:DEPTH])
        z = h * (2 * self.vs[0] - self.vs[1])
        if not self.so3:
            z = np.concatenate([z, h * h * self.lam], -1)
        unit, size = 1e-30j * np.eye(z.shape[-1]), None
        for k in range(12):
            out, _ = self.equations(z[:, None, :] + unit)
            d = np.linalg.solve(out.imag.transpose(0, 2, 1) / 1e-30, -out[:, 0].real[..., None])[..., 0]
            z = z + d
            last, size = size, np.abs(d).max()
            if k > 1 and (size < 1e-16 or size > 0.1 * last):
                break
        _, (self.r, x, v, dq, lam) = self.equations(z)
        self.x, self.lam = (self.x, self.lam) if self.so3 else (x, lam)
        self.dq = np.concatenate([dq[None], self.dq[:-1]])
        self.vs = np.concatenate([v[None], self.vs[:-1]])
        self.n = self.n + 1

    def miss(self):
        """|error| of q, of v and of lambda relative to |v|, |lambda|."""
        r, x, v = self.exact
        n = np.minimum(self.n, len(r) - 1)
        turn = log(self.r.transpose(0, 2, 1) @ r[n])
        if self.so3:
            return norm(turn), norm(v[n] - self.vs[0]) / norm(self.vs[0]), 0 * norm(turn)
        lam = self.accelerations(r[n], x[n], v[n])[1]
        q = np.sqrt((turn**2).sum(-1) + ((x[n] - self.x) ** 2).sum(-1))
        return q, norm(v[n] - self.vs[0]) / norm(self.vs[0]), norm(lam - self.lam) / norm(self.lam)


class Stabilized(Top):
    """Phi = 0 and B v = 0, psi = h Delta q - c with c from the Magnus expansion; k + 1 starting values."""

    def __init__(self, ks, path, h, stride):
        super().__init__([(k, 0, False) for k in ks], path, h, stride)
        self.n = np.array(self.k)
        r, x, v = self.exact
        self.r, self.x = r[self.n], x[self.n]
        self.dq[:], self.vs[:] = 0.0, 0.0
        gauss = 0.5 + np.array([-1, 0, 1]) * np.sqrt(15) / 10
        self.at_gauss = np.zeros((len(ks), 3, DEPTH + 1))
        for i, k in enumerate(self.k):
            for j in range(k + 1):
                self.vs[j, i] = v[k - j]
            points = -np.arange(k + 1.0)
            lagrange = lambda t: np.array([np.prod([(t - p) / (points[j] - p) for p in np.delete(points, j)]) for j in range(k + 1)])
            self.at_gauss[i, :, : k + 1] = [lagrange(t) for t in gauss]
            for j in range(k):
                weights = np.array([lagrange(t - j - 1) for t in gauss])
                c = self.magnus(np.einsum("gj,jx->gx", weights, self.vs[: k + 1, i])[:, None])[0]
                self.dq[j, i] = self.increment(k - 1 - j) - c / h

    def magnus(self, v):
        """The commutators of the Magnus expansion from v at the Gauss points."""
        h, w = self.h, v[..., :3]
        a1, a2, a3 = h * w[1], np.sqrt(15) / 3 * h * (w[2] - w[0]), 10 / 3 * h * (w[2] - 2 * w[1] + w[0])
        bracket = lambda p, q: -cross(p, q)
        c1 = bracket(a1, a2)
        c2 = -bracket(a1, 2 * a3 + c1) / 60
        out = np.zeros(v.shape[1:])
        out[..., :3] = bracket(-20 * a1 - a3 + c1, a2 + c2) / 240
        return out

    def equations(self, z):
        eyes = z.ndim - 2
        wide = lambda y: y[(slice(None),) + (None,) * eyes]
        h = self.h
        psi, lam, eta = z[..., :6] / h, z[..., 6:9] / (h * h), z[..., 9:] / h
        dq = psi + wide(self.c) / h
        r, x = wide(self.r) @ exp(h * dq[..., :3]), wide(self.x) + h * dq[..., 3:]
        v = wide(self.known_v) + wide(self.gamma_[:, :1]) * psi + self.pull(r, x, eta)
        vd = (wide(self.known_a) + wide(self.alpha[:, :1]) * v) / h
        balance = MASSES * vd + self.forces(r, v) + self.pull(r, x, lam)
        return np.concatenate([h * h * balance, self.rows(r, x), h * self.rate(r, x, v)], -1), (r, x, v, psi, lam)

    def step(self):
        h = self.h
        self.c = self.magnus(np.einsum("bgj,jbx->gbx", self.at_gauss, self.vs))
        self.known_v = np.einsum("bi,ibj->bj", self.gamma_[:, 1:], self.dq[: DEPTH - 1])
        self.known_a = np.einsum("bi,ibj->bj", self.alpha[:, 1:], self.vs[:DEPTH])
        z = np.concatenate([h * (2 * self.vs[0] - self.vs[1]), h * h * self.lam, 0 * self.lam], -1)
        unit, size = 1e-30j * np.eye(12), None
        for k in range(12):
            out, _ = self.equations(z[:, None, :] + unit)
            d = np.linalg.solve(out.imag.transpose(0, 2, 1) / 1e-30, -out[:, 0].real[..., None])[..., 0]
            z = z + d
            last, size = size, np.abs(d).max()
            if k > 1 and (size < 1e-16 or size > 0.1 * last):
                break
        _, (self.r, self.x, v, psi, self.lam) = self.equations(z)
        self.dq = np.concatenate([psi[None], self.dq[:-1]])
        self.vs = np.concatenate([v[None], self.vs[:-1]])
        self.n = self.n + 1


def run(make, h, t_end=2.0):
    """Largest errors of q, v, lambda and those at the end, of every run."""
    top = make(h)
    end = round(t_end / h)
    largest, last = np.zeros((3, len(top.k))), np.zeros((3, len(top.k)))
    for _ in range(end):
        top.step()
        now = np.array(top.miss())
        inside = top.n <= end
        largest = np.where(inside, np.maximum(largest, now), largest)
        last = np.where(top.n == end, now, last)
    return largest, last


def main(words):
    path = motion_of_the_top(2.002, FINE, 5)
    make = lambda runs, so3: lambda h: Top(runs, path, h, round(h / FINE), so3)
    if "so3" in words:
        runs = [(k, c, False) for k in (2, 3, 4) for c in (1, 0)]
        (_, coarse), (_, fine) = (run(make(runs, True), h) for h in (2.5e-4, 1.25e-4))
        say("BLieDF-Fig3-k3-none", order(coarse[0, 3], fine[0, 3]))
        for i, (k, c, _) in enumerate(runs):
            print("# SO(3)", k, c, "orders of q and v", order(coarse[0, i], fine[0, i]), order(coarse[1, i], fine[1, i]))
    if "top" in words:
        runs = [(k, 1, shifted) for k in (2, 3, 4) for shifted in (True, False)] + [(k, 0, True) for k in (3, 4)]
        (cm, ce), (fm, fe) = (run(make(runs, False), h) for h in (2.5e-4, 1.25e-4))
        say("BLieDF-Fig1-level-exact", fm[2, 1])
        say("BLieDF-Fig1-level-modified", fm[2, 0])
        say("BLieDF-56-k3-exact", order(cm[2, 3], fm[2, 3]))
        say("BLieDF-Fig4-q-k3-none", order(ce[0, 6], fe[0, 6]))
        say("BLieDF-Fig4-lambda-k3-none", order(ce[2, 6], fe[2, 6]))
        for i, k in enumerate((2, 3, 4)):
            say(f"BLieDF-Fig4-level-k{k}", fe[0, 2 * i])
        for i, (k, c, s) in enumerate(runs):
            orders = [f"{order(a, b):.3f}" for a, b in zip((*cm[:, i], *ce[:, i]), (*fm[:, i], *fe[:, i]))]
            print("# top", k, c, s, "orders of the largest q, v, lambda and at the end", *orders)
    if "stabilized" in words:
        make = lambda h: Stabilized((5, 6), path, h, round(h / FINE))
        (cm, ce), (fm, fe) = (run(make, h) for h in (5e-4, 2.5e-4))
        say("BLieDF-stabilized-k5", order(cm[2, 0], fm[2, 0]))
        say("BLieDF-stabilized-k6", order(ce[0, 1], fe[0, 1]))
        print("# levels", fm, fe)


if __name__ == "__main__":
    main(sys.argv[1:] or ["so3", "top", "stabilized"])
