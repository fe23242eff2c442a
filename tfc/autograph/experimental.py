"""`tfc.autograph.experimental`: where TensorFlow keeps `do_not_convert`."""

from .conversion import do_not_convert

__all__ = ["do_not_convert"]
