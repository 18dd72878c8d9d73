"""Values of LA: `python la.py` prints a line "ID value" for every value of its claims that comes from this program."""
import numpy as np

from lie import motion_of_the_top
from top import Record, order

WHOLE, LATE = (0.0, 1.0), (0.5, 1.0)


def alpha(rho):
    a_m, a_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + a_f - a_m
    beta = 0.25 * (gamma + 0.5) ** 2
    return a_m, a_f, beta, gamma, (1 - 6 * beta - 3 * (a_m - a_f)) / 6


def say(name, value):
    print(name, f"{value:.6g}", flush=True)


def linear():
    for rho in (0.6, 0.9):
        a_m, a_f, beta, gamma, _ = alpha(rho)
        plus = np.array([[0, 0, -beta], [0, 1, -gamma], [1 - a_f, 0, 1 - a_m]])
        zero = np.array([[0, 1, 0.5 - beta], [0, 1, 1 - gamma], [-a_f, 0, -a_m]])
        t, power, norms = np.linalg.solve(plus, zero), np.eye(3), []
        for _ in range(200):
            power = power @ t
            norms.append(np.linalg.norm(power, 2))
        say(f"LA-3.2-norm-{rho}", max(norms))
        say(f"LA-3.2-norm-n-{rho}", np.argmax(norms) + 1)
        mu = -rho
        j = np.array([[mu, 1, 0], [0, mu, 1], [0, 0, mu]])
        x = np.array([[1 - mu * mu, -(2 + mu), 0], [0, 0.5 * (1 + mu) / (1 - mu), -1 / (1 - mu) ** 2], [0, 1, 0]])
        assert np.abs(x @ j - t @ x).max() < 1e-14
    for rho in (0.6, 0.9, 0.99):
        a_m, a_f, beta, gamma, c_q = alpha(rho)
        # q = 0 with an error r_0 = C_q in the second component, by the recursion (46) itself.
        plus = np.array([[0, 0, -beta], [0, 1, -gamma], [1 - a_f, 0, 1 - a_m]])
        zero = np.array([[0, 1, 0.5 - beta], [0, 1, 1 - gamma], [-a_f, 0, -a_m]])
        t, e, c = np.linalg.solve(plus, zero), np.array([0, c_q, 0]), []
        for _ in range(1000):
            e = t @ e
            c.append(abs(e[0]))
        say(f"LA-Eq53-c-{rho}", max(c))
        say(f"LA-Eq53-scaled-{rho}", max(c) / abs(c_q))
        say(f"LA-Eq53-n-{rho}", np.argmax(c) + 1)


def pendulum(x_0, h, t_end, perturbed=False):
    """Largest error of lambda, start with a_0 = v'(t_0 + Delta h); with (52) if perturbed."""
    g, rho = 9.81, 0.9
    a_m, a_f, beta, gamma, c_q = alpha(rho)
    offset = a_m - a_f

    def angle(t, n):
        """Angle and rate by Runge-Kutta steps."""
        y0 = -np.sqrt(1 - x_0 * x_0)
        speed = np.sqrt(1 - 2 * g * (1 + y0))
        z, k = np.array([np.arctan2(x_0, -y0), speed]), t / n
        f = lambda z: np.array([z[1], -g * np.sin(z[0])])
        out = [z]
        for _ in range(n):
            d1 = f(z)
            d2 = f(z + k / 2 * d1)
            d3 = f(z + k / 2 * d2)
            z = z + k / 6 * (d1 + 2 * d2 + 2 * d3 + f(z + k * d3))
            out.append(z)
        return np.array(out)

    path = angle(t_end, round(t_end / h) * 40)[::40]
    place = lambda z: np.array([np.sin(z[0]), -np.cos(z[0])])
    speed = lambda z: np.array([np.cos(z[0]), np.sin(z[0])]) * z[1]
    force = lambda z: z[1] ** 2 + g * np.cos(z[0])
    bend = lambda z: -np.array([0, g]) - place(z) * force(z)
    q, v = place(path[0]), speed(path[0])
    vd = bend(path[0])
    s = 0.1 * h
    near = [angle(t, 4)[-1] for t in (s, -s)]
    jerk = (bend(near[0]) - bend(near[1])) / (2 * s)
    a = vd + offset * h * jerk
    if perturbed:
        v = v + c_q * h * h * q * (q @ jerk)
    lam, worst = force(path[0]), []
    for n in range(1, len(path)):
        a_1 = a.copy()
        for _ in range(30):
            q_1 = q + h * v + h * h * ((0.5 - beta) * a + beta * a_1)
            vd_1 = ((1 - a_m) * a_1 + a_m * a - a_f * vd) / (1 - a_f)
            r = np.r_[vd_1 + np.array([0, g]) + q_1 * lam, (q_1 @ q_1 - 1) / (2 * h * h)]
            m = np.zeros((3, 3))
            m[:2, :2] = np.eye(2) * ((1 - a_m) / (1 - a_f) + h * h * beta * lam)
            m[:2, 2], m[2, :2] = q_1, beta * q_1
            d = np.linalg.solve(m, -r)
            a_1, lam = a_1 + d[:2], lam + d[2]
            if np.abs(d).max() < 1e-11:
                break
        v = v + h * ((1 - gamma) * a + gamma * a_1)
        q, vd, a = q_1, vd_1, a_1
        worst.append(abs(force(path[n]) - lam))
    return np.array(worst), jerk @ place(path[0])


