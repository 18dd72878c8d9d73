"""Cost of Exudyn's geometrically exact beam on the flying spaghetti of models/flexible, beside ours.

    pip install exudyn numpy
    cargo build --release -p precess --example beam_cost
    python bench/beams.py target/release/examples/beam_cost

Both run 2000 steps of 0.005 s with generalized-alpha, rho = 0.9, one thread, in turn, three times; the least processor time per
element and step counts. The error is the distance of the end B at t = 10 from a reference that three discretisations agree on to
1e-4. Ours is shown with both kinds of mass.
"""

import math
import subprocess
import sys
import time

import exudyn as exu
import numpy as np
from exudyn.utilities import (
    LoadForceVector,
    LoadTorqueVector,
    MarkerNodeRigid,
    NodeRigidBodyRotVecLG,
    ObjectBeamGeometricallyExact,
    SensorNode,
)

REFERENCE = np.array([39.86231, 0.03404, 2.99217])
exu.config.printToConsole = False


def ramp(t):
    return max(0.0, min(t, 5 - t))


def spaghetti(elements, h, until):
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    # Exudyn orders (EA, GA, GA, GJ, EI, EI).
    section = exu.BeamSection()
    section.stiffnessMatrix = np.diag([1e4, 1e4, 1e4, 500, 500, 500])
    section.inertia = 10 * np.eye(3)
    section.massPerLength = 1
    start, end = np.array([6.0, 0, 0]), np.array([0, 8.0, 0])
    x = (end - start) / 10
    turn = np.column_stack([x, np.cross([0, 0, 1], x), [0, 0, 1]])
    angle = math.atan2(x[1], x[0])
    nodes = []
    for i in range(elements + 1):
        p = start + (end - start) * i / elements
        nodes.append(mbs.AddNode(NodeRigidBodyRotVecLG(referenceCoordinates=[*p, 0, 0, angle])))
    assert np.allclose(turn[:, 0], x)
    for a, b in zip(nodes, nodes[1:]):
        mbs.AddObject(ObjectBeamGeometricallyExact(nodeNumbers=[a, b], length=10 / elements, sectionData=section))
    marker = mbs.AddMarker(MarkerNodeRigid(nodeNumber=nodes[0]))
    force = lambda mbs, t, load: [8 * ramp(t), 0, 0]
    torque = lambda mbs, t, load: [0, 40 * ramp(t), 80 * ramp(t)]
    mbs.AddLoad(LoadForceVector(markerNumber=marker, loadVector=[0, 0, 0], loadVectorUserFunction=force))
    mbs.AddLoad(LoadTorqueVector(markerNumber=marker, loadVector=[0, 0, 0], loadVectorUserFunction=torque))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(until / h)
    settings.timeIntegration.endTime = until
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = "--modified" in sys.argv
    settings.solution.file.write = False
    settings.parallel.numberOfThreads = 1
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    begin = time.process_time()
    mbs.SolveDynamic(settings)
    used = time.process_time() - begin
    position = mbs.GetNodeOutput(nodes[-1], exu.OutputVariableType.Position)
    return used / settings.timeIntegration.numberOfSteps / elements, np.linalg.norm(position - REFERENCE), position


def ours(program, elements, mass):
    words = subprocess.run([program, str(elements), mass], capture_output=True, check=True, text=True).stdout.split()
    return float(words[0]) * 1e-6, float(words[1])


if __name__ == "__main__":
    programs = [a for a in sys.argv[1:] if not a.startswith("-")]
    print("Exudyn", exu.__version__, "flying spaghetti, h = 0.005: us per element and step, error of the end B at t = 10")
    for n in [16, 32]:
        kinds = {"Exudyn": lambda: spaghetti(n, 0.005, 10)[:2]}
        for mass in ["consistent", "lumped"] if programs else []:
            kinds[f"precess, {mass}"] = lambda mass=mass: ours(programs[0], n, mass)
        best = {}
        for _ in range(3):
            for name, run in kinds.items():
                found = run()
                best[name] = min(best.get(name, found), found)
        for name, (cost, error) in best.items():
            factor = best["Exudyn"][0] / cost
            print(f"  {n:3} elements  {name:20} {cost * 1e6:8.2f} us   {error:.4f} m   {factor:6.1f} times as fast")
