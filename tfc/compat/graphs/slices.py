"""From fetches and feeds to a function of the IR: what of a graph a session runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfc.core import errors
from tfc.core.variable import Variable
from tfc.dispatch.tracing import extents_made_equal
from tfc.ir.copying import copy_op, op_symbols
from tfc.ir.core import Builder, Function, Op, Value
from tfc.ir.extent import Expr, Extent, evaluate, substitute, symbols
from tfc.ir.extent import symbol as symbol_of
from tfc.ir.ops import SameExtent
from tfc.ir.types import TensorType

from .graph import Graph, Operation


class Slice:
    """A function of what is fed and captured, which gives what is fetched and what Variables
    become.

    Attributes:
        function: The function of the IR.
        fed: The values that are fed, its first params.
        captured: Tensors and Variables for its other params.
        places: For each fetch, which result it is; None for an operation.
        assigned: The Variables that the last results are for.
    """

    def __init__(self, graph: Graph, fetches: Sequence[Any], feeds: Sequence[Value]) -> None:
        self.graph = graph
        self.fed = list(feeds)
        trace = graph.trace
        self._names: dict[str, Extent] = extents_made_equal(trace.builder.equal)
        captures = {value: x for x, value in trace.captures.values()}
        self._closed(fetches, captures)
        body = self._body()
        b = Builder("session")
        env: dict[Value, Value] = {}
        for v in (*self.fed, *self._inputs):
            shape = tuple(substitute(e, self._names) for e in v.shape)
            env[v] = b.parameter(TensorType(v.dtype, shape), v.name)
        cut = {v: env[v] for v in self.fed}
        for op in body:
            copy_op(op, b, env, self._names)
            env.update(cut)
        self.captured = [captures[v] for v in self._inputs]
        last = self._effects(b, env)
        returns = list(dict.fromkeys(env[f] for f in fetches if isinstance(f, Value)))
        where = {v: i for i, v in enumerate(returns)}
        self.places = [where[env[f]] if isinstance(f, Value) else None for f in fetches]
        self.assigned = [variable for variable, _ in last.values()]
        results = (*returns, *(value for _, value in last.values()))
        self.function = Function("session", tuple(b.params), tuple(b.body), results)
        self.count = len(returns)
        known = {s for v in self.fed for e in v.shape for s in symbols(e)}
        found = trace.builder.requirements
        self._required = [e for e in found if {*symbols(e)} and known.issuperset(symbols(e))]

    def _closed(self, fetches: Sequence[Any], captures: Mapping[Value, Any]) -> None:
        """Find what the fetches need: ops, operations, captured values."""
        graph, fed = self.graph, {id(v) for v in self.fed}
        binding = {str(s): op for op in graph.trace.builder.body for _, s in op.binds()}
        self._ops: dict[int, Op] = {}
        self._operations: dict[int, Operation] = {}
        self._inputs: list[Value] = []
        pending, seen = list(fetches), set()
        while pending:
            x = pending.pop()
            if id(x) in seen:
                continue
            seen.add(id(x))
            if isinstance(x, Operation):
                if x.assigns is not None:
                    self._operations[x.number] = x
                pending += [*x.values, *x.after]
            elif isinstance(x, Op):
                self._ops[id(x)] = x
                pending += [
                    *x.operands,
                    *graph.attached.get(id(x), ()),
                    *graph.waits.get(id(x), ()),
                ]
                for symbol in op_symbols(x):
                    used = symbols(self._names.get(symbol, symbol_of(symbol)))
                    pending += [binding[str(s)] for s in used if str(s) in binding]
            elif id(x) in fed:
                continue
            elif x.op is not None:
                pending.append(x.op)
            elif x in captures:
                self._inputs.append(x)
            else:
                raise unfed(x)
        self._check_symbols()

    def _check_symbols(self) -> None:
        """An error for a size that is needed of what is not fed."""
        shapes = [substitute(e, self._names) for v in (*self.fed, *self._inputs) for e in v.shape]
        bound = {str(e) for e in shapes}
        bound.update(str(s) for op in self._ops.values() for _, s in op.binds())
        for op in self._ops.values():
            for symbol in op_symbols(op):
                extent = self._names.get(symbol, symbol_of(symbol))
                for needed in symbols(extent):
                    if str(needed) not in bound:
                        raise unfed(self._owner(str(needed)))

    def _owner(self, symbol: str) -> Value:
        for v in self.graph.placeholders:
            if any(symbol == str(substitute(e, self._names)) for e in v.shape):
                return v
        raise errors.InternalError(f"nothing has the extent {symbol}", op="Session")

    def _body(self) -> list[Op]:
        """The ops in the order in which they were made, and what compares extents that they use."""
        used = {s for op in self._ops.values() for s in op_symbols(op)}
        return [
            op
            for op in self.graph.trace.builder.body
            if id(op) in self._ops
            or (isinstance(op, SameExtent) and used.issuperset(op_symbols(op)))
        ]

    def _effects(self, b: Builder, env: dict[Value, Value]) -> dict[int, tuple[Variable, Value]]:
        """What each Variable is in the end. Of several operations that add to one Variable, each
        adds to what the one before it left."""
        last: dict[int, tuple[Variable, Value]] = {}
        for number in sorted(self._operations):
            operation = self._operations[number]
            assert operation.assigns is not None
            variable, value = operation.assigns
            before = operation.before
            if id(variable) in last and before is not None and value.op is not None:
                own = dict(env)
                own[before] = last[id(variable)][1]
                made = value.op.operands[0].op  # the sum that the assignment copies
                if made is not None and before in made.operands:
                    copy_op(made, b, own, self._names)
                    copy_op(value.op, b, own, self._names)
                    env[value] = own[value]
            last[id(variable)] = variable, env[value]
        return last

    def check(self, arrays: Sequence[Any]) -> None:
        """Check what the sizes of what is fed must fulfil."""
        if not self._required:
            return
        sizes: dict[str, int] = {}
        for v, array in zip(self.fed, arrays, strict=True):
            for extent, size in zip(v.shape, array.shape, strict=True):
                if isinstance(extent, Expr) and str(extent).isidentifier():
                    sizes[str(extent)] = size
        for extent in self._required:
            if all(str(s) in sizes for s in symbols(extent)) and evaluate(extent, sizes) < 0:
                raise errors.InvalidArgumentError(
                    f"the sizes of what is fed do not fit: {extent} is negative", op="Session.run"
                )


def unfed(value: Value) -> errors.OpError:
    """What is raised where a placeholder would be needed."""
    shape = ",".join(str(e) if isinstance(e, int) else "?" for e in value.shape)
    return errors.InvalidArgumentError(
        f"You must feed a value for placeholder tensor '{value.name}' with dtype "
        f"{value.dtype.name} and shape [{shape}]",
        op="Session.run",
    )


__all__ = ["Slice"]
