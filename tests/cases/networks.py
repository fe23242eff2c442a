"""Cases of the public functions: activations, normalisations, losses and blocks of tf.nn."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

import tfc as tf

from . import references as ref
from .case import between, case, integers, normal

# Random: tests/test_networks.py.
ELSEWHERE = {"dropout", "compute_average_loss"}


def cases() -> None:
    _activations()
    _normalisations()
    _losses()
    _blocks()
    _sequences()


def _activations() -> None:
    nn = tf.nn
    x = normal(3, 7) * 3
    near = {"rtol": 1e-13}
    case("relu6", nn.relu6, lambda x: np.clip(x, 0, 6), x)
    case("leaky_relu", nn.leaky_relu, lambda x: np.where(x > 0, x, x * 0.2), x, smooth=())
    case("leaky_relu", lambda x: nn.leaky_relu(x, 0.5), lambda x: np.where(x > 0, x, x * 0.5), x)
    case(
        "leaky_relu",
        nn.leaky_relu,
        lambda x: np.where(x > 0, x, x * np.float32(0.2)).astype(np.float32),
        integers(-5, 5, 9),
    )
    case("elu", nn.elu, lambda x: np.where(x < 0, np.expm1(x), x), x, **near)
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    case("selu", nn.selu, lambda x: scale * np.where(x < 0, alpha * np.expm1(x), x), x, rtol=1e-13)
    for axis in (-1, 0):
        case(
            "crelu",
            lambda x, a=axis: nn.crelu(x, axis=a),
            lambda x, a=axis: np.concatenate([np.maximum(x, 0), np.maximum(-x, 0)], a),
            x,
        )
    case("gelu", nn.gelu, lambda x: x * special.ndtr(x), x, **near)
    tanh = lambda x: np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))  # noqa: E731
    case("gelu", lambda x: nn.gelu(x, True), lambda x: 0.5 * x * (1 + tanh(x)), x, **near)
    case("silu", nn.silu, lambda x: x * special.expit(x), x, **near)
    case(
        "swish",
        nn.swish,
        lambda x, beta: x * special.expit(beta * x),
        x,
        np.float64(1.7),
        **near,
    )
    case("softsign", nn.softsign, lambda x: x / (1 + np.abs(x)), x, **near)


def _normalisations() -> None:
    nn = tf.nn
    x, near = normal(3, 4, 2, 5), {"rtol": 1e-12}
    for axes, keep in (([0, 1, 2], False), ([1], True), ([-1], False)):
        case(
            "moments",
            lambda x, a=axes, k=keep: list(nn.moments(x, a, keepdims=k)),
            lambda x, a=tuple(axes), k=keep: [x.mean(a, keepdims=k), x.var(a, keepdims=k)],
            x,
            rtol=1e-12,
            smooth=(0,) if keep else (),
        )

    def weighted(x: Any, w: Any, keep: bool) -> list[Any]:
        w = np.broadcast_to(w, x.shape)
        mean = np.sum(w * x, (0, 2), keepdims=True) / np.sum(w, (0, 2), keepdims=True)
        total = np.sum(w * (x - mean) ** 2, (0, 2), keepdims=True)
        found = [mean, total / np.sum(w, (0, 2), keepdims=True)]
        return found if keep else [v[0, :, 0] for v in found]

    for keep in (False, True):
        case(
            "weighted_moments",
            lambda x, w, k=keep: list(nn.weighted_moments(x, [0, 2], w, k)),
            lambda x, w, k=keep: weighted(x, w, k),
            x,
            between(0.5, 2, 4, 1, 5),
            rtol=1e-12,
            smooth=(0, 1) if keep else (),
        )

    def normalized(x: Any, shift: Any) -> list[Any]:
        counts, total, squares, by = nn.sufficient_statistics(x, [0, 1], shift)
        return list(nn.normalize_moments(counts, total, squares, by))

    case(
        "sufficient_statistics",
        lambda x: list(nn.sufficient_statistics(x, [0, 2], keepdims=True)[:3]),
        lambda x: [
            np.float64(6),
            x.sum((0, 2), keepdims=True),
            (x * x).sum((0, 2), keepdims=True),
        ],
        x,
        **near,
    )
    case(
        "normalize_moments",
        normalized,
        lambda x, s: [x.mean((0, 1)), x.var((0, 1))],
        x,
        np.float64(0.3),
        **near,
    )
    stats = normal(5), between(0.5, 2, 5), normal(5), normal(5)
    case(
        "batch_normalization",
        lambda x, m, v, o, s: nn.batch_normalization(x, m, v, o, s, 1e-3),
        lambda x, m, v, o, s: (x - m) / np.sqrt(v + 1e-3) * s + o,
        x,
        *stats,
        **near,
    )
    case(
        "batch_normalization",
        lambda x, m, v: nn.batch_normalization(x, m, v, None, None, 1e-3),
        lambda x, m, v: (x - m) / np.sqrt(v + 1e-3),
        x,
        *stats[:2],
        rtol=1e-12,
        smooth=(),
    )

    def response(x: Any, radius: int) -> Any:
        squares = np.pad(x * x, [(0, 0)] * 3 + [(radius, radius)])
        n = x.shape[-1]
        total = sum(squares[..., i : i + n] for i in range(2 * radius + 1))
        return x / (1.5 + 0.5 * total) ** 0.75

    for name in ("local_response_normalization", "lrn"):
        case(
            name,
            lambda x, f=getattr(nn, name): f(x, 2, 1.5, 0.5, 0.75),
            lambda x: response(x, 2),
            x,
            rtol=1e-12,
            smooth=(0,) if name == "lrn" else (),
        )
    for axis in (None, 1, [0, 2]):
        case(
            "l2_normalize",
            lambda x, a=axis: nn.l2_normalize(x, a),
            lambda x, a=tuple(axis) if isinstance(axis, list) else axis: (
                x / np.sqrt(np.sum(x * x, a, keepdims=True))
            ),
            x,
            rtol=1e-12,
            smooth=(0,) if axis == 1 else (),
        )


def _losses() -> None:
    nn = tf.nn
    x, z, near = normal(4, 5), between(0, 1, 4, 5), {"rtol": 1e-13}
    case("l2_loss", nn.l2_loss, lambda x: np.sum(x * x) / 2, x, **near)
    counts = between(0, 6, 4, 5)
    case("log_poisson_loss", nn.log_poisson_loss, lambda t, c: np.exp(c) - c * t, counts, x, **near)

    def full(t: Any, c: Any) -> Any:
        factorial = t * np.log(t) - t + 0.5 * np.log(2 * np.pi * t)
        return np.exp(c) - c * t + np.where(t <= 1, 0, factorial)

    case("log_poisson_loss", lambda t, c: nn.log_poisson_loss(t, c, True), full, counts, x, **near)
    case(
        "weighted_cross_entropy_with_logits",
        nn.weighted_cross_entropy_with_logits,
        lambda z, x, q: -q * z * special.log_expit(x) - (1 - z) * special.log_expit(-x),
        z,
        x,
        np.float64(1.7),
        rtol=1e-12,
    )
    case(
        "zero_fraction",
        nn.zero_fraction,
        lambda x: np.float32(np.sum(x == 0)) / np.float32(x.size),
        integers(0, 3, 4, 7),
    )
    table = normal(6, 3)
    rows = np.array([[1, 5], [1, 0]], np.int32)
    case("embedding_lookup", nn.embedding_lookup, lambda t, i: t[i], table, rows)
    case(
        "embedding_lookup",
        lambda t, i: nn.embedding_lookup([t], i, max_norm=1.5),
        lambda t, i: t[i] / np.maximum(np.linalg.norm(t[i], axis=-1, keepdims=True), 1.5) * 1.5,
        table,
        rows,
        rtol=1e-13,
    )
    bias = normal(3)
    case(
        "bias_add",
        lambda x, b: nn.bias_add(x, b, data_format="NCHW"),
        lambda x, b: x + b[:, None, None],
        normal(2, 3, 4, 5),
        bias,
    )


def _deep(x: np.ndarray, k: int) -> np.ndarray:
    n, h, w, c = x.shape
    split = x.reshape(n, h // k, k, w // k, k, c).transpose(0, 1, 3, 2, 4, 5)
    return split.reshape(n, h // k, w // k, k * k * c)


def _wide(x: np.ndarray, k: int) -> np.ndarray:
    n, h, w, c = x.shape
    split = x.reshape(n, h, w, k, k, c // k // k).transpose(0, 1, 3, 2, 4, 5)
    return split.reshape(n, h * k, w * k, c // k // k)


def _batches(x: np.ndarray, blocks: Any, pads: Any) -> np.ndarray:
    """Image (i, j) of a block has every blocks-th place from (i, j) on."""
    a, b = blocks
    x = np.pad(x, [(0, 0), *pads, *[(0, 0)] * (x.ndim - 3)])
    return np.concatenate([x[:, i::a, j::b] for i in range(a) for j in range(b)])


def _blocks() -> None:
    nn = tf.nn
    x = normal(2, 4, 6, 3)
    case("space_to_depth", lambda x: nn.space_to_depth(x, 2), lambda x: _deep(x, 2), x, smooth=())
    case(
        "space_to_depth",
        lambda x: nn.space_to_depth(x, 2, "NCHW"),
        lambda x: ref.first(_deep(ref.last(x), 2)),
        ref.first(x),
        smooth=(),
    )
    deep = normal(2, 3, 2, 12)
    case(
        "depth_to_space", lambda x: nn.depth_to_space(x, 2), lambda x: _wide(x, 2), deep, smooth=()
    )
    case(
        "depth_to_space",
        lambda x: nn.depth_to_space(x, 2, "NCHW"),
        lambda x: ref.first(_wide(ref.last(x), 2)),
        ref.first(deep),
        smooth=(),
    )
    pads = [[1, 1], [0, 3]]
    for name in ("space_to_batch", "space_to_batch_nd"):
        case(
            name,
            lambda x, f=getattr(tf, name): f(x, [2, 3], pads),
            lambda x: _batches(x, (2, 3), pads),
            x,
            smooth=None if name == "space_to_batch" else (),
        )

    for extents, base in (([7, 9], None), ([3, 4], [[1, 0], [0, 2]])):
        low, high = np.zeros((2, 2), int) if base is None else np.transpose(base)
        more = -(np.array(extents) + low + high) % [2, 3]
        case(
            "required_space_to_batch_paddings",
            lambda x, base=base: tf.required_space_to_batch_paddings(x, [2, 3], base),
            lambda x, low=low, high=high, more=more: [
                np.stack([low, high + more], 1).astype(np.int32),
                np.stack([0 * more, more], 1).astype(np.int32),
            ],
            np.array(extents, np.int32),
        )

    def whole(y: np.ndarray) -> np.ndarray:
        full = np.zeros((2, 6, 9, 3))
        for k, part in enumerate(np.split(y, 6)):
            full[:, k // 3 :: 2, k % 3 :: 3] = part
        return full[:, 1:-1, : 9 - 3]

    case("batch_to_space", lambda y: tf.batch_to_space(y, [2, 3], pads), whole, normal(12, 3, 3, 3))
    image, taps = normal(2, 5, 4, 3), normal(2, 3, 3)
    for padding, by, apart in (("SAME", 2, 1), ("VALID", 1, 2)):
        how = ((2, 3), (by, by), (apart, 1), padding)

        def stacked(x: np.ndarray, how: Any = how) -> np.ndarray:
            return np.concatenate([p for _, p in ref.seen(x, *how, 0)], -1)

        case(
            "extract_patches",
            lambda x, p=padding, s=by, r=apart: tf.image.extract_patches(
                x, [1, 2, 3, 1], [1, s, s, 1], [1, r, 1, 1], p
            ),
            stacked,
            image,
            smooth=None if padding == "SAME" else (),
        )

        def raised(x: np.ndarray, w: np.ndarray, how: Any = how) -> np.ndarray:
            return np.max([p + w[t] for t, p in ref.seen(x, *how, -np.inf)], 0)

        case(
            "dilation2d",
            lambda x, w, p=padding, s=by, r=apart: nn.dilation2d(
                x, w, [1, s, s, 1], p, "NHWC", [1, r, 1, 1]
            ),
            raised,
            image,
            taps,
            smooth=None if padding == "SAME" else (),
        )
        case(
            "erosion2d",
            lambda x, w, p=padding, s=by, r=apart: nn.erosion2d(
                x, w, [1, s, s, 1], p, "NHWC", [1, r, 1, 1]
            ),
            lambda x, w, f=raised: -f(-x, w[::-1, ::-1]),
            image,
            taps,
            smooth=(),
        )


def _likelihood(logits: np.ndarray, labels: Any, blank: int) -> float:
    """-log of the sum over all sequences of classes that are the labels when repetitions and
    blanks are left out."""
    frames, classes = logits.shape
    p, total = special.softmax(logits, 1), 0.0
    for path in np.ndindex(*(classes,) * frames):
        steps = [c for i, c in enumerate(path) if i == 0 or path[i - 1] != c]
        if [c for c in steps if c != blank] == list(labels):
            total += float(np.prod([p[t, c] for t, c in enumerate(path)]))
    return -np.log(total) if total else np.inf


def _sequences() -> None:
    labels = np.array([[1, 1, 2], [2, 0, 0], [1, 2, 0]], np.int32)
    counts, frames = np.array([3, 1, 2], np.int32), np.array([5, 4, 3], np.int32)
    x = normal(5, 3, 3)

    case(
        "ctc_loss",
        lambda x: tf.nn.ctc_loss(labels, x, counts, frames),
        lambda x: np.array(
            [_likelihood(x[: frames[i], i], labels[i, : counts[i]], 0) for i in range(3)]
        ),
        x,
        rtol=1e-12,
    )
    case(
        "ctc_loss",
        lambda x: tf.nn.ctc_loss(labels - 1, x, counts, frames, False, blank_index=2),
        lambda x: np.array(
            [_likelihood(x[i, : frames[i]], labels[i, : counts[i]] - 1, 2) for i in range(3)]
        ),
        np.swapaxes(x, 0, 1),
        rtol=1e-12,
        smooth=(),
    )
