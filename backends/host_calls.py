"""Calls from compiled programs back into Python, for what libraries compute (`HostCall` ops).

    i32 @tfc_host(ptr text, ptr buffers, ptr sizes)

`text` is the IR of a function of one op, `buffers` the addresses of its operands and then of its
results, `sizes` the values of its symbols in the order of their names. It returns DONE, or
something else where the op raised: then `take_error` gives the exception. (An exception of a signal
may come before this module's code begins to run: then ctypes returns 0, and there is none.)

Programs hold addresses of strings; those that a call gives are kept (tfc/ir/kept_strings.py).
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tfc.ir.copying import unbound_symbols
from tfc.ir.core import Function, Value
from tfc.ir.dtypes import EMPTY
from tfc.ir.extent import evaluate, symbols
from tfc.ir.kept_strings import running
from tfc.ir.ops.host import HostCall
from tfc.ir.value_classes import NamedTuple

DONE = 1

_errors = threading.local()


def host_symbols(call: Function) -> list[str]:
    """The symbols in `call`, in the order in which their values are handed over."""
    names = {n for p in call.params for e in p.shape for n in symbols(e)}
    return sorted(names | set(unbound_symbols(call)))


def take_error() -> BaseException | None:
    """What the last failed call in this thread raised."""
    error, _errors.last = getattr(_errors, "last", None), None
    return error


def keep_error(error: BaseException) -> None:
    """Let `take_error` give what a call raised."""
    _errors.last = error


class _Memory(NamedTuple):
    """What an operand's or result's memory holds."""

    raw: Any  # ctypes' type of so many bytes; None for none
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def array(self, place: int | None) -> np.ndarray[Any, Any]:
        """The memory at `place` as an array; of strings, as objects that it does not own."""
        if self.raw is None:
            return np.empty(self.shape, self.dtype)
        memory = self.raw.from_address(place)
        if self.dtype.hasobject:
            addresses = np.frombuffer(memory, np.int64)
            if not addresses.all():
                addresses[addresses == 0] = id(EMPTY)
            return np.ndarray(self.shape, self.dtype, memory)
        return np.frombuffer(memory, np.uint8).view(self.dtype).reshape(self.shape)

    def store(self, place: int | None, value: Any) -> None:
        """Let the memory at `place` hold what an op gave."""
        if not self.dtype.hasobject:
            self.array(place)[...] = value
            return
        own = np.array(value, object, order="C")
        assert running.kept is not None, "nobody keeps the strings that a program makes"
        running.kept.keep(own)
        if self.raw is not None:
            assert place is not None
            ctypes.memmove(place, own.ctypes.data, own.nbytes)


class _Plan(NamedTuple):
    """A call for known sizes."""

    op: HostCall
    order: list[int]  # which of the params each operand is
    inputs: list[_Memory]
    outputs: list[_Memory]
    table: Any  # ctypes' type of the table of buffers
    writes: bool  # whether the op may write its result itself


@lru_cache(maxsize=256)
def _parsed(text: bytes) -> tuple[Function, list[str], Any]:
    from tfc.ir.text import parse

    call = parse(text.decode())
    names = host_symbols(call)
    return call, names, ctypes.c_int64 * len(names)


@lru_cache(maxsize=1024)
def _plan(text: bytes, sizes: tuple[int, ...]) -> _Plan:
    from tfc.ir.interpreter import concrete

    call, names, _ = _parsed(text)
    known = dict(zip(names, sizes, strict=True))

    def memory(value: Value) -> _Memory:
        shape = tuple(evaluate(e, known) for e in value.shape)
        dtype = value.dtype.numpy
        count = dtype.itemsize * math.prod(shape)
        return _Memory(ctypes.c_byte * count if count else None, dtype, shape)

    op = concrete(call.body[0], known)
    assert isinstance(op, HostCall)
    order = [call.params.index(v) for v in call.body[0].operands]
    inputs, outputs = list(map(memory, call.params)), list(map(memory, call.returns))
    table = ctypes.c_void_p * (len(inputs) + len(outputs))
    writes = len(outputs) == 1 and type(op).numpy_into is not HostCall.numpy_into
    return _Plan(op, order, inputs, outputs, table, writes)


def call(text: bytes, buffers: int, sizes: int) -> int:
    """@tfc_host in Python."""
    try:
        plan = _plan(text, tuple(_parsed(text)[2].from_address(sizes)))
        places = iter(plan.table.from_address(buffers))
        inputs = [m.array(next(places)) for m in plan.inputs]
        for array in inputs:
            array.flags.writeable = False
        operands, outputs = [inputs[i] for i in plan.order], list(places)
        with np.errstate(all="ignore"):
            if plan.writes and plan.op.numpy_into(plan.outputs[0].array(outputs[0]), *operands):
                return DONE
            results = plan.op.numpy(*operands)
        results = results if type(results) is tuple else (results,)
        for memory, place, value in zip(plan.outputs, outputs, results, strict=True):
            if np.shape(value) != memory.shape:
                raise ValueError(
                    f"{plan.op.mnemonic} gave shape {np.shape(value)}, not {memory.shape}"
                )
            memory.store(place, value)
    except BaseException as error:  # whatever it is, native code must not see it
        _errors.last = error
        return 0
    return DONE


_type = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p)
_native: Callable[..., int] = _type(call)  # takes the interpreter lock while it runs


def address() -> int:
    """The address of @tfc_host."""
    pointer = ctypes.cast(_native, ctypes.c_void_p).value  # type: ignore[arg-type]
    assert pointer is not None
    return pointer
