"""What of TensorFlow's inner modules has no counterpart among tfc's public names."""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tfc as _tfc
from tfc.core.context import context as _context
from tfc.core.tensor import SymbolicTensor as _SymbolicTensor
from tfc.records.structure import StructuredValue, decode

Function = Callable[..., Any]


class Context:
    """What libraries ask of `tensorflow.python.eager.context.context()`."""

    def executing_eagerly(self) -> bool:
        return _tfc.executing_eagerly()

    @property
    def device_spec(self) -> Any:
        """The device that `tf.device` names here."""
        wanted = _context.device
        name = getattr(wanted, "name", None)
        kind = None if wanted is None else "GPU" if name is not None and "GPU" in name else "CPU"
        return _tfc.DeviceSpec(device_type=kind)

    def num_gpus(self) -> int:
        return len(_tfc.config.list_physical_devices("GPU"))


@functools.cache
def context() -> Context:
    return Context()


def deprecated(date: Any, instructions: str = "", warn_once: bool = True) -> Any:
    """A decorator of functions and classes that warns of their use, once."""

    def decorate(target: Any) -> Any:
        if isinstance(target, type):
            return target
        told: list[bool] = []

        @functools.wraps(target)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not told:
                told.append(True)
                warnings.warn(
                    f"{target.__qualname__} is deprecated: {instructions}",
                    DeprecationWarning,
                    stacklevel=2,
                )
            return target(*args, **kwargs)

        return call

    return decorate


def deprecated_arguments(date: Any, instructions: str = "", *names: Any, **values: Any) -> Any:
    """A decorator of functions some of whose arguments are deprecated: as they are."""
    return lambda function: function


def deprecated_alias(name: str, other: str, function: Function) -> Function:
    """A function under its deprecated name."""
    return function


def deprecated_argument_lookup(new_name: str, new: Any, old_name: str, old: Any) -> Any:
    """The value of an argument that has two names."""
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """A scope in which nothing is said of what is deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


class _Eager(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, _tfc.Tensor) and not isinstance(value, _SymbolicTensor)


class EagerTensor(metaclass=_Eager):
    """The class of tensors whose elements are there: for `isinstance`."""


class AutographTransformer:
    """The base of classes that rewrite functions by TensorFlow's AutoGraph; tfc's is another one.

    Raises:
        NotImplementedError: When one is made.
    """

    def __init__(self, *args: Any) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} rewrites functions by TensorFlow's AutoGraph, which is not here"
        )


class Reference:
    """An object by which it is: equal to other references of it alone, and hashable."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def deref(self) -> Any:
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)


class BoundedTensorSpec(_tfc.TensorSpec):
    """A TensorSpec with the least and the largest value that elements may have."""

    def __init__(
        self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None
    ) -> None:
        super().__init__(shape, dtype, name)
        self.minimum: np.ndarray = np.array(minimum, self.dtype.as_numpy_dtype)
        self.maximum: np.ndarray = np.array(maximum, self.dtype.as_numpy_dtype)
        for bound in (self.minimum, self.maximum):
            bound.setflags(write=False)
            np.broadcast_shapes(bound.shape, tuple(e or 1 for e in self.shape))

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> Any:
        """The same spec, with the widest bounds of its dtype where it has none."""
        low = getattr(spec, "minimum", spec.dtype.min)
        high = getattr(spec, "maximum", spec.dtype.max)
        return cls(spec.shape, spec.dtype, low, high, name or spec.name)

    def _serialize(self) -> Any:
        return self.shape, self.dtype, self.minimum, self.maximum, self.name

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundedTensorSpec)
            and super().__eq__(other)
            and np.array_equal(self.minimum, other.minimum)
            and np.array_equal(self.maximum, other.maximum)
        )

    def __hash__(self) -> int:
        return super().__hash__()

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
            f"minimum={self.minimum!r}, maximum={self.maximum!r})"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return BoundedTensorSpec, self._serialize()


def constant_value_as_shape(tensor: Any) -> Any:
    """The shape that a vector of extents says, with None for those that are not known."""
    if isinstance(tensor, _tfc.TensorShape):
        return tensor
    known = _tfc.get_static_value(_tfc.convert_to_tensor(tensor), partial=True)
    if known is None:
        return _tfc.TensorShape([None] * tensor.shape[0] if tensor.shape[0] is not None else None)
    return _tfc.TensorShape([None if e is None or e < 0 else int(e) for e in known])


def prevent_gradient(tensor: Any, message: str = "", name: str | None = None) -> Any:
    """A tensor of which gradients are an error."""

    @_tfc.custom_gradient
    def same(x: Any) -> Any:
        def gradient(*_: Any) -> Any:
            raise LookupError(f"Gradient explicitly disabled. Reason: {message}")

        return _tfc.identity(x), gradient

    return same(tensor)


