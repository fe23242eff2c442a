"""Squares of elements transposed in registers, by shuffles."""

from __future__ import annotations

from tfc.ir.ops.kernel import Turn

from .instructions import PAST, ScalarWriter
from .registers import memory_type

GROUP_BYTES = 16  # what shuffles that cost one cycle move elements in
AHEAD = 2  # squares down the target between one that is stored and one that will be soon


def turn(writer: ScalarWriter, op: Turn) -> None:
    """Write `op`. A register is made of groups: those at one place of the rows s, s + g, s + 2g...
    where a group has g elements. Then g such registers are transposed group by group, in log2(g)
    rounds that interleave the halves of pairs.
    """
    n, itemsize = op.size, op.source.dtype.itemsize
    source, offset, rows, target, to, to_rows = (
        writer.values[v].name
        for v in (op.source, op.offset, op.rows, op.target, op.target_offset, op.target_rows)
    )
    element = memory_type(op.source.dtype)
    group = min(n, GROUP_BYTES // itemsize)

    def places(buffer: str, first: str, distance: str) -> list[str]:
        found = [writer.emit(f"getelementptr {element}, ptr {buffer}, i64 {first}")]
        for _ in range(n - 1):
            found.append(writer.emit(f"getelementptr {element}, ptr {found[-1]}, i64 {distance}"))
        return found

    def shuffle(x: str, y: str, size: int, picks: list[int]) -> str:
        kind, mask = f"<{size} x {element}>", ", ".join(f"i32 {p}" for p in picks)
        return writer.emit(f"shufflevector {kind} {x}, {kind} {y}, <{len(picks)} x i32> <{mask}>")

    def gathered(pointers: list[str]) -> str:
        """The groups at these places, side by side."""
        kind = f"<{group} x {element}>"
        parts = [writer.emit(f"load {kind}, ptr {p}, align {itemsize}") for p in pointers]
        size = group
        while len(parts) > 1:
            both = list(range(2 * size))
            parts = [
                shuffle(x, y, size, both) for x, y in zip(parts[::2], parts[1::2], strict=True)
            ]
            size *= 2
        return parts[0]

    heads = [range(i, i + group) for i in range(0, n, group)]
    low = [p for head in heads for i in head[: group // 2] for p in (i, n + i)]
    high = [p for head in heads for i in head[group // 2 :] for p in (i, n + i)]
    sources, targets = places(source, offset, rows), places(target, to, to_rows)
    if op.ahead is not None:
        further = writer.values[op.ahead].name
        for p in sources:
            writer.fetch(writer.emit(f"getelementptr {element}, ptr {p}, i64 {further}"), "load")
        for p in () if op.past else targets:
            at = writer.emit(f"getelementptr {element}, ptr {p}, i64 {AHEAD * n}")
            writer.fetch(at, "store")
    place = f"align {n * itemsize}, {PAST}" if op.past else f"align {itemsize}"
    for chunk in range(0, n, group):
        starts = [writer.emit(f"getelementptr {element}, ptr {p}, i64 {chunk}") for p in sources]
        lines = [gathered(starts[s::group]) for s in range(group)]
        for _ in range(group.bit_length() - 1):
            halves = zip(lines[: group // 2], lines[group // 2 :], strict=True)
            lines = [shuffle(x, y, n, picks) for x, y in halves for picks in (low, high)]
        for line, p in zip(lines, targets[chunk : chunk + group], strict=True):
            writer.do(f"store <{n} x {element}> {line}, ptr {p}, {place}")
