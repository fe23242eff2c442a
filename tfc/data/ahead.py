"""What is made ahead by itself: plans that wait for the host, and that nobody sees at work.

Reading files and decoding images let other threads run. So an iterator over a plan with such work
has a thread make a few elements before they are asked for, as if `prefetch(AUTOTUNE)` stood at its
end; once they take long, that is. TensorFlow does that, too (its option `inject_prefetch`).

Only where no one can tell: the plan calls no Python functions, reads no Variables, draws no random
numbers but those of its shuffles, and says nowhere by itself what is to be made ahead. Options turn
it off: `autotune.enabled`, `experimental_optimization.inject_prefetch`, or one thread alone in
`threading.private_threadpool_size`.
"""

from __future__ import annotations

import itertools
from typing import Final

from tfc.backends.cpu.runtime.runtime import available_threads

from .plan import Cursor, Plan, Run, begin, measuring
from .plans.batching import Batch
from .plans.checking import IgnoreErrors, Unique, WithOptions
from .plans.combining import Concatenate, Zip
from .plans.dividing import BatchPart, StreamPart
from .plans.mapping import Filter, Map
from .plans.order import Repeat, Shard, Skip, Take
from .plans.padding import Collected, PaddedBatch, RaggedBatch, SparseBatch
from .plans.prefetching import PrefetchCursor, Worth
from .plans.readers import Files, FixedRecords
from .plans.shuffling import Shuffle
from .plans.sources import Range, Slices, Tensors
from .plans.unbatching import Rebatch, Unbatch

_QUIET: Final = frozenset(
    {
        *(Files, FixedRecords, Range, Slices, Tensors),
        *(Batch, BatchPart, StreamPart, PaddedBatch, RaggedBatch, SparseBatch, Rebatch, Unbatch),
        *(Repeat, Shard, Shuffle, Skip, Take, Concatenate, Zip),
        *(IgnoreErrors, Unique, WithOptions),
    }
)
_ELEMENTS: Final = 2  # one is used, one is made


def ahead(plan: Plan, run: Run, cursor: Cursor) -> Cursor:
    """A cursor over a plan; or one whose elements a thread makes ahead, where that is to be."""
    if measuring.get() is not None or not is_made_ahead(plan, run):
        return cursor
    if plan.worth is None:
        plan.worth = Worth()
    at_once = available_threads() if plan.packs else 1  # by as many threads
    return PrefetchCursor(cursor, plan.worth, _ELEMENTS * at_once, at_once)


def is_made_ahead(plan: Plan, run: Run | None = None) -> bool:
    """Whether elements are made ahead once they take long: they wait for the host, nobody can tell
    when they are made, and options do not forbid it."""
    waits = _decodes(plan) or (_reads(plan) and _batches(plan))
    if not (waits and _is_quiet(plan)):
        return False
    return _is_allowed(begin(plan, itertools.repeat(0)) if run is None else run)


def _is_allowed(run: Run) -> bool:
    return run.ahead and all(map(_is_allowed, run.children))


def _decodes(plan: Plan) -> bool:
    """Whether there is a function that reads files or decodes images."""
    return (isinstance(plan, Map) and plan.whole.concurrent) or any(map(_decodes, plan.inputs))


def _reads(plan: Plan) -> bool:
    return isinstance(plan, Files | FixedRecords) or any(map(_reads, plan.inputs))


def _batches(plan: Plan) -> bool:
    """Whether an element is as large as a batch: handing over single lines is never worth it."""
    return isinstance(plan, Batch | Collected) or any(map(_batches, plan.inputs))


def _is_quiet(plan: Plan) -> bool:
    """Whether nobody can tell when its elements are made."""
    own = plan.function.pure if isinstance(plan, Map | Filter) else type(plan) in _QUIET
    return own and all(map(_is_quiet, plan.inputs))


__all__ = ["ahead", "is_made_ahead"]
