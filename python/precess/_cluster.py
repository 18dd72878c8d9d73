"""The Python part of `precess sweep --dask`.

It reads a plan from the standard input, runs it on a Dask cluster, and prints each row as a JSON list when it
is finished. The command line does the rest."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from . import _precess
from ._model import Source
from ._sweep import FEWEST, LARGEST, Gone, Plan, Rows, spread

GONE = 3
"""The exit code if the connection to the scheduler is lost."""


def _print(rows: Rows) -> None:
    places, numbers, errors, doubts = rows
    failed, doubted = dict(errors), dict(doubts)
    for place, values in zip(places.tolist(), numbers.tolist()):
        # Numbers are written as text, so that all bits are kept and nan is possible.
        print(json.dumps([place, [repr(x) for x in values], failed.get(place), doubted.get(place)]))
    sys.stdout.flush()


def main() -> None:
    """Reads the plan, runs it and prints the rows."""
    try:
        from distributed import Client as Untyped

        Client: Any = Untyped
    except ImportError:
        sys.exit("the package 'distributed' is not installed for this Python: pip install distributed")
    given: dict[str, Any] = json.load(sys.stdin)
    source: Source = (given["file"], given["text"], given["overrides"], [], False)
    plan: Plan = (given["vary"], given["kind"], given["n"], given["seed"], given["collect"])
    _, _, parts = _precess.sweep_parts(source, plan)
    n = max(1, min(max(FEWEST, given["runs"] // LARGEST), parts))
    cuts = [parts * k // n for k in range(n + 1)]
    try:
        client = Client(given["address"], timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        sys.exit(f"no scheduler answers at {given['address']}: {error}")
    try:
        for rows in spread(source, plan, list(zip(cuts, cuts[1:])), client.get_executor()):
            _print(rows)
    except Gone as gone:
        print(f"the scheduler went away ({gone})", file=sys.stderr, flush=True)
        # This does not wait for the lost connection.
        os._exit(GONE)
    client.close()


if __name__ == "__main__":
    main()
