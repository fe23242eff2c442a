"""`tfc.version`: which version this is."""

import platform as _platform

VERSION = "0.1.0"
GIT_VERSION = "unknown"
COMPILER_VERSION = f"llvmlite, Python {_platform.python_version()}"
GRAPH_DEF_VERSION = 0

__all__ = ["COMPILER_VERSION", "GIT_VERSION", "GRAPH_DEF_VERSION", "VERSION"]
