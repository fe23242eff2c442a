"""Imports inside ir/ and backends/ point down, too: levels, machines, rooms of the loop level.

Every import counts, at any depth of a file. Those under TYPE_CHECKING count between rooms, but not
in circles of modules: a helper names the class of the writer that it is called with.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.test_imports import Module, circles, of_each, statements

ROOT = Path(__file__).resolve().parents[1]
# What all of backends/ uses, then what both machines share, then the machines, which do not know
# each other. The emulator of PTX knows nothing of tfc, and its driver alone knows of it.
SHARED = [
    "forks",
    "threads",
    "disk_cache",
    "host_calls",
    "calling_convention",
    "measured",
    "baseline",
]
MACHINES = ["cpu", "cuda"]
EMULATOR = ("backends", "cuda", "emulator")
# The loop level: what kernels are made of, how they are planned, what schedules of all machines are
# written with, those of CPUs, those of GPUs, and `lower` on top.
KERNELS = [
    *("ops", "repeated_lines", "brief"),
    *("target", "expand", "expand_emitter", "conversions", "split_complex"),
    "check_bounds",
    "expand_scalars",
    *("index_builder", "builder", "group_builder", "tree_reducer"),
    *("plan", "contraction", "own_loop_nest"),
    *("scalar_control", "fused_builder", "equal_kernels"),
    *("writer", "accumulators", "common", "cpu", "gpu", "lower"),
]


class Import(NamedTuple):
    """One import: the line, the module that it names, whether only type checkers see it."""

    line: int
    target: Module  # ("ir", "core"); ("tfc", ...) for what is in neither room
    typing: bool


def files() -> dict[Module, Path]:
    found = {}
    for room in ("ir", "backends"):
        for file in sorted((ROOT / room).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            found[parts[:-1] if parts[-1] == "__init__" else parts] = file
    return found


MODULES = files()


@cache
def imports(module: Module) -> list[Import]:
    """The modules of tfc that a module imports."""
    return list(_imports(module))


def _imports(module: Module) -> Iterator[Import]:
    tree = ast.parse(MODULES[module].read_text())
    home = MODULES[module].relative_to(ROOT).parts[:-1]
    unread = {
        id(inner)
        for node in statements(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in statements(node)
    }
    for node in statements(tree):
        named: list[Module] = []
        if isinstance(node, ast.Import):
            named = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base: Module = home[: len(home) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            named = [(*base, alias.name) for alias in node.names]
        for name in named:
            if name[0] == "tfc":
                name = name[1:] if name[1:2] in (("ir",), ("backends",)) else name
            elif name[0] not in ("ir", "backends"):
                continue
            while name[0] != "tfc" and name not in MODULES:  # a name inside of a module
                name = name[:-1]
            yield Import(node.lineno, name, id(node) in unread)


def shown(module: Module) -> str:
    return ".".join(module)


def refused(module: Module, why: str, *wrong: Import) -> None:
    rows = [f"{MODULES[module]}:{i.line}: {shown(i.target)}" for i in wrong]
    assert not rows, f"{why}\n" + "\n".join(rows)


@of_each(MODULES)
def test_levels(module: Module) -> None:
    """ir knows nothing of machines, and neither knows what is above."""
    below = ("ir",) if module[0] == "ir" else ("ir", "backends")
    refused(module, "from above", *(i for i in imports(module) if i.target[0] not in below))


@of_each(m for m in MODULES if m[:1] == ("ir",) and m[1:] and m[1] != "kernels")
def test_tensors_know_no_loops(module: Module) -> None:
    """The tensor level never imports the loop level. (ir/__init__.py, the front of both, loads the
    ops of both: the parser knows those that are loaded.)"""
    loops = (i for i in imports(module) if i.target[:2] == ("ir", "kernels"))
    refused(module, "the loop level", *loops)


@of_each(m for m in MODULES if m[:2] == ("ir", "kernels") and m[2:])
def test_rooms_of_kernels(module: Module) -> None:
    assert module[2] in KERNELS, f"ir/kernels/{module[2]} is in no list: say what stands below it"
    here = KERNELS.index(module[2])
    wrong = [
        i
        for i in imports(module)
        if i.target[:2] == ("ir", "kernels")
        and i.target[2:]
        and not i.typing
        and KERNELS.index(i.target[2]) > here
    ]
    refused(module, "from above", *wrong)


@of_each(m for m in MODULES if m[:2] == ("ir", "kernels") and m[2:3] in (("cpu",), ("gpu",)))
def test_kernels_of_machines(module: Module) -> None:
    """Schedules of one machine know nothing of the other's, not even as types."""
    other = ("ir", "kernels", "gpu" if module[2] == "cpu" else "cpu")
    refused(module, "the other machine's", *(i for i in imports(module) if i.target[:3] == other))


@of_each(m for m in MODULES if m[0] == "backends" and m[1:])
def test_machines(module: Module) -> None:
    room = module[1]
    assert room in [*SHARED, "llvm", *MACHINES], f"backends/{room} is in no list"
    allowed = [*SHARED, "llvm", room] if room in MACHINES else [*SHARED, room]
    own = [i for i in imports(module) if i.target[0] == "backends" and i.target[1:]]
    refused(
        module, "another machine, or from above", *(i for i in own if i.target[1] not in allowed)
    )
    if module[:3] == EMULATOR:
        refused(module, "tfc", *(i for i in imports(module) if i.target[:3] != EMULATOR))
    elif module != ("backends", "cuda", "emulated_driver"):
        refused(module, "the emulator", *(i for i in own if i.target[:3] == EMULATOR))


def test_modules_form_no_circle() -> None:
    """In ir and backends, whatever the level; the roots of both packages are left out."""
    edges: dict[Module, set[Module]] = defaultdict(set)
    for module in MODULES:
        targets = {i.target for i in imports(module) if not i.typing and len(i.target) > 1}
        edges[module] |= targets - {module}
    assert circles(edges) == []


def test_something_was_seen() -> None:
    """Lazy imports, relative and absolute ones."""
    seen = {(m, i.target) for m in MODULES for i in imports(m)}
    assert (("backends", "cuda", "devices"), ("backends", "cuda", "emulated_driver")) in seen
    assert (("backends", "cuda", "ptx"), ("backends", "llvm", "compiler")) in seen
    assert (("ir", "kernels", "lower"), ("ir", "kernels", "plan", "fusion")) in seen
