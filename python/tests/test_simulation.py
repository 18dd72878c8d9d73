"""Simulations that are advanced by hand."""

from __future__ import annotations

import copy
import pickle
import threading

import numpy as np
import pytest
from conftest import G, INERTIA, pendulum

import precess as pc


def test_a_loop_keeps_energy() -> None:
    for sim in (pc.Simulation(pendulum(), tol=1e-9), pendulum().simulation(step=1e-4)):
        first = sim.energy
        while sim.t < 0.3 - 1e-9:
            sim.advance(1e-3)
        assert sim.t == pytest.approx(0.3, abs=1e-12)
        rod = sim.state("rod")
        w = np.sqrt(-2 * 2 * G * rod.position[2] / INERTIA)
        assert np.linalg.norm(rod.angular_velocity) == pytest.approx(w, rel=1e-6)
        assert sim.energy == pytest.approx(first, abs=1e-5)
        assert sim.sensor("angle") == pytest.approx(np.arctan2(-rod.position[2], rod.position[0]), abs=1e-9)
        assert sim.bodies == ["rod"] and sim.joints == ["hinge"]
        assert sim.joint("hinge").unique


def test_what_it_gives_is_a_copy() -> None:
    sim = pc.Simulation(pendulum(), tol=1e-6)
    before = sim.body("rod").position
    sim.advance_to(0.2)
    assert np.array_equal(before, [0.5, 0, 0]) and not np.array_equal(sim.body("rod").position, before)


def test_copies_and_files_go_on_with_the_same_bits(tmp_path) -> None:
    for settings in ({"tol": 1e-7}, {"step": 1e-3}):
        sim = pendulum().simulation(**settings)
        sim.advance_to(0.1)
        sim.save(tmp_path / "here.chk")
        others = [sim.copy(), copy.copy(sim), pickle.loads(pickle.dumps(sim))]
        sim.advance_to(0.3)
        fresh = pendulum().simulation(**settings)
        fresh.restore(tmp_path / "here.chk")
        for other in [*others, fresh]:
            other.advance_to(0.3)
            assert np.array_equal(other.q, sim.q) and np.array_equal(other.v, sim.v)
        sim.reset()
        assert sim.t == 0 and sim.steps == 0


def test_errors() -> None:
    sim = pc.Simulation(pendulum(), tol=1e-6)
    sim.advance_to(0.1)
    with pytest.raises(pc.ModelError, match="goes forward"):
        sim.advance_to(0.05)
    with pytest.raises(pc.NotFound) as caught:
        sim.body("rot")
    assert caught.value.nearest == "rod" and caught.value.known == ["rod"]


def test_events(models) -> None:
    sim = pc.load(models / "drop_test.toml").simulation()
    for _ in range(100):
        sim.advance(0.02)
    assert sim.events and sim.events[0].name == "contact"


def test_threads() -> None:
    sims = [pendulum().simulation(tol=1e-8) for _ in range(4)]
    threads = [threading.Thread(target=sim.advance_to, args=(0.5,)) for sim in sims]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(s.q, sims[0].q) for s in sims)


def test_inputs_are_held() -> None:
    m = pc.Model("wheel").body("wheel", mass=1, inertia=(2, 2, 2))
    m.revolute("axle", "ground", "wheel", point=(0, 0, 0), axis="z")
    m.actuator("motor", joint="axle", value="0.5 - 0.1*v").sensor("rate", "rate", joint="axle")
    m.force("push", body="wheel", force=(0, 0, 0), point=(0, 0, 0))
    for settings, tolerance in (({"tol": 1e-9}, 1e-7), ({"step": 1e-3}, 1e-6)):
        sim = m.simulation(**settings)
        assert sim.inputs == {"motor": 1, "push": 3}
        w = 0.0
        for u in (1.0, -2.0, 0.5):
            sim.set_input("motor", u)
            sim.advance(0.1)
            end = (0.5 + u) / 0.1
            w = end + (w - end) * np.exp(-0.05 * 0.1)
            assert sim.sensor("rate") == pytest.approx(w, abs=tolerance)
        other = pickle.loads(pickle.dumps(sim))
        other.advance(0.1), sim.advance(0.1)
        assert np.array_equal(other.v, sim.v)
        sim.set_input("push", np.array([0.0, 1.0, 0.0]))
        with pytest.raises(pc.NotFound):
            sim.set_input("motr", 1)
        with pytest.raises(pc.ModelError):
            sim.set_input("push", 1)
