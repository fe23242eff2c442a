"""Cases of the public functions: convolutions and pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from . import references as ref
from .case import case, normal

ELSEWHERE = {"extract_volume_patches", "with_space_to_batch"}  # test_windows.py


def cases() -> None:
    _convolutions()
    _transposes()
    _pools()


def _convolutions() -> None:
    nn = tf.nn
    x, w = normal(2, 5, 4, 3), normal(3, 2, 3, 4)
    near: dict[str, Any] = {"rtol": 1e-13}
    rest = {**near, "smooth": ()}  # the rules of the gradients are the IR's, tested there
    ways: list[dict[str, Any]] = [
        {"strides": 1, "padding": "VALID"},
        {"strides": 2, "padding": "SAME"},
        {"strides": [1, 2, 3, 1], "padding": [[0, 0], [2, 1], [0, 3], [0, 0]]},
        {"strides": [1], "padding": "SAME", "dilations": [2, 1]},
    ]
    numbers: list[dict[str, Any]] = [
        {},
        {"strides": (2, 2), "padding": "SAME"},
        {"strides": (2, 3), "padding": ((2, 1), (0, 3))},
        {"padding": "SAME", "dilations": (2, 1)},
    ]
    for way, plain in zip(ways, numbers, strict=True):
        case(
            "conv2d",
            lambda x, w, k=way: nn.conv2d(x, w, **k),
            lambda x, w, k=plain: ref.conv(x, w, **k),
            x,
            w,
            **(near if way is ways[2] else rest),
        )
    turned = {"strides": [1, 1, 2, 2], "padding": "SAME", "data_format": "NCHW"}
    case(
        "conv2d",
        lambda x, w: nn.conv2d(x, w, **turned),
        lambda x, w: ref.first(ref.conv(ref.last(x), w, (2, 2), "SAME")),
        ref.first(x),
        w,
        **rest,
    )
    case(
        "conv2d",  # in groups, and with two axes of batches
        lambda x, w: nn.conv2d(x, w, 1, "SAME"),
        lambda x, w: ref.conv(x[0], w, padding="SAME")[None],
        normal(1, 2, 3, 4, 6),
        normal(2, 2, 3, 4),
        symbolic=False,  # unknown channels are taken to be one group
        **near,
    )
    # The window is wider than the stride, and the other way round, at all remainders.
    for n in (4, 5, 6):
        for k, s in ((1, 3), (2, 3), (3, 2)):
            case(
                "conv1d",
                lambda x, w, s=s: nn.conv1d(x, w, s, "SAME"),
                lambda x, w, s=s: ref.conv(x, w, (s,), "SAME"),
                normal(1, n, 2),
                normal(k, 2, 3),
                rtol=1e-13,
                smooth=(),
                symbolic=k >= s,  # else it is traced anew for known extents
            )
    case(
        "conv1d",
        lambda x, w: nn.conv1d(x, w, 2, "VALID", "NCW", 2),
        lambda x, w: ref.first(ref.conv(ref.last(x), w, (2,), "VALID", (2,))),
        normal(2, 3, 9),
        normal(3, 3, 2),
        **rest,
    )
    cube, taps = normal(1, 3, 4, 3, 2), normal(2, 3, 2, 2, 3)
    case(
        "conv3d",
        lambda x, w: nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME"),
        lambda x, w: ref.conv(x, w, (1, 2, 1), "SAME"),
        cube,
        taps,
        **rest,
    )
    case(
        "convolution",
        lambda x, w: nn.convolution(x, w, dilations=2, padding="SAME"),
        lambda x, w: ref.conv(x, w, None, "SAME", (2, 2)),
        x,
        w,
        **rest,
    )
    case(
        "convolution",
        lambda x, w: nn.convolution(x, w, data_format="NCDHW"),
        lambda x, w: ref.first(ref.conv(ref.last(x), w)),
        ref.first(cube),
        taps,
        **rest,
    )
    case(
        "atrous_conv2d",
        lambda x, w: nn.atrous_conv2d(x, w, 2, "SAME"),
        lambda x, w: ref.conv(x, w, None, "SAME", (2, 2)),
        x,
        w,
        **rest,
    )
    deep, point = normal(3, 2, 3, 2), normal(1, 1, 6, 4)
    for padding in ("SAME", "VALID"):
        case(
            "depthwise_conv2d",
            lambda x, w, p=padding: nn.depthwise_conv2d(x, w, [1, 2, 2, 1], p),
            lambda x, w, p=padding: ref.depthwise(x, w, strides=(2, 2), padding=p),
            x,
            deep,
            **rest,
        )
    case(
        "separable_conv2d",
        lambda x, d, p: nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "SAME", dilations=[2, 2]),
        lambda x, d, p: ref.conv(ref.depthwise(x, d, padding="SAME", dilations=(2, 2)), p),
        x,
        deep,
        point,
        **near,
    )


def _transposes() -> None:
    nn = tf.nn
    dy, w, shape = normal(2, 3, 2, 4), normal(3, 3, 3, 4), [2, 5, 4, 3]
    for padding in ("SAME", [[0, 0], [1, 1], [0, 1], [0, 0]]):
        pads = padding if isinstance(padding, str) else padding[1:3]
        case(
            "conv2d_transpose",
            lambda dy, w, p=padding: nn.conv2d_transpose(dy, w, shape, 2, p),
            lambda dy, w, p=pads: ref.transposed(dy, w, shape, (2, 2), p),
            dy,
            w,
            rtol=1e-13,
            smooth=None if padding == "SAME" else (),
        )
    case(
        "conv2d_transpose",
        lambda dy, w: nn.conv2d_transpose(dy, w, [2, 3, 5, 4], 2, data_format="NCHW"),
        lambda dy, w: ref.first(ref.transposed(ref.last(dy), w, shape, (2, 2), "SAME")),
        ref.first(dy),
        w,
        rtol=1e-13,
        smooth=(),
    )
    case(
        "conv_transpose",
        lambda dy, w: nn.conv_transpose(dy, w, shape, [2, 2]),
        lambda dy, w: ref.transposed(dy, w, shape, (2, 2), "SAME"),
        dy,
        w,
        rtol=1e-13,
        smooth=(),
    )
    line = [2, 8, 2]
    case(
        "conv1d_transpose",
        lambda dy, w: nn.conv1d_transpose(dy, w, line, 3, "VALID"),
        lambda dy, w: ref.transposed(dy, w, line, (3,), "VALID"),
        normal(2, 2, 3),
        normal(4, 2, 3),
        rtol=1e-13,
        smooth=(),
    )
    cube = [1, 3, 2, 4, 2]
    case(
        "conv3d_transpose",
        lambda dy, w: nn.conv3d_transpose(dy, w, cube, [1, 1, 2], "SAME"),
        lambda dy, w: ref.transposed(dy, w, cube, (1, 1, 2), "SAME"),
        normal(1, 3, 2, 2, 3),
        normal(2, 1, 3, 2, 3),
        rtol=1e-13,
        smooth=(),
    )
    case(
        "atrous_conv2d_transpose",
        lambda dy, w: nn.atrous_conv2d_transpose(dy, w, shape, 2, "SAME"),
        lambda dy, w: ref.transposed(dy, w, shape, (1, 1), "SAME", (2, 2)),
        normal(2, 5, 4, 4),
        w,
        rtol=1e-13,
        smooth=(),
    )
    deep = normal(2, 2, 3, 1)
    case(
        "depthwise_conv2d_backprop_input",
        lambda dy, w: nn.depthwise_conv2d_backprop_input(shape, w, dy, [1, 1, 1, 1], "VALID"),
        lambda dy, w: np.concatenate(
            [
                ref.transposed(dy[..., [c]], w[:, :, [c]], [2, 5, 4, 1], (1, 1), "VALID")
                for c in range(3)
            ],
            -1,
        ),
        normal(2, 4, 3, 3),
        deep,
        rtol=1e-13,
        smooth=(),
    )

    def filters(x: np.ndarray, dy: np.ndarray) -> np.ndarray:
        parts = ref.seen(x, (2, 2), (1, 1), (1, 1), "VALID", 0)
        taps = [np.einsum("nhwc,nhwc->c", part, dy) for _, part in parts]
        return np.stack(taps).reshape(2, 2, 3, 1)

    case(
        "depthwise_conv2d_backprop_filter",
        lambda x, dy: nn.depthwise_conv2d_backprop_filter(x, [2, 2, 3, 1], dy, [1] * 4, "VALID"),
        filters,
        normal(2, 5, 4, 3),
        normal(2, 4, 3, 3),
        rtol=1e-13,
        smooth=(),
    )


def _pools() -> None:
    nn = tf.nn
    x = np.random.default_rng(5).permutation(2 * 5 * 4 * 3).reshape(2, 5, 4, 3) / 7.0
    line, cube = x[:, :, 0], x.reshape(1, 5, 4, 3, 2)
    for kind, name in (("MAX", "max_pool"), ("AVG", "avg_pool")):
        near: dict[str, Any] = {"rtol": 1e-13} if kind == "AVG" else {}
        rest = {**near, "smooth": ()}
        of = getattr(nn, name)
        for padding in ("SAME", "VALID"):
            case(
                f"{name}2d",
                lambda x, f=getattr(nn, f"{name}2d"), p=padding: f(x, 3, 2, p),
                lambda x, k=kind, p=padding: ref.pool(x, (3, 3), (2, 2), p, k),
                x,
                **(near if padding == "SAME" else rest),
            )
            case(
                name,
                lambda x, f=of, p=padding: f(x, [1, 2, 3, 1], [1, 2, 1, 1], p),
                lambda x, k=kind, p=padding: ref.pool(x, (2, 3), (2, 1), p, k),
                x,
                **rest,
            )
        case(
            name,
            lambda x, f=of: f(x, 2, 2, [[0, 0], [1, 0], [0, 1], [0, 0]]),
            lambda x, k=kind: ref.pool(x, (2, 2), (2, 2), ((1, 0), (0, 1)), k),
            x,
            **rest,
        )
        case(
            name,
            lambda x, f=of: f(x, 2, 1, "SAME", "NCHW"),
            lambda x, k=kind: ref.first(ref.pool(ref.last(x), (2, 2), (1, 1), "SAME", k)),
            ref.first(x),
            **rest,
        )
        case(
            f"{name}1d",
            lambda x, f=getattr(nn, f"{name}1d"): f(x, 2, 3, "SAME"),
            lambda x, k=kind: ref.pool(x, (2,), (3,), "SAME", k),
            line,
            **rest,
        )
        case(
            f"{name}3d",
            lambda x, f=getattr(nn, f"{name}3d"): f(x, 2, [2, 1, 1], "VALID"),
            lambda x, k=kind: ref.pool(x, (2, 2, 2), (2, 1, 1), "VALID", k),
            cube,
            **rest,
        )
        case(
            "pool",
            lambda x, k=kind: nn.pool(x, [2, 2], k, dilations=[2, 1], padding="SAME"),
            lambda x, k=kind: ref.pool(x, (2, 2), (1, 1), "SAME", k, (2, 1)),
            x,
            **rest,
        )

    def places(x: np.ndarray, batch: bool) -> list[np.ndarray]:
        marks = np.arange(x.size).reshape(x.shape)
        parts = np.stack([p for _, p in ref.seen(x, (2, 2), (2, 2), (1, 1), "SAME", -np.inf)])
        numbers = np.stack([p for _, p in ref.seen(marks, (2, 2), (2, 2), (1, 1), "SAME", 0)])
        best = np.argmax(parts, 0)[None]
        found = np.take_along_axis(numbers, best, 0)[0]
        return [np.max(parts, 0), found if batch else found % x[0].size]

    for batch in (False, True):
        case(
            "max_pool_with_argmax",
            lambda x, k=batch: list(
                nn.max_pool_with_argmax(x, 2, 2, "SAME", include_batch_in_index=k)
            ),
            lambda x, k=batch: places(x, k),
            x,
            smooth=(),
        )
