"""The command `precess`, which is included in the package."""

from __future__ import annotations

import os
import signal
import sys

from . import _precess


def main() -> None:
    """Runs the command line."""
    # The command handles Ctrl-C itself. It ends a run after the current step and writes the results so far.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # If the command starts Python, it uses this Python.
    os.environ.setdefault("PRECESS_PYTHON", sys.executable)
    sys.exit(_precess.cli(["precess", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
