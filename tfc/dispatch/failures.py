"""The exceptions for what fails in native code: checks, libraries, memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir.failures import Site
from tfc.ir.ops.inspection import NotFinite

from ..core import errors
from ..core.context import user_location

# By op, how an index out of range is told, where the user does not call it an index; ops enter it.
index_messages: dict[str, str] = {}


def runtime_error(
    name: str, sites: Sequence[Site], status: int, values: Sequence[int]
) -> BaseException:
    """The exception for a check that failed in native code."""
    from tfc.backends.calling_convention import DEVICE_FAILED, OUT_OF_MEMORY

    if status == OUT_OF_MEMORY:
        return errors.ResourceExhaustedError(
            "OOM when allocating what it needs to run", op=name, location=user_location()
        )
    if status == DEVICE_FAILED:
        return errors.InternalError(str(values[0]), op=name, location=user_location())
    if status < 0:
        result, axis, value, _ = values
        return errors.InvalidArgumentError(
            f"axis {axis} of result {result} would have the extent {value}",
            op=name,
            location=user_location(),
        )
    site = sites[status - 1] if status <= len(sites) else Site("check", name, None)
    location = site.location or user_location()
    op = site.op or name
    match site.kind:
        case "memory":
            return errors.ResourceExhaustedError(
                f"OOM when allocating {values[0]} bytes", op=op, location=location
            )
        case "offset":
            text = f"element {values[0]} of a buffer of {values[1]} is accessed: an error of tfc"
            return errors.InternalError(text, op=op, location=location)
        case "index":
            text = index_messages.get(op, "index {} is not in [0, {})").format(*values[:2])
        case "host":
            return host_error(_taken(), site.op, location)
        case "singular":
            text = "Input matrix is not invertible."
        case "zero":
            text = "Integer division by zero"
        case "size":
            text = f"an extent would be {values[0]}" if values[0] > -(2**63) else "no such extent"
        case "bounds":
            text = f"elements {values[0]} to {values[1]} are not within the extent {values[2]}"
        case "equal":
            text = f"Incompatible shapes: extents {values[0]} and {values[1]} must be equal"
        case "count":
            text = f"{values[0]} elements cannot be reshaped to {values[1]}"
        case "negative":
            text = f"must not be negative, got {values[0]}"
        case "order":
            text = f"segment ids are not increasing: {values[1]} comes after {values[0]}"
        case "repeated":
            text = f"{values[0]} is duplicated in the input."
        case "empty":
            text = f"axis {values[0]} has no elements"
        case "check":
            text = _check_text(site, values)
        case _:
            text = f"a check failed with values {list(values)}"
    return errors.InvalidArgumentError(text, op=op, location=location)


def _check_text(site: Site, values: Sequence[int]) -> str:
    """The message of a check, with the values of the element that failed."""
    if not site.note:
        return f"a check failed with values {list(values)}"
    message, kinds = site.note
    shown = []
    for name, kind, bits in zip("xyz", kinds, values[1:], strict=False):
        value: Any = np.int64(bits).view(np.float64) if kind == "f" else bits
        value = bool(bits) if kind == "b" else bits % 2**64 if kind == "u" else value
        shown.append(f"{name} = {value}")
    return f"{message} ({', '.join([*shown, f'element {values[0]}'])})" if shown else message


def _python_error(error: Any, location: Any) -> BaseException:
    """What the user's own code raised, as it is."""
    if isinstance(error, errors.OpError):
        error.location = error.location or location
    error.add_note(f"in the Python function that is called at {location}")
    return error


def _taken() -> BaseException:
    """What the last call of the host raised."""
    from tfc.backends.host_calls import take_error

    return take_error() or KeyboardInterrupt()  # none: a signal came before the call began


def host_error(error: BaseException, op: str, location: Any) -> BaseException:
    """What to raise for what a library raised: InvalidArgumentError where it found fault with its
    operands.

    Args:
        error: What it raised.
        op: The name of the op that called it.
        location: The user's line.
    """
    if op in ("python_run", "python_gradient"):
        return _python_error(error, location)
    if not isinstance(error, Exception):
        return error
    if op.startswith("host_") and isinstance(error, errors.OpError):
        error.location = location  # and not that of the call
        return error
    op = "py_function" if op.startswith("python_") else getattr(error, "op", op)
    if isinstance(error, NotFinite):
        return errors.InvalidArgumentError(str(error), op=op, location=location)
    if isinstance(error, np.linalg.LinAlgError | ValueError):
        invalid = errors.InvalidArgumentError(str(error), op=op, location=location)
        invalid.__cause__ = error
        return invalid
    if isinstance(error, MemoryError):
        return errors.ResourceExhaustedError(f"OOM: {error}", op=op, location=location)
    if op == "print" and isinstance(error, OSError):  # whose file cannot be written
        kind = {
            FileNotFoundError: errors.NotFoundError,
            PermissionError: errors.PermissionDeniedError,
        }
        failed = kind.get(type(error), errors.FailedPreconditionError)
        return failed(f"{error.filename}; {error.strerror}", op=op, location=location)
    return error
