"""The native runtime as Python sees it: types, builtins, dispatch and the memory pool.

`register` tells native code which classes are tensors. `native_function` makes a Python builtin
from linked code. A `Dispatcher` tries its entries in native code and asks Python when none fits.

Lifetimes: a builtin owns its `self` tuple, and the last item of this tuple owns what the builtin
runs on (its method record and the library's ticket). These last are objects without attributes,
which the cycle collector neither sees nor clears, so code and record are there as long as
anything can call them, also while a dead model of many such functions is being taken apart.

Environment: `TFC_POOL_MAX_BYTES` bounds the freed memory that is kept for reuse (by default
1 GiB, or a quarter of the machine's memory if that is less). `TFC_NUM_THREADS` is how many threads
parallel loops use (by default as many as there are processors that the process may run on).
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import BuiltinFunctionType, MemberDescriptorType
from typing import Any

import numpy as np

from tfc.ir import dtypes

from ... import forks, host_calls
from ...calling_convention import ENTRY, MISS, TABLE
from ...calling_convention import patience as _patience
from ...calling_convention import registered as _registered
from ...calling_convention import scope_states as _scope_states
from ...llvm import bindings
from .. import debugger, jit, program_cache
from ..machine import lacks_half
from . import python_abi
from .state import INLINE_BYTES, STATE

THREADS_MAX = 1024
FORK_CALLS_SECONDS_MAX = 10.0  # seconds that a fork waits for calls of other threads
NEEDED = (  # of what the library defines: by this module
    *("tfc_dispatch", "tfc_entry", "tfc_new_array", "tfc_overwriting"),
    *(
        "tfc_scope_enter",
        "tfc_scope_exit",
        "tfc_pool_trim",
        "tfc_pool_state",
        "tfc_sized",
        "tfc_threads_limit",
    ),
)
_TABLE_SIZE = 15  # the word of a table that says how long it is
_POOL_DEFAULT = 1 << 30
_FIRST = 2  # in a dispatcher's table: the callable, its keeper, then the entries
_MAX_ENTRIES = 8  # of a dispatcher: what a call site does not match in eight it seldom matches

# The types of tensors, Variables and tensors of strings, the offset of the array's slot, the
# descriptor of objects, the empty string.
_types = (ctypes.c_ssize_t * 6)()
_active = (ctypes.c_int32 * 2)()  # scopes (tapes, traces), which native code counts; switches
_active_lock = forks.whole(threading.Lock())


def register(tensor_type: type, variable_type: type, text_type: type | None = None) -> None:
    """Make these the classes whose exact instances entries accept; the first is returned, of
    strings the last.

    All keep their ndarray in the slot `_array`, at the same offset. Native code makes tensors
    without calling `__init__`, so other slots of a returned tensor are unset.
    """
    text = text_type or tensor_type
    _use(tensor_type, variable_type, text)
    _registered.extend((tensor_type, variable_type, text))


def _use(tensor_type: type, variable_type: type, text: type) -> None:
    """Let native code know these classes."""
    offsets = {_slot_offset(cls) for cls in (tensor_type, variable_type, text)}
    if len(offsets) != 1:
        raise TypeError(f"{tensor_type} and {variable_type} keep `_array` at different offsets")
    classes = [id(cls) for cls in (tensor_type, variable_type, text)]
    _types[:] = [*classes, offsets.pop(), id(dtypes.string.numpy), id(dtypes.EMPTY)]


def _slot_offset(cls: type) -> int:
    """Where instances of `cls` keep the reference of their slot `_array`."""
    size = cls.__basicsize__
    slot = getattr(cls, "_array", None)
    if not isinstance(slot, MemberDescriptorType):
        raise TypeError(f"{cls} has no slot `_array`")
    probe: object = object.__new__(cls)
    marker = object()
    slot.__set__(probe, marker)
    words = {at: ctypes.c_ssize_t.from_address(id(probe) + at) for at in range(16, size, 8)}
    offsets = [at for at, word in words.items() if word.value == id(marker)]
    slot.__delete__(probe)
    if len(offsets) != 1:
        raise TypeError(f"`_array` of {cls} is not a slot")
    return offsets[0]


if _registered:  # before native code was imported
    _use(*_registered[-3:])


class _Own(threading.local):
    """What belongs to this thread."""

    forked: _Runtime | None = None  # the runtime that waits for the fork of this thread


_own = _Own()


def set_active(delta: int) -> None:
    """Add to the count of switches that let dispatchers ask Python at each call, in all threads.
    Tapes and traces do so by themselves (see `scope_methods`)."""
    with _active_lock:
        _active[1] += delta


def watched() -> tuple[int, int]:
    """How many scopes and switches let dispatchers ask Python."""
    return _active[0], _active[1]


def set_scopes(count: int) -> None:
    """Let so many scopes be there, in the child of a fork: those of other threads are not."""
    _active[0] = count


def _looked_up() -> None:
    """What a loop calls that has run for a while. That Python runs is enough for signals: their
    handlers are called, and may raise."""
    for ask in _patience:
        ask()


def scope_methods(entered: str, found: str) -> tuple[Any, Any]:
    """`__enter__` and `__exit__` of a class of scopes (see scopes.c), which has methods of these
    names: the state in the scope, and (the state that it made, the state without it), or None."""
    names = (sys.intern(entered), sys.intern(found))
    library = _runtime().library
    bind = ctypes.pythonapi.PyInstanceMethod_New
    bind.restype, bind.argtypes = ctypes.py_object, [ctypes.py_object]
    enter = native_function(library, "tfc_scope_enter", names, "__enter__")
    leave = native_function(library, "tfc_scope_exit", names, "__exit__")
    return bind(enter), bind(leave)


def _before_fork() -> None:
    """Let no Variable be half overwritten in the child."""
    runtime = _own.forked = _instance
    if runtime is not None:
        with _active_lock:  # not kept: calls that this waits for may need it
            runtime.overwriting[1] += 1
        end = time.monotonic() + FORK_CALLS_SECONDS_MAX
        while runtime.overwriting[0] and time.monotonic() < end:
            time.sleep(0.0005)


def _after_fork() -> None:
    runtime, _own.forked = _own.forked, None
    if runtime is not None:
        with _active_lock:
            runtime.overwriting[1] -= 1


def _in_child() -> None:
    """The calls of other threads are not there."""
    if _instance is not None:
        _instance.overwriting[0] = 0
    _after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_in_child)


class _Runtime:
    """The linked module of native.py and the addresses that entries may refer to."""

    def __init__(self) -> None:
        imports = python_abi.symbols() | {
            "tfc_types": ctypes.addressof(_types),
            "tfc_active": ctypes.addressof(_active),
            "tfc_miss": id(MISS),
            "tfc_state": id(_scope_states[0]),
            "tfc_patience": id(_looked_up),
            "tfc_host": host_calls.address(),
        }
        jit.publish(imports)
        self.library = _native_library()
        self.symbols = imports | self.library.addresses
        size, place = ctypes.c_ssize_t, ctypes.c_void_p
        new = ctypes.PYFUNCTYPE(ctypes.py_object, place, ctypes.POINTER(size), size, size)
        self.new_array = new(self.library.address("tfc_new_array"))
        self.trim = ctypes.PYFUNCTYPE(ctypes.c_int64)(self.library.address("tfc_pool_trim"))
        state = ctypes.PYFUNCTYPE(ctypes.c_void_p)(self.library.address("tfc_pool_state"))
        self.state = (ctypes.c_int64 * len(STATE)).from_address(state())
        limit = ctypes.PYFUNCTYPE(ctypes.c_void_p)(self.library.address("tfc_threads_limit"))
        self.threads = ctypes.c_int64.from_address(limit())
        self.threads.value = threads()
        calls = ctypes.PYFUNCTYPE(ctypes.c_void_p)(self.library.address("tfc_overwriting"))
        self.overwriting = (ctypes.c_int64 * 2).from_address(calls())
        for immortal in (
            _types,
            _active,
            _registered,
            _scope_states,
            MISS,
        ):  # native code borrows them for good
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(immortal))
        memory = _memory()
        self.state[STATE.index("limit")] = memory
        self.state[STATE.index("maximum")] = _pool_maximum(memory)


def _native_library() -> jit.Library:
    name = program_cache.name("runtime")
    kept = program_cache.load(name, shared=True, wanted=NEEDED) if name else None
    if kept is not None:
        return kept[0]
    bindings.reserve()  # an import without memory is an OSError of Python's
    from . import native

    text = native.text(half=lacks_half())
    if debugger.wanted():
        from ..debug_info import runtime_text

        text = runtime_text(text)
    library = jit.load(text, shared=True)
    if name:
        program_cache.keep(name, library)
    return library


_instance: _Runtime | None = None
_instance_lock = forks.whole(threading.Lock())


def _runtime() -> _Runtime:
    """The runtime, linked at first use (which imports llvmlite)."""
    global _instance
    if _instance is None:
        with _instance_lock:
            if _instance is None:
                _instance = _Runtime()
    return _instance


def load(
    text: str,
    imports: Mapping[str, int] | None = None,
    *,
    baseline: bool = False,
    kept: bool = True,
) -> jit.Library:
    """`jit.load` for text that holds entries: what they refer to is there to be linked with."""
    _ready()
    return jit.load(text, imports, threads=threads(), baseline=baseline, kept=kept)


def recalled(name: str) -> tuple[jit.Library, Any] | None:
    """`program_cache.load` for what holds entries."""
    _ready()
    return program_cache.load(name, any_of=frozenset((ENTRY, TABLE)))


def _ready() -> None:
    if not _registered:
        raise RuntimeError("entries need to know what a tensor is: call `register` first")
    _runtime()


def symbols() -> Mapping[str, int]:
    """The addresses of what entry code refers to (`load` knows them by itself)."""
    return _runtime().symbols


def awaited_array(variable: Any) -> Any:
    """The array of a Variable that has none now: a call in another thread overwrites it, and gives
    it back when it is whole. AttributeError if there is no such call."""
    slot: MemberDescriptorType = type(variable)._array
    while _instance is not None and _instance.overwriting[0]:
        time.sleep(0.0001)
        try:
            return slot.__get__(variable)
        except AttributeError:
            continue
    return slot.__get__(variable)


def _memory() -> int:
    """The bytes of memory that this process may hope for."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 46
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path) as file:
                total = min(total, int(file.read()))
        except (OSError, ValueError):  # no such control group, or "max"
            continue
    return total


