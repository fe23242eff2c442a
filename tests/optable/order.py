"""Rows of the table of ops: sorts, scans and segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfc.ir import ops

from .table import ALL, FLOATS, NUMBERS, Arg, Row

REAL = " ".join(d for d in ALL.split() if d not in ("c64", "c128"))
REAL_NUMBERS = " ".join(d for d in NUMBERS.split() if d not in ("c64", "c128"))


def rows() -> Iterator[Row]:
    yield from sorts()
    yield from scans()
    yield from segments()


def sorts() -> Iterator[Row]:
    # About the length from which digits are sorted by, with few and with many equals.
    pairs = ((3, 5), (2, 1), (2, 0), (0, 3), (2, 64), (2, 128), (1, 129), (2, 300))
    sizes = tuple({"a": a, "n": n} for a, n in pairs)
    for descending in (False, True):
        of = lambda e, d=descending: {"descending": d}  # noqa: E731
        note = "descending" if descending else "ascending"
        yield Row(ops.ArgSort, (Arg("an", special=True),), REAL, sizes, of, note=note)
        far = (Arg("n", low=-(2**40), high=2**40),)
        yield Row(ops.ArgSort, far, "i64 f32", ({"n": 500},), of, note=note + "-far")
    found = tuple({"a": a, "n": n, "m": m} for a, n, m in ((2, 1, 5), (1, 7, 9), (3, 0, 2)))
    for side in ("left", "right"):
        of = lambda e, s=side: {"side": s}  # noqa: E731
        # Equal rows are sorted; real ones are in the cases of the public function.
        args = (Arg("an", low=1, high=1), Arg("am", low=-1, high=3, special=True))
        yield Row(ops.SearchSorted, args, REAL, found, of, note=side)
    one = tuple({"n": n} for n in (1, 0))
    yield Row(ops.InvertPermutation, (Arg("n", index="n"),), "i32 i64", one)


def scans() -> Iterator[Row]:
    sizes = tuple({"a": a, "b": b} for a, b in ((3, 5), (2, 17), (17, 2), (1, 1), (4, 0), (0, 4)))
    for axis in (0, 1):
        for reverse in (False, True):
            note = f"axis{axis}" + ("-reverse" if reverse else "")

            def of(e: Mapping[str, Any], a: int = axis, r: bool = reverse) -> Mapping[str, Any]:
                return {"axis": a, "reverse": r}

            x, near = Arg("ab"), Arg("ab", low=0.5, high=1.5)
            yield Row(ops.CumSum, (x,), NUMBERS, sizes, of, note=note)
            yield Row(ops.CumProd, (x,), NUMBERS, sizes, of, ulp=4, note=note)
            yield Row(ops.CumLogSumExp, (x,), FLOATS, sizes, of, ulp=8, note=note)
            yield Row(ops.Recurrence, (near, x), FLOATS, sizes, of, ulp=4, note=note)
            for op, args in {
                ops.CumSum: (x,),
                ops.CumProd: (near,),
                ops.CumLogSumExp: (x,),
                ops.Recurrence: (near, x),
            }.items():
                yield Row(
                    op, args, "f64", sizes[:2], of, tolerance=1, smooth=True, note=note + "-smooth"
                )


def segments() -> Iterator[Row]:
    triples = ((4, 5, 3), (17, 3, 20), (1, 1, 1), (0, 2, 3), (5, 4, 0), (2, 0, 0))
    sizes = tuple({"n": n, "s": s, "b": b} for n, s, b in triples)
    for check in ("drop", "count"):
        of = lambda e, c=check: {"rows": e["s"], "check": c}  # noqa: E731
        low = -3.0 if check == "drop" else 0.0
        for dims in ("n", "nb"):
            ids = Arg("n", "i32", index="s") if dims == "n" else Arg("n", "i64", low, 2)
            here = tuple(z for z in sizes if z["s"] > 2 or not z["n"])
            for op in (ops.SegmentSum, ops.SegmentProd, ops.SegmentMax, ops.SegmentMin):
                extreme = op in (ops.SegmentMax, ops.SegmentMin)
                data = Arg(dims, special=extreme)
                kinds = (REAL_NUMBERS if extreme else NUMBERS) if check == "drop" else "f32 i32"
                yield Row(op, (ids, data), kinds, here, of, note=f"{check}-{dims}")
                yield Row(
                    op, (ids, Arg(dims)), "f64", here[:2], of, tolerance=1, smooth=True,
                    note=f"{check}-{dims}-smooth",
                )
    of = lambda e: {"rows": 1, "check": "sorted"}  # noqa: E731
    ids = Arg("n", "i32", 0, 0)
    yield Row(ops.SegmentSum, (ids, Arg("n")), "f32", ({"n": 5}, {"n": 0}), of, note="sorted")
