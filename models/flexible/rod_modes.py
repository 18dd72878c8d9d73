"""Writes the modes of the rods of the flexible slider-cranks: python3 models/flexible/rod_modes.py

modal_rod.json: the steel rod of slider_crank.toml as a modal body, four sines of bending and two parabolas of stretching.
spatial_rod.json: the rod of the spatial slider-crank, two sines of bending in each plane, the first with 20 Hz.
crank_rod.json: the rod of problem "crank" of the Test Set for IVP Solvers, by its integrals as they were published.
"""

import json
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
LENGTH, SIDE, DENSITY, YOUNG = 0.3, 0.008, 7870, 2e11
AREA = SIDE * SIDE


def write(name, content):
    with open(os.path.join(HERE, name), "w") as file:
        text = json.dumps(content, separators=(",", ":"))
        file.write(text.replace('],"', '],\n"').replace('},"', '},\n"') + "\n")


def physical():
    """Simpson's weights as masses: integrals of parabolas are exact, and the sines stay orthogonal. Sections have inertia about the line."""
    n = 40
    places = [i / n for i in range(n + 1)]
    weights = [(1 if i in (0, n) else 4 if i % 2 else 2) / (3 * n) for i in range(n + 1)]
    bending = range(1, 5)
    modes = [[[0, math.sin(k * math.pi * s), 0] for s in places] for k in bending]
    modes += [[[f(s), 0, 0] for s in places] for f in (lambda s: 4 * s * (1 - s), lambda s: s * (2 * s - 1))]
    slope = lambda k, s: k * math.pi / LENGTH * math.cos(k * math.pi * s)
    rotations = [[[0, 0, slope(k, s)] for s in places] for k in bending] + 2 * [[[0, 0, 0]] * (n + 1)]
    stiffness = [[0.0] * 6 for _ in range(6)]
    for k in bending:
        stiffness[k - 1][k - 1] = YOUNG * SIDE**4 / 12 * (k * math.pi / LENGTH) ** 4 * LENGTH / 2
    axial = YOUNG * AREA / LENGTH
    for i, row in enumerate([[16 / 3, -8 / 3], [-8 / 3, 7 / 3]]):
        stiffness[4 + i][4:] = [axial * x for x in row]
    write("modal_rod.json", {
        "comment": "The rod of slider_crank.toml, by rod_modes.py.",
        "nodes": [[LENGTH * s, 0, 0] for s in places],
        "masses": [DENSITY * AREA * LENGTH * w for w in weights],
        "inertias": [[DENSITY * SIDE**4 / 12 * LENGTH * w * 2, 0, 0] for w in weights],
        "modes": modes, "rotations": rotations, "stiffness": stiffness,
        "names": {"start": 0, "middle": n // 2, "end": n},
    })


def published():
    """Its mass of the axial modes is 15 times that of the parabolas, and pi has eight digits.

    The problem is one of the plane: it has no moments about x and y. Here they are those of a square rod; nothing turns about them.
    """
    pi, mass, stiff = 3.1415927, DENSITY * AREA * LENGTH, YOUNG * AREA / LENGTH
    n, slender = 4, (SIDE / LENGTH) ** 2
    mff = [[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 8, 1], [0, 0, 1, 2]]
    k = [[pi**4 / 24 * slender, 0, 0, 0], [0, 2 * pi**4 / 3 * slender, 0, 0],
         [0, 0, 16 / 3, -8 / 3], [0, 0, -8 / 3, 7 / 3]]
    zz = lambda x: [[0, 0, 0], [0, 0, 0], [0, 0, x]]
    g1 = [[[0.0, 0.0, 0.0] for _ in range(n)] for _ in range(n)]
    for i, j, x in [(2, 0, 16 / pi**3), (3, 0, -(8 / pi**3 - 1 / pi)), (3, 1, -1 / (2 * pi))]:
        g1[i][j][2], g1[j][i][2] = x * mass, -x * mass
    mff = [[mass * x for x in row] for row in mff]
    write("crank_rod.json", {
        "comment": "Test Set for IVP Solvers, problem crank: integrals as published, with moments about x and y. By rod_modes.py.",
        "nodes": [[0, 0, 0], [LENGTH, 0, 0]],
        "modes": [[[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [1, 0, 0]]],
        "stiffness": [[stiff * x for x in row] for row in k],
        "names": {"start": 0, "end": 1},
        "integrals": {
            "mass": 0.151104, "s0": [0.151104 * LENGTH / 2, 0, 0],
            "s1": [[0, mass * 2 / pi, 0], [0, 0, 0], [mass * 2 / 3, 0, 0], [mass / 6, 0, 0]],
            "i0": [[0.151104 * SIDE**2 / 6, 0, 0], [0, 0.0045339259, 0], [0, 0, 0.0045339259]],
            "i1": [zz(2 * mass * LENGTH * x) for x in [0, 0, 1 / 3, 1 / 6]],
            "i2": [[zz(x) for x in row] for row in mff],
            "g0": [[0, 0, mass * LENGTH * x] for x in [1 / pi, -1 / (2 * pi), 0, 0]], "g1": g1, "mff": mff,
        },
    })


def spatial():
    """Mass and inertia of models/slider_crank.toml, spread over four points of each section, and two nodes without mass."""
    n, mass, radius, frequency = 20, 0.5, math.sqrt(4e-4 / 0.5), 20.0
    weights = [(1 if i in (0, n) else 4 if i % 2 else 2) / (3 * n) for i in range(n + 1)]
    nodes = [(i / n, y, z, weights[i] / 4) for i in range(n + 1)
             for y, z in [(radius, 0), (-radius, 0), (0, radius), (0, -radius)]]
    nodes = [(0.0, 0, 0, 0.0), (1.0, 0, 0, 0.0), (0.5, 0, 0, 0.0)] + nodes
    modes, rotations, stiffness = [], [], []
    for axis in (1, 2):
        for k in (1, 2):
            along = lambda i, x: [x if j == i else 0 for j in range(3)]
            modes.append([along(axis, math.sin(k * math.pi * s)) for s, *_ in nodes])
            # About z for y, against y for z.
            turn = lambda s: k * math.pi / LENGTH * math.cos(k * math.pi * s) * (1 if axis == 1 else -1)
            rotations.append([along(3 - axis, turn(s)) for s, *_ in nodes])
            stiffness.append(mass / 2 * (2 * math.pi * frequency * k * k) ** 2)
    write("spatial_rod.json", {
        "comment": "The rod of spatial_slider_crank.toml, by rod_modes.py.",
        "nodes": [[LENGTH * (s - 0.5), y, z] for s, y, z, _ in nodes],
        "masses": [mass * w for *_, w in nodes],
        "modes": modes, "rotations": rotations, "stiffness": stiffness,
        "names": {"crank_end": 0, "slider_end": 1, "middle": 2},
    })


if __name__ == "__main__":
    physical()
    spatial()
    published()
