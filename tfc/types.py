"""`tfc.types`: what annotations and `isinstance` ask for."""

from . import types_experimental as experimental

__all__ = ["experimental"]
