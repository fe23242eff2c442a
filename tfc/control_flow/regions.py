"""Functions of the user's, traced into regions of an op: branches, conditions and bodies.

What regions read from around them, Variables too, they are given; Variables that they assign are
carried like loop variables, and assigned behind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Function, OpError, Value
from tfc.ir.types import TensorType

from ..core import blame, nest
from ..core.context import active, user_location
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..dispatch.primitive import retype
from ..dispatch.tracing import Trace, current
from ..ops.array.shaping import reshape


class Region:
    """A Python function traced as a closed function. Its leaves are tensors (or None)."""

    def __init__(
        self,
        what: str,
        function: Callable[..., Any],
        types: Sequence[TensorType],
        carried: Sequence[Variable] = (),
        pack: Callable[[list[Any]], Sequence[Any]] = tuple,
        unstored: Collection[int] = (),
    ) -> None:
        """`types` are those of the params; then come the current values of `carried`: those whose
        ids are in `unstored` may have been assigned in the round before, and not stored."""
        outer = current()
        assert outer is not None
        self.what = what
        self.results: list[SymbolicTensor] = []  # once the op is emitted, what leaves became
        self.trace = trace = Trace(what, outer)
        trace.branch = what
        params = [trace.parameter(t, f"x{i}") for i, t in enumerate(types)]
        self.params = list(params)
        for variable in carried:
            type_ = TensorType(variable.dtype, tuple(variable.shape))
            param = trace.parameter(type_, variable.name.removesuffix(":0"))._value
            trace.carry(variable, param, id(variable) in unstored)
        with active(trace=trace, tapes=()):
            result = function(*pack(params))
            leaves, self.structure = nest.decompose_composites(result)
            self.leaves: list[Value | None] = [
                None if leaf is None else trace.value_of(self._tensor(leaf)) for leaf in leaves
            ]

    def _tensor(self, leaf: Any) -> Any:
        if isinstance(leaf, Variable):
            return leaf
        try:
            return convert_to_tensor(leaf)
        except (TypeError, ValueError):
            raise blame.type_error(
                f"{self.what} must return tensors, structures of them, or None; got {leaf!r:.100}",
                self.what,
            ) from None

    def convert(self, leaf: Any, dtype: Any = None) -> Value:
        """A value of a tensor or number, where the region ends."""
        with active(trace=self.trace, tapes=()):
            tensor = leaf if isinstance(leaf, Tensor | Variable) else convert_to_tensor(leaf, dtype)
            return self.trace.value_of(tensor)

    def zeros(self, like: Any) -> SymbolicTensor:
        """Zeros of the type of a tensor, of another region perhaps."""
        shape = like._value.shape if isinstance(like, SymbolicTensor) else like._array.shape
        b = self.trace.builder
        zero = b.constant(0, like.dtype)
        return SymbolicTensor(self.trace, b.emit(ir.Broadcast(zero, shape, ())) if shape else zero)

    def fit(self, v: Value, type_: TensorType) -> Value | None:
        """`v` with the extents of `type_`, which only run time may be able to compare; None where
        they differ."""
        same = v.rank == type_.rank and all(
            a == b or self.trace.builder.unify(a, b)
            for a, b in zip(type_.shape, v.shape, strict=True)
        )
        return retype(self.trace.builder, v, type_.shape) if same else None

    @property
    def assigned(self) -> list[Variable]:
        """The Variables that it assigns, or may have changed by a Python function."""
        return self.trace.assigned

    @property
    def unstored(self) -> set[int]:
        """The ids of those whose values are not stored at its end."""
        return {id(v) for v in self.assigned if self.trace.leaves_assigned(v)}

    def values(self) -> list[Value]:
        """The leaves that are tensors."""
        return [v for v in self.leaves if v is not None]

    def value_of(self, variable: Variable) -> Value:
        """What a Variable has become at the end."""
        return self.trace.value_of(variable)

    def close(self, captured: dict[int, tuple[Any, Value]], results: Sequence[Value]) -> Function:
        """The function of (params, captured) that gives `results`."""
        self.trace.builder.let_go()
        own = self.trace.captures
        held = tuple(
            own[key][1] if key in own else Value(v.type) for key, (_, v) in captured.items()
        )
        params = (*self.trace.builder.params, *held)
        return Function(
            self.trace.builder.name, params, tuple(self.trace.builder.body), tuple(results)
        )


def captures_of(*regions: Region) -> dict[int, tuple[Any, Value]]:
    """What regions take from around them, each once."""
    return {key: x for region in regions for key, x in region.trace.captures.items()}


def emit(op: Any, name: str) -> list[SymbolicTensor]:
    trace = current()
    assert trace is not None
    trace.builder.location = user_location()
    try:
        return [SymbolicTensor(trace, v) for v in trace.builder.emit_all(op)]
    except OpError as error:
        raise blame.invalid(str(error), name) from None


def pack_results(region: Region, tensors: Sequence[Any]) -> Any:
    found = iter(tensors)
    return region.structure.pack([None if v is None else next(found) for v in region.leaves])


def described(region: Region) -> str:
    return repr(region.structure.pack([v and str(v.type) for v in region.leaves]))


def as_type(region: Region, v: Value, type_: TensorType, what: str, name: str) -> Value:
    fitted = region.fit(v, type_)
    if fitted is None:
        raise blame.value_error(
            f"{what} has shape {shown(v.shape)}, and must have {shown(type_.shape)}", name
        )
    return fitted


def shown(shape: Sequence[Any]) -> str:
    return "[" + ", ".join(map(str, shape)) + "]"


def open_axes(shape: Any, rank: int) -> set[int]:
    """The axes that a shape of loop variables leaves open."""
    promised = TensorShape(getattr(shape, "shape", shape))
    if promised.rank is None:
        return set(range(rank))
    return {axis for axis, extent in enumerate(promised.as_list()) if extent is None}


def promised_axes(region: Region) -> set[tuple[int, int]]:
    """The (param, axis) that `set_loop_options` in the body of a loop leaves open."""
    numbers = {p._value: i for i, p in enumerate(region.params)}
    found = set()
    for tensor, shape in region.trace.promises:
        i = numbers.get(tensor._value) if isinstance(tensor, SymbolicTensor) else None
        if i is not None:
            found |= {(i, axis) for axis in open_axes(shape, region.params[i].ndim)}
    return found


def promised_shapes(region: Region) -> dict[int, str]:
    """The shapes that `set_loop_options` in the body of a loop says its params have."""
    numbers = {p._value: i for i, p in enumerate(region.params)}
    return {
        numbers[tensor._value]: str(TensorShape(getattr(shape, "shape", shape)))
        for tensor, shape in region.trace.promises
        if isinstance(tensor, SymbolicTensor) and tensor._value in numbers
    }


def changed(
    values: Sequence[Value], types: Sequence[TensorType], allowed: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """The extents that a round changes, of those that it may."""
    return {
        (i, axis)
        for i, axis in allowed
        if values[i].rank == types[i].rank and values[i].shape[axis] != types[i].shape[axis]
    }


def unknown_axes(types: Sequence[TensorType]) -> set[tuple[int, int]]:
    """The (value, axis) whose extents only a call tells."""
    return {
        (i, axis)
        for i, t in enumerate(types)
        for axis, extent in enumerate(t.shape)
        if not isinstance(extent, int)
    }


class Changes(Exception):
    """A loop changes extents that it says it may: it is no scan."""


class Limited(Exception):
    """The body of a loop has said how many rounds there may be at most."""

    def __init__(self, limit: Any) -> None:
        super().__init__()
        self.limit = limit


def truth(x: Any) -> Any:
    """A tensor of one element, for all that is known, as a scalar: the condition of a branch or of
    a loop may have axes of 1, as in TensorFlow. One of more elements is left as it is."""
    return reshape(x, []) if x.ndim and all(e in (1, None) for e in x.shape) else x


def emit_loop(op: Any, name: str) -> list[SymbolicTensor]:
    """Append a loop; one without effects, where it runs for sizes alone."""
    trace = current()
    assert trace is not None
    if trace.sizes_only:
        from .growing import sizes_only

        op = sizes_only(op)
    return emit(op, name)


def same_type(
    region: Region, v: Value, type_: TensorType, what: str, name: str, promised: str = ""
) -> Value:
    """What a round makes of a loop variable, in the type that it has before the loop; `promised` is
    the shape that was said to hold for all rounds. `what` is its number, or the name of a variable
    of converted code, in quotes."""
    named = what.startswith("'")
    if v.dtype is not type_.dtype:
        text = (
            f"{what} has dtype {type_.dtype.name} before the loop, but dtype {v.dtype.name} after "
            "one iteration"
            if named
            else f"Loop var {what} enters the loop with type {type_.dtype!r} but has type "
            f"{v.dtype!r} after 1 iteration: its type should remain constant"
        )
        raise blame.type_error(f"{text}: use tf.cast, or start with that dtype", name)
    fitted = region.fit(v, type_)
    if fitted is not None:
        return fitted
    advice = "Else start with the final shape, or write to a tf.TensorArray."
    before, after = TensorShape(type_.shape), TensorShape(v.shape)
    if named and promised:
        text = (
            f"{what} has shape {after} after one iteration, which does not conform with the shape "
            f"invariant {promised}."
        )
    elif named:
        text = (
            f"{what} has shape {before} before the loop, but shape {after} after one iteration. "
            "Use tf.autograph.experimental.set_loop_options to set shape invariants."
        )
    else:
        text = (
            f"Input tensor {what} enters the loop with shape {before}, but has shape {after} "
            "after one iteration. To allow the shape to vary across iterations, use the "
            "`shape_invariants` argument of tf.while_loop to specify a less-specific shape."
        )
    raise blame.value_error(f"{text} {advice}", name)
