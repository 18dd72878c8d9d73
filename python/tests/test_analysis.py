"""Rest and vibration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from conftest import G, INERTIA, four_bar, pendulum

import precess as pc


def test_a_pendulum_hangs_and_swings() -> None:
    m = pendulum(0.3)
    rest = m.equilibrium()
    assert rest.stable and rest.bodies["rod"]["position"] == pytest.approx([0, 0, -0.5], abs=1e-9)
    assert rest.reactions["hinge"]["force"] == pytest.approx([0, 0, 2 * G], abs=1e-9)
    modes = m.modes()
    assert len(modes) == 1
    expected = math.sqrt(2 * G * 0.5 / INERTIA) / (2 * math.pi)
    assert modes.frequency[0] == pytest.approx(expected, rel=1e-9)
    assert abs(modes.damping[0]) < 1e-9 and abs(modes.eigenvalues[0].imag) == pytest.approx(2 * math.pi * expected)
    turn, shift = modes.shape(0, "rod")
    # It turns about y through the hinge.
    assert np.abs(shift - np.cross(turn, [0, 0, -0.5])).max() < 1e-9 * np.abs(turn).max()
    assert "Hz" in repr(modes) and modes.motion
    assert modes.view().html.lower().startswith("<!doctype html")


def test_linear_equations_of_a_pendulum() -> None:
    """J x'' + m g l x = u about the hanging position."""
    m = pendulum(0.3)
    linear = m.linearize(inputs=["hinge"], outputs=["angle"])
    A, B, C, D = linear
    omega = math.sqrt(2 * G * 0.5 / INERTIA)
    assert np.sort(np.linalg.eigvals(A).imag) == pytest.approx([-omega, omega], rel=1e-8)
    for s in (0.0, 1j, 20.0):
        response = C @ np.linalg.solve(s * np.eye(2) - A, B) + D
        assert response[0, 0] == pytest.approx(1 / (INERTIA * s**2 + 2 * G * 0.5), rel=1e-7)
    assert len(linear.states) == 2 and list(linear.outputs) == ["angle"] and list(linear.inputs.values()) == ["N m"]
    with pytest.raises(pc.AnalysisError, match="inputs"):
        m.linearize(inputs=[])


def test_linear_equations_of_a_pendulum_on_its_head() -> None:
    """J x'' - m g l x = u: nothing moves it to where it hangs."""
    m = pendulum(-math.pi / 2)
    rate = math.sqrt(2 * G * 0.5 / INERTIA)
    results = m.run(until=1e-3)
    there = {"rod": {"position": m.equilibrium(kind="any").bodies["rod"]["position"], "angular_velocity": (0, 0, 0)}}
    cases: list[tuple[str, str, Any]] = [
        ("initial", "stable", None),
        ("steady", "stable", None),
        ("equilibrium", "any", None),
        ("state", "stable", there),
    ]
    for at, kind, state in cases:
        linear = m.linearize(inputs=["hinge"], at=at, kind=kind, state=state)
        assert np.sort(np.linalg.eigvals(linear.A).real) == pytest.approx([-rate, rate], rel=1e-8), at
        assert linear.state["bodies"]["rod"]["position"][2] == pytest.approx(0.5, abs=1e-9)
        assert linear.state["at"] == ("initial" if at == "state" else at)
        assert "about" in repr(linear)
        assert m.modes(at=at, kind=kind, state=state).eigenvalues[0].real == pytest.approx(rate, rel=1e-8)
    assert m.linearize(inputs=["hinge"], state=results).state["bodies"]["rod"]["position"][2] == pytest.approx(0.5)
    hanging = m.linearize(inputs=["hinge"])
    assert hanging.state["furthest"]["turned"] == pytest.approx(math.pi) and "not at the positions" in hanging.state["words"]


def test_unknown_places_and_kinds_are_refused() -> None:
    m = pendulum(0.3)
    wrong: list[Any] = ["nonsense", "Initial", "", None, 42]
    for word in wrong:
        with pytest.raises(pc.NotFound, match="'equilibrium', 'steady', 'initial', 'state'"):
            m.linearize(inputs=["hinge"], at=word)
        with pytest.raises(pc.NotFound, match="'steady'"):
            m.modes(at=word)
        with pytest.raises(pc.NotFound, match="'stable', 'any'"):
            m.equilibrium(kind=word)
    with pytest.raises(pc.NotFound, match="rod"):
        m.modes(state={"bar": {}})
    with pytest.raises(pc.NotFound, match="velocity"):
        m.modes(state={"rod": {"speed": 1}})
    with pytest.raises(pc.ModelError, match="needs a state"):
        m.modes(at="state")
    no_state: Any = 7
    with pytest.raises(pc.ModelError, match="not a state"):
        m.modes(state=no_state)


def test_a_drive_that_is_left_out() -> None:
    free = four_bar().without_drive("A")
    assert free.check().data["degrees_of_freedom"] == 1
    assert free == four_bar().without_drive()
    with pytest.raises(pc.NotFound, match="driven: A"):
        four_bar().without_drive("B")


def test_nothing_rests_in_free_fall() -> None:
    m = pc.Model("free", gravity=(0, 0, -G)).body("a", mass=1, inertia=(1, 1, 1))
    with pytest.raises(pc.AnalysisError):
        m.equilibrium()


def test_rough_positions_are_closed() -> None:
    m = pc.Model("rough", gravity=(0, 0, -G))
    m.bar("rod", (0.1, 0, 0), (1.1, 0, 0.1), mass=2, radius=0.02)
    # The end of the rod reaches the beginning of the other bar when it turns about the hinge.
    length = math.hypot(1, 0.1)
    end = np.array([length * math.cos(0.3), 0, length * math.sin(0.3)])
    m.bar("other", end, end + [1, 0, 0], mass=1, radius=0.02)
    m.revolute("hinge", "ground", "rod", point=(0, 0, 0), point2=(0.1, 0, 0), axis="y")
    m.revolute("pin", "rod", "other", point=(1.1, 0, 0.1), point2=end, axis="y")
    with pytest.raises(pc.ModelError, match="the assembly"):
        m.check().problems or m.run(until=0.1)
    closed = m.assemble()
    assert closed.gaps["joint hinge"]["m"] == pytest.approx(0.1)
    assert closed.gaps["joint pin"]["m"] == pytest.approx(math.dist((1.1, 0, 0.1), end))
    assert "was open" in repr(closed)
    sim = closed.model.simulation(tol=1e-6)
    middle = np.array([0.5, 0, 0.05])
    rod = sim.body("rod")
    # The end of the rod that was at (0.1, 0, 0) is at the hinge: half its length from its centre.
    assert np.linalg.norm(rod.position) == pytest.approx(np.linalg.norm(middle), abs=1e-12)
    kept = m.assemble(keep=["other"])
    assert kept.bodies["other"]["position"] == pytest.approx(end + [0.5, 0, 0], abs=1e-14)
    heavy = m.assemble(weights={"other": 1e6})
    assert heavy.bodies["other"]["moved"] < 1e-3 < closed.bodies["other"]["moved"]
    with pytest.raises(pc.NotFound) as caught:
        m.assemble(keep=["othr"])
    assert caught.value.nearest == "other"
    with pytest.raises(pc.ModelError, match="positive"):
        m.assemble(weights={"rod": -1})


def test_joints_that_cannot_close_are_named() -> None:
    m = pc.Model("short")
    m.bar("rod", (0, 0, 0), (1, 0, 0), mass=1, radius=0.02)
    m.revolute("left", "ground", "rod", point=(0, 0, 0), axis="y")
    m.revolute("right", "ground", "rod", point=(3, 0, 0), point2=(1, 0, 0), axis="y")
    with pytest.raises(pc.AnalysisError, match="cannot be assembled") as caught:
        m.assemble()
    assert "command" not in str(caught.value) and "--" not in str(caught.value)


def test_a_driven_linkage_moves_without_dynamics() -> None:
    m = four_bar()
    motion = m.kinematics(until=0.5, steps=20)
    assert motion.t == pytest.approx(np.linspace(0, 0.5, 21))
    angle = 2 * math.pi * motion.t
    b = 2 * motion["crank.position"]
    assert b == pytest.approx(0.3 * np.stack([np.sin(angle), 0 * angle, np.cos(angle)], axis=1), abs=1e-9)
    # The drive does the work: the torque times its rate is the power of kinetic and potential energy.
    run = m.run(until=0.5, tol=1e-9, every="25 ms")
    assert motion["drive A"] == pytest.approx(run["A.torque"][:, 1], abs=1e-4 * np.abs(run["A.torque"]).max())
    with pytest.raises(pc.AnalysisError, match="nothing is driven"):
        m.without_drive().kinematics(until=0.1)
    with pytest.raises(pc.ModelError, match="whole number"):
        m.kinematics(until=0.1, steps=0)


def test_a_dead_point_keeps_the_motion_before_it() -> None:
    """A slider-crank driven by its slider stops where crank and rod are stretched."""
    m = pc.Model("dead", gravity=(0, 0, 0))
    c = math.cos(0.5)
    m.bar("crank", (0, 0, 0), (c, 0, math.sin(0.5)), mass=1, radius=0.02)
    m.bar("rod", (c, 0, math.sin(0.5)), (2 * c, 0, 0), mass=1, radius=0.02)
    m.body("slider", mass=1, inertia=(1, 1, 1), position=(2 * c, 0, 0))
    m.revolute("O", "ground", "crank", point=(0, 0, 0), axis="y")
    m.revolute("P", "crank", "rod", point=(c, 0, math.sin(0.5)), axis="y")
    m.revolute("Q", "rod", "slider", point=(2 * c, 0, 0), axis="y")
    m.prismatic("guide", "ground", "slider", point=(2 * c, 0, 0), axis="x", drive="t")
    with pytest.raises(pc.AnalysisError, match="dead point") as caught, pytest.warns(pc.PrecessWarning, match="dead point"):
        m.kinematics(until=1.0, steps=50)
    results = caught.value.results
    assert results is not None and results.t[-1] == pytest.approx(2 - 2 * c, abs=0.03)


def test_critical_speeds_of_a_rotor(models) -> None:
    """A disc in the middle of two springs: omega = sqrt(k/m) for translation."""
    m = pc.Model("rotor", parameters={"speed": 10.0, "other": 1.0})
    m.body("disc", mass=2, inertia=(0.02, 0.02, 0.04), angular_velocity=(0, 0, "speed"))
    m.bushing("bearing", bodies=("ground", "disc"), point=(0, 0, 0), stiffness=(8000, 8000, 1e6, 0, 0, 0))
    found = m.campbell("speed", np.linspace(10, 120, 12))
    assert found.spin == pytest.approx(np.linspace(10, 120, 12))
    assert found.eigenvalues.shape == found.frequency.shape and found.eigenvalues.shape[1] == 12
    assert any(c["speed"] == pytest.approx(math.sqrt(8000 / 2), rel=1e-6) for c in found.critical)
    assert "critical speeds" in repr(found)
    with pytest.raises(pc.ModelError, match="increasing"):
        m.campbell("speed", [3, 2])
    with pytest.raises(pc.NotFound):
        m.campbell("sped", [1, 2])
    with pytest.raises(pc.AnalysisError, match="turns"):
        m.set(speed=0).campbell("other", [1, 2])
