"""Diagonals, bands and transposes of matrices; the last two axes are a matrix's."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, int64
from tfc.ir.extent import Extent, minimum, product, symbols
from tfc.ir.ops.contraction import transposed
from tfc.ir.ops.matrices import places, within

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import Sizes, broadcast_to, primitive, retype, same_extents
from ...dispatch.tracing import current
from ..arguments import flag, numbers, one_of
from ..declare import op
from ..extents import _integer, _require, _require_equal, as_extents, extents_of
from .products import shown, unified

_ALIGNMENTS = {
    "RIGHT_LEFT": (True, False),
    "LEFT_RIGHT": (False, True),
    "LEFT_LEFT": (False, False),
    "RIGHT_RIGHT": (True, True),
}


def smaller(x: Extent, y: Extent) -> Extent:
    """The smaller of two extents. While tracing, of extents that the call knows, it is taken to be
    `x` (see `Trace.require`): what is derived from it then has one form, and one set of bits."""
    difference = y - x
    if isinstance(difference, int):
        return x if difference >= 0 else y
    trace = current()
    if trace is not None and trace.builder.measured & set(symbols(difference)):
        return minimum(x, y)
    _require(difference)
    return x


def larger(x: Extent, y: Extent) -> Extent:
    """The larger of two extents, taken to be `y` where `smaller` takes it to be `x`."""
    return x + y - smaller(x, y)


def matrix(name: str, x: Any, dtype: Any = None) -> Tensor:
    """An operand that must be a matrix, or a batch of them."""
    x = operand(name, x, dtype)
    if len(x.shape) < 2:
        raise blame.invalid(
            f"input must be at least 2-dim, received shape: {shown(extents_of(x))}", name
        )
    return x


def _band(k: Any, name: str) -> tuple[int, int]:
    """k (an int, or a pair of them) as the lowest and the highest diagonal."""
    given = numbers(k, "k", name)
    if not 1 <= len(given) <= 2:
        raise blame.value_error(f"k must be one or two integers, got {k!r}", name)
    low, high = (_integer(v, "k", name) for v in (given[0], given[-1]))
    if low > high:
        raise blame.invalid(
            f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}", name
        )
    return low, high


def _alignment(align: Any, name: str) -> tuple[bool, bool]:
    if not one_of(align, _ALIGNMENTS):
        raise blame.value_error(
            f"align must be one of {', '.join(_ALIGNMENTS)}, not {align!r}", name
        )
    return _ALIGNMENTS[align]


def _longest(rows: Extent, columns: Extent, low: int, high: int, name: str) -> Extent:
    """The length of the longest of the diagonals of a matrix."""
    for which, d in (("lower", low), ("upper", high)):
        outside = (isinstance(rows, int) and d <= -rows) or (
            isinstance(columns, int) and d >= columns
        )
        if outside and d:
            raise blame.invalid(
                f"{which}_diag_index is out of bound: {d}. It must be between {-rows} and "
                f"{columns}",
                name,
            )
        if d:
            _require(rows + d - 1 if d < 0 else columns - d - 1)
    return smaller(rows + min(high, 0), columns - max(low, 0))


@primitive
def _diag_part(b: Builder, x: Value, fill: Value, band: Any, length: tuple[Extent, ...]) -> Value:
    low, high, above, below = band
    taken = b.emit(ir.Diagonals(x, fill, low, high, above, below, length[0]))
    if low != high:
        return taken
    return b.emit(ir.Reshape(taken, (*x.shape[:-2], length[0])))


def _padding(name: str, value: TensorLike, dtype: DType) -> Tensor:
    """What stands beside diagonals; 0 is False."""
    if dtype.is_bool and type(value) is int and value in (0, 1):
        value = bool(value)
    return operand(name, value, dtype)


def diag_part(
    input: TensorLike,
    name: Any = "diag_part",
    k: Any = 0,
    padding_value: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Diagonals of matrices.

    Args:
        input: A tensor [..., m, n] of any dtype but strings.
        k: The diagonal: 0 is the main one, those above are positive. A pair (low, high): all from
            low to high.
        padding_value: What stands beside the shorter ones of several diagonals, of the dtype of
            `input`.
        align: On which side the diagonals above and below the main one stand: "RIGHT_LEFT",
            "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Returns:
        A tensor [..., length]; with a pair [..., high - low + 1, length of the longest], whose rows
        are the diagonals from high to low.

    Raises:
        InvalidArgumentError: If the rank is below 2, or there is no such diagonal (ValueError while
            tracing).
        ValueError: If `align` is another one, or `k` more than two numbers.
        TypeError: If `k` is no integer, or `padding_value` does not fit the dtype.

    >>> import tfc as tf
    >>> print(tf.linalg.diag_part([[1, 2], [3, 4]]))
    tf.Tensor([1 4], shape=(2,), dtype=int32)
    """
    x = matrix("diag_part", input)
    low, high = _band(k, "diag_part")
    rows, columns = extents_of(x)[-2:]
    length = _longest(rows, columns, low, high, "diag_part")
    fill = _padding("diag_part", padding_value, x.dtype)
    band = (low, high, *_alignment(align, "diag_part"))
    return _diag_part(x, fill, static=(band, Sizes((length,))))


