"""What `tf.io.parse_example` and its like make of serialised examples.

No messages are made of examples: native code finds the features of all, and copies their values
into columns (backends/cpu/records.py). Steps of sequences are read message by message.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tfc.backends.cpu import records as native
from tfc.ir.dtypes import DType, float32, int64, names_string, string

from ...core import blame
from ...core.errors import InvalidArgumentError
from ...core.formatting import shown
from ...core.tensor import Tensor, strings, wrap
from ...records.example import Feature, SequenceExample
from ..arguments import dtype_of
from ..ragged.tensor import RaggedTensor
from ..sparse.tensor import SparseTensor
from ..strings.text import text
from .features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    RowLengths,
    RowLimits,
    RowSplits,
    RowStarts,
    SparseFeature,
    UniformRowLength,
    ValueRowIds,
    VarLenFeature,
)

KINDS = {string: native.STRINGS, float32: native.FLOATS, int64: native.INTEGERS}
_LISTS = {native.STRINGS: "bytes_list", native.FLOATS: "float_list", native.INTEGERS: "int64_list"}
_TYPES = {native.STRINGS: "string", native.FLOATS: "float", native.INTEGERS: "int64"}
_CLASSES = (FixedLenFeature, VarLenFeature, FixedLenSequenceFeature, SparseFeature, RaggedFeature)


class Column(NamedTuple):
    """A feature of all examples."""

    values: np.ndarray  # of all, one behind another
    counts: np.ndarray  # how many each example has
    there: np.ndarray  # whether it has the feature


def _in_order(features: Mapping[str, Any]) -> list[str]:
    """Their keys as TensorFlow has them in what is parsed: sparse features, dense ones, and those
    that are put together of several, each in the order of their keys."""

    def place(key: str) -> tuple[int, str]:
        feature = features[key]
        if isinstance(feature, VarLenFeature):
            return 0, str(key)
        return (1 if isinstance(feature, FixedLenFeature | FixedLenSequenceFeature) else 2), str(
            key
        )

    return sorted(features, key=place)


class Parser:
    """Serialised examples, and what errors call them."""

    def __init__(self, op: str, serialized: Sequence[bytes], names: np.ndarray | None) -> None:
        self.op, self.serialized = op, serialized
        self.names = [] if names is None else [*names]

    def wrong(self, message: str) -> InvalidArgumentError:
        return blame.invalid_data(message, self.op)

    def example(self, i: int) -> str:
        named = f" ({self.names[i].decode(errors='replace')})" if i < len(self.names) else ""
        return f"example {i}{named}"

    def named(self, i: int) -> str:
        """The example of this number as TensorFlow's errors begin with it."""
        name = self.names[i].decode(errors="replace") if i < len(self.names) else "<unknown>"
        return f"Name: {name}"

    def unreadable(self, i: int, why: str = "") -> InvalidArgumentError:
        value = self.serialized[i][:100].decode(errors="backslashreplace")
        message = f"Could not parse example input, value: '{value}'"
        return self.wrong(f"{message}: {self.example(i)} is no message, or damaged{why}")

    def _require_mapping(self, features: Any) -> None:
        if features is None:
            message = "Argument `features` cannot be None or falsy. Got None"
            raise blame.value_error(message, self.op)
        if not isinstance(features, Mapping):
            message = f"features is a dictionary by their keys, got {shown(features)}"
            raise blame.type_error(message, self.op)

    def parsed(self, features: Mapping[str, Any]) -> dict[str, Any]:
        self._require_mapping(features)
        wanted: dict[str, int] = {}  # kinds by keys
        for key, feature in features.items():
            if not isinstance(feature, _CLASSES):
                message = f"Unsupported {type(feature).__name__} {shown(feature)} for key {key!r}"
                raise blame.value_error(f"{message}: give a FixedLenFeature or the like", self.op)
            if feature.dtype is None:
                message = f"Missing type for feature {key}. Received feature={feature}"
                raise blame.value_error(message, self.op)
            for source, kind in _sources(key, feature, self.op).items():
                if wanted.setdefault(source, kind) != kind:
                    message = f"the feature {source!r} is asked for with two dtypes"
                    raise blame.value_error(message, self.op)
        columns = self.columns(wanted)
        return {key: self.made(key, features[key], columns) for key in _in_order(features)}

    def columns(self, wanted: Mapping[str, int]) -> dict[str, Column]:
        try:
            found = native.Columns(self.serialized, [*wanted])
            columns = {}
            for place, (key, kind) in enumerate(wanted.items()):
                kinds = found.kinds[:, place]
                for i in np.flatnonzero((kinds != kind) & (kinds > 0)):
                    message = (
                        f"{self.named(int(i))}, Key: {key}, Index: {i}. Data types don't match"
                    )
                    types = f"Data type: {_TYPES[int(kinds[i])]} but expected type: {_TYPES[kind]}"
                    raise self.wrong(f"{message}. {types}")
                columns[key] = Column(*found.values(place, kind), kinds > 0)
            return columns
        except native.Damaged as error:
            raise self.unreadable(error.args[0]) from None

    # Tensors of features.

    def made(self, key: str, feature: Any, columns: Mapping[str, Column]) -> Any:
        if isinstance(feature, FixedLenFeature):
            return self.fixed(key, feature, columns[key])
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                message = "Unsupported: FixedLenSequenceFeature requires allow_missing to be True"
                raise blame.value_error(f"{message}: {key!r}", self.op)
            return self.padded(key, feature, columns[key])
        if isinstance(feature, VarLenFeature):
            values, counts, _ = columns[key]
            return _sparse([_rows(counts), _ranks(counts)], values, [len(counts), _most(counts)])
        if isinstance(feature, SparseFeature):
            return self.sparse(key, feature, columns)
        return self.ragged(key, feature, columns)

    def fixed(self, key: str, feature: FixedLenFeature, column: Column) -> Tensor:
        values, counts, there = column
        shape = _shape(key, feature.shape, self.op)
        size, dtype = math.prod(shape), _dtype(feature.dtype)
        for i in np.flatnonzero(there & (counts != size)):
            kind = _TYPES[_kind(key, dtype, self.op)]
            message = (
                f"{self.named(int(i))}, Key: {key}, Index: {i}. Number of {kind} values != expected"
            )
            sizes = f"Values size: {counts[i]} but output shape: {list(shape)}"
            raise self.wrong(f"{message}. {sizes}")
        if there.all():
            whole = values.reshape(len(counts), *shape)
            return strings(whole) if dtype is string else wrap(whole)
        found = np.empty((len(counts), size), dtype.numpy if dtype is not string else object)
        found[there] = values.reshape(int(there.sum()), size)
        if feature.default_value is None:
            lacking = int(np.flatnonzero(~there)[0])
            kind = _TYPES[_kind(key, dtype, self.op)]
            message = f"{self.named(lacking)}, Feature: {key} (data type: {kind}) is required"
            missing = f"{self.example(lacking)} has none"
            raise self.wrong(f"{message} but could not be found: {missing}")
        found[~there] = self.default(key, feature.default_value, dtype, shape)
        return wrap(found.reshape(len(counts), *shape))

    def default(self, key: str, value: Any, dtype: DType, shape: tuple[int, ...]) -> np.ndarray:
        array = text(self.op, value) if dtype is string else np.asarray(value, dtype.numpy)
        if array.size != 1 and array.shape != shape:
            message = f"the default of {key!r} has the shape {array.shape}, not {shape}"
            raise blame.value_error(message, self.op)
        return np.broadcast_to(array.reshape(-1), math.prod(shape))

    def padded(self, key: str, feature: FixedLenSequenceFeature, column: Column) -> Tensor:
        values, counts, _ = column
        shape, dtype = _shape(key, feature.shape, self.op), _dtype(feature.dtype)
        size = math.prod(shape)
        for i in np.flatnonzero(counts % size if size else counts):
            message = f"the feature {key!r} of {self.example(int(i))} has {counts[i]} values"
            raise self.wrong(f"{message}, which the shape {shape} does not divide")
        found = np.empty(
            (len(counts), _most(counts)), dtype.numpy if dtype is not string else object
        )
        found[...] = _nothing(dtype, feature.default_value)
        found[_rows(counts), _ranks(counts)] = values
        return wrap(found.reshape(len(counts), _most(counts) // size if size else 0, *shape))

    def sparse(
        self, key: str, feature: SparseFeature, columns: Mapping[str, Column]
    ) -> SparseTensor:
        keys = [feature.index_key] if isinstance(feature.index_key, str) else [*feature.index_key]
        sizes = [feature.size] if isinstance(feature.size, int) else [*feature.size]
        if len(keys) != len(sizes):
            message = f"{key!r} has {len(keys)} features of indices, and {len(sizes)} sizes"
            raise blame.value_error(message, self.op)
        values, counts, _ = columns[feature.value_key]
        indices = [_rows(counts)]
        for source, size in zip(keys, sizes, strict=True):
            index, others, _ = columns[source]
            for i in np.flatnonzero(others != counts):
                message = f"{self.example(int(i))} has {others[i]} values of {source!r}"
                raise self.wrong(f"{message}, and {counts[i]} of {feature.value_key!r}")
            for place in np.flatnonzero((index < 0) | (index >= size)):
                message = f"{source!r} of {self.example(int(indices[0][place]))}"
                raise self.wrong(f"{message} is {index[place]}, not in [0, {size})")
            indices.append(index)
        if not feature.already_sorted:
            order = np.lexsort(indices[::-1])
            indices, values = [i[order] for i in indices], values[order]
        return _sparse(indices, values, [len(counts), *sizes])

    def ragged(
        self, key: str, feature: RaggedFeature, columns: Mapping[str, Column]
    ) -> RaggedTensor:
        values, counts, _ = columns[feature.value_key or key]
        splits = _dtype(feature.row_splits_dtype)
        inside = counts  # how many of what a partition parts each example has
        levels: list[np.ndarray | int] = []  # lengths of rows, the outermost first
        for partition in reversed(feature.partitions):
            if isinstance(partition, UniformRowLength):
                length = partition.length
                if length < 1:
                    raise blame.value_error(f"{key!r}: rows of the length {length}", self.op)
                if (inside % length).any():
                    i = int(np.flatnonzero(inside % length)[0])
                    message = f"{key!r} of {self.example(i)} has {inside[i]} values"
                    raise self.wrong(f"{message}, which are no rows of {length}")
                inside = inside // length
                if levels:
                    levels.insert(0, length)
                else:  # an axis of the values
                    values = values.reshape(-1, length, *values.shape[1:])
                continue
            numbers, others, _ = columns[partition.key]
            ends = np.cumsum(others)
            parts = []
            for i, end in enumerate(ends.tolist()):
                try:
                    parts.append(
                        _lengths(partition, numbers[end - others[i] : end], int(inside[i]))
                    )
                except ValueError as error:
                    message = f"{partition.key!r} of {self.example(i)} parts no {inside[i]} values"
                    raise self.wrong(f"{message}: {error}") from None
            levels.insert(0, np.concatenate(parts) if parts else np.empty(0, np.int64))
            inside = np.array([len(p) for p in parts], np.int64)
        found: Any = wrap(values)
        for level in reversed([inside, *levels]):
            if isinstance(level, int):
                found = RaggedTensor.from_uniform_row_length(found, np.array(level, splits.numpy))
            else:
                found = RaggedTensor.from_row_lengths(found, wrap(level.astype(splits.numpy)))
        return found

    # Sequences.

    def sequences(self, features: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The features of steps, and how many steps there are."""
        self._require_mapping(features)
        examples = []
        for i, data in enumerate(self.serialized):
            try:
                examples.append(SequenceExample.FromString(data).feature_lists.feature_list)
            except Exception as error:
                raise self.unreadable(i, f": {error}") from None
        found, lengths = {}, {}
        for key in _in_order(features):
            feature = features[key]
            if not isinstance(feature, VarLenFeature | FixedLenSequenceFeature | RaggedFeature):
                message = f"Unsupported {type(feature).__name__} {shown(feature)} for key {key!r}"
                raise blame.value_error(
                    f"{message}: a FixedLenSequenceFeature, a VarLenFeature or a RaggedFeature",
                    self.op,
                )
            source = getattr(feature, "value_key", None) or key
            lists = [e[source].feature._items if source in e else [] for e in examples]
            steps = np.array([len(x) for x in lists], np.int64)
            required = isinstance(feature, FixedLenSequenceFeature) and not feature.allow_missing
            for i, example in enumerate(examples):
                if required and source not in example:
                    message = f"{self.named(i)}, Feature list '{key}' is required but could not be"
                    raise self.wrong(f"{message} found: {self.example(i)} has none")
            column = self.steps(key, feature, lists)
            found[key] = self.sequence(key, feature, column, steps)
            if isinstance(feature, FixedLenSequenceFeature):
                lengths[key] = wrap(steps)
        return found, lengths

    def steps(self, key: str, feature: Any, lists: list[list[Feature]]) -> Column:
        """The values of all steps of all examples, and how many each step has."""
        dtype = _dtype(feature.dtype)
        kind = _LISTS[_kind(key, dtype, self.op)]
        rows = []
        for i, x in enumerate(lists):
            for step in x:
                has = step.WhichOneof("kind")
                if has not in (kind, None):
                    message = f"the feature list {key!r} of {self.example(i)} has a {has}"
                    raise self.wrong(f"{message}, and a {kind} is wanted")
                rows.append(getattr(step, kind).value._items if has else [])
        flat = [v for row in rows for v in row]
        values = np.empty(len(flat), dtype.numpy if dtype is not string else object)
        values[:] = flat
        counts = np.array([len(row) for row in rows], np.int64)
        return Column(values, counts, counts >= 0)

    def sequence(self, key: str, feature: Any, column: Column, steps: np.ndarray) -> Any:
        values, counts, _ = column
        if isinstance(feature, VarLenFeature):
            places = [_rows(steps)[_rows(counts)], _ranks(steps)[_rows(counts)], _ranks(counts)]
            return _sparse(places, values, [len(steps), _most(steps), _most(counts)])
        if isinstance(feature, RaggedFeature):
            if feature.partitions:
                raise blame.unimplemented(f"{key!r}: partitions of steps are not there", self.op)
            splits = _dtype(feature.row_splits_dtype).numpy
            inner = RaggedTensor.from_row_lengths(wrap(values), wrap(counts.astype(splits)))
            return RaggedTensor.from_row_lengths(inner, wrap(steps.astype(splits)))
        shape = _shape(key, feature.shape, self.op)
        size = math.prod(shape)
        for i in np.flatnonzero(counts != size):
            message = f"a step of {key!r} of {self.example(int(_rows(steps)[i]))} has {counts[i]}"
            raise self.wrong(f"{message} values, and the shape {shape} takes {size}")
        dtype = _dtype(feature.dtype)
        blank = dtype.numpy if dtype is not string else object
        found = np.empty((len(steps), _most(steps), size), blank)
        found[...] = _nothing(dtype, feature.default_value)
        found[_rows(steps), _ranks(steps)] = values.reshape(-1, size)
        return wrap(found.reshape(len(steps), _most(steps), *shape))


def _dtype(value: Any) -> DType:
    found: DType = string if names_string(value) else dtype_of(value, "io.parse_example")
    return found


def _sources(key: str, feature: Any, op: str) -> dict[str, int]:
    """The features that one is made of, and their kinds."""
    kind = _kind(key, _dtype(feature.dtype), op)
    if isinstance(feature, SparseFeature):
        keys = [feature.index_key] if isinstance(feature.index_key, str) else feature.index_key
        return {feature.value_key: kind} | dict.fromkeys(keys, native.INTEGERS)
    if isinstance(feature, RaggedFeature):
        partitions = {p.key: native.INTEGERS for p in feature.partitions if hasattr(p, "key")}
        return {feature.value_key or key: kind} | partitions
    return {key: kind}


def _kind(key: str, dtype: DType, op: str) -> int:
    if dtype not in KINDS:
        message = f"{key!r}: features are float32, int64 or string, not {dtype.name}"
        raise blame.value_error(message, op)
    return KINDS[dtype]


def _shape(key: str, shape: Any, op: str) -> tuple[int, ...]:
    try:
        found = tuple(int(n) for n in shape)
    except (TypeError, ValueError):
        found = (-1,)
    if any(n < 0 for n in found):
        message = f"First dimension of shape for feature {key} unknown"
        sequences = "Consider using FixedLenSequenceFeature"
        raise blame.value_error(f"{message}. {sequences}. Received shape={shown(shape)}", op)
    return found


def _nothing(dtype: DType, default: Any) -> Any:
    if default is None:
        return b"" if dtype is string else 0
    return default.encode() if isinstance(default, str) else default


def _rows(counts: np.ndarray) -> np.ndarray:
    """The row of each of values that rows have so many of."""
    return np.repeat(np.arange(len(counts)), counts)


def _ranks(counts: np.ndarray) -> np.ndarray:
    """The place of each value in its row."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)


def _most(counts: np.ndarray) -> int:
    return int(counts.max(initial=0))


def _sparse(indices: Sequence[np.ndarray], values: np.ndarray, shape: list[int]) -> SparseTensor:
    places = np.stack([i.astype(np.int64) for i in indices], 1)
    return SparseTensor(wrap(places), wrap(values), wrap(np.array(shape, np.int64)))


def _lengths(partition: Any, numbers: np.ndarray, count: int) -> np.ndarray:
    """The lengths of the rows that `count` values are parted into. ValueError if they are not."""
    if isinstance(partition, RowLengths):
        lengths = numbers
    elif isinstance(partition, RowSplits):
        if not len(numbers) and not count:
            return numbers
        if not len(numbers) or numbers[0] != 0:
            raise ValueError("row splits begin with 0")
        lengths = np.diff(numbers)
    elif isinstance(partition, RowStarts):
        if len(numbers) and numbers[0] != 0:
            raise ValueError("row starts begin with 0")
        lengths = np.diff([*numbers, count]) if len(numbers) else numbers
    elif isinstance(partition, RowLimits):
        lengths = np.diff([0, *numbers])
    elif isinstance(partition, ValueRowIds):
        if len(numbers) and (numbers[0] < 0 or (np.diff(numbers) < 0).any()):
            raise ValueError("row ids do not grow")
        lengths = np.bincount(numbers) if len(numbers) else numbers
    else:
        raise ValueError(f"{shown(partition)} is no partition")
    if (lengths < 0).any() or lengths.sum() != count:
        raise ValueError(f"the lengths are {lengths.tolist()}")
    return lengths.astype(np.int64)
