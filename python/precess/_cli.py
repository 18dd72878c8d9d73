"""The command `precess`, which the package has inside."""

from __future__ import annotations

import os
import signal
import sys

from . import _precess


def main() -> None:
    """Runs the command line."""
    # The command handles Ctrl-C itself: it ends a run after its step and writes the results so far.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What the command starts in Python is this Python.
    os.environ.setdefault("PRECESS_PYTHON", sys.executable)
    sys.exit(_precess.cli(["precess", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
