"""`parse_example` and its like against what messages say, and TensorFlow's bytes of tensors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

io, train = tf.io, tf.train


def example(**features: Any) -> bytes:
    """Bytes, floats and integers as lists of the kinds that they have; None is an empty feature."""
    found = {key: feature(values) for key, values in features.items()}
    return train.Example(features=train.Features(feature=found)).SerializeToString()


def feature(values: Any) -> Any:
    if values is None:
        return train.Feature()
    first = values[0] if values else 0
    kind = {bytes: "bytes_list", float: "float_list", int: "int64_list"}[type(first)]
    return train.Feature(**{kind: {"value": values}})


def test_fixed() -> None:
    data = [
        example(x=[1, 2, 3, 4], s=[b"a"], f=[0.5]),
        example(x=[5, 6, 7, 8], other=[1.0]),
        example(f=None, x=[-1, -2, 2**62, -(2**63)]),
    ]
    found = io.parse_example(
        data,
        {
            "x": io.FixedLenFeature([2, 2], tf.int64),
            "s": io.FixedLenFeature([], tf.string, default_value="none"),
            "f": io.FixedLenFeature([1], tf.float32, default_value=[7.0]),
        },
    )
    assert [*found] == ["f", "s", "x"]
    wanted = [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[-1, -2], [2**62, -(2**63)]]]
    assert found["x"].dtype is tf.int64 and found["x"].numpy().tolist() == wanted
    assert found["s"].numpy().tolist() == [b"a", b"none", b"none"]
    assert found["f"].dtype is tf.float32 and found["f"].numpy().tolist() == [[0.5], [7], [7]]
    one = io.parse_single_example(data[0], {"x": io.FixedLenFeature([4], tf.int64)})
    assert one["x"].numpy().tolist() == [1, 2, 3, 4]
    scalar = io.parse_example(data[0], {"s": io.FixedLenFeature([], tf.string)})
    assert scalar["s"].numpy() == b"a"


def test_any_number() -> None:
    data = [example(x=[1, 2]), example(), example(x=[]), example(x=[3, 4, 5])]
    sparse = io.parse_example(data, {"x": io.VarLenFeature(tf.int64)})["x"]
    assert sparse.dense_shape.numpy().tolist() == [4, 3]
    assert tf.sparse.to_dense(sparse).numpy().tolist() == [[1, 2, 0], [0] * 3, [0] * 3, [3, 4, 5]]
    ragged = io.parse_example(data, {"x": io.RaggedFeature(tf.int64)})["x"]
    assert ragged.to_list() == [[1, 2], [], [], [3, 4, 5]]
    assert ragged.row_splits.dtype is tf.int32
    padded = io.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=-1)
    dense = io.parse_example(data, {"x": padded})["x"]
    assert dense.numpy().tolist() == [[1, 2, -1], [-1] * 3, [-1] * 3, [3, 4, 5]]
    one = io.parse_single_example(data[3], {"x": io.VarLenFeature(tf.int64)})["x"]
    assert one.indices.numpy().tolist() == [[0], [1], [2]]
    assert one.dense_shape.numpy().tolist() == [3]
    row = io.parse_single_example(data[3], {"x": io.RaggedFeature(tf.int64)})["x"]
    assert row.numpy().tolist() == [3, 4, 5]


def test_sparse() -> None:
    data = [example(i=[3, 0], v=[1.0, 2.0]), example(), example(i=[9], v=[5.0])]
    spec = io.SparseFeature("i", "v", tf.float32, 10)
    found = io.parse_example(data, {"s": spec})["s"]
    assert found.indices.numpy().tolist() == [[0, 0], [0, 3], [2, 9]]
    assert found.values.numpy().tolist() == [2, 1, 5]
    assert found.dense_shape.numpy().tolist() == [3, 10]
    two = io.SparseFeature(["i", "j"], "v", tf.float32, [4, 5])
    grid = [example(i=[3, 0, 0], j=[1, 4, 2], v=[1.0, 2.0, 3.0])]
    found = io.parse_example(grid, {"s": two})["s"]
    assert found.indices.numpy().tolist() == [[0, 0, 2], [0, 0, 4], [0, 3, 1]]
    assert found.values.numpy().tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("partition", "numbers"),
    [
        (io.RaggedFeature.RowSplits, [0, 1, 1, 3]),
        (io.RaggedFeature.RowLengths, [1, 0, 2]),
        (io.RaggedFeature.RowStarts, [0, 1, 1]),
        (io.RaggedFeature.RowLimits, [1, 1, 3]),
        (io.RaggedFeature.ValueRowIds, [0, 2, 2]),
    ],
)
def test_partitions(partition: Any, numbers: list[int]) -> None:
    data = [example(v=[1, 2, 3], p=numbers), example(v=[4], p=[0, 1] if 0 in numbers[:1] else [1])]
    if partition is io.RaggedFeature.RowStarts or partition is io.RaggedFeature.ValueRowIds:
        data[1] = example(v=[4], p=[0])
    spec = io.RaggedFeature(tf.int64, "v", [partition("p")], row_splits_dtype=tf.int64)
    found = io.parse_example(data, {"r": spec})["r"]
    assert found.to_list() == [[[1], [], [2, 3]], [[4]]]
    assert found.row_splits.dtype is tf.int64
    nested = io.RaggedFeature(tf.int64, "v", [io.RaggedFeature.RowLengths("outer"), partition("p")])
    found = io.parse_example([example(v=[1, 2, 3], p=numbers, outer=[2, 1])], {"r": nested})["r"]
    assert found.to_list() == [[[[1], []], [[2, 3]]]]


def test_sequences() -> None:
    def sequence(steps: Any, **context: Any) -> bytes:
        lists = {"x": {"feature": [feature(s) for s in steps]}} if steps is not None else {}
        return train.SequenceExample(
            context=train.Features(feature={k: feature(v) for k, v in context.items()}),
            feature_lists={"feature_list": lists},
        ).SerializeToString()

    data = [sequence([[1], [2]], n=[5]), sequence([], n=[6]), sequence([[3]], n=[7])]
    context, found, lengths = io.parse_sequence_example(
        data,
        {"n": io.FixedLenFeature([], tf.int64)},
        {"x": io.FixedLenSequenceFeature([], tf.int64)},
    )
    assert context["n"].numpy().tolist() == [5, 6, 7]
    assert found["x"].numpy().tolist() == [[1, 2], [0, 0], [3, 0]]
    assert lengths["x"].numpy().tolist() == [2, 0, 1]
    data = [sequence([[1, 2], [], [3]]), sequence([[4]])]
    _, found, _ = io.parse_sequence_example(data, {}, {"x": io.VarLenFeature(tf.int64)})
    assert found["x"].indices.numpy().tolist() == [[0, 0, 0], [0, 0, 1], [0, 2, 0], [1, 0, 0]]
    assert found["x"].dense_shape.numpy().tolist() == [2, 3, 2]
    _, found, _ = io.parse_sequence_example(data, {}, {"x": io.RaggedFeature(tf.int64)})
    assert found["x"].to_list() == [[[1, 2], [], [3]], [[4]]]
    one = io.parse_single_sequence_example(data[0], {}, {"x": io.VarLenFeature(tf.int64)})[1]
    assert one["x"].dense_shape.numpy().tolist() == [3, 2]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="'x' is required but could not be found: ex"
    ):
        io.parse_sequence_example(
            [sequence(None)], {}, {"x": io.FixedLenSequenceFeature([], tf.int64)}
        )


X = {"x": io.FixedLenFeature([2], tf.int64)}


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (
            lambda: io.parse_example([example(x=[1])], X),
            None,
            r"Values size: 1 but output shape: \[2\]",
        ),
        (
            lambda: io.parse_example([example()], X),
            None,
            r"Feature: x \(data type: int64\) is required",
        ),
        (lambda: io.parse_example([example(x=[])], X), None, "Values size: 0"),
        (
            lambda: io.parse_example([example(x=[1.0])], X),
            None,
            "Data type: float but expected type: int64",
        ),
        (
            lambda: io.parse_example([example(x=[1, 2]), b"no"], X),
            None,
            "parse example input, value: 'no': example 1",
        ),
        (lambda: io.parse_example([b"no"], X, ["mine"]), None, r"example 0 \(mine\) is no mess"),
        (lambda: io.parse_example([[b""]], X), ValueError, "serialized is a vector"),
        (lambda: io.parse_single_example([b""], X), ValueError, "serialized is a scalar"),
        (lambda: io.parse_example([b""], {"x": 5}), ValueError, "Unsupported int 5 for key 'x'"),
        (
            lambda: io.parse_example([b""], {"x": io.VarLenFeature(tf.int32)}),
            ValueError,
            "float32, int64 or string, not int32",
        ),
        (
            lambda: io.parse_example([b""], {"x": io.FixedLenFeature([None], tf.int64)}),
            ValueError,
            "First dimension of shape for feature x unknown",
        ),
        (
            lambda: io.parse_example(
                [example(i=[9], v=[1])], {"s": io.SparseFeature("i", "v", tf.int64, 9)}
            ),
            None,
            r"'i' of example 0 is 9, not in \[0, 9\)",
        ),
        (
            lambda: io.parse_example(
                [example(v=[1, 2], p=[0, 3])],
                {"r": io.RaggedFeature(tf.int64, "v", [io.RaggedFeature.RowSplits("p")])},
            ),
            None,
            "'p' of example 0 parts no 2 values",
        ),
    ],
)
def test_errors(use: Callable[[], Any], error: Any, text: str) -> None:
    with pytest.raises(error or tf.errors.InvalidArgumentError, match=text) as caught:
        use()
    assert "io.parse_" in str(caught.value)


def test_random_examples_are_what_messages_say() -> None:
    draw = random.Random(3)
    kinds = {"b": tf.string, "f": tf.float32, "i": tf.int64}
    for _ in range(60):
        rows = []
        for _ in range(draw.randrange(5)):
            row: dict[str, Any] = {}
            for key in draw.sample(["b", "f", "i", "z"], draw.randrange(5)):
                n = draw.choice([0, 1, 2, 30])
                make = {
                    "b": lambda: draw.randbytes(draw.randrange(4)),
                    "f": lambda: float(np.float32(draw.gauss(0, 1e9))),
                    "i": lambda: draw.randrange(-(2**63), 2**63) >> draw.randrange(63),
                    "z": lambda: 1,
                }[key]
                row[key] = [make() for _ in range(n)] or None
            rows.append(row)
        data = [example(**row) for row in rows]
        found = io.parse_example(data, {k: io.RaggedFeature(t) for k, t in kinds.items()})
        for key in kinds:
            assert found[key].to_list() == [row.get(key) or [] for row in rows]


def test_damaged_examples() -> None:
    """A result, or an error that says so."""
    draw = random.Random(5)
    data = example(x=[1, -1], s=[b"abc"], f=[0.5, 2.0])
    features = {
        "x": io.VarLenFeature(tf.int64),
        "s": io.RaggedFeature(tf.string),
        "f": io.VarLenFeature(tf.float32),
    }
    for _ in range(2000):
        bad = bytearray(data)
        bad[draw.randrange(len(bad))] = draw.randrange(256)
        try:
            io.parse_example([data, bytes(bad[: draw.randint(0, len(bad))])], features)
        except tf.errors.InvalidArgumentError as error:
            assert "example 1" in str(error)


# What TensorFlow 2.21 makes of tensors.
TENSORS = [
    (np.array([[1.5, 2]], "f"), "08011208120208011202080222080000c03f00000040"),
    (np.array([b"x", b"yy"], object), "080712041202080242017842027979"),
    (np.array([True, False]), "080a12041202080222020100"),
    (np.array([1 + 2j]), "08121204120208012210000000000000f03f0000000000000040"),
    (np.array([3], "u8"), "081712041202080122080300000000000000"),
]


@pytest.mark.parametrize(("array", "data"), TENSORS, ids=lambda x: str(getattr(x, "dtype", "")))
def test_tensors(array: np.ndarray, data: str) -> None:
    wanted = bytes.fromhex(data)
    assert io.serialize_tensor(tf.constant(array)).numpy() == wanted
    again = io.parse_tensor(wanted, tf.constant(array).dtype)
    assert again.shape == array.shape and (again.numpy() == array).all()


@pytest.mark.parametrize(
    ("data", "dtype", "wanted"),
    [
        ("0801120412020803 2d0000003f", tf.float32, [0.5] * 3),  # one number that is not packed
        ("0803120412020803 3a0201ff", tf.int32, None),
        ("0803120412020803 3a0b01ffffffffffffffffff01", tf.int32, [1, -1, -1]),
        ("0809120412020802", tf.int64, [0, 0]),
        ("0813120412020802 6a03 808001", tf.float16, [2, 2]),
        ("080e120412020801 6a03 80fe00", tf.bfloat16, [0.5]),
    ],
)
def test_tensors_as_lists(data: str, dtype: Any, wanted: Any) -> None:
    """The last element stands for those behind it."""
    if wanted is None:
        with pytest.raises(tf.errors.InvalidArgumentError):
            io.parse_tensor(bytes.fromhex(data), dtype)
    else:
        got = io.parse_tensor(bytes.fromhex(data), dtype).numpy().astype("d")
        np.testing.assert_array_equal(got, wanted)


def test_raw() -> None:
    assert io.decode_raw(b"\1\0\2\0", tf.uint8).numpy().tolist() == [1, 0, 2, 0]
    big = io.decode_raw([[b"\0\1", b"\1\0"]], tf.int16, little_endian=False)
    assert big.numpy().tolist() == [[[1], [256]]]
    cut = io.decode_raw([b"\1\2\3", b"\4"], tf.uint8, fixed_length=2)
    assert cut.numpy().tolist() == [[1, 2], [4, 0]]
    for call in (
        lambda: io.decode_raw([b"a", b"bc"], tf.uint8),
        lambda: io.decode_raw(b"abc", tf.int16),
        lambda: io.parse_tensor(b"\xff", tf.float32),
        lambda: io.parse_tensor(io.serialize_tensor([1.0]), tf.int32),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError):
            call()


def test_rows_of_one_length() -> None:
    """The innermost ones are an axis of the values, as in TensorFlow."""
    values = [feature_of(v=v, n=n) for v, n in (([1, 2, 3, 4, 5, 6], [1, 2]), ([], []))]
    rows, uniform = io.RaggedFeature.RowLengths("n"), io.RaggedFeature.UniformRowLength

    def parsed(*partitions: Any, data: Any = values) -> Any:
        return io.parse_example(data, {"x": io.RaggedFeature(tf.int64, "v", partitions)})["x"]

    found = parsed(uniform(2))
    assert found.shape.as_list() == [2, None, 2] and found.ragged_rank == 1
    assert found.to_list() == [[[1, 2], [3, 4], [5, 6]], []]
    found = parsed(rows, uniform(2))
    assert found.shape.as_list() == [2, None, None, 2]
    assert found.to_list() == [[[[1, 2]], [[3, 4], [5, 6]]], []]
    found = parsed(uniform(1), rows, data=[feature_of(v=[1, 2, 3], n=[1, 2]), values[1]])
    assert found.shape.as_list() == [2, None, 1, None]
    assert found.to_list() == [[[[1]], [[2, 3]]], []]
    with pytest.raises(tf.errors.InvalidArgumentError, match="'x' of example 0 has 6 values"):
        parsed(uniform(4))
    with pytest.raises(ValueError, match="rows of the length 0"):
        parsed(uniform(0))


def feature_of(**lists: list[int]) -> bytes:
    """An example of lists of integers."""
    feature = {name: {"int64_list": {"value": values}} for name, values in lists.items()}
    return tf.train.Example(features={"feature": feature}).SerializeToString()


def test_parse_tensor_in_functions() -> None:
    """Its shape is what is said of it, or what the first call gives."""
    matrix = io.serialize_tensor(tf.constant([[1.0, 2.0], [3.0, 4.0]]))

    @tf.function
    def doubled(data: Any) -> Any:
        return io.parse_tensor(data, tf.float32) * 2.0

    assert doubled(matrix).numpy().tolist() == [[2.0, 4.0], [6.0, 8.0]]
    assert doubled(io.serialize_tensor(tf.ones([3, 1]))).shape == [3, 1]

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def sums(data: Any) -> Any:
        rows = io.parse_tensor(data, tf.float32)
        assert rows.shape.rank is None
        rows.set_shape([None, 2])
        return tf.reduce_sum(rows, 1)

    assert sums(matrix).numpy().tolist() == [3.0, 7.0]
    for data in (io.serialize_tensor([1]), b"no tensor", io.serialize_tensor([[1.0]])):
        with pytest.raises(tf.errors.InvalidArgumentError):
            sums(tf.constant(data))
    with pytest.raises(ValueError, match="scalar"):
        doubled(tf.constant(["a"]))
    with pytest.raises(TypeError, match="string"):
        doubled(tf.constant(1))
    rows = [io.serialize_tensor(tf.range(i)) for i in range(3)]
    parsed = tf.data.Dataset.from_tensor_slices(rows).map(lambda x: io.parse_tensor(x, tf.int32))
    assert [x.numpy().tolist() for x in parsed] == [[], [0], [0, 1]]
    words = tf.function(lambda x: tf.ensure_shape(io.parse_tensor(x, tf.string), [2]))
    assert words(io.serialize_tensor(["a", "b"])).numpy().tolist() == [b"a", b"b"]
