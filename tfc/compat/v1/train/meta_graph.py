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
from ...graphs.meta_graphs import STARTED as _STARTED
from ...graphs.meta_graphs import VARIABLES as _VARIABLES
from ...graphs.meta_graphs import meta_graph_of
from ...graphs.trace import current_graph
from .saver import Saver

_EAGER = (
    "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph "
    "exists when eager execution is enabled."
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
        raise blame.located(RuntimeError, _EAGER)
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


def import_meta(graph: Graph, message: MetaGraphDef, prefix: str) -> list[str]:
    """Let a graph have the nodes and the collections of a meta graph. Gives the names of the
    operations that run when it is loaded as a saved model."""
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
    started = [
        name
        for key in _STARTED
        if (kept_ := message.collection_def.get(key)) is not None
        for name in kept_.node_list.value
    ]
    init = message.signature_def.get("__saved_model_init_op")
    if init is not None:
        started += [info.name for info in init.outputs.values()]
    return [run.full(ref_of(name).node) for name in started]


def export_meta_graph(
    filename: str | None = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    **unused: Any,
) -> MetaGraphDef:
    """A graph with its collections as a message, which `import_meta_graph` reads.

    Args:
        filename: Where it is written, too.
        meta_info_def: What is told of it.
        graph_def: The nodes; None: those of the graph.
        saver_def: Kept.
        collection_list: The names of the collections; None: all.
        as_text: Whether the file is text.
        graph: The graph; None: the default one.
        export_scope: Refused.
        clear_devices: Not used.

    Returns:
        A MetaGraphDef.

    Raises:
        RuntimeError: Where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     y = tf.multiply(tf.placeholder(tf.float32, [], name="x"), 3.0, name="y")
    ...     message = tf.train.export_meta_graph()
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     saver = tf.train.import_meta_graph(message)
    ...     print(saver, session.run("y:0", {"x:0": 2.0}))
    None 6.0
    """
    found = current_graph() if graph is None else graph
    if found is None:
        raise blame.located(RuntimeError, _EAGER)
    if export_scope:
        raise blame.unimplemented("a part of a graph is not exported", "export_meta_graph")
    message = meta_graph_of(found)
    if graph_def is not None:
        message.graph_def.CopyFrom(graph_def)
    if meta_info_def is not None:
        message.meta_info_def.CopyFrom(meta_info_def)
    if saver_def is not None:
        message.saver_def.CopyFrom(saver_def)
    if collection_list is not None:
        for key in [k for k in message.collection_def if k not in set(collection_list)]:
            del message.collection_def[key]
    if filename is not None:
        data = str(message).encode() if as_text else message.SerializeToString()
        path = Path(os.fsdecode(filename))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return message


__all__ = [
    "export_meta_graph",
    "import_meta",
    "import_meta_graph",
    "read_meta_graph",
]
