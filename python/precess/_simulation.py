"""Simulations that are advanced step by step."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _precess
from ._builder import Number, Settings
from ._errors import ModelError
from ._model import Model, Source, overrides

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["BodyState", "Dynamics", "Event", "Reaction", "Simulation"]

Array = NDArray[np.float64]
Coordinates = Union[Mapping[str, float], Sequence[float], Array]
"""Joint coordinates or rates: by name, or in the order of `Simulation.coordinates`."""


class BodyState(NamedTuple):
    """The current state of a body."""

    position: Array
    """The centre of mass in m."""
    rotation: Array
    """The unit quaternion (w, x, y, z) from the body frame to the inertial frame."""
    velocity: Array
    """The velocity of the centre of mass in m/s."""
    angular_velocity: Array
    """The angular velocity in the body frame, in rad/s."""


class Reaction(NamedTuple):
    """The current force and torque of a joint on its second body."""

    force: Array
    """The force in the inertial frame, in N."""
    torque: Array
    """The torque about the point of the joint in the inertial frame, in N m."""
    unique: bool
    """False if a rigid model determines only the sum over several joints."""


class Dynamics(NamedTuple):
    """The equations of motion at a state: M v' + bias + B.T lambda = 0 and B v' + drift = 0."""

    M: Array
    """The mass matrix."""
    bias: Array
    """Gyroscopic and applied forces, weight among them, with the sign of the left-hand side."""
    B: Array
    """The derivative of the constraints."""
    drift: Array
    """The part of the acceleration of the constraints that does not depend on v'."""
    velocities: list[str]
    """The names of the entries of v."""
    constraints: list[str]
    """The names of the constraints."""


class Event(NamedTuple):
    """An event that happened."""

    name: str
    t: float
    rising: bool


