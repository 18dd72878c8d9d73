"""Results of a run: named arrays that cannot be changed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _precess
from ._errors import ModelError, NotFound
from ._page import Page, quoted

if TYPE_CHECKING:
    import pandas
    import xarray

__all__ = ["BodyHistory", "JointHistory", "Results", "read"]

Array = NDArray[np.float64]
Columns = list[tuple[str, str, list[str], Array]]
AXES = {3: "xyz", 4: "wxyz"}


class BodyHistory:
    """The motion of a body over time."""

    def __init__(self, results: Results, name: str) -> None:
        self.name = name
        self.position: Array = results[f"{name}.position"]
        """The centre of mass in m."""
        self.rotation: Array = results[f"{name}.rotation"]
        """The unit quaternion (w, x, y, z) from the body frame to the inertial frame."""
        self.velocity: Array = results[f"{name}.velocity"]
        """The velocity of the centre of mass in m/s."""
        self.angular_velocity: Array = results[f"{name}.angular_velocity"]
        """The angular velocity in the body frame, in rad/s."""


class JointHistory:
    """The force and torque of a joint on its second body over time."""

    def __init__(self, results: Results, name: str) -> None:
        self.name = name
        self.force: Array = results[f"{name}.force"]
        """The force in the inertial frame, in N."""
        self.torque: Array = results[f"{name}.torque"]
        """The torque about the point of the joint in the inertial frame, in N m."""
        about = results.report.get("joints", {}).get(name, {})
        self.unique: bool = bool(about.get("unique", True))
        """False if a rigid model determines only the sum over several joints."""


class Results(Mapping[str, Array]):
    """Columns by name: `t`, `rod.position`, `hinge.force`, sensors, `energy`, ...

    Components of a vector also have names: `hinge.force.y` is a column of `hinge.force`. Arrays are read-only
    views."""

    def __init__(self, columns: Columns, metadata: str, text: str = "", report: str = "{}") -> None:
        self._columns: dict[str, Array] = {}
        self._parts: dict[str, list[str]] = {}
        self.units: dict[str, str] = {}
        """The units of the columns."""
        for name, unit, parts, values in columns:
            values.flags.writeable = False
            self._columns[name] = values
            self._parts[name] = parts
            self.units[name] = unit
        self._metadata = metadata
        self._text = text
        self.report: dict[str, Any] = json.loads(report)
        """The summary of the run, as `precess run --json` prints it."""

    @property
    def metadata(self) -> dict[str, Any]:
        """The model, the settings and the summary. They are enough to repeat the run."""
        return dict(json.loads(self._metadata))

    @property
    def t(self) -> Array:
        """The times in s."""
        return self._columns["t"] if "t" in self._columns else np.zeros(0)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def parts(self, name: str) -> list[str]:
        """The names of the components of a vector. The list is empty for a number."""
        return list(self._parts[name])

    def __getitem__(self, name: str) -> Array:
        if name in self._columns:
            return self._columns[name]
        for column, parts in self._parts.items():
            if name in parts:
                return self._columns[column][:, parts.index(name)]
        owner, _, axis = name.rpartition(".")
        if owner in self._columns and self._columns[owner].ndim == 2:
            axes = AXES.get(self._columns[owner].shape[1], "")
            if len(axis) == 1 and axis in axes:
                return self._columns[owner][:, axes.index(axis)]
        import difflib

        nearest = difflib.get_close_matches(name, self._columns, n=1)
        hint = f", did you mean {nearest[0]!r}?" if nearest else ""
        message = f"unknown quantity {name!r}{hint} Known: {', '.join(self._columns)}"
        raise NotFound(message, name=name, nearest=nearest[0] if nearest else None, known=self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, name: object) -> bool:
        try:
            self[str(name)]
        except NotFound:
            return False
        return True

    def body(self, name: str) -> BodyHistory:
        """The body with this name."""
        return BodyHistory(self, name)

    def joint(self, name: str) -> JointHistory:
        """The joint with this name."""
        return JointHistory(self, name)

    def max(self, name: str) -> float:
        """The largest value of a column. For a vector, its largest length."""
        values = self[name]
        return float(values.max() if values.ndim == 1 else np.linalg.norm(values, axis=1).max())

    def min(self, name: str) -> float:
        """The smallest value of a column. For a vector, its smallest length."""
        values = self[name]
        return float(values.min() if values.ndim == 1 else np.linalg.norm(values, axis=1).min())

    def at(self, t: float) -> Results:
        """The solution at a time between two rows, as results with one row.

        If every step was kept, it is as accurate as the run itself."""
        rows = self.t
        if not rows[0] <= t <= rows[-1]:
            raise ModelError(f"t = {t} is not between {rows[0]} and {rows[-1]}")
        last = min(int(np.searchsorted(rows, t, side="left")), len(rows) - 1)
        first = max(last - 1, 0)
        source = self.metadata
        state = [self._columns[k] for k in ("q", "v", "vdot", "lambda")]
        pair = [(float(rows[i]), *(x[i].tolist() for x in state)) for i in (first, last)]
        model: tuple[str, str, list[str], list[Any], bool] = (source["model"], source["model_text"], source["overrides"], [], False)
        columns = _precess.at(model, pair, float(t))
        for name, unit, _, value in columns:
            if unit == "rad" and value.ndim == 1 and name in self._columns:
                # Rotations have no whole turns, so these are taken from the rows.
                near = float(np.interp(t, rows[[first, last]], self._columns[name][[first, last]]))
                value += 2 * np.pi * np.round((near - value) / (2 * np.pi))
        return Results(columns, self._metadata)

    def _given(self) -> tuple[Columns, str]:
        return [(n, self.units[n], self._parts[n], x) for n, x in self._columns.items()], self._metadata

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file: .npz, .csv or .json."""
        _precess.write(os.fspath(path), *self._given())

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas table with one column per number and t as its index."""
        import pandas

        table: dict[str, Array] = {}
        for name, values in self._columns.items():
            if values.ndim == 1:
                table[name] = values
            else:
                table.update({part: values[:, k] for k, part in enumerate(self._parts[name])})
        return pandas.DataFrame(table).set_index("t")

    def to_xarray(self) -> xarray.Dataset:
        """An xarray dataset with the coordinates t and axis. The units are attributes."""
        import xarray

        variables: dict[str, Any] = {}
        for name, values in self._columns.items():
            if name == "t":
                continue
            dims: tuple[str, ...] = ("t",)
            if values.ndim == 2:
                dims = ("t", {3: "axis", 4: "quaternion"}.get(values.shape[1], f"{name}.entry"))
                if name in ("q", "v", "vdot", "lambda"):
                    dims = ("t", f"{name}.entry")
            variables[name] = (dims, values, {"units": self.units[name]})
        coordinates: dict[str, Any] = {"t": ("t", self.t, {"units": "s"})}
        used = {d for dims, _, _ in variables.values() for d in dims}
        if "axis" in used:
            coordinates["axis"] = list("xyz")
        if "quaternion" in used:
            coordinates["quaternion"] = list("wxyz")
        return xarray.Dataset(variables, coordinates, attrs={"model": self.metadata["model"]})

    def _short(self, name: str) -> str:
        """The name of a component in files and pictures: A.torque.y is A.my."""
        owner, _, axis = name.rpartition(".")
        parts = self._parts.get(owner, [])
        axes = AXES.get(len(parts), "")
        return parts[axes.index(axis)] if len(axis) == 1 and axis in axes and name not in self._columns else name

    def plot(self, *names: str, backend: str | None = None) -> Any:
        """Plots quantities over time, each in its own panel.

        Returns the axes of matplotlib if it is installed, and a page otherwise. `backend` is "matplotlib" or
        "html". Without names, it returns the page of `precess plot`."""
        if backend is None:
            try:
                import matplotlib  # noqa: F401
            except ImportError:
                backend = "html"
            else:
                backend = "matplotlib" if names else "html"
        if backend == "html":
            columns, metadata = self._given()
            return Page(_precess.plot(columns, metadata, [self._short(n) for n in names], "html").decode())
        import matplotlib.pyplot as plt

        _, axes = plt.subplots(len(names), 1, sharex=True, squeeze=False)
        for ax, name in zip(axes[:, 0], names):
            values = self[name]
            labels = self._parts.get(name) or [name]
            for k, label in enumerate(labels):
                ax.plot(self.t, values if values.ndim == 1 else values[:, k], label=label)
            unit = self.units.get(name, "")
            ax.set_ylabel(f"{name}, {unit}" if unit else name)
            if values.ndim == 2:
                ax.legend()
        axes[-1, 0].set_xlabel("t, s")
        return axes[0, 0] if len(names) == 1 else axes[:, 0]

    def svg(self, *names: str) -> str:
        """The same plot as an SVG picture."""
        columns, metadata = self._given()
        return _precess.plot(columns, metadata, [self._short(n) for n in names], "svg").decode()

    def view(self, folder: str | None = None) -> Page:
        """A page with the mechanism in motion. `folder` has the meshes."""
        columns, metadata = self._given()
        return Page(_precess.view(columns, metadata, folder))

    def __repr__(self) -> str:
        if self._text:
            return self._text
        m = self.metadata
        span = f"t = {self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "no rows"
        return f"<Results of {m['model']}: {len(self.t)} rows, {span}, {len(self)} columns>"

    def _repr_html_(self) -> str:
        return f"<pre>{quoted(repr(self))}</pre>{self.svg()}"

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for values in self._columns.values():
            values.flags.writeable = False


def read(path: str | os.PathLike[str]) -> Results:
    """Reads a file of results: .npz, .csv or .json."""
    return Results(*_precess.read(os.fspath(path)))
