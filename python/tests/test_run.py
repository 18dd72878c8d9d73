"""Runs and results."""

from __future__ import annotations

import math
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from conftest import G, INERTIA, four_bar, pendulum

import precess as pc


@pytest.fixture(scope="module")
def run() -> pc.Results:
    return pendulum().run(until=0.5, tol=1e-9)


def square_of_speed(z):
    """Angular velocity of the pendulum by the conservation of energy."""
    return -2 * 2 * G * z / INERTIA


def test_numbers_are_right(run: pc.Results) -> None:
    w = np.linalg.norm(run["rod.angular_velocity"], axis=1)
    assert np.abs(w**2 - square_of_speed(run["rod.position"][:, 2])).max() < 1e-6
    assert run.t[-1] == 0.5 and run.body("rod").rotation.shape == (len(run.t), 4)
    # At the start: the bar falls with the moment of its weight, the hinge carries the rest.
    force = 2 * G - 2 * 0.5 * (2 * G * 0.5 / INERTIA)
    assert run.joint("hinge").force[0] == pytest.approx([0, 0, force], abs=1e-6)
    assert run.joint("hinge").unique


def test_names(run: pc.Results) -> None:
    assert np.shares_memory(run["hinge.force.z"], run["hinge.force"])
    assert np.array_equal(run["rod.z"], run["rod.position"][:, 2])
    assert "rod.position.x" in run and "nothing" not in run
    assert run.units["rod.velocity"] == "m/s" and run.parts("t") == []
    with pytest.raises(pc.NotFound) as caught:
        run["rod.positon"]
    assert caught.value.nearest == "rod.position" and isinstance(caught.value, KeyError)
    assert run.max("rod.position") == pytest.approx(0.5, abs=1e-9)
    assert run.min("rod.z") == run["rod.z"].min()


def test_arrays_cannot_be_written(run: pc.Results) -> None:
    for name in run:
        with pytest.raises(ValueError):
            run[name][...] = 0
    again = pickle.loads(pickle.dumps(run))
    assert all(np.array_equal(again[n], run[n], equal_nan=True) for n in run)
    with pytest.raises(ValueError):
        again["t"][0] = 1
    assert repr(again) == repr(run) and "hinge" in repr(run)


def test_between_rows(run: pc.Results) -> None:
    exact = pendulum().run(until=0.5, tol=1e-11, every="0.1s")
    for t, position, force in zip(exact.t, exact["rod.position"], exact["hinge.force"]):
        here = run.at(t)
        assert here.t[0] == pytest.approx(t, abs=1e-14)
        assert np.abs(here["rod.position"][0] - position).max() < 1e-7
        assert here["angle"][0] == pytest.approx(exact["angle"][np.searchsorted(exact.t, t)], abs=1e-7)
        assert np.abs(here["hinge.force"][0] - force).max() < 1e-4 * np.abs(force).max()
    with pytest.raises(pc.ModelError):
        run.at(0.6)


def test_rows_at_equal_times() -> None:
    r = pendulum().run(0.1, 1e-6, every="10ms")
    assert r.t == pytest.approx(np.linspace(0, 0.1, 11), abs=1e-12)
    fixed = pendulum().run(0.1, step=1e-3, every=10, method="gen-alpha", formulation="se3")
    assert len(fixed.t) == 11 and fixed.metadata["settings"]["formulation"] == "se3"


@pytest.mark.parametrize("kind", ["npz", "csv", "json"])
def test_files(run: pc.Results, tmp_path, kind: str) -> None:
    run.save(tmp_path / f"run.{kind}")
    again = pc.read(tmp_path / f"run.{kind}")
    assert again.names == run.names and again.units == run.units
    assert all(np.array_equal(again[n], run[n], equal_nan=True) for n in run)
    with pytest.raises(pc.FileError):
        pc.read(tmp_path / "nothing.npz")


