"""Exceptions. Each carries what the message says as data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._results import Results
    from ._sweep import Table


class Error(Exception):
    """Everything that precess raises."""

    def __init__(self, message: str = "", **facts: Any) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:
        return (_revive, (type(self), self.message, self.facts, {k: getattr(self, k, None) for k in ("results", "table")}))


class ModelError(Error, ValueError):
    """A model or a setting is wrong. `problems` lists all of them."""

    @property
    def problems(self) -> list[dict[str, Any]]:
        """path, line, column, message and remedy of every problem, as far as they are known."""
        return list(self.facts.get("problems") or [{"message": self.message}])


class NotFound(Error, KeyError):
    """A name is not known."""

    @property
    def name(self) -> str:
        """The name that was given."""
        return str(self.facts.get("name", ""))

    @property
    def nearest(self) -> str | None:
        """The nearest known name, if one is near."""
        found = self.facts.get("nearest")
        return None if found is None else str(found)

    @property
    def known(self) -> list[str]:
        """Known names."""
        return list(self.facts.get("known") or [])


class StartError(Error, ValueError):
    """Initial positions or velocities do not fit the joints."""

    @property
    def constraint(self) -> str | None:
        """The worst row."""
        return self.facts.get("constraint")

    @property
    def residual(self) -> float | None:
        """By how much it is off."""
        return self.facts.get("residual")


class ConvergenceError(Error, RuntimeError):
    """A run ended early. `results` has what was reached."""

    results: Results | None = None

    @property
    def t(self) -> float | None:
        """When."""
        return self.facts.get("t")

    @property
    def worst(self) -> str | None:
        """Where the residual is largest."""
        return self.facts.get("worst")


class Untrusted(Error, RuntimeError):
    """A run reached its end, but something shows that its numbers mean nothing. `results` has them."""

    results: Results | None = None


class AnalysisError(Error, RuntimeError):
    """An analysis found nothing, for example no equilibrium."""


class FileError(Error, OSError):
    """A file of results cannot be read or written."""


class CallbackError(Error, RuntimeError):
    """A function of yours raised an exception during a run: `__cause__` is that exception. `results` has what was reached."""

    results: Results | None = None

    @property
    def t(self) -> float | None:
        """When."""
        return self.facts.get("t")


class ClusterError(Error, ConnectionError):
    """The executor of a sweep went away. `table` has all rows that were finished; the others have an error that says so."""

    table: Table | None = None


class Interrupted(Error, KeyboardInterrupt):
    """Ctrl-C during a run. `results` has what was reached."""

    results: Results | None = None


class PrecessWarning(UserWarning):
    """What a user should know about a run that goes on."""


def make(kind: str, message: str, facts: str) -> Error:
    """An exception by the name of its class; called by the extension module."""
    found = globals().get(kind, Error)
    made: Error = found(message, **json.loads(facts))
    return made


def _revive(kind: type[Error], message: str, facts: dict[str, Any], found: dict[str, Any]) -> Error:
    error = kind(message, **facts)
    for name, value in found.items():
        if value is not None:
            setattr(error, name, value)
    return error
