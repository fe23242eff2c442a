"""`tfc.raw_ops`: functions by the names of TensorFlow's ops, with their arguments by name.

They are made of the public functions, by a table (tfc/compat/raw/table.py); so what these refuse is
refused here, too.

>>> import tfc as tf
>>> print(tf.raw_ops.AddV2(x=[1, 2], y=[3, 4]))
tf.Tensor([4 6], shape=(2,), dtype=int32)
"""

from __future__ import annotations

from typing import Any as _Any

from .compat.raw import entries as _entries
from .compat.raw import function_of as _function_of
from .compat.raw.absent import reason as _reason

__all__ = []  # ops are found by the table alone


def __getattr__(name: str) -> _Any:
    if name in _entries():
        return _function_of(name)
    why = f": {_reason(name)}" if name[:1].isupper() else ""
    raise AttributeError(f"module 'tfc.raw_ops' has no attribute {name!r}{why}")


def __dir__() -> list[str]:
    return sorted(_entries())
