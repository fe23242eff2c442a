"""Products of matrices, and sums of products along axes of any two tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, SupportsIndex

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype
from tfc.ir.extent import Extent, product
from tfc.ir.ops.contraction import transposed

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, SymbolicTensor, Tensor
from ...core.types import AxisLike, DTypeLike, TensorLike
from ...dispatch.primitive import broadcast_to, common_shape, primitive, retype
from ..arguments import flag, known_argument
from ..math.reductions import _axes


def shown(shape: Sequence[Extent]) -> str:
    """A shape as TensorFlow's messages have it: `[2,3]`."""
    return "[" + ",".join(map(str, shape)) + "]"


def unified(b: Builder, x: Extent, y: Extent) -> Extent | None:
    """The extent that both are, taking those that only run time can compare to be equal (see
    `Trace.unify`); None where they differ."""
    if x != y and not getattr(b, "unify", lambda x, y: False)(x, y):
        return None
    return x if isinstance(x, int) else y


def _check_ranks(x: Value, y: Value, name: str) -> None:
    """Raise where an operand is no matrix, with the function that takes vectors."""
    if x.rank >= 2 and y.rank >= 2:
        return
    advice = ""
    if x.rank >= 2 and y.rank == 1:
        advice = ": use tf.linalg.matvec for a matrix times a vector"
    elif x.rank == y.rank == 1:
        advice = ": use tf.tensordot(x, y, 1) for two vectors"
    elif x.rank == 1:
        advice = ": use tf.linalg.matvec(y, x, transpose_a=True) for a vector times a matrix"
    raise OpError(f"{name}: In[0] and In[1] must have at least 2 dimensions{advice}")


def matmul_of(b: Builder, x: Value, y: Value, name: str = "matmul") -> Value:
    """IR for x @ y: the inner extents must agree, the batch axes broadcast."""
    _check_ranks(x, y, name)
    inner = unified(b, x.shape[-1], y.shape[-2])
    if inner is None:
        shapes = f"In[0]: {shown(x.shape)}, In[1]: {shown(y.shape)}"
        raise OpError(f"{name}: Matrix size-incompatible: {shapes}")
    x = retype(b, x, (*x.shape[:-1], inner))
    y = retype(b, y, (*y.shape[:-2], inner, y.shape[-1]))
    if x.rank > 2 and y.rank == 2:  # one matrix for all: the rows of the batch are rows of one
        rows = b.emit(ir.Reshape(x, (product(x.shape[:-1]), inner)))
        flat = b.emit(ir.Matmul(rows, y))
        result = b.emit(ir.Reshape(flat, (*x.shape[:-1], y.shape[-1])))
        return result
    if x.rank > 2 or y.rank > 2:
        x, y = broadcast_batches(b, x, y)
    result = b.emit(ir.Matmul(x, y))
    return result


def broadcast_batches(b: Builder, *values: Value, trailing: int = 2) -> list[Value]:
    """The values with a common batch: all axes but the last `trailing` broadcast."""
    batch = common_shape(b, [v.shape[: v.rank - trailing] for v in values])
    spread = []
    for v in values:
        own = v.rank - trailing
        kept = batch[len(batch) - own :]
        want = tuple(e if e == 1 else c for e, c in zip(v.shape[:own], kept, strict=True))
        fitted = retype(b, v, (*want, *v.shape[own:]))
        spread.append(broadcast_to(b, fitted, (*batch, *v.shape[own:])))
    return spread


@primitive
def _matmul(
    b: Builder, x: Value, y: Value, flip_x: str, flip_y: str, output_type: DType | None
) -> Value:
    if output_type is not None:
        x, y = (v if v.dtype is output_type else b.emit(ir.Cast(v, output_type)) for v in (x, y))
    if x.dtype is not y.dtype:
        raise OpError("matmul: operands must have the same dtype", "dtype")
    if x.dtype.is_bool:
        raise OpError("matmul: not defined for dtype bool", "dtype")
    _check_ranks(x, y, "matmul")
    return matmul_of(b, _flipped(b, x, flip_x), _flipped(b, y, flip_y))


_matmul.least = 2  # what has one row or one column is scheduled in other ways
_plain = _matmul.lazy("", "", None)


def _flipped(b: Builder, x: Value, flip: str) -> Value:
    """x as it is (""), with its last two axes exchanged ("t"), or its adjoint ("h")."""
    x = Term(b, x).conj().value if flip == "h" else x
    return transposed(b, x) if flip else x


def _flip(transpose: Any, adjoint: Any, which: str, name: str) -> str:
    transpose = flag(transpose, f"transpose_{which}", name)
    adjoint = flag(adjoint, f"adjoint_{which}", name)
    if transpose and adjoint:
        raise blame.value_error(
            f"Only one of `transpose_{which}` and `adjoint_{which}` can be True", name
        )
    return "h" if adjoint else "t" if transpose else ""


