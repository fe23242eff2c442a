"""What loops of converted code go over, where it is made of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfc.ir.dtypes import as_dtype

from ..core import blame
from ..core.context import context
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..ops.array.conversion import cast
from ..ops.array.creation import range as tensor_range
from .operators import symbolic


class Source(NamedTuple):
    """What a loop on tensors goes over: slices of `leaves`, and an item made of an index and them.
    `count` is an extent; without leaves there must be one."""

    leaves: list[Any]
    item: Callable[[Any, list[Any]], Any]
    count: Any = None


class TensorRange:
    """`range` or `tf.range` as what a loop goes over: items are computed, not stored."""

    def __init__(self, *bounds: Any, **options: Any) -> None:
        self.bounds = bounds
        self.options = options

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        values = tensor_range(*self.bounds, **self.options)
        return values if dtype is None else cast(values, dtype)

    def source(self) -> Source:
        """Its items and their number."""
        values = tensor_range(*self.bounds, **self.options)  # dropped: it is not read
        assert context.trace is not None
        count = context.trace.value_of(values).shape[0]
        named = dict(zip(("start", "limit", "delta"), self.bounds, strict=False), **self.options)
        only = named.get("limit") is None
        start = 0 if only else named["start"]
        first, step = (cast(x, values.dtype) for x in (start, named.get("delta", 1)))
        return Source([], lambda i, _: first + cast(i, values.dtype) * step, count)


class TensorZip:
    """`zip` of tensors and ranges, or `enumerate` of one."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def source(self) -> Source:
        """Items of all parts side by side."""
        sources = [source_of(p) for p in self.parts]
        leaves: list[Any] = []
        counts: list[Any] = []
        for s in sources:
            assert s is not None
            leaves += s.leaves
            counts += [] if s.count is None else [s.count]

        def item(i: Any, slices: list[Any]) -> tuple[Any, ...]:
            items, rest = [], list(slices)
            for s in sources:
                assert s is not None
                items.append(s.item(i, rest[: len(s.leaves)]))
                rest = rest[len(s.leaves) :]
            return tuple(items)

        return Source(leaves, item, counts[0] if counts else None)


class TensorEnumerate:
    """`enumerate` of what a loop on tensors goes over."""

    def __init__(self, inner: Any, start: Any = 0) -> None:
        self.inner = inner
        self.start = start

    def source(self) -> Source:
        """Items with their number in front."""
        inner = source_of(self.inner)
        assert inner is not None
        int32 = as_dtype("int32")
        return Source(
            inner.leaves,
            lambda i, slices: (cast(i, int32) + self.start, inner.item(i, slices)),
            inner.count,
        )


def source_of(iterable: Any) -> Source | None:
    """How a loop goes over tensors, ranges of them and such; None for what is Python's."""
    if context.trace is None:
        return None
    if isinstance(iterable, Tensor | Variable):
        if not iterable.ndim:
            raise blame.located(
                TypeError,
                "a loop cannot go over a scalar tensor: go over tf.range(n), or over a tensor "
                "with an axis",
            )
        return Source([iterable], lambda i, slices: slices[0])
    source = getattr(type(iterable), "source", None)
    if isinstance(iterable, TensorRange | TensorZip | TensorEnumerate):
        found: Source = iterable.source()
        return found
    staged = getattr(iterable, "_stacked", None) if source is None else None
    return None if staged is None else source_of(staged())


def python_iterable(x: Any, why: str) -> Any:
    """What a loop that was left to Python goes over."""
    if symbolic(x) or isinstance(x, TensorRange | TensorZip | TensorEnumerate):
        raise blame.located(
            NotImplementedError,
            f"a loop over a tensor cannot be compiled, because of {why}: write it without that",
        )
    return x
