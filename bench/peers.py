"""Times and errors of precess, Exudyn, MuJoCo and SciPy on the same models; see bench/peers.

Processor time of one thread, best of several repeats in which the programs take turns. The error is the distance of the centre
of the last body from the reference, a run of BLieDF with a step size at which it has converged. `work` also writes all its points
to a file (--points), which `cargo run --release -p precess-view --example peers_picture` draws.
"""

import argparse
import csv
import math
import subprocess
import time

import exudyn as exu
import mujoco
import numpy as np
from exudyn.utilities import RigidBodyInertia
from scipy.integrate import solve_ivp

ROD = [1e-3, 1 / 12, 1 / 12]
GRAVITY = [0, 0, -9.81]
exu.config.printToConsole = False


# ---- precess: `speed run CASE METHOD K H T` prints time, steps and the last position


def precess(speed, case, h, t_end, method="gen-alpha", k=4):
    out = subprocess.run([speed, "run", case, method, str(k), repr(h), repr(t_end)], capture_output=True, text=True)
    if out.returncode != 0:
        return math.inf, np.full(3, np.nan)
    numbers = [float(x) for x in out.stdout.split()]
    return numbers[0], np.array(numbers[2:])


# ---- Exudyn


def exudyn_model(case, node):
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.CreateGround()

    def body(mass, inertia, position, velocity=(0, 0, 0), omega=(0, 0, 0), rotation=np.eye(3), gravity=GRAVITY):
        return mbs.CreateRigidBody(
            inertia=RigidBodyInertia(mass=mass, inertiaTensor=np.diag(inertia)),
            referencePosition=list(position),
            referenceRotationMatrix=rotation,
            initialVelocity=list(velocity),
            initialAngularVelocity=list(omega),
            gravity=list(gravity),
            nodeType=node,
        )

    def joint(bodies, position, fixed, axes=np.eye(3)):
        mbs.CreateGenericJoint(
            itemNumbers=bodies, position=list(position), rotationMatrixAxes=axes, constrainedAxes=fixed,
            useGlobalFrame=True, show=False,
        )

    if case == "top":
        # The model file has the angular velocity in the body frame; at t = 0 the two frames agree.
        last = body(15, [0.234375, 0.46875, 0.234375], [0, 1, 0], [4.61538, 0, 0], [0, 150, -4.61538])
        mbs.CreateSphericalJoint(itemNumbers=[ground, last], position=[0, 0, 0], useGlobalFrame=True, show=False)
    elif case == "rotor":
        last = body(1.223, [0.001541, 0.000812, 0.000812], [0, 0, 0], omega=[20943.951023932, 0, 0], gravity=[0, 0, 0])
        for x, k in [(-0.11, [1, 1, 1]), (0.09, [0, 1, 1])]:
            mbs.CreateCartesianSpringDamper(
                itemNumbers=[ground, last], localPosition0=[x, 0, 0], localPosition1=[x, 0, 0],
                stiffness=[4000 * i for i in k], damping=[5.165093 * i for i in k], show=False,
            )
        mbs.CreateTorque(itemNumber=last, loadVector=[0, 0, 0.01 * 1.223 * 9.81])
    elif case == "slider-crank":
        crank = body(0.12, [1e-4, 1e-4, 1e-5], [0, 0.1, 0.16], [0, -0.24, 0], [6, 0, 0])
        x, y = np.array([2, -1, -2]) / 3, np.array([0, 2, -1]) / math.sqrt(5)
        turn = np.column_stack([x, y, np.cross(x, y)])
        rod = body(0.5, [4e-4, 4e-3, 4e-3], [0.1, 0.05, 0.1], [0.12, -0.24, 0], [1.92, -0.96, 0.48], turn)
        last = body(2, [1e-4] * 3, [0.2, 0, 0], [0.24, 0, 0])
        x = np.array([1, 0, 0])
        cross = np.column_stack([x, y, np.cross(x, y)])
        joint([ground, crank], [0, 0.1, 0.12], [1, 1, 1, 0, 1, 1])
        joint([crank, rod], [0, 0.1, 0.2], [1, 1, 1, 0, 0, 0])
        joint([last, rod], [0.2, 0, 0], [1, 1, 1, 0, 0, 1], cross)
        joint([ground, last], [0.2, 0, 0], [0, 1, 1, 1, 1, 1])
    else:
        kind, n = case.split("-")
        last = ground
        for i in range(int(n)):
            own = body(1, ROD, [i + 0.5, 0, 0])
            if kind == "chain":
                mbs.CreateSphericalJoint(itemNumbers=[last, own], position=[i, 0, 0], useGlobalFrame=True, show=False)
            else:
                mbs.CreateRevoluteJoint(
                    itemNumbers=[last, own], position=[i, 0, 0], axis=[0, 1, 0], useGlobalFrame=True, show=False
                )
            last = own
    mbs.Assemble()
    return mbs, last


