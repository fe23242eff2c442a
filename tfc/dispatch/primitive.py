"""How every op runs: eagerly through compiled programs, or by appending to the current trace.

A `Primitive` is written once, as a body that emits IR: `body(b, *values, *static)`. Eagerly it is
compiled for the operands' dtypes and for the pattern of their extents, never for the extents
themselves: equal extents are one symbol, so that a new size is not a new compile. Calls with
tensors only are dispatched in native code; this module is their slow path.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Any

from tfc.backends import baseline
from tfc.backends.calling_convention import MISS
from tfc.ir.core import Builder, Function, Location, Value
from tfc.ir.core import OpError as IrError
from tfc.ir.dtypes import as_dtype, string
from tfc.ir.extent import Expr, Extent, symbol
from tfc.ir.ops.elementwise import Ceil, Floor, Round, StopGradient
from tfc.ir.ops.functional import CustomGradient
from tfc.ir.ops.shape import Broadcast, Reshape
from tfc.ir.types import TensorType

from ..core import blame, errors, placement
from ..core.context import context, settings, user_frame, user_location
from ..core.context import current as current_state
from ..core.conversion import convert_operands
from ..core.tensor import StringTensor, SymbolicTensor, Tensor, wrap
from ..core.variable import Variable

Body = Callable[..., Any]
_MIXED = ("operands must have the same dtype", "all tensors must have the same dtype")


@cache
def numbered(i: int) -> Expr:
    """The symbol n0, n1, ... for the extent that was met as the i-th."""
    return symbol(f"n{i}")


_CUTS = (StopGradient, Floor, Ceil, Round)
_NATIVE = {Tensor, StringTensor, Variable}  # which native code takes as they are
_MAX_QUICK = 256  # sets of extents that an op on a GPU remembers


class Sizes(tuple):
    """Extents among the static arguments: symbols in compiled code, as those of operands are."""


class Known(int):
    """An extent among the static arguments that stays a number in compiled code, wherever operands
    have it: for what has other code at each. Bodies need not look at it."""


class Primitive:
    """An op of the front end. Call it with operands, then static arguments by keyword."""

    fixed: Collection[int] = ()  # the extents that no symbol may stand for
    cuts = False  # whether it has an op of floats without a gradient
    stops = False  # whether no gradient flows through it at all
    least = 0  # what compiled code asks of the extents that it has symbols for

    def __init__(self, body: Body, name: str | None = None) -> None:
        self.body = body
        self.name = name or body.__name__.strip("_")
        self._dispatchers: dict[Any, Any] = {}
        self._programs: dict[Any, Any] = {}
        self._baseline: set[Any] = set()  # the keys of programs for the first calls
        self._quick: dict[Any, Any] = {}  # on GPUs, by all extents: a program and its sizes

    def fast(self, *static: Any) -> Callable[..., Any]:
        """A native callable for these static arguments (no `Sizes` among them)."""
        dispatcher = self._dispatchers.get(static)
        if dispatcher is None:
            from tfc.backends.cpu.runtime.runtime import Dispatcher

            dispatcher = Dispatcher(lambda *operands: self(*operands, static=static), self.name)
            self._dispatchers[static] = dispatcher
        call: Callable[..., Any] = dispatcher.call
        return call

    def lazy(self, *static: Any) -> list[Callable[..., Any]]:
        """A list that holds the native callable for these static arguments, from its first use on:
        native code is not loaded before something is computed."""

        def first(*operands: Any) -> Any:
            cell[0] = self.fast(*static)
            return cell[0](*operands)

        cell: list[Callable[..., Any]] = [first]
        return cell

    def __call__(self, *operands: Any, static: tuple[Any, ...] = ()) -> Any:
        tensors = convert_operands(operands, self.name)
        state = current_state()
        trace = state.trace
        if trace is not None:
            return self.emit(trace, tensors, static)
        tapes = state.tapes
        if tensors is not operands and not tapes and static in self._dispatchers:
            return self._dispatchers[static].call(*tensors)  # now they are tensors
        if tapes or not _NATIVE.issuperset(map(type, tensors)):
            tensors = [t.read() if isinstance(t, Variable) else t for t in tensors]
        known = None
        if not settings.accelerated and settings.timeline is None:
            known = self._dispatchers.get(static)
        result = MISS if known is None else known.attempt(*tensors)
        if result is MISS:
            result = self.execute(tensors, static)
        if settings.check_numerics:
            from . import numerics

            numerics.check(self.name, tensors, result)
        if state.inspect:
            from . import nan_tracing

            nan_tracing.check(self.name, tensors, result)
        if tapes:
            outputs = result if isinstance(result, tuple) else (result,)
            record = None
            for tape in tapes:
                if tape.wants(tensors):
                    record = record or Record(self, static, tensors, outputs)
                    if context.inspect:
                        record.location = user_location()
                    tape.append(record)
        return result

    def emit(self, trace: Any, tensors: Sequence[Any], static: tuple[Any, ...]) -> Any:
        """Append the body to the trace."""
        frame = user_frame()
        trace.builder.location = frame and Location(frame.f_code.co_filename, frame.f_lineno)
        values = [trace.value_of(t) for t in tensors]
        if self.name == "add" and values[0].dtype is string:
            return SymbolicTensor(trace, self._joined(trace.builder, values))
        try:
            results = self.body(trace.builder, *values, *static)
        except IrError as error:
            raise self.error(error, values) from None
        results = apart(trace.builder, results, values)
        if settings.check_numerics:
            from . import numerics

            numerics.emit_checks(trace.builder, self.name, results)
        if isinstance(results, tuple):
            trace.builder.name_values(results, frame, self.name)
            return tuple(SymbolicTensor(trace, r) for r in results)
        trace.builder.name_values((results,), frame, self.name)
        return SymbolicTensor(trace, results)

    def _joined(self, b: Builder, values: Sequence[Value]) -> Value:
        """The sum of strings."""
        from .host_functions import joined

        try:
            return joined(b, *broadcast_together(b, *values))
        except IrError as error:
            raise self.error(error, values) from None

    def execute(self, tensors: Sequence[Any], static: tuple[Any, ...] = ()) -> Any:
        """Run on concrete tensors, compiling what is met for the first time."""
        table: dict[int, int] = {}
        key: list[Any] = []
        device = quick = None
        if settings.accelerated:
            device = placement.chosen(tensors, static)
            if device is None:
                tensors = placement.on_host(tensors)
            else:
                key.append((device, settings.products))
                if settings.timeline is None:
                    shapes = tuple([(t._array.dtype.num, t._array.shape) for t in tensors])
                    quick = (key[0], shapes, static)
                    known = self._quick.get(quick)
                    if known is not None:
                        return self._on_device(known, tensors, static)
        for t in tensors:
            array = t._array
            key.append(array.dtype.num)
            key.append(
                tuple(
                    [
                        d if d in (0, 1) else -1 - table.setdefault(d, len(table))
                        for d in array.shape
                    ]
                )
            )
        bound = len(table)
        for item in static:
            if type(item) is Sizes:
                key.append(
                    tuple(
                        [d if d in (0, 1) else -1 - table.setdefault(d, len(table)) for d in item]
                    )
                )
            else:
                key.append(item)
        profile = settings.timeline is not None
        if profile:
            key.append("profile")
        full = tuple(key)
        entry = self._programs.get(full)
        plain = not profile and device is None
        if entry is None:
            if any([t.dtype is string for t in tensors]):
                from .strings import run

                return run(self, tensors, static)
            first = plain and baseline.suits(_bytes(tensors, static))
            entry = self.compile(tensors, static, table, bound, profile, device, first)
            self._programs[full] = entry
            if first:
                self._baseline.add(full)
            if plain and bound == len(table) and Sizes not in map(type, static):
                self.fast(*static)
                self._dispatchers[static].add(entry)
        extra = list(table)[bound:]
        try:
            if profile:
                result = settings.timeline.call(entry, *tensors, *extra)
            else:
                result = entry(*tensors, *extra)
            if result is MISS and plain:
                first = full in self._baseline  # (asked before: other threads may be here, too)
                spent, entry = entry, self._programs[full]
                if first and entry is spent:  # it has been called enough
                    entry = self._programs[full] = self.compile(tensors, static, table, bound)
                    self._baseline.discard(full)
                    dispatcher = self._dispatchers.get(static)
                    if dispatcher is not None and spent in dispatcher.entries:
                        dispatcher.replace(spent, entry)
                if entry is not spent:
                    result = entry(*tensors, *extra)
        except MemoryError:
            raise self.exhausted(tensors, static) from None
        if quick is not None and result is not MISS:
            if len(self._quick) >= _MAX_QUICK:
                self._quick.clear()
            self._quick[quick] = entry, extra
        if result is MISS:
            if any(not -(2**63) <= e < 2**63 for e in extra):
                raise blame.invalid(f"{self.name}: a number is too large: {max(extra)}", self.name)
            raise errors.InternalError(f"{self.name} does not run on {tensors}", op=self.name)
        return result

    def _on_device(self, known: Any, tensors: Sequence[Any], static: tuple[Any, ...]) -> Any:
        """Run on a GPU what ran there before for tensors of these shapes."""
        entry, extra = known
        try:
            return entry(*tensors, *extra)
        except MemoryError:
            raise self.exhausted(tensors, static) from None

    def compile(
        self,
        tensors: Sequence[Any],
        static: tuple[Any, ...],
        table: dict[int, int],
        bound: int,
        profile: bool = False,
        device: Any = None,
        first: bool = False,
    ) -> Any:
        """The entry for operands with this pattern of extents, native but on a GPU; with `first`,
        baseline code, which is for the first calls."""
        from .execution import compile_function  # with all that an import alone does not need

        b = Builder(self.name)
        params = []
        known = {item for item in static if type(item) is Known}
        for t in tensors:
            shape = tuple(symbolic(d, table, known) for d in t._array.shape)
            params.append(b.parameter(TensorType(as_dtype(t._array.dtype), shape)))
        here = generalise(static, table, known)
        try:
            results = self.body(b, *params, *here)
        except IrError as error:
            raise self.error(error, tensors, table) from None
        self.cuts = self.cuts or any(isinstance(op, _CUTS) for op in b.body)
        many = isinstance(results, tuple)
        f = Function(self.name, tuple(b.params), tuple(b.body), results if many else (results,))
        scalars = tuple(str(numbered(i)) for i in range(bound, len(table)))
        compiled = compile_function(
            f,
            scalars=scalars,
            tuple_result=many,
            least=self.least,
            profile=profile,
            device=device,
            baseline=first,
        )
        return compiled.bind(self.name)

    def error(
        self, error: IrError, values: Sequence[Any], table: dict[int, int] | None = None
    ) -> Exception:
        """What the user sees where operands do not fit. `table` has the extents of the symbols."""
        problem = str(error).partition(": ")[2] or str(error)
        for extent, i in (table or {}).items():
            problem = re.sub(rf"\b{numbered(i)}\b", str(extent), problem)
        if error.kind == "value":
            return blame.value_error(f"{self.name}: {problem}{_operands(values)}", self.name)
        if error.kind != "dtype":
            return blame.invalid(f"{self.name}: {problem}{_operands(values)}", self.name)
        dtypes = [v.dtype for v in values]
        for i, dtype in enumerate(dtypes):
            if dtype is not dtypes[0] and problem in _MIXED:
                problem = (
                    f"cannot compute {self.name} as input #{i}(zero-based) was expected to be a "
                    f"{dtypes[0].name} tensor but is a {dtype.name} tensor{_cast(dtypes[0], dtype)}"
                )
                break
        return blame.invalid_dtype(f"{self.name}: {problem}{_operands(values)}", self.name)

    def exhausted(self, tensors: Sequence[Any], static: tuple[Any, ...]) -> Exception:
        """What the user sees where there is no memory for the result."""
        sizes = "".join(f", shape {list(item)}" for item in static if type(item) is Sizes)
        return errors.ResourceExhaustedError(
            f"{self.name}: OOM when allocating the result{sizes}{_operands(tensors)}",
            op=self.name,
            location=user_location(),
        )


def _bytes(tensors: Sequence[Any], static: tuple[Any, ...]) -> list[int]:
    """How large operands are, and at least results of extents that are given."""
    sizes = [t._array.nbytes for t in tensors]
    return sizes + [math.prod(item) for item in static if type(item) is Sizes]


def _cast(first: Any, other: Any) -> str:
    """Which of two tensors to cast to what, so that nothing is lost."""
    kinds = "biufc"
    if first.kind not in kinds or other.kind not in kinds:
        return ""
    wide = max(first, other, key=lambda t: (kinds.index(t.kind), t.bits))
    which = "the first" if wide is other else "the other"
    return f": use tf.cast(x, tf.{wide.name}) on {which}"


def _operands(values: Sequence[Any]) -> str:
    """Dtypes and shapes of operands, for messages."""
    shapes = [f"{v.dtype.name}{list(v.shape)}" for v in values]
    return f" (operands: {', '.join(shapes)})" if shapes else ""


def measured(count: Any) -> Extent:
    """The value of an integer scalar tensor as an extent, such as the number of elements that a
    mask selects. Eagerly an int; in a trace a symbol that is bound when the function runs. Extents
    that ops make of it go into `Sizes`.
    """
    trace = context.trace
    if trace is None or not isinstance(count, SymbolicTensor):
        return int(count)
    extent: Extent = trace.measure(count)
    return extent


def symbolic(extent: int, table: dict[int, int], fixed: Collection[int] = ()) -> Extent:
    """The symbol that `table` has for an extent; 0, 1 and what is `fixed` stay numbers."""
    return extent if extent in (0, 1) or extent in fixed else numbered(table[extent])


def generalise(
    static: tuple[Any, ...], table: dict[int, int], fixed: Collection[int] = ()
) -> tuple[Any, ...]:
    """Static arguments with the extents among them as symbols."""
    return tuple(
        tuple(symbolic(d, table, fixed) for d in item) if type(item) is Sizes else item
        for item in static
    )


def fixed_extents(f: Function) -> frozenset[int]:
    """The extents that `f` was compiled for and that no symbol stands for."""
    types = [v.type for v in (*f.params, *f.returns)]
    return frozenset(e for t in types for e in t.shape if isinstance(e, int) and e > 1)


class Record:
    """An op that a tape saw: how to emit it again, and on what it ran."""

    __slots__ = ("inputs", "location", "outputs", "primitive", "static")

    def __init__(
        self, primitive: Any, static: tuple[Any, ...], inputs: Sequence[Any], outputs: Any
    ) -> None:
        self.primitive = primitive  # has .body
        self.static = static
        self.inputs = inputs
        self.outputs = outputs
        self.location: Location | None = None  # of some: see `cuts`

    @property
    def stops(self) -> bool:
        """Whether what it gave depends on nothing, as far as gradients go."""
        return self.primitive.stops

    @property
    def cuts(self) -> bool:
        """Whether no gradient may flow through it, so that its line is noted."""
        return self.primitive.cuts


def primitive(body: Body) -> Primitive:
    """Make a Primitive of a body."""
    return Primitive(body)


def apart(b: Builder, results: Any, operands: Sequence[Value]) -> Any:
    """The results of an op, none of which is an operand: a gradient can be asked by each of them
    apart from the operand's, and a tape that did not record the op does not know them. Of what has
    no gradient nobody can tell."""
    if isinstance(results, tuple):
        return tuple(apart(b, r, operands) for r in results)
    if results.dtype.is_inexact and results in operands:
        return b.emit(Reshape(results, results.shape))  # the passes take it out again
    return results


def read_again(b: Builder, value: Value, first: Value) -> Value:
    """`value`, whose cotangent is that of `first`: what is read of a Variable after an assignment,
    and what was read before."""
    forward, backward = Builder("read"), Builder("gradient")
    params = [forward.parameter(v.type) for v in (value, first)]
    seed = [backward.parameter(v.type) for v in (value, first, value)][-1]
    op = CustomGradient(
        (value, first), forward.build(params[0]), backward.build(seed), (False, True)
    )
    return b.emit(op)


def broadcast_to(b: Builder, x: Value, shape: tuple[Extent, ...]) -> Value:
    """x broadcast to `shape` by NumPy's rule: aligned at the last axis."""
    if x.shape == shape:
        return x
    offset = len(shape) - x.rank
    return b.emit(Broadcast(x, shape, tuple(range(offset, len(shape)))))


