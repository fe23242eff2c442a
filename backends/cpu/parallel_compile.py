"""A module in parts, each compiled as suits its functions; all are linked as one library.

- Functions that are marked `optnone` run once a call, or hardly ever. LLVM still takes them through
  all of its passes, which is most of what compiling a small program costs; a code generator of
  level 0 needs a fifth of that.
- What kernels share (networks that sort, the angles of large sines) is the same in many modules,
  and stands alone, so that the cache has it for all. So it does in quick code.
- Quick code with masks of vectors stands apart from what LLVM's fast selector can take.
- Many kernels are several parts, which threads compile at the same time. Which kernels are one part
  depends on the text alone, so that the cache serves machines of any number of processors.

The text is that of this package's writers, which this relies on: a function begins with `define` at
the beginning of a line and ends with the next line that is `}`; all else is a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tfc.ir.value_classes import NamedTuple

from .machine import OPT_LEVEL, selects_quickly

_HEAD = re.compile(r"define (?:internal )?([^@\n]*@[\w.$]+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.S)
_GLOBAL = re.compile(r"^(@[\w.$]+) = internal global .*$", re.M)
_TABLE = re.compile(r"^@[\w.$]+ = constant \{[^@]* \{ ptr @([\w.$]+), .*$", re.M)
_USED = re.compile(r"@([\w.$]+)")
_KERNEL = re.compile(r"k\d+(?:\.|$)")  # what belongs to one kernel
_PARALLEL_CHARACTERS_MIN = 3000  # characters of functions that may go apart
_PART_CHARACTERS = 60_000  # of kernels, from which on the next one begins another part: 35 ms


class Part(NamedTuple):
    """Functions as a module, and how it is compiled."""

    text: str
    level: int = OPT_LEVEL


def split(text: str, level: int = OPT_LEVEL) -> list[Part]:
    """The parts of a module that have any functions; what runs often is compiled at `level`."""
    if "\n!" in text:  # metadata say which line each instruction belongs to
        return [Part(text, level)]
    functions, rest = _functions(text)
    helpers: dict[str, str] = {}
    if any(map(_KERNEL.match, functions)):  # the runtime has none; its functions belong together
        helpers = {name: code for name, code in functions.items() if _is_helper(name, code)}
    ways = {n: _way(code, level) for n, code in functions.items() if n not in helpers}
    known = sorted(set(ways.values()), reverse=True)
    groups = [[name for name, own in ways.items() if own == one] for one in known]
    present = [level for level, _ in known]
    if groups and present[0] > 0:
        groups[:1] = _balanced(groups[0], functions)
        present[:1] = present[:1] * (len(groups) - len(present) + 1)
    for name, code in helpers.items():
        groups.append([name])
        present.append(_way(code, level)[0])
    if len(groups) == 1:
        return [Part(text, present[0])]
    codes = ["".join(functions[name] for name in names) for names in groups]
    used = [set(_USED.findall(code)) for code in codes]
    parts = []
    for i, (names, code) in enumerate(zip(groups, codes, strict=True)):
        others = used[i] & functions.keys() - set(names)
        wanted = set().union(*(u for j, u in enumerate(used) if j != i))
        for name in wanted & set(names):  # seen from other parts
            start = functions[name].partition("\n")[0]
            code = code.replace(start, start.replace("define internal", "define", 1), 1)
        if i == 0:  # variables are defined here
            around = _GLOBAL.sub(lambda m: m[0].replace("internal global", "global", 1), rest)
        else:
            around = _GLOBAL.sub(r"\1 = external global i8", rest)
        declared = [_declaration(functions[name]) for name in sorted(others)]
        parts.append("\n".join([*_needed(around, used[i]), *declared, code]))
    return [Part(part, level) for part, level in zip(parts, present, strict=True)]


def _is_helper(name: str, code: str) -> bool:
    """Whether kernels share a function, and it is long enough to be compiled alone."""
    head = code.partition("{\n")[0]
    shared = head.startswith("define internal ") and not _KERNEL.match(name)
    own = name == "program"  # what runs once is this program's own but for routines
    return shared and not own and len(code) >= _PARALLEL_CHARACTERS_MIN


def _balanced(names: Sequence[str], functions: Mapping[str, str]) -> list[list[str]]:
    """Functions as groups of a length; what belongs to one kernel stays together, and the first
    group has what belongs to none."""
    groups = [[name for name in names if not _KERNEL.match(name)]]
    length = sum(len(functions[name]) for name in groups[0])
    before = ""
    for name in names:
        if _KERNEL.match(name):
            kernel = name.partition(".")[0]
            if length >= _PART_CHARACTERS and kernel != before:
                groups.append([])
                length = 0
            groups[-1].append(name)
            length += len(functions[name])
            before = kernel
    return groups


def _way(code: str, level: int) -> tuple[int, bool]:
    """How much LLVM does for a function, and of quick code whether its fast selector can take it:
    one function that it cannot take would have a whole module go without."""
    if level and " optnone" not in code.partition("{\n")[0]:
        return level, True
    return 0, selects_quickly(code)


def _functions(text: str) -> tuple[dict[str, str], str]:
    """The functions in `text` by name, with the tables of entries that run them, and the lines that
    are outside of them."""
    functions, rest = {}, []
    for chunk in text.split("\n}\n"):
        outside, define, code = ("\n" + chunk).partition("\ndefine ")
        rest.append(outside)
        if define:
            name = code.partition("@")[2].partition("(")[0]
            functions[name] = f"define {code}\n}}\n"
    around = "\n".join(rest)
    for table in _TABLE.finditer(around):
        functions[table[1]] += f"{table[0]}\n"
    return functions, _TABLE.sub("", around)


def _needed(rest: str, used: set[str]) -> list[str]:
    """The lines outside of functions that these names, and those of such lines, refer to; and the
    variables, which are defined here."""
    lines: dict[str, str] = {}
    for line in rest.split("\n"):
        if line.startswith(("@", "declare")):
            names = _USED.findall(line)
            lines[names[0]] = line
            if " = global " in line:
                used.add(names[0])
    work = list(used)
    while work:
        new = {*_USED.findall(lines.get(work.pop(), ""))} - used
        used |= new
        work.extend(new)
    return [line for name, line in lines.items() if name in used]


def _declaration(code: str) -> str:
    head = _HEAD.match(code)
    assert head is not None
    params = (re.sub(r"%[\w.$]+", "", p).strip() for p in head[2].split(","))
    return f"declare {head[1]}({', '.join(p for p in params if p)})"
