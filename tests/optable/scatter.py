"""Rows of the table of ops: checked indices, updates at indices, places of a mask."""

from __future__ import annotations

from collections.abc import Iterator

from tfc.ir import ops

from .table import ALL, FLOATS, NUMBERS, Arg, Row


def rows() -> Iterator[Row]:
    sizes = tuple(
        {"a": a, "b": b, "n": n}
        for a, b, n in ((4, 3, 5), (2, 17, 64), (1, 1, 1), (7, 2, 0), (3, 130, 2), (5, 0, 3))
    )
    for kind in ("i32", "i64", "u8"):
        args = (Arg("n", kind, index="a"),)
        yield Row(
            ops.CheckedIndex,
            args,
            "i64",
            sizes,
            lambda e: {"bound": e["a"], "reader": "x"},
            note=kind,
        )
    for combine in ("update", "add", "sub", "mul", "div", "min", "max"):
        dtypes = {"update": ALL, "add": NUMBERS, "div": FLOATS}.get(combine, "i8 u64 bf16 f32")
        of = lambda e, c=combine: {"combine": c}  # noqa: E731
        special = combine in ("min", "max", "update")
        low = 0.5 if combine in ("mul", "div") else -4.0
        for rest in ("", "b"):
            args = (
                Arg(f"a{rest}", low=low, special=special),
                Arg("n", "i32", index="a"),
                Arg(f"n{rest}", low=low, special=special),
            )
            note = f"{combine}-{len(rest)}"
            yield Row(ops.Scatter, args, dtypes if rest else "f32", sizes, of, note=note)
            if combine not in ("mul", "div"):
                args = (Arg(f"a{rest}"), Arg("n", "i32", index="a"), Arg(f"n{rest}"))
                some = sizes[:2]
                yield Row(ops.Scatter, args, "f64", some, of, smooth=True, note=note + "-smooth")
    lengths = tuple(
        {"n": n, "c": c}
        for n, c in ((0, 0), (1, 1), (5, 2), (17, 9), (64, 64), (130, 60), (3, 0), (2, 20))
    )
    yield Row(ops.Nonzero, (Arg("n", "bool"),), "i64", lengths, lambda e: {"count": e["c"]})
