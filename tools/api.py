"""Writes docs/api.md: every public name, its signature, the first line of its docstring, and what
it does unlike TensorFlow. `python -m tools.api` (`--check` only says whether it is up to date).

The differences are the sentences of docstrings that begin with "Unlike TensorFlow".
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import tfc as tf

PAGE = Path(__file__).parent.parent / "docs" / "api.md"
HEAD = """# The public names

Written by `make docs` from the docstrings; do not edit. `tf` is `import tfc as tf`. Where nothing
is said under "Unlike TensorFlow", a function is meant to do what TensorFlow 2's does.

"""
# What is documented elsewhere, or is no part of the interface.
LEFT_OUT = {"annotations", "compat", "ir", "operators"}
MORE = {"contrib.eager"}


def names(space: Any) -> list[str]:
    """The public names of a module or namespace."""
    listed = getattr(space, "__all__", None)
    if listed is None:
        listed = [n for n in vars(space) if not n.startswith("_")]
    return sorted(set(listed) - LEFT_OUT)


def namespaces() -> list[str]:
    """The modules that `import tfc` offers: those of `from . import (...)` there, and those that
    it imports when they are used."""
    tree = ast.parse(Path(str(tf.__file__)).read_text())
    found = {*MORE, *tf._LAZY}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module is None:
            found |= {alias.asname or alias.name for alias in node.names}
    return sorted(found - LEFT_OUT)


def spaces() -> Iterator[tuple[str, Any]]:
    """All namespaces with their names."""
    yield "tf", tf
    for name in namespaces():
        module = importlib.import_module(f"tfc.{name}")
        yield from _spaces(module, f"tf.{name}")


def _spaces(space: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, space
    listed = getattr(space, "__all__", ())
    for name in names(space):
        inner = getattr(space, name)
        inside = isinstance(inner, ModuleType) and name in listed
        if isinstance(inner, SimpleNamespace) or (inside and inner.__name__.startswith("tfc.")):
            yield from _spaces(inner, f"{path}.{name}")


def _is_ours(value: Any) -> bool:
    return str(getattr(value, "__module__", "tfc")).startswith("tfc")


def signature(value: Any) -> str:
    """The parameters without annotations, as one would write them."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    plain = [
        p.replace(annotation=p.empty, default=_shown(p.default))
        for p in found.parameters.values()
        if p.name != "self"
    ]
    return str(found.replace(parameters=plain, return_annotation=found.empty))


class _Text:
    """A default that is written as it is."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _shown(default: Any) -> Any:
    if default is inspect.Parameter.empty:
        return default
    text = getattr(default, "__name__", "...") if callable(default) else repr(default)
    return _Text("..." if re.search(r" at 0x", text) else text)


def summary(value: Any) -> str:
    """The first sentence of the docstring."""
    text = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    return text.split(". ")[0].rstrip(".:") + "." if text else ""


def difference(value: Any) -> str:
    """What the docstring says begins with "Unlike TensorFlow", without these words."""
    for paragraph in (inspect.getdoc(value) or "").split("\n\n"):
        found = re.search(r"Unlike TensorFlow(?:'s)?,? (.*)", " ".join(paragraph.split()))
        if found:
            return found[1]
    return ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def page() -> str:
    """The whole text."""
    lines: list[str] = []
    first: dict[int, str] = {}  # where a function was described
    for path, space in spaces():
        functions, aliases, values = [], [], []
        for name in names(space):
            value = getattr(space, name)
            if isinstance(value, ModuleType | SimpleNamespace) or not _is_ours(value):
                continue
            if not callable(value) or isinstance(value, tf.DType):
                values.append(f"`{name}`")
            elif id(value) in first:
                aliases.append(f"`{name}` = `{first[id(value)]}`")
            else:
                first[id(value)] = f"{path}.{name}"
                functions.append((name, value))
        if not (functions or aliases or values):
            continue
        lines.append(f"## {path}\n")
        about = summary(space) if isinstance(space, ModuleType) else ""
        if about and path != "tf":
            lines.append(f"{about}\n")
        if values:
            lines.append(f"Values: {', '.join(values)}.\n")
        if functions:
            lines += ["| name | what it does | unlike TensorFlow |", "| --- | --- | --- |"]
        for name, value in functions:
            kind = "class " if inspect.isclass(value) else ""
            call = f"{kind}{name}{'' if _is_error(value) else signature(value)}"
            row = (f"`{call.replace('|', chr(92) + '|')}`", summary(value), difference(value))
            lines.append(f"| {row[0]} | {_cell(row[1])} | {_cell(row[2])} |")
        if aliases:
            lines += ["", f"Also: {', '.join(aliases)}."]
        lines.append("")
    return HEAD + "\n".join(lines).rstrip() + "\n"


def _is_error(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, BaseException)


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where the page is not as it is")
    if parser.parse_args().check:
        if PAGE.read_text() != page():
            sys.exit("docs/api.md is not up to date: run `make docs`")
        return
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
