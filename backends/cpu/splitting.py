"""A module in two parts: what is worth LLVM's optimising code generation, and what is not.

Functions that are marked `optnone` run once a call, or hardly ever. LLVM still takes them through
all of its passes, which is most of what compiling a small program costs; a code generator of level
0 needs a fifth of that. So they become a module of their own. Both are linked as one library.

The text is that of this package's writers, which this relies on: a function begins with `define` at
the beginning of a line and ends with the next line that is `}`; all else is a line.
"""

from __future__ import annotations

import re

_HEAD = re.compile(r"define (?:internal )?([^@\n]*@[\w.$]+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.S)
_GLOBAL = re.compile(r"^(@[\w.$]+) = internal global .*$", re.M)
_USED = re.compile(r"@([\w.$]+)")


def split(text: str) -> tuple[str, str]:
    """The text of functions that are to be optimised, and that of the others; one may be empty."""
    if "\n!" in text:  # metadata say which line each instruction belongs to
        return text, ""
    functions, rest = _functions(text)
    plain = {name for name, code in functions.items() if " optnone" in code.partition("{\n")[0]}
    optimised = functions.keys() - plain
    if not plain or not optimised:
        return ("", text) if plain else (text, "")
    parts = [
        "".join(code for f, code in functions.items() if (f in plain) is p) for p in (False, True)
    ]
    used = [set(_USED.findall(part)) for part in parts]
    shared = _GLOBAL.sub(lambda m: m[0].replace("internal global", "global", 1), rest)
    outside = _GLOBAL.sub(r"\1 = external global i8", rest)
    found = []
    for part, around, names, others in (
        (parts[0], shared, used[0], used[0] & plain),
        (parts[1], outside, used[1], used[1] & optimised),
    ):
        declared = [_declaration(functions[name]) for name in sorted(others)]
        found.append("\n".join([*_needed(around, names), *declared, part]))
    for name in used[0] & plain | used[1] & optimised:  # seen from the other part
        place = name in plain
        head = functions[name].partition("\n")[0]
        found[place] = found[place].replace(head, head.replace("define internal", "define", 1), 1)
    return found[0], found[1]


def _functions(text: str) -> tuple[dict[str, str], str]:
    """The functions in `text` by name, and the lines that are outside of them."""
    functions, rest = {}, []
    for chunk in text.split("\n}\n"):
        outside, define, code = ("\n" + chunk).partition("\ndefine ")
        rest.append(outside)
        if define:
            name = code.partition("@")[2].partition("(")[0]
            functions[name] = f"define {code}\n}}\n"
    return functions, "\n".join(rest)


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
