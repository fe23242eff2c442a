"""Functions of the flat values of ragged tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import blame, nest
from ..array import checks as _checks
from ..array import conversion as _conversion
from .tensor import RaggedTensor


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A function of the flat values of ragged tensors, in the same rows.

    Args:
        op: The function: of values, which gives as many values.
        *args: Its arguments; in the place of each RaggedTensor, also inside of lists, dicts and
            tuples, it gets the flat values.
        **kwargs: Others, by name.

    Returns:
        A RaggedTensor with the rows of the first one among the arguments; what `op` gives, where
        there is none.

    Raises:
        InvalidArgumentError: If the rows of several ragged tensors differ.
        ValueError: If they have different numbers of ragged axes, or `op` gives another number of
            values.

    >>> import tfc as tf
    >>> x = tf.ragged.constant([[1, 2, 3], [], [4, 5]])
    >>> tf.ragged.map_flat_values(lambda v: v * 10, x)
    <tf.RaggedTensor [[10, 20, 30], [], [40, 50]]>
    """
    leaves, structure = nest.decompose((args, kwargs))
    found = [v for v in leaves if isinstance(v, RaggedTensor)]
    if not found:
        return op(*args, **kwargs)
    first = found[0]
    for other in found[1:]:
        have, want = (v.flat_values.shape[0] for v in (other, first))
        if None not in (have, want) and have != want:
            raise blame.value_error(
                "Input RaggedTensors' flat_values must all have the same outer-dimension size.  "
                f"Got sizes: {{{min(have, want)}, {max(have, want)}}}",
                "ragged.map_flat_values",
            )
        if other.ragged_rank != first.ragged_rank:
            raise blame.value_error(
                f"ragged ranks {first.ragged_rank} and {other.ragged_rank} differ",
                "ragged.map_flat_values",
            )
        for a, b in zip(first.nested_row_splits, other.nested_row_splits, strict=True):
            if a is not b:
                text = "All ragged inputs must have the same row splits"
                _checks.assert_equal(a, _conversion.cast(b, a.dtype), text)
    plain = [v.flat_values if isinstance(v, RaggedTensor) else v for v in leaves]
    inner_args, inner_kwargs = structure.pack(plain)
    made = op(*inner_args, **inner_kwargs)
    want, shape = first.flat_values.shape[0], made.shape
    if not len(shape) or (None not in (shape[0], want) and shape[0] != want):
        raise blame.value_error(
            "tf.ragged.map_flat_values requires that the output of `op` have the same "
            "outer-dimension size as flat_values of any ragged inputs. (output shape: "
            f"{shape}; expected outer dimension size: {want})",
            "ragged.map_flat_values",
        )
    return first.with_flat_values(made)
