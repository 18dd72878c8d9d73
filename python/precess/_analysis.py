"""Results of analyses: equilibria, modes and linear equations."""

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
    from ._model import Model

__all__ = ["Assembly", "Campbell", "Equilibrium", "Linear", "Modes"]


CHOICES = {"at": ("equilibrium", "steady", "initial", "state"), "kind": ("stable", "any")}


def choice(name: str, value: object) -> str:
    """The value of an argument, or an exception that lists the possible ones."""
    known = CHOICES[name]
    if not isinstance(value, str) or value not in known:
        listed = ", ".join(repr(x) for x in known)
        raise NotFound(f"{name}={value!r} is not known; use one of {listed}", name=str(value), known=list(known))
    return value


def starts(state: object, bodies: list[str]) -> dict[str, dict[str, Any]]:
    """Positions and velocities of bodies as entries of a model: from a simulation, from results, from a file, or as they are."""
    from ._results import Results, read
    from ._simulation import Simulation

    keys = ("position", "rotation", "velocity", "angular_velocity")
    if isinstance(state, Simulation):
        return {b: dict(zip(keys, (x.tolist() for x in state.body(b)))) for b in bodies if b in state.bodies}
    if isinstance(state, (str, os.PathLike)):
        state = read(state)
    if isinstance(state, Results):
        last = {b: {k: state[f"{b}.{k}"][-1].tolist() for k in keys if f"{b}.{k}" in state} for b in bodies}
        return {body: values for body, values in last.items() if values}
    if not isinstance(state, Mapping):
        raise ModelError(f"state={state!r} is not a state; give a simulation, results, a file of results, or a dictionary of bodies")
    found: dict[str, dict[str, Any]] = {}
    for body, values in state.items():
        if body not in bodies:
            raise NotFound(f"no body {body!r}; known: {', '.join(bodies)}", name=str(body), known=bodies)
        wrong = [k for k in values if k not in keys]
        if wrong:
            raise NotFound(f"{wrong[0]!r} of body {body!r} is not known; use {', '.join(keys)}", name=wrong[0], known=list(keys))
        found[body] = {k: v if isinstance(v, (str, dict)) else np.asarray(v, dtype=float).tolist() for k, v in values.items()}
    return found


class _Answer:
    def __init__(self, text: str, data: str) -> None:
        self.text = text
        self.data: dict[str, Any] = json.loads(data)

    def __repr__(self) -> str:
        return self.text.rstrip()

    def _repr_html_(self) -> str:
        return f"<pre>{quoted(self.text)}</pre>"


class Assembly(_Answer):
    """Closed joints. It prints how far each body moved; `data` has all results."""

    def __init__(self, text: str, data: str, model: Model) -> None:
        super().__init__(text, data)
        self.model = model
        """The model, which begins in the closed positions."""

    @property
    def gaps(self) -> dict[str, dict[str, float]]:
        """How far each joint was open: m and rad."""
        return dict(self.data["gaps"])

    @property
    def bodies(self) -> dict[str, dict[str, Any]]:
        """The position, the velocity and the displacement of each body."""
        return dict(self.data["bodies"])


