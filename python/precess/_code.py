"""Compiled functions as forces."""

from __future__ import annotations

import ctypes
from typing import Any

from ._errors import ModelError

__all__ = ["CFunc", "cfunc"]

SIGNATURE = "void f(double t, const double *x, const double *v, const double *R, const double *omega, double *out)"


class CFunc:
    """A compiled function by its address; it keeps what owns the code."""

    def __init__(self, address: int, owner: Any = None) -> None:
        self.address = address
        """Where the code is."""
        self.owner = owner

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError("a compiled force is called by runs, not from Python")

    def __repr__(self) -> str:
        return f"<CFunc at {self.address:#x}>"

    def __reduce__(self) -> Any:
        raise TypeError("an address is meaningless in another process: pickle a model without compiled forces")


def cfunc(function: Any) -> CFunc:
    """Compiled code as a force: it runs without Python, at the cost of a call in C.

    function: the result of `numba.cfunc`, a function of `ctypes` or an address, of the signature

        void f(double t, const double *x, const double *v, const double *R, const double *omega, double *out)

    with the place x and velocity v of the point, the rotation matrix R of the body by rows, its angular velocity omega, all in space; out
    takes three numbers of the force and three of the torque, which are zero before. In numba the signature is
    `types.void(types.double, *[types.CPointer(types.double)] * 5)`. A wrong signature crashes the process, as always in C."""
    if isinstance(function, CFunc):
        return function
    address = function if isinstance(function, int) else getattr(function, "address", None)
    if address is None and hasattr(function, "restype"):
        address = ctypes.cast(function, ctypes.c_void_p).value
    if not isinstance(address, int) or address <= 0:
        raise ModelError(f"{function!r} has no address; give a numba.cfunc, a function of ctypes, or an address: {SIGNATURE}")
    return CFunc(address, function)
