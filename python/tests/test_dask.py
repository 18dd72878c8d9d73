"""Sweeps on a cluster of Dask: two processes here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
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


CLUSTER = """
import time
from distributed import LocalCluster
if __name__ == "__main__":
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with LocalCluster(**options) as cluster:
        print(cluster.scheduler_address, flush=True)
        time.sleep(120)
"""


@pytest.fixture
def cluster(tmp_path):
    """A scheduler with two workers in other processes: its process and its address."""
    file = tmp_path / "cluster.py"
    file.write_text(CLUSTER)
    process = subprocess.Popen([sys.executable, str(file)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield process, process.stdout.readline().strip()
    process.kill()
    process.wait()


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_goes_away_is_a_clear_error(cluster, tmp_path) -> None:
    process, address = cluster
    top = pc.load(ROOT / "models" / "heavy_top.toml")
    client = distributed.Client(address, timeout=20)
    spin = np.linspace(100, 200, 2000)

    def kill(done: float) -> None:
        if done > 100:
            process.kill()

    with pytest.raises(pc.ClusterError, match="went away") as caught:
        top.sweep(spin=spin, until=0.2, step=1e-3, collect=["top.position"], executor=client.get_executor(), batches=40,
                  save=tmp_path / "table.csv", progress=kill)  # fmt: skip
    client.close(timeout=1)
    table = caught.value.table
    assert 100 < table.finished < 2000 and len(table.errors) == 2000 - table.finished
    # What was done is right, and saved.
    done = np.flatnonzero(~np.isnan(table["top.position.x"]))
    here = top.sweep(spin=spin[done], until=0.2, step=1e-3, collect=["top.position"])
    assert np.abs(here["top.position.x"] - table["top.position.x"][done]).max() < 1e-12
    lines = (tmp_path / "table.csv").read_text().splitlines()
    assert len(lines) == 2001 and sum("not done" in line for line in lines) == 2000 - table.finished


def test_the_command_line_with_a_cluster(cluster, tmp_path) -> None:
    _, address = cluster
    words = ["sweep", str(ROOT / "models" / "heavy_top.toml"), "--until", "0.02", "--step", "1e-3", "--vary", "spin=100:200:200"]
    words += ["--collect", "top.position", "max:tip.force"]

    def precess(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "precess", *words, *more]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)

    assert precess("-o", "here.csv").returncode == 0
    done = precess("--dask", address, "-o", "there.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here.csv").read_text() == (tmp_path / "there.csv").read_text()
    lost = precess("--dask", "tcp://127.0.0.1:9")
    assert lost.returncode == 2 and "no scheduler answers" in lost.stderr, lost.stderr
