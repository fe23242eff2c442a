"""Plans and cursors: what a dataset is, and how one goes through it.

A plan knows its spec and how many elements it has. An *indexed* plan also gives the elements at any
places. That has two halves: on the host `stacked_inputs` turns places into what a program takes
(mostly the numbers of rows), and `stacked`, which can be traced, computes the elements from them.
The halves of nested plans are put together, so that what lies between a source and the root is one
program. `single_inputs` and `single` are the same for one element that is not to be stacked: a
batch, of which there may be a smaller one.

A `Run` holds what one iteration has drawn (the orders of its shuffles), a `Cursor` where it is.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, ClassVar, Final, NamedTuple, Protocol, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from ..core.specs import TensorSpec
from ..core.tensor import wrap
from ..function.concrete import ConcreteFunction
from ..function.polymorphic import function
from .elements import NOTHING, Chunk, Columns, Element, ElementSpec, Loose, Stacked, stacked_spec

Programs = WeakKeyDictionary[ConcreteFunction, ConcreteFunction]


class _Drawing(Protocol):
    """What may draw random numbers: functions of elements."""

    def seeded_anew(self, known: Programs) -> Self: ...


_F = TypeVar("_F", bound=_Drawing)

INFINITE: Final = -1
UNKNOWN: Final = -2

Places = np.ndarray  # int64: which elements of a plan


class How(NamedTuple):
    """How elements are made, as far as options say it for a plan and those below it."""

    threads: int | None = None  # how many may call Python functions; None: as each plan says
    ahead: bool = True  # whether threads may make what nobody has asked for yet


BY_DEFAULT: Final = How()


class Run:
    """What one iteration over a plan has drawn; a tree like that of the plans.

    Args:
        plan: The plan.
        epoch: Which iteration over it this is; only what draws random numbers looks at it.
        children: The runs of the plan's inputs.
        turns: Which repetition this is, from the outermost repeat to the innermost.
        how: By how many threads, and what may be made ahead.
        streams: The programs that draw by a seed, by those that they are copies of, each with its
            own streams; those of its repetitions, too, and of plans that its functions make.
    """

    __slots__ = ("children", "epoch", "how", "kept", "plan", "streams", "turns")

    def __init__(
        self,
        plan: Plan,
        epoch: int,
        children: tuple[Run, ...],
        turns: tuple[int, ...] = (),
        how: How = BY_DEFAULT,
        streams: Programs | None = None,
    ) -> None:
        self.plan, self.epoch, self.children, self.turns = plan, epoch, children, turns
        self.how = how
        self.streams: Programs = WeakKeyDictionary() if streams is None else streams
        self.kept: Any = None  # what the plan keeps here

    def turned(self, turn: int) -> Run:
        """The run of one repetition of the same."""
        children = tuple([child.turned(turn) for child in self.children])
        return Run(self.plan, self.epoch, children, (*self.turns, turn), self.how, self.streams)

    def own(self, function: _F) -> _F:
        """A function of elements as this iteration calls it: what it draws by a seed begins with
        the iteration, and goes on from one repetition to the next, as in TensorFlow."""
        return function.seeded_anew(self.streams)

    @property
    def threads(self) -> int | None:
        """How many threads may call Python functions; None: as each plan says."""
        return self.how.threads

    @property
    def ahead(self) -> bool:
        """Whether threads may make what nobody has asked for yet."""
        return self.how.ahead and self.how.threads != 1

    def epochs(self) -> list[int]:
        """The epochs of the whole tree, in the order in which `begin` takes them."""
        return [self.epoch, *[e for child in self.children for e in child.epochs()]]


def begin(plan: Plan, epochs: Iterator[int] | None = None, how: How = BY_DEFAULT) -> Run:
    """A new iteration; or, with the epochs of another one, that one again."""
    epoch = plan.draw() if epochs is None else next(epochs)
    own = plan.narrowed(how)
    return Run(plan, epoch, tuple([begin(child, epochs, own) for child in plan.inputs]), (), own)


def begin_inner(plan: Plan, number: int, how: How, streams: Programs) -> Run:
    """An iteration over a plan that another one makes while it is run: all its numbers follow from
    one, and its programs draw where those of the plans before it have left off."""
    own = plan.narrowed(how)
    children = tuple([begin_inner(child, number, own, streams) for child in plan.inputs])
    return Run(plan, number if plan.redraws else 0, children, (), own, streams)


class Plan:
    """How the elements of a dataset come to be."""

    kind: ClassVar[str]  # of the dataset, as it is printed
    inputs: tuple[Plan, ...] = ()
    spec: ElementSpec
    indexed: bool = False  # whether the elements at any places can be asked for
    stackable: bool = False  # whether such elements are of one shape, so that many are columns
    computes: bool = False  # whether there is a function in it, so that a program pays
    by_rows: bool = False  # whether programs take numbers of rows, and nothing else
    redraws: bool = False  # whether an iteration looks at its number
    varies: bool = False  # whether another epoch or repetition has another order
    sees_variables: bool = False  # whether its elements may follow from what Variables are
    made_of: tuple[Any, ...]  # what the class was called with

    def __new__(cls, *args: Any, **options: Any) -> Self:
        plan = super().__new__(cls)
        plan.made_of = (args, options)
        return plan

    def __init__(self) -> None:
        self.reduced: dict[str, str] = {}  # functions that it was reduced with: how they ran
        self.worth: Any = None  # what iterators keep here of whether to make elements ahead
        self._programs: dict[bool, Callable[..., Any]] = {}
        self._lock = threading.Lock()
        self._epochs = itertools.count()

    @property
    def packs(self) -> bool:
        """Whether some elements at once take less than one by one, although it is not stackable."""
        return False

    @property
    def cardinality(self) -> int:
        """How many elements there are; INFINITE or UNKNOWN."""
        return UNKNOWN

    def narrowed(self, how: How) -> How:
        """How its elements are made, where what is around it says `how`."""
        return how

    def draw(self) -> int:
        """The number of a new iteration."""
        return next(self._epochs) if self.redraws else 0

    def cursor(self, run: Run) -> Cursor:
        """Something that stands in front of the first element."""
        found, measured = self.opened(run), measuring.get()
        return found if measured is None else measured(self, found)

    def opened(self, run: Run) -> Cursor:
        """The cursor, as it is when nobody looks at what it takes."""
        return IndexedCursor(self, run) if self.indexed else self.stream(run)

    def stream(self, run: Run) -> Cursor:
        """The cursor of a plan that is not indexed."""
        raise NotImplementedError

    def describe(self) -> str:
        """What it does, in a few words."""
        return self.kind

    # Indexed plans.

    def stacked_specs(self) -> list[TensorSpec]:
        """The specs of `stacked_inputs`."""
        raise NotImplementedError

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        """What `stacked` takes for the elements at these places: tensors, each with as many rows
        for each element."""
        raise NotImplementedError

    def stacked(self, inputs: Iterator[Any]) -> Columns:
        """The elements, as rows."""
        raise NotImplementedError

    def single_specs(self) -> list[TensorSpec]:
        """The specs of `single_inputs`."""
        return self.stacked_specs()

    def single_inputs(self, place: int, run: Run) -> list[Any]:
        """What `single` takes for the element at this place."""
        return self.stacked_inputs(np.array([place], np.int64), run)

    def single(self, inputs: Iterator[Any]) -> Element:
        """One element."""
        return tuple([column[0] for column in self.stacked(inputs)])

    def slices(self) -> tuple[Plan, int] | None:
        """Where one program can go along its elements: a plan, so many of whose elements, one after
        another, make each one of this. `single` takes the rows of their `stacked_inputs`."""
        return None

    # Running them.

    def first(self) -> Element | None:
        """The first element, if there is one."""
        cursor = self.cursor(begin(self, itertools.repeat(0)))
        try:
            return cursor.next()
        finally:
            cursor.close()

    def elements(self, places: Places, run: Run) -> Chunk:
        """The elements at these places."""
        if not self.stackable:
            return Loose([self.element(int(place), run) for place in places])
        inputs = self.stacked_inputs(places, run)
        return Stacked(self._run(True, inputs), len(places))

    def element(self, place: int, run: Run) -> Element:
        """The element at this place."""
        if not self.stackable:
            return tuple(self._run(False, self.single_inputs(place, run)))
        return self.elements(np.array([place], np.int64), run).element(0)

    def _run(self, many: bool, inputs: Sequence[Any]) -> tuple[Any, ...]:
        if not self.computes:
            return tuple((self.stacked if many else self.single)(iter(inputs)))
        program = self._programs.get(many)
        if program is None:
            with self._lock:
                program = self._programs.get(many) or self._program(many)
                self._programs[many] = program
        result: tuple[Any, ...] = program(*inputs)
        return result

    def _program(self, many: bool) -> Callable[..., Any]:
        half = self.stacked if many else self.single
        specs = self.stacked_specs() if many else self.single_specs()
        return function(
            lambda *inputs: tuple(half(iter(inputs))), input_signature=specs, autograph=False
        )


class Given(Plan):
    """The base of indexed plans that programs above are given the elements of, as they are.

    A subclass has `elements` and `element`.
    """

    def stacked_specs(self) -> list[TensorSpec]:
        return [stacked_spec(leaf, None) for leaf in self.spec.leaves]

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        columns = self.elements(places, run).columns()
        assert columns is not None
        return list(columns)

    def stacked(self, inputs: Iterator[Any]) -> Columns:
        return tuple([next(inputs) for _ in self.spec.leaves])

    def single_specs(self) -> list[TensorSpec]:
        return list(self.spec.parts)

    def single_inputs(self, place: int, run: Run) -> list[Any]:
        return list(self.spec.parts_of(self.element(place, run)))

    def single(self, inputs: Iterator[Any]) -> Element:
        return self.spec.put_together([next(inputs) for _ in self.spec.parts])


# Puts something around each cursor that is made: see profiling.py.
measuring: ContextVar[Callable[[Plan, Cursor], Cursor] | None] = ContextVar(
    "measuring", default=None
)


class Cursor:
    """A place in an iteration over a plan.

    A subclass has `_next`, or `_take` if it can do better for many elements at once, and `_skip` if
    it can do without computing what it leaves out.
    """

    _failure: BaseException | None = None

    def take(self, count: int) -> Chunk:
        """Up to so many elements; none only where there are no more. No more are read than these.

        Raises:
            Exception: What computing an element raises, when all before it are delivered. The next
                call goes on behind that element.
        """
        failure = self._failure
        if failure is not None:
            self._failure = None
            raise failure
        return self._take(count)

    def next(self) -> Element | None:
        """The next element; None where there is none."""
        chunk = self.take(1)
        return chunk.element(0) if len(chunk) else None

    def skip(self, count: int) -> int:
        """Go on by so many elements, or to the end; how many there were."""
        if self._failure is not None:
            self.take(0)
        return self._skip(count)

    def close(self) -> None:
        """Give back threads and files."""

    def _take(self, count: int) -> Chunk:
        found: list[Element] = []
        try:
            while len(found) < count:
                element = self._next()
                if element is None:
                    break
                found.append(element)
        except Exception as failure:
            if not found:
                raise
            self._failure = failure
        return Loose(found)

    def _next(self) -> Element | None:
        raise NotImplementedError

    def _skip(self, count: int) -> int:
        done = 0
        while done < count:
            chunk = self.take(min(count - done, _SKIPPED_AT_ONCE))
            if not len(chunk):
                break
            done += len(chunk)
        return done


_SKIPPED_AT_ONCE = 256


class IndexedCursor(Cursor):
    """A place in an indexed plan: its number."""

    def __init__(self, plan: Plan, run: Run) -> None:
        self._plan, self._run = plan, run
        self._place = 0
        self._count = plan.cardinality

    def _take(self, count: int) -> Chunk:
        if self._count != INFINITE:
            count = min(count, self._count - self._place)
        if count <= 0:
            return NOTHING
        plan, start = self._plan, self._place
        if count == 1 or not (plan.stackable or plan.packs):
            return super()._take(count)
        try:
            chunk = plan.elements(np.arange(start, start + count), self._run)
        except Exception:  # one of them: which?
            return super()._take(count)
        self._place = start + count
        return chunk

    def _next(self) -> Element | None:
        if self._place == self._count:
            return None
        place = self._place
        self._place = place + 1
        return self._plan.element(place, self._run)

    def _skip(self, count: int) -> int:
        if self._count != INFINITE:
            count = min(count, self._count - self._place)
        self._place += count
        return count


def places_tensor(places: Places) -> Any:
    """Places as what a program takes."""
    return wrap(np.ascontiguousarray(places, np.int64))


__all__ = [
    "INFINITE",
    "UNKNOWN",
    "Cursor",
    "Given",
    "How",
    "IndexedCursor",
    "Places",
    "Plan",
    "Run",
    "begin",
    "begin_inner",
    "measuring",
    "places_tensor",
]
