"""Nodes, the order in which they run, and the functions of a library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from tfc.records.graph import FunctionDef, GraphDef, NodeDef

from .attributes import damaged, unimplemented, value_of


class Ref(NamedTuple):
    """A result of a node: its number, behind the name that the op gives it inside of functions.
    Number -1: that the node has run."""

    node: str
    number: int
    output: str = ""


def ref_of(text: str) -> Ref:
    """What an input says: `x`, `x:1`, in functions `x:y:1`, and `^x`."""
    if text.startswith("^"):
        return Ref(text[1:], -1)
    name, *rest = text.split(":")
    number = rest.pop() if rest else "0"
    if len(rest) > 1 or not number.isdecimal() or len(number) > 9:
        raise damaged(f"no name of a tensor: {text!r:.80}")
    return Ref(name, int(number), *rest)


class Node:
    """A node of a graph: its name, its op, what it takes, what it comes behind."""

    def __init__(self, message: NodeDef) -> None:
        self.message = message
        self.name, self.op = message.name, message.op
        refs = [ref_of(text) for text in message.input]
        self.inputs = [ref for ref in refs if ref.number >= 0]
        self.controls = [ref.node for ref in refs if ref.number < 0]
        self._values: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """The value of an attribute.

        Raises:
            DataLossError: If it is not there.
        """
        if name not in self._values:
            attribute = self.message.attr.get(name)
            if attribute is None:
                raise damaged(f"the node {self.name} ({self.op}) has no attribute {name}")
            self._values[name] = value_of(attribute)
        return self._values[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The value of an attribute, or another."""
        return self[name] if name in self.message.attr else default

    @cached_property
    def functions(self) -> list[str]:
        """The names of the functions that it calls."""
        found = []
        for attribute in self.message.attr.values():
            kind = attribute.WhichOneof("value")
            if kind == "func":
                found.append(attribute.func.name)
            elif kind == "list":
                found += [f.name for f in attribute.list.func]
        return found


class Body:
    """The nodes of a graph, or of a function: then with the names of its arguments, and with the
    tensors that are its results."""

    def __init__(
        self,
        nodes: Iterable[NodeDef],
        arguments: Sequence[str] = (),
        results: Sequence[str] = (),
        effects: Sequence[str] = (),
    ) -> None:
        self.nodes: dict[str, Node] = {}
        self.arguments = list(arguments)
        for message in nodes:
            if "_tfc_inside" in message.attr:
                continue  # it shows what stands in a branch or a loop: see graphs/nodes.py
            if message.name in self.nodes or message.name in arguments:
                raise damaged(f"Node '{message.name}' is not unique")
            self.nodes[message.name] = Node(message)
        self.switches = any(n.op in ("Switch", "RefSwitch") for n in self.nodes.values())
        self.results = [ref_of(text) for text in results]
        self.effects = list(effects)
        self._orders: dict[Any, list[Node]] = {}

    def order(self, wanted: Sequence[str]) -> list[Node]:
        """The nodes that these need, each behind what it needs.

        Raises:
            DataLossError: If one is not there, or nodes wait for each other.
            UnimplementedError: If they do because they are a loop of TensorFlow 1's.
        """
        key = tuple(wanted)
        if key not in self._orders:
            self._orders[key] = list(self._ordered(wanted))
        return self._orders[key]

    def _ordered(self, wanted: Sequence[str]) -> Iterator[Node]:
        done: dict[str, bool] = dict.fromkeys(self.arguments, True)  # False: it is being looked at
        left: list[tuple[str, bool]] = [(name, False) for name in reversed(wanted)]
        while left:
            name, ready = left.pop()
            if ready:
                done[name] = True
                yield self.nodes[name]
                continue
            if name in done:
                if not done[name]:
                    self._loop(name)
                continue
            node = self.nodes.get(name)
            if node is None:
                raise damaged(f"there is no node {name!r:.80}")
            done[name] = False
            left.append((name, True))
            needed = [*(ref.node for ref in node.inputs), *node.controls]
            left += [(n, False) for n in reversed(needed) if not done.get(n, False)]

    def _loop(self, name: str) -> None:
        if any(node.op in ("NextIteration", "RefNextIteration") for node in self.nodes.values()):
            raise unimplemented(
                "the graph has a loop of TensorFlow 1's (NextIteration), which tfc does not read: "
                "freeze the graph with lower_control_flow=False, or save the model from TensorFlow "
                "2, where loops are While nodes"
            )
        raise damaged(f"the node {name!r} waits for itself")


class Library:
    """The functions of a graph, by name."""

    def __init__(self, messages: Iterable[FunctionDef]) -> None:
        self._messages = {message.signature.name: message for message in messages}
        self._bodies: dict[str, Body] = {}
        self.files: set[bytes] = set()  # that nodes may read: what lies beside a model

    def __contains__(self, name: object) -> bool:
        return name in self._messages

    def body(self, name: str) -> Body:
        """The nodes of a function.

        Raises:
            DataLossError: If there is no such function.
        """
        if name not in self._bodies:
            message = self._messages.get(name)
            if message is None:
                raise damaged(f"there is no function {name!r:.80}")
            results = {pair.key: pair.value for pair in message.ret}
            missing = [a.name for a in message.signature.output_arg if a.name not in results]
            if missing:
                raise damaged(f"the function {name!r:.80} has no result {missing[0]!r:.80}")
            self._bodies[name] = Body(
                message.node_def,
                [a.name for a in message.signature.input_arg],
                [results[a.name] for a in message.signature.output_arg],
                [pair.value for pair in message.control_ret],
            )
        return self._bodies[name]

    def check(self, body: Body, wanted: Sequence[str], known: Callable[[str], bool]) -> None:
        """See to it that all ops are known that run for these nodes, in called functions too.

        Raises:
            UnimplementedError: If not; it names all.
        """
        missing: dict[str, list[str]] = {}
        seen: set[str] = set()
        left = [(body, list(wanted), "")]
        while left:
            here, targets, called = left.pop()
            for node in here.order(targets):
                direct = [node.op] if node.op in self else []
                made_here = "_tfc_ir" in node.message.attr  # see graphs/nodes.py
                if not (direct or made_here or known(node.op)):
                    missing.setdefault(node.op, []).append(called + node.name)
                for name in [*node.functions, *direct]:
                    if name not in seen and name in self:
                        seen.add(name)
                        inner = self.body(name)
                        needed = [ref.node for ref in inner.results] + inner.effects
                        left.append((inner, needed, f"{name}/"))
        if missing:
            rows = [
                f"{op} (node {', '.join(nodes[:2])}{', ...' if len(nodes) > 2 else ''})"
                for op, nodes in sorted(missing.items())
            ]
            raise unimplemented(f"the graph has ops that tfc does not have: {', '.join(rows)}")


def library_of(graph: GraphDef) -> Library:
    """The functions of a graph."""
    return Library(graph.library.function)


__all__ = ["Body", "Library", "Node", "Ref", "library_of", "ref_of"]
