"""The default graph, where no other is entered, and programs that have no eager execution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.core.context import context
from tfc.core.shapes import TensorShape

from .graph import Graph
from .trace import current_graph

_graphs: list[Any] = []  # what is left where there is no other: a Graph, and its scope if entered


def get_default_graph() -> Graph:
    """The graph that ops are appended to, or would be if they did not run at once."""
    found = current_graph()
    if found is not None:
        return found
    if not _graphs:
        _graphs.append(Graph())
    graph: Graph = _graphs[-1]
    return graph


class _Process:
    """Whether graphs were chosen for the process, and the scope of the one that is the default."""

    scope: Any = None


def disable_eager_execution() -> None:
    """From here on ops are appended to the default graph. Other threads have none until they
    enter one."""
    if _Process.scope is None:
        reset_default_graph(True)


def reset_default_graph(always: bool = False) -> None:
    """Let a new graph be the default one.

    Raises:
        AssertionError: Inside of another graph's context.
    """
    if _Process.scope is None and not always:
        _graphs.clear()
        return
    if _Process.scope is not None:
        if current_graph() is not _graphs[-1]:
            raise AssertionError("Do not use tf.reset_default_graph() to clear nested graphs.")
        _Process.scope.__exit__(None, None, None)
    _graphs[:] = [Graph()]
    _Process.scope = _graphs[-1].as_default()
    _Process.scope.__enter__()


def enable_eager_execution() -> None:
    """Undo `disable_eager_execution`, and what came with it."""
    TensorShape.of_dimensions = False
    if _Process.scope is not None:
        _Process.scope.__exit__(None, None, None)
        _Process.scope = None
        _graphs.clear()


def in_graph(make: Callable[[Graph], Any], eagerly: Callable[[], Any]) -> Any:
    """`make(graph)` where ops are appended to one, else `eagerly()`: also in what control flow or
    a function of a graph runs, which is in the order of the program."""
    graph = current_graph()
    return eagerly() if graph is None or context.trace is not graph.trace else make(graph)


__all__ = [
    "disable_eager_execution",
    "enable_eager_execution",
    "get_default_graph",
    "in_graph",
    "reset_default_graph",
]
