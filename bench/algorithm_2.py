"""Algorithms 1 and 2 of the sigma paper, with and without their simplification (74), on the heavy top.

Written from the paper alone; shares nothing with precess but the data of the top. Index-3 form on R^3xSO(3), rho = 0.65, h = 5e-4.
Prints the largest error in q on [0, 1] and the Newton iterations per step; the claim SM-74 has its expected value from here.
    python3 -m venv target/peers && target/peers/bin/pip install numpy
    target/peers/bin/python bench/algorithm_2.py
"""
import numpy as np

MASS, INERTIA, X = 15.0, np.diag([0.234375, 0.46875, 0.234375]), np.array([0.0, 1.0, 0.0])
GRAVITY, OMEGA_0 = np.array([0.0, 0.0, -9.81]), np.array([0.0, 150.0, -4.61538])
RHO, H, STEPS = 0.65, 5e-4, 2000
M = np.block([[INERTIA, np.zeros((3, 3))], [np.zeros((3, 3)), MASS * np.eye(3)]])


def hat(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def turn(w):
    a, s = np.linalg.norm(w), hat(w)
    return np.eye(3) + np.sinc(a / np.pi) * s + 0.5 * np.sinc(a / 2 / np.pi) ** 2 * s @ s


def tangent(theta):
    """T(theta): identity for translations."""
    a, s, t = np.linalg.norm(theta[:3]), hat(theta[:3]), np.eye(6)
    c = (a - np.sin(a)) / a**3 if a > 1e-3 else 1 / 6 - a * a / 120
    t[:3, :3] += -0.5 * np.sinc(a / 2 / np.pi) ** 2 * s + c * s @ s
    return t


def constraint(r, x):
    y = r.T @ x
    return X - y, np.hstack([-hat(y), -r.T])


def forces(v):
    return np.r_[np.cross(v[:3], INERTIA @ v[:3]), -MASS * GRAVITY]


def consistent(r, x, v):
    b, y = constraint(r, x)[1], r.T @ x
    u, dy = r.T @ v[3:], np.cross(y, v[:3]) + r.T @ v[3:]
    z = np.cross(v[:3], dy) - np.cross(u, v[:3])
    return np.linalg.solve(np.block([[M, b.T], [b, np.zeros((3, 3))]]), np.r_[-forces(v), -z])[:6]


def motion(sigma, series, simplified):
    a_m, a_f = (2 * RHO - 1) / (RHO + 1), RHO / (RHO + 1)
    gamma = 0.5 + a_f - a_m
    beta = 0.25 * (gamma + 0.5) ** 2
    sigma = gamma / (3 * beta) if sigma is None else sigma
    gamma_, beta_ = gamma / (H * beta), (1 - a_m) / (H * H * beta * (1 - a_f))

    def p_inverse(theta):
        if not series:
            return np.linalg.inv(sigma * np.eye(6) + (1 - sigma) * tangent(theta))
        w = np.zeros((6, 6))
        w[:3, :3] = hat(theta[:3])
        return np.eye(6) + (1 - sigma) / 2 * (w - (2 - 3 * (1 - sigma)) / 6 * w @ w)

    r, x = np.eye(3), X.copy()
    v = np.r_[OMEGA_0, np.cross(OMEGA_0, X)]
    v_dot = consistent(r, x, v)
    a, path, iterations = v_dot.copy(), [], 0
    for _ in range(STEPS):
        v_dot_1, lam = np.zeros(6), np.zeros(3)
        a_1 = (a_f * v_dot - a_m * a) / (1 - a_m)
        v_1 = v + H * (1 - gamma) * a + H * gamma * a_1
        theta = H * v + H * H * (0.5 - beta) * a + H * H * beta * a_1
        theta[:3] -= sigma * H * beta / gamma * np.cross(v_1[:3], theta[:3])
        r_1, x_1 = r @ turn(theta[:3]), x + theta[3:]
        for _ in range(12):
            phi, b = constraint(r_1, x_1)
            residual = np.r_[M @ v_dot_1 + forces(v_1) + b.T @ lam, phi]
            if np.linalg.norm(residual) < 3e-10 and np.linalg.norm(phi) < 1e-13:
                break
            damping = np.zeros((6, 6))
            damping[:3, :3] = hat(v_1[:3]) @ INERTIA - hat(INERTIA @ v_1[:3])
            s = (beta_ * M + gamma_ * damping) @ p_inverse(theta)
            delta = np.linalg.solve(np.block([[s, b.T], [b, np.zeros((3, 3))]]), -residual)
            iterations += 1
            before, change = theta, delta[:6]
            theta = before + np.linalg.solve(tangent(before), change)
            if simplified:
                r_1, x_1 = r_1 @ turn(change[:3]), x_1 + change[3:]
            else:
                change = tangent(theta) @ np.linalg.solve(tangent(before), change)
                r_1, x_1 = r @ turn(theta[:3]), x + theta[3:]
            change = p_inverse(theta) @ change
            v_1, v_dot_1, lam = v_1 + gamma_ * change, v_dot_1 + beta_ * change, lam + delta[6:]
        a = a_1 + (1 - a_f) / (1 - a_m) * v_dot_1
        r, x, v, v_dot = r_1, x_1, v_1, v_dot_1
        path.append((r, x))
    return path, iterations / STEPS


def exact(parts=20):
    """The top about its fixed point, by Runge-Kutta steps of order 4."""
    about = INERTIA + MASS * (np.eye(3) - np.outer(X, X))
    k = H / parts

    def rate(r, w):
        return r @ hat(w), np.linalg.solve(about, np.cross(X, MASS * r.T @ GRAVITY) - np.cross(w, about @ w))

    r, w, path = np.eye(3), OMEGA_0, []
    for n in range(STEPS * parts):
        d1 = rate(r, w)
        d2 = rate(r + k / 2 * d1[0], w + k / 2 * d1[1])
        d3 = rate(r + k / 2 * d2[0], w + k / 2 * d2[1])
        d4 = rate(r + k * d3[0], w + k * d3[1])
        r, w = (y + k / 6 * (a + 2 * b + 2 * c + d) for y, a, b, c, d in zip((r, w), d1, d2, d3, d4))
        if n % parts == parts - 1:
            path.append(r)
    return path


def error(path, reference):
    def distance(r, x, s):
        d = r.T @ s
        sine = np.array([d[2, 1] - d[1, 2], d[0, 2] - d[2, 0], d[1, 0] - d[0, 1]]) / 2
        return np.hypot(np.arctan2(np.linalg.norm(sine), (np.trace(d) - 1) / 2), np.linalg.norm(s @ X - x))

    return max(distance(r, x, s) for (r, x), s in zip(path, reference))


if __name__ == "__main__":
    reference = exact()
    for name, sigma, series in [("Algorithm 1", 1.0, False), ("Algorithm 2, exact P^-1", None, False), ("Algorithm 2, (65)", None, True)]:
        for simplified in (True, False):
            path, iterations = motion(sigma, series, simplified)
            how = "with (74)   " if simplified else "without (74)"
            print(f"{name:24} {how} {error(path, reference):.5e} {iterations:.2f} iterations", flush=True)
