"""Rows of the table of ops: Fourier transforms. They run on the host, by a library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfc.ir import ops

from .table import COMPLEX, Arg, Row


def rows() -> Iterator[Row]:
    sizes = tuple({"a": a, "b": b} for a, b in ((3, 5), (2, 8), (1, 1), (0, 4), (2, 30)))
    for axes in ((1,), (0,), (0, 1)):
        for inverse in (False, True):

            def of(e: Any, axes: Any = axes, inverse: bool = inverse) -> Any:
                return {"axes": axes, "inverse": inverse, "scaled": inverse}

            note = f"{'inverse' if inverse else 'forward'}{''.join(map(str, axes))}"
            yield Row(ops.Fft, (Arg("ab"),), COMPLEX, sizes, of, note=note)
            wide = (Arg("ab", "c128"),)
            yield Row(ops.Fft, wide, "f64", sizes[:2], of, smooth=True, note=f"{note}-smooth")
    yield Row(ops.Rfft, (Arg("ab"),), "f32 f64", sizes)
    yield Row(ops.Rfft, (Arg("ab"),), "f64", sizes[:2], smooth=True, note="smooth")
    lengths = tuple({**s, "b": s["b"] // 2 + 1, "n": s["b"]} for s in sizes)

    def length(e: Any) -> Any:
        return {"length": e["n"]}

    yield Row(ops.Irfft, (Arg("ab"),), COMPLEX, lengths, length)
    yield Row(
        ops.Irfft, (Arg("ab", "c128"),), "f64", lengths[:2], length, smooth=True, note="smooth"
    )
