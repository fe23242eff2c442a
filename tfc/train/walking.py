"""The objects that a checkpoint saves: found from a root, the shortest way first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core import objects
from ..core.tensor import SymbolicTensor
from ..records.object_graph import Attribute, Node, encode, escaped, key_of

Extra = Mapping[str, Any]  # what is saved with the root, which does not lead there itself


@dataclass(slots=True)
class Found:
    """An object, and how one gets there."""

    thing: Any
    path: str
    children: list[tuple[str, int]] = field(default_factory=list)


def walk(root: Any, extra: Extra) -> list[Found]:
    """All objects that a root leads to, itself first; their children as places in this list."""
    found = [Found(root, "")]
    places = {id(root): 0}
    queue = deque([0])
    while queue:
        here = found[queue.popleft()]
        names = objects.children(here.thing)
        if here.thing is root:
            names |= extra
        for name, child in names.items():
            place = places.get(id(child))
            if place is None:
                place = places[id(child)] = len(found)
                path = f"{here.path}/{escaped(name)}" if here.path else escaped(name)
                found.append(Found(child, path))
                queue.append(place)
            here.children.append((name, place))
    return found


@dataclass(slots=True)
class Plan:
    """What is to be written: the object graph, and where tensors come from."""

    graph: bytes
    values: list[tuple[str, Any]]  # keys and tensors
    later: list[tuple[Any, dict[str, str]]]  # objects to be asked when writing, their names' keys


def plan(root: Any, extra: Extra, traced: bool) -> Plan:
    """What a checkpoint of these objects is. While a function is traced, the state of Variables is
    that of its runs; what is no tensor of the trace is asked for in each run."""
    nodes: list[Node] = []
    made = Plan(b"", [], [])
    for here in walk(root, extra):
        attributes: list[Attribute] = []
        if objects.has_state(here.thing):
            label = objects.full_name(here.thing)
            keys: dict[str, str] = {}
            for name, value in objects.state(here.thing).items():
                key = key_of(here.path, objects.key_name(here.thing, name))
                known = objects.attribute_of(here.thing, name)
                attribute = Attribute(escaped(known), label, key_of(here.path, known))
                if attribute not in attributes:
                    attributes.append(attribute)
                if traced and not isinstance(value, SymbolicTensor):
                    keys[name] = key
                else:
                    made.values.append((key, value))
            if keys:
                made.later.append((here.thing, keys))
        nodes.append(Node(here.children, attributes))
    made.graph = encode(nodes)
    return made


def with_state(root: Any, extra: Extra) -> Iterator[Any]:
    """The objects that have state of their own."""
    return (here.thing for here in walk(root, extra) if objects.has_state(here.thing))
