"""Rows of the table of ops: convolutions and pooling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfc.ir import ops

from .table import FLOATS, Arg, Row


def _conv(
    size: Any,
    strides: tuple[int, ...],
    low: tuple[int, ...],
    taps: tuple[int, ...] = (1, 1),
    holes: tuple[int, ...] = (1, 1),
    groups: Any = lambda e: 1,
    batch_groups: Any = lambda e: 1,
) -> Any:
    """The attributes of a Conv whose groups may depend on the extents."""
    return lambda e: {
        "size": size(e),
        "strides": strides,
        "low": low,
        "rhs_dilation": taps,
        "lhs_dilation": holes,
        "groups": groups(e),
        "batch_groups": batch_groups(e),
    }


def _pool(strides: tuple[int, int], low: tuple[int, int], taps: tuple[int, int]) -> Any:
    def of(e: Any) -> Any:
        return {
            "window": (3, 2),
            "size": (e["h"], e["w"]),
            "strides": strides,
            "low": low,
            "rhs_dilation": taps,
        }

    return of


def rows() -> Iterator[Row]:
    names = ("n", "h", "w", "c", "k", "o")
    sizes = tuple(
        dict(zip(names, numbers, strict=True))
        for numbers in (
            (2, 5, 4, 3, 3, 6),
            (1, 1, 1, 1, 1, 1),
            (1, 3, 7, 2, 2, 17),
            (0, 3, 3, 2, 2, 4),
            (1, 0, 3, 2, 2, 3),
            (1, 4, 3, 0, 2, 2),
            (1, 3, 3, 2, 2, 0),
        )
    )
    plain = (Arg("nhwc"), Arg("kkco"))
    same = lambda e: (e["h"], e["w"])  # noqa: E731
    shapes = {
        "plain": _conv(same, (1, 1), (1, 0)),
        "strided": _conv(lambda e: (2, e["w"]), (2, 3), (2, 1)),
        "dilated": _conv(same, (1, 2), (2, 3), (2, 3)),
        "holes": _conv(lambda e: (e["h"] + 3, 5), (1, 1), (1, 2), (1, 1), (2, 3)),
        "all": _conv(lambda e: (e["h"] + 5, 6), (2, 1), (1, 5), (4, 6), (6, 4)),
    }
    for note, of in shapes.items():
        dtypes = f"{FLOATS} i32 u8" if note == "plain" else "f32"
        yield Row(ops.Conv, plain, dtypes, sizes, of, tolerance=4, note=note)
        if note in ("strided", "all"):
            note += "-smooth"
            yield Row(ops.Conv, plain, "f64", sizes[2:3], of, tolerance=4, smooth=True, note=note)
    one = _conv(lambda e: (e["h"],), (1,), (1,), (1,), (1,))
    three = _conv(lambda e: (e["h"], e["w"], 2), (1, 2, 1), (1, 1, 0), (1,) * 3, (1,) * 3)
    none = _conv(lambda e: (), (), (), (), ())
    for axes, of in enumerate((none, one, three)):
        spatial, taps = (("", ""), ("h", "k"), ("hwh", "kkk"))[axes]
        args = (Arg(f"n{spatial}c"), Arg(f"{taps}co"))
        names_used = set("nco") | set(spatial) | set(taps)
        here = tuple({d: s[d] for d in names if d in names_used} for s in sizes[:3])
        note = f"axes{(0, 1, 3)[axes]}"
        yield Row(ops.Conv, args, "f32", here, of, tolerance=4, note=note)
    grouped = tuple({"n": n, "h": 4, "c": c, "k": 2, "o": o} for n, c, o in ((2, 3, 5), (1, 1, 2)))
    size = lambda e: (e["h"], 3)  # noqa: E731
    two = lambda e: 2  # noqa: E731
    channels = lambda e: e["c"]  # noqa: E731
    groups = {
        "groups": ((Arg("nhh6"), Arg("kk34")), _conv(size, (1, 1), (1, 0), groups=two)),
        "depthwise": ((Arg("nhhc"), Arg("kk1c")), _conv(size, (1, 2), (0, 1), groups=channels)),
        "batch": ((Arg("6hhc"), Arg("kkc4")), _conv(size, (1, 1), (1, 0), batch_groups=two)),
    }
    for note, (args, of) in groups.items():
        used = {d for a in args for d in a.dims if not d.isdigit()}
        here = tuple({d: e for d, e in s.items() if d in used} for s in grouped)
        yield Row(ops.Conv, args, "f32 i16", here, of, tolerance=4, note=note)
        yield Row(
            ops.Conv, args, "f64", here[:1], of, tolerance=4, smooth=True, note=note + "-smooth"
        )

    pools = tuple(
        dict(zip(("n", "h", "w", "c"), numbers, strict=True))
        for numbers in ((2, 5, 4, 3), (1, 1, 1, 1), (1, 3, 7, 17), (0, 2, 2, 2), (1, 2, 0, 1))
    )
    ways = {"plain": ((1, 1), (1, 0), (1, 1)), "strided": ((2, 3), (2, 1), (2, 1))}
    x = Arg("nhwc", low=-2, high=2, special=True)
    for note, way in ways.items():
        of = _pool(*way)
        yield Row(ops.MaxPool, (x,), f"{FLOATS} i32 u8", pools, of, note=note)
        yield Row(ops.MaxPlace, (x,), "f16 f32 i32", pools, of, note=note)
    filled = lambda e: {**_pool(*ways["strided"])(e), "size": (2, 2)}  # noqa: E731
    wide = (Arg("nhwc", low=-40, high=40),)
    yield Row(ops.MaxPool, wide, "f64", pools[:1], filled, smooth=True, note="smooth")
    # Places that lie in their windows: with a stride of 1 and no padding, that of the first tap.
    of = lambda e: {**_pool((1, 1), (0, 0), (1, 1))(e), "extents": (e["h"], e["w"])}  # noqa: E731
    placed = (Arg("nhwc"), Arg("nhwc", "i64", low=-1, high=-1))
    for op in (ops.Pick, ops.Unpool):
        yield Row(op, placed, "f32 i32 bf16", pools, of, note="nowhere")
    first = lambda e: {  # noqa: E731
        **_pool((1, 1), (0, 0), (1, 1))(e),
        "size": (1, 1),
        "extents": (e["h"], e["w"]),
    }
    zero = Arg("n11c", "i64", low=0, high=0)
    some = tuple(p for p in pools if p["w"])
    yield Row(ops.Pick, (Arg("nhwc"), zero), "f32 i32 f16", some, first, note="first")
    yield Row(ops.Unpool, (Arg("n11c"), zero), "f32 i32 f16", some, first, note="first")
    for op, x in ((ops.Pick, Arg("nhwc")), (ops.Unpool, Arg("n11c"))):
        yield Row(op, (x, zero), "f64", some[:1], first, smooth=True, note="smooth")
    boxes = (Arg("n4", low=0, high=1), Arg("", low=0.1, high=0.2))
    lengths = tuple({"n": n} for n in (5, 0, 1, 40))
    yield Row(ops.Suppress, boxes, "f16 f32 f64", lengths)