def exudyn(case, h, t_end, node, full):
    mbs, last = exudyn_model(case, node)
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps = round(t_end / h)
    integration.endTime = t_end
    integration.generalizedAlpha.spectralRadius = 0.9
    integration.newton.useModifiedNewton = not full
    integration.adaptiveStep = False
    integration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = t_end
    settings.parallel.numberOfThreads = 1
    if "-" in case and case != "slider-crank":
        settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    begin = time.process_time()
    try:
        mbs.SolveDynamic(settings, showHints=False, showCausingItems=False)
    except Exception:
        return math.inf, np.full(3, np.nan)
    seconds = time.process_time() - begin
    return seconds, np.array(mbs.GetObjectOutputBody(last, exu.OutputVariableType.Position, [0, 0, 0]))


EXUDYN = {
    f"{name}, {newton}": (lambda case, h, t_end, node=node, full=full: exudyn(case, h, t_end, node, full))
    for name, node in [
        ("rotation vector", exu.NodeType.RotationRotationVector),
        ("Euler parameters", exu.NodeType.RotationEulerParameters),
    ]
    for newton, full in [("modified Newton", False), ("full Newton", True)]
}


# ---- Exudyn in joint coordinates, where its explicit integrators with a tolerance are allowed


def exudyn_dopri5(case, tol, t_end):
    """The top as gimbals z, x, y; the chain, whose motion is plane, with hinges."""
    if case == "top" and tol < 3e-6:  # It does not return.
        return math.inf, np.full(3, np.nan)
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    types = exu.JointType
    zero = np.zeros((3, 3))
    if case == "top":
        joints = [types.RevoluteZ, types.RevoluteX, types.RevoluteY]
        masses, offsets = [0, 0, 15], [[0, 0, 0]] * 3
        inertias, centres = [zero, zero, np.diag([0.234375, 0.46875, 0.234375])], [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
        rates = [-4.61538, 0, 150]
    else:
        n = int(case.split("-")[1])
        joints = [types.RevoluteY] * n
        masses, offsets = [1] * n, [[int(i > 0), 0, 0] for i in range(n)]
        inertias, centres, rates = [np.diag(ROD)] * n, [[0.5, 0, 0]] * n, [0] * n
    n = len(joints)
    node = mbs.AddNode(
        exu.itemInterface.NodeGenericODE2(
            referenceCoordinates=[0] * n, initialCoordinates=[0] * n, initialCoordinates_t=rates, numberOfODE2Coordinates=n
        )
    )
    mbs.AddObject(
        exu.itemInterface.ObjectKinematicTree(
            nodeNumber=node, jointTypes=joints, linkParents=list(range(-1, n - 1)),
            jointTransformations=exu.Matrix3DList([np.eye(3)] * n), linkInertiasCOM=exu.Matrix3DList(inertias),
            linkCOMs=exu.Vector3DList(centres), jointOffsets=exu.Vector3DList(offsets), linkMasses=masses, gravity=GRAVITY,
        )
    )
    mbs.Assemble()
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps = 10
    integration.endTime = t_end
    integration.adaptiveStep = True
    integration.absoluteTolerance = integration.relativeTolerance = tol
    integration.initialStepSize = 1e-5
    integration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = t_end
    settings.parallel.numberOfThreads = 1
    begin = time.process_time()
    try:
        mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.DOPRI5, showHints=False, showCausingItems=False)
    except Exception:
        return math.inf, np.full(3, np.nan)
    seconds = time.process_time() - begin
    q = np.array(mbs.systemData.GetODE2Coordinates())
    if case == "top":
        (sz, cz), (sx, cx) = [(math.sin(a), math.cos(a)) for a in q[:2]]
        return seconds, np.array([-sz * cx, cz * cx, sx])
    angles = np.cumsum(q)
    lengths = np.append(np.ones(n - 1), 0.5)
    return seconds, np.array([lengths @ np.cos(angles), 0, -lengths @ np.sin(angles)])


