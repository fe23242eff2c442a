"""Text LLVM IR in, callable machine code out.

    text -> parse -> verify -> object bytes (kept on disk) -> placed in this process

A module is compiled in parts, each in its own way (see parallel_compile.py).
No optimisation pipeline runs: the text already says what the machine shall do, and a pipeline
costs four times the code generation and makes this code no faster. A hit in the disk cache
neither parses nor compiles. Objects refer to the outside by symbol only; the addresses are
filled in when they are linked (object_loader.py, or LLVM where that does not know them), so the
same object serves every process.

LLVM is not safe against misuse: IR that parses and verifies can still end the process when it
uses an intrinsic that the target lacks. Guarding against that is the task of whoever emits text.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import itertools
import re
import struct
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfc.ir.value_classes import NamedTuple

from .. import disk_cache
from ..llvm import bindings, compiler
from ..llvm.compiler import InternalError
from . import debugger, object_loader
from .machine import (
    OPT_LEVEL,
    host,
    passes_spared,
    quick,
    refers_by_distance,
    selected_quickly,
    switches,
    target_machine,
)

if TYPE_CHECKING:
    from .parallel_compile import Part


class LinkError(InternalError):
    """A symbol that an object refers to is nowhere to be found, or one that is wanted of it."""


# What reading an object that is none may lead to.
UNREADABLE = (LookupError, ValueError, TypeError, struct.error)


_TABLE = " = constant "  # behind the name of one that others may refer to
_OWN = "tfc_"  # names of which no other library has one: what looks for it there takes long to fail
_LIBRARIES = 128  # that one of LLVM's linkers links: see `_Linker`


class _Ticket(int):
    """Keeps one linked library loaded; it is unloaded when the last reference goes.

    An int without attributes is invisible to the cycle collector. An ordinary object's finaliser
    runs while other objects of the same dead cycle can still call into the library; this one
    runs when really nothing refers to it any more.
    """

    __slots__ = ()

    def __del__(self) -> None:
        if _unload is not None:  # at shutdown the globals are None, and nothing is unloaded
            _unload(self)


class Library:
    """Machine code linked into this process. It stays as long as this object, or its `ticket`."""

    __slots__ = ("addresses", "cached", "objects", "ticket")

    def __init__(self, ticket: _Ticket, addresses: dict[str, int]) -> None:
        self.ticket = ticket
        self.cached = False  # whether the disk cache had it
        self.objects: list[str | bytes] = []  # the names that it has there, or what has none
        self.addresses = addresses

    def address(self, name: str) -> int:
        """The address of the function `name` that the text defined."""
        try:
            return self.addresses[name]
        except KeyError:
            known = ", ".join(sorted(self.addresses))
            raise InternalError(f"the library defines no {name!r}, only: {known}") from None


_linker: _Linker | None = None
_trackers: dict[int, Any] = {}  # by ticket: what holds the code; dropping one unloads it
_dead: deque[int] = deque()  # tickets whose code may be unloaded
_numbers = itertools.count(1)
_published: dict[str, int] = {}
_shared: list[_Ticket] = []
_running = True


def load(
    text: str,
    imports: Mapping[str, int] | None = None,
    *,
    shared: bool = False,
    threads: int = 1,
    baseline: bool = False,
    kept: bool = True,
) -> Library:
    """Compile and link the module `text`; `imports` gives addresses for its undefined symbols. Its
    parts are compiled on up to so many threads.

    A symbol is what the text defines it to be, else what `imports` says, else what the process
    has under this name (libc, libm), else what was published, the newest first. Every function
    that the text defines without `internal` or `private` has an `address`. What a `shared`
    library defines counts as published, and is never unloaded. `baseline` code is generated as
    quickly as can be. With `kept`, the disk cache gets what is compiled.
    """
    from .parallel_compile import Part, split  # with patterns, which take long to compile

    try:
        level = 0 if baseline or quick() else OPT_LEVEL
        whole = baseline or debugger.wanted()
        parts = [Part(text, level)] if whole else split(text, level)
        made = _objects(parts, threads) if kept else [_emitted(*part) for part in parts]
        exports, given = _defined(text), imports or {}
        try:
            library = link([object.data for object in made], exports, given, shared=shared)
        except (InternalError, *UNREADABLE):
            if not any(object.cached for object in made):
                raise
            made = _objects(parts, threads, anew=True)  # what the disk had is of no use
            library = link([object.data for object in made], exports, given, shared=shared)
        data = [object.data for object in made]
        library.cached = all(object.cached for object in made)
        library.objects = [object.name or object.data for object in made]
        if debugger.wanted():
            debugger.tell_perf(data[0], text, library.addresses)
        return library
    except LinkError as error:
        given = {**_published, **(imports or {})}
        declared = re.findall(r"^declare[^@]*@([\w.$]+)|^@([\w.$]+) = external", text, re.M)
        missing = [a or b for a, b in declared if (a or b) not in given]
        raise InternalError(f"{error}\nnot imported: {', '.join(missing)}") from None


class _Object(NamedTuple):
    """An object file."""

    data: bytes
    name: str  # in the disk cache; nothing: it is not there
    cached: bool  # whether it was there


def _objects(parts: Sequence[Part], threads: int, *, anew: bool = False) -> list[_Object]:
    """The object files for the parts of a module, those that are to be made on so many threads."""
    made = [_object(*part, anew=anew) if part.level == 0 else None for part in parts]
    if made.count(None) == 1 or threads < 2:
        return [one or _object(*part, anew=anew) for part, one in zip(parts, made, strict=True)]
    names = [_name(*part) for part in parts]
    if not anew:
        made = [one or _kept(name) for one, name in zip(made, names, strict=True)]
    wanted = [i for i, one in enumerate(made) if one is None]
    if wanted:
        from ..llvm import concurrent

        with compiler.lock, passes_spared():
            used = range(min(threads, len(wanted)))
            generators = [target_machine(OPT_LEVEL, thread) for thread in used]
            files = concurrent.objects([parts[i].text for i in wanted], generators)
        for i, data in zip(wanted, files, strict=True):
            disk_cache.default().put(names[i], data)
            made[i] = _Object(data, names[i], False)
    return [one for one in made if one is not None]


def _object(text: str, level: int = OPT_LEVEL, *, anew: bool = False) -> _Object:
    """The object file for `text`, from the disk cache, or where it is to be made `anew`, from
    LLVM."""
    name = _name(text, level)
    kept = None if anew else _kept(name)
    if kept is not None:
        return kept
    data = _emitted(text, level).data
    disk_cache.default().put(name, data)
    return _Object(data, name, False)


def _emitted(text: str, level: int) -> _Object:
    """The object file for `text`, which LLVM makes."""
    with compiler.lock, passes_spared(level), selected_quickly(text, level):
        data = compiler.emit(text, "emit_object", target_machine(level))
    return _Object(data, "", False)


def _name(text: str, level: int) -> str:
    """The name of an object file in the disk cache."""
    with compiler.lock:
        machine = host()
        changed = switches(level)
    references = "by distance" if refers_by_distance(level) else "by address"
    options = " ".join(f"{name}={value}" for name, value in changed.items())
    way = f"{level} references {references} {options}"
    how = compiler.versions(), machine.triple, machine.cpu, machine.features, way
    return disk_cache.key(text, common=how)


def _kept(name: str) -> _Object | None:
    """What the disk cache has under a name."""
    data = disk_cache.default().get(name)
    return None if data is None else _Object(data, name, True)


def link(
    files: Sequence[bytes],
    exports: Collection[str],
    imports: Mapping[str, int],
    *,
    shared: bool = False,
) -> Library:
    """Link object files into this process as one library, and look up `exports`."""
    with compiler.lock:  # what is inside LLVM when another thread forks would never leave it there
        _keep_for_good()
        number = next(_numbers)
        tracker = None if debugger.wanted() else _placed(files, imports)
        if tracker is None:  # LLVM's linker knows all formats, and tells debuggers
            tracker = _linked(files, exports, imports, number)
        try:
            addresses = {name: tracker[name] for name in exports}
        except (KeyError, RuntimeError) as error:
            raise LinkError(f"linking failed: no object defines {error}") from None
        _trackers[number] = tracker
        ticket = _Ticket(number)
        if shared:
            _shared.append(ticket)
            _publish(addresses)
    _purge()
    return Library(ticket, addresses)


def _placed(files: Sequence[bytes], imports: Mapping[str, int]) -> object_loader.Placed | None:
    def find(name: str) -> int:
        address = imports.get(name)
        if address is None and not name.startswith(_OWN):
            address = object_loader.in_process(name)
        if address is None:
            address = _published.get(name)
        if address is None:
            raise LinkError(f"linking failed: nothing defines {name}")
        return address

    return object_loader.place(files, find)


def _linked(
    files: Sequence[bytes], exports: Iterable[str], imports: Mapping[str, int], number: int
) -> Any:
    """What LLVM's linker makes of it."""
    llvm = bindings.llvm()
    bindings.reserve()
    builder = llvm.JITLibraryBuilder()
    for data in files:
        builder.add_object_img(data)
    for name, address in imports.items():
        if _published.get(name) != address:  # each import costs 20 us, a published one 5
            builder.import_symbol(name, address)
    for name in exports:
        builder.export_symbol(name)
    try:
        return _current().link(builder, f"tfc.{number}")
    except RuntimeError as error:
        raise LinkError(f"linking failed: {error}") from None


