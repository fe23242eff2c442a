"""Loops of converted code: Python's own, until a tensor decides how often they run.

A loop on tensors carries the local variables that it sets, as tensors (or structures of them). A
Python number among them takes the dtype that a round gives it. What no round may have set behind
the loop is `Undefined` there, and says why.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from tfc.ir.dtypes import as_dtype, bool_
from tfc.ir.extent import symbols
from tfc.ir.ops import ExtentOf
from tfc.ir.types import INDEX

from ..control_flow.growing import grown
from ..control_flow.regions import Changes, Limited, Region
from ..control_flow.scans import scan_state
from ..control_flow.while_loops import while_on
from ..core import blame, nest
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..dispatch.primitive import Sizes
from ..dispatch.tracing import current
from ..ops.array.checks import Assert
from ..ops.array.conversion import cast
from ..ops.array.creation import range as tensor_range
from ..ops.array.creation import zeros
from ..ops.array.indexing import gather
from ..ops.extents import extents_of
from .operators import (
    Getter,
    Setter,
    State,
    and_,
    fresh,
    if_stmt,
    is_number,
    is_text,
    kind_of,
    parts_of,
    symbolic,
)
from .undefined import RESULT, Undefined, described
from .unrolling import Unrolling

# What loops go over.


class Source(NamedTuple):
    """What a loop on tensors goes over: slices of `leaves`, and an item made of an index and them.
    `count` is an extent; without leaves there must be one."""

    leaves: list[Any]
    item: Callable[[Any, list[Any]], Any]
    count: Any = None


class TensorRange:
    """`range` or `tf.range` as what a loop goes over: items are computed, not stored."""

    def __init__(self, *bounds: Any, **options: Any) -> None:
        self.bounds = bounds
        self.options = options

    def source(self) -> Source:
        """Its items and their number."""
        values = tensor_range(*self.bounds, **self.options)  # dropped: it is not read
        assert context.trace is not None
        count = context.trace.value_of(values).shape[0]
        named = dict(zip(("start", "limit", "delta"), self.bounds, strict=False), **self.options)
        only = named.get("limit") is None
        start = 0 if only else named["start"]
        first, step = (cast(x, values.dtype) for x in (start, named.get("delta", 1)))
        return Source([], lambda i, _: first + cast(i, values.dtype) * step, count)


class TensorZip:
    """`zip` of tensors and ranges, or `enumerate` of one."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def source(self) -> Source:
        """Items of all parts side by side."""
        sources = [source_of(p) for p in self.parts]
        leaves: list[Any] = []
        counts: list[Any] = []
        for s in sources:
            assert s is not None
            leaves += s.leaves
            counts += [] if s.count is None else [s.count]

        def item(i: Any, slices: list[Any]) -> tuple[Any, ...]:
            items, rest = [], list(slices)
            for s in sources:
                assert s is not None
                items.append(s.item(i, rest[: len(s.leaves)]))
                rest = rest[len(s.leaves) :]
            return tuple(items)

        return Source(leaves, item, counts[0] if counts else None)


class TensorEnumerate:
    """`enumerate` of what a loop on tensors goes over."""

    def __init__(self, inner: Any, start: Any = 0) -> None:
        self.inner = inner
        self.start = start

    def source(self) -> Source:
        """Items with their number in front."""
        inner = source_of(self.inner)
        assert inner is not None
        int32 = as_dtype("int32")
        return Source(
            inner.leaves,
            lambda i, slices: (cast(i, int32) + self.start, inner.item(i, slices)),
            inner.count,
        )


def source_of(iterable: Any) -> Source | None:
    """How a loop goes over tensors, ranges of them and such; None for what is Python's."""
    if context.trace is None:
        return None
    if isinstance(iterable, Tensor | Variable):
        if not iterable.ndim:
            raise blame.located(
                TypeError,
                "a loop cannot go over a scalar tensor: go over tf.range(n), or over a tensor "
                "with an axis",
            )
        return Source([iterable], lambda i, slices: slices[0])
    source = getattr(type(iterable), "source", None)
    if isinstance(iterable, TensorRange | TensorZip | TensorEnumerate):
        found: Source = iterable.source()
        return found
    staged = getattr(iterable, "_stacked", None) if source is None else None
    return None if staged is None else source_of(staged())


def python_iterable(x: Any, why: str) -> Any:
    """What a loop that was left to Python goes over."""
    if symbolic(x) or isinstance(x, TensorRange | TensorZip | TensorEnumerate):
        raise blame.located(
            NotImplementedError,
            f"a loop over a tensor cannot be compiled, because of {why}: write it without that",
        )
    return x


