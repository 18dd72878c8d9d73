"""Models: built, read, written, checked."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, four_bar, pendulum

import precess as pc


def test_builder_has_the_words_of_the_schema() -> None:
    schema = json.dumps(pc.schema())
    tool = [sys.executable, str(ROOT / "tools" / "python-builder")]
    written = subprocess.run(tool, input=schema, capture_output=True, text=True, check=True).stdout
    file = ROOT / "python" / "precess" / "_builder.py"
    assert file.read_text() == written, "write it again: precess schema | tools/python-builder"


def test_check_counts_degrees_of_freedom() -> None:
    report = four_bar().check()
    assert report and report.runnable
    # A planar loop of four hinges has three redundant rows; the drive takes the one degree of freedom.
    assert (report.degrees_of_freedom, report.redundant_rows) == (0, 3)
    assert any("no velocities are given" in w for w in report.warnings)
    assert "crank" in repr(report) and "<pre>" in report._repr_html_()


def test_file_text_dict_and_builder_are_the_same_model(tmp_path, models) -> None:
    m = four_bar()
    m.save(tmp_path / "four_bar.toml")
    again = pc.load(tmp_path / "four_bar.toml")
    assert again == m and again.name == "four_bar"
    assert pc.Model.from_dict(m.to_dict()) == m
    assert pc.Model.from_toml(m.to_toml()) == m
    top = pc.load(models / "heavy_top.toml")
    assert top.to_toml() == (models / "heavy_top.toml").read_text()
    assert pickle.loads(pickle.dumps(top)) == top and copy.deepcopy(m) == m


def test_every_example_can_be_read_and_written_again(models) -> None:
    for file in sorted(models.glob("*.toml")):
        m = pc.load(file)
        assert pc.Model.from_dict(m.to_dict(), name=str(file)).to_dict()["body"] == m.to_dict()["body"], file


def test_units_stand_where_numbers_do() -> None:
    def bar(start, end, mass, radius):
        m = pc.Model("bar", points={"a": ["0 mm", 0, "10 mm"]})
        return m.bar("rod", start, end, mass=mass, radius=radius)

    plain = bar((0, 0, 0.01), (0.3, 0, 0.4), 0.5, 0.02).check().data
    for start, end in [("a", ("300 mm", 0, 0.4)), ((0, 0, "1 cm"), (0.3, 0, "40 cm")), ("a", ("0.3*1 m", 0, "400 mm"))]:
        assert bar(start, end, "500 g", "2 cm").check().data == plain
    with pytest.raises(pc.ModelError, match=r"is a mass \(kg\), but a length \(m\) is needed"):
        bar("a", (0.3, 0, 0.4), 0.5, "2 kg").check()


def test_set_gives_a_copy(models) -> None:
    top = pc.load(models / "heavy_top.toml", spin=120)
    other = top.set(spin=np.float64(130.5))
    assert other.to_dict()["parameters"]["spin"] == 130.5
    assert top.to_dict()["parameters"]["spin"] == 120
    assert top.replace({"body.top.mass": 3}).to_dict()["body"][0]["mass"] == 3
    assert top.with_settings(rho=0.7).to_dict()["integrator"]["rho"] == 0.7


def test_all_problems_at_once_with_their_places() -> None:
    text = '[[body]]\nname = "a"\nmass = -1\ninertia = [1, 1, 1]\n[[joint]]\nname = "j"\ntype = "revolut"\nbodies = ["ground", "a"]\n'
    with pytest.raises(pc.ModelError) as caught:
        pc.Model.from_toml(text)
    (problem,) = caught.value.problems
    assert problem["line"] == 7 and problem["path"] == "joint[0].type" and "revolute" in problem["message"]
    m = pc.Model("wrong")
    m.body("a", mass=-1, inertia=(1, 1, 1)).revolute("j", "ground", "b", point=(0, 0, 0), axis="y")
    with pytest.raises(pc.ModelError) as caught:
        m.run(1, 1e-6)
    paths = [p["path"] for p in caught.value.problems]
    assert "body[0].mass" in paths and any(p.startswith("joint[0]") for p in paths), paths
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, pc.Error)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.problems == caught.value.problems and str(again) == str(caught.value)


def test_wrong_words_are_refused() -> None:
    m = pendulum()
    with pytest.raises(pc.ModelError):
        m.set(nothing=1)
    with pytest.raises(pc.ModelError):
        m.run(1, 1e-6, step=1e-3)
    with pytest.raises(pc.ModelError, match="unknown setting 'roh'"):
        m.run(1, 1e-6, roh=0.8)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        m.revolute("j", "ground", "rod", pont=(0, 0, 0))  # type: ignore[call-arg]
    with pytest.raises(pc.ModelError):
        m.bar("b", (0, 0, 0), (0, 0, 0), mass=1, radius=0.1)


def test_start_errors_name_the_joint() -> None:
    m = pc.Model("open", gravity=(0, 0, -9.81), length_scale=1)
    m.body("a", mass=1, inertia=(1, 1, 1), velocity=(0, 1, 0))
    m.revolute("j", "ground", "a", point=(0, 0, 0), axis="y")
    with pytest.raises(pc.StartError) as caught:
        m.run(1, 1e-6)
    assert "j" in (caught.value.constraint or "") and caught.value.residual == pytest.approx(1, rel=1e-6)


def test_urdf(models) -> None:
    robots = sorted((ROOT / "crates" / "precess" / "tests" / "urdf").glob("**/*.urdf"))
    assert robots
    for file in robots:
        try:
            m = pc.import_urdf(file)
        except pc.ModelError:
            continue
        assert m.import_report is not None and "ignored" in m.import_report
        assert m.to_dict()["body"]
