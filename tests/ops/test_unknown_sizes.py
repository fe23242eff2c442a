"""Every public function where no size is known, called with other sizes than it was traced for:
extents of 1 and 0, all operands shorter or one of them. What it gives must be what eager code
gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.cases import CASES, Case
from tests.sampling import ALL
from tfc import nest

SHARE = 36  # one of so many cases is tried, but for that


def shorter(arrays: Sequence[np.ndarray]) -> Iterator[tuple[np.ndarray, ...]]:
    """The arrays with an axis cut to 1 and to nothing: of all that have this extent there, and of
    one alone."""
    for axis in range(max((a.ndim for a in arrays), default=0)):
        for count in (1, 0):
            longest = max(a.shape[axis] for a in arrays if a.ndim > axis)
            chosen = [{i for i, a in enumerate(arrays) if a.ndim > axis}]
            chosen += [{i} for i in chosen[0]] if len(chosen[0]) > 1 else []
            for which in chosen:
                index = (slice(None),) * axis + (slice(count),)
                cut = tuple(a[index] if i in which else a for i, a in enumerate(arrays))
                if longest > count:
                    yield cut


def outcome(call: Any, arrays: Sequence[np.ndarray]) -> Any:
    """The bits of the results, or None for an error of arguments."""
    try:
        results = nest.flatten(call(*map(tf.constant, arrays)))
    except (tf.errors.OpError, ValueError, TypeError):
        return None
    return [(a.dtype, a.shape, a.tobytes()) for a in map(np.asarray, results)]


SYMBOLIC = [c for c in CASES if c.symbolic and any(a.ndim for a in c.arrays)]
CHOSEN = SYMBOLIC if ALL else SYMBOLIC[::SHARE]


@pytest.mark.parametrize("c", CHOSEN, ids=lambda c: c.name)
def test_other_sizes_than_were_traced(c: Case) -> None:
    specs = [tf.TensorSpec([None] * a.ndim, a.dtype) for a in c.arrays]
    free = tf.function(lambda *v: c.call(*v), input_signature=specs)
    assert outcome(free, c.arrays) is not None
    variants = list(shorter(c.arrays))
    for arrays in variants if ALL else variants[:: max(1, len(variants) // 4)]:
        traced = outcome(free, arrays)
        eager = outcome(c.call, arrays)
        shapes = [a.shape for a in arrays]
        if traced is None:
            # Two sizes that a trace takes to be equal are checked by the call: an error, where
            # eager code may broadcast.
            continue
        if eager is None and any(0 in shape for shape in shapes):
            continue  # of nothing: eager code looks at the extents of operands, too
        assert eager is not None, f"an error eagerly, none in the function: {shapes}"
        assert traced == eager, shapes
