"""Several datasets in turns that are drawn or given: sample_from_datasets, choose_from_datasets,
rejection_resample; and `random`, numbers that are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tfc.ir.dtypes import int64

from ...core import blame
from ...core.nest import decompose
from ...core.specs import TensorSpec
from ...core.tensor import wrap
from ..elements import Chunk, Element, ElementSpec, Stacked
from ..functions import ElementFunction
from ..plan import INFINITE, UNKNOWN, Cursor, Given, Places, Plan, Run
from .drawn import Orders, Pair, Stream, uniforms, words
from .mapping import named


def _words(seed: int, run: Run) -> np.random.Generator:
    """Random numbers of one iteration. NumPy's Philox gives the same words in all versions."""
    sequence = np.random.SeedSequence([seed, run.epoch, *run.turns])
    return np.random.Generator(np.random.Philox(sequence))


class Random(Given):
    """Random integers below 2**32: the words of a stream."""

    kind = "Random"
    indexed = stackable = True

    def __init__(self, seeds: Pair, rerandomizes: bool) -> None:
        super().__init__()
        self._seeds = seeds
        self._orders = Orders()
        self.redraws = self.varies = rerandomizes
        self.spec = ElementSpec.of(TensorSpec([], int64))

    @property
    def cardinality(self) -> int:
        return INFINITE

    def draw(self) -> int:
        return self._orders.begun() if self.redraws else 0

    def elements(self, places: Places, run: Run) -> Chunk:
        if run.kept is None:
            run.kept = self._orders.seeds(self._seeds, run) if self.redraws else self._seeds
        first, last = int(places.min()), int(places.max())
        if last - first < 4 * len(places):
            numbers = words(run.kept, first, last + 1 - first)[places - first]
        else:
            numbers = np.concatenate([words(run.kept, int(place), 1) for place in places])
        return Stacked((wrap(numbers.astype(np.int64)),), len(places))

    def element(self, place: int, run: Run) -> Element:
        return self.elements(np.array([place], np.int64), run).element(0)


class Mixed(Plan):
    """The base: elements of several plans, in turns.

    Args:
        sources: The plans.
        stops: Whether to end with the first one that has no more.
    """

    def __init__(self, sources: Sequence[Plan], stops: bool, op: str) -> None:
        super().__init__()
        if not sources:
            raise blame.value_error("there must be a dataset", op)
        self.sources, self.stops = tuple(sources), stops
        self.inputs = self.sources
        spec = sources[0].spec
        for source in sources[1:]:
            spec = spec.merged(source.spec, op)
        self.spec = spec
        self.varies = any(source.varies for source in sources)


class Sampled(Mixed):
    """Each element is from a plan that is drawn."""

    kind = "Sample"
    varies = True

    def __init__(
        self,
        sources: Sequence[Plan],
        weights: Sequence[float],
        seeds: Pair,
        stops: bool,
        rerandomizes: bool,
    ) -> None:
        super().__init__(sources, stops, "sample_from_datasets")
        self._weights = np.asarray(weights, np.float64)
        self._seeds = seeds
        self._orders = Orders()
        self.redraws = rerandomizes
        self.varies = self.varies or rerandomizes

    def stream(self, run: Run) -> Cursor:
        pairs = zip(self.sources, run.children, strict=True)
        cursors = [source.cursor(own) for source, own in pairs]
        return _SampledCursor(cursors, self._weights, Uniforms(self._drawn_by(run)), self.stops)

    def draw(self) -> int:
        return self._orders.begun() if self.redraws else 0

    def _drawn_by(self, run: Run) -> Pair:
        return self._orders.seeds(self._seeds, run) if self.redraws else self._seeds


class _MixedCursor(Cursor):
    def __init__(self, sources: list[Cursor], stops: bool) -> None:
        self._sources: list[Cursor | None] = list(sources)
        self._all, self._stops = sources, stops

    def _of(self, i: int) -> Element | None:
        """The next element of one plan; None where there is none."""
        source = self._sources[i]
        element = None if source is None else source.next()
        if element is None:
            if self._stops:
                self._sources = [None] * len(self._sources)
            self._sources[i] = None
        return element

    @property
    def _open(self) -> bool:
        return any(source is not None for source in self._sources)

    def close(self) -> None:
        for source in self._all:
            source.close()


