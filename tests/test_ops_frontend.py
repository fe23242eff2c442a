"""Every public function: against NumPy, eager and compiled with equal bits, and its gradient
against finite differences. `test_every_public_function_has_a_case` fails for one without a row."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import special

import tfc as tf
from tfc import nest


@dataclass(frozen=True)
class Case:
    """One way to call a function. `arrays` become tensors."""

    name: str
    call: Callable[..., Any]
    reference: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]
    rtol: float = 0.0  # 0: the same bits as NumPy
    smooth: tuple[int, ...] = ()  # the arrays to differentiate by


rng = np.random.default_rng(0)
CASES: list[Case] = []


def normal(*shape: int) -> np.ndarray:
    return rng.normal(size=shape)


def between(low: float, high: float, *shape: int) -> np.ndarray:
    return rng.uniform(low, high, shape)


def integers(low: int, high: int, *shape: int) -> np.ndarray:
    return rng.integers(low, high, shape).astype(np.int32)


def case(
    name: str, call: Any, reference: Any, *arrays: Any, rtol: float = 0.0, smooth: Any = None
) -> None:
    """A row; by default smooth in every array of float64."""
    given = tuple(np.asarray(a) for a in arrays)
    if smooth is None:
        smooth = [i for i, a in enumerate(given) if a.dtype == np.float64]
    CASES.append(Case(name, call, reference, given, rtol, tuple(smooth)))


def elementwise() -> None:
    wide, positive, inner = normal(3, 5) * 2, between(0.3, 4, 3, 5), between(-0.9, 0.9, 3, 5)
    apart = wide + np.sign(wide) * 0.1  # away from kinks
    exact = {
        "negative": np.negative,
        "square": lambda x: x * x,
        "sqrt": np.sqrt,
        "reciprocal": np.reciprocal,
    }
    for name, f in exact.items():
        case(name, find(name), f, positive)
    flat = {"floor": np.floor, "ceil": np.ceil, "round": np.round, "sign": np.sign}
    for name, f in flat.items():
        case(name, find(name), f, apart, smooth=())
    case("abs", tf.abs, np.abs, apart)
    case("relu", tf.nn.relu, lambda x: np.maximum(x, 0), apart)
    for name in (
        "exp",
        "expm1",
        "tanh",
        "sin",
        "cos",
        "sinh",
        "cosh",
        "erf",
        "erfc",
        "sigmoid",
        "softplus",
        "asinh",
        "atan",
    ):
        f = {
            "erf": special.erf,
            "erfc": special.erfc,
            "sigmoid": special.expit,
            "softplus": lambda x: np.logaddexp(x, 0),
            "asinh": np.arcsinh,
            "atan": np.arctan,
        }.get(name) or getattr(np, name)
        case(name, find(name), f, wide, rtol=1e-14)
    for name in ("log", "log1p", "rsqrt"):
        f = {"rsqrt": lambda x: 1 / np.sqrt(x)}.get(name) or getattr(np, name)
        case(name, find(name), f, positive, rtol=1e-14)
    for name, f in {
        "asin": np.arcsin,
        "acos": np.arccos,
        "atanh": np.arctanh,
        "tan": np.tan,
    }.items():
        case(name, find(name), f, inner, rtol=1e-14)
    case("acosh", tf.acosh, np.arccosh, positive + 1, rtol=1e-13)
    odd = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0])
    for name, f in {"is_nan": np.isnan, "is_inf": np.isinf, "is_finite": np.isfinite}.items():
        case(name, find(name), f, odd, smooth=())
        case(name, find(name), f, odd.astype(np.float32))
    for dtype in (np.float32, np.int32, np.uint8, np.int64):
        few = integers(0, 9, 4).astype(dtype)
        case("square", tf.square, lambda x: x * x, few)
        case("abs", tf.abs, np.abs, few)
    case("logical_not", tf.logical_not, np.logical_not, [True, False])
    case("invert", tf.bitwise.invert, np.invert, integers(-9, 9, 4))


def binary() -> None:
    x, y = normal(3, 5), normal(5) + np.sign(normal(5)) * 0.2
    above = between(0.3, 3, 3, 5)
    for name, f in {
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "maximum": np.maximum,
        "minimum": np.minimum,
        "truediv": np.divide,
        "divide": np.divide,
    }.items():
        case(name, find(name), f, x, y)
        case(name, find(name), f, x.astype(np.float32)[:, :1], y.astype(np.float32))
        if "div" not in name:
            case(name, find(name), f, integers(-9, 9, 4), integers(-9, 9, 2, 4))
    case(
        "squared_difference",
        tf.math.squared_difference,
        lambda a, b: (a - b) ** 2,
        x,
        y,
        rtol=1e-15,
    )
    case("pow", tf.pow, np.power, above, y, rtol=1e-14)
    case("pow", tf.pow, np.power, integers(-5, 5, 6), integers(0, 6, 6))
    case("atan2", tf.atan2, np.arctan2, x, y, rtol=1e-14)
    a, b = integers(-20, 20, 9), integers(1, 7, 9) * np.int32([1, -1] * 4 + [1])
    for name, f in {"floordiv": np.floor_divide, "floormod": np.mod, "mod": np.mod}.items():
        case(name, find(name), f, a, b)
        case(name, find(name), f, a.astype(np.float32), b.astype(np.float32))
    case("floormod", tf.math.floormod, np.mod, a + 0.3, b + 0.5)
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        case(name, find(name), getattr(np, name), integers(0, 3, 2, 6), integers(0, 3, 6))
        case(
            name,
            find(name),
            getattr(np, name),
            np.array([1.0, np.nan]),
            np.array([1.0, 1.0]),
            smooth=(),
        )
    p, q = np.array([True, True, False, False]), np.array([True, False, True, False])
    for name in ("logical_and", "logical_or", "logical_xor"):
        case(name, find(name), getattr(np, name), p, q)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        case(
            name,
            getattr(tf.bitwise, name),
            getattr(np, name),
            integers(-9, 99, 5),
            integers(-9, 99, 5),
        )
    case("left_shift", tf.bitwise.left_shift, np.left_shift, integers(-9, 9, 5), integers(0, 9, 5))
    case(
        "right_shift",
        tf.bitwise.right_shift,
        np.right_shift,
        integers(-99, 99, 5),
        integers(0, 5, 5),
    )
    case(
        "right_shift",
        tf.bitwise.right_shift,
        np.right_shift,
        integers(0, 99, 5).astype(np.uint8),
        integers(0, 5, 5).astype(np.uint8),
    )
    case("add_n", lambda *v: tf.add_n(list(v)), lambda a, b, c: a + b + c, x, x * 2, x * 3)
    case("where", tf.where, np.where, x > 0, x, y)
    case(
        "where",
        lambda c: tf.where(c, 1.0, 2.0),
        lambda c: np.where(c, np.float32(1), np.float32(2)),
        x > 0,
    )
    case(
        "clip_by_value",
        lambda v: tf.clip_by_value(v, -0.55, 0.55),
        lambda v: np.clip(v, -0.55, 0.55),
        x,
    )
    case(
        "clip_by_norm",
        lambda v: tf.clip_by_norm(v, 1.5),
        lambda v: v * 1.5 / np.linalg.norm(v),
        x,
        rtol=1e-14,
    )
    case("clip_by_norm", lambda v: tf.clip_by_norm(v, 99.0), lambda v: v, x, rtol=1e-15)
    case("stop_gradient", tf.stop_gradient, lambda v: v, x, smooth=())
    case("identity", tf.identity, lambda v: v, x)
    for to in ("float32", "int32", "uint8", "bool", "float16"):
        case(
            "cast",
            lambda v, to=to: tf.cast(v, to),
            lambda v, to=to: v.astype(to),
            above * 20,
            smooth=(),
        )
    case(
        "cast",
        lambda v: tf.cast(tf.cast(v, tf.float32), tf.float64),
        lambda v: v.astype(np.float32).astype(np.float64),
        np.array([1.0, 2.0, -3.5]),
        smooth=(),
    )
    case(
        "saturate_cast",
        lambda v: tf.saturate_cast(v, tf.uint8),
        lambda v: np.clip(v, 0, 255).astype(np.uint8),
        integers(-400, 400, 9),
    )
    case(
        "saturate_cast",
        lambda v: tf.saturate_cast(v, tf.int8),
        lambda v: np.clip(v, -128, 127).astype(np.int8),
        normal(9) * 200,
        smooth=(),
    )


def reductions() -> None:
    x = normal(3, 4, 5)
    for axis in (None, 0, -1, (0, 2), [1]):
        where = tuple(axis) if isinstance(axis, list) else axis
        for keep in (False, True):
            for name, f in {
                "reduce_sum": np.sum,
                "reduce_mean": np.mean,
                "reduce_prod": np.prod,
                "reduce_max": np.max,
                "reduce_min": np.min,
                "reduce_variance": np.var,
                "reduce_std": np.std,
                "reduce_logsumexp": special.logsumexp,
            }.items():
                exact = name in ("reduce_max", "reduce_min")
                case(
                    name,
                    lambda v, f=find(name), a=axis, k=keep: f(v, a, keepdims=k),
                    lambda v, f=f, a=where, k=keep: f(v, axis=a, keepdims=k),
                    x,
                    rtol=0 if exact else 1e-12,
                    smooth=None if axis in (None, 0) and not keep else (),
                )
            for name, f in {"reduce_all": np.all, "reduce_any": np.any}.items():
                case(
                    name,
                    lambda v, f=find(name), a=axis, k=keep: f(v, a, keepdims=k),
                    lambda v, f=f, a=where, k=keep: f(v, axis=a, keepdims=k),
                    x > 0.5,
                )
    case("reduce_sum", lambda v: tf.reduce_sum(v, []), lambda v: v, x, smooth=())
    case("reduce_sum", tf.reduce_sum, lambda v: np.sum(v, dtype=np.int32), integers(-9, 9, 4, 5))
    case("reduce_mean", tf.reduce_mean, lambda v: np.int32(np.sum(v) // v.size), integers(-9, 9, 7))
    case("reduce_max", tf.reduce_max, np.max, integers(-9, 9, 4, 5))
    for name, f in {"argmax": np.argmax, "argmin": np.argmin}.items():
        for axis in (0, 1, -1):
            case(
                name,
                lambda v, f=find(name), a=axis: f(v, a),
                lambda v, f=f, a=axis: f(v, axis=a),
                integers(0, 4, 5, 6),
            )
        case(name, find(name), lambda v, f=f: f(v, axis=0), x, smooth=())
        case(
            name,
            lambda v, f=find(name): f(v, 0, tf.int32),
            lambda v, f=f: f(v, axis=0).astype(np.int32),
            x,
            smooth=(),
        )


def products() -> None:
    for a, b in (
        ((3, 4), (4, 5)),
        ((2, 3, 4), (2, 4, 5)),
        ((2, 1, 3, 4), (3, 4, 2)),
        ((1, 4), (4, 1)),
    ):
        case("matmul", tf.matmul, np.matmul, normal(*a), normal(*b), rtol=1e-14)
    case(
        "matmul",
        lambda x, y: tf.matmul(x, y, transpose_a=True),
        lambda x, y: x.T @ y,
        normal(4, 3),
        normal(4, 5),
        rtol=1e-14,
    )
    case(
        "matmul",
        lambda x, y: tf.linalg.matmul(x, y, transpose_b=True),
        lambda x, y: x @ y.T,
        normal(3, 4),
        normal(5, 4),
        rtol=1e-14,
    )
    case(
        "matmul",
        lambda x, y: tf.matmul(x, y, adjoint_a=True, adjoint_b=True),
        lambda x, y: x.T @ y.T,
        normal(4, 3),
        normal(5, 4),
        rtol=1e-14,
    )
    case("matmul", tf.matmul, np.matmul, integers(-5, 5, 3, 4), integers(-5, 5, 4, 2))
    for axes in (0, 1, 2, [[0], [1]], [[1, 0], [0, 1]], (1, 0), [[-1], [-2]]):
        b = normal(3, 4).T if axes in (1, (1, 0), [[0], [1]], [[1, 0], [0, 1]]) else normal(3, 4)
        if axes == [[-1], [-2]]:
            b = normal(4, 3)
        case(
            "tensordot",
            lambda x, y, a=axes: tf.tensordot(x, y, a),
            lambda x, y, a=axes: np.tensordot(x, y, a),
            normal(3, 4),
            b,
            rtol=1e-13,
        )


def shapes() -> None:
    x, n = normal(2, 3, 4), integers(-9, 9, 2, 3)
    for shape in ([6, 4], [-1], [4, -1, 2], (24,), np.array([3, 8]), [2, 1, 3, 4]):
        case(
            "reshape",
            lambda v, s=shape: tf.reshape(v, s),
            lambda v, s=shape: np.reshape(v, tuple(s)),
            x,
        )
    case("reshape", lambda v: tf.reshape(v, tf.constant([3, 2])), lambda v: v.reshape(3, 2), n)
    case("reshape", lambda v: tf.reshape(v, []), lambda v: v.reshape(()), normal(1))
    for axis in (0, 1, -1, 3):
        case(
            "expand_dims",
            lambda v, a=axis: tf.expand_dims(v, a),
            lambda v, a=axis: np.expand_dims(v, a),
            x,
        )
    case("squeeze", tf.squeeze, np.squeeze, normal(1, 3, 1))
    case("squeeze", lambda v: tf.squeeze(v, [-1]), lambda v: np.squeeze(v, -1), normal(1, 3, 1))
    for perm in (None, (2, 0, 1), [0, 2, 1], (-1, 0, 1)):
        case(
            "transpose",
            lambda v, p=perm: tf.transpose(v, p),
            lambda v, p=perm: np.transpose(v, p),
            x,
        )
    case(
        "broadcast_to",
        lambda v: tf.broadcast_to(v, [4, 2, 3]),
        lambda v: np.broadcast_to(v, (4, 2, 3)),
        normal(2, 1),
    )
    for axis in ([0], [1, 2], [-1]):
        case(
            "reverse", lambda v, a=axis: tf.reverse(v, a), lambda v, a=axis: np.flip(v, tuple(a)), x
        )
    for axis in (0, 1, -1):
        case(
            "concat",
            lambda a, b, k=axis: tf.concat([a, b], k),
            lambda a, b, k=axis: np.concatenate([a, b], k),
            x,
            x * 2,
        )
        case(
            "stack",
            lambda a, b, k=axis: tf.stack([a, b], k),
            lambda a, b, k=axis: np.stack([a, b], k),
            x,
            x,
        )
        case(
            "unstack",
            lambda v, k=axis: tf.unstack(v, axis=k),
            lambda v, k=axis: list(np.moveaxis(v, k, 0)),
            x,
        )
    case("concat", lambda a, b: tf.concat([a, b], 0), lambda a, b: np.concatenate([a, b]), n, n[:0])
    case("split", lambda v: tf.split(v, 2, -1), lambda v: np.split(v, 2, -1), x)
    case("split", lambda v: tf.split(v, [1, -1], 1), lambda v: np.split(v, [1], 1), x)
    case("split", lambda v: tf.split(v, [1, 0, 1]), lambda v: np.split(v, [1, 1]), x)
    case("tile", lambda v: tf.tile(v, [2, 1, 3]), lambda v: np.tile(v, (2, 1, 3)), x)
    case("tile", lambda v: tf.tile(v, [0, 2]), lambda v: np.tile(v, (0, 2)), n)
    case(
        "pad",
        lambda v: tf.pad(v, [[1, 0], [0, 2], [3, 1]]),
        lambda v: np.pad(v, ((1, 0), (0, 2), (3, 1))),
        x,
    )
    case(
        "pad",
        lambda v: tf.pad(v, [[1, 0], [0, 2]], constant_values=7),
        lambda v: np.pad(v, ((1, 0), (0, 2)), constant_values=7),
        n,
    )
    case("slice", lambda v: tf.slice(v, [0, 1, 2], [2, 1, -1]), lambda v: v[:, 1:2, 2:], x)
    places = integers(0, 3, 2, 2)
    for axis in (0, 1, 2, -1):
        bound = places % x.shape[axis]
        case(
            "gather",
            lambda v, i, a=axis: tf.gather(v, i, axis=a),
            lambda v, i, a=axis: np.take(v, i, axis=a),
            x,
            bound,
        )
    case("gather", lambda v, i: tf.gather(v, i), lambda v, i: v[i], x, np.int64(1))
    case("shape", tf.shape, lambda v: np.array(v.shape, np.int32), x, smooth=())
    case("shape", lambda v: tf.shape(v, tf.int64), lambda v: np.array(v.shape), x, smooth=())
    case("size", tf.size, lambda v: np.int32(v.size), x, smooth=())
    case("rank", tf.rank, lambda v: np.int32(v.ndim), x, smooth=())
    for name in ("zeros_like", "ones_like"):
        case(name, find(name), getattr(np, name), n)
        case(
            name,
            lambda v, f=find(name): f(v, tf.float32),
            lambda v, f=getattr(np, name): f(v, np.float32),
            n,
        )


def making() -> None:
    one = np.float32(1)
    case("zeros", lambda v: tf.zeros([2, 3]) + v, lambda v: np.zeros((2, 3), np.float32) + v, one)
    case("ones", lambda v: tf.ones((2,), tf.int32), lambda v: np.ones(2, np.int32), one)
    case("zeros", lambda v: tf.zeros(3, tf.bool), lambda v: np.zeros(3, bool), one)
    case("fill", lambda v: tf.fill([2, 2], v), lambda v: np.full((2, 2), v), np.float64(2.5))
    case("constant", lambda v: tf.constant([1, 2]) * 1, lambda v: np.array([1, 2], np.int32), one)
    case("convert_to_tensor", lambda v: tf.convert_to_tensor(v) + 1.0, lambda v: v + one, one)
    for args in ((5,), (2, 9), (9, 2, -3), (0, 0), (1.0, 2.0, 0.25), (5, 2)):
        case(
            "range",
            lambda v, a=args: tf.range(*a) * 1,
            lambda v, a=args: np.arange(*a).astype(
                np.float32 if isinstance(a[-1], float) else np.int32
            ),
            one,
        )
    case("range", lambda v: tf.range(4, dtype=tf.float64), lambda v: np.arange(4.0), one)
    case(
        "linspace",
        lambda v: tf.linspace(0.0, 1.0, 5),
        lambda v: np.linspace(0, 1, 5, dtype=np.float32),
        one,
    )
    case("linspace", lambda v: tf.linspace(3.0, 1.0, 1), lambda v: np.float32([3]), one)
    case("eye", lambda v: tf.eye(3), lambda v: np.eye(3, dtype=np.float32), one)
    case("eye", lambda v: tf.eye(2, 4, dtype=tf.int32), lambda v: np.eye(2, 4, dtype=np.int32), one)
    case(
        "eye",
        lambda v: tf.linalg.eye(2, batch_shape=[3]),
        lambda v: np.broadcast_to(np.eye(2, dtype=np.float32), (3, 2, 2)),
        one,
    )
    labels = integers(0, 4, 2, 3)
    case("one_hot", lambda i: tf.one_hot(i, 4), lambda i: np.eye(4, dtype=np.float32)[i], labels)
    case(
        "one_hot",
        lambda i: tf.one_hot(i, 4, axis=0),
        lambda i: np.moveaxis(np.eye(4, dtype=np.float32)[i], -1, 0),
        labels,
    )
    case(
        "one_hot",
        lambda i: tf.one_hot(i, 2, 5, -5, dtype=tf.int32),
        lambda i: np.where(i[..., None] == np.arange(2), np.int32(5), np.int32(-5)),
        labels,
    )


def losses() -> None:
    x, logits = normal(4, 5) * 3, normal(4, 5)
    p = special.softmax(normal(4, 5), 1)
    for axis in (None, 0, -1):
        a = -1 if axis is None else axis
        case(
            "softmax",
            lambda v, k=axis: tf.nn.softmax(v, k),
            lambda v, a=a: special.softmax(v, a),
            x,
            rtol=1e-13,
        )
        case(
            "log_softmax",
            lambda v, k=axis: tf.nn.log_softmax(v, k),
            lambda v, a=a: special.log_softmax(v, a),
            x,
            rtol=1e-13,
        )
    case(
        "softmax_cross_entropy_with_logits",
        tf.nn.softmax_cross_entropy_with_logits,
        lambda y, z: -np.sum(y * special.log_softmax(z, -1), -1),
        p,
        logits,
        rtol=1e-13,
    )
    labels = integers(0, 5, 4)
    case(
        "sparse_softmax_cross_entropy_with_logits",
        tf.nn.sparse_softmax_cross_entropy_with_logits,
        lambda y, z: -special.log_softmax(z, -1)[np.arange(4), y],
        labels,
        logits,
        rtol=1e-13,
    )
    case(
        "sigmoid_cross_entropy_with_logits",
        lambda y, z: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=z),
        lambda y, z: np.logaddexp(z, 0) - y * z,
        p,
        logits,
        rtol=1e-13,
    )
    case("bias_add", tf.nn.bias_add, np.add, x, normal(5))


def find(name: str) -> Any:
    """The public function of this name."""
    for module in (tf, tf.math, tf.nn, tf.bitwise, tf.linalg):
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(name)


for rows in (elementwise, binary, reductions, products, shapes, making, losses):
    rows()

_counts: dict[str, int] = {}
IDS = []
for _c in CASES:
    _counts[_c.name] = _counts.get(_c.name, 0) + 1
    IDS.append(f"{_c.name}-{_counts[_c.name]}")
every_case = pytest.mark.parametrize("c", CASES, ids=IDS)

# What is no op, or is tested in a file of its own.
ELSEWHERE = {
    "GradientTape",
    "Tensor",
    "TensorShape",
    "TensorSpec",
    "UnconnectedGradients",
    "Variable",
    "DType",
    "as_dtype",
    "custom_gradient",
    "executing_eagerly",
    "function",
    "grad",
    "gradients_function",
    "is_tensor",
    "value_and_grad",
}


def test_every_public_function_has_a_case() -> None:
    public = {
        name
        for module in (tf, tf.math, tf.nn, tf.bitwise, tf.linalg)
        for name in module.__all__
        if callable(getattr(module, name)) and not inspect.ismodule(getattr(module, name))
    }
    assert public - {c.name for c in CASES} - ELSEWHERE == set()
    for name in public - ELSEWHERE:
        assert find(name).__doc__, f"{name} has no docstring"


def tensors_of(arrays: Sequence[np.ndarray]) -> list[Any]:
    return [tf.constant(a) for a in arrays]


def arrays_of(result: Any) -> list[np.ndarray]:
    assert all(isinstance(r, tf.Tensor) for r in nest.flatten(result))
    return [np.asarray(r) for r in nest.flatten(result)]


@every_case
def test_against_numpy_eager_and_compiled(c: Case) -> None:
    operands = tensors_of(c.arrays)
    eager = arrays_of(c.call(*operands))
    with np.errstate(all="ignore"):
        wanted = c.reference(*c.arrays)
    wanted = [np.asarray(w) for w in (wanted if isinstance(wanted, list) else [wanted])]
    assert len(eager) == len(wanted)
    for got, want in zip(eager, wanted, strict=True):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        if c.rtol:
            scale = np.max(np.abs(want), initial=0)
            np.testing.assert_allclose(got, want, rtol=c.rtol, atol=c.rtol * scale)
        else:
            np.testing.assert_array_equal(got, want)
    compiled = arrays_of(tf.function(lambda *v: c.call(*v))(*operands))
    assert [(a.dtype, a.shape, a.tobytes()) for a in eager] == [
        (a.dtype, a.shape, a.tobytes()) for a in compiled
    ]


@pytest.mark.parametrize(
    "c",
    [c for c in CASES if c.smooth],
    ids=[i for i, c in zip(IDS, CASES, strict=True) if c.smooth],
)
def test_gradient(c: Case) -> None:
    """By a random weighing of the results, so that no symmetry hides an error."""
    outputs = arrays_of(c.call(*tensors_of(c.arrays)))
    generator = np.random.default_rng(1)
    weights = [generator.normal(size=o.shape) for o in outputs]

    def total(*operands: Any) -> Any:
        results = nest.flatten(c.call(*operands))
        return tf.add_n(
            [tf.reduce_sum(r * tf.constant(w)) for r, w in zip(results, weights, strict=True)]
        )

    def gradient(*operands: Any) -> Any:
        sources = [operands[i] for i in c.smooth]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = total(*operands)
        return tape.gradient(y, sources)

    operands = tensors_of(c.arrays)
    eager = gradient(*operands)
    compiled = tf.function(gradient)(*operands)
    assert all(g is not None for g in eager)
    assert [np.asarray(g).tobytes() for g in eager] == [np.asarray(g).tobytes() for g in compiled]
    for i, g in zip(c.smooth, eager, strict=True):
        # Along two random directions: x + s * d for small s.
        for seed in (2, 3):
            d = np.random.default_rng(seed).normal(size=c.arrays[i].shape)
            step = 1e-6
            ends = []
            for s in (step, -step):
                moved = list(c.arrays)
                moved[i] = moved[i] + s * d
                ends.append(float(total(*tensors_of(moved))))
            slope = (ends[0] - ends[1]) / (2 * step)
            got = float(np.sum(np.asarray(g) * d))
            assert math.isclose(got, slope, rel_tol=1e-5, abs_tol=1e-6), (i, got, slope)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_low_precision_results_keep_their_dtype(dtype: str) -> None:
    """Within an ulp or so of float64, rounded once."""
    kind = tf.as_dtype(dtype)
    x = between(0.3, 0.9, 40).astype(kind.numpy)
    wide = x.astype(np.float64)
    epsilon = {"float16": 2**-10, "bfloat16": 2**-7, "float32": 2**-23}[dtype]
    for name, f in {
        "exp": np.exp,
        "log": np.log,
        "tanh": np.tanh,
        "sqrt": np.sqrt,
        "sin": np.sin,
        "sigmoid": special.expit,
        "erf": special.erf,
        "asin": np.arcsin,
    }.items():
        got = find(name)(tf.constant(x))
        assert got.dtype is kind
        np.testing.assert_allclose(got.numpy().astype(np.float64), f(wide), rtol=1.1 * epsilon)
    total = tf.reduce_sum(tf.constant(x))
    assert total.dtype is kind
    assert float(total) == pytest.approx(wide.sum(), rel=epsilon)


def test_steps_have_no_gradient() -> None:
    for f in (tf.floor, tf.math.ceil, tf.round, tf.math.is_nan, tf.argmax):
        x = tf.constant([1.25, 2.75])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.cast(f(x), tf.float32)
        assert tape.gradient(y, x) is None


# Random numbers.


def test_uniform() -> None:
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        x = tf.random.uniform([4000], -2, 3, dtype).numpy().astype(np.float64)
        assert -2 <= x.min() < -1.9 and 2.9 < x.max() <= 3
        assert abs(x.mean() - 0.5) < 0.1 and abs(x.var() - 25 / 12) < 0.2
    n = tf.random.uniform([4000], -3, 4, tf.int32).numpy()
    assert sorted(set(n.tolist())) == list(range(-3, 4))
    assert np.bincount(n + 3).min() > 450
    assert tf.random.uniform([2, 0]).shape == (2, 0)


def test_normal() -> None:
    for dtype in ("float16", "float32", "float64"):
        x = tf.random.normal([4000], 1.0, 2.0, dtype).numpy().astype(np.float64)
        assert abs(x.mean() - 1) < 0.15 and abs(x.std() - 2) < 0.1
        assert np.isfinite(x).all() and np.abs(x - 1).max() > 5


def test_generators() -> None:
    def bits(x: Any) -> bytes:
        return np.asarray(x).tobytes()

    a, b = tf.random.Generator.from_seed(5), tf.random.Generator.from_seed(5)
    first = bits(a.uniform([8]))
    assert first == bits(b.uniform([8])) != bits(a.uniform([8]))
    a.reset_from_seed(5)
    assert bits(a.uniform([8])) == first
    assert bits(tf.random.Generator.from_seed(6).uniform([8])) != first
    other = tf.random.Generator.from_non_deterministic_state()
    assert bits(other.normal([8])) != bits(
        tf.random.Generator.from_non_deterministic_state().normal([8])
    )
    assert tf.random.get_global_generator() is tf.random.get_global_generator()
    # A longer draw begins with the shorter one: element i is a function of i.
    c, d = tf.random.Generator.from_seed(5), tf.random.Generator.from_seed(5)
    assert bits(c.uniform([100]))[: len(first)] == first == bits(d.uniform([8]))


# Special cases that TensorFlow documents.


def test_documented_edges() -> None:
    big = tf.constant([1000.0, -1000.0])
    np.testing.assert_array_equal(tf.nn.softmax(big), [1, 0])
    np.testing.assert_array_equal(tf.nn.log_softmax(big), [0, -2000])
    np.testing.assert_array_equal(tf.nn.softplus(big), [1000, 0])
    np.testing.assert_array_equal(tf.sigmoid(big), [1, 0])
    assert float(tf.reduce_logsumexp(big)) == 1000
    assert float(tf.reduce_logsumexp(tf.constant([-np.inf, -np.inf], tf.float32))) == -np.inf
    assert tf.one_hot([-1, 5], 3).numpy().tolist() == [[0] * 3] * 2
    assert np.isnan(tf.reduce_mean(tf.zeros([0]))) and float(tf.reduce_sum(tf.zeros([0]))) == 0
    assert float(tf.reduce_prod(tf.zeros([0]))) == 1
    assert float(tf.reduce_max(tf.zeros([0]))) == -np.inf
    assert tf.round(tf.constant([0.5, 1.5, 2.5, -0.5])).numpy().tolist() == [0, 2, 2, 0]
    assert np.isnan(tf.maximum(tf.constant(np.nan, tf.float32), 1.0))
    assert tf.cast([1.8, -2.2, 3e9, np.nan], tf.int32).numpy().tolist() == [1, -2, 2**31 - 1, 0]
    assert tf.argmax([3.0, 7.0, 7.0]).numpy() == 1
    assert tf.sign(tf.constant([-3.0, 0.0, 5.0])).numpy().tolist() == [-1, 0, 1]
    assert tf.math.floordiv(-7, 2).numpy() == -4 and tf.math.floormod(-7, 3).numpy() == 2
