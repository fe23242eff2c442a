"""From an IR function to something callable: passes, lowering, native code, error handling."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

import numpy as np

from tfc.backends.cpu import program
from tfc.backends.cpu.program import Signature
from tfc.ir.core import Function, structure
from tfc.ir.failures import Site
from tfc.ir.ops.inspection import NotFinite
from tfc.ir.ops.python import calls_python
from tfc.ir.passes.data_extents import is_staged

from ..core import errors
from ..core.context import settings, user_location
from ..core.placement import Placed
from ..core.tensor import convert_to_tensor
from .compiled import Compiled, Stages, cuda


def compile_function(
    f: Function,
    *,
    captures: int = 0,
    scalars: tuple[str, ...] = (),
    updates: tuple[tuple[int, int], ...] = (),
    tuple_result: bool = False,
    least: int = 0,
    profile: bool = False,
    device: Any = None,
) -> Any:
    """Optimise, lower and load `f`, for the CPU or a GPU. The last `captures` params are bound,
    not passed. The extents that symbols of params stand for are at least `least`. With `profile`,
    the program times its kernels."""
    signature = program.Signature(captures, scalars, updates, tuple_result, least, profile)
    if f.notes or os.environ.get("TFC_DUMP") or calls_python(f):  # a key would keep functions
        return _compile(f, signature, device)
    lines = os.environ.get("TFC_DEBUG_INFO", "")  # what debuggers are to see
    key = (_identity(f), signature, lines, device and (device, settings.products))
    known = _compiled.get(key)
    if known is None:
        known = _compiled[key] = _compile(f, signature, device, key[0])
        _recent.append(known)
        return known
    return known.again()


# Equal functions share one program: those that are made again and again, and the methods of many
# instances. The last few stay for what comes after all others are gone.
_compiled: WeakValueDictionary[Any, Any] = WeakValueDictionary()
_recent: deque[Any] = deque(maxlen=64)


def _identity(f: Function) -> Any:
    """Equal for functions that run, fail and print alike."""
    places = tuple((op.location, *map(_names, op.regions)) for op in f.walk())
    return _names(f), places, structure(f)


def _names(f: Function) -> tuple[str | None, ...]:
    return f.name, *(p.name for p in f.params)


def _compile(f: Function, signature: Signature, device: Any, identity: Any = None) -> Any:
    """`identity` is equal for functions that compile alike; None: nobody keeps the program."""
    if is_staged(f):
        from .staged import Staged

        return Staged(f, signature, device)
    stages = Stages(f, device)
    start = time.perf_counter()
    if device is not None:
        native = cuda().compile_program(stages.kernels, signature, device)
        cached = native.cached
    else:
        memory = None if identity is None else program.Memory(identity, signature)
        native = memory and memory.recall(lambda: stages.kernels)
        if native is None:
            native = program.compile_program(stages.kernels, signature)
            if memory is not None:
                memory.keep(native)
        cached = native.library.cached
    stages.timings["compile"] = 1e3 * (time.perf_counter() - start) - sum(stages.timings.values())
    compiled = Compiled(stages, native, dict(stages.timings), "hit" if cached else "miss")
    if dump := os.environ.get("TFC_DUMP"):
        stages.dump(dump, compiled)
    return compiled


_running: WeakKeyDictionary[Function, Callable[..., Any]] = WeakKeyDictionary()


def run_function(f: Function, *arguments: Any) -> Any:
    """Run an IR function, such as `tfc.ir.parse` gives, on tensors or what converts to them."""
    from tfc.backends.cpu.runtime.runtime import MISS

    if len(arguments) != len(f.params):
        raise TypeError(f"@{f.name} takes {len(f.params)} arguments, got {len(arguments)}")
    call = _running.get(f)
    if call is None:
        own = ref(f)  # what belongs to a key must not keep it

        def compiled(device: Any = None, profile: bool = False) -> Any:
            f = own()
            assert f is not None
            return compile_function(f, device=device, profile=profile)

        call = _running[f] = Placed(compiled, f.name)
    tensors = [convert_to_tensor(a, p.type.dtype) for a, p in zip(arguments, f.params, strict=True)]
    result = call(*tensors)
    if result is MISS:
        given = ", ".join(f"{t.dtype.short}{list(t.shape)}" for t in tensors)
        wanted = ", ".join(str(p.type) for p in f.params)
        raise errors.InvalidArgumentError(f"@{f.name}({wanted}) was called with ({given})")
    return result


def runtime_error(
    name: str, sites: Sequence[Site], status: int, values: Sequence[int]
) -> BaseException:
    """The exception for a check that failed in native code."""
    from tfc.backends.cpu.entry import DEVICE_FAILED, OUT_OF_MEMORY

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
        case "index":
            text = f"index {values[0]} is not in [0, {values[1]})"
        case "host":
            return _host_error(site.op, location)
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
            text = f"{values[0]} is there twice"
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


def _host_error(op: str, location: Any) -> BaseException:
    """What a library raised: as InvalidArgumentError where it found fault with its operands."""
    from tfc.backends.cpu.host_calls import take_error

    error = take_error()
    if op in ("python_run", "python_gradient"):
        return _python_error(error, location)
    op = "py_function" if op.startswith("python_") else getattr(error, "op", op)
    if isinstance(error, NotFinite):
        return errors.InvalidArgumentError(str(error), op=op, location=location)
    if isinstance(error, np.linalg.LinAlgError | ValueError):
        invalid = errors.InvalidArgumentError(str(error), op=op, location=location)
        invalid.__cause__ = error
        return invalid
    if isinstance(error, MemoryError):
        return errors.ResourceExhaustedError(f"OOM: {error}", op=op, location=location)
    assert isinstance(error, Exception), error
    return error
