"""Ctrl-C is KeyboardInterrupt everywhere, and what there is is kept."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import precess as pc

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of Windows are others")


def rod() -> pc.Model:
    m = pc.Model("rod", gravity=(0, 0, -9.81), parameters={"g": 9.81})
    m.bar("rod", (0, 0, 0), (1, 0, 0), mass=2.0, radius=0.02)
    m.revolute("hinge", "ground", "rod", point=(0, 0, 0), axis="y")
    m.sensor("angle", "coordinate", joint="hinge")
    return m


def interrupted(action: Callable[[], Any], after: float = 0.4) -> BaseException:
    """What Ctrl-C makes of an action that takes long. The interruption is fast."""
    # Jobs in the background of a shell ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt) as caught:
        try:
            action()
        finally:
            timer.cancel()
    assert time.perf_counter() - begin < after + 3
    # Nobody swallows it by mistake.
    assert not isinstance(caught.value, pc.CallbackError)
    return caught.value


def weak(t: float, x: Any, v: Any, R: Any) -> tuple[float, float, float]:
    return (0, 0, -0.01)


def test_simulations() -> None:
    for model in (rod(), rod().callback("weak", on="rod", point=(1, 0, 0), function=weak)):
        s = pc.Simulation(model.with_settings(tol=1e-6))
        interrupted(lambda: s.advance(1e4))
        t, state = s.t, s.body("rod").position.copy()
        assert 0 < t < 1e4 and np.isfinite(state).all()
        assert abs(np.linalg.norm(state) - 0.5) < 1e-9
        assert s.advance(0.01) == t + 0.01


def test_runs_with_callbacks() -> None:
    model = rod().callback("weak", on="rod", point=(1, 0, 0), function=weak)
    raised = interrupted(lambda: model.run(until=1e3, tol=1e-6, every="1ms"), after=1.5)
    assert isinstance(raised, pc.Interrupted)
    assert raised.results is not None and 0 < raised.results.t[-1] < 1e3
    assert len(raised.results["angle"]) == len(raised.results.t)


def test_sweeps(tmp_path: Path) -> None:
    values = np.linspace(9, 10, 2000)
    # The last run alone would take hours.
    untils = [*np.linspace(0.1, 0.2, 40), 1e7]
    for threads in (1, 2):
        file = tmp_path / f"kept{threads}.csv"
        raised = interrupted(lambda: rod().sweep({"until": untils}, tol=1e-6, collect=["angle"], threads=threads, save=file))
        assert isinstance(raised, pc.Interrupted)
        table = raised.table
        assert table is not None and table.finished == 40 and table.errors == {40: "not done"}
        assert np.isfinite(table["angle"][:40]).all()
        assert len(file.read_text().splitlines()) == 42
        again = pickle.loads(pickle.dumps(raised))
        assert np.array_equal(again.table["angle"], table["angle"], equal_nan=True)
    with ThreadPoolExecutor(1) as executor:
        raised = interrupted(lambda: rod().sweep({"g": values}, until=5, tol=1e-8, executor=executor, batches=200))
        assert isinstance(raised, pc.Interrupted) and raised.table is not None
        assert raised.table.finished < 2000


def test_a_default_argument_stays() -> None:
    seen: list[Any] = []

    def force(t: float, x: Any, v: Any, R: Any, k: float = 0.25) -> tuple[float, float, float]:
        seen.append(k)
        return (0, 0, 0)

    rod().callback("f", on="rod", point=(0, 0, 0), function=force).run(until=0.01, tol=1e-4)
    assert set(seen) == {0.25}
    with_omega: list[Any] = []

    def turning(t: float, x: Any, v: Any, R: Any, omega: Any = None) -> tuple[float, float, float]:
        with_omega.append(np.array(omega))
        return (0, 0, 0)

    for function in (turning, lambda t, x, v, R, w: turning(t, x, v, R, w)):
        with_omega.clear()
        rod().callback("f", on="rod", point=(0, 0, 0), function=function).run(until=0.1, tol=1e-4)
        assert all(w.shape == (3,) for w in with_omega) and abs(with_omega[-1][1]) > 0.1
