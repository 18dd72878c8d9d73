"""Cost of beams beside Exudyn's geometrically exact beam, and whether it is linear in the number of elements.

    pip install exudyn numpy
    cargo build --release -p precess-cli
    python bench/beams.py target/release/precess

Flying spaghetti of models/flexible: both run 2000 steps of 0.005 s with generalized-alpha, rho = 0.9, one thread, in turn, three times;
the least processor time per element and step counts. Ours is that of the whole program, which starts, watches energy and momenta and
prints. The error is the distance of the end B at t = 10 from a reference that three discretisations agree on to 1e-4.

Falling cantilever with 100 to 10 000 elements: the difference between 10 and 30 steps, so that the start does not count.
"""

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
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


FALLING = """
[model]
gravity = [0, 0, -9.81]
[[beam]]
name = "b"
from = [0, 0, 0]
to = [1, 0, 0]
elements = {n}
section = {{ type = "circle", radius = "5 mm" }}
young = "200 GPa"
density = 7850
[[joint]]
name = "clamp"
type = "fixed"
bodies = ["ground", "b.start"]
[integrator]
method = "gen-alpha"
rho = 0.8
form = "index3"
[run]
until = 1
step = 1e-4
"""


def processor_time(command):
    """Seconds of a program, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, out


def ours(program, elements, mass):
    model = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models", "flexible", "flying_spaghetti.toml")
    settings = ["--set", f"parameters.N={elements}", "--set", f'beam.beam.mass="{mass}"', "--json"]
    used, out = processor_time([program, "run", model, *settings])
    position = json.loads(out)["bodies"][f"beam.{elements}"]["position"]
    return used / 2000 / elements, np.linalg.norm(np.array(position) - REFERENCE)


def falling(program, elements, folder):
    model = os.path.join(folder, "falling.toml")
    with open(model, "w") as file:
        file.write(FALLING.format(n=elements))
    few, many = (processor_time([program, "run", model, "--until", f"{n}e-4"])[0] for n in (10, 30))
    return (many - few) / 20 / elements


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
            print(f"  {n:3} elements  {name:20} {cost * 1e6:8.2f} us   {error:.4f} m   {factor:6.1f} times as fast", flush=True)
    for program in programs:
        print("falling cantilever, h = 1e-4, us per element and step")
        with tempfile.TemporaryDirectory() as folder:
            for n in [100, 1000, 10_000]:
                cost = min(falling(program, n, folder) for _ in range(3))
                print(f"  {n:6} elements  {cost * 1e6:8.2f} us", flush=True)
