"""Cases of the public functions: indexing, scatters and data-dependent selection."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from .case import case, integers, normal, rng

ELSEWHERE = {"IndexedSlices", "broadcast_dynamic_shape", "broadcast_static_shape"}


def gathers() -> None:
    x = normal(2, 3, 4)
    places = integers(0, 3, 2, 5)
    case(
        "gather",
        lambda v, i: tf.gather(v, i, axis=1, batch_dims=1),
        lambda v, i: np.stack([v[k][i[k]] for k in range(2)]),
        x,
        places,
    )
    case(
        "gather",
        lambda v, i: tf.gather(v, i, axis=2, batch_dims=1),
        lambda v, i: np.stack([v[k][:, i[k]] for k in range(2)]),
        x,
        places,
    )
    case(
        "gather",
        lambda v, i: tf.gather(v, i, batch_dims=-1),
        lambda v, i: np.stack([v[k][i[k]] for k in range(2)]),
        x,
        places,
    )
    case(
        "gather",
        lambda v, i: tf.gather(v, i, batch_dims=2),
        lambda v, i: np.take_along_axis(v, i[..., None].astype(int), 2)[..., 0],
        x,
        integers(0, 4, 2, 3),
    )
    rows = np.stack([integers(0, 2, 6), integers(0, 3, 6)], 1)
    nd = {"symbolic": False}  # the last extent of the indices must be known
    case("gather_nd", tf.gather_nd, lambda v, i: v[i[:, 0], i[:, 1]], x, rows, **nd)
    case("gather_nd", tf.gather_nd, lambda v, i: v[i[:, 0]], x, rows[:, :1], **nd)
    case(
        "gather_nd",
        tf.gather_nd,
        lambda v, i: np.broadcast_to(v, (6, 2, 3, 4)),
        x,
        rows[:, :0],
        **nd,
    )
    case(
        "gather_nd",
        lambda v, i: tf.gather_nd(v, i, batch_dims=1),
        lambda v, i: np.stack([v[k][i[k][:, 0], i[k][:, 1]] for k in range(2)]),
        x,
        np.stack([integers(0, 3, 2, 5), integers(0, 4, 2, 5)], -1),
        **nd,
    )
    cube = rng.integers(0, 2, (3, 4)).astype(bool)
    case("where", lambda c: tf.where(c), lambda c: np.argwhere(c), cube)
    case("where", lambda c: tf.where(c), lambda c: np.argwhere(c), integers(-1, 2, 2, 3, 4))
    case("where", lambda c: tf.where(c), lambda c: np.argwhere(c), np.zeros((0, 3), bool))
    case("where", lambda c: tf.where(c), lambda c: np.argwhere(c), np.bool_(True))
    y = normal(3, 4, 2)
    case("boolean_mask", tf.boolean_mask, lambda v, m: v[m], y, cube)
    case("boolean_mask", tf.boolean_mask, lambda v, m: v[m], y, np.array([True, False, True]))
    case(
        "boolean_mask",
        lambda v, m: tf.boolean_mask(v, m, axis=1),
        lambda v, m: v[:, m],
        y,
        np.array([False, True, True, False]),
    )
    case("boolean_mask", tf.boolean_mask, lambda v, m: v[m], y, np.zeros(3, bool))
    case("boolean_mask", tf.boolean_mask, lambda v, m: v[m != 0], y, np.array([-1, 0, 2]))
    one_hot = np.array([[0.0, 1.0, 0.0, 0.0], [np.nan, 0.0, -0.0, 0.0], [0.0, 0.0, 0.0, 0.5]])
    case("boolean_mask", lambda v: tf.boolean_mask(v, one_hot), lambda v: v[one_hot != 0], y)
    case(
        "boolean_mask",
        lambda v: tf.boolean_mask(v, v > 0) * 2.0,
        lambda v: v[v > 0] * 2,
        normal(5, 7),
        smooth=(),
    )
    parts = integers(0, 3, 3)
    case(
        "dynamic_partition",
        lambda v, p: tf.dynamic_partition(v, p, 3),
        lambda v, p: [v[p == i] for i in range(3)],
        y,
        parts,
    )
    case(
        "dynamic_partition",
        lambda v, p: tf.dynamic_partition(v, p, 2),
        lambda v, p: [v[p == i] for i in range(2)],
        y,
        integers(0, 2, 3, 4),
    )

    def stitched(a: Any, b: Any, i: Any, j: Any) -> Any:
        out = np.zeros((7, *a.shape[1:]))
        out[i] = a
        out[j] = b
        return out

    case(
        "dynamic_stitch",
        lambda a, b, i, j: tf.dynamic_stitch([i, j], [a, b]),
        stitched,
        normal(3, 2),
        normal(2, 2, 2),
        np.array([5, 0, 1], np.int32),
        np.array([[6, 0], [2, 4]], np.int32),
    )


def scatters() -> None:
    rows = np.array([[1], [3], [1]], np.int32)
    points = np.array([[1, 2], [3, 0], [1, 2], [0, 0]], np.int64)
    nd = {"symbolic": False}  # the last extent of the indices must be known

    def add_at(shape: Any, i: Any, u: Any) -> Any:
        out = np.zeros(shape, u.dtype)
        np.add.at(out, tuple(np.moveaxis(i, -1, 0)), u)
        return out

    for i, u in ((rows, normal(3, 3)), (points, normal(4)), (points[None], integers(0, 9, 1, 4))):
        case(
            "scatter_nd",
            lambda i, u: tf.scatter_nd(i, u, [4, 3]),
            lambda i, u: add_at((4, 3), i, u),
            i,
            u,
            **nd,
        )
    for name, at in (
        ("update", None),
        ("add", np.add),
        ("sub", np.subtract),
        ("min", np.minimum),
        ("max", np.maximum),
    ):

        def reference(x: Any, i: Any, u: Any, at: Any = at) -> Any:
            out = x.copy()
            for k in np.ndindex(i.shape[:-1]):
                place = tuple(i[k])
                out[place] = u[k] if at is None else at(out[place], u[k])
            return out

        full = f"tensor_scatter_nd_{name}"
        for i, u in ((rows, normal(3, 3)), (points, normal(4))):
            case(full, getattr(tf, full), reference, normal(4, 3), i, u, **nd)
        case(
            full,
            getattr(tf, full),
            reference,
            integers(0, 9, 4, 3),
            rows,
            integers(0, 9, 3, 3),
            **nd,
        )


def slices() -> None:
    x = normal(5, 7)
    vector = integers(0, 99, 6)
    for begin, end, step in (([1, 2], [4, 6], None), ([-1, 5], [-4, 0], [-1, -2]), ([0], [9], [2])):
        case(
            "strided_slice",
            lambda v, b=begin, e=end, s=step: tf.strided_slice(v, b, e, s),
            lambda v, b=begin, e=end, s=step: v[
                tuple(slice(*t) for t in zip(b, e, s or [1] * len(b), strict=True))
            ],
            x,
        )
    case(
        "strided_slice",
        lambda v: tf.strided_slice(v, [1, 0, 2], [0, 0, 0], [1, 1, -1], 4, 4, 0, 2, 1),
        lambda v: v[1, None, ::-1],
        x,
    )
    case(
        "strided_slice",
        lambda v: tf.strided_slice(v, [0, 2], [0, 4], ellipsis_mask=1),
        lambda v: v[..., 2:4],
        x,
    )
    for index in (
        *(
            slice(*t)
            for t in ((2, 99), (-99, 3), (5, 2), (-2, None), (None, -2), (9, 12), (-9, -8))
        ),
        *(
            slice(*t)
            for t in ((3, 0, -1), (None, 1, -2), (-1, -4, -1), (99, None, -3), (0, -9, -1))
        ),
        *(slice(*t) for t in ((1, -1, 2), (-5, -1, 3), (2, 4, 9), (None, None, -2))),
    ):
        case("strided_slice", lambda v, i=index: v[i] + 0, lambda v, i=index: v[i], vector)
        case(
            "strided_slice",
            lambda v, i=index: v[..., i, None],
            lambda v, i=index: v[..., i, None],
            x,
        )
    for start in (-9, -3, 0, 2, 9):
        case(
            "strided_slice",
            lambda v, i: v[i : i + 2],
            lambda v, i: v[i : i + 2],
            vector,
            np.int32(start),
        )
        case("strided_slice", lambda v, i: v[:i], lambda v, i: v[:i], vector, np.int64(start))
        case("strided_slice", lambda v, i: v[i::-2], lambda v, i: v[i::-2], x, np.int32(start))
    case("strided_slice", lambda v, i: v[i, 1:], lambda v, i: v[i, 1:], x, np.int32(-1))
    case("strided_slice", lambda v, m: v[m], lambda v, m: v[m], x, rng.integers(0, 2, (5, 7)) > 0)
    for step in (2, -1, -3):  # computed as the function runs
        case("strided_slice", lambda v, i: v[::i], lambda v, i: v[::i], vector, np.int64(step))
        case("strided_slice", lambda v, i: v[4:1:i], lambda v, i: v[4:1:i], x, np.int32(step))
    case(
        "slice",
        lambda v, i: tf.slice(v, [i, 1], [2, -1]),
        lambda v, i: v[i : i + 2, 1:],
        x,
        np.int32(2),
    )
    case(
        "slice",
        lambda v, i: tf.slice(v, i, [2, 3]),
        lambda v, i: v[2:4, 4:7],
        x,
        np.int32([2, 4]),
        symbolic=False,
    )
    case(
        "slice",
        lambda v, i: tf.slice(v, [1, i], [-1, i]),
        lambda v, i: v[1:, i : 2 * i],
        x,
        np.int32(3),
    )


def arranged() -> None:
    x, n = normal(3, 4), integers(-9, 9, 2, 3, 4)
    for shift, axis in ((1, 0), (-5, 1), ([1, 2], [0, 1]), ([3, -1], [1, 1])):
        case(
            "roll",
            lambda v, s=shift, a=axis: tf.roll(v, s, a),
            lambda v, s=shift, a=axis: (
                np.roll(np.roll(v, s[0], a[0]), s[1], a[1])
                if isinstance(s, list)
                else np.roll(v, s, a)
            ),
            x,
        )
    case("roll", lambda v, s: tf.roll(v, s, 1), lambda v, s: np.roll(v, s, 1), x, np.int32(-7))
    case("roll", lambda v: tf.roll(v, 2, 0), lambda v: v, np.zeros((0, 2), np.float32))
    for repeats, axis in ((2, None), (3, 1), (0, 0), ([1, 0, 2], 0), ([2], 1)):
        case(
            "repeat",
            lambda v, r=repeats, a=axis: tf.repeat(v, r, a),
            lambda v, r=repeats, a=axis: np.repeat(v, r, a),
            x,
        )
    times = integers(0, 4, 4)
    case("repeat", lambda v, r: tf.repeat(v, r, 1), lambda v, r: np.repeat(v, r, 1), x, times)
    case("repeat", lambda v, r: tf.repeat(v, r), lambda v, r: np.repeat(v, r), x, np.int64(2))
    lengths = integers(0, 5, 3)

    def turned(v: Any, k: Any, seq: int, batch: int) -> Any:
        out = np.moveaxis(v, (batch, seq), (0, 1)).copy()
        for row, length in zip(out, k, strict=True):
            row[:length] = row[:length][::-1].copy()
        return np.moveaxis(out, (0, 1), (batch, seq))

    for shape, seq, batch in (((3, 4), 1, 0), ((4, 3), 0, 1), ((2, 3, 4), 2, 1), ((4, 2, 3), 0, 2)):
        case(
            "reverse_sequence",
            lambda v, k, s=seq, b=batch: tf.reverse_sequence(v, k, s, b),
            lambda v, k, s=seq, b=batch: turned(v, k, s, b),
            normal(*shape),
            lengths,
        )
    case(
        "sequence_mask",
        lambda k: tf.sequence_mask(k, 6),
        lambda k: np.arange(6) < k[..., None],
        lengths,
    )
    case(
        "sequence_mask",
        lambda k: tf.sequence_mask(k, dtype=tf.float32),
        lambda k: (np.arange(k.max(initial=0)) < k[..., None]).astype(np.float32),
        integers(0, 5, 2, 3),
    )
    case(
        "sequence_mask",
        tf.sequence_mask,
        lambda k, m: np.arange(m) < k[..., None],
        lengths,
        np.int32(3),
    )
    a, b, c = normal(2), normal(3), normal(4)
    for indexing in ("xy", "ij"):
        case(
            "meshgrid",
            lambda *v, i=indexing: tf.meshgrid(*v, indexing=i),
            lambda *v, i=indexing: list(np.meshgrid(*v, indexing=i)),
            a,
            b,
            c,
        )
        case("meshgrid", lambda v: tf.meshgrid(v), lambda v: list(np.meshgrid(v)), a)
    flat = integers(0, 24, 5)
    for places in (flat, flat[0]):
        case(
            "unravel_index",
            lambda i: tf.unravel_index(i, [2, 3, 4]),
            lambda i: np.stack(np.unravel_index(i, (2, 3, 4))).astype(np.int32),
            places,
        )
    case(
        "unravel_index",
        tf.unravel_index,
        lambda i, d: np.stack(np.unravel_index(i, d)).astype(np.int32),
        flat,
        np.int32([4, 6]),
        symbolic=False,
    )
    for mode, name in (("REFLECT", "reflect"), ("symmetric", "symmetric")):
        for pads in ([[1, 2], [3, 0]], [[0, 0], [2, 3]], [[2, 0], [0, 0]]):
            case(
                "pad",
                lambda v, m=mode, p=pads: tf.pad(v, p, m),
                lambda v, m=name, p=pads: np.pad(v, p, m),
                x,
            )
    case("pad", lambda v: tf.pad(v, [[1, 0]]), lambda v: np.pad(v, [[1, 0]]), np.array([True]))
    case(
        "pad",
        lambda v, p: tf.pad(v, p, constant_values=5.0),
        lambda v, p: np.pad(v, p, constant_values=5.0),
        x,
        np.int32([[1, 0], [2, 3]]),
        symbolic=False,
    )
    case(
        "shape_n",
        lambda v, w: tf.shape_n([v, w]),
        lambda v, w: [np.int32(v.shape), np.int32(w.shape)],
        x,
        n,
        smooth=(),
    )
    case(
        "parallel_stack",
        lambda v, w: tf.parallel_stack([v, w]),
        lambda v, w: np.stack([v, w]),
        x,
        x,
    )


def cases() -> None:
    gathers()
    scatters()
    slices()
    arranged()
