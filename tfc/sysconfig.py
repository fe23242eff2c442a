"""`tfc.sysconfig`: where tfc is, and how it was built."""

from .core.installation import (
    get_build_info,
    get_compile_flags,
    get_include,
    get_lib,
    get_link_flags,
)

__all__ = [
    "get_build_info",
    "get_compile_flags",
    "get_include",
    "get_lib",
    "get_link_flags",
]
