"""Tensors, Variables, shapes and dtypes as objects: the rest of their protocols, and exchange
with NumPy, DLPack, pandas and Pillow."""

from __future__ import annotations

import copy
import ctypes
import pickle
import weakref
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tfc as tf
from tfc.core import capsules, dlpack


def same(x: Any, array: Any) -> None:
    array = np.asarray(array)
    got = np.asarray(x)
    assert (got.dtype, got.shape, got.tobytes()) == (array.dtype, array.shape, array.tobytes())


# Operators.


def test_divmod_round_and_plus() -> None:
    for x in (np.array([7.5, -7.5, 2.0], np.float32), np.array([7, -7, 2], np.int32)):
        t, v = tf.constant(x), tf.Variable(x)
        for held in (t, v):
            for got, want in zip(divmod(held, 3), divmod(x, 3), strict=True):
                same(got, want.astype(x.dtype))
            for got, want in zip(divmod(30, held), divmod(30, x), strict=True):
                same(got, want.astype(x.dtype))
            same(round(held), np.round(x))
            same(+held, x)
    same(round(tf.constant([1.234, -5.678], tf.float64), 1), np.array([1.2, -5.7]))
    same(round(tf.constant([1234.0, 1251.0]), -2), np.array([1200, 1300], np.float32))
    assert complex(tf.constant(1.5)) == 1.5 and complex(tf.Variable(2)) == 2
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="positive: not defined for dtype bool"
    ):
        +tf.constant([True])
    with pytest.raises(TypeError):
        complex(tf.constant([1.0, 2.0]))


def test_membership() -> None:
    x = tf.constant([1, 2, 3])
    assert 2 in x and 5 not in x and tf.constant(3) in x
    assert x in [x] and 1.5 in tf.Variable([1.5])


class Unit:
    """Knows what to do with a tensor on its left."""

    def __radd__(self, other: Any) -> str:
        return "added"

    def __gt__(self, other: Any) -> str:
        return "greater"

    def __rmatmul__(self, other: Any) -> str:
        return "multiplied"


def test_others_may_take_over() -> None:
    x = tf.constant([1.0])
    assert x + Unit() == "added" and (x < Unit()) == "greater"
    assert x @ Unit() == "multiplied" and tf.Variable(1.0) + Unit() == "added"
    for bad in (lambda: x - Unit(), lambda: x + None):
        with pytest.raises(ValueError, match="unsupported type"):
            bad()
    for bad in (lambda: x < "a", lambda: x + "a"):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"dtype string|is a string"):
            bad()


def test_attributes_of_graphs() -> None:
    x, v = tf.constant([1.0]), tf.Variable([1.0])
    for name in ("name", "op", "graph"):
        assert not hasattr(x, name)
        with pytest.raises(AttributeError, match=rf"Tensor\.{name} is undefined when eager"):
            getattr(x, name)
    for name in ("initial_value", "op", "graph"):
        with pytest.raises(AttributeError, match=rf"Variable\.{name} is not supported"):
            getattr(v, name)
    for held in (x, v):
        with pytest.raises(NotImplementedError, match="eval is not supported"):
            held.eval()
        with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
            held.nonsense  # noqa: B018
    with pytest.raises(NotImplementedError, match="consumers"):
        x.consumers()
    with pytest.raises(AttributeError, match="experimental_enable_numpy_behavior"):
        x.reshape  # noqa: B018
    with pytest.raises(AttributeError):
        x.note = 1  # type: ignore[attr-defined]


