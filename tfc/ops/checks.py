"""Assertions. What is known when the call is made is checked at once; inside a `tfc.function` the
rest becomes a check of the compiled program, which raises with the line of the call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.ops.shape import Constant

from .. import blame, errors
from ..context import context, user_location
from ..dispatch import broadcast_shapes, broadcast_to, primitive
from ..shapes import TensorShape
from ..tensor import Held, SymbolicTensor, Variable, operand, shown
from . import math
from .conversion import get_static_value


def _known(tensor: Any) -> np.ndarray | None:
    """The elements where they are known now: not while they are traced."""
    if isinstance(tensor, Variable):
        return None if context.trace is not None else np.asarray(tensor)
    if isinstance(tensor, SymbolicTensor) and isinstance(tensor._value.op, Constant):
        return tensor._value.op.value
    found = get_static_value(tensor)
    return None if found is None else np.asarray(found)


def _fail(lines: Sequence[str], op: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError("\n".join(lines), op=op, location=user_location())


@primitive
def _check(b: Builder, condition: Value, *rest: Any) -> Any:
    *values, message = rest
    shape, fitted = broadcast_shapes(b, condition, *values)
    condition, *values = (broadcast_to(b, v, shape) for v in fitted)
    return b.emit(ir.Check(condition, tuple(values), message))


def _later(condition: Any, values: Sequence[Any], message: str) -> None:
    """Let the function that is being traced check this when it runs."""
    numbers = tuple(v for v in values if operand("assert", v).dtype.kind in "biuf")
    _check(condition, *numbers, static=(message,))


def _first(title: str, array: np.ndarray, count: int) -> list[str]:
    flat = array.reshape(-1)[:count]
    return [title.format(len(flat)), str(flat)]


def _compare(
    name: str,
    sign: str,
    compute: Callable[..., Any],
    reference: Callable[..., Any],
    x: Any,
    y: Any,
    message: Any,
    summarize: Any,
) -> None:
    op = f"debugging.{name}"
    x = operand(op, x)
    y = operand(op, y, dtype_hint=x.dtype)
    if x.dtype is not y.dtype:
        raise blame.invalid_dtype(
            f"{name}: x and y must have the same dtype, got {x.dtype.name} and {y.dtype.name}", op
        )
    static_x, static_y = _known(x), _known(y)
    if static_x is None or static_y is None:
        said = f"assertion failed: {_said(message)}Condition x {sign} y did not hold element-wise"
        _later(compute(x, y), (x, y), said)
        return
    try:
        holds = np.asarray(reference(static_x, static_y))
    except ValueError:
        raise blame.invalid(
            f"{name}: Incompatible shapes: {list(x.shape)} vs. {list(y.shape)}", op
        ) from None
    if not np.all(holds):
        raise _fail(_comparison(sign, static_x, static_y, holds, message, summarize), op)


def _said(message: Any) -> str:
    return "" if not message else f"{message} "


def _comparison(
    sign: str, x: np.ndarray, y: np.ndarray, holds: np.ndarray, message: Any, summarize: Any
) -> list[str]:
    """The lines that say where x and y are not as they should be."""
    count = 3 if summarize is None else summarize if summarize >= 0 else 2**62
    lines = [str(message)] if message else []
    lines.append(f"Condition x {sign} y did not hold.")
    if holds.ndim:
        places = np.argwhere(~holds)[:count]
        kind = "different" if sign == "==" else "failing"
        lines += [f"Indices of first {len(places)} {kind} values:", str(places)]
        for name, array in (("x", x), ("y", y)):
            wrong = np.broadcast_to(array, holds.shape)[~holds]
            lines += [f"Corresponding {name} values:", str(wrong[:count])]
    lines += _first("First {} elements of x:", x, count)
    return lines + _first("First {} elements of y:", y, count)


def _comparing(name: str, sign: str, compute: Any, reference: Any, doc: str) -> Any:
    def check(x: Any, y: Any, message: Any = None, summarize: Any = None, name: Any = None) -> None:
        _compare(function_name, sign, compute, reference, x, y, message, summarize)

    function_name = name
    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"""Raise InvalidArgumentError unless {doc}, with broadcasting.

    Inside a `tfc.function` the program checks it each time it runs."""
    return check


assert_equal = _comparing(
    "assert_equal", "==", math.equal, np.equal, "x == y holds for every element"
)
assert_none_equal = _comparing(
    "assert_none_equal", "!=", math.not_equal, np.not_equal, "x != y holds for every element"
)
assert_less = _comparing("assert_less", "<", math.less, np.less, "x < y holds for every element")
assert_less_equal = _comparing(
    "assert_less_equal", "<=", math.less_equal, np.less_equal, "x <= y holds for every element"
)
assert_greater = _comparing(
    "assert_greater", ">", math.greater, np.greater, "x > y holds for every element"
)
assert_greater_equal = _comparing(
    "assert_greater_equal",
    ">=",
    math.greater_equal,
    np.greater_equal,
    "x >= y holds for every element",
)


def _against_zero(name: str, sign: str, compute: Any, reference: Any, doc: str) -> Any:
    def check(x: Any, message: Any = None, summarize: Any = None, name: Any = None) -> None:
        op = f"debugging.{function_name}"
        x = operand(op, x)
        zero = x.dtype.numpy.type(0)
        known = _known(x)
        said = f"Condition x {sign} 0 did not hold element-wise"
        if known is None:
            _later(compute(x, 0), (x,), f"assertion failed: {_said(message)}{said}")
        elif not np.all(reference(known, zero)):
            count = 3 if summarize is None else summarize if summarize >= 0 else 2**62
            lines = [str(message)] if message else []
            lines += [f"{said}:", f"x (shape={tuple(x.shape)} dtype={x.dtype.name}) = "]
            raise _fail([*lines, str(known.reshape(-1)[:count])], op)

    function_name = name
    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"""Raise InvalidArgumentError unless {doc} holds for every element.

    Inside a `tfc.function` the program checks it each time it runs."""
    return check


assert_negative = _against_zero("assert_negative", "<", math.less, np.less, "x < 0")
assert_positive = _against_zero("assert_positive", ">", math.greater, np.greater, "x > 0")
assert_non_negative = _against_zero(
    "assert_non_negative", ">=", math.greater_equal, np.greater_equal, "x >= 0"
)
assert_non_positive = _against_zero(
    "assert_non_positive", "<=", math.less_equal, np.less_equal, "x <= 0"
)


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: Any = None,
    summarize: Any = None,
    name: Any = None,
) -> None:
    """Raise InvalidArgumentError unless |x - y| <= atol + rtol * |y| for every element. Both
    tolerances are 10 epsilons of the dtype by default."""
    op = "debugging.assert_near"
    x = operand(op, x)
    y = operand(op, y, dtype_hint=x.dtype)
    if x.dtype is not y.dtype or not x.dtype.is_floating:
        raise blame.invalid_dtype(
            f"assert_near: x and y must be floats of one dtype, got {x.dtype.name} and "
            f"{y.dtype.name}",
            op,
        )
    import ml_dtypes

    default = 10 * float(ml_dtypes.finfo(x.dtype.numpy).eps)
    relative = operand(op, default if rtol is None else rtol, x.dtype)
    absolute = operand(op, default if atol is None else atol, x.dtype)
    allowed = absolute + relative * math.abs(y)
    distance = math.abs(x - y)
    known, most = _known(distance), _known(allowed)
    if known is None or most is None:
        said = f"assertion failed: {_said(message)}x and y not equal to tolerance"
        _later(math.less_equal(distance, allowed), (x, y), said)
        return
    if not np.all(known <= most):
        count = 3 if summarize is None else summarize if summarize >= 0 else 2**62
        lines = [str(message)] if message else []
        lines.append(f"x and y not equal to tolerance rtol = {relative}, atol = {absolute}")
        lines += _first("First {} elements of x:", np.asarray(x), count)
        raise _fail([*lines, *_first("First {} elements of y:", np.asarray(y), count)], op)


def Assert(condition: Any, data: Any, summarize: Any = None, name: Any = None) -> None:
    """Raise InvalidArgumentError, showing the tensors in `data`, unless the condition (all its
    elements) holds.

    Unlike TensorFlow, a check inside a `tfc.function` shows up to three scalars of `data` and the
    strings; it needs no `control_dependencies` to run."""
    op = "Assert"
    condition = operand(op, condition)
    if not condition.dtype.is_bool:
        raise blame.invalid_dtype(f"Assert: the condition is {condition.dtype.name}, not bool", op)
    if not isinstance(data, list | tuple):
        data = [data]
    known = _known(condition)
    if known is None:
        words = " ".join(str(d) for d in data if isinstance(d, str))
        scalars = [d for d in data if not isinstance(d, str) and not np.ndim(_shaped(d))]
        text = f"assertion failed: {words}".rstrip(": ")
        _later(math.reduce_all(condition), scalars[:3], text)
        return
    if not np.all(known):
        count = 3 if summarize is None else summarize if summarize >= 0 else 2**62
        lines = ["Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data:"]
        for d in data:
            lines.append(d if isinstance(d, str) else _summary(d, count))
        raise _fail(lines, op)


def _shaped(d: Any) -> Any:
    return np.empty(tuple(d.shape), bool) if isinstance(d, Held) else d  # type: ignore[attr-defined]


def _summary(d: Any, count: int) -> str:
    if isinstance(d, SymbolicTensor):
        return str(d)
    array = np.asarray(d)
    return str(array if not array.ndim else array.reshape(-1)[:count])


def check_numerics(tensor: Any, message: Any, name: Any = None) -> Any:
    """`tensor`; InvalidArgumentError with `message` where an element is infinite or nan."""
    op = "debugging.check_numerics"
    x = operand(op, tensor)
    if not x.dtype.is_floating:
        raise blame.invalid_dtype(f"check_numerics: not defined for {x.dtype.name}", op)
    known = _known(x)
    if known is None:
        _later(math.logical_not(math.is_nan(x)), (x,), f"{message} : Tensor had NaN values")
        _later(math.logical_not(math.is_inf(x)), (x,), f"{message} : Tensor had Inf values")
        return x
    found = [what for what, f in (("Inf", np.isinf), ("NaN", np.isnan)) if np.any(f(known))]
    if found:
        raise errors.InvalidArgumentError(
            f"{message} : Tensor had {' and '.join(found)} values", op=op, location=user_location()
        )
    return x


def assert_all_finite(x: Any, message: Any, name: Any = None) -> Any:
    """x; InvalidArgumentError with `message` where an element is infinite or nan."""
    return check_numerics(x, message)


# Of types and shapes: known at once, also while a function is traced.


def assert_integer(x: Any, message: Any = None, name: Any = None) -> None:
    """TypeError unless x has an integer dtype."""
    x = operand("debugging.assert_integer", x)
    if not x.dtype.is_integer:
        raise blame.type_error(
            f'{_said(message)} Expected "x" to be integer type. Found: {x.dtype!r}'.strip(),
            "debugging.assert_integer",
        )


def assert_type(tensor: Any, tf_type: Any, message: Any = None, name: Any = None) -> None:
    """TypeError unless the tensor has this dtype."""
    op = "debugging.assert_type"
    from .generator import dtype_of

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
            raise blame.value_error(f"a rank must be a known integer scalar, got {shown(rank)}", op)
        numbers.append(int(value))
    if not holds(x.ndim, numbers):
        ranks = numbers[0] if len(numbers) == 1 and "in" not in wanted else tuple(numbers)
        raise blame.value_error(
            f"{_said(message)}Tensor {op} must have rank {wanted}{ranks}.  Received rank {x.ndim}, "
            f"shape {tuple(x.shape)}",
            op,
        )


def assert_rank(x: Any, rank: Any, message: Any = None, name: Any = None) -> None:
    """ValueError unless x has this number of axes."""
    _rank("assert_rank", x, [rank], lambda n, r: n == r[0], "", message)


def assert_rank_at_least(x: Any, rank: Any, message: Any = None, name: Any = None) -> None:
    """ValueError unless x has so many axes or more."""
    _rank("assert_rank_at_least", x, [rank], lambda n, r: n >= r[0], "at least ", message)


def assert_rank_in(x: Any, ranks: Any, message: Any = None, name: Any = None) -> None:
    """ValueError unless the number of axes of x is among `ranks`."""
    if not isinstance(ranks, list | tuple):
        raise blame.type_error(f"ranks must be a list, got {shown(ranks)}", "assert_rank_in")
    _rank("assert_rank_in", x, list(ranks), lambda n, r: n in r, "in ", message)


def assert_scalar(tensor: Any, message: Any = None, name: Any = None) -> Any:
    """The tensor; ValueError unless it has no axes."""
    x = operand("debugging.assert_scalar", tensor)
    if x.ndim:
        raise blame.value_error(
            f"{_said(message)}Expected scalar shape, saw shape: {x.shape}.",
            "debugging.assert_scalar",
        )
    return x


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The one float dtype of the tensors (float32 where there are none); ValueError unless they
    have one."""
    op = "debugging.assert_same_float_dtype"
    from .generator import dtype_of

    wanted = None if dtype is None else dtype_of(dtype, op)
    if tensors is not None and not isinstance(tensors, list | tuple):
        raise blame.type_error(f"a list of tensors is needed, got {shown(tensors)}", op)
    for t in tensors or ():
        x = operand(op, t)
        wanted = wanted or x.dtype
        if x.dtype is not wanted:
            raise blame.value_error(
                f"Tensor {x!r:.100} must have type {shown(wanted)}, but has type {x.dtype!r}.", op
            )
    from tfc.ir.dtypes import float32

    wanted = wanted or float32
    if not wanted.is_floating:
        raise blame.value_error(f"Expected floating point type, got {shown(wanted)}.", op)
    return wanted


