"""What Keras asks of every backend: Variables, conversion, shapes, control flow, scatters.

Dtypes follow Keras' own rules (`result_type`), as on JAX and PyTorch: Python's and NumPy's floats
become `floatx()`, integers int32.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from keras.src import tree
from keras.src.backend.common import KerasVariable, is_float_dtype, standardize_dtype
from keras.src.backend.common.dtypes import PYTHON_DTYPES_MAP, result_type
from keras.src.backend.common.keras_tensor import KerasTensor
from keras.src.backend.common.stateless_scope import StatelessScope
from keras.src.backend.common.symbolic_scope import SymbolicScope

import tfc as tf
from tfc.core.context import context, settings
from tfc.function.abstract import ScratchTrace

from . import masks
from .notes import Noted
from .parts import counted, replica_of_several
from .sparse import dense, is_sparse

masks.teach()
PYTHON_DTYPES_MAP["int"] = "int64"  # as beside TensorFlow: steps of optimizers are counted by it

SUPPORTS_SPARSE_TENSORS = True
SUPPORTS_RAGGED_TENSORS = True
SUPPORTS_COMPLEX_DTYPES = True
IS_THREAD_SAFE = True


class Variable(KerasVariable):
    """A Keras Variable: holds a `tf.Variable`, and stands for it where tensors are taken and where
    gradients are asked for."""

    _value: Any  # a tf.Variable; None before it is initialized
    _restored: tf.Tensor | None = None  # by a checkpoint, before it was initialized

    def __init__(
        self, initializer: Any, shape: Any = None, dtype: Any = None, *args: Any, **kwargs: Any
    ) -> None:
        self._is_count = dtype == "int"
        super().__init__(initializer, shape, dtype, *args, **kwargs)

    def _initialize(self, value: Any) -> None:
        if isinstance(value, tf.Variable):
            self._value = value
            return
        with tf.init_scope():
            self._value = tf.Variable(
                value,
                dtype=self._dtype,
                trainable=self._trainable,
                name=self._name,
                aggregation=self._aggregation,
                synchronization=self._synchronization,
            )
            if self._restored is not None:
                value, self._restored = self._restored, None
                self._value.assign(value)
        self._note()

    def _note(self) -> None:
        """Tell the function that is traced: only its first call may make Variables."""
        if context.trace is not None:
            context.trace.create(self._value)

    # In checkpoints, where Keras' counts are int64, as it has them on TensorFlow.

    def _serialize_to_tensors(self) -> dict[str, tf.Tensor]:
        if self._value is None:
            return {}
        value = self._value.value()
        return {"VARIABLE_VALUE": tf.cast(value, tf.int64) if self._is_count else value}

    def _restore_from_tensors(self, tensors: dict[str, tf.Tensor]) -> None:
        value = tensors["VARIABLE_VALUE"]
        if self._is_count and value.dtype == tf.int64:
            limits = np.iinfo(self._dtype)
            value = tf.constant(np.clip(value.numpy(), limits.min, limits.max), self._dtype)
        if value.dtype.name != self._dtype:
            raise tf.errors.InvalidArgumentError(
                f"{self.path}: expected dtype {self._dtype} does not equal original dtype "
                f"{value.dtype.name}"
            )
        if self._value is None:
            self._restored = value
        else:
            self._value.assign(value)

    def _initialize_with_initializer(self, initializer: Callable[..., Any]) -> None:
        with tf.init_scope():
            self._initialize(self._convert_to_tensor(initializer(self._shape, dtype=self._dtype)))
        self._note()

    def _direct_assign(self, value: Any) -> None:
        if settings.replicas is not None and replica_of_several() is not None:
            if self._aggregation == "sum":  # what each adds is added up
                change = value - tf.convert_to_tensor(self._value)
                self._value.assign_add(counted(change))
                return
            if self._aggregation == "none" and not self._trainable:
                self._value.aggregation = self._usual_aggregation()
        self._value.assign(value)

    def _usual_aggregation(self) -> tf.VariableAggregation:
        """What becomes of values that replicas assign where Keras says nothing: averages that a
        layer keeps are averaged, and what generators and counts become is the first one's."""
        kinds = tf.VariableAggregation
        return kinds.MEAN if is_float_dtype(self._dtype) else kinds.ONLY_FIRST_REPLICA

    def _convert_to_tensor(self, value: Any, dtype: Any = None) -> tf.Tensor:
        if isinstance(value, int | float | np.ndarray | np.generic):
            with tf.init_scope():  # a Variable that a trace makes may start from it
                return dense_tensor(value, dtype)
        return dense_tensor(value, dtype)

    @property
    def trainable(self) -> bool:
        """Whether it is trained. Tapes ask its `tf.Variable`, and watch what is frozen later, too:
        programs take gradients by what frozen layers make of data that no tape watches."""
        return bool(self._trainable)

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        if self._trainable and isinstance(self._value, tf.Variable):
            self._value.trainable = True

    @property
    def handle(self) -> tf.Variable:
        """The `tf.Variable`: for GradientTape."""
        return self._value

    def numpy(self) -> np.ndarray:
        """The value now, as an array."""
        return convert_to_numpy(self)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        array = convert_to_numpy(self)
        return array if dtype is None else array.astype(dtype)

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> tf.Tensor:
        return tf.convert_to_tensor(self.value, dtype)


