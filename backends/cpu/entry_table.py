"""Entries that are tables: what quick code has in place of a compiled entry (entry.py).

Python calls `tfc_entry` (runtime/entries.c), which does for all tables what a compiled entry does
for one function. It takes some 100 ns longer; but to compile an entry is half of what LLVM does for
a small program, and quick code runs a few hundred times. A table is a constant of the program's
module,

    @table = constant { program, how many of all, inputs, results, numbers }

where the numbers are shapes, then code: what is computed of symbols, in the order in which a call
needs it (`Code`). It holds no addresses but those that are filled in when it is linked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tfc.ir.extent import Division, Extent, Positive, largest, reach, terms_of

from ..llvm.arena_layout import RELEASE_WORK
from ..llvm.entry_spec import EntrySpec, bare_symbol
from .entry import STACK_ARENA_BYTES, declared_descriptors, result_records, returned
from .runtime import native
from .runtime.python_abi import descriptor

_LARGEST = 2**63 - 1


def table_text(name: str, spec: EntrySpec, program: str) -> str:
    """LLVM text that defines the table `name` of an entry that runs the function `program`; join it
    with the text of that."""
    return "\n".join([*declared_descriptors(spec), _Table(spec).text(name, program), ""])


class Code:
    """What `tfc_entry` computes of symbols, as numbers: entries.c says what they mean."""

    def __init__(self, symbols: Sequence[str]) -> None:
        self.words: list[int] = []
        self.numbers = {name: number for number, name in enumerate(symbols)}

    def add(self, *words: int) -> None:
        self.words.extend(words)

    def extent(self, extent: Extent) -> None:
        """Compute an extent."""
        terms = list(terms_of(extent))
        self.add(len(terms))
        for monomial, coefficient in terms:
            small = -(2**63) <= coefficient <= _LARGEST
            self.add(coefficient if small else 1, len(monomial) + (not small))
            if not small:
                self.add(native.TOO_LARGE)
            for atom in monomial:
                self._factor(atom)

    def _factor(self, atom: str | Division | Positive) -> None:
        if isinstance(atom, str):
            self.add(self.numbers[atom])
        elif isinstance(atom, Positive):
            self.add(native.POSITIVE)
            self.extent(atom.argument)
        else:
            self._quotient(atom)

    def _quotient(self, atom: Division) -> None:
        by, whole = atom.denominator, atom.kind == "//"
        if isinstance(by, int) and 0 < by <= _LARGEST and by & (by - 1) == 0:
            self.add(native.SHIFTED if whole else native.MASKED)
            self.extent(atom.numerator)
            self.add(by.bit_length() - 1 if whole else by - 1)
            return
        self.add(native.QUOTIENT if whole else native.REMAINDER)
        self.extent(atom.numerator)
        self.extent(by)


def _array(kind: str, items: Iterable[str]) -> tuple[str, str]:
    """The type and the value of a constant array."""
    values = [f"{kind} {item}" for item in items]
    return f"[{len(values)} x {kind}]", f"[{', '.join(values)}]"


class _Table:
    """The table of one entry. Each method of a step adds to the code, in the order of the steps."""

    def __init__(self, spec: EntrySpec) -> None:
        spec.check()
        self.spec = spec
        self.flags = 0
        self.shapes: list[int] = []
        self.places: dict[tuple[int, ...], int] = {}
        self.code = Code((*spec.symbols, *spec.late))
        self.late = set(spec.allocated)
        # The extents of all results one after the other: place, result, axis, extent.
        flat = [(r, axis, e) for r, t in enumerate(spec.results) for axis, e in enumerate(t.shape)]
        self.extents = [(place, *row) for place, row in enumerate(flat)]

    def text(self, name: str, program: str) -> str:
        """LLVM's text of it."""
        spec = self.spec
        inputs, results = self._inputs(), result_records(spec)
        if spec.budget:
            self.code.extent(spec.cost)
        if spec.donations:
            self.flags |= native.DONATES
        self._requirements()
        shapes = self._result_extents()
        arena, words = self._arena()
        self._work()
        self._adopt()
        numbers = [*self.shapes, *self.code.words]
        size = 1 + native.TABLE_NUMBERS + len(numbers)
        for records, kind in (inputs, native.TABLE_INPUT), (results, native.RESULT):
            size += len(records) * len(kind.split(","))
        fields = (
            *(len(spec.params), len(spec.captures), len(spec.scalars), len(spec.results)),
            *(len(self.code.numbers), len(self.extents), spec.budget, spec.least),
            *(returned(spec), words, arena, shapes, len(self.shapes), self.flags, 8 * size, 0),
        )
        parts = [
            ("ptr", f"@{program}"),
            _array("i64", map(str, fields)),
            _array(native.TABLE_INPUT, inputs),
            _array(native.RESULT, results),
            _array("i64", map(str, numbers)),
        ]
        kind = ", ".join(kind for kind, _ in parts)
        value = ", ".join(f"{kind} {value}" for kind, value in parts)
        return f"@{name} = constant {{ {kind} }} {{ {value} }}"

    def _place(self, shape: Iterable[int]) -> int:
        """Where a shape is among the numbers; equal ones are there once."""
        numbers = tuple(shape)
        if numbers not in self.places:
            self.places[numbers] = len(self.shapes)
            self.shapes.extend(numbers)
        return self.places[numbers]

    # ---- steps ----

    def _inputs(self) -> list[str]:
        """The records of inputs; the first that has a symbol as an extent binds it."""
        spec, numbers = self.spec, self.code.numbers
        bound: set[str] = set()
        bounds: list[tuple[int, int, int]] = []
        computed: list[tuple[int, int, Extent]] = []
        records = []
        for i, tensor in enumerate(spec.inputs):
            shape = []
            for axis, extent in enumerate(tensor.shape):
                name = bare_symbol(extent)
                if isinstance(extent, int):
                    shape.append(extent)
                elif name is None:
                    shape.append(native.CHECKED_LATER)
                    computed.append((i, axis, extent))
                else:
                    shape.append(~(2 * numbers[name] + (name not in bound) * native.BINDS))
                    if name not in bound:
                        low, high = reach(extent)
                        most = _LARGEST if high is None else min(high, _LARGEST)
                        if (low or 0) > spec.least or most < _LARGEST:
                            bounds.append((numbers[name], low or 0, most))
                    bound.add(name)
            place = f"i64 {tensor.rank}, i64 {self._place(shape)}"
            records.append(f"{{ ptr @{descriptor(tensor.dtype)}, {place} }}")
        if spec.scalars or bounds or computed:
            self.flags |= native.CHECKS
            for name in spec.scalars:
                self.code.add(2 * numbers[name] + (name not in bound) * native.BINDS)
                bound.add(name)
            self.code.add(len(bounds), *(word for row in bounds for word in row))
            self.code.add(len(computed))
            for i, axis, extent in computed:
                self.code.add(i, axis)
                self.code.extent(extent)
        return records

    def _requirements(self) -> None:
        """The extents that must not be negative, and what to report where one is."""
        if not self.spec.requires:
            return
        self.flags |= native.REQUIRES
        self.code.add(len(self.spec.requires))
        for extent, reported, status in self.spec.requires:
            self.code.add(status, len(reported))
            for number in (extent, *reported):
                self.code.extent(number)

    def _result_extents(self) -> int:
        """Where the shapes of all results are, one after the other."""
        template, computed = [], []
        for row in self.extents:
            _, result, _, extent = row
            name = bare_symbol(extent)
            if isinstance(extent, int):
                template.append(extent)
                continue
            self.flags |= native.VARIES
            if name is not None and result not in self.late:
                template.append(~self.code.numbers[name])
                continue
            template.append(0)
            if result not in self.late:
                computed.append(row)
        if computed:
            self.flags |= native.COMPUTES
            self.code.add(len(computed))
            for *place, extent in computed:
                self.code.add(*place)
                self.code.extent(extent)
        return self._place(template)

    def _arena(self) -> tuple[int, int]:
        """Bytes of scratch memory that are known, and words of the stack that a call needs."""
        spec = self.spec
        values = len(spec.inputs) + len(spec.results)
        words = 2 * values + len(self.code.numbers) + len(self.extents)
        room = largest(spec.arena)
        if isinstance(room, int) and room <= STACK_ARENA_BYTES:
            return max(room, 0), words + (max(room, 0) + native.ARENA_ALIGNMENT) // 8 + 1
        self.flags |= native.POOLED
        if isinstance(spec.arena, int) and spec.arena <= _LARGEST:
            return spec.arena, words
        self.flags |= native.SIZED
        self.code.extent(spec.arena)
        return 0, words

    def _work(self) -> None:
        """Whether the lock is released while the program runs."""
        work_most = largest(self.spec.work)
        least = sum(count for monomial, count in terms_of(work_most) if not monomial)
        if isinstance(work_most, int) or self.spec.budget or least > RELEASE_WORK:
            if least > RELEASE_WORK:
                self.flags |= native.RELEASES
        else:
            self.flags |= native.WORKS
            self.code.extent(self.spec.work)

    def _adopt(self) -> None:
        """The extents of results that the program has allocated."""
        if not self.late:
            return
        self.flags |= native.ADOPTS
        rows = [row for row in self.extents if row[1] in self.late]
        rows = [row for row in rows if not isinstance(row[3], int)]
        self.code.add(len(rows))
        for place, _, _, extent in rows:
            self.code.add(place)
            self.code.extent(extent)
