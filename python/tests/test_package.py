"""The package itself: its command, its types, the script of the book."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys

import pytest
from conftest import ROOT, four_bar

import precess as pc


def test_command(tmp_path) -> None:
    def precess(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "precess", *words], capture_output=True, text=True, cwd=tmp_path)

    assert pc.__version__ in precess("--version").stdout
    done = precess("run", str(ROOT / "models" / "pendulum.toml"), "--until", "0.1", "--out", "here.npz")
    assert done.returncode == 0, done.stderr
    assert pc.read(tmp_path / "here.npz").t[-1] == pytest.approx(0.1)
    assert precess("run", "nothing.toml").returncode == 2


@pytest.mark.parametrize("page", ["book/three-ways.md", "book/python.md", "book/sweeps.md"])
def test_code_of_pages(page: str, tmp_path) -> None:
    """Every block of Python, from top to bottom."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    assert blocks
    file = tmp_path / "page.py"
    file.write_text("\n".join(blocks))
    done = subprocess.run([sys.executable, str(file)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_file_of_the_readme_is_its_model() -> None:
    page = (ROOT / "README.md").read_text()
    (text, *_) = re.findall(r"^```toml\n(.*?)^```", page, re.M | re.S)
    a = pc.Model.from_toml(text).run(until=0.3, tol=1e-9)
    b = four_bar().run(until=0.3, tol=1e-9)
    for name in ("rocker.position", "A.torque", "B.force"):
        assert abs(a[name][-1] - b[name][-1]).max() < 1e-6 * max(1, abs(b[name]).max()), name


def test_everything_is_documented() -> None:
    for name in pc.__all__:
        thing = getattr(pc, name)
        assert isinstance(thing, str) or thing.__doc__, name
    assert "gen-alpha" in pc.methods()


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_types() -> None:
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_stub_is_that_of_the_module() -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "precess._precess", "--ignore-missing-stub", "--concise"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pyright is not installed")
def test_types_as_another_checker_sees_them() -> None:
    """The package alone, as editors see it."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "python/precess"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if "Error: unable to" in done.stderr or "npm error" in done.stderr:
        pytest.skip("pyright cannot fetch its program here")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("example", ["tour.py", "cart_pole.py"])
def test_examples(example: str, tmp_path) -> None:
    file = ROOT / "python" / "examples" / example
    done = subprocess.run([sys.executable, str(file)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout, done.stderr


def test_notebook(tmp_path) -> None:
    """The notebook is the script, and has been run; where notebooks can be run it is run again."""
    folder = ROOT / "python" / "examples"
    notebook = json.loads((folder / "tour.ipynb").read_text())
    code = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    blocks = re.split(r"^# %%.*$", (folder / "tour.py").read_text(), flags=re.M)
    assert all(any(c == b.strip("\n") for b in blocks) for c in code) and len(code) > 8, "write it again: tools/notebook"
    outputs = [c["outputs"] for c in notebook["cells"] if c["cell_type"] == "code"]
    assert sum(bool(o) for o in outputs) >= 8 and "1 degree of freedom, driven" in json.dumps(outputs)
    assert not any(o["output_type"] == "error" for list_ in outputs for o in list_)
    if any(importlib.util.find_spec(name) is None for name in ("nbclient", "nbformat", "ipykernel")):
        pytest.skip("nbclient and ipykernel are not installed")
    tool = [sys.executable, str(ROOT / "tools" / "notebook"), str(folder / "tour.py"), str(tmp_path / "tour.ipynb")]
    done = subprocess.run(tool, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