# What loops carry.


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
            rest = rest[len(own) :]
        return tuple(state)

    def taken(self, state: State) -> list[Any]:
        """The leaves of the variables after a round; raises where they cannot be carried."""
        taken: list[Any] = []
        carried = {i: structure for i, _, structure in self.parts}
        others = [i for i in range(len(state)) if i not in carried and i not in self.idle]
        starts = {i: start for i in others if (start := self._start(i, state[i])) is not None}
        if starts:
            raise _Started(starts)
        for i in others:
            self._uncarried(i, state[i])
        for i, structure in carried.items():
            found = parts_of(state[i])
            if found is None or found[1] != structure:
                self._fail(i, state[i])
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
        if parts is None or not parts[0]:
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
        raise blame.located(
            TypeError,
            f"{described(self.names[i])} is {kind_of(before)} before a loop on tensors and "
            f"{kind_of(x)} after a round: {advice}",
        )


def _is_plain(x: Any) -> bool:
    return x is None or is_number(x) or isinstance(x, str | bytes)


class _Started(Exception):
    """Variables need values of the types that rounds give them before the loop."""

    def __init__(self, makers: dict[int, Callable[[], Any]]) -> None:
        super().__init__()
        self.makers = makers


_NO_ROUND = "is set inside a loop on tensors only, which may run no round: set it before"


def _behind(carried: Carried, leaves: Sequence[Any]) -> State:
    """The variables behind the loop."""
    state = list(carried.state(leaves))
    for i, x in enumerate(state):
        if i in carried.settled:
            state[i] = carried.settled[i]
        elif isinstance(x, Undefined) and not x.reason:
            nothing = Undefined(carried.names[i], _NO_ROUND)
            state[i] = carried.unset.get(i, nothing)
    return tuple(state)


def _promoted(
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


# Loops.


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    behind: Sequence[str],
    unread: Sequence[str],
) -> None:
    """`while test: body`; the names `behind` may be read behind it, and no round reads one of
    `unread` before it sets it."""
    unrolling = Unrolling()
    while True:
        before = get_state()
        trace = current()
        changes = 0 if trace is None else trace.changes
        holds = test()
        if symbolic(holds):
            break
        if not holds:
            return
        body()
        unrolling.step()
    # What the condition does is done: the loop is not to evaluate it again before the first round.
    first = holds if trace is not None and trace.changes != changes else None
    uses = Uses(frozenset(behind), frozenset(unread), frozenset())
    _tensor_while(test, body, get_state, set_state, names, uses, before, holds, first)


def _retried(
    attempt: Callable[[Carried], list[Any]],
    probe: Callable[[Carried], State | None],
    names: Sequence[str],
    uses: Uses,
    before: State,
    set_state: Setter,
    begins: Callable[[], Any],
) -> None:
    """Trace a loop, and set the variables as it leaves them. `begins()` tells whether there is a
    round."""
    filled: set[str] = set()

    def run(state: State) -> State:
        set_state(state)
        carried, leaves = _traced(attempt, probe, names, uses, state, set_state)
        filled.update(names[i] for i in (*carried.filled, *carried.settled))
        return _behind(carried, leaves)

    set_state(grown(before, run))
    asked = (filled & uses.behind) - uses.targets - {RESULT}
    unset = [name for name in names if name in asked]
    if unset:
        Assert(begins(), ["loop must iterate at least once to initialize " + ", ".join(unset)])


def _traced(
    attempt: Callable[[Carried], list[Any]],
    probe: Callable[[Carried], State | None],
    names: Sequence[str],
    uses: Uses,
    before: State,
    set_state: Setter,
) -> tuple[Carried, list[Any]]:
    """Trace a loop; once more where variables have to start with other types."""
    promoted = False
    filled: dict[int, list[set[int]]] = {}
    refused: set[int] = set()
    original = before
    while True:
        carried = Carried(names, before, uses, filled, refused)
        try:
            return carried, attempt(carried)
        except _Started as found:
            set_state(before)
            state = list(before)
            for i, make in found.makers.items():
                state[i] = make()
            before = tuple(state)
        except (TypeError, ValueError, UnboundLocalError):
            retried = None if promoted else probe(carried)
            set_state(original if filled else before)
            if retried is not None:
                before, promoted = retried, True
            elif filled:  # without stand-ins: who reads these variables will be told why
                refused |= filled.keys()
                before, promoted = original, False
                filled.clear()
            else:
                raise


