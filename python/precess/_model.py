"""Models. Their data have the keys of model files."""

from __future__ import annotations

import copy
import inspect
import json
import math
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, cast

import numpy as np

from . import _precess
from ._builder import PLACES, Builder, Number, Settings
from ._code import CFunc
from ._errors import AnalysisError, FileError, Interrupted, MissingFile, ModelError, NotFound, PrecessWarning
from ._page import Page, quoted
from ._progress import bar
from ._results import Results

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Unpack

    from ._analysis import Assembly, Campbell, Equilibrium, Linear, Modes
    from ._simulation import Simulation
    from ._sweep import Table

__all__ = ["CheckReport", "Model", "import_mjcf", "import_urdf", "load"]

Own = tuple[str, str, list[float], Any, int, bool]
Source = tuple[str, str, list[str], list[Own], bool]
AXES = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}
Progress = "bool | Callable[[float], object]"


def plain(value: Any) -> Any:
    """Converts numpy values to plain numbers and lists. Entries that are None are omitted."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items() if v is not None}
    # Numbers of numpy are also floats, but print differently.
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (np.ndarray, Iterable)):
        return [plain(v) for v in value]
    return value


def finite(value: Any, path: str) -> None:
    """Refuses numbers that are not finite, with their place in the model."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ModelError(f"{path} = {value} is not a finite number", problems=[{"path": path, "message": f"{value} is not a finite number"}])
    if isinstance(value, Mapping):
        for key, entry in value.items():
            finite(entry, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            name = entry.get("name") if isinstance(entry, Mapping) else None
            finite(entry, f"{path}.{name}" if name else f"{path}[{i}]")


def word(value: Any) -> str:
    """The text of a value in an override."""
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    return json.dumps(value)


def has_words(point: Any) -> bool:
    """True for the name of a point and for coordinates with units or parameters."""
    return isinstance(point, str) or any(isinstance(x, str) for x in point)


def between(name: str, start: Any, end: Any) -> dict[str, Any]:
    """The length, position and rotation of a bar between two points, as expressions of the model."""
    a, b = ([f"{p}.{axis}" for axis in "xyz"] if isinstance(p, str) else [str(plain(x)) for x in p] for p in (start, end))
    if len(a) != 3 or len(b) != 3:
        raise ModelError(f"bar {name!r}: give two different points with three numbers each")
    along = [f"({y}) - ({x})" for x, y in zip(a, b)]
    return {
        "length": "sqrt(" + " + ".join(f"({d})^2" for d in along) + ")",
        "position": [f"(({x}) + ({y}))/2" for x, y in zip(a, b)],
        "rotation": {"x_along": along},
    }


class CheckReport:
    """A report about a model before it runs. It prints itself; `data` has all results."""

    def __init__(self, text: str, data: str) -> None:
        self.text = text
        self.data: dict[str, Any] = json.loads(data)
        self.runnable: bool = self.data["runnable"]
        self.degrees_of_freedom: int = self.data["degrees_of_freedom"]
        self.redundant_rows: int = self.data["redundant_rows"]
        self.warnings: list[str] = self.data["warnings"]
        self.problems: list[str] = self.data["problems"]

    def __bool__(self) -> bool:
        return self.runnable

    def __repr__(self) -> str:
        return "\n".join([self.text.rstrip(), *(f"error: {p}" for p in self.problems)])

    def _repr_html_(self) -> str:
        return f"<pre>{quoted(repr(self))}</pre>"


class Model(Builder):
    """A model with bodies, joints, forces and settings.

    The keys are those of model files. Methods such as `body`, `revolute` or `spring` add elements and return
    the model. `set` and `with_settings` return a changed copy."""

    def __init__(
        self,
        name: str = "model",
        *,
        gravity: Sequence[Number] | None = None,
        parameters: Mapping[str, Number] | None = None,
        inputs: Mapping[str, Number] | None = None,
        points: Mapping[str, Any] | None = None,
        tables: Mapping[str, Mapping[str, Any]] | None = None,
        description: str | None = None,
        length_scale: Number | None = None,
    ) -> None:
        block = {"name": name, "description": description, "gravity": gravity, "length_scale": length_scale}
        self._data: dict[str, Any] | None = {"model": plain(block)}
        for section, given in (("parameters", parameters), ("inputs", inputs), ("points", points), ("tables", tables)):
            if given:
                self._data[section] = plain(given)
        self._text = ""
        self._file = name
        self._overrides: list[str] = []
        self._own: list[Own] = []
        self._allow_outside = False
        self.folder: str | None = None
        """The folder of the meshes."""
        self.import_report: dict[str, Any] | None = None
        """The data that an import omitted or changed."""

    @classmethod
    def from_toml(cls, text: str, name: str = "model", *, allow_outside: bool = False) -> Model:
        """Makes a model from the text of a model file.

        Tables, meshes and parts are looked for in the folder of `name`. With `allow_outside` they may be
        anywhere; allow this only for models that you trust."""
        model = cls(name)
        model._data, model._text, model._allow_outside = None, text, allow_outside
        _precess.read_model(model._source())
        return model

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], name: str = "model") -> Model:
        """Makes a model from data with the keys of a model file: {"body": [...], "joint": [...], ...}."""
        model = cls(name)
        content: dict[str, Any] = plain(data)
        content.setdefault("model", {}).setdefault("name", name)
        model._data = content
        _precess.read_model(model._source())
        return model

    def to_dict(self) -> dict[str, Any]:
        """The content of the model file."""
        return dict(json.loads(_precess.read_model(self._source())))

    def to_toml(self) -> str:
        """The text of the model file. It cannot contain forces that are written in code."""
        if self._own:
            names = ", ".join(repr(own[0]) for own in self._own)
            raise ModelError(f"forces written in code cannot be written to a file: {names}")
        if self._data is None and not self._overrides:
            return self._text
        return _precess.to_toml(json.dumps(self.to_dict()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")

    def copy(self) -> Model:
        """A second model with the same content."""
        other = copy.copy(self)
        other._data = copy.deepcopy(self._data)
        other._overrides, other._own = list(self._overrides), list(self._own)
        return other

    @property
    def name(self) -> str:
        """The name of the model."""
        given = self.to_dict().get("model", {}).get("name")
        return str(given or Path(self._file).stem)

    def _source(self, more: Sequence[str] = ()) -> Source:
        text = self._text
        if self._data is not None:
            finite(self._data, "")
            text = _precess.to_toml(json.dumps(self._data))
        return (self._file, text, [*self._overrides, *more], self._own, self._allow_outside)

    def _add(self, section: str, entry: dict[str, Any]) -> Model:
        if self._data is None or self._overrides:
            self._data, self._overrides = self.to_dict(), []
        entry = plain(entry)
        finite(entry, f"{section}.{entry.get('name')}")
        for key in ("axis", "axis2"):
            if isinstance(entry.get(key), str):
                entry[key] = AXES.get(entry[key], entry[key])
        self._data.setdefault(section, []).append(entry)
        return self

    def bar(
        self,
        name: str,
        start: Sequence[Number] | str,
        end: Sequence[Number] | str,
        *,
        mass: Number,
        radius: Number,
    ) -> Model:
        """Adds a homogeneous round bar between two points. The x axis of the body is along the bar.

        A point is a list of three numbers, which may have units ("12 mm"), or the name of a point of the
        model."""
        if has_words(start) or has_words(end):
            shape = {"type": "cylinder", "radius": radius, "axis": "x"}
            place = between(name, start, end)
            return self.body(name, mass=mass, shape=shape | {"length": place.pop("length")}, **place)
        a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        length = float(np.linalg.norm(b - a))
        if a.shape != (3,) or b.shape != (3,) or not length > 0:
            raise ModelError(f"bar {name!r}: give two different points with three numbers each")
        x = (b - a) / length
        across = np.cross(x, [0.0, 0.0, 1.0] if abs(x[2]) < 0.9 else [1.0, 0.0, 0.0])
        shape = {"type": "cylinder", "radius": radius, "length": length, "axis": "x"}
        rotation = {"x_axis": x.tolist(), "y_axis": across.tolist()}
        return self.body(name, mass=mass, shape=shape, position=((a + b) / 2).tolist(), rotation=rotation)

    def callback(
        self, name: str, on: str, *, point: Sequence[float], function: Callable[..., Any] | CFunc | None = None
    ) -> Any:
        """Adds a force at a point of a body, and a torque, as a Python function.

        Without a function it is a decorator.

            @m.callback("wind", on="rod", point=(0, 0, 1))
            def wind(t, x, v, R):
                return -0.3 * np.linalg.norm(v) * v

        The arguments are the time, the position and velocity of the point, and the rotation matrix of the
        body. The angular velocity is a fifth argument if the function has one. All are in the inertial frame.
        The function returns a force, or (force, torque). `cfunc` makes such a function of compiled code.

        The function is called several times in every step. A call costs one or two microseconds in addition
        to its own time. A formula or an `input` costs less. The result must depend only on the arguments,
        because steps may be repeated."""

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            place = [float(x) for x in point]
            if len(place) != 3:
                raise ModelError(f"{name!r}: a point has three numbers")
            address = function.address if isinstance(function, CFunc) else 0
            self._own.append((name, on, place, function, address, address == 0 and _wants_omega(function)))
            return function

        return add if function is None else (add(function), self)[1]

    def set(self, **parameters: Number) -> Model:
        """A copy with other values of parameters."""
        return self.replace({f"parameters.{name}": value for name, value in parameters.items()})

    def replace(self, entries: Mapping[str, Any]) -> Model:
        """A copy with other entries, by path: {"body.top.mass": 2, "run.until": 3}."""
        other = self.copy()
        other._overrides += [f"{path}={word(value)}" for path, value in entries.items()]
        _precess.read_model(other._source())
        return other

    def with_settings(
        self,
        *,
        until: Number | None = None,
        tol: Number | None = None,
        step: Number | None = None,
        every: Number | None = None,
        **settings: Unpack[Settings],
    ) -> Model:
        """A copy with other settings for runs."""
        other = self.copy()
        other._overrides += overrides(until, tol, step, every, settings)
        return other

    def check(self) -> CheckReport:
        """Checks the model: degrees of freedom, redundant rows, initial residuals, settings and problems."""
        return CheckReport(*_precess.check(self._source()))

    def run(
        self,
        until: Number | None = None,
        tol: Number | None = None,
        *,
        step: Number | None = None,
        every: Number | None = None,
        progress: bool | Callable[[float], object] = False,
        **settings: Unpack[Settings],
    ) -> Results:
        """Runs the model up to `until` with the tolerance `tol`, or with steps of size `step`.

        Settings that are not given are those of the model.

        every: the rows that are kept, 10 for every tenth step, "2ms" for equal times.
        progress: True for a bar, or a function that receives the time.

        A run that fails raises ConvergenceError. Ctrl-C raises Interrupted. Both have the results so far."""
        source = self._source(overrides(until, tol, step, every, settings))
        with bar(progress, until) as tell:
            columns, metadata, text, report, notices, raised = _precess.run(source, tell)
        for notice in notices:
            warnings.warn(notice, PrecessWarning, stacklevel=2)
        results = Results(columns, metadata, text, report)
        if raised is None:
            return results
        if isinstance(raised, KeyboardInterrupt):
            raised = Interrupted(f"stopped at t = {results.t[-1] if len(results.t) else 0.0} s")
        if hasattr(raised, "results"):
            raised.results = results
        raise raised

    def sweep(
        self,
        vary: Mapping[Any, Any] | None = None,
        *,
        until: Number | None = None,
        tol: Number | None = None,
        step: Number | None = None,
        collect: Sequence[str] = (),
        series: Sequence[str] = (),
        every: Number | None = None,
        samples: int | None = None,
        sampling: str = "random",
        seed: int = 0,
        threads: int = 0,
        executor: Executor | None = None,
        batches: int | None = None,
        save: str | os.PathLike[str] | None = None,
        progress: bool | Callable[[float], object] = False,
        **values: Any,
    ) -> Table:
        """Runs the model with all combinations of values, on all cores. A failed run is a row with its error.

        vary, values: the varied parameters (by name) or other entries (by path), each with its values. With
            `samples`, a pair (low, high) is an interval, and `sampling` chooses the points: "random" or
            "lhs". Names in a tuple change together: `vary={("mass", "length"): [(1, 0.5), (2, 0.7)]}`.
        collect: the collected quantities: "slider" (a sensor), "top.position", "max:hinge.force",
            "energy_drift". The default is all sensors.
        series: quantities to keep over time instead, "slider" or "top.position", at equal times `every`. They
            are in `table.series`, with the run as their first axis and the time as the second, and their times
            in `table.t`.
        executor: any executor of concurrent.futures, for example that of a Dask client. The rows are the same
            to the bit. If the connection to the executor is lost, ClusterError has the finished rows.
        batches: the number of tasks for the executor.
        save: a .csv file for the table. It is also written if the connection is lost."""
        from ._sweep import sweep

        plan = (dict(vary or {}) | values, list(collect), samples, sampling, seed)
        source = self._source(overrides(until, tol, step, every, {}))
        return sweep(source, plan, list(series), every, threads, executor, batches, save, progress)

    def simulation(self, tol: Number | None = None, *, step: Number | None = None, **settings: Unpack[Settings]) -> Simulation:
        """Makes a simulation that is advanced step by step, for control loops."""
        from ._simulation import Simulation

        return Simulation(self, tol, step=step, **settings)

    def equilibrium(self, *, kind: str = "stable", t: float = 0.0) -> Equilibrium:
        """Finds the equilibrium nearest to the initial positions; `kind` is "stable" or "any"."""
        from ._analysis import Equilibrium, choice

        return Equilibrium(*_precess.equilibrium(self._source(), choice("kind", kind), float(t)))

    def assemble(self, *, keep: Sequence[str] = (), weights: Mapping[str, float] | None = None) -> Assembly:
        """Closes the joints of rough positions: bodies move and turn as little as possible.

        keep: bodies that do not move.
        weights: bodies with a larger weight than 1 move less.

        The result prints how far bodies have moved. Its `model` begins in the closed positions."""
        from ._analysis import Assembly

        given = [(str(k), float(x)) for k, x in (weights or {}).items()]
        text, data, notices = _precess.assemble(self._source(), given, list(keep))
        for notice in notices:
            warnings.warn(notice, PrecessWarning, stacklevel=2)
        keys = ("position", "rotation", "velocity", "angular_velocity")
        bodies = json.loads(data)["bodies"]
        closed = self.starting_at({name: {k: body[k] for k in keys} for name, body in bodies.items()})
        # Points of the file may be apart.
        return Assembly(text, data, closed.replace({"run.assemble": True}))

    def kinematics(self, until: Number | None = None, *, steps: int = 100) -> Results:
        """Moves a driven mechanism without dynamics, in equal parts of the time.

        The drives must prescribe the whole motion. The results have positions, velocities, accelerations,
        forces and torques of joints, and those of the drives ("drive NAME"). At a dead point that the drives
        cannot pass, AnalysisError has the results so far."""
        if isinstance(steps, bool) or not isinstance(steps, int) or steps < 1:
            raise ModelError(f"steps = {steps!r} is not a positive whole number")
        source = self._source(overrides(until, None, None, None, {}))
        columns, metadata, text, data, notes, stopped = _precess.kinematics(source, steps)
        for note in notes:
            warnings.warn(note, PrecessWarning, stacklevel=2)
        results = Results(columns, metadata, text, data)
        if stopped is not None:
            error = AnalysisError(stopped)
            error.results = results
            raise error
        return results

    def campbell(
        self, parameter: str, values: Sequence[float], *, orders: Sequence[float] = (1.0,), frame: str = "auto", n: int | None = None
    ) -> Campbell:
        """The modes of a rotor over a parameter that sets its speed, and its critical speeds.

        values: increasing values of the parameter.
        orders: excitations per turn whose critical speeds are looked for.
        frame: "auto", "fixed" or "rotating": where the linear equations have constant coefficients.
        n: the number of modes in the printed table; `data` and the arrays have all."""
        from ._analysis import Campbell

        given = np.asarray(values, dtype=float)
        if given.ndim != 1 or len(given) < 2 or not (np.diff(given) > 0).all():
            raise ModelError(f"{parameter}: a Campbell diagram needs two or more increasing values")
        wanted = [float(x) for x in orders]
        if not all(math.isfinite(x) and x > 0 for x in wanted):
            raise ModelError(f"orders={wanted}: give positive numbers of excitations per turn")
        most = 2**31 if n is None else int(n)
        return Campbell(*_precess.campbell(self._source(), parameter, given.tolist(), wanted, frame, most))

    def starting_at(self, state: Simulation | Results | Mapping[str, Any] | str | os.PathLike[str]) -> Model:
        """A copy whose runs begin at another state.

        state: a simulation, the last row of results, a file of results, or for each body a dictionary with
            `position`, `rotation`, `velocity` and `angular_velocity`. Points and axes of joints and forces stay
            fixed in their bodies."""
        from ._analysis import starts

        other = self.copy()
        data = other.to_dict()
        data["start"] = data.get("start", {}) | starts(state, [b["name"] for b in data.get("body", [])])
        other._data, other._overrides = data, []
        return other

    def _place(self, at: str, kind: str, state: object) -> tuple[Source, tuple[str, str]]:
        from ._analysis import choice

        place = (choice("at", at), choice("kind", kind))
        if state is None:
            if at == "state":
                raise ModelError('at="state" needs a state: a simulation, results, a file of results, or positions of bodies')
            return self._source(), place
        # A state alone means: there.
        return self.starting_at(cast("Any", state))._source(), ("state", kind) if at == "equilibrium" else place

    def modes(
        self,
        n: int = 6,
        *,
        at: str = "equilibrium",
        kind: str = "stable",
        state: Simulation | Results | Mapping[str, Any] | str | os.PathLike[str] | None = None,
        near: float | None = None,
    ) -> Modes:
        """Finds the modes: the lowest n, or those nearest to the frequency `near` in Hz.

        at: where to linearise. "equilibrium" (of this `kind`, "stable" or "any"), "steady" (a rotation), "initial"
            (the initial positions and velocities, which must be at rest or in steady rotation), or "state".
        state: positions and velocities to use instead of the initial ones: a simulation, the last row of results, a
            file of results, or for each body a dictionary with `position`, `rotation`, `velocity` and
            `angular_velocity`."""
        from ._analysis import Modes

        source, place = self._place(at, kind, state)
        given = (source, place, n, near)
        return Modes(*_precess.modes(*given), *given, self.folder)

    def linearize(
        self,
        inputs: Sequence[str],
        outputs: Sequence[str] = (),
        *,
        at: str = "equilibrium",
        kind: str = "stable",
        state: Simulation | Results | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    ) -> Linear:
        """The linear equations about a state; `at`, `kind` and `state` are those of `modes`.

        The stable equilibrium, which is the default, can be far from the initial positions: a pendulum on its head
        hangs there. The result says where it is (`state`).

        About rest, the states are the joint coordinates and their rates if these describe all motions. Each is
        the difference from its value at that state. So `K @ np.concatenate([sim.q, sim.v])` needs a simulation
        whose coordinates are the states; `states` has their names.

        inputs: names of joints, actuators and drives, components of forces ("wind.x"), or inputs that formulas
            read ("u" for `input("u")`).
        outputs: names of sensors. The default is all sensors; a model needs none."""
        from ._analysis import Linear

        return Linear(*_precess.linearize(*self._place(at, kind, state), list(inputs), list(outputs)))

    def without_drive(self, *joints: str) -> Model:
        """A copy in which these joints have no drives. Without names, no joint has a drive."""
        data = self.to_dict()
        driven = [j for j in data.get("joint", []) if "drive" in j]
        for name in joints:
            if name not in [j["name"] for j in driven]:
                known = [j["name"] for j in driven]
                raise NotFound(f"no drive at joint {name!r}; driven: {', '.join(known) or 'none'}", name=name, known=known)
        for joint in driven:
            if not joints or joint["name"] in joints:
                joint.pop("drive")
                joint.pop("drive_enabled", None)
        other = self.copy()
        other._data, other._overrides = data, []
        return other

    def view(self, until: Number | None = None, tol: Number | None = None, *, step: Number | None = None) -> Page:
        """Runs the model and makes a page with the mechanism in motion."""
        return Page(_precess.view_model(self._source(overrides(until, tol, step, None, {})), self.folder))

    def __repr__(self) -> str:
        data = self.to_dict()
        counts = [(s, len(data.get(s, []))) for s in ("body", "joint", "gear", "constraint", "state", "algebraic", "force", "control", "sensor", "event")]
        words = [f"{n} {'bodies' if s == 'body' and n > 1 else s + ('s' if n > 1 else '')}" for s, n in counts if n]
        return f"<Model {self.name}: {', '.join(words) or 'empty'}>"

    def _repr_html_(self) -> str:
        return f"<pre>{quoted(repr(self))}\n\n{quoted(str(self.check().data['graph']))}</pre>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_dict() == other.to_dict() and self._own == other._own

    __hash__ = None  # type: ignore[assignment]


def _wants_omega(function: Callable[..., Any]) -> bool:
    """True if the fifth argument is the angular velocity, not a default of the user such as `k=k`."""
    try:
        given = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    placed = [p for p in given if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(placed) > 4 and (placed[4].default is inspect.Parameter.empty or placed[4].name == "omega")


def overrides(until: Any, tol: Any, step: Any, every: Any, settings: Mapping[str, Any]) -> list[str]:
    """Converts settings to overrides. A step replaces a tolerance, and a tolerance replaces a step."""
    if tol is not None and step is not None:
        raise ModelError("give tol or step, not both")
    given = {} if until is None else {"run.until": until}
    if tol is not None:
        given |= {"integrator.tol": tol, "run.step": "off"}
    if step is not None:
        given |= {"run.step": step, "integrator.tol": "off"}
    if every is not None:
        given["output.every"] = every
    for key, value in settings.items():
        if key not in PLACES:
            raise ModelError(f"unknown setting {key!r}; known: {', '.join(PLACES)}")
        if value is not None:
            given[PLACES[key]] = value
    return [f"{path}={word(value)}" for path, value in given.items()]


def text_of(path: str | os.PathLike[str]) -> str:
    """The text of a file, or an error of this package."""
    file = os.fspath(path)
    try:
        return Path(file).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise MissingFile(f"there is no file {file}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"{file} is not a text file (UTF-8)") from error
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror or error}") from error


def load(path: str | os.PathLike[str], *, allow_outside: bool = False, **parameters: Number) -> Model:
    """Reads a model file and changes the values of its parameters.

    A model reads tables, meshes and parts in its own folder only. With `allow_outside` it may read any file;
    allow this only for models that you trust."""
    model = Model.from_toml(text_of(path), os.fspath(path), allow_outside=allow_outside)
    model.folder = str(Path(path).parent)
    return model.set(**parameters) if parameters else model


def _imported(path: str | os.PathLike[str], found: tuple[str, str]) -> Model:
    text, report = found
    model = Model.from_toml(text, Path(path).stem)
    model.folder = str(Path(path).parent)
    model.import_report = json.loads(report)
    return model


def import_urdf(
    path: str | os.PathLike[str],
    *,
    floating_base: bool = False,
    merge_fixed: bool = False,
    joints: Mapping[str, float] | None = None,
) -> Model:
    """Reads a robot described in URDF.

    `model.import_report` lists the data that were omitted; `joints` has initial values by name."""
    given = [(k, float(v)) for k, v in (joints or {}).items()]
    return _imported(path, _precess.import_urdf(os.fspath(path), text_of(path), floating_base, merge_fixed, given))


def import_mjcf(path: str | os.PathLike[str]) -> Model:
    """Reads a model described in MJCF, the format of MuJoCo, in its reference pose.

    `model.import_report` lists the data that were omitted, contacts among them."""
    return _imported(path, _precess.import_mjcf(os.fspath(path), text_of(path)))
