"""Random bits: a counter-based function of a key, a call number and the element's index."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra import Term
from ..core import Op, Value
from ..dtypes import uint32, uint64
from ..extent import Shape
from ..types import TensorType

# Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10


class RandomBits(Op):
    """32 random bits an element by Philox4x32-10.

    `state` is u64[2]: the key and the number of the call. Element i is word i % 4 of the block
    that the counter (i // 4, call number) gives, so the bits do not depend on how it is computed.
    """

    state: Value
    shape: Shape

    def infer(self) -> TensorType:
        if (
            self.state.dtype is not uint64
            or self.state.rank != 1
            or (isinstance(self.state.shape[0], int) and self.state.shape[0] != 2)
        ):
            raise self.error("the state must be u64[2]", "dtype")
        return TensorType(uint32, self.shape)

    def numpy(self, state: Any) -> Any:
        shape: Any = self.shape
        count = int(np.prod(shape, dtype=np.int64))
        blocks = np.arange((count + 3) // 4, dtype=np.uint64)
        low = np.uint64(0xFFFFFFFF)
        shift = np.uint64(32)
        call = np.full_like(blocks, state[1])
        c = [blocks & low, blocks >> shift, call & low, call >> shift]
        key = [int(state[0]) & 0xFFFFFFFF, int(state[0]) >> 32]
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
        return words[:count].reshape(shape)

    def vjp(self, b: Any, dy: Value) -> Any:
        return (None,)

    def at(self, lower: Any, index: tuple[Value, ...]) -> Value:
        def term(value: Value) -> Term:
            return Term(lower.b, value)

        def cast(x: Term, dtype: str) -> Term:
            return term(lower.cast(x.value, dtype))

        key64 = term(lower.element(self.state, (lower.extent(0),)))
        call = term(lower.element(self.state, (lower.extent(1),)))
        place = cast(term(lower.linear(index, self.shape)), "u64")
        block, low = place._emit("shift_right_logical", 2), 0xFFFFFFFF

        def split(x: Term) -> list[Term]:
            return [x._emit("bitwise_and", low), x._emit("shift_right_logical", 32)]

        c, key = [*split(block), *split(call)], split(key64)
        for _ in range(ROUNDS):
            (low0, high0), (low1, high1) = (
                split(c[0] * MULTIPLIERS[0]),
                split(c[2] * MULTIPLIERS[1]),
            )
            c = [
                high1._emit("bitwise_xor", c[1])._emit("bitwise_xor", key[0]),
                low1,
                high0._emit("bitwise_xor", c[3])._emit("bitwise_xor", key[1]),
                low0,
            ]
            key = [(k + w)._emit("bitwise_and", low) for k, w in zip(key, WEYL, strict=True)]
        word = place._emit("bitwise_and", 3)
        result = c[3]
        for i in (2, 1, 0):
            result = word._emit("equal", i)._emit("select", c[i], result)
        return cast(result, "u32").value
