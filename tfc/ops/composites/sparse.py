"""What public functions do with sparse tensors."""

from __future__ import annotations

import functools
from typing import Any

from ...dispatch.overloads import otherwise
from ..array import counting, shape_checks
from ..ragged import counting as _counting
from ..sparse.tensor import SparseTensor


@functools.cache
def install() -> None:
    """Let public functions take sparse tensors: once, when the class is met."""
    otherwise(counting.bincount, SparseTensor)(_counting.dense_bincount)
    otherwise(shape_checks.assert_type, SparseTensor)(_assert_type)


def _assert_type(tensor: Any, tf_type: Any, message: Any = None, name: str | None = None) -> Any:
    return shape_checks.assert_type(tensor.values, tf_type, message)
