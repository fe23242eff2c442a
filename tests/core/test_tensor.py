"""Tensors as users meet them: making them, dtype rules, operators, indexing, and NumPy."""

from __future__ import annotations

import copy
import operator
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfc as tf

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
Invalid = tf.errors.InvalidArgumentError


def same(got: Any, wanted: Any) -> None:
    """Equal in dtype, shape and bits."""
    wanted = np.asarray(wanted)
    assert isinstance(got, tf.Tensor)
    array = np.asarray(got)
    assert (array.dtype, array.shape) == (wanted.dtype, wanted.shape)
    assert array.tobytes() == np.ascontiguousarray(wanted).tobytes(), (array, wanted)


# Making.


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, "int32"),
        (-(2**31), "int32"),
        (2**31, "int64"),
        ([1, 2**40], "int64"),
        (1.0, "float32"),
        (True, "bool"),
        ([1, 2], "int32"),
        ([1, 2.5], "float32"),
        ([[True, False]], "bool"),
        ([], "float32"),
        ([[], []], "float32"),
        (range(3), "int32"),
        ((1, 2), "int32"),
        (np.float64(1), "float64"),
        (np.int64(1), "int64"),
        ([np.float64(1)], "float64"),
        ([np.int8(1), np.int8(2)], "int8"),
        (np.ones(2), "float64"),
        (np.ones(2, bool), "bool"),
        ([np.ones(2, np.float32), np.zeros(2, np.float32)], "float32"),
        (np.ones(2, ml_dtypes.bfloat16), "bfloat16"),
    ],
)
def test_dtype_of_constant(value: Any, dtype: str) -> None:
    wanted = np.array(value).astype(tf.as_dtype(dtype).numpy)
    same(tf.constant(value), wanted)
    same(tf.convert_to_tensor(value), wanted)


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_python_numbers_take_the_dtype(dtype: str) -> None:
    kind = tf.as_dtype(dtype)
    same(tf.constant([1, 2], dtype), np.array([1, 2], kind.numpy))
    same(tf.constant([1, 2], kind), np.array([1, 2], kind.numpy))
    same(tf.constant([], kind), np.zeros(0, kind.numpy))
    if kind.is_floating:
        same(tf.constant(0.1, kind), np.array(0.1, kind.numpy))
    else:
        same(tf.constant(kind.max, kind), np.array(kind.max, kind.numpy))
        assert type(kind.min) is type(kind.max) is int


