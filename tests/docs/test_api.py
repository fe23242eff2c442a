"""The pages of public names are what the docstrings say, and the report on coverage adds up."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import tfc as tf
from tools import api, coverage


def test_the_pages_are_up_to_date() -> None:
    assert not api.stale(), "run `make docs`"


def test_stale_pages_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "FOLDER", tmp_path)
    monkeypatch.setattr(api, "pages", lambda: {"a.md": "a", "b.md": "b", "c.md": "c"})
    for name in ("a", "b", "d"):
        (tmp_path / f"{name}.md").write_text("a")
    assert api.stale() == ["b.md", "c.md", "d.md"]


def test_every_public_name_is_described() -> None:
    for path, space in api.spaces():
        for name in api.names(space):
            value = getattr(space, name)
            if inspect.isfunction(value) and api._is_ours(value):
                assert value.__doc__, f"{path}.{name} has no docstring"


# Functions that do what others' of the same name do, whose documentation has the examples.
ELSEWHERE = {
    "tf.experimental.array_api": "the Python array API standard",
    "tf.experimental.numpy": "NumPy",
}


def test_every_public_name_has_an_example() -> None:
    """Functions and classes; of errors it is enough to say when they are raised."""
    without = []
    for path, space in api.spaces():
        if any(f"{path}.".startswith(f"{other}.") for other in ELSEWHERE):
            continue
        for name in api.names(space):
            value = getattr(space, name)
            if not (inspect.isroutine(value) or inspect.isclass(value)):
                continue
            if not api._is_ours(value) or api._is_error(value):
                continue
            if ">>> " not in (value.__doc__ or ""):
                without.append(f"{path}.{name}")
    assert not without


def test_examples_are_found_where_functions_are_made() -> None:
    """Doctests are collected by module: what a decorator returns must say where it stands."""
    for module in (tf.math, tf.nn, tf.linalg, tf.signal, tf.image, tf.bitwise, tf):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value):
                home = sys.modules[value.__module__]
                found = any(x is value for x in vars(home).values())
                assert found, f"{name} is not in {home.__name__}"


def test_differences_are_collected() -> None:
    def f(x: int, y: float = 1.5) -> None:
        """Does this with 1, 2, ... of x. And that.

        Unlike TensorFlow, it rounds."""

    assert api.signature(f) == "(x, y=1.5)"
    assert (api.summary(f), api.difference(f)) == ("Does this with 1, 2, ... of x.", "it rounds.")


@pytest.mark.parametrize(
    ("kind", "name", "here", "why"),
    [
        ("core", "tf.reduce_sum", True, ""),
        ("core", "tf.random.Generator.from_seed", True, ""),
        ("core", "tf.keras.layers.Dense", True, ""),
        ("core", "tf.data.Dataset.zip", True, ""),
        ("core", "tf.nonsense", False, "not yet"),
        ("v1", "tf.compat.v1.square", True, ""),
        ("v1", "tf.compat.v1.Graph", True, ""),
        ("v1", "tf.compat.v1.Nonsense", False, "graphs and sessions of TensorFlow 1"),
        ("method", ".assign", True, ""),
        ("method", ".fit", True, ""),
    ],
)
def test_coverage(kind: str, name: str, here: bool, why: str) -> None:
    symbol = coverage.Symbol(kind, 1, 1, name)
    assert coverage.is_here(symbol) == here
    if not here:
        assert coverage.reason(symbol) == why


def test_the_report_runs() -> None:
    run = [sys.executable, "-m", "tools.coverage", "--missing"]
    text = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    table = coverage.symbols()
    assert len(table) > 1000 and len({(s.kind, s.name) for s in table}) == len(table)
    for kind in ("core", "method", "keras", "v1"):
        assert f"{kind:<8}" in text
    core = next(line.split() for line in text.splitlines() if line.startswith("core"))
    assert int(core[1]) >= 380 and int(core[2]) == sum(s.kind == "core" for s in table)
    assert tf.__name__ == "tfc"
