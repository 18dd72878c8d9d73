"""Forces and systems written in Python, and forces in compiled code."""

from __future__ import annotations

import copy
import ctypes
import math
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import G, pendulum

import precess as pc


def wind(t, x, v, R):
    return -0.3 * np.linalg.norm(v) * v


def test_a_force_in_python_is_that_of_the_library() -> None:
    theirs = pendulum().drag("wind", body="rod", point=(1, 0, 0), coefficient=0.3)
    mine = pendulum()
    mine.callback("wind", on="rod", point=(1, 0, 0), function=wind)
    a, b = mine.run(until=1, tol=1e-9), theirs.run(until=1, tol=1e-9)
    assert np.abs(a["rod.position"][-1] - b["rod.position"][-1]).max() < 1e-7
    assert np.abs(a["hinge.force"][-1] - b["hinge.force"][-1]).max() < 1e-5
    # Without wind it would be elsewhere.
    assert np.abs(pendulum().run(until=1, tol=1e-9)["rod.position"][-1] - b["rod.position"][-1]).max() > 1e-2


def test_a_decorator_a_torque_and_the_angular_velocity() -> None:
    m = pc.Model("free").body("a", mass=1, inertia=(2, 2, 2), angular_velocity=(1, 2, 3), position=(1, 0, 0))
    seen = []

    @m.callback("brake", on="a", point=(1, 0, 0))
    def brake(t, x, v, R, omega):
        seen.append((x.copy(), R.copy()))
        return (0, 0, 0), -0.5 * omega

    r = m.run(until=1, tol=1e-9)
    # 2 w' = -w/2
    assert np.linalg.norm(r["a.angular_velocity"][-1]) == pytest.approx(math.sqrt(14) * math.exp(-0.25), rel=1e-7)
    assert all(abs(np.linalg.det(R) - 1) < 1e-9 for _, R in seen) and np.allclose(seen[0][0], [1, 0, 0])
    sim = m.simulation(tol=1e-9)
    sim.advance(1.0)
    assert np.linalg.norm(sim.body("a").angular_velocity) == pytest.approx(math.sqrt(14) * math.exp(-0.25), rel=1e-7)


def test_exceptions_come_back_with_their_cause() -> None:
    m = pendulum()

    @m.callback("wrong", on="rod", point=(1, 0, 0))
    def wrong(t, x, v, R):
        if t > 0.2:
            raise ZeroDivisionError("mine")
        return (0, 0, 0)

    with pytest.raises(pc.CallbackError) as caught:
        m.run(until=1, tol=1e-6)
    assert isinstance(caught.value.__cause__, ZeroDivisionError) and 0.2 < caught.value.t < 1
    assert caught.value.results is not None and 0.1 < caught.value.results.t[-1] <= 0.21
    sim = m.simulation(tol=1e-6)
    with pytest.raises(pc.CallbackError):
        sim.advance(0.5)
    m = pendulum()
    m.callback("wrong", on="rod", point=(1, 0, 0), function=lambda t, x, v, R: "text")
    with pytest.raises(pc.CallbackError, match="three numbers"):
        m.run(until=1, tol=1e-6)


def test_models_with_code_are_models() -> None:
    m = pendulum()
    m.callback("wind", on="rod", point=(1, 0, 0), function=wind)
    again = pickle.loads(pickle.dumps(m))
    assert again == m and copy.deepcopy(m) == m and m.copy() == m and pendulum() != m
    assert np.array_equal(again.run(0.1, 1e-6)["rod.position"], m.run(0.1, 1e-6)["rod.position"])
    with pytest.raises(pc.ModelError, match="'wind'"):
        m.to_toml()
    with pytest.raises(pc.ModelError, match="without Python"):
        m.sweep({"body.rod.mass": [1, 2]}, until=0.1, tol=1e-6)
    other = m.copy()
    other.callback("more", on="rod", point=(0, 0, 0), function=wind)
    assert len(m._own) == 1
    other.callback("lost", on="rot", point=(0, 0, 0), function=wind)
    with pytest.raises(pc.NotFound):
        other.run(0.1, 1e-6)


CODE = r"""
#include <math.h>
void wind(double t, const double *x, const double *v, const double *R, const double *omega, double *out) {
    double speed = sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]);
    for (int i = 0; i < 3; i++) out[i] = -0.3*speed*v[i];
}
"""


def test_compiled_code(tmp_path) -> None:
    expected = pendulum()
    expected.callback("wind", on="rod", point=(1, 0, 0), function=wind)
    expected = expected.run(until=0.5, tol=1e-8)
    pointer = ctypes.POINTER(ctypes.c_double)
    kind = ctypes.CFUNCTYPE(None, ctypes.c_double, *[pointer] * 5)

    @kind
    def called(t, x, v, R, omega, out):
        speed = math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
        for i in range(3):
            out[i] = -0.3 * speed * v[i]

    functions = [called]
    compiler = shutil.which("cc")
    if compiler and sys.platform == "linux":
        (tmp_path / "wind.c").write_text(CODE)
        library = tmp_path / "wind.so"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", tmp_path / "wind.c", "-o", library, "-lm"], check=True)
        functions.append(ctypes.CDLL(str(library)).wind)
    try:
        import numba
        from numba import types
    except ImportError:
        pass
    else:

        @numba.cfunc(types.void(types.double, *[types.CPointer(types.double)] * 5))
        def compiled(t, x, v, R, omega, out):
            speed = math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
            for i in range(3):
                out[i] = -0.3 * speed * v[i]

        functions.append(compiled)
    for function in functions:
        m = pendulum()
        m.callback("wind", on="rod", point=(1, 0, 0), function=pc.cfunc(function))
        r = m.run(until=0.5, tol=1e-8)
        assert np.abs(r["rod.position"][-1] - expected["rod.position"][-1]).max() < 1e-7
        with pytest.raises(TypeError, match="another process"):
            pickle.dumps(m)
    with pytest.raises(pc.ModelError, match="no address"):
        pc.cfunc("nothing")


