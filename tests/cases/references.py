"""NumPy references for windows: one tap after another, in float64 or what is given."""

from __future__ import annotations

from typing import Any

import numpy as np


def padded(x: np.ndarray, taps: Any, strides: Any, dilations: Any, padding: Any, fill: Any) -> Any:
    """x [N, spatial..., C] with its padding, and how many places the window has."""
    pairs, size = [], []
    for i, (k, s, d) in enumerate(zip(taps, strides, dilations, strict=True)):
        n, reach = x.shape[i + 1], (k - 1) * d + 1
        if padding == "SAME":
            places = -(-n // s)
            total = max((places - 1) * s + reach - n, 0)
            pair = (total // 2, total - total // 2)
        else:
            pair = (0, 0) if padding == "VALID" else tuple(padding[i])
            places = (n + sum(pair) - reach) // s + 1
        pairs.append(pair)
        size.append(places)
    return np.pad(x, [(0, 0), *pairs, (0, 0)], constant_values=fill), size


def seen(x: np.ndarray, taps: Any, strides: Any, dilations: Any, padding: Any, fill: Any) -> Any:
    """For each tap: its index, and what it sees [N, places..., C]."""
    wide, size = padded(x, taps, strides, dilations, padding, fill)
    for tap in np.ndindex(*taps):
        rows = zip(tap, dilations, strides, size, strict=True)
        cut = tuple(slice(t * d, t * d + (m - 1) * s + 1, s) for t, d, s, m in rows)
        yield tap, wide[(slice(None), *cut)]


def conv(
    x: np.ndarray,
    w: np.ndarray,
    strides: Any = None,
    padding: Any = "VALID",
    dilations: Any = None,
) -> np.ndarray:
    """Channels last; groups where x has a multiple of w's channels."""
    axes = x.ndim - 2
    strides, dilations = strides or (1,) * axes, dilations or (1,) * axes
    groups = x.shape[-1] // w.shape[-2]
    total: Any = 0
    for tap, part in seen(x, w.shape[:-2], strides, dilations, padding, 0):
        inputs = np.split(part, groups, -1)
        weights = np.split(w[tap], groups, -1)
        total = total + np.concatenate(
            [a @ b for a, b in zip(inputs, weights, strict=True)], axis=-1
        )
    return np.asarray(total)


def depthwise(x: np.ndarray, w: np.ndarray, **how: Any) -> np.ndarray:
    """w [taps..., channels, multiplier]."""
    *taps, c, m = w.shape
    return conv(x, w.reshape(*taps, 1, c * m), **how)


def transposed(
    dy: np.ndarray, w: np.ndarray, shape: Any, strides: Any, padding: Any, dilations: Any = None
) -> np.ndarray:
    """The input's gradient, from the definition: what each input element adds to the result."""
    axes = len(strides)
    dilations = dilations or (1,) * axes
    marks = np.arange(np.prod(shape[1:-1])).reshape(1, *shape[1:-1], 1)
    out = np.zeros((shape[0], int(np.prod(shape[1:-1])), shape[-1]))
    for tap, places in seen(marks, w.shape[:-2], strides, dilations, padding, -1):
        flat = places.reshape(-1)
        inside = flat >= 0
        part = dy.reshape(dy.shape[0], -1, dy.shape[-1])[:, inside] @ w[tap].T
        np.add.at(out, (slice(None), flat[inside]), part)
    return out.reshape(shape)


def pool(
    x: np.ndarray, taps: Any, strides: Any, padding: Any, kind: str, dilations: Any = None
) -> np.ndarray:
    dilations = dilations or (1,) * len(taps)
    if kind == "MAX":
        parts = [p for _, p in seen(x, taps, strides, dilations, padding, -np.inf)]
        return np.max(parts, 0)
    total = sum(p for _, p in seen(x, taps, strides, dilations, padding, 0))
    count = sum(p for _, p in seen(np.ones_like(x), taps, strides, dilations, padding, 0))
    return total / count


def first(x: np.ndarray) -> np.ndarray:
    """Channels last to channels first."""
    return np.moveaxis(x, -1, 1)


def last(x: np.ndarray) -> np.ndarray:
    """Channels first to channels last."""
    return np.moveaxis(x, 1, -1)
