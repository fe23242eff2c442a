"""`tfc.nn.experimental`."""

from .ops.losses import stateless_dropout

__all__ = ["stateless_dropout"]
