"""The last elements of a row are stored under a mask, and what lies behind them stays."""

from __future__ import annotations

import numpy as np
import pytest

from tests import native
from tfc.backends.cpu import program
from tfc.ir import text
from tfc.ir.core import OpError
from tfc.ir.dtypes import as_dtype
from tfc.ir.verify import verify

KERNEL = """
func @f(%x: {wide}[{n}], %y: {narrow}[80]) -> {narrow}[80] {{
  %0 = launch [%x, %y] {{types = ({narrow}[80],)}} kernel = (
      %a: *{wide}[{n}], %b: *{narrow}[80], %out: *{narrow}[80]) {{
    %1 = constant {{value = i64 0}} : i64
    %2 = constant {{value = i64 80}} : i64
    for %1, %2, [] {{step = 1, kind = 'vector'}} body = (%i: i64) {{
      %3 = load %b, %i, none : {narrow}
      store %out, %i, %3
      return
    }}
    %4 = constant {{value = i64 {n}}} : i64
    for %1, %4, [] {{step = 1, kind = 'vector'}} body = (%j: i64) {{
      %5 = load %a, %j, none : {wide}
      %6 = cast %5 {{dtype = {narrow}}} : {narrow}
      store %out, %j, %6
      return
    }}
    return
  }} : {narrow}[80]
  return %0
}}
"""
PAIRS = [("i64", "i32"), ("i64", "i8"), ("i32", "u8"), ("i32", "i16"), ("f64", "f32")]


@pytest.mark.parametrize(("wide", "narrow"), PAIRS)
def test_a_narrower_dtype(wide: str, narrow: str) -> None:
    """One element is left for the mask where the length is 1 more than vectors take; LLVM 22
    stores it as wide as it was before the cast, if it is asked for a masked store."""
    fresh = np.arange(80).astype(as_dtype(narrow).numpy)
    for n in (1, 9, 17, 33, 34, 65):
        source = KERNEL.format(wide=wide, narrow=narrow, n=n).replace("(\n      ", "(")
        f = verify(text.parse(source))
        run = program.compile_program(f, program.Signature(tuple_result=True)).bind(lambda *_: None)
        x = (100 - np.arange(n)).astype(as_dtype(wide).numpy)
        (got,) = run(native.tensor(x), native.tensor(fresh))
        wanted = fresh.copy()
        wanted[:n] = x
        np.testing.assert_array_equal(got._array, wanted, err_msg=f"{n}")


def test_lanes_that_store_at_one_place() -> None:
    """No schedule writes such a kernel, but a text may have one: an error of the store."""
    source = KERNEL.format(wide="f32", narrow="f32", n=9).replace("(\n      ", "(")
    f = verify(text.parse(source.replace("store %out, %i, %3", "store %out, %1, %3")))
    with pytest.raises(OpError, match="the value varies along the lanes"):
        program.compile_program(f, program.Signature(tuple_result=True))