class Campbell(_Answer):
    """Modes over the speed of a rotor. They print themselves; `data` has all results."""

    def _numbers(self, key: str) -> NDArray[np.float64]:
        return np.array(self.data[key], dtype=float)

    @property
    def values(self) -> NDArray[np.float64]:
        """The values of the parameter."""
        return self._numbers("values")

    @property
    def spin(self) -> NDArray[np.float64]:
        """The rate of the fastest body in rad/s, for each value."""
        return self._numbers("spin")

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The eigenvalues in 1/s, one row for each mode and one column for each value; nan where a mode is lost."""
        branches = self.data["branches"]
        rows = [np.array(b["re"], dtype=float) + 1j * np.array(b["im"], dtype=float) for b in branches]
        return np.array(rows, dtype=complex).reshape(len(branches), len(self.values))

    @property
    def frequency(self) -> NDArray[np.float64]:
        """The frequencies in Hz, arranged as the eigenvalues."""
        return np.asarray(self.eigenvalues.imag / (2 * np.pi), dtype=float)

    @property
    def critical(self) -> list[dict[str, Any]]:
        """The critical speeds: value of the parameter, spin in rad/s, rpm, order, damping, mode and direction."""
        return list(self.data["critical"])


class Equilibrium(_Answer):
    """The equilibrium of a mechanism. It prints itself; `data` has all results."""

    @property
    def stability(self) -> str:
        """A description of the stability."""
        return str(self.data["stability"])

    @property
    def stable(self) -> bool:
        """True if the equilibrium is not unstable."""
        return not self.data["unstable"]

    @property
    def bodies(self) -> dict[str, dict[str, Any]]:
        """The position, the rotation and the displacement of each body."""
        return dict(self.data["bodies"])

    @property
    def reactions(self) -> dict[str, dict[str, Any]]:
        """The force and torque of every joint; `unique` is true if they are determined."""
        return dict(self.data["joints"])

    @property
    def sensors(self) -> dict[str, float | list[float]]:
        """The values of the sensors: a number, or a list of components."""
        return dict(self.data["sensors"])


class Modes(_Answer):
    """The modes of a mechanism. They print themselves; `data` has all results."""

    def __init__(self, text: str, data: str, *given: Any) -> None:
        super().__init__(text, data)
        self._given = given

    def view(self) -> Page:
        """A page that shows the modes in motion, one at a time."""
        return Page(_precess.view_modes(*self._given))

    @property
    def state(self) -> dict[str, Any]:
        """The state about which they are computed: `at`, `words`, and the positions of the bodies."""
        return dict(self.data["state"])

    def _numbers(self, key: str) -> NDArray[np.float64]:
        return np.array([m[key] for m in self.data["modes"]], dtype=float)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The eigenvalues s of motions exp(s t), in 1/s."""
        return self._numbers("re") + 1j * self._numbers("im")

    @property
    def frequency(self) -> NDArray[np.float64]:
        """The frequencies in Hz."""
        return self._numbers("frequency")

    @property
    def damping(self) -> NDArray[np.float64]:
        """The damping ratios."""
        return self._numbers("damping")

    @property
    def motion(self) -> list[str]:
        """A description of each motion."""
        return [str(m["motion"]) for m in self.data["modes"]]

    def shape(self, mode: int, body: str) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
        """The rotation and translation of a body in a mode, in the inertial frame."""
        entry = self.data["modes"][mode]["shape"][body]
        parts = [np.array(entry[k]["re"]) + 1j * np.array(entry[k]["im"]) for k in ("rotation", "translation")]
        return parts[0], parts[1]

    def __len__(self) -> int:
        return len(self.data["modes"])


class Linear(_Answer):
    """The linear equations of a mechanism, x' = A x + B u and y = C x + D u.

    You can unpack them: `A, B, C, D = model.linearize(..)`."""

    @property
    def state(self) -> dict[str, Any]:
        """The state about which they hold: `at`, `words`, and the positions of the bodies."""
        return dict(self.data["state"])

    def _matrix(self, key: str, rows: int, columns: int) -> NDArray[np.float64]:
        return np.array(self.data[key], dtype=float).reshape(rows, columns)

    @property
    def states(self) -> list[str]:
        """The names of the entries of x."""
        return [str(x) for x in self.data["states"]]

    @property
    def inputs(self) -> dict[str, str]:
        """The inputs and their units."""
        return {x["name"]: x["unit"] for x in self.data["inputs"]}

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs and their units."""
        return {x["name"]: x["unit"] for x in self.data["outputs"]}

    @property
    def A(self) -> NDArray[np.float64]:
        """The matrix A, in 1/s: the effect of the states x on x'."""
        n = len(self.data["states"])
        return self._matrix("A", n, n)

    @property
    def B(self) -> NDArray[np.float64]:
        """The matrix B: the effect of the inputs u on x'."""
        return self._matrix("B", len(self.data["states"]), len(self.data["inputs"]))

    @property
    def C(self) -> NDArray[np.float64]:
        """The matrix C: the effect of the states x on the outputs y."""
        return self._matrix("C", len(self.data["outputs"]), len(self.data["states"]))

    @property
    def D(self) -> NDArray[np.float64]:
        """The matrix D: the direct effect of the inputs u on the outputs y."""
        return self._matrix("D", len(self.data["outputs"]), len(self.data["inputs"]))

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        return iter((self.A, self.B, self.C, self.D))
