"""Loops of converted code on tensors: over a source (sources.py), carrying what their rounds set
(carried.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import as_dtype, bool_
from tfc.ir.ops import ExtentOf
from tfc.ir.types import INDEX

from ..control_flow.growing import grown
from ..control_flow.regions import Changes, Limited
from ..control_flow.scans import scan_state
from ..control_flow.while_loops import while_on
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor
from ..dispatch.tracing import current
from ..ops.array.checks import Assert
from ..ops.array.conversion import cast
from ..ops.array.indexing import gather
from .carried import Carried, Started, Uses, promoted, state_behind
from .operators import Getter, Setter, State, and_
from .sources import Source
from .undefined import RESULT, Undefined, described


def tensor_while(
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
        return promoted(carried, (), body, get_state, set_state)

    _retried(attempt, probe, names, uses, before, set_state, lambda: cast(begins, bool_))


def tensor_for(
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

        return promoted(carried, types, once, get_state, set_state)

    def begins() -> Any:
        count = values[0].shape[0] if source.count is None else source.count
        return _measure(count) > 0

    _retried(attempt, probe, names, uses, get_state(), set_state, begins)


def dataset_for(
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
        tensor_for(source, extra_test, body, get_state, set_state, names, uses)
        return
    loop.begin()
    test = loop.more if extra_test is None else lambda: and_(extra_test(), loop.more)
    first = test()
    tensor_while(
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
        return state_behind(carried, leaves)

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
        except Started as found:
            set_state(before)
            state = list(before)
            for i, make in found.makers.items():
                state[i] = make()
            before = tuple(state)
        except (TypeError, ValueError, UnboundLocalError) as error:
            retried = None if promoted else probe(carried)
            set_state(original if filled else before)
            if retried is not None:
                before, promoted = retried, True
            elif first := _unset_before(carried, error):
                raise first from error
            elif filled:  # without stand-ins: who reads these variables will be told why
                refused |= filled.keys()
                before, promoted = original, False
                filled.clear()
            else:
                raise


def _unset_before(carried: Carried, error: Exception) -> Exception | None:
    """What to raise where a round reads a variable before any has set it."""
    if not isinstance(error, UnboundLocalError):
        return None
    for name, value in zip(carried.names, carried.before, strict=True):
        if isinstance(value, Undefined) and str(error).startswith(described(name) + " is used"):
            return ValueError(f"{described(name)} must be defined before the loop: {error}")
    return None


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
