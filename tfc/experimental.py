"""`tfc.experimental`: what TensorFlow keeps under this name."""

from . import dlpack

__all__ = ["dlpack"]
