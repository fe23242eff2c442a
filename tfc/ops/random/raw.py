"""`tf.raw_ops` of random variables' derivatives."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value

from ...core.conversion import convert_to_tensor
from ...core.tensor import Tensor
from ...dispatch.primitive import broadcast_together, primitive


@primitive
def _gamma_gradient(b: Builder, alpha: Value, sample: Value) -> Value:
    return b.emit(ir.RandomGammaGrad(*broadcast_together(b, alpha, sample)))


def gamma_gradient(*, alpha: Any, sample: Any, name: str | None = None) -> Tensor:
    """How a sample of a standard gamma distribution moves with its shape `alpha`."""
    alpha = convert_to_tensor(alpha)
    return _gamma_gradient(alpha, convert_to_tensor(sample, dtype_hint=alpha.dtype))