class Uniforms:
    """Numbers from 0 to below 1, each drawn by the next two words of a stream."""

    _AT_ONCE = 256

    def __init__(self, seeds: Pair) -> None:
        self._stream = Stream(seeds)
        self._coming: list[float] = []

    def next(self) -> float:
        """The next number."""
        if not self._coming:
            pairs = self._stream.take(2 * self._AT_ONCE).reshape(-1, 2)
            self._coming = uniforms(pairs[:, 0], pairs[:, 1]).tolist()[::-1]
        return self._coming.pop()


def _chosen(weights: np.ndarray, uniform: float) -> int:
    """The number of a weight, as often drawn as it says."""
    ends = np.cumsum(weights)
    return min(int(np.searchsorted(ends, uniform * ends[-1], "right")), len(ends) - 1)


class _SampledCursor(_MixedCursor):
    """Where one that has ended is drawn, another is drawn instead: the others keep their
    proportions."""

    def __init__(
        self,
        sources: list[Cursor],
        weights: np.ndarray,
        random: Uniforms,
        stops: bool,
    ) -> None:
        super().__init__(sources, stops)
        self._weights, self._random = weights, random
        self._left = weights > 0  # of which there are more elements

    def _next(self) -> Element | None:
        while self._open and self._left.any():
            i = _chosen(self._weights, self._random.next())
            element = self._of(i)
            if element is not None:
                return element
            self._left[i] = False
        return None


class SampledByWeights(Mixed):
    """Each element is from a plan that is drawn with probabilities which a dataset gives."""

    kind = "Sample"

    def __init__(
        self, sources: Sequence[Plan], weights: Plan, seeds: Pair, stops: bool, rerandomizes: bool
    ) -> None:
        super().__init__(sources, stops, "sample_from_datasets")
        self.inputs = (*self.sources, weights)
        self._seeds = seeds
        self._orders = Orders()
        self.redraws = self.varies = rerandomizes

    def stream(self, run: Run) -> Cursor:
        pairs = zip(self.inputs, run.children, strict=True)
        *cursors, weights = [source.cursor(own) for source, own in pairs]
        return _SampledByWeightsCursor(cursors, weights, Uniforms(self._drawn_by(run)), self.stops)

    def draw(self) -> int:
        return self._orders.begun() if self.redraws else 0

    def _drawn_by(self, run: Run) -> Pair:
        return self._orders.seeds(self._seeds, run) if self.redraws else self._seeds


class _SampledByWeightsCursor(_MixedCursor):
    def __init__(
        self,
        sources: list[Cursor],
        weights: Cursor,
        random: Uniforms,
        stops: bool,
    ) -> None:
        super().__init__(sources, stops)
        self._given, self._random = weights, random

    def _next(self) -> Element | None:
        while self._open:
            given = self._given.next()
            if given is None:
                return None
            weights = np.array(given[0]._array, np.float64)
            if len(weights) != len(self._sources):
                raise blame.invalid(
                    f"{len(weights)} weights for {len(self._sources)} datasets",
                    "sample_from_datasets",
                )
            if weights.any():
                element = self._of(_chosen(weights, self._random.next()))
                if element is not None:
                    return element
        return None

    def close(self) -> None:
        super().close()
        self._given.close()


