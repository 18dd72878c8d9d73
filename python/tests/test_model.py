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


ARM = """<mujoco model="arm">
  <option gravity="0 0 -9.8"/>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" type="hinge" axis="0 1 0"/>
      <geom type="box" pos="0.2 0 0" size="0.2 0.02 0.03" mass="1.5"/>
    </body>
  </worldbody>
</mujoco>"""


def test_a_robot_of_mujoco(tmp_path) -> None:
    file = tmp_path / "arm.xml"
    file.write_text(ARM)
    m = pc.import_mjcf(file)
    assert m.import_report is not None and "contacts" in m.import_report["text"]
    inertia = 1.5 * (0.4**2 + 0.06**2) / 12 + 1.5 * 0.2**2
    sim = m.simulation(tol=1e-9)
    assert sim.coordinates == ["shoulder"]
    sim.advance(1e-3)
    assert sim.v[0] == pytest.approx(1e-3 * 1.5 * 9.8 * 0.2 / inertia, rel=1e-5)
    file.write_text(ARM.replace("<worldbody>", "<worldbod>"))
    with pytest.raises(pc.ModelError):
        pc.import_mjcf(file)


def test_files_that_cannot_be_read(tmp_path) -> None:
    for read in (pc.load, pc.import_urdf, pc.import_mjcf):
        with pytest.raises(pc.MissingFile, match="there is no file") as caught:
            read(tmp_path / "none.toml")
        assert isinstance(caught.value, (pc.Error, FileNotFoundError, pc.FileError))
        with pytest.raises(pc.FileError, match="cannot read"):
            read(tmp_path)
        (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(pc.FileError, match="not a text file"):
            read(tmp_path / "bytes")
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), pc.FileError)


def test_files_outside_the_folder_are_read_if_allowed(tmp_path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "torque.csv").write_text("0,1\n1,1\n")
    text = """
        tables = { torque = { file = "../torque.csv" } }
        body = [{ name = "rod", mass = 1, inertia = [1, 1, 1] }]
        joint = [{ name = "hinge", type = "revolute", bodies = ["ground", "rod"], point = [0, 0, 0], axis = "y" }]
        force = [{ name = "motor", type = "actuator", joint = "hinge", value = "torque(t)" }]
        sensor = [{ name = "angle", type = "coordinate", joint = "hinge" }]
    """
    file = tmp_path / "model" / "m.toml"
    file.write_text(text)
    with pytest.raises(pc.ModelError, match="own folder") as caught:
        pc.load(file).run(until=0.5)
    assert "--allow" not in str(caught.value) and "command" not in str(caught.value)
    m = pc.load(file, allow_outside=True)
    assert m.run(until=0.5, tol=1e-8)["angle"][-1] == pytest.approx(0.125, abs=1e-6)
    assert m.sweep({"integrator.tol": [1e-8]}, until=0.5, collect=["angle"])["angle"][0] == pytest.approx(0.125, abs=1e-6)
    assert pickle.loads(pickle.dumps(m)).simulation(tol=1e-6).t == 0


def test_numbers_that_are_not_finite_are_named() -> None:
    m = pc.Model("m")
    with pytest.raises(pc.ModelError, match="body.rod.mass = nan is not a finite number"):
        m.body("rod", mass=float("nan"), inertia=(1, 1, 1))
    with pytest.raises(pc.ModelError, match=r"body.rod.inertia\[1\] = inf"):
        m.body("rod", mass=1, inertia=(1, float("inf"), 1))
    with pytest.raises(pc.ModelError, match="parameters.w = nan") as caught:
        pc.Model("m", parameters={"w": np.nan}).check()
    assert caught.value.problems[0]["path"] == "parameters.w"
    with pytest.raises(pc.ModelError, match="body.rod.mass = -inf"):
        pc.Model.from_dict({"body": [{"name": "rod", "mass": -np.inf, "inertia": [1, 1, 1]}]})
    m.body("rod", mass=1, inertia=(1, 1, 1))
    with pytest.raises(pc.ModelError, match="(?i)nan|finite"):
        m.replace({"body.rod.mass": float("nan")}).check()


def test_empty_names_are_refused() -> None:
    for name in ("", "  "):
        with pytest.raises(pc.ModelError, match="the name is empty"):
            pc.Model("m").body(name, mass=1, inertia=(1, 1, 1)).check().problems or pc.Model("m").body(name, mass=1, inertia=(1, 1, 1)).run(until=0.1)


def test_messages_are_short_and_know_no_command_line() -> None:
    long = pc.Model("m").body("rod", mass="1 + " * 20_000 + "x", inertia=(1, 1, 1))
    with pytest.raises(pc.ModelError) as caught:
        long.run(until=0.1)
    assert len(str(caught.value)) < 6000
    plain = pc.Model("m", parameters={"w": 1}).body("rod", mass=1, inertia=(1, 1, 1))
    with pytest.raises(pc.ModelError) as caught:
        plain.replace({"parameters.w": "1 +"}).run(until=0.1)
    assert "command line" not in str(caught.value) and "--> the overrides" in str(caught.value)


def test_builder_methods_have_the_keys_of_their_type() -> None:
    """The core lists the keys of each type of force; a joint refuses the keys of others."""
    import inspect
    import re

    every = set(inspect.signature(pc.Model.force).parameters) - {"self", "name", "type"}
    words = [e["const"] for e in pc.schema()["$defs"]["ForceType"]["oneOf"] if e["const"] != "force"]
    for word in words:
        own = set(inspect.signature(getattr(pc.Model, word.replace("-", "_"))).parameters) - {"self", "name"}
        assert {"count", "enabled"} <= own <= every
        other = "axis" if "along" in own else "along"
        with pytest.raises(pc.ModelError) as caught:
            pc.Model("m").body("a", mass=1, inertia=(1, 1, 1)).force("f", word, **{other: "z"}).run(until=0.1)
        listed = re.search(rf"{word} has ([\w, ]+)", str(caught.value))
        assert listed is not None, caught.value
        assert set(listed[1].strip().split(", ")) == own - {"count", "enabled"}, word
    assert "pitch" not in inspect.signature(pc.Model.revolute).parameters
    with pytest.raises(TypeError):
        pc.Model("m").revolute("j", "ground", "a", point=(0, 0, 0), axis="y", pitch=1)  # type: ignore[call-arg]
