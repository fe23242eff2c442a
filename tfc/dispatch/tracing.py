"""A function being traced: ops are appended, and what comes from outside is noted.

Tensors from outside become further arguments. The first read of a Variable does too; an
assignment changes what the Variable means for the rest of the trace, and its last value becomes
an extra result that the caller stores.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from tfc.ir.copying import renamed
from tfc.ir.core import Builder, Function, Location, Value
from tfc.ir.dtypes import int64, string
from tfc.ir.extent import Expr, Extent, fresh_symbol, substitute, symbols
from tfc.ir.ops import BindExtent, Cast, Constant, CustomGradient, SameExtent
from tfc.ir.types import TensorType

from ..core import above, errors
from ..core.context import active, context, user_location
from ..core.placement import HOST, moved, store
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from .execution import run_function

LITERAL_MAX = 16  # elements; larger tensors from outside are arguments


class Order(Variable):
    """What orders the calls of Python functions in a trace: control flow carries it as it does
    Variables, but it is no state of the program."""

    __slots__ = ()


class Join(NamedTuple):
    """Two extents that are taken to be equal since the op on this line."""

    a: Extent
    b: Extent
    location: Location | None


class TracingBuilder(Builder):
    """A builder that may learn, while tracing, that two unknown extents are the same.

    `requirements` are the extents that must not be negative when it runs, with the lines that they
    come from, and `joins` which extents were taken to be equal, and where. A region of another
    trace (`outer`) adds to those there.
    """

    def __init__(self, name: str, outer: TracingBuilder | None = None) -> None:
        super().__init__(name)
        self.outer = outer
        self.equal: dict[str, Extent] = {}
        self.measured: set[str] = set() if outer is None else outer.measured  # depend on data
        self.requirements: dict[Extent, Location | None] = outer.requirements if outer else {}
        self.joins: list[Join] = outer.joins if outer else []

    def require(self, extent: Extent) -> None:
        """Take `extent` not to be negative; the call checks it."""
        self.requirements.setdefault(extent, self.location or user_location())

    def unify(self, a: Extent, b: Extent) -> bool:
        """Take `a` and `b` to be equal from here on; the call checks it. False if they cannot."""
        self.joins.append(Join(a, b, self.location or user_location()))
        measured = self.measured & {*symbols(a), *symbols(b)}
        if self.outer is None and not measured:
            for x, y in ((b, a), (a, b)):
                if isinstance(x, Expr) and str(x).isidentifier() and str(x) not in symbols(y):
                    self.equal[str(x)] = y
                    return True
        difference = a - b
        if isinstance(difference, int):
            return difference == 0
        if measured:  # not to be known before the call
            self.emit_all(SameExtent(a, b))
            return True
        self.require(difference)
        self.require(-difference)
        return True


def in_trace(function: Any) -> Any:
    """What the user hands to an op, to be called while it is traced: with its control flow
    converted, as that of whatever is called there is."""
    if context.trace is None or not context.autograph:
        return function
    return above.convert(function)


class Trace:
    """One trace. `value_of` gives the IR value that stands for a tensor or Variable."""

    def __init__(self, name: str, outer: Trace | None = None) -> None:
        self.builder: TracingBuilder = TracingBuilder(name, outer.builder if outer else None)
        self.outer = outer
        self.branch: str = (
            outer.branch if outer else ""
        )  # which branch or body, inside of control flow
        self.captures: dict[int, tuple[Any, Value]] = {}  # by id; tensors and Variables
        self._literals: dict[int, tuple[Any, Value]] = {}  # by id: small tensors from outside
        self.watched: dict[int, Any] = {}  # by id: what tapes that were made here watch
        self._variables: dict[int, Value] = {}  # the current values
        self._carried: dict[int, tuple[Variable, Value]] = {}  # what a loop begins a round with
        self._assigned: dict[int, Variable] = {}
        self.limit: Any = None  # of the rounds, which the body of a loop may set
        self.promises: list[tuple[Any, Any]] = []  # its variables, and shapes with what may change
        self.sizes_only = False  # whether loops are traced for the sizes of arrays: see growing.py
        self._states: dict[int, Variable] = {}  # of random generators
        # Once it is finished: see TracingBuilder.
        self.requirements: dict[Extent, Location | None] = {}
        self.creation = True  # whether Variables may be made
        self.created: list[Variable] = []
        self.device: Any = None  # a GPU that `tfc.device` has named

    def place(self, wanted: Any) -> None:
        """Note the device that `tfc.device` names inside: a GPU, one for the whole function."""
        if wanted is None or wanted is HOST:
            return
        root = self.outermost
        if root.device not in (None, wanted):
            raise errors.UnimplementedError(
                f"a function runs on one device: {root.device.name} or {wanted.name}",
                op="device",
                location=user_location(),
            )
        root.device = wanted

    @property
    def outermost(self) -> Trace:
        """The trace that this one is inside of, at last."""
        return self if self.outer is None else self.outer.outermost

    def create(self, variable: Variable) -> None:
        """Note that a Variable is being made, where that is allowed."""
        root = self.outermost
        if not root.creation:
            raise ValueError(
                f"{root.builder.name}: tf.function only supports singleton tf.Variables created on "
                f"the first call, and this call makes another one ({user_location()}). Make it "
                "outside of the function, or once: `if self.v is None: self.v = tf.Variable(...)`."
            )
        root.created.append(variable)

    def parameter(self, type: TensorType, name: str) -> SymbolicTensor:
        """A new argument."""
        if type.dtype is string:
            raise _no_strings(self.outermost.builder.name)
        return SymbolicTensor(self, self.builder.parameter(type, name))

    def value_of(self, x: Any) -> Value:
        if isinstance(x, SymbolicTensor):
            if x._trace is self:
                return x._value
            if not self._encloses(x._trace):
                raise x.out_of_scope()
            return self._capture(x, x._value.type)
        if isinstance(x, Variable):
            found = self._variables.get(id(x))
            if found is None:
                found = self._variables[id(x)] = self._capture(x, _variable_type(x))
            elif id(x) in self._assigned and x.dtype.is_inexact:
                first = self.first_value(x)
                return found if first is None else self._read_again(found, first)
            return found
        array = x._array
        if x.dtype is string:
            raise _no_strings(self.outermost.builder.name)
        if array.size > LITERAL_MAX or self._watched_outside(x):
            return self._capture(x, _type(array))
        if id(x) not in self._literals:
            self._literals[id(x)] = (x, self.builder.emit(Constant(moved(array, None))))
        return self._literals[id(x)][1]

    def first_value(self, variable: Variable) -> Value | None:
        """What a Variable had been before anything here assigned it; None if nothing read it."""
        captured = self.captures.get(id(variable)) or self._carried.get(id(variable))
        return None if captured is None else captured[1]

    @property
    def read_variables(self) -> list[Variable]:
        """The Variables that have been read, in order."""
        held = [x for x, _ in self.captures.values() if isinstance(x, Variable)]
        return [*(x for x, _ in self._carried.values() if not isinstance(x, Order)), *held]

    def _read_again(self, value: Value, first: Value) -> Value:
        """An assigned value as tapes see it: its gradient belongs to the Variable, of which
        `first` is what was read first, and not to what the assigned value was made from."""
        forward = Builder("read")
        params = [forward.parameter(v.type) for v in (value, first)]
        backward = Builder("gradient")
        seed = [backward.parameter(v.type) for v in (value, first, value)][-1]
        return self.builder.emit(
            CustomGradient(
                (value, first), forward.build(params[0]), backward.build(seed), (False, True)
            )
        )

    def _watched_outside(self, x: Any) -> bool:
        """Whether a tape around this region watches `x`: then it is one value in all regions."""
        outer = self.outer
        while outer is not None:
            if id(x) in outer.watched:
                return True
            outer = outer.outer
        return False

    def _encloses(self, trace: Trace) -> bool:
        outer = self.outer
        while outer is not None:
            if outer is trace:
                return True
            outer = outer.outer
        return False

    def _capture(self, x: Any, type: TensorType) -> Value:
        if id(x) not in self.captures:
            name = x.name.removesuffix(":0") if isinstance(x, Variable) else "captured"
            self.captures[id(x)] = (x, Value(type, None, 0, name))
        return self.captures[id(x)][1]

    def assign(self, variable: Variable, tensor: Tensor) -> None:
        """Let `variable` have the value of `tensor` from here on."""
        if id(variable) not in self._variables:
            self.value_of(variable)
        extents = variable._array.shape
        self._variables[id(variable)] = self.refine(self.value_of(tensor), extents)
        self._assigned[id(variable)] = variable

    def draw(self, state: Variable, tensor: Tensor) -> None:
        """Let the state of a random generator go on; see `lift`."""
        self.assign(state, tensor)
        self._states[id(state)] = state

    def lift(self, x: SymbolicTensor) -> Tensor | None:
        """What `x` is now, for the first value of a Variable, where it depends on no argument.

        Random states that it draws from are moved on."""
        if x._trace is not self or self.outer is not None:
            return None
        captured = {v: c for c, v in self.captures.values()}
        states = [self._states[i] for i in self._states if i in self.captures]
        _, free = self._needed([x._value])
        drawn = [s for s in states if self.captures[id(s)][1] in free]
        values = [x._value, *(self._variables[id(s)] for s in drawn)]
        body, free = self._needed(values)
        if any(v not in captured for v in free) or any(
            symbols(e) for op in body for v in op.results for e in v.shape if isinstance(e, Expr)
        ):
            return None
        f = Function("initial_value", tuple(free), tuple(body), tuple(values))
        with active(trace=None, tapes=()):
            results = run_function(f, *(captured[v].read() for v in free))
        if not drawn:
            return results
        for state, result in zip(drawn, results[1:], strict=True):
            store(state, result._array)
        return results[0]

    def _needed(self, values: list[Value]) -> tuple[list[Any], list[Value]]:
        """The ops that `values` need, in order, and what these need from outside."""
        needed = dict.fromkeys(values)
        body = []
        for op in reversed(self.builder.body):
            if any(r in needed for r in op.results):
                body.append(op)
                needed.update(dict.fromkeys(op.operands))
        return body[::-1], [v for v in needed if v.op is None]

    def measure(self, tensor: Any) -> Extent:
        """An integer scalar as an extent: a symbol that is bound to its value at run time."""
        self.builder.location = user_location() or self.builder.location
        value = self.value_of(tensor)
        if value.dtype is not int64:
            value = self.builder.emit(Cast(value, int64))
        extent = self.unknown()
        self.builder.emit_all(BindExtent(value, extent))
        return extent

    def unknown(self) -> Extent:
        """A symbol for an extent that no call knows before it runs."""
        extent = fresh_symbol()
        self.builder.measured.add(str(extent))
        return extent

    def carry(self, variable: Variable, value: Value) -> None:
        """Let `variable` have a param's value at first: what a loop carries of it."""
        self._variables[id(variable)] = value
        self._carried[id(variable)] = variable, value

    @property
    def assigned(self) -> list[Variable]:
        """The Variables that were assigned, in order."""
        return list(self._assigned.values())

    def require(self, extent: Extent) -> None:
        """Take `extent` not to be negative from here on; the call checks it."""
        if self.builder.measured.intersection(symbols(extent)):
            return  # the ops that it is the extent of will check it
        if isinstance(extent, Expr) and any(c < 0 for _, c in extent.terms):
            self.builder.require(extent)

    def refine(self, value: Value, extents: tuple[Any, ...]) -> Value:
        """`value` with the extents that are given (None: as they are), which the call checks."""
        from tfc.ir.ops import Reshape

        pairs = zip(value.shape, extents, strict=True)
        shape = tuple(e if known is None else known for e, known in pairs)
        for have, want in zip(value.shape, shape, strict=True):
            if have != want and not self.builder.unify(have, want):
                raise ValueError(f"shape {value.shape} is not compatible with {shape}")
        if shape == value.shape:
            return value
        return self.builder.emit(Reshape(value, shape))

    def has_assigned(self, variable: Variable) -> bool:
        return id(variable) in self._assigned

    def finish(self, results: list[Value]) -> tuple[Function, list[Any], list[Variable]]:
        """The function of (arguments, captures), what is captured, and which Variables the last
        results are for."""
        captured = [x for x, _ in self.captures.values()]
        params = (*self.builder.params, *(v for _, v in self.captures.values()))
        updated = [v for v in self._assigned.values() if not isinstance(v, Order)]
        last = [self._variables[id(v)] for v in updated]
        body = tuple(self.builder.body)
        f = Function(self.builder.name, params, body, (*results, *last))
        self.requirements = self.builder.requirements
        if self.builder.equal:
            names = _closure(self.builder.equal)
            f = renamed(f, names)
            found = self.builder.requirements.items()
            self.requirements = {substitute(e, names): where for e, where in found}
        return f, captured, updated


