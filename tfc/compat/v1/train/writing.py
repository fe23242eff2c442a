"""`tfc.compat.v1.train.write_graph`."""

from __future__ import annotations

import os
from typing import Any

from tfc.core import blame
from tfc.core.formatting import shown
from tfc.records.graph import GraphDef

from ...graphs.graph import Graph


def write_graph(graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True) -> str:
    """Write a graph to the file `name`, which TensorBoard shows and `tf.import_graph_def` reads.

    Args:
        graph_or_graph_def: A Graph, or a GraphDef.
        logdir: The folder, which is made if it is not there.
        as_text: Whether it is text, or else bytes.

    Returns:
        The path.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant(1.0, name="x")
    >>> path = tf.train.write_graph(graph, tempfile.mkdtemp(), "graph.pbtxt")
    >>> os.path.basename(path)
    'graph.pbtxt'
    """
    given = graph_or_graph_def
    if not isinstance(given, GraphDef | Graph):
        raise blame.type_error(f"needs a Graph or a GraphDef, got {shown(given)}", "write_graph")
    found = given if isinstance(given, GraphDef) else given.as_graph_def()
    os.makedirs(logdir, exist_ok=True)
    path = os.path.join(logdir, name)
    with open(path, "wb") as file:
        file.write(str(found).encode() if as_text else found.SerializeToString())
    return path


__all__ = ["write_graph"]
