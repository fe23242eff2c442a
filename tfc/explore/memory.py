"""The memory plan as a picture: which value is where in the arena, and when."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import NamedTuple

from tfc.backends.calling_convention import Signature
from tfc.backends.llvm.arena_layout import Layout
from tfc.backends.llvm.entry_spec import entry_spec
from tfc.ir.core import Function, Op, Value
from tfc.ir.extent import Extent, substitute, symbols
from tfc.ir.kernels.ops import HostLaunch, Launch
from tfc.ir.kernels.plan.costs import bytes_of, cost
from tfc.ir.ops.control import Control

from .rows import Line, Lines, Listing

WIDTH, HEIGHT = 1100, 300
MARGIN = 60
LETTER = 6.5  # pixels, about
LINES_MAX = 6  # that a block names
EXAMPLE = 64  # what an extent is taken for that nobody has given


class Block(NamedTuple):
    """A value in the arena."""

    name: str
    type: str
    offset: int
    size: int
    first: int  # the numbers of the ops that make it and use it last
    last: int
    lines: tuple[int, ...]


class Arena(NamedTuple):
    """The arena of a program."""

    blocks: list[Block]
    size: int
    steps: int
    sizes: dict[str, int]  # what extents were taken for
    makers: list[str]  # what the ops are called, in order

    @property
    def peak(self) -> tuple[int, int]:
        """The op at which most bytes are in use, and these."""
        used = [0] * (self.steps + 1)
        for b in self.blocks:
            used[b.first] += b.size
            used[b.last + 1] -= b.size
        sums = list(accumulate(used))
        most = max(sums)
        return sums.index(most), most


def arena(
    f: Function, signature: Signature, shown: Listing, lines: Lines, sizes: Mapping[str, int]
) -> Arena:
    """Where the values of a function of launches are."""
    spec, layout = entry_spec(f, signature)
    free = {str(s) for s in symbols(spec.arena)} | {
        str(s) for v in layout.where for e in v.shape for s in symbols(e)
    }
    known = {name: sizes.get(name, EXAMPLE) for name in sorted(free)}

    def number(extent: Extent) -> int:
        found = substitute(extent, known)
        return found if isinstance(found, int) else 0

    blocks = []
    spans = _spans(f, layout)
    for v, (kind, offset) in layout.where.items():
        if kind == "arena" and v in spans and v.op is not None:
            own = shown.rows[shown.places[v.op]].lines
            size = number(bytes_of(v))
            name = f"%{v.name} {_maker(v.op)}" if v.name else _maker(v.op)
            blocks.append(Block(name, str(v.type), number(offset), size, *spans[v], own))
    for op, places in layout.scratch.items():
        for kind, offset in places:
            if kind == "arena" and isinstance(op, Control):
                at = list(f.body).index(op)
                size = max((number(inner.arena) for inner in layout.regions[op]), default=0)
                own = shown.rows[shown.places[op]].lines
                if size:
                    name = f"regions of {op.mnemonic}"
                    blocks.append(Block(name, "", number(offset), size, at, at, own))
    return Arena(blocks, number(spec.arena), len(f.body), known, list(map(_maker, f.body)))


def _maker(op: Op) -> str:
    """What computes a value, in a word or two."""
    return cost(op).name if isinstance(op, Launch | HostLaunch) else op.mnemonic


def _spans(f: Function, layout: Layout) -> dict[Value, tuple[int, int]]:
    """When each value is made, and when it is last used."""
    found: dict[Value, tuple[int, int]] = {}
    for i, op in enumerate(f.body):
        for v in (*op.operands, *op.results):
            base = layout.base(v)
            found[base] = (found.get(base, (i, i))[0], i)
    return found


def picture(plan: Arena, lines: Lines) -> str:
    """The arena as SVG: time to the right, addresses upwards, and a line where most is in use."""
    if not plan.blocks:
        return "<p>Nothing is in the arena: all is arguments, results or in registers.</p>"
    known = list(lines.known)
    across = (WIDTH - MARGIN - 10) / max(1, plan.steps)
    up = (HEIGHT - 40) / max(1, plan.size)
    parts = [
        f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="the arena over time">',
        f'<line class="axis" x1="{MARGIN}" y1="{HEIGHT - 30}" x2="{WIDTH}" y2="{HEIGHT - 30}"/>',
        f'<text x="{MARGIN - 6}" y="18" text-anchor="end">{_bytes(plan.size)}</text>',
        f'<text x="{MARGIN - 6}" y="{HEIGHT - 30}" text-anchor="end">0</text>',
        f'<text x="{MARGIN - 6}" y="{HEIGHT - 14}" text-anchor="end">time</text>',
    ]
    for b in plan.blocks:
        x = MARGIN + b.first * across
        width = max(2.0, (b.last - b.first + 1) * across - 1)
        height = max(1.5, b.size * up - 0.5)
        y = HEIGHT - 30 - b.offset * up - height
        where = _places(b.lines, known)
        label = escape(f"{b.name}: {b.type}, {_bytes(b.size)} at {b.offset}{where}")
        numbers = " ".join(map(str, b.lines))
        parts.append(
            f'<g data-lines="{numbers}"><title>{label}</title>'
            f'<rect class="block" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}"/>'
        )
        if height > 11 and width > 40:
            name = escape(_cut(b.name, width - 8))
            parts.append(f'<text x="{x + 4:.1f}" y="{y + height / 2 + 4:.1f}">{name}</text>')
        parts.append("</g>")
    at, most = plan.peak
    x = MARGIN + (at + 0.5) * across
    anchor = "end" if x > WIDTH / 2 else "start"
    label = escape(f"peak: {_bytes(most)} in {plan.makers[at]}")
    parts.append(
        f'<line class="peak" x1="{x:.1f}" y1="6" x2="{x:.1f}" y2="{HEIGHT - 24}"/>'
        f'<text x="{x + (-5 if anchor == "end" else 5):.1f}" y="{HEIGHT - 14}" '
        f'text-anchor="{anchor}">{label}</text>'
    )
    return "".join([*parts, "</svg>"])


def _places(numbers: Sequence[int], known: Sequence[Line]) -> str:
    """The lines that a block comes from."""
    found = [known[n] for n in numbers]
    texts = [
        f"{'gradient of ' * line.derivative}{os.path.basename(line.file)}:{line.number}"
        for line in found[:LINES_MAX]
    ]
    more = ", ..." if len(found) > LINES_MAX else ""
    return f"\n{', '.join(texts)}{more}" if texts else ""


def _cut(name: str, width: float) -> str:
    """As much of a name as fits."""
    letters = int(width / LETTER)
    return name if len(name) <= letters else f"{name[: max(1, letters - 1)]}\u2026"


def summary(plan: Arena) -> str:
    """The plan in words."""
    shared = sum(b.size for b in plan.blocks)
    taken = ", ".join(f"{name} = {size}" for name, size in plan.sizes.items())
    text = f"{len(plan.blocks)} values of {_bytes(shared)} share an arena of {_bytes(plan.size)}"
    if plan.blocks:
        text += f"; at most {_bytes(plan.peak[1])} are in use at once"
    return f"{text}, with {taken}." if taken else f"{text}."


def _bytes(size: int) -> str:
    for unit, scale in (("MB", 1e6), ("KB", 1e3)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} B"


__all__ = ["Arena", "Block", "arena", "picture", "summary"]
