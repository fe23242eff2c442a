"""Random numbers that are drawn in loops of their own: by rejection, and one after another.

Both are TensorFlow's numbers: which words of the stream make which element is its choice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from ..algebra import Term
from ..core import Builder, Value
from ..dtypes import DType, float64, int64, uint32, uint64
from ..element_builder import Index, ScheduleBuilder
from ..extent import Extent, Shape, as_int, as_ints, product
from ..types import TensorType
from .elementwise import Bitcast
from .random import blocks_behind, philox
from .scheduled import Scheduled
from .transcendental import Log

_LEAST = 1e-7  # of what the logarithm of is taken
_BOUND = 2.0
SPACING = 256  # blocks from one group of four words' elements to the next


class Drawn(Scheduled, abstract=True):
    """The base: of a state u64[3], as RandomBits takes it. No gradient flows back."""

    state: Value

    def check_state(self) -> None:
        if self.state.dtype is not uint64 or self.state.rank != 1:
            raise self.error("the state must be u64[3]", "dtype")

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def block(self, lower: ScheduleBuilder, place: Term) -> list[Term]:
        """The words of the block `place` blocks behind the counter, in u64."""
        first, upper, key = (
            Term(lower.b, lower.element(self.state, (lower.extent(i),))) for i in range(3)
        )
        moved = first + Term(lower.b, lower.cast(place.value, uint64))
        carry = Term(lower.b, lower.cast((moved < first).value, uint64))
        return philox(moved, upper + carry, key)


class RandomTruncatedNormal(Drawn):
    """Normal numbers of magnitude below 2, of the method of Box and Muller: each group of elements
    that one block of words makes has its own part of the stream, and takes the first of its
    numbers that fit. f64 takes two words for a number, the others one.

        parallel for group:
            while fewer than the group's elements are there:
                words of the next block; sine and cosine of each pair, scaled
                store those that fit, as long as there is room
    """

    shape: Shape
    dtype: DType

    def infer(self) -> TensorType:
        self.check_state()
        if self.dtype.kind != "f":
            raise self.error("the dtype must be one of floats", "dtype")
        return TensorType(self.dtype, self.shape)

    @property
    def group(self) -> int:
        """How many numbers a block makes."""
        return 2 if self.dtype is float64 else 4

    @property
    def spacing(self) -> int:
        """How many blocks there are for a group."""
        return SPACING * self.group // 4

    def operations(self) -> Extent:
        return product(self.shape) * 60

    def numpy(self, state: np.ndarray) -> np.ndarray:
        shape, many = as_ints(self.shape), self.group
        groups = -(-int(np.prod(shape, dtype=np.int64)) // many)
        found, count = np.zeros((groups, many), self.dtype.numpy), np.zeros(groups, np.int64)
        open_, block = np.arange(groups), 0
        while open_.size:
            places = open_.astype(np.uint64) * np.uint64(self.spacing) + np.uint64(block)
            for x in normals(blocks_behind(state, places), self.dtype.compute).T:
                fits = (np.abs(x) < _BOUND) & (count[open_] < many)
                here = open_[fits]
                found[here, count[here]] = x[fits]
                count[here] += 1
            open_, block = open_[count[open_] < many], block + 1
        return found.ravel()[: int(np.prod(shape, dtype=np.int64))].reshape(shape)

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        total = lower.extent(product(self.shape))
        zero = lower.extent(0)

        def fill(index: Index) -> None:
            g, _ = index
            base = (Term(lower.b, g) * self.group).value
            room = (Term(lower.b, total) - Term(lower.b, base)).minimum(self.group).value
            start = (Term(lower.b, g) * self.spacing).value

            def step(carried: list[Term]) -> Sequence[Value]:
                block, count = carried
                words = self.block(lower, Term(lower.b, start) + block)
                for x in self.numbers(lower, words):
                    fits = (x.abs() < _BOUND) & (count < Term(lower.b, room))
                    place = (Term(lower.b, base) + count).value
                    value = lower.cast(x.value, self.dtype)
                    lower.when(fits, partial(lower.store, out, place, value))
                    count = count + Term(lower.b, lower.cast(fits.value, int64))
                return (block + 1).value, count.value

            lower.while_((zero, zero), lambda c: c[1] < Term(lower.b, room), step)

        groups = (product(self.shape) + (self.group - 1)) // self.group
        lower.spread((groups, 1), fill)

    def numbers(self, lower: ScheduleBuilder, words: list[Term]) -> list[Term]:
        """Normal numbers of a block: of each pair of uniform numbers a sine and a cosine."""
        compute = self.dtype.compute

        def cast(x: Term, dtype: DType) -> Term:
            return Term(lower.b, lower.cast(x.value, dtype))

        def unit(pattern: Term, one: int) -> Term:
            bits = pattern | one
            word = bits if compute is float64 else cast(bits, uint32)
            return Term(lower.b, lower.emit(Bitcast(word.value, compute))) - 1

        if compute is float64:
            wide = [(words[i] << 32) | words[i + 1] for i in (0, 2)]
            units = [unit(w & ((1 << 52) - 1), 0x3FF << 52) for w in wide]
        else:
            units = [unit(w & ((1 << 23) - 1), 0x7F << 23) for w in words]
        made = []
        for radius, angle in zip(units[::2], units[1::2], strict=True):
            log = Term(lower.b, lower.emit(Log(radius.maximum(_LEAST).value)))
            length = (log * -2.0).sqrt()
            turn = cast(cast(angle, float64) * (2 * math.pi), compute)
            made += [turn.sin() * length, turn.cos() * length]
        return made


def uniforms(words: np.ndarray, dtype: DType) -> np.ndarray:
    """Of words u32[n, 4] the numbers in [0, 1): four of each block, or two in float64."""
    if dtype is float64:
        joined = (words[:, ::2].astype(np.uint64) << np.uint64(32)) | words[:, 1::2]
        pattern = (joined & np.uint64((1 << 52) - 1)) | np.uint64(0x3FF << 52)
        return np.asarray(pattern.view(np.float64) - 1)
    pattern32 = (words & np.uint32((1 << 23) - 1)) | np.uint32(0x7F << 23)
    return np.asarray(pattern32.view(np.float32) - np.float32(1))


def normals(words: np.ndarray, dtype: DType) -> np.ndarray:
    """The normal numbers of blocks, as many as `uniforms` gives."""
    unit = uniforms(words, dtype)
    length = np.sqrt(unit.dtype.type(-2) * np.log(np.maximum(unit[:, ::2], _LEAST)))
    turn = (unit[:, 1::2].astype(np.float64) * (2 * np.pi)).astype(unit.dtype)
    both = np.stack([np.sin(turn) * length, np.cos(turn) * length], 2)
    return np.asarray(both.reshape(unit.shape))


class RandomPermutation(Drawn):
    """0, 1, ..., count - 1 in random order: R. Durstenfeld, "Algorithm 235: Random permutation",
    1964. The i-th word, modulo how many are left, says which comes next.

        for i: swap the elements i and i + words[i] % (count - i)
    """

    count: Extent

    def infer(self) -> TensorType:
        self.check_state()
        return TensorType(int64, (self.count,))

    def operations(self) -> Extent:
        return self.count * 40

    def numpy(self, state: np.ndarray) -> np.ndarray:
        count = as_int(self.count)
        words = blocks_behind(state, np.arange(-(-count // 4), dtype=np.uint64)).ravel()
        order = list(range(count))
        steps = (words[:count].astype(np.int64) % np.arange(count, 0, -1)).tolist()
        for i, step in enumerate(steps):
            order[i], order[i + step] = order[i + step], order[i]
        return np.array(order, np.int64)

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        zero, count = lower.extent(0), lower.extent(self.count)
        lower.loop(zero, count, lambda i: lower.store(out, i, i))

        def four(block: Value) -> None:
            for k, word in enumerate(self.block(lower, Term(lower.b, block))):
                i = Term(lower.b, block) * 4 + k
                inside = i < Term(lower.b, count)
                lower.when(inside, partial(swap, i.value, word.value))

        def swap(i: Value, word: Value) -> None:
            left = (Term(lower.b, count) - Term(lower.b, i)).value
            step = (Term(lower.b, word) % lower.cast(left, uint64)).value
            step = lower.cast(step, int64)
            other = (Term(lower.b, i) + Term(lower.b, step)).value
            first, second = lower.reload(out, i), lower.reload(out, other)
            lower.store(out, i, second)
            lower.store(out, other, first)

        lower.loop(zero, Term(lower.b, count).ceildiv(4).value, four)


__all__ = ["RandomPermutation", "RandomTruncatedNormal"]