def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: DTypeLike | None = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The matrix product of the last two axes; earlier axes are batches and broadcast.

    Of `transpose_x` (the last two axes exchanged) and `adjoint_x` (conjugated as well) one may be
    set. With `output_type` the operands are converted to it before anything is multiplied, so that
    int8 matrices can have an int32 product. float16 and bfloat16 are summed in float32, integers
    wrap. `a_is_sparse`, `b_is_sparse`, `grad_a` and `grad_b` are hints to TensorFlow's kernels;
    they change nothing here.

    Args:
        a: A tensor [..., m, k] of numbers.
        b: A tensor [..., k, n] of the same dtype.
        transpose_a: Whether the last two axes of `a` are exchanged first.
        transpose_b: The same for `b`.
        adjoint_a: Whether `a` is conjugated, too.
        adjoint_b: The same for `b`.
        a_is_sparse: A hint, not used.
        b_is_sparse: A hint, not used.
        output_type: The dtype that both are converted to first.
        grad_a: A hint, not used.
        grad_b: A hint, not used.

    Returns:
        A tensor [..., m, n].

    Raises:
        InvalidArgumentError: If the inner extents or the batch axes do not fit (ValueError while
            tracing).

    >>> import tfc as tf
    >>> print(tf.matmul([[1.0, 2.0]], [[3.0], [4.0]]))
    tf.Tensor([[11.]], shape=(1, 1), dtype=float32)
    """
    plain = not any(f is not False for f in (transpose_a, transpose_b, adjoint_a, adjoint_b))
    if plain and output_type is None:
        return _plain[0](a, b)
    flips = (
        _flip(transpose_a, adjoint_a, "a", "matmul"),
        _flip(transpose_b, adjoint_b, "b", "matmul"),
    )
    return _matmul.fast(*flips, None if output_type is None else as_dtype(output_type))(a, b)


# What Python's operator calls, without another Python frame.
matmul.native = _plain  # type: ignore[attr-defined]


@primitive
def _matvec(b: Builder, x: Value, y: Value, flip: str) -> Value:
    if x.dtype is not y.dtype:
        raise OpError("matvec: operands must have the same dtype", "dtype")
    if x.rank < 2 or y.rank < 1:
        raise OpError("matvec: takes a matrix of at least 2 dimensions and a vector")
    column = b.emit(ir.Reshape(y, (*y.shape, 1)))
    product_ = matmul_of(b, _flipped(b, x, flip), column, "matvec")
    return b.emit(ir.Reshape(product_, product_.shape[:-1]))


def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of the matrices a[..., m, k] and the vectors b[..., k]; batches broadcast.

    Args:
        a: A tensor [..., m, k] of numbers.
        b: A tensor [..., k] of the same dtype.
        transpose_a: Whether the last two axes of `a` are exchanged first.
        adjoint_a: Whether `a` is conjugated, too.
        a_is_sparse: A hint, not used.
        b_is_sparse: A hint, not used.

    Returns:
        A tensor [..., m].

    Raises:
        InvalidArgumentError: If the inner extents or the batch axes do not fit (ValueError while
            tracing).

    >>> import tfc as tf
    >>> print(tf.linalg.matvec([[1, 2], [3, 4]], [1, 10]))
    tf.Tensor([21 43], shape=(2,), dtype=int32)
    """
    return _matvec.fast(_flip(transpose_a, adjoint_a, "a", "matvec"))(a, b)


@primitive
def _tensordot(
    b: Builder, x: Value, y: Value, left: tuple[int, ...], right: tuple[int, ...]
) -> Value:
    if x.dtype is not y.dtype:
        raise OpError("tensordot: operands must have the same dtype", "dtype")
    inner = []
    for i, j in zip(left, right, strict=True):
        extent = unified(b, x.shape[i], y.shape[j])
        if extent is None:
            shapes = (
                f"axes {list(left)} of {shown(x.shape)}, axes {list(right)} of {shown(y.shape)}"
            )
            raise OpError(f"tensordot: Matrix size-incompatible: {shapes}")
        inner.append(extent)
    free_x = tuple(i for i in range(x.rank) if i not in left)
    free_y = tuple(j for j in range(y.rank) if j not in right)
    if not free_x and not free_y and not x.dtype.is_bool:
        pairs = ((x, left), (y, right))
        x, y = (retype(b, b.emit(ir.Transpose(v, perm)), tuple(inner)) for v, perm in pairs)
        return inner_product(b, x, y, range(x.rank))
    rows, columns = [x.shape[i] for i in free_x], [y.shape[j] for j in free_y]
    k = product(inner)
    x = b.emit(ir.Reshape(b.emit(ir.Transpose(x, (*free_x, *left))), (product(rows), k)))
    y = b.emit(ir.Reshape(b.emit(ir.Transpose(y, (*right, *free_y))), (k, product(columns))))
    return b.emit(ir.Reshape(b.emit(ir.Matmul(x, y)), (*rows, *columns)))