def test_set_shape() -> None:
    x = tf.zeros([2, 3])
    assert x.set_shape([None, 3]) is None
    with pytest.raises(ValueError, match=r"\(2, 3\) is not compatible with supplied shape \[4\]"):
        x.set_shape([4])

    seen: list[Any] = []

    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def f(v: Any) -> Any:
        seen.append(v.shape)
        v.set_shape([2, None])
        w = tf.ensure_shape(v, [None, 3])
        seen.extend([v.shape, w.shape, v.name, tf.is_symbolic_tensor(v)])
        return v + w

    same(f(tf.ones([2, 3])), np.full((2, 3), 2, np.float32))
    assert seen[:3] == [[None, None], [2, None], [2, 3]] and seen[3].endswith(":0") and seen[4]
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match="not compatible"):
        f(tf.ones([3, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"expected shape \[3,\?\]"):
        tf.ensure_shape(x, [3, None])
    assert not tf.is_symbolic_tensor(x)


def test_weak_references_and_subclasses_of_nothing() -> None:
    x = tf.constant([1.0])
    assert weakref.ref(x)() is x and weakref.ref(tf.Variable(x)) is not None
    assert isinstance(x, tf.Tensor) and not isinstance(tf.Variable(x), tf.Tensor)
    assert tf.is_tensor(tf.Variable(x))


# Variables.


def test_variable_options() -> None:
    v = tf.Variable(
        [1.0, 2.0],
        trainable=False,
        name="v",
        constraint=abs,
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation="sum",
    )
    assert v.constraint is abs and v.aggregation is tf.VariableAggregation.SUM
    assert v.synchronization is tf.VariableSynchronization.ON_READ
    assert bool(v.is_initialized()) and v.initialized_value().shape == (2,)
    v.note = "kept"  # type: ignore[attr-defined]
    for made in (copy.copy(v), copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        assert made is not v and made.note == "kept" and made.name == "v:0"
        assert made.constraint is abs and made.aggregation is v.aggregation and not made.trainable
        made.assign([5.0, 6.0])
        same(v, np.array([1, 2], np.float32))
    assert tf.Variable(1.0).synchronization is tf.VariableSynchronization.AUTO
    with pytest.raises(ValueError, match="no VariableAggregation"):
        tf.Variable(1.0, aggregation="most")
    with pytest.raises(ValueError, match="must be None or a callable"):
        tf.Variable(1.0, constraint=3)
    with pytest.raises(ValueError, match="not compatible with"):
        v.set_shape([3])
    pair = [v, v]
    twice = copy.deepcopy(pair)
    assert twice[0] is twice[1] is not v


def test_variables_of_unknown_extents() -> None:
    v = tf.Variable([1.0, 2.0], shape=[None])
    assert v.shape == [None] and "shape=(None,)" in repr(v)
    total = tf.function(lambda: tf.reduce_sum(v) * 2.0)
    assert float(total()) == 6
    v.assign([1.0, 2.0, 3.0])
    assert float(total()) == 12 and total.experimental_get_tracing_count() == 1
    with tf.GradientTape() as tape:
        y = total()
    same(tape.gradient(y, v), np.full(3, 2, np.float32))
    with pytest.raises(ValueError, match=r"The variable shape \(None,\), and the assigned value"):
        v.assign([[1.0]])
    anything = tf.Variable([1.0], shape=tf.TensorShape(None))
    assert "shape=<unknown>" in repr(anything)
    double = tf.function(lambda: anything * 2.0)
    same(double(), np.array([2], np.float32))
    anything.assign([[1.0], [2.0]])
    same(double(), np.array([[2], [4]], np.float32))
    with pytest.raises(tf.errors.UnimplementedError, match="cannot be assigned inside"):
        tf.function(lambda: v.assign([1.0]))()


def test_a_traced_value_of_unknown_extent_is_assigned_where_it_fits() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x: Any) -> Any:
        v.assign(x * 2.0)
        return v + 1.0

    same(f(tf.ones([2])), np.array([3, 3], np.float32))
    same(v, np.array([2, 2], np.float32))
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        f(tf.ones([3]))
    same(v, np.array([2, 2], np.float32))


# Dtypes, shapes and specs.


def test_dtype_methods() -> None:
    assert tf.float32.limits == (0, 1) and tf.uint8.limits == (0, 255)
    assert tf.bool.limits == (False, True)
    assert tf.float32.base_dtype is tf.float32 is tf.float32.real_dtype
    assert tf.float32.is_compatible_with("float32") and not tf.int8.is_compatible_with(tf.int16)
    assert tf.float32.is_numpy_compatible and not tf.int8.is_quantized
    numbers = [d.as_datatype_enum for d in (tf.float32, tf.int64, tf.bool, tf.bfloat16, tf.half)]
    assert numbers == [1, 9, 10, 14, 19]
    assert (tf.int8.min, tf.int8.max, tf.float16.max) == (-128, 127, 65504)
    assert tf.dtypes.cast([1.5], tf.int32).numpy().tolist() == [1]
    assert tf.dtypes.saturate_cast([300, -5], tf.uint8).numpy().tolist() == [255, 0]
    assert repr(tf.float32) == "tf.float32" and str(tf.float32) == "<dtype: 'float32'>"
    assert {tf.float32: 1}[tf.as_dtype("float32")] == 1 and tf.float32 != "int32"
    with pytest.raises(TypeError, match="None to a TensorFlow DType"):
        tf.as_dtype(None)
    with pytest.raises(TypeError, match=r"<tf.Tensor: .* to a TensorFlow DType"):
        tf.as_dtype(tf.constant(1))


def test_subtypes_of_shapes_and_specs() -> None:
    a, b = tf.TensorShape([2, 3]), tf.TensorShape([None, 3])
    assert a.is_subtype_of(b) and a.is_subtype_of(tf.TensorShape(None)) and b.is_subtype_of(b)
    assert not b.is_subtype_of(a) and not tf.TensorShape(None).is_subtype_of(a)
    assert a.most_specific_common_supertype([tf.TensorShape([4, 3])]) == b
    assert a.most_specific_common_supertype(["other"]) is None
    s, t = tf.TensorSpec(a, tf.float32), tf.TensorSpec(b, tf.float32)
    assert s.is_subtype_of(t) and not t.is_subtype_of(s) and s.value_type is tf.Tensor
    assert not s.is_subtype_of(tf.TensorSpec(b, tf.int32))
    assert s.most_specific_common_supertype([tf.TensorSpec([9, 3])]) == t
    assert s.most_specific_common_supertype([tf.TensorSpec(a, tf.int32)]) is None


def test_static_values() -> None:
    assert tf.get_static_value(tf.constant(3)) == 3
    assert tf.get_static_value(tf.Variable(3)) is None
    assert tf.get_static_value(np.float32(2)) == 2

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def f(x: Any) -> Any:
        assert tf.get_static_value(x) is None and tf.get_static_value(tf.shape(x)) is None
        assert tf.get_static_value(tf.shape(x), partial=True).tolist() == [None, 3]
        assert tf.get_static_value(tf.shape(x)[1]) == 3
        return x

    f(tf.ones([2, 3]))
    assert tf.get_static_value(5) == 5 and tf.get_static_value([1]) == [1]


# Text, as TensorFlow's documentation shows it.

PRINTED = [
    (lambda: tf.constant(4), "<tf.Tensor: shape=(), dtype=int32, numpy=4>"),
    (
        lambda: tf.constant([2.0, 3.0, 4.0]),
        "<tf.Tensor: shape=(3,), dtype=float32, numpy=array([2., 3., 4.], dtype=float32)>",
    ),
    (
        lambda: tf.zeros([3, 4], tf.int32),
        "<tf.Tensor: shape=(3, 4), dtype=int32, numpy=\narray([[0, 0, 0, 0],\n"
        "       [0, 0, 0, 0],\n       [0, 0, 0, 0]], dtype=int32)>",
    ),
    (
        lambda: tf.constant([True, False]) & True,
        "<tf.Tensor: shape=(2,), dtype=bool, numpy=array([ True, False])>",
    ),
    (
        lambda: tf.constant([1.5], tf.bfloat16),
        "<tf.Tensor: shape=(1,), dtype=bfloat16, numpy=array([1.5], dtype=bfloat16)>",
    ),
    (lambda: tf.reduce_sum([[1, 1, 1], [1, 1, 1]]), "<tf.Tensor: shape=(), dtype=int32, numpy=6>"),
    (
        lambda: tf.one_hot([0, 1], 2, dtype=tf.uint8),
        "<tf.Tensor: shape=(2, 2), dtype=uint8, numpy=\n"
        "array([[1, 0],\n       [0, 1]], dtype=uint8)>",
    ),
    (
        lambda: tf.Variable(5),
        "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=5>",
    ),
    (
        lambda: tf.Variable(np.zeros([2]), name="w"),
        "<tf.Variable 'w:0' shape=(2,) dtype=float64, numpy=array([0., 0.])>",
    ),
    (lambda: tf.TensorShape([16, 256]), "TensorShape([16, 256])"),
    (lambda: tf.TensorShape([None, 256]), "TensorShape([None, 256])"),
    (lambda: tf.TensorShape(None), "TensorShape(None)"),
    (lambda: tf.TensorShape([]), "TensorShape([])"),
    (lambda: tf.zeros([2, 3]).shape, "TensorShape([2, 3])"),
    (
        lambda: tf.TensorSpec(shape=[None, 5], dtype=tf.float32, name="x"),
        "TensorSpec(shape=(None, 5), dtype=tf.float32, name='x')",
    ),
    (lambda: tf.as_dtype("complex64").real_dtype, "tf.float32"),
]


@pytest.mark.parametrize(("make", "text"), PRINTED)
def test_repr(make: Any, text: str) -> None:
    assert repr(make()) == text


def test_str_and_format() -> None:
    assert str(tf.constant([[1, 2], [3, 4]])) == (
        "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)"
    )
    assert (
        f"{tf.constant(3.14159):.2f}|{tf.constant(7):4d}|{tf.constant([1, 2])}" == "3.14|   7|[1 2]"
    )
    assert (
        str(tf.TensorShape([None, 3])) == "(None, 3)" and str(tf.TensorShape(None)) == "<unknown>"
    )
    assert f"{tf.Variable(2.5):.1f}" == "2.5"


# NumPy.


def test_ndarrays_beside_tensors() -> None:
    x, a = tf.constant([1.0, 2.0]), np.array([3.0, 4.0], np.float32)
    for mixed in (a + x, x + a, a * x, a - x, a / x, a**x, a < x):
        assert isinstance(mixed, tf.Tensor)
    assert isinstance(np.float32(2) * x, tf.Tensor) and isinstance(x * np.float64(2), tf.Tensor)
    assert isinstance(a + tf.Variable(x), tf.Tensor)
    # Functions of NumPy give arrays: there is neither __array_ufunc__ nor __array_function__.
    for array in (np.sin(x), np.add(x, x), np.stack([x, x]), np.dot(x, x), np.where(x > 1, x, 0)):
        assert isinstance(array, np.ndarray | np.generic)
    assert not hasattr(x, "__array_ufunc__") and not hasattr(x, "__array_function__")
    a += np.asarray(x)
    same(a, np.array([4, 6], np.float32))


def arrays() -> dict[str, np.ndarray]:
    base = np.arange(24, dtype=np.int32).reshape(4, 6)
    raw = np.zeros(25, np.uint8)
    misaligned = raw[1:].view(np.float64)
    misaligned[:] = [1.5, 2.5, 3.5]
    frozen = base.copy()
    frozen.flags.writeable = False
    return {
        "transposed": base.T,
        "strided": base[::2, ::-3],
        "fortran": np.asfortranarray(base),
        "big-endian": base.astype(">i4"),
        "read-only": frozen,
        "misaligned": misaligned,
        "broadcast": np.broadcast_to(np.float32(3), (2, 3)),
        "long long": base.astype(np.longlong),
        "empty": base[:0],
        "scalar": np.array(7, np.uint16),
        "field": np.array([(1, 2.0), (3, 4.0)], [("a", "i4"), ("b", "f8")])["b"],
        "bfloat16": base.astype(ml_dtypes.bfloat16)[:, ::2],
    }


@pytest.mark.parametrize("name", arrays())
def test_unusual_arrays(name: str) -> None:
    array = arrays()[name]
    x = tf.constant(array)
    np.testing.assert_array_equal(np.asarray(x), array)
    assert not np.shares_memory(np.asarray(x), array)
    np.testing.assert_array_equal(np.asarray(x + tf.zeros_like(x)), array)
    native = array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative
    if native:
        assert np.shares_memory(np.asarray(dlpack.share(array)), array) or not array.size
    else:
        with pytest.raises(ValueError, match="a copy is needed"):
            dlpack.share(array)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([[1, 2], [3]], "non-rectangular"),
        ([[1, 2], 3], "non-rectangular"),
        ([tf.constant([1.0]), [[1.0]]], "Shapes of all inputs must match"),
        (np.array([object()]), "unsupported type"),
        (np.array([(1, 2)], [("a", "i4"), ("b", "i4")]), "unsupported type|structured"),
        (["text", 1], "mixed types"),
        ([1, None], "unsupported type"),
        (lambda: 1, "unsupported type"),
    ],
)
def test_what_is_refused(value: Any, text: str) -> None:
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match=text):
        tf.constant(value)


