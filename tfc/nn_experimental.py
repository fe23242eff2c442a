"""`tfc.nn.experimental`."""

from .ops.nn.losses import stateless_dropout

__all__ = ["stateless_dropout"]
