"""`tfc.compat.v1.nn.rnn_cell`: a step of a recurrent network, with Variables of TensorFlow 1's
names and shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tfc as _tfc

from ..graphs.variables import variable_scope
from .initializers import constant_initializer, zeros_initializer
from .nn import dropout
from .state_ops import get_variable


class LSTMStateTuple(NamedTuple):
    """The state of an LSTM: `c`, its memory, and `h`, its output.

    >>> import tfc.compat.v1 as tf
    >>> tf.nn.rnn_cell.LSTMStateTuple(1, 2).h
    2
    """

    c: Any
    h: Any

    @property
    def dtype(self) -> Any:
        """The dtype of both."""
        return self.c.dtype


def _zeros(size: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros for a batch of states of a size."""
    return _tfc.nest.map_structure(
        lambda n: _tfc.zeros([batch_size, *_tfc.TensorShape(n).as_list()], dtype), size
    )


class RNNCell:
    """What all cells are: functions of inputs and a state that give outputs and the next state.

    Classes of their own have `state_size`, `output_size` and `call(inputs, state)`, and `build`
    where they have Variables; or `__call__` itself.

    Args:
        trainable: Whether Variables are trained.
        name: The scope of its Variables; None: after its class.
        dtype: The dtype of Variables; None: that of inputs.

    >>> import tfc.compat.v1 as tf
    >>> issubclass(tf.nn.rnn_cell.GRUCell, tf.nn.rnn_cell.RNNCell)
    True
    """

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None, **unused: Any
    ) -> None:
        self.trainable, self._name, self._dtype = trainable, name, dtype
        self.built = False
        self._scope: Any = None
        self.weights: list[Any] = []

    @property
    def name(self) -> str:
        """The name of its scope."""
        given = self.__dict__.get("_name")
        title = type(self).__name__
        snake = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", title)
        snake = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", snake)
        return str(given or snake.lower())

    @property
    def state_size(self) -> Any:
        """The size of a state, or a structure of sizes."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of outputs."""
        raise NotImplementedError("Abstract method")

    @property
    def trainable_weights(self) -> list[Any]:
        """The Variables that are trained."""
        return self.weights if self.trainable else []

    trainable_variables = trainable_weights

    @property
    def variables(self) -> list[Any]:
        """The Variables."""
        return self.weights

    def build(self, inputs_shape: Any) -> None:
        """Make the Variables, for inputs of a shape."""

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        """The outputs, and the next state."""
        raise NotImplementedError("call is what a class of its own has")

    def add_variable(
        self, name: str, shape: Any, dtype: Any = None, initializer: Any = None, **options: Any
    ) -> Any:
        """Make a Variable in its scope."""
        found = get_variable(
            name,
            shape,
            dtype or self._dtype or _tfc.float32,
            initializer,
            trainable=options.pop("trainable", self.trainable),
            **options,
        )
        self.weights.append(found)
        return found

    add_weight = add_variable

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        if not hasattr(self, "_scope"):  # a class that has not called this one's __init__
            RNNCell.__init__(self)
        if scope is not None or self._name is not None:
            around = variable_scope(scope or self._name)
        elif self._scope is not None:
            around = variable_scope(self._scope)
        else:
            around = variable_scope(None, default_name=self.name)
        with around as entered:
            self._scope = self._scope or entered
            if not self.built:
                parts = _tfc.nest.flatten(inputs)
                self._dtype = self._dtype or parts[0].dtype
                self.build(_tfc.nest.map_structure(lambda x: x.shape, inputs))
                self.built = True
            return self.call(inputs, state)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A state of zeros."""
        return _zeros(self.state_size, batch_size, dtype)

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """A state of zeros, for as many rows as inputs have, or as it is said."""
        if inputs is not None:
            batch_size, dtype = _tfc.shape(inputs)[0], inputs.dtype
        return self.zero_state(batch_size, dtype)


class _Sized(RNNCell):
    """A cell with a number of units, whose state is as large as its outputs."""

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(name=name, dtype=dtype, **options)
        self._units = num_units
        self._activation = _activation(activation)

    @property
    def state_size(self) -> Any:
        return self._units

    @property
    def output_size(self) -> Any:
        return self._units

    def _layer(self, prefix: str, inputs: int, outputs: int, kernel: Any, bias: Any) -> Any:
        w = self.add_variable(f"{prefix}kernel", [inputs, outputs], initializer=kernel)
        b = self.add_variable(f"{prefix}bias", [outputs], initializer=bias or zeros_initializer())
        return w, b


def _activation(given: Any) -> Callable[..., Any]:
    if given is None:
        return _tfc.tanh
    found: Callable[..., Any] = (
        getattr(_tfc.nn, given, None) or getattr(_tfc, given) if (isinstance(given, str)) else given
    )
    return found


def _depth(shape: Any) -> int:
    found = _tfc.TensorShape(shape)[-1]
    if found is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {shape}")
    return int(found)


def _affine(x: Any, layer: Any) -> Any:
    return _tfc.nn.bias_add(_tfc.matmul(x, layer[0]), layer[1])


class BasicRNNCell(_Sized):
    """The plainest cell: `activation(W [x, h] + b)`.

    Args:
        num_units: How many units it has.
        activation: A function; None: tanh.
        reuse: Not used: the scope says it.
        name: The scope of its Variables.
        dtype: Their dtype.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.BasicRNNCell(4)
    ...     output, state = cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
    ...     print(output.shape, [v.name for v in tf.global_variables()])
    (2, 4) ['basic_rnn_cell/kernel:0', 'basic_rnn_cell/bias:0']
    """

    def build(self, inputs_shape: Any) -> None:
        self._own = self._layer("", _depth(inputs_shape) + self._units, self._units, None, None)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        output = self._activation(_affine(_tfc.concat([inputs, state], 1), self._own))
        return output, output


class GRUCell(_Sized):
    """A gated recurrent unit (http://arxiv.org/abs/1406.1078).

    Args:
        num_units: How many units it has.
        activation: A function; None: tanh.
        reuse: Not used: the scope says it.
        kernel_initializer: What matrices start from.
        bias_initializer: What vectors start from; None: ones for the gates, zeros for candidates.
        name: The scope of its Variables.
        dtype: Their dtype.

    >>> import tfc.compat.v1 as tf
    >>> tf.nn.rnn_cell.GRUCell(4).state_size
    4
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, **options)
        self._kernel, self._bias = kernel_initializer, bias_initializer

    def build(self, inputs_shape: Any) -> None:
        whole, n = _depth(inputs_shape) + self._units, self._units
        ones = self._bias or constant_initializer(1.0)
        self._gates = self._layer("gates/", whole, 2 * n, self._kernel, ones)
        self._candidate = self._layer("candidate/", whole, n, self._kernel, self._bias)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        gates = _tfc.sigmoid(_affine(_tfc.concat([inputs, state], 1), self._gates))
        r, u = _tfc.split(gates, 2, axis=1)
        c = self._activation(_affine(_tfc.concat([inputs, r * state], 1), self._candidate))
        output = u * state + (1.0 - u) * c
        return output, output


