"""Ops that make or take what is no single tensor: serialised examples, ragged tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from .attributes import damaged, unimplemented
from .bodies import Node
from .running import OFFSETS, Run, Values, handles

_ROW_SPLITS, _ROW_IDS, _FIRST = "ROW_SPLITS", "VALUE_ROWIDS", "FIRST_DIM_SIZE"


@handles("RaggedTensorToTensor")
def _to_tensor(run: Run, node: Node, inputs: Values) -> Values:
    shape, values, default, *partitions = inputs
    kinds = node["row_partition_types"]
    if len(kinds) != len(partitions) or not set(kinds) <= {_ROW_SPLITS, _ROW_IDS, _FIRST}:
        raise damaged(f"the node {node.name!r:.80} has {len(partitions)} partitions")
    rows = partitions[0] if kinds[:1] == [_FIRST] else None
    made = values
    for place in range(len(kinds) - 1, -1, -1):
        part, kind = partitions[place], kinds[place]
        if kind == _ROW_SPLITS:
            made = tf.RaggedTensor.from_row_splits(made, part, validate=False)
        elif kind == _ROW_IDS:
            outer = rows if place == 1 else tf.size(partitions[place - 1], part.dtype)
            made = tf.RaggedTensor.from_value_rowids(made, part, outer, validate=False)
    known = tf.get_static_value(shape)
    extents = None
    if known is not None and np.ndim(known):
        extents = [None if n < 0 else int(n) for n in known]
    return [made.to_tensor(default, shape=extents)]


def _keys(node: Node, given: Any) -> list[str]:
    known = tf.get_static_value(given)
    if known is None:
        raise unimplemented(f"{node.name} parses examples by keys that the graph computes")
    return [bytes(key).decode() for key in np.asarray(known, object).reshape(-1)]


@handles("ParseExample", "ParseExampleV2")
def _parse(run: Run, node: Node, inputs: Values) -> Values:
    serialized, _, *rest = inputs
    if node.op == "ParseExampleV2":
        sparse, dense, ragged = (_keys(node, given) for given in rest[:3])
        defaults = rest[3:]
        if ragged:
            raise unimplemented(f"{node.name} parses examples into ragged tensors")
    else:
        sparses, denses = node["Nsparse"], node["Ndense"]
        sparse = [_keys(node, x)[0] for x in rest[:sparses]]
        dense = [_keys(node, x)[0] for x in rest[sparses : sparses + denses]]
        defaults = rest[sparses + denses :]
    kinds, shapes, types = node["Tdense"], node["dense_shapes"], node["sparse_types"]
    if not (len(dense) == len(kinds) == len(shapes) == len(defaults)) or len(sparse) != len(types):
        raise damaged(f"the node {node.name!r:.80} has other numbers of keys and defaults")
    features: dict[str, Any] = {}
    for key, dtype in zip(sparse, types, strict=True):
        features[key] = tf.io.VarLenFeature(dtype)
    for key, dtype, shape, default in zip(dense, kinds, shapes, defaults, strict=True):
        known = tf.get_static_value(default)
        given = None if known is None or np.size(known) == 0 else known
        if shape.rank and shape[0] is None:
            raise unimplemented(f"{node.name} parses sequences of any length into dense tensors")
        features[key] = tf.io.FixedLenFeature(shape.as_list(), dtype, given)
    found = tf.io.parse_example(serialized, features)
    parts = [found[key] for key in sparse]
    return [
        *(x.indices for x in parts),
        *(x.values for x in parts),
        *(x.dense_shape for x in parts),
        *(found[key] for key in dense),
    ]


def _offsets(node: Node) -> dict[str, int]:
    n = len(node["sparse_types"])
    names = ("sparse_indices", "sparse_values", "sparse_shapes", "dense_values")
    return {name: place * n for place, name in enumerate(names)}


OFFSETS |= {"ParseExample": _offsets, "ParseExampleV2": _offsets}

__all__: list[str] = []
