"""Loops and branches inside of kernels: what they carry is in registers, joined by phis."""

from __future__ import annotations

from collections.abc import Sequence

from tfc.ir.core import Function, Value
from tfc.ir.kernels.ops import Branch, Repeat

from .loops import LoopWriter
from .registers import Reg


def _enter(w: LoopWriter, region: Function, names: Sequence[str]) -> list[str]:
    """Write a region, whose params are in the registers `names`; the registers of its results."""
    assert w.lanes == 1, "control flow inside of a vector loop"
    with w.scope():
        for p, name in zip(region.params, names, strict=True):
            w.values[p] = Reg(name, p.dtype)
        w.body(region)
        return [w.values[v].name for v in region.returns]


def _note(w: LoopWriter, results: Sequence[Value], names: Sequence[str]) -> None:
    for result, name in zip(results, names, strict=True):
        w.values[result] = Reg(name, result.dtype)


def repeat(w: LoopWriter, op: Repeat) -> None:
    """A loop for as long as its condition holds."""
    kinds = [w.type(v.dtype, 1) for v in op.init]
    first = [w.values[v].name for v in op.init]
    head, inside, done = (w.fresh(h)[1:] for h in ("while", "do", "done"))
    rounds = w.patient() if op.may_be_endless else ""
    origin = w.block
    w.do(f"br label %{head}")
    w.label(head)
    place = len(w.lines)
    phis = [w.fresh("c") for _ in op.init]
    left = w.fresh("left")
    (holds,) = _enter(w, op.condition, phis)
    w.do(f"br i1 {holds}, label %{inside}, label %{done}")
    w.label(inside)
    new = _enter(w, op.body, phis)
    rows = list(zip(phis, kinds, first, new, strict=True))
    if rounds:
        rows.append((left, "i32", rounds, w.looking_up(left)))
    latch = w.block
    w.do(f"br label %{head}")
    w.lines[place:place] = [
        f"  {phi} = phi {kind} [ {start}, %{origin} ], [ {then}, %{latch} ]"
        for phi, kind, start, then in rows
    ]
    w.label(done)
    if rounds:
        w.rested(left)
    _note(w, op.results, phis)


def branch(w: LoopWriter, op: Branch) -> None:
    """One of two branches."""
    then, orelse, after = (w.fresh(h)[1:] for h in ("then", "else", "after"))
    w.do(f"br i1 {w.values[op.condition].name}, label %{then}, label %{orelse}")
    ends: list[tuple[str, list[str]]] = []
    for label, region in ((then, op.then), (orelse, op.orelse)):
        w.label(label)
        names = _enter(w, region, ())
        ends.append((w.block, names))
        w.do(f"br label %{after}")
    w.label(after)
    (one, names), (other, others) = ends
    kinds = [w.type(r.dtype, 1) for r in op.results]
    joined = [
        w.emit(f"phi {kind} [ {x}, %{one} ], [ {y}, %{other} ]")
        for kind, x, y in zip(kinds, names, others, strict=True)
    ]
    _note(w, op.results, joined)
