"""Object files put into this process as they are: read, placed in memory, their addresses filled
in. It takes a tenth of the time of LLVM's linker, and LLVM need not be loaded for what an earlier
process compiled.

References are absolute addresses of 64 bits, where LLVM writes for code that may lie anywhere, or
distances of 32 bits (machine.py says which code has which). A distance reaches all of a library,
but hardly what lies outside of it. So a library ends its code with a table: the addresses of such
symbols (what linkers call a global offset table), each with a jump to it (a procedure linkage
table). `place` leaves all else (other systems and processors, initialisers, thread-local variables)
to LLVM's linker.
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

from tfc.ir.value_classes import NamedTuple

SYMBOL = struct.Struct("<IBBHQQ")  # name, kind, visibility, section, value, size
_SECTION = struct.Struct("<IIQQQQIIQQ")
_RELOCATION = struct.Struct("<QQq")  # place, kind and symbol, addend
_ELF64 = b"\x7fELF\x02\x01"
_RELOCATABLE, _X86_64 = 1, 62
_PROGRAM, SYMBOLS, _RELOCATIONS, _EMPTY, _SHORT_RELOCATIONS = 1, 2, 4, 8, 9  # kinds of section
_WRITE, _ALLOC, EXECUTE, _THREAD = 1, 2, 4, 0x400  # flags of sections
_LOCAL = 0  # a symbol's binding
_RESERVED = 0xFF00  # sections of symbols from here on are no sections
_KNOWN = ("text", "ltext", "rodata", "lrodata", "data", "ldata", "bss", "lbss")
_FILLED = (".data.rel.ro", ".ldata.rel.ro")  # constants with addresses
_UNWINDING = "eh_frame"  # tables for exceptions, which never go through our code
_ABSOLUTE = 1  # R_X86_64_64: a symbol's address
_DISTANCE = 2  # R_X86_64_PC32: how far it is to a symbol
_DISTANCE_OF_CALL = 4  # R_X86_64_PLT32: or to a jump to it
_DISTANCES_IN_TABLE = (9, 41, 42)  # R_X86_64_GOTPCREL and its kinds: to where its address stands
_ADDRESS_BYTES = 8
_JUMP = bytes.fromhex("ff25 f2ffffff cccc")  # jmp *-14(%rip), which is the address before it
_READ, _WRITABLE, _CODE = 1, 2, 4  # protection of memory
_PRIVATE_ANONYMOUS = 0x22


class Section(NamedTuple):
    """A section's header."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


def sections(data: bytes) -> list[Section]:
    """The sections of an ELF file of 64 bits."""
    (table,) = struct.unpack_from("<Q", data, 0x28)
    (count,) = struct.unpack_from("<H", data, 0x3C)
    headers = data[table : table + count * _SECTION.size]
    return list(map(Section._make, _SECTION.iter_unpack(headers)))


class Placed:
    """Objects in memory, which goes with this. `_owned` as in llvmlite: nobody may free it now."""

    __slots__ = ("_address", "_owned", "_size", "symbols")

    def __init__(self, address: int, size: int, symbols: dict[str, int]) -> None:
        self._address = address
        self._size = size
        self._owned = False
        self.symbols = symbols

    def __getitem__(self, name: str) -> int:
        return self.symbols[name]

    def __del__(self) -> None:
        if not self._owned and _system is not None:  # None: the interpreter is shutting down
            _system().munmap(self._address, self._size)


# A place in a section that waits for an address: the section, the place in it, the kind, the number
# of the symbol, the addend. A symbol: its name, whether other files see it, its section, its value.
_Relocation: TypeAlias = tuple[int, int, int, int, int]
_Symbol: TypeAlias = tuple[str, bool, int, int]


