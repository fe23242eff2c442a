"""Grids whose threads take several neighbouring places, by accesses of 128 bits.

What lies at the place itself, or at that along the last axis, is loaded and stored as vectors,
where all such buffers are aligned and neighbours stay in one row; the computation stays one of
scalars, place by place. What is left, or does not fit, goes the plain way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfc.backends.llvm.registers import Reg, memory_type
from tfc.ir.core import Op, Value
from tfc.ir.dtypes import bool_, int64
from tfc.ir.kernels.gpu.launch_phases import extent_of
from tfc.ir.kernels.ops import Grid, Load, Rarely, Reload, Store
from tfc.ir.ops.elementwise import Add, Elementwise, Mul
from tfc.ir.ops.shape import Constant, ExtentOf

if TYPE_CHECKING:
    from .kernel_writer import PhaseWriter

ACCESS_BYTES = 16
THREAD_PLACES_MAX = 8  # places of a thread
BODY_OPS_MAX = 400  # of the body, which is written for each place


def width(op: Grid) -> int:
    """How many places a thread takes at once; 1 where that is no use."""
    body = op.body
    if op.team > 1 or not body.params or len(list(body.walk())) > BODY_OPS_MAX:
        return 1
    if any(step != 1 for step in op.steps) or any(extent_of(low) != 0 for low in op.lows):
        return 1
    flat = row_major(op)
    widest, stored = 0, set()
    for inner in body.body:
        if isinstance(inner, Load) and not isinstance(inner, Reload):
            if inner.buffer in stored:
                return 1
            if _together(inner, op, flat):
                widest = max(widest, inner.buffer.dtype.itemsize)
        elif isinstance(inner, Store):
            if inner.offset not in flat:
                return 1
            stored.add(inner.buffer)
            widest = max(widest, inner.buffer.dtype.itemsize)
        elif not isinstance(inner, Elementwise | Constant | ExtentOf | Rarely):
            return 1
    return min(ACCESS_BYTES // widest, THREAD_PLACES_MAX) if widest else 1


def row_major(op: Grid) -> set[Value]:
    """The values that count the places of a grid."""
    params = op.body.params
    known = {params[0]}
    for param, high in zip(params[1:], op.highs[1:], strict=True):
        rows = {
            inner.result
            for inner in op.body.body
            if isinstance(inner, Mul)
            and any(
                x in known and (y is high or _same(y, high))
                for x, y in ((inner.x, inner.y), (inner.y, inner.x))
            )
        }
        known = {
            inner.result
            for inner in op.body.body
            if isinstance(inner, Add)
            and ((inner.x in rows and inner.y is param) or (inner.y in rows and inner.x is param))
        }
    return known


def _same(x: Value, y: Value) -> bool:
    extent = extent_of(x)
    return extent is not None and extent == extent_of(y)


def _together(op: Op, grid: Grid, flat: set[Value]) -> bool:
    """Whether neighbouring places load neighbours."""
    if not isinstance(op, Load) or isinstance(op, Reload) or op.mask is not None:
        return False
    return op.offset in flat or op.offset is grid.body.params[-1]


def whole(
    w: PhaseWriter, op: Grid, n: int, first: str, stride: str, total: str, sizes: Sequence[str]
) -> str:
    """Write the loop over whole vectors of `n` places; where the plain one goes on."""
    flat, params = row_major(op), op.body.params
    used = [o for o in op.body.body if _together(o, op, flat) or isinstance(o, Store)]
    vectors = w.emit(f"udiv i64 {total}, {n}")
    conditions = []
    for buffer in {o.operands[0]: None for o in used}:
        size = buffer.dtype.itemsize * n
        address = w.emit(f"ptrtoint ptr {w.values[buffer].name} to i64")
        conditions.append(w.emit(f"and i64 {address}, {size - 1}"))
    if len(sizes) > 1:  # neighbours are in one row
        conditions.append(w.emit(f"urem i64 {sizes[-1]}, {n}"))
    for rest in conditions:
        good = w.emit(f"icmp eq i64 {rest}, 0")
        vectors = w.emit(f"select i1 {good}, i64 {vectors}, i64 0")

    def body(number: str) -> Sequence[tuple[str, str]]:
        base = w.emit(f"mul i64 {number}, {n}")
        places = w.places(base, sizes)
        for param, place in zip(params, places, strict=True):
            w.values[param] = Reg(place, int64)

        def start(o: Op) -> str:
            return base if o.operands[1] in flat else places[-1]

        loaded = {o: load(w, o.operands[0], start(o), n) for o in used if isinstance(o, Load)}
        stores: dict[Op, list[str]] = {o: [] for o in used if isinstance(o, Store)}
        for i in range(n):
            with w.scope():
                here = w.emit(f"add i64 {places[-1]}, {i}") if i else places[-1]
                w.values[params[-1]] = Reg(here, int64)
                for inner in op.body.body:
                    if inner in loaded:
                        w.values[inner.result] = Reg(loaded[inner][i], inner.result.dtype)
                    elif inner in stores:
                        stores[inner].append(w.values[inner.operands[2]].name)
                    else:
                        w.op(inner)
        for inner, names in stores.items():
            store(w, inner.operands[0], base, names)
        return ()

    w.counted(first, vectors, stride, body)
    done = w.emit(f"mul i64 {vectors}, {n}")
    return w.emit(f"add i64 {done}, {first}")


def load(w: PhaseWriter, buffer: Value, base: str, n: int) -> list[str]:
    """`n` neighbours from `base`, a multiple of `n`, in registers of their own."""
    dtype = buffer.dtype
    element = memory_type(dtype)
    pointer = w.emit(f"getelementptr {element}, ptr {w.values[buffer].name}, i64 {base}")
    kind, align = f"<{n} x {element}>", min(n * dtype.itemsize, ACCESS_BYTES)
    both = w.emit(f"load {kind}, ptr {pointer}, align {align}")
    parts = [w.emit(f"extractelement {kind} {both}, i64 {i}") for i in range(n)]
    return [w.from_memory(part, dtype, 1) for part in parts]


def store(w: PhaseWriter, buffer: Value, base: str, names: Sequence[str]) -> None:
    """What `load` reads."""
    dtype, n = buffer.dtype, len(names)
    element = memory_type(dtype)
    kind, made = f"<{n} x {element}>", "poison"
    for i, name in enumerate(names):
        x = w.emit(f"zext i1 {name} to i8") if dtype is bool_ else name
        made = w.emit(f"insertelement {kind} {made}, {element} {x}, i64 {i}")
    pointer = w.emit(f"getelementptr {element}, ptr {w.values[buffer].name}, i64 {base}")
    align = min(n * dtype.itemsize, ACCESS_BYTES)
    w.do(f"store {kind} {made}, ptr {pointer}, align {align}")