def assert_proper_iterable(values: Any) -> None:
    """TypeError unless `values` can be iterated over and is no tensor, array or string."""
    op = "debugging.assert_proper_iterable"
    unwanted = (Held, np.ndarray, bytes, str)
    if isinstance(values, unwanted):
        raise blame.type_error(
            f"Expected argument 'values' to be a 'proper' iterable.  Found: {type(values)}", op
        )
    if not hasattr(values, "__iter__"):
        raise blame.type_error(
            f"Expected argument 'values' to be iterable.  Found: {type(values)}", op
        )


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether `tensor` is a tensor or Variable of numbers."""
    return isinstance(tensor, Held) and tensor.dtype.is_numeric  # type: ignore[attr-defined]


def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: Any = None,
    message: Any = None,
    name: Any = None,
) -> None:
    """ValueError unless tensors have shapes that go together. `shapes` has a shape for each tensor
    (a dictionary by `tensor.ref()`, or pairs): integers must be met, equal letters are equal
    extents; `"..."`, `"*"` or an Ellipsis in front stands for any further axes, None for any
    extent.

    >>> import tfc as tf
    >>> tf.debugging.assert_shapes([(tf.zeros([2, 3]), ("n", 3)), (tf.zeros([2]), ("n",))])
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
        have = list(_extents(x))
        loose = [i for i, d in enumerate(rows) if d in ("...", "*") or d is Ellipsis]
        if loose and loose != [0]:
            raise blame.value_error(f"only the first axis may stand for many: {shown(wanted)}", op)
        if loose:
            rows = rows[1:]
            have = have[len(have) - len(rows) :] if len(have) >= len(rows) else have
        if len(have) != len(rows):
            least = "at least " if loose else ""
            raise blame.value_error(
                f"{_said(message)}Tensor of shape {tuple(x.shape)} must have rank {least}"
                f"{len(rows)} to be of shape {shown(wanted)}",
                op,
            )
        for axis, (extent, want) in enumerate(zip(have, rows, strict=True)):
            if want is None or want == ".":
                continue
            known, where = sizes.setdefault(want, (extent, wanted))
            if isinstance(want, int):
                known = want
            if known is not extent and known != extent and not _equal_later(known, extent):
                raise blame.value_error(
                    f"{_said(message)}Specified by tensor of shape {shown(wanted)}, axis {axis} of the "
                    f"tensor of shape {tuple(x.shape)} must be {known}"
                    + ("" if isinstance(want, int) else f", as {want!r} is in {where!r}"),
                    op,
                )


def _extents(x: Any) -> Sequence[Any]:
    from .array import extents_of

    return extents_of(x)


def _equal_later(a: Any, b: Any) -> bool:
    """Whether two extents, of which one is not known yet, are taken to be equal from here on."""
    trace = context.trace
    return (
        trace is not None
        and not (isinstance(a, int) and isinstance(b, int))
        and (trace.builder.unify(a, b))
    )
