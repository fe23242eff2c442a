"""The streams behind the functions that take an optional seed: TensorFlow's, draw by draw.

What a draw begins at is said by two numbers: the global seed is the key, and the upper half of the
counter is the seed of the op. That is the one that was given; or else

- eagerly a number of a Mersenne twister (Python's `random`) that the global seed begins: each call
  has another one. Calls of one op with one seed of their own go on with one stream;
- in a function how many draws without a seed were traced before in it, or in the branch or the
  body of a loop that it stands in. Each place that draws has a stream of its own, which calls go on
  with; a function that others call begins anew at each place that calls it.

`set_seed` begins all of them anew.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary, finalize, ref

import numpy as np

from ...core import blame
from ...core.formatting import shown
from ...core.placement import store
from ...core.scopes import init_scope
from ...core.tensor import Held, wrap
from ...core.variable import Variable
from ...dispatch.primitive import Primitive
from ...dispatch.stored_variables import let_own
from ...dispatch.tracing import Trace, current

DEFAULT_SEED = 87654321  # stands for the global seed where only an op has one
_MODULUS = 2**31 - 1  # seeds are taken modulo this


class Stream:
    """Where one draw of a traced function begins."""

    def __init__(self, key: int | None, number: int) -> None:
        self.key, self.number = key, number  # without a key: the global seed that is set later

    def state(self) -> Any:
        """The state at the beginning."""
        return wrap(_state(streams_key() if self.key is None else self.key, self.number))

    def variable(self) -> Variable:
        """A Variable with the state, for one place that draws."""
        with init_scope():
            made = Variable(self.state(), trainable=False, name="random_state")
        let_own(made)
        place = id(made)
        _streams.of_functions[place] = ref(made), self
        finalize(made, _streams.of_functions.pop, place, None)
        return made


class Place:
    """Where a draw takes its state from, and leaves what is behind it."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def draw(self, prim: Primitive, operands: Sequence[Any], static: tuple[Any, ...]) -> Any:
        """A sample.

        Args:
            prim: A primitive of (state, *operands) that gives a sample, or several values, and the
                state behind it.
            operands: The parameters of the distribution, tensors.
            static: The static arguments of the primitive.

        Returns:
            The sample, or a list of the values.
        """
        *found, self.state = prim(self.state, *operands, static=static)
        return found[0] if len(found) == 1 else found


class _TracedPlace(Place):
    def __init__(self, trace: Trace, variable: Variable) -> None:
        super().__init__(variable.value())
        self.trace, self.variable = trace, variable

    def draw(self, prim: Primitive, operands: Sequence[Any], static: tuple[Any, ...]) -> Any:
        found = super().draw(prim, operands, static)
        self.trace.draw(self.variable, self.state)
        return found


class _Traced:
    """What a trace knows of random numbers."""

    def __init__(self, seed: int | None) -> None:
        self.seed = seed
        self.draws = 0  # without a seed


class _Streams:
    """All of them."""

    def __init__(self) -> None:
        self.seed: int | None = None  # the global one
        self.settings = 0  # how often it was set
        self.numbers = random.Random()
        self.unknown = self.numbers.getrandbits(63)  # the key where there is no global seed
        self.seeded: dict[Any, Place] = {}
        self.of_pairs: dict[int, dict[Any, Place]] = {}  # those with a global seed of their own
        self.unseeded = _Traced(None)
        self.of_traces: WeakKeyDictionary[Trace, _Traced] = WeakKeyDictionary()
        self.of_functions: dict[int, tuple[ref[Variable], Stream]] = {}  # by id of the Variable

    def set_seed(self, seed: int | None) -> None:
        trace = current()
        if trace is not None:
            self.of_trace(trace).seed = seed
            self.settings += trace.graph is not None  # datasets of graphs begin anew
            return
        self.seed = seed
        self.settings += 1
        self.numbers = random.Random(seed)
        self.unknown = random.SystemRandom().getrandbits(63)
        self.seeded.clear()
        self.of_pairs.clear()
        for held, stream in list(self.of_functions.values()):
            variable = held()
            if variable is not None:
                store(variable, stream.state()._array)

    def of_trace(self, trace: Trace) -> _Traced:
        found = self.of_traces.get(trace)
        if found is None:
            if trace.graph is not None:
                seed = None  # TensorFlow 1's graphs have seeds of their own
            elif trace.outer is not None:
                seed = self.of_trace(trace.outer).seed
            else:
                seed = self.seed
            found = self.of_traces[trace] = _Traced(seed)
        return found

    def of(self, op: str, dtypes: Any, seed: Any) -> Place:
        """Where a call of `op` draws: calls of the same op, dtypes and seed share a stream."""
        number = None if seed is None else whole_seed(seed, op)
        trace = current()
        if trace is not None:
            known = self.of_trace(trace)
            if number is None:
                # Where no seed was set, all draws of the process are numbered: none meets another.
                of = known if known.seed is not None else self.unseeded
                number, of.draws = of.draws, of.draws + 1
                return _TracedPlace(trace, Stream(known.seed, number).variable())
            key = DEFAULT_SEED if known.seed is None else known.seed
            return _TracedPlace(trace, Stream(key, number).variable())
        if number is None:
            if self.seed is None:  # more numbers than TensorFlow's, which are soon met again
                state = np.array([0, self.numbers.getrandbits(63), self.unknown], np.int64)
                return Place(wrap(state))
            return Place(wrap(_state(self.seed, self.numbers.randint(0, _MODULUS))))
        found = self.seeded.get((op, dtypes, number))
        if found is None:
            key = DEFAULT_SEED if self.seed is None else self.seed
            found = self.seeded[op, dtypes, number] = Place(wrap(_state(key, number)))
        return found


