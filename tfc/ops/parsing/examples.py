"""`tf.io.parse_example` and its like: serialised examples as tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfc.ir.dtypes import as_element_type

from ...core import blame, nest
from ...core.shapes import TensorShape
from ...core.types import TensorLike
from ..on_host import Call, Shape, on_host
from ..sparse.tensor import SparseTensor
from ..strings.text import text
from .features import FixedLenFeature, FixedLenSequenceFeature
from .parser import Parser

# What traces look at: an example without features is one whose features have their defaults.


def _lenient(features: Mapping[str, Any] | None) -> dict[str, Any]:
    """The features where none is required."""
    found = {}
    for key, feature in (features or {}).items():
        if isinstance(feature, FixedLenFeature) and feature.default_value is None:
            nothing = as_element_type(feature.dtype).zeros(_extents(feature))
            feature = FixedLenFeature(feature.shape, feature.dtype, nothing)
        elif isinstance(feature, FixedLenSequenceFeature) and not feature.allow_missing:
            feature = feature._replace(allow_missing=True)
        found[key] = feature
    return found


def _extents(feature: Any) -> tuple[int, ...]:
    return tuple(TensorShape(feature.shape).as_list())  # type: ignore[arg-type]


def _sample(serialized: TensorLike, features: Mapping[str, Any], *names: Any, **more: Any) -> Any:
    return parse_example(serialized, _lenient(features))


def _sample_single(
    serialized: TensorLike, features: Mapping[str, Any], *names: Any, **more: Any
) -> Any:
    return parse_single_example(serialized, _lenient(features))


def _stacked_single(
    serialized: TensorLike, features: Mapping[str, Any], names: Any = None, name: Any = None
) -> Any:
    """`parse_single_example` of many, where all features are dense."""
    return parse_example(serialized, features, names)


def _sample_sequence(
    serialized: TensorLike,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    *names: Any,
    **more: Any,
) -> Any:
    return parse_sequence_example(
        serialized, _lenient(context_features), _lenient(sequence_features)
    )


def _sample_single_sequence(
    serialized: TensorLike,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    *names: Any,
    **more: Any,
) -> Any:
    return parse_single_sequence_example(
        serialized, _lenient(context_features), _lenient(sequence_features)
    )


class _Known:
    """What is known of the shape of a leaf."""

    def __init__(self, shape: Shape | None) -> None:
        self.shape = shape


def _shapes(call: Call) -> Sequence[Shape | None]:
    """The shapes of features, as far as they tell them."""
    outer = tuple(call.operands[0].shape)

    def known(features: Mapping[str, Any] | None, found: Mapping[str, Any]) -> dict[str, Any]:
        return {
            key: [_Known(s) for s in of_feature((features or {}).get(key), value)]
            for key, value in found.items()
        }

    def of_feature(feature: Any, value: Any) -> list[Shape | None]:
        leaves, _ = nest.decompose_composites(value)
        if isinstance(feature, FixedLenFeature):
            return [(*outer, *_extents(feature))]
        if isinstance(feature, FixedLenSequenceFeature):
            return [(*outer, None, *_extents(feature))]
        if feature is None:  # how many steps an example has
            return [outer]
        if isinstance(value, SparseTensor):
            rank = value.indices.shape[1]
            return [(None, rank), (None,), (rank,)]
        return [None] * len(leaves)

    given = call.arguments
    if "features" in given:
        structure: Any = known(given["features"], call.sample)
    else:
        wanted = (given["context_features"], given["sequence_features"], None)
        structure = [known(f, found) for f, found in zip(wanted, call.sample, strict=False)]
    leaves, _ = nest.decompose(structure)
    return [leaf.shape for leaf in leaves]


@on_host("io.parse_example", _shapes, sample=_sample)
def parse_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> dict[str, Any]:
    """The features of serialised `tf.train.Example`s.

    Args:
        serialized: A vector of strings, one for each example; a scalar is parsed as
            `parse_single_example` does.
        features: By their keys what to make of features: `FixedLenFeature`, `VarLenFeature`,
            `FixedLenSequenceFeature`, `SparseFeature` or `RaggedFeature`.
        example_names: A vector of names, which errors tell.

    Returns:
        A dictionary of tensors, SparseTensors and RaggedTensors, whose first dimension is that of
        the examples.

    Raises:
        InvalidArgumentError: If an example is damaged, lacks a required feature, or has one of
            another dtype or number of values.
        ValueError: If `serialized` is no vector, or features make no sense.

    >>> import tfc as tf
    >>> def example(*values):
    ...     numbers = tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    ...     return tf.train.Example(features={"feature": {"x": numbers}}).SerializeToString()
    >>> found = tf.io.parse_example(
    ...     [example(1, 2), example(3, 4)], {"x": tf.io.FixedLenFeature([2], tf.int64)}
    ... )
    >>> print(found["x"])
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int64)
    """
    op = "io.parse_example"
    if text(op, serialized).ndim == 0:
        return parse_single_example(serialized, features, example_names)
    return _parser(op, serialized, example_names, 1).parsed(features)


@on_host("io.parse_single_example", _shapes, sample=_sample_single, stacked=_stacked_single)
def parse_single_example(
    serialized: TensorLike,
    features: Mapping[str, Any],
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> dict[str, Any]:
    """The features of one serialised `tf.train.Example`.

    Args:
        serialized: A scalar string.
        features: As for `parse_example`.
        example_names: A scalar: its name, which errors tell.

    Returns:
        A dictionary of tensors without the dimension of examples; a `RaggedFeature` without
        partitions is a vector.

    Raises:
        InvalidArgumentError: As `parse_example`.
        ValueError: If `serialized` is no scalar, or features make no sense.

    >>> import tfc as tf
    >>> x = tf.train.Feature(float_list=tf.train.FloatList(value=[0.5, 2.0]))
    >>> data = tf.train.Example(features={"feature": {"x": x}}).SerializeToString()
    >>> print(tf.io.parse_single_example(data, {"x": tf.io.FixedLenFeature([2], tf.float32)})["x"])
    tf.Tensor([0.5 2. ], shape=(2,), dtype=float32)
    """
    parser = _parser("io.parse_single_example", serialized, example_names, 0)
    found = parser.parsed(features)
    return {key: _single(value) for key, value in found.items()}


@on_host("io.parse_sequence_example", _shapes, sample=_sample_sequence)
def parse_sequence_example(
    serialized: TensorLike,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_names: TensorLike | None = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The features of serialised `tf.train.SequenceExample`s.

    Args:
        serialized: A vector of strings, one for each example.
        context_features: What to make of features of the whole example, as in `parse_example`.
        sequence_features: What to make of features of its steps: `FixedLenSequenceFeature` (padded
            to the longest example), `VarLenFeature` or `RaggedFeature`.
        example_names: A vector of names, which errors tell.

    Returns:
        Dictionaries of the context, of the sequences, and of the number of steps of each
        `FixedLenSequenceFeature` in each example (int64).

    Raises:
        InvalidArgumentError: As `parse_example`.
        ValueError: If `serialized` is no vector, or features make no sense.

    >>> import tfc as tf
    >>> def steps(*values):
    ...     x = {"feature": [{"int64_list": {"value": [v]}} for v in values]}
    ...     lists = {"feature_list": {"x": x}}
    ...     return tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> _, found, lengths = tf.io.parse_sequence_example(
    ...     [steps(1, 2), steps(3)],
    ...     sequence_features={"x": tf.io.FixedLenSequenceFeature([], tf.int64)},
    ... )
    >>> found["x"].numpy().tolist(), lengths["x"].numpy().tolist()
    ([[1, 2], [3, 0]], [2, 1])
    """
    parser = _parser("io.parse_sequence_example", serialized, example_names, 1)
    # The context has the place and the form of an Example's features.
    context = parser.parsed({} if context_features is None else context_features)
    sequences, lengths = parser.sequences({} if sequence_features is None else sequence_features)
    return context, sequences, lengths


