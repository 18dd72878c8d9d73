"""`precess sweep --dask`: the part that is Python. Reads a plan from the standard input, has it done on a cluster of Dask, and prints the rows as
they come, one JSON list each. The command line does the rest."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from . import _precess
from ._model import Source
from ._sweep import FEWEST, LARGEST, Gone, Plan, Rows, spread

GONE = 3
"""Exit code if the scheduler went away."""


def _print(rows: Rows) -> None:
    places, numbers, errors, doubts = rows
    failed, doubted = dict(errors), dict(doubts)
    for place, values in zip(places.tolist(), numbers.tolist()):
        # Numbers as words: every one comes back with its bits, and nan is a number.
        print(json.dumps([place, [repr(x) for x in values], failed.get(place), doubted.get(place)]))
    sys.stdout.flush()


def main() -> None:
    """Reads, runs, prints."""
    try:
        from distributed import Client as Untyped

        Client: Any = Untyped
    except ImportError:
        sys.exit("the package 'distributed' is not installed for this Python: pip install distributed")
    given: dict[str, Any] = json.load(sys.stdin)
    source: Source = (given["file"], given["text"], given["overrides"], [])
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
        # Without waiting for a connection that will not come.
        os._exit(GONE)
    client.close()


if __name__ == "__main__":
    main()