def _state(key: int, number: int) -> np.ndarray:
    """The state that a draw of a global seed and an op's begins at."""
    key, number = key % _MODULUS, number % _MODULUS
    if not key and not number:
        number = _MODULUS
    return np.array([0, number, key], np.int64)


_streams = _Streams()


def streams_key() -> int:
    """The key of what no seed was set for: the global seed, or one that nobody knows."""
    return _streams.unknown if _streams.seed is None else _streams.seed


def whole_seed(seed: Any, op: str) -> int:
    """A seed as a Python integer."""
    try:
        if isinstance(seed, Held):
            seed = np.asarray(seed)
        if isinstance(seed, float) and seed.is_integer():
            seed = int(seed)
        return int(seed.__index__())
    except (AttributeError, TypeError, NotImplementedError):
        raise blame.type_error(f"a seed must be an integer, got {shown(seed)}", op) from None


def stream_of(op: str, dtypes: Any, seed: Any) -> Place:
    """Where a call of `op` with these dtypes and this seed, if any, draws."""
    return _streams.of(op, dtypes, seed)


def begun_anew(variable: Any) -> Variable | None:
    """For the state of a draw of a traced function: one that is at its beginning, for another
    place that calls the function; None for what is no such state."""
    found = _streams.of_functions.get(id(variable))
    return None if found is None else found[1].variable()


def seeded_anew(variable: Any) -> Variable | None:
    """`begun_anew`, for those draws alone whose numbers follow from a seed."""
    found = _streams.of_functions.get(id(variable))
    return None if found is None or found[1].key is None else found[1].variable()


def first_place() -> Place | None:
    """Where a function that was traced now would draw first, each time anew; None without a global
    seed."""
    return None if _streams.seed is None else Place(wrap(_state(_streams.seed, 0)))


def seeds_of(op: str, seed: Any) -> tuple[int, int] | None:
    """The key and the number by which an op draws that draws by itself; None: any."""
    trace = current()
    known = None if trace is None else _streams.of_trace(trace)
    key = _streams.seed if known is None else known.seed
    if seed is not None:
        number = whole_seed(seed, op)
    elif key is None:
        return None
    elif known is None:
        number = _streams.numbers.randint(0, _MODULUS)
    else:
        number, known.draws = known.draws, known.draws + 1
    state = _state(DEFAULT_SEED if key is None else key, number)
    return int(state[2]), int(state[1])


@contextmanager
def numbered_anew() -> Iterator[None]:
    """What is traced inside is a function of its own, whose draws are numbered from 0."""
    trace = current()
    assert trace is not None
    around = _streams.of_trace(trace)
    _streams.of_traces[trace] = _Traced(around.seed)
    try:
        yield
    finally:
        _streams.of_traces[trace] = around


def set_global_seed(seed: int | None) -> None:
    """Begin all streams anew; while a function is traced, those of its draws from here on."""
    _streams.set_seed(seed)


@contextmanager
def replaced_seed(seed: int) -> Iterator[None]:
    """The ops inside draw by this global seed, and by their own."""
    trace = current()
    holder: Any = _streams if trace is None else _streams.of_trace(trace)
    before, kept = holder.seed, _streams.seeded
    holder.seed, _streams.seeded = seed, _streams.of_pairs.setdefault(seed, {})
    try:
        yield
    finally:
        holder.seed, _streams.seeded = before, kept


def global_seed() -> int | None:
    """What `set_seed` was given last: for the function or graph that is traced, if one is."""
    trace = current()
    return _streams.seed if trace is None else _streams.of_trace(trace).seed


def seed_settings() -> int:
    """How often `set_seed` was called."""
    return _streams.settings


__all__ = [
    "DEFAULT_SEED",
    "Place",
    "Stream",
    "begun_anew",
    "first_place",
    "global_seed",
    "numbered_anew",
    "replaced_seed",
    "seed_settings",
    "seeded_anew",
    "seeds_of",
    "set_global_seed",
    "stream_of",
    "whole_seed",
]
