"""The object graph of a checkpoint: which objects held its tensors, and by which names one led to
another. TensorFlow's trackable_object_graph.proto, read and written by hand: there are thousands of
objects.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ..core.errors import DataLossError
from . import wire

KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"  # under which a bundle has it


class Attribute(NamedTuple):
    """A tensor of an object."""

    name: str  # as the object knows it
    full_name: str  # of the Variable, for who looks for that
    key: str  # under which the bundle has it


class Slot(NamedTuple):
    """A Variable that an optimizer of Keras 2 holds for another one."""

    original: int
    name: str
    slot: int


@dataclass(slots=True)
class Node:
    """An object: where its names lead, and its tensors."""

    children: list[tuple[str, int]] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    saver: str = ""  # of an object that TensorFlow saves by a function of its own
    holds: bool | None = None  # whether it, or one below, has tensors; None: not said


def encode(nodes: list[Node]) -> bytes:
    """The message. Says of each node what it holds."""
    _mark(nodes)
    parts = []
    for node in nodes:
        fields = []
        for name, child in node.children:
            fields.append(wire.block(1, _number(1, child) + _text(2, name)))
        for a in node.attributes:
            fields.append(wire.block(2, _text(1, a.name) + _text(2, a.full_name) + _text(3, a.key)))
        fields.append(wire.block(5, _number(1, int(bool(node.holds)))))
        parts.append(wire.block(1, b"".join(fields)))
    return b"".join(parts)


def _number(number: int, value: int) -> bytes:
    return wire.tag(number, wire.VARINT) + wire.varint(value) if value else b""


def _text(number: int, value: str) -> bytes:
    return wire.block(number, value.encode()) if value else b""


def _mark(nodes: list[Node]) -> None:
    """Find out which nodes lead to tensors."""
    parents: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes):
        node.holds = bool(node.attributes or node.slots or node.saver)
        for _, child in node.children:
            parents[child].append(number)
    found = [number for number, node in enumerate(nodes) if node.holds]
    while found:
        for parent in parents[found.pop()]:
            if not nodes[parent].holds:
                nodes[parent].holds = True
                found.append(parent)


def decode(data: bytes) -> list[Node]:
    """The nodes of a message; the first is the root.

    Raises:
        DataLossError: If it is none.
    """
    try:
        nodes = [
            _node(value)
            for number, kind, value in wire.fields(memoryview(data))
            if number == 1 and kind == wire.BYTES and not isinstance(value, int)
        ]
    except UnicodeDecodeError as error:
        raise DataLossError(f"the object graph is damaged: {error}") from None
    for node in nodes:
        targets = [child for _, child in node.children]
        targets += [n for slot in node.slots for n in (slot.original, slot.slot)]
        if any(not 0 <= target < len(nodes) for target in targets):
            raise DataLossError("the object graph is damaged: a name leads to no object")
    if not nodes:
        raise DataLossError("the object graph is damaged: it has no object")
    return nodes


def _node(data: memoryview) -> Node:
    node = Node()
    for number, kind, value in wire.fields(data):
        if kind != wire.BYTES or isinstance(value, int):
            continue
        if number == 1:
            numbers, texts = _parts(value)
            node.children.append((texts.get(2, ""), numbers.get(1, 0)))
        elif number == 2:
            _, texts = _parts(value)
            node.attributes.append(Attribute(*(texts.get(i, "") for i in (1, 2, 3))))
        elif number == 3:
            numbers, texts = _parts(value)
            node.slots.append(Slot(numbers.get(1, 0), texts.get(2, ""), numbers.get(3, 0)))
        elif number == 4:
            node.saver = _parts(value)[1].get(1, "")
        elif number == 5:
            node.holds = bool(_parts(value)[0].get(1, 0))
    return node


def _parts(data: memoryview) -> tuple[dict[int, int], dict[int, str]]:
    """The numbers and the strings of a message."""
    numbers: dict[int, int] = {}
    texts: dict[int, str] = {}
    for number, kind, value in wire.fields(data):
        if isinstance(value, int):
            numbers[number] = value
        elif kind == wire.BYTES:
            texts[number] = bytes(value).decode()
    return numbers, texts


def unescaped(name: str) -> str:
    """A name as it was before `escaped`."""
    return re.sub(r"\.(.)", lambda found: "/" if found[1] == "S" else found[1], name)


def escaped(name: str) -> str:
    """A name as a part of a key, in which slashes part names."""
    return name.replace(".", "..").replace("/", ".S")


def key_of(path: str, name: str) -> str:
    """The key of a tensor of the object to which a path leads."""
    return f"{path}/.ATTRIBUTES/{escaped(name)}"
