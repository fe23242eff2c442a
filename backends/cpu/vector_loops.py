"""Loops whose rounds go side by side, in the lanes of registers.

Inside of one a value that depends on the loop's index is a register of `lanes` elements, everything
else stays scalar. The loop runs whole vectors first and then one masked round for the rest. An
index is kept as base + lane * stride as long as the arithmetic on it allows, so that loads and
stores at stride 1 are plain vector accesses.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.core import Value, set_results
from tfc.ir.dtypes import bool_, int32, int64
from tfc.ir.extent import never_negative, remainder
from tfc.ir.kernel_op import LoopKind
from tfc.ir.kernels.ops import Append, For, Load, LoadPair, Store, StorePair
from tfc.ir.ops.elementwise import Add, Cast
from tfc.ir.ops.shape import Constant, ExtentOf

from ..llvm.kernel_facts import OpsByClass
from ..llvm.kernel_writer import KernelWriter
from ..llvm.loops import Carried, Rounds
from ..llvm.registers import Reg
from .index_polynomials import IndexPolynomials
from .loop_addresses import LoopAddresses, suits


class VectorLoopWriter(KernelWriter):
    """Writes kernels for processors whose registers have lanes."""

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.parts: list[str] = []  # the functions of parallel loops
        self.functions: dict[str, str] = {}  # the module's, by text: their names
        self.alone = False  # whether loops stay in this function
        self.scalar = False  # whether its loops have no lanes
        self.masked = False  # whether their rounds are all masked, for less code
        self.may_end_early = False  # whether parallel loops may: see llvm/donation.py
        self.polynomials = IndexPolynomials()

    @abstractmethod
    def another(self, name: str) -> VectorLoopWriter:
        """A writer for a part of this kernel, as a function of its own."""

    @abstractmethod
    def call_long(self, arguments: str) -> None:
        """Run a parallel loop that may be long, and leave where it is to end."""

    @abstractmethod
    def patiently(
        self,
        low: str,
        high: str,
        step: int,
        body: Callable[[str], Sequence[Carried]],
        carried: Sequence[Carried] = (),
    ) -> list[str]:
        """A loop (see `counted`) that looks up now and then, and leaves where it is to end."""

    def load_extents(self, ops: OpsByClass) -> None:
        """Compute the extents that ops of a kernel or of a part of it ask for."""
        for op in ops.get(ExtentOf, ()):
            assert isinstance(op, ExtentOf)
            if op.value not in self.extents:
                self.extents[op.value] = self.extent(op.value)
                if never_negative(op.value):
                    self.natural.add(self.extents[op.value])

    def adopt(self, inner: VectorLoopWriter) -> None:
        """What another function of the module wants beside it."""
        self.declared |= inner.declared
        self.helpers |= inner.helpers

    def loop(self, op: For) -> None:
        """A loop of any kind."""
        match op.kind:
            case LoopKind.VECTOR:
                self.vector_loop(op)
            case LoopKind.SIMD:
                self.side_by_side(op, None)
            case LoopKind.SIMD_MASKED:
                with self.scope():
                    low, high = self.values[op.low].name, self.values[op.high].name
                    count = high if low == "0" else self.emit(f"sub i64 {high}, {low}")
                    self.side_by_side(op, self.first_lanes(count, op.step))
            case _:
                condition = _condition(op)
                known = None if condition is None else self.values.get(condition)
                if known is None or known.lanes > 1:
                    self.serial_loop(op)
                else:
                    self.once_if(known.name, op)

    def once_if(self, condition: str, op: For) -> None:
        """The body of a loop, where a condition holds."""
        then, after = self.fresh("then")[1:], self.fresh("after")[1:]
        self.do(f"br i1 {condition}, label %{then}, label %{after}")
        self.label(then)
        with self.scope():
            self.values[op.body.params[0]] = Reg("0", int64)
            self.body(op.body)
        self.do(f"br label %{after}")
        self.label(after)

    def rounds(self, op: For) -> Rounds:
        return LoopAddresses(self, op).rounds() if suits(op) else super().rounds(op)

    def side_by_side(self, op: For, mask: str | None) -> None:
        """The body once, for `step` lanes, or those of the mask."""
        with self.scope(op.step, mask):
            self.values[op.body.params[0]] = Reg(self.values[op.low].name, int64, 1, "1")
            self.body(op.body)

    def width(self, op: For) -> int:
        """How many lanes a vector loop runs in: full registers of its widest element, `step` of
        them side by side, but not many more than there is to do."""
        if self.machine.scalar_loops or self.scalar:
            return 1
        widest = 1
        for inner in op.body.walk():
            if isinstance(inner, Load | LoadPair | Store | StorePair | Append):
                widest = max(widest, inner.buffer.dtype.itemsize)
        lanes = max(1, self.machine.vector_bits // 8 // widest) * op.step
        length = _length(op)
        while length is not None and lanes > 1 and lanes // 2 >= length:
            lanes //= 2
        return lanes

    def vector_loop(self, op: For) -> None:
        lanes = self.width(op)
        low, high = self.values[op.low].name, self.values[op.high].name
        if lanes == 1:
            plain = For(op.low, op.high, op.init, 1, LoopKind.SERIAL, op.body)
            set_results(plain, op.results, op.location)
            self.serial_loop(plain)
            return
        static = _length(op)

        def run(index: str) -> list[tuple[str, str]]:
            self.values[op.body.params[0]] = Reg(index, int64, 1, "1")
            self.body(op.body)
            return []

        if self.masked and static is None:

            def masked(index: str) -> list[tuple[str, str]]:
                mask = self.first_lanes(self.emit(f"sub i64 {high}, {index}"), lanes)
                with self.scope(lanes, mask):
                    return run(index)

            self.counted(low, high, lanes, masked)
            return
        if low == "0" and _is_multiple(op.high, lanes):
            rest, whole = "0", high
        elif static is None:
            count = high if low == "0" else self.emit(f"sub i64 {high}, {low}")
            rest = self.emit(f"and i64 {count}, {lanes - 1}")
            whole = self.emit(f"sub i64 {high}, {rest}")
        else:
            rest, whole = str(static % lanes), high
            if rest != "0":
                begun = static - static % lanes
                known = low.isdigit()
                whole = str(int(low) + begun) if known else self.emit(f"add i64 {low}, {begun}")
        if static is None or static >= 2 * lanes:
            with self.scope(lanes, None):
                self.counted(low, whole, lanes, run)
        elif static >= lanes:  # one round
            with self.scope(lanes, None):
                run(low)
        if rest == "0":
            return
        then, after = self.fresh("tail")[1:], self.fresh("end")[1:]
        if static is None:
            more = self.emit(f"icmp sgt i64 {rest}, 0")
            self.do(f"br i1 {more}, label %{then}, label %{after}")
            self.label(then)
        with self.scope():
            mask = self.first_lanes(rest, lanes)
            with self.scope(lanes, mask):
                run(whole)
        if static is None:
            self.do(f"br label %{after}")
            self.label(after)

    def first_lanes(self, count: str, lanes: int) -> str:
        """A mask of the first `count` lanes."""
        if count.isdigit():
            # Spelt out: LLVM 22 crashes on masked stores whose mask is a bitcast constant.
            flags = ["true" if i < int(count) else "false" for i in range(lanes)]
            return "<" + ", ".join(f"i1 {flag}" for flag in flags) + ">"
        limit = self.splat(self.emit(f"trunc i64 {count} to i32"), int32, lanes)
        return self.emit(f"icmp slt <{lanes} x i32> {self.iota(lanes, 'i32')}, {limit}")


def _length(op: For) -> int | None:
    """How many elements a loop goes through, if that is a number."""
    low, high = op.low.op, op.high.op
    if isinstance(low, Constant) and isinstance(high, Constant):
        return max(0, int(high.value) - int(low.value))
    if isinstance(high, Add) and high.x is op.low and isinstance(high.y.op, Constant):
        return max(0, int(high.y.op.value))
    return None


def _is_multiple(count: Value, lanes: int) -> bool:
    """Whether a number that is known at run time only surely fills so many lanes each time."""
    return isinstance(count.op, ExtentOf) and remainder(count.op.value, lanes) == 0


def _condition(op: For) -> Value | None:
    """What decides whether a loop has one round or none; None for other loops."""
    low, high = op.low.op, op.high.op
    if op.init or op.step != 1 or not isinstance(low, Constant) or int(low.value) != 0:
        return None
    return high.x if isinstance(high, Cast) and high.x.dtype is bool_ else None
