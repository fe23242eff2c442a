"""Tensors of graphs whose ranks nobody has said: placeholders without a shape, and what is computed
from them.

A graph is a trace, and a trace knows ranks. So a call of a public function with such a tensor is
kept (see kept_calls.py), and done again, with ranked tensors, for each set of ranks that a session
is fed: a `World`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfc.core import blame, errors
from tfc.core.context import active
from tfc.core.shapes import TensorShape
from tfc.core.tensor import SymbolicTensor
from tfc.ir.copying import copy_op, op_symbols
from tfc.ir.core import Op, Value
from tfc.ir.dtypes import DType
from tfc.ir.extent import Expr, Extent, fresh_symbol
from tfc.ir.types import TensorType

Graph = Any  # that of graph.py, which stands above

RANKS = range(6)  # that calls are tried with: convolutions of volumes have 5 axes


class Kept:
    """A call that is done again in each world.

    Attributes:
        make: Gives the leaves of its result in a world.
    """

    def __init__(self, graph: Graph, make: Callable[[World], Sequence[Any]]) -> None:
        self.make = make
        self.dependencies = graph.dependencies
        # Behind an assignment, Variables mean other values than in the rest of the graph.
        self.meant = dict(graph.trace._variables) if graph.dependencies else None


class Unfed(errors.InvalidArgumentError):
    """Raised where a tensor is needed that is not fed."""


class UnrankedTensor(SymbolicTensor):
    """A tensor of a graph of which a session has to say the rank, or of which the shape depends on
    such ranks.

    Attributes:
        graph: The graph.
        call: The kept call that gives it; None for what is fed.
        place: Which leaf of the call's result it is.
        group: Tensors of one group have ranks that depend on each other: see `trials`.
    """

    __slots__ = ("_dtype", "_known", "_name", "_stated", "call", "graph", "group", "place")

    # What operators of other classes do with it, it says itself.
    _takes_operators = True

    def __init__(
        self, graph: Graph, dtype: DType, name: str, call: Kept | None = None, place: int = 0
    ) -> None:
        self._trace, self._extents = graph.trace, None
        self._known: Value | None = None
        self.graph, self._dtype, self._name = graph, dtype, name
        self.call, self.place = call, place
        self.group: Any = self
        self._stated = TensorShape(None)

    @property
    def _value(self) -> Value:
        if self._known is None:
            if self._stated.rank is None:
                raise blame.value_error(
                    f"the rank of {self.name} is not known before a session is fed, and this needs "
                    "to know it. Say what it is: tf.placeholder(dtype, [None, 3]), or x.set_shape("
                    "[None, 3])",
                    "placeholder",
                )
            self._known = self.ranked(self._stated)
        return self._known

    @_value.setter
    def _value(self, value: Value) -> None:
        self._known = value

    @property
    def is_open(self) -> bool:
        """Whether calls with it are kept: nothing has needed its rank so far."""
        return self._known is None

    @property
    def shape(self) -> TensorShape:
        return self._stated if self._known is None else super().shape

    @property
    def ndim(self) -> int:
        return self._value.rank

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def name(self) -> str:
        return f"{self._name}:0"

    @property
    def op(self) -> Any:
        """What makes it, as an operation of its name."""
        return self.graph.operation_of(self)

    def set_shape(self, shape: Any) -> None:
        if self._known is None:
            self._stated = self._stated.merge_with(TensorShape(shape))
        else:
            super().set_shape(shape)

    def ranked(self, shape: Any) -> Value:
        """What stands in the graph for it with this shape, of a known rank."""
        extents = TensorShape(shape).as_list()
        type_ = TensorType(self._dtype, tuple(fresh_symbol() if e is None else e for e in extents))
        value = Value(type_, None, 0, self._name)
        self.graph.deferred[value] = self
        return value

    def trials(self) -> list[list[int | None]]:
        """The shapes that calls with it are tried with. What may be a shape itself is tried with
        several lengths."""
        if self._stated.rank is None:
            return [[None] * rank for rank in RANKS]
        stated = self._stated.as_list()
        if stated == [None] and self._dtype.is_integer:
            return [[n] for n in RANKS]
        return [stated]

    def fed_with(self, shape: Sequence[int]) -> tuple[int | None, ...]:
        """The shape that what stands for it has where a value of this shape is fed."""
        return (None,) * len(shape)

    def unfed(self) -> Unfed:
        """What is raised where it is needed, and not fed."""
        return Unfed(
            f"You must feed a value for placeholder tensor '{self._name}' with dtype "
            f"{self.dtype.name}",
            op="Session.run",
        )

    def __repr__(self) -> str:
        if self._known is not None:
            return super().__repr__()
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self._dtype.name}>"

    def __str__(self) -> str:
        if self._known is not None or self._stated.rank is not None:
            shape = f", shape={self.shape}"
        else:
            shape = ""
        return f'Tensor("{self.name}"{shape}, dtype={self._dtype.name})'

    __hash__ = SymbolicTensor.__hash__


class PartOfSparse(UnrankedTensor):
    """The places or the extents of a sparse tensor of unknown rank, which is their last extent."""

    __slots__ = ()

    def trials(self) -> list[list[int | None]]:
        return [[*self._stated.as_list()[:-1], rank] for rank in RANKS[1:]]

    def fed_with(self, shape: Sequence[int]) -> tuple[int | None, ...]:
        return (*self._stated.as_list()[:-1], shape[-1])


class World:
    """What a graph computes for certain ranks of what it is fed.

    Attributes:
        fed: By id of the tensors that are fed: what stands for them, of the ranks fed.
    """

    def __init__(self, graph: Graph, fed: Mapping[int, Value]) -> None:
        self.graph, self.fed = graph, dict(fed)
        self._results: dict[int, Sequence[Any]] = {}  # of kept calls
        self._stand_ins: dict[Value, Value] = {}
        self._values: dict[Value, Value] = {}  # what those are here that depend on open ranks
        self._extents: dict[str, Extent] = {}  # and their symbols

    def tensor(self, x: UnrankedTensor) -> Any:
        """What a tensor of unknown rank is here."""
        if id(x) in self.fed:
            return SymbolicTensor(self.graph.trace, self.fed[id(x)])
        if x.call is None:
            raise x.unfed()
        results = self._results.get(id(x.call))
        if results is None:
            results = self._results[id(x.call)] = self._done(x.call)
        return results[x.place]

    def _done(self, kept: Kept) -> Sequence[Any]:
        trace, graph = self.graph.trace, self.graph
        now, start = dict(trace._variables), len(trace.builder.body)
        with active(trace=trace, tapes=(), autograph=False):
            if kept.meant is not None:
                trace._variables.update(kept.meant)
            try:
                results = kept.make(self)
            finally:
                if kept.meant is not None:
                    trace._variables = now | {
                        k: v for k, v in trace._variables.items() if k not in now
                    }
        for op in trace.builder.body[start:]:
            graph.waits.setdefault(id(op), kept.dependencies if op.operands else ())
        return results

    def value(self, x: UnrankedTensor) -> Value:
        """The value that a tensor of unknown rank is here."""
        return self.graph.trace.value_of(self.tensor(x))

    def stand_in(self, param: Value) -> Value:
        """The value that is taken for one that stands for a tensor of unknown rank."""
        if param in self._stand_ins:
            return self._stand_ins[param]
        tensor = self.graph.deferred[param]
        value = self.value(tensor)
        if value.rank != param.rank:
            raise errors.InvalidArgumentError(
                f"{tensor.name} has rank {value.rank} for what is fed, and {param.rank} was "
                "expected",
                op="Session.run",
            )
        known = tuple(e if isinstance(e, int) else None for e in param.shape)
        self._stand_ins[param] = self.graph.trace.refine(value, known)
        return self._stand_ins[param]

    def resolved(self, x: Any) -> Any:
        """A tensor as it is here, made without values that stand for others."""
        if isinstance(x, UnrankedTensor) and x.is_open:
            x = self.tensor(x)
        if not isinstance(x, SymbolicTensor):
            return x
        return SymbolicTensor(self.graph.trace, self._resolve(x._value))

    def _resolve(self, value: Value) -> Value:
        env, builder = self._values, self.graph.trace.builder
        binding = {str(s): op for op in builder.body for _, s in op.binds()}
        pending: list[Value | Op] = [value]
        done: set[int] = set()  # ops that only bind extents
        while pending:
            x = pending[-1]
            if isinstance(x, Value):
                if x in env:
                    pending.pop()
                elif x in self.graph.deferred:
                    real = self.stand_in(x)
                    if real in env:
                        env[x] = env[real]
                        for mine, theirs in zip(x.shape, env[x].shape, strict=True):
                            if isinstance(mine, Expr):
                                self._extents[str(mine)] = theirs
                    else:
                        pending.append(real)
                elif x.op is None:
                    env[x] = x
                else:
                    pending.append(x.op)
                continue
            symbols = op_symbols(x)
            binders = [binding[s] for s in symbols if s in binding and binding[s] is not x]
            missing: list[Value | Op] = [v for v in x.operands if v not in env]
            missing += [op for op in binders if id(op) not in done]
            if missing:
                pending += missing
                continue
            pending.pop()
            done.add(id(x))
            if all(r in env for r in x.results) and x.results:
                continue
            same = all(env[v] is v for v in x.operands)
            if same and self._extents.keys().isdisjoint(symbols):
                env.update((r, r) for r in x.results)
                continue
            for _, s in x.binds():
                self._extents[str(s)] = fresh_symbol()
            copy_op(x, builder, env, self._extents)
        return env[value]


__all__ = ["RANKS", "Graph", "Kept", "PartOfSparse", "Unfed", "UnrankedTensor", "World"]
