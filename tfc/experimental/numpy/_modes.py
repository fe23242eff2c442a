"""TensorFlow's promotion modes "all" and "safe": what they make of the public functions.

Functions of one tensor keep a weak one weak; functions of several take their operands to the dtype
that the lattice gives; `tf.constant` and `tnp.array` make weak tensors of Python numbers. Variables
keep their dtype: what is assigned goes up to it, or is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import tfc as tf
from tfc.core import blame
from tfc.core.tensor import Held, Tensor
from tfc.core.variable import Variable
from tfc.dispatch.overloads import overloads_of
from tfc.ops.array.creation import constant

from ._promotion import asarray, joined, kind_of, settings
from ._weak import WeakTensor, weakened

# As in TensorFlow: others, such as `tf.concat` and indices, give tensors of a dtype that stays.
_KEEPING = """
    abs acos acosh asin asinh atan atanh cos cosh exp expand_dims floor identity negative ones_like
    reduce_max reduce_mean reduce_min reduce_prod reduce_sum reshape round sigmoid sign sin sinh
    sqrt square squeeze stop_gradient tan tanh transpose zeros_like
    math.angle math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e math.ceil math.conj
    math.digamma math.erf math.erfc math.erfcinv math.erfinv math.expm1 math.imag math.lgamma
    math.log math.log1p math.log_sigmoid math.ndtri math.real math.reciprocal
    math.reciprocal_no_nan math.reduce_euclidean_norm math.reduce_logsumexp math.reduce_std
    math.reduce_variance math.rint math.rsqrt math.softplus
    nn.gelu nn.leaky_relu nn.log_softmax nn.relu6 nn.silu
    linalg.diag linalg.diag_part linalg.matrix_transpose linalg.tensor_diag_part linalg.trace
"""
_KEEPING_OF_NUMPY = """
    abs amax amin angle arange arccos arcsin arcsinh arctan arctanh around array asarray atleast_1d
    atleast_2d atleast_3d average bitwise_not cbrt ceil conj copy cos cosh cumprod cumsum deg2rad
    diag diagflat diagonal diff exp exp2 expand_dims expm1 fabs fix flip fliplr flipud floor imag
    log log10 log1p log2 max mean min moveaxis nanmean negative ones_like positive prod ptp rad2deg
    ravel real repeat reshape rot90 round sign sin sinc sinh sort sqrt square squeeze std sum
    swapaxes tan tanh trace transpose var zeros_like
"""
_PROMOTING = """
    add subtract multiply truediv divide pow maximum minimum truncatediv truncatemod
    equal not_equal less less_equal greater greater_equal matmul clip_by_value
    math.divide_no_nan math.multiply_no_nan math.floordiv math.floormod math.squared_difference
    math.atan2 math.xdivy math.xlogy linalg.matvec
    bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor
