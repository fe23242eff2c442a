"""`tf.raw_ops` of random variables' derivatives."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value

from ...core.conversion import convert_to_tensor
from ...core.tensor import Tensor
from ...dispatch.primitive import broadcast_together, primitive
from .sampling import state_of_seed


@primitive
def _gamma_gradient(b: Builder, alpha: Value, sample: Value) -> Value:
    return b.emit(ir.RandomGammaGrad(*broadcast_together(b, alpha, sample)))


def gamma_gradient(*, alpha: Any, sample: Any, name: str | None = None) -> Tensor:
    """How a sample of a standard gamma distribution moves with its shape `alpha`."""
    alpha = convert_to_tensor(alpha)
    return _gamma_gradient(alpha, convert_to_tensor(sample, dtype_hint=alpha.dtype))


@primitive
def _key_and_counter(b: Builder, seed: Value) -> Any:
    words = state_of_seed(b, seed)  # the counter's lower and upper half, the key
    counter = b.emit(ir.Slice(words, (0,), (2,), (1,)))
    return b.emit(ir.Slice(words, (2,), (1,), (1,))), counter


def key_and_counter(seed: Any) -> Any:
    """The key u64[1] and the counter u64[2] that a seed is scrambled to."""
    return _key_and_counter(convert_to_tensor(seed))
