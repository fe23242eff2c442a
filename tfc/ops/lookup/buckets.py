"""The order in which TensorFlow's dense tables keep keys, and checkpoints have them: an open table,
which is read as it is.

A key's bucket follows from its hash, the number that it is or MurmurHash of a string; where that
one is taken it is the next, then that 2 behind it, then 3.
"""

from __future__ import annotations

import numpy as np

from ..strings.hashing import murmur64

_LEAST = 4  # buckets
_MASK = 2**64 - 1


def in_buckets(
    keys: np.ndarray, values: np.ndarray, empty: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Keys and values, a row for each bucket.

    Args:
        keys: A row for each key.
        values: Its value.
        empty: The key of buckets that have none.

    Returns:
        As many rows as there are buckets; scalars are rows of one.
    """
    count = len(keys)
    size = max(_LEAST, 1 << (2 * count - 1).bit_length())
    rows = keys.reshape(count, max(1, empty.size))
    places = np.full(size, -1, np.int64)
    for number, row in enumerate(rows.tolist()):
        at = _hash(row)
        for step in range(size):  # all buckets come in turn, since their number is a power of two
            at = (at + step) & (size - 1)
            if places[at] < 0:
                places[at] = number
                break
    taken = places >= 0
    found = np.empty((size, rows.shape[1]), keys.dtype)
    found[:] = empty.reshape(-1)
    found[taken] = rows[places[taken]]
    own = values[:, None] if values.ndim == 1 else values
    kept = np.zeros((size, *own.shape[1:]), values.dtype)
    if values.dtype.hasobject:
        kept[...] = b""
    kept[taken] = own[places[taken]]
    return found, kept


def _hash(key: list[int | bytes]) -> int:
    first, *rest = map(_hash_of, key)
    if not rest:
        return first
    found = 0
    for other in (first, *rest):
        mixed = other + 0x9E3779B97F4A7800 + (found << 10) + (found >> 4)
        found ^= mixed & _MASK
    return found


def _hash_of(part: int | bytes) -> int:
    return murmur64(part) if isinstance(part, bytes) else int(part) & _MASK