def case_helper(
    cond: Function,
    pairs: Any,
    default: Function | None,
    exclusive: bool,
    name: str,
    allow_python_preds: bool = False,
    **options: Any,
) -> Any:
    """`tf.case`, whose branches are decided by `cond`, which may know predicates already."""
    branches = list(pairs.items()) if isinstance(pairs, dict) else list(pairs)
    if exclusive:
        count = _tfc.add_n([_tfc.cast(predicate, _tfc.int32) for predicate, _ in branches])
        _tfc.debugging.assert_less(count, 2, "more than one predicate of an exclusive case holds")
    if default is None:
        *branches, (_, default) = branches
    chosen: Function = default
    for predicate, branch in reversed(branches):
        chosen = functools.partial(cond, predicate, branch, chosen)
    return chosen()


def is_compiled_by_xla(graph: Any = None) -> bool:
    """Whether a graph is compiled by XLA: never, here."""
    return False


def same_class(cls: Any) -> Any:
    """A decorator of classes, which are what it makes of them already."""
    return cls


def add_operators(
    operators: Any, operator_name: Any = None, addition_tiers: Any = None, name: Any = None
) -> list[Any]:
    """The sum of linear operators, as a list of one."""
    if len(operators) == 1:
        return list(operators)
    diagonal = _tfc.linalg.LinearOperatorDiag
    if all(isinstance(operator, diagonal) for operator in operators):
        parts = functools.reduce(_tfc.add, [operator.diag_part() for operator in operators])
        return [diagonal(parts, name=operator_name)]
    dense = functools.reduce(_tfc.add, [operator.to_dense() for operator in operators])
    return [_tfc.linalg.LinearOperatorFullMatrix(dense, name=operator_name)]


def pfor(loop_fn: Function, iters: Any, **options: Any) -> Any:
    """The results of a function of 0 ... iters - 1, stacked."""
    return _tfc.vectorized_map(loop_fn, _tfc.range(iters))


def parameterized_truncated_normal(
    shape: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Normal variables between bounds, by a new seed of the global generator."""
    seeds = _tfc.random.uniform([2], 0, 2**31 - 1, _tfc.int32, seed)
    draw = _tfc.random.stateless_parameterized_truncated_normal
    bounds = (_tfc.cast(bound, dtype) for bound in (means, stddevs, minvals, maxvals))
    return draw(shape, seeds, *bounds)


class Convolution:
    """`tf.nn.convolution` with all but the operands said before."""

    def __init__(
        self,
        input_shape: Any,
        filter_shape: Any,
        padding: Any,
        strides: Any = None,
        dilation_rate: Any = None,
        name: str | None = None,
        data_format: str | None = None,
    ) -> None:
        self._options = {
            "padding": padding,
            "strides": strides,
            "dilations": dilation_rate,
            "data_format": data_format,
        }

    def __call__(self, inp: Any, filter: Any) -> Any:
        return _tfc.nn.convolution(inp, filter, **self._options)


def itself(value: Any) -> Any:
    """What attributes of objects are: lists and dictionaries stay what they are."""
    return value


def attribute(trackable: Any, name: str, value: Any) -> Any:
    """What an attribute of an object becomes: the value itself."""
    return value


def as_it_is(*args: Any, **kwargs: Any) -> Any:
    """A decorator that changes nothing."""
    return lambda target: target


class BoolGauge:
    """A number that TensorFlow counts for its makers: nobody reads it here."""

    def __init__(self, name: str, description: str, *labels: str) -> None:
        self._value = False

    def get_cell(self, *labels: str) -> BoolGauge:
        return self

    def set(self, value: bool) -> None:
        self._value = value

    def value(self) -> bool:
        return self._value


class Trackable:
    """The base of what checkpoints may hold; here they look at any object's attributes."""


def make_decorator(target: Any, decorator_func: Function, decorator_name: Any = None) -> Function:
    """A decorator's function, which tells of the decorated one what others ask."""
    return functools.wraps(target)(decorator_func)


@contextlib.contextmanager
def graph_mode() -> Iterator[None]:
    """A scope in which calls are noted in a graph of TensorFlow 1."""
    with _tfc.Graph().as_default():
        yield


def run_in_graph_and_eager_modes(function: Any = None, **options: Any) -> Any:
    """Runs a method of a test twice: eagerly, and in a graph and its session."""

    def decorate(test: Function) -> Function:
        @functools.wraps(test)
        def run(self: Any, *args: Any, **kwargs: Any) -> None:
            test(self, *args, **kwargs)
            self.tearDown()
            self.setUp()
            with _tfc.Graph().as_default(), self.test_session():
                test(self, *args, **kwargs)

        return run

    return decorate if function is None else decorate(function)


def run_all_in_graph_and_eager_modes(cls: type) -> type:
    """The same for all tests of a class."""
    for name, value in list(vars(cls).items()):
        if callable(value) and name.startswith("test") and name != "test_session":
            setattr(cls, name, run_in_graph_and_eager_modes(value))
    return cls


def decode_structure(message: StructuredValue) -> Any:
    """The structure of values and specs of which a message tells."""

    def bounded(shape: Any, dtype: Any, low: Any, high: Any, name: str | None) -> Any:
        bounds = _tfc.make_ndarray(low), _tfc.make_ndarray(high)
        return BoundedTensorSpec(shape, dtype, *bounds, name=name)

    return decode(message, bounded)