@pytest.mark.parametrize(
    ("value", "dtype", "error", "text"),
    [
        (1.5, tf.int32, TypeError, r"Cannot convert 1\.5 to EagerTensor of dtype int32"),
        (300, tf.uint8, TypeError, "Cannot convert 300 to EagerTensor of dtype uint8"),
        (-1, tf.uint64, TypeError, "Cannot convert -1 to EagerTensor of dtype uint64"),
        (1, tf.bool, TypeError, "Cannot convert 1 to EagerTensor of dtype bool"),
        (1, tf.bool, TypeError, "Cannot convert 1 to EagerTensor of dtype bool"),
        (1j, tf.float32, TypeError, "Cannot convert 1j to EagerTensor of dtype float32"),
        (1, "complex32", TypeError, "`type_value`: 'complex32' to a TensorFlow DType"),
        (1, object, TypeError, "to a TensorFlow DType"),
        (2**70, None, ValueError, "out-of-range integer"),
        ([True, 2], None, ValueError, "mixed types"),
        ([1, True], None, ValueError, "mixed types"),
        ([[1, 2], [3]], None, ValueError, "non-rectangular Python sequence"),
        ("a", tf.float32, TypeError, "Cannot convert 'a' to EagerTensor of dtype float32"),
        (None, None, ValueError, r"\(None\) with an unsupported type \(<class 'NoneType'>\)"),
        (object(), None, ValueError, "unsupported type"),
        ({1, 2}, None, ValueError, "unsupported type"),
        ({"a": 1}, None, ValueError, "unsupported type"),
        (np.array(["2020-01-01"], "datetime64[D]"), None, ValueError, "unsupported type"),
        (
            tf.constant(1.0),
            tf.float64,
            ValueError,
            "requested dtype float64 for Tensor with dtype float32",
        ),
    ],
)
def test_what_is_no_tensor(value: Any, dtype: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        tf.convert_to_tensor(value, dtype)
    with pytest.raises(error, match=text):
        tf.constant(value, dtype)


def test_long_values_are_cut_in_messages() -> None:
    with pytest.raises(ValueError, match="non-rectangular") as caught:
        tf.constant([[1] * 10000, [2]])
    assert len(str(caught.value)) < 400


def test_shape_of_constant() -> None:
    same(tf.constant([1, 2, 3, 4], shape=[2, 2]), np.array([[1, 2], [3, 4]], np.int32))
    same(tf.constant(7, shape=(2, 3)), np.full((2, 3), 7, np.int32))
    same(tf.constant([7.0], shape=(2, 0)), np.zeros((2, 0), np.float32))
    with pytest.raises(TypeError, match=r"has 3 elements, but got `shape` \[2, 2\] with 4"):
        tf.constant([1, 2, 3], shape=[2, 2])


def test_lists_of_tensors_are_stacked() -> None:
    x = tf.constant([1.0, 2.0])
    same(tf.constant([x, [3, 4]]), np.array([[1, 2], [3, 4]], np.float32))
    same(tf.convert_to_tensor([tf.constant(1.0), 2]), np.array([1, 2], np.float32))
    same(tf.convert_to_tensor([2, tf.Variable(1.0)]), np.array([2, 1], np.float32))
    same(tf.convert_to_tensor(((x, x), (x, x))), np.array([[[1, 2]] * 2] * 2, np.float32))
    with pytest.raises(TypeError, match=r"Cannot convert 2\.5"):
        tf.convert_to_tensor([tf.constant(1), 2.5])


def test_lists_with_tensors_have_the_dtype_that_is_wanted() -> None:
    """As numbers in their place would: as in TensorFlow, where what they are beside decides."""
    n = tf.constant(3, tf.int64)
    extents = tf.shape(tf.ones([2]))
    assert tf.convert_to_tensor((n,), tf.int32).dtype is tf.int32
    assert tf.convert_to_tensor([n, 1.5], tf.float32).numpy().tolist() == [3.0, 1.5]
    for f in (lambda k: tf.concat((extents, (k,)), 0), lambda k: tf.concat(([k], extents), 0)):
        for joined in (f(n), tf.function(f)(n)):
            assert joined.dtype is tf.int32 and sorted(joined.numpy().tolist()) == [2, 3]
    with pytest.raises(ValueError, match="int32 for a list with a tensor of dtype float32"):
        tf.convert_to_tensor([tf.constant(1.5)], tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a int32 tensor"):
        tf.concat((extents, tf.constant([3], tf.int64)), 0)


def test_whole_numbers_of_numpy_go_with_integers() -> None:
    assert (tf.constant(4) + np.float64(3.0)).dtype is tf.int32
    same(tf.minimum(tf.constant([1, 4]), np.array([2.0, 2.0])), np.array([1, 2], np.int32))
    same(tf.constant([4]) + np.array([], np.float32), np.array([], np.int32))
    for other in (
        np.float64(3.5),
        np.array([1.0, np.nan]),
        np.array([np.inf]),
        np.array([2.0**40]),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a int32"):
            tf.constant(4) + other  # where TensorFlow computes with 3, or with anything
    with pytest.raises(tf.errors.InvalidArgumentError, match="is a float64"):
        tf.constant(4, tf.uint8) + np.array([256.0])


def test_convert_gives_the_same_tensor() -> None:
    x = tf.constant([1.0])
    assert tf.convert_to_tensor(x) is x
    assert tf.constant(x) is x
    assert tf.is_tensor(x) and tf.is_tensor(tf.Variable(1.0))
    assert not tf.is_tensor(np.ones(2)) and not tf.is_tensor(1.0)


def test_arrays_are_cast_where_a_dtype_is_asked_for() -> None:
    same(tf.constant(np.array([1.5, -2.5]), tf.int32), np.array([1, -2], np.int32))
    same(tf.constant(np.array([True]), tf.float32), np.array([1], np.float32))
    same(tf.constant(np.arange(3), tf.float64), np.arange(3.0))
    same(tf.constant(np.float64(0.1), tf.float32), np.array(0.1, np.float32))
    same(tf.constant(np.array([np.nan, 1e30]), tf.int32), np.array([0, 2**31 - 1], np.int32))


def test_dtype_hint() -> None:
    same(tf.convert_to_tensor(1, dtype_hint=tf.float64), np.array(1.0))
    same(tf.convert_to_tensor(1.5, dtype_hint=tf.int32), np.array(1.5, np.float32))


# What a source array looks like in memory does not matter, and changing it changes no tensor.


def unusual_arrays() -> dict[str, np.ndarray]:
    base = np.arange(24, dtype=np.float32).reshape(4, 6)
    unaligned = np.frombuffer(b"\0" + base.tobytes(), np.uint8)[1:].view(np.float32).reshape(4, 6)
    assert not unaligned.flags.aligned
    frozen = base.copy()
    frozen.flags.writeable = False
    return {
        "big-endian": base.astype(">f4"),
        "big-endian integers": base.astype(">i8"),
        "fortran": np.asfortranarray(base),
        "strided": base[::2, ::3],
        "reversed": base[::-1, ::-1],
        "transposed": base.T,
        "broadcast": np.broadcast_to(base[0], (3, 6)),
        "misaligned": unaligned,
        "read-only": frozen,
        "empty": base[:0],
        "empty inside": base[:, :0],
        "scalar": np.array(3.0, ">f8"),
        "subclass": base.view(np.matrix),
    }


@pytest.mark.parametrize("kind", unusual_arrays())
def test_unusual_arrays(kind: str) -> None:
    array = unusual_arrays()[kind]
    wanted = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("="))
    if not array.ndim:
        wanted = wanted.reshape(())
    x = tf.constant(array)
    same(x, np.asarray(wanted))
    same(x + x, np.asarray(wanted + wanted))
    same(tf.add(array, array), np.asarray(wanted + wanted))
    same(tf.function(lambda a: a * 2)(array), np.asarray(wanted * 2))
    v = tf.Variable(array)
    same(v + 0, np.asarray(wanted))


def test_changing_the_source_changes_no_tensor() -> None:
    source = np.zeros(3, np.float32)
    x = tf.constant(source)
    y = tf.convert_to_tensor(source)
    v = tf.Variable(source)
    z = tf.identity(source)
    source[:] = 7
    for held in (x, y, v, z):
        assert not np.any(held.numpy())
    copied = x.numpy()
    copied[:] = 7
    assert not np.any(x.numpy())
    kept = v.numpy()
    kept[:] = 7
    assert not np.any(v.numpy())
    w = np.ones(3, np.float32)
    v.assign(w)
    w[:] = 9
    assert v.numpy().tolist() == [1, 1, 1]


# Operators.

BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
]
COMPARE = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]


