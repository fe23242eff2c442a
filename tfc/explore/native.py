"""LLVM's text, assembly and PTX as rows of a page.

LLVM carries the user's lines as debug metadata (see tfc/backends/cpu/debug_info.py), which is read
here and left out of what is shown, as are directives that say nothing about the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tfc.backends.cpu.debug_info import DERIVATIVE
from tfc.ir.core import Backward, Location

from .rows import Column, Fold, Lines, Row, braces

if TYPE_CHECKING:
    from tfc.backends.cuda.module import DeviceModule

_NODE = re.compile(r"^!(\d+) = (?:distinct )?!(\w+)\((.*)\)$")
_FIELD = re.compile(r'(\w+): (?:"([^"]*)"|!?([\w<>]+))')
_DEBUG = re.compile(r",? !dbg !(\d+)")
_FUNCTION = re.compile(r"^define [^@]*@([\w.$]+)\(")
# Code that belongs to no line of the user's: the entry from Python.
_NOBODYS = ("entry",)
_DECLARES_MIN = 3  # declarations one after the other, from which on they fold
_DIRECTIVES = re.compile(r"^\s+\.(?:cfi_\w+|loc|file|p2align|type|size|addrsig\w*|ident|globl)\b")
_FILE = re.compile(r'\s+\.file\s+(\d+)(?: "([^"]*)")? "([^"]*)"')
_LOC = re.compile(r"\s+\.loc\s+(\d+) (\d+) (\d+)")
_TEMPORARY = re.compile(r"^\.L(?:tmp|func_begin|func_end|debug|sec_end|cu_)")
_COMMENT = re.compile(r"\s*(?:#|//) .*$")  # of LLVM's; AArch64's numbers begin with #, too
_SPILLED = re.compile(r"\s*(?:#|//) (\d+)-byte (?:Folded )?(Spill|Reload)$")
_LABEL = re.compile(r"^([A-Za-z_][\w.$]*):")
_WIDTHS = (("zmm", 512), ("ymm", 256), ("xmm", 128))  # registers of x86, and their bits
_PACKED = re.compile(r"^\s+v?\w*(?:p[sd]|dq[au]\d*|p[a-z]*[bwdq])\s")  # x86, not of scalars
_NEON = re.compile(r"\bv\d+\.\d*[bhsd]\b|\bq\d+\b")


def _place(file: str, line: int, column: int) -> Location | None:
    if line <= 0:
        return None
    return Backward(file, line) if column == DERIVATIVE else Location(file, line)


class _Debug:
    """The debug metadata at the end of a module's text."""

    def __init__(self, rows: Iterable[str]) -> None:
        self._nodes: dict[str, tuple[str, dict[str, str]]] = {}
        for row in rows:
            if found := _NODE.match(row):
                fields = {k: text or word for k, text, word in _FIELD.findall(found[3])}
                self._nodes[found[1]] = found[2], fields
        self._known: dict[str, Location | None] = {}

    def place(self, number: str) -> Location | None:
        """Where the instructions come from that have this node."""
        if number not in self._known:
            kind, fields = self._nodes.get(number, ("", {}))
            self._known[number] = (
                _place(
                    self._file(fields["scope"]), int(fields["line"]), int(fields.get("column", 0))
                )
                if kind == "DILocation"
                else None
            )
        return self._known[number]

    def _file(self, scope: str) -> str:
        _, fields = self._nodes[scope]
        _, file = self._nodes[fields["file"]]
        folder = file.get("directory", "")
        return f"{folder}/{file['filename']}" if folder else file["filename"]


def llvm(text: str, lines: Lines) -> Column:
    """The module `text` without its metadata; declarations and the entry are folded."""
    texts = text.split("\n")
    debug = _Debug(row for row in texts if row.startswith("!"))
    rows: list[Row] = []
    heads: list[tuple[int, set[Location]]] = []  # functions, and the places in them
    nobodys = False
    closed = []
    for row in texts:
        if row.startswith("!") or not row.strip():
            continue
        shown = _DEBUG.sub("", row)
        place = None
        if head := _FUNCTION.match(row):
            nobodys = head[1] in _NOBODYS
            if nobodys:
                closed.append(len(rows))
            heads.append((len(rows), set()))
        elif (found := _DEBUG.search(row)) and not nobodys:
            place = debug.place(found[1])
            if place is not None and heads:
                heads[-1][1].add(place)
        rows.append(Row(shown, lines.of([place])))
    for number, places in heads:
        rows[number] = Row(rows[number].text, lines.of(places))
    found_folds = braces([row.text for row in rows])
    folds = [Fold(f.first, f.last, f.first in closed) for f in found_folds]
    folds += _runs(rows, lambda t: t.startswith("declare "), _DECLARES_MIN)
    return Column("llvm", "LLVM", rows, folds)


def _runs(rows: Sequence[Row], wanted: Callable[[str], bool], least: int) -> Iterator[Fold]:
    """Rows one after the other that are of no interest: folded."""
    first = None
    for number in range(len(rows) + 1):
        if number < len(rows) and wanted(rows[number].text):
            first = number if first is None else first
        elif first is not None:
            if number - first >= least:
                yield Fold(first, number - 1, True)
            first = None


