"""Loops of converted code: Python's own, until a tensor decides how often they run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..core.context import context
from ..dispatch.tracing import current
from .operators import Getter, Setter, if_stmt, symbolic
from .sources import source_of
from .unrolling import Unrolling


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    behind: Sequence[str],
    unread: Sequence[str],
) -> None:
    """`while test: body`; the names `behind` may be read behind it, and no round reads one of
    `unread` before it sets it."""
    unrolling = Unrolling()
    while True:
        before = get_state()
        trace = current()
        changes = 0 if trace is None else trace.changes
        holds = test()
        if symbolic(holds):
            break
        if not holds:
            return
        body()
        unrolling.step()
    # What the condition does is done: the loop is not to evaluate it again before the first round.
    first = holds if trace is not None and trace.changes != changes else None
    from .tensor_loops import Uses, tensor_while

    uses = Uses(frozenset(behind), frozenset(unread), frozenset())
    tensor_while(test, body, get_state, set_state, names, uses, before, holds, first)


def for_stmt(
    iterable: Any,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    behind: Sequence[str],
    unread: Sequence[str],
    targets: Sequence[str],
) -> None:
    """`for item in iterable: body`, as long as `extra_test` (no break yet) holds. The names are as
    those of `while_stmt`; `targets` are those of the items."""
    source = source_of(iterable)
    loop: Any = getattr(iterable, "_traced_loop", None) if source is None else None
    if source is not None or (loop is not None and context.trace is not None):
        from .tensor_loops import Uses, dataset_for, tensor_for

        uses = Uses(frozenset(behind), frozenset(unread), frozenset(targets))
        if source is not None:
            tensor_for(source, extra_test, body, get_state, set_state, names, uses)
        else:  # a dataset, or an iterator over one
            dataset_for(loop(), extra_test, body, get_state, set_state, names, uses)
        return
    unrolling = Unrolling()
    for item in iterable:
        goes_on = True if extra_test is None else extra_test()
        if symbolic(goes_on):
            if_stmt(
                goes_on, functools.partial(body, item), lambda: None, get_state, set_state, names
            )
        elif not goes_on:
            return
        else:
            body(item)
        unrolling.step()
