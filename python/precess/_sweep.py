"""Sweeps: one model with many values, on all cores of this machine or on those of an executor."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable

import numpy as np
from numpy.typing import NDArray

from . import _precess
from ._errors import ClusterError, Interrupted, ModelError, NotFound, PrecessWarning
from ._model import Source, plain, word
from ._page import quoted
from ._progress import bar

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas

__all__ = ["Table"]

Plan = tuple[list[str], str, int, int, list[str]]
Rows = tuple[NDArray[np.int64], NDArray[np.float64], list[tuple[int, str]], list[tuple[int, str]]]
FEWEST = 32
"""The default number of tasks of an executor. There are more if a task would exceed `LARGEST` runs."""
LARGEST = 2000
NOT_DONE = "not done"


class Table(Mapping[str, NDArray[Any]]):
    """A table with one row per run: varied values, collected values and errors."""

    def __init__(self, inputs: list[tuple[str, Any]], outputs: list[str], done: Iterable[Rows]) -> None:
        self.inputs = [name for name, _ in inputs]
        """The names of the varied columns."""
        self.outputs = outputs
        """The names of the collected columns."""
        self._columns: dict[str, NDArray[Any]] = {name: np.asarray(values) for name, values in inputs}
        self.runs = len(self._columns[self.inputs[0]])
        """The number of rows."""
        numbers = np.full((self.runs, len(outputs)), np.nan)
        finished = np.zeros(self.runs, dtype=bool)
        errors: dict[int, str] = {}
        doubts: dict[int, str] = {}
        for places, values, failed, doubted in done:
            numbers[places] = values
            finished[places] = True
            errors |= dict(failed)
            doubts |= dict(doubted)
        errors |= {int(i): NOT_DONE for i in np.flatnonzero(~finished)}
        self._columns |= {name: np.ascontiguousarray(numbers[:, k]) for k, name in enumerate(outputs)}
        self.errors: dict[int, str] = dict(sorted(errors.items()))
        """The errors of failed runs, by row."""
        self.untrusted: dict[int, str] = dict(sorted(doubts.items()))
        """The reasons why results cannot be trusted, by row."""
        for column in self._columns.values():
            column.flags.writeable = False

    @property
    def finished(self) -> int:
        """The number of runs that were done, including failed ones."""
        return self.runs - sum(e == NOT_DONE for e in self.errors.values())

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._columns:
            message = f"unknown column {name!r}; known: {', '.join(self._columns)}"
            raise NotFound(message, name=name, known=list(self._columns))
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas table with a column `error`."""
        import pandas

        errors = [self.errors.get(i, "") for i in range(self.runs)]
        return pandas.DataFrame({**self._columns, "error": errors})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a .csv file."""
        import csv

        with open(path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow([_no_formula(name) for name in self._columns] + ["error", "untrusted"])
            for i in range(self.runs):
                cells = [c[i].item() for c in self._columns.values()]
                out.writerow([_no_formula(x) for x in (*cells, self.errors.get(i, ""), self.untrusted.get(i, ""))])

    def __repr__(self) -> str:
        lines = ["  ".join(f"{n:>14}" for n in self._columns)]
        for i in range(min(self.runs, 10)):
            cells = [c[i] for c in self._columns.values()]
            lines.append("  ".join(f"{x:>14.6g}" if isinstance(x, np.floating) else f"{x!s:>14}" for x in cells))
        if self.runs > 10:
            lines.append(f"... {self.runs - 10} more rows")
        lines.append(f"{self.runs} runs, {len(self.errors)} failed, {len(self.untrusted)} not to be trusted")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{quoted(repr(self))}</pre>"


def _no_formula(cell: Any) -> Any:
    """A cell that a spreadsheet shows as text."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def _values(name: str, values: Any, random: bool) -> str:
    if isinstance(values, str):
        return f"{name}={values}"
    values = plain(values)
    if isinstance(values, (int, float)):
        values = [values]
    if not isinstance(values, list) or not values:
        raise ModelError(f"{name}: give a list of values")
    if random and len(values) == 2:
        return f"{name}={values[0]!r}:{values[1]!r}"
    return f"{name}=" + ",".join(v if isinstance(v, str) else word(v) for v in values)