def assembly(text: str, lines: Lines) -> Column:
    """The assembly of a module without what is for the assembler alone. A function folds under its
    name, the constants before one are folded."""
    rows: list[Row] = []
    folds: list[Fold] = []
    files: dict[str, str] = {}
    place: Location | None = None
    code = True
    nobodys = False
    start: int | None = None  # of a function, or of a section of constants
    for raw in text.split("\n"):
        row = raw.replace("\t", "  ").rstrip()
        directive = raw.startswith("\t.")
        if directive and (found := _LOC.match(row)):
            place = _place(files.get(found[1], ""), int(found[2]), int(found[3]))
            continue
        if directive and (found := _FILE.match(row)):
            files[found[1]] = f"{found[2]}/{found[3]}" if found[2] else found[3]
        if directive and re.match(r"\s+\.section\s+\.(?:debug|note)", row):
            break  # nothing else follows
        if directive and re.match(r"\s+\.(?:section|text)\b", row):
            code = ".text" in row or ".ltext" in row
            _close(folds, start, len(rows), False)
            start = None
            if not code:
                start = len(rows)
                rows.append(Row("# constants"))
            place = None
            continue
        if code and ("# " in row or "// " in row):
            row = _commented(row)
        if not row or (directive and _DIRECTIVES.match(row)) or _TEMPORARY.match(row):
            continue
        label = row[:-1] if code and row.endswith(":") and not row.startswith((" ", ".")) else ""
        if label:
            _close(folds, start, len(rows), False)
            start, place, nobodys = len(rows), None, label in _NOBODYS
        own = lines.of([place]) if code and not nobodys else ()
        rows.append(Row(row, () if row.endswith(":") else own))
    _close(folds, start, len(rows), False)
    named = [Fold(f.first, f.last, rows[f.first].text in ("# constants", "entry:")) for f in folds]
    for fold in named:  # the name of a function stands for all that is in it
        inside = {n for row in rows[fold.first : fold.last + 1] for n in row.lines}
        rows[fold.first] = Row(rows[fold.first].text, tuple(sorted(inside)))
    return Column("asm", "assembly", rows, named)


def _commented(row: str) -> str:
    """A row of code, of whose comments only what is spilled stays."""
    if found := _SPILLED.search(row):
        return f"{row[: found.start()]}  # {found[1]}-byte {found[2].lower()}"
    return _COMMENT.sub("", row)


class Used(NamedTuple):
    """What a native function uses of the processor."""

    bits: int  # of its widest vectors; 0: scalars alone
    instructions: int
    stores: int  # of registers to the stack
    loads: int  # of these again


def used(text: str) -> dict[str, Used]:
    """What the functions of an assembly use, by name, with the parts that threads run of them (k3
    and k3.part0). `text` has LLVM's comments, which say what is spilled."""
    found: dict[str, Used] = {}
    name = ""
    for row in text.split("\n"):
        if label := _LABEL.match(row):
            name = label[1].partition(".")[0]
        elif row.startswith("\t.section"):
            name = ""  # constants
        elif name and row.startswith("\t") and row[1:2].isalpha():
            bits, count, stores, loads = found.get(name, Used(0, 0, 0, 0))
            spilled = _SPILLED.search(row)
            stores += spilled is not None and spilled[2] == "Spill"
            loads += spilled is not None and spilled[2] == "Reload"
            found[name] = Used(max(bits, _bits(row)), count + 1, stores, loads)
    return found


def _bits(row: str) -> int:
    """How wide the vectors of an instruction are; 0: it has none."""
    for register, bits in _WIDTHS:
        if f"%{register}" in row:
            return bits if bits > 128 or _PACKED.match(row) else 0
    return 128 if _NEON.search(row) else 0


def _close(folds: list[Fold], start: int | None, end: int, closed: bool) -> None:
    if start is not None and end - start > 1:
        folds.append(Fold(start, end - 1, closed))


def ptx(module: DeviceModule, lines: Lines) -> Column:
    """PTX, in which the rows of a kernel have all the lines that it computes."""
    kernels: dict[str, set[int]] = {}
    for kernel, parts in module.kernels.items():
        own = lines.of(op.location for op in kernel.notes.get("ops", ()))
        for part in parts:
            kernels.setdefault(part.name, set()).update(own)
    return _ptx(module.ptx, {name: tuple(sorted(own)) for name, own in kernels.items()})


def _ptx(text: str, kernels: Mapping[str, tuple[int, ...]]) -> Column:
    rows: list[Row] = []
    own: tuple[int, ...] = ()
    for raw in text.split("\n"):
        row = raw.replace("\t", "  ").rstrip()
        if not row or row.startswith("//"):
            continue
        if found := re.search(r"\.entry (\w+)", row):
            own = kernels.get(found[1], ())
        rows.append(Row(row, own))
        if row == "}":
            own = ()
    return Column("ptx", "PTX", rows, braces([row.text for row in rows]), shown=False)


__all__ = ["Used", "assembly", "llvm", "ptx", "used"]