def current() -> Trace | None:
    """What is being traced in this thread."""
    return cast("Trace | None", context.trace)


def _closure(equal: dict[str, Extent]) -> dict[str, Extent]:
    """Each symbol with the last one that it equals."""
    result = {}
    for name, extent in equal.items():
        seen = {name}
        while isinstance(extent, Expr) and str(extent) in equal and str(extent) not in seen:
            seen.add(str(extent))
            extent = equal[str(extent)]
        result[name] = extent
    for _ in range(len(result)):  # extents that are made of others that are equal to something
        further = {
            name: substitute(extent, {k: v for k, v in result.items() if k != name})
            for name, extent in result.items()
            if isinstance(extent, Expr) and not str(extent).isidentifier()
        }
        if all(result[name] == extent for name, extent in further.items()):
            break
        result |= further
    return result


def _no_strings(name: str) -> Exception:
    from .strings import not_in_functions

    return not_in_functions(name)


def _type(array: np.ndarray) -> TensorType:
    from tfc.ir.dtypes import as_dtype

    return TensorType(as_dtype(array.dtype), array.shape)


def _variable_type(variable: Variable) -> TensorType:
    """The type of what a Variable may hold: with symbols where its shape leaves extents open."""
    own = _type(variable._array)
    declared = variable._declared
    if declared is None:
        return own
    extents = declared.as_list() if declared.rank is not None else [None] * own.rank
    return own.with_shape(tuple(fresh_symbol() if e is None else e for e in extents))