class _Object:
    """An object file, and where its sections go."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.sections = sections(data)
        self.wanted: list[int] = []  # the sections that go into memory
        self.filled: set[int] = set()  # those that are only written to when addresses are filled in
        self.at: dict[int, int] = {}  # where, from the beginning of all

    def known(self) -> bool:
        """Whether nothing in it is strange."""
        (number,) = struct.unpack_from("<H", self.data, 0x3E)
        names = self._text(number)
        for i, s in enumerate(self.sections):
            if not s.flags & _ALLOC:
                if s.kind == _SHORT_RELOCATIONS:
                    return False
                continue
            name = _name(names, s.name)
            family = name.lstrip(".").partition(".")[0]
            if family == _UNWINDING:
                continue
            if family not in _KNOWN or s.kind not in (_PROGRAM, _EMPTY) or s.flags & _THREAD:
                return False
            self.wanted.append(i)
            if name.startswith(_FILLED):
                self.filled.add(i)
        return True

    def lay_out(self, start: int, writable: bool) -> int:
        """Give places from `start` on to the sections that are writable, or to those that are
        not; returns where they end."""
        for i in self.wanted:
            s = self.sections[i]
            if (bool(s.flags & _WRITE) and i not in self.filled) == writable:
                start = self.at[i] = _aligned(start, max(1, s.alignment))
                start += s.size
        return start

    def symbols(self) -> list[_Symbol]:
        """By number."""
        found: list[_Symbol] = []
        for s in self.sections:
            if s.kind == SYMBOLS:
                names = self._text(s.link)
                found += [
                    (_name(names, name), kind >> 4 != _LOCAL, section, value)
                    for name, kind, _, section, value, _ in SYMBOL.iter_unpack(self._bytes(s))
                ]
        return found

    def relocations(self) -> list[_Relocation]:
        """Those of the sections that go into memory."""
        found: list[_Relocation] = []
        for s in self.sections:
            if s.kind == _RELOCATIONS and s.info in self.wanted:
                found += [
                    (s.info, place, what & 0xFFFFFFFF, what >> 32, addend)
                    for place, what, addend in _RELOCATION.iter_unpack(self._bytes(s))
                ]
        return found

    def copy_to(self, image: bytearray) -> None:
        for i, at in self.at.items():
            if self.sections[i].kind == _PROGRAM:
                image[at : at + self.sections[i].size] = self._bytes(self.sections[i])

    def _text(self, number: int) -> str:
        """The section with this number, which holds names."""
        return self._bytes(self.sections[number]).decode()

    def _bytes(self, s: Section) -> bytes:
        return self.data[s.offset : s.offset + s.size]


def _name(names: str, start: int) -> str:
    """One of a section's names (in ASCII: LLVM writes no others of ours)."""
    return names[start : names.index("\0", start)]


def place(objects: Sequence[bytes], find: Callable[[str], int]) -> Placed | None:
    """Put `objects` into memory as one library; `find` gives the addresses of what they do not
    define. None where something in them is unknown here."""
    if not supported() or not all(map(_ours, objects)):
        return None
    files = list(map(_Object, objects))
    if not all(file.known() for file in files):
        return None
    symbols = [file.symbols() for file in files]
    relocations = [file.relocations() for file in files]
    code = 0
    for file in files:
        code = file.lay_out(code, writable=False)
    table, code = _table(code, symbols, relocations)
    end = code = _aligned(code, _page())
    for file in files:
        end = file.lay_out(end, writable=True)
    definitions = _definitions(files, symbols)
    if definitions is None:
        return None
    defined, local = definitions
    size = _aligned(max(end, 1), _page())
    image = bytearray(size)
    outside: dict[str, int] = {}
    slots: dict[int, tuple[int, int]] = {}  # what goes where: from our start, or as is
    for at in table.values():
        image[at + _ADDRESS_BYTES : at + _ADDRESS_BYTES + len(_JUMP)] = _JUMP
    for file, names, wanted in zip(files, local, relocations, strict=True):
        file.copy_to(image)
        for section, place, kind, symbol, addend in wanted:
            at = file.at[section] + place
            name, offset = names[symbol]
            if offset is None:
                offset = defined.get(name)
            if offset is None and name not in outside:
                outside[name] = find(name)
            address = (outside[name], 0) if offset is None else (offset, 1)
            if kind == _ABSOLUTE:
                slots[at] = address[0] + addend, address[1]
                continue
            if kind in _DISTANCES_IN_TABLE:
                offset = table[name]
                slots[offset] = address
            elif kind == _DISTANCE_OF_CALL and offset is None:
                slots[table[name]] = address
                offset = table[name] + _ADDRESS_BYTES
            elif kind not in (_DISTANCE, _DISTANCE_OF_CALL) or offset is None:
                return None
            struct.pack_into("<i", image, at, offset + addend - at)
    start = _allocate(size)
    for at, (value, inside) in slots.items():
        struct.pack_into("<Q", image, at, value + inside * start & 0xFFFFFFFFFFFFFFFF)
    ctypes.memmove(start, bytes(image), size)
    placed = Placed(start, size, {name: start + offset for name, offset in defined.items()})
    if code and _system().mprotect(start, code, _READ | _CODE):
        return None  # a system that allows no new code: LLVM's linker says so
    return placed