def inner_product(b: Builder, x: Value, y: Value, axes: Sequence[int]) -> Value:
    """IR for the sum of x * y over `axes`, where a matrix product would use no element twice: a
    reduction, which has lanes along the axes. As in matrix products, float16 and bfloat16 are
    summed in float32."""
    dtype = x.dtype
    if dtype.compute is not dtype:
        x, y = (b.emit(ir.Cast(v, dtype.compute)) for v in (x, y))
    total = b.emit(ir.ReduceSum(b.emit(ir.Mul(x, y)), tuple(axes)))
    return total if dtype.compute is dtype else b.emit(ir.Cast(total, dtype))


def tensordot(
    a: TensorLike,
    b: TensorLike,
    axes: AxisLike | Sequence[Sequence[SupportsIndex]],
    name: str | None = None,
) -> Tensor:
    """The sum of products over `axes`: an int n (the last n axes of a with the first n of b), or
    a pair of axes, or of lists of axes, of a and of b. The other axes of a stand first. Where there
    are none, the products are summed as by `reduce_sum`.

    Args:
        a: A tensor of numbers.
        b: A tensor of the same dtype.
        axes: How many axes, or which: an int, or a pair.

    Returns:
        A tensor with the axes of `a`, then those of `b`, that are not summed over.

    Raises:
        InvalidArgumentError: If the extents of the axes differ (ValueError while tracing).

    >>> import tfc as tf
    >>> tf.tensordot(tf.ones([2, 3, 4]), tf.ones([4, 3, 5]), [[1, 2], [1, 0]]).shape
    TensorShape([2, 5])
    """
    if type(axes) is int and isinstance(a, Tensor) and isinstance(b, Tensor):
        return _over(axes, a.ndim, b.ndim)(a, b)
    x = operand("tensordot", a, dtype_hint=b.dtype if isinstance(b, Held) else None)
    y = operand("tensordot", b, dtype_hint=x.dtype)
    left, right = _contracted(x, y, axes)
    return _tensordot.fast(left, right)(x, y)


@cache
def _over(axes: int, *ranks: int) -> Callable[..., Any]:
    """`_tensordot` over so many axes of operands of these ranks."""
    return _tensordot.fast(*_neighbours(axes, *ranks))


def _neighbours(axes: int, *ranks: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The last axes of the first operand, and the first ones of the second."""
    if axes < 0:
        raise blame.value_error(f"`axes` must be at least 0. Received: {axes}.", "tensordot")
    if axes > min(ranks):
        raise blame.value_error(
            f"`axes` must not be larger than the number of dimensions of either tensor, "
            f"{ranks[0]} and {ranks[1]}, got {axes}",
            "tensordot",
        )
    return tuple(range(ranks[0] - axes, ranks[0])), tuple(range(axes))


def _axes_of(given: Any) -> list[int]:
    """The axes of one operand: a number, several, or a tensor that is known."""
    if isinstance(given, SymbolicTensor):
        given = known_argument(given, "axes", "tensordot")
    elif isinstance(given, Held):
        given = given.numpy()  # type: ignore[attr-defined]
    given = given.tolist() if hasattr(given, "tolist") else given
    return [given] if isinstance(given, int) else list(given)


def _contracted(x: Any, y: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of x and those of y, pair by pair."""
    if isinstance(axes, SymbolicTensor):
        axes = known_argument(axes, "axes", "tensordot")
    if isinstance(axes, Held):
        axes = axes.numpy()  # type: ignore[attr-defined]
    axes = axes.tolist() if hasattr(axes, "tolist") else axes
    ranks = x.ndim, y.ndim
    if isinstance(axes, int):
        return _neighbours(axes, *ranks)
    if not isinstance(axes, list | tuple) or len(axes) != 2:
        raise blame.value_error(
            f"`axes` must be an integer or have length 2. Received {axes!r}.", "tensordot"
        )
    left, right = (_axes_of(v) for v in axes)
    if len(left) != len(right):
        raise blame.value_error(
            f"Different number of contraction axes `a` and `b`, {len(left)} != {len(right)}",
            "tensordot",
        )
    for t, given in ((x, left), (y, right)):
        _axes(t, given, "tensordot")  # checks them
    return tuple(i % ranks[0] for i in left), tuple(j % ranks[1] for j in right)
