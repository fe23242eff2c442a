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
from ..tensor import Held, SymbolicTensor, Variable, operand
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
