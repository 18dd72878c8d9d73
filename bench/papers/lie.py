"""Rotations, rigid motions and the heavy top of the papers, for the programs of this folder. numpy alone; shares nothing with precess
but the data of the top.

All functions take stacks of vectors (the last axis has three numbers) and complex numbers, so that derivatives are complex steps.
"""
import math

import numpy as np

MASS, INERTIA, X = 15.0, np.array([0.234375, 0.46875, 0.234375]), np.array([0.0, 1.0, 0.0])
GRAVITY, OMEGA_0 = np.array([0.0, 0.0, -9.81]), np.array([0.0, 150.0, -4.61538])
ABOUT_TIP = INERTIA + MASS * np.array([1.0, 0.0, 1.0])
TERMS = 10


def cross(a, b):
    return np.stack(
        [a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2], a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], -1
    )


def times(m, x):
    return (m @ x[..., None])[..., 0]


def transposed(m, x):
    return (x[..., None, :] @ m)[..., 0, :]


def hat(w):
    s = np.zeros(w.shape + (3,), dtype=w.dtype)
    s[..., 0, 1], s[..., 0, 2], s[..., 1, 2] = -w[..., 2], w[..., 1], -w[..., 0]
    s[..., 1, 0], s[..., 2, 0], s[..., 2, 1] = w[..., 2], -w[..., 1], w[..., 0]
    return s


def factors(w):
    """sin a/a, (1 - cos a)/a^2, (a - sin a)/a^3 of the angle a, by their series."""
    z = (w * w).sum(-1)
    out = []
    for j in (1, 2, 3):
        value = np.full_like(z, (-1) ** TERMS / math.factorial(2 * TERMS + j))
        for k in range(TERMS - 1, -1, -1):
            value = value * z + (-1) ** k / math.factorial(2 * k + j)
        out.append(value[..., None, None])
    return out


def exp(w):
    s, (a, b, _) = hat(w), factors(w)
    return np.eye(3) + a * s + b * (s @ s)


def shift(w):
    """V of SE(3): exp(w, u) moves the origin by V u."""
    s, (_, b, c) = hat(w), factors(w)
    return np.eye(3) + b * s + c * (s @ s)


def tangent(w):
    """T: v = T(theta) theta'."""
    s, (_, b, c) = hat(w), factors(w)
    return np.eye(3) - b * s + c * (s @ s)


def log(r):
    sine = np.stack([r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], r[..., 1, 0] - r[..., 0, 1]], -1) / 2
    size = np.linalg.norm(sine, axis=-1, keepdims=True)
    cosine = (np.trace(r, axis1=-2, axis2=-1)[..., None] - 1) / 2
    return sine * np.where(size > 1e-12, np.arctan2(size, cosine) / np.maximum(size, 1e-300), 1.0)


def motion_of_the_top(t_end, step, parts, speed=1.0):
    """R and Omega of the top about its fixed point every `step`, by Runge-Kutta steps of order 4, `parts` in each."""
    ax, ay, az = (1 / ABOUT_TIP).tolist()
    jx, jy, jz = ABOUT_TIP.tolist()
    weight, h = MASS * 9.81, step / parts

    def rate(y):
        r0, r1, r2, r3, r4, r5, r6, r7, r8, p, q, s = y
        # X x R^T m gamma with X = e_y: gamma_body = -weight (r6, r7, r8).
        mx, mz = -weight * r8, weight * r6
        return (
            r1 * s - r2 * q, r2 * p - r0 * s, r0 * q - r1 * p,
            r4 * s - r5 * q, r5 * p - r3 * s, r3 * q - r4 * p,
            r7 * s - r8 * q, r8 * p - r6 * s, r6 * q - r7 * p,
            ax * (mx - (jz - jy) * q * s), ay * (-(jx - jz) * s * p), az * (mz - (jy - jx) * p * q),
        )

    y = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, *(speed * OMEGA_0).tolist())
    path = [y]
    for n in range(round(t_end / step) * parts):
        d1 = rate(y)
        d2 = rate([a + h / 2 * b for a, b in zip(y, d1)])
        d3 = rate([a + h / 2 * b for a, b in zip(y, d2)])
        d4 = rate([a + h * b for a, b in zip(y, d3)])
        y = tuple(a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, d1, d2, d3, d4))
        if n % parts == parts - 1:
            path.append(y)
    path = np.array(path)
    return path[:, :9].reshape(-1, 3, 3), path[:, 9:]