class Simulation:
    """A running simulation that can be advanced, read and saved.

    All returned values are copies. Other Python threads can run while it advances."""

    def __init__(
        self, model: Model, tol: Number | None = None, *, step: Number | None = None, **settings: Unpack[Settings]
    ) -> None:
        self._source: Source = model._source(overrides(None, tol, step, None, settings))
        self._core = _precess.Simulation(self._source)

    @property
    def t(self) -> float:
        """The current time in s."""
        return self._core.t()

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return self._core.steps()

    @property
    def energy(self) -> float | None:
        """The kinetic and potential energy in J; None if it is not defined."""
        return self._core.energy()

    @property
    def stopped(self) -> str | None:
        """The name of the event that ended the simulation, if there is one."""
        return self._core.stopped()

    @property
    def events(self) -> list[Event]:
        """The events so far."""
        return [Event(*e) for e in self._core.events()]

    @property
    def coordinates(self) -> list[str]:
        """The names of the joint coordinates: all joints with an angle or a displacement, in the order of the model.

        If a joint has both, its displacement is "NAME displacement"."""
        return self._core.coordinates()[0]

    @property
    def q(self) -> Array:
        """The joint coordinates in rad or m, in the order of `coordinates`.

        A coordinate is zero in the positions of the model, whatever the direction of the joint, unless the joint
        has the key `coordinate`."""
        return self._core.coordinates()[1]

    @property
    def v(self) -> Array:
        """The rates of the joint coordinates in rad/s or m/s."""
        return self._core.coordinates()[2]

    def set_state(self, q: Coordinates | None = None, v: Coordinates | None = None) -> None:
        """Moves the mechanism to these joint coordinates and rates. Time and inputs stay.

        q, v: {joint: value}, or arrays in the order of `coordinates`. Joints that are not given keep their
            coordinates and rates. If the mechanism has loops, they are closed with the given coordinates, and
            everything else moves as little as possible. Coordinates that fit no position are a ModelError or a
            StartError, and nothing changes."""
        names = self.coordinates if any(x is not None and not isinstance(x, Mapping) for x in (q, v)) else []
        self._core.set_state(_named("q", q, names), _named("v", v, names))

    def dynamics(self) -> Dynamics:
        """The equations of motion M v' + bias + B.T lambda = 0, B v' + drift = 0 at the current state.

        They are in the coordinates of the formulation, with six velocities for each rigid body."""
        return Dynamics(*self._core.dynamics())

    def jacobian(self, body: str, point: Sequence[float] | Array = (0.0, 0.0, 0.0)) -> Array:
        """The Jacobian of a point of a body for the velocities of `dynamics`, in the inertial frame.

        Its first three rows give the velocity of the point, the others the angular velocity of the body. The point
        is given from the centre of mass, in the axes of the body."""
        place = [float(x) for x in point]
        if len(place) != 3:
            raise ModelError("a point has three numbers")
        return self._core.jacobian(body, place)

    @property
    def bodies(self) -> list[str]:
        """The names of the bodies."""
        return self._core.names()[0]

    @property
    def joints(self) -> list[str]:
        """The names of the joints."""
        return self._core.names()[1]

    @property
    def inputs(self) -> dict[str, int]:
        """The names of the inputs, with the number of values of each.

        Inputs are those that formulas read as `input("name")`, and the actuators, forces and torques of the
        model."""
        return dict(self._core.inputs())

    def input(self, name: str) -> Any:
        """The current value of an input: a number, or an array of three."""
        values = self._core.input(name)
        return values[0] if len(values) == 1 else np.array(values)

    def set_input(self, name: str, value: float | Sequence[float] | Array, *, until: float | None = None) -> None:
        """Sets an input. The value stays until it is set again.

        Formulas read it as `input("name")`. For an actuator, force or torque of this name, it is added to the
        formula. With `until`, the input changes linearly and reaches the value at this time."""
        values = [float(value)] if isinstance(value, (int, float)) else np.atleast_1d(np.asarray(value, dtype=float)).tolist()
        self._core.set_input(name, values, until)

    def advance(self, dt: float) -> float:
        """Advances by dt and returns the time."""
        return self._core.advance(dt)

    def advance_to(self, t: float) -> float:
        """Advances to time t and returns the time. The last step ends there."""
        return self._core.advance_to(t)

    def step(self) -> float:
        """Does one step of the method and returns the time."""
        return self._core.step()

    def reset(self, q: Coordinates | None = None, v: Coordinates | None = None) -> None:
        """Returns to the initial state and the initial inputs, with other joint coordinates and rates if they are given."""
        self._core.reset()
        if q is not None or v is not None:
            self.set_state(q, v)

    def body(self, name: str) -> BodyState:
        """The body with this name."""
        return BodyState(*self._core.body(name))

    state = body

    def joint(self, name: str) -> Reaction:
        """The joint with this name."""
        (force, torque), unique = self._core.joint(name)
        return Reaction(force, torque, unique)

    def sensor(self, name: str) -> Any:
        """The value of a sensor: a number, or an array of three."""
        values = self._core.sensor(name)
        return values[0] if len(values) == 1 else np.array(values)

    @property
    def sensors(self) -> dict[str, Any]:
        """The values of all sensors."""
        return {n: x[0] if len(x) == 1 else np.array(x) for n, x in self._core.sensors()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the complete state to a file. A restored simulation continues with the same bits."""
        self._core.save(os.fspath(path))

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Continues from a file of `save`. Model and settings must be the same."""
        self._core.restore(os.fspath(path))

    def copy(self) -> Simulation:
        """A second simulation in the same state, with inputs of its own. It continues with the same bits."""
        if self._source[3]:
            # Each simulation has its own place for the exceptions of functions in Python.
            return _revive(self._source, self._core.to_bytes())
        made = Simulation.__new__(Simulation)
        made._source = self._source
        made._core = self._core.copy()
        return made

    def __reduce__(self) -> Any:
        return (_revive, (self._source, self._core.to_bytes()))

    def __copy__(self) -> Simulation:
        return self.copy()

    def __repr__(self) -> str:
        return f"<Simulation of {self._source[0]}: t = {self.t:g} s after {self.steps} steps>"


def _named(what: str, given: Coordinates | None, names: list[str]) -> list[tuple[str, float]]:
    """Coordinates by name."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [(str(name), float(x)) for name, x in given.items()]
    values = np.asarray(given, dtype=float)
    if values.shape != (len(names),):
        raise ModelError(f"{what} has the shape {values.shape}; there are {len(names)} joint coordinates: {', '.join(names)}")
    return list(zip(names, values.tolist()))


def _revive(source: Source, state: bytes) -> Simulation:
    made = Simulation.__new__(Simulation)
    made._source = source
    made._core = _precess.Simulation(source)
    made._core.load_bytes(state)
    return made
