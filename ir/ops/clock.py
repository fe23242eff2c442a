"""What time it is while a program runs."""

from __future__ import annotations

import time

import numpy as np

from ..dtypes import float64
from ..types import TensorType
from .host import HostCall


class Timestamp(HostCall):
    """Seconds since 1970 as f64. It keeps its place among the effects of a program."""

    effect = True

    def infer(self) -> TensorType:
        return TensorType(float64)

    def numpy(self) -> np.float64:
        return np.float64(time.time())
