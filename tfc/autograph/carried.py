"""What loops of converted code carry: variables that they set, as tensors or structures of them.

A Python number among them takes the dtype that a round gives it. What no round may have set behind
the loop is `Undefined` there, and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from tfc.ir.extent import symbols

from ..control_flow.regions import Region
from ..core import blame, nest
from ..core.conversion import convert_to_tensor
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..dispatch.primitive import Sizes
from ..dispatch.tracing import current
from ..ops.array.creation import zeros
from ..ops.extents import extents_of
from .operators import Getter, Partly, Setter, State, fresh, is_number, is_text, kind_of, parts_of
from .undefined import RESULT, Undefined, described

_NO_ROUND = "must be defined before the loop: a loop on tensors sets it, and may run no round"


class Uses(NamedTuple):
    """What a loop's variables are for (see liveness.py).

    Args:
        behind: Those that are read behind the loop, perhaps.
        unread: Those that no round reads before it sets them.
        targets: Those that go over the items.
    """

    behind: frozenset[str]
    unread: frozenset[str]
    targets: frozenset[str]

    def idle(self, name: str) -> bool:
        """Whether no value of it leaves the round that sets it."""
        return name in self.unread and name not in self.behind


class Carried:
    """Which local variables a loop carries, as which tensors.

    `filled` are those that have stand-ins before it, as their first values come from a round, each
    with the axes of its leaves whose extents only rounds know."""

    def __init__(
        self,
        names: Sequence[str],
        state: State,
        uses: Uses,
        filled: dict[int, list[set[int]]],
        refused: Collection[int] = (),
    ) -> None:
        trace = current()
        assert trace is not None
        self.names = names
        self.uses = uses
        self.filled = filled
        self.refused = refused  # what has no stand-in that would do
        self.unset: dict[int, Undefined] = {}  # what rounds leave without a value, and why
        self.settled: dict[int, Any] = {}  # what rounds set to numbers and such of Python's
        self.known = frozenset(trace.builder.measured)
        self.idle = {i for i, name in enumerate(names) if uses.idle(name)}
        self.before = tuple(
            Undefined(names[i]) if i in self.idle else x for i, x in enumerate(state)
        )
        self.parts: list[tuple[int, list[Any], Any]] = []  # index, leaves, structure
        for i, x in enumerate(self.before):
            found = parts_of(x)
            if found is not None and found[0]:
                self.parts.append((i, found[0], found[1]))

    def leaves(self) -> list[Any]:
        return [leaf for _, leaves, _ in self.parts for leaf in leaves]

    def labels(self) -> list[str]:
        return [described(self.names[i]) for i, leaves, _ in self.parts for _ in leaves]

    def state(self, leaves: Sequence[Any]) -> State:
        """The variables with these leaves in the places of those that are carried."""
        state, rest = list(map(fresh, self.before)), list(leaves)
        trace = current()
        assert trace is not None
        for i, own, structure in self.parts:
            for leaf, axes in zip(rest, self.filled.get(i, ()), strict=False):
                if axes:
                    shape = [None if axis in axes else 1 for axis in range(leaf.ndim)]
                    trace.promises.append((leaf, shape))
            state[i] = structure.pack(rest[: len(own)])
            trace.promises += nest.open_in_loops(state[i])
            rest = rest[len(own) :]
        return tuple(state)

    def taken(self, state: State) -> list[Any]:
        """The leaves of the variables after a round; raises where they cannot be carried."""
        taken: list[Any] = []
        carried = {i: structure for i, _, structure in self.parts}
        others = [i for i in range(len(state)) if i not in carried and i not in self.idle]
        starts = {i: start for i in others if (start := self._start(i, state[i])) is not None}
        if starts:
            raise Started(starts)
        for i in others:
            self._uncarried(i, state[i])
        for i, structure in carried.items():
            x, before = state[i], self.before[i]
            if isinstance(x, str | bytes) and is_text(before):
                x = convert_to_tensor(x)
            found = parts_of(x)
            if found is None or found[1] != structure:
                self._fail(i, x)
            assert found is not None
            taken += found[0]
        return taken

    def _start(self, i: int, x: Any) -> Callable[[], Any] | None:
        """What makes the value before the loop of a variable that a round gives a type."""
        before, name = self.before[i], self.names[i]
        if isinstance(before, Undefined) or (before is None and name in self.uses.unread):
            if isinstance(x, Undefined) or x is before or i in self.refused:
                return None
            if name != RESULT and all(map(_is_plain, nest.flatten(x))):
                self.settled[i] = x  # each round does, as it is traced but once
                return None
            return self._stand_in(i, x) if name in self.uses.behind else None
        if is_text(before) and is_text(x) and x is not before:
            tensor = isinstance(x, Tensor | Variable) or x != before
            return (lambda: convert_to_tensor(before)) if tensor else None
        start = getattr(before, "_started", None)  # arrays that get their elements in a round
        if start is not None and type(x) is type(before) and x is not before:
            made: Callable[[], Any] | None = start(x)
            return made
        return None

    def _stand_in(self, i: int, value: Any) -> Callable[[], Any] | None:
        """Makes zeros of the types of a value that a round has made, which nobody will read."""
        parts = parts_of(value)
        if parts is None or not parts[0] or isinstance(parts[1], Partly):
            return None
        leaves, structure = parts
        shapes: list[Any] = []
        axes: list[set[int]] = []
        for x in leaves:
            extents = () if is_number(x) else extents_of(x)
            own = {axis for axis, extent in enumerate(extents) if self._inside(extent)}
            axes.append(own)
            shapes.append([0 if axis in own else e for axis, e in enumerate(extents)])

        def make() -> Any:
            self.filled[i] = axes
            made = [
                type(x)(0) if is_number(x) else zeros(Sizes(shape), x.dtype)
                for x, shape in zip(leaves, shapes, strict=True)
            ]
            return structure.pack(made)

        return make

    def _inside(self, extent: Any) -> bool:
        """Whether an extent is one that only the round knows."""
        trace = current()
        assert trace is not None
        return not (trace.builder.measured - self.known).isdisjoint(symbols(extent))

    def _uncarried(self, i: int, x: Any) -> None:
        """Raise where a variable that is not carried has changed."""
        before = self.before[i]
        if isinstance(before, Undefined) or i in self.settled:
            if isinstance(x, Undefined) and x.reason:
                self.unset[i] = x
            return
        if x is before:
            return
        try:
            if type(x) is type(before) and x == before:
                return
        except Exception:  # whatever a user's == may raise
            pass
        self._fail(i, x)

    def _fail(self, i: int, x: Any) -> None:
        before = self.before[i]
        if isinstance(x, Undefined):
            x.fail()
        advice = "a loop carries tensors and numbers of one type, and structures of them"
        if isinstance(before, list) and isinstance(x, list) and len(x) != len(before):
            advice = "a list's length cannot change there; write to a tf.TensorArray"
        elif before is None:
            advice = "give it a tensor of that type before the loop"
        what = described(self.names[i])
        if x is None:
            raise blame.located(
                ValueError,
                f"{what} is None at the end of the iteration. It is {kind_of(before)} before the "
                "loop, which carries tensors and numbers of one type",
            )
        raise blame.located(
            TypeError,
            f"{what} does not have the same nested structure after one iteration: it is "
            f"{kind_of(before)} before a loop on tensors and {kind_of(x)} after a round; {advice}",
        )


def _is_plain(x: Any) -> bool:
    return x is None or is_number(x) or isinstance(x, str | bytes)


class Started(Exception):
    """Variables need values of the types that rounds give them before the loop."""

    def __init__(self, makers: dict[int, Callable[[], Any]]) -> None:
        super().__init__()
        self.makers = makers


def state_behind(carried: Carried, leaves: Sequence[Any]) -> State:
    """The variables behind the loop."""
    state = list(carried.state(leaves))
    for i, x in enumerate(state):
        if i in carried.settled:
            state[i] = carried.settled[i]
        elif isinstance(x, Undefined) and not x.reason:
            nothing = Undefined(carried.names[i], _NO_ROUND, ValueError)
            state[i] = carried.unset.get(i, nothing)
    return tuple(state)


def promoted(
    carried: Carried, types: Sequence[Any], body: Callable[..., None], get: Getter, put: Setter
) -> State | None:
    """The state with Python's numbers in the dtypes that a round gives them: 0.0 as float64, where
    float64 is added to it. None where that changes nothing. `body` takes params of `types`."""
    after: list[State] = []

    def run(*params: Any) -> tuple[()]:
        put(carried.before)
        body(*params)
        after.append(get())
        return ()

    try:
        Region("a round", run, types)
    except Exception:  # what is wrong has been said better before
        return None
    state, changed = list(carried.before), False
    for i, leaves, structure in carried.parts:
        found = parts_of(after[0][i])
        if found is None or found[1] != structure:
            continue
        new = [_as_dtype_of(x, y) for x, y in zip(leaves, found[0], strict=True)]
        changed = changed or any(x is not y for x, y in zip(leaves, new, strict=True))
        state[i] = structure.pack(new)
    return tuple(state) if changed else None


def _as_dtype_of(x: Any, y: Any) -> Any:
    """The number `x` in the dtype of the tensor `y`, where it has one of its own."""
    if not is_number(x) or isinstance(x, bool) or is_number(y):
        return x
    fits = y.dtype.is_floating or y.dtype.is_complex or (isinstance(x, int) and y.dtype.is_integer)
    if not fits or convert_to_tensor(x).dtype is y.dtype:
        return x
    return convert_to_tensor(x, y.dtype)
