"""Branches and loops among launches, as text LLVM IR.

Regions are functions of their own, called with tables of buffers. What a loop carries is not
copied: each value has two buffers, the result's and a second one, which rounds read and write by
turns, so that only the tables change. A `while` becomes

    loop:  current = phi [initial buffer, before], [next, from the round]
           condition(current, captured, flag);  leave the loop unless flag
           next = second buffer if current is the result's, else the result's
           body(current, captured, next)
    done:  copy current to the result, unless it is there

and a `scan` the same with a counter, and slices of what it reads and stacks. What a round may
change in place (see buffer_sharing.py) stays in the result's buffer, and takes no part in this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfc.ir.core import Value
from tfc.ir.extent import Extent
from tfc.ir.ops.control import Cond, Scan, While

if TYPE_CHECKING:
    from .launch_functions import FunctionWriter


def cond(w: FunctionWriter, op: Cond, names: Sequence[str], scratch: Sequence[str]) -> None:
    """Write a branch. `names` are the functions of its regions, `scratch` their memory."""
    values = (*op.args, *op.results)
    buffers = w.table([("ptr", w.pointer(v)) for v in values])
    byte = w.emit(f"load i8, ptr {w.pointer(op.predicate)}")
    holds = w.emit(f"icmp ne i8 {byte}, 0")
    then, orelse, after = (w.fresh(n) for n in ("then", "else", "after"))
    w.do(f"br i1 {holds}, label %{then}, label %{orelse}")
    for label, name, arena in zip((then, orelse), names, scratch, strict=True):
        w.label(label)
        w.call(name, buffers, arena)
        w.do(f"br label %{after}")
    w.label(after)


def carried(w: FunctionWriter, op: While | Scan) -> tuple[list[int], list[tuple[str, str]]]:
    """The numbers of the values that go from buffer to buffer, and the entries of tables for all
    that are carried: those that are changed in place have theirs already."""
    fixed = w.layout.fixed[op]
    moving = [i for i in range(len(op.init)) if i not in fixed]
    for i in fixed:
        w.start(op.results[i], op.init[i])
    places = [("ptr", w.pointer(op.results[i]) if i in fixed else "") for i in range(len(op.init))]
    return moving, places


def swapping(
    w: FunctionWriter, results: Sequence[Value], second: Sequence[str], current: Sequence[str]
) -> list[str]:
    """Where this round's carried values go: by turns to the results and to their second buffers.
    The pointers are compared, since what the first round reads may be where a result is."""
    following = []
    for v, other, now in zip(results, second, current, strict=True):
        in_result = w.emit(f"icmp eq ptr {now}, {w.pointer(v)}")
        following.append(w.emit(f"select i1 {in_result}, ptr {other}, ptr {w.pointer(v)}"))
    return following


def while_loop(w: FunctionWriter, op: While, names: Sequence[str], scratch: Sequence[str]) -> None:
    """Write a loop. `names` are the functions of condition and body; `scratch` their memory, and
    then the second buffers of what goes from buffer to buffer."""
    count, captured = len(op.init), [("ptr", w.pointer(v)) for v in op.captured]
    moving, holders = carried(w, op)
    first = [w.pointer(op.init[i]) for i in moving]
    results = [op.results[i] for i in moving]
    flag = w.emit("alloca i8")
    condition = w.table([*holders, *captured, ("ptr", flag)])
    body = w.table([*holders, *captured, *holders])
    head, inside, done = (w.fresh(n) for n in ("while", "do", "done"))
    rounds = w.patient()
    origin = w.block
    w.do(f"br label %{head}")
    w.label(head)
    place = len(w.lines)
    current = ["%" + w.fresh("at") for _ in first]
    for i, pointer in zip(moving, current, strict=True):
        w.put(condition, i, pointer)
        w.put(body, i, pointer)
    w.call(names[0], condition, scratch[0])
    holds = w.emit(f"icmp ne i8 {w.emit(f'load i8, ptr {flag}')}, 0")
    w.do(f"br i1 {holds}, label %{inside}, label %{done}")
    w.label(inside)
    after = swapping(w, results, scratch[2:], current)
    for i, pointer in zip(moving, after, strict=True):
        w.put(body, count + len(captured) + i, pointer)
    w.call(names[1], body, scratch[1])
    w.look_up(rounds)
    latch = w.block
    w.do(f"br label %{head}")
    phis(w, place, origin, latch, first, current, after)
    w.label(done)
    settle(w, results, current)


def phis(
    w: FunctionWriter,
    place: int,
    origin: str,
    latch: str,
    first: Sequence[str],
    current: Sequence[str],
    after: Sequence[str],
) -> None:
    """At the head of a loop (line `place`): the buffers `current` that hold the carried values,
    which are the `first` ones behind block `origin` and those `after` a round behind `latch`."""
    rows = [
        f"  {now} = phi ptr [ {start}, %{origin} ], [ {then}, %{latch} ]"
        for now, start, then in zip(current, first, after, strict=True)
    ]
    w.lines[place:place] = rows


def settle(w: FunctionWriter, results: Sequence[Value], current: Sequence[str]) -> None:
    """Copy the last carried values to the results, where they are not there already."""
    for v, pointer in zip(results, current, strict=True):
        w.move(w.pointer(v), pointer, v)


def scan(w: FunctionWriter, op: Scan, names: Sequence[str], scratch: Sequence[str]) -> None:
    """Write a loop over slices. Its table has the index, carried values, slices that it reads,
    captured values, the next carried values, slices that it stacks. `scratch` is the memory of the
    body, and then the second buffers of what goes from buffer to buffer."""
    n = len(op.init)
    moving, kept = carried(w, op)
    first = [w.pointer(op.init[i]) for i in moving]
    results = [op.results[i] for i in moving]
    captured = [("ptr", w.pointer(v)) for v in op.captured]
    sliced = [*op.xs, *op.results[n:]]
    bases = [w.pointer(v) for v in sliced]
    steps = [slice_bytes(w, v) for v in sliced]
    total = w.extent(op.count)
    index = w.emit("alloca i64")
    holders = [("ptr", "")]
    m, k = len(op.xs), len(op.xs) + len(captured)
    table = w.table(
        [
            ("ptr", index),
            *kept,
            *holders * m,
            *captured,
            *kept,
            *holders * (len(op.results) - n),
        ]
    )
    head, inside, done = (w.fresh(x) for x in ("scan", "do", "done"))
    rounds = w.patient()
    origin = w.block
    w.do(f"br label %{head}")
    w.label(head)
    place = len(w.lines)
    i, following = "%" + w.fresh("i"), "%" + w.fresh("next")
    current = ["%" + w.fresh("at") for _ in first]
    more = w.emit(f"icmp slt i64 {i}, {total}")
    w.do(f"br i1 {more}, label %{inside}, label %{done}")
    w.label(inside)
    at = i
    if op.reverse:
        at = w.emit(f"sub i64 {w.emit(f'sub i64 {total}, 1')}, {i}")
    w.do(f"store i64 {at}, ptr {index}")
    for j, pointer in zip(moving, current, strict=True):
        w.put(table, 1 + j, pointer)
    after = swapping(w, results, scratch[1:], current)
    for j, pointer in zip(moving, after, strict=True):
        w.put(table, 1 + n + k + j, pointer)
    for j, (base, step) in enumerate(zip(bases, steps, strict=True)):
        offset = w.emit(f"mul i64 {at}, {step}")
        pointer = w.emit(f"getelementptr i8, ptr {base}, i64 {offset}")
        w.put(table, 1 + n + j if j < m else 1 + n + k + n + j - m, pointer)
    w.call(names[0], table, scratch[0])
    w.look_up(rounds)
    w.do(f"{following} = add i64 {i}, 1")
    latch = w.block
    w.do(f"br label %{head}")
    w.lines.insert(place, f"  {i} = phi i64 [ 0, %{origin} ], [ {following}, %{latch} ]")
    phis(w, place, origin, latch, first, current, after)
    w.label(done)
    settle(w, results, current)


def slice_bytes(w: FunctionWriter, v: Value) -> str:
    """How many bytes a slice along the first axis has."""
    size: Extent = int(v.dtype.itemsize)
    for extent in v.shape[1:]:
        size = size * extent
    return w.extent(size)
