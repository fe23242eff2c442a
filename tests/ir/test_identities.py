"""What reductions, scans, segments and windows begin with must show in no result: the maximum of
negative numbers is not 0, and of lanes, threads or tiles that have no element nothing comes in.

Every such op in each of its dtypes, along rows and columns of awkward lengths, goes over elements
that tell: the ends of the dtype, infinities, nan, zeros of both signs, all alike or all alike but
for one. The CPU has what NumPy gives, with sizes known and unknown; the emulated GPU has the CPU's
bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests import emulated, native
from tests.sampling import ALL, by_turns
from tfc.ir import ops
from tfc.ir.core import Builder, Function, Op, Value
from tfc.ir.dtypes import DType, as_dtype, int32
from tfc.ir.extent import Extent, symbol
from tfc.ir.interpreter import interpret
from tfc.ir.ops.cumulative import Cumulative
from tfc.ir.ops.reduction import ArgReduction, Extremum, Reduction
from tfc.ir.ops.segment import Segment
from tfc.ir.types import TensorType

# Around vectors, warps, slots of a sum; teams and chunks of a row.
SHORT = (33, 1, 64, 0, 31, 2, 65, 32, 63)
LONG = (257, 127, 1025, 2049, 1023, 4099, 1024)
INTEGERS = ("i32", "u8", "i64", "i16", "u32", "i8", "u64", "u16")
FLOATS = ("f32", "f16", "f64", "bf16")
SEGMENTS = 3  # of which the last has no rows


@dataclass(frozen=True)
class Case:
    """An op, and how the rows that tell lie in its operand."""

    name: str
    make: Callable[..., Value]  # of a builder, x and more
    dtypes: tuple[str, ...]
    layout: str = "an"  # of x: n elements of each of a rows; 1 is an axis of 1
    more: str = ""  # what else it takes: segment ids, or factors of 1
    least: int = 0  # elements
    ulp: float = 0.0  # how far from NumPy
    cheap: bool = True  # to emulate
    either: bool = False  # of two zeros that are compared, the sign is the machine's

    def function(self, dtype: DType, a: Extent, n: Extent) -> Function:
        extents: dict[str, Extent] = {"a": a, "n": n, "1": 1}
        b = Builder("identity")
        shape = tuple(extents[letter] for letter in self.layout)
        params = [b.parameter(TensorType(dtype, shape))]
        if self.more == "ids":
            params.append(b.parameter(TensorType(int32, (n,))))
        elif self.more == "ones":
            params.append(b.parameter(TensorType(dtype, shape)))
        return b.build(self.make(b, *params))

    def arrays(self, dtype: DType, n: int) -> list[np.ndarray]:
        rows = telling(dtype, n)
        if self.layout.index("n") < self.layout.index("a"):
            rows = rows.T
        for i, letter in enumerate(self.layout):
            rows = np.expand_dims(rows, i) if letter == "1" else rows
        ids = np.arange(n) % SEGMENTS - (np.arange(n) % SEGMENTS == SEGMENTS - 1) * SEGMENTS
        more = {"ids": [ids.astype(np.int32)], "ones": [np.ones_like(rows)]}
        return [rows, *more.get(self.more, [])]


def telling(dtype: DType, n: int) -> np.ndarray:
    """Rows of n elements: all alike, or but for the first, the last, or one between."""
    if dtype.is_bool:
        alike: list[Any] = [False, True]
        others: list[tuple[Any, Any]] = [(False, True), (True, False)]
    elif dtype.is_integer:
        low, high = int(dtype.min), int(dtype.max)
        alike = [low, high, 0, 1, 2]
        others = [(high, high - 1), (low, low + 1), (high, 1), (low, 1), (2, 1), (1, 2)]
    else:
        top, inf, nan = float(dtype.max), float("inf"), float("nan")
        alike = [-inf, inf, nan, -top, top, 0.0, -0.0, 1.0, -1.0]
        others = [(-1.0, -0.0), (1.0, 0.0), (-0.0, 0.0), (-1.0, nan), (1.0, -inf), (-1.0, 1.0)]
        others += [(-inf, -top), (inf, top), (1.0, -1.0)]
    rows = [np.full(n, value) for value in alike]
    for most, one in others:
        for place in sorted({0, n // 2, n - 1}) if n else ():
            row = np.full(n, most)
            row[place] = one
            rows.append(row)
    with np.errstate(over="ignore"):
        return np.stack([row.astype(dtype.numpy) for row in rows])


def subclasses(base: type[Op]) -> list[type[Op]]:
    return [op for op in Op.by_name.values() if issubclass(op, base)]


def defined(op: Any) -> tuple[str, ...]:
    """The dtypes of an op, other kinds by turns."""
    every = [d for i, f in zip(INTEGERS, (*FLOATS, *FLOATS), strict=True) for d in (f, i)]
    some = [d for d in ("bool", *every) if as_dtype(d).kind in op.kinds]
    return tuple(dict.fromkeys(some))


def emitted(op: type[Op], *attributes: Any) -> Callable[..., Value]:
    return lambda b, *operands: b.emit(op(*operands, *attributes))  # type: ignore[no-any-return]


def cases() -> Iterator[Case]:
    for op in subclasses(Reduction):
        for layout, axes in (("an", (1,)), ("na", (0,)), ("na1", (0,)), ("1an", (0, 2))):
            if issubclass(op, ArgReduction):
                if len(axes) == 1:
                    yield Case(op.mnemonic, emitted(op, axes), defined(op), layout, least=1)
            else:
                either = issubclass(op, Extremum)
                yield Case(op.mnemonic, emitted(op, axes), defined(op), layout, either=either)
    for op in subclasses(Cumulative):
        ulp = 8.0 if op is ops.CumLogSumExp else 0.0
        for layout in ("an", "na", "1na"):
            for reverse in (False, True):
                make = emitted(op, layout.index("n"), reverse)
                note = "-reverse" * reverse
                either = op in (ops.CumMax, ops.CumMin)
                name = op.mnemonic + note
                yield Case(name, make, defined(op), layout, ulp=ulp, either=either)
    for layout in ("an", "na"):
        make = emitted_last(ops.Recurrence, layout.index("n"), False)
        yield Case("recurrence", make, FLOATS, layout, "ones")
    for op in subclasses(Segment):
        for layout in ("na", "na1"):
            yield Case(
                op.mnemonic, by_segments(op), defined(op), layout, "ids", cheap=False, either=True
            )
    for op in (ops.MaxPool, ops.MaxPlace):
        for layout in ("1na", "an1"):
            for taps in (3, 40):
                dtypes = defined(Extremum)
                name = f"{op.mnemonic}-{taps}"
                yield Case(
                    name, windows(op, taps), dtypes, layout, least=1, cheap=False, either=True
                )
    for layout in ("an", "na"):
        yield Case(
            "softmax", softmax(layout.index("n")), FLOATS, layout, ulp=16.0, least=1, cheap=False
        )


def emitted_last(op: type[Op], *attributes: Any) -> Callable[..., Value]:
    """As `emitted`, of operands in the other order."""
    return lambda b, *operands: b.emit(op(*operands[::-1], *attributes))  # type: ignore[no-any-return]


def by_segments(op: type[Op]) -> Callable[..., Value]:
    return lambda b, x, ids: b.emit(op(ids, x, SEGMENTS, "drop"))  # type: ignore[no-any-return]


def windows(op: type[Op], taps: int) -> Callable[..., Value]:
    """Around each element, with what is not there on both sides."""

    def make(b: Builder, x: Value) -> Value:
        return b.emit(op(x, (taps,), (x.shape[1],), (1,), (taps // 2,), (1,)))

    return make


def softmax(axis: int) -> Callable[..., Value]:
    """Two reductions and what is between them, in one kernel."""

    def make(b: Builder, x: Value) -> Value:
        def spread(v: Value) -> Value:
            return b.emit(ops.Broadcast(v, x.shape, (1 - axis,)))

        raised = b.emit(ops.Exp(b.emit(ops.Sub(x, spread(b.emit(ops.ReduceMax(x, (axis,))))))))
        return b.emit(ops.Div(raised, spread(b.emit(ops.ReduceSum(raised, (axis,))))))

    return make


def near(got: np.ndarray, wanted: np.ndarray, case: Case) -> None:
    """NumPy's bits, or as far from them as the case may be."""
    if case.either and wanted.dtype.kind not in "biu":
        zero = wanted.dtype.type(0)
        got, wanted = got + zero, wanted + zero  # which leaves zeros without a sign
    if not case.ulp:
        native.assert_same_bits([got], [wanted])
        return
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    digits = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}[as_dtype(got.dtype).short]
    wide = got.astype(np.float64), wanted.astype(np.float64)
    np.testing.assert_allclose(*wide, rtol=case.ulp * 2.0**-digits, atol=0)


