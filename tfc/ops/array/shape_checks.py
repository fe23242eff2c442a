"""Assertions on dtypes and shapes: checked when the call is made, also while a function is traced;
extents that are not known then are compared at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, float32

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.shapes import TensorShape
from ...core.tensor import Held, Tensor
from ...core.types import DTypeLike, TensorLike
from ...dispatch.tracing import current
from ..arguments import dtype_of
from ..extents import extents_of
from .checks import _known, _said, _sentence


def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Check that a tensor has an integer dtype, signed or unsigned.

    Args:
        x: A tensor.
        message: What the error says first.

    Raises:
        TypeError: If it has another dtype.

    >>> import tfc as tf
    >>> tf.debugging.assert_integer([1, 2])
    >>> tf.debugging.assert_integer([1.0], message="places")
    Traceback (most recent call last):
        ...
    TypeError: places  Expected "x" to be integer type. Found: ...
    """
    x = operand("debugging.assert_integer", x)
    if not x.dtype.is_integer:
        raise blame.type_error(
            f'{_said(message)} Expected "x" to be integer type. Found: tensor of dtype '
            f"{x.dtype!r}".strip(),
            "debugging.assert_integer",
        )


def assert_type(
    tensor: TensorLike, tf_type: DTypeLike, message: str | None = None, name: str | None = None
) -> None:
    """Check that a tensor has one dtype: nothing is converted.

    Args:
        tensor: A tensor.
        tf_type: The dtype.
        message: What the error says first.

    Raises:
        TypeError: If it has another one.

    >>> import tfc as tf
    >>> tf.debugging.assert_type(tf.zeros([2]), tf.float32)
    >>> tf.debugging.assert_type(tf.zeros([2]), tf.float64)
    Traceback (most recent call last):
        ...
    TypeError: tensor must be of type tf.float64; got tf.float32 ...
    """
    op = "debugging.assert_type"
    wanted, tensor = dtype_of(tf_type, op), operand(op, tensor)
    if tensor.dtype is not wanted:
        raise blame.type_error(
            f"{_said(message)}tensor must be of type {shown(wanted)}; got {tensor.dtype!r}", op
        )


def _rank(name: str, x: Any, ranks: Any, holds: Any, wanted: str, message: Any) -> None:
    op = f"debugging.{name}"
    x = operand(op, x)
    numbers = []
    for rank in ranks:
        value = rank if not isinstance(rank, Held) else _known(rank)
        if not isinstance(value, int | np.integer | np.ndarray) or np.ndim(value):
            if isinstance(value, np.ndarray | list | tuple) and np.ndim(value):
                raise blame.value_error(f"Rank must be a scalar, got {shown(rank)}.", op)
            raise blame.type_error(f"a rank must be a known integer scalar, got {shown(rank)}", op)
        numbers.append(int(value))
    if not holds(x.ndim, numbers):
        ranks = numbers[0] if len(numbers) == 1 and "in" not in wanted else tuple(numbers)
        raise blame.value_error(
            f"{_sentence(message)}Tensor must have rank {wanted}{ranks}.  Received rank {x.ndim}, "
            f"shape {tuple(x.shape)}",
            op,
        )


def assert_rank(
    x: TensorLike, rank: Any, message: str | None = None, name: str | None = None
) -> None:
    """Check how many axes a tensor has. Ranks are known while a function is traced, so the check
    costs nothing when it runs.

    Args:
        x: A tensor.
        rank: The number of axes: an integer, or a scalar that is known while tracing too.
        message: What the error says first.

    Raises:
        ValueError: If it has another number, or `rank` is no scalar.
        TypeError: If `rank` is no known integer.

    >>> import tfc as tf
    >>> tf.debugging.assert_rank(tf.zeros([2, 3]), 2)
    >>> tf.debugging.assert_rank(tf.zeros([2, 3]), 1)
    Traceback (most recent call last):
        ...
    ValueError: Tensor must have rank 1.  Received rank 2, shape (2, 3) ...
    """
    _rank("assert_rank", x, [rank], lambda n, r: n == r[0], "", message)


