"""`tfc.version`: which version this is."""

from .core.absent import refusal as _refusal
from .core.version import (
    COMPILER_VERSION,
    GIT_VERSION,
    GRAPH_DEF_VERSION,
    VERSION,
)

__getattr__ = _refusal("tf.version")
__all__ = [
    "COMPILER_VERSION",
    "GIT_VERSION",
    "GRAPH_DEF_VERSION",
    "VERSION",
]
