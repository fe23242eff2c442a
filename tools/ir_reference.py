"""Writes the table of ops in docs/reference/ir.md, between its two comments, from the op classes:
what each takes, and the first sentence of its docstring. `python -m tools.ir_reference` (`--check`
only says whether the page is up to date). The rest of the page is written by hand.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import tfc.ir
from tfc.ir.core import Op

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "ir.md"
BEGIN = "<!-- begin: ops, written by `make docs` from the op classes: do not edit -->"
END = "<!-- end: ops -->"


def ops() -> list[type[Op]]:
    """Every op class, by module, and in each in the order in which they are written."""
    for module in pkgutil.walk_packages(tfc.ir.__path__, "tfc.ir."):
        importlib.import_module(module.name)
    ours = [cls for cls in Op.by_name.values() if cls.__module__.startswith("tfc.ir.")]
    return sorted(ours, key=lambda cls: (cls.__module__.count("."), cls.__module__))


def is_of_kernels(cls: type[Op]) -> bool:
    """Whether the op stands in kernels alone: elementwise ops stand in both."""
    return cls.__module__.startswith("tfc.ir.kernels.")


def sentence(text: str | None) -> str:
    """The first sentence of a docstring."""
    plain = " ".join(inspect.cleandoc(text or "").split("\n\n")[0].split())
    return re.split(r"[.:](?= [A-Z`]|$)", plain)[0]


def form(cls: type[Op]) -> str:
    """An op as it stands in text, with the names of its fields."""
    spec = cls.spec
    operands = [f"[{n}]" if n in spec.variadic else f"%{n}" for n in spec.operands]
    parts = [cls.mnemonic, ", ".join(operands)]
    if spec.attributes:
        parts.append("{" + ", ".join(spec.attributes) + "}")
    parts += [f"{name} = (...) {{...}}" for name in spec.regions]
    return " ".join(filter(None, parts))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def families(classes: list[type[Op]]) -> Iterator[str]:
    """The lines of a table for each module."""
    modules = dict.fromkeys(cls.__module__ for cls in classes)
    for module in modules:
        about = sentence(sys.modules[module].__doc__)
        path = module.removeprefix("tfc.").replace(".", "/")
        yield from (f"### {path}.py", "", f"{about}.", "")
        yield from ("| op | what it means |", "| --- | --- |")
        for cls in classes:
            if cls.__module__ == module:
                effect = " An effect." if cls.effect else ""
                yield f"| `{_cell(form(cls))}` | {_cell(sentence(cls.__doc__))}.{effect} |"
        yield ""


def table() -> str:
    """What stands between the two comments."""
    classes = ops()
    kernels = [cls for cls in classes if is_of_kernels(cls)]
    tensors = [cls for cls in classes if not is_of_kernels(cls)]
    lines = [f"## Ops of tensors: {len(tensors)}", "", *families(tensors)]
    lines += [f"## Ops of kernels: {len(kernels)}", "", *families(kernels)]
    return "\n".join(lines)


def page() -> str:
    """The page with the table of now."""
    head, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{table()}\n{END}{tail}"


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where the page is not as it is")
    if parser.parse_args().check:
        if PAGE.read_text() != page():
            sys.exit("docs/reference/ir.md is not up to date: run `make docs`")
        return
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
