"""Rows of the table of ops: indexing."""

from __future__ import annotations

from collections.abc import Iterator

from tfc.ir import ops

from .table import ALL, NUMBERS, Arg, Row


def rows() -> Iterator[Row]:
    sizes = tuple(
        {"a": a, "b": b, "n": n}
        for a, b, n in ((4, 3, 5), (2, 17, 64), (1, 1, 1), (7, 2, 0), (3, 0, 4), (5, 130, 3))
    )
    for axis, bound in ((0, "a"), (1, "b")):
        filled = tuple(s for s in sizes if s[bound] or not s["n"])
        for indices in ("n", "", "nn"):
            args = (Arg("ab"), Arg(indices, "i32", index=bound))
            of = lambda e, a=axis: {"axis": a}  # noqa: E731
            note = f"axis{axis}-{len(indices)}"
            here = filled if indices else tuple(s for s in filled if s[bound])
            yield Row(
                ops.Gather, args, ALL if indices == "n" and not axis else "f32", here, of, note=note
            )
            yield Row(ops.Gather, args, "f64", here[:2], of, smooth=True, note=note + "-smooth")
    for kind in ("i64", "u8"):
        args = (Arg("ab"), Arg("n", kind, index="a"))
        yield Row(ops.Gather, args, "f32", sizes[:2], lambda e: {"axis": 0}, note=kind)
    for dims in ("n", "na", "nab"):
        args = (Arg("n", "i32", index="b"), Arg(dims))
        of = lambda e: {"rows": e["b"]}  # noqa: E731
        here = tuple(s for s in sizes if s["b"] or not s["n"])
        yield Row(ops.ScatterAdd, args, NUMBERS, here, of, note=dims)
        yield Row(ops.ScatterAdd, args, "f64", here[:2], of, smooth=True, note=dims + "-smooth")