def publish(addresses: Mapping[str, int]) -> None:
    """Make `addresses` known to everything that is linked later, cheaper than as imports."""
    with compiler.lock:
        _publish(addresses)


def _publish(addresses: Mapping[str, int]) -> None:
    _published.update(addresses)
    if _linker is not None:
        _linker.publish(addresses)


class _Linker:
    """LLVM's linker, for so many libraries. It keeps some 9 KB of each that it has ever linked;
    so after a while another linker takes over, and the old one goes with the last library that is
    still in use. (Libraries keep their linker: nobody else has to.)"""

    def __init__(self) -> None:
        llvm = bindings.llvm()
        self.llvm = llvm
        generator = ctypes.cast(target_machine()._as_parameter_, llvm.ffi.LLVMTargetMachineRef)
        self.jit = llvm.create_lljit_compiler(generator, suppress_errors=True)
        self.symbols: list[Any] = []  # libraries that later ones may refer to
        self.count = 0
        self.publish(_published)

    def publish(self, addresses: Mapping[str, int]) -> None:
        """Let later libraries refer to `addresses`, before what was published earlier."""
        builder = self.llvm.JITLibraryBuilder()
        for symbol, address in addresses.items():
            builder.import_symbol(symbol, address)
        self.symbols.append(builder.link(self.jit, f"tfc.{next(_numbers)}"))

    def link(self, builder: Any, name: str) -> Any:
        """LLVM's handle for a library; dropping it unloads the library."""
        self.count += 1
        for library in reversed(self.symbols):  # the newest publication wins
            builder.add_jit_library(library.name)
        return builder.link(self.jit, name)

    def keep(self) -> None:
        """Let nothing be unloaded when the process ends."""
        for handle in (self.jit, *self.symbols):
            handle._owned = True  # llvmlite: this handle does not dispose of what it stands for