def example():
    say("LA-Fig5-h20", pendulum(0.2, 0.02, 4.0)[0].max())
    say("LA-Fig5-h10", pendulum(0.2, 0.01, 2.0)[0].max())
    say("LA-Fig5-equilibrium-h20", pendulum(0.0, 0.02, 4.0)[0].max())
    say("LA-Fig5-equilibrium-h10", pendulum(0.0, 0.01, 4.0)[0].max())
    say("LA-Ex3.2-jerk", pendulum(0.2, 1e-3, 1e-2)[1])
    say("LA-Thm3.1-level", pendulum(0.2, 0.01, 2.0, True)[0].max())


def top():
    path = motion_of_the_top(1.0, 1.25e-4, 10)
    runs = [
        {"start": s, "form": f, "group": g}
        for f, g, s in (
            ("index3", "R3SO3", "classical"), ("index3", "R3SO3", "table1"), ("index3", "R3SO3", "table2"), ("index3", "SE3", "classical"),
            ("stabilized", "R3SO3", "classical"), ("stabilized", "R3SO3", "table1"),
        )
    ]
    i3, i3t1, i3t2, i3se3, st, st1 = range(6)
    x = {h: Record(runs, h, 1.0, path, round(h / 1.25e-4)) for h in (1e-3, 5e-4, 2.5e-4, 1.25e-4)}
    h1, h2, h3, h4 = (x[h] for h in x)
    say("LA-Fig6-lambda-r3so3", order(h3.max("lam", i3), h4.max("lam", i3)))
    say("LA-Fig6-constants-q", h1.max("q", i3se3) / h1.max("q", i3))
    say("LA-Fig6-constants-v", h1.max("v", i3se3) / h1.max("v", i3))
    say("LA-Fig7-amplitude", h1.max("lam1", i3) / 1e-3)
    say("LA-Fig8-level", h1.max("lam", i3, LATE))
    say("LA-Fig10-r3so3", h1.max("bv", i3))
    say("LA-Fig10-late", h1.max("bv", i3, (0.2, 1.0)))
    say("LA-Fig11-level", h1.max("lam", st) / 1e-6)
    say("LA-Fig11-lambda-coarse", order(h1.max("lam", st), h2.max("lam", st)))
    say("LA-Fig11-lambda-middle", order(h2.max("lam", st), h3.max("lam", st)))
    say("LA-Fig11-lambda-fine", order(h3.max("lam", st), h4.max("lam", st)))
    say("LA-Fig11-constants", h1.max("lam", st, LATE) / h1.max("lam", i3, LATE))
    for name, y, h in (("LA-Fig13-h1", h1, 1e-3), ("LA-Fig13-h05", h2, 5e-4)):
        say(name, np.abs(y.lam1[:, st] - y.error[:, st1, 0] / y.size[:, st]).max() / h)
    say("LA-Fig14-level", h1.max("eta", st))
    say("LA-Fig16-left", h1.max("lam1", st, (0, 0.1)) / 1e-3)
    say("LA-Fig16-order", order(h3.max("lam", st1), h4.max("lam", st1)))
    say("LA-Fig16-level", h4.max("lam", st1))
    say("LA-Fig17", h1.max("lam", i3t1) / h1.max("lam", i3))
    say("LA-Fig19", h1.max("bv", i3t2))
    say("LA-Fig20", h1.max("lam", i3) / h1.max("lam", i3t2))
    say("LA-Fig21-left", order(h3.max("lam", i3), h4.max("lam", i3)))
    slow = motion_of_the_top(1.0, 1e-2, 100, 0.01)
    y = Record([runs[i3], runs[i3se3]], 1e-2, 1.0, slow, 1, 0.01)
    say("LA-3.3-slow-top", y.max("q", 1) / y.max("q", 0))
    say("LA-3.3-slow-v", y.max("v", 1) / y.max("v", 0))
    say("LA-3.3-slow-lambda", y.max("lam", 1) / y.max("lam", 0))


if __name__ == "__main__":
    linear()
    example()
    top()
