"""Assertions. What is known when the call is made is checked at once; inside a `tfc.function` the
rest becomes a check of the compiled program, which raises with the line of the call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.ops.printing import SLOT
from tfc.ir.ops.shape import Constant

from ...core import above, blame, errors
from ...core.context import context, user_location
from ...core.conversion import convert_to_tensor, operand
from ...core.tensor import Held, SymbolicTensor, Tensor
from ...core.types import TensorLike
from ...core.variable import Variable
from ...dispatch.primitive import Primitive, broadcast_shapes, broadcast_to, primitive
from ..arguments import summarized
from ..math import arithmetic, comparisons, reductions
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
def _check(b: Builder, condition: Value, *rest: Any) -> Value:
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
        raise _fail(_comparison(sign, static_x, static_y, holds, message, summarize, op), op)


def _first_line(message: Any) -> list[str]:
    """What the user says of a failure, unless that is nothing. (Any object may say it.)"""
    return [] if message is None or (isinstance(message, str) and not message) else [str(message)]


def _sentence(message: Any) -> str:
    """What the user says of a failure, as a sentence before others."""
    return "".join(f"{line}. " for line in _first_line(message))


def _said(message: Any) -> str:
    return "".join(f"{line} " for line in _first_line(message))


def _comparison(
    sign: str,
    x: np.ndarray,
    y: np.ndarray,
    holds: np.ndarray,
    message: Any,
    summarize: Any,
    op: str,
) -> list[str]:
    """The lines that say where x and y are not as they should be."""
    count = summarized(summarize, op)
    lines = _first_line(message)
    lines.append(f"Condition x {sign} y did not hold.")
    if holds.ndim:
        places = np.argwhere(~holds)[:count]
        lines += [f"Indices of first {len(places)} different values:", str(places)]
        for name, array in (("x", x), ("y", y)):
            wrong = np.broadcast_to(array, holds.shape)[~holds]
            lines += [f"Corresponding {name} values:", str(wrong[:count])]
    lines += _first("First {} elements of x:", x, count)
    return lines + _first("First {} elements of y:", y, count)


_COMPARISON = """Raise InvalidArgumentError unless x {sign} y holds for every pair of elements.

    x and y have one dtype and broadcast; where there are no elements, all is well. The error shows
    the first `summarize` (3; all, where it is negative) places and elements, below `message`.
    Inside a `tfc.function` the program checks it each time it runs: no `control_dependencies`
    are needed.

    Args:
        x: A tensor.
        y: A tensor of the same dtype, whose shape broadcasts with that of `x`.
        message: What the error begins with.
        summarize: How many elements it shows; None is 3, a negative number all.

    Raises:
        InvalidArgumentError: If it does not hold, when this is run.

    >>> import tfc as tf
    >>> tf.debugging.{name}({good})
    >>> tf.debugging.{name}({bad})
    Traceback (most recent call last):
    ...
    tfc.errors.InvalidArgumentError: Condition x {sign} y did not hold.
    Indices of first 1 different values:
    [[1]]
    ...
    """


_OPTIONS = (
    "        message: What the error begins with.\n",
    "        summarize: How many elements it shows; None is 3, a negative number all.\n",
)


def _comparing(name: str, sign: str, compute: Any, reference: Any, good: str, bad: str) -> Any:
    def check(
        x: Any, y: Any, message: Any = None, summarize: Any = None, name: str | None = None
    ) -> None:
        _compare(function_name, sign, compute, reference, x, y, message, summarize)

    def check_unequal(
        x: Any, y: Any, summarize: Any = None, message: Any = None, name: str | None = None
    ) -> None:
        _compare(function_name, sign, compute, reference, x, y, message, summarize)

    function_name = name
    chosen: Any = check
    text = _COMPARISON
    if sign == "!=":  # the one whose arguments TensorFlow has in another order
        chosen = check_unequal
        first, second = _OPTIONS
        text = text.replace(first + second, second + first)
    chosen.__name__ = chosen.__qualname__ = name
    chosen.__doc__ = text.format(name=name, sign=sign, good=good, bad=bad)
    return chosen


assert_equal = _comparing(
    "assert_equal",
    "==",
    comparisons.equal,
    np.equal,
    "[1, 2], [1, 2]",
    "[1, 2], [1, 3]",
)
assert_none_equal = _comparing(
    "assert_none_equal", "!=", comparisons.not_equal, np.not_equal, "[1, 2], 0", "[1, 2], 2"
)
assert_less = _comparing("assert_less", "<", comparisons.less, np.less, "[1, 2], 3", "[1, 2], 2")
assert_less_equal = _comparing(
    "assert_less_equal", "<=", comparisons.less_equal, np.less_equal, "[1, 2], 2", "[1, 2], 1"
)
assert_greater = _comparing(
    "assert_greater", ">", comparisons.greater, np.greater, "[2, 1], 0", "[2, 1], 1"
)
assert_greater_equal = _comparing(
    "assert_greater_equal",
    ">=",
    comparisons.greater_equal,
    np.greater_equal,
    "[2, 1], 1",
    "[2, 1], 2",
)


_AGAINST_ZERO = """Raise InvalidArgumentError unless x {sign} 0 holds for every element.

    The error shows the first `summarize` (3; all, where it is negative) elements, below `message`.
    Inside a `tfc.function` the program checks it each time it runs.

    Args:
        x: A tensor of numbers.
        message: What the error begins with.
        summarize: How many elements it shows; None is 3, a negative number all.

    Raises:
        InvalidArgumentError: If it does not hold, when this is run.

    >>> import tfc as tf
    >>> tf.debugging.{name}({good})
    >>> tf.debugging.{name}({bad}, message="no {bad}")
    Traceback (most recent call last):
    ...
    tfc.errors.InvalidArgumentError: no {bad}. Condition x {sign} 0 did not hold element-wise:
    ...
    """


def _against_zero(name: str, sign: str, compute: Any, reference: Any, good: str, bad: str) -> Any:
    def check(x: Any, message: Any = None, summarize: Any = None, name: str | None = None) -> None:
        op = f"debugging.{function_name}"
        x = operand(op, x)
        if not x.dtype.is_numeric and not x.dtype.is_bool:
            raise blame.invalid_dtype(f"{op}: not defined for dtype {x.dtype.name}", op)
        zero = x.dtype.numpy.type(0)
        known = _known(x)
        said = f"Condition x {sign} 0 did not hold element-wise"
        if known is None:
            _later(compute(x, 0), (x,), f"assertion failed: {_said(message)}{said}")
        elif not np.all(reference(known, zero)):
            count = summarized(summarize, op)
            shown = [str(v) for v in known.reshape(-1)[:count]]
            about = f"x (shape={tuple(x.shape)} dtype={x.dtype.name}) = "
            about += str(shown) if known.ndim else shown[0]
            raise _fail([f"{_sentence(message)}{said}:", about], op)

    function_name = name
    check.__name__ = check.__qualname__ = name
    check.__doc__ = _AGAINST_ZERO.format(name=name, sign=sign, good=good, bad=bad)
    return check


assert_negative = _against_zero(
    "assert_negative", "<", comparisons.less, np.less, "[-1, -2]", "[-1, 0]"
)
assert_positive = _against_zero(
    "assert_positive", ">", comparisons.greater, np.greater, "[1, 2]", "[1, 0]"
)
assert_non_negative = _against_zero(
    "assert_non_negative", ">=", comparisons.greater_equal, np.greater_equal, "[0, 1]", "[0, -1]"
)
assert_non_positive = _against_zero(
    "assert_non_positive", "<=", comparisons.less_equal, np.less_equal, "[0, -1]", "[0, 1]"
)


def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Check that numbers are near to each other: |x - y| <= atol + rtol * |y| for every element. A
    nan is near nothing.

    Unlike TensorFlow, which documents this but compares with `<`, equal numbers pass tolerances of
    0.

    Args:
        x: A tensor of floats or complex numbers.
        y: A tensor of the same dtype, whose shape broadcasts with that of `x`.
        rtol: The relative tolerance; None is 10 epsilons of the dtype, for complex numbers of that
            of their parts.
        atol: The absolute tolerance; None likewise.
        message: What the error says first.
        summarize: How many elements the error shows: None is 3, a negative number all.

    Raises:
        InvalidArgumentError: If they are not near (in a function, when it runs); if the shapes do
            not broadcast (ValueError while tracing), or the dtypes differ or are others
            (TypeError).

    >>> import tfc as tf
    >>> tf.debugging.assert_near([0.1 + 0.2, 1.0], [0.3, 1.0])
    >>> tf.debugging.assert_near([1.0], [1.25], rtol=0.0, atol=0.25)
    >>> tf.debugging.assert_near([1.0], [1.5], rtol=0.0, atol=0.25)
    Traceback (most recent call last):
        ...
    tfc.errors.InvalidArgumentError: x and y not equal to tolerance rtol = ...
    """
    op = "debugging.assert_near"
    x = operand(op, x)
    y = operand(op, y, dtype_hint=x.dtype)
    if x.dtype is not y.dtype or not (x.dtype.is_floating or x.dtype.is_complex):
        raise blame.invalid_dtype(
            f"assert_near: x and y must be floats or complex of one dtype, got {x.dtype.name} and "
            f"{y.dtype.name}",
            op,
        )
    import ml_dtypes

    real = x.dtype.real_dtype
    default = 10 * float(ml_dtypes.finfo(real.numpy).eps)
    relative = operand(op, default if rtol is None else rtol, real)
    absolute = operand(op, default if atol is None else atol, real)
    allowed = absolute + relative * arithmetic.abs(y)
    distance = arithmetic.abs(x - y)
    known, most = _known(distance), _known(allowed)
    if known is None or most is None:
        said = f"assertion failed: {_said(message)}x and y not equal to tolerance"
        _later(comparisons.less_equal(distance, allowed), (x, y), said)
        return
    if not np.all(known <= most):
        count = summarized(summarize, op)
        lines = _first_line(message)
        lines.append(f"x and y not equal to tolerance rtol = {relative}, atol = {absolute}")
        lines += _first("First {} elements of x:", np.asarray(x), count)
        raise _fail([*lines, *_first("First {} elements of y:", np.asarray(y), count)], op)