class Bead(pc.System):
    """A bead on a sphere."""

    group, n_lambda = pc.R(3), 1

    def constraint(self, t, q, phi):
        phi[0] = q @ q - 1

    def residual(self, t, q, v, vdot, lam, r):
        r[:] = vdot + [0, 0, G] + 2 * lam[0] * q

    def energy(self, t, q, v):
        return v @ v / 2 + G * q[2]


def test_a_system() -> None:
    exact = pc.Model("bead", gravity=(0, 0, -G)).body("b", type="point", mass=1, position=(1, 0, 0), velocity=(0, 1, 0))
    exact.joint("rod", "rigid-distance", ["ground", "b"], point=(0, 0, 0), point2=(1, 0, 0))
    exact = exact.run(until=1, tol=1e-10)
    for settings, tolerance in (({"tol": 1e-8}, 1e-6), ({"step": 1e-3, "method": "gen-alpha"}, 1e-4)):
        r = pc.run(Bead(), q=[1, 0, 0], v=[0, 1, 0], until=1, **settings)
        assert list(r) == ["t", "q", "v", "vdot", "lambda", "energy"] and r.t[-1] == pytest.approx(1)
        assert np.abs(r["q"][-1] - exact["b.position"][-1]).max() < tolerance
        assert np.abs(np.linalg.norm(r["q"], axis=1) - 1).max() < 1e-8
        assert np.ptp(r["energy"]) < 50 * tolerance
        # The force on the bead is -2 lambda q; along the rod it is |v|^2 - g z by hand.
        force = 2 * r["lambda"][-1, 0]
        v, z = r["v"][-1], r["q"][-1, 2]
        assert force == pytest.approx(v @ v - G * z, rel=1e-3)
    again = pickle.loads(pickle.dumps(r))
    assert np.array_equal(again["q"], r["q"])


def test_a_system_with_rotations() -> None:
    class Free(pc.System):
        group = pc.SO3

        def residual(self, t, q, v, vdot, lam, r):
            J = np.array([1.0, 2.0, 3.0])
            r[:] = J * vdot + np.cross(v, J * v)

    r = pc.run(Free(), q=[1, 0, 0, 0], v=[0.1, 2, 0.1], until=5, tol=1e-8)
    m = pc.Model("free").body("a", mass=1, inertia=(1, 2, 3), angular_velocity=(0.1, 2, 0.1)).run(5, 1e-10)
    assert np.abs(r["v"][-1] - m["a.angular_velocity"][-1]).max() < 1e-5
    assert repr(pc.SO3 * pc.R(2)) == "SO3 * R(2)"


def test_mistakes_in_systems() -> None:
    class Broken(Bead):
        def residual(self, t, q, v, vdot, lam, r):
            if t > 0.1:
                raise KeyError("mine")
            super().residual(t, q, v, vdot, lam, r)

    with pytest.raises(pc.CallbackError) as caught:
        pc.run(Broken(), q=[1, 0, 0], v=[0, 1, 0], until=1, step=1e-2)
    assert isinstance(caught.value.__cause__, KeyError) and caught.value.results is not None
    with pytest.raises(pc.ModelError, match="has a group"):
        pc.run(object(), until=1)  # type: ignore[arg-type]
    with pytest.raises(pc.StartError):
        pc.run(Bead(), q=[1, 0, 0.5], v=[0, 1, 0], until=1)
    with pytest.raises(pc.Error):
        pc.run(Bead(), q=[1, 0], v=[0, 1, 0], until=1)


def test_inputs_of_formulas() -> None:
    m = pc.Model("wheel", inputs={"u": 1.0}).body("wheel", mass=1, inertia=(2, 2, 2))
    m.revolute("axle", "ground", "wheel", point=(0, 0, 0), axis="z")
    m.actuator("motor", joint="axle", value="3*input('u') - 0.1*v").sensor("rate", "rate", joint="axle")
    assert m.to_dict()["inputs"] == {"u": 1.0}
    sim = m.simulation(tol=1e-9)
    assert sim.inputs == {"u": 1, "motor": 1} and sim.input("u") == 1.0
    # 2 w' = 3 u - w/10
    w, t = 0.0, 0.0
    for u in (1.0, -2.0):
        sim.set_input("u", u)
        sim.advance(0.1)
        w = 30 * u + (w - 30 * u) * math.exp(-0.005)
        assert sim.sensor("rate") == pytest.approx(w, abs=1e-7)
    sim.set_input("u", 0.0, until=0.6)
    sim.advance_to(0.4)
    assert sim.input("u") == pytest.approx(-1.0)
    sim.advance_to(1.0)
    assert sim.input("u") == 0.0
    # The same by a formula of time.
    line = "if(t < 0.1, 1, if(t < 0.2, -2, if(t < 0.6, -2 + 5*(t - 0.2), 0)))"
    other = pc.Model("wheel").body("wheel", mass=1, inertia=(2, 2, 2))
    other.revolute("axle", "ground", "wheel", point=(0, 0, 0), axis="z")
    other.actuator("motor", joint="axle", value=f"3*({line}) - 0.1*v").sensor("rate", "rate", joint="axle")
    assert sim.sensor("rate") == pytest.approx(other.run(1.0, 1e-9)["rate"][-1], abs=1e-7)
