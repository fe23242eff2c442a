"""The kernels of a program as a graph, in SVG: who reads what whom has made.

Each kernel is to the right of all that it reads from, and beside the middle of it, so that most
edges are short; nothing more is needed for the tens of kernels of a program. Control flow is a box
around the kernels of its regions, one region below the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from tfc.ir.core import Function, Op, Value
from tfc.ir.ops.shape import Reshape

from .fused import Kernel
from .rows import Lines

WIDTH, HEIGHT = 150, 40  # of a node
GAP_X, GAP_Y = 34, 14
PADDING = 12  # of a box around nodes
TITLE = 38  # above the first region of a box
LABEL = 16  # above what is in a region
NODES_MAX = 150  # of a program
INSIDE_MAX = 40  # of a region
LETTER = 6.3  # pixels, about


@dataclass
class _Node:
    """A kernel, or control flow with its regions."""

    title: str
    detail: str
    kind: str  # "kernel", "control"
    name: str  # of the kernel
    lines: tuple[int, ...]
    reads: list[int]  # the nodes beside it that it reads
    regions: list[_Region] = field(default_factory=list)
    width: float = WIDTH
    height: float = HEIGHT
    x: float = 0.0  # in its region
    y: float = 0.0


@dataclass
class _Region:
    """A function of launches: the program itself, or a region of control flow."""

    name: str
    nodes: list[_Node] = field(default_factory=list)
    left_out: int = 0
    width: float = 0.0
    height: float = 0.0


def picture(lowered: Function, found: Sequence[Kernel], lines: Lines) -> str:
    """The graph of the kernels of `lowered`."""
    waiting = list(found)
    whole = _region("", lowered, waiting, 0, NODES_MAX, lines)
    if not whole.nodes:
        return "<p>There are no kernels.</p>"
    _place(whole)
    width, height = whole.width + 20, whole.height + 20
    note = f"<p>{whole.left_out} more kernels are not drawn.</p>" if whole.left_out else ""
    return (
        f'<svg class="graph" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="-10 -10 {width:.0f} {height:.0f}" role="group" aria-label="the kernels">'
        f"{''.join(_drawn(whole, 0.0, 0.0))}</svg>{note}"
    )


def _region(
    name: str, f: Function, waiting: list[Kernel], depth: int, most: int, lines: Lines
) -> _Region:
    """What is drawn of `f`, whose kernels are the first of those that wait."""
    region = _Region(name)
    makers: dict[Value, int] = {}
    views = {op.result: op.operands[0] for op in f.body if isinstance(op, Reshape)}
    while waiting and waiting[0].depth == depth and (not depth or waiting[0].region == name):
        kernel = waiting.pop(0)
        node = _node(kernel, _sources(kernel.op, makers, views), lines)
        for inner in kernel.op.spec.regions if kernel.cost is None else ():
            body = getattr(kernel.op, inner)
            node.regions.append(_region(inner, body, waiting, depth + 1, INSIDE_MAX, lines))
        if len(region.nodes) >= most:
            region.left_out += 1
            continue
        makers.update(dict.fromkeys(kernel.op.results, len(region.nodes)))
        region.nodes.append(node)
    return region


def _node(kernel: Kernel, reads: list[int], lines: Lines) -> _Node:
    own = lines.of(op.location for op in kernel.ops)
    title = kernel.cost.name if kernel.cost else kernel.name.rpartition(".")[2]
    time = ""
    if (m := kernel.measured) is not None:
        time = f"{1e6 * m.seconds:.2f} us" + (f" x {m.calls:g}" if m.calls > 1 else "")
    kind = "kernel" if kernel.cost else "control"
    number = kernel.name.rpartition(".")[2] if kernel.cost else ""
    return _Node(title, "  ".join(filter(None, [number, time])), kind, kernel.name, own, reads)


def _sources(op: Op, makers: dict[Value, int], views: dict[Value, Value]) -> list[int]:
    """The nodes that made what an op reads."""
    found = []
    for v in dict.fromkeys(op.operands):
        while v in views:
            v = views[v]
        if v in makers:
            found.append(makers[v])
    return list(dict.fromkeys(found))


def _place(region: _Region) -> None:
    """Give the nodes of a region their sizes and places, from the inside out."""
    nodes = region.nodes
    for node in nodes:
        for inner in node.regions:
            _place(inner)
        if shown := [inner for inner in node.regions if inner.nodes]:
            wide = max(_text_width(node.title), *(inner.width for inner in shown))
            node.width = max(WIDTH, wide + 2 * PADDING)
            node.height = TITLE + sum(LABEL + inner.height + PADDING for inner in shown)
    level = _levels([node.reads for node in nodes])
    columns: dict[int, list[int]] = defaultdict(list)
    for n, of in enumerate(level):
        columns[of].append(n)
    left = 0.0
    for column in sorted(columns):
        wanted = {n: _beside(nodes, n) for n in columns[column]}
        end = 0.0
        for n in sorted(columns[column], key=lambda n: (not nodes[n].reads, wanted[n], n)):
            nodes[n].x, nodes[n].y = left, max(wanted[n], end)
            end = nodes[n].y + nodes[n].height + GAP_Y
        left += max(nodes[n].width for n in columns[column]) + GAP_X
    region.width = max((n.x + n.width for n in nodes), default=0.0)
    region.height = max((n.y + n.height for n in nodes), default=0.0)


def _beside(nodes: Sequence[_Node], n: int) -> float:
    """The height at which a node is beside the middle of what it reads."""
    node = nodes[n]
    if not node.reads:
        return 0.0
    middle = sum(nodes[i].y + nodes[i].height / 2 for i in node.reads) / len(node.reads)
    return max(0.0, middle - node.height / 2)


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


def _drawn(region: _Region, x: float, y: float) -> Iterator[str]:
    """A region with its corner at a place: edges first, so that nodes are above them."""
    for node in region.nodes:
        for i in node.reads:
            yield _edge(region.nodes[i], node, x, y)
    for node in region.nodes:
        yield _box(node, x + node.x, y + node.y)
        top = y + node.y + TITLE
        for inner in node.regions:
            if inner.nodes:
                left = x + node.x + PADDING
                label = inner.name + (f" ({inner.left_out} more)" if inner.left_out else "")
                yield f'<text class="small" x="{left:.0f}" y="{top + 8:.0f}">{escape(label)}</text>'
                yield from _drawn(inner, left, top + LABEL)
                top += LABEL + inner.height + PADDING


def _edge(source: _Node, to: _Node, x: float, y: float) -> str:
    x1, y1 = x + source.x + source.width, y + source.y + source.height / 2
    x2, y2 = x + to.x, y + to.y + to.height / 2
    bend = max(GAP_X, (x2 - x1) / 3)
    down = HEIGHT if x2 - x1 > WIDTH else 0  # around what is between
    return (
        f'<path class="edge" d="M{x1:.0f} {y1:.0f} C{x1 + bend:.0f} {y1 + down:.0f} '
        f'{x2 - bend:.0f} {y2 + down:.0f} {x2:.0f} {y2:.0f}"/>'
    )


def _box(node: _Node, x: float, y: float) -> str:
    title = _cut(node.title, node.width - 14)
    return (
        f'<g class="{node.kind}" data-lines="{" ".join(map(str, node.lines))}" '
        f'data-kernel="{escape(node.name)}"><title>{escape(node.title)}</title>'
        f'<rect class="node" x="{x:.0f}" y="{y:.0f}" width="{node.width:.0f}" '
        f'height="{node.height:.0f}" rx="5"/>'
        f'<text x="{x + 8:.0f}" y="{y + 17:.0f}">{escape(title)}</text>'
        f'<text class="small" x="{x + 8:.0f}" y="{y + 32:.0f}">{escape(node.detail)}</text></g>'
    )


def _text_width(text: str) -> float:
    return LETTER * len(text)


def _cut(text: str, width: float) -> str:
    """As much of a text as fits."""
    letters = int(width / LETTER)
    return text if len(text) <= letters else f"{text[: letters - 1]}\u2026"


__all__ = ["picture"]
