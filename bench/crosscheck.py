"""Motions of mechanisms by MuJoCo, in joint coordinates with Runge-Kutta steps: what tests/independent.rs compares with.

Open chains have no constraints in MuJoCo, so its solution is as accurate as its steps; two step sizes are compared.
    python3 -m venv target/peers && target/peers/bin/pip install mujoco==4.0.0 numpy
    target/peers/bin/python bench/crosscheck.py > crates/precess/tests/independent/mujoco.json
"""
import json
import pathlib
import re

import mujoco
import numpy as np

ROOT = pathlib.Path(__file__).parent.parent / "crates/precess/tests"
OPTION = '<option gravity="0 0 -9.81" integrator="RK4" timestep="1e-4"><flag contact="disable" limit="disable"/></option>'


def body(name, pos, mass, inertia, joints, children="", com=(0, 0, 0)):
    triple = lambda v: " ".join(repr(float(x)) for x in v)
    return (f'<body name="{name}" pos="{triple(pos)}"><inertial pos="{triple(com)}" mass="{mass}" diaginertia="{triple(inertia)}"/>'
            f"{joints}{children}</body>")


def world(tree):
    return f'<mujoco><compiler angle="radian"/>{OPTION}<worldbody>{tree}</worldbody></mujoco>'


def motion(model, bodies, until, qvel=(), h=1e-4):
    """Positions of bodies (centres of mass) at four times; a body may have a name of its own and a factor."""
    model.opt.timestep = h
    data = mujoco.MjData(model)
    data.qvel[: len(qvel)] = qvel
    ids = [(model.body(b).id, factor) for _, b, factor in bodies]
    rows, steps = [], round(until / h)
    for n in range(1, steps + 1):
        mujoco.mj_step(model, data)
        if n % (steps // 4) == 0:
            mujoco.mj_forward(model, data)
            rows.append({"t": n * h, "positions": [(factor * data.xipos[i]).tolist() for i, factor in ids]})
    return rows


def crane():
    load = body("load", (0.05, -0.15, -0.8), 3, (0.05, 0.08, 0.06),
                '<joint type="slide" axis="0 0 1" stiffness="200" damping="0.5"/><joint type="hinge" axis="0 0 1" pos="-0.15 0.1 0"/>')
    rod = body("rod", (0.1, 0.05, -0.6), 2, (0.2, 0.21, 0.03),
               '<joint type="hinge" axis="1 0 0" pos="-0.1 -0.05 0.6"/><joint type="hinge" axis="0 1 0" pos="-0.1 -0.05 0.6"/>', load)
    trolley = body("trolley", (0, 0, 0), 5, (0.1, 0.1, 0.1), '<joint type="slide" axis="1 0 0"/>', rod)
    return world(trolley), ["trolley", "rod", "load"], 2.0, [1.5]


def tumbling_chain():
    tree = ""
    for i in (2, 1, 0):
        tree = body(f"rod{i}", (0.5 if i == 0 else 1, 0, 0), 1 + 0.5 * i, (0.01, 0.09, 0.08), '<joint type="ball" pos="-0.5 0 0"/>', tree)
    return world(tree), ["rod0", "rod1", "rod2"], 1.0, [5, 2, 3]


def gimbal_gyroscope():
    # The weight of 0.2 kg at 0.105 m is part of the inner ring.
    m, w, x = 0.3, 0.2, 0.105
    c = w * x / (m + w)
    across = m * c * c + w * (x - c) ** 2
    inner = (1e-3, 1e-3 + across, 5e-4 + across)
    radius, length = 0.05, 0.02
    thin = (radius**2 / 4 + length**2 / 12)
    rotor = body("rotor", (0, 0, 0), 1, (radius**2 / 2, thin, thin), '<joint type="hinge" axis="1 0 0"/>')
    ring = body("inner", (0, 0, 0), m + w, inner, '<joint type="hinge" axis="0 1 0"/>', rotor, (c, 0, 0))
    outer = body("outer", (0, 0, 0), 0.4, (2e-3, 2e-3, 1e-3), '<joint type="hinge" axis="0 0 1"/>', ring)
    # The weight is on the line from the origin to the common centre of mass.
    return world(outer), [("weight", "inner", x / c)], 2.0, [0, 0, 300]


def arm():
    text = (ROOT / "urdf/arm.urdf").read_text()
    text = re.sub(r"<collision>.*?</collision>|<visual>.*?</visual>|<transmission.*?</transmission>|<gazebo.*?</gazebo>", "", text, flags=re.S)
    text = text.replace(' friction="0.02"', "").replace('<robot name="arm3">', '<robot name="arm3"><mujoco><compiler balanceinertia="false" fusestatic="false"/></mujoco>')
    return text, ["column", "upper", "slide"], 1.0, []


out = {"source": f"MuJoCo {mujoco.__version__}, RK4"}
for case in (crane, tumbling_chain, gimbal_gyroscope, arm):
    text, bodies, until, qvel = case()
    bodies = [b if isinstance(b, tuple) else (b, b, 1.0) for b in bodies]
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.gravity[:] = (0, 0, -9.81)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    coarse, fine = (motion(model, bodies, until, qvel, h) for h in (5e-5, 2.5e-5))
    error = max(np.abs(np.subtract(a["positions"], b["positions"])).max() for a, b in zip(coarse, fine))
    out[case.__name__] = {"bodies": [b[0] for b in bodies], "error": float(f"{error:.1e}"), "rows": fine}
print(json.dumps(out, indent=1))
