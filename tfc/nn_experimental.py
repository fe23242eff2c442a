"""`tfc.nn.experimental`."""

from .ops.nn.losses import general_dropout, stateless_dropout

__all__ = [
    "general_dropout",
    "stateless_dropout",
]