# ---- SciPy: the top as Euler's equations and a quaternion, the right-hand side in Python


def scipy_top(method, tol, t_end):
    ix, iy, iz = 15.234375, 0.46875, 15.234375  # about the tip

    def rates(_, y):
        w, x, y_, z, a, b, c = y
        # Torque e_y x R^T (m g), R^T e_z being the third row of R.
        gx, gz = 2 * (x * z - w * y_), w * w - x * x - y_ * y_ + z * z
        force = -15 * 9.81
        return [
            0.5 * (-x * a - y_ * b - z * c), 0.5 * (w * a + y_ * c - z * b),
            0.5 * (w * b + z * a - x * c), 0.5 * (w * c + x * b - y_ * a),
            (force * gz + (iy - iz) * b * c) / ix, (iz - ix) * a * c / iy, (-force * gx + (ix - iy) * a * b) / iz,
        ]

    begin = time.process_time()
    out = solve_ivp(rates, (0, t_end), [1, 0, 0, 0, 0, 150, -4.61538], method=method, rtol=max(tol, 3e-14), atol=tol)
    seconds = time.process_time() - begin
    w, x, y, z = out.y[:4, -1] / np.linalg.norm(out.y[:4, -1])
    return seconds, np.array([2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)])


# ---- MuJoCo: joint coordinates, explicit; loops are soft there and are left out


def mujoco_xml(case):
    inertial = '<inertial pos="{}" mass="{}" diaginertia="{}"/>'
    if case == "top":
        tree = "<body><joint type='ball'/>" + inertial.format("0 1 0", 15, "0.234375 0.46875 0.234375") + "</body>"
    else:
        kind, n = case.split("-")
        joint = "<joint type='ball'/>" if kind == "chain" else "<joint type='hinge' axis='0 1 0'/>"
        link = f"{joint}" + inertial.format("0.5 0 0", 1, " ".join(map(str, ROD)))
        tree = "".join(f"<body pos='{int(i > 0)} 0 0'>{link}" for i in range(int(n))) + "</body>" * int(n)
    return f"<mujoco><option gravity='0 0 -9.81' integrator='RK4'/><worldbody>{tree}</worldbody></mujoco>"


def mujoco_rk4(case, h, t_end):
    model = mujoco.MjModel.from_xml_string(mujoco_xml(case))
    model.opt.timestep = h
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    if case == "top":
        data.qvel[:] = [0, 150, -4.61538]
    begin = time.process_time()
    mujoco.mj_step(model, data, nstep=round(t_end / h))
    seconds = time.process_time() - begin
    mujoco.mj_forward(model, data)
    return seconds, np.array(data.xipos[-1])


# ---- tables


def fastest(runs, repeats):
    """Best time of each run; they take turns."""
    best = {name: (math.inf, None) for name in runs}
    for _ in range(repeats):
        for name, run in runs.items():
            seconds, x = run()
            if seconds < best[name][0]:
                best[name] = (seconds, x)
    return best