@on_host("io.parse_single_sequence_example", _shapes, sample=_sample_single_sequence)
def parse_single_sequence_example(
    serialized: TensorLike,
    context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None,
    example_name: TensorLike | None = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The features of one serialised `tf.train.SequenceExample`.

    Args:
        serialized: A scalar string.
        context_features: What to make of features of the whole example.
        sequence_features: What to make of features of its steps.
        example_name: A scalar: its name, which errors tell.

    Returns:
        Dictionaries of the context and of the sequences, without a dimension of examples.

    Raises:
        InvalidArgumentError: As `parse_example`.
        ValueError: If `serialized` is no scalar, or features make no sense.

    >>> import tfc as tf
    >>> step = {"int64_list": {"value": [7]}}
    >>> data = tf.train.SequenceExample(
    ...     feature_lists={"feature_list": {"x": {"feature": [step, step, step]}}}
    ... ).SerializeToString()
    >>> features = {"x": tf.io.FixedLenSequenceFeature([], tf.int64)}
    >>> print(tf.io.parse_single_sequence_example(data, sequence_features=features)[1]["x"])
    tf.Tensor([7 7 7], shape=(3,), dtype=int64)
    """
    parser = _parser("io.parse_single_sequence_example", serialized, example_name, 0)
    context = parser.parsed({} if context_features is None else context_features)
    sequences, _ = parser.sequences({} if sequence_features is None else sequence_features)
    return tuple(  # type: ignore[return-value]
        {key: _single(value) for key, value in found.items()} for found in (context, sequences)
    )


def _parser(op: str, serialized: TensorLike, names: TensorLike | None, rank: int) -> Parser:
    """Of one example (`rank` 0) or a vector of them; ValueError for others."""
    given = text(op, serialized)
    if given.ndim != rank:
        wanted = "vector" if rank else "scalar"
        raise blame.value_error(f"serialized is a {wanted}, got the shape {given.shape}", op)
    called = None if names is None else text(op, names).reshape(-1)
    return Parser(op, given.reshape(-1).tolist(), called)


def _single(value: Any) -> Any:
    """Of the one example of a batch."""
    if isinstance(value, SparseTensor):
        return SparseTensor(value.indices[:, 1:], value.values, value.dense_shape[1:])
    return value[0]
