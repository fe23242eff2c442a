"""Addresses in loops that carry values: the sums of a tile, which leave few registers.

    for k: load x[(i + 0) * n + k], x[(i + 1) * n + k], ..., y[k * m + j]

Offsets are polynomials in what their indices are made of. What a loop does not change of one is
added to the buffer before the loop; what differs by a number has one pointer; and a pointer that
each round moves by more than an element is carried:

    p = x + i * n;  q = y + j
    for k: load p[k + 0], p[k + n], ..., q[0];  q += m             where n is a number

A processor adds a pointer, a scaled index and a number while it loads, so that little is left to be
computed in each round. LLVM's strength reduction would find as much, but takes as long as all else
that a kernel needs of LLVM: it is not asked (see machine.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from tfc.ir.core import Op, Value
from tfc.ir.dtypes import int64
from tfc.ir.kernels.ops import For, Load, LoadPair, Prefetch
from tfc.ir.value_classes import NamedTuple

from ..llvm.loops import Carried, Rounds
from ..llvm.registers import Reg, memory_type
from .index_polynomials import Monomial, Polynomial

if TYPE_CHECKING:
    from .vector_loops import VectorLoopWriter

Terms: TypeAlias = tuple[tuple[Monomial, int], ...]  # of a polynomial without a number
Reads: TypeAlias = Load | LoadPair | Prefetch


class Place(NamedTuple):
    """Where a round reads, but for what is a number."""

    pointer: str  # from before the loop
    element: str  # what offsets count
    varying: Terms  # how far from the pointer


class Address(NamedTuple):
    """What an op in a loop reads."""

    place: Place
    number: int  # of elements behind the place
    stride: int  # from lane to lane


def suits(op: For) -> bool:
    """Whether a loop carries more than indices, and nothing in it has regions."""
    carried = any([v.dtype is not int64 for v in op.init])
    return carried and not any([inner.regions for inner in op.body.body])


class LoopAddresses:
    """The addresses in the body of one loop. When it is made, it writes what stands before the
    loop."""

    def __init__(self, writer: VectorLoopWriter, loop: For) -> None:
        self.writer = writer
        self.loop = loop
        body = loop.body
        self.index = body.params[0]
        self.inside = {*body.params, *(v for op in body.body for v in op.results)}
        here = self.inside.union(writer.values)
        self.strides: dict[Monomial, int | None] = {}  # see `stride_of`
        self.products: dict[tuple[str, str], str] = {}  # that are computed, by their factors
        self.steps: dict[Place, str] = {}  # how far each round moves those that are carried
        self.carried: list[Carried] = []
        self.pointers: dict[Place, str] = {}  # in a round
        self.addresses: dict[Op, Address] = {}
        for op in body.body:
            if isinstance(op, Reads) and op.buffer not in self.inside:
                form = writer.polynomials.of(op.offset, here)
                stride = self.stride(form)
                if stride is not None:
                    place = self.place(op, form)
                    self.addresses[op] = Address(place, form.get((), 0), stride)
        self.needed = self.read()

    def stride(self, form: Polynomial) -> int | None:
        """How far an offset is from that of the next lane; None where this is no number, or what
        data say."""
        total = 0
        for monomial, factor in form.items():
            if monomial not in self.strides:
                self.strides[monomial] = self.stride_of(monomial)
            stride = self.strides[monomial]
            if stride is None:
                return None
            total += factor * stride
        return total

    def stride_of(self, monomial: Monomial) -> int | None:
        """The same of a product of values."""
        values = self.factors(monomial)
        stride = 0
        for v in values:
            if v is self.index:
                continue
            reg = self.writer.values[v] if v not in self.inside else None
            if reg is None or reg.lanes > 1:
                return None
            if reg.stride is not None:
                if len(values) > 1 or not reg.stride.lstrip("-").isdigit():
                    return None
                stride = int(reg.stride)
        return stride

    def factors(self, monomial: Monomial) -> list[Value]:
        return [self.writer.polynomials.values[number] for number in monomial]

    def place(self, op: Reads, form: Polynomial) -> Place:
        """Where `op` reads, of an offset without its number; a pointer that is carried is noted."""
        varying: list[tuple[Monomial, int]] = []
        fixed: list[tuple[Monomial, int]] = []
        for monomial, factor in form.items():
            if monomial:
                changes = self.index in self.factors(monomial)
                (varying if changes else fixed).append((monomial, factor))
        element = memory_type(op.buffer.dtype)
        if isinstance(op, LoadPair):
            element = f"[2 x {element}]"
        pointer, known = self.writer.values[op.buffer].name, self.writer.splats
        key = "pointer", pointer, element, tuple(fixed)
        if key not in known:
            known[key] = self.moved(pointer, element, fixed)
        place = Place(known[key], element, tuple(varying))
        if place not in self.steps and self.is_carried(varying):
            start = self.writer.values[self.loop.low].name
            pointer = place.pointer
            if start != "0":
                pointer = self.moved(pointer, element, varying, start)
            self.steps[place] = self.sum(varying, str(self.loop.step))
            self.carried.append(("ptr", pointer))
        return place

    def is_carried(self, varying: Sequence[tuple[Monomial, int]]) -> bool:
        """Whether a pointer is moved from round to round, by more than one element."""
        known = [self.factors(monomial) for monomial, _ in varying]
        if not varying or any(values.count(self.index) > 1 for values in known):
            return False
        return len(varying) > 1 or len(known[0]) > 1 or varying[0][1] != 1

    def moved(
        self, pointer: str, element: str, terms: Sequence[tuple[Monomial, int]], index: str = ""
    ) -> str:
        """A pointer that is so much further, where the loop's index is what `index` says."""
        distance = self.sum(terms, index)
        if distance == "0":
            return pointer
        return self.writer.emit(f"getelementptr {element}, ptr {pointer}, i64 {distance}")

    def sum(self, terms: Sequence[tuple[Monomial, int]], index: str = "") -> str:
        """The instructions of a polynomial before the loop, where the loop's index is what `index`
        says; in a round without that."""
        emit, values, total = self.writer.emit, self.writer.values, ""
        for monomial, factor in terms:
            factors = self.factors(monomial)
            names = [values[v].name for v in factors if v is not self.index]
            if self.index in factors:
                names += [index or values[self.index].name] * factors.count(self.index)
            numbers = [int(name) for name in names if name.isdigit()]
            names = [name for name in names if not name.isdigit()]
            for number in numbers:
                factor *= number
            if factor == 0:
                continue
            name = ""
            for other in names:
                name = self.product(name, other) if name else other
            if factor != 1 or not name:
                name = emit(f"mul i64 {name}, {factor}") if name else str(factor)
            total = emit(f"add i64 {total}, {name}") if total else name
        return total or "0"

    def product(self, x: str, y: str) -> str:
        key = x, y
        if key not in self.products:
            self.products[key] = self.writer.emit(f"mul i64 {x}, {y}")
        return self.products[key]

    def read(self) -> set[Value]:
        """The values of the body that are computed, as something reads them."""
        needed = {*self.loop.body.returns}
        for op in reversed(self.loop.body.body):
            if op.effect or not needed.isdisjoint(op.results):
                offset = op.offset if op in self.addresses else None  # type: ignore[attr-defined]
                needed.update(v for v in op.operands if v is not offset)
        return needed

    def rounds(self) -> Rounds:
        """The loop with these addresses."""

        def write(phis: Sequence[str]) -> list[Carried]:
            self.pointers = dict(zip(self.steps, phis, strict=True))
            for op in self.loop.body.body:
                if op.effect or not self.needed.isdisjoint(op.results):
                    self.op(op)
            emit = self.writer.emit
            return [
                ("ptr", emit(f"getelementptr {place.element}, ptr {phi}, i64 {step}"))
                for phi, (place, step) in zip(phis, self.steps.items(), strict=True)
            ]

        return Rounds(self.carried, write)

    def op(self, op: Op) -> None:
        """Write an op of the body."""
        address = self.addresses.get(op)
        if address is None:
            self.writer.op(op)
            return
        assert isinstance(op, Reads)
        place, values = address.place, self.writer.values
        if place not in self.pointers:
            self.pointers[place] = self.moved(place.pointer, place.element, place.varying)
        own = [(v, values.get(v)) for v in (op.buffer, op.offset)]
        stride = str(address.stride) if address.stride else None
        values[op.buffer] = Reg(self.pointers[place], op.buffer.dtype)
        values[op.offset] = Reg(str(address.number), int64, 1, stride)
        self.writer.op(op)
        for v, reg in own:
            if reg is None:  # an offset that nothing else needs
                del values[v]
            else:
                values[v] = reg
