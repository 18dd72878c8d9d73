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
