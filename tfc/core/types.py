"""Names, for annotations, of what the functions of the public interface take.

What is no tensor becomes one: see `convert_to_tensor`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, Union

import numpy as np

from tfc.ir.dtypes import DType
from tfc.ir.extent import Expr

from .indexed_slices import IndexedSlices
from .shapes import TensorShape
from .tensor import Held

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
else:  # what takes long to import is what documents it
    ArrayLike = np.ndarray | np.generic | bool | int | float | complex | str | bytes

# Tensors and Variables; arrays, also those of other libraries; numbers and text; lists of these.
TensorLike: TypeAlias = Union[Held, IndexedSlices, ArrayLike, Sequence["TensorLike"]]  # noqa: UP007

# tfc.float32, "float32", np.float32, np.dtype("float32"), float.
DTypeLike: TypeAlias = DType | np.dtype | type | str

# An integer stands for a shape of one axis. None and -1 are for functions that say what they mean.
ShapeLike: TypeAlias = (
    TensorShape | Held | np.ndarray | SupportsIndex | Expr | Sequence[SupportsIndex | Expr | None]
)

# One axis or several; negative ones count from the last.
AxisLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | Held | np.ndarray