@pytest.mark.parametrize("op", BINARY + COMPARE)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8"])
def test_binary_operators(op: Any, dtype: str) -> None:
    kind = np.dtype(dtype)
    a, b = np.array([[5, 2, 3]], kind), np.array([[2], [3]], kind)
    wanted = op(a, b)
    if op is operator.truediv and kind.kind != "f":
        wide = np.float64 if kind.itemsize > 2 else np.float32
        wanted = a.astype(wide) / b.astype(wide)
    x, y = tf.constant(a), tf.constant(b)
    same(op(x, y), wanted)
    same(op(x, b), wanted)
    same(op(a, y), wanted)  # NumPy leaves the operator to the tensor
    same(op(tf.Variable(a), y), wanted)
    same(op(x, tf.Variable(b)), wanted)
    same(op(a, tf.Variable(b)), wanted)
    same(op(x, 2), op(x, tf.constant(2, dtype)))
    same(op(2, x), op(tf.constant(2, dtype), x))
    same(op(x, b.tolist()), wanted)
    same(op(a.tolist(), y), wanted)


@pytest.mark.parametrize("op", [operator.and_, operator.or_, operator.xor])
def test_bit_operators(op: Any) -> None:
    for kind in (np.bool_, np.int16, np.uint64):
        a, b = np.array([5, 2, 0]).astype(kind), np.array([1, 0, 3]).astype(kind)
        same(op(tf.constant(a), tf.constant(b)), op(a, b))
        same(op(a, tf.constant(b)), op(a, b))
    same(op(tf.constant([True, False]), True), op(np.array([True, False]), True))
    same(op(1, tf.constant([3, 4])), op(np.int32(1), np.array([3, 4], np.int32)))
    with pytest.raises(Invalid, match="float32"):
        op(tf.constant([1.0]), tf.constant([1.0]))


