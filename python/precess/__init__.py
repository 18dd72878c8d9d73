"""Simulation of constrained mechanical systems with large rotations: tops, rotors, linkages, robots, chains.

    import precess as pc

    m = pc.Model("pendulum", gravity=(0, 0, -9.81))
    m.bar("rod", (0, 0, 0), (1, 0, 0), mass=2, radius=0.02)
    m.revolute("hinge", "ground", "rod", point=(0, 0, 0), axis="y")
    r = m.run(until=2, tol=1e-8)
    r.t, r["rod.position"], r.joint("hinge").force
"""

from __future__ import annotations

import json as _json
from typing import Any as _Any

from . import _precess
from ._analysis import Assembly, Campbell, Equilibrium, Linear, Modes
from ._builder import Settings
from ._code import CFunc, cfunc
from ._errors import (
    AnalysisError,
    CallbackError,
    ClusterError,
    ConvergenceError,
    Error,
    FileError,
    Interrupted,
    MissingFile,
    ModelError,
    NotFound,
    PrecessWarning,
    StartError,
    Untrusted,
)
from ._model import CheckReport, Model, import_mjcf, import_urdf, load
from ._page import Page
from ._results import BodyHistory, JointHistory, Results, read
from ._simulation import BodyState, Dynamics, Event, Reaction, Simulation
from ._sweep import Table
from ._system import R, SE3, SO3, Group, R3xSO3, System, run

__version__: str = _precess.VERSION


def schema() -> dict[str, _Any]:
    """The JSON schema of model files."""
    return dict(_json.loads(_precess.schema()))


def methods() -> dict[str, dict[str, _Any]]:
    """The methods by name, with their forms, formulations, orders and preserved quantities."""
    return dict(_json.loads(_precess.methods()))


__all__ = [
    "AnalysisError",
    "Assembly",
    "BodyHistory",
    "BodyState",
    "CFunc",
    "CallbackError",
    "Campbell",
    "CheckReport",
    "ClusterError",
    "ConvergenceError",
    "Dynamics",
    "Equilibrium",
    "Error",
    "Event",
    "FileError",
    "Group",
    "Interrupted",
    "JointHistory",
    "Linear",
    "MissingFile",
    "Model",
    "ModelError",
    "Modes",
    "NotFound",
    "Page",
    "PrecessWarning",
    "R",
    "R3xSO3",
    "Reaction",
    "Results",
    "SE3",
    "SO3",
    "Settings",
    "Simulation",
    "StartError",
    "System",
    "Table",
    "Untrusted",
    "__version__",
    "cfunc",
    "import_mjcf",
    "import_urdf",
    "load",
    "methods",
    "read",
    "run",
    "schema",
]
