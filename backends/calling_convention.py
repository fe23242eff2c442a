"""How compiled programs are called, on every machine: what callers and programs agree on."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

from tfc.ir.value_classes import NamedTuple

ENTRY = "entry"  # the function of a module that Python calls
TABLE = "table"  # or what one of the runtime's reads in its place
OUT_OF_MEMORY = -2  # the status of a program that could not allocate what only it knows the size of
DEVICE_FAILED = -3  # the status where the driver of a device raised
INTERRUPTED = -4  # the status of a program that is to end: the exception is set in its thread
BAD_EXTENT = -1  # the status that reports (result, axis, extent, 0): no result has such an extent


class Signature(NamedTuple):
    """How a function's inputs and results meet the outside."""

    captures: int = 0  # the last params come with the callable, not with each call
    scalars: tuple[str, ...] = ()  # symbols given as ints behind the tensors
    updates: tuple[tuple[int, int], ...] = ()  # (result, capture) that is overwritten by it
    tuple_result: bool = False
    least: int = 0  # of the extents that symbols stand for
    profile: bool = False  # whether kernels are timed
    baseline: bool = False  # whether it is code for the first calls (see baseline.py)


class _Miss:
    """What an entry returns when the arguments are not the ones that it was compiled for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<MISS>"


MISS: Final = _Miss()

# What is going on in a context: tapes, traces, devices (tfc/core/context.py makes the first).
scope_states: list[ContextVar[Any]] = []

# What loops that run for long call now and then; it raises where they are to end.
patience: list[Callable[[], None]] = []

registered: list[type] = []  # classes of tensors; native code borrows them, so they are kept alive


def tensor_type() -> Any:
    """The class of tensors."""
    return registered[0]