def test_shifts() -> None:
    x = tf.constant([1, -8], tf.int32)
    same(x << 2, np.array([4, -32], np.int32))
    same(x >> 1, np.array([0, -4], np.int32))
    same(1 << tf.constant([3], tf.uint8), np.array([8], np.uint8))


def test_unary_operators() -> None:
    a = np.array([1.5, -2.0, -0.0], np.float32)
    same(-tf.constant(a), -a)
    same(abs(tf.constant(a)), np.abs(a))
    same(~tf.constant([True, False]), np.array([False, True]))
    same(~tf.constant([1, -1]), np.array([-2, 0], np.int32))
    same(~tf.constant([1], tf.uint8), np.array([254], np.uint8))
    same(-tf.Variable(a), -a)
    with pytest.raises(Invalid, match="float32"):
        ~tf.constant(1.0)


def test_matmul_operator() -> None:
    a, b = (
        np.arange(6, dtype=np.float32).reshape(2, 3),
        np.arange(6, dtype=np.float32).reshape(3, 2),
    )
    for x, y in ((tf.constant(a), tf.constant(b)), (a, tf.constant(b)), (tf.constant(a), b)):
        same(x @ y, a @ b)


def test_python_numbers_adapt_and_tensors_are_not_promoted() -> None:
    for dtype in FLOATS:
        assert (tf.constant(1, dtype) + 1).dtype is tf.as_dtype(dtype)
        assert (0.5 * tf.constant(1, dtype)).dtype is tf.as_dtype(dtype)
    assert (tf.constant(1, tf.uint8) + 1).dtype is tf.uint8
    with pytest.raises(TypeError, match=r"add: Cannot convert 1\.5 to EagerTensor of dtype int32"):
        tf.constant(1) + 1.5
    with pytest.raises(TypeError, match="Cannot convert 300 to EagerTensor of dtype uint8"):
        tf.constant(1, tf.uint8) + 300
    text = "as input #1.* expected to be a float32 tensor but is a float64 tensor"
    with pytest.raises(Invalid, match=text):
        tf.constant(1.0) + tf.constant(1.0, tf.float64)
    with pytest.raises(Invalid, match="int32 tensor but is a int64 tensor"):
        tf.constant(1) * tf.constant(1, tf.int64)
    with pytest.raises(Invalid, match="float32 tensor but is a int32 tensor"):
        tf.Variable(1.0) - tf.constant(1)
    with pytest.raises(Invalid, match="not defined for dtype bool"):
        tf.constant(True) + tf.constant(True)


