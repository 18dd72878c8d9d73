"""Exceptions. Each has the facts of its message as data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._results import Results
    from ._sweep import Table


class Error(Exception):
    """The base class of all exceptions of precess."""

    def __init__(self, message: str = "", **facts: Any) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:
        return (_revive, (type(self), self.message, self.facts, {k: getattr(self, k, None) for k in ("results", "table")}))


class ModelError(Error, ValueError):
    """A model or a setting is wrong. `problems` lists all mistakes."""

    @property
    def problems(self) -> list[dict[str, Any]]:
        """The path, line, column, message and remedy of every problem, if they are known."""
        return list(self.facts.get("problems") or [{"message": self.message}])


class NotFound(Error, KeyError):
    """A name is not known."""

    @property
    def name(self) -> str:
        """The name that was given."""
        return str(self.facts.get("name", ""))

    @property
    def nearest(self) -> str | None:
        """The nearest known name, if one is similar."""
        found = self.facts.get("nearest")
        return None if found is None else str(found)

    @property
    def known(self) -> list[str]:
        """The known names."""
        return list(self.facts.get("known") or [])


class StartError(Error, ValueError):
    """Initial positions or velocities do not fit the joints."""

    @property
    def constraint(self) -> str | None:
        """The name of the constraint with the largest residual."""
        return self.facts.get("constraint")

    @property
    def residual(self) -> float | None:
        """The residual of this constraint."""
        return self.facts.get("residual")


class ConvergenceError(Error, RuntimeError):
    """A run ended early. `results` has the results so far."""

    results: Results | None = None

    @property
    def t(self) -> float | None:
        """The time in s."""
        return self.facts.get("t")

    @property
    def worst(self) -> str | None:
        """The name of the equation with the largest residual."""
        return self.facts.get("worst")


class Untrusted(Error, RuntimeError):
    """A run reached its end, but there are signs that its results are wrong. `results` has them."""

    results: Results | None = None


class AnalysisError(Error, RuntimeError):
    """An analysis found nothing, for example no equilibrium. `results` has a motion that ended early."""

    results: Results | None = None


class FileError(Error, OSError):
    """A file cannot be read or written."""


class MissingFile(FileError, FileNotFoundError):
    """There is no file with this name."""


class CallbackError(Error, RuntimeError):
    """Your function raised an exception during a run.

    `__cause__` is this exception, and `results` has the results so far."""

    results: Results | None = None

    @property
    def t(self) -> float | None:
        """The time in s."""
        return self.facts.get("t")


class ClusterError(Error, ConnectionError):
    """The connection to the executor of a sweep was lost.

    `table` has all finished rows. The other rows have an error that says so."""

    table: Table | None = None


class Interrupted(Error, KeyboardInterrupt):
    """A run or a sweep was stopped by Ctrl-C.

    `results` has the results of the run so far, and `table` the finished rows of the sweep."""

    results: Results | None = None
    table: Table | None = None


class PrecessWarning(UserWarning):
    """A warning about a run that continues."""


def make(kind: str, message: str, facts: str) -> Error:
    """Makes an exception from the name of its class. The extension module calls this function."""
    found = globals().get(kind, Error)
    made: Error = found(message, **json.loads(facts))
    return made


def _revive(kind: type[Error], message: str, facts: dict[str, Any], found: dict[str, Any]) -> Error:
    error = kind(message, **facts)
    for name, value in found.items():
        if value is not None:
            setattr(error, name, value)
    return error
