"""Tensors with NumPy's methods and promotion: a switch for the whole process."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfc.core import blame
from tfc.core.tensor import Tensor
from tfc.core.types import TensorLike
from tfc.core.variable import Variable

from . import _arrays, _elementwise, _indexing, _promotion, _reductions, _weak

_METHODS: dict[str, Callable[..., Any]] = {
    "astype": lambda self, dtype: _promotion.asarray(self, dtype),
    "ravel": _arrays.ravel,
    "flatten": _arrays.ravel,
    "transpose": lambda self, *axes: _arrays.transpose(self, _joined(axes) or None),
    "reshape": lambda self, *shape: _arrays.reshape(self, _joined(shape)),
    "clip": _elementwise.clip,
    "tolist": lambda self: self.numpy().tolist(),
    "sum": _reductions.sum,
    "prod": _reductions.prod,
    "mean": _reductions.mean,
    "std": _reductions.std,
    "var": _reductions.var,
    "max": _reductions.max,
    "min": _reductions.min,
    "all": _reductions.all,
    "any": _reductions.any,
    "argmax": _reductions.argmax,
    "argmin": _reductions.argmin,
    "cumsum": _reductions.cumsum,
    "cumprod": _reductions.cumprod,
    "dot": _reductions.dot,
    "squeeze": _arrays.squeeze,
    "swapaxes": _arrays.swapaxes,
    "round": _elementwise.around,
}
_OPERATORS = {
    "add": _elementwise.add,
    "sub": _elementwise.subtract,
    "mul": _elementwise.multiply,
    "truediv": _elementwise.true_divide,
    "floordiv": _elementwise.floor_divide,
    "mod": _elementwise.remainder,
    "pow": _elementwise.power,
    "matmul": _reductions.matmul,
    "and": _elementwise.bitwise_and,
    "or": _elementwise.bitwise_or,
    "xor": _elementwise.bitwise_xor,
    "lt": _elementwise.less,
    "le": _elementwise.less_equal,
    "gt": _elementwise.greater,
    "ge": _elementwise.greater_equal,
}


def _joined(extents: tuple[Any, ...]) -> Any:
    """Numbers given one by one, or as one sequence."""
    if len(extents) == 1 and not isinstance(extents[0], int):
        return extents[0]
    return list(extents)


def _without_out(function: Callable[..., Any]) -> Callable[..., Any]:
    """The method of an array that NumPy's own function of its name calls, always with `out`."""

    @functools.wraps(function)
    def method(self: Tensor, *args: Any, out: None = None, **kwargs: Any) -> Any:
        if out is not None:
            raise blame.type_error("out must be None: tensors are immutable", function.__name__)
        return function(self, *args, **kwargs)

    return method


def _operator(function: Callable[..., Tensor], reflected: bool) -> Any:
    def operator(self: Tensor, other: TensorLike) -> Tensor:
        return function(other, self) if reflected else function(self, other)

    return operator


def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = "legacy"
) -> None:
    """Give tensors NumPy's methods (`reshape`, `astype`, `T`, ...) and operators that promote.

    It holds for the whole process and cannot be undone, so call it before anything else.

    Args:
        prefer_float32: Python numbers make 32-bit arrays.
        dtype_conversion_mode: What becomes of operands of several dtypes. "legacy": operators
            promote as NumPy does. "off": they do not. "all" and "safe": operators and functions
            promote by [TensorFlow's lattice](https://www.tensorflow.org/guide/tf_numpy_type_promotion),
            where what `tf.constant` makes of Python numbers is weak: its dtype gives way to that of
            what it meets. In "safe" what would lose bits is a TypeError.

    Raises:
        ValueError: If there is no such mode.
    """
    mode = str(dtype_conversion_mode).lower()
    if mode not in ("legacy", "off", "all", "safe"):
        raise blame.value_error(
            f"dtype_conversion_mode must be 'off', 'legacy', 'safe' or 'all', got "
            f"{dtype_conversion_mode!r}",
            "experimental_enable_numpy_behavior",
        )
    _promotion.settings.prefer_float32 = prefer_float32
    _promotion.settings.mode = mode
    for cls in (Tensor, Variable, _weak.WeakTensor):
        for name, function in _METHODS.items():
            setattr(cls, name, _without_out(function))
        if cls is not Variable:  # whose slices can be assigned to, and are TensorFlow's
            setattr(cls, "__getitem__", _indexing.getitem)  # noqa: B010
        setattr(cls, "T", property(_arrays.transpose))  # noqa: B010  (of any rank)
        if mode != "legacy" or cls is _weak.WeakTensor:
            continue
        for name, function in _OPERATORS.items():
            setattr(cls, f"__{name}__", _operator(function, False))
            if name not in ("lt", "le", "gt", "ge"):
                setattr(cls, f"__r{name}__", _operator(function, True))
    if _promotion.settings.lattice:
        from . import _modes

        _modes.install()
