"""Products of the small numbers in words: in one lane by shifts, in all by one instruction."""

from __future__ import annotations

import numpy as np
import pytest

from tests import native
from tfc.backends.cpu import program
from tfc.ir import text
from tfc.ir.verify import verify

KERNEL = """
func @f(%x: i32[37], %y: i32[37]) -> (i32[37], i32[37]) {
  %0, %1 = launch [%x, %y] {types = (i32[37], i32[37])} kernel = (BUFFERS) {
    %2 = constant {value = i64 0} : i64
    %3 = constant {value = i64 37} : i64
    for %2, %3, [] {step = 1, kind = 'KIND'} body = (%i: i64) {
      %4 = load %a, %i, none : i32
      %5 = load %b, %i, none : i32
      %6 = add_products %4, %5, %4 {size = 4} : i32
      store %four, %i, %6
      %7 = add_products %4, %5, %5 {size = 2} : i32
      store %two, %i, %7
      return
    }
    return
  } : i32[37], i32[37]
  return %0, %1
}
"""
BUFFERS = ", ".join(f"%{name}: *i32[37]" for name in ("a", "b", "four", "two"))


@pytest.mark.parametrize("kind", ["serial", "vector"])
def test_sums_wrap(kind: str) -> None:
    """Four bytes, unsigned by signed, and two int16."""
    rng = np.random.default_rng(2)
    x, y = (rng.integers(-(2**31), 2**31, 37, np.int32) for _ in range(2))
    x[0] = y[0] = -(2**31) + 2**15  # two of the least int16, whose products are 2^31 together
    fours = x.view(np.uint8).astype(np.int32) * y.view(np.int8)
    twos = x.view(np.int16).astype(np.int32) * y.view(np.int16)
    f = verify(text.parse(KERNEL.replace("KIND", kind).replace("BUFFERS", BUFFERS)))
    run = program.compile_program(f, program.Signature(tuple_result=True)).bind(lambda *_: None)
    got = [result._array for result in run(native.tensor(x), native.tensor(y))]
    wanted = [fours.reshape(37, 4), twos.reshape(37, 2)]
    np.testing.assert_array_equal(got[0], wanted[0].sum(1, dtype=np.int32) + x)
    np.testing.assert_array_equal(got[1], wanted[1].sum(1, dtype=np.int32) + y)


PAIRS = """
func @f(%x: f32[37], %y: f32[37], %z: f32[37]) -> f32[37] {
  %0 = launch [%x, %y, %z] {types = (f32[37],)} kernel = (BUFFERS) {
    %2 = constant {value = i64 0} : i64
    %3 = constant {value = i64 37} : i64
    for %2, %3, [] {step = 1, kind = 'KIND'} body = (%i: i64) {
      %4 = load %a, %i, none : f32
      %5 = load %b, %i, none : f32
      %6 = load %c, %i, none : f32
      %7 = add_bfloat16_products %4, %5, %6 : f32
      store %sum, %i, %7
      return
    }
    return
  } : f32[37]
  return %0
}
""".replace("BUFFERS", ", ".join(f"%{name}: *f32[37]" for name in ("a", "b", "c", "sum")))


@pytest.mark.parametrize("kind", ["serial", "vector"])
def test_pairs_of_bfloat16_are_added_one_after_the_other(kind: str) -> None:
    """The upper halves first, with one rounding each: products of bfloat16 are exact in float64,
    and so are these sums, of which some are halfway between two float32."""
    rng = np.random.default_rng(3)
    f = verify(text.parse(PAIRS.replace("KIND", kind)))
    run = program.compile_program(f, program.Signature(tuple_result=True)).bind(lambda *_: None)
    for _ in range(20):
        halves = rng.standard_normal((2, 37, 2)) * 2.0 ** rng.integers(-6, 6, (2, 37, 2))
        words = halves.astype(np.float32).view(np.uint32) >> 16
        low, high = (np.uint32(words[..., i]) << 16 for i in range(2))
        x, y = (low >> 16) | high
        total = np.float32(rng.standard_normal(37))
        total[:9] = -(high[0].view(np.float32) * high[1].view(np.float32))[:9]
        wanted = total
        for half in (high, low):
            product = np.float64(half[0].view(np.float32)) * half[1].view(np.float32)
            wanted = np.float32(product + wanted)
        (got,) = run(*(native.tensor(v) for v in (x.view(np.float32), y.view(np.float32), total)))
        np.testing.assert_array_equal(got._array, wanted)
