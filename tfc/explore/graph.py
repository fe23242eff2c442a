"""The kernels of a program as a graph, in SVG: who reads what whom has made.

Each kernel is below all that it reads from. In a row kernels stand below the middle of what they
read, so that most edges are short; nothing more is needed for the tens of kernels of a program.
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
GAP_X, GAP_Y = 18, 34
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


def _drawn(nodes: Sequence[_Node], reads: Sequence[Sequence[int]], left_out: int) -> str:
    if not nodes:
        return "<p>There are no kernels.</p>"
    rows: dict[int, list[int]] = defaultdict(list)
    level: list[int] = []
    for number, inputs in enumerate(reads):
        level.append(1 + max((level[i] for i in inputs), default=-1))
        rows[level[-1]].append(number)
    x: dict[int, float] = {}
    for row in range(max(rows) + 1):
        wanted = {
            n: sum(x[i] for i in reads[n]) / len(reads[n]) if reads[n] else 0.0 for n in rows[row]
        }
        end = 0.0
        for n in sorted(rows[row], key=lambda n: (wanted[n], n)):
            x[n] = max(wanted[n], end)
            end = x[n] + WIDTH + GAP_X
    width = max(x.values()) + WIDTH + 20
    height = (max(rows) + 1) * (HEIGHT + GAP_Y)
    parts = [
        f'<svg class="graph" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="-10 -10 {width:.0f} {height:.0f}" role="img" aria-label="the kernels">'
    ]
    for n, inputs in enumerate(reads):
        for i in inputs:
            x1, y1 = x[i] + WIDTH / 2, level[i] * (HEIGHT + GAP_Y) + HEIGHT
            x2, y2 = x[n] + WIDTH / 2, level[n] * (HEIGHT + GAP_Y)
            middle = (y1 + y2) / 2
            parts.append(
                f'<path class="edge" d="M{x1:.0f} {y1} C{x1:.0f} {middle} {x2:.0f} {middle} '
                f'{x2:.0f} {y2}"/>'
            )
    for n, node in enumerate(nodes):
        top = level[n] * (HEIGHT + GAP_Y)
        title = node.title if len(node.title) <= LETTERS else node.title[: LETTERS - 3] + "..."
        left = x[n] + 8
        parts.append(
            f'<g class="{node.kind}" data-lines="{" ".join(map(str, node.lines))}">'
            f"<title>{escape(node.title)}</title>"
            f'<rect class="node" x="{x[n]:.0f}" y="{top}" width="{WIDTH}" height="{HEIGHT}" '
            f'rx="5"/><text x="{left:.0f}" y="{top + 17}">{escape(title)}</text>'
            f'<text class="small" x="{left:.0f}" y="{top + 32}">{escape(node.detail)}</text></g>'
        )
    note = f"<p>{left_out} more kernels are not drawn.</p>" if left_out > 0 else ""
    return "".join([*parts, "</svg>", note])


__all__ = ["picture"]
