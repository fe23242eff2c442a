"""The types of what functions take, for annotations: nothing here is looked at when code runs.

>>> from tfc.core.types import TensorLike
>>> def double(x: TensorLike) -> TensorLike:
...     return x * 2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from numpy.typing import DTypeLike as NumPyDTypeLike

    from tfc.ir.dtypes import DType

    from .shapes import TensorShape
    from .tensor import Held, Tensor

# What `convert_to_tensor` takes: a tensor or Variable, an array, a number, text, or nested lists.
TensorLike: TypeAlias = "Held | ArrayLike"
# What `as_dtype` takes; None, where a function chooses a dtype by itself.
DTypeLike: TypeAlias = "DType | NumPyDTypeLike | None"
# One extent, several, or those of a tensor.
ShapeLike: TypeAlias = "int | Sequence[int] | TensorShape | Tensor"
# One axis, several, or None: all.
Axes: TypeAlias = "int | Sequence[int] | None"

__all__ = ["Axes", "DTypeLike", "ShapeLike", "TensorLike"]
