"""What schedules write branches and loops of kernels with, beside `FusedKernelBuilder.loop`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..algebra import Term
from ..core import Value
from ..dtypes import int64
from ..types import TensorType, scalar_type
from .ops import Branch, For, Repeat

Index = tuple[Value, ...]


def here(lower: Any, value: Value | Term) -> Term:
    """A value for arithmetic in the innermost region, whichever it was made in."""
    return Term(lower.b, value.value if isinstance(value, Term) else value)


def when(lower: Any, condition: Value | Term, fill: Callable[[], None]) -> None:
    """What `fill` emits runs only where the condition holds."""

    def then(_: Index) -> Sequence[Value]:
        fill()
        return ()

    nothing = lower.region("branch", (), lambda _: ())
    chosen = here(lower, condition).value
    lower.b.emit_all(Branch(chosen, lower.region("branch", (), then), nothing))


def repeat(
    lower: Any,
    init: Sequence[Value],
    condition: Callable[[list[Term]], Term],
    body: Callable[[list[Term]], Sequence[Value]],
) -> list[Value]:
    """A loop that carries values as long as the condition holds of them."""
    types = [scalar_type(v.dtype) for v in init]

    def given(params: Index) -> list[Term]:
        return [Term(lower.b, v) for v in params]

    test = lower.region("body", types, lambda p: (condition(given(p)).value,))
    step = lower.region("body", types, lambda p: body(given(p)))
    return list(lower.b.emit_all(Repeat(tuple(init), test, step)))


def carry(
    lower: Any, low: Value, high: Value, init: Sequence[Value], step: Any
) -> tuple[Value, ...]:
    """A serial loop: `step(i, carried)` gives the values of the next round."""
    types = (TensorType(int64), *(TensorType(v.dtype) for v in init))
    body = lower.region("body", types, lambda params: step(params[0], params[1:]))
    results: tuple[Value, ...] = lower.b.emit_all(For(low, high, tuple(init), 1, "serial", body))
    return results
