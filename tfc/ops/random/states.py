"""The states of random generators: which algorithm, and its words."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from ...core import blame
from ...core.formatting import shown
from ...core.tensor import Held, SymbolicTensor, Tensor, wrap


class Algorithm(enum.Enum):
    """How random bits are made. There is one way here: Philox, a counter-based generator (J. Salmon
    et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). AUTO_SELECT takes it; of THREEFRY
    there are states, of which drawing is an UnimplementedError, as in TensorFlow on processors.

    >>> import tfc as tf
    >>> tf.random.Generator.from_seed(1, alg=tf.random.Algorithm.AUTO_SELECT).algorithm
    1
    """

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def check_algorithm(alg: Any, op: str) -> None:
    """An error where there is no such algorithm, or nothing is drawn by it."""
    names = {None, 1, 3, "philox", "auto_select", Algorithm.PHILOX, Algorithm.AUTO_SELECT}
    try:
        known, other = alg in names, alg in {2, "threefry", Algorithm.THREEFRY}
    except TypeError:  # arrays have no hash
        known, other = False, False
    if known:
        return
    if other:
        raise blame.unimplemented("the ThreeFry algorithm is not there: use 'philox'", op)
    raise blame.value_error(_unsupported(alg), op)


def _unsupported(alg: Any) -> str:
    """What is said of an algorithm that there is not."""
    numbered = isinstance(alg, int)
    philox, threefry, auto = (1, 2, 3) if numbered else ("philox", "threefry", "auto_select")
    return (
        f"Argument `alg` got unsupported value {shown(alg).strip(chr(39))}. Supported values are "
        f"{philox} for the Philox algorithm, {threefry} for the ThreeFry algorithm, and {auto} for "
        "auto-selection."
    )


def is_threefry(alg: Any, op: str) -> bool:
    """Whether states of this algorithm are ThreeFry's."""
    try:
        if alg in {Algorithm.THREEFRY, "threefry", 2}:
            return True
    except TypeError:  # arrays have no hash
        pass
    check_algorithm(alg, op)
    return False


def state_size(threefry: bool) -> int:
    """How many words a state has: the counter's, and the key."""
    return 2 if threefry else 3


def create_rng_state(seed: Any, alg: Any = "philox", name: str | None = None) -> Tensor:
    """The state that `Generator.from_seed` starts from: two halves of the counter, and the key.

    Args:
        seed: An integer, which fills the state with its words of 64 bits, the lowest first; or a
            vector of integers, whose first three are the state, behind zeros where there are fewer.
        alg: The generator: Philox, by any of its names, or ThreeFry, whose state has two words.

    Returns:
        A tensor int64[3], or int64[2] for ThreeFry.

    Raises:
        TypeError: If the seed is no integers.
        ValueError: If there is no such algorithm.
        UnimplementedError: If the seed is computed in a trace.

    >>> import tfc as tf
    >>> print(tf.random.create_rng_state(7), tf.random.create_rng_state([7]))
    tf.Tensor([7 0 0], shape=(3,), dtype=int64) tf.Tensor([0 0 7], shape=(3,), dtype=int64)
    """
    op = "random.create_rng_state"
    return wrap(state_of(seed, op, is_threefry(alg, op)))


def state_of(seed: Any, op: str, threefry: bool = False) -> np.ndarray:
    """The words of a state: those of a Python integer, the lowest first; or the first numbers of
    an array, behind zeros."""
    if isinstance(seed, SymbolicTensor):
        raise blame.unimplemented("a seed cannot be computed inside a tfc.function", op)
    if isinstance(seed, int):
        return np.array([as_int64(seed >> (64 * i)) for i in range(state_size(threefry))], np.int64)
    if isinstance(seed, Held):
        seed = np.asarray(seed)
    try:
        words = np.atleast_1d(np.asarray(seed, dtype=object)).ravel()[: state_size(threefry)]
        numbers = [as_int64(word) for word in words]
    except (AttributeError, TypeError, ValueError):
        raise blame.type_error(f"a seed must be integers, got {shown(seed)}", op) from None
    return np.array([0] * (state_size(threefry) - len(numbers)) + numbers, np.int64)


def as_int64(word: Any) -> int:
    """A whole number modulo 2^64, as int64 holds it."""
    value = int(word.__index__())
    return (value + 2**63) % 2**64 - 2**63


def key_counter(key: Any, counter: Any, op: str, threefry: bool) -> np.ndarray:
    """The words of a state with this counter and key."""
    words = np.atleast_1d(np.asarray(counter, dtype=object)).ravel()
    if len(words) != state_size(threefry) - 1 or np.ndim(key):
        many = "one word" if threefry else "two words"
        raise blame.value_error(
            f"needs one key and a counter of {many}, got {shown(key)}, {shown(counter)}", op
        )
    try:
        return np.array([as_int64(word) for word in (*words, np.asarray(key)[()])], np.int64)
    except (AttributeError, TypeError):
        raise blame.type_error(f"must be integers: {shown(key)}, {shown(counter)}", op) from None


__all__ = ["Algorithm", "create_rng_state"]
