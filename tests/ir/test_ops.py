"""Every op of the table, natively: against NumPy, static against symbolic, fused against not.
(Its derivatives are in autodiff/test_pullbacks.py.)"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests import native
from tests.optable import ROWS, Row, sample
from tests.sampling import ALL
from tfc.ir.core import Builder, Function, Op, OpError, Value
from tfc.ir.dtypes import DType, as_dtype
from tfc.ir.extent import Expr, symbol
from tfc.ir.interpreter import interpret
from tfc.ir.ops import ArgSort, Matmul, Sort
from tfc.ir.ops.elementwise import Elementwise
from tfc.ir.types import TensorType, parse_type

SAMPLE = [(r, tuple(r.dtypes.split())) for r in ROWS] if ALL else sample(ROWS)
ELEMENTWISE = [(r, dtypes) for r, dtypes in SAMPLE if issubclass(r.op, Elementwise)]
OTHERS = [(r, dtypes) for r, dtypes in SAMPLE if not issubclass(r.op, Elementwise)]

# What known extents change (index arithmetic, loops of known length) sees of dtypes how wide their
# elements are, and of elementwise ops nothing (see test_ranks). So each row, of elementwise ones
# every third, is compiled for such with one of its dtypes, in turn; products and sorts, which have
# schedules for each, with all.
SYMBOLIC_ALONE = {
    (id(row), short)
    for rows, step in ((ELEMENTWISE, 3), (OTHERS, 1))
    for i, (row, dtypes) in enumerate(rows)
    for short in dtypes
    if i % step or short != dtypes[i // step % len(dtypes)]
    if row.op not in (Matmul, Sort, ArgSort) and not ALL
}

# What has no meaning outside of kernels, or takes functions (tested in test_native.py).
NOT_IN_TABLE = {"load", "store", "for", "reduce", "assert", "launch", "truncate", "call"}
NOT_IN_TABLE |= {"load_pair", "store_pair", "host_launch", "local", "combine"}
NOT_IN_TABLE |= {
    "parallel",
    "choose_buffer",
    "prefetch",
    "transpose_tile",
    "load_transposed",
}  # of schedules
NOT_IN_TABLE |= {"opaque", "view_buffer", "add_products", "add_bfloat16_products"}  # the same
NOT_IN_TABLE |= {"grid", "shared", "barrier", "shuffle", "load_many", "store_many", "aligned"}
NOT_IN_TABLE |= {"load_fragments", "multiply_fragments"}  # in test_ptx.py
NOT_IN_TABLE |= {"copy_async", "commit_copies", "await_copies", "round_fragment"}  # test_ptx_copies
NOT_IN_TABLE |= {"fence_tiles", "multiply_tiles"}  # in test_ptx_warpgroups.py
NOT_IN_TABLE |= {"rarely"}  # in test_rare.py
NOT_IN_TABLE |= {"call_routine"}  # of convolutions by infinite weights, in test_convolutions.py
NOT_IN_TABLE |= {"call_scalar"}  # of what several kernels seldom run, in test_expansions.py
NOT_IN_TABLE |= {"sort_tile", "merge_runs", "append"}  # of sorts
NOT_IN_TABLE |= {"cond", "while", "scan", "growing_while"}  # in test_control.py
NOT_IN_TABLE |= {"repeat", "branch"}  # kernels: of control flow
NOT_IN_TABLE |= {"reload", "reload_pair", "update"}  # and of updates
NOT_IN_TABLE |= {"bind_extent", "same_extent"}  # in test_staged.py
NOT_IN_TABLE |= {"custom_gradient", "check", "fail"}  # the latter two in test_debugging.py
NOT_IN_TABLE |= {"timestamp"}  # in test_namespaces.py
NOT_IN_TABLE |= {"python_start", "python_run", "python_replay", "python_shape"}
NOT_IN_TABLE |= {"python_result", "python_gradient"}  # in test_python_calls.py
NOT_IN_TABLE |= {"host_function", "host_run", "host_result", "host_effect"}
NOT_IN_TABLE |= {"begin_loop", "end_loop", "end_round"}  # in test_strings_in_functions.py
NOT_IN_TABLE |= {"all_reduce", "all_gather", "broadcast_from"}  # in test_collectives.py
NOT_IN_TABLE |= {"all_reduce_start", "all_reduce_wait"}  # there
NOT_IN_TABLE |= {"inspect"}  # in test_trace_nans.py


def test_every_op_has_a_row() -> None:
    assert set(Op.by_name) - NOT_IN_TABLE == {row.op.mnemonic for row in ROWS}


def unit(array: np.ndarray, dtype: DType) -> np.ndarray:
    """The distance between neighbours in `dtype` around each element, as float64 or wider."""
    wide = np.longdouble if dtype.bits == 64 else np.float64
    digits = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}[dtype.short]
    smallest = {"f16": -24, "bf16": -133, "f32": -149, "f64": -1074}[dtype.short]
    _, exponent = np.frexp(np.abs(array.astype(wide)))
    return np.ldexp(wide(1), np.maximum(exponent - digits, smallest))


def assert_close(row: Row, dtype: DType, got: np.ndarray, wanted: np.ndarray) -> None:
    """As near as the row says; nan, inf and zeros (of either sign) where NumPy has them. What is
    told of complex numbers is how near they are in the plane, or that the parts are the same."""
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    if dtype.is_complex:
        part = dtype.real_dtype
        if row.ulp == 0 and row.tolerance == 0:
            got, wanted = (np.stack([z.real, z.imag]) for z in (got, wanted))
        else:
            wide = np.clongdouble if part.bits == 64 else np.complex128
            finite = np.isfinite(wanted)
            assert not np.isfinite(got[~finite]).any()
            wanted = wanted[finite].astype(wide)
            difference = np.abs(got[finite].astype(wide) - wanted)
            got, wanted = np.abs(wanted) + difference, np.abs(wanted)
            got, wanted = got.astype(part.numpy), wanted.astype(part.numpy)
        dtype = part
    if not dtype.is_floating or (row.ulp == 0 and row.tolerance == 0):
        equal = (got == wanted) | ((got != got) & (wanted != wanted))
        assert equal.all(), f"{got[~equal]} instead of {wanted[~equal]}"
        return
    wide = np.longdouble if dtype.bits == 64 else np.float64
    x, y = got.astype(wide), wanted.astype(wide)
    finite = np.isfinite(y)
    np.testing.assert_array_equal(x[~finite], y[~finite])
    step = unit(y, dtype)[finite]
    bound = row.ulp * step
    if row.tolerance:
        top = np.max(np.abs(y[finite]), initial=1.0)
        bound = row.tolerance * 8 * unit(np.asarray(top), dtype) + bound
    error = np.abs(x[finite] - y[finite])
    assert (error <= bound).all(), f"off by {np.max(error / step)} ulp"


def together(row: Row, dtypes: Sequence[str]) -> Function:
    """The op once for each dtype, on parameters and extents of its own: as many kernels, which LLVM
    compiles at once. What a module costs by itself is more than most of them."""
    b = Builder(row.op.mnemonic)
    results: list[Value] = []
    for number, dtype in enumerate(map(as_dtype, dtypes)):
        extents = {d: symbol(f"{d}{number}") for d in row.sizes[0]}
        params = [b.parameter(a.type(dtype, extents)) for a in row.inputs]
        results += b.emit_all(row.build(dtype, params[: len(row.args)], extents))
    return b.build(*results)


@pytest.mark.parametrize(
    ("row", "dtypes"), [pytest.param(row, dtypes, id=row.name) for row, dtypes in SAMPLE if dtypes]
)
def test_native(row: Row, dtypes: tuple[str, ...]) -> None:
    """Symbolic extents against NumPy at all sizes; one static size bit for bit."""
    shapes = [v.shape for v in row.function(dtypes[0]).returns]
    if any(isinstance(extent, Expr) for shape in shapes for extent in shape):
        check(row, dtypes)
    else:  # what gives scalars would be one kernel
        for short in dtypes:
            check(row, (short,))


def check(row: Row, dtypes: tuple[str, ...]) -> None:
    compiled = native.Native(together(row, dtypes))
    functions = [row.function(dtype) for dtype in dtypes]
    known = row.sizes[len(row.sizes) // 2]
    for sizes in row.sizes:
        given = [row.arrays(dtype, sizes) for dtype in dtypes]
        found = iter(compiled(*itertools.chain(*given)))
        for short, f, arrays in zip(dtypes, functions, given, strict=True):
            got = list(itertools.islice(found, len(f.returns)))
            for x, y in zip(got, interpret(f, arrays), strict=True):
                assert_close(row, as_dtype(x.dtype), x, y)
            if sizes == known and (id(row), short) not in SYMBOLIC_ALONE:
                static = native.run(row.function(short, sizes), *arrays)
                native.assert_same_bits(static, got, f"static {short} {sizes}")


RANKS = [(), (5,), (3, 17), (2, 3, 5), (2, 1, 3, 4), (0, 3), (3, 0), (1, 1, 1, 1)]
LINES = [r for r, dtypes in ELEMENTWISE if dtypes and {a.dims for a in r.args} == {"n"}]
FIRST = {r.op: r for r in reversed(LINES)}  # a row of each op


@pytest.mark.parametrize(
    ("row", "place"), [pytest.param(r, i, id=r.name) for i, r in enumerate(FIRST.values())]
)
def test_ranks(row: Row, place: int) -> None:
    """An elementwise op gives the same bits under every shape, static or not. How shapes become
    loops does not look at the op: each takes three of the shapes, which go round."""
    dtype = as_dtype(row.dtypes.split()[-1])
    compiled = native.Native(row.function(dtype))
    for shape in RANKS if ALL else [RANKS[(3 * place + i) % len(RANKS)] for i in range(3)]:
        n = int(np.prod(shape))
        arrays = row.arrays(dtype, {"n": n})
        wanted = compiled(*arrays)[0]
        b = Builder(row.op.mnemonic)
        params = [b.parameter(TensorType(as_dtype(a.dtype), shape)) for a in arrays]
        f = b.build(b.emit(row.build(dtype, params, {"n": n})))
        got = native.run(f, *(a.reshape(shape) for a in arrays))[0]
        assert got.shape == shape
        native.assert_same_bits([got.reshape(-1)], [wanted], f"{shape}")


def bad(op: str, *types: str, **attributes: Any) -> Any:
    return pytest.param(op, types, attributes, id=f"{op}-{'-'.join(types)}"[:60])


# An op on operands that it does not take, and what the error says behind `op(types): `.
BAD = {
    "operands must have the same shape": [
        bad("add", "f32[3]", "f32[4]"),
        bad("less", "f32[n]", "f32[m]"),
        bad("pow", "f32", "f32[1]"),
        bad("fma", "f32[3]", "f32[3]", "f32[n]"),
        bad("select", "bool[3]", "f32[4]", "f32[4]"),
        bad("select", "bool[4]", "f32[3]", "f32[4]"),
    ],
    "operands must have the same dtype": [
        bad("mul", "f32[3]", "f64[3]"),
        bad("equal", "i32", "u32"),
        bad("matmul", "f32[2,2]", "f64[2,2]"),
        bad("select", "bool", "f32", "f16"),
        bad("concat", "f32[3]", "f64[3]", axis=0),
    ],
    "not defined for dtype": [
        bad("add", "bool", "bool"),
        bad("div", "i32", "i32"),
        bad("exp", "i64[2]"),
        bad("sqrt", "bool"),
        bad("neg", "bool"),
        bad("logical_not", "i8"),
        bad("bitwise_and", "f32", "f32"),
        bad("shift_left", "bool", "bool"),
        bad("is_nan", "i32"),
        bad("floor", "u8"),
        bad("reduce_sum", "bool[3]", axes=(0,)),
        bad("reduce_all", "f32[3]", axes=(0,)),
        bad("arg_max", "bool[3]", axes=(0,)),
        bad("matmul", "bool[2,2]", "bool[2,2]"),
        bad("scatter_add", "i32[3]", "bool[3]", rows=2),
        bad("bitcast", "bool", dtype="i8"),
        bad("bitcast", "i8", dtype="bool"),
        bad("atan2", "i32", "i32"),
        bad("less", "bool", "bool"),
    ],
    "the condition must be bool": [bad("select", "i8", "f32", "f32")],
    "has another width": [bad("bitcast", "f32", dtype="f64")],
    "invalid reduction axes": [
        bad("reduce_sum", "f32[3]", axes=(1,)),
        bad("reduce_max", "f32[3]", axes=(-1,)),
        bad("reduce_prod", "f32[3,3]", axes=(0, 0)),
    ],
    "takes one axis": [bad("arg_max", "f32[3,3]", axes=(0, 1))],
    "the axis has no elements": [bad("arg_min", "f32[3,0]", axes=(1,))],
    "operands must be matrices": [
        bad("matmul", "f32[3]", "f32[3]"),
        bad("matmul", "f32[2,3,3]", "f32[3,3]"),
        bad("matmul", "f32[2,3,3]", "f32[4,3,3]"),
    ],
    "the inner extents differ": [
        bad("matmul", "f32[2,3]", "f32[4,2]"),
        bad("matmul", "f32[n,n]", "f32[m,n]"),
    ],
    "indices must be integers": [bad("gather", "f32[3]", "f32[2]", axis=0)],
    "no axis": [
        bad("gather", "f32[3]", "i32[2]", axis=1),
        bad("gather", "f32", "i32", axis=0),
        bad("concat", "f32", "f32", axis=0),
        bad("concat", "f32[2]", axis=-1),
        bad("iota", shape=(3,), axis=1, dtype="i32"),
    ],
    "indices must be a vector of integers": [
        bad("scatter_add", "f32[3]", "f32[3]", rows=2),
        bad("scatter_add", "i32[3,3]", "f32[3,3]", rows=2),
    ],
    "there must be one update for every index": [
        bad("scatter_add", "i32[3]", "f32[2]", rows=2),
        bad("scatter_add", "i32[3]", "f32", rows=2),
    ],
    "must name one result axis": [
        bad("broadcast", "f32[3]", shape=(3, 3), dims=()),
        bad("broadcast", "f32[3,2]", shape=(2, 3), dims=(1, 0)),
    ],
    "cannot be broadcast": [
        bad("broadcast", "f32[3]", shape=(3, 4), dims=(1,)),
        bad("broadcast", "f32[3]", shape=(3,), dims=(1,)),
    ],
    "cannot be reshaped": [bad("reshape", "f32[3]", shape=(2, 2))],
    "is no permutation": [
        bad("transpose", "f32[3,4]", perm=(0, 0)),
        bad("transpose", "f32[3,4]", perm=(0,)),
    ],
    "must be axes of the operand": [
        bad("reverse", "f32[3]", axes=(1,)),
        bad("reverse", "f32[3]", axes=(0, 0)),
    ],
    "leave the operand": [
        bad("slice", "f32[3]", begin=(1,), size=(3,), strides=(1,)),
        bad("slice", "f32[3]", begin=(-1,), size=(2,), strides=(1,)),
        bad("slice", "f32[3]", begin=(0,), size=(2,), strides=(3,)),
        bad("slice", "f32[3]", begin=(0,), size=(2,), strides=(0,)),
        bad("slice", "f32[3]", begin=(0,), size=(-1,), strides=(1,)),
        bad("slice", "f32[3]", begin=(0, 0), size=(2,), strides=(1,)),
    ],
    "leaves shape": [
        bad("pad", "f32[3]", "f32", begin=(1,), shape=(3,), strides=(1,)),
        bad("pad", "f32[3]", "f32", begin=(0,), shape=(4,), strides=(2,)),
        bad("pad", "f32[3]", "f32", begin=(0,), shape=(4, 4), strides=(1,)),
    ],
    "the fill must be a scalar": [
        bad("pad", "f32[3]", "f64", begin=(0,), shape=(4,), strides=(1,)),
        bad("pad", "f32[3]", "f32[1]", begin=(0,), shape=(4,), strides=(1,)),
    ],
    "there must be an operand": [bad("concat", axis=0)],
    "operands must agree in every axis but 0": [
        bad("concat", "f32[2,3]", "f32[2,4]", axis=0),
        bad("concat", "f32[2,3]", "f32[2]", axis=0),
    ],
    "the state must be u64[3]": [
        bad("random_bits", "u64[2]", shape=(2,), words=(1, 1, 0)),
        bad("random_bits", "i64[3]", shape=(2,), words=(1, 1, 0)),
    ],
    "no words": [
        bad("random_bits", "u64[3]", shape=(2,), words=(1, 1, 1)),
        bad("random_bits", "u64[3]", shape=(2,), words=(3, 1, 0)),
    ],
}


@pytest.mark.parametrize(
    ("name", "types", "attributes", "message"),
    [pytest.param(*p.values, message, id=p.id) for message, rows in BAD.items() for p in rows],
)
def test_bad_operands(
    name: str, types: tuple[str, ...], attributes: dict[str, Any], message: str
) -> None:
    """The error names the op, what it was given and what it takes."""
    cls = Op.by_name[name]
    operands: tuple[Any, ...] = tuple(Value(parse_type(t)) for t in types)
    if cls.spec.variadic:
        operands = (operands,)
    if "dtype" in attributes:
        attributes = {**attributes, "dtype": as_dtype(attributes["dtype"])}
    op = cls(**dict(zip(cls.spec.operands, operands, strict=True)), **attributes)
    with pytest.raises(OpError) as caught:
        Builder().emit(op)
    text = str(caught.value)
    assert text.startswith(f"{name}({', '.join(types)}): ") and message in text
    assert caught.value.kind in ("shape", "dtype", "value")