class Chosen(Mixed):
    """Each element is from the plan whose number another plan gives."""

    kind = "DirectedInterleave"

    def __init__(self, sources: Sequence[Plan], choices: Plan, stops: bool) -> None:
        op = "choose_from_datasets"
        super().__init__(sources, stops, op)
        leaves = choices.spec.leaves
        scalar = len(leaves) == 1 and isinstance(leaves[0], TensorSpec)
        if not scalar or leaves[0].dtype is not int64 or leaves[0].shape.rank:
            raise blame.type_error(
                "Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar `tf.int64` "
                f"tensors but are {choices.spec}.",
                op,
            )
        self.inputs = (*self.sources, choices)
        self.varies = any(source.varies for source in self.inputs)

    def stream(self, run: Run) -> Cursor:
        pairs = zip(self.inputs, run.children, strict=True)
        *cursors, choices = [source.cursor(own) for source, own in pairs]
        return _ChosenCursor(cursors, choices, self.stops)


class _ChosenCursor(_MixedCursor):
    def __init__(self, sources: list[Cursor], choices: Cursor, stops: bool) -> None:
        super().__init__(sources, stops)
        self._choices = choices

    def _next(self) -> Element | None:
        while self._open:
            choice = self._choices.next()
            if choice is None:
                return None
            i = int(choice[0]._array)
            if not 0 <= i < len(self._sources):
                raise blame.invalid(
                    f"Selector index out of range: {i} >= {len(self._sources)}",
                    "choose_from_datasets",
                )
            element = self._of(i)
            if element is not None:
                return element
        return None

    def close(self) -> None:
        super().close()
        self._choices.close()


class Resampled(Plan):
    """Elements with their classes, some of them left out, so that classes come as often as wanted.

    Where it is not known how often they come, it is counted while they are read.
    """

    kind = "RejectionResample"
    varies = redraws = True

    def __init__(
        self,
        source: Plan,
        function: ElementFunction,
        target: np.ndarray,
        initial: np.ndarray | None,
        seed: int,
    ) -> None:
        super().__init__()
        self.source, self.function, self._target, self._initial = source, function, target, initial
        self.inputs = (source,)
        self._seed = seed
        nested = (function.output.nested, source.spec.nested)
        self.spec = ElementSpec(
            (*function.output.leaves, *source.spec.leaves), decompose(nested)[1]
        )

    @property
    def cardinality(self) -> int:
        return self.source.cardinality if self.source.cardinality in (0, INFINITE) else UNKNOWN

    def stream(self, run: Run) -> Cursor:
        return _ResampledCursor(
            self.source.cursor(run.children[0]),
            self.function,
            self._target,
            self._initial,
            _words(self._seed, run),
        )

    def describe(self) -> str:
        return f"rejection_resample {named(self.function.python)}"


class _ResampledCursor(Cursor):
    """An element of class c is kept with a probability proportional to target[c] / initial[c]; the
    class that is wanted most, as compared with how often it comes, is always kept (von Neumann's
    rejection sampling)."""

    def __init__(
        self,
        source: Cursor,
        function: ElementFunction,
        target: np.ndarray,
        initial: np.ndarray | None,
        random: np.random.Generator,
    ) -> None:
        self._source, self._function, self._random = source, function, random
        self._target = target
        self._kept = None if initial is None else _kept(target, initial)
        self._counts = np.zeros(len(target), np.float64)

    def _next(self) -> Element | None:
        while (element := self._source.next()) is not None:
            (number,) = self._function.one(*element)
            i = int(number)
            if not 0 <= i < len(self._target):
                raise blame.invalid(
                    f"class {i} is none of the {len(self._target)} of target_dist",
                    "rejection_resample",
                )
            kept = self._kept
            if kept is None:
                self._counts[i] += 1
                kept = _kept(self._target, self._counts / self._counts.sum())
            if self._random.random() < kept[i]:
                return (number, *element)
        return None

    def close(self) -> None:
        self._source.close()


def _kept(target: np.ndarray, initial: np.ndarray) -> np.ndarray:
    """How probable it is that an element of each class is kept."""
    there = initial > 0
    ratios = np.where(there, target / np.where(there, initial, 1), 0)
    most = ratios.max(initial=0)
    return ratios / most if most > 0 else np.zeros_like(ratios)


__all__ = [
    "Chosen",
    "Random",
    "Resampled",
    "Sampled",
    "SampledByWeights",
]
