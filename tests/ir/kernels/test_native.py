"""Whole functions natively: what they may return, views, masks, checks, sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import native
from tfc.ir import kernel_ops, ops
from tfc.ir.core import Builder, Function, Location, Value
from tfc.ir.dtypes import as_dtype
from tfc.ir.extent import symbol
from tfc.ir.interpreter import interpret
from tfc.ir.text import parse
from tfc.ir.types import TensorType, parse_type


def check(text: str, *arrays: Any) -> list[np.ndarray]:
    """Native, op by op and interpreted results of `text` are the same bits."""
    f = parse(text)
    wanted = interpret(f, arrays)
    native.assert_same_bits(native.run(f, *arrays), wanted, "optimised")
    native.assert_same_bits(native.Native(f, ())(*arrays), wanted, "as it is")
    native.assert_same_bits(native.run_eagerly(f, *arrays), wanted, "op by op")
    return wanted


X = np.arange(12, dtype=np.float32).reshape(3, 4) - 5


def test_the_same_value_twice() -> None:
    check(
        """func @f(%x: f32[n,4]) -> (f32[n,4], f32[n,4], f32[n,4]) {
          %0 = neg %x : f32[n,4]
          return %0, %0, %x
        }""",
        X,
    )


def test_parameters_and_views_of_them() -> None:
    check(
        """func @f(%x: f32[3,4], %y: i8) -> (f32[3,4], f32[12], f32[3,4], f32[2,6], i8) {
          %0 = reshape %x {shape = (12,)} : f32[12]
          %1 = reshape %0 {shape = (2, 6)} : f32[2,6]
          return %x, %0, %x, %1, %y
        }""",
        X,
        np.int8(3),
    )


def test_views_of_results() -> None:
    check(
        """func @f(%x: f32[n,4]) -> (f32[4*n], f32[n,4], f32[2,2*n], f32[n,4]) {
          %0 = neg %x : f32[n,4]
          %1 = reshape %0 {shape = (4*n,)} : f32[4*n]
          %2 = reshape %1 {shape = (2, 2*n)} : f32[2,2*n]
          %3 = abs %2 : f32[2,2*n]
          %4 = reshape %3 {shape = (n, 4)} : f32[n,4]
          return %1, %0, %2, %4
        }""",
        X,
    )


def test_constants_as_results() -> None:
    check(
        """func @f(%x: f32) -> (f32, f32, bool, i32[3], f32[2,3], i64[0], f32) {
          %0 = constant {value = f32 1.5} : f32
          %1 = constant {value = bool True} : bool
          %2 = constant {value = i32[3] 1 2 3} : i32[3]
          %3 = broadcast %0 {shape = (2, 3), dims = ()} : f32[2,3]
          %4 = constant {value = i64[0] } : i64[0]
          return %0, %0, %1, %2, %3, %4, %x
        }""",
        np.float32(2),
    )


def test_no_parameters_and_no_results() -> None:
    check(
        """func @f() -> f32 {
          %0 = constant {value = f32 1.5} : f32
          return %0
        }"""
    )
    check("func @f(%x: f32) -> () {\n return\n}", np.float32(1))


def test_scalars_and_ones() -> None:
    check(
        """func @f(%x: f32, %y: f32[1,1]) -> (f32[1,1,1], f32, f32[1]) {
          %0 = reshape %x {shape = (1, 1, 1)} : f32[1,1,1]
          %1 = neg %0 : f32[1,1,1]
          %2 = reshape %y {shape = ()} : f32
          %3 = add %2, %x : f32
          %4 = reduce_sum %y {axes = (0,)} : f32[1]
          return %1, %3, %4
        }""",
        np.float32(2),
        np.float32([[3]]),
    )


def test_pads_in_concats_in_pads() -> None:
    check(
        """func @f(%x: f32[n,4], %y: f32[m,4], %z: f32) -> f32[2*n+m+7,9] {
          %0 = pad %x, %z {begin = (1, 0), shape = (n + 3, 4), strides = (1, 1)} : f32[n+3,4]
          %1 = reverse %y {axes = (0, 1)} : f32[m,4]
          %2 = concat [%0, %1, %x] {axis = 0} : f32[2*n+m+3,4]
          %3 = neg %2 : f32[2*n+m+3,4]
          %4 = pad %3, %z {begin = (2, 1), shape = (2*n+m+7, 9), strides = (1, 2)} : f32[2*n+m+7,9]
          return %4
        }""",
        X,
        X[:2] * 10,
        np.float32(-0.5),
    )


def test_slices_of_concats_of_broadcasts() -> None:
    check(
        """func @f(%x: f32[3,4], %b: f32[4]) -> f32[2,3] {
          %0 = broadcast %b {shape = (3, 4), dims = (1,)} : f32[3,4]
          %1 = concat [%x, %0] {axis = 1} : f32[3,8]
          %2 = transpose %1 {perm = (1, 0)} : f32[8,3]
          %3 = slice %2 {begin = (3, 0), size = (2, 3), strides = (3, 1)} : f32[2,3]
          return %3
        }""",
        X,
        np.float32([1, 2, 3, 4]),
    )


def test_gather_of_gather_under_a_mask() -> None:
    """Indices are checked where they are used alone."""
    check(
        """func @f(%x: f32[4], %i: i32[5], %z: f32) -> f32[8] {
          %0 = gather %x, %i {axis = 0} : f32[5]
          %1 = gather %0, %i {axis = 0} : f32[5]
          %2 = pad %1, %z {begin = (2,), shape = (8,), strides = (1,)} : f32[8]
          return %2
        }""",
        np.float32([1, 2, 3, 4]),
        np.int32([3, 0, 1, 2, 3]),
        np.float32(9),
    )


def test_reductions_of_reductions_and_of_joined_rows() -> None:
    f = """func @f(%x: f32[n,4], %y: f32[n,3]) -> (f32[n,7], f32, i64) {
      %0 = concat [%x, %y] {axis = 1} : f32[n,7]
      %1 = reduce_max %0 {axes = (1,)} : f32[n]
      %2 = broadcast %1 {shape = (n, 7), dims = (0,)} : f32[n,7]
      %3 = sub %0, %2 : f32[n,7]
      %4 = reduce_min %3 {axes = (1,)} : f32[n]
      %5 = reduce_max %4 {axes = (0,)} : f32
      %6 = arg_min %4 {axes = (0,)} : i64
      return %3, %5, %6
    }"""
    check(f, X, X[:, :3] * 3)
    check(f, np.tile(X, (30, 1)), np.tile(X[:, :3], (30, 1)))


def test_argmax_of_ties_and_nans() -> None:
    nan, inf = np.nan, np.inf
    rows = np.float32(
        [[1, 3, 3], [nan, 5, nan], [5, nan, 7], [-inf] * 3, [nan] * 3, [0.0, -0.0, 0.0]]
    )
    for extents in ("n,m", "6,3"):
        for axis, kept in ((1, extents[0]), (0, extents[2])):
            check(
                f"""func @f(%x: f32[{extents}]) -> (i64[{kept}], i64[{kept}]) {{
                  %0 = arg_max %x {{axes = ({axis},)}} : i64[{kept}]
                  %1 = arg_min %x {{axes = ({axis},)}} : i64[{kept}]
                  return %0, %1
                }}""",
                rows,
            )


def test_booleans() -> None:
    check(
        """func @f(%p: bool[n], %q: bool[n]) -> (bool[n], bool, bool[2*n], i8[n], bool[n]) {
          %0 = bitwise_and %p, %q : bool[n]
          %1 = select %p, %q, %0 : bool[n]
          %2 = equal %p, %q : bool[n]
          %3 = reduce_any %2 {axes = (0,)} : bool
          %4 = concat [%1, %q] {axis = 0} : bool[2*n]
          %5 = cast %1 {dtype = i8} : i8[n]
          %6 = reverse %2 {axes = (0,)} : bool[n]
          return %1, %3, %4, %5, %6
        }""",
        np.arange(70) % 2 == 0,
        np.arange(70) % 3 == 0,
    )


def test_integer_division_at_the_ends() -> None:
    for short in ("i8", "i16", "i32", "i64", "u8", "u64"):
        info = np.iinfo(as_dtype(short).numpy)
        x = np.array([info.min, info.min, info.max, info.max, 7, 0], as_dtype(short).numpy)
        y = np.array([-1 if info.min else 3, info.max, 2, info.min or 5, 3, 1], x.dtype)
        text = f"""func @f(%x: {short}[6], %y: {short}[6]) -> ({short}[6], {short}[6]) {{
          %0 = floor_div %x, %y : {short}[6]
          %1 = floor_mod %x, %y : {short}[6]
          return %0, %1
        }}"""
        quotient, rest = native.run(parse(text), x, y)
        wrap = 1 << as_dtype(short).bits
        for a, b, q, r in zip(*(v.tolist() for v in (x, y, quotient, rest)), strict=True):
            assert (q - a // b) % wrap == 0 and r == a % b, (a, b, q, r)


def test_a_long_chain_is_one_kernel() -> None:
    b = Builder("chain")
    x = b.parameter(TensorType(as_dtype("f32"), (symbol("n"),)), "x")
    y = x
    for i in range(1000):
        y = b.emit(ops.Neg(y) if i % 3 == 0 else ops.Add(y, x))
    f = b.build(y)
    assert sum(isinstance(op, kernel_ops.Launch) for op in native.lowered(f).body) == 1
    array = np.linspace(-1, 1, 37, dtype=np.float32)
    native.assert_same_bits(native.run(f, array), interpret(f, [array]))


def test_long_chains_of_index_maps() -> None:
    b = Builder("chain")
    x = b.parameter(TensorType(as_dtype("f32"), (6,)), "x")
    y = x
    for i in range(300):
        y = b.emit(ops.Add(y, x))
        for _ in range(3):
            y = b.emit(ops.Reverse(y, (0,)) if i % 2 else ops.Transpose(y, (0,)))
    f = b.build(y)
    array = np.arange(6, dtype=np.float32)
    native.assert_same_bits(native.Native(f, ())(array), interpret(f, [array]))


def test_many_kernels() -> None:
    b = Builder("sums")
    x = b.parameter(TensorType(as_dtype("f64"), (4, 4)), "x")
    y = x
    for i in range(60):
        row = b.emit(ops.ReduceMax(y, (i % 2,)))
        y = b.emit(ops.Sub(y, b.emit(ops.Broadcast(row, (4, 4), (1 - i % 2,)))))
    f = b.build(y)
    array = np.random.default_rng(0).normal(size=(4, 4))
    native.assert_same_bits(native.run(f, array), interpret(f, [array]))


@pytest.mark.parametrize("bad", [5, -1, 2**31 - 1])
@pytest.mark.parametrize("count", [1, 40])
def test_an_index_out_of_range(bad: int, count: int) -> None:
    f = parse(
        """func @f(%x: f32[a], %i: i32[n]) -> f32[n] {
          %0 = gather %x, %i {axis = 0} : f32[n]    # model.py:5
          return %0
        }"""
    )
    indices = np.zeros(count, np.int32)
    indices[-1] = bad
    compiled = native.Native(f)
    with pytest.raises(native.Failed) as failed:
        compiled(np.float32([1, 2, 3]), indices)
    site = compiled.kernels.notes["sites"][0]
    assert (site.kind, site.op, site.location) == ("index", "gather", Location("model.py", 5))
    assert str(bad) in str(failed.value) and "3" in str(failed.value)
    with pytest.raises(IndexError, match=f"index {bad} is not in"):
        interpret(f, [np.float32([1, 2, 3]), indices])
    np.testing.assert_array_equal(compiled(np.float32([1, 2, 3]), indices * 0)[0], [1] * count)


def test_a_scatter_out_of_range() -> None:
    f = parse(
        """func @f(%i: i32[n], %u: f32[n,m]) -> f32[3,m] {
          %0 = scatter_add %i, %u {rows = 3} : f32[3,m]
          return %0
        }"""
    )
    with pytest.raises(native.Failed):
        native.run(f, np.int32([0, 3]), np.ones((2, 5), np.float32))


@pytest.mark.parametrize("op", ["floor_div", "floor_mod"])
def test_integer_division_by_zero(op: str) -> None:
    f = parse(
        f"""func @f(%x: i32[n], %y: i32[n]) -> i32[n] {{
          %0 = {op} %x, %y : i32[n]    # model.py:8
          return %0
        }}"""
    )
    compiled = native.Native(f)
    y = np.ones(19, np.int32)
    compiled(y, y)
    y[18] = 0
    with pytest.raises(native.Failed):
        compiled(y, y)
    assert compiled.kernels.notes["sites"][0].location == Location("model.py", 8)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_symbolic_divisions_of_extents(n: int) -> None:
    """Also by zero, and of negative numbers: rounded down, as in Python."""
    f = parse(
        """func @f(%x: f32[n], %y: f32[m]) -> (i64, i64, i64) {
          %0 = extent_of {value = (n - 4)//3} : i64
          %1 = extent_of {value = (n - 4)%3} : i64
          %2 = extent_of {value = (7*n)//(m + 1)} : i64
          return %0, %1, %2
        }"""
    )
    arrays = [np.zeros(n, np.float32), np.zeros(2, np.float32)]
    native.assert_same_bits(native.run(f, *arrays), interpret(f, arrays))


def test_extents_that_divide_by_zero_do_not_end_the_process() -> None:
    f = parse(
        """func @f(%x: f32[n], %y: f32[m]) -> i64 {
          %0 = extent_of {value = n//m} : i64
          return %0
        }"""
    )
    native.run(f, np.zeros(3, np.float32), np.zeros(0, np.float32))


def call(b: Builder, callee: Function, *args: Value) -> Value:
    return b.emit(ops.Call(args, callee))


def test_calls_share_a_callee() -> None:
    b = Builder("sigmoid_twice")
    x = b.parameter(parse_type("f64[n]"), "x")
    inner = parse("func @g(%a: f64[n]) -> f64[n] {\n %0 = mul %a, %a : f64[n]\n return %0\n}")
    f = b.build(call(b, inner, call(b, inner, x)))
    array = np.float64([1, 2, 3])
    native.assert_same_bits(native.run(f, array), [array**4])
    native.assert_same_bits(interpret(f, [array]), [array**4])


def test_matmul_of_transposes_and_masked_operands() -> None:
    f = parse(
        """func @f(%x: f32[k,m], %y: f32[n,k], %z: f32) -> (f32[m,n], f32[n,m]) {
          %0 = transpose %x {perm = (1, 0)} : f32[m,k]
          %1 = transpose %y {perm = (1, 0)} : f32[k,n]
          %2 = matmul %0, %1 : f32[m,n]
          %3 = exp %2 : f32[m,n]
          %4 = transpose %3 {perm = (1, 0)} : f32[n,m]
          return %2, %4
        }"""
    )
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype(np.float32) for s in ((5, 17), (33, 5), ())]
    got = native.run(f, *arrays)
    native.assert_same_bits(native.run_eagerly(f, *arrays), got)
    np.testing.assert_allclose(got[0], arrays[0].T @ arrays[1].T, rtol=1e-5, atol=1e-5)
