"""On which sides of TensorFlow 1's switches nodes stand."""

from __future__ import annotations

from typing import Any

from .bodies import Node


def sides_of(run: Any, node: Node) -> dict[Any, tuple[Any, bool]]:
    """On which sides of which predicates a node stands: by the tensor that is the predicate."""
    known: dict[Any, tuple[Any, bool]] = run.sides.get(node.name) or {}
    return known


def note_sides(run: Any, node: Node) -> None:
    """Note on which sides of predicates a node stands, before it runs."""
    found: dict[Any, tuple[Any, bool]] = {}
    for ref in node.inputs:
        found |= side_of(run, ref.node, ref.number, ref.output)
    for name in node.controls:
        found |= side_of(run, name, -1, "")
    if found:
        run.sides[node.name] = found


def side_of(run: Any, name: str, number: int, output: str) -> dict[Any, tuple[Any, bool]]:
    """On which sides a result of a node stands."""
    found = dict(run.sides.get(name) or {})
    node = run.body.nodes.get(name)
    if node is not None and node.op in ("Switch", "RefSwitch") and number >= 0:
        predicate = node.inputs[1]
        side = output == "output_true" if output else number == 1
        found[_root(run, predicate)] = (run.result(predicate), side)
    return found


def _root(run: Any, ref: Any) -> Any:
    """The tensor that identities of it stand for."""
    while ref.node in run.body.nodes and run.body.nodes[ref.node].op == "Identity":
        ref = run.body.nodes[ref.node].inputs[0]
    return ref.node, ref.number


__all__ = ["note_sides", "side_of", "sides_of"]