"""
_STRONG = (  # of weak operands, too
    "maximum", "minimum", "atan2", "xdivy", "xlogy", "bitwise_and", "bitwise_or", "bitwise_xor",
)  # fmt: skip
_BITS = ("and", "or", "xor")
_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", *_BITS)
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")


def install() -> None:
    """Let the public functions promote. Once is enough: which mode it is is asked in each call."""
    if _installed:
        return
    _installed.append(True)
    for name in _KEEPING.split():
        _keep_weak(_public(name))
    for name in _KEEPING_OF_NUMPY.split():
        _keep_weak(getattr(tf.experimental.numpy, name))
    for name in _PROMOTING.split():
        _promote(_public(name), weak=name.rpartition(".")[2] not in _STRONG)
    for name in tf.experimental.numpy.__all__:
        function = getattr(tf.experimental.numpy, name)
        if isinstance(function, FunctionType):
            _take_weak(function)
    _make_weak(constant)
    for name in ("assign", "assign_add", "assign_sub"):
        setattr(Variable, name, _assigning(getattr(Variable, name)))
    attach()


_installed: list[bool] = []


def _public(name: str) -> Callable[..., Any]:
    module, _, last = name.rpartition(".")
    found: Callable[..., Any] = getattr(getattr(tf, module) if module else tf, last)
    return found


def _keep_weak(function: Callable[..., Any]) -> None:
    """A function whose result is weak where its first argument is."""
    known = overloads_of(function)
    original, signature = known.original, inspect.signature(function)
    first = next(iter(signature.parameters))

    def takes(args: Any, kwargs: Any) -> bool:
        x = args[0] if args else kwargs.get(first)
        return settings.lattice and _weak(x)

    def keeping(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        x = bound.arguments[first]
        if isinstance(x, WeakTensor):
            bound.arguments[first] = x.tensor
        made = original(*bound.args, **bound.kwargs)
        return made if bound.arguments.get("dtype") is not None else weakened(made)

    known.first.append((takes, keeping))


def _take_weak(function: Callable[..., Any]) -> None:
    """A function that refuses weak tensors is given the tensors."""
    known = overloads_of(function)

    def taking(*args: Any, **kwargs: Any) -> Any:
        return known.original(*map(_strong, args), **{k: _strong(v) for k, v in kwargs.items()})

    known.otherwise.append((WeakTensor, taking))


def _weak(x: Any) -> bool:
    kind = kind_of(x)
    return kind is not None and kind.weak


def _promote(function: Callable[..., Any], weak: bool) -> None:
    """A function whose operands go up to the dtype that comes of them."""
    known = overloads_of(function)
    original, signature = known.original, inspect.signature(function)
    count = 3 if function.__name__ == "clip_by_value" else 2
    operands = list(signature.parameters)[:count]

    def takes(args: Any, kwargs: Any) -> bool:
        values = args[:count] if len(args) >= count else [*args, *(kwargs.get(n) for n in operands)]
        dtypes = {x.dtype for x in values if isinstance(x, Held)}
        if not settings.lattice:
            return False
        return len(dtypes) != 1 or not all(isinstance(x, Held) for x in values if x is not None)

    def promoting(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        given = [bound.arguments[n] for n in operands]
        kinds = [kind_of(x) for x in given]
        whole = [k for k in kinds if k is not None]
        if len(whole) < count:  # text, ragged tensors: the function itself knows what to do
            return original(*bound.args, **bound.kwargs)
        result = joined(whole, function.__name__)
        for n, x in zip(operands, given, strict=True):
            bound.arguments[n] = asarray(x, result.dtype)
        made = original(*bound.args, **bound.kwargs)
        return weakened(made) if weak and result.weak else made

    known.first.append((takes, promoting))


def _make_weak(function: Callable[..., Any]) -> None:
    """`tf.constant`, which makes weak tensors of Python numbers without a dtype."""
    known = overloads_of(function)

    def takes(args: Any, kwargs: Any) -> bool:
        value = args[0] if args else kwargs.get("value")
        dtype = args[1] if len(args) > 1 else kwargs.get("dtype")
        return settings.lattice and dtype is None and _weak(value)

    known.first.append((takes, lambda *args, **kwargs: weakened(known.original(*args, **kwargs))))


def _assigning(method: Callable[..., Any]) -> Callable[..., Any]:
    """`assign` and the like of values of dtypes below the Variable's."""

    def assign(self: Variable, value: Any, *args: Any, **kwargs: Any) -> Any:
        own, given = (kind_of(x) if settings.lattice else None for x in (self, value))
        if own is not None and given is not None and given.dtype is not own.dtype:
            if joined([own, given], method.__name__).dtype is not own.dtype:
                raise blame.type_error(
                    f"Variable dtype is immutable. Calling {method.__name__} of Variable (with "
                    f"dtype {own.dtype!r}) on a value of {given.dtype!r} requires converting it to "
                    f"{own.dtype!r}: use tf.cast",
                    method.__name__,
                )
            value = asarray(value, own.dtype)
        return method(self, value, *args, **kwargs)

    assign.__name__, assign.__doc__ = method.__name__, method.__doc__
    return assign


def attach() -> None:
    """Python's operators that promote, on tensors, Variables and weak tensors."""
    plain = dict(vars(Tensor))
    strong = {*_COMPARISONS, *_BITS, *(f"r{name}" for name in _BITS)}
    for name in (*_ARITHMETIC, *(f"r{name}" for name in _ARITHMETIC), *_COMPARISONS):
        method = f"__{name}__"
        for cls in (WeakTensor, Variable, Tensor):
            own = plain[method] if cls is WeakTensor else vars(cls)[method]
            setattr(cls, method, _operator(own, name, name not in strong))
    unary: dict[str, Callable[..., Any]] = {
        "neg": tf.negative,
        "abs": tf.abs,
        "invert": lambda x: weakened(~x.tensor),
        "pos": lambda x: x,
        "round": lambda x, digits=None: weakened(round(x.tensor, digits)),
    }
    for name, function in unary.items():
        setattr(WeakTensor, f"__{name}__", function)


def _operator(plain: Callable[..., Any], name: str, weak: bool) -> Callable[..., Any]:
    def operator(self: Any, other: Any) -> Any:
        both = isinstance(self, Held) and isinstance(other, Held)
        if both and self.dtype is other.dtype:
            return plain(self, other)
        a, b = kind_of(self), kind_of(other)
        if a is None or b is None or not settings.lattice:
            return plain(_strong(self), _strong(other))
        result = joined([a, b], name)
        made = plain(asarray(self, result.dtype), asarray(other, result.dtype))
        return weakened(made) if weak and result.weak else made

    return operator


def _strong(x: Any) -> Any:
    return x.tensor if isinstance(x, WeakTensor) else x
