"""Native code that debuggers and profilers can name.

With `TFC_DEBUG_INFO=1` programs are compiled with lines (`debug_info.py`). LLVM itself tells gdb
and LLDB of each object that it links, by the interface that they have for such code. For perf the
address, size and name of each native function are written to `/tmp/perf-<process>.map`, which it
reads. (Objects of Linux only: the place of functions is read from the ELF file.)
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
from collections.abc import Iterator, Mapping

from tfc.ir.value_classes import NamedTuple

from . import object_loader

_FUNCTION = 2  # a symbol's type


def wanted() -> bool:
    """Whether `TFC_DEBUG_INFO` asks for lines; looked at whenever something is compiled."""
    return os.environ.get("TFC_DEBUG_INFO", "") not in ("", "0")


class Symbol(NamedTuple):
    """A function of an object file."""

    name: str
    section: int
    value: int
    size: int


def tell_perf(data: bytes, text: str, addresses: Mapping[str, int]) -> None:
    """Tell of the object file `data` of the module `text`, which was linked so that its functions
    are at `addresses`."""
    if not data.startswith(b"\x7fELF\x02\x01"):
        return
    symbols = list(functions(data))
    addresses = {**addresses, **_programs(text, addresses)}
    starts = {s.section: addresses[s.name] - s.value for s in symbols if s.name in addresses}
    shown = _shown(text)
    with contextlib.suppress(OSError):  # a folder that is full, or not there
        _write_map(
            f"{starts[s.section] + s.value:x} {s.size:x} {shown.get(s.name, s.name)}\n"
            for s in symbols
            if s.section in starts
        )


def _programs(text: str, addresses: Mapping[str, int]) -> dict[str, int]:
    """The addresses of what the tables of entries begin with (entry_table.py): their programs."""
    tables = re.findall(r"^@([\w.$]+) = constant \{[^@]* \{ ptr @([\w.$]+),", text, re.M)
    return {
        program: ctypes.c_int64.from_address(addresses[table]).value for table, program in tables
    }


def functions(data: bytes) -> Iterator[Symbol]:
    """The functions of an object file, those that only it knows too."""
    sections = object_loader.sections(data)
    for section in sections:
        if section.kind == object_loader.SYMBOLS:
            names = sections[section.link].offset
            table = data[section.offset : section.offset + section.size]
            for name, kind, _, where, value, size in object_loader.SYMBOL.iter_unpack(table):
                if kind & 15 == _FUNCTION and where:
                    end = data.index(b"\0", names + name)
                    yield Symbol(data[names + name : end].decode(), where, value, size)


def _shown(text: str) -> dict[str, str]:
    """The names and lines of native functions in a module's text, for people to read."""
    file = {
        number: name
        for number, name in re.findall(r'^(!\d+) = !DIFile\(filename: "([^"]*)"', text, re.M)
    }
    node = {
        number: f"{name} ({file.get(where, '')}:{line})" if line != "0" else name
        for number, name, where, line in re.findall(
            r'^(!\d+) = distinct !DISubprogram\(name: "([^"]*)", scope: (!\d+),.* line: (\d+)',
            text,
            re.M,
        )
    }
    heads = re.findall(r"^define [^@]*@([\w.$]+)\(.*!dbg (!\d+) \{", text, re.M)
    return {name: node[number] for name, number in heads if number in node}


def _write_map(rows: Iterator[str]) -> None:
    """Add to the map that perf reads."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    file = os.open(f"/tmp/perf-{os.getpid()}.map", flags, 0o600)  # the name that perf expects
    try:
        os.write(file, "".join(rows).encode())
    finally:
        os.close(file)