def test_pandas(run: pc.Results) -> None:
    pytest.importorskip("pandas")
    df = run.to_pandas()
    assert df.index.name == "t" and np.array_equal(df["rod.z"], run["rod.z"])


def test_xarray(run: pc.Results) -> None:
    pytest.importorskip("xarray")
    ds = run.to_xarray()
    assert np.array_equal(ds["hinge.force"].sel(axis="z"), run["hinge.force.z"])
    assert ds["rod.velocity"].attrs["units"] == "m/s"


def test_plots(run: pc.Results) -> None:
    assert run.plot("rod.position", backend="html").html.lstrip().lower().startswith("<!doctype html")
    assert "<svg" in run.svg("hinge.force") and "<svg" in run._repr_html_()
    with pytest.raises(pc.NotFound):
        run.plot("nothing", backend="html")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = run.plot("rod.position", "hinge.force.z")
    assert len(axes) == 2 and len(axes[0].lines) == 3 and axes[1].get_xlabel() == "t, s"


def test_pages(run: pc.Results, tmp_path) -> None:
    for page in (run.view(), pendulum().view(until=0.2)):
        file = page.save(tmp_path / "page.html")
        assert file.stat().st_size > 10_000 and "<iframe" in page._repr_html_()


def test_four_hinges_without_velocities() -> None:
    r = four_bar().run(until=1, tol=1e-8)
    w = 2 * math.pi
    # By the instantaneous centres.
    assert np.linalg.norm(r["rocker.angular_velocity"][0]) == pytest.approx(4 * w / 9, rel=1e-9)
    assert np.linalg.norm(r["coupler.angular_velocity"][0]) == pytest.approx(w / 9, rel=1e-9)
    # After one turn everything is where it was, and lengths have not changed.
    assert np.abs(r["rocker.position"][-1] - r["rocker.position"][0]).max() < 1e-6
    assert not r.joint("A").unique


def test_failures_keep_what_was_reached() -> None:
    # The crank is longer than the loop lets it turn.
    long = pc.Model("reach", gravity=(0, 0, -G))
    long.bar("a", (0, 0, 0), (0, 0, 1.0), mass=1, radius=0.02)
    long.bar("b", (0, 0, 1.0), (0.8, 0, 0.6), mass=1, radius=0.02)
    long.bar("c", (0.8, 0, 0.6), (1, 0, 0), mass=1, radius=0.02)
    long.revolute("A", "ground", "a", point=(0, 0, 0), axis="y", drive="t")
    long.revolute("B", "a", "b", point=(0, 0, 1.0), axis="y")
    long.revolute("C", "b", "c", point=(0.8, 0, 0.6), axis="y")
    long.revolute("D", "ground", "c", point=(1, 0, 0), axis="y")
    with pytest.raises(pc.ConvergenceError) as caught:
        long.run(until=6, step=5e-3)
    results = caught.value.results
    assert results is not None and 0 < results.t[-1] < 6
    again = pickle.loads(pickle.dumps(caught.value))
    assert np.array_equal(again.results.t, results.t)


@pytest.mark.skipif(os.name == "nt", reason="signals of Windows are others")
def test_ctrl_c_keeps_what_was_reached() -> None:
    # Jobs in the background of a shell ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.perf_counter()
    with pytest.raises(pc.Interrupted) as caught:
        pendulum().run(until=1e4, tol=1e-6, every="1s")
    assert time.perf_counter() - begin < 5
    assert isinstance(caught.value, KeyboardInterrupt)
    results = caught.value.results
    assert results is not None and len(results.t) >= 1


def test_progress_is_told() -> None:
    seen: list[float] = []
    pendulum().run(until=100, tol=1e-6, every="1s", progress=seen.append)
    assert seen == sorted(seen)


def test_errors_in_callbacks_come_back() -> None:
    def wrong(t: float) -> None:
        raise ZeroDivisionError(t)

    with pytest.raises(ZeroDivisionError):
        pendulum().run(until=1e3, tol=1e-6, every="1s", progress=wrong)
