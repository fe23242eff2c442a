"""The kernels of a program as a graph, in SVG: who reads what whom has made.

Each kernel is to the right of all that it reads from, and beside the middle of it, so that most
edges are short; nothing more is needed for the tens of kernels of a program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from tfc.ir.core import Function, Value

from .fused import Kernel
from .rows import Lines, Listing

WIDTH, HEIGHT = 150, 40  # of a node
GAP_X, GAP_Y = 34, 14
NODES_MAX = 150
LETTERS = 22  # that fit a node


class _Node(NamedTuple):
    title: str
    detail: str
    kind: str  # "kernel", "control", "param"
    lines: tuple[int, ...]


def picture(lowered: Function, found: Sequence[Kernel], shown: Listing, lines: Lines) -> str:
    """The graph of the kernels outside of regions."""
    nodes: list[_Node] = []
    reads: list[list[int]] = []  # of each node, the nodes that it reads
    makers: dict[Value, int] = {}
    views = {op.result: op.operands[0] for op in lowered.body if _is_view(op)}
    inner: dict[int, int] = defaultdict(int)  # kernels in the regions of a node
    for kernel in found:
        if kernel.depth:
            inner[len(nodes) - 1] += 1
            continue
        if len(nodes) >= NODES_MAX:
            break
        inputs: list[int] = []
        for v in dict.fromkeys(kernel.op.operands):
            while v in views:
                v = views[v]
            if v in makers:
                inputs.append(makers[v])
        own = lines.of(op.location for op in kernel.ops)
        title = kernel.cost.name if kernel.cost else kernel.name
        time = f"{1e6 * kernel.measured.seconds:.1f} us" if kernel.measured else ""
        kind = "kernel" if kernel.cost else "control"
        detail = "  ".join(filter(None, [kernel.name.rpartition(".")[2], time]))
        nodes.append(_Node(title, detail, kind, own))
        reads.append(list(dict.fromkeys(inputs)))
        makers.update(dict.fromkeys(kernel.op.results, len(nodes) - 1))
    for number, count in inner.items():
        node = nodes[number]
        nodes[number] = node._replace(detail=f"{count} kernels inside")
    return _drawn(nodes, reads, len([k for k in found if not k.depth]) - len(nodes))


def _is_view(op: object) -> bool:
    return type(op).__name__ in ("Reshape",)


def _levels(reads: Sequence[Sequence[int]]) -> list[int]:
    """How far to the right each node is: behind all that it reads, and where it reads nothing, just
    before the first that reads it."""
    level: list[int] = []
    for inputs in reads:
        level.append(1 + max((level[i] for i in inputs), default=-1))
    readers: dict[int, list[int]] = defaultdict(list)
    for n, inputs in enumerate(reads):
        for i in inputs:
            readers[i].append(level[n])
    return [
        min(readers[n], default=1) - 1 if not inputs else level[n] for n, inputs in enumerate(reads)
    ]


def _drawn(nodes: Sequence[_Node], reads: Sequence[Sequence[int]], left_out: int) -> str:
    if not nodes:
        return "<p>There are no kernels.</p>"
    level = _levels(reads)
    columns: dict[int, list[int]] = defaultdict(list)
    for n, of in enumerate(level):
        columns[of].append(n)
    y: dict[int, float] = {}
    for column in sorted(columns):
        wanted = {
            n: sum(y[i] for i in reads[n]) / len(reads[n]) if reads[n] else 0.0
            for n in columns[column]
        }
        end = 0.0
        for n in sorted(columns[column], key=lambda n: (not reads[n], wanted[n], n)):
            y[n] = max(wanted[n], end)
            end = y[n] + HEIGHT + GAP_Y
    x = [of * (WIDTH + GAP_X) for of in level]
    width, height = max(x) + WIDTH + 20, max(y.values()) + HEIGHT + 20
    parts = [
        f'<svg class="graph" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="-10 -10 {width:.0f} {height:.0f}" role="img" aria-label="the kernels">'
    ]
    for n, inputs in enumerate(reads):
        for i in inputs:
            x1, y1 = x[i] + WIDTH, y[i] + HEIGHT / 2
            x2, y2 = x[n], y[n] + HEIGHT / 2
            bend = max(GAP_X, (x2 - x1) / 3)
            down = HEIGHT if level[n] - level[i] > 1 else 0  # around what is between
            parts.append(
                f'<path class="edge" d="M{x1} {y1:.0f} C{x1 + bend:.0f} {y1 + down:.0f} '
                f'{x2 - bend:.0f} {y2 + down:.0f} {x2} {y2:.0f}"/>'
            )
    for n, node in enumerate(nodes):
        title = node.title if len(node.title) <= LETTERS else node.title[: LETTERS - 3] + "..."
        left, top = x[n] + 8, y[n]
        parts.append(
            f'<g class="{node.kind}" data-lines="{" ".join(map(str, node.lines))}">'
            f"<title>{escape(node.title)}</title>"
            f'<rect class="node" x="{x[n]}" y="{top:.0f}" width="{WIDTH}" height="{HEIGHT}" '
            f'rx="5"/><text x="{left}" y="{top + 17:.0f}">{escape(title)}</text>'
            f'<text class="small" x="{left}" y="{top + 32:.0f}">{escape(node.detail)}</text></g>'
        )
    note = f"<p>{left_out} more kernels are not drawn.</p>" if left_out > 0 else ""
    return "".join([*parts, "</svg>", note])


__all__ = ["picture"]
