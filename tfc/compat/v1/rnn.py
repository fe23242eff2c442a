"""`tfc.compat.v1.nn`: recurrent networks of cells: loops over time, or a copy for each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tfc as _tfc
from tfc.core import blame

from ..graphs.trace import current_graph
from ..graphs.variables import variable_scope


def _first_state(cell: Any, inputs: Any, initial: Any, dtype: Any, op: str, axis: int) -> Any:
    if initial is not None:
        return initial
    if dtype is None:
        text = "If no initial_state is provided, argument `dtype` must be specified"
        raise blame.value_error(text, op)
    x = _tfc.nest.flatten(inputs)[0]
    batch = x.shape[axis]
    return cell.zero_state(_tfc.shape(x)[axis] if batch is None else batch, dtype)


def _turned(x: Any) -> Any:
    """Steps before rows, or rows before steps."""
    return _tfc.transpose(x, [1, 0, *range(2, x.shape.rank)])


def _chosen(condition: Any, new: Any, old: Any) -> Any:
    """What is new in the rows where a condition holds."""

    def one(a: Any, b: Any) -> Any:
        mask = _tfc.reshape(condition, [-1, *[1] * (a.shape.rank - 1)])
        return _tfc.where(mask, a, b)

    return _tfc.nest.map_structure(one, new, old)


def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """A recurrent network: a loop of a cell over the steps of its inputs.

    Args:
        cell: A cell: a function of inputs and a state, with `state_size` and `zero_state`.
        inputs: A tensor [rows, steps, ...], or a structure of such.
        sequence_length: How many steps each row has: behind them outputs are 0, and its state is
            the last one.
        initial_state: The first state; None: zeros.
        dtype: The dtype of these.
        parallel_iterations: Not used.
        swap_memory: Not used.
        time_major: Whether steps are the first axis, of inputs and outputs.
        scope: The scope of Variables; None: "rnn".

    Returns:
        The outputs of all steps, and the last state.

    Raises:
        ValueError: If there is neither a first state nor a dtype.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.BasicLSTMCell(4)
    ...     x = tf.placeholder(tf.float32, [None, 7, 3])
    ...     outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    ...     print(outputs.shape, state.h.shape, tf.trainable_variables()[0].name)
    (None, 7, 4) (None, 4) rnn/basic_lstm_cell/kernel:0
    """
    nest = _tfc.nest
    with variable_scope(scope or "rnn") as entered:
        steps = nest.map_structure(_tfc.convert_to_tensor, inputs)
        if not time_major:
            steps = nest.map_structure(_turned, steps)
        state = _first_state(cell, steps, initial_state, dtype, "nn.dynamic_rnn", 1)
        state = nest.map_structure(_tfc.convert_to_tensor, state)
        lengths = None
        if sequence_length is not None:
            lengths = _tfc.cast(sequence_length, _tfc.int32)
        first = nest.flatten(steps)[0]
        known = first.shape[0]
        count = _tfc.shape(first)[0] if known is None else known
        # A cell makes its Variables here, and not in the loop.
        batch = _tfc.shape(first)[1]
        blank = nest.map_structure(
            lambda x: _tfc.zeros([batch, *x.shape[2:].as_list()], x.dtype), steps
        )
        blank = nest.map_structure(_with_rows_of, blank, steps)
        output, _ = cell(blank, state)
        arrays = [
            _tfc.TensorArray(o.dtype, size=count, element_shape=o.shape)
            for o in nest.flatten(output)
        ]
        empty = nest.map_structure(_tfc.zeros_like, output)

        def body(t: Any, arrays: Any, state: Any) -> Any:
            with variable_scope(entered, reuse=True if current_graph() is not None else None):
                found, new = cell(nest.map_structure(lambda x: x[t], steps), state)
            new = nest.pack_sequence_as(state, nest.flatten(new))
            if lengths is not None:
                going = t < lengths
                found = _chosen(going, found, empty)
                new = _chosen(going, new, state)
            pairs = zip(arrays, nest.flatten(found), strict=True)
            return t + 1, [a.write(t, o) for a, o in pairs], new

        start = (_tfc.constant(0), arrays, state)
        _, arrays, last = _tfc.while_loop(
            lambda t, *_: t < count, body, start, maximum_iterations=known
        )
        whole = [a.stack() for a in arrays]
        for x in whole:
            x.set_shape([known, *x.shape[1:].as_list()])
        outputs = nest.pack_sequence_as(output, whole)
        return (outputs if time_major else nest.map_structure(_turned, outputs)), last


def _with_rows_of(x: Any, steps: Any) -> Any:
    x.set_shape([steps.shape[1], *x.shape[1:].as_list()])
    return x


def _backwards(x: Any, lengths: Any, time_axis: int) -> Any:
    if lengths is None:
        return _tfc.nest.map_structure(lambda a: _tfc.reverse(a, [time_axis]), x)
    return _tfc.nest.map_structure(
        lambda a: _tfc.reverse_sequence(a, lengths, seq_axis=time_axis, batch_axis=1 - time_axis), x
    )


def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Two recurrent networks, of which one goes from the last step to the first.

    Args:
        cell_fw: The cell of the one.
        cell_bw: The cell of the other.
        inputs: A tensor [rows, steps, ...], or a structure of such.
        sequence_length: How many steps each row has.
        initial_state_fw: The first state of the one; None: zeros.
        initial_state_bw: The first state of the other.
        dtype: The dtype of these.
        parallel_iterations: Not used.
        swap_memory: Not used.
        time_major: Whether steps are the first axis.
        scope: The scope of Variables; None: "bidirectional_rnn".

    Returns:
        A pair of outputs, and a pair of last states.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cells = [tf.nn.rnn_cell.GRUCell(4) for _ in range(2)]
    ...     outputs, states = tf.nn.bidirectional_dynamic_rnn(
    ...         *cells, tf.ones([2, 3, 5]), dtype=tf.float32
    ...     )
    ...     print(tf.concat(outputs, 2).shape)
    (2, 3, 8)
    """
    axis = 0 if time_major else 1
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forwards:
            first = dynamic_rnn(
                cell_fw,
                inputs,
                sequence_length,
                initial_state_fw,
                dtype,
                time_major=time_major,
                scope=forwards,
            )
        with variable_scope("bw") as other:
            turned, last = dynamic_rnn(
                cell_bw,
                _backwards(inputs, sequence_length, axis),
                sequence_length,
                initial_state_bw,
                dtype,
                time_major=time_major,
                scope=other,
            )
    second = _backwards(turned, sequence_length, axis)
    return (first[0], second), (first[1], last)


