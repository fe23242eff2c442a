"""The syntax tree of a function, from its code object.

Of a long file only the lines of that function are parsed, where their indentation tells which they
are; else the whole file is, once.
"""

from __future__ import annotations

import ast
import linecache
import re
import types
from collections.abc import Iterator, Sequence

from .syntax import children

Found = tuple[ast.FunctionDef | ast.Lambda, str | None]  # a function, and the class around it

_files: dict[str, tuple[str, ast.Module]] = {}
_DEF = re.compile(r"([ \t]*)def[ \t]+(\w+)")
_OTHER = re.compile(r"[ \t]*(?![ \t\n#)\]}])")  # before what begins a statement or goes on with one


def parsed(code: types.CodeType) -> Found | None:
    """Where the code comes from, and the class around it; None where nothing tells."""
    lines = linecache.getlines(code.co_filename)
    block = _block(lines, code)
    if block is not None:
        try:
            found = _found(ast.parse(block, code.co_filename), code)
        except SyntaxError:  # it ends in the middle of something
            found = None
        if found is not None:
            return found[0], _class_around(code)
    tree = parsed_file(code.co_filename)
    return None if tree is None else _found(tree, code)


def _block(lines: Sequence[str], code: types.CodeType) -> str | None:
    """The lines of a function, or of that around a lambda, with what lets them stand alone where
    they stand in the file. None where there is no such function."""
    first = code.co_firstlineno - 1
    *_, name = code.co_qualname.removesuffix(".<locals>.<lambda>").split(".")
    upwards = code.co_name == "<lambda>"
    numbers = range(first, -1, -1) if upwards else range(first, len(lines))
    heads = ((i, found) for i in numbers if (found := _DEF.match(lines[i])))
    head, width = next(((i, len(m[1])) for i, m in heads if m[2] == name), (0, -1))
    if width < 0:
        return None
    if width and "." not in code.co_qualname:  # `global`, or below an `if`: no path tells the class
        return None
    end = head + 1
    while end < len(lines):
        other = _OTHER.match(lines[end])
        if other is not None and other.end() <= width:
            break
        end += 1
    start = head if upwards else first
    if not start <= first < end:
        return None
    opening = "if True:\n" if width else "\n"
    return "\n" * (start - 1) + (opening if start else "") + "".join(lines[start:end])


def _class_around(code: types.CodeType) -> str | None:
    """The class that private names are of: what a name in the path is that is no function."""
    inner = ""
    for name in reversed(code.co_qualname.split(".")[:-1]):
        if "<locals>" not in (name, inner):
            return name
        inner = name
    return None


def parsed_file(file: str) -> ast.Module | None:
    """The tree of a whole file; None where it is not there, or has errors."""
    lines = linecache.getlines(file)
    if not lines:
        return None
    text = "".join(lines)
    known = _files.get(file)
    if known is None or known[0] != text:
        try:
            known = _files[file] = (text, ast.parse(text, file))
        except SyntaxError:
            return None
    return known[1]


def _found(tree: ast.Module, code: types.CodeType) -> Found | None:
    candidates = list(_functions(tree, None, code))
    if len(candidates) > 1:
        columns = {c for *_, c, _ in code.co_positions() if c is not None}
        lines = {line for line, *_ in code.co_positions() if line is not None}
        candidates = [
            (node, name)
            for node, name in candidates
            if isinstance(node, ast.Lambda) and _spans(node.body, lines, columns)
        ]
    return candidates[0] if len(candidates) == 1 else None


def _spans(node: ast.expr, lines: set[int], columns: set[int]) -> bool:
    """Whether the instructions at these places are those of the expression."""
    if node.lineno != node.end_lineno:
        return False
    inside = [c for c in columns if c >= node.col_offset]
    return bool(inside) and min(inside) == node.col_offset and node.lineno in lines


def _functions(tree: ast.AST, class_name: str | None, code: types.CodeType) -> Iterator[Found]:
    """The functions in `tree` that look like the code's, and the classes around them."""
    line = code.co_firstlineno
    for node in children(tree):
        if isinstance(node, ast.stmt) and not _covers(node, line):
            continue
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            if _first_line(node) == line:
                yield node, class_name
        elif isinstance(node, ast.Lambda) and code.co_name == "<lambda>":
            names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
            same = list(code.co_varnames[: code.co_argcount]) == names
            if same and node.lineno == line:
                yield node, class_name
        inner = node.name if isinstance(node, ast.ClassDef) else class_name
        yield from _functions(node, inner, code)


def _covers(node: ast.stmt, line: int) -> bool:
    return _first_line(node) <= line <= (node.end_lineno or line)


def _first_line(node: ast.stmt) -> int:
    """The line where a statement begins: that of its decorators, where it has some."""
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
