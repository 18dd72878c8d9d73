"""Sweeps on a cluster of Dask: two processes here."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest
from conftest import ROOT

import precess as pc

distributed = pytest.importorskip("distributed")


@pytest.mark.skipif(os.name == "nt", reason="signals of Windows are others")
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_loses_nothing() -> None:
    top = pc.load(ROOT / "models" / "heavy_top.toml")
    settings = {"spin": np.linspace(100, 200, 2000), "until": 0.05, "step": 1e-3, "collect": ["top.position"]}
    here = top.sweep(**settings)
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        victim = next(iter(client.run(os.getpid).values()))
        killed = threading.Event()

        def kill(done: float) -> None:
            if not killed.is_set():
                killed.set()
                os.kill(victim, signal.SIGKILL)

        there = top.sweep(**settings, executor=client.get_executor(), batches=16, progress=kill)
    assert killed.is_set() and there.runs == 2000
    assert all(np.array_equal(here[name], there[name]) for name in here)
