"""Sweeps: one model with many values, on all cores of this machine or on those of an executor."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, Union

import numpy as np
from numpy.typing import NDArray

from . import _precess
from ._errors import ClusterError, Error, Interrupted, ModelError, NotFound, PrecessWarning, Untrusted
from ._model import Source, plain, word
from ._page import quoted
from ._progress import bar

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas
    import xarray

__all__ = ["Table"]

Plan = tuple[list[str], str, int, int, list[str]]
Axes = list[tuple[tuple[str, ...], list[Any]]]
"""The names of every axis of a sweep, with their values."""
History = tuple[Union[str, None], Union[NDArray[np.float64], None], dict[str, NDArray[np.float64]]]
"""An error or a doubt, the times (none after an error), and the series of a run."""
Rows = tuple[NDArray[np.int64], NDArray[np.float64], list[tuple[int, str]], list[tuple[int, str]]]
FEWEST = 32
"""The default number of tasks of an executor. There are more if a task would exceed `LARGEST` runs."""
LARGEST = 2000
NOT_DONE = "not done"
EITHER = (("run.step", "integrator.tol"), ("integrator.tol", "run.step"))
"""Settings that replace each other."""


class Table(Mapping[str, NDArray[Any]]):
    """A table with one row per run: varied values, collected values and errors."""

    def __init__(
        self, inputs: list[tuple[str, Any]], outputs: list[str], done: Iterable[Rows], axes: Axes | None = None
    ) -> None:
        self._axes = axes
        self.t: NDArray[np.float64] = np.zeros(0)
        """The times of the series in s."""
        self.series: dict[str, NDArray[np.float64]] = {}
        """Quantities over time: the run is the first axis, the time the second. Failed runs have nan."""
        self.inputs = [name for name, _ in inputs]
        """The names of the varied columns."""
        self.outputs = outputs
        """The names of the collected columns."""
        self._columns: dict[str, NDArray[Any]] = {name: np.asarray(values) for name, values in inputs}
        self.runs = len(self._columns[self.inputs[0]])
        """The number of rows."""
        if axes is not None and int(np.prod([len(values) for _, values in axes])) != self.runs:
            self._axes = None
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

    def to_xarray(self) -> xarray.Dataset:
        """An xarray dataset.

        A sweep over all combinations has one dimension for each varied entry. Names that change together are one
        dimension with the name of the first; a sweep of random points has the dimension `run`. Series also have
        the dimension `t`. The variable `error` has the errors of failed runs."""
        import xarray

        dims: tuple[str, ...] = ("run",)
        shape: tuple[int, ...] = (self.runs,)
        coordinates: dict[str, Any] = {}
        if self._axes is not None:
            dims = tuple(names[0] for names, _ in self._axes)
            shape = tuple(len(values) for _, values in self._axes)
        for name in self.inputs:
            column = self._columns[name].reshape(shape)
            own = next((k for k, (names, _) in enumerate(self._axes or []) if name in names), None)
            if own is None:
                coordinates[name] = (dims, column)
            else:
                coordinates[name] = (dims[own], np.moveaxis(column, own, 0).reshape(shape[own], -1)[:, 0])
        variables: dict[str, Any] = {name: (dims, self._columns[name].reshape(shape)) for name in self.outputs}
        for name, values in self.series.items():
            known: dict[int, tuple[str, str]] = {3: ("axis", "xyz"), 4: ("quaternion", "wxyz")}
            axis, letters = known.get(values.shape[2], (f"{name}.entry", "")) if values.ndim == 3 else ("", "")
            variables[name] = ((*dims, "t", *([axis] if axis else [])), values.reshape(*shape, *values.shape[1:]))
            coordinates["t"] = ("t", self.t, {"units": "s"})
            if letters:
                coordinates[axis] = list(letters)
        errors = np.array([self.errors.get(i, "") for i in range(self.runs)], dtype=object)
        variables["error"] = (dims, errors.reshape(shape))
        return xarray.Dataset(variables, coordinates)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a .csv file, without series."""
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


