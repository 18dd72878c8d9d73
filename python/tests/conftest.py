"""What tests share."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import precess as pc

ROOT = Path(__file__).resolve().parents[2]
G = 9.81


@pytest.fixture
def models() -> Path:
    """The example models of the repository."""
    return ROOT / "models"


def pendulum(angle: float = 0.0) -> pc.Model:
    """A bar of 1 m and 2 kg on a hinge, `angle` below the horizontal."""
    m = pc.Model("pendulum", gravity=(0, 0, -G))
    m.bar("rod", (0, 0, 0), (math.cos(angle), 0, -math.sin(angle)), mass=2, radius=0.02)
    m.revolute("hinge", "ground", "rod", point=(0, 0, 0), axis="y")
    m.sensor("angle", "coordinate", joint="hinge")
    return m


INERTIA = 2 * (3 * 0.02**2 + 1) / 12 + 2 * 0.25
"""Of the pendulum about its hinge."""


def four_bar() -> pc.Model:
    """Four bars with four plain hinges; no velocity is given."""
    m = pc.Model("four_bar", gravity=(0, 0, -G), parameters={"w": "2*pi"})
    m.bar("crank", (0, 0, 0), (0, 0, 0.3), mass=0.5, radius=0.02)
    m.bar("coupler", (0, 0, 0.3), (0.8, 0, 0.6), mass=1.0, radius=0.02)
    m.bar("rocker", (0.8, 0, 0.6), (1, 0, 0), mass=0.8, radius=0.02)
    m.revolute("A", "ground", "crank", point=(0, 0, 0), axis="y", drive="w*t")
    m.revolute("B", "crank", "coupler", point=(0, 0, 0.3), axis="y")
    m.revolute("C", "coupler", "rocker", point=(0.8, 0, 0.6), axis="y")
    m.revolute("D", "ground", "rocker", point=(1, 0, 0), axis="y")
    return m
