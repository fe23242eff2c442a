"""From fetches and feeds to a function of the IR: what of a graph a session runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfc.core import errors
from tfc.core.variable import Variable
from tfc.dispatch.tracing_builder import Learnt, extents_made_equal
from tfc.ir.copying import copy_op, op_symbols
from tfc.ir.core import Builder, Function, Op, Value
from tfc.ir.extent import Expr, Extent, evaluate, substitute, symbols
from tfc.ir.extent import symbol as symbol_of
from tfc.ir.ops import PythonRun, SameExtent
from tfc.ir.types import TensorType

from .graph import Graph, Operation
from .reachable import reachable
from .unranked import UnrankedTensor, World


class Slice:
    """A function of what is fed and captured, which gives what is fetched and what Variables
    become.

    Attributes:
        function: The function of the IR.
        fed: The values that are fed, its first params.
        captured: Tensors and Variables for its other params.
        places: For each fetch, which result it is; None for an operation.
        assigned: The Variables that the next results are for.
        drawn: The states of random generators that those behind them are for.
    """

    def __init__(
        self, graph: Graph, fetches: Sequence[Any], feeds: Sequence[Value], world: World
    ) -> None:
        """`world` says what tensors are whose ranks nobody has said."""
        self.graph = graph
        self._world = world
        opened = [world.value(x) if isinstance(x, UnrankedTensor) else x for x in fetches]
        fetches = opened
        self.fed = list(feeds)
        trace = graph.trace
        self._bound_by: tuple[int, dict[str, Op]] = (-1, {})
        self._close(fetches)
        captures = {value: x for x, value in trace.captures.values()}
        body = self._body()
        b = Builder("session")
        env: dict[Value, Value] = {}
        for v in (*self.fed, *self._inputs):
            shape = tuple(substitute(e, self._names) for e in v.shape)
            env[v] = b.parameter(TensorType(v.dtype, shape), v.name)
        cut = {v: env[v] for v in self.fed}

        def stand_in() -> None:
            for param, value in self._stand_ins.items():
                while value in self._stand_ins:
                    value = self._stand_ins[value]
                if value in env:
                    env[param] = env[value]

        stand_in()
        for op in body:
            copy_op(op, b, env, self._names)
            env.update(cut)
            if self._stand_ins:
                stand_in()
        self.captured = [captures[v] for v in self._inputs]
        last = self._effects(b, env)
        returns = list(dict.fromkeys(env[f] for f in fetches if isinstance(f, Value)))
        where = {v: i for i, v in enumerate(returns)}
        self.places = [where[env[f]] if isinstance(f, Value) else None for f in fetches]
        self.assigned = [variable for variable, _ in last.values()]
        # Calls of Python are made whether their results are asked for or not.
        runs = [env[op.results[0]] for op in body if isinstance(op, PythonRun)]
        states = graph.trace.states
        self.drawn = [x for x in self.captured if id(x) in states]
        behind = (env[states[id(x)][1]] for x in self.drawn)
        results = (*returns, *(value for _, value in last.values()), *behind, *runs)
        self.function = Function("session", tuple(b.params), tuple(b.body), results)
        self.count = len(returns)
        known = {s for v in self.fed for e in v.shape for s in symbols(e)}
        found = dict.fromkeys(x.a for x in self._learnt if x.b is None)
        self._required = [e for e in found if {*symbols(e)} and known.issuperset(symbols(e))]

    def _close(self, fetches: Sequence[Any]) -> None:
        """Find what the fetches need, and what was learnt of extents for it: what other ops of the
        graph need is not asked of what is fed."""
        self._learnt: list[Learnt] = list(self.graph.trace.builder.learnt or ())
        while True:
            self._stand_ins: dict[Value, Value] = {}
            equal = {str(x.a): x.b for x in self._learnt if x.b is not None}
            self._names: dict[str, Extent] = extents_made_equal(equal)
            self._closed(fetches)
            needed = [x for x in self._learnt if self._needs(x)]
            if len(needed) == len(self._learnt):
                return
            self._learnt = needed

    def _needs(self, learnt: Learnt) -> bool:
        """Whether something was learnt for an op that runs: for the first one behind it that has
        one of its symbols."""
        own = {str(s) for e in (learnt.a, learnt.b) if e is not None for s in symbols(e)}
        body = self.graph.trace.builder.body
        for i in range(learnt.position, len(body)):
            op = body[i]
            taken = {str(s) for v in op.operands for e in v.shape for s in symbols(e)}
            if own.intersection(taken) or own.intersection(op_symbols(op)):
                return id(op) in self._ops
        return True

    def _closed(self, fetches: Sequence[Any]) -> None:
        """Find what the fetches need: ops, operations, captured values."""
        graph, fed = self.graph, {id(v) for v in self.fed}
        captures: dict[Value, Any] = {}  # by the values that stand for them
        self._ops: dict[int, Op] = {}
        self._operations: dict[int, Operation] = {}
        self._inputs: list[Value] = []

        def needed(x: Any) -> Sequence[Any]:
            if isinstance(x, Operation):
                if x.assigns is not None:
                    self._operations[x.number] = x
                return x.runs
            if isinstance(x, Op):
                self._ops[id(x)] = x
                attached, waits = graph.attached.get(id(x), ()), graph.waits.get(id(x), ())
                return [*x.operands, *attached, *waits, *self._binders(x)]
            if isinstance(x, UnrankedTensor):
                return [self._world.value(x)]
            if id(x) in fed:
                return ()
            if x in graph.deferred:
                real = self._stand_ins[x] = self._world.stand_in(x)
                self._renamed(x, real)
                return [real]
            if x.op is not None:
                return [x.op]
            if x not in captures and x not in captures_of(graph, captures):
                raise unfed(x)
            self._inputs.append(x)
            state = graph.trace.states.get(id(captures[x]))
            return () if state is None else [state[1]]

        seen: set[int] = set()
        found = reachable(fetches, needed, seen)
        while found and self._stand_ins:  # extents that have other names here
            binders = [op for user in self._ops.values() for op in self._binders(user)]
            found = reachable(binders, needed, seen)
        self._check_symbols()

    def _binders(self, op: Op) -> list[Op]:
        """The ops that bind the symbols of another."""
        body = self.graph.trace.builder.body
        if self._bound_by[0] != len(body):
            found = {str(s): o for o in body for _, s in o.binds()}
            self._bound_by = len(body), found
        binding = self._bound_by[1]
        used = {
            str(s)
            for symbol in op_symbols(op)
            for s in symbols(self._names.get(symbol, symbol_of(symbol)))
        }
        return [binding[s] for s in used if s in binding]

    def _renamed(self, param: Value, value: Value) -> None:
        """Let the symbols of what stands for another value be its extents."""
        for mine, theirs in zip(param.shape, value.shape, strict=True):
            if not isinstance(mine, Expr):
                continue
            known = self._names.get(str(mine), mine)
            name = str(known) if isinstance(known, Expr) else str(mine)
            now = {name: substitute(theirs, self._names)}
            self._names = {k: substitute(e, now) for k, e in self._names.items()} | now

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
        found = [
            op
            for op in self.graph.trace.builder.body
            if id(op) in self._ops
            or (isinstance(op, SameExtent) and used.issuperset(op_symbols(op)))
        ]
        return self._ordered(found) if self._stand_ins else found

    def _ordered(self, body: Sequence[Op]) -> list[Op]:
        """The ops with those that others stand for before what takes these."""
        makers = {id(v): op for op in body for v in op.results}
        chosen = {id(op) for op in body}
        done: set[int] = set()
        found: list[Op] = []
        for first in body:
            pending = [first]
            while pending:
                op = pending[-1]
                needed = self._binders(op)
                for v in op.operands:
                    while v in self._stand_ins:
                        v = self._stand_ins[v]
                    needed += [makers[id(v)]] if id(v) in makers else []
                missing = [o for o in needed if id(o) in chosen - done and o is not op]
                pending += missing
                if not missing:
                    pending.pop()
                    if id(op) not in done:
                        done.add(id(op))
                        found.append(op)
        return found

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


def captures_of(graph: Graph, known: dict[Value, Any]) -> dict[Value, Any]:
    """What the graph captures now, by the values that stand for it."""
    known.update((value, x) for x, value in graph.trace.captures.values())
    return known


def unfed(value: Value) -> errors.OpError:
    """What is raised where a placeholder would be needed."""
    shape = ",".join(str(e) if isinstance(e, int) else "?" for e in value.shape)
    return errors.InvalidArgumentError(
        f"You must feed a value for placeholder tensor '{value.name}' with dtype "
        f"{value.dtype.name} and shape [{shape}]",
        op="Session.run",
    )


__all__ = ["Slice", "unfed"]
