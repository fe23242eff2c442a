"""Ops that a library computes on the host: factorisations (LAPACK) and Fourier transforms.

That is the place for libraries: outside of what a compiler of array code is for. Such an op's
`numpy` is not only its reference meaning, it is what runs: compiled programs call back into
Python with the operands as read-only ndarrays and copy what it returns into the results. What it
raises becomes the user's error, with the op's name and line.
"""

from __future__ import annotations

import numpy as np

from ..core import Op


class HostCall(Op, abstract=True):
    """The base: `infer`, `numpy` (on dense, row-major arrays of the operands' dtypes; it returns
    an array, or a tuple of them, of the results' shapes) and `vjp`."""

    def numpy_into(self, out: np.ndarray, *operands: np.ndarray) -> bool:
        """Let `out`, the result's memory, hold what `numpy` gives, without a copy. False where that
        is not done, and `out` is as it was."""
        return False
