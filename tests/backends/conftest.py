"""Which classes are tensors while native entries are tested by themselves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(params=["compiled", "table"])
def own_tensors(request: pytest.FixtureRequest) -> Iterator[None]:
    """The classes of entries.py are tensors, and those from before again afterwards. Entries are
    compiled, or tables, as those of quick code are."""
    from tests.backends import entries
    from tfc.backends.cpu.runtime import runtime

    before = runtime._registered[-3:]
    runtime.register(entries.Tensor, entries.Variable)
    entries.as_tables = request.param == "table"
    yield
    if before:
        runtime.register(*before)