def _pool_maximum(memory: int) -> int:
    try:
        return max(0, int(os.environ["TFC_POOL_MAX_BYTES"]))
    except (KeyError, ValueError):
        return min(_POOL_DEFAULT, memory // 4)


_threads = 0  # what `set_threads` was told; 0: as many as there are


def set_threads(count: int) -> None:
    """From now on, parallel loops run on up to so many threads; 0 for `available_threads`."""
    global _threads
    _threads = count
    if _instance is not None:
        _instance.threads.value = threads()


def chosen_threads() -> int:
    """What `set_threads` was told."""
    return _threads


def threads() -> int:
    """How many threads parallel loops run on at most."""
    return min(_threads or available_threads(), THREADS_MAX)


def available_threads() -> int:
    """What TFC_NUM_THREADS says, else how many processors this process may run on."""
    try:
        return max(1, int(os.environ["TFC_NUM_THREADS"]))
    except (KeyError, ValueError):
        pass
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def copied(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy in row-major order: of what is large in memory of the pool, which is aligned as
    vectors are, and has huge pages."""
    if array.nbytes <= INLINE_BYTES or array.dtype.hasobject or array.dtype.names:
        return np.array(array, order="C")
    dims = (ctypes.c_ssize_t * array.ndim)(*array.shape)
    new: np.ndarray[Any, Any] = _runtime().new_array(
        id(array.dtype), dims, array.ndim, array.dtype.itemsize
    )
    np.copyto(new, array)
    return new


def pool_stats() -> dict[str, int]:
    """The memory pool's counters.

    `live` and `cached` are bytes in use and kept for reuse, `blocks` how many blocks are kept,
    `hits` and `misses` allocations from the pool and from the system, `released` the blocks
    given back to the system, `maximum` the bound on `cached`, `limit` the largest allocation,
    `chunks` how many chunks of 16 MiB blocks below 4 MiB are cut out of.
    """
    values = dict(zip(STATE, _runtime().state, strict=True))
    del values["hand"]
    return values


def pool_trim() -> int:
    """Give all cached memory back to the system; returns how many bytes that were."""
    return int(_runtime().trim())


class _Keeper(tuple[Any, ...]):
    """What a builtin's code runs on: the library's ticket, the method record and its strings."""

    __slots__ = ()


def native_function(
    library: jit.Library,
    symbol: str,
    self_object: tuple[Any, ...] = (),
    name: str | None = None,
    doc: str | None = None,
) -> BuiltinFunctionType:
    """The METH_FASTCALL function `symbol` of `library` as a Python builtin.

    Its native `self` is the tuple `self_object` with one more item at the end.
    """
    keeper = _keeper(library, symbol, name or symbol, doc)
    return _builtin(keeper, (*self_object, keeper))


def entry_function(
    library: jit.Library,
    handler: Callable[..., Any],
    captures: Sequence[object] = (),
    name: str = "call",
) -> BuiltinFunctionType:
    """The entry of a program as a Python builtin, with what raises its errors and what it has
    captured."""
    if TABLE in library.addresses:
        return table_function(library, TABLE, handler, captures, name)
    return native_function(library, ENTRY, (handler, *captures), name)


def table_function(
    library: jit.Library,
    symbol: str,
    handler: Callable[..., Any],
    captures: Sequence[object] = (),
    name: str = "call",
) -> BuiltinFunctionType:
    """The same of an entry that is the table `symbol`: the runtime's function with a copy of that,
    which counts what calls cost."""
    address = library.address(symbol)
    size = ctypes.c_int64.from_address(address + 8 * _TABLE_SIZE).value
    keeper = _keeper(_runtime().library, "tfc_entry", name, None, library.ticket)
    return _builtin(keeper, (handler, *captures, ctypes.string_at(address, size), keeper))


def sized_function(entry: BuiltinFunctionType, number: int, size: int) -> BuiltinFunctionType:
    """`entry` (made by `entry_function`) where the first extent of its n-th argument, a tensor, is
    `size`; for all else it gives MISS. It takes no Variable for that argument."""
    own = (entry, number, size)
    return native_function(_runtime().library, "tfc_sized", own, entry.__name__)


def _keeper(
    library: jit.Library, symbol: str, name: str, doc: str | None, *tickets: object
) -> _Keeper:
    strings = [None if text is None else text.encode() for text in (name, doc)]
    addresses = [0 if text is None else python_abi.bytes_address(text) for text in strings]
    function = library.address(symbol)
    # PyMethodDef: name, function, flags, doc
    record = struct.pack("PPiP", addresses[0], function, python_abi.METH_FASTCALL, addresses[1])
    return _Keeper((record, library.ticket, *tickets, *strings))


def _builtin(keeper: _Keeper, self_object: object) -> BuiltinFunctionType:
    """A builtin with the method record in `keeper`, which `self_object` must keep alive."""
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    function = new(python_abi.bytes_address(keeper[0]), self_object, "tfc")
    assert isinstance(function, BuiltinFunctionType)
    return function


class Dispatcher:
    """A call site: entries to try in native code, and a Python callable for all else.

    `call` is the builtin to call. While any tape or trace is active (`set_active`) it goes to
    `slow` at once; `slow` gets the same positional arguments, and may `add` an entry.
    """

    __slots__ = ("_table", "call")

    def __init__(
        self, slow: Callable[..., Any], name: str = "call", variables: bool = True
    ) -> None:
        """`variables` says whether entries take Variables where they take tensors."""
        symbol = "tfc_dispatch" if variables else "tfc_dispatch_tensors"
        keeper = _keeper(_runtime().library, symbol, name, None)
        self._table: list[Any] = [slow, keeper]  # then the entries; native code reads this list
        self.call: Any = _builtin(keeper, self._table)

    def add(self, entry: BuiltinFunctionType) -> None:
        """Try `entry` (made by `entry_function`) first from now on."""
        own = getattr(entry, "__self__", None)
        if not (isinstance(own, tuple) and own and isinstance(own[-1], _Keeper)):
            raise TypeError(f"expected a builtin made by entry_function, got {entry!r}")
        self._table.insert(_FIRST, entry)
        del self._table[_FIRST + _MAX_ENTRIES :]

    def replace(self, old: BuiltinFunctionType, new: BuiltinFunctionType) -> None:
        """Try `new` first from now on, and `old` no more."""
        self._table[_FIRST:] = [entry for entry in self._table[_FIRST:] if entry is not old]
        self.add(new)

    def attempt(self, *arguments: Any) -> Any:
        """What the first entry gives that fits, though a tape is active; MISS where none does, or
        where there is no memory."""
        try:
            for entry in self._table[_FIRST:]:
                answer = entry(*arguments)
                if answer is not MISS:
                    return answer
        except MemoryError:
            pass
        return MISS

    def clear(self) -> None:
        """Forget all entries."""
        del self._table[_FIRST:]

    @property
    def entries(self) -> tuple[BuiltinFunctionType, ...]:
        """The entries in the order in which they are tried."""
        return tuple(self._table[_FIRST:])
