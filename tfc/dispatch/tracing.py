"""A function being traced: ops are appended, and what comes from outside is noted.

Tensors from outside become further arguments. The first read of a Variable does too; an
assignment changes what the Variable means for the rest of the trace, and its last value becomes
an extra result that the caller stores. A Python function that the program calls sees Variables
as they are stored: what has been assigned is stored before, and read again behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from tfc.ir.copying import renamed
from tfc.ir.core import Function, Location, Value
from tfc.ir.dtypes import as_element_type, int64, string
from tfc.ir.extent import Expr, Extent, fresh_symbol, substitute, symbols
from tfc.ir.ops import (
    BindExtent,
    Cast,
    Constant,
    PythonResult,
    PythonRun,
    PythonStart,
)
from tfc.ir.ops.python import KEEP, PythonCall
from tfc.ir.types import TensorType

from ..core import above, errors
from ..core.argument_variables import ArgumentVariable, fixed
from ..core.context import active, context, user_location
from ..core.placement import HOST, moved, store
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from .primitive import read_again
from .stored_variables import AssignVariables, Order, ReadVariables, is_shared, order
from .tracing_builder import TracingBuilder, extents_made_equal

LITERAL_MAX = 16  # elements; larger tensors from outside are arguments


def in_trace(function: Any) -> Any:
    """What the user hands to an op, to be called while it is traced: with its control flow
    converted, as that of whatever is called there is."""
    if context.trace is None or not context.autograph:
        return function
    return above.convert(function)


class Trace:
    """One trace. `value_of` gives the IR value that stands for a tensor or Variable."""

    graph: Any = None  # TensorFlow 1's, where this is the trace of one: see compat/graphs

    def __init__(self, name: str, outer: Trace | None = None) -> None:
        self.builder: TracingBuilder = TracingBuilder(name, outer.builder if outer else None)
        self.outer = outer
        self.branch: str = (
            outer.branch if outer else ""
        )  # which branch or body, inside of control flow
        self.captures: dict[int, tuple[Any, Value]] = {}  # by id; tensors and Variables
        self._literals: dict[int, tuple[Any, Value]] = {}  # by id: small tensors from outside
        self.literals: dict[int, Any] = {}  # of all regions, those that may have a gradient
        self.tapes: tuple[Any, ...] = ()  # around the call that this is traced for
        self.watched: dict[int, Any] = {}  # by id: what tapes that were made here watch
        self._variables: dict[int, tuple[Variable, Value]] = {}  # the current values
        self._readings: dict[int, tuple[Any, int, Value]] = {}  # see `_read_again`
        self._carried: dict[int, tuple[Variable, Value]] = {}  # what a loop begins a round with
        self._assigned: dict[int, Variable] = {}  # and not stored
        self.changes = 0  # how many assignments and calls of Python functions there were
        self._read: set[int] = set()  # Variables that the function itself reads
        self._stored: dict[int, Variable] = {}  # or perhaps changed by Python functions
        self._after_python = False  # whether other Variables are what is stored now
        self._reading: tuple[ReadVariables, Value] | None = None  # what reads them
        self._places: list[Variable] = []  # that are read so, of the outermost trace
        self.limit: Any = None  # of the rounds, which the body of a loop may set
        self.promises: list[tuple[Any, Any]] = []  # its variables, and shapes with what may change
        self.sizes_only = False  # whether loops are traced for the sizes of arrays: see growing.py
        self._states: dict[int, Variable] = {}  # of random generators
        # Once it is finished: see TracingBuilder.
        self.requirements: dict[Extent, Location | None] = {}
        self.creation = True  # whether Variables may be made
        self.created: list[Variable] = []
        self.given: dict[Value, Tensor] = {}  # by params: what the call has for them
        self.arguments: dict[int, ArgumentVariable] = {}  # by id of the Variables they stand for
        self.device: Any = None  # a GPU that `tfc.device` has named
        self.shown: Any = None  # its graph, where that was asked for: see compat/graphs
        self.unranked: list[Any] = []  # results of Python functions whose ranks nobody has said

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
        return SymbolicTensor(self, self.builder.parameter(type, name))

    def value_of(self, x: Any) -> Value:
        if isinstance(x, SymbolicTensor):
            if x._trace is self:
                return x._value
            if not self._encloses(x._trace):
                raise x.out_of_scope()
            return self._capture(x, x._value.tensor_type)
        if isinstance(x, Variable):
            x = self.known_as(x)
            self._read.add(id(x))
            return self._value_of_variable(x)
        array = x._array
        if array.size > LITERAL_MAX or x.dtype is string or self._watched_outside(x):
            return self._capture(x, _type(array))
        if id(x) not in self._literals:
            if x.dtype.is_inexact:
                self.outermost.literals[id(x)] = x
            self._literals[id(x)] = (x, self.builder.emit(Constant(moved(array, None))))
        return self._literals[id(x)][1]

    def known_as(self, variable: Variable) -> Variable:
        """The one by which the trace knows a Variable: what stands for it, where it is an argument.
        What is reached in another way, too, is no other Variable in any call."""
        root = self.outermost
        if isinstance(variable, ArgumentVariable):
            if variable.trace is root:
                return variable
            variable = variable.original
        argument = root.arguments.get(id(variable))
        if argument is None:
            return variable
        argument.fix()
        return argument

    def _value_of_variable(self, x: Variable) -> Value:
        if id(x) not in self._variables:
            after = self._after_python and is_shared(x)
            value = self._read_stored(x) if after else self._first(x)
            self._variables[id(x)] = x, value
        value = self._variables[id(x)][1]
        first = self.first_value(x)
        if first is None or value is first or not x.dtype.is_inexact:
            return value
        return self._read_again(x, value, first)

    def _first(self, variable: Variable) -> Value:
        """What a Variable is before anything here assigns it."""
        first = self.first_value(variable)
        return self._capture(variable, _variable_type(variable)) if first is None else first

    def first_value(self, variable: Variable) -> Value | None:
        """What a Variable had been before anything here assigned it; None if nothing read it."""
        variable = self.known_as(variable)
        captured = self.captures.get(id(variable)) or self._carried.get(id(variable))
        return None if captured is None else captured[1]

    def reads(self, variable: Variable) -> bool:
        """Whether it reads a Variable itself, and not only stores it for a Python function."""
        return id(self.known_as(variable)) in self._read

    @property
    def read_variables(self) -> list[Variable]:
        """The Variables that have been read, in order."""
        held = [x for x, _ in self.captures.values() if isinstance(x, Variable)]
        return [*(x for x, _ in self._carried.values() if not isinstance(x, Order)), *held]

    def _read_again(self, variable: Variable, value: Value, first: Value) -> Value:
        """An assigned value as tapes see it: its gradient belongs to the Variable, of which
        `first` is what was read first, and not to what the assigned value was made from. It is one
        value until the next assignment, as one tensor in eager code, for all tapes that saw it."""
        given, place, read = self._readings.get(id(variable), (None, 0, None))
        body = self.builder.body
        if (
            read is None
            or given != (value, first)
            or place >= len(body)
            or body[place] is not read.op
            or not all(tape.saw(self, place) for tape in context.tapes)
        ):
            read = read_again(self.builder, value, first)
            self._readings[id(variable)] = (value, first), len(body) - 1, read
        return read

    def _watched_outside(self, x: Any) -> bool:
        """Whether a tape around this region watches `x`: then it is one value in all regions. Or
        one around the call that this is traced for, which may ask for its gradient."""
        if any(tape.wants((x,)) for tape in self.outermost.tapes):
            return True
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
            name = x.called if isinstance(x, Variable) else "captured"
            self.captures[id(x)] = (x, Value(type, None, 0, name))
        return self.captures[id(x)][1]

    def assign(self, variable: Variable, tensor: Tensor) -> None:
        """Let `variable` have the value of `tensor` from here on."""
        variable = self.known_as(variable)
        self.know(variable, tensor)
        self._assigned[id(variable)] = variable
        self.changes += 1

    def know(self, variable: Variable, tensor: Tensor) -> None:
        """Note that `variable` has the value of `tensor`, which is stored."""
        first = self._first(variable)
        value = self.refine(self.value_of(tensor), first.shape)
        if value.op is not None and not value.name:
            value.name = f"new_{first.name}"
        self._variables[id(variable)] = variable, value

    def draw(self, state: Variable, tensor: Tensor) -> None:
        """Let the state of a random generator go on; see `lift`."""
        self.assign(state, tensor)
        self._states[id(state)] = state

    def lift(self, x: SymbolicTensor) -> Tensor | None:
        """What `x` is now, for the first value of a Variable: in the call that is being traced, if
        it depends on arguments. None where no call gives them.

        Random states that it draws from are moved on."""
        if x._trace is not self or self.outer is not None:
            return None
        captured = {v: c for c, v in self.captures.values()}
        states = [self._states[i] for i in self._states if i in self.captures]
        _, free = self._needed([x._value])
        drawn = [s for s in states if self.captures[id(s)][1] in free]
        values = [x._value, *map(self.value_of, drawn)]
        body, free = self._needed(values)
        if any(v not in captured and v not in self.given for v in free):
            return None
        sizes = {s for op in body for v in op.results for e in v.shape for s in symbols(e)}
        telling = [v for v in self.given if sizes & set(map(str, v.tensor_type.shape))]
        free = list(dict.fromkeys([*free, *telling]))
        if not sizes <= {str(e) for v in free for e in v.tensor_type.shape}:
            return None
        if any(isinstance(op, PythonCall) for op in body):
            return None
        f = Function("initial_value", tuple(free), tuple(body), tuple(values))
        with active(trace=None, tapes=()):
            from .execution import run_function

            arrays = [captured[v].read() if v in captured else self.given[v] for v in free]
            results = run_function(f, *arrays)
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

    def carry(self, variable: Variable, value: Value, assigned: bool = False) -> None:
        """Let `variable` have a param's value at first: what a loop carries of it. `assigned` says
        whether a round may leave it assigned and not stored."""
        self._variables[id(variable)] = variable, value
        self._carried[id(variable)] = variable, value
        if assigned:
            self._assigned[id(variable)] = variable
        if isinstance(variable, Order):  # the round before has called Python functions
            self._after_python = True

    def carry_captured(self, variable: Variable) -> None:
        """Let what was captured of `variable` be a param behind the others, as if it had been
        carried from the first: the ops that read it stay."""
        _, value = self.captures.pop(id(variable), (None, None))
        if value is None:
            name = variable.called
            value = Value(_variable_type(variable), None, 0, name)
        self.builder.params.append(value)
        self._carried[id(variable)] = variable, value

    @property
    def assigned(self) -> list[Variable]:
        """The Variables that have other values now than before, or may have, in order."""
        return list({**self._stored, **self._assigned}.values())

    @property
    def assigned_by_rows(self) -> list[Variable]:
        """The Variables that get other values for some of their rows, and keep all others."""
        from tfc.ir.ops.indexing import scattered

        found = []
        for variable in self._assigned.values():
            value, scatters = scattered(self._variables[id(variable)][1])
            if scatters and value is self.first_value(variable):
                found.append(variable)
        return found

    def leaves_assigned(self, variable: Variable) -> bool:
        """Whether the value of a Variable is not stored yet."""
        if id(variable) in self._assigned:
            return True
        if id(variable) in self._stored or self.outer is None:
            return False
        return self.outer.leaves_assigned(variable)

    # Calls of Python functions.

    @property
    def token(self) -> Value:
        """The token of the last run of a Python function here, or around."""
        root = self.outermost
        if id(order()) not in root._variables:
            root.builder.location = user_location()
            start = root.builder.emit(PythonStart())
            root._variables[id(order())] = root._carried[id(order())] = order(), start
        return self.value_of(order())

    @property
    def calls_python(self) -> bool:
        """Whether it calls Python functions, perhaps."""
        return id(order()) in self._assigned

    def store(self) -> None:
        """Store what has been assigned here and around, for a Python function to see."""
        pending: dict[int, Variable] = {}
        done: set[int] = set()
        trace: Trace | None = self
        while trace is not None:
            pending |= {k: v for k, v in _shared(trace._assigned).items() if k not in done}
            done.update(trace._assigned, trace._stored)
            trace = trace.outer
        if not pending:
            return
        variables = list(pending.values())
        values = tuple(map(self._value_of_variable, variables))
        self.builder.emit(
            PythonRun(self.token, values, AssignVariables(list(map(fixed, variables))), KEEP, True)
        )
        self._stored |= pending
        self._assigned = {k: v for k, v in self._assigned.items() if k not in pending}

    def forget(self) -> None:
        """A Python function was called: it may have changed any Variable."""
        self._stored |= _shared({k: v for k, (v, _) in self._variables.items()})
        own = {k: x for k, x in self._variables.items() if not is_shared(x[0])}
        self._variables = own
        self._assigned = {k: v for k, v in self._assigned.items() if not is_shared(v)}
        self._after_python = True
        self._reading = None
        self.changes += 1

    def _read_stored(self, variable: Variable) -> Value:
        """The value of a Variable behind the last call."""
        type = self._first(variable).type
        if self._reading is None:
            reads = ReadVariables(self.outermost._places)
            self._reading = reads, self.builder.emit(PythonRun(self.token, (), reads, KEEP, True))
        reads, token = self._reading
        place = reads.place(fixed(variable))
        return self.builder.emit(PythonResult(token, (), reads, place, type.shape, type.dtype))

    def remembered(self) -> set[Value]:
        """The values that Variables have now, and those of small constants."""
        return {v for _, v in (*self._variables.values(), *self._literals.values())}

    def known(self) -> list[Variable]:
        """The Variables whose values are known here."""
        return [v for v, _ in self._variables.values() if is_shared(v)]

    def adopt(
        self,
        regions: Sequence[Trace],
        values: Iterable[tuple[Variable, Tensor]],
        carried: bool = False,
    ) -> None:
        """Go on behind an op with these regions, which makes Variables what `values` says. Where it
        has `carried` them, these are readings, too: their cotangents go on to the last round."""
        rows = [(v, x, any(r.leaves_assigned(v) for r in regions)) for v, x in values]
        if any(r.calls_python for r in regions):
            self.forget()
        for variable, tensor, assigned in rows:
            if assigned:
                self.assign(variable, tensor)
            else:
                self.know(variable, tensor)
            key, place = id(self.known_as(variable)), len(self.builder.body) - 1
            value, first = self._variables[key][1], self.first_value(variable)
            if carried and first is not None and self.builder.body[place] is value.op:
                self._readings[key] = (value, first), place, value

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
        """Whether a Variable may have another value here than when the function is traced."""
        variable = self.known_as(variable)
        changed = self._after_python or id(variable) in self._assigned
        return changed or (self.outer is not None and self.outer.has_assigned(variable))

    def finish(self, results: list[Value]) -> tuple[Function, list[Any], list[Variable]]:
        """The function of (arguments, captures), what is captured, and which Variables the last
        results are for."""
        captured = [x for x, _ in self.captures.values()]
        params = (*self.builder.params, *(v for _, v in self.captures.values()))
        updated = [v for v in self._assigned.values() if not isinstance(v, Order)]
        last = [self._variables[id(v)][1] for v in updated]
        self.builder.let_go()
        body = tuple(self.builder.body)
        f = Function(self.builder.name, params, body, (*results, *last))
        self.requirements = self.builder.requirements
        if self.builder.equal:
            names = extents_made_equal(self.builder.equal)
            f = renamed(f, names)
            found = self.builder.requirements.items()
            self.requirements = {substitute(e, names): where for e, where in found}
        return f, captured, updated


def current() -> Trace | None:
    """What is being traced in this thread."""
    return cast("Trace | None", context.trace)


def _shared(variables: dict[int, Variable]) -> dict[int, Variable]:
    """Those that Python functions may know of."""
    return {k: v for k, v in variables.items() if is_shared(v)}


def _type(array: np.ndarray) -> TensorType:
    return TensorType(as_element_type(array.dtype), array.shape)


def _variable_type(variable: Variable) -> TensorType:
    """The type of what a Variable may hold: with symbols where its shape leaves extents open."""
    own = _type(variable._array)
    declared = variable._declared
    if declared is None:
        return own
    extents = declared.as_list() if declared.rank is not None else [None] * own.rank
    return own.with_shape(tuple(fresh_symbol() if e is None else e for e in extents))
