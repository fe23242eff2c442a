"""What `generalise` finds for all sizes: the function of one size, of which it is given, again.

Each function below is for all batches n; with a number for n it is what a trace for one size gives.
Sums with what comes of the batch tell of a broadcast how large it is, through one op: so each op
must say which of its axes have one size. A number of another axis that is that of the batch by
chance (4) must not be taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from tfc.ir import text
from tfc.ir.extent import symbol
from tfc.ir.generalise import generalise

SIZE = 4

# The ops, of which the last one's result is returned.
ROWS = {
    "same elements": (
        "%0 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%1 = exp %0 : f32[n,4]",
        "%2 = add %1, %r : f32[n,4]",
    ),
    "both operands": (
        "%0 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%1 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%2 = mul %0, %1 : f32[n,4]",
        "%3 = add %2, %r : f32[n,4]",
    ),
    "one more axis": (
        "%0 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%1 = reshape %0 {shape = (n, 1, 4)} : f32[n,1,4]",
        "%2 = reshape %r {shape = (n, 1, 4)} : f32[n,1,4]",
        "%3 = add %1, %2 : f32[n,1,4]",
    ),
    "one row for all": (
        "%0 = broadcast %z {shape = (1, n), dims = ()} : f32[1,n]",
        "%1 = broadcast %0 {shape = (4, n), dims = (0, 1)} : f32[4,n]",
        "%2 = add %1, %t : f32[4,n]",
    ),
    "axes put together": (
        "%0 = broadcast %z {shape = (n, 2, 3), dims = ()} : f32[n,2,3]",
        "%1 = reshape %0 {shape = (n, 6)} : f32[n,6]",
        "%2 = broadcast %l {shape = (n, 6), dims = (0,)} : f32[n,6]",
        "%3 = add %1, %2 : f32[n,6]",
    ),
    "axes put together in front": (
        "%0 = broadcast %z {shape = (2, 3, n), dims = ()} : f32[2,3,n]",
        "%1 = reshape %0 {shape = (6, n)} : f32[6,n]",
        "%2 = broadcast %l {shape = (6, n), dims = (1,)} : f32[6,n]",
        "%3 = add %1, %2 : f32[6,n]",
    ),
    "axes put together between others": (
        "%0 = broadcast %z {shape = (n, 2, 3, 4), dims = ()} : f32[n,2,3,4]",
        "%1 = reshape %0 {shape = (n, 6, 4)} : f32[n,6,4]",
        "%2 = broadcast %r {shape = (n, 6, 4), dims = (0, 2)} : f32[n,6,4]",
        "%3 = add %1, %2 : f32[n,6,4]",
    ),
    "the batch put together with an axis": (
        "%0 = reshape %r {shape = (4*n,)} : f32[4*n]",
        "%1 = reshape %0 {shape = (2*n, 2)} : f32[2*n,2]",
        "%2 = reshape %1 {shape = (n, 2, 2)} : f32[n,2,2]",
        "%3 = reduce_sum %2 {axes = (1, 2)} : f32[n]",
        "%4 = add %3, %l : f32[n]",
    ),
    "axes put together behind others": (
        "%0 = broadcast %z {shape = (2, n, 2, 3), dims = ()} : f32[2,n,2,3]",
        "%1 = reshape %0 {shape = (2, n, 6)} : f32[2,n,6]",
        "%2 = broadcast %l {shape = (2, n, 6), dims = (1,)} : f32[2,n,6]",
        "%3 = add %1, %2 : f32[2,n,6]",
    ),
    "the batch taken apart": (
        "%0 = reshape %l {shape = (n//2, 2)} : f32[n//2,2]",
        "%1 = exp %0 : f32[n//2,2]",
    ),
    "an axis of the batch taken apart": (
        "%0 = reshape %r {shape = (n, 2, 2)} : f32[n,2,2]",
        "%1 = reshape %0 {shape = (2*n, 2)} : f32[2*n,2]",
        "%2 = exp %1 : f32[2*n,2]",
    ),
    "a product's rows": (
        "%0 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%1 = matmul %0, %w : f32[n,4]",
        "%2 = add %1, %r : f32[n,4]",
    ),
    "a product's columns": (
        "%0 = broadcast %z {shape = (4, n), dims = ()} : f32[4,n]",
        "%1 = matmul %w, %0 : f32[4,n]",
        "%2 = add %1, %t : f32[4,n]",
    ),
    "a product's sums": (
        "%0 = broadcast %z {shape = (3, n), dims = ()} : f32[3,n]",
        "%1 = matmul %0, %r : f32[3,4]",
    ),
    "a product for each": (
        "%0 = broadcast %z {shape = (n, 2, 3), dims = ()} : f32[n,2,3]",
        "%1 = broadcast %z {shape = (n, 3, 4), dims = ()} : f32[n,3,4]",
        "%2 = matmul %0, %1 : f32[n,2,4]",
        "%3 = broadcast %r {shape = (n, 2, 4), dims = (0, 2)} : f32[n,2,4]",
        "%4 = add %2, %3 : f32[n,2,4]",
    ),
    "a product for each of each": (
        "%0 = broadcast %z {shape = (2, n, 2, 3), dims = ()} : f32[2,n,2,3]",
        "%1 = broadcast %z {shape = (2, n, 3, 4), dims = ()} : f32[2,n,3,4]",
        "%2 = matmul %0, %1 : f32[2,n,2,4]",
        "%3 = broadcast %r {shape = (2, n, 2, 4), dims = (1, 3)} : f32[2,n,2,4]",
        "%4 = add %2, %3 : f32[2,n,2,4]",
    ),
    "a convolution's batch": (
        "%0 = broadcast %z {shape = (n, 5, 4), dims = ()} : f32[n,5,4]",
        "%1 = broadcast %z {shape = (3, 4, 4), dims = ()} : f32[3,4,4]",
        "%2 = conv %0, %1 {size = (5,), strides = (1,), low = (1,), rhs_dilation = (1,), "
        "lhs_dilation = (1,), groups = 1, batch_groups = 1} : f32[n,5,4]",
        "%3 = broadcast %r {shape = (n, 5, 4), dims = (0, 2)} : f32[n,5,4]",
        "%4 = add %2, %3 : f32[n,5,4]",
    ),
    "a convolution's channels": (
        "%0 = broadcast %l {shape = (1, 5, n), dims = (2,)} : f32[1,5,n]",
        "%1 = broadcast %z {shape = (3, n, 4), dims = ()} : f32[3,n,4]",
        "%2 = conv %0, %1 {size = (5,), strides = (1,), low = (1,), rhs_dilation = (1,), "
        "lhs_dilation = (1,), groups = 1, batch_groups = 1} : f32[1,5,4]",
    ),
    "a convolution's results": (
        "%0 = broadcast %z {shape = (1, 5, 2), dims = ()} : f32[1,5,2]",
        "%1 = broadcast %z {shape = (3, 2, n), dims = ()} : f32[3,2,n]",
        "%2 = conv %0, %1 {size = (5,), strides = (1,), low = (1,), rhs_dilation = (1,), "
        "lhs_dilation = (1,), groups = 1, batch_groups = 1} : f32[1,5,n]",
        "%3 = broadcast %l {shape = (1, 5, n), dims = (2,)} : f32[1,5,n]",
        "%4 = add %2, %3 : f32[1,5,n]",
    ),
    "a convolution in groups": (
        "%0 = broadcast %z {shape = (n, 5, 4), dims = ()} : f32[n,5,4]",
        "%1 = broadcast %z {shape = (3, 2, 4), dims = ()} : f32[3,2,4]",
        "%2 = conv %0, %1 {size = (5,), strides = (1,), low = (1,), rhs_dilation = (1,), "
        "lhs_dilation = (1,), groups = 2, batch_groups = 1} : f32[n,5,4]",
        "%3 = broadcast %r {shape = (n, 5, 4), dims = (0, 2)} : f32[n,5,4]",
        "%4 = add %2, %3 : f32[n,5,4]",
    ),
    "a convolution in groups of a batch": (
        "%0 = broadcast %l {shape = (2, 5, n), dims = (2,)} : f32[2,5,n]",
        "%1 = broadcast %z {shape = (3, n, 4), dims = ()} : f32[3,n,4]",
        "%2 = conv %0, %1 {size = (5,), strides = (1,), low = (1,), rhs_dilation = (1,), "
        "lhs_dilation = (1,), groups = 1, batch_groups = 2} : f32[1,5,4]",
    ),
    "a window's batch": (
        "%0 = broadcast %z {shape = (n, 5, 4), dims = ()} : f32[n,5,4]",
        "%1 = max_pool %0 {window = (2,), size = (5,), strides = (1,), low = (0,), "
        "rhs_dilation = (1,)} : f32[n,5,4]",
        "%2 = broadcast %r {shape = (n, 5, 4), dims = (0, 2)} : f32[n,5,4]",
        "%3 = add %1, %2 : f32[n,5,4]",
    ),
    "a window's channels": (
        "%0 = broadcast %z {shape = (4, 5, n), dims = ()} : f32[4,5,n]",
        "%1 = max_pool %0 {window = (2,), size = (5,), strides = (1,), low = (0,), "
        "rhs_dilation = (1,)} : f32[4,5,n]",
        "%2 = broadcast %t {shape = (4, 5, n), dims = (0, 2)} : f32[4,5,n]",
        "%3 = add %1, %2 : f32[4,5,n]",
    ),
    "sorted rows": (
        "%0 = broadcast %z {shape = (n, 3), dims = ()} : f32[n,3]",
        "%1 = sort %0 {descending = False} : f32[n,3]",
        "%2 = broadcast %l {shape = (n, 3), dims = (0,)} : f32[n,3]",
        "%3 = add %1, %2 : f32[n,3]",
    ),
    "what types tell": (
        "%0 = sort %t {descending = False} : f32[4,n]",
        "%1 = broadcast %z {shape = (4, n), dims = ()} : f32[4,n]",
        "%2 = add %1, %0 : f32[4,n]",
    ),
    "rows joined": (
        "%0 = broadcast %z {shape = (n, 2), dims = ()} : f32[n,2]",
        "%1 = concat [%0, %r] {axis = 1} : f32[n,6]",
    ),
    "batches joined": (
        "%0 = concat [%r, %r] {axis = 0} : f32[2*n,4]",
        "%1 = exp %0 : f32[2*n,4]",
    ),
    "rows reversed": (
        "%0 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%1 = reverse %0 {axes = (1,)} : f32[n,4]",
        "%2 = add %1, %r : f32[n,4]",
    ),
    "axes exchanged": (
        "%0 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%1 = transpose %0 {perm = (1, 0)} : f32[4,n]",
        "%2 = add %1, %t : f32[4,n]",
    ),
    "columns taken": (
        "%0 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%1 = slice %0 {begin = (0, 1), size = (n, 2), strides = (1, 1)} : f32[n,2]",
        "%2 = broadcast %l {shape = (n, 2), dims = (0,)} : f32[n,2]",
        "%3 = add %1, %2 : f32[n,2]",
    ),
    "every second column": (
        "%0 = slice %r {begin = (0, 0), size = (n, 2), strides = (1, 2)} : f32[n,2]",
        "%1 = exp %0 : f32[n,2]",
    ),
    "columns around": (
        "%0 = broadcast %z {shape = (n, 2), dims = ()} : f32[n,2]",
        "%1 = pad %0, %z {begin = (0, 1), shape = (n, 4), strides = (1, 1)} : f32[n,4]",
        "%2 = add %1, %r : f32[n,4]",
    ),
    "rows looked up": (
        "%0 = arg_max %r {axes = (1,)} : i64[n]",
        "%1 = gather %w, %0 {axis = 0} : f32[n,4]",
        "%2 = add %1, %r : f32[n,4]",
    ),
    "sums of columns": (
        "%0 = broadcast %z {shape = (n, 4), dims = ()} : f32[n,4]",
        "%1 = reduce_sum %0 {axes = (1,)} : f32[n]",
        "%2 = add %1, %l : f32[n]",
    ),
    "several results": (
        "%0 = broadcast %l {shape = (n, 3, 3), dims = (0,)} : f32[n,3,3]",
        "%1, %2 = hermitian_eigen %0 : f32[n,3], f32[n,3,3]",
        "%3 = exp %1 : f32[n,3]",
    ),
    "a mean over the batch": (
        "%0 = reduce_sum %r {axes = (0,)} : f32[4]",
        "%1 = extent_of {value = n} : i64",
        "%2 = cast %1 {dtype = f32} : f32",
        "%3 = broadcast %2 {shape = (4,), dims = ()} : f32[4]",
        "%4 = div %0, %3 : f32[4]",
    ),
    "a mean over all": (
        "%0 = extent_of {value = 4*n} : i64",
        "%1 = reduce_sum %r {axes = (0, 1)} : f32",
        "%2 = cast %0 {dtype = f32} : f32",
        "%3 = div %1, %2 : f32",
    ),
    "a mean over columns, beside sums over the batch": (
        "%0 = reduce_sum %r {axes = (0,)} : f32[4]",
        "%1 = reduce_sum %r {axes = (1,)} : f32[n]",
        "%2 = extent_of {value = 4} : i64",
        "%3 = cast %2 {dtype = f32} : f32",
        "%4 = broadcast %3 {shape = (n,), dims = ()} : f32[n]",
        "%5 = div %1, %4 : f32[n]",
    ),
    "a count of nothing near": (
        "%0 = extent_of {value = 7} : i64",
        "%1 = exp %r : f32[n,4]",
    ),
    "places counted": (
        "%0 = iota {shape = (n, 4), axis = 0, dtype = f32} : f32[n,4]",
        "%1 = add %0, %r : f32[n,4]",
    ),
    "a mean over columns, beside other sums": (
        "%0 = reduce_sum %r {axes = (0,)} : f32[4]",
        "%1 = broadcast %z {shape = (3,), dims = ()} : f32[3]",
        "%2 = reduce_sum %1 {axes = (0,)} : f32",
        "%3 = extent_of {value = n} : i64",
    ),
    "axes that look like a shape": (
        "%0 = broadcast %l {shape = (n, 0, 1, 2, 3), dims = (0,)} : f32[n,0,1,2,3]",
        "%1 = transpose %0 {perm = (4, 0, 1, 2, 3)} : f32[3,n,0,1,2]",
    ),
    "nothing under another axis": (
        "%0 = slice %r {begin = (0, 0), size = (0, 4), strides = (1, 1)} : f32[0,4]",
        "%1 = reshape %0 {shape = (5, 0, 4)} : f32[5,0,4]",
    ),
    "nothing behind the batch": (
        "%0 = broadcast %l {shape = (n, 0, 3), dims = (0,)} : f32[n,0,3]",
        "%1 = reshape %0 {shape = (n, 4, 0, 3)} : f32[n,4,0,3]",
    ),
    "nothing in other places": (
        "%0 = slice %r {begin = (0, 0), size = (n, 0), strides = (1, 1)} : f32[n,0]",
        "%1 = reshape %0 {shape = (3, 0, 2)} : f32[3,0,2]",
    ),
    "rows without elements": (
        "%0 = slice %r {begin = (0, 0), size = (n, 0), strides = (1, 1)} : f32[n,0]",
        "%1 = reshape %0 {shape = (n, 0, 3)} : f32[n,0,3]",
    ),
}
PARAMS = "%r: f32[n,4], %l: f32[n], %w: f32[4,4], %z: f32"
TURNED = "%t = transpose %r {perm = (1, 0)} : f32[4,n]"


def function(ops: Sequence[str], size: str) -> str:
    """The text of a function of these ops, for a size."""
    ops = [*([TURNED] if "%t" in "".join(ops) else []), *ops]
    result, _, rest = ops[-1].partition(" = ")
    body = "".join(f"  {op}\n" for op in ops)
    given = f"func @f({PARAMS}) -> {rest.rpartition(' : ')[2]} {{\n{body}  return {result}\n}}"
    if size != "n":
        given = re.sub(r"(\d)\*n\b", lambda m: str(int(m[1]) * SIZE), given)
        given = re.sub(r"\bn//2\b", str(SIZE // 2), given)
    return str(text.parse(re.sub(r"\bn\b", size, given)))


BATCHES = {0: symbol("n"), 1: symbol("n")}


@pytest.mark.parametrize("row", ROWS)
def test_the_function_for_all_sizes_is_found_again(row: str) -> None:
    """What the batch is not in stays as it is: that is what journals know."""
    static = text.parse(function(ROWS[row], str(SIZE)))
    found = generalise(static, BATCHES)
    assert found is not None and str(found) == function(ROWS[row], "n")
    for mine, theirs in zip(found.params, static.params, strict=True):
        assert (mine is theirs) == (mine.type == theirs.type)
    kept = {*static.params, *(v for op in static.body for v in op.results)}
    for mine, theirs in zip(found.body, static.body, strict=True):
        same = kept.issuperset(mine.operands) and mine.attributes == theirs.attributes
        assert (mine is theirs) == same


NONE = {
    "a batch beside another": (
        "%0 = broadcast %l {shape = (4, 4), dims = (0,)} : f32[4,4]",
        "%1 = add %r, %0 : f32[4,4]",
    ),
    "a number that is the batch's": ("%0 = add %r, %w : f32[4,4]",),
    "a branch of the batch": (
        "%0 = greater %z, %z : bool",
        "%1 = cond %0, [%r] then = (%a: f32[4,4]) {",
        "return %a",
        "} orelse = (%b: f32[4,4]) {",
        "%2 = exp %b : f32[4,4]",
        "return %2",
        "} : f32[4,4]",
    ),
}


@pytest.mark.parametrize("row", NONE)
def test_nothing_is_guessed_where_sizes_cannot_be_told_apart(row: str) -> None:
    body = "".join(f"  {op}\n" for op in NONE[row])
    result = "%1" if "%1" in body else "%0"
    given = f"func @f({PARAMS}) -> f32[4,4] {{\n{body}  return {result}\n}}"
    batches = {0: symbol("n"), 1: symbol("m")}
    assert generalise(text.parse(re.sub(r"\bn\b", "4", given)), batches) is None


def test_what_has_no_branch_of_the_batch_is_guessed_beside_it() -> None:
    given = """func @f(%r: f32[4,4], %l: f32[4], %p: bool, %z: f32) -> (f32[4,4], f32) {
      %1 = cond %p, [%z] then = (%a: f32) {
        return %a
      } orelse = (%b: f32) {
        %2 = exp %b : f32
        return %2
      } : f32
      %3 = exp %r : f32[4,4]
      return %3, %1
    }"""
    found = generalise(text.parse(given), BATCHES)
    assert found is not None and [str(v.type) for v in found.returns] == ["f32[n,4]", "f32"]


def test_there_is_nothing_to_guess_of_a_function_of_all_sizes() -> None:
    assert generalise(text.parse(function(ROWS["same elements"], "n")), {}) is None
