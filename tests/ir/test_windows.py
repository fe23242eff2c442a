"""Windows: what the IR refuses, and the order of a convolution's sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import native
from tfc.ir import dtypes, ops
from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.types import TensorType, parse_type

PLAIN: dict[str, Any] = {
    "size": (3,),
    "strides": (1,),
    "low": (0,),
    "tap_strides": (1,),
    "hole_strides": (1,),
    "groups": 1,
    "batch_groups": 1,
}
POOL: dict[str, Any] = {k: PLAIN[k] for k in ("size", "strides", "low", "tap_strides")}
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
    ("max_place", (X,), {**POOL, "tap_strides": (0,)}, "strides must be positive"),
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