def same_extents(b: Builder, values: Sequence[Value], axes: Sequence[int]) -> list[Value] | None:
    """The values with equal extents along `axes`, taking those that only run time can compare to
    be equal (see `Trace.unify`); None where they differ."""
    unify = getattr(b, "unify", lambda x, y: False)
    common: dict[int, Extent] = {}
    for i in axes:
        extents = [v.shape[i] for v in values]
        common[i] = next((e for e in extents if isinstance(e, int)), extents[0])
        if not all(e == common[i] or unify(common[i], e) for e in extents):
            return None
    fitted = []
    for v in values:
        want = tuple(common.get(i, e) for i, e in enumerate(v.shape))
        fitted.append(retype(b, v, want))
    return fitted


def broadcast_shapes(b: Builder, *values: Value) -> tuple[tuple[Extent, ...], list[Value]]:
    """The common shape of `values`, and them with extents that only run time can compare made
    one (see `Trace.unify`)."""
    shapes = [v.shape for v in values]
    if shapes.count(shapes[0]) == len(shapes):
        return shapes[0], list(values)
    shape = common_shape(b, shapes)
    rank = len(shape)
    fitted = []
    for v in values:
        offset = rank - v.rank
        want = tuple(e if e == 1 else shape[i + offset] for i, e in enumerate(v.shape))
        fitted.append(retype(b, v, want))
    return shape, fitted