def Assert(
    condition: TensorLike, data: TensorLike, summarize: int | None = None, name: str | None = None
) -> None:
    """Check a condition, and show tensors where it does not hold.

    A check inside a `tfc.function` needs no `control_dependencies` to run.

    Args:
        condition: A tensor of bools, all of which must hold.
        data: A list of what the error shows: tensors and strings.
        summarize: How many elements of each: None is 3, a negative number all.

    Raises:
        InvalidArgumentError: If the condition does not hold (in a function, when it runs), or is no
            bool (TypeError while tracing).

    >>> import tfc as tf
    >>> x = tf.constant([1, -2, 3, 4])
    >>> tf.debugging.Assert(tf.reduce_all(x > 0), ["x must be positive:", x])
    Traceback (most recent call last):
        ...
    tfc.errors.InvalidArgumentError: Expected ... Summarized data: b'x must be positive:'
    1, -2, 3, ... ...
    """
    op = "Assert"
    said = str(condition)
    condition = operand(op, condition)
    if not condition.dtype.is_bool:
        raise blame.invalid_dtype(f"Assert: the condition is {condition.dtype.name}, not bool", op)
    if not isinstance(data, list | tuple):
        data = [data]
    count = summarized(summarize, op)
    known = _known(condition)
    traced = known is None or any(isinstance(d, SymbolicTensor) for d in data)
    if traced and any(isinstance(d, Held) and not _is_number(d) for d in data):
        tensors = [d for d in data if isinstance(d, Held)]
        shown = [SLOT if isinstance(d, Held) else str(d) for d in data]
        text = " ".join(["assertion failed:", *(f"[{line}]" for line in shown)])
        above.cond(
            reductions.reduce_all(condition),
            lambda: convert_to_tensor(True),
            lambda: _failing(*tensors, static=(text, count)),
        )
        return
    if traced:
        words = [f"[{d}]" for d in data if isinstance(d, str)]
        scalars = [d for d in data if not isinstance(d, str) and not np.ndim(_shaped(d))]
        text = " ".join(["assertion failed:", *words]).rstrip(":")
        _later(reductions.reduce_all(condition), scalars[:3], text)
        return
    if not np.all(known):
        lines = [_elements(d, count) for d in data]
        raise _fail([f"Expected '{said}' to be true. Summarized data: " + "\n".join(lines)], op)


