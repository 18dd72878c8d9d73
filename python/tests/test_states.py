"""Joint coordinates: reading, setting, resetting, copying, linearising there."""

from __future__ import annotations

import copy
import math
from pathlib import Path

import numpy as np
import pytest
from conftest import G, INERTIA, four_bar, pendulum

import precess as pc


def arm(actuators: bool = True) -> pc.Model:
    """Six hinges about different axes, in a tree."""
    m = pc.Model("arm", gravity=(0, 0, -G))
    points = [(0, 0, 0), (0, 0, 0.4), (0, 0, 0.9), (0.2, 0, 0.9), (0.6, 0, 0.9), (0.7, 0, 0.9), (0.8, 0, 0.9)]
    for i, axis in enumerate("zyyxyx"):
        m.bar(f"link{i}", points[i], points[i + 1], mass=3 - 0.4 * i, radius=0.05)
        m.revolute(f"j{i}", "ground" if i == 0 else f"link{i - 1}", f"link{i}", point=points[i], axis=axis)
        m.sensor(f"s{i}", "coordinate", joint=f"j{i}")
        if actuators:
            m.actuator(f"m{i}", joint=f"j{i}", value=0)
    return m


def chain(cart: bool = True, n: int = 3) -> pc.Model:
    """A pendulum of n bars, upright on a cart."""
    m = pc.Model("triple", gravity=(0, 0, -G), inputs={"u": 0})
    m.body("cart", mass=1.0, inertia=(0.01, 0.01, 0.01))
    m.prismatic("rail", "ground", "cart", point=(0, 0, 0), axis="x")
    for i in range(n):
        m.bar(f"rod{i}", (0, 0, 0.4 * i), (0, 0, 0.4 * (i + 1)), mass=0.3, radius=0.01)
        m.revolute(f"pin{i}", "cart" if i == 0 else f"rod{i - 1}", f"rod{i}", point=(0, 0, 0.4 * i), axis="y")
    m.actuator("motor", joint="rail", value="input('u')")
    return m


