"""Recurrent layers: one native loop over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from keras.src import tree

import tfc as tf

from .core import dense_tensor, shape

Step = Callable[[Any, Any], tuple[Any, Any]]  # (row, states) -> (output, states)


def rnn(
    step_function: Step,
    inputs: Any,
    initial_states: Any,
    go_backwards: bool = False,
    mask: Any = None,
    constants: Sequence[Any] | None = None,
    unroll: bool = False,
    input_length: Any = None,
    time_major: bool = False,
    zero_output_for_mask: bool = False,
    return_all_outputs: bool = True,
) -> tuple[Any, Any, Any]:
    """`step_function` on row after row of `inputs` [batch, time, ...], which may be a structure.

    Where the mask is False, states stay as they are, and the output is the one before (zeros at
    first, and always with `zero_output_for_mask`).

    Returns:
        The last output; all outputs [batch, time, ...] (or the last one, [batch, 1, ...]); the
        states at the end.
    """
    inputs = tree.map_structure(dense_tensor, inputs)
    if not time_major:
        inputs = tree.map_structure(_swapped, inputs)
    rows = tree.flatten(inputs)
    count = shape(rows[0])[0]
    known = None if mask is None else _mask(mask, time_major)
    if input_length is not None and not isinstance(input_length, int) and known is None:
        lengths = dense_tensor(input_length, "int32")
        known = tf.range(count)[:, None, None] < lengths[None, :, None]
    if go_backwards:
        inputs = tree.map_structure(lambda x: tf.reverse(x, [0]), inputs)
        known = None if known is None else tf.reverse(known, [0])
    states = tree.map_structure(dense_tensor, tuple(initial_states))
    more = tuple(constants or ())

    def step(row: Any, keep: Any, before: Any, states: Any) -> tuple[Any, Any]:
        output, new = step_function(row, tuple(states) + more)
        new = tree.pack_sequence_as(states, tree.flatten(new))
        if keep is None:
            return output, new
        other = tree.map_structure(tf.zeros_like, output) if zero_output_for_mask else before
        output = tree.map_structure(lambda a, b: _where(keep, a, b), output, other)
        return output, tree.map_structure(lambda a, b: _where(keep, a, b), new, states)

    first, _ = step_function(tree.map_structure(lambda x: x[0], inputs), tuple(states) + more)
    nothing = tree.map_structure(tf.zeros_like, first)  # of the first row nothing else is used
    if unroll:
        if not isinstance(count, int) or not count:
            raise ValueError("Unrolling requires a fixed number of timesteps.")
        output, found = nothing, []
        for t in range(count):
            row = tree.map_structure(lambda x, t=t: x[t], inputs)
            output, states = step(row, None if known is None else known[t], output, states)
            found.append(output)
        outputs = tree.map_structure(lambda *parts: tf.stack(parts), *found)
    else:
        output, outputs, states = _loop(step, inputs, known, nothing, states, count)
    if return_all_outputs:
        outputs = outputs if time_major else tree.map_structure(_swapped, outputs)
    else:
        outputs = tree.map_structure(lambda x: tf.expand_dims(x, 0 if time_major else 1), output)
    return output, outputs, states


def _loop(
    step: Callable[..., tuple[Any, Any]],
    inputs: Any,
    known: Any,
    nothing: Any,
    states: Any,
    count: Any,
) -> tuple[Any, Any, Any]:
    """The steps as a loop: the last output, all of them, the states."""
    given = tree.map_structure(lambda x: tf.TensorArray(x.dtype, size=count).unstack(x), inputs)
    taken = tuple(
        tf.TensorArray(x.dtype, size=count, element_shape=x.shape) for x in tree.flatten(nothing)
    )

    def body(t: Any, output: Any, states: Any, taken: tuple[Any, ...]) -> tuple[Any, ...]:
        row = tree.map_structure(lambda array: array.read(t), given)
        output, states = step(row, None if known is None else known[t], output, states)
        flat = tree.flatten(output)
        written = tuple(array.write(t, x) for array, x in zip(taken, flat, strict=True))
        return t + 1, output, states, written

    _, output, states, taken = tf.while_loop(
        lambda t, *_: t < count, body, (tf.constant(0), nothing, states, taken)
    )
    return output, tree.pack_sequence_as(nothing, [array.stack() for array in taken]), states


def _swapped(x: Any) -> tf.Tensor:
    """[batch, time, ...] as [time, batch, ...], and back."""
    return tf.transpose(x, [1, 0, *range(2, x.ndim)])


def _mask(mask: Any, time_major: bool) -> tf.Tensor:
    """[time, batch, 1] of bools."""
    mask = dense_tensor(mask, "bool")
    if mask.ndim == 2:
        mask = mask[..., None]
    return mask if time_major else _swapped(mask)


def _where(keep: tf.Tensor, a: Any, b: Any) -> tf.Tensor:
    """a for the rows that are kept."""
    for _ in range(a.ndim - keep.ndim):
        keep = keep[..., None]
    return tf.where(keep, a, b)


def lstm(*arguments: Any, **options: Any) -> Any:
    """What a layer asks for first: a form of its own. There is none, so it takes `rnn`."""
    raise NotImplementedError


gru = bidirectional_lstm = bidirectional_gru = lstm


def cudnn_ok(*arguments: Any, **options: Any) -> bool:
    return False
