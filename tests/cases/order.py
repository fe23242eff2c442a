"""Cases of the public functions: sorting, scans, segments and counting."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from .case import between, case, find, integers, normal, rng


def cases() -> None:
    sorts()
    searches()
    uniques()
    scans()
    segments()
    counts()


def _down(v: np.ndarray, axis: int = -1) -> Any:
    """The places that sort downwards, equals in their order."""
    return np.argsort(-v.astype(np.float64), axis=axis, kind="stable").astype(np.int32)


def sorts() -> None:
    x, n = normal(3, 5, 4), integers(0, 5, 4, 7)
    long = integers(-50, 50, 2, 300)
    up = {"kind": "stable"}
    for axis in (-1, 0, 1):
        case("sort", lambda v, a=axis: tf.sort(v, a), lambda v, a=axis: np.sort(v, a), x)
        case(
            "argsort",
            lambda v, a=axis: tf.argsort(v, a),
            lambda v, a=axis: np.argsort(v, a, **up).astype(np.int32),
            x,
            smooth=(),
        )
    down = lambda f: lambda v: f(v, direction="DESCENDING")  # noqa: E731
    for v in (n, long, long[0].astype(np.uint8), n.astype(np.float16), n > 2):
        case("sort", tf.sort, lambda v: np.sort(v), v)
        case("argsort", tf.argsort, lambda v: np.argsort(v, **up).astype(np.int32), v)
        case("argsort", down(tf.argsort), _down, v)
    case("sort", down(tf.sort), lambda v: -np.sort(-v), x)
    case("sort", down(tf.sort), lambda v: -np.sort(-v), normal(200))

    def top(v: np.ndarray, k: int) -> list[np.ndarray]:
        places = _down(v)[..., :k]
        return [np.take_along_axis(v, places, -1), places]

    for v, k in ((n, 3), (n, 0), (n, 7), (long, 5)):
        call = lambda v, k=k: list(tf.math.top_k(v, k))  # noqa: E731
        case("top_k", call, lambda v, k=k: top(v, k), v)
    for v, k in ((x, 2), (normal(6), 6), (normal(2, 200), 5)):
        call = lambda v, k=k: tf.math.top_k(v, k).values  # noqa: E731
        case("top_k", call, lambda v, k=k: top(v, k)[0], v)
    case("top_k", lambda v: tf.nn.top_k(v).indices, lambda v: top(v, 1)[1], n)
    for reverse in (False, True):
        case(
            "nth_element",
            lambda v, r=reverse: tf.nn.nth_element(v, 1, r),
            lambda v, r=reverse: np.sort(v)[..., -2 if r else 1],
            x,
        )
    scores = np.float32([[1, 5, 2, 2], [9, 1, 1, 1], [np.inf, 1, 2, 3], [1, 2, 3, 4]])
    targets = np.array([2, 1, 1, 7], np.int32)
    for k, wanted in {1: [0, 0], 2: [1, 1], 4: [1, 1]}.items():
        case(
            "in_top_k",
            lambda t, p, k=k: tf.math.in_top_k(t, p, k),
            lambda t, p, w=wanted: np.array([*w, False, False], bool),
            targets,
            scores,
        )


def searches() -> None:
    ordered = np.sort(rng.integers(0, 30, (2, 3, 20)), axis=-1).astype(np.float32)
    values = rng.integers(-2, 33, (2, 3, 40)).astype(np.float32)

    def found(x: np.ndarray, v: np.ndarray, side: Any) -> Any:
        values = v.reshape(-1, v.shape[-1])
        rows = zip(x.reshape(len(values), x.shape[-1]), values, strict=True)
        return np.array([np.searchsorted(a, b, side) for a, b in rows], np.int32).reshape(v.shape)

    for side in ("left", "right"):
        for x, v in (
            (ordered, values),
            (ordered[0, 0], values[1, 1]),
            (ordered[0, 0].astype(np.int64), values[0, 0].astype(np.int64)),
            (ordered[0, 0, :0], values[0, 0]),
        ):
            case(
                "searchsorted",
                lambda x, v, s=side: tf.searchsorted(x, v, s),
                lambda x, v, s=side: found(x, v, s),
                x,
                v,
            )
    case(
        "searchsorted",
        lambda x, v: tf.searchsorted(x, v, out_type=tf.int64),
        lambda x, v: np.searchsorted(x, v),
        ordered[1, 2],
        values[1, 2],
    )


def _unique(v: np.ndarray) -> tuple[Any, ...]:
    """Values, inverse and counts by first occurrence."""
    values, first, inverse, count = np.unique(
        v, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    rank = np.argsort(order)
    return values[order], rank[inverse.reshape(-1)].astype(np.int32), count[order].astype(np.int32)


def uniques() -> None:
    for v in (
        integers(0, 6, 40),
        integers(-1000, 1000, 300),
        integers(0, 3, 10).astype(np.float32) - np.float32(1),
        integers(0, 2, 9) > 0,
        integers(0, 2, 0),
    ):
        case("unique", lambda v: list(tf.unique(v)), lambda v: list(_unique(v)[:2]), v)
        case(
            "unique_with_counts",
            lambda v: list(tf.unique_with_counts(v)),
            lambda v: list(_unique(v)),
            v,
        )
    case("unique", lambda v: tf.unique(v, tf.int64).idx, lambda v: np.int64(_unique(v)[1]), v)
    case("unique", lambda v: tf.unique(v).y * v[0], lambda v: _unique(v)[0] * v[0], normal(5))
    x, y = integers(0, 9, 30), integers(0, 9, 4)

    def difference(x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        kept = ~np.isin(x, y)
        return [x[kept], np.flatnonzero(kept).astype(np.int32)]

    for a, b in ((x, y), (x, y[:0]), (x[:0], y), (x, x), (x.astype(np.float32), np.float32([3.0]))):
        case("setdiff1d", lambda a, b: list(tf.setdiff1d(a, b)), difference, a, b)
    order = rng.permutation(20).astype(np.int32)
    case("invert_permutation", tf.math.invert_permutation, np.argsort, np.int64(order))
    case("invert_permutation", tf.math.invert_permutation, lambda v: v, order[:0])


def scans() -> None:
    x = normal(3, 4, 5)
    zeros = x * (between(0, 1, 3, 4, 5) > 0.3)
    for name, f, v in (
        ("cumsum", np.cumsum, x),
        ("cumprod", np.cumprod, zeros),
        ("cumulative_logsumexp", lambda v, a: np.logaddexp.accumulate(v, a), x),
        ("cummax", np.maximum.accumulate, x),
        ("cummin", np.minimum.accumulate, x),
    ):
        for axis in (0, 1, -1):
            for reverse in (False, True):

                def there(v: np.ndarray, f: Any = f, a: int = axis, r: bool = reverse) -> Any:
                    return np.flip(f(np.flip(v, a), a), a) if r else f(v, a)

                case(
                    name,
                    lambda v, f=find(name), a=axis, r=reverse: f(v, a, reverse=r),
                    there,
                    v,
                    rtol=1e-12,
                    smooth=None if axis == 1 else (),
                )

    def before(v: np.ndarray) -> Any:
        return np.concatenate([np.zeros_like(v[:, :1]), np.cumsum(v, 1, v.dtype)[:, :-1]], 1)

    for v in (x, integers(-9, 9, 3, 5)):
        case("cumsum", lambda v: tf.cumsum(v, 1, exclusive=True), before, v, rtol=1e-12)
    case(
        "cumprod",
        lambda v: tf.math.cumprod(v, exclusive=True, reverse=True),
        lambda v: np.concatenate([np.cumprod(v[::-1])[::-1][1:], [1.0]]),
        np.array([2.0, 0.0, 3.0, 0.5, 0.0, 1.5]),
        rtol=1e-12,
    )
    case(
        "cumulative_logsumexp",
        lambda v: tf.math.cumulative_logsumexp(v, exclusive=True)[1:],
        lambda v: np.logaddexp.accumulate(v)[:-1],
        np.array([1000.0, 999.0, -1000.0, 1001.0]),
        rtol=1e-12,
        smooth=(),
    )
    case("cumsum", tf.cumsum, lambda v: v, integers(0, 2, 0, 3))
    case("cumsum", tf.cumsum, lambda v: np.cumsum(v, 0), (x + 1j * x)[0], rtol=1e-12)


def _combined(f: Any, data: np.ndarray, ids: np.ndarray, count: int, none: Any) -> np.ndarray:
    """f over the rows of each segment; `none` where there are not any."""
    rows = data.reshape(ids.size, *data.shape[ids.ndim :])
    out = np.full((count, *rows.shape[1:]), none, data.dtype)
    for s in range(count):
        mine = rows[ids.reshape(-1) == s]
        if len(mine):
            out[s] = f(mine, axis=0)
    return out


def segments() -> None:
    ids = np.array([0, 0, 1, 1, 1, 3, 5], np.int32)
    low, high = np.finfo(np.float64).min, np.finfo(np.float64).max
    tied = integers(0, 2, 7, 3).astype(np.float64)
    root = lambda v, axis: np.sum(v, axis) / np.sqrt(len(v))  # noqa: E731
    for name, f, none, other in (
        ("sum", np.sum, 0, 0),
        ("mean", np.mean, 0, 0),
        ("prod", np.prod, 1, 1),
        ("max", np.max, 0, low),
        ("min", np.min, 0, high),
        ("sqrt_n", root, 0, 0),
    ):
        close = {"rtol": 0 if name in ("max", "min") else 1e-12}
        for data in (normal(7), normal(7, 2, 3)):
            if name != "sqrt_n":
                case(
                    f"segment_{name}",
                    lambda v, i, g=find(f"segment_{name}"): g(v, i),
                    lambda v, i, f=f, z=none: _combined(f, v, i, 6, z),
                    data,
                    ids,
                    **close,
                )
            mixed = np.array([4, 0, -1, 4, 2, 0, 4], np.int64)
            case(
                f"unsorted_segment_{name}",
                lambda v, i, g=find(f"unsorted_segment_{name}"): g(v, i, 6),
                lambda v, i, f=f, z=other: _combined(f, v, i, 6, z),
                data,
                mixed,
                **close,
                smooth=() if name in ("max", "min") else None,  # rows of none are too large
            )
        case(
            f"unsorted_segment_{name}",
            lambda v, i, g=find(f"unsorted_segment_{name}"): g(v, i, 3),
            lambda v, i, f=f, z=other: _combined(f, v, i, 3, z),
            normal(4, 2, 2),
            np.array([[0, 1], [-1, 2], [2, 2], [1, 0]], np.int32),
            **close,
        )
    whole = integers(-9, 9, 7, 2)
    case(
        "segment_mean",
        tf.math.segment_mean,
        lambda v, i: _combined(lambda m, axis: np.trunc(np.mean(m, axis)), v, i, 6, 0),
        whole,
        ids,
    )
    case(
        "unsorted_segment_mean",
        lambda v, i: tf.math.unsorted_segment_mean(v, i, 6),
        lambda v, i: _combined(np.mean, v.astype(np.float64), i, 6, 0),
        whole,
        ids,
        rtol=1e-15,
    )
    case(
        "segment_max",
        tf.math.segment_max,
        lambda v, i: _combined(np.max, v, i, 6, 0),
        tied,
        ids,
        smooth=(),
    )
    zero = np.array([0.0, 2.0, 0.0, 3.0, 0.0, 5.0, 7.0])
    case(
        "segment_prod", tf.math.segment_prod, lambda v, i: _combined(np.prod, v, i, 6, 1), zero, ids
    )
    case("segment_sum", tf.math.segment_sum, lambda v, i: v, normal(0, 2), ids[:0])


def counts() -> None:
    x, w = integers(0, 7, 30), normal(30)
    b = tf.math.bincount
    case("bincount", b, lambda v: np.bincount(v).astype(np.int32), x)
    case("bincount", b, lambda v: np.bincount(v.ravel()).astype(np.int32), x.reshape(5, 6))
    case("bincount", b, lambda v: np.zeros(0, np.int32), x[:0])
    case("bincount", lambda v, w: b(v, w), lambda v, w: np.bincount(v, w), x, w, rtol=1e-12)
    for low, high in ((9, None), (3, None), (None, 4), (5, 6), (6, 6)):
        case(
            "bincount",
            lambda v, a=low, z=high: b(v, minlength=a, maxlength=z, dtype=tf.int64),
            lambda v, a=low, z=high: np.bincount(v, minlength=a or 0)[:z],
            x,
        )
    rows = lambda v, most: np.stack([np.bincount(r, minlength=7)[:7] for r in v]).clip(0, most)  # noqa: E731
    case(
        "bincount",
        lambda v: b(v, axis=-1, minlength=7),
        lambda v: rows(v, 99).astype(np.int32),
        x.reshape(5, 6),
    )
    case(
        "bincount",
        lambda v: b(v, axis=-1, minlength=7, binary_output=True, dtype=tf.float32),
        lambda v: rows(v, 1).astype(np.float32),
        x.reshape(5, 6),
    )
    values = normal(40) * 3
    for kind in (np.float32, np.float64, np.int32):
        v = values.astype(kind)
        ends = np.array([-3, 5], kind)

        def bins(v: np.ndarray, e: np.ndarray) -> Any:
            ratio = (v - e[0]) / (e[1] - e[0])
            return np.clip(np.floor(ratio * ratio.dtype.type(7)), 0, 6).astype(np.int32)

        case(
            "histogram_fixed_width_bins",
            lambda v, e: tf.histogram_fixed_width_bins(v, e, 7),
            bins,
            v,
            ends,
            smooth=(),
        )
        case(
            "histogram_fixed_width",
            lambda v, e: tf.histogram_fixed_width(v, e, 7, tf.int64),
            lambda v, e: np.bincount(bins(v.astype(np.float64), e), minlength=7),
            v,
            ends,
            smooth=(),
        )
    labels, guesses = integers(0, 4, 50), integers(0, 4, 50)
    labels[0] = 3

    def confusion(a: np.ndarray, b: np.ndarray, w: Any = None) -> Any:
        out = np.zeros((4, 4), np.int32 if w is None else w.dtype)
        np.add.at(out, (a, b), 1 if w is None else w)
        return out

    c = tf.math.confusion_matrix
    case("confusion_matrix", c, confusion, labels, guesses)
    case("confusion_matrix", lambda a, b: c(a, b, 4), confusion, labels, guesses)
    case(
        "confusion_matrix",
        lambda a, b, w: c(a, b, 4, w, tf.float64),
        confusion,
        labels,
        guesses,
        normal(50),
        rtol=1e-12,
    )