def assembly(text: str, comments: bool = False) -> str:
    """The assembly that `text` compiles to on this machine, for people to read; `comments` are
    LLVM's, which say what is spilled."""
    with compiler.lock, passes_spared():
        machine = target_machine()
        if not comments:
            return compiler.assembly(text, machine)
        machine.set_asm_verbosity(True)
        try:
            return compiler.assembly(text, machine)
        finally:
            machine.set_asm_verbosity(False)


def _defined(text: str) -> list[str]:
    """The names of the functions and tables that `text` defines for others."""
    names = []
    text = "\n" + text
    at = text.find("\ndefine ")
    while at >= 0:
        end = text.index("(", at)
        head, _, name = text[at:end].rpartition("@")
        if not head.startswith(("\ndefine internal", "\ndefine private")):
            names.append(name)
        at = text.find("\ndefine ", end)
    at = text.find(_TABLE)
    while at >= 0:
        names.append(text[text.rindex("@", 0, at) + 1 : at])
        at = text.find(_TABLE, at + 1)
    return names


def _current() -> _Linker:
    """LLVM's linker of what is linked now."""
    global _linker
    if _linker is None or _linker.count >= _LIBRARIES:
        _linker = _Linker()
    return _linker


@functools.cache
def _keep_for_good() -> None:
    """Arrays may outlive this module when the interpreter shuts down, and freeing them runs code
    that was linked here: nothing of it is ever unloaded by the shutdown itself."""
    for immortal in (_trackers, _shared):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(immortal))
    atexit.register(_stop)


def _stop() -> None:
    global _running
    _running = False
    for tracker in list(_trackers.values()):
        tracker._owned = True  # as llvmlite has it: this handle does not dispose of its code
    if _linker is not None:
        _linker.keep()


def _unload(ticket: int, dead: deque[int] = _dead) -> None:
    """Unload a library now, or leave it to the thread that is inside LLVM."""
    dead.append(int(ticket))
    if _running is True:  # at shutdown the globals are None
        _purge()


def _purge() -> None:
    while _dead and _running and compiler.lock.acquire(blocking=False):
        try:
            if _dead:
                _trackers.pop(_dead.popleft(), None)
        finally:
            compiler.lock.release()
