"""`tfc.train.experimental`: Python's own values in a checkpoint."""

from ..core.absent import refusal as _refusal
from .python_state import PythonState

__getattr__ = _refusal("tf.train.experimental")
__all__ = ["PythonState"]
