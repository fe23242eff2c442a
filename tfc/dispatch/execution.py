"""From an IR function to something callable: passes, lowering, native code, error handling."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from tfc.backends.calling_convention import Signature
from tfc.backends.cpu import machine, program
from tfc.backends.llvm.bindings import reserve
from tfc.ir.core import Function, Op, structure
from tfc.ir.dtypes import string
from tfc.ir.extent import never_negative
from tfc.ir.liveness import is_staged, live_ops
from tfc.ir.ops.host_functions import calls_routines
from tfc.ir.ops.python import calls_python

from ..core import errors
from ..core.collector import held_back
from ..core.context import settings, user_location
from ..core.conversion import convert_to_tensor
from ..core.frames import with_room
from .compiled import Compiled, Stages, cuda
from .placed import HostOnly, Placed
from .slow_compiles import SlowCompile


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
    baseline: bool = False,
) -> Any:
    """Optimise, lower and load `f`, for the CPU or a GPU. The last `captures` params are bound,
    not passed. The extents that symbols of params stand for are at least `least`. With `profile`,
    the program times its kernels. A `baseline` program is compiled quickly, for calls that touch
    little and are few: then it takes none any more (MISS).

    Raises ResourceExhaustedError where memory is too short to compile."""
    try:
        signature = program.Signature(
            captures, scalars, updates, tuple_result, least, profile, baseline
        )
        return _known(f, signature, device)
    except MemoryError as error:
        raise errors.ResourceExhaustedError(
            f"OOM when compiling @{f.name}: {error}", op=f.name, location=user_location()
        ) from None


def _has_strings(f: Function) -> bool:
    values = [*f.params, *(v for op in f.walk() for v in op.results)]
    return any(v.dtype is string for v in values)


def _known(f: Function, signature: Signature, device: Any) -> Any:
    """The program for `f`, compiled if nobody has compiled the same."""
    if device is not None and _has_strings(f):
        raise HostOnly("strings are on the host alone", op=f.name, location=user_location())
    own = calls_python(f) or calls_routines(f)  # a key would keep them
    if f.notes or os.environ.get("TFC_DUMP") or own:
        return _compile(f, signature, device)
    lines = os.environ.get("TFC_DEBUG_INFO", "")  # what debuggers are to see
    where = (device, settings.products) if device else machine.quick()
    key = (_identity(f), signature, lines, where)
    known = _compiled.get(key)
    if known is None:
        known = _compiled[key] = _compile(f, signature, device, key[0])
        _recent.append(known)
        return known
    return known.again(f)


# Equal functions share one program: those that are made again and again, and the methods of many
# instances. The last few stay for what comes after all others are gone.
_compiled: WeakValueDictionary[Any, Any] = WeakValueDictionary()
_recent: deque[Any] = deque(maxlen=64)


def _identity(f: Function) -> Any:
    """Equal for functions that run and fail alike. They may print differently: what a param is
    called depends on the Variable, and an optimizer's have a name for each model."""
    f = _without_unused(f)
    places = tuple((op.location, *(region.name for region in op.regions)) for op in f.walk())
    return f.name, places, structure(f)


def compiles_alike(f: Function, g: Function) -> bool:
    """Whether two functions share their program."""
    return f is g or bool(_identity(f) == _identity(g))


def _without_unused(f: Function) -> Function:
    """`f` without ops that nothing needs: it compiles alike. Of a size that is known, say, a trace
    has a number, and else ops, even where nobody uses it."""
    live = live_ops(f)
    unused = [op for op in f.body if op not in live]
    # Of equal ops the first gives errors its line: so what could fail stays.
    if not unused or any(map(_could_fail, unused)):
        return f
    return Function(f.name, f.params, tuple(op for op in f.body if op in live), f.returns, f.notes)


def _could_fail(op: Op) -> bool:
    return op.can_fail or not all(never_negative(r.extent) for r in op.requires())


def _check_sizes(f: Function) -> None:
    """An error for a tensor whose bytes no machine can count: offsets in it would wrap around. What
    extents that only the call knows contribute, the program checks itself."""
    for op in f.walk():
        for result in op.results:
            size = 1
            for extent in result.type.shape:
                if type(extent) is int:
                    size *= extent
            if size * result.type.dtype.bits >= 2**63:
                raise errors.ResourceExhaustedError(
                    f"OOM when allocating a tensor of type {result.type}",
                    op=op.mnemonic,
                    location=op.location or user_location(),
                )


def _compile(f: Function, signature: Signature, device: Any, identity: Any = None) -> Any:
    """`identity` is equal for functions that compile alike; None: nobody keeps the program."""
    _check_sizes(f)
    if is_staged(f):
        from .staged import Staged

        return Staged(f, signature, compile_function, device)
    with held_back():
        return with_room(_compile_whole, f, signature, device, identity)


def _compile_whole(f: Function, signature: Signature, device: Any, identity: Any) -> Compiled:
    first = len(f.params) - signature.captures
    updates = [(result, first + capture) for result, capture in signature.updates]
    slow = SlowCompile(f)
    updated = updates if device is None else ()
    stages = Stages(f, device, updated, slow.look, signature.baseline)
    start = time.perf_counter_ns()
    if device is not None:
        kernels = stages.kernels
        with slow.while_waiting():
            native = cuda().compile_program(kernels, signature, device)
        cached = native.cached
    else:
        memory = None if identity is None else program.Memory(identity, signature)
        native = memory and memory.recall(lambda: stages.kernels)
        if native is None:
            reserve()  # first: where Python has no memory for a frame, it raises what it likes
            kernels = stages.kernels
            with slow.while_waiting():
                native = program.compile_program(kernels, signature, memory)
        cached = native.library.cached
    end = time.perf_counter_ns()
    stages.timings["compile"] = 1e-6 * (end - start) - sum(stages.timings.values())
    if settings.timeline is not None:
        settings.timeline.compiled(f"compile {f.name}", start, end)
    compiled = Compiled(stages, native, dict(stages.timings), "hit" if cached else "miss")
    if dump := os.environ.get("TFC_DUMP"):
        try:
            stages.dump(dump, compiled)
        except OSError as error:
            raise type(error)(
                error.errno, f"TFC_DUMP={dump!r} is no folder to write to: {error.strerror}"
            ) from None
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
    try:
        result = call(*tensors)
    except MemoryError:
        raise errors.ResourceExhaustedError(
            f"@{f.name}: OOM when allocating what it needs to run",
            op=f.name,
            location=user_location(),
        ) from None
    if result is MISS:
        given = ", ".join(f"{t.dtype.short}{list(t.shape)}" for t in tensors)
        wanted = ", ".join(str(p.type) for p in f.params)
        raise errors.InvalidArgumentError(f"@{f.name}({wanted}) was called with ({given})")
    return result
