"""Exceptions that name the op and the user's line.

As in TensorFlow, the class tells when a call was found to be wrong: what an op refuses when it
runs is an `InvalidArgumentError`, and while a function is traced a `ValueError` (`TypeError`
where a dtype is wrong). What Python code can see before there is an op is a `ValueError` or
`TypeError` in both.
"""

from __future__ import annotations

import re
from typing import Any

from tfc.ir import dtypes

from . import errors
from .context import context, public_call, user_location


def text(message: str, op: str) -> str:
    """The message with the op and the line on which the user called it."""
    return f"{message} [Op:{op}] ({user_location()})"


def value_error(message: str, op: str) -> ValueError:
    """A ValueError of `op`."""
    return ValueError(text(message, op))


def runtime_error(message: str) -> Exception:
    """RuntimeError, with the user's line."""
    return located(RuntimeError, message)


def type_error(message: str, op: str) -> TypeError:
    """A TypeError of `op`."""
    return TypeError(text(message, op))


def unknown_value(message: str, op: str, tensor: Any) -> TypeError:
    """A TypeError of `op`, which would have to know a tensor's elements while a function is traced.
    Where these are those of small arguments, or computed from such, the function is traced for
    their values (see `unknown_in`)."""
    error: Any = type_error(message, op)
    error.unknown = tensor
    made: TypeError = error
    return made


def unknown_in(error: Exception) -> Any:
    """The tensor of an error that `unknown_value` made; None of others."""
    return getattr(error, "unknown", None) if type(error) is TypeError else None


def unknown_extent(message: str, op: str) -> errors.UnimplementedError:
    """What `op` raises where the rank of a result depends on an extent that is not known. A
    function is traced for the sizes of a call then, also where its signature has others, too."""
    error: Any = unimplemented(message, op)
    error.needs_extents = True
    made: errors.UnimplementedError = error
    return made


def invalid(message: str, op: str) -> Exception:
    """What `op` raises for values, shapes or attributes that it does not take."""
    if context.trace is not None:
        return value_error(message, op)
    return errors.InvalidArgumentError(message, op=op, location=user_location())


def out_of_range(message: str, op: str) -> Exception:
    """An OutOfRangeError that names the op and the user's line."""
    return errors.OutOfRangeError(message, op=op, location=user_location())


_UNDEFINED = re.compile(r"not defined for dtype (\w+)")
_IN_ATTRIBUTES = {"float16": "half", "float32": "float", "float64": "double"}


def invalid_dtype(message: str, op: str) -> Exception:
    """What `op` raises for dtypes that it does not take, in TensorFlow's words too."""
    found = _UNDEFINED.search(message)
    if found is not None:
        dtype = found.group(1)
        said = f"Value passed has DataType {dtype} not in list of allowed values"
        if context.trace is None:
            known = _IN_ATTRIBUTES.get(dtype, dtype)
            said = f"Value for attr 'T' of {known} is not in the list of allowed values"
        message = f"{message}: {said}"
    if context.trace is not None:
        return type_error(message, op)
    return errors.InvalidArgumentError(message, op=op, location=user_location())


def invalid_data(message: str, op: str) -> errors.InvalidArgumentError:
    """What `op` raises for bytes or texts that it cannot read, also while a function is traced."""
    return errors.InvalidArgumentError(message, op=op, location=user_location())


def unimplemented(message: str, op: str) -> errors.UnimplementedError:
    """What `op` raises for what tfc does not do yet."""
    return errors.UnimplementedError(message, op=op, location=user_location())


def located(kind: type[Exception], message: str) -> Exception:
    """An exception of this kind with the user's line."""
    return kind(f"{message} ({user_location()})")


def _no_dtype(message: str) -> TypeError:
    """What is raised where an argument names no dtype, by whatever has looked at it."""
    op = public_call()
    return TypeError(f"{message} ({user_location()})") if op is None else type_error(message, op)


dtypes.refusal = _no_dtype