def assert_rank_at_least(
    x: TensorLike, rank: Any, message: str | None = None, name: str | None = None
) -> None:
    """Check that a tensor has so many axes or more.

    Args:
        x: A tensor.
        rank: The least number of axes: an integer, or a scalar that is known while tracing too.
        message: What the error says first.

    Raises:
        ValueError: If it has fewer, or `rank` is no scalar.
        TypeError: If `rank` is no known integer.

    >>> import tfc as tf
    >>> tf.debugging.assert_rank_at_least(tf.zeros([2, 3]), 1)
    >>> tf.debugging.assert_rank_at_least(5.0, 1)
    Traceback (most recent call last):
        ...
    ValueError: Tensor must have rank at least 1.  Received rank 0, shape () ...
    """
    _rank("assert_rank_at_least", x, [rank], lambda n, r: n >= r[0], "at least ", message)


def assert_rank_in(
    x: TensorLike, ranks: Any, message: str | None = None, name: str | None = None
) -> None:
    """Check that a tensor has one of several numbers of axes.

    Args:
        x: A tensor.
        ranks: A list or tuple of numbers.
        message: What the error says first.

    Raises:
        ValueError: If it has another number.
        TypeError: If `ranks` is no list, or one of them no known integer.

    >>> import tfc as tf
    >>> tf.debugging.assert_rank_in(tf.zeros([8, 8, 3]), [3, 4])
    >>> tf.debugging.assert_rank_in(tf.zeros([8, 8]), [3, 4])
    Traceback (most recent call last):
        ...
    ValueError: Tensor must have rank in (3, 4).  Received rank 2, shape (8, 8) ...
    """
    if not isinstance(ranks, list | tuple):
        raise blame.type_error(f"ranks must be a list, got {shown(ranks)}", "assert_rank_in")
    _rank("assert_rank_in", x, list(ranks), lambda n, r: n in r, "in ", message)


def assert_scalar(
    tensor: TensorLike, message: str | None = None, name: str | None = None
) -> Tensor:
    """Check that a tensor has no axes.

    Args:
        tensor: A tensor.
        message: What the error says first.

    Returns:
        The tensor.

    Raises:
        ValueError: If it has axes.

    >>> import tfc as tf
    >>> print(tf.debugging.assert_scalar(5))
    tf.Tensor(5, shape=(), dtype=int32)
    >>> tf.debugging.assert_scalar([5])
    Traceback (most recent call last):
        ...
    ValueError: Expected scalar shape, saw shape: (1,). ...
    """
    x = operand("debugging.assert_scalar", tensor)
    if x.ndim:
        raise blame.value_error(
            f"{_said(message)}Expected scalar shape, saw shape: {x.shape}.",
            "debugging.assert_scalar",
        )
    return x


def assert_same_float_dtype(tensors: Any = None, dtype: DTypeLike | None = None) -> Any:
    """Check that tensors have one dtype of floats.

    Args:
        tensors: A list of tensors; None: only `dtype` is looked at.
        dtype: The dtype that they must have; None: any.

    Returns:
        The dtype: that of the tensors, else `dtype`, else float32.

    Raises:
        ValueError: If they have another one, or it is no float.
        TypeError: If `tensors` is no list.

    >>> import tfc as tf
    >>> tf.debugging.assert_same_float_dtype([tf.ones([2], tf.float64)])
    tf.float64
    >>> tf.debugging.assert_same_float_dtype([tf.ones([2]), tf.ones([2], tf.float64)])
    Traceback (most recent call last):
        ...
    ValueError: ..., type=tf.float64, must be of the same type (tf.float32) as the others. ...
    """
    op = "debugging.assert_same_float_dtype"
    wanted = None if dtype is None else dtype_of(dtype, op)
    if tensors is not None and not isinstance(tensors, list | tuple):
        raise blame.type_error(f"a list of tensors is needed, got {shown(tensors)}", op)
    for t in tensors or ():
        x = t if isinstance(getattr(t, "dtype", None), DType) else operand(op, t)
        wanted = wanted or x.dtype
        if x.dtype is not wanted:
            raise blame.value_error(
                f"{x!r:.100}, type={x.dtype!r}, must be of the same type ({shown(wanted)}) as the "
                "others.",
                op,
            )
    wanted = wanted or float32
    if not wanted.is_floating:
        raise blame.value_error(f"Expected floating point type, got {shown(wanted)}.", op)
    return wanted