def _table(
    start: int, symbols: Sequence[Sequence[_Symbol]], relocations: Sequence[Sequence[_Relocation]]
) -> tuple[dict[str, int], int]:
    """Where the addresses of symbols stand, of which distances are asked that may not reach them,
    from `start` on; and the end."""
    kinds = (_DISTANCE_OF_CALL, *_DISTANCES_IN_TABLE)
    table: dict[str, int] = {}
    at = _aligned(start, _ADDRESS_BYTES)
    for known, wanted in zip(symbols, relocations, strict=True):
        for _, _, kind, symbol, _ in wanted:
            name = known[symbol][0]
            if kind in kinds and name not in table:
                table[name] = at
                at += _ADDRESS_BYTES + len(_JUMP)
    return (table, at) if table else (table, start)


def _definitions(
    files: Sequence[_Object], symbols: Sequence[Sequence[_Symbol]]
) -> tuple[dict[str, int], list[list[tuple[str, int | None]]]] | None:
    """What others see, and for each file its symbols by number: a name, and an offset where the
    file itself defines it. None for what is unknown here, or defined twice."""
    defined: dict[str, int] = {}
    local: list[list[tuple[str, int | None]]] = []
    for file, known in zip(files, symbols, strict=True):
        own: list[tuple[str, int | None]] = []
        for name, visible, section, value in known:
            offset = file.at[section] + value if section in file.at else None
            if section >= _RESERVED and name and visible:
                return None
            if visible and offset is not None:
                if name in defined:
                    return None
                defined[name] = offset
            own.append((name, offset))
        local.append(own)
    return defined, local


def _ours(data: bytes) -> bool:
    return data.startswith(_ELF64) and data[16:20] == struct.pack("<HH", _RELOCATABLE, _X86_64)


def _aligned(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment


@cache
def supported() -> bool:
    """Whether objects of this system and processor are known here."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


@cache
def _page() -> int:
    import mmap

    return mmap.PAGESIZE


@cache
def _system() -> Any:
    library = ctypes.CDLL(None)
    word = ctypes.c_size_t
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, word, *[ctypes.c_int] * 3, ctypes.c_ssize_t]
    library.mprotect.argtypes = [ctypes.c_void_p, word, ctypes.c_int]
    library.munmap.argtypes = [ctypes.c_void_p, word]
    return library


def _allocate(size: int) -> int:
    address = _system().mmap(None, size, _READ | _WRITABLE, _PRIVATE_ANONYMOUS, -1, 0)
    if address is None or address == ctypes.c_size_t(-1).value:
        raise MemoryError(f"no memory for {size} bytes of code")
    return int(address)


def in_process(name: str) -> int | None:
    """The address that the libraries of this process have under `name`."""
    try:
        return ctypes.cast(getattr(_system(), name), ctypes.c_void_p).value
    except AttributeError:
        return None
