"""`random.Generator`: streams of random numbers whose state is a Variable."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import float32, int32, int64, uint64

from ...core import blame
from ...core.context import context
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.placement import store
from ...core.tensor import Held, Tensor, wrap
from ...core.variable import Variable
from ...dispatch.primitive import Primitive, primitive
from ...dispatch.tracing import current
from ..arguments import dtype_of
from ..array.creation import zeros_like
from ..array.joining import stack, unstack
from ..extents import _shape
from . import sampling
from .operands import binomial_operands, float_of, uniform_operands
from .states import Algorithm, as_int64, is_threefry, key_counter, state_of, state_size


@primitive
def _skip(b: Builder, state: Value, delta: Value) -> Value:
    words = sampling.unsigned(b, state)
    blocks = b.emit(ir.Cast(b.emit(ir.Cast(delta, int64)), uint64))
    reserved = b.constant(sampling.RESERVED, uint64)
    return sampling.moved(b, words, b.emit(ir.Mul(blocks, reserved)))


class Generator:
    """A stream of random numbers. Its state is a Variable, which every draw moves on: int64[3], the
    two halves of a counter, and the key.

    Make one by `from_seed`, `from_state`, `from_key_counter` or `from_non_deterministic_state`. The
    numbers depend on the state and the shape alone: they are the same eagerly and in a
    `tfc.function`, whose every call draws anew, and TensorFlow's.

    Args:
        copy_from: A Generator to begin where that stands.
        state: Three integers, where there is none to copy.
        alg: The generator: Philox, by any of its names.

    Raises:
        TypeError: If `copy_from` is no Generator.
        ValueError: If there is neither, the state is not three integers (two for ThreeFry), or
            there is no such algorithm.

    >>> import tfc as tf
    >>> g = tf.random.Generator.from_seed(42)
    >>> print(g.normal([2]))
    tf.Tensor([-0.7565803  -0.06854702], shape=(2,), dtype=float32)
    """

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        op = "random.Generator"
        self._threefry = is_threefry(alg, op)
        if copy_from is not None:
            if not isinstance(copy_from, Generator):
                raise blame.type_error(f"copy_from must be a Generator, got {shown(copy_from)}", op)
            state, self._threefry = copy_from.state, copy_from._threefry
        if state is None:
            raise blame.value_error("copy_from or state must be given", op)
        self._state = Variable(self._checked(state, op), trainable=False, name="random_state")

    def _trackable_children(self) -> dict[str, Variable]:
        return {"_state_var": self._state}

    def _checked(self, state: Any, op: str) -> Tensor:
        if isinstance(state, Held):
            state = np.asarray(state)
        found = np.asarray(state)
        if found.shape != (state_size(self._threefry),) or found.dtype.kind not in "iu":
            wanted = 2 if self._threefry else 3
            said = f"Shapes {found.shape} and [{wanted}] are incompatible"
            raise blame.value_error(f"{said}: a state of {wanted} integers, got {shown(state)}", op)
        return wrap(np.array([as_int64(word) for word in found], np.int64))

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator that always gives the same numbers, of an integer or an array of them: see
        `create_rng_state`.

        Args:
            seed: An integer, or a vector of them.
            alg: The generator: Philox, by any of its names.

        Returns:
            A Generator.

        >>> import tfc as tf
        >>> a, b = (tf.random.Generator.from_seed(1) for _ in range(2))
        >>> bool(tf.reduce_all(a.normal([3]) == b.normal([3])))
        True
        """
        op = "random.Generator.from_seed"
        return cls(state=state_of(seed, op, is_threefry(alg, op)), alg=alg)

    @classmethod
    def from_state(cls, state: Any, alg: Any = None) -> Generator:
        """A generator that goes on from a state, such as another one's `state`.

        Args:
            state: Three integers, as a Generator's `state`.
            alg: The generator: Philox, by any of its names.

        Returns:
            A Generator.

        >>> import tfc as tf
        >>> g = tf.random.Generator.from_seed(1)
        >>> h = tf.random.Generator.from_state(g.state)
        >>> bool(tf.reduce_all(g.normal([3]) == h.normal([3])))
        True
        """
        return cls(state=state, alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any = None) -> Generator:
        """A generator from a key and a counter.

        Args:
            key: An integer of 64 bits.
            counter: Two integers of 64 bits, the lower word first.
            alg: The generator: Philox, by any of its names.

        Returns:
            A Generator.

        Raises:
            ValueError: If there is not one key and two words of the counter, or no such algorithm.
            TypeError: If they are no integers.

        >>> import tfc as tf
        >>> print(tf.random.Generator.from_key_counter(key=5, counter=[1, 2]).state.numpy())
        [1 2 5]
        """
        op = "random.Generator.from_key_counter"
        return cls(state=key_counter(key, counter, op, is_threefry(alg, op)), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator seeded by the operating system.

        Args:
            alg: The generator: Philox, by any of its names.

        Returns:
            A Generator.

        Raises:
            ValueError: If there is no such algorithm.

        >>> import tfc as tf
        >>> tf.random.Generator.from_non_deterministic_state().uniform([2]).shape
        TensorShape([2])
        """
        size = state_size(is_threefry(alg, "random.Generator.from_non_deterministic_state"))
        return cls(state=np.frombuffer(os.urandom(8 * size), np.int64), alg=alg)

    @property
    def state(self) -> Variable:
        """The Variable with the state."""
        return self._state

    @property
    def algorithm(self) -> int:
        """The number of the algorithm."""
        return (Algorithm.THREEFRY if self._threefry else Algorithm.PHILOX).value

    @property
    def key(self) -> Any:
        """The key, which draws do not change."""
        return self._state.value()[-1]

    def reset(self, state: Any) -> None:
        """Go on from a state.

        Args:
            state: Three integers, such as a Generator's `state` had.

        Raises:
            ValueError: If it is something else.

        >>> import tfc as tf
        >>> g = tf.random.Generator.from_seed(1)
        >>> start = g.state.numpy()
        >>> x = g.normal([3])
        >>> g.reset(start)
        >>> bool(tf.reduce_all(g.normal([3]) == x))
        True
        """
        self._state.assign(self._checked(state, "random.Generator.reset"))

    def reset_from_seed(self, seed: Any) -> None:
        """Begin again as `from_seed` does.

        Args:
            seed: An integer, or a vector of them.

        Raises:
            TypeError: If it is something else.
        """
        op = "random.Generator.reset_from_seed"
        self._state.assign(wrap(state_of(seed, op, self._threefry)))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Go on as `from_key_counter` does.

        Args:
            key: An integer of 64 bits.
            counter: Two integers of 64 bits, the lower word first.

        Raises:
            ValueError: If there is not one key and two words of the counter.
            TypeError: If they are no integers.
        """
        op = "random.Generator.reset_from_key_counter"
        state = key_counter(key, counter, op, self._threefry)
        self._state.assign(wrap(state))

    def _move(self, state: Any) -> None:
        trace = current()
        if trace is not None:
            trace.draw(self._state, state)
        else:
            store(self._state, state._array)

    def _require_philox(self, op: str) -> None:
        if self._threefry:
            raise blame.unimplemented("processors do not support the ThreeFry algorithm", op)

    def draw(self, prim: Primitive, operands: Sequence[Any], static: tuple[Any, ...]) -> Tensor:
        """A sample by a distribution's primitive; it moves the state on.

        Args:
            prim: A primitive of (state, *operands) that gives a sample and the state behind it.
            operands: The parameters of the distribution, tensors.
            static: Its static arguments: the shape and dtype of the sample.

        Returns:
            The sample.
        """
        self._require_philox(prim.name)
        sample, state = prim(self._state.value(), *operands, static=static)
        self._move(state)
        return sample

    def skip(self, delta: Any) -> Tensor:
        """Leave out what some elements would take.

        Args:
            delta: How many elements, an integer; a negative one goes back.

        Returns:
            The state before, int64[3].

        Raises:
            InvalidArgumentError: If `delta` is no integer (TypeError while tracing).

        >>> import tfc as tf
        >>> a, b = (tf.random.Generator.from_seed(1) for _ in range(2))
        >>> _, _ = a.skip(3), b.uniform([3])
        >>> bool(a.uniform([]) == b.uniform([]))
        True
        """
        op = "random.Generator.skip"
        self._require_philox(op)
        count = operand(op, delta, dtype_hint=int64)
        if not count.dtype.is_integer:
            raise blame.invalid_dtype(f"delta must be an integer, got {count.dtype.name}", op)
        before = self._state.value()
        self._move(_skip(before, count))
        return before

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Tensor:
        """Uniform in [minval, maxval), floats or integers; integers need `maxval`. TensorFlow's
        numbers.

        Args:
            shape: The extents: a list, or a vector of integers.
            minval: The least number.
            maxval: The number that all are below; None: 1, for floats.
            dtype: A dtype of floats or integers.

        Returns:
            A tensor of that shape and dtype.

        Raises:
            ValueError: If integers are asked for without `maxval`.

        >>> import tfc as tf
        >>> print(tf.random.Generator.from_seed(1).uniform([4], 0, 10, tf.int32))
        tf.Tensor([4 9 3 3], shape=(4,), dtype=int32)
        """
        op = "random.uniform"
        kind = dtype_of(dtype, op)
        bounds = uniform_operands(op, kind, minval, maxval)
        return self.draw(sampling._uniform.stateful, bounds, (_shape(shape, op), kind))

    def uniform_full_int(self, shape: Any, dtype: Any = uint64, name: str | None = None) -> Tensor:
        """Integers with every bit random. TensorFlow's numbers.

        Args:
            shape: The extents: a list, or a vector of integers.
            dtype: A dtype of integers.

        Returns:
            A tensor of that shape and dtype.

        Raises:
            InvalidArgumentError: If the dtype is no integer (TypeError while tracing), or an extent
                is negative (ValueError).

        >>> import tfc as tf
        >>> print(tf.random.Generator.from_seed(1).uniform_full_int([2], tf.int64))
        tf.Tensor([6679402142117448868  684265014234019051], shape=(2,), dtype=int64)
        """
        op = "random.uniform_full_int"
        static = (_shape(shape, op), dtype_of(dtype, op))
        return self.draw(sampling._uniform_full_int.stateful, (), static)

    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Tensor:
        """Normal with the given mean and standard deviation. TensorFlow's numbers, but for
        rounding.

        Args:
            shape: The extents: a list, or a vector of integers.
            mean: The mean, which broadcasts to `shape`.
            stddev: The standard deviation, which broadcasts to `shape`.
            dtype: A dtype of floats.

        Returns:
            A tensor of that shape and dtype.

        >>> import numpy as np
        >>> import tfc as tf
        >>> print(np.round(tf.random.Generator.from_seed(1).normal([2], mean=10.0), 3))
        [10.438  9.466]
        """
        op = "random.normal"
        kind = float_of(dtype, op)
        parameters = operand(op, mean, kind), operand(op, stddev, kind)
        return self.draw(sampling._normal.stateful, parameters, (_shape(shape, op), kind))

    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = float32,
        name: str | None = None,
    ) -> Tensor:
        """Normal, but within two standard deviations of the mean. TensorFlow's numbers, but for
        rounding.

        Args:
            shape: The extents: a list, or a vector of integers.
            mean: The mean, which broadcasts to `shape`.
            stddev: The standard deviation, which broadcasts to `shape`.
            dtype: A dtype of floats.

        Returns:
            A tensor of that shape and dtype.

        >>> import tfc as tf
        >>> x = tf.random.Generator.from_seed(1).truncated_normal([100])
        >>> bool(tf.reduce_all(tf.abs(x) <= 2.0))
        True
        """
        op = "random.truncated_normal"
        kind = float_of(dtype, op)
        parameters = operand(op, mean, kind), operand(op, stddev, kind)
        return self.draw(sampling._truncated_normal.stateful, parameters, (_shape(shape, op), kind))

    def binomial(
        self, shape: Any, counts: Any, probs: Any, dtype: Any = int32, name: str | None = None
    ) -> Tensor:
        """How many of `counts` trials of probability `probs` succeed; both broadcast to `shape`.

        Args:
            shape: The extents: a list, or a vector of integers.
            counts: The numbers of trials, which broadcast to `shape`.
            probs: The probabilities, likewise.
            dtype: The dtype of the result.

        Returns:
            A tensor of that shape and dtype.

        >>> import tfc as tf
        >>> print(tf.random.Generator.from_seed(1).binomial([2], counts=[3, 4], probs=1.0))
        tf.Tensor([3 4], shape=(2,), dtype=int32)
        """
        op = "random.binomial"
        parameters = binomial_operands(op, counts, probs)
        static = (_shape(shape, op), dtype_of(dtype, op))
        return self.draw(sampling._binomial.stateful, parameters, static)

    def make_seeds(self, count: int = 1) -> Tensor:
        """int64[2, count]: seeds for the stateless functions, one in each column.

        Args:
            count: How many.

        Returns:
            A tensor int64[2, count].

        >>> import tfc as tf
        >>> seeds = tf.random.Generator.from_seed(1).make_seeds(3)
        >>> seeds.shape, tf.random.stateless_normal([2], seeds[:, 0]).shape
        (TensorShape([2, 3]), TensorShape([2]))
        """
        keys = self.uniform_full_int([count], int64)
        return stack([keys, zeros_like(keys)])

    def split(self, count: int = 1) -> list[Generator]:
        """`count` independent generators, such as one for each of several workers.

        Args:
            count: How many.

        Returns:
            A list of Generators.

        >>> import tfc as tf
        >>> [g.algorithm for g in tf.random.Generator.from_seed(1).split(2)]
        [1, 1]
        """
        if context.trace is not None:
            raise blame.unimplemented(
                "generators cannot be made inside a tfc.function", "random.Generator.split"
            )
        keys = unstack(self.uniform_full_int([count], int64))
        return [Generator(state=np.array([0, 0, int(key)])) for key in keys]


__all__ = ["Generator"]