def _tensor_while(
    test: Callable[[], Any],
    body: Callable[[], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    uses: Uses,
    before: State,
    begins: Any,
    first: Any,
) -> None:
    def attempt(carried: Carried) -> list[Any]:
        def condition(*leaves: Any) -> Any:
            set_state(carried.state(leaves))
            return test()

        def step(*leaves: Any) -> list[Any]:
            set_state(carried.state(leaves))
            body()
            return carried.taken(get_state())

        return while_on(condition, step, carried.leaves(), carried.labels(), first=first)

    def probe(carried: Carried) -> State | None:
        return _promoted(carried, (), body, get_state, set_state)

    _retried(attempt, probe, names, uses, before, set_state, lambda: cast(begins, bool_))


def for_stmt(
    iterable: Any,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    behind: Sequence[str],
    unread: Sequence[str],
    targets: Sequence[str],
) -> None:
    """`for item in iterable: body`, as long as `extra_test` (no break yet) holds. The names are as
    those of `while_stmt`; `targets` are those of the items."""
    uses = Uses(frozenset(behind), frozenset(unread), frozenset(targets))
    source = source_of(iterable)
    if source is not None:
        _tensor_for(source, extra_test, body, get_state, set_state, names, uses)
        return
    loop = getattr(iterable, "_traced_loop", None)
    if loop is not None and context.trace is not None:  # a dataset, or an iterator over one
        _dataset_for(loop(), extra_test, body, get_state, set_state, names, uses)
        return
    unrolling = Unrolling()
    for item in iterable:
        goes_on = True if extra_test is None else extra_test()
        if symbolic(goes_on):
            if_stmt(
                goes_on, functools.partial(body, item), lambda: None, get_state, set_state, names
            )
        elif not goes_on:
            return
        else:
            body(item)
        unrolling.step()


def _tensor_for(
    source: Source,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    uses: Uses,
) -> None:
    assert context.trace is not None
    values = [context.trace.value_of(x) for x in source.leaves]

    def attempt(carried: Carried) -> list[Any]:
        def step(leaves: Any, slices: Any, index: Any) -> tuple[list[Any], tuple[()]]:
            set_state(carried.state(leaves))
            body(source.item(index, list(slices)))
            return carried.taken(get_state()), ()

        if extra_test is not None:
            return _breaking(source, values, extra_test, step, carried, set_state)
        try:
            final, _ = scan_state(
                step, carried.leaves(), source.leaves, carried.labels(), source.count
            )
            return list(final)
        except Limited as found:
            limit = found.limit
        except Changes:
            limit = None
        return _breaking(source, values, lambda: True, step, carried, set_state, limit)

    def probe(carried: Carried) -> State | None:
        types = [INDEX, *(v.tensor_type.with_shape(v.shape[1:]) for v in values)]

        def once(index: Any, *slices: Any) -> None:
            body(source.item(index, list(slices)))

        return _promoted(carried, types, once, get_state, set_state)

    def begins() -> Any:
        count = values[0].shape[0] if source.count is None else source.count
        return _measure(count) > 0

    _retried(attempt, probe, names, uses, get_state(), set_state, begins)


def _dataset_for(
    loop: Any,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    uses: Uses,
) -> None:
    """A loop over a dataset: the program goes along its elements, or asks for one before each round
    (see tfc/data/loops.py)."""
    along = loop.along()
    if along is not None:
        count, element = along
        source = Source([], lambda i, _: element(i), count)
        _tensor_for(source, extra_test, body, get_state, set_state, names, uses)
        return
    loop.begin()
    test = loop.more if extra_test is None else lambda: and_(extra_test(), loop.more)
    first = test()
    _tensor_while(
        test,
        lambda: body(loop.element()),
        get_state,
        set_state,
        names,
        uses,
        get_state(),
        first,
        first,
    )


def _measure(count: Any) -> SymbolicTensor:
    """An extent as a scalar."""
    trace = current()
    assert trace is not None
    b = trace.builder
    size = b.constant(count, INDEX.dtype) if isinstance(count, int) else b.emit(ExtentOf(count))
    return SymbolicTensor(trace, size)


def _breaking(
    source: Source,
    values: Sequence[Any],
    extra_test: Callable[[], Any],
    step: Any,
    carried: Carried,
    set_state: Setter,
    limit: Any = None,
) -> list[Any]:
    """A loop over slices that may end early, or after `limit` rounds."""
    total = _measure(values[0].shape[0] if source.count is None else source.count)

    def condition(i: Any, *leaves: Any) -> Any:
        set_state(carried.state(leaves))
        return and_(i < total, extra_test)

    def round_(i: Any, *leaves: Any) -> list[Any]:
        slices = [gather(x, i) for x in source.leaves]
        taken, _ = step(leaves, slices, i)
        return [i + 1, *taken]

    zero = convert_to_tensor(0, as_dtype("int64"))
    labels = ["the counter", *carried.labels()]
    start = [zero, *carried.leaves()]
    return while_on(condition, round_, start, labels, limit)[1:]
