"""`tfc.experimental`: what TensorFlow keeps under this name, and the array API standard.

`array_api` and `numpy` are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import Any

from tfc.core import dlpack
from tfc.ops.array.scatter import dynamic_update_slice

__all__ = ["array_api", "dlpack", "dynamic_update_slice", "numpy"]


def __getattr__(name: str) -> Any:
    if name in ("array_api", "numpy"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
