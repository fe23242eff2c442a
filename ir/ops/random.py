"""Random bits: a counter-based function of a state and the element's index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algebra import Term
from ..core import Builder, Op, Value
from ..dtypes import uint32, uint64
from ..element_builder import ElementBuilder, Index
from ..extent import Shape, as_ints
from ..types import TensorType

# Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10


def philox_words(lower: np.ndarray, upper: np.ndarray, key: np.ndarray | np.uint64) -> np.ndarray:
    """The four words u32[n, 4] of blocks whose counters' halves are u64[n]; the key is one u64, or
    one for each."""
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    c = [lower & low, lower >> shift, upper & low, upper >> shift]
    key = np.asarray(key, np.uint64)
    parts = [key & low, key >> shift]
    for _ in range(ROUNDS):
        p0, p1 = np.uint64(MULTIPLIERS[0]) * c[0], np.uint64(MULTIPLIERS[1]) * c[2]
        c = [
            (p1 >> shift) ^ c[1] ^ parts[0],
            p1 & low,
            (p0 >> shift) ^ c[3] ^ parts[1],
            p0 & low,
        ]
        parts = [(k + np.uint64(w)) & low for k, w in zip(parts, WEYL, strict=True)]
    return np.stack(c, axis=1).astype(np.uint32)


def blocks_behind(state: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The words u32[n, 4] of the blocks so many, u64[n], behind a state's counter."""
    lower = state[0] + places
    return philox_words(lower, state[1] + (lower < state[0]).astype(np.uint64), state[2])


def philox(lower: Term, upper: Term, key: Term) -> list[Term]:
    """The four words of a block, in u64: `lower` and `upper` are the halves of its counter."""
    low = 0xFFFFFFFF

    def split(x: Term) -> list[Term]:
        return [x & low, x.shift_right_logical(32)]

    c, parts = [*split(lower), *split(upper)], split(key)
    for _ in range(ROUNDS):
        (low0, high0), (low1, high1) = split(c[0] * MULTIPLIERS[0]), split(c[2] * MULTIPLIERS[1])
        c = [(high1 ^ c[1]) ^ parts[0], low1, (high0 ^ c[3]) ^ parts[1], low0]
        parts = [((k + w) & low) for k, w in zip(parts, WEYL, strict=True)]
    return c


class RandomBits(Op):
    """32 random bits an element by Philox4x32-10.

    `state` is u64[3]: the counter's lower and upper half, and the key. The stream of a state is
    the words of the blocks that the counter, counter + 1, ... give, four from each. With
    `words` = (group, stride, offset), element i is word (i // group) * stride + offset of the
    stream, so the bits do not depend on how it is computed: (1, 1, 0) takes all words in order,
    (1, 2, 1) every second one, (2, 2, 0) the first of every two, twice.
    """

    state: Value
    shape: Shape
    words: tuple[int, int, int]
    cost = 100

    def infer(self) -> TensorType:
        if (
            self.state.dtype is not uint64
            or self.state.rank != 1
            or (isinstance(self.state.shape[0], int) and self.state.shape[0] != 3)
        ):
            raise self.error("the state must be u64[3]", "dtype")
        group, stride, offset = self.words
        if group not in (1, 2, 4) or stride not in (1, 2, 4) or not 0 <= offset < stride:
            raise self.error(f"no words {self.words}", "value")
        return TensorType(uint32, self.shape)

    def numpy(self, state: np.ndarray) -> np.ndarray:
        shape = as_ints(self.shape)
        group, stride, offset = self.words
        count = int(np.prod(shape, dtype=np.int64))
        place = np.arange(count, dtype=np.int64) // group * stride + offset
        blocks = np.arange(int(place[-1]) // 4 + 1 if count else 0, dtype=np.uint64)
        words = blocks_behind(state, blocks).ravel()
        return words[place].reshape(shape)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,)

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        def term(value: Value) -> Term:
            return Term(lower.b, value)

        def cast(x: Term, dtype: str) -> Term:
            return term(lower.cast(x.value, dtype))

        counter, upper, key64 = (
            term(lower.element(self.state, (lower.extent(i),))) for i in range(3)
        )
        group, stride, offset = self.words
        place = cast(term(lower.linear(index, self.shape)), "u64")
        word = _shifted(place, group.bit_length() - stride.bit_length())
        # The offset is below the stride, and four words are a block: it moves no block number.
        moved = counter + _shifted(word, 2)
        upper = upper + cast(moved < counter, "u64")
        c = philox(moved, upper, key64)
        # Which word of the block: the numbers that word % 4 + offset can be.
        result = c[4 - stride + offset]
        if stride < 4:
            within = word & (4 - stride)
            for i in range(4 - 2 * stride + offset, -1, -stride):
                result = within.equal(i - offset).select(c[i], result)
        return cast(result, "u32").value


def _shifted(x: Term, bits: int) -> Term:
    """x shifted right by `bits`, or left where they are negative."""
    if bits < 0:
        return x << (-bits)
    return x.shift_right_logical(bits) if bits else x
