"""Rows of the table of ops: random numbers, and printing."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tfc.ir import ops
from tfc.ir.ops.printing import SLOT

from .table import FLOATS, Arg, Row

STATE = Arg("3", "u64", 0, 2**62)


def rows() -> Iterator[Row]:
    shapes = ({"a": 3, "b": 5}, {"a": 0, "b": 2}, {"a": 65, "b": 1}, {"a": 2, "b": 64})
    words = ((1, 1, 0), (1, 2, 0), (1, 2, 1), (1, 4, 3), (2, 1, 0), (2, 2, 1), (2, 4, 2), (4, 2, 1))
    for which in words:
        yield Row(
            ops.RandomBits,
            (STATE,),
            "u32",
            shapes,
            lambda e, w=which: {"shape": (e["a"], e["b"]), "words": w},
            note="-".join(map(str, which)),
        )
    some = shapes[:2]
    alpha = Arg("ab", low=0.25, high=9)
    each = lambda e: {"parameters": e["b"]}  # noqa: E731
    yield Row(ops.RandomGamma, (STATE, alpha), FLOATS, some, each, ulp=8)
    yield Row(ops.RandomGammaGrad, (alpha, alpha), "f32 f64", some)
    rates = lambda e: {"parameters": e["b"], "dtype": "T"}  # noqa: E731
    yield Row(ops.RandomPoisson, (STATE, Arg("ab", "f32", 0, 20)), "i32 f32 bf16", some, rates)
    binomial = (STATE, Arg("ab", "f32", 0, 60), Arg("ab", "f32", 0, 1))
    yield Row(ops.RandomBinomial, binomial, "i32 f64", some, rates)
    yield Row(ops.RandomPermutation, (STATE,), "i64", shapes, lambda e: {"count": e["a"]})
    drawn = lambda e: {"shape": (e["a"], e["b"]), "dtype": "T"}  # noqa: E731
    yield Row(ops.RandomTruncatedNormal, (STATE,), FLOATS, shapes, drawn, ulp=8)
    sizes = ({"a": 3, "b": 5}, {"a": 0, "b": 2}, {"a": 4, "b": 64})
    for unique in (False, True):
        given = lambda e, u=unique: {"count": e["a"], "unique": u}  # noqa: E731
        for log in (False, True):
            yield Row(
                ops.RandomClasses,
                (STATE,),
                "i64",
                sizes,
                lambda e, g=given, log=log: {**g(e), "classes": e["b"] + 1, "logarithmic": log},
                note=f"{unique}-{log}",
            )
        weights = Arg("b", "f64", 0.5, 9)
        few = sizes[:1] if unique else sizes
        yield Row(ops.RandomUnigrams, (STATE, weights), "i64", few, given, note=str(unique))
    box = {"least_ratio": 0.5, "most_ratio": 2.0, "least_area": 0.1}
    box |= {"most_area": 0.9, "attempts": 50, "whole": True}
    image = (STATE, Arg("3", "i64", 20, 40), Arg("04", "f32", 0, 1), Arg("", "f64", 0, 0.2))
    yield Row(ops.RandomBox, image, "i64", ({},), lambda e: box)
    where = {"template": f"{SLOT}\n", "stream": os.devnull, "summarize": 3}
    yield Row(ops.Print, (Arg("ab", special=True),), "i32 f32 bool", some, lambda e: where)
