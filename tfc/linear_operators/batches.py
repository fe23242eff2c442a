"""The batch axes that several matrices, or operators, have together."""

from __future__ import annotations

from typing import Any

import tfc as tf

Tensor = Any


def broadcast_batches(*matrices: Tensor) -> list[Tensor]:
    """Matrices with the batch axes that all of them broadcast to."""
    shapes = [m.shape[:-2] for m in matrices]
    if all(shape.is_fully_defined() for shape in shapes):
        if all(shape == shapes[0] for shape in shapes):
            return list(matrices)
        wide = shapes[0]
        for shape in shapes[1:]:
            wide = tf.broadcast_static_shape(wide, shape)
        return [tf.broadcast_to(m, wide + m.shape[-2:]) for m in matrices]
    dynamic = tf.shape(matrices[0])[:-2]
    for m in matrices[1:]:
        dynamic = tf.broadcast_dynamic_shape(dynamic, tf.shape(m)[:-2])
    return [tf.broadcast_to(m, tf.concat([dynamic, tf.shape(m)[-2:]], 0)) for m in matrices]


def joint_batch_shape(operators: Any) -> Any:
    """The batch shape that those of operators broadcast to."""
    wide = operators[0].batch_shape
    for operator in operators[1:]:
        wide = tf.broadcast_static_shape(wide, operator.batch_shape)
    return wide


def joint_batch_shape_tensor(operators: Any) -> Tensor:
    """The same as a tensor."""
    wide = operators[0].batch_shape_tensor()
    for operator in operators[1:]:
        wide = tf.broadcast_dynamic_shape(wide, operator.batch_shape_tensor())
    return wide
