"""What users see when they are wrong: the class, the op, the shapes and dtypes, and their line."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tfc as tf

ROOT = Path(__file__).resolve().parents[2]
Invalid = tf.errors.InvalidArgumentError
Unimplemented = tf.errors.UnimplementedError


class Bad(NamedTuple):
    """A call that is wrong. `arrays` are its tensors; `eager` and `traced` the errors."""

    call: Callable[..., Any]
    arrays: tuple[Any, ...]
    eager: type[BaseException]
    text: str
    traced: type[BaseException] | None = None  # by TensorFlow's rule for `eager`, unless given


def ones(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.ones(shape, dtype)


V, M, I, B = ones(3), ones(2, 3), ones(3, dtype="int32"), ones(3, dtype="bool")
D = ones(3, dtype="float64")
SHAPES = r"Incompatible shapes: \[3\] vs\. \[4\].*float32\[3\], float32\[4\]"
MIXED = r"#1\(zero-based\) was expected to be a float32 tensor but is a float64 tensor"

TABLE = {
    # Elementwise.
    "add shapes": Bad(tf.add, (V, ones(4)), Invalid, f"add: {SHAPES}"),
    "subtract shapes": Bad(tf.subtract, (V, ones(4)), Invalid, f"subtract: {SHAPES}"),
    "maximum shapes": Bad(tf.maximum, (M, ones(3, 2)), Invalid, r"maximum: .*\[2,3\] vs\. \[3,2\]"),
    "pow shapes": Bad(tf.pow, (V, ones(4)), Invalid, f"pow: {SHAPES}"),
    "less shapes": Bad(tf.less, (V, ones(4)), Invalid, f"less: {SHAPES}"),
    "equal shapes": Bad(tf.equal, (V, ones(4)), Invalid, f"equal: {SHAPES}"),
    "operator shapes": Bad(lambda x, y: x * y, (V, ones(4)), Invalid, f"multiply: {SHAPES}"),
    "add_n shapes": Bad(
        lambda x, y: tf.add_n([x, y]),
        (V, ones(1)),
        Invalid,
        r"must have the same size and shape.*\[3\] != input 1: \[1\]",
    ),
    "add dtypes": Bad(
        tf.add, (V, D), Invalid, f"add: cannot compute add as input {MIXED}", TypeError
    ),
    "multiply dtypes": Bad(tf.multiply, (V, D), Invalid, f"multiply: .*{MIXED}", TypeError),
    "divide dtypes": Bad(tf.divide, (V, D), Invalid, f"truediv: .*{MIXED}", TypeError),
    "equal dtypes": Bad(tf.equal, (V, D), Invalid, f"equal: .*{MIXED}", TypeError),
    "operator dtypes": Bad(lambda x, y: x - y, (V, D), Invalid, f"subtract: .*{MIXED}", TypeError),
    "add bools": Bad(tf.add, (B, B), Invalid, r"add: not defined for dtype bool", TypeError),
    "exp of ints": Bad(tf.exp, (I,), Invalid, r"exp: .*int32", TypeError),
    "tanh of ints": Bad(tf.tanh, (I,), Invalid, r"tanh: .*int32", TypeError),
    "sqrt of bools": Bad(tf.sqrt, (B,), Invalid, r"sqrt: .*bool", TypeError),
    "negative of bools": Bad(tf.negative, (B,), Invalid, r"negative: .*bool", TypeError),
    "logical_not of ints": Bad(tf.logical_not, (I,), Invalid, r"logical_not: .*int32", TypeError),
    "bitwise_and of floats": Bad(
        tf.bitwise.bitwise_and, (V, V), Invalid, r"bitwise_and: .*float32", TypeError
    ),
    "invert of floats": Bad(tf.bitwise.invert, (V,), Invalid, r"invert: .*float32", TypeError),
    "shift of floats": Bad(
        tf.bitwise.left_shift, (V, V), Invalid, r"left_shift: .*float32", TypeError
    ),
    "less of bools": Bad(tf.less, (B, B), Invalid, r"less: .*bool", TypeError),
    "logical_and of floats": Bad(
        tf.logical_and, (V, V), ValueError, "requested dtype bool for Tensor with dtype float32"
    ),
    "float beside ints": Bad(
        lambda x: x + 1.5,
        (I,),
        TypeError,
        r"add: Cannot convert 1\.5 to EagerTensor of dtype int32",
    ),
    "string operand": Bad(
        lambda x: x + "a",
        (V,),
        (TypeError, tf.errors.InvalidArgumentError),
        "add: (not defined for dtype string|cannot compute add as input #1)",
    ),
    "None operand": Bad(
        lambda x: x * None, (V,), ValueError, r"multiply: .*\(None\) with an unsupported type"
    ),
    "ragged operand": Bad(
        lambda x: x + [[1.0], [1.0, 2.0]], (V,), ValueError, "add: Can't convert non-rectangular"
    ),
    "out of range operand": Bad(
        lambda x: x + 300,
        (ones(2, dtype="uint8"),),
        TypeError,
        "add: Cannot convert 300 to EagerTensor of dtype uint8",
    ),
    "clip shapes": Bad(
        lambda x: tf.clip_by_value(x, ones(4), 1.0),
        (V,),
        Invalid,
        r"clip: Incompatible shapes: \[3\] vs\. \[4\]",
    ),
    "where dtypes": Bad(
        lambda c, x, y: tf.where(c, x, y),
        (B, V, D),
        Invalid,
        "where: x and y must have the same dtype.*float32.*float64",
        TypeError,
    ),
    "where shapes": Bad(
        lambda c, x: tf.where(c, x, 0.0),
        (B, ones(4)),
        Invalid,
        r"where: Incompatible shapes: \[3\] vs\. \[4\]",
    ),
    "where of floats": Bad(
        lambda c: tf.where(c, 1.0, 0.0), (V,), ValueError, "requested dtype bool"
    ),
    "integer division by zero": Bad(
        lambda x, y: x // y, (I, I * 0), Invalid, "Integer division by zero", Invalid
    ),
    "integer remainder by zero": Bad(
        tf.math.floormod, (I, I * 0), Invalid, "Integer division by zero", Invalid
    ),
    # Reductions.
    "sum axis": Bad(
        lambda x: tf.reduce_sum(x, 2),
        (M,),
        Invalid,
        r"Invalid reduction dimension 2 for input with 2 dimension",
    ),
    "max axis": Bad(lambda x: tf.reduce_max(x, [-3]), (M,), Invalid, "reduction dimension -3"),
    "mean axes twice": Bad(
        lambda x: tf.reduce_mean(x, [0, -2]), (M,), Invalid, "duplicate dimension: 0"
    ),
    "variance of ints": Bad(tf.math.reduce_variance, (I,), TypeError, r"int32.*Op:reduce_variance"),
    "std of ints": Bad(tf.math.reduce_std, (I,), TypeError, r"int32.*Op:reduce_std"),
    "sum of bools": Bad(tf.reduce_sum, (B,), Invalid, "reduce_sum: .*bool", TypeError),
    "all of floats": Bad(tf.reduce_all, (V,), Invalid, "reduce_all: .*float32", TypeError),
    "sum by a float axis": Bad(
        lambda x: tf.reduce_sum(x, 0.5), (M,), TypeError, r"axis must be an integer, got 0\.5"
    ),
    "argmax axis": Bad(lambda x: tf.argmax(x, 5), (M,), Invalid, "dimension 5"),
    "argmax of nothing": Bad(
        tf.argmax, (ones(0, 3),), Invalid, r"axis 0 is empty in shape \[0,3\]"
    ),
    "softmax axis": Bad(lambda x: tf.nn.softmax(x, 2), (M,), Invalid, "softmax"),
    "softmax of ints": Bad(tf.nn.softmax, (I,), Invalid, "softmax: .*int32", TypeError),
    # Products.
    "matmul shapes": Bad(
        tf.matmul,
        (M, M),
        Invalid,
        r"matmul: Matrix size-incompatible: In\[0\]: \[2,3\], In\[1\]: \[2,3\]",
    ),
    "matmul ranks": Bad(tf.matmul, (V, M), Invalid, "matmul: .* at least 2 dimensions.*\\[3\\]"),
    "matmul dtypes": Bad(
        tf.matmul, (M, M.T.astype("float64")), Invalid, f"matmul: .*{MIXED}", TypeError
    ),
    "matmul batches": Bad(
        tf.matmul, (ones(2, 2, 2), ones(3, 2, 2)), Invalid, r"matmul: .*\[2\] vs\. \[3\]"
    ),
    "matmul operator": Bad(lambda x, y: x @ y, (M, M), Invalid, "matmul: Matrix size-incompatible"),
    "tensordot axes": Bad(
        lambda x, y: tf.tensordot(x, y, 1), (M, ones(4, 2)), Invalid, "matmul|tensordot"
    ),
    # Shapes.
    "reshape size": Bad(
        lambda x: tf.reshape(x, [4, 2]),
        (M,),
        Invalid,
        r"tensor with 6 values, but the requested shape has 8: it is \[4, 2\]",
    ),
    "reshape hole": Bad(lambda x: tf.reshape(x, [-1, 4]), (M,), Invalid, "tensor with 6 values"),
    "reshape holes": Bad(lambda x: tf.reshape(x, [-1, -1]), (M,), Invalid, "Only one input size"),
    "reshape negative": Bad(lambda x: tf.reshape(x, [-2, 6]), (M,), Invalid, "Size 0 must"),
    "reshape by floats": Bad(
        lambda x: tf.reshape(x, [1.5, 4]), (M,), TypeError, "must be an integer"
    ),
    "reshape by a string": Bad(
        lambda x: tf.reshape(x, "ab"), (M,), TypeError, "integer, got 'a'.*reshape"
    ),
    "transpose perm": Bad(lambda x: tf.transpose(x, [0, 0]), (M,), Invalid, "no permutation"),
    "transpose axis": Bad(lambda x: tf.transpose(x, [0, 2]), (M,), Invalid, "2 is out of range"),
    "expand_dims axis": Bad(lambda x: tf.expand_dims(x, 4), (M,), Invalid, "dim index 4 .* 2 dim"),
    "squeeze axis": Bad(lambda x: tf.squeeze(x, 0), (M,), Invalid, r"Can not squeeze dim\[0\]"),
    "broadcast": Bad(lambda x: tf.broadcast_to(x, [2, 4]), (V,), Invalid, "broadcast_to"),
    "broadcast to fewer": Bad(lambda x: tf.broadcast_to(x, [3]), (M,), Invalid, "broadcast_to"),
    "concat shapes": Bad(
        lambda x, y: tf.concat([x, y], 0),
        (M, ones(2, 4)),
        Invalid,
        r"concat: .*should match.*\[2, 3\].*\[2, 4\]",
    ),
    "concat dtypes": Bad(lambda x, y: tf.concat([x, y], 0), (V, D), Invalid, "concat", TypeError),
    "concat axis": Bad(lambda x: tf.concat([x, x], 3), (M,), Invalid, "range .* but got 3"),
    "concat scalars": Bad(lambda x: tf.concat([x, x], 0), (np.float32(1),), Invalid, "scalars"),
    "concat nothing": Bad(lambda x: tf.concat([], 0), (V,), ValueError, "at least one"),
    "stack shapes": Bad(
        lambda x, y: tf.stack([x, y]), (V, ones(4)), Invalid, "stack: Shapes .*match"
    ),
    "split": Bad(lambda x: tf.split(x, 2, 1), (M,), Invalid, "evenly divisible by 2"),
    "split sizes": Bad(lambda x: tf.split(x, [1, 1], 1), (M,), Invalid, "do not add up to 3"),
    "tile": Bad(lambda x: tf.tile(x, [2]), (M,), Invalid, "vector of length 2 but got length 1"),
    "tile nested": Bad(lambda x: tf.tile(x, [[2, 1]]), (M,), Invalid, "a shape must be 1-D"),
    "tile negative": Bad(lambda x: tf.tile(x, [2, -1]), (M,), Invalid, "tile"),
    "pad rows": Bad(lambda x: tf.pad(x, [[1, 1]]), (M,), Invalid, "must be the rank of inputs"),
    "pad negative": Bad(
        lambda x: tf.pad(x, [[-1, 1]]), (V,), Invalid, "must be non-negative: -1 1.*pad"
    ),
    "reverse": Bad(lambda x: tf.reverse(x, [2]), (M,), Invalid, "'axis' = 2 is out of"),
    "reverse twice": Bad(lambda x: tf.reverse(x, [0, 0]), (M,), (Invalid, ValueError), "reverse"),
    "unstack axis": Bad(lambda x: tf.unstack(x, axis=2), (M,), ValueError, "= 2 not in range"),
    "slice": Bad(
        lambda x: tf.slice(x, [0, 1], [2, 3]), (M,), Invalid, r"Expected size\[1\] in \[0, 2\]"
    ),
    "slice rank": Bad(lambda x: tf.slice(x, [0], [1]), (M,), (Invalid, ValueError), "slice"),
    "index": Bad(lambda x: x[5], (M,), Invalid, "slice index 5 of dimension 0 out of bounds"),
    "indices": Bad(lambda x: x[0, 0, 0], (M,), Invalid, "input has only 2 dims"),
    "index by a float": Bad(lambda x: x[1.5], (M,), TypeError, "Only integers, slices"),
    # Gathering and making.
    "gather": Bad(lambda x: tf.gather(x, [0, 3]), (V,), Invalid, r"3 is not in \[0, 3\)", Invalid),
    "gather negative": Bad(lambda x: tf.gather(x, [-1]), (V,), Invalid, r"-1 is not in", Invalid),
    "gather float": Bad(
        lambda x: tf.gather(x, [1.0]), (V,), Invalid, "gather.*integers|integers.*gather", TypeError
    ),
    "gather axis": Bad(lambda x: tf.gather(x, [0], axis=1), (V,), Invalid, "axis 1 .*rank 1"),
    "gather from a scalar": Bad(lambda x: tf.gather(x, 0), (np.float32(1),), Invalid, "gather"),
    "one_hot of floats": Bad(
        lambda x: tf.one_hot(x, 3), (V,), Invalid, "integers, got float32", TypeError
    ),
    "one_hot depth": Bad(lambda x: tf.one_hot(x, -1), (I,), Invalid, "non-negative, got: -1"),
    "zeros": Bad(lambda x: tf.zeros([-1, 2]), (V,), Invalid, "Dimension -1 must be >= 0"),
    "zeros beyond all bounds": Bad(lambda x: tf.zeros([2**64 + 1]), (V,), Invalid, "overflow"),
    "zeros that overflow": Bad(lambda x: tf.zeros([2**40, 2**40]), (V,), Invalid, "overflow"),
    "nothing that overflows": Bad(
        lambda x: tf.reshape(x, [2**40, 2**40, 0]), (ones(0),), Invalid, "overflow"
    ),
    "fill by floats": Bad(lambda x: tf.fill([2.5], 1), (V,), TypeError, r"integer, got 2\.5"),
    "range": Bad(lambda x: tf.range(0, 5, 0), (V,), Invalid, "Requires delta != 0"),
    "eye": Bad(lambda x: tf.eye(-2), (V,), Invalid, "eye.*>= 0|>= 0.*eye"),
    "linspace": Bad(lambda x: tf.linspace(0.0, 1.0, -1), (V,), (Invalid, ValueError), "linspace"),
    "random": Bad(
        lambda x: tf.random.uniform([2], dtype=tf.int32),
        (V,),
        ValueError,
        r"Must specify maxval for integer dtype tf\.int32",
    ),
    "random range": Bad(
        lambda x: tf.random.uniform([2], 7, 5, tf.int32),
        (V,),
        Invalid,
        "Need minval < maxval, got 7 >= 5",
    ),
    "random shape": Bad(lambda x: tf.random.normal([-1]), (V,), Invalid, ">= 0"),
    "random of ints": Bad(
        lambda x: tf.random.normal([2], dtype=tf.int32),
        (V,),
        (Invalid, TypeError),
        "int32|floats only",
    ),
    # Losses.
    "cross entropy shapes": Bad(
        lambda x, y: tf.nn.softmax_cross_entropy_with_logits(x, y),
        (M, ones(2, 4)),
        Invalid,
        r"\[2,3\] vs\. \[2,4\]",
    ),
    "sparse cross entropy": Bad(
        lambda x, y: tf.nn.sparse_softmax_cross_entropy_with_logits(x, y),
        (ones(3, dtype="int32"), M),
        ValueError,
        r"except for the last dimension.*labels.shape=\(3,\) and logits.shape=\(2, 3\)",
    ),
    "sparse labels": Bad(
        lambda x, y: tf.nn.sparse_softmax_cross_entropy_with_logits(x, y),
        (ones(2), M),
        Invalid,
        "labels must be integers",
        TypeError,
    ),
    "not there yet": Bad(
        lambda x: tf.nn.max_pool2d(x, [2, 1, 1, 1], 1, "VALID"),
        (ones(2, 2, 2, 2),),
        Unimplemented,
        "ksize in the batch and depth",
    ),
}


def test_the_table_is_long() -> None:
    assert len(TABLE) >= 60


@pytest.mark.parametrize("name", TABLE)
def test_eager(name: str) -> None:
    bad = TABLE[name]
    tensors = [tf.constant(a) for a in bad.arrays]
    for _ in range(2):  # the second time natively, where there is such a way
        with pytest.raises(bad.eager, match=bad.text) as caught:
            bad.call(*tensors)
        assert "test_errors_user.py:" in str(caught.value), str(caught.value)


@pytest.mark.parametrize("name", TABLE)
def test_traced(name: str) -> None:
    bad = TABLE[name]
    wanted = bad.traced or (ValueError if bad.eager is Invalid else bad.eager)
    f = tf.function(lambda *tensors: bad.call(*tensors))
    with pytest.raises(wanted, match=bad.text) as caught:
        f(*(tf.constant(a) for a in bad.arrays))
    assert "test_errors_user.py:" in str(caught.value), str(caught.value)
    assert tf.executing_eagerly()
    assert float(tf.constant(1.0) + 1.0) == 2


def test_the_line_is_the_one_of_the_call() -> None:
    def helper(x: Any) -> Any:
        y = x + 1.0
        return tf.matmul(y, y)

    first = helper.__code__.co_firstlineno
    for f in (helper, tf.function(helper)):
        with pytest.raises((Invalid, ValueError)) as caught:
            f(tf.ones([2, 3]))
        found = re.search(r"test_errors_user\.py:(\d+)", str(caught.value))
        assert found and first + 2 <= int(found[1]) <= first + 3


def test_no_memory() -> None:
    text = r"fill: OOM when allocating the result, shape \[1099511627776\].*test_errors_user\.py:"
    with pytest.raises(tf.errors.ResourceExhaustedError, match=text):
        tf.zeros([2**40])
    f = tf.function(lambda x: x + tf.zeros([2**40]))
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"OOM.*test_errors_user\.py:"):
        f(tf.ones([1]))


def test_attributes_of_errors() -> None:
    with pytest.raises(Invalid) as caught:
        tf.gather(tf.ones([2]), [5])
    error = caught.value
    assert error.message == "indices[0] = 5 is not in [0, 2)"
    assert error.op == "gather"
    assert "test_errors_user.py:" in str(error.location)
    assert error.error_code == tf.errors.INVALID_ARGUMENT


NASTY = r"""
import copy, gc, sys, threading
import numpy as np
import tfc as tf

