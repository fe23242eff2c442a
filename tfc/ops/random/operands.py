"""What distributions take, checked: as tensors, and as dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import float32

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import SymbolicTensor
from ...core.types import DTypeLike, TensorLike
from ..arguments import dtype_of


def uniform_operands(op: str, kind: Any, minval: Any, maxval: Any) -> tuple[Any, Any]:
    """The bounds of a uniform draw of dtype `kind` as tensors."""
    if kind.is_bool or kind.is_complex:
        raise blame.invalid_dtype(f"{op}: not defined for {kind.name}", op)
    if kind.is_integer and maxval is None:
        raise blame.value_error(f"Must specify maxval for integer dtype {kind!r}", op)
    low = operand(op, 0 if minval is None else minval, kind)
    high = operand(op, 1 if maxval is None else maxval, kind)
    known = not any(isinstance(v, SymbolicTensor) for v in (low, high))
    if kind.is_integer and known:
        try:
            wrong = bool(np.any(np.asarray(low) >= np.asarray(high)))
        except ValueError:
            raise blame.invalid(
                f"minval of shape {low.shape} and maxval of shape {high.shape} do not fit", op
            ) from None
        if wrong:
            raise blame.invalid(f"Need minval < maxval, got {minval} >= {maxval}", op)
    return low, high


def float_of(dtype: DTypeLike, op: str) -> Any:
    """`dtype` as a DType of floats."""
    kind = dtype_of(dtype, op)
    if not kind.is_floating:
        raise blame.invalid_dtype(f"{op}: defined for floats only, got {kind.name}", op)
    return kind


def binomial_operands(op: str, counts: TensorLike, probs: TensorLike) -> tuple[Any, Any]:
    """Counts and probabilities as tensors."""
    chance = operand(op, probs, dtype_hint=float32)
    return operand(op, counts, dtype_hint=chance.dtype), chance
