"""Hashes of strings, which are the same everywhere: the 64 bits of FarmHash's `Fingerprint64`, of
MurmurHash 2 and of SipHash.

G. Pike, "FarmHash", 2014: the strings are cut by length into those of at most 16, 32 and 64 bytes,
and longer ones, which are read 64 bytes at a time. A. Appleby, "MurmurHash2, 64-bit", 2008.
J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", 2012.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core import blame
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..arguments import is_whole, number, numbers
from ..on_host import Elementwise, on_host, same_shape
from .text import each, text

_MASK = 2**64 - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _word(s: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(s[at : at + size], "little")


def _rotated(x: int, by: int) -> int:
    return ((x >> by) | (x << (64 - by))) & _MASK


def _mixed(x: int) -> int:
    return x ^ (x >> 47)


def _pair(u: int, v: int, by: int) -> int:
    a = ((u ^ v) * by) & _MASK
    b = ((v ^ _mixed(a)) * by) & _MASK
    return (_mixed(b) * by) & _MASK


def _short(s: bytes) -> int:
    n = len(s)
    by = (_K2 + n * 2) & _MASK
    if n >= 8:
        a, b = (_word(s, 0) + _K2) & _MASK, _word(s, n - 8)
        c, d = _rotated(b, 37) * by + a, (_rotated(a, 25) + b) * by
        return _pair(c & _MASK, d & _MASK, by)
    if n >= 4:
        return _pair((n + (_word(s, 0, 4) << 3)) & _MASK, _word(s, n - 4, 4), by)
    if n > 0:
        y, z = s[0] + (s[n >> 1] << 8), n + (s[n - 1] << 2)
        return (_mixed((y * _K2 ^ z * _K0) & _MASK) * _K2) & _MASK
    return _K2


def _medium(s: bytes) -> int:
    n = len(s)
    by = (_K2 + n * 2) & _MASK
    a, b = (_word(s, 0) * _K1) & _MASK, _word(s, 8)
    c, d = (_word(s, n - 8) * by) & _MASK, (_word(s, n - 16) * _K2) & _MASK
    u = _rotated((a + b) & _MASK, 43) + _rotated(c, 30) + d
    v = a + _rotated((b + _K2) & _MASK, 18) + c
    return _pair(u & _MASK, v & _MASK, by)


def _long(s: bytes) -> int:
    """33 to 64 bytes."""
    n = len(s)
    by = (_K2 + n * 2) & _MASK
    a, b = (_word(s, 0) * _K2) & _MASK, _word(s, 8)
    c, d = (_word(s, n - 8) * by) & _MASK, (_word(s, n - 16) * _K2) & _MASK
    y = (_rotated((a + b) & _MASK, 43) + _rotated(c, 30) + d) & _MASK
    z = _pair(y, (a + _rotated((b + _K2) & _MASK, 18) + c) & _MASK, by)
    e, f = (_word(s, 16) * by) & _MASK, _word(s, 24)
    g, h = ((y + _word(s, n - 32)) * by) & _MASK, ((z + _word(s, n - 24)) * by) & _MASK
    u = _rotated((e + f) & _MASK, 43) + _rotated(g, 30) + h
    v = e + _rotated((f + a) & _MASK, 18) + g
    return _pair(u & _MASK, v & _MASK, by)


def _weak(s: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """32 bytes from `at` on, with two seeds."""
    w, x, y, z = (_word(s, at + 8 * i) for i in range(4))
    a = (a + w) & _MASK
    b = _rotated((b + a + z) & _MASK, 21)
    c = a
    a = (a + x + y) & _MASK
    return (a + z) & _MASK, (b + _rotated(a, 44) + c) & _MASK


def fingerprint64(s: bytes) -> int:
    """The hash of a string as an unsigned number."""
    n = len(s)
    if n <= 16:
        return _short(s)
    if n <= 32:
        return _medium(s)
    if n <= 64:
        return _long(s)
    seed = 81
    x, y = seed, (seed * _K1 + 113) & _MASK
    z = (_mixed((y * _K2 + 113) & _MASK) * _K2) & _MASK
    v, w = (0, 0), (0, 0)
    x = (x * _K2 + _word(s, 0)) & _MASK
    end = (n - 1) // 64 * 64
    for at in range(0, end, 64):
        x = (_rotated((x + y + v[0] + _word(s, at + 8)) & _MASK, 37) * _K1) & _MASK
        y = (_rotated((y + v[1] + _word(s, at + 48)) & _MASK, 42) * _K1) & _MASK
        x ^= w[1]
        y = (y + v[0] + _word(s, at + 40)) & _MASK
        z = (_rotated((z + w[0]) & _MASK, 33) * _K1) & _MASK
        v = _weak(s, at, (v[1] * _K1) & _MASK, (x + w[0]) & _MASK)
        w = _weak(s, at + 32, (z + w[1]) & _MASK, (y + _word(s, at + 16)) & _MASK)
        z, x = x, z
    by = (_K1 + ((z & 0xFF) << 1)) & _MASK
    at = n - 64
    w = ((w[0] + ((n - 1) & 63)) & _MASK, w[1])
    v = ((v[0] + w[0]) & _MASK, v[1])
    w = ((w[0] + v[0]) & _MASK, w[1])
    x = (_rotated((x + y + v[0] + _word(s, at + 8)) & _MASK, 37) * by) & _MASK
    y = (_rotated((y + v[1] + _word(s, at + 48)) & _MASK, 42) * by) & _MASK
    x ^= (w[1] * 9) & _MASK
    y = (y + v[0] * 9 + _word(s, at + 40)) & _MASK
    z = (_rotated((z + w[0]) & _MASK, 33) * by) & _MASK
    v = _weak(s, at, (v[1] * by) & _MASK, (x + w[0]) & _MASK)
    w = _weak(s, at + 32, (z + w[1]) & _MASK, (y + _word(s, at + 16)) & _MASK)
    z, x = x, z
    first = (_pair(v[0], w[0], by) + _mixed(y) * _K0 + z) & _MASK
    return _pair(first, (_pair(v[1], w[1], by) + x) & _MASK, by)


@on_host("strings.to_hash_bucket_fast", same_shape, elementwise=Elementwise.FIRST)
def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """A number below `num_buckets` for each string: its hash modulo that number, the same on every
    machine and in TensorFlow. The hash is FarmHash's `Fingerprint64`.

    Args:
        input: A tensor of strings.
        num_buckets: How many numbers there are.

    Returns:
        An int64 tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If `num_buckets` is less than 1, or `input` is not of strings.
        TypeError: If `num_buckets` is no number.

    >>> import tfc as tf
    >>> print(tf.strings.to_hash_bucket_fast(["Hello", "TensorFlow", "2.x"], 3))
    tf.Tensor([0 2 2], shape=(3,), dtype=int64)
    """
    op = "strings.to_hash_bucket_fast"
    count = _buckets(num_buckets, op)
    return each(text(op, input), lambda s: fingerprint64(s) % count, np.int64)


def _buckets(num_buckets: int, op: str) -> int:
    count = number(num_buckets, "num_buckets", op)
    if not is_whole(count) or count < 1:
        said = f"Value for attr 'num_buckets' of {num_buckets} must be at least minimum 1"
        raise blame.invalid(said, op)
    if count >= 1 << 63:
        raise blame.invalid(f"num_buckets must be an int64, got {num_buckets}", op)
    return int(count)


def murmur64(s: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """MurmurHash64A, with the seed that TensorFlow takes."""
    by = 0xC6A4A7935BD1E995
    whole = len(s) // 8 * 8
    h = seed ^ (len(s) * by & _MASK)
    for at in range(0, whole, 8):
        k = _mixed(_word(s, at) * by & _MASK) * by & _MASK
        h = (h ^ k) * by & _MASK
    if whole < len(s):
        h = (h ^ _word(s, whole)) * by & _MASK
    return _mixed(_mixed(h) * by & _MASK)


def siphash64(s: bytes, first: int, second: int) -> int:
    """SipHash-2-4 with a key of two words."""
    v = [
        first ^ 0x736F6D6570736575,
        second ^ 0x646F72616E646F6D,
        first ^ 0x6C7967656E657261,
        second ^ 0x7465646279746573,
    ]

    def rounds(count: int) -> None:
        a, b, c, d = v
        for _ in range(count):
            a, c = (a + b) & _MASK, (c + d) & _MASK
            b, d = _turned(b, 13) ^ a, _turned(d, 16) ^ c
            a = _turned(a, 32)
            c, a = (c + b) & _MASK, (a + d) & _MASK
            b, d = _turned(b, 17) ^ c, _turned(d, 21) ^ a
            c = _turned(c, 32)
        v[:] = a, b, c, d

    whole = len(s) // 8 * 8
    words = [_word(s, at) for at in range(0, whole, 8)]
    words.append(_word(s, whole) | ((len(s) & 0xFF) << 56))
    for word in words:
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _turned(x: int, by: int) -> int:
    return _rotated(x, 64 - by)


@on_host("strings.to_hash_bucket", same_shape, elementwise=Elementwise.FIRST)
def to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """A number below `num_buckets` for each string: its MurmurHash modulo that number.

    `to_hash_bucket_fast` is the newer one.

    Args:
        input: A tensor of strings.
        num_buckets: How many numbers there are.

    Returns:
        An int64 tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If `num_buckets` is less than 1, or `input` is not of strings.
        TypeError: If `num_buckets` is no number.

    >>> import tfc as tf
    >>> print(tf.strings.to_hash_bucket(["Hello", "TensorFlow", "2.x"], 3))
    tf.Tensor([2 0 1], shape=(3,), dtype=int64)
    """
    op = "strings.to_hash_bucket"
    count = _buckets(num_buckets, op)
    return each(text(op, input), lambda s: murmur64(s) % count, np.int64)


@on_host("strings.to_hash_bucket_strong", same_shape, elementwise=Elementwise.FIRST)
def to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Sequence[int], name: str | None = None
) -> Tensor:
    """A number below `num_buckets` for each string: its SipHash modulo that number, which nobody
    can predict who does not know the key.

    Args:
        input: A tensor of strings.
        num_buckets: How many numbers there are.
        key: Two integers of 64 bits.

    Returns:
        An int64 tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If `num_buckets` is less than 1, `key` are not two integers, or
            `input` is not of strings.
        TypeError: If `num_buckets` is no number.

    >>> import tfc as tf
    >>> print(tf.strings.to_hash_bucket_strong(["Hello", "TF"], 3, [1, 2]))
    tf.Tensor([2 0], shape=(2,), dtype=int64)
    """
    op = "strings.to_hash_bucket_strong"
    count = _buckets(num_buckets, op)
    words = numbers(key, "key", op)
    if len(words) != 2 or any(not is_whole(w) for w in words):
        raise blame.invalid(f"Key must have 2 elements, which are integers, got {key}", op)
    first, second = (int(w) & _MASK for w in words)
    return each(text(op, input), lambda s: siphash64(s, first, second) % count, np.int64)
