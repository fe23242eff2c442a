"""Writes the pages of docs/reference/api: one for each namespace, with every public name, its
signature, the first sentence of its docstring, and what it does unlike TensorFlow.
`python -m tools.api` (`--check` only says whether the pages are up to date).

The differences are the sentences of docstrings that begin with "Unlike TensorFlow".
"""

from __future__ import annotations

import argparse
import ast
import enum
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import tfc as tf

FOLDER = Path(__file__).parent.parent / "docs" / "reference" / "api"
WRITTEN = "<!-- Written by `make docs` from the docstrings: do not edit. -->\n"
INDEX = """# The public names

`tf` is `import tfc as tf`. Each namespace has a page with its functions and classes: signature,
what it does in a sentence, and where it differs from TensorFlow. Where nothing is said there, a
function is meant to do what TensorFlow 2's does. `help(tf.name)` shows the whole docstring, with
an example.

| namespace | names | what it has |
| --- | ---: | --- |
"""
# What is documented elsewhere, or is no part of the interface.
LEFT_OUT = {"annotations", "compat", "ir", "operators"}
# What the index says of namespaces that are no modules with a docstring.
ABOUT = {"tf": "Tensors, Variables, tapes, functions, control flow, and the most used ops."}


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
    found = {*tf._LAZY}
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
        if isinstance(value, enum.EnumMeta):
            return "(value)"
        found = inspect.signature(value, follow_wrapped=not isinstance(value, type))
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
    return re.split(r"\.(?= [A-Z`])", text)[0].rstrip(".:") + "." if text else ""


def differences() -> Iterator[tuple[str, str]]:
    """What functions, classes and their methods say of how they differ, by the names that are met
    first."""
    seen: set[int] = set()
    for path, space in spaces():
        for name in names(space):
            value = getattr(space, name)
            if isinstance(value, ModuleType | SimpleNamespace) or not callable(value):
                continue
            if id(value) in seen or not _is_ours(value) or isinstance(value, tf.DType):
                continue
            seen.add(id(value))
            if text := difference(value):
                yield f"{path}.{name}", text
            methods = vars(value).items() if inspect.isclass(value) else ()
            for method, body in methods:
                if not method.startswith("_") and (text := difference(body)):
                    yield f"{path}.{name}.{method}", text


def difference(value: Any) -> str:
    """What the docstring says begins with "Unlike TensorFlow", without these words."""
    for paragraph in (inspect.getdoc(value) or "").split("\n\n"):
        found = re.search(r"Unlike TensorFlow(?:'s)?,? (.*)", " ".join(paragraph.split()))
        if found:
            return found[1]
    return ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


class Section(NamedTuple):
    """A namespace, as a section of a page."""

    path: str
    about: str  # its first sentence
    count: int  # how many names it has
    text: str


def sections() -> Iterator[Section]:
    """What is said of each namespace. A function is described where it is met first; elsewhere
    stands what it is another name of."""
    first: dict[int, str] = {}
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
        count = len(functions) + len(aliases) + len(values)
        if not count:
            continue
        about = summary(space) if isinstance(space, ModuleType) and path != "tf" else ""
        lines = [about, ""] if about else []
        if values:
            lines += [f"Values: {', '.join(values)}.", ""]
        if functions:
            lines += ["| name | what it does | unlike TensorFlow |", "| --- | --- | --- |"]
        for name, value in functions:
            kind = "class " if inspect.isclass(value) else ""
            call = f"{kind}{name}{'' if _is_error(value) else signature(value)}"
            row = (f"`{call.replace('|', chr(92) + '|')}`", summary(value), difference(value))
            lines.append(f"| {row[0]} | {_cell(row[1])} | {_cell(row[2])} |")
        if aliases:
            lines += ["", f"Also: {', '.join(aliases)}."]
        yield Section(path, about, count, "\n".join(lines).strip())


def _file(path: str) -> str:
    """The page that a namespace stands on: `tf.math.special` on that of `tf.math`, but those
    inside of `tf.experimental` on their own."""
    _, *parts = path.split(".")
    return ".".join(parts[: 2 if parts[:1] == ["experimental"] else 1]) or "tf"


def pages() -> dict[str, str]:
    """The text of every page, by the name of its file."""
    groups: dict[str, list[Section]] = {}
    for section in sections():
        groups.setdefault(_file(section.path), []).append(section)
    found = {}
    rows = []
    for file, group in groups.items():
        title = "tf" if file == "tf" else f"tf.{file}"
        texts = [f"{WRITTEN}\n# {title}\n"]
        for section in group:
            if section.path != title:
                texts.append(f"## {section.path}\n")
            texts.append(f"{section.text}\n")
            link = f"[{section.path}]({file}.md{_anchor(section.path, title)})"
            about = section.about or ABOUT.get(section.path, "")
            rows.append(f"| {link} | {section.count} | {_cell(about)} |\n")
        found[f"{file}.md"] = "\n".join(texts)
    return {"index.md": f"{WRITTEN}\n{INDEX}{''.join(rows)}", **found}


def _anchor(path: str, title: str) -> str:
    return "" if path == title else "#" + path.replace(".", "")


def _is_error(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, BaseException)


def stale() -> list[str]:
    """The files that are not what they would be if they were written now, and those too many."""
    wanted = pages()
    there = {path.name: path.read_text() for path in FOLDER.glob("*.md")}
    return sorted(n for n in wanted.keys() | there.keys() if wanted.get(n) != there.get(n))


def main() -> None:
    """Write the pages, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a page is not as it is")
    if parser.parse_args().check:
        if found := stale():
            sys.exit(f"not up to date, run `make docs`: {', '.join(found)}")
        return
    FOLDER.mkdir(exist_ok=True)
    wanted = pages()
    for path in FOLDER.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()
