"""What takes part in making Variables and modules: creators, name scopes."""

from __future__ import annotations

from typing import Any

import pytest

import tfc as tf


def test_creators_of_variables() -> None:
    calls: list[str] = []

    def creator(name: str, **changes: Any) -> Any:
        def create(next_creator: Any, **kwargs: Any) -> Any:
            calls.append(name)
            assert kwargs["synchronization"] is tf.VariableSynchronization.AUTO
            return next_creator(**{**kwargs, **changes})

        return create

    with (
        tf.variable_creator_scope(creator("outer", trainable=False)),
        tf.variable_creator_scope(creator("inner", dtype=tf.float64)),
    ):
        v = tf.Variable(2, name="v")
    assert calls == ["inner", "outer"] and v.dtype == tf.float64 and not v.trainable
    assert v.name == "v:0" and tf.Variable(1.0).trainable

    class Own(tf.Variable):
        def __init__(self, value: Any) -> None:
            super().__init__(value)

    with tf.variable_creator_scope(creator("never")):
        assert Own(1.0).trainable and "never" not in calls
    with pytest.raises(TypeError, match="must be callable"):
        tf.variable_creator_scope(3)  # type: ignore[arg-type]


def test_modules_keep_the_scope_of_where_they_were_made() -> None:
    class Lazy(tf.Module):
        @tf.Module.with_name_scope
        def __call__(self) -> Any:
            self.w = tf.Variable(1.0, name="w")
            return self.w

    with tf.name_scope("outer"):
        module = Lazy(name="m")
    assert module().name == "outer/m/w:0" and module.name_scope.name == "outer/m/"
