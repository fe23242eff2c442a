"""`tf.compat.v1.train.import_meta_graph`: a graph with its collections, as TensorFlow wrote it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tfc.core import blame
from tfc.core.context import current
from tfc.core.errors import DataLossError, NotFoundError
from tfc.records.meta_graph import MetaGraphDef, VariableDef
from tfc.records.text import parse

from ...graph_def.bodies import ref_of
from ...graph_def.importing import run_import
from ...graphs.graph import Graph, GraphKeys
from ...graphs.trace import current_graph
from .saver import Saver

_VARIABLES = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.MODEL_VARIABLES,
    GraphKeys.MOVING_AVERAGE_VARIABLES,
)


def read_meta_graph(path: str | os.PathLike[str]) -> MetaGraphDef:
    """The meta graph in a file, as bytes or as text.

    Raises:
        OSError: If there is no file.
        DataLossError: If it is none.
    """
    try:
        data = Path(os.fsdecode(path)).read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise OSError(f"File does not exist. Received: {os.fsdecode(path)}.") from None
    try:
        return MetaGraphDef.FromString(data)
    except DataLossError as error:
        try:
            return parse(MetaGraphDef, data)
        except DataLossError:
            raise error from None


def import_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    **kwargs: Any,
) -> Saver | None:
    """Let the default graph have the nodes and the collections of a meta graph, which
    `tf.compat.v1.train.Saver.save` of TensorFlow writes beside a checkpoint.

    Args:
        meta_graph_or_file: The path of the file, or a MetaGraphDef.
        clear_devices: Not used: devices are not kept.
        import_scope: What stands in front of all names.
        **kwargs: Of the Saver.

    Returns:
        A Saver of its Variables; None where there are none.

    Raises:
        RuntimeError: Where ops run at once.
        OSError: If there is no such file.
        DataLossError: If it is damaged.
    """
    graph = current_graph()
    if graph is None:
        raise blame.located(
            RuntimeError,
            "Exporting/importing meta graphs is not supported when eager execution is enabled. No "
            "graph exists when eager execution is enabled.",
        )
    if isinstance(meta_graph_or_file, MetaGraphDef):
        message = meta_graph_or_file
    else:
        message = read_meta_graph(meta_graph_or_file)
    prefix = str(current().names)
    if import_scope:
        prefix = f"{graph.name_in_scope(import_scope)}/"
    import_meta(graph, message, prefix)
    held = graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
    own = [v for v in held if v.name.startswith(prefix)]
    if not own:
        return None
    names = {v.name.removeprefix(prefix).removesuffix(":0"): v for v in own}
    return Saver(names, **kwargs)


def import_meta(graph: Graph, message: MetaGraphDef, prefix: str) -> None:
    """Let a graph have the nodes and the collections of a meta graph."""
    said: dict[str, list[VariableDef]] = {}
    for key in _VARIABLES:
        held = message.collection_def.get(key)
        rows = [] if held is None else held.bytes_list.value
        said[key] = [VariableDef.FromString(row) for row in rows]
    trains = {ref_of(v.variable_name).node for v in said[GraphKeys.TRAINABLE_VARIABLES]}
    run = run_import(graph, message.graph_def, prefix, {}, trains)
    for key, rows in said.items():
        for row in rows:
            variable = run.variables.get(ref_of(row.variable_name).node)
            if variable is None:
                raise NotFoundError(f"no node makes the Variable {row.variable_name!r:.80}")
            graph.add_to_collection(key, variable)
            starts = run.nodes_made.get(ref_of(row.initializer_name).node)
            if starts is not None and not starts.missing:
                variable.initializer = starts.operation
            first = run.nodes_made.get(ref_of(row.initial_value_name).node)
            if first is not None and not first.missing:
                variable.initial_value = first.tensor(0, row.initial_value_name)
    for key, kept in sorted(message.collection_def.items()):
        for name in kept.node_list.value:
            made = run.nodes_made.get(ref_of(name).node)
            if made is None or made.missing:
                continue
            number = ref_of(name).number
            found = made.tensor(number, prefix + name) if ":" in name else made.operation
            graph.add_to_collection(key, found)


__all__ = ["import_meta", "import_meta_graph", "read_meta_graph"]