def static_rnn(
    cell: Any,
    inputs: Sequence[Any],
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """A recurrent network with a copy of the cell for each step.

    Args:
        cell: A cell.
        inputs: A list of tensors [rows, ...], one for each step.
        initial_state: The first state; None: zeros.
        dtype: The dtype of these.
        sequence_length: How many steps each row has.
        scope: The scope of Variables; None: "rnn".

    Returns:
        The list of outputs, and the last state.

    Raises:
        TypeError: If the inputs are no list.
        ValueError: If it is empty, or there is neither a first state nor a dtype.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.unstack(tf.ones([2, 3, 5]), axis=1)
    ...     outputs, state = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(4), x, dtype=tf.float32)
    ...     print(len(outputs), state.shape)
    3 (2, 4)
    """
    if not isinstance(inputs, list | tuple):
        raise blame.type_error("inputs must be a sequence", "nn.static_rnn")
    if not inputs:
        raise blame.value_error("inputs must not be empty", "nn.static_rnn")
    nest, outputs = _tfc.nest, []
    with variable_scope(scope or "rnn") as entered:
        state = _first_state(cell, inputs, initial_state, dtype, "nn.static_rnn", 0)
        lengths = None if sequence_length is None else _tfc.cast(sequence_length, _tfc.int32)
        for t, x in enumerate(inputs):
            if t:
                entered.reuse_variables()
            output, new = cell(x, state)
            if lengths is not None:
                going = lengths > t
                output = _chosen(going, output, nest.map_structure(_tfc.zeros_like, output))
                new = _chosen(going, new, state)
            outputs.append(output)
            state = new
    return outputs, state


def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Sequence[Any],
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any, Any]:
    """Two of `static_rnn`, of which one goes from the last step to the first.

    Args:
        cell_fw: The cell of the one.
        cell_bw: The cell of the other.
        inputs: A list of tensors [rows, size], one for each step.
        initial_state_fw: The first state of the one; None: zeros.
        initial_state_bw: The first state of the other.
        dtype: The dtype of these.
        sequence_length: How many steps each row has.
        scope: The scope of Variables; None: "bidirectional_rnn".

    Returns:
        The list of both outputs side by side, and the two last states.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cells = [tf.nn.rnn_cell.GRUCell(4) for _ in range(2)]
    ...     x = tf.unstack(tf.ones([2, 3, 5]), axis=1)
    ...     outputs, _, _ = tf.nn.static_bidirectional_rnn(*cells, x, dtype=tf.float32)
    ...     print(outputs[0].shape)
    (2, 8)
    """
    nest = _tfc.nest
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forwards:
            first, state_fw = static_rnn(
                cell_fw, inputs, initial_state_fw, dtype, sequence_length, forwards
            )
        with variable_scope("bw") as other:
            turned = _reversed(inputs, sequence_length)
            found, state_bw = static_rnn(
                cell_bw, turned, initial_state_bw, dtype, sequence_length, other
            )
    second = _reversed(found, sequence_length)
    join = nest.map_structure
    outputs = [
        join(lambda x, y: _tfc.concat([x, y], 1), a, b) for a, b in zip(first, second, strict=True)
    ]
    return outputs, state_fw, state_bw


def _reversed(steps: Sequence[Any], lengths: Any) -> list[Any]:
    if lengths is None:
        return list(reversed(steps))
    whole = _tfc.stack(list(steps))
    return _tfc.unstack(_tfc.reverse_sequence(whole, lengths, seq_axis=0, batch_axis=1))


__all__ = ["bidirectional_dynamic_rnn", "dynamic_rnn", "static_bidirectional_rnn", "static_rnn"]
