"""Rows of the table of ops: sorts, scans and segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfc.ir import ops

from .table import ALL, FLOATS, NUMBERS, Arg, Row

REAL = " ".join(d for d in ALL.split() if d not in ("c64", "c128"))
SOME = "i8 u64 f16 bf16 f64"


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
        kinds = "f32 i32 u8" if descending else REAL
        yield Row(ops.ArgSort, (Arg("an", special=True),), kinds, sizes, of, note=note)
        long = ({"a": 1, "n": 5000}, {"a": 1, "n": 70_000})  # more than a block, than a cache
        kinds = "f32 f64 u8 i64" if descending else REAL
        yield Row(ops.Sort, (Arg("an", special=True),), kinds, sizes, of, note=note)
        yield Row(ops.Sort, (Arg("an", special=True),), "f32", long, of, note=note + "-long")
        far = (Arg("n", low=-(2**40), high=2**40),)
        yield Row(ops.ArgSort, far, "i64", ({"n": 500},), of, note=note + "-far")
        yield Row(ops.Sort, far, "i64 f64", ({"n": 3000},), of, note=note + "-far")
    many = tuple(
        {"a": a, "n": n, "k": k}
        for a, n, k in (
            (2, 5, 3),
            (3, 64, 1),
            (2, 3, 0),
            (1, 700, 20),
            (2, 90, 2),
            (2, 70, 40),
            (1, 200, 200),
        )
    )
    x = (Arg("an", special=True),)
    yield Row(ops.TopPlaces, x, "f32 i64 u8", many, lambda e: {"count": e["k"]})
    found = tuple({"a": a, "n": n, "m": m} for a, n, m in ((2, 1, 5), (1, 7, 9), (3, 0, 2)))
    for side in ("left", "right"):
        of = lambda e, s=side: {"side": s}  # noqa: E731
        # Equal rows are sorted; others are in the cases of the public function.
        args = (Arg("an", low=1, high=1), Arg("am", low=-1, high=3, special=True))
        yield Row(ops.SearchSorted, args, "bool f16 f32 i64 u8", found, of, note=side)
    one = tuple({"n": n} for n in (1, 0))
    yield Row(ops.InvertPermutation, (Arg("n", index="n"),), "i32 i64", one)


def scans() -> Iterator[Row]:
    sizes = tuple({"a": a, "b": b} for a, b in ((3, 5), (2, 17), (17, 2), (1, 1), (4, 0), (0, 4)))
    x, near = Arg("ab"), Arg("ab", low=0.5, high=1.5)
    for axis, reverse in ((0, False), (1, True), (1, False), (0, True)):
        note = f"axis{axis}" + ("-reverse" if reverse else "")
        straight = axis == reverse  # the first two of them go through everything

        def of(e: Mapping[str, Any], a: int = axis, r: bool = reverse) -> Mapping[str, Any]:
            return {"axis": a, "reverse": r}

        for op, args, kinds, ulp in (
            (ops.CumSum, (x,), NUMBERS, 0),
            (ops.CumProd, (x,), "f16 f64 i8 u32", 4),
            (ops.CumLogSumExp, (x,), FLOATS, 8),
            (ops.Recurrence, (near, x), "f16 f32 c64", 4),
        ):
            chosen = kinds if axis == 0 and not reverse else "f32"
            yield Row(op, args, chosen, sizes, of, ulp=ulp, tolerance=1, note=note)
            if straight:
                smooth = tuple(near if op is ops.CumProd else a for a in args)
                yield Row(
                    op,
                    smooth,
                    "f64",
                    sizes[:1],
                    of,
                    tolerance=1,
                    smooth=True,
                    note=note + "-smooth",
                )


def segments() -> Iterator[Row]:
    triples = ((4, 5, 3), (17, 3, 20), (1, 4, 1), (0, 2, 3), (5, 4, 0))
    sizes = tuple({"n": n, "s": s, "b": b} for n, s, b in triples)
    for check, dims in (("drop", "n"), ("count", "nb")):
        of = lambda e, c=check: {"rows": e["s"], "check": c}  # noqa: E731
        low = -3.0 if check == "drop" else 0.0
        ids = Arg("n", "i32", low, 2) if check == "drop" else Arg("n", "i64", low, 6)
        for op in (ops.SegmentSum, ops.SegmentProd, ops.SegmentMax, ops.SegmentMin):
            extreme = op in (ops.SegmentMax, ops.SegmentMin)
            data, note = Arg(dims, special=extreme), f"{check}-{dims}"
            kinds = "f32 i32" if check == "count" else NUMBERS if op is ops.SegmentSum else SOME
            yield Row(op, (ids, data), kinds, sizes, of, tolerance=1, note=note)
            if (check == "drop") != (op is ops.SegmentProd):
                args = (ids, Arg(dims))
                note += "-smooth"
                yield Row(op, args, "f64", sizes[:1], of, tolerance=1, smooth=True, note=note)
    ids = Arg("n", "i32", 0, 0)
    of = lambda e: {"rows": 1, "check": "sorted"}  # noqa: E731
    few = ({"n": 5}, {"n": 0})
    yield Row(ops.SegmentSum, (ids, Arg("n")), "f32", few, of, tolerance=1, note="sorted")
