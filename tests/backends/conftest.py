"""Which classes are tensors while native entries are tested by themselves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture
def own_tensors() -> Iterator[None]:
    """The classes of entries.py are tensors, and those from before again afterwards."""
    from tests.backends.entries import Tensor, Variable
    from tfc.backends.cpu.runtime import runtime

    before = runtime._registered[-3:]
    runtime.register(Tensor, Variable)
    yield
    if before:
        runtime.register(*before)
