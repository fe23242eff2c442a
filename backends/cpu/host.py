"""Calls from compiled programs back into Python, for what libraries compute (`HostCall` ops).

    i32 @tfc_host(ptr text, ptr buffers, ptr sizes)

`text` is the IR of a function of one op, `buffers` the addresses of its operands and then of its
results, `sizes` the values of its symbols in the order of their names. It returns 0, or 1 where
the op raised: then `take_error` gives the exception.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tfc.ir.core import Function, Value, unbound_symbols
from tfc.ir.extent import evaluate, symbols
from tfc.ir.interpreter import concrete

_errors = threading.local()


def host_symbols(call: Function) -> list[str]:
    """The symbols in `call`, in the order in which their values are handed over."""
    names = {n for p in call.params for e in p.shape for n in symbols(e)}
    return sorted(names | set(unbound_symbols(call)))


def take_error() -> BaseException | None:
    """What the last failed call in this thread raised."""
    error, _errors.last = getattr(_errors, "last", None), None
    return error


@lru_cache(maxsize=256)
def _parsed(text: bytes) -> tuple[Function, list[str]]:
    from tfc.ir.text import parse

    call = parse(text.decode())
    return call, host_symbols(call)


def _call(text: bytes, buffers: int, sizes: int) -> int:
    try:
        call, names = _parsed(text)
        known = dict(zip(names, (ctypes.c_int64 * len(names)).from_address(sizes), strict=True))
        operands, results = call.params, call.returns
        places = (ctypes.c_void_p * (len(operands) + len(results))).from_address(buffers)
        arrays = [
            _array(v, known, place) for v, place in zip((*operands, *results), places, strict=True)
        ]
        inputs, outputs = arrays[: len(operands)], arrays[len(operands) :]
        for array in inputs:
            array.flags.writeable = False
        op = call.body[0]
        given = dict(zip(operands, inputs, strict=True))
        with np.errstate(all="ignore"):
            found = concrete(op, known).numpy(*(given[v] for v in op.operands))
        for out, value in zip(outputs, found if type(found) is tuple else (found,), strict=True):
            value = np.asarray(value)
            if value.shape != out.shape:
                raise ValueError(f"{op.mnemonic} gave shape {value.shape}, not {out.shape}")
            out[...] = value
    except BaseException as error:  # whatever it is, native code must not see it
        _errors.last = error
        return 1
    return 0


def _array(value: Value, sizes: dict[str, int], place: int | None) -> np.ndarray[Any, Any]:
    """The memory at `place` as an array of the type of `value`."""
    shape = tuple(evaluate(e, sizes) for e in value.shape)
    dtype = value.dtype.numpy
    count = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
    if not count:
        return np.empty(shape, dtype)
    memory = (ctypes.c_byte * count).from_address(place or 0)
    return np.frombuffer(memory, np.uint8).view(dtype).reshape(shape)


_type = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p)
_native: Callable[..., int] = _type(_call)  # takes the interpreter lock while it runs


def address() -> int:
    """The address of @tfc_host."""
    found = ctypes.cast(_native, ctypes.c_void_p).value  # type: ignore[arg-type]
    assert found is not None
    return found