def _axis(names: Any, values: Any, random: bool) -> tuple[tuple[str, ...], list[Any]]:
    """The names of an axis of a sweep and their values; names that change together have tuples."""
    if isinstance(names, str):
        if isinstance(values, (str, int, float)) or random:
            return (names,), []
        listed = plain(values)
        return (names,), listed if isinstance(listed, list) else [listed]
    if random:
        raise ModelError(f"{', '.join(map(str, names))}: names that change together need no samples")
    rows = [plain(row) for row in values]
    for row in rows:
        if not isinstance(row, list) or len(row) != len(names):
            raise ModelError(f"{', '.join(names)}: give {len(names)} values for each run, not {row!r}")
    if not rows or not names:
        raise ModelError("give a list of tuples, for example {('mass', 'length'): [(1, 0.5), (2, 0.7)]}")
    return tuple(str(n) for n in names), rows


def _plan(given: tuple[dict[Any, Any], list[str], int | None, str, int]) -> tuple[Plan, Axes | None]:
    vary, collect, samples, sampling, seed = given
    if not vary:
        raise ModelError("nothing varies: give values of a parameter, for example sweep(spin=[100, 150])")
    if samples is not None and sampling not in ("random", "lhs"):
        raise ModelError(f"sampling is 'random' or 'lhs', not {sampling!r}")
    random = samples is not None
    axes = [_axis(names, values, random) for names, values in vary.items()]
    if not any(len(names) > 1 for names, _ in axes):
        kind = "grid" if samples is None else sampling
        texts = [_values(name, values, random) for name, values in vary.items()]
        return (texts, kind, samples or 0, seed, collect), axes if all(values for _, values in axes) else None
    if not all(values for _, values in axes):
        raise ModelError("beside names that change together, give lists of values")
    # All combinations, the last one changing fastest, as columns that change together.
    rows = list(itertools.product(*(values if len(names) > 1 else [[v] for v in values] for names, values in axes)))
    columns = zip(*(itertools.chain.from_iterable(row) for row in rows))
    names = itertools.chain.from_iterable(names for names, _ in axes)
    texts = [_values(name, list(column), False) for name, column in zip(names, columns)]
    return (texts, "together", 0, seed, collect), axes


def histories_of(source: Source, cases: list[list[str]], names: list[str], tell: Any = None) -> list[History]:
    """The series of some runs, or their errors. This is the task of a worker."""
    from ._results import Results

    found: list[History] = []
    file, text, given, own, outside = source
    for more in cases:
        try:
            columns, metadata, _, _, _, raised = _precess.run((file, text, [*given, *more], own, outside), tell)
        except Error as error:
            found.append((str(error), None, {}))
            continue
        if isinstance(raised, KeyboardInterrupt):
            raise raised
        if raised is not None and not isinstance(raised, Untrusted):
            found.append((str(raised), None, {}))
            continue
        results = Results(columns, metadata)
        doubt = None if raised is None else str(raised)
        found.append((doubt, results.t, {name: results[name] for name in names}))
    return found


def _with_series(table: Table, found: dict[int, History], names: list[str]) -> Table:
    """The table with the series of all runs that were done."""
    done = [h for h in found.values() if h[1] is not None]
    times: list[NDArray[np.float64]] = [h[1] for h in done if h[1] is not None]
    table.t = max(times, key=len, default=np.zeros(0))
    for name in names:
        shape = next((h[2][name].shape[1:] for h in done), ())
        kept = np.full((table.runs, len(table.t), *shape), np.nan)
        for i, (_, t, values) in found.items():
            # A run that an event ends has fewer rows; its last one is at the event.
            same = 0 if t is None else int(np.equal(t, table.t[: len(t)]).sum())
            kept[i, :same] = values[name][:same] if same else np.nan
        kept.flags.writeable = False
        table.series[name] = kept
    return table