def _plan(given: tuple[dict[str, Any], list[str], int | None, str, int]) -> Plan:
    vary, collect, samples, sampling, seed = given
    if not vary:
        raise ModelError("nothing varies: give values of a parameter, for example sweep(spin=[100, 150])")
    if samples is not None and sampling not in ("random", "lhs"):
        raise ModelError(f"sampling is 'random' or 'lhs', not {sampling!r}")
    kind = "grid" if samples is None else sampling
    texts = [_values(name, values, samples is not None) for name, values in vary.items()]
    return (texts, kind, samples or 0, seed, collect)


def rows_of(source: Source, plan: Plan, first: int, end: int, threads: int = 1) -> Rows:
    """Computes the rows of some parts of a sweep. This is the task of a worker."""
    rows, raised = _precess.sweep_rows(source, plan, (first, end), threads, None)
    if raised is not None:
        raise raised
    return rows


def sweep(
    source: Source,
    given: tuple[dict[str, Any], list[str], int | None, str, int],
    threads: int,
    executor: Executor | None,
    batches: int | None,
    save: str | os.PathLike[str] | None,
    progress: bool | Callable[[float], object],
) -> Table:
    """Does all runs and returns a table."""
    plan = _plan(given)
    inputs, outputs, parts = _precess.sweep_parts(source, plan)
    runs = len(inputs[0][1])
    with bar(progress, runs) as tell:
        if executor is None:
            done, raised = _precess.sweep_rows(source, plan, (0, parts), threads, tell)
            table = Table(inputs, outputs, [done])
            if raised is not None:
                raise _interrupted(table, save, raised) from None
        else:
            n = max(1, min(batches or max(FEWEST, runs // LARGEST), parts))
            cuts = [parts * k // n for k in range(n + 1)]
            rows: list[Rows] = []
            try:
                for some in spread(source, plan, list(zip(cuts, cuts[1:])), executor):
                    rows.append(some)
                    if tell is not None:
                        tell(sum(len(r[0]) for r in rows))
            except Gone as gone:
                raise _gone(Table(inputs, outputs, rows), save, gone) from gone.__cause__
            except KeyboardInterrupt as stop:
                raise _interrupted(Table(inputs, outputs, rows), save, stop) from None
            table = Table(inputs, outputs, rows)
    if save is not None:
        table.save(save)
    return table


class Gone(Exception):
    """The connection to an executor was lost."""


def _kept(table: Table, save: str | os.PathLike[str] | None) -> str:
    where = "" if save is None else f"; they are in {os.fspath(save)}"
    if save is not None:
        table.save(save)
    return f"{table.finished} of {table.runs} runs are done{where}"


def _interrupted(table: Table, save: str | os.PathLike[str] | None, raised: BaseException) -> BaseException:
    """Ctrl-C with the finished rows. Other exceptions are those of the user's function for the progress."""
    if not isinstance(raised, KeyboardInterrupt):
        return raised
    error = Interrupted(f"stopped: {_kept(table, save)}")
    error.table = table
    return error


def _gone(table: Table, save: str | os.PathLike[str] | None, why: Gone) -> ClusterError:
    error = ClusterError(f"the executor went away ({why}): {_kept(table, save)}")
    error.table = table
    return error


def spread(source: Source, plan: Plan, todo: list[tuple[int, int]], executor: Executor) -> Iterator[Rows]:
    """Gives all batches to an executor and yields their rows when they are finished.

    If a process of a pool dies, its batches are done in this process, so that nothing is missing."""
    from concurrent.futures import BrokenExecutor, CancelledError, as_completed

    left = set(todo)
    tasks: dict[Any, tuple[int, int]] = {}
    try:
        tasks = {executor.submit(rows_of, source, plan, a, b): (a, b) for a, b in todo}
        for task in as_completed(tasks):
            rows = task.result()
            left.discard(tasks[task])
            yield rows
    except BrokenExecutor as error:
        why = f"the executor ended early ({error}): {len(left)} of {len(todo)} batches are done in this process"
        warnings.warn(why, PrecessWarning, stacklevel=5)
        for a, b in sorted(left):
            yield rows_of(source, plan, a, b, 0)
    except KeyboardInterrupt:
        for task in tasks:
            task.cancel()
        raise
    except (CancelledError, OSError, TimeoutError) as error:
        raise Gone(str(error) or type(error).__name__) from error
