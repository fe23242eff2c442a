"""Every example in the packages' docstrings runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import linecache
import os
import pkgutil
from collections.abc import Iterator

import pytest

import tfc

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

# What imports an optional dependency can only be walked where that is installed.
OPTIONAL = {"pycuda"}
# Modules that can be walked without what their examples need.
NEEDS = {"tfc.ops.image.files": "PIL"}


def modules() -> Iterator[str]:
    yield tfc.__name__
    for module in walk(list(tfc.__path__), "tfc."):
        if not module.endswith("__main__"):
            yield module


def walk(paths: list[str], prefix: str) -> Iterator[str]:
    """As `pkgutil.walk_packages`, without importing anything: a module that does not import is
    one failing test, and not a collection that fails as a whole."""
    for _, name, is_package in pkgutil.iter_modules(paths, prefix):
        yield name
        if is_package:
            tail = name.rpartition(".")[2]
            yield from walk([os.path.join(path, tail) for path in paths], name + ".")


@pytest.fixture
def sources_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Doctest asks the system, for each docstring, whether any file with a known line has changed:
    a fifth of the time of these tests."""
    monkeypatch.setattr(linecache, "checkcache", lambda filename=None: None)


@pytest.mark.parametrize("name", sorted(modules()))
@pytest.mark.usefixtures("sources_stay")
def test_docstrings(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in OPTIONAL:
            pytest.skip(f"needs {error.name}")
        raise
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    result = doctest.testmod(module, optionflags=OPTIONS)
    assert result.failed == 0, f"{result.failed} of {result.attempted} examples in {name} failed"
