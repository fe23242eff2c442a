"""Windows: what the IR refuses, the order of a convolution's sums, and schedules that keep it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import native
from tfc.ir import dtypes, ops
from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.kernels import lower
from tfc.ir.kernels.cpu.conv import schedules
from tfc.ir.kernels.cpu.conv.access import access_of
from tfc.ir.kernels.cpu.conv.few_channels import FewChannelsPlan
from tfc.ir.kernels.cpu.conv.im2col import Im2colStrips
from tfc.ir.kernels.cpu.conv.plan import ConvPlan
from tfc.ir.kernels.cpu.conv.schedules import ConvTiles, DepthwiseConv
from tfc.ir.kernels.ops import For, Launch, Parallel
from tfc.ir.kernels.target import Target
from tfc.ir.ops.contraction import BLOCK
from tfc.ir.ops.window import conv_filter
from tfc.ir.text import parse, print_function
from tfc.ir.types import TensorType, parse_type

PLAIN: dict[str, Any] = {
    "size": (3,),
    "strides": (1,),
    "low": (0,),
    "rhs_dilation": (1,),
    "lhs_dilation": (1,),
    "groups": 1,
    "batch_groups": 1,
}
POOL: dict[str, Any] = {k: PLAIN[k] for k in ("size", "strides", "low", "rhs_dilation")}
POOL["window"] = (2,)
PLACED: dict[str, Any] = {**POOL, "extents": (4,)}
X, W, PLACE = "f32[2,5,4]", "f32[3,4,6]", "i64[2,3,4]"

BAD = [
    ("conv", (X, "f64[3,4,6]"), PLAIN, "operands must have the same dtype"),
    ("conv", ("bool[2,5,4]", "bool[3,4,6]"), PLAIN, "not defined for dtype bool"),
    ("conv", (X, "f32[4,6]"), PLAIN, "operands must have the same rank"),
    ("conv", ("f32[4]", "f32[4]"), {**PLAIN, "size": ()}, "first axis"),
    ("conv", (X, W), {**PLAIN, "low": ()}, "needs 1 numbers"),
    ("conv", (X, W), {**PLAIN, "strides": (0,)}, "strides must be positive"),
    ("conv", (X, W), {**PLAIN, "size": (-1,)}, "larger than what it slides over"),
    ("conv", (X, W), {**PLAIN, "groups": 2, "batch_groups": 2}, "not of both"),
    ("conv", (X, "f32[3,3,6]"), PLAIN, "x has 4 channels, w takes 3 in 1 groups"),
    ("conv", (X, "f32[3,1,6]"), {**PLAIN, "groups": 4}, "6 cannot be divided into 4"),
    ("conv", ("f32[3,5,4]", W), {**PLAIN, "batch_groups": 2}, "3 cannot be divided into 2"),
    ("max_pool", ("bool[2,5,4]",), POOL, "not defined for dtype bool"),
    ("max_pool", (X,), {**POOL, "window": ()}, "needs 1 numbers"),
    ("max_place", (X,), {**POOL, "rhs_dilation": (0,)}, "strides must be positive"),
    ("max_pool", (X,), {**POOL, "size": (-2,)}, "larger than what it slides over"),
    ("pick", ("f32[2,4,4]", "i32[2,3,4]"), PLACED, "i64 place"),
    ("pick", ("f32[2,5,4]", PLACE), PLACED, "spatial axes"),
    ("unpool", ("f32[2,4,4]", PLACE), PLACED, "spatial axes"),
    ("unpool", ("bool[2,3,4]", PLACE), PLACED, "not defined for dtype bool"),
    ("suppress", ("f32[2,3]", "f32"), {}, "boxes [n, 4]"),
    ("suppress", ("f32[2,4]", "f64"), {}, "one dtype"),
]


@pytest.mark.parametrize("k", range(len(BAD)))
def test_bad_operands(k: int) -> None:
    name, types, attributes, message = BAD[k]
    op = Op.by_name[name](*(Value(parse_type(t)) for t in types), **attributes)
    with pytest.raises(OpError) as caught:
        Builder().emit(op)
    text = str(caught.value)
    assert text.startswith(f"{name}({', '.join(types)}): ") and message in text


def test_few_taps_are_written_out() -> None:
    """No loop over taps where as many read something at every place, also in gradients, where each
    element asks the one window that it lies in."""

    def loops(op: Op) -> int:
        b = Builder("pool")
        params = {v: b.parameter(v.type) for v in op.operands}
        f = b.build(*b.emit_all(op.with_operands(lambda v: params[v])))
        (launch,) = lower.lower(f).body
        return sum(isinstance(o, For) and bool(o.init) for o in launch.kernel.walk())  # type: ignore

    x, dy = (Value(parse_type(t)) for t in ("f32[2,6,4,8]", "f32[2,3,2,8]"))
    place, steps, ones = Value(parse_type("i64[2,3,2,8]")), (2, 2), (1, 1)
    assert loops(ops.MaxPool(x, (2, 2), (3, 2), steps, (0, 0), ones)) == 0
    assert loops(ops.MaxPool(x, (2, 2), (3, 3), steps, (0, 1), ones)) == 2
    assert loops(ops.Unpool(dy, place, (2, 2), (3, 2), steps, (0, 0), ones, (6, 4))) == 0
    assert loops(ops.Unpool(dy, place, (2, 2), (3, 2), steps, (0, 0), ones, (7, 4))) == 2


def test_order_of_sums() -> None:
    """Row-major over taps, then channels, from 0; skipped taps leave no trace; never -0.0."""
    b = Builder("sum")
    x = b.parameter(TensorType(dtypes.float32, (1, 3, 2)))
    w = b.parameter(TensorType(dtypes.float32, (3, 2, 1)))
    f = b.build(b.emit(ops.Conv(x, w, (3,), (1,), (1,), (1,), (1,), 1, 1)))
    values = np.array([1e8, 1, -1e8, 3, 0.25, -7], np.float32).reshape(1, 3, 2)
    weights = np.array([1, 1, 1, 1, 1, 1], np.float32).reshape(3, 2, 1)
    (got,) = native.run(f, values, weights)
    wanted = []
    for o in range(3):
        total = np.float32(0)
        for k in range(3):
            if 0 <= o + k - 1 < 3:
                for i in range(2):
                    total = np.float32(total + values[0, o + k - 1, i] * weights[k, i, 0])
        wanted.append(total)
    assert got.ravel().tolist() == wanted
    weights[0] = np.inf  # beside x at the first place only
    assert np.isfinite(native.run(f, values, weights)[0].ravel()[0])
    tiny = np.full((1, 3, 2), 1e-30, np.float32)
    (zeros,) = native.run(f, tiny, -np.full((3, 2, 1), 1e-30, np.float32))
    assert not np.signbit(zeros).any() and not zeros.any()


# x, taps and results of w, size, strides, low, tap strides, hole strides
HOLES: list[tuple[Any, ...]] = [
    ((2, 9, 14, 17), (3, 3), 33, (17, 28), (1, 1), (2, 2), (1, 1), (2, 2)),
    ((1, 8, 20, 64), (5, 4), 16, (25, 39), (1, 1), (0, 1), (2, 1), (3, 2)),
    ((1, 9, 1, 9, 17), (3, 3, 1), 17, (1, 14, 9), (1, 1, 2), (5, 2, 1), (6, 1, 1), (6, 6, 1)),
    ((1, 16, 16, 5), (3, 2), 16, (8, 9), (1, 3), (1, 5), (6, 1), (2, 4)),
    ((1, 8, 5), (1,), 16, (8,), (2,), (5,), (6,), (2,)),  # sees nothing at all
    ((1, 20, 3), (3,), 2, (19,), (1,), (-2,), (1,), (1,)),
]


@pytest.mark.parametrize("k", range(len(HOLES)))
def test_schedules_have_the_same_bits(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in place, packed and pulled; and holes are skipped."""
    shape, taps, results, *attributes = HOLES[k]
    b = Builder("f")
    x = b.parameter(TensorType(dtypes.float32, shape))
    w = b.parameter(TensorType(dtypes.float32, (*taps, shape[-1], results)))
    y = b.emit(ops.Conv(x, w, *attributes, 1, 1))
    rng = np.random.default_rng(k)
    values = [rng.standard_normal(v.shape).astype(np.float32) for v in (x, w)]
    f = b.build(y)
    (got,) = native.run(f, *values)
    np.testing.assert_allclose(got, y.op.numpy(*values), rtol=1e-5, atol=1e-4)
    monkeypatch.setattr(schedules, "_ways", lambda *_: [(Im2colStrips, None)])
    native.assert_same_bits(native.run(f, *values), [got], "packed")
    monkeypatch.setattr(lower, "CPU", native.cpu_without(ConvTiles))
    native.assert_same_bits(native.run(f, *values), [got], "pulled")


