"""Lists of tensors, which loops of TensorFlow's fill: a `tf.TensorArray` each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import tfc as tf

from .attributes import unimplemented
from .bodies import Node
from .running import Run, Values, handles


class TensorList(NamedTuple):
    """A list of tensors of one dtype."""

    array: Any
    grows: bool = False

    def with_array(self, array: Any) -> TensorList:
        return self._replace(array=array)


def _element_shape(given: Any) -> Any:
    """The shape of the elements as far as it is known."""
    known = tf.get_static_value(given)
    if known is None or np.ndim(known) == 0:
        return None
    return tf.TensorShape([None if n < 0 else int(n) for n in known])


def _empty(node: Node, size: Any, shape: Any, grows: bool = False) -> TensorList:
    dtype = node["element_dtype"]
    if dtype is None:
        raise unimplemented(f"{node.name} is a list of lists or Variables")
    array = tf.TensorArray(
        dtype,
        size,
        dynamic_size=grows,
        clear_after_read=False,
        element_shape=_element_shape(shape),
        infer_shape=_element_shape(shape) is not None,
    )
    return TensorList(array, grows)


@handles("TensorListReserve")
def _reserve(run: Run, node: Node, inputs: Values) -> Values:
    shape, size = inputs
    return [_empty(node, size, shape)]


@handles("EmptyTensorList")
def _new(run: Run, node: Node, inputs: Values) -> Values:
    return [_empty(node, 0, inputs[0], True)]


@handles("TensorListFromTensor")
def _from_tensor(run: Run, node: Node, inputs: Values) -> Values:
    tensor, shape = inputs
    made = _empty(node, tf.shape(tensor)[0], shape)
    return [made.with_array(made.array.unstack(tensor))]


@handles("TensorListGetItem")
def _get(run: Run, node: Node, inputs: Values) -> Values:
    items, index, shape = inputs
    return [_ensured(items.array.read(index), shape)]


def _ensured(x: Any, shape: Any) -> Any:
    known = _element_shape(shape)
    return x if known is None else tf.ensure_shape(x, known)


@handles("TensorListSetItem")
def _set(run: Run, node: Node, inputs: Values) -> Values:
    items, index, item = inputs
    return [items.with_array(items.array.write(index, item))]


@handles("TensorListPushBack")
def _push(run: Run, node: Node, inputs: Values) -> Values:
    items, item = inputs
    return [items.with_array(items.array.write(items.array.size(), item))]


@handles("TensorListStack")
def _stack(run: Run, node: Node, inputs: Values) -> Values:
    return [inputs[0].array.stack()]


@handles("TensorListLength")
def _length(run: Run, node: Node, inputs: Values) -> Values:
    return [inputs[0].array.size()]


@handles("TensorListGather")
def _gather(run: Run, node: Node, inputs: Values) -> Values:
    return [inputs[0].array.gather(inputs[1])]


@handles("TensorListConcatV2")
def _concat(run: Run, node: Node, inputs: Values) -> Values:
    stacked = inputs[0].array.stack()
    shape = tf.shape(stacked, tf.int64)
    lengths = tf.fill(shape[:1], shape[1])
    return [inputs[0].array.concat(), lengths]


__all__ = ["TensorList"]
