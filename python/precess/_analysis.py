"""Rest and vibration."""

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
    """Where a mechanism rests. It prints itself; `data` has everything."""

    @property
    def stability(self) -> str:
        """Whether it is stable, in words."""
        return str(self.data["stability"])

    @property
    def stable(self) -> bool:
        """True if nothing moves away from it."""
        return not self.data["unstable"]

    @property
    def bodies(self) -> dict[str, dict[str, Any]]:
        """position, rotation, and how far each body moved."""
        return dict(self.data["bodies"])

    @property
    def reactions(self) -> dict[str, dict[str, Any]]:
        """force, torque and unique of every joint."""
        return dict(self.data["joints"])

    @property
    def sensors(self) -> dict[str, list[float]]:
        """Values of the sensors."""
        return dict(self.data["sensors"])


class Modes(_Answer):
    """How a mechanism vibrates. It prints itself; `data` has everything."""

    def __init__(self, text: str, data: str, *given: Any) -> None:
        super().__init__(text, data)
        self._given = given

    def view(self) -> Page:
        """A page in which one mode after the other can be seen."""
        return Page(_precess.view_modes(*self._given))

    def _numbers(self, key: str) -> NDArray[np.float64]:
        return np.array([m[key] for m in self.data["modes"]], dtype=float)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """s of motions that go like exp(s t), 1/s."""
        return self._numbers("re") + 1j * self._numbers("im")

    @property
    def frequency(self) -> NDArray[np.float64]:
        """Frequencies, Hz."""
        return self._numbers("frequency")

    @property
    def damping(self) -> NDArray[np.float64]:
        """Damping ratios."""
        return self._numbers("damping")

    @property
    def motion(self) -> list[str]:
        """What moves, in words."""
        return [str(m["motion"]) for m in self.data["modes"]]

    def shape(self, mode: int, body: str) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
        """Rotation and translation of a body in a mode, in space."""
        entry = self.data["modes"][mode]["shape"][body]
        parts = [np.array(entry[k]["re"]) + 1j * np.array(entry[k]["im"]) for k in ("rotation", "translation")]
        return parts[0], parts[1]

    def __len__(self) -> int:
        return len(self.data["modes"])


class Linear(_Answer):
    """The linear equations of a mechanism, x' = A x + B u and y = C x + D u. It unpacks: `A, B, C, D = model.linearize(..)`."""

    def _matrix(self, key: str, rows: int, columns: int) -> NDArray[np.float64]:
        return np.array(self.data[key], dtype=float).reshape(rows, columns)

    @property
    def states(self) -> list[str]:
        """What the entries of x are."""
        return [str(x) for x in self.data["states"]]

    @property
    def inputs(self) -> dict[str, str]:
        """Inputs and their units."""
        return {x["name"]: x["unit"] for x in self.data["inputs"]}

    @property
    def outputs(self) -> dict[str, str]:
        """Outputs and their units."""
        return {x["name"]: x["unit"] for x in self.data["outputs"]}

    @property
    def A(self) -> NDArray[np.float64]:
        """How the states change each other, 1/s."""
        n = len(self.data["states"])
        return self._matrix("A", n, n)

    @property
    def B(self) -> NDArray[np.float64]:
        """What the inputs do to the states."""
        return self._matrix("B", len(self.data["states"]), len(self.data["inputs"]))

    @property
    def C(self) -> NDArray[np.float64]:
        """What the outputs see of the states."""
        return self._matrix("C", len(self.data["outputs"]), len(self.data["states"]))

    @property
    def D(self) -> NDArray[np.float64]:
        """What the outputs see of the inputs at once."""
        return self._matrix("D", len(self.data["outputs"]), len(self.data["inputs"]))

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        return iter((self.A, self.B, self.C, self.D))
