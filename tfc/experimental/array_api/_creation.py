"""Making arrays, as the array API standard names it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

import tfc as tf
from tfc.core import dlpack as _dlpack
from tfc.core.tensor import Held, Tensor
from tfc.core.types import DTypeLike, TensorLike
from tfc.core.variable import Variable
from tfc.ir.dtypes import DType, as_dtype

from ._dtypes import DEFAULTS, check_device

Extents: TypeAlias = "int | Sequence[int]"


def _dtype(dtype: DTypeLike | None, default: DType) -> DType:
    return default if dtype is None else as_dtype(dtype)


def asarray(
    obj: TensorLike,
    /,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    copy: bool | None = None,
) -> Tensor:
    """An array of numbers, nested sequences, arrays, and what DLPack or the buffer protocol gives.

    Python numbers become int64, float32, complex64 or bool. With
    `copy=False`, memory of others is shared, and must not be changed any more; ValueError where it
    cannot be.
    """
    check_device(device)
    if isinstance(obj, Held):
        held = obj.value() if isinstance(obj, Variable) else tf.convert_to_tensor(obj)
        if copy is False and dtype is not None and held.dtype != dtype:
            raise ValueError("a copy is needed to convert the dtype")
        return held if dtype is None else tf.cast(held, dtype)
    if not isinstance(obj, np.ndarray) and hasattr(obj, "__dlpack__"):
        return asarray(_dlpack.from_dlpack(obj, copy=copy), dtype=dtype, copy=copy)
    if copy is False:
        if isinstance(obj, bool | int | float | complex | list | tuple | range):
            raise ValueError("a copy is needed to make an array of Python numbers")
        array = np.asarray(obj)
        if dtype is not None and array.dtype != as_dtype(dtype).numpy:
            raise ValueError("a copy is needed to convert the dtype")
        return _dlpack.share(array)
    if dtype is not None and not isinstance(obj, np.ndarray):
        return _numbers(obj, as_dtype(dtype))
    found = tf.convert_to_tensor(obj, dtype)
    if dtype is None and not found.dtype.is_bool and not _has_dtype(obj):
        kind = "integral" if found.dtype.is_integer else "complex floating"
        return found if found.dtype.is_floating else tf.cast(found, DEFAULTS[kind])
    return found


def _has_dtype(obj: TensorLike) -> bool:
    """Whether it is, or holds, more than Python numbers."""
    if isinstance(obj, list | tuple):
        return any(map(_has_dtype, obj))
    return not isinstance(obj, int | float | complex | range) or isinstance(obj, np.generic)


def _numbers(obj: TensorLike, dtype: DType) -> Tensor:
    """Python numbers in a dtype; bools may become numbers, which TensorFlow refuses."""
    try:
        return tf.convert_to_tensor(obj, dtype)
    except TypeError:
        found = tf.convert_to_tensor(obj)
        if found.dtype.is_bool or dtype.is_bool:
            return tf.cast(found, dtype)
        raise


def from_dlpack(x: Tensor, /, *, device: str | None = None, copy: bool | None = None) -> Tensor:
    """An array of what `x.__dlpack__()` gives. It is copied, but for tensors and `copy=False`."""
    check_device(device)
    return _dlpack.from_dlpack(x, copy=copy)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
) -> Tensor:
    """start, start + step, ... up to but without `stop`: integers if all three are."""
    check_device(device)
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("arange: the step must not be 0")
    integral = all(isinstance(v, int) for v in (start, stop, step))
    kind = _dtype(dtype, DEFAULTS["integral" if integral else "real floating"])
    if integral:
        count = max(0, -((start - stop) // step))
    else:
        count = max(0, math.ceil((stop - start) / step))
    if kind.is_integer:
        wide = tf.range(count, dtype=tf.int64) * int(step) + int(start)
        return tf.cast(wide, kind)
    return tf.cast(tf.range(count, dtype=tf.float64) * float(step) + float(start), kind)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    endpoint: bool = True,
) -> Tensor:
    """`num` numbers from `start` to `stop` (without it, unless `endpoint`), evenly spaced."""
    check_device(device)
    if num < 0:
        raise ValueError(f"linspace: there are no {num} numbers")
    made_complex = isinstance(start, complex) or isinstance(stop, complex)
    kind = _dtype(dtype, DEFAULTS["complex floating" if made_complex else "real floating"])
    wide = as_dtype("complex128") if kind.is_complex else tf.float64
    parts = max(num - 1 if endpoint else num, 1)
    ends: list[Tensor] = [tf.convert_to_tensor(v, wide) for v in (start, stop)]
    first, last = ends
    steps = tf.cast(tf.range(num, dtype=tf.float64), wide)
    line = first + steps * ((last - first) / parts)
    if endpoint and num > 1:
        line = tf.concat([line[:-1], tf.reshape(last, [1])], 0)
    return tf.cast(line, kind)


def _shape(shape: Extents) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def full(
    shape: Extents,
    fill_value: complex,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
) -> Tensor:
    """An array with `fill_value` everywhere."""
    return tf.fill(_shape(shape), asarray(fill_value, dtype=dtype, device=device))


def zeros(shape: Extents, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """Zeros."""
    check_device(device)
    return tf.zeros(_shape(shape), _dtype(dtype, DEFAULTS["real floating"]))


def ones(shape: Extents, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """Ones."""
    check_device(device)
    return tf.ones(_shape(shape), _dtype(dtype, DEFAULTS["real floating"]))


def empty(shape: Extents, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """Zeros: memory that nobody has written could not be written later either."""
    return zeros(shape, dtype=dtype, device=device)


def full_like(
    x: Tensor, /, fill_value: complex, *, dtype: DTypeLike | None = None, device: str | None = None
) -> Tensor:
    """`fill_value` in the shape of x, and its dtype unless given."""
    value = asarray(fill_value, dtype=x.dtype if dtype is None else dtype, device=device)
    return tf.fill(tf.shape(x), value)


def zeros_like(
    x: Tensor, /, *, dtype: DTypeLike | None = None, device: str | None = None
) -> Tensor:
    """Zeros in the shape of x, and its dtype unless given."""
    check_device(device)
    return tf.zeros_like(x, dtype)


def ones_like(x: Tensor, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """Ones in the shape of x, and its dtype unless given."""
    check_device(device)
    return tf.ones_like(x, dtype)


def empty_like(
    x: Tensor, /, *, dtype: DTypeLike | None = None, device: str | None = None
) -> Tensor:
    """Zeros in the shape of x, and its dtype unless given."""
    return zeros_like(x, dtype=dtype, device=device)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DTypeLike | None = None,
    device: str | None = None,
) -> Tensor:
    """Ones on the k-th diagonal, else zeros."""
    check_device(device)
    columns = n_rows if n_cols is None else n_cols
    rows = tf.reshape(tf.range(n_rows, dtype=tf.int64), [n_rows, 1])
    on = tf.equal(tf.range(columns, dtype=tf.int64), rows + k)
    return tf.cast(on, _dtype(dtype, DEFAULTS["real floating"]))


def _triangle(x: Tensor, k: int, compare: Callable[[Tensor, Tensor], Tensor], name: str) -> Tensor:
    if x.ndim < 2:
        raise ValueError(f"{name} needs a matrix or a stack of them, got rank {x.ndim}")
    rows, columns = (tf.shape(x)[-2], tf.shape(x)[-1])
    i = tf.expand_dims(tf.range(rows), 1)
    kept = compare(tf.expand_dims(tf.range(columns), 0), i + k)
    return tf.where(kept, x, tf.zeros([], x.dtype))


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """x with zeros above the k-th diagonal of its last two axes."""
    return _triangle(x, k, tf.less_equal, "tril")


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """x with zeros below the k-th diagonal of its last two axes."""
    return _triangle(x, k, tf.greater_equal, "triu")


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> list[Tensor]:
    """Coordinates of a grid whose axes are the given vectors."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', got {indexing!r}")
    if any(a.ndim > 1 for a in arrays):
        raise ValueError("meshgrid takes vectors")
    if len({a.dtype for a in arrays}) > 1:
        raise ValueError("meshgrid: the vectors must have one dtype")
    axes = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        axes[:2] = [1, 0]
    vectors = [tf.reshape(a, [-1]) for a in arrays]
    shape = [0] * len(arrays)
    for a, v in zip(axes, vectors, strict=True):
        shape[a] = v.shape[0]
    grids = []
    for a, v in zip(axes, vectors, strict=True):
        lined_up = [v.shape[0] if i == a else 1 for i in range(len(arrays))]
        grids.append(tf.broadcast_to(tf.reshape(v, lined_up), shape))
    return grids
