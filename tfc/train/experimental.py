"""`tfc.train.experimental`: Python's own values in a checkpoint."""

from .python_state import PythonState

__all__ = ["PythonState"]
