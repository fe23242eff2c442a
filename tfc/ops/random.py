"""Random numbers: the same bits eagerly and compiled, from a seed and the number of the call."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, float32, float64, uint64
from tfc.ir.extent import Extent

from .. import blame
from ..context import context
from ..dispatch import broadcast_to, primitive
from ..tensor import SymbolicTensor, Variable, operand, wrap
from .array import _shape


class Generator:
    """A stream of random numbers. Its state is a Variable: (key, number of the next call)."""

    def __init__(self, seed: int | None = None) -> None:
        key = int.from_bytes(os.urandom(8), "little") if seed is None else int(seed) % 2**64
        self.state = Variable(
            wrap(np.array([key, 0], np.uint64)), trainable=False, name="random_state"
        )

    @classmethod
    def from_seed(cls, seed: int, alg: Any = None) -> Generator:
        """A generator that always gives the same numbers."""
        return cls(seed)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator seeded by the operating system."""
        return cls()

    def reset_from_seed(self, seed: int) -> None:
        """Begin again with `seed`."""
        self.state.assign(wrap(np.array([int(seed) % 2**64, 0], np.uint64)))

    def _draw(self, prim: Any, operands: tuple[Any, ...], static: tuple[Any, ...]) -> Any:
        sample, state = prim(self.state.value(), *operands, static=static)
        if context.trace is not None:
            context.trace.assign(self.state, state)
        else:
            self.state._array = state._array
        return sample

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = float32,
        name: Any = None,
    ) -> Any:
        """Uniform in [minval, maxval); integers need `maxval`."""
        kind = as_dtype(dtype)
        if kind.is_integer and maxval is None:
            raise blame.value_error(
                f"Must specify maxval for integer dtype {kind.name}", "random.uniform"
            )
        low = operand("random.uniform", minval, kind)
        high = operand("random.uniform", 1 if maxval is None else maxval, kind)
        known = not any(isinstance(v, SymbolicTensor) for v in (low, high))
        if kind.is_integer and known and np.any(np.asarray(low) >= np.asarray(high)):
            raise blame.invalid(f"Need minval < maxval, got {minval} >= {maxval}", "random.uniform")
        return self._draw(_uniform, (low, high), (_shape(shape, "random.uniform"), kind))

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, name: Any = None
    ) -> Any:
        """Normal with the given mean and standard deviation."""
        kind = as_dtype(dtype)
        static = (_shape(shape, "random.normal"), kind)
        mean, stddev = operand("random.normal", mean, kind), operand("random.normal", stddev, kind)
        return self._draw(_normal, (mean, stddev), static)


def _advance(b: Builder, state: Value, calls: int = 1) -> Value:
    """The state after some calls."""
    place = Term(b, b.emit(ir.Iota(state.shape, 0, uint64)))  # 0 for the key, 1 for the number
    return (Term(b, state) + place * calls).value


def _unit(b: Builder, state: Value, shape: tuple[Extent, ...], dtype: DType) -> Value:
    """Uniform floats in [0, 1): as many leading bits as the dtype's significand holds."""
    bits = b.emit(ir.RandomBits(state, shape))
    if dtype is float64:
        more = b.emit(ir.RandomBits(_advance(b, state), shape))
        high = Term(b, b.emit(ir.Cast(bits, uint64)))._emit("shift_left", 32)
        word = high._emit("bitwise_or", Term(b, b.emit(ir.Cast(more, uint64))))
        digits = b.emit(ir.Cast(word._emit("shift_right_logical", 11).value, dtype))
        return (Term(b, digits) * 2.0**-53).value
    keep = {"float32": 24, "float16": 11, "bfloat16": 8}[dtype.name]
    digits = Term(b, bits)._emit("shift_right_logical", 32 - keep).value
    return (Term(b, b.emit(ir.Cast(digits, dtype))) * 2.0**-keep).value


@primitive
def _uniform(
    b: Builder, state: Value, low: Value, high: Value, shape: tuple[Extent, ...], dtype: DType
) -> Any:
    low, high = (broadcast_to(b, v, shape) for v in (low, high))
    if dtype.is_floating:
        span = b.emit(ir.Sub(high, low))
        unit = _unit(b, state, shape, dtype)
        sample = b.emit(ir.Add(b.emit(ir.Mul(unit, span)), low))
    elif dtype.is_integer:
        # The bias of the remainder is below span / 2^32, as in TensorFlow.
        bits = b.emit(ir.Cast(b.emit(ir.RandomBits(state, shape)), uint64))
        span = b.emit(ir.Cast(b.emit(ir.Sub(high, low)), uint64))
        offset = b.emit(ir.Cast(b.emit(ir.FloorMod(bits, span)), dtype))
        sample = b.emit(ir.Add(low, offset))
    else:
        raise OpError("random.uniform: not defined for bool", "dtype")
    return sample, _advance(b, state, 2)


@primitive
def _normal(
    b: Builder, state: Value, mean: Value, stddev: Value, shape: tuple[Extent, ...], dtype: DType
) -> Any:
    if not dtype.is_floating:
        raise OpError("random.normal: defined for floats only", "dtype")
    # Box and Muller, "A note on the generation of random normal deviates", 1958.
    work = dtype.compute
    radius = 1 - Term(b, _unit(b, state, shape, work))  # in (0, 1]
    angle = Term(b, _unit(b, _advance(b, state, 2), shape, work))
    log = Term(b, b.emit(ir.Log(radius.value)))
    length = Term(b, b.emit(ir.Sqrt((log * -2.0).value)))
    turn = Term(b, b.emit(ir.Cos((angle * (2 * np.pi)).value)))
    unit = b.emit(ir.Cast((length * turn).value, dtype))
    mean, stddev = (broadcast_to(b, v, shape) for v in (mean, stddev))
    return b.emit(ir.Add(b.emit(ir.Mul(unit, stddev)), mean)), _advance(b, state, 4)


_global: list[Generator] = []


def get_global_generator() -> Generator:
    """The generator behind `random.uniform` and `random.normal`."""
    if not _global:
        _global.append(Generator())
    return _global[0]


def set_seed(seed: int) -> None:
    """Begin the global stream anew: the same seed, the same numbers."""
    get_global_generator().reset_from_seed(seed)


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = float32,
    seed: Any = None,
    name: Any = None,
) -> Any:
    """Uniform random numbers in [minval, maxval); integers need `maxval`.

    >>> import tfc as tf
    >>> tf.random.set_seed(1)
    >>> x = tf.random.uniform([1000])
    >>> bool(tf.reduce_all((x >= 0.0) & (x < 1.0)))
    True
    """
    generator = get_global_generator() if seed is None else Generator(seed)
    return generator.uniform(shape, minval, maxval, dtype)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = float32,
    seed: Any = None,
    name: Any = None,
) -> Any:
    """Normal random numbers."""
    generator = get_global_generator() if seed is None else Generator(seed)
    return generator.normal(shape, mean, stddev, dtype)


__all__ = ["Generator", "get_global_generator", "normal", "set_seed", "uniform"]
