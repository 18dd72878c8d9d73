"""Values of VP: `python vp.py` prints a line "ID value" for every value of its claims that comes from this program."""
import numpy as np

from la import say
from lie import motion_of_the_top
from top import Record, order

BEFORE, AFTER, WHOLE = (0.0, 0.7), (0.7, 1.0), (0.0, 1.0)


def projection():
    path = motion_of_the_top(1.0, 1.25e-4, 10)
    run = [{"frame": "ground", "start": "table2"}]
    x = {h: Record(run, h, 1.0, path, round(h / 1.25e-4), project_at=0.7) for h in (1e-3, 5e-4, 2.5e-4, 1.25e-4)}
    h1, h2, h3, h4 = (x[h] for h in x)
    say("VP-Fig1-level", h1.max("bv", 0, BEFORE))
    say("VP-Fig1-after", h1.max("bv", 0, AFTER))
    say("VP-Fig2-before-h1", h1.max("lam", 0, BEFORE))
    say("VP-Fig2-before-h05", h2.max("lam", 0, BEFORE))
    say("VP-Fig2-after-h1", h1.max("lam", 0, AFTER))
    say("VP-Fig2-after-h05", h2.max("lam", 0, AFTER))
    say("VP-Fig2-after-order", order(h3.max("lam", 0), h4.max("lam", 0)))


def drift():
    runs = [{"frame": "ground", "form": "index2"}, {"frame": "ground", "form": "index1"}, {"form": "index1"}]
    x = Record(runs, 1e-3, 20.0)
    say("VP-drift-index2-level", x.max("phi_max", 0, (0, 10.0)))
    say("VP-drift-index2", x.max("phi_max", 0, (0, 20.0)) / x.max("phi_max", 0, (0, 10.0)))
    say("VP-drift-index1", x.max("phi_max", 1, (0, 20.0)) / x.max("phi_max", 1, (0, 10.0)))
    say("VP-drift-index1-late", x.max("phi_max", 1, (0, 4.0)) / x.max("phi_max", 1, (0, 2.0)))
    say("VP-drift-index1-level", x.max("phi_max", 1, (0, 1.0)))
    say("VP-drift-frames", x.max("phi", 2, (9.0, 10.0)) / x.max("phi", 2, (0.0, 1.0)))


if __name__ == "__main__":
    projection()
    drift()