def test_texts_with_former_names_are_read() -> None:
    """As saved models have them."""
    text = """func @f(%x: f32[2,9,9,3], %w: f32[3,3,3,4]) -> f32[2,7,7,4] {
  %y = conv %x, %w {size = (7, 7), strides = (1, 1), low = (0, 0), rhs_dilation = (1, 1), \
lhs_dilation = (1, 1), groups = 1, batch_groups = 1} : f32[2,7,7,4]
  return %y
}
"""
    former = text.replace("rhs_dilation", "tap_strides").replace("lhs_dilation", "hole_strides")
    assert former != text
    assert print_function(parse(former)) == print_function(parse(text))


def test_holes_are_read_in_place() -> None:
    """Not a single product with what stands for a hole."""
    shape, taps, results, *attributes = HOLES[0]
    x = Value(TensorType(dtypes.float32, shape))
    w = Value(TensorType(dtypes.float32, (*taps, shape[-1], results)))
    op = ops.Conv(x, w, *attributes, 1, 1)
    access = access_of(op)
    assert access is not None and [axis.extent for axis in access.axes] == [2, 9, 14]
    assert [digit.extent for digit in access.digits] == [2, 2 * 17]
    assert access_of(op) is access, "it is found once"


# As HOLES, with the window's channels and both sorts of groups
GROUPED: list[tuple[Any, ...]] = [
    ((2, 9, 14, 12), (3, 3), 3, 8, (9, 14), (1, 1), (1, 1), (1, 1), (1, 1), 4, 1),
    ((18, 3, 20, 5), (2, 20), 5, 66, (2, 1), (1, 1), (0, 0), (1, 1), (1, 1), 1, 2),
    ((1, 8, 9, 8), (3, 3), 2, 36, (16, 18), (1, 1), (1, 1), (1, 1), (2, 2), 4, 1),
    ((2, 6, 30, 35), (3, 3), 1, 35, (6, 30), (1, 1), (1, 1), (1, 1), (1, 1), 35, 1),
    ((1, 6, 30, 35), (5, 4), 1, 35, (3, 14), (2, 2), (1, 0), (1, 2), (1, 1), 35, 1),
    ((1, 6, 15, 17), (3, 3), 1, 17, (12, 29), (1, 1), (1, 2), (1, 1), (2, 2), 17, 1),
    (
        (35, 4, 9, 30, 1),
        (4, 9, 30),
        1,
        35,
        (1, 3, 3),
        (1, 1, 1),
        (0, 1, 1),
        (1,) * 3,
        (1,) * 3,
        1,
        35,
    ),
    (
        (35, 2, 9, 61, 1),
        (2, 5, 30),
        1,
        35,
        (1, 3, 3),
        (1, 1, 2),
        (0, 1, 1),
        (1, 2, 2),
        (1,) * 3,
        1,
        35,
    ),
]