def test_lists_with_tensors() -> None:
    one, row = tf.constant(1.0), tf.constant([1.0, 2.0])
    same(tf.constant([one, 2.0]), np.array([1, 2], np.float32))
    same(tf.constant([[one, 2.0], row]), np.array([[1, 2], [1, 2]], np.float32))
    same(tf.constant([row, (3, one)]), np.array([[1, 2], [3, 1]], np.float32))
    same(tf.constant([tf.Variable(3), 4]), np.array([3, 4], np.int32))
    with tf.GradientTape() as tape:
        tape.watch(one)
        y = tf.reduce_sum(tf.convert_to_tensor([one * 2.0, one * 3.0]))
    assert float(tape.gradient(y, one)) == 5


class Framed:
    """Converts as pandas' and Pillow's objects do, through `__array__`."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.array if dtype is None else self.array.astype(dtype)


class Interfaced:
    """Converts through `__array_interface__`, as Pillow's images do."""

    def __init__(self, array: np.ndarray) -> None:
        self.__array_interface__ = array.__array_interface__
        self.array = array


@pytest.mark.parametrize("kind", [Framed, Interfaced])
def test_objects_that_convert(kind: Any) -> None:
    array = np.arange(6, dtype=np.uint8).reshape(2, 3)
    same(tf.constant(kind(array)), array)
    same(tf.convert_to_tensor(kind(array), tf.float32), array.astype(np.float32))
    same(tf.ones([2, 3], tf.uint8) + kind(array), array + np.uint8(1))
    same(tf.stack([kind(array), kind(array)]), np.stack([array, array]))


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    same(tf.constant(pandas.Series([1.5, 2.5])), np.array([1.5, 2.5]))
    frame = pandas.DataFrame({"a": [1, 2], "b": [3, 4]})
    same(tf.constant(frame), np.array([[1, 3], [2, 4]]))
    same(tf.constant(frame, tf.float32), np.array([[1, 3], [2, 4]], np.float32))
    same(tf.reduce_sum(frame, 0), np.array([3, 7]))
    with pytest.raises(ValueError, match="unsupported type"):
        tf.constant(pandas.DataFrame({"a": [1], "b": ["x"]}))


