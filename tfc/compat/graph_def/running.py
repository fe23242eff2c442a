"""What nodes give: by the table of `tf.raw_ops`, or by a handler of an op that is no function of
tensors."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.variable import Variable
from tfc.saved_model.traces import appended, verified

from ..graphs.nodes import ATTRIBUTE
from ..raw import entries, function_of
from .attributes import damaged, unimplemented
from .bodies import Body, Library, Node, Ref
from .sides import note_sides

Values = list[Any]
Handler = Callable[["Run", Node, Values], Values]

# Which inputs of an op are lists, and the attribute that says how long: a number, or the dtypes.
_LISTS = {
    "AccumulateNV2": {"inputs": "N"},
    "AddN": {"inputs": "N"},
    "Assert": {"data": "T"},
    "Concat": {"values": "N"},
    "ConcatOffset": {"shape": "N"},
    "ConcatV2": {"values": "N"},
    "DecodeCSV": {"record_defaults": "OUT_TYPE"},
    "DynamicStitch": {"indices": "N", "data": "N"},
    "Einsum": {"inputs": "N"},
    "IdentityN": {"input": "T"},
    "Pack": {"values": "N"},
    "ParallelConcat": {"values": "N"},
    "ParallelDynamicStitch": {"indices": "N", "data": "N"},
    "RaggedGather": {"params_nested_splits": "PARAMS_RAGGED_RANK"},
    "RaggedTensorToSparse": {"rt_nested_splits": "RAGGED_RANK"},
    "ShapeN": {"input": "N"},
    "SparseConcat": {"indices": "N", "values": "N", "shapes": "N"},
    "StringFormat": {"inputs": "T"},
    "StringJoin": {"inputs": "N"},
}
# Attributes that `tf.raw_ops` calls otherwise.
_RENAMED = {("Squeeze", "squeeze_dims"): "axis"}
# Ops of files: a graph may come from anybody.
_REFUSED = frozenset({"MatchingFiles", "ReadFile", "WriteFile"})
_DEEPEST = 200  # functions that call functions

HANDLERS: dict[str, Handler] = {}


def handles(*ops: str) -> Callable[[Handler], Handler]:
    """Let a function say what nodes of these ops give."""

    def register(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(ops, handler))
        return handler

    return register


def is_known(op: str) -> bool:
    """Whether nodes of an op can run."""
    return op in HANDLERS or (op in entries() and op not in _REFUSED)


class Run:
    """One run through a body: what its nodes give.

    Args:
        library: The functions that nodes call.
        body: The nodes.
        given: What nodes give, or arguments are, that do not run.
        outer: The run that calls it.
    """

    def __init__(
        self,
        library: Library,
        body: Body,
        given: dict[str, Values] | None = None,
        outer: Run | None = None,
    ) -> None:
        self.library, self.body = library, body
        self.values: dict[str, Values] = dict(given or {})
        self.given: dict[Ref, Any] = {}  # single results that come from elsewhere
        self.sides: dict[str, dict[Any, Any]] = {}  # see sides.py
        self.seeds: dict[int, Any] = {}  # by id of keys: what they follow from; of the outermost
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.host: Run = self if outer is None else outer.host
        if self.depth > _DEEPEST:
            raise damaged("its functions call each other without end")

    # What a graph that is imported does otherwise: see importing.py.

    def variable(self, node: Node) -> Any:
        """The Variable of a node."""
        raise unimplemented(f"the function makes a Variable, by the node {node.name} ({node.op})")

    def placeholder(self, node: Node) -> Any:
        """The tensor that a node stands for, which nobody has given."""
        raise tf.errors.InvalidArgumentError(
            None,
            None,
            f"You must feed a value for placeholder tensor '{node.name}' with dtype "
            f"{node['dtype'].name}",
        )

    def defaulting(self, node: Node, default: Any) -> Any:
        """The tensor that a node stands for, where nobody has given another one."""
        return default

    def behind(self, controls: Sequence[str]) -> AbstractContextManager[Any]:
        """A context in which ops run behind those of nodes. Functions run theirs in their order."""
        return nullcontext()

    def done(self, node: Node, values: Values) -> Values:
        """Take what a node gives."""
        return values

    # Running.

    def call(self, name: str, arguments: Values) -> Values:
        """What a function of the library gives."""
        body = self.library.body(name)
        if len(body.arguments) != len(arguments):
            raise damaged(
                f"the function {name!r:.80} takes {len(body.arguments)} arguments, and is given "
                f"{len(arguments)}"
            )
        given = {n: [x] for n, x in zip(body.arguments, arguments, strict=True)}
        run = Run(self.library, body, given, self)
        run.nodes([*(ref.node for ref in body.results), *body.effects])
        return [run.result(ref) for ref in body.results]

    def nodes(self, wanted: Sequence[str]) -> None:
        """Run what these nodes need, and these."""
        for node in self.body.order([n for n in wanted if n not in self.values]):
            if node.name in self.values:
                continue
            inputs = [self.result(ref) for ref in node.inputs]
            if self.body.switches:
                note_sides(self, node)
            with self.behind(node.controls):
                self.values[node.name] = self.done(node, self._run(node, inputs))

    def result(self, ref: Ref) -> Any:
        """A result of a node that has run."""
        if ref in self.given:
            return self.given[ref]
        values, number = self.values[ref.node], ref.number
        if ref.output:
            node = self.body.nodes.get(ref.node)
            entry = entries().get(node.op) if node is not None else None
            names = OUTPUTS.get(node.op, ()) if node is not None else ()
            if entry is not None and entry.results:
                names = entry.results
            offsets = OFFSETS.get(node.op) if node is not None else None
            if offsets is not None and node is not None:
                number += offsets(node).get(ref.output, 0)
            elif ref.output in names:
                number += list(names).index(ref.output)
        if number >= len(values):
            raise damaged(f"the node {ref.node!r:.80} has no result {number}")
        return values[number]

    def _run(self, node: Node, inputs: Values) -> Values:
        handler = HANDLERS.get(node.op)
        try:
            if ATTRIBUTE in node.message.attr:
                return _of_ir(node, inputs)
            if handler is not None:
                return handler(self, node, inputs)
            if node.op in self.library:
                return self.call(node.op, inputs)
            return _computed(node, inputs)
        except (TypeError, ValueError, tf.errors.OpError) as error:
            if not getattr(error, "__notes__", None):
                error.add_note(f"(by the node {node.name} of the graph, a {node.op})")
            raise
        except (LookupError, AttributeError) as error:
            raise damaged(f"the node {node.name!r:.80} ({node.op}): {error}") from error


# Of ops that give several lists, where each begins.
OFFSETS: dict[str, Callable[[Node], dict[str, int]]] = {}
# Names of the results of ops with handlers, where there are several.
OUTPUTS: dict[str, Sequence[str]] = {
    "LookupTableExportV2": ("keys", "values"),
    "Merge": ("output", "value_index"),
    "StatelessRandomGetKeyCounter": ("key", "counter"),
    "Switch": ("output_false", "output_true"),
    "TensorListConcatV2": ("tensor", "lengths"),
}


def _computed(node: Node, inputs: Values) -> Values:
    """What a function of the table gives."""
    if not is_known(node.op):
        raise unimplemented(f"the graph has an op that tfc does not have: {node.op}")
    function = function_of(node.op)
    arguments: dict[str, Any] = {}
    lists, left = _LISTS.get(node.op, {}), list(inputs)
    names = [name for name in inspect.signature(function).parameters if name != "name"]
    for name in names:
        if not left and name not in lists:
            break
        if name in lists:
            said = node[lists[name]]
            count = said if isinstance(said, int) else len(said)
            if not 0 <= count <= len(left):
                raise damaged(f"the node {node.name!r:.80} has {len(left)} inputs for {count}")
            arguments[name], left = left[:count], left[count:]
        else:
            arguments[name] = left.pop(0)
    if left:
        raise damaged(f"the node {node.name!r:.80} ({node.op}) has {len(inputs)} inputs")
    for given in node.message.attr:
        name = _RENAMED.get((node.op, given), given)
        if name in names and name not in arguments:
            arguments[name] = node[given]
    try:
        found = function(**arguments)
    except TypeError as error:
        if "missing" in str(error) and "required" in str(error):
            raise damaged(f"the node {node.name!r:.80} ({node.op}): {error}") from None
        raise
    if found is None:
        return []
    return [found] if isinstance(found, Tensor | Variable) else list(found)


def _of_ir(node: Node, inputs: Values) -> Values:
    """What a node gives that is an op of the IR."""
    function = verified(f"the node {node.name}", node.message.attr[ATTRIBUTE].s)
    if len(function.params) != len(inputs):
        raise damaged(f"the node {node.name!r:.80} has {len(inputs)} inputs")
    for x, param in zip(inputs, function.params, strict=True):
        if not isinstance(x, Tensor | Variable) or x.dtype is not param.dtype:
            raise damaged(f"the node {node.name!r:.80} takes {param.type}, and is given {x!r:.80}")
    return list(appended(function, inputs, (), node.name))


# Nodes that are there already, or that stand for something.


@handles("Const", "HostConst")
def _constant(run: Run, node: Node, inputs: Values) -> Values:
    return [node["value"]]


@handles("Placeholder", "PlaceholderV2")
def _placeholder(run: Run, node: Node, inputs: Values) -> Values:
    return [run.placeholder(node)]


@handles("PlaceholderWithDefault")
def _placeholder_with_default(run: Run, node: Node, inputs: Values) -> Values:
    return [run.defaulting(node, inputs[0])]


@handles("Identity", "RefIdentity", "StopGradient")
def _identity(run: Run, node: Node, inputs: Values) -> Values:
    (x,) = inputs
    if not isinstance(x, Tensor | Variable):
        return [x]
    if node.op == "StopGradient":
        return [tf.stop_gradient(x)]
    return [tf.compat.v1.identity(x)]


@handles("IdentityN")
def _identities(run: Run, node: Node, inputs: Values) -> Values:
    return [tf.compat.v1.identity(x) if isinstance(x, Tensor | Variable) else x for x in inputs]


@handles("NoOp", "ControlTrigger")
def _nothing(run: Run, node: Node, inputs: Values) -> Values:
    return []


__all__ = ["HANDLERS", "OFFSETS", "OUTPUTS", "Run", "Values", "handles", "is_known"]
