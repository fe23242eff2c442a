"""`tfc.contrib`: what TensorFlow 1's programs import from there: `contrib.eager`."""

from . import eager

__all__ = ["eager"]