def deep(n):
    x = []
    for _ in range(n):
        x = [x]
    return x

class Lies:
    def __array__(self, dtype=None, copy=None): return "not an array"

class Raises:
    def __array__(self, dtype=None, copy=None): raise KeyError("mine")
    def __repr__(self): raise KeyError("mine too")

class Index:
    def __index__(self): raise OSError("index")

cyclic = []
cyclic.append(cyclic)

def forever(x):
    return forever(x + 1.0)

v = tf.Variable([1.0, 2.0])
x = tf.constant([1.0, 2.0])
i = tf.constant([1, 2])
big = tf.constant(2**40, tf.int64)
calls = [
    lambda: tf.zeros([2**40]),
    lambda: tf.zeros([2**40, 2**40]),
    lambda: tf.zeros([2**31, 2**31, 4]),
    lambda: tf.zeros([2**63]),
    lambda: tf.zeros([2**64 + 1]),
    lambda: tf.fill([2**62, 4], 1.0),
    lambda: tf.fill([2**61], 1.0),
    lambda: tf.ones([2**40], tf.int8) + tf.ones([2**40], tf.int8),
    lambda: tf.broadcast_to(x, [2**39, 2]),
    lambda: tf.tile(x, [2**40]),
    lambda: tf.range(2**40),
    lambda: tf.range(10.0**30),
    lambda: tf.range(0, 1, float("nan")),
    lambda: tf.range(float("inf")),
    lambda: tf.linspace(0.0, 1.0, 2**40),
    lambda: tf.eye(2**31),
    lambda: tf.one_hot([0], 2**40),
    lambda: tf.random.uniform([2**40]),
    lambda: tf.random.normal([2**40]),
    lambda: tf.pad(x, [[2**40, 2**40]]),
    lambda: tf.pad(x, [[2**62, 2**62]]),
    lambda: tf.reshape(x, [2**40]),
    lambda: tf.reshape(x, [2**63, -1]),
    lambda: tf.reshape(tf.zeros([0]), [0, -1]),
    lambda: tf.reshape(tf.zeros([0]), [2**40, 2**40, 0]),
    lambda: tf.constant(0, shape=[2**40]),
    lambda: tf.function(lambda a: tf.zeros([2**40]) + a)(x[:1]),
    lambda: tf.function(lambda a: tf.reduce_sum(tf.zeros([2**40, 2**30])))(x),
    lambda: tf.reshape(x[:, None] + tf.zeros([2**36]), [-1]),
    lambda: tf.constant(deep(50)),
    lambda: tf.constant(deep(100000)),
    lambda: tf.constant(cyclic),
    lambda: tf.constant([[1], [1, 2], 3]),
    lambda: tf.constant([object()] * 3),
    lambda: tf.constant(Lies()),
    lambda: tf.constant(Raises()),
    lambda: tf.constant([Raises(), 1]),
    lambda: x + Raises(),
    lambda: tf.zeros([Index()]),
    lambda: tf.constant("text"),
    lambda: tf.constant(b"bytes"),
    lambda: tf.constant(np.array(["a", None], object)),
    lambda: tf.constant(np.zeros(2, [("a", "i4")])),
    lambda: tf.constant(np.zeros(2, "M8[s]")),
    lambda: tf.constant(np.zeros(2, np.longdouble)),
    lambda: tf.constant(np.zeros(2, np.clongdouble)),
    lambda: tf.constant(lambda: 1),
    lambda: tf.constant(tf),
    lambda: tf.constant(float("nan"), tf.int32),
    lambda: tf.constant(np.array([np.nan, np.inf]), tf.int8),
    lambda: tf.cast([float("nan"), float("inf"), -1e30], tf.int32),
    lambda: tf.cast([float("nan"), float("inf"), -1e30], tf.uint8),
    lambda: tf.cast(tf.constant([1e300], tf.float64), tf.float16),
    lambda: tf.gather(x, [2**31 - 1]),
    lambda: tf.gather(x, tf.constant([2**62], tf.int64)),
    lambda: tf.gather(x, tf.constant([-(2**63)], tf.int64)),
    lambda: tf.gather(x, tf.constant([2**64 - 1], tf.uint64)),
    lambda: tf.gather(tf.zeros([0, 3]), [0]),
    lambda: tf.gather(x, tf.zeros([0], tf.int32)),
    lambda: tf.gather(x, tf.zeros([2**20], tf.int32) + 7),
    lambda: tf.function(lambda a, j: tf.gather(a, j))(x, tf.constant([9])),
    lambda: x[10**30],
    lambda: x[:: 10**30],
    lambda: x[10**30 :],
    lambda: x[tf.constant([10**9])],
    lambda: x[np.array([[[5]]])],
    lambda: x[None, ..., None, None, 3],
    lambda: x[{}],
    lambda: x[(slice(None),) * 100],
    lambda: tf.reduce_sum(x, -5),
    lambda: tf.reduce_sum(x, 10**30),
    lambda: tf.transpose(x, [-7]),
    lambda: tf.concat([x, x], -(2**63)),
    lambda: tf.expand_dims(x, 2**40),
    lambda: tf.one_hot([0], 3, axis=-9),
    lambda: tf.split(x, 0),
    lambda: tf.split(x, -1),
    lambda: tf.tile(x, [-(2**40)]),
    lambda: tf.matmul(x, x),
    lambda: tf.matmul(tf.zeros([2**20, 2]), tf.zeros([2, 2**20])),
    lambda: tf.matmul(tf.zeros([2, 0]), tf.zeros([3, 2])),
    lambda: i // 0,
    lambda: tf.constant([-(2**31)]) // -1,
    lambda: tf.constant([-(2**31)]) % -1,
    lambda: tf.constant([-128], tf.int8) // tf.constant([-1], tf.int8),
    lambda: tf.constant([-(2**63)], tf.int64) // -1,
    lambda: abs(tf.constant([-(2**31)])),
    lambda: i << 40,
    lambda: i >> -1,
    lambda: tf.constant([2], tf.int8) ** 127,
    lambda: i ** -1,
    lambda: tf.argmax(tf.zeros([0])),
    lambda: tf.reduce_max(tf.zeros([0])),
    lambda: tf.function(forever)(tf.constant(1.0)),
    lambda: forever(tf.constant(1.0)),
    lambda: tf.function(lambda: tf.function(forever)(1.0))(),
    lambda: v.assign(tf.zeros([2**40])),
    lambda: v.assign(object()),
    lambda: v.__setstate__({}),
    lambda: tf.Variable(Raises()),
    lambda: tf.Tensor(),
    lambda: tf.Tensor() + 1,
    lambda: repr(tf.Tensor.__new__(tf.Tensor)),
    lambda: tf.Tensor.__new__(tf.Tensor) + x,
    lambda: tf.add(tf.Tensor.__new__(tf.Tensor), x),
    lambda: tf.function(lambda a: a)(tf.Tensor.__new__(tf.Tensor)),
    lambda: tf.Variable.__new__(tf.Variable) + x,
    lambda: tf.exp(tf.Variable.__new__(tf.Variable)),
    lambda: tf.add(),
    lambda: tf.add(x),
    lambda: tf.add(x, x, x, x),
    lambda: tf.exp(x, y=1),
    lambda: tf.GradientTape().gradient(object(), x),
    lambda: tf.GradientTape().gradient(x, object()),
    lambda: tf.GradientTape().jacobian(tf.zeros([2**40]), x),
    lambda: tf.ir.parse("func @f("),
    lambda: tf.ir.parse(""),
    lambda: tf.ir.parse("func @f(%x: f32[99999999999999999999]) -> f32[] {\n  return %x\n}"),
    lambda: tf.ir.parse("func @f(%x: f32[2]) -> f32[2] {\n  return %x\n}")(x[:1]),
    lambda: tf.ir.parse("func @f(%x: f32[2]) -> f32[2] {\n  return %x\n}")(),
    lambda: tf.random.uniform([3], 5, 5, tf.int32),
    lambda: tf.random.uniform([3], 7, 5, tf.int32),
    lambda: tf.random.set_seed("a"),
    lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([5, -5], tf.zeros([2, 3])),
    lambda: tf.clip_by_norm(x, float("nan")),
    lambda: tf.experimental.dlpack.from_dlpack(object()),
    lambda: tf.experimental.dlpack.from_dlpack(np.zeros(2, complex)),
]
raised = passed = 0
for n, call in enumerate(calls):
    for _ in range(2):
        try:
            call()
            passed += 1
        except Exception as error:
            raised += 1
            if isinstance(error, SystemError):
                print("SystemError in call", n, error)
            str(error)
    gc.collect()
assert float(tf.reduce_sum(x * 2.0)) == 6
assert v.numpy().tolist() == [1, 2]
assert tf.executing_eagerly()
print("alive", len(calls), raised, passed)
"""


def test_nothing_kills_the_interpreter() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", NASTY],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    last = done.stdout.splitlines()[-1].split()
    assert last[0] == "alive"
    assert int(last[2]) > int(last[3])  # most of it is refused
    assert "SystemError" not in done.stdout, done.stdout
