"""Rows of the table of ops: shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tfc.ir import ops
from tfc.ir.core import Op

from .table import ALL, Arg, Row


def rows() -> Iterator[Row]:
    sizes = tuple(
        {"a": a, "b": b, "c": c}
        for a, b, c in (
            (2, 3, 5),
            (1, 1, 1),
            (3, 17, 1),
            (5, 2, 64),
            (2, 3, 0),
            (0, 2, 3),
            (7, 1, 130),
        )
    )

    def index_map(
        op: type[Op],
        args: Any,
        attributes: Any,
        note: str,
        dtypes: str = "f32 u8",
        sizes: Any = sizes,
    ) -> Iterator[Row]:
        yield Row(op, args, dtypes, sizes, attributes, note=note)
        yield Row(op, args, "f64", sizes[:2], attributes, smooth=True, note=f"{note}-smooth")

    x = (Arg("abc"),)
    yield from index_map(
        ops.Broadcast,
        (Arg("c"),),
        lambda e: {"shape": (e["a"], e["b"], e["c"]), "dims": (2,)},
        "last",
        ALL,
    )
    yield from index_map(
        ops.Broadcast,
        (Arg("ac"),),
        lambda e: {"shape": (e["a"], e["b"], e["c"]), "dims": (0, 2)},
        "middle",
    )
    yield from index_map(
        ops.Broadcast, (Arg(""),), lambda e: {"shape": (e["a"], e["b"]), "dims": ()}, "scalar"
    )
    yield from index_map(
        ops.Reshape, x, lambda e: {"shape": (e["a"] * e["b"], e["c"])}, "merge", ALL
    )
    yield from index_map(ops.Reshape, x, lambda e: {"shape": (e["c"], e["a"], e["b"])}, "mix")
    yield from index_map(
        ops.Reshape, x, lambda e: {"shape": (e["a"], 1, e["b"], 1, e["c"])}, "ones"
    )
    for perm in ((2, 0, 1), (0, 2, 1), (2, 1, 0), (0, 1, 2)):
        note = "".join(map(str, perm))
        yield from index_map(ops.Transpose, x, lambda e, p=perm: {"perm": p}, note)
    for axes in ((0,), (2,), (0, 2), ()):
        note = "".join(map(str, axes))
        yield from index_map(ops.Reverse, x, lambda e, a=axes: {"axes": a}, f"axes{note}")
    yield from index_map(
        ops.Slice,
        x,
        lambda e: {"begin": (0, 0, 0), "size": (e["a"], 1 * e["b"], e["c"]), "strides": (1, 1, 1)},
        "all",
    )
    cut = tuple({"a": a, "b": b, "c": c} for a, b, c in ((2, 3, 5), (4, 17, 3), (3, 3, 64)))
    yield from index_map(
        ops.Slice,
        x,
        lambda e: {
            "begin": (1, 0, 2),
            "size": (e["a"] - 1, e["b"], e["c"] - 2),
            "strides": (1, 1, 1),
        },
        "cut",
        sizes=cut,
    )
    yield from index_map(
        ops.Slice,
        x,
        lambda e: {
            "begin": (0, 1, 0),
            "size": (1, e["b"] // 2, (e["c"] + 2) // 3),
            "strides": (3, 2, 3),
        },
        "strided",
        sizes=cut,
    )
    fill = (*x, Arg(""))
    yield from index_map(
        ops.Pad,
        fill,
        lambda e: {
            "begin": (1, 0, 2),
            "shape": (e["a"] + 1, e["b"] + 3, e["c"] + 2),
            "strides": (1, 1, 1),
        },
        "edge",
    )
    yield from index_map(
        ops.Pad,
        fill,
        lambda e: {
            "begin": (0, 1, 0),
            "shape": (e["a"] * 2, e["b"] * 3 + 1, e["c"]),
            "strides": (2, 3, 1),
        },
        "holes",
    )
    yield from index_map(
        ops.Concat, (Arg("abc"), Arg("abc"), Arg("abc")), lambda e: {"axis": 2}, "last", ALL
    )
    yield from index_map(ops.Concat, (Arg("abc"), Arg("bbc")), lambda e: {"axis": 0}, "first")
    yield from index_map(ops.Concat, (Arg("abc"),), lambda e: {"axis": 1}, "one")
    for axis, shape in ((0, "ab"), (1, "ab"), (2, "abc")):
        yield Row(
            ops.Iota,
            (),
            "i32 i64 u8 f32 f64 f16",
            sizes,
            lambda e, a=axis, s=shape: {"shape": tuple(e[d] for d in s), "axis": a, "dtype": "T"},
            note=f"{shape}{axis}",
        )
    yield Row(ops.ExtentOf, (), "i64", sizes, lambda e: {"value": e["a"] * e["b"] + e["c"] // 2})
    for value in (1.5, [1.0, -0.0, np.inf], [[1, 2], [3, 4]]):
        yield Row(
            ops.Constant,
            (),
            "f32 f64 bf16 i32",
            ({},),
            lambda e, v=value: {"value": v},
            note=f"rank{np.ndim(value)}",
        )
