"""Imports inside tfc/ point down the list of rooms, lazy ones too, and rooms form no circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tfc

HERE = Path(str(tfc.__file__)).parent
ROOMS = ["core", "profiler", "dispatch", "ops", "control_flow", "autodiff", "function", "autograph"]
TOP = ["debug", "saved_model"]  # beside each other: neither imports another
FRONTS = {"compat", "contrib", "experimental"}  # namespaces that are written with the public names


def files() -> list[Path]:
    below = {HERE / "ir", HERE / "backends"}  # links, with a test of their own
    return sorted(f for f in HERE.rglob("*.py") if not below & set(f.parents))


def room(parts: tuple[str, ...]) -> str:
    """A room's name; "" for the front: tfc/__init__, the façades, whole namespaces."""
    known = len(parts) > 0 and (HERE / parts[0]).is_dir() and parts[0] not in FRONTS
    return parts[0] if known else ""


def targets(file: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The modules of tfc/ that a file imports anywhere but under TYPE_CHECKING."""
    tree = ast.parse(file.read_text())
    home = ("tfc", *file.relative_to(HERE).parts[:-1])
    unread = [
        n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n.test)
    ]
    skipped = {id(k) for n in unread for k in ast.walk(n)}
    for n in ast.walk(tree):
        if isinstance(n, ast.Import):
            found = [tuple(a.name.split(".")) for a in n.names]
        elif isinstance(n, ast.ImportFrom):
            base = home[: len(home) - n.level + 1] if n.level else ()
            base += tuple(n.module.split(".")) if n.module else ()
            found = [(*base, a.name) for a in n.names] if base == ("tfc",) else [base]
        else:
            continue
        for parts in found:
            if (
                parts[0] == "tfc"
                and parts[1:2] not in {("ir",), ("backends",)}
                and id(n) not in skipped
            ):
                yield n.lineno, parts[1:]


@pytest.mark.parametrize("file", files(), ids=lambda f: str(f.relative_to(HERE)))
def test_imports_point_down(file: Path) -> None:
    here = room(file.relative_to(HERE).parts)
    if here == "":
        return
    assert here in [*ROOMS, *TOP], f"tfc/{here} is in no list: say what stands below it"
    below = ROOMS[: ROOMS.index(here) + 1] if here in ROOMS else [*ROOMS, here]
    for line, parts in targets(file):
        assert room(parts) in below, f"{file}:{line} imports tfc.{'.'.join(parts)} from above"
