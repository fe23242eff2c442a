"""Native functions that differ in a few places become one, which is told whose call it is.

The convolution of a forward pass and that of another layer's gradient have the same loops, but one
ends in `relu` and the other in a mask. Of such functions LLVM gets the loops once: where they
differ, `shared` branches by an argument, and each of the functions is a few lines of quick code
that say which one they are.

Functions differ only inside of blocks: their control flow is equal, and what is computed in such a
place is used there alone. No innermost loop that adds products is such a place: one branch a tile
costs nothing, one a round would. What adds no products has no loop that takes nearly all of its
time, and stays what it is.

The text is that of this package's writers, as in parallel_compile.py; loops begin with a label
`loopN` or `whileN` and end with a label `doneM`, nested as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tfc.ir.value_classes import NamedTuple

from .entry import ONCE

# What is shared must be worth a function more: LLVM takes as long for one as for ten lines, and the
# quick code is two lines for each param.
_LINES_MIN = 100
_CHARACTERS_MIN = 30 * _LINES_MIN
_SHARE_MIN = 0.5  # of the lines. A step of a DCGAN: 3% more lines with 0.7
_PRODUCTS = "@llvm.fma."
_NAME = re.compile(r"(%[\w.]+)")
_SLOT = re.compile(r"  (%\w+) = getelementptr i64, ptr %context, i64 \d+")
_FIRST_SLOT = re.compile(r"  (%\w+) = load (\w+), ptr %context$")
_PARAM = re.compile(r"([^,()]+) (%[\w.]+)")


class _Block(NamedTuple):
    label: str
    lines: list[str]
    bare: list[str]  # without names


class _Native:
    """One native function, taken apart."""

    def __init__(self, place: int, text: str) -> None:
        self.place = place  # among all
        head, _, body = text.partition(" {\nentry:\n")
        self.head = head
        self.returned, _, rest = head.removeprefix("define internal ").partition(" @")
        self.name = rest.partition("(")[0]
        lines = body[: -len("\n}")].split("\n")
        allocas = 0
        while lines[allocas].find(" = alloca ", 2, 40) > 0:
            allocas += 1
        self.opening: list[str] = []  # what reads its params from memory
        given = _PARAM.findall(rest.partition("(")[2].partition(")")[0])
        if given and given[0][1] == "%context":
            given = given[1:]
            end = allocas
            first = _FIRST_SLOT.match(lines[end])
            if first:
                given.append((first[2], first[1]))
                end += 1
            while _SLOT.match(lines[end]):
                name, _, what = lines[end + 1].strip().partition(" = load ")
                given.append((what.partition(",")[0], name))
                end += 2
            self.opening = lines[allocas:end]
            del lines[allocas:end]
        self.params: dict[str, str] = {name: kind.strip() for kind, name in given}
        self.count = len(lines)
        self.blocks = [_Block("%entry", [], [])]
        bare = _NAME.sub("%", "\n".join(lines)).split("\n")
        for line, without in zip(lines, bare, strict=True):
            if not line.startswith(" "):
                self.blocks.append(_Block(f"%{line[:-1]}", [], []))
            else:
                self.blocks[-1].lines.append(line)
                self.blocks[-1].bare.append(without)

    def hot(self) -> set[int]:
        """The blocks of innermost loops that add products."""
        loops: list[range] = []
        around: list[tuple[int, list[bool]]] = []
        for i, (label, *_) in enumerate(self.blocks):
            if label.startswith(("%loop", "%while")):
                for _, inside in around:
                    inside[0] = True
                around.append((i, [False]))
            elif label.startswith("%done") and around:
                start, inside = around.pop()
                if not inside[0]:
                    loops.append(range(start, i))
        return {
            i
            for loop in loops
            if any(_PRODUCTS in line for i in loop for line in self.blocks[i].lines)
            for i in loop
        }


def shared(codes: Sequence[str]) -> Sequence[str]:
    """`codes`, each of which is functions or a constant, where functions with the same loops are
    one."""
    alike: dict[tuple[int, int], list[tuple[int, str]]] = {}
    pieces: list[str] = []
    for code in codes:
        for piece in code.split("\n}\n"):
            if piece.startswith("define "):
                piece = piece.removesuffix("\n}") + "\n}"
                if len(piece) > _CHARACTERS_MIN and _PRODUCTS in piece and _may_be(piece):
                    key = piece.count(" = phi "), piece.count(_PRODUCTS)
                    alike.setdefault(key, []).append((len(pieces), piece))
            pieces.append(piece)
    changed = False
    for found in alike.values():
        natives = [_Native(*one) for one in found] if len(found) > 1 else []
        while len(natives) > 1:
            first, *others = natives
            hot = first.hot()
            matches = [(other, _match(first, other, hot)) for other in others]
            group = [(other, match) for other, match in matches if match is not None]
            natives = [other for other, match in matches if match is None]
            made = group and _written(first, group)
            if made:
                changed = True
                for native, text in zip((first, *(one for one, _ in group)), made, strict=True):
                    pieces[native.place] = text
    return pieces if changed else codes


def _may_be(text: str) -> bool:
    """Whether a function may share its loops: it is no quick code."""
    head, begins, _ = text.partition(" {\nentry:\n")
    return head.startswith("define internal ") and begins != "" and ONCE not in head


class _Match(NamedTuple):
    """How a function is like the first one of its group."""

    names: dict[str, str]  # the first one's, by its own
    before: list[int]  # equal lines at the beginning of each block
    after: list[int]  # and at its end; all of them, where the blocks are equal


def _match(first: _Native, other: _Native, hot: set[int]) -> _Match | None:
    """How they are alike; None if they are not, or where they differ is `hot`."""
    if first.returned != other.returned or len(first.blocks) != len(other.blocks):
        return None
    pairs = list(zip(first.blocks, other.blocks, strict=True))
    if any(pairs[i][0].bare != pairs[i][1].bare for i in hot):
        return None
    most = sum(sum(_both_ends(a.bare, b.bare)) for a, b in pairs)
    least = max(_LINES_MIN, _SHARE_MIN * max(first.count, other.count))
    if most < least:
        return None
    names: dict[str, str] = {}
    back: dict[str, str] = {}

    def equal(a: str, b: str) -> bool:
        """Whether lines that are alike without names are so with them."""
        new: list[tuple[str, str]] = []
        for x, y in zip(_NAME.findall(a), _NAME.findall(b), strict=True):
            known = names.get(y)
            if known is None and x not in back:
                names[y], back[x] = x, y
                new.append((x, y))
            elif known != x:
                for x, y in new:
                    del names[y], back[x]
                return False
        return True

    before, after, same = [], [], 0
    for i, ((mine, a, _), (its, b, _)) in enumerate(pairs):
        if names.setdefault(its, mine) != mine or back.setdefault(mine, its) != its:
            return None
        starts, ends = _both_ends(pairs[i][0].bare, pairs[i][1].bare)
        start = end = 0
        while start < starts and equal(a[start], b[start]):
            start += 1
        differ = start < max(len(a), len(b))
        if differ and i in hot:
            return None
        while end < ends and equal(a[-1 - end], b[-1 - end]):
            end += 1
        end = min(_apart(a, start, end), _apart(b, start, end))
        if differ and end == 0:
            return None  # how they end differs
        before.append(start)
        after.append(end if differ else len(a))  # as much as others have in common
        same += start + end
    return _Match(names, before, after) if same >= least else None


def _both_ends(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """How many lines are equal at the beginning, and of the others at the end."""
    if a == b:
        return len(a), 0
    start = end = 0
    most = min(len(a), len(b))
    while start < most and a[start] == b[start]:
        start += 1
    while end < most - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return start, end


def _apart(lines: Sequence[str], start: int, end: int) -> int:
    """How many of the last `end` lines need nothing of those between them and the first ones."""
    stop = len(lines) - end
    made: set[str] = set()
    for i in range(start, len(lines)):
        names = _NAME.findall(lines[i])
        if i >= stop and not made.isdisjoint(names):
            for j in range(stop, i + 1):
                made.update(_NAME.findall(lines[j])[:1] if " = " in lines[j] else ())
            stop = i + 1
        elif i < stop and " = " in lines[i]:
            made.add(names[0])
    return len(lines) - stop


def _written(first: _Native, others: Sequence[tuple[_Native, _Match]]) -> list[str] | None:
    """The functions of a group, the first of them with what all share; None where they cannot be
    one."""
    group = [first, *(other for other, _ in others)]
    before = [min(found) for found in zip(*(m.before for _, m in others), strict=True)]
    after = [min(found) for found in zip(*(m.after for _, m in others), strict=True)]
    for i, block in enumerate(first.blocks):
        after[i] = min(after[i], len(block.lines) - before[i])
    renames: list[dict[str, str]] = [{}, *(m.names for _, m in others)]
    params = dict(first.params)
    given = [{name: name for name in params}]
    for i, (native, names) in enumerate(zip(group[1:], renames[1:], strict=True), 1):
        own: dict[str, str] = {}
        for name, kind in native.params.items():
            known = names.get(name)
            if known is None:
                known = names[name] = f"%o{i}.{name[1:]}"
                params[known] = kind
            elif params.get(known) != kind:
                return None
            own[known] = name
        given.append(own)
    ends: dict[str, str] = {}  # the last blocks of what were blocks
    lines = ["entry:"]
    outside: list[str] = []  # what all have in common
    called: set[str] = set()  # what another than the first makes apart, as the first calls it
    where: dict[str, tuple[int, int]] = {}  # what is made in what they have not
    used: list[tuple[int, int, list[str]]] = []  # and used
    for i, (label, code, _) in enumerate(first.blocks):
        if i > 0:
            lines.append(f"{label[1:]}:")
        size = len(code)
        parts = [
            native.blocks[i].lines[before[i] : len(native.blocks[i].lines) - after[i]]
            for native in group
        ]
        head, tail = code[: before[i]], code[size - after[i] :]
        outside += head + tail
        lines += head
        if any(parts):
            cases = [f"{label[1:]}.{n}" for n in range(len(group))]
            join = f"{label[1:]}.all"
            others_too = " ".join(f"i32 {n}, label %{cases[n]}" for n in range(1, len(group)))
            lines.append(f"  switch i32 %which, label %{cases[0]} [ {others_too} ]")
            for n, (part, rename) in enumerate(zip(parts, renames, strict=True)):
                lines.append(f"{cases[n]}:")
                for line in part:
                    words = _NAME.split(line)
                    if " = phi " in line or " = alloca " in line:
                        return None
                    if words[0] == "  " and words[2].startswith(" = "):
                        if n > 0:
                            called.add(rename.get(words[1], ""))
                            rename[words[1]] = f"%o{n}.{words[1][1:]}"
                        where[rename.get(words[1], words[1])] = i, n
                    words[1::2] = [rename.get(x, x) for x in words[1::2]]
                    used.append((i, n, words[1::2]))
                    lines.append("".join(words))
                lines.append(f"  br label %{join}")
            lines.append(f"{join}:")
            ends[label] = f"%{join}"
        lines += tail
    for line in outside:
        mentioned = _NAME.findall(line)
        if not where.keys().isdisjoint(mentioned) or not called.isdisjoint(mentioned):
            return None
    if any(where.get(x, (i, n)) != (i, n) for i, n, found in used for x in found):
        return None
    if ends:
        lines = [_joined(line, ends) if " = phi " in line else line for line in lines]
    name = f"{first.name}.shared"
    taken = ", ".join(["i32 %which", *(f"{kind} {param}" for param, kind in params.items())])
    lines = [f"define internal {first.returned} @{name}({taken}) nounwind {{", *lines, "}"]
    made = []
    for n, (native, own) in enumerate(zip(group, given, strict=True)):
        told = [f"{kind} {own.get(param, 'zeroinitializer')}" for param, kind in params.items()]
        call = f"call {first.returned} @{name}({', '.join([f'i32 {n}', *told])})"
        does = [f"  {call}", "  ret void"]
        if first.returned != "void":
            does = [f"  %status = {call}", f"  ret {first.returned} %status"]
        made.append("\n".join([f"{native.head} {ONCE} {{", "entry:", *native.opening, *does, "}"]))
    made[0] = "\n".join([*lines, made[0]])
    return made


def _joined(line: str, ends: dict[str, str]) -> str:
    """A phi, where blocks end in others."""
    return re.sub(r", (%[\w.]+) \]", lambda m: f", {ends.get(m[1], m[1])} ]", line)