CASES = list(cases())
# In a sample each op has one layout and dtype, which take turns with the ops, and three lengths.
FIRST = {case.name: i for i, case in reversed(list(enumerate(CASES)))}
TURNS = {
    first + turn % sum(case.name == name for case in CASES): turn
    for turn, (name, first) in enumerate(reversed(FIRST.items()))
}
TRIED = [
    pytest.param(case, dtype, TURNS.get(i, i), id=f"{case.name}-{case.layout}-{dtype}")
    for i, case in enumerate(CASES)
    if ALL or i in TURNS
    for dtype in by_turns(case.dtypes, TURNS.get(i, i), 1)
]


@pytest.mark.parametrize(("case", "short", "turn"), TRIED)
def test_identities(case: Case, short: str, turn: int) -> None:
    """Of all lengths, and of a few lengths that the kernels know."""
    dtype = as_dtype(short)
    unknown = case.function(dtype, symbol("a"), symbol("n"))
    host, device = native.Native(unknown), on_gpu(unknown)
    lengths = [*by_turns(SHORT, turn, 2), *by_turns(LONG if ALL else LONG[:3], turn, 1)]
    lengths = [n for n in lengths if n >= case.least and (ALL or case.cheap or n < 100)]
    known = {lengths[turn % len(lengths)], LONG[turn % len(LONG)] if ALL else 0}
    for n in lengths:
        arrays = case.arrays(dtype, n)
        with np.errstate(all="ignore"):
            (wanted,) = interpret(unknown, arrays)
        (got,) = host(*arrays)
        near(got, wanted, case)
        if device is not None:
            native.assert_same_bits(device(*arrays), [got], f"GPU, {n}")
        if n in known:
            static = native.static(unknown, *arrays)
            native.assert_same_bits(native.run(static, *arrays), [got], f"known, {n}")
            there = on_gpu(static)
            if there is not None:
                native.assert_same_bits(there(*arrays), [got], f"GPU, known, {n}")


def on_gpu(f: Function) -> emulated.Emulated | None:
    """The function on the emulator, where it has no kernels for the host."""
    kernels = emulated.lowered(f)
    return emulated.Emulated(f, "random", kernels) if emulated.launched_only(kernels) else None