class BasicLSTMCell(_Sized):
    """A long short-term memory (http://arxiv.org/abs/1409.2329), without peepholes.

    Args:
        num_units: How many units it has.
        forget_bias: What is added before the gate that forgets.
        state_is_tuple: Whether states are LSTMStateTuples, or else both in one tensor.
        activation: A function; None: tanh.
        reuse: Not used: the scope says it.
        name: The scope of its Variables.
        dtype: Their dtype.

    >>> import tfc.compat.v1 as tf
    >>> tf.nn.rnn_cell.BasicLSTMCell(4).state_size
    LSTMStateTuple(c=4, h=4)
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, **options)
        self._forget, self._tuple = forget_bias, state_is_tuple

    @property
    def state_size(self) -> Any:
        n = self._units
        return LSTMStateTuple(n, n) if self._tuple else 2 * n

    def build(self, inputs_shape: Any) -> None:
        n = self._units
        self._own = self._layer("", _depth(inputs_shape) + n, 4 * n, None, None)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        c, h = state if self._tuple else _tfc.split(state, 2, axis=1)
        parts = _affine(_tfc.concat([inputs, h], 1), self._own)
        i, j, f, o = _tfc.split(parts, 4, axis=1)
        kept = c * _tfc.sigmoid(f + _tfc.cast(self._forget, f.dtype))
        memory = kept + _tfc.sigmoid(i) * self._activation(j)
        output = self._activation(memory) * _tfc.sigmoid(o)
        if self._tuple:
            return output, LSTMStateTuple(memory, output)
        return output, _tfc.concat([memory, output], 1)


class LSTMCell(_Sized):
    """A long short-term memory, with peepholes, clipping and a projection where they are wanted
    (https://research.google.com/pubs/archive/43905.pdf).

    Args:
        num_units: How many units it has.
        use_peepholes: Whether the gates see the memory.
        cell_clip: What the memory is clipped to.
        initializer: What matrices start from.
        num_proj: How many outputs there are, by another matrix.
        proj_clip: What they are clipped to.
        forget_bias: What is added before the gate that forgets.
        state_is_tuple: Whether states are LSTMStateTuples, or else both in one tensor.
        activation: A function; None: tanh.
        reuse: Not used: the scope says it.
        name: The scope of its Variables.
        dtype: Their dtype.

    >>> import tfc.compat.v1 as tf
    >>> cell = tf.nn.rnn_cell.LSTMCell(4, num_proj=2)
    >>> cell.state_size, cell.output_size
    (LSTMStateTuple(c=4, h=2), 2)
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: Any = None,
        num_proj_shards: Any = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, **options)
        self._peepholes, self._clip, self._initializer = use_peepholes, cell_clip, initializer
        self._outputs, self._proj_clip = num_proj, proj_clip
        self._forget, self._tuple = forget_bias, state_is_tuple

    @property
    def output_size(self) -> Any:
        return self._outputs or self._units

    @property
    def state_size(self) -> Any:
        n, m = self._units, self.output_size
        return LSTMStateTuple(n, m) if self._tuple else n + m

    def build(self, inputs_shape: Any) -> None:
        n, kernel = self._units, self._initializer
        self._own = self._layer("", _depth(inputs_shape) + self.output_size, 4 * n, kernel, None)
        if self._peepholes:
            self._diagonals = [
                self.add_variable(f"w_{gate}_diag", [n], initializer=kernel) for gate in "fio"
            ]
        if self._outputs is not None:
            shape = [n, self._outputs]
            self._projection = self.add_variable("projection/kernel", shape, initializer=kernel)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        n, m = self._units, self.output_size
        c, h = state if self._tuple else _tfc.split(state, [n, m], axis=1)
        parts = _affine(_tfc.concat([inputs, h], 1), self._own)
        i, j, f, o = _tfc.split(parts, 4, axis=1)
        f = f + _tfc.cast(self._forget, f.dtype)
        if self._peepholes:
            f, i = f + self._diagonals[0] * c, i + self._diagonals[1] * c
        memory = _tfc.sigmoid(f) * c + _tfc.sigmoid(i) * self._activation(j)
        if self._clip is not None:
            memory = _tfc.clip_by_value(memory, -self._clip, self._clip)
        if self._peepholes:
            o = o + self._diagonals[2] * memory
        output = _tfc.sigmoid(o) * self._activation(memory)
        if self._outputs is not None:
            output = _tfc.matmul(output, self._projection)
            if self._proj_clip is not None:
                output = _tfc.clip_by_value(output, -self._proj_clip, self._proj_clip)
        if self._tuple:
            return output, LSTMStateTuple(memory, output)
        return output, _tfc.concat([memory, output], 1)


