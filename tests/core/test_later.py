"""Names that are imported when they are first used."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

import tfc as tf
from tfc.core.later import names_of


def test_names_come_from_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    space: Any = ModuleType("tfc.space")
    monkeypatch.setitem(sys.modules, "tfc.space", space)
    asked = []
    space.__getattr__ = names_of(
        "tfc.space", {"ops.nn.pooling": "max_pool avg_pool", "core.later": "names_of"}, asked.append
    )
    assert space.max_pool is tf.nn.max_pool and space.names_of is names_of
    assert set(vars(space)) >= {"max_pool", "names_of"} and "avg_pool" not in vars(space)
    assert space.other is None and asked == ["other"]


def test_a_namespace_has_all_that_it_lists() -> None:
    assert dir(tf.nn) == sorted(tf.nn.__all__)
    assert all(getattr(tf.nn, name) is getattr(tf.nn, name) for name in tf.nn.__all__)
    for name in ("nothing", "_names"):
        with pytest.raises(AttributeError, match=f"'tfc.nn' has no attribute '{name}'"):
            getattr(tf.nn, name)
