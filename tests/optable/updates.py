"""What was added last: running maxima and minima, slices that are updated, softsign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfc.ir import ops

from .table import ALL, NUMBERS, Arg, Row, unary


def rows() -> Iterator[Row]:
    sizes = tuple({"a": a, "b": b} for a, b in ((3, 5), (2, 17), (17, 2), (1, 1), (4, 0), (0, 4)))
    for op in (ops.CumMax, ops.CumMin):
        for axis, reverse in ((0, False), (1, True), (1, False), (0, True)):
            note = f"axis{axis}" + ("-reverse" if reverse else "")

            def of(e: Mapping[str, Any], a: int = axis, r: bool = reverse) -> Mapping[str, Any]:
                return {"axis": a, "reverse": r}

            kinds = NUMBERS if axis == 0 and not reverse else "f32"
            yield Row(op, (Arg("ab", special=True),), kinds, sizes, of, note=note)
            note += "-smooth"
            yield Row(op, (Arg("ab"),), "f64", sizes[:1], of, smooth=True, note=note)

    extents = ((5, 17, 2, 9), (3, 1, 3, 1), (2, 3, 0, 2))
    within = tuple(dict(zip("abcd", e, strict=True)) for e in extents)
    for kind, dtypes in (("i64", ALL), ("i32", "f32"), ("u8", "c64")):  # some starts leave x
        args = (Arg("ab"), Arg("cd"), Arg("2", kind, -2, 9))
        yield Row(ops.UpdateSlice, args, dtypes, within, note=kind)
    yield Row(ops.UpdateSlice, args, "f64", within[:1], smooth=True, note="smooth")

    yield unary(ops.Softsign)
    yield unary(ops.Softsign, "f64", 0.5, 3, False, smooth=True, note="smooth")