def _shaped(d: Any) -> Any:
    return np.empty(tuple(d.shape), bool) if isinstance(d, Held) else d


def _elements(d: Any, count: int) -> str:
    """The first elements of what an assertion shows, as TensorFlow writes them outside of
    functions."""
    if isinstance(d, str):
        return str(d.encode())
    array = np.asarray(operand("Assert", d))
    shown = [str(x) for x in array.reshape(-1)[:count]]
    return ", ".join([*shown, "..."] if len(shown) < array.size else shown)


def _is_number(d: Any) -> bool:
    return d.shape.rank == 0 and d.dtype.kind in "biuf"


def _fail_body(b: Builder, *rest: Any) -> Value:
    *values, template, count = rest
    return b.emit(ir.Fail(tuple(values), template, count))


_failing = Primitive(_fail_body, "Assert")


def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """`tensor`, of floats; InvalidArgumentError with `message` where an element is infinite or nan.

    Inside a `tfc.function` the program checks it each time it runs, whether the result is used or
    not.

    Args:
        tensor: A tensor of floats.
        message: What the error begins with.

    Returns:
        `tensor`.

    Raises:
        InvalidArgumentError: If an element is infinite or nan.

    >>> import tfc as tf
    >>> print(tf.debugging.check_numerics([1.0, 2.0], "loss"))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    >>> tf.debugging.check_numerics(tf.math.log([0.0, -1.0]), "loss")
    Traceback (most recent call last):
        ...
    tfc.errors.InvalidArgumentError: loss : Tensor had Inf and NaN values ...
    """
    op = "debugging.check_numerics"
    x = operand(op, tensor)
    if not x.dtype.is_floating:
        raise blame.invalid_dtype(f"check_numerics: not defined for {x.dtype.name}", op)
    known = _known(x)
    if known is None:
        _later(
            comparisons.logical_not(comparisons.is_nan(x)),
            (x,),
            f"{message} : Tensor had NaN values",
        )
        _later(
            comparisons.logical_not(comparisons.is_inf(x)),
            (x,),
            f"{message} : Tensor had Inf values",
        )
        return x
    found = [what for what, f in (("Inf", np.isinf), ("NaN", np.isnan)) if np.any(f(known))]
    if found:
        raise errors.InvalidArgumentError(
            f"{message} : Tensor had {' and '.join(found)} values", op=op, location=user_location()
        )
    return x


def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Check that no element is infinite or nan: the same as `check_numerics`.

    Args:
        x: A tensor of floats.
        message: What the error says first.

    Returns:
        `x`.

    Raises:
        InvalidArgumentError: If an element is infinite or nan (in a function, when it runs), or the
            dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> tf.debugging.assert_all_finite([1.0, float("inf")], "weights")
    Traceback (most recent call last):
        ...
    tfc.errors.InvalidArgumentError: weights : Tensor had Inf values ...
    """
    return check_numerics(x, message)