class MultiRNNCell(RNNCell):
    """Cells one above the other.

    Args:
        cells: The cells.
        state_is_tuple: Whether a state is a tuple of theirs, or else one tensor.

    Raises:
        ValueError: If there are none.

    >>> import tfc.compat.v1 as tf
    >>> cells = [tf.nn.rnn_cell.GRUCell(n) for n in (4, 5)]
    >>> tf.nn.rnn_cell.MultiRNNCell(cells).state_size
    (4, 5)
    """

    def __init__(self, cells: Sequence[Any], state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        self._cells, self._tuple = list(cells), state_is_tuple

    @property
    def state_size(self) -> Any:
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        return self._cells[-1].output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        if self._tuple:
            return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
        return super().zero_state(batch_size, dtype)

    def call(self, inputs: Any, state: Any) -> tuple[Any, Any]:
        sizes = [cell.state_size for cell in self._cells]
        states = state if self._tuple else _tfc.split(state, sizes, axis=1)
        x, new = inputs, []
        for i, (cell, own) in enumerate(zip(self._cells, states, strict=True)):
            with variable_scope(f"cell_{i}"):
                x, own = cell(x, own)
            new.append(own)
        return x, tuple(new) if self._tuple else _tfc.concat(new, 1)


class _Around(RNNCell):
    """A cell around another one, which has its Variables."""

    def __init__(self, cell: Any) -> None:
        super().__init__()
        self._cell = cell

    @property
    def wrapped_cell(self) -> Any:
        """The other one."""
        return self._cell

    @property
    def state_size(self) -> Any:
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        return self._cell.zero_state(batch_size, dtype)

    def _inner(self, inputs: Any, state: Any, scope: Any) -> tuple[Any, Any]:
        found: tuple[Any, Any] = (
            self._cell(inputs, state) if scope is None else self._cell(inputs, state, scope)
        )
        return found


class DropoutWrapper(_Around):
    """A cell with dropout of its inputs, states and outputs.

    Args:
        cell: The cell.
        input_keep_prob: Which part of the inputs stays.
        output_keep_prob: Which part of the outputs.
        state_keep_prob: Which part of the states; an LSTM's memory stays whole.
        variational_recurrent: Not there: whether all steps drop the same.
        seed: A seed for all.

    Raises:
        UnimplementedError: If `variational_recurrent`.

    >>> import tfc.compat.v1 as tf
    >>> cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(4), output_keep_prob=0.5)
    >>> cell.output_size
    4
    """

    def __init__(
        self,
        cell: Any,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: int | None = None,
        dropout_state_filter_visitor: Any = None,
    ) -> None:
        super().__init__(cell)
        if variational_recurrent:
            raise _tfc.errors.UnimplementedError(
                "all steps draw what they drop by themselves", op="DropoutWrapper"
            )
        self._keep = input_keep_prob, state_keep_prob, output_keep_prob
        self._seed = seed

    def _dropped(self, value: Any, keep: Any) -> Any:
        whole = isinstance(keep, float | int) and keep >= 1
        return value if whole else dropout(value, keep, seed=self._seed)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        before, kept, behind = self._keep
        output, new = self._inner(self._dropped(inputs, before), state, scope)
        return self._dropped(output, behind), self._states(new, kept)

    def _states(self, state: Any, keep: Any) -> Any:
        if isinstance(state, LSTMStateTuple):
            return LSTMStateTuple(state.c, self._dropped(state.h, keep))
        if isinstance(state, tuple | list):
            return type(state)([self._states(s, keep) for s in state])
        return self._dropped(state, keep)


class ResidualWrapper(_Around):
    """A cell whose inputs are added to its outputs.

    Args:
        cell: The cell.
        residual_fn: What is made of inputs and outputs instead.

    >>> import tfc.compat.v1 as tf
    >>> tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(4)).output_size
    4
    """

    def __init__(self, cell: Any, residual_fn: Callable[..., Any] | None = None) -> None:
        super().__init__(cell)
        self._made = residual_fn

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        output, new = self._inner(inputs, state, scope)
        if self._made is not None:
            return self._made(inputs, output), new
        return _tfc.nest.map_structure(lambda a, b: a + b, inputs, output), new


class DeviceWrapper(_Around):
    """A cell that runs on a device.

    Args:
        cell: The cell.
        device: The device.

    >>> import tfc.compat.v1 as tf
    >>> tf.nn.rnn_cell.DeviceWrapper(tf.nn.rnn_cell.GRUCell(4), "/cpu:0").output_size
    4
    """

    def __init__(self, cell: Any, device: Any) -> None:
        super().__init__(cell)
        self._device = device

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> tuple[Any, Any]:
        with _tfc.device(self._device):
            return self._inner(inputs, state, scope)


__all__ = [
    "BasicLSTMCell",
    "BasicRNNCell",
    "DeviceWrapper",
    "DropoutWrapper",
    "GRUCell",
    "LSTMCell",
    "LSTMStateTuple",
    "MultiRNNCell",
    "RNNCell",
    "ResidualWrapper",
]
