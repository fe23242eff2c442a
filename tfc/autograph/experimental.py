"""`tfc.autograph.experimental`: options of loops, and what is not converted."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from ..core import blame
from ..core.absent import refusal as _refusal
from ..core.types import ShapeLike, TensorLike
from ..dispatch.tracing import current
from .conversion import do_not_convert


class Feature(enum.Enum):
    """TensorFlow's names of what AutoGraph converts, which `tfc.function` takes and does not look
    at: it has all that there is.

    >>> import tfc as tf
    >>> f = tf.function(lambda x: x + 1,
    ...                 experimental_autograph_options=tf.autograph.experimental.Feature.LISTS)
    >>> int(f(tf.constant(1)))
    2
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


def set_loop_options(
    parallel_iterations: int | None = None,
    swap_memory: bool | None = None,
    maximum_iterations: TensorLike | None = None,
    shape_invariants: Sequence[tuple[Any, ShapeLike]] | None = None,
) -> None:
    """Options of the loop on tensors around it; called first in its body.

    Eagerly, where loops are Python's, nothing happens, as in TensorFlow.

    Args:
        parallel_iterations: Not used.
        swap_memory: Not used.
        maximum_iterations: An integer: the loop ends after so many rounds. None: no limit.
        shape_invariants: Pairs of a loop variable and a shape, which say which extents may change
            from round to round: those that are None in the shape.

    Raises:
        ValueError: If a shape does not fit its variable.
        TypeError: If `shape_invariants` are no pairs.
        UnimplementedError: If there is a limit, and the loop is none on tensors.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(n):
    ...     total = 0
    ...     for i in tf.range(n):
    ...         tf.autograph.experimental.set_loop_options(maximum_iterations=3)
    ...         total += i
    ...     return total
    >>> int(f(tf.constant(100)))
    3
    >>> @tf.function
    ... def squares(n):
    ...     found = tf.zeros([0], tf.int32)
    ...     for i in tf.range(n):
    ...         tf.autograph.experimental.set_loop_options(
    ...             shape_invariants=[(found, tf.TensorShape([None]))])
    ...         found = tf.concat([found, [i * i]], 0)
    ...     return found
    >>> squares(tf.constant(4)).numpy()
    array([0, 1, 4, 9], dtype=int32)
    """
    trace = current()
    if trace is None:
        return
    for pair in shape_invariants or ():
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise blame.type_error(
                "shape_invariants must be pairs of a loop variable and a shape", "set_loop_options"
            )
        from ..control_flow.while_loops import check_invariants

        check_invariants([_Shape(pair[1])], [pair[0]], "set_loop_options")
        trace.promises.append((pair[0], pair[1]))
    if maximum_iterations is None:
        return
    if trace.branch not in ("the body", "the function") or trace.outer is None:
        raise blame.unimplemented(
            "this is the body of no loop on tensors: leave Python's own loops with `break`, and "
            "call it first in the body",
            "set_loop_options",
        )
    trace.limit = maximum_iterations


class _Shape:
    """A shape as one leaf."""

    def __init__(self, shape: ShapeLike) -> None:
        self.shape = shape


__getattr__ = _refusal("tf.autograph.experimental")
__all__ = ["Feature", "do_not_convert", "set_loop_options"]
