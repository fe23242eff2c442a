"""`tfc.nn`: what neural networks are made of."""

from .ops.math import sigmoid, tanh
from .ops.nn import (
    bias_add,
    log_softmax,
    relu,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    softplus,
    sparse_softmax_cross_entropy_with_logits,
)
from .ops.sorting import in_top_k, nth_element, top_k

__all__ = [name for name in globals() if not name.startswith("_")]
