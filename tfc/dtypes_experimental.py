"""`tfc.dtypes.experimental`: floats of 8 bits, which are stored, moved and cast."""

from tfc.ir.dtypes import float8_e4m3fn, float8_e5m2

from .core.absent import refusal as _refusal

__getattr__ = _refusal("tf.dtypes.experimental")
__all__ = ["float8_e4m3fn", "float8_e5m2"]
