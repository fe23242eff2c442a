"""`tfc.sysconfig`: where tfc is, and how it was built."""

from .core.absent import refusal as _refusal
from .core.installation import (
    get_build_info,
    get_compile_flags,
    get_include,
    get_lib,
    get_link_flags,
)

__getattr__ = _refusal("tf.sysconfig")
__all__ = [
    "get_build_info",
    "get_compile_flags",
    "get_include",
    "get_lib",
    "get_link_flags",
]