def test_arrays_take_the_dtype_of_the_tensor_where_it_can_hold_them() -> None:
    x = tf.constant([1.0, 2.0])
    same(x * np.array([2.0, 3.0]), np.array([2, 6], np.float32))
    same(np.array([2.0, 3.0]) * x, np.array([2, 6], np.float32))
    same(x + np.array([1, 2]), np.array([2, 4], np.float32))
    same(np.float64(2) * x, np.array([2, 4], np.float32))
    same(np.int64(2) * tf.constant([1, 2]), np.array([2, 4], np.int32))
    same(tf.multiply(tf.constant(5), np.array(10)), np.array(50, np.int32))
    for f in (
        lambda: tf.constant([1]) + np.array([0.5]),
        lambda: np.array([0.5]) + tf.constant([1]),
    ):
        with pytest.raises((TypeError, Invalid), match="float64"):
            f()


def test_division_of_integers() -> None:
    for dtype in ("int8", "int16", "uint16"):
        assert (tf.constant(1, dtype) / tf.constant(2, dtype)).dtype is tf.float32
    for dtype in ("int32", "int64", "uint32"):
        assert (tf.constant(1, dtype) / 2).dtype is tf.float64
    same(tf.constant([-7, 7]) // 2, np.array([-4, 3], np.int32))
    same(tf.constant([-7, 7]) % 3, np.array([2, 1], np.int32))
    same(tf.constant([-7.0, 7.0]) % 3.0, np.array([2, 1], np.float32))
    for f in (lambda: tf.constant([1]) // 0, lambda: tf.constant([1]) % tf.constant([0])):
        with pytest.raises(Invalid, match=r"Integer division by zero.*test_tensor\.py:\d+"):
            f()
    same(tf.constant([1.0, -1.0]) / 0.0, np.array([np.inf, -np.inf], np.float32))


def test_equality() -> None:
    x = tf.constant([1.0, 2.0])
    same(x == x, np.array([True, True]))
    same(x != [1.0, 3.0], np.array([False, True]))
    same(x == 1, np.array([True, False]))
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    # Shapes that do not fit are different; tf.equal refuses them.
    same(x == tf.constant([1.0, 2.0, 3.0]), np.array(False))
    same(x != tf.constant([1.0, 2.0, 3.0]), np.array(True))
    same(tf.Variable([1.0, 2.0]) == np.ones(3, np.float32), np.array(False))
    with pytest.raises(Invalid, match=r"Incompatible shapes: \[2\] vs\. \[3\]"):
        tf.equal(x, tf.constant([1.0, 2.0, 3.0]))
    with pytest.raises(Invalid, match="float32 tensor but is a int32"):
        _ = x == tf.constant([1, 2])
    nan = tf.constant(float("nan"))
    same(nan == nan, np.array(False))
    assert tf.constant(2.0) in [tf.constant(1.0), tf.constant(2.0)]


def test_hash_and_ref() -> None:
    x, v = tf.constant([1.0]), tf.Variable(1.0)
    for held in (x, v):
        with pytest.raises(
            TypeError, match=r"is unhashable\. Instead, use \w+\.ref\(\) as the key"
        ):
            hash(held)
        assert held.ref().deref() is held
        assert held.ref() == held.ref()
        assert held.ref() != tf.constant([1.0]).ref()
        assert {held.ref(): 1}[held.ref()] == 1


def test_a_tensor_cannot_be_changed() -> None:
    x = tf.constant([1, 2])
    with pytest.raises(TypeError, match="does not support item assignment"):
        x[0] = 3  # type: ignore[index]
    y = x
    y += 1
    same(x, np.array([1, 2], np.int32))
    same(y, np.array([2, 3], np.int32))


# Python's conversions.


def test_numbers() -> None:
    assert int(tf.constant(25)) == 25
    assert int(tf.constant(2.9)) == 2
    assert float(tf.constant(2.5)) == 2.5
    assert float(tf.constant(1.5, tf.bfloat16)) == 1.5
    assert bool(tf.constant(0.0)) is False
    assert bool(tf.constant([3])) is True
    assert [10, 20, 30][tf.constant(1)] == 20
    assert list(range(5))[tf.constant(1) : tf.constant(3)] == [1, 2]
    assert "%d" % tf.constant(25) == "25"  # noqa: UP031
    assert f"{tf.constant(1.5):.3f} {tf.constant([1, 2])}" == "1.500 [1 2]"
    assert len(tf.zeros([3, 2])) == 3
    with pytest.raises(ValueError, match="ambiguous"):
        bool(tf.constant([1, 2]))
    with pytest.raises(TypeError):
        int(tf.constant([1, 2]))
    with pytest.raises(TypeError):
        float(tf.constant([1.0, 2.0]))
    with pytest.raises(TypeError, match="only integer scalar tensors can be an index"):
        [1, 2][tf.constant(1.0)]
    with pytest.raises(TypeError, match=r"Scalar tensor has no `len\(\)`"):
        len(tf.constant(1))


def test_iteration() -> None:
    rows = list(tf.constant([[1, 2], [3, 4]]))
    same(rows[1], np.array([3, 4], np.int32))
    assert [int(i) for i in tf.range(4)] == [0, 1, 2, 3]
    a, b = tf.constant([1.0, 2.0])
    assert (float(a), float(b)) == (1, 2)
    assert list(tf.zeros([0, 3])) == []
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(tf.constant(1))
    assert [float(x) for x in tf.Variable([1.0, 2.0])] == [1, 2]


def test_properties() -> None:
    x = tf.zeros([2, 3], tf.float64)
    assert (x.shape, x.dtype, x.ndim) == ((2, 3), tf.float64, 2)
    assert x.get_shape() == x.shape
    assert x.shape.as_list() == [2, 3]
    assert x.device.endswith("CPU:0")


# Text.


@pytest.mark.parametrize(
    ("value", "dtype", "shown", "printed"),
    [
        (
            5,
            None,
            "<tf.Tensor: shape=(), dtype=int32, numpy=5>",
            "tf.Tensor(5, shape=(), dtype=int32)",
        ),
        (
            0.1,
            None,
            "<tf.Tensor: shape=(), dtype=float32, numpy=0.1>",
            "tf.Tensor(0.1, shape=(), dtype=float32)",
        ),
        (
            True,
            None,
            "<tf.Tensor: shape=(), dtype=bool, numpy=True>",
            "tf.Tensor(True, shape=(), dtype=bool)",
        ),
        (
            [1.0, 2.5],
            None,
            "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1. , 2.5], dtype=float32)>",
            "tf.Tensor([1.  2.5], shape=(2,), dtype=float32)",
        ),
        (
            [[1, 2], [3, 4]],
            None,
            "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\n"
            "array([[1, 2],\n       [3, 4]], dtype=int32)>",
            "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)",
        ),
        (
            [],
            None,
            "<tf.Tensor: shape=(0,), dtype=float32, numpy=array([], dtype=float32)>",
            "tf.Tensor([], shape=(0,), dtype=float32)",
        ),
        (
            1.5,
            "bfloat16",
            "<tf.Tensor: shape=(), dtype=bfloat16, numpy=1.5>",
            "tf.Tensor(1.5, shape=(), dtype=bfloat16)",
        ),
    ],
)
def test_text(value: Any, dtype: Any, shown: str, printed: str) -> None:
    x = tf.constant(value, dtype)
    assert repr(x) == shown
    assert str(x) == printed


# Indexing.


INDICES = st.deferred(
    lambda: st.lists(
        st.one_of(
            st.integers(-5, 4),
            st.builds(slice, BOUND, BOUND, st.sampled_from([None, 1, 2, 3, -1, -2, -3])),
            st.just(None),
            st.just(Ellipsis),
            st.integers(-5, 4).map(np.int64),
        ),
        max_size=5,
    ).map(tuple)
)
BOUND = st.one_of(st.none(), st.integers(-7, 7))
SHAPES = st.lists(st.integers(0, 5), max_size=3).map(tuple)


def index_both(shape: tuple[int, ...], index: Any) -> None:
    """Index a tensor and an array; both refuse, or both give the same."""
    array = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    try:
        wanted = array[index]
    except IndexError:
        with pytest.raises(Invalid):
            tf.constant(array)[index]
        return
    same(tf.constant(array)[index], wanted)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(SHAPES, INDICES)
def test_indexing_is_as_in_numpy(shape: tuple[int, ...], index: Any) -> None:
    index_both(shape, index)
    if len(index) == 1:
        index_both(shape, index[0])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(SHAPES, INDICES)
def test_indexing_in_functions(shape: tuple[int, ...], index: Any) -> None:
    array = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    f = tf.function(lambda x: x[index])
    try:
        wanted = array[index]
    except IndexError:
        with pytest.raises(ValueError):
            f(array)
        return
    same(f(array), wanted)


def test_every_slice_of_a_vector() -> None:
    """All starts, stops and steps around the extents."""
    bounds = [None, *range(-5, 6)]
    for n in (0, 1, 4):
        array = np.arange(n, dtype=np.float32)
        x = tf.constant(array)
        for start in bounds:
            for stop in bounds:
                for step in (None, 1, 2, -1, -2, 7, -7):
                    same(x[start:stop:step], array[start:stop:step])


def test_index_by_tensors() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    x = tf.constant(array)
    same(x[tf.constant(1)], array[1])
    same(x[tf.constant(-1, tf.int64)], array[-1])
    same(x[tf.constant(1) :, : tf.constant(2)], array[1:, :2])
    same(x[[2, 0]], array[2, 0])  # a list is a tuple
    same(x[[tf.constant(2), slice(1, None)]], array[2, 1:])
    same(x[np.array(2, np.int16), tf.compat.v1.Dimension(1)], array[2, 1])
    same(x[tf.newaxis, ..., tf.newaxis].shape and x[tf.newaxis], array[None])
    same(tf.Variable(array)[1:, 0], array[1:, 0])


@pytest.mark.parametrize(
    ("index", "error", "text"),
    [
        (3, Invalid, r"slice index 3 of dimension 0 out of bounds"),
        ((0, -5), Invalid, r"slice index -5 of dimension 1 out of bounds"),
        ((0, 0, 0), Invalid, "Index out of range using input dim 2; input has only 2 dims"),
        ((..., ...), Invalid, "Multiple ellipses"),
        (slice(None, None, 0), Invalid, "must be non-zero"),
        (1.5, TypeError, r"Only integers, slices .* valid indices, got 1\.5"),
        ("a", TypeError, r"Only integers, slices .* valid indices, got 'a'"),
        ((True, 0), TypeError, r"valid indices, got True"),
        (True, ValueError, "mask"),
        (tf.constant(False), ValueError, "mask"),
        (tf.constant([1.0]), TypeError, "valid indices"),
        (slice(0.5, None), TypeError, r"a slice bound must be an integer, got 0\.5"),
        (slice(None, None, 1.5), TypeError, "a slice step must be an integer"),
        # As in TensorFlow, which has no rows of several numbers here: tf.gather takes them.
        (tf.constant([0, 2]), TypeError, "valid indices"),
        ((tf.constant([0, 1]), tf.constant([1, 2])), TypeError, "valid indices"),
        ((slice(None), np.array([[0]])), TypeError, "valid indices"),
        ([[0, 1]], TypeError, r"valid indices, got \[0, 1\]"),
        (range(2), TypeError, "valid indices"),
        (tf.constant(1, tf.uint8), TypeError, "valid indices"),
    ],
)
def test_bad_indices(index: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text) as caught:
        tf.zeros([3, 4])[index]
    assert "test_tensor.py:" in str(caught.value)


# NumPy and other libraries.


def test_numpy_is_a_copy_and_array_a_read_only_view() -> None:
    x = tf.constant([1.0, 2.0])
    assert x.numpy() is not x.numpy()
    assert x.numpy().flags.writeable
    view = np.asarray(x)
    assert not view.flags.writeable
    assert np.shares_memory(view, np.asarray(x))
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 5
    assert np.array(x).flags.writeable
    assert np.array(x, copy=True).flags.writeable
    assert np.asarray(x, np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="copy"):
        np.array(x, np.float64, copy=False)
    assert isinstance(tf.constant(1.5).numpy(), np.float32)
    assert tf.constant(1.5, tf.bfloat16).numpy().dtype == ml_dtypes.bfloat16


def test_numpy_functions() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert np.sum(x) == 10
    assert np.mean(x, axis=0).tolist() == [2, 3]
    assert np.multiply(tf.constant(5), np.array(10)) == 50
    assert np.exp(x).dtype == np.float32
    assert np.concatenate([x, x]).shape == (4, 2)
    assert np.add(x, x).tolist() == [[2, 4], [6, 8]]
    assert np.allclose(tf.Variable(x), x)
    np.testing.assert_array_equal(x, [[1, 2], [3, 4]])
    out = np.zeros((2, 2), np.float32)
    out[:] = x
    assert out.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("dtype", [*INTEGERS, "float16", "float32", "float64", "bool"])
def test_dlpack(dtype: str) -> None:
    array = np.array([[1, 0], [1, 1], [0, 1]]).astype(dtype)
    x = tf.constant(array)
    out = np.from_dlpack(x)
    np.testing.assert_array_equal(out, array)
    assert out.dtype == array.dtype
    assert x.__dlpack_device__() == (1, 0)
    same(tf.experimental.dlpack.from_dlpack(array), array)
    same(tf.experimental.dlpack.from_dlpack(array.T), array.T)
    same(tf.experimental.dlpack.from_dlpack(array.__dlpack__()), array)
    same(tf.experimental.dlpack.from_dlpack(tf.experimental.dlpack.to_dlpack(x)), array)
    same(tf.experimental.dlpack.from_dlpack(x), array)


def test_dlpack_does_not_let_others_change_a_tensor() -> None:
    x = tf.constant([1.0, 2.0])
    out = np.from_dlpack(x)
    try:
        out[0] = 5
    except ValueError:
        assert not out.flags.writeable
    capsule = np.from_dlpack(Once(tf.experimental.dlpack.to_dlpack(x)))
    try:
        capsule[0] = 5
    except ValueError:
        assert not capsule.flags.writeable
    same(x, np.array([1, 2], np.float32))
    source = np.ones(2, np.float32)
    y = tf.experimental.dlpack.from_dlpack(source)
    source[:] = 7
    same(y, np.ones(2, np.float32))


class Once:
    """Gives a capsule to a consumer of the protocol."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def test_dlpack_refuses_what_is_none() -> None:
    with pytest.raises((TypeError, AttributeError, Invalid), match=r"dlpack|DLPack"):
        tf.experimental.dlpack.from_dlpack([1.0])


def test_pickle_and_copy() -> None:
    for x in (
        tf.constant([[1.0, 2.0]]),
        tf.constant(3),
        tf.constant([1.5], tf.bfloat16),
        tf.zeros([0, 2]),
    ):
        same(pickle.loads(pickle.dumps(x)), np.asarray(x))
        same(copy.copy(x), np.asarray(x))
        same(copy.deepcopy({"x": x})["x"], np.asarray(x))


def test_zero_size() -> None:
    x = tf.zeros([0, 3])
    same(x + 1.0, np.zeros((0, 3), np.float32))
    same(tf.reduce_sum(x), np.array(0, np.float32))
    same(tf.reduce_sum(x, 0), np.zeros(3, np.float32))
    same(tf.matmul(tf.zeros([2, 0]), x), np.zeros((2, 3), np.float32))
    same(tf.concat([x, tf.ones([1, 3])], 0), np.ones((1, 3), np.float32))
    assert (
        repr(x)
        == "<tf.Tensor: shape=(0, 3), dtype=float32, numpy=array([], shape=(0, 3), dtype=float32)>"
    )