def rotation(axis: str, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return {
        "x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


@pytest.mark.parametrize("formulation", ["r3so3", "se3"])
def test_a_tree_is_placed_by_forward_kinematics(formulation: str) -> None:
    """Positions and velocities of the links against products of rotations, and their difference quotients."""
    random = np.random.default_rng(3)
    points = np.array([(0, 0, 0), (0, 0, 0.4), (0, 0, 0.9), (0.2, 0, 0.9), (0.6, 0, 0.9), (0.7, 0, 0.9), (0.8, 0, 0.9)])

    def centres(q: np.ndarray) -> np.ndarray:
        frame, base, found = np.eye(3), np.zeros(3), []
        for i, axis in enumerate("zyyxyx"):
            frame = frame @ rotation(axis, q[i])
            arm_of = frame @ (points[i + 1] - points[i])
            found.append(base + arm_of / 2)
            base = base + arm_of
        return np.array(found)

    sim = arm().simulation(tol=1e-6, formulation=formulation)
    assert sim.coordinates == [f"j{i}" for i in range(6)] and np.abs(sim.q).max() < 1e-15
    for _ in range(5):
        q, v = random.uniform(-3, 3, 6), random.uniform(-2, 2, 6)
        sim.set_state(q, v)
        assert sim.q == pytest.approx(q, abs=1e-12) and sim.v == pytest.approx(v, abs=1e-11)
        h = 1e-5
        rate = (centres(q + h * v) - centres(q - h * v)) / (2 * h)
        for i, (position, speed) in enumerate(zip(centres(q), rate)):
            body = sim.body(f"link{i}")
            assert body.position == pytest.approx(position, abs=1e-12)
            assert body.velocity == pytest.approx(speed, abs=1e-8)
        # One coordinate moves, the others stay; so do their rates.
        sim.set_state(q={"j2": 0.25})
        assert sim.q == pytest.approx(np.where(np.arange(6) == 2, 0.25, q), abs=1e-11)
        assert sim.v == pytest.approx(v, abs=1e-11)


def test_angles_keep_their_turns_and_runs_begin_there() -> None:
    sim = pendulum().simulation(tol=1e-9)
    sim.set_state(q={"hinge": 0.5 + 6 * math.pi}, v={"hinge": 2.0})
    assert sim.sensor("angle") == pytest.approx(0.5 + 6 * math.pi, abs=1e-12)
    first = sim.energy
    sim.advance(0.7)
    assert sim.energy == pytest.approx(first, abs=1e-6)
    # E = J w^2 / 2 - m g (l/2) sin(angle)
    q, v = sim.q[0], sim.v[0]
    assert first == pytest.approx(INERTIA * 2.0 - 2 * G * 0.5 * math.sin(0.5), abs=1e-9)
    assert INERTIA * v**2 / 2 - 2 * G * 0.5 * math.sin(q) == pytest.approx(first, abs=1e-5)


def test_reactions_belong_to_the_new_state() -> None:
    """A rod that turns at w carries m (l/2) w^2, and its weight."""
    for settings in ({"tol": 1e-9}, {"step": 1e-3}):
        sim = pendulum().simulation(**settings)
        sim.set_state(q=[math.pi / 2], v=[3.0])
        assert sim.joint("hinge").force == pytest.approx([0, 0, 2 * (0.5 * 9 + G)], abs=1e-9)


def test_loops_are_closed_around_the_given_coordinate() -> None:
    """The rocker of a four-bar from the law of cosines."""
    sim = four_bar().without_drive().simulation(tol=1e-8)
    for angle in (0.4, -0.7, 1.1):
        sim.set_state(q={"A": angle}, v={"A": 1.5})
        assert dict(zip(sim.coordinates, sim.q))["A"] == pytest.approx(angle, abs=1e-10)
        assert dict(zip(sim.coordinates, sim.v))["A"] == pytest.approx(1.5, abs=1e-9)
        b = 0.3 * np.array([math.sin(angle), 0, math.cos(angle)])
        rocker = sim.body("rocker")
        c = 2 * rocker.position - np.array([1, 0, 0])
        assert np.linalg.norm(c - b) == pytest.approx(math.hypot(0.8, 0.3), abs=1e-9)
        assert np.linalg.norm(c - [1, 0, 0]) == pytest.approx(math.hypot(0.2, 0.6), abs=1e-9)
        first = sim.energy
        sim.advance(0.05)
        assert sim.energy == pytest.approx(first, abs=1e-5)


def test_wrong_states_change_nothing() -> None:
    sim = four_bar().without_drive().simulation(tol=1e-6)
    before = sim.q
    with pytest.raises(pc.NotFound) as caught:
        sim.set_state(q={"a": 1})
    assert caught.value.known == ["A", "B", "C", "D"]
    with pytest.raises(pc.ModelError, match="cannot have these coordinates"):
        sim.set_state(q={"A": 0.4, "D": 3.0})
    with pytest.raises(pc.ModelError, match="finite"):
        sim.set_state(v={"A": math.nan})
    with pytest.raises(pc.ModelError, match="there are 4 joint coordinates: A, B, C, D"):
        sim.set_state(q=[1.0])
    assert np.array_equal(sim.q, before)
    driven = four_bar().simulation(tol=1e-6)
    with pytest.raises(pc.ModelError, match="its drive"):
        driven.set_state(q={"A": 1.0})
    with pytest.raises(pc.ModelError, match="formulation"):
        pendulum().simulation(tol=1e-6, formulation="euler-parameters").set_state(q=[1.0])


@pytest.mark.parametrize("settings", [{"tol": 1e-6}, {"step": 1e-3}, {"step": 1e-3, "method": "bliedf"}])
def test_reset_and_copy_go_on_with_the_same_bits(settings: dict) -> None:
    m = arm()

    def drive(sim: pc.Simulation) -> list[float]:
        seen = []
        for k in range(12):
            sim.set_input("m1", 3.0 * math.sin(k))
            sim.set_input("m4", 0.2 * k, until=sim.t + 2e-3)
            sim.advance(4e-3)
            seen += sim.q.tolist() + sim.v.tolist()
        return seen

    sim = m.simulation(**settings)
    first = drive(sim)
    other = sim.copy()
    sim.reset()
    assert sim.t == 0 and sim.steps == 0 and sim.input("m1") == 0
    assert drive(sim) == first
    assert drive(other) != first and other.t == pytest.approx(0.096)
    # Inputs of copies are separate, also while both advance.
    one, two = sim.copy(), copy.copy(sim)
    one.set_input("m0", 5.0)
    assert two.input("m0") == 0 and sim.input("m0") == 0
    expected = pc.Simulation(m, **settings)
    drive(expected)
    for s in (two, expected):
        s.advance(0.01)
    one.advance(0.01)
    assert np.array_equal(two.q, expected.q) and not np.array_equal(one.q, two.q)


def test_copies_of_all_formulations() -> None:
    for formulation in ("r3so3", "se3", "euler-parameters"):
        m = pendulum()
        m.actuator("motor", joint="hinge", value=0)
        sim = m.simulation(step=1e-3, formulation=formulation)
        sim.set_input("motor", 2.0)
        sim.advance(0.02)
        other = sim.copy()
        other.set_input("motor", -4.0)
        sim.advance(0.02), other.advance(0.02)
        fresh = m.simulation(step=1e-3, formulation=formulation)
        fresh.set_input("motor", 2.0)
        fresh.advance(0.02), fresh.advance(0.02)
        assert np.array_equal(sim.body("rod").position, fresh.body("rod").position)
        assert not np.array_equal(other.body("rod").position, fresh.body("rod").position)


def test_the_equations_of_motion() -> None:
    """M v' + bias + B' lambda = 0 and B v' + drift = 0 give the accelerations of the motion."""
    sim = arm(False).simulation(tol=1e-9)
    sim.set_state(np.linspace(0.2, 1.2, 6), np.linspace(-1, 1, 6))
    M, bias, B, drift, velocities, constraints = sim.dynamics()
    assert M.shape == (36, 36) and B.shape == (30, 36) and len(velocities) == 36 and len(constraints) == 30
    assert np.allclose(M, M.T) and np.linalg.eigvalsh(M).min() > 0
    saddle = np.block([[M, B.T], [B, np.zeros((30, 30))]])
    acceleration = np.linalg.solve(saddle, -np.concatenate([bias, drift]))[:36]
    tip = (0.05, 0.01, 0.02)
    J = sim.jacobian("link5", tip)
    h = 1e-4

    def velocity_of_tip(s: pc.Simulation) -> np.ndarray:
        body = s.body("link5")
        w, x, y, z = body.rotation
        R = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        spin = R @ body.angular_velocity
        return np.concatenate([body.velocity + np.cross(spin, R @ tip), spin])

    raw = np.concatenate([np.concatenate([sim.body(f"link{i}").angular_velocity, sim.body(f"link{i}").velocity]) for i in range(6)])
    assert J @ raw == pytest.approx(velocity_of_tip(sim), abs=1e-12)
    assert np.abs(B @ raw).max() < 1e-12
    later = sim.copy()
    later.advance(h)
    change = (np.concatenate([np.concatenate([later.body(f"link{i}").angular_velocity, later.body(f"link{i}").velocity]) for i in range(6)]) - raw) / h
    assert change == pytest.approx(acceleration, abs=2e-2 * np.abs(acceleration).max())
    with pytest.raises(pc.NotFound):
        sim.jacobian("link9")


def test_linear_states_are_joint_coordinates() -> None:
    """The states can be measured: x' = A x + B u holds for small motions of the simulation itself."""
    m = chain(n=2)
    linear = m.linearize(inputs=["u"], at="initial")
    names = ["rail", "pin0", "pin1"]
    assert linear.states == [*names, *(f"rate of {n}" for n in names)]
    assert linear.outputs == {} and linear.C.shape == (0, 6) and linear.D.shape == (0, 1)
    assert linear.inputs == {"u": ""}
    size, dt = 1e-5, 2e-3
    powers = [np.eye(6)]
    for k in range(1, 8):
        powers.append(powers[-1] @ linear.A * dt / k)
    for k in range(6):
        x = np.zeros(6)
        x[k] = size
        sim = m.simulation(step=1e-4)
        sim.set_state(x[:3], x[3:])
        sim.advance(dt)
        assert np.concatenate([sim.q, sim.v]) == pytest.approx(sum(powers) @ x, abs=1e-4 * size)
    u = 1e-2
    sim = m.simulation(step=1e-4)
    sim.set_input("u", u)
    sim.advance(dt)
    expected = sum(p * dt / (k + 1) for k, p in enumerate(powers)) @ linear.B[:, 0] * u
    assert np.concatenate([sim.q, sim.v])[3:] == pytest.approx(expected[3:], rel=1e-4)


def test_linearize_at_a_state_of_a_simulation() -> None:
    m = chain(n=1)
    sim = m.simulation(tol=1e-8)
    sim.set_state(q={"rail": 0.4, "pin0": math.pi})
    hanging = m.linearize(inputs=["u"], state=sim)
    assert np.linalg.eigvals(hanging.A).real.max() < 1e-4
    assert hanging.state["bodies"]["cart"]["position"][0] == pytest.approx(0.4)
    assert hanging.state["bodies"]["rod0"]["position"][2] == pytest.approx(-0.2)
    upright = m.linearize(inputs=["u"], at="initial")
    assert np.linalg.eigvals(upright.A).real.max() > 1
    other = m.starting_at(sim).simulation(tol=1e-8)
    assert other.body("rod0").position == pytest.approx(sim.body("rod0").position, abs=1e-14)


def test_inputs_of_formulas_are_linear_inputs() -> None:
    """J x'' = -m g l x + 3 u^2: about u = 2 the gain is 12."""
    m = pc.Model("pendulum", gravity=(0, 0, -G), inputs={"u": 2})
    m.bar("rod", (0, 0, 0), (0, 0, -1), mass=2, radius=0.02)
    m.revolute("hinge", "ground", "rod", point=(0, 0, 0), axis="y")
    m.actuator("motor", joint="hinge", value="3*input('u')^2 - 12")
    m.sensor("rate", "rate", joint="hinge")
    linear = m.linearize(inputs=["u", "hinge"])
    assert linear.B[1] == pytest.approx([12 / INERTIA, 1 / INERTIA], rel=1e-8)
    assert linear.C == pytest.approx(np.array([[0, 1]]), abs=1e-9)
    with pytest.raises(pc.AnalysisError, match="u"):
        m.linearize(inputs=["v"])


def test_an_upright_triple_pendulum_stands() -> None:
    """LQR of the equations about the upright state holds the mechanism there for ten seconds."""
    linalg = pytest.importorskip("scipy.linalg")
    m = chain(n=3)
    linear = m.linearize(inputs=["u"], at="initial")
    A, B = linear.A, linear.B
    assert np.linalg.eigvals(A).real.max() > 3
    P = linalg.solve_continuous_are(A, B, np.diag([1, 10, 10, 10, 1, 1, 1, 1.0]), np.array([[0.01]]))
    K = (B.T @ P / 0.01)[0]
    assert np.linalg.eigvals(A - B @ K[None]).real.max() < -0.1
    sim = m.simulation(step=2e-3)
    sim.set_state(q={"rail": 0.05, "pin0": 0.02, "pin1": -0.03, "pin2": 0.02})
    free = sim.copy()
    largest = 0.0
    while sim.t < 10 - 1e-9:
        sim.set_input("u", -K @ np.concatenate([sim.q, sim.v]))
        sim.advance(2e-3)
        largest = max(largest, np.abs(sim.q[1:]).max())
    assert largest < 0.3 and np.abs(np.concatenate([sim.q, sim.v])).max() < 1e-3
    # Without control it falls.
    free.advance(1.5)
    assert np.abs(free.q[1:]).max() > 1


def test_the_six_axis_arm_of_the_models(models: Path) -> None:
    sim = pc.load(models / "six_axis_arm" / "six_axis_arm.toml").simulation(tol=1e-6)
    assert sim.coordinates == [f"j{i}" for i in range(1, 7)]
    q = sim.q + np.array([0.3, -0.1, 0.2, 0.1, -0.2, 0.4])
    sim.set_state(q=q)
    assert sim.q == pytest.approx(q, abs=1e-9)
