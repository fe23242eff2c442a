"""Graphs with their collections as messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfc.core.tensor import SymbolicTensor, Tensor
from tfc.records.meta_graph import MetaGraphDef, VariableDef

from .graph import Graph, GraphKeys, Operation

# Collections of Variables, and of what runs when a saved model is loaded.
VARIABLES = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.MODEL_VARIABLES,
    GraphKeys.MOVING_AVERAGE_VARIABLES,
)
STARTED = ("saved_model_main_op", "legacy_init_op")


def _name_of(x: Any) -> str | None:
    return x.name if isinstance(x, SymbolicTensor) else None


def meta_graph_of(graph: Graph, tags: Iterable[str] = ()) -> MetaGraphDef:
    """A graph with its collections as a message."""
    message = MetaGraphDef()
    message.meta_info_def.tags.extend(tags)
    message.graph_def.CopyFrom(graph.as_graph_def())
    for key in VARIABLES:
        for variable in graph.get_collection(key):
            said = VariableDef(
                variable_name=variable.name,
                initializer_name=variable.initializer.name,
                initial_value_name=_name_of(variable.initial_value),
                is_resource=True,
                trainable=variable.trainable,
            )
            rows = message.collection_def[key].bytes_list.value
            rows.append(said.SerializeToString())
    known = {*VARIABLES, *STARTED}
    for key in graph.get_all_collection_keys():
        held = graph.get_collection(key)
        if key not in known and held and all(isinstance(x, Tensor | Operation) for x in held):
            message.collection_def[key].node_list.value.extend(x.name for x in held)
    return message


__all__ = ["STARTED", "VARIABLES", "meta_graph_of"]