def _series(
    source: Source, plan: Plan, axes: Axes | None, names: list[str], threads: int, executor: Executor | None, tell: Any
) -> tuple[Table, BaseException | None]:
    """Does all runs one by one and keeps quantities over time; also the exception that ended it early."""
    from concurrent.futures import ThreadPoolExecutor, as_completed

    texts, kind, n, seed, _ = plan
    bare: Plan = (texts, kind, n, seed, [])
    inputs, _, _ = _precess.sweep_parts(source, bare)
    paths, runs = _precess.sweep_paths(source, bare), len(inputs[0][1])
    # A step replaces a tolerance.
    off = [f"{other}=off" for one, other in EITHER if one in paths and other not in paths]
    cases = [[*(f"{path}={word(column[1][i])}" for path, column in zip(paths, inputs)), *off] for i in range(runs)]
    workers = threads or os.cpu_count() or 1
    size = max(1, min(LARGEST, runs // (4 * workers)))
    parts = [range(k, min(k + size, runs)) for k in range(0, runs, size)]
    found: dict[int, History] = {}
    ended: list[BaseException] = []

    def ask(_: float) -> None:
        if ended:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(workers) as own:
        pool: Any = own if executor is None else executor
        more = (ask,) if executor is None else ()
        tasks = {pool.submit(histories_of, source, [cases[i] for i in part], names, *more): part for part in parts}
        try:
            for task in as_completed(tasks):
                found |= zip(tasks[task], task.result())
                if tell is not None:
                    tell(len(found))
        except BaseException as error:
            ended.append(error)
            for task in tasks:
                task.cancel()
    rows = sorted(found.items())
    errors: list[tuple[int, str]] = [(i, h[0] or "") for i, h in rows if h[1] is None]
    doubts: list[tuple[int, str]] = [(i, h[0]) for i, h in rows if h[1] is not None and h[0]]
    done: Rows = (np.array([i for i, _ in rows], dtype=np.int64), np.zeros((len(rows), 0)), errors, doubts)
    table = _with_series(Table(inputs, [], [done], axes), found, names)
    return table, ended[0] if ended else None


def rows_of(source: Source, plan: Plan, first: int, end: int, threads: int = 1) -> Rows:
    """Computes the rows of some parts of a sweep. This is the task of a worker."""
    rows, raised = _precess.sweep_rows(source, plan, (first, end), threads, None)
    if raised is not None:
        raise raised
    return rows


def sweep(
    source: Source,
    given: tuple[dict[Any, Any], list[str], int | None, str, int],
    series: list[str],
    every: Any,
    threads: int,
    executor: Executor | None,
    batches: int | None,
    save: str | os.PathLike[str] | None,
    progress: bool | Callable[[float], object],
) -> Table:
    """Does all runs and returns a table."""
    plan, axes = _plan(given)
    if series:
        if given[1]:
            raise ModelError("give collect or series: numbers follow from a series")
        if not isinstance(every, str) and not isinstance(every, float):
            raise ModelError("series need equal times: give `every`, for example every='10 ms'")
        runs = len(_precess.sweep_parts(source, plan)[0][0][1])
        with bar(progress, runs) as tell:
            table, raised = _series(source, plan, axes, series, threads, executor, tell)
        if raised is not None:
            raise _interrupted(table, save, raised) from None
        if save is not None:
            table.save(save)
        return table
    inputs, outputs, parts = _precess.sweep_parts(source, plan)
    runs = len(inputs[0][1])
    with bar(progress, runs) as tell:
        if executor is None:
            done, raised = _precess.sweep_rows(source, plan, (0, parts), threads, tell)
            table = Table(inputs, outputs, [done], axes)
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
                raise _gone(Table(inputs, outputs, rows, axes), save, gone) from gone.__cause__
            except KeyboardInterrupt as stop:
                raise _interrupted(Table(inputs, outputs, rows, axes), save, stop) from None
            table = Table(inputs, outputs, rows, axes)
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