def assert_proper_iterable(values: Any) -> None:
    """Check that something can be iterated over and is no tensor, array or string: for arguments
    that take several tensors, where one tensor would be taken apart by mistake.

    Args:
        values: Anything.

    Raises:
        TypeError: If it is none.

    >>> import tfc as tf
    >>> tf.debugging.assert_proper_iterable([tf.zeros([2])])
    >>> tf.debugging.assert_proper_iterable(tf.zeros([2]))
    Traceback (most recent call last):
        ...
    TypeError: Expected argument "values" to be a "proper" iterable.  Found: ...
    """
    op = "debugging.assert_proper_iterable"
    unwanted = (Held, np.ndarray, bytes, str)
    if isinstance(values, unwanted):
        raise blame.type_error(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}', op
        )
    if not hasattr(values, "__iter__"):
        raise blame.type_error(
            f'Expected argument "values" to be iterable.  Found: {type(values)}', op
        )


def is_numeric_tensor(tensor: TensorLike) -> bool:
    """Whether something is a tensor or Variable of numbers: neither a Python number nor booleans
    are.

    Args:
        tensor: Anything.

    Returns:
        A bool of Python.

    >>> import tfc as tf
    >>> [tf.debugging.is_numeric_tensor(x) for x in (tf.ones([2]), tf.constant(True), 1.0)]
    [True, False, False]
    """
    return isinstance(tensor, Held) and tensor.dtype.is_numeric


def assert_shapes(
    shapes: Any,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Check that tensors have shapes that go together.

    While a function is traced, extents that are not known yet are taken to be equal, and compared
    when it runs.

    Args:
        shapes: A shape for each tensor: a dictionary by `tensor.ref()`, or pairs of tensor and
            shape. Integers must be met, equal letters are equal extents, None stands for any
            extent; `"..."`, `"*"` or an Ellipsis in front for any further axes.
        data: Ignored.
        summarize: Ignored.
        message: What the error says first.

    Raises:
        ValueError: If they do not, or `shapes` is something else.

    >>> import tfc as tf
    >>> tf.debugging.assert_shapes([(tf.zeros([2, 3]), ("n", 3)), (tf.zeros([2]), ("n",))])
    >>> tf.debugging.assert_shapes([(tf.zeros([2, 3]), ("n", "n"))])
    Traceback (most recent call last):
        ...
    ValueError: Specified by tensor ...
    """
    op = "debugging.assert_shapes"
    pairs = list(shapes.items() if isinstance(shapes, dict) else shapes)
    if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise blame.value_error("shapes must be a dictionary, or pairs of tensor and shape", op)
    sizes: dict[Any, tuple[Any, Any]] = {}
    for tensor, wanted in pairs:
        tensor = tensor.deref() if hasattr(tensor, "deref") else tensor
        x = operand(op, tensor)
        rows = list(wanted) if isinstance(wanted, list | tuple | str | TensorShape) else [wanted]
        have = list(extents_of(x))
        loose = [i for i, d in enumerate(rows) if d in ("...", "*") or d is Ellipsis]
        if loose and loose != [0]:
            raise blame.value_error(f"only the first axis may stand for many: {shown(wanted)}", op)
        if loose:
            rows = rows[1:]
            have = have[len(have) - len(rows) :] if len(have) >= len(rows) else have
        if len(have) != len(rows):
            least = "at least " if loose else ""
            raise blame.value_error(
                f"{_sentence(message)}Tensor must have rank {least}{len(rows)}. Received rank "
                f"{x.ndim}, shape {tuple(x.shape)}, which is to be {shown(wanted)}",
                op,
            )
        for axis, (extent, want) in enumerate(zip(have, rows, strict=True)):
            if want is None or want == ".":
                continue
            known, where = sizes.setdefault(want, (extent, wanted))
            if isinstance(want, int):
                known = want
            if known is not extent and known != extent and not _equal_later(known, extent):
                by = "explicitly" if isinstance(want, int) else f"by tensor {where!r}: {want!r}"
                raise blame.value_error(
                    f"{_sentence(message)}Specified {by}. Tensor dimension {axis} must have size "
                    f"{known}. Received size {extent}, shape {tuple(x.shape)}",
                    op,
                )


def _equal_later(a: Any, b: Any) -> bool:
    """Whether two extents, of which one is not known yet, are taken to be equal from here on."""
    trace = current()
    return (
        trace is not None
        and not (isinstance(a, int) and isinstance(b, int))
        and (trace.builder.unify(a, b))
    )