def convert_to_tensor(
    x: Any, dtype: Any = None, sparse: bool | None = None, ragged: bool | None = None
) -> tf.Tensor | tf.SparseTensor | tf.IndexedSlices | tf.RaggedTensor:
    """`x` as a tensor of `dtype`: what is one is cast. A sparse or ragged one stays so, unless
    `sparse` or `ragged` is False."""
    if is_sparse(x) and sparse is not False:
        return x if dtype is None else cast(x, dtype)
    if isinstance(x, tf.RaggedTensor) and ragged is False:
        x = x.to_tensor()
    return dense_tensor(x, dtype)


def dense_tensor(x: Any, dtype: Any = None) -> tf.Tensor:
    """`x` as a tensor of `dtype`, dense where it is sparse. A ragged one stays so: it is for
    functions of tfc, which take it or say that they do not."""
    wanted = None if dtype is None else standardize_dtype(dtype)
    if isinstance(x, KerasVariable):
        x = x.value
    if isinstance(x, tf.RaggedTensor):
        ragged: Any = x
        return ragged if wanted is None or x.dtype.name == wanted else tf.cast(ragged, wanted)
    x = dense(x)
    if type(x) is Noted:
        x = x.tensor
    if tf.is_tensor(x):
        x = tf.convert_to_tensor(x)
        return x if wanted is None or x.dtype.name == wanted else tf.cast(x, wanted)
    if type(x) in (bool, int, float) and wanted in ("float32", "float64"):
        return tf.constant(x, wanted)  # nothing to compile, as the cast of an array may be
    leaves = tree.flatten(x)
    if any(isinstance(leaf, str | bytes) or _is_text(leaf) for leaf in leaves):
        return tf.convert_to_tensor(x)
    if any(tf.is_tensor(leaf) or isinstance(leaf, KerasVariable) for leaf in leaves):
        wanted = wanted or result_type(*(getattr(i, "dtype", type(i)) for i in leaves))
        return _stacked(x, wanted)
    if wanted is None:
        wanted = result_type(*(getattr(i, "dtype", type(i)) for i in leaves))
    return tf.convert_to_tensor(np.asarray(x), wanted)


