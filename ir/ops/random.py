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
        low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
        counter = state[0] + blocks
        upper = state[1] + (counter < state[0]).astype(np.uint64)
        c = [counter & low, counter >> shift, upper & low, upper >> shift]
        key = [int(state[2]) & 0xFFFFFFFF, int(state[2]) >> 32]
        for _ in range(ROUNDS):
            p0, p1 = np.uint64(MULTIPLIERS[0]) * c[0], np.uint64(MULTIPLIERS[1]) * c[2]
            c = [
                (p1 >> shift) ^ c[1] ^ np.uint64(key[0]),
                p1 & low,
                (p0 >> shift) ^ c[3] ^ np.uint64(key[1]),
                p0 & low,
            ]
            key = [(k + w) & 0xFFFFFFFF for k, w in zip(key, WEYL, strict=True)]
        words = np.stack(c, axis=1).astype(np.uint32).ravel()
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
        low = 0xFFFFFFFF

        def split(x: Term) -> list[Term]:
            return [x & low, x.shift_right_logical(32)]

        c, key = [*split(moved), *split(upper)], split(key64)
        for _ in range(ROUNDS):
            (low0, high0), (low1, high1) = (
                split(c[0] * MULTIPLIERS[0]),
                split(c[2] * MULTIPLIERS[1]),
            )
            c = [
                (high1 ^ c[1]) ^ key[0],
                low1,
                (high0 ^ c[3]) ^ key[1],
                low0,
            ]
            key = [((k + w) & low) for k, w in zip(key, WEYL, strict=True)]
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
