"""One model with many values: on all cores of this machine, or on those of an executor."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable

import numpy as np
from numpy.typing import NDArray

from . import _precess
from ._errors import ModelError, NotFound, PrecessWarning
from ._model import Source, plain, word
from ._page import quoted
from ._progress import bar

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas

__all__ = ["Table"]

Plan = tuple[list[str], str, int, int, list[str]]
Row = tuple[int, list[Any], list[float], "str | None", "str | None"]
BATCHES = 32
"""Tasks of an executor, unless a number is given."""


class Table(Mapping[str, NDArray[Any]]):
    """One row per run: what varied, what was collected, why a run failed."""

    def __init__(self, inputs: list[str], outputs: list[str], rows: list[Row]) -> None:
        self.inputs = inputs
        """Names of what varied."""
        self.outputs = outputs
        """Names of what was collected."""
        rows = sorted(rows, key=lambda r: r[0])
        self._columns: dict[str, NDArray[Any]] = {}
        for k, name in enumerate(inputs):
            self._columns[name] = np.array([r[1][k] for r in rows])
        for k, name in enumerate(outputs):
            self._columns[name] = np.array([r[2][k] if r[3] is None else np.nan for r in rows])
        self.errors: dict[int, str] = {i: r[3] for i, r in enumerate(rows) if r[3] is not None}
        """Why runs failed, by row."""
        self.untrusted: dict[int, str] = {i: r[4] for i, r in enumerate(rows) if r[4] is not None}
        """Why numbers cannot be trusted, by row."""
        self.runs = len(rows)
        """Number of rows."""
        for values in self._columns.values():
            values.flags.writeable = False

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
        """A table of pandas, with a column `error`."""
        import pandas

        errors = [self.errors.get(i, "") for i in range(self.runs)]
        return pandas.DataFrame({**self._columns, "error": errors})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a .csv."""
        import csv

        with open(path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow([*self._columns, "error", "untrusted"])
            for i in range(self.runs):
                cells = [c[i].item() for c in self._columns.values()]
                out.writerow([*cells, self.errors.get(i, ""), self.untrusted.get(i, "")])

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


def rows_of(source: Source, plan: Plan, first: int, end: int, threads: int = 1) -> list[Row]:
    """The rows of some parts of a sweep: the task of a worker."""
    return _precess.sweep_rows(source, plan, (first, end), threads, None)


def sweep(
    source: Source,
    given: tuple[dict[str, Any], list[str], int | None, str, int],
    threads: int,
    executor: Executor | None,
    batches: int | None,
    progress: bool | Callable[[float], object],
) -> Table:
    """A table of all runs."""
    plan = _plan(given)
    inputs, outputs, runs, parts = _precess.sweep_parts(source, plan)
    with bar(progress, runs) as tell:
        if executor is None:
            return Table(inputs, outputs, _precess.sweep_rows(source, plan, (0, parts), threads, tell))
        n = max(1, min(batches or BATCHES, parts))
        cuts = [parts * k // n for k in range(n + 1)]
        return Table(inputs, outputs, _spread(source, plan, list(zip(cuts, cuts[1:])), executor, tell))


def _spread(
    source: Source,
    plan: Plan,
    todo: list[tuple[int, int]],
    executor: Executor,
    tell: Callable[[float], object] | None,
) -> list[Row]:
    """All batches by an executor. What a dead worker took with it is done here, so that nothing is missing."""
    from concurrent.futures import BrokenExecutor, CancelledError, as_completed

    rows: list[Row] = []
    left = set(todo)
    try:
        tasks = {executor.submit(rows_of, source, plan, a, b): (a, b) for a, b in todo}
        for task in as_completed(tasks):
            rows += task.result()
            left.discard(tasks[task])
            if tell is not None:
                tell(len(rows))
    except (BrokenExecutor, CancelledError, ConnectionError) as error:
        why = f"the executor ended early ({error}): {len(left)} of {len(todo)} batches are done in this process"
        warnings.warn(why, PrecessWarning, stacklevel=4)
        for a, b in sorted(left):
            rows += rows_of(source, plan, a, b, 0)
    return rows
