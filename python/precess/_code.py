"""Forces that are compiled functions."""

from __future__ import annotations

import ctypes
from typing import Any

from ._errors import ModelError

__all__ = ["CFunc", "cfunc"]

SIGNATURE = "void f(double t, const double *x, const double *v, const double *R, const double *omega, double *out)"


class CFunc:
    """The address of a compiled function. It also keeps the owner of the code alive."""

    def __init__(self, address: int, owner: Any = None) -> None:
        self.address = address
        """The address of the code."""
        self.owner = owner

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError("a compiled force is called by runs, not from Python")

    def __repr__(self) -> str:
        return f"<CFunc at {self.address:#x}>"

    def __reduce__(self) -> Any:
        raise TypeError("an address is meaningless in another process: pickle a model without compiled forces")


def cfunc(function: Any) -> CFunc:
    """Makes a force of compiled code. It runs without Python and costs as much as a call in C.

    function: the result of `numba.cfunc`, a function of `ctypes` or an address. Its signature is

        void f(double t, const double *x, const double *v, const double *R, const double *omega, double *out)

    x and v are the position and velocity of the point, R is the rotation matrix of the body by rows, and
    omega is its angular velocity. All are in the inertial frame. The function writes three numbers of the
    force and three of the torque to out, which contains zeros before. In numba the signature is
    `types.void(types.double, *[types.CPointer(types.double)] * 5)`. A wrong signature crashes the process, as
    always in C."""
    if isinstance(function, CFunc):
        return function
    address = function if isinstance(function, int) else getattr(function, "address", None)
    if address is None and hasattr(function, "restype"):
        address = ctypes.cast(function, ctypes.c_void_p).value
    if not isinstance(address, int) or address <= 0:
        raise ModelError(f"{function!r} has no address; give a numba.cfunc, a function of ctypes, or an address: {SIGNATURE}")
    return CFunc(address, function)
