"""What the tests of tracing, arguments and results are held to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tfc as tf
from tfc.backends.cpu.runtime import runtime
from tfc.core.context import context


@pytest.fixture()
def clean() -> Iterator[None]:
    """No test leaves a trace, a tape or a switch behind."""
    yield
    assert context.trace is None
    assert context.tapes == ()
    assert runtime.watched() == (0, 0)
    assert not tf.config.functions_run_eagerly()
