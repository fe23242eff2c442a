"""Looking for nan and infinity in what every op gives: `debugging.enable_check_numerics`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import float64

from ..core import errors
from ..core.context import settings, user_location


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """Let every op whose floats contain nan or infinity raise InvalidArgumentError, with its name
    and the line of the call: ops that run eagerly, and those of functions that are traced from then
    on.

    Args:
        stack_height_limit: Not used; TensorFlow's, of stack traces that are not printed here.
        path_length_limit: Not used, as well.

    >>> import tfc as tf
    >>> tf.debugging.enable_check_numerics()
    >>> tf.math.log([1.0, 0.0, -1.0])
    Traceback (most recent call last):
        ...
    tfc.errors.InvalidArgumentError: log: result 0 had 1 NaN and 1 infinite of 3 elements ...
    >>> tf.debugging.disable_check_numerics()
    """
    from tfc.backends.cpu.runtime import runtime

    if not settings.check_numerics:
        runtime.set_active(1)  # native calls ask Python
        settings.check_numerics = True


def disable_check_numerics() -> None:
    """Undo `enable_check_numerics`, but for functions that were traced meanwhile.

    >>> import tfc as tf
    >>> tf.debugging.enable_check_numerics()
    >>> tf.debugging.disable_check_numerics()
    >>> print(tf.math.log([0.0]))
    tf.Tensor([-inf], shape=(1,), dtype=float32)
    """
    from tfc.backends.cpu.runtime import runtime

    if settings.check_numerics:
        runtime.set_active(-1)
        settings.check_numerics = False


def check(name: str, operands: Sequence[Any], result: Any) -> None:
    """Raise where an op has made nan or infinity."""
    for i, tensor in enumerate(result if isinstance(result, tuple) else (result,)):
        if not tensor.dtype.is_floating:
            continue
        array = np.asarray(tensor)
        finite = np.isfinite(array)
        if not finite.all():
            bad = array[~finite]
            given = ", ".join(f"{t.dtype.name}{list(t.shape)}" for t in operands)
            raise errors.InvalidArgumentError(
                f"{name}: result {i} had {int(np.isnan(bad).sum())} NaN and "
                f"{int(np.isinf(bad).sum())} infinite of {array.size} elements "
                f"(operands: {given})",
                op=name,
                location=user_location(),
            )


def emit_checks(b: Builder, name: str, results: Any) -> None:
    """Let the program that is being traced check what an op makes."""
    for v in results if isinstance(results, tuple) else (results,):
        if isinstance(v, Value) and v.dtype.is_floating:
            is_nan = b.emit(ir.IsNan(v))
            b.emit(ir.Check(b.emit(ir.LogicalNot(is_nan)), (v,), f"{name} : Tensor had NaN values"))
            wide = v if v.dtype is float64 else b.emit(ir.Cast(v, float64))
            finite = Term(b, b.emit(ir.Abs(wide))) < float("inf")
            either = finite | Term(b, is_nan)
            b.emit(ir.Check(either.value, (v,), f"{name} : Tensor had Inf values"))


__all__ = ["disable_check_numerics", "enable_check_numerics"]
