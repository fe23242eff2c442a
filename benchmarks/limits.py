"""The arithmetic peak of one core, as a contender."""

from __future__ import annotations

import time

import numpy as np

from tfc.backends.cpu import limits

from .harness import Contender


def fma(operations: int) -> Contender:
    """So many floating-point operations at the machine's best rate; a sample is one native call."""
    native, per_turn = limits.multiply_add()
    out = np.zeros(64, np.float32)  # room for any vector

    def sample(count: int) -> float:
        start = time.perf_counter()
        native(max(1, count * operations // per_turn), 0.5, out.ctypes.data)
        return time.perf_counter() - start

    return Contender("fma", sample, limit=True)
