"""Progress of a run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, Callable

Tell = Callable[[float], object]


@contextlib.contextmanager
def bar(progress: bool | Tell, end: Any = None) -> Iterator[Tell | None]:
    """A function that receives the time.

    It is the given function, a bar of tqdm if it is installed, or a line on the standard error."""
    if callable(progress):
        yield progress
    elif not progress:
        yield None
    else:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            yield _line
            print(file=sys.stderr)
            return
        total = float(end) if isinstance(end, (int, float)) else None
        with tqdm(total=total, bar_format="{l_bar}{bar}| {n:.3g} of {total:.3g}") as made:

            def tell(x: float) -> None:
                made.n = x
                made.refresh()

            yield tell


def _line(x: float) -> None:
    print(f"\r{x:.6g}", end="", file=sys.stderr, flush=True)
