"""Sweeps: on all cores, by executors, with workers that die."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from conftest import ROOT, pendulum

import precess as pc
from precess import _sweep


@pytest.fixture
def top() -> pc.Model:
    return pc.load(ROOT / "models" / "heavy_top.toml")


VALUES = np.linspace(100, 200, 130)
KEPT = ["top.position", "max:tip.force"]


def same(a: pc.Table, b: pc.Table) -> bool:
    return a.inputs == b.inputs and a.outputs == b.outputs and all(np.array_equal(a[n], b[n], equal_nan=True) for n in a)


def test_rows_are_runs(top: pc.Model) -> None:
    table = top.sweep(spin=[120, 150], until=0.02, step=1e-3, collect=["top.position", "steps"])
    for i, spin in enumerate(table["spin"]):
        r = top.set(spin=spin).run(until=0.02, step=1e-3)
        assert table["top.position.x"][i] == pytest.approx(r["top.position"][-1, 0], abs=1e-12)
    assert list(table["steps"]) == [20, 20] and table.runs == 2 and not table.errors
    assert "2 runs, 0 failed" in repr(table)


def test_failed_runs_are_rows() -> None:
    m = pc.Model("bad", parameters={"m": 1.0}).body("a", mass="m", inertia=(1, 1, 1))
    table = m.sweep(m=[1.0, -1.0, 2.0], until=0.1, tol=1e-6)
    assert list(table.errors) == [1] and np.isnan(table[table.outputs[0]][1])
    with pytest.raises(pc.NotFound):
        table["nothing"]


def test_executors_give_the_same_bits(top: pc.Model, tmp_path) -> None:
    here = top.sweep(spin=VALUES, until=0.02, step=1e-3, collect=KEPT)
    with ThreadPoolExecutor(2) as pool:
        assert same(here, top.sweep(spin=VALUES, until=0.02, step=1e-3, collect=KEPT, executor=pool, batches=7))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = top.sweep(spin=VALUES, until=0.02, step=1e-3, collect=KEPT, executor=pool)
    assert same(here, there) and there.runs == len(VALUES)
    there.save(tmp_path / "table.csv")
    assert len((tmp_path / "table.csv").read_text().splitlines()) == 1 + len(VALUES)


def _dies(source, plan, first, end, threads=1):
    if first > 0 and not os.path.exists(source[0] + ".died"):
        open(source[0] + ".died", "w").close()
        os._exit(1)
    return _original(source, plan, first, end, threads)


_original = _sweep.rows_of


@pytest.mark.skipif(os.name == "nt", reason="processes of Windows do not see the changed function")
def test_a_dead_worker_loses_nothing(top: pc.Model, monkeypatch, tmp_path) -> None:
    top._file = str(tmp_path / "heavy_top.toml")
    here = top.sweep(spin=VALUES, until=0.02, step=1e-3, collect=KEPT)
    monkeypatch.setattr(_sweep, "rows_of", _dies)
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool, pytest.warns(pc.PrecessWarning):
        there = top.sweep(spin=VALUES, until=0.02, step=1e-3, collect=KEPT, executor=pool)
    assert same(here, there)


def test_random_points(top: pc.Model) -> None:
    a = top.sweep(spin=(100, 200), samples=20, sampling="lhs", seed=3, until=0.01, step=1e-3)
    b = top.sweep(spin=(100, 200), samples=20, sampling="lhs", seed=3, until=0.01, step=1e-3)
    # One value in each twentieth of the interval.
    assert same(a, b) and sorted(np.floor((a["spin"] - 100) / 5)) == list(range(20))


def test_words_and_mistakes() -> None:
    m = pc.Model("free", gravity=(0, 0, -9.81), parameters={"z": 1.0}).body("a", mass=1, inertia=(1, 1, 1))
    table = m.sweep({"formulation": ["r3so3", "se3"]}, until=0.1, tol=1e-6, collect=["a.position"])
    assert list(table["formulation"]) == ["r3so3", "se3"]
    assert table["a.position.z"] == pytest.approx(-9.81 * 0.005, abs=1e-6)
    for wrong in ({}, {"nothing": [1]}, {"z": []}):
        with pytest.raises(pc.Error):
            m.sweep(wrong, until=0.1, tol=1e-6)
    pytest.importorskip("pandas")
    assert list(pendulum().sweep({"body.rod.mass": [1, 2]}, until=0.1, tol=1e-6).to_pandas()["error"]) == ["", ""]


def swing() -> pc.Model:
    """A pendulum with damping c in the gravity g."""
    m = pc.Model("swing", gravity=(0, 0, "-g"), parameters={"c": 1, "g": 9.81})
    m.bar("rod", (0, 0, 0), (1, 0, 0), mass=2, radius=0.02)
    m.revolute("hinge", "ground", "rod", point=(0, 0, 0), axis="y")
    m.actuator("damper", joint="hinge", value="-c*v")
    return m.sensor("angle", "coordinate", joint="hinge")


def test_names_that_change_together() -> None:
    m = swing()
    pairs = [(1.0, 9.0), (2.0, 5.0), (4.0, 1.0)]
    table = m.sweep({("c", "g"): pairs}, until=0.1, tol=1e-8, collect=["angle"])
    assert table.runs == 3 and table.inputs == ["c", "g"]
    assert table["c"].tolist() == [1, 2, 4] and table["g"].tolist() == [9, 5, 1]
    for row, (mass, g) in enumerate(pairs):
        alone = m.set(c=mass, g=g).run(until=0.1, tol=1e-8)
        assert table["angle"][row] == pytest.approx(alone["angle"][-1], abs=1e-12)
    with pytest.raises(pc.ModelError, match="give 2 values"):
        m.sweep({("c", "g"): [(1, 2), (3,)]}, until=0.1)
    with pytest.raises(pc.ModelError, match="no samples"):
        m.sweep({("c", "g"): [(1, 2)]}, until=0.1, samples=3)


def test_series_over_time() -> None:
    m = swing()
    table = m.sweep({"c": [1, 2], "g": [9.81, 1.62]}, until=0.2, tol=1e-8, series=["angle", "rod.position"], every="20 ms")
    assert table.t == pytest.approx(np.linspace(0, 0.2, 11)) and table.series["angle"].shape == (4, 11)
    assert table.series["rod.position"].shape == (4, 11, 3)
    alone = m.set(c=2, g=1.62).run(until=0.2, tol=1e-8, every="20 ms")
    assert np.array_equal(table.series["angle"][3], alone["angle"])
    with pytest.raises(pc.ModelError, match="every"):
        m.sweep({"c": [1, 2]}, until=0.2, series=["angle"])
    with pytest.raises(pc.ModelError, match="collect or series"):
        m.sweep({"c": [1, 2]}, until=0.2, series=["angle"], collect=["angle"], every="20 ms")
    with pytest.raises(pc.NotFound, match="angel"):
        m.sweep({"c": [1, 2]}, until=0.2, series=["angel"], every="20 ms")
    failing = m.sweep({"run.until": [0.2, -1.0]}, series=["angle"], every="20 ms")
    assert list(failing.errors) == [1] and np.isnan(failing.series["angle"][1]).all()
    with ThreadPoolExecutor(2) as pool:
        other = m.sweep({"c": [1, 2], "g": [9.81, 1.62]}, until=0.2, tol=1e-8, series=["angle"], every="20 ms", executor=pool)
    assert np.array_equal(other.series["angle"], table.series["angle"])


def test_a_sweep_as_a_dataset() -> None:
    pytest.importorskip("xarray")
    m = swing()
    grid = m.sweep({"c": [1, 2, 3], "g": [9.81, 1.62]}, until=0.1, tol=1e-8, collect=["angle"]).to_xarray()
    assert grid["angle"].dims == ("c", "g") and grid["angle"].shape == (3, 2)
    chosen = float(grid["angle"].sel({"c": 2, "g": 1.62}))
    assert chosen == m.sweep({"c": [2], "g": [1.62]}, until=0.1, tol=1e-8, collect=["angle"])["angle"][0]
    random = m.sweep({"c": (1, 2)}, until=0.1, tol=1e-8, collect=["angle"], samples=4).to_xarray()
    assert random["angle"].dims == ("run",) and random["c"].dims == ("run",)
    together = m.sweep({("c", "g"): [(1, 9), (2, 5)], "integrator.rho": [0.8, 0.9, 1.0]}, until=0.1, step=1e-2, series=["rod.position"], every="50 ms").to_xarray()
    assert together["rod.position"].dims == ("c", "integrator.rho", "t", "axis")
    assert together["g"].dims == ("c",) and together["g"].values.tolist() == [9, 5]
    assert (together["error"] == "").all()