@pytest.mark.parametrize("k", range(len(GROUPED)))
def test_groups_have_the_same_bits(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By tiles or along the lanes, and pulled."""
    shape, taps, channels, results, *attributes = GROUPED[k]
    b = Builder("f")
    x = b.parameter(TensorType(dtypes.float32, shape))
    w = b.parameter(TensorType(dtypes.float32, (*taps, channels, results)))
    y = b.emit(ops.Conv(x, w, *attributes))
    assert access_of(y.op) or schedules.depthwise_writer(y.op)
    rng = np.random.default_rng(k)
    values = [rng.standard_normal(v.shape).astype(np.float32) for v in (x, w)]
    f = b.build(y)
    (got,) = native.run(f, *values)
    np.testing.assert_allclose(got, y.op.numpy(*values), rtol=1e-5, atol=1e-4)
    monkeypatch.setattr(lower, "CPU", native.cpu_without(ConvTiles, DepthwiseConv))
    native.assert_same_bits(native.run(f, *values), [got], "pulled")


def test_what_depthwise_windows_skip_leaves_no_trace() -> None:
    """Neither an infinite weight beside the border, nor one on a hole."""
    b = Builder("f")
    x = b.parameter(TensorType(dtypes.float32, (1, 4, 9, 20)))
    w = b.parameter(TensorType(dtypes.float32, (3, 3, 1, 20)))
    y = b.emit(ops.Conv(x, w, (4, 9), (1, 1), (1, 1), (1, 1), (1, 1), 20, 1))
    weights = np.ones((3, 3, 1, 20), np.float32)
    weights[0, 2] = np.inf
    (got,) = native.run(b.build(y), np.ones((1, 4, 9, 20), np.float32), weights)
    seen = np.ones((4, 9), bool)
    seen[0], seen[:, -1] = False, False
    np.testing.assert_array_equal(np.isposinf(got[0, ..., 7]), seen)
    assert np.isfinite(got[0, ~seen]).all()


def test_blocks_of_k_come_first_where_it_is_long() -> None:
    """In the gradient of weights all sums take a block while it is near; in the convolution itself,
    and the gradient of what it reads, sums stay near instead."""

    def blocks_first(gradient: bool) -> bool:
        b = Builder("conv")
        x, dy = (b.parameter(parse_type(f"f32[2,28,28,{n}]")) for n in (64, 32))
        w = b.parameter(parse_type("f32[5,5,64,32]"))
        conv = ops.Conv(x, w, (28, 28), (1, 1), (2, 2), (1, 1), (1, 1), 1, 1)
        f = b.build(conv_filter(b, conv, dy) if gradient else b.emit(conv))
        loops = [
            op
            for launch in lower.lower(f).body
            if isinstance(launch, Launch)
            for op in launch.kernel.walk()
            if isinstance(op, For) and isinstance(op.step, int) and op.step == BLOCK
        ]
        assert loops
        return any(isinstance(op, Parallel) for loop in loops for op in loop.body.walk())

    assert blocks_first(gradient=True) and not blocks_first(gradient=False)


def _plain_conv(batch: int, side: int, channels: int, results: int, taps: int = 1) -> ops.Conv:
    b = Builder("f")
    x = b.parameter(TensorType(dtypes.float32, (batch, side, side, channels)))
    w = b.parameter(TensorType(dtypes.float32, (taps, taps, channels, results)))
    places = side - taps + 1
    y = b.emit(ops.Conv(x, w, (places, places), (1, 1), (0, 0), (1, 1), (1, 1), 1, 1))
    assert isinstance(y.op, ops.Conv)
    return y.op


@pytest.mark.parametrize("batch", [1, 2, 9])
@pytest.mark.parametrize("results", [24, 33, 40, 63])
def test_columns_left_over_are_one_panel(batch: int, results: int) -> None:
    """They are a task each, as those of a whole panel are: not one for each column."""
    plans = []
    for columns in (results, -(-results // 32) * 32):
        op = _plain_conv(batch, 14, 24, columns)
        access = access_of(op)
        assert access is not None
        plans.append(ConvPlan.of(op, access, Target(), lambda _: True))
    rest, whole = plans
    assert (rest.outer, rest.inner) == (whole.outer, whole.inner)


def test_places_lie_along_the_lanes_where_results_are_few() -> None:
    for vector_bytes, most in ((64, 6), (32, 4), (16, 2)):
        target = Target(vector_bytes=vector_bytes)
        plans = {n: FewChannelsPlan.of(_plain_conv(2, 16, 8, n, 3), target) for n in range(1, 17)}
        chosen = [n for n, plan in plans.items() if isinstance(plan, FewChannelsPlan)]
        assert chosen == list(range(1, most + 1))
