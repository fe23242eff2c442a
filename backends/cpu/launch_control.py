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
What is handed on from one value to another (the last state beside this one) is not copied either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from tfc.ir.core import Value
from tfc.ir.extent import Extent
from tfc.ir.ops.control import Cond, Scan, While

if TYPE_CHECKING:
    from .launch_functions import FunctionWriter

Places: TypeAlias = dict[int, str]  # pointers, by the number of what is carried


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
    w: FunctionWriter, op: While | Scan, moving: Sequence[int], second: Sequence[str], at: Places
) -> Places:
    """Where this round's carried values go: by turns to the results and to their second buffers.
    The pointers are compared, since what the first round reads may be where a result is.

    A value that is handed on goes nowhere: it is where the other one is. That has three buffers,
    its own two and the result of the first, and goes to the one in which neither is.
    """
    handed = w.layout.handed_on[op]
    heirs = {source: i for i, source in handed.items()}
    doubles = dict(zip(w.layout.doubled(op), second, strict=True))
    following = {}
    for i in moving:
        if i in handed:
            following[i] = at[handed[i]]
            continue
        free, places = doubles[i], [w.pointer(op.results[i])]
        read = [at[i]]
        if i in heirs:
            places.append(w.pointer(op.results[heirs[i]]))
            read.append(at[heirs[i]])
        for place in places:  # the last one that is free
            taken = w.emit(f"icmp eq ptr {read[0]}, {place}")
            for other in read[1:]:
                taken = w.emit(f"or i1 {taken}, {w.emit(f'icmp eq ptr {other}, {place}')}")
            free = w.emit(f"select i1 {taken}, ptr {free}, ptr {place}")
        following[i] = free
    return following


def while_loop(w: FunctionWriter, op: While, names: Sequence[str], scratch: Sequence[str]) -> None:
    """Write a loop. `names` are the functions of condition and body; `scratch` their memory, and
    then the second buffers of what goes from buffer to buffer."""
    count, captured = len(op.init), [("ptr", w.pointer(v)) for v in op.captured]
    moving, holders = carried(w, op)
    first = {i: w.pointer(op.init[i]) for i in moving}
    flag = w.emit("alloca i8")
    condition = w.table([*holders, *captured, ("ptr", flag)])
    body = w.table([*holders, *captured, *holders])
    head, inside, done = (w.fresh(n) for n in ("while", "do", "done"))
    rounds = w.patient()
    origin = w.block
    w.do(f"br label %{head}")
    w.label(head)
    place = len(w.lines)
    current = {i: "%" + w.fresh("at") for i in moving}
    for i, pointer in current.items():
        w.put(condition, i, pointer)
        w.put(body, i, pointer)
    w.call(names[0], condition, scratch[0])
    holds = w.emit(f"icmp ne i8 {w.emit(f'load i8, ptr {flag}')}, 0")
    w.do(f"br i1 {holds}, label %{inside}, label %{done}")
    w.label(inside)
    after = swapping(w, op, moving, scratch[2:], current)
    for i, pointer in after.items():
        w.put(body, count + len(captured) + i, pointer)
    w.call(names[1], body, scratch[1])
    w.look_up(rounds)
    latch = w.block
    w.do(f"br label %{head}")
    phis(w, place, origin, latch, first, current, after)
    w.label(done)
    settle(w, op, current)


def phis(
    w: FunctionWriter,
    place: int,
    origin: str,
    latch: str,
    first: Places,
    current: Places,
    after: Places,
) -> None:
    """At the head of a loop (line `place`): the buffers `current` that hold the carried values,
    which are the `first` ones behind block `origin` and those `after` a round behind `latch`."""
    rows = [
        f"  {now} = phi ptr [ {first[i]}, %{origin} ], [ {after[i]}, %{latch} ]"
        for i, now in current.items()
    ]
    w.lines[place:place] = rows


def settle(w: FunctionWriter, op: While | Scan, current: Places) -> None:
    """Copy the last carried values to the results, where they are not there already."""
    handed, at = w.layout.handed_on[op], dict(current)
    for i, source in handed.items():
        # Where it is in the other one's result, that one is in its second buffer: make room.
        inside = w.emit(f"icmp eq ptr {at[i]}, {w.pointer(op.results[source])}")
        place = w.emit(f"select i1 {inside}, ptr {w.pointer(op.results[i])}, ptr {at[i]}")
        w.move(place, at[i], op.results[i])
        at[i] = place
    for i in sorted(at, key=lambda i: i in handed):  # else the other one may be in its result
        w.move(w.pointer(op.results[i]), at[i], op.results[i])


def scan(w: FunctionWriter, op: Scan, names: Sequence[str], scratch: Sequence[str]) -> None:
    """Write a loop over slices. Its table has the index, carried values, slices that it reads,
    captured values, the next carried values, slices that it stacks. `scratch` is the memory of the
    body, and then the second buffers of what goes from buffer to buffer."""
    n = len(op.init)
    moving, kept = carried(w, op)
    first = {i: w.pointer(op.init[i]) for i in moving}
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
    current = {i: "%" + w.fresh("at") for i in moving}
    more = w.emit(f"icmp slt i64 {i}, {total}")
    w.do(f"br i1 {more}, label %{inside}, label %{done}")
    w.label(inside)
    at = i
    if op.reverse:
        at = w.emit(f"sub i64 {w.emit(f'sub i64 {total}, 1')}, {i}")
    w.do(f"store i64 {at}, ptr {index}")
    for j, pointer in current.items():
        w.put(table, 1 + j, pointer)
    after = swapping(w, op, moving, scratch[1:], current)
    for j, pointer in after.items():
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
    settle(w, op, current)


def slice_bytes(w: FunctionWriter, v: Value) -> str:
    """How many bytes a slice along the first axis has."""
    size: Extent = int(v.dtype.itemsize)
    for extent in v.shape[1:]:
        size = size * extent
    return w.extent(size)
