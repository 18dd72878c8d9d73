"""python -m precess: the command line."""

from ._cli import main

main()
