"""User-defined systems: equations of motion as Python functions."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Callable

import numpy as np
from numpy.typing import NDArray

from . import _precess
from ._builder import Number, Settings
from ._errors import Interrupted, ModelError, PrecessWarning
from ._model import Model, overrides
from ._progress import bar
from ._results import Results

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["R", "R3xSO3", "SE3", "SO3", "Group", "System", "run"]

Array = NDArray[np.float64]


class Group:
    """A configuration space. `a * b` is a product: its q is the q of a followed by the q of b."""

    def __init__(self, factors: Sequence[tuple[str, int]]) -> None:
        self.factors = tuple(factors)

    def __mul__(self, other: Group) -> Group:
        return Group((*self.factors, *other.factors))

    def __repr__(self) -> str:
        return " * ".join(f"R({n})" if kind == "Rn" else kind for kind, n in self.factors)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Group) and self.factors == other.factors

    def __hash__(self) -> int:
        return hash(self.factors)


def R(n: int) -> Group:
    """The linear space of dimension n."""
    return Group([("Rn", int(n))])


SO3 = Group([("SO3", 0)])
"""Rotations: q is a unit quaternion (w, x, y, z), and v is the angular velocity in the body frame."""
R3xSO3 = Group([("R3xSO3", 0)])
"""A rigid body: q is a quaternion and a position.

v is the angular velocity in the body frame and the velocity in the inertial frame."""
SE3 = Group([("SE3", 0)])
"""A rigid body as a rigid motion. It is like R3xSO3, but both velocities are in the body frame."""


class System:
    """Equations of motion r = M(q) v' + g(q, v, t) + B(q)^T lambda = 0 with constraints phi(q, t) = 0.

    Derive a class and define `group`, `n_lambda`, `residual`, and `constraint` if there are constraints.
    Derivatives are difference quotients, and each of them calls Python. This is meant for experiments: a
    system in Rust is a hundred times faster."""

    group: Group
    n_lambda: int = 0
    energy: Any = None
    """An optional method energy(t, q, v) that returns a number."""

    def residual(self, t: float, q: Array, v: Array, vdot: Array, lam: Array, r: Array) -> None:
        """Writes M v' + g + B^T lambda into r."""
        raise NotImplementedError

    def constraint(self, t: float, q: Array, phi: Array) -> None:
        """Writes phi(q, t) into phi."""
        raise NotImplementedError


def run(
    what: System | Model,
    until: Number | None = None,
    tol: Number | None = None,
    *,
    q: Sequence[float] | Array = (),
    v: Sequence[float] | Array = (),
    step: Number | None = None,
    every: int | None = None,
    progress: bool | Callable[[float], object] = False,
    **settings: Unpack[Settings],
) -> Results:
    """Runs a model, or a system from q and v.

    Results of a system have the columns t, q, v, vdot, lambda, and energy if the system defines it."""
    if isinstance(what, Model):
        return what.run(until, tol, step=step, every=every, progress=progress, **settings)
    if not isinstance(getattr(what, "group", None), Group):
        raise ModelError("a system has a group: group = pc.R(3), pc.SO3, pc.R3xSO3, pc.SE3 or a product of them")
    given = overrides(until, tol, step, None, settings)
    if tol is None and step is None:
        given.append("integrator.tol=1e-6")
    start = [np.asarray(x, dtype=float).ravel().tolist() for x in (q, v)]
    with bar(progress, until) as tell:
        columns, metadata, report, notices, raised = _precess.run_system(
            what, list(what.group.factors), int(what.n_lambda), start[0], start[1], given, every or 1, tell
        )
    for notice in notices:
        warnings.warn(notice, PrecessWarning, stacklevel=2)
    results = Results(columns, metadata, f"{type(what).__name__}: {len(columns[0][3])} rows", report)
    if raised is None:
        return results
    if isinstance(raised, KeyboardInterrupt):
        raised = Interrupted(f"stopped at t = {results.t[-1] if len(results.t) else 0.0} s")
    if hasattr(raised, "results"):
        raised.results = results
    raise raised