@primitive
def _diag(b: Builder, x: Value, fill: Value, band: Any, shape: tuple[Extent, ...]) -> Value:
    return b.emit(ir.FromDiagonals(_rows(b, x, band), fill, *band, *shape))


def _rows(b: Builder, x: Value, band: tuple[Any, ...]) -> Value:
    """Diagonals with one row for each, as many as the band has."""
    batch = x.shape[:-1] if band[0] == band[1] else x.shape[:-2]
    return retype(b, x, (*batch, band[1] - band[0] + 1, x.shape[-1]))


def diag(
    diagonal: TensorLike,
    name: Any = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with these diagonals: what `diag_part` takes apart is put together.

    Args:
        diagonal: A tensor [..., length]; for several diagonals [..., high - low + 1, length].
        k: The diagonal: 0 is the main one, those above are positive. A pair (low, high): all from
            low to high.
        num_rows: How many rows the matrices have. -1: as few as hold the diagonals, and where
            `num_cols` is -1 too, as many as columns.
        num_cols: How many columns they have; -1 likewise.
        padding_value: What stands elsewhere, of the dtype of `diagonal`.
        align: On which side the diagonals above and below the main one stand: "RIGHT_LEFT",
            "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Returns:
        A tensor [..., num_rows, num_cols] of the same dtype.

    Raises:
        InvalidArgumentError: If the rank, the number of diagonals, of rows or of columns does not
            fit (ValueError while tracing).
        ValueError: If `align` is another one, or `k` more than two numbers.
        TypeError: If `k` is no integer, or `padding_value` does not fit the dtype.

    >>> import tfc as tf
    >>> print(tf.linalg.diag([1, 2]))
    tf.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """
    x = operand("diag", diagonal)
    low, high = _band(k, "diag")
    extents = extents_of(x)
    if len(extents) < (1 if low == high else 2):
        raise blame.invalid(
            f"diagonal must be at least 1-dim (2-dim for several), received shape: "
            f"{shown(extents)}",
            "diag",
        )
    if low != high:
        _equal(
            extents[-2],
            high - low + 1,
            "The number of diagonals provided in the input does not match the lower_diag_index "
            f"and upper_diag_index range: {extents[-2]} for {low} to {high}",
            "diag",
        )
    length = extents[-1]
    least = length - min(high, 0), length + max(low, 0)
    rows, columns = (_count(n, "diag") for n in (num_rows, num_cols))
    if rows == -1 and columns == -1:
        rows = columns = larger(*least)
    rows = least[0] if rows == -1 else rows
    columns = least[1] if columns == -1 else columns
    for extent, at_least, what in ((rows, least[0], "rows"), (columns, least[1], "columns")):
        rest = extent - at_least
        if isinstance(rest, int) and rest < 0:
            raise blame.invalid(f"The number of {what} is too small: {extent} < {at_least}", "diag")
        _require(rest)
    if rows != least[0]:
        _equal(
            columns,
            least[1],
            "The number of rows or columns is not consistent with the specified d_lower, "
            f"d_upper, and diagonal: {rows} and {columns} for {shown(extents)}",
            "diag",
        )
    fill = _padding("diag", padding_value, x.dtype)
    band = (low, high, *_alignment(align, "diag"))
    return _diag(x, fill, static=(band, Sizes((rows, columns))))


def _count(value: Any, name: str) -> Extent:
    found = as_extents(value, name)
    if len(found) != 1:
        raise blame.type_error(f"expected one number of rows or columns, got {value!r}", name)
    return found[0]


def _equal(x: Extent, y: Extent, message: str, name: str) -> None:
    """Take two extents to be equal; an error where they plainly are not."""
    difference = x - y
    if isinstance(difference, int) and difference:
        raise blame.invalid(message, name)
    _require_equal(x, y)


@primitive
def _set_diag(b: Builder, x: Value, stripes: Value, band: tuple[Any, ...]) -> Value:
    if x.dtype is not stripes.dtype:
        raise OpError("set_diag: operands must have the same dtype", "dtype")
    low, high = band[:2]
    zero = b.constant(0, x.dtype)
    laid = b.emit(ir.FromDiagonals(_rows(b, stripes, band), zero, *band, *x.shape[-2:]))
    return b.emit(ir.Select(within(b, x, low, high).value, retype(b, laid, x.shape), x))


def set_diag(
    input: TensorLike,
    diagonal: TensorLike,
    name: Any = "set_diag",
    k: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with other diagonals.

    Args:
        input: A tensor [..., m, n].
        diagonal: The diagonals, of the same dtype, in the shape in which `diag_part` would give
            them.
        k: The diagonal: 0 is the main one, those above are positive. A pair (low, high): all from
            low to high.
        align: On which side the diagonals above and below the main one stand: "RIGHT_LEFT",
            "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If the shapes do not fit, or there is no such diagonal (ValueError
            while tracing), or the dtypes differ (TypeError).
        ValueError: If `align` is another one, or `k` more than two numbers.
        TypeError: If `k` is no integer.

    >>> import tfc as tf
    >>> print(tf.linalg.set_diag([[1, 2], [3, 4]], [0, 9]))
    tf.Tensor(
    [[0 2]
     [3 9]], shape=(2, 2), dtype=int32)
    """
    x = matrix("set_diag", input)
    stripes = operand("set_diag", diagonal, dtype_hint=x.dtype)
    low, high = _band(k, "set_diag")
    *batch, rows, columns = extents_of(x)
    length = _longest(rows, columns, low, high, "set_diag")
    want = (*batch, length) if low == high else (*batch, high - low + 1, length)
    have = extents_of(stripes)
    message = f"diagonal must have shape {shown(want)}, received shape {shown(have)}"
    if len(have) != len(want):
        raise blame.invalid(message, "set_diag")
    for e, w in zip(have, want, strict=True):
        _equal(e, w, message, "set_diag")
    return _set_diag(x, stripes, static=((low, high, *_alignment(align, "set_diag")),))


@primitive
def _band_part(b: Builder, x: Value, lower: Value, upper: Value) -> Value:
    if x.rank < 2:
        raise OpError(f"band_part: input must be at least 2-dim, received shape: {shown(x.shape)}")
    row, column = places(b, x)
    d = Term(b, column) - Term(b, row)
    inside = None
    for sign, bound in ((d, upper), (-d, lower)):
        if not bound.dtype.is_integer or bound.rank:
            raise OpError("band_part: num_lower and num_upper must be integer scalars", "dtype")
        wide = broadcast_to(b, b.emit(ir.Cast(bound, int64)), x.shape)
        limit = Term(b, wide)
        within_ = (limit < 0) | (sign <= limit)
        inside = within_ if inside is None else (inside & within_)
    assert inside is not None
    return b.emit(ir.Select(inside.value, x, broadcast_to(b, b.constant(0, x.dtype), x.shape)))


def band_part(
    input: TensorLike, num_lower: TensorLike, num_upper: TensorLike, name: str | None = None
) -> Tensor:
    """The matrices with all but the main diagonal, `num_lower` diagonals below and `num_upper`
    above it set to zero; a negative number keeps them all.

    Args:
        input: A tensor [..., m, n].
        num_lower: How many diagonals below the main one stay; negative: all.
        num_upper: How many above it stay; negative: all.

    Returns:
        A tensor of the shape and dtype of `input`.

    Raises:
        InvalidArgumentError: If the rank is below 2 (ValueError while tracing).
        TypeError: If a number is no integer.

    >>> import tfc as tf
    >>> print(tf.linalg.band_part([[1, 2], [3, 4]], -1, 0))
    tf.Tensor(
    [[1 0]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    bounds = [
        n if isinstance(n, Held) else operand("band_part", n, int64) for n in (num_lower, num_upper)
    ]
    return _band_part.fast()(operand("band_part", input), *bounds)


@primitive
def _trace(b: Builder, x: Value, length: tuple[Extent, ...]) -> Value:
    zero = b.constant(0, x.dtype)
    taken = b.emit(ir.Diagonals(x, zero, 0, 0, False, False, length[0]))
    return b.emit(ir.ReduceSum(taken, (x.rank - 2, x.rank - 1)))


def trace(x: TensorLike, name: str | None = None) -> Tensor:
    """The sum along the main diagonal of the last two axes.

    Args:
        x: A tensor [..., m, n] of numbers.

    Returns:
        A tensor [...] of the dtype of `x`.

    Raises:
        InvalidArgumentError: If the rank is below 2 (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.linalg.trace([[1, 2], [3, 4]]))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    x = matrix("trace", x)
    return _trace(x, static=(Sizes((smaller(*extents_of(x)[-2:]),)),))


def _tensor_diag(b: Builder, x: Value) -> Value:
    if not x.rank:
        raise OpError("tensor_diag: Input must be at least rank 1, got 0")
    n = product(x.shape)
    row = b.emit(ir.Reshape(x, (1, n)))
    zero = b.constant(0, x.dtype)
    square = b.emit(ir.FromDiagonals(row, zero, 0, 0, False, False, n, n))
    return b.emit(ir.Reshape(square, (*x.shape, *x.shape)))


@op(_tensor_diag)
def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """A tensor of twice the rank with `diagonal` at the places [i, j, ..., i, j, ...], else 0.

    Args:
        diagonal: A tensor of any dtype but strings.

    Returns:
        A tensor of shape `diagonal.shape + diagonal.shape` and the same dtype.

    Raises:
        InvalidArgumentError: If the dtype is string.

    >>> import tfc as tf
    >>> print(tf.linalg.tensor_diag([1, 2]))
    tf.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """


def _tensor_diag_part(b: Builder, x: Value) -> Value:
    if x.rank % 2 or not x.rank:
        raise OpError(
            "tensor_diag_part: The rank of the tensor should be even and positive, got shape "
            f"{shown(x.shape)}"
        )
    half = x.rank // 2
    extents: list[Any] = []
    for e, f in zip(x.shape[:half], x.shape[half:], strict=True):
        same = unified(b, e, f)
        if same is None:
            raise OpError(
                f"tensor_diag_part: Invalid shape {shown(x.shape)}: dimensions {len(extents)} and "
                f"{len(extents) + half} do not match."
            )
        extents.append(same)
    n = product(extents)
    square = b.emit(ir.Reshape(x, (n, n)))
    zero = b.constant(0, x.dtype)
    taken = b.emit(ir.Diagonals(square, zero, 0, 0, False, False, n))
    return b.emit(ir.Reshape(taken, tuple(extents)))


@op(_tensor_diag_part)
def tensor_diag_part(input: TensorLike, name: str | None = None) -> Tensor:
    """The elements at the places [i, j, ..., i, j, ...]: half the rank.

    Args:
        input: A tensor of rank 2, 4, ..., whose shape is the same twice.

    Returns:
        A tensor of the first half of the shape, and the same dtype.

    Raises:
        InvalidArgumentError: If the rank is odd or 0, or the halves of the shape differ (ValueError
            while tracing).

    >>> import tfc as tf
    >>> print(tf.linalg.tensor_diag_part(tf.reshape(tf.range(16), [2, 2, 2, 2])))
    tf.Tensor(
    [[ 0  5]
     [10 15]], shape=(2, 2), dtype=int32)
    """


@primitive
def _matrix_transpose(b: Builder, x: Value, conjugate: bool) -> Value:
    if x.rank < 2:
        raise OpError(
            f"matrix_transpose: Argument `a` should be a (batch) matrix with rank >= 2, received "
            f"shape {shown(x.shape)}"
        )
    return transposed(b, Term(b, x).conj().value if conjugate else x)


def matrix_transpose(
    a: TensorLike, name: Any = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """Matrices with rows and columns exchanged.

    Args:
        a: A tensor [..., m, n] of any dtype.
        conjugate: Whether complex numbers are conjugated as well.

    Returns:
        A tensor [..., n, m] of the same dtype.

    Raises:
        InvalidArgumentError: If the rank is below 2 (ValueError while tracing).

    >>> import tfc as tf
    >>> tf.linalg.matrix_transpose(tf.zeros([5, 2, 3])).shape
    TensorShape([5, 3, 2])
    """
    return _matrix_transpose.fast(flag(conjugate, "conjugate", "matrix_transpose"))(a)


def adjoint(matrix: TensorLike, name: str | None = None) -> Tensor:
    """The conjugate transpose of the last two axes.

    Args:
        matrix: A tensor [..., m, n].

    Returns:
        A tensor [..., n, m] of the same dtype.

    Raises:
        InvalidArgumentError: If the rank is below 2 (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.linalg.adjoint([[1 + 2j, 3j]]))
    tf.Tensor(
    [[1.-2.j]
     [0.-3.j]], shape=(2, 1), dtype=complex128)
    """
    return _matrix_transpose.fast(True)(matrix)


@primitive
def _cross(b: Builder, x: Value, y: Value) -> Value:
    if x.dtype is not y.dtype:
        raise OpError("cross: operands must have the same dtype", "dtype")
    fitted = same_extents(b, [x, y], range(x.rank - 1))
    if fitted is None:
        raise OpError(
            f"cross: operands must have the same shape, got {shown(x.shape)} and {shown(y.shape)}"
        )
    x, y = fitted
    batch = x.shape[:-1]

    def turned(v: Value, by: int) -> Term:
        """The components (i + by) mod 3."""
        parts = []
        for begin, size in ((by, 3 - by), (0, by)):
            start = (*(0 for _ in batch), begin)
            parts.append(b.emit(ir.Slice(v, start, (*batch, size), (1,) * v.rank)))
        return Term(b, b.emit(ir.Concat(tuple(parts), v.rank - 1)))

    return (turned(x, 1) * turned(y, 2) - turned(x, 2) * turned(y, 1)).value


def cross(a: TensorLike, b: TensorLike, name: str | None = None) -> Tensor:
    """The cross product of vectors of three along the last axis.

    Args:
        a: A tensor [..., 3] of numbers.
        b: A tensor of the same shape and dtype.

    Returns:
        A tensor of that shape and dtype.

    Raises:
        InvalidArgumentError: If the shapes differ, or do not end with 3 (ValueError while tracing);
            if the dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> print(tf.linalg.cross([1, 0, 0], [0, 1, 0]))
    tf.Tensor([0 0 1], shape=(3,), dtype=int32)
    """
    x = operand("cross", a, dtype_hint=b.dtype if isinstance(b, Held) else None)
    y = operand("cross", b, dtype_hint=x.dtype)
    shapes = [extents_of(v) for v in (x, y)]
    both = " and ".join(map(shown, shapes))
    if len(shapes[0]) != len(shapes[1]) or not shapes[0]:
        raise blame.invalid(f"operands must have the same shape, got {both}", "cross")
    for extents in shapes:
        _equal(extents[-1], 3, f"Both inputs must have last dimension 3, got {both}", "cross")
    return _cross.fast()(x, y)