def _is_text(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind in "OSU"


def _stacked(x: Any, dtype: str) -> tf.Tensor:
    """Nested lists in which there are tensors."""
    if isinstance(x, list | tuple):
        return tf.stack([_stacked(item, dtype) for item in x])
    return dense_tensor(x, dtype)


def convert_to_numpy(x: Any) -> np.ndarray:
    """The elements, as an array of its own."""
    if isinstance(x, tf.RaggedTensor):
        x = x.to_tensor()
    elif isinstance(x, tf.SparseTensor | tf.IndexedSlices):
        x = dense_tensor(x)
    return np.array(x.value if isinstance(x, KerasVariable) else x)


def is_tensor(x: Any) -> bool:
    return bool(tf.is_tensor(x))


def shape(x: Any) -> tuple[Any, ...]:
    """The extents: ints, and scalar tensors where a function is traced for any size."""
    if isinstance(x, KerasTensor):
        return tuple(x.shape)
    known_here = tf.Tensor | tf.Variable | tf.SparseTensor | KerasVariable
    if not isinstance(x, known_here) and hasattr(x, "shape"):
        # Arrays, foreign and ragged tensors: elements stay there.
        return tuple(None if e is None else int(e) for e in x.shape)
    if not isinstance(x, tf.SparseTensor):
        x = dense_tensor(x)
    known = x.shape.as_list()
    if None not in known:
        return tuple(known)
    measured = tf.shape(x)
    return tuple(measured[i] if e is None else e for i, e in enumerate(known))


def cast(x: Any, dtype: Any) -> tf.Tensor | tf.IndexedSlices | tf.SparseTensor:
    if isinstance(x, tf.IndexedSlices):
        return tf.cast(x, standardize_dtype(dtype))
    if isinstance(x, tf.SparseTensor):
        return x.with_values(tf.cast(x.values, standardize_dtype(dtype)))
    return dense_tensor(x, dtype)


def compute_output_spec(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What `function` gives for KerasTensors, by tracing it."""
    with StatelessScope(), SymbolicScope(), ScratchTrace("compute_output_spec") as trace:

        def given(x: Any) -> Any:
            if not isinstance(x, KerasTensor):
                return x
            whole = trace.tensor(x.shape, x.dtype)
            if not x.sparse:
                return whole
            places = trace.tensor([None, len(x.shape)], "int64")
            return tf.SparseTensor(places, trace.tensor([None], x.dtype), tf.shape(whole, tf.int64))

        def spec(x: Any) -> Any:
            if not is_tensor(x):
                return x
            sparse = isinstance(x, tf.SparseTensor)
            return KerasTensor(x.shape, standardize_dtype(x.dtype), sparse=sparse)

        args, kwargs = tree.map_structure(given, (args, kwargs))
        return tree.map_structure(spec, function(*args, **kwargs))


# Control flow.


def cond(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
    if isinstance(pred, KerasVariable):
        pred = pred.value
    if tf.is_tensor(pred):
        return tf.cond(tf.cast(pred, tf.bool), true_fn, false_fn)
    return true_fn() if pred else false_fn()


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    index = tf.clip_by_value(dense_tensor(index, "int32"), 0, len(branches) - 1)
    arms = [lambda branch=branch: branch(*operands) for branch in branches]
    return tf.switch_case(index, arms)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    maximum_iterations: int | None = None,
) -> Any:
    several = isinstance(loop_vars, tuple | list)
    start = tuple(loop_vars) if several else (loop_vars,)
    start = tree.map_structure(dense_tensor, start)

    def step(*values: Any) -> tuple[Any, ...]:
        outcome = body(*values)
        return tuple(outcome) if isinstance(outcome, tuple | list) else (outcome,)

    end = tf.while_loop(cond, step, start, maximum_iterations=maximum_iterations)
    return tuple(end) if several else end[0]


def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any) -> Any:
    start = tree.map_structure(dense_tensor, (lower, init_val))
    return tf.while_loop(
        lambda i, value: i < upper, lambda i, value: (i + 1, body_fun(i, value)), start
    )[1]


def map(f: Callable[[Any], Any], xs: Any) -> Any:
    """f of each row."""
    _, results = scan(lambda carry, row: (carry, f(row)), (), xs)
    return results


def vectorized_map(function: Callable[[Any], Any], elements: Any) -> Any:
    return tf.vectorized_map(function, elements)


def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: int | bool = 1,
) -> tuple[Any, Any]:
    """(carry, row) -> (carry, result), row by row, as `jax.lax.scan`: the last carry, and the
    results one above the other. `unroll` makes no difference: the loop is native."""
    if not callable(f):
        raise TypeError(f"`f` should be a callable. Received: f={f}")
    if not isinstance(unroll, bool) and (not isinstance(unroll, int) or unroll < 1):
        raise ValueError(f"`unroll` must be an positive integer or boolean. Received: {unroll}")
    if xs is None and length is None:
        raise ValueError("Got no `xs` to scan over and `length` not provided.")
    init = tree.map_structure(dense_tensor, init)
    xs = None if xs is None else tree.map_structure(dense_tensor, xs)
    n = int(length) if length is not None else shape(tree.flatten(xs)[0])[0]

    def row(i: Any) -> Any:
        return None if xs is None else tree.map_structure(lambda x: tf.gather(x, i), xs)

    with ScratchTrace("scan") as trace:  # what a step gives
        first = None
        if xs is not None:
            first = tree.map_structure(lambda x: trace.tensor(x.shape[1:], x.dtype), xs)
        carry = tree.map_structure(lambda x: trace.tensor(x.shape, x.dtype), init)
        _, like = f(carry, first)
        arrays = tuple(tf.TensorArray(x.dtype, size=n, element_shape=x.shape) for x in _rows(like))

    def step(i: Any, carry: Any, arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        carry, result = f(carry, row(i))
        written = tuple(a.write(i, r) for a, r in zip(arrays, _rows(result), strict=True))
        return i - 1 if reverse else i + 1, tree.map_structure(dense_tensor, carry), written

    start = tf.convert_to_tensor(n, tf.int32) - 1 if reverse else tf.constant(0)
    _, carry, arrays = tf.while_loop(
        lambda i, *_: i >= 0 if reverse else i < n, step, (start, init, arrays)
    )
    stacked = iter([a.stack() for a in arrays])
    return carry, tree.map_structure(lambda x: None if x is None else next(stacked), like)


def _rows(structure: Any) -> list[tf.Tensor]:
    """The tensors in what a step gives, which may be None."""
    return [dense_tensor(x) for x in tree.flatten(structure) if x is not None]


def associative_scan(
    f: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0
) -> Any:
    """All prefixes combined by an associative `f`, in log2(n) rounds (Hillis and Steele, "Data
    parallel algorithms", 1986): after round k each place holds the 2^k that end there."""
    if not callable(f):
        raise TypeError(f"`f` should be a callable. Received: f={f}")
    flat = [dense_tensor(e) for e in tree.flatten(elems)]
    axis = axis % flat[0].ndim
    sizes = [shape(e)[axis] for e in flat]
    if all(isinstance(s, int) for s in sizes) and len(set(sizes)) > 1:
        raise ValueError(
            "Array inputs to associative_scan must have the same first dimension. "
            f"(saw: {[e.shape for e in flat]})"
        )
    count = sizes[0]
    if reverse:
        flat = [tf.reverse(e, [axis]) for e in flat]
    whole = (builtins.slice(None),) * axis

    def part(x: tf.Tensor, start: Any, stop: Any) -> tf.Tensor:
        return x[(*whole, builtins.slice(start, stop))]

    def combined(distance: Any, flat: Sequence[tf.Tensor]) -> list[tf.Tensor]:
        early = tree.pack_sequence_as(elems, [part(e, None, count - distance) for e in flat])
        late = tree.pack_sequence_as(elems, [part(e, distance, None) for e in flat])
        found = [dense_tensor(e) for e in tree.flatten(f(early, late))]
        return [
            tf.concat([part(e, None, distance), r], axis) for e, r in zip(flat, found, strict=True)
        ]

    if isinstance(count, int):
        distance = 1
        while distance < count:
            flat, distance = combined(distance, flat), 2 * distance
    else:
        shapes = [e.shape for e in flat]
        _, flat = tf.while_loop(
            lambda d, _: d < count,
            lambda d, values: (
                2 * d,
                [tf.ensure_shape(r, s) for r, s in zip(combined(d, values), shapes, strict=True)],
            ),
            (tf.constant(1), flat),
        )
    if reverse:
        flat = [tf.reverse(e, [axis]) for e in flat]
    return tree.pack_sequence_as(elems, list(flat))


# Places in tensors.


def scatter(indices: Any, values: Any, shape: Any) -> tf.Tensor:
    return tf.scatter_nd(dense_tensor(indices), dense_tensor(values), shape)


def scatter_update(inputs: Any, indices: Any, updates: Any, reduction: str | None = None) -> Any:
    inputs, indices = dense_tensor(inputs), dense_tensor(indices)
    updates = dense_tensor(updates, inputs.dtype)
    known = {
        None: tf.tensor_scatter_nd_update,
        "add": tf.tensor_scatter_nd_add,
        "max": tf.tensor_scatter_nd_max,
        "min": tf.tensor_scatter_nd_min,
    }
    if reduction in known:
        return known[reduction](inputs, indices, updates)
    if reduction != "mul":
        raise ValueError(f"Unsupported reduction: {reduction}")

    def step(i: Any, found: tf.Tensor) -> tuple[Any, tf.Tensor]:  # one may meet another
        place = indices[i : i + 1]
        product = tf.gather_nd(found, place) * updates[i]
        return i + 1, tf.tensor_scatter_nd_update(found, place, product)

    count = shape(indices)[0]
    return tf.while_loop(lambda i, _: i < count, step, (tf.constant(0), inputs))[1]


def slice(inputs: Any, start_indices: Any, shape: Any) -> tf.Tensor:
    return tf.slice(dense_tensor(inputs), start_indices, shape)


def slice_update(inputs: Any, start_indices: Any, updates: Any) -> tf.Tensor:
    inputs = dense_tensor(inputs)
    updates = dense_tensor(updates, inputs.dtype)
    return tf.experimental.dynamic_update_slice(
        inputs, updates, dense_tensor(start_indices, "int32")
    )


def unstack(x: Any, num: int | None = None, axis: int = 0) -> list[tf.Tensor]:
    return list(tf.unstack(dense_tensor(x), num, axis))


def stop_gradient(variable: Any) -> tf.Tensor:
    return tf.stop_gradient(dense_tensor(variable))


def random_seed_dtype() -> str:
    return "int64"


def custom_gradient(fun: Callable[..., Any]) -> Callable[..., Any]:
    return tf.custom_gradient(fun)


def remat(f: Callable[..., Any]) -> Callable[..., Any]:
    return tf.recompute_grad(f)


def device_scope(device_name: str) -> Any:
    return tf.device(device_name)