def speed_table(speed, repeats):
    print("| model | program | time per step, us | slower than precess | error |\n|---|---|---|---|---|")
    for case, ours, h, t_end, reference in [
        ("top", "top-model", 1e-3, 1.0, ("top-model", "bliedf", 5, 2e-5)),
        ("rotor", "rotor-model", 1e-5, 0.1, ("rotor-model", "bliedf", 4, 2.5e-6)),
        ("slider-crank", "slider-crank", 1e-3, 1.0, ("slider-crank-stabilized", "bliedf", 4, 1e-4)),
        ("chain-1000", "chain-1000", 1e-3, 0.05, ("chain-1000", "bliedf", 4, 2.5e-4)),
        ("revolute-1000", "revolute-1000", 1e-3, 0.05, ("revolute-1000", "bliedf", 4, 2.5e-4)),
    ]:
        name, method, k, fine = reference
        exact = precess(speed, name, fine, t_end, method, k)[1]
        runs = {"precess, index-3": lambda: precess(speed, ours, h, t_end)}
        if case != "rotor":
            runs["precess, stabilized index-2"] = lambda: precess(speed, ours + "-stabilized", h, t_end)
        large = case.endswith("1000")
        for setting, run in EXUDYN.items():
            if not (large and "Euler" in setting):
                runs[f"Exudyn, {setting}"] = lambda run=run: run(case, h, t_end)
        if case == "top":  # Chains of 1000 bodies are nested too deep for its file format.
            runs["MuJoCo, RK4, joint coordinates"] = lambda: mujoco_rk4(case, h, t_end)
        best = fastest(runs, 2 if large else repeats)
        yardstick = best["precess, index-3"][0]
        for program, (seconds, x) in best.items():
            if x is None:
                print(f"| {case}, h = {h:g} | {program} | failed | | |")
                continue
            error = np.linalg.norm(x - exact)
            per_step = 1e6 * seconds / round(t_end / h)
            print(f"| {case}, h = {h:g} | {program} | {per_step:.2f} | {seconds / yardstick:.1f} | {error:.1e} |", flush=True)


def ensemble_table(speed):
    """1000 heavy tops, h = 1e-3, T = 0.1: runs per second of one core."""
    out = subprocess.run([speed, "ensemble"], capture_output=True, text=True).stdout.splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in out[2:]]
    ours = [(name, float(rate)) for name, rate, threads in rows if threads == "1"]
    theirs = {}
    for name, run in EXUDYN.items():
        begin = time.process_time()
        seconds, ends = zip(*(run("top", 1e-3, 0.1) for _ in range(100)))
        if np.isfinite(ends).all():
            theirs[name] = 100 / (time.process_time() - begin)
            theirs[f"{name}, solution without model"] = 100 / sum(seconds)
    best = max(rate for name, rate in theirs.items() if "without" not in name)
    print("| program | heavy-top runs per second of one core | times Exudyn's best with its model |\n|---|---|---|")
    for name, rate in ours + [(f"Exudyn, {name}", rate) for name, rate in theirs.items()]:
        program = name if name.startswith("Exudyn") else f"precess, {name}"
        print(f"| {program} | {rate:.0f} | {rate / best:.1f} |")


ERRORS = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]


def ladder_of(run, exact, h, patience):
    """Times and falling errors for a step size or tolerance that is halved again and again."""
    ladder = []
    while True:
        seconds, x = run(h)
        if seconds < 0.1:  # The best of three where one alone says little.
            seconds = min(seconds, run(h)[0], run(h)[0])
        error = np.linalg.norm(x - exact)
        if math.isfinite(error) and (not ladder or error < ladder[-1][1]):
            ladder.append((seconds, error))
        # Runs that fail take forever; smaller steps may succeed.
        if error < ERRORS[-1] or patience < seconds < math.inf or h < 1e-12 or (h < 1e-5 and not ladder):
            break
        h /= 2
    return ladder


