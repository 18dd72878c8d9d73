"""A simulation that is advanced by hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _precess
from ._builder import Number, Settings
from ._model import Model, Source, overrides

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["BodyState", "Event", "Reaction", "Simulation"]

Array = NDArray[np.float64]


class BodyState(NamedTuple):
    """What a body does now."""

    position: Array
    """Centre of mass, m."""
    rotation: Array
    """Unit quaternion (w, x, y, z) from the body to space."""
    velocity: Array
    """Velocity of the centre of mass, m/s."""
    angular_velocity: Array
    """Angular velocity in the frame of the body, rad/s."""


class Reaction(NamedTuple):
    """What a joint does to its second body now."""

    force: Array
    """Force in space, N."""
    torque: Array
    """Torque about the point of the joint in space, N m."""
    unique: bool
    """False where a rigid model determines the sum over several joints only."""


class Event(NamedTuple):
    """An event that happened."""

    name: str
    t: float
    rising: bool


class Simulation:
    """A model on its way through time: advance it, look at it, save it. Everything it gives is a copy. Other threads of Python run
    while it advances."""

    def __init__(
        self, model: Model, tol: Number | None = None, *, step: Number | None = None, **settings: Unpack[Settings]
    ) -> None:
        self._source: Source = model._source(overrides(None, tol, step, None, settings))
        self._core = _precess.Simulation(self._source)

    @property
    def t(self) -> float:
        """The present time, s."""
        return self._core.t()

    @property
    def steps(self) -> int:
        """Steps so far."""
        return self._core.steps()

    @property
    def energy(self) -> float | None:
        """Kinetic and potential energy, J; none where it is not defined."""
        return self._core.energy()

    @property
    def stopped(self) -> str | None:
        """Name of the event that ended the simulation, if one did."""
        return self._core.stopped()

    @property
    def events(self) -> list[Event]:
        """Events so far."""
        return [Event(*e) for e in self._core.events()]

    @property
    def q(self) -> Array:
        """Coordinates of the formulation."""
        return self._core.q()

    @property
    def v(self) -> Array:
        """Velocities of the formulation."""
        return self._core.v()

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return self._core.names()[0]

    @property
    def joints(self) -> list[str]:
        """Names of the joints."""
        return self._core.names()[1]

    @property
    def inputs(self) -> dict[str, int]:
        """Names of the inputs, and how many numbers each has: what formulas read as `input("name")`, and the actuators, forces and
        torques of the model."""
        return dict(self._core.inputs())

    def input(self, name: str) -> Any:
        """The value of an input now: a number, or an array of three."""
        values = self._core.input(name)
        return values[0] if len(values) == 1 else np.array(values)

    def set_input(self, name: str, value: float | Sequence[float] | Array, *, until: float | None = None) -> None:
        """Sets an input until it is set again: what formulas read as `input("name")`, or what is added to the formula of an actuator,
        force or torque of that name. With `until` it goes in a straight line to the value, which it has at that time."""
        values = [float(value)] if isinstance(value, (int, float)) else np.atleast_1d(np.asarray(value, dtype=float)).tolist()
        self._core.set_input(name, values, until)

    def advance(self, dt: float) -> float:
        """Advances by dt and returns the time."""
        return self._core.advance(dt)

    def advance_to(self, t: float) -> float:
        """Advances to time t; the last step ends there."""
        return self._core.advance_to(t)

    def step(self) -> float:
        """One step of the method, and the time after it."""
        return self._core.step()

    def reset(self) -> None:
        """Begins again at the initial state."""
        self._core.reset()

    def body(self, name: str) -> BodyState:
        """A body by name."""
        return BodyState(*self._core.body(name))

    state = body

    def joint(self, name: str) -> Reaction:
        """A joint by name."""
        (force, torque), unique = self._core.joint(name)
        return Reaction(force, torque, unique)

    def sensor(self, name: str) -> Any:
        """The value of a sensor: a number, or an array of three."""
        values = self._core.sensor(name)
        return values[0] if len(values) == 1 else np.array(values)

    @property
    def sensors(self) -> dict[str, Any]:
        """All sensors."""
        return {n: x[0] if len(x) == 1 else np.array(x) for n, x in self._core.sensors()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves everything that the rest depends on: it goes on with the same bits."""
        self._core.save(os.fspath(path))

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Goes on from a file of `save`, of the same model and settings."""
        self._core.restore(os.fspath(path))

    def copy(self) -> Simulation:
        """A second simulation at the same place."""
        return _revive(self._source, self._core.to_bytes())

    def __reduce__(self) -> Any:
        return (_revive, (self._source, self._core.to_bytes()))

    def __copy__(self) -> Simulation:
        return self.copy()

    def __repr__(self) -> str:
        return f"<Simulation of {self._source[0]}: t = {self.t:g} s after {self.steps} steps>"


def _revive(source: Source, state: bytes) -> Simulation:
    made = Simulation.__new__(Simulation)
    made._source = source
    made._core = _precess.Simulation(source)
    made._core.load_bytes(state)
    return made