def common_shape(b: Builder, shapes: Sequence[tuple[Extent, ...]]) -> tuple[Extent, ...]:
    """The shape that all of `shapes` broadcast to, taking extents that only run time can compare
    to be equal (see `Trace.unify`)."""
    rank = max(map(len, shapes))
    common: list[Extent] = [1] * rank
    for shape in shapes:
        for i, extent in enumerate(shape, rank - len(shape)):
            if common[i] == 1:
                common[i] = extent
            elif extent not in (1, common[i]):
                unify = getattr(b, "unify", None)
                if unify is None or not unify(common[i], extent):
                    shown = " vs. ".join(map(_shown, shapes))
                    raise IrError(f"broadcast: Incompatible shapes: {shown}")
                if isinstance(extent, int):
                    common[i] = extent
    return tuple(common)


def retype(b: Builder, v: Value, shape: tuple[Extent, ...]) -> Value:
    """v with extents that are the same numbers, but written otherwise."""
    if v.shape == shape:
        return v
    return b.emit(Reshape(v, shape))


def _shown(shape: Sequence[Extent]) -> str:
    return "[" + ",".join(map(str, shape)) + "]"


def broadcast_together(b: Builder, *values: Value) -> list[Value]:
    """All values in their common shape."""
    shape, fitted = broadcast_shapes(b, *values)
    return [broadcast_to(b, v, shape) for v in fitted]


__all__ = [
    "Expr",
    "Primitive",
    "Record",
    "Sizes",
    "Tensor",
    "broadcast_shapes",
    "broadcast_to",
    "broadcast_together",
    "measured",
    "primitive",
    "wrap",
]