def times_at_errors(ladder):
    """Times at which a ladder crosses ERRORS, on lines in logarithmic scale."""
    row = []
    for wanted in ERRORS:
        found = "-"
        if ladder and ladder[0][1] <= wanted:
            found = f"< {1e3 * ladder[0][0]:.2g}"
        for (t0, e0), (t1, e1) in zip(ladder, ladder[1:]):
            if e0 > wanted >= e1:
                share = math.log(e0 / wanted) / math.log(e0 / e1)
                found = f"{1e3 * t0 * (t1 / t0) ** share:.2g}"
        row.append(found)
    return row


def work_table(speed, patience, points):
    rows = [["model", "method", "seconds", "error"]]
    columns = " | ".join(f"{e:.0e}" for e in ERRORS)
    print(f"| model | method | {columns} |\n|{'---|' * (2 + len(ERRORS))}")
    for case, ours, t_end, fine, coarse in [
        ("top", "top-model-stabilized", 1.0, 1e-5, 4e-3),
        ("slider-crank", "slider-crank-stabilized", 1.0, 5e-5, 1.6e-2),
        ("chain-10", "chain-10-stabilized", 1.0, 1e-4, 6.4e-2),
    ]:
        exact = precess(speed, ours, fine, t_end, "bliedf", 5)[1]
        index3 = ours.removesuffix("-stabilized")
        # With rotation vectors Newton's method fails in Exudyn's heavy top at t = 0.117.
        setting = "Euler parameters, modified Newton" if case == "top" else "rotation vector, modified Newton"
        # One line per method; a method with its own step sizes takes a tolerance where the others take h.
        methods = {
            "precess gen-alpha, index-3": lambda h: precess(speed, index3, h, t_end),
            "precess gen-alpha, stabilized": lambda h: precess(speed, ours, h, t_end),
            "precess BLieDF, k = 4": lambda h: precess(speed, ours, h, t_end, "bliedf", 4),
            "precess BLieDF, k = 5": lambda h: precess(speed, ours, h, t_end, "bliedf", 5),
            "precess BLieDF with a tolerance": lambda tol: precess(speed, ours, tol, t_end, "adaptive"),
            "precess gen-alpha with a tolerance": lambda tol: precess(speed, ours, tol, t_end, "adaptive-alpha"),
            f"Exudyn gen-alpha, {setting}": lambda h: EXUDYN[setting](case, h, t_end),
        }
        if case != "slider-crank":
            methods["MuJoCo RK4"] = lambda h: mujoco_rk4(case, h, t_end)
            methods["Exudyn DOPRI5, joint coordinates"] = lambda tol: exudyn_dopri5(case, tol, t_end)
        if case == "top":
            for method in ["DOP853", "LSODA"]:
                methods[f"SciPy {method}, in Python"] = lambda tol, method=method: scipy_top(method, tol, t_end)
        for name, run in methods.items():
            ladder = ladder_of(run, exact, coarse, patience)
            rows += [[case, name, f"{seconds:.4e}", f"{error:.3e}"] for seconds, error in ladder]
            print(f"| {case} | {name} | {' | '.join(times_at_errors(ladder))} |", flush=True)
    if points:
        with open(points, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("speed", help="the executable of benches/speed")
    parser.add_argument("tables", nargs="*", default=["speed", "ensemble", "work"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--patience", type=float, default=2.0, help="seconds after which no step size is halved")
    parser.add_argument("--points", help="file for all points of the table of work (csv)")
    options = parser.parse_args()
    tables = {
        "speed": lambda: speed_table(options.speed, options.repeats),
        "ensemble": lambda: ensemble_table(options.speed),
        "work": lambda: work_table(options.speed, options.patience, options.points),
    }
    for name in options.tables:
        tables[name]()
        print()


main()
