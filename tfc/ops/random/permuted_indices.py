"""Permutations that are computed index by index, and the points of Sobol's sequence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tfc.ir.dtypes import float32, float64

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor, wrap
from ...core.types import DTypeLike, TensorLike
from ..arguments import dtype_of, whole_number
from ..array.padding import pad
from ..on_host import Call, on_host, same_shape

_PREFIX = 498247692  # stands before a seed of two words, as in TensorFlow
_LEAST_BITS = 16  # the least block, of two words of 8 bits
_ROUNDS = 4


def _round_keys(key: np.ndarray, width: int, rounds: int) -> list[np.ndarray]:
    """The keys of the rounds of Simon with words of `width` bits, of keys [..., 3].

    (R. Beaulieu and others, "The Simon and Speck families of lightweight block ciphers", 2013,
    with any width; the constants are its z_3 and 2^32 - 4.)
    """
    mask = np.uint64((1 << width) - 1)
    constant = np.uint64(0xFFFFFFFC) & mask
    sequence = 0x7369F885192C0EF5 & int(mask)
    keys = [key[..., i] & mask for i in range(3)]
    for i in range(3, rounds):
        bit = np.uint64(sequence >> (i - 3) & 1)
        last = keys[i - 1]
        turned = _turned(last, width - 3, width) ^ _turned(last, width - 4, width)
        keys.append(constant ^ bit ^ keys[i - 3] ^ turned)
    return keys


def _turned(x: np.ndarray, by: int, width: int) -> np.ndarray:
    """Words of `width` bits, rotated to the left."""
    mask = np.uint64((1 << width) - 1)
    return ((x << np.uint64(by)) | (x >> np.uint64(width - by))) & mask


def _mixed(x: np.ndarray, width: int) -> np.ndarray:
    return (_turned(x, 1, width) & _turned(x, 8, width)) ^ _turned(x, 2, width)


def _encrypted(x: np.ndarray, keys: Sequence[np.ndarray], width: int) -> np.ndarray:
    mask = np.uint64((1 << width) - 1)
    left, right = (x >> np.uint64(width)) & mask, x & mask
    for first, second in zip(keys[::2], keys[1::2], strict=True):
        left = left ^ _mixed(right, width) ^ first
        right = right ^ _mixed(left, width) ^ second
    return (left << np.uint64(width)) | right


@lru_cache(maxsize=4)
def _whole_block(key: bytes, rounds: int) -> list[int]:
    """The permutation of all numbers of the least block."""
    numbers = np.arange(1 << _LEAST_BITS, dtype=np.uint64)
    keys = _round_keys(np.frombuffer(key, np.uint64), _LEAST_BITS // 2, rounds)
    found: list[int] = _encrypted(numbers, keys, _LEAST_BITS // 2).tolist()
    return found


def _walked(index: int, key: bytes, most: int, rounds: int) -> int:
    """The next number of an index's cycle in the least block that is at most `most`. Of a small
    range that may be thousands of steps further on."""
    table = _whole_block(key, rounds)
    found = table[index]
    while found > most:
        found = table[found]
    return found


def permuted(index: np.ndarray, key: np.ndarray, most: int, rounds: int) -> np.ndarray:
    """Where a permutation of 0 to `most` takes indices: a block cipher, applied until the result is
    in the range (J. Black and P. Rogaway, "Ciphers with arbitrary finite domains", 2002)."""
    bits = (most - 1).bit_length() if most > 1 else 0
    width = max(bits + bits % 2, _LEAST_BITS) // 2
    found = index.astype(np.uint64)
    if width == _LEAST_BITS // 2:
        rows = zip(found.tolist(), np.broadcast_to(key, (found.size, 3)), strict=True)
        return np.array([_walked(i, k.tobytes(), most, rounds) for i, k in rows], np.uint64)
    keys = [np.broadcast_to(k, found.shape) for k in _round_keys(key, width, rounds)]
    out = np.ones(found.shape, bool)
    while out.any():
        found[out] = _encrypted(found[out], [k[out] for k in keys], width)
        out = found > np.uint64(most)
    return found


@on_host(
    "random.index_shuffle", same_shape, sample=lambda index, seed, max_index, rounds=_ROUNDS: index
)
def permuted_by_words(index: Any, seed: Any, max_index: Any, rounds: int = _ROUNDS) -> Tensor:
    """`index_shuffle` by seeds of three words."""
    op = "random.index_shuffle"
    given, key = (np.asarray(operand(op, v)) for v in (index, seed))
    most = np.asarray(operand(op, max_index))
    if given.dtype.kind not in "iu" or most.dtype.kind not in "iu" or key.dtype.kind not in "iu":
        raise blame.invalid_dtype(f"{op}: index, seed and max_index must be integers", op)
    if key.ndim not in (1, 2) or key.shape[-1] != 3:
        raise blame.invalid(f"seed must have shape [3] or [n, 3], got {list(key.shape)}", op)
    if rounds < 4 or rounds % 2:
        raise blame.invalid(f"rounds must be even and at least 4, got {rounds}", op)
    try:
        places, limits = np.broadcast_arrays(given, most)
        keys = np.broadcast_to(key, (*places.shape, 3))
    except ValueError:
        raise blame.invalid(
            f"index {given.shape}, seed {key.shape} and max_index {most.shape} do not fit", op
        ) from None
    if (places < 0).any() or (places > limits).any():
        raise blame.invalid("index must be in [0, max_index]", op)
    words = keys.astype(np.int64).astype(np.uint32).astype(np.uint64)
    found = np.empty(places.shape, np.uint64)
    for limit in np.unique(limits).tolist():
        at = limits == limit
        found[at] = permuted(places[at], words[at], limit, rounds)
    return wrap(found.astype(given.dtype))


def index_shuffle(index: TensorLike, seed: TensorLike, max_index: TensorLike) -> Tensor:
    """Where each index stands in a random permutation of 0, 1, ..., max_index, which is never in
    memory as a whole. TensorFlow's numbers for the same seed.

    The permutation is a block cipher like Simon, so it is no secret and not every permutation is
    possible.

    Args:
        index: A tensor of integers, each from 0 to `max_index`.
        seed: Two integers, or [n, 2] of them for a vector of n indices.
        max_index: The largest index, a scalar or one for each.

    Returns:
        A tensor of the shape and dtype of `index`: different numbers for different indices.

    Raises:
        InvalidArgumentError: If an index is outside of the range, a dtype is no integer, or the
            shapes do not fit.

    >>> import tfc as tf
    >>> print(tf.random.experimental.index_shuffle(tf.range(5), seed=[5, 9], max_index=10))
    tf.Tensor([ 8  0 10  3  1], shape=(5,), dtype=int32)
    """
    words = operand("random.index_shuffle", seed)
    ahead = [[0, 0]] * (len(words.shape) - 1) + [[1, 0]]
    return permuted_by_words(index, pad(words, ahead, constant_values=_PREFIX), max_index)


def _points(call: Call) -> Sequence[Any]:
    sizes = [call.arguments[k] for k in ("num_results", "dim")]
    return (sizes,) if all(isinstance(n, int) for n in sizes) else ()


@on_host("math.sobol_sample", _points)
def sobol_sample(
    dim: Any, num_results: Any, skip: Any = 0, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """Points of Sobol's sequence, which fill the unit cube more evenly than random ones. Needs
    SciPy, which has the direction numbers (S. Joe and F. Kuo, 2008).

    Args:
        dim: How many numbers a point has, at most 21,201.
        num_results: How many points.
        skip: How many points of the sequence are left out before them.
        dtype: float32 or float64.

    Returns:
        A tensor [num_results, dim] of numbers in (0, 1).

    Raises:
        InvalidArgumentError: If a number is not positive, `skip` is negative, or `dim` too large.
        TypeError: If `dtype` is another one.

    >>> import tfc as tf
    >>> print(tf.math.sobol_sample(2, 3).numpy().tolist())
    [[0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]
    """
    op = "math.sobol_sample"
    kind = dtype_of(dtype, op)
    if kind not in (float32, float64):
        raise blame.type_error(f"dtype must be float32 or float64, got {kind.name}", op)
    size, count, left_out = (
        whole_number(v, what, op)
        for v, what in ((dim, "dim"), (num_results, "num_results"), (skip, "skip"))
    )
    if size < 1 or count < 1:
        what = "dim" if size < 1 else "num_results"
        raise blame.invalid(f"{what} must be at least one, got {min(size, count)}", op)
    if left_out < 0 or size > 21201:
        raise blame.invalid(
            "dim must be in [1, 21201], num_results positive and skip not negative, got "
            f"{shown(size)}, {shown(count)}, {shown(left_out)}",
            op,
        )
    try:
        from scipy.stats import qmc
    except ImportError:
        raise blame.unimplemented("sobol_sample needs SciPy: pip install scipy", op) from None
    sequence = qmc.Sobol(size, scramble=False, bits=32)
    sequence.fast_forward(left_out + 1)  # the first one is the origin
    return wrap(np.asarray(sequence.random(count)).astype(kind.numpy))


__all__ = ["index_shuffle", "permuted", "permuted_by_words", "sobol_sample"]
