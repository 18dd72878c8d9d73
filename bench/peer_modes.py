"""Eigenvalues of Exudyn beside those of `precess modes` on the same models: python3 bench/peer_modes.py [PRECESS]

Needs `pip install exudyn`. Exudyn's own tool is ComputeODE2Eigenvalues. A hanging pendulum vibrates because the forces of its joints turn with it: D_q(B^T lambda) in the stiffness.
"""

import json
import subprocess
import sys

import exudyn as exu
import numpy as np
from exudyn.utilities import RigidBodyInertia

PRECESS = sys.argv[1] if len(sys.argv) > 1 else "target/release/precess"
exu.config.printToConsole = False


def ours(model, *words):
    out = subprocess.run([PRECESS, "modes", f"models/{model}.toml", "--json", *words], capture_output=True, text=True, check=True)
    return [complex(m["re"], m["im"]) for m in json.loads(out.stdout)["modes"]]


def system(node):
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.CreateGround()

    def body(mass, inertia, position, omega=(0, 0, 0), gravity=(0, 0, 0), rotation=np.eye(3)):
        return mbs.CreateRigidBody(
            inertia=RigidBodyInertia(mass=mass, inertiaTensor=np.diag(inertia)), referencePosition=list(position),
            referenceRotationMatrix=rotation, initialAngularVelocity=list(omega), gravity=list(gravity), nodeType=node,
        )

    return mbs, ground, body


def rotor(node, spin):
    """models/rotor.toml without its torque."""
    mbs, ground, body = system(node)
    m, k, d = 1.223, 4000, 5.165093
    b = body(m, [0.001541, 0.000812, 0.000812], [0, 0, 0], omega=[spin, 0, 0])
    for x, axial in [(-0.11, 1), (0.09, 0)]:
        mbs.CreateCartesianSpringDamper(
            itemNumbers=[ground, b], localPosition0=[x, 0, 0], localPosition1=[x, 0, 0], stiffness=[axial * k, k, k],
            damping=[axial * d, d, d], show=False,
        )
    mbs.Assemble()
    return mbs


def double_pendulum(node):
    """models/double_pendulum.toml, hanging."""
    mbs, ground, body = system(node)
    last, top = ground, 0.0
    for length in (1.0, 0.8):
        m, r = 1.2 * length, 0.02
        across = m * (3 * r**2 + length**2) / 12
        rod = body(m, [across, across, m * r**2 / 2], [0, 0, top - length / 2], gravity=[0, 0, -9.81])
        mbs.CreateRevoluteJoint(itemNumbers=[last, rod], position=[0, 0, top], axis=[0, 1, 0], useGlobalFrame=True, show=False)
        last, top = rod, top - length
    mbs.Assemble()
    # Its static solver stops here (the matrix is singular), so that joint forces come from one step in time, at rest.
    settings = exu.SimulationSettings()
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = 1, 1e-3
    mbs.SolveDynamic(settings)
    mbs.systemData.SetSystemState(mbs.systemData.GetSystemState(), configuration=exu.ConfigurationType.Initial)
    return mbs


def theirs(mbs, **options):
    values, _ = mbs.ComputeODE2Eigenvalues(computeComplexEigenvalues=True, useAbsoluteValues=False, **options)
    return np.array(values)


def undamped(mbs):
    values, _ = mbs.ComputeODE2Eigenvalues(useAbsoluteValues=False)
    return np.sqrt(np.array(values, dtype=complex)) * 1j


def compare(name, mine, other):
    print(name)
    for s in mine:
        near = min(other, key=lambda x: abs(x - s)) if len(other) else complex("nan")
        print(f"  precess {s.real:14.8f} {s.imag:+16.8f}i   Exudyn {near.real:14.8f} {near.imag:+16.8f}i   apart {abs(s - near) / abs(s):.1e}")


NODES = {"rotation vectors": exu.NodeType.RotationRotationVector, "Tait-Bryan angles": exu.NodeType.RotationRxyz}
for words, node in NODES.items():
    for spin in (0, 1000):
        mine = ours("rotor", "--set", "parameters.Mz=0", "--set", f"parameters.spin={spin}", "--at", "steady")
        compare(f"rotor at {spin} rad/s, Exudyn with {words}", mine, theirs(rotor(node, spin)))
    mine = ours("double_pendulum")
    try:
        compare(f"double pendulum, hanging, Exudyn with {words}", mine, undamped(double_pendulum(node)))
    except Exception as error:
        print(f"double pendulum: Exudyn says {error}")
