"""Results of analyses: equilibria, modes and linear equations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _precess
from ._page import Page, quoted

__all__ = ["Equilibrium", "Linear", "Modes"]


class _Answer:
    def __init__(self, text: str, data: str) -> None:
        self.text = text
        self.data: dict[str, Any] = json.loads(data)

    def __repr__(self) -> str:
        return self.text.rstrip()

    def _repr_html_(self) -> str:
        return f"<pre>{quoted(self.text)}</pre>"


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
    def sensors(self) -> dict[str, list[float]]:
        """The values of the sensors."""
        return dict(self.data["sensors"])


class Modes(_Answer):
    """The modes of a mechanism. They print themselves; `data` has all results."""

    def __init__(self, text: str, data: str, *given: Any) -> None:
        super().__init__(text, data)
        self._given = given

    def view(self) -> Page:
        """A page that shows the modes in motion, one at a time."""
        return Page(_precess.view_modes(*self._given))

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
