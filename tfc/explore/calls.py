"""Which functions a program compiles, and what they are called with first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..core.context import settings
from ..core.tensor import Tensor
from ..function.concrete import ConcreteFunction
from .pages import Call


@contextmanager
def watched() -> Iterator[list[Call]]:
    """Inside, functions that are traced are noted, in this order, with the arguments of the first
    call; when it ends they are in the list."""
    first: dict[int, Call] = {}

    def watch(concrete: ConcreteFunction, tensors: Sequence[Tensor] | None) -> None:
        known = first.get(id(concrete))
        if known is None or known[1] is None:
            first[id(concrete)] = concrete, None if tensors is None else tuple(tensors)

    found: list[Call] = []
    outer, settings.watch = settings.watch, watch
    try:
        yield found
    finally:
        settings.watch = outer
        found += first.values()


__all__ = ["watched"]
