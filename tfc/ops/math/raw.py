"""`tf.raw_ops` of special functions' derivatives."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value

from ...core.conversion import convert_to_tensor
from ...core.tensor import Tensor
from ...dispatch.primitive import broadcast_together, primitive
from ..declare import WIDE, require


@primitive
def _igamma_gradient(b: Builder, a: Value, x: Value) -> Value:
    require(a, "IgammaGradA", WIDE)
    a, x = broadcast_together(b, a, x)
    return b.emit(ir.IgammaDerivative(a, x, 1))


def igamma_gradient(*, a: Any, x: Any, name: str | None = None) -> Tensor:
    """The derivative of `igamma(a, x)` by `a`."""
    a = convert_to_tensor(a)
    return _igamma_gradient(a, convert_to_tensor(x, dtype_hint=a.dtype))