def test_pillow() -> None:
    images = pytest.importorskip("PIL.Image")
    array = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    same(tf.constant(images.fromarray(array)), array)


# DLPack.


class Consumer:
    """What NumPy takes a capsule of a given protocol from."""

    def __init__(self, x: Any, **options: Any) -> None:
        self.x, self.options = x, options

    def __dlpack__(self, **options: Any) -> Any:
        return self.x.__dlpack__(**self.options)

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()


def test_dlpack_flags() -> None:
    x = tf.constant([[1.0, 2.0]])
    own = np.asarray(x)
    shared = np.from_dlpack(Consumer(x, max_version=(1, 0)))
    assert np.shares_memory(shared, own) and not shared.flags.writeable
    for options in ({}, {"max_version": (0, 8)}, {"max_version": (1, 1), "copy": True}):
        other = np.from_dlpack(Consumer(x, **options))
        assert not np.shares_memory(other, own)
        np.testing.assert_array_equal(other, own)
    assert x.__dlpack_device__() == (1, 0)
    assert np.from_dlpack(Consumer(x, dl_device=(1, 0), stream=None)).shape == (1, 2)
    for options, text in (
        ({"stream": 1}, "no stream"),
        ({"dl_device": (2, 0)}, "only to the CPU"),
        ({"copy": False}, "a copy is needed"),
    ):
        with pytest.raises(BufferError, match=text):
            x.__dlpack__(**options)
    with pytest.raises(TypeError):
        x.__dlpack__(None)  # type: ignore[misc]  (all are by keyword)


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_bfloat16_through_dlpack(version: Any) -> None:
    x = tf.constant([1.5, -2.25, 3.0], tf.bfloat16)
    capsule = x.__dlpack__(max_version=version)
    described = capsules.described(capsule)
    assert described is not None
    assert (described.code, described.bits, described.lanes, described.ndim) == (4, 16, 1, 1)
    same(dlpack.from_dlpack(capsule), x)
    same(dlpack.from_dlpack(Consumer(x, max_version=version)), x)
    assert dlpack.from_dlpack(x) is x


def test_dlpack_in() -> None:
    array = np.arange(6.0).reshape(2, 3)
    copied, shared = dlpack.from_dlpack(array), dlpack.from_dlpack(array, copy=False)
    assert not np.shares_memory(np.asarray(copied), array)
    assert np.shares_memory(np.asarray(shared), array)
    same(dlpack.from_dlpack(array.T), np.ascontiguousarray(array.T))
    with pytest.raises(ValueError, match="a copy is needed"):
        dlpack.from_dlpack(array.T, copy=False)
    capsule = tf.constant([1]).__dlpack__()
    dlpack.from_dlpack(capsule)
    with pytest.raises((ValueError, BufferError)):
        dlpack.from_dlpack(capsule)  # consumed
    make = ctypes.pythonapi.PyCapsule_New
    make.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    make.restype = ctypes.py_object
    with pytest.raises((ValueError, BufferError)):
        dlpack.from_dlpack(make(1, b"something else", None))
