"""`tf.experimental.StructuredTensor`: dictionaries of tensors, in an array that may be ragged."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from tfc.ir.dtypes import int64

from ...core import blame
from ...core.composite_tensors import CompositeTensor, spec_of
from ...core.conversion import convert_to_tensor
from ...core.shapes import TensorShape
from ...core.tensor import Tensor
from ...core.type_specs import TypeSpec
from ...core.types import DTypeLike
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..math.composite_equality import equal_composites
from .dynamic_shape import DynamicRaggedShape, DynamicRaggedShapeSpec
from .operations import constant as ragged_constant
from .row_partition import RowPartition, partition_of
from .tensor import RaggedTensor

OP = "StructuredTensor"
Path = tuple[str, ...]


class StructuredTensorSpec(TypeSpec):
    """What is known of a StructuredTensor: the specs of its fields, and that of its shape."""

    def __init__(self, fields: Mapping[str, Any], shape: DynamicRaggedShapeSpec) -> None:
        self._fields, self._ragged_shape = dict(fields), shape

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return StructuredTensor

    def _serialize(self) -> Any:
        return self._fields, self._ragged_shape

    @property
    def _component_specs(self) -> Any:
        return self._fields, self._ragged_shape

    def _to_components(self, value: Any) -> Any:
        return value._fields, value._ragged_shape

    def _from_components(self, components: Any) -> Any:
        return StructuredTensor(*components)


class StructuredTensor(CompositeTensor):
    """An array of dictionaries that have the same keys: for each key, a field, one tensor that
    holds the values of all. The array may be ragged; a field may be ragged, or structured itself.

    Made by `from_pyval`, `from_fields` and the like.

    >>> import tfc as tf
    >>> people = tf.experimental.StructuredTensor.from_pyval(
    ...     [{"age": 82, "nicknames": ["Bob", "Bobby"]}, {"age": 42, "nicknames": ["Jo"]}])
    >>> print(people.field_value("age"))
    tf.Tensor([82 42], shape=(2,), dtype=int32)
    >>> people[1:].to_pyval()
    [{'age': 42, 'nicknames': [b'Jo']}]
    """

    Spec: ClassVar[type] = StructuredTensorSpec
    FieldName: ClassVar[Any] = str | tuple[str, ...]
    __slots__ = ("_fields", "_ragged_shape")

    def __init__(self, fields: Mapping[str, Any], ragged_shape: DynamicRaggedShape) -> None:
        self._fields: dict[str, Any] = dict(fields)
        self._ragged_shape = ragged_shape

    @classmethod
    def from_fields(
        cls,
        fields: Mapping[str, Any],
        shape: Any = (),
        nrows: Any = None,
        row_partitions: Sequence[RowPartition] | None = None,
        validate: bool = False,
    ) -> StructuredTensor:
        """The array of these fields.

        Args:
            fields: By its name, each field: a tensor, a RaggedTensor, a StructuredTensor, or what
                becomes a tensor. Its first axes are those of the array.
            shape: The extents of the array, None where one may be any.
            nrows: The number of rows, where there are no fields that say it.
            row_partitions: How the array's axes behind the first are partitioned, where there are
                no fields that say it.
            validate: Not used: shapes are compared as far as they are known.

        Returns:
            A StructuredTensor.

        Raises:
            ValueError: If the shape of a field is another one.

        >>> import tfc as tf
        >>> fields = {"x": [1, 2], "y": [[3], [4]]}
        >>> made = tf.experimental.StructuredTensor.from_fields(fields, shape=[2])
        >>> made.shape, made.to_pyval()
        (TensorShape([2]), [{'x': 1, 'y': [3]}, {'x': 2, 'y': [4]}])
        """
        known = TensorShape(shape)
        rank = len(known)
        made = {str(name): _field(value) for name, value in fields.items()}
        found = known
        for name, value in made.items():
            own = value.shape[:rank]
            if not found.is_compatible_with(own):
                if not known.is_compatible_with(own):
                    raise blame.value_error(
                        f"Shapes {known} and {own} are not compatible: that of field {name!r}", OP
                    )
                raise blame.value_error(f"Error in shape of {name}: {own} beside {found}", OP)
            pairs = zip(found, own, strict=True)
            found = TensorShape([b if a is None else a for a, b in pairs])
        return cls(made, _shape_of(made, found, nrows, row_partitions))

    @classmethod
    def from_fields_and_rank(
        cls,
        fields: Mapping[str, Any],
        rank: int,
        validate: bool = False,
        dtype: DTypeLike | None = None,
    ) -> StructuredTensor:
        """The array of these fields, with as many axes.

        Args:
            fields: By its name, each field; at least one.
            rank: How many axes the array has: the first ones of each field.
            validate: Not used.
            dtype: That of the array's partitions: int32 or int64.

        Returns:
            A StructuredTensor.

        Raises:
            ValueError: If there are no fields, or their shapes differ.
        """
        if not fields:
            raise blame.value_error("Must provide at least one field", OP)
        made = cls.from_fields(fields, [None] * rank)
        return made if dtype is None else made.with_shape_dtype(dtype)

    @classmethod
    def from_shape(cls, ragged_shape: DynamicRaggedShape) -> StructuredTensor:
        """An array of dictionaries without keys.

        Args:
            ragged_shape: Its shape.

        Returns:
            A StructuredTensor.
        """
        return cls({}, ragged_shape)

    @classmethod
    def from_pyval(cls, pyval: Any, typespec: Any = None) -> Any:
        """Nested lists of dictionaries of Python's as one.

        Args:
            pyval: A dictionary, or a nested list of such with the same keys.
            typespec: Not used: dtypes are those of the values.

        Returns:
            A StructuredTensor; of what holds no dictionary, a tensor.

        Raises:
            KeyError: If a key is missing in one of them.

        >>> import tfc as tf
        >>> tf.experimental.StructuredTensor.from_pyval({"a": [1, 2], "b": {"c": [3]}}).to_pyval()
        {'a': [1, 2], 'b': {'c': [3]}}
        """
        if isinstance(pyval, Mapping):
            return cls.from_fields({k: cls.from_pyval(v) for k, v in pyval.items()})
        if not isinstance(pyval, list | tuple):
            return convert_to_tensor(pyval)
        depth = _depth_of_dictionaries(pyval)
        if depth is None:
            return _tensor_of(pyval)
        level: list[Any] = list(pyval)
        partitions = []
        for _ in range(depth - 1):
            partitions.append(RowPartition.from_row_lengths([len(row) for row in level]))
            level = [value for row in level for value in row]
        names = list(dict.fromkeys(name for value in level for name in value))
        fields = {
            name: cls.from_pyval(_of_each(pyval, depth, operator.itemgetter(name)))
            for name in names
        }
        shape = DynamicRaggedShape(partitions, convert_to_tensor([len(level)], int64))
        for name, value in fields.items():
            if isinstance(value, RaggedTensor) and value.ragged_rank < depth - 1:
                fields[name] = shape.tensor_of(value.flat_values)
        return cls(fields, shape)

    @property
    def _type_spec(self) -> StructuredTensorSpec:
        fields = {name: spec_of(value) for name, value in self._fields.items()}
        return StructuredTensorSpec(fields, self._ragged_shape._type_spec)

    @property
    def shape(self) -> TensorShape:
        """The extents of the array; None for ragged axes."""
        return TensorShape(self._ragged_shape.static_lengths(ragged_lengths=False))

    @property
    def rank(self) -> int:
        """How many axes the array has."""
        return self._ragged_shape.rank

    @property
    def row_partitions(self) -> tuple[RowPartition, ...]:
        """How the axes behind the first are partitioned."""
        return self._ragged_shape.row_partitions

    def nrows(self) -> Tensor | None:
        """The number of rows; None where there are no axes."""
        return self._ragged_shape[0] if self.rank else None

    def field_names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(self._fields)

    def field_value(self, field_name: str | Sequence[str]) -> Any:
        """A field.

        Args:
            field_name: Its name, or a path of names into fields that are structured.

        Returns:
            A tensor, a RaggedTensor or a StructuredTensor.

        Raises:
            KeyError: If there is no such field.
        """
        path = _path(field_name)
        found: Any = self
        for i, name in enumerate(path):
            if not isinstance(found, StructuredTensor) or name not in found._fields:
                raise KeyError(f"Field not found: {path[: i + 1]} among {self.field_names()}")
            found = found._fields[name]
        return found

    def with_updates(self, updates: Mapping[Any, Any], validate: bool = False) -> StructuredTensor:
        """The same with other fields.

        Args:
            updates: By name or path, the new field, a function of the old one, or None, which
                leaves the field out.
            validate: Not used.

        Returns:
            A StructuredTensor.

        Raises:
            KeyError: If there is no field that a function or None is said for.
            ValueError: If the shape of a field is another one.

        >>> import tfc as tf
        >>> x = tf.experimental.StructuredTensor.from_pyval([{"a": 1}, {"a": 2}])
        >>> x.with_updates({"a": lambda a: a * 10, "b": [5, 6]}).to_pyval()
        [{'a': 10, 'b': 5}, {'a': 20, 'b': 6}]
        """
        fields = dict(self._fields)
        deeper: dict[str, dict[Path, Any]] = {}
        for key, change in updates.items():
            name, *rest = _path(key)
            if rest:
                deeper.setdefault(name, {})[tuple(rest)] = change
            elif change is None:
                self.field_value(name)
                del fields[name]
            else:
                fields[name] = change(self.field_value(name)) if callable(change) else change
        for name, changes in deeper.items():
            child = self.field_value(name)
            if not isinstance(child, StructuredTensor):
                raise blame.value_error(f"Field {name!r} has no fields itself", OP)
            fields[name] = child.with_updates(changes)
        rows = self._ragged_shape
        return StructuredTensor.from_fields(fields, self.shape, self.nrows(), rows.row_partitions)

    def promote(self, source_path: Sequence[str], new_name: str) -> StructuredTensor:
        """The same with a field of a structured field as one of its parent, too.

        Args:
            source_path: The path of the field, of two names or more.
            new_name: The name of the new field, beside the source's parent.

        Returns:
            A StructuredTensor: where the parent has more axes, those are merged.

        Raises:
            ValueError: If the path is shorter.
            KeyError: If there is no such field.

        >>> import tfc as tf
        >>> x = tf.experimental.StructuredTensor.from_pyval(
        ...     [{"docs": [{"words": ["a", "b"]}, {"words": ["c"]}]}, {"docs": []}])
        >>> x.promote(("docs", "words"), "all").field_value("all")
        <tf.RaggedTensor [[b'a', b'b', b'c'], []]>
        """
        path = _path(source_path)
        if len(path) < 2:
            raise blame.value_error("source_path must have at least two names", OP)
        above: Any = self.field_value(path[:-2]) if path[:-2] else self
        parent, value = self.field_value(path[:-1]), self.field_value(path)
        last = min(parent.rank, len(value.shape) - 1)
        if last > above.rank:
            value = _merged(value, above.rank, last)
        return self.with_updates({(*path[:-2], new_name): value})

    def merge_dims(self, outer_axis: int, inner_axis: int) -> StructuredTensor:
        """Adjacent axes as one.

        Args:
            outer_axis: The first of them.
            inner_axis: The last of them.

        Returns:
            A StructuredTensor.

        Raises:
            ValueError: If there are no such axes, or they stand the other way.
        """
        first, last = (a + self.rank if a < 0 else a for a in (outer_axis, inner_axis))
        if not 0 <= first <= last < self.rank:
            raise blame.value_error(
                f"Expected outer_axis ({outer_axis}) to be before inner_axis ({inner_axis}) of "
                f"{self.rank} axes",
                OP,
            )
        return self._changed(lambda value: _merged(value, first, last))

    def partition_outer_dimension(self, row_partition: RowPartition) -> StructuredTensor:
        """The same with its first axis split into two.

        Args:
            row_partition: Which rows of it become one.

        Returns:
            A StructuredTensor.

        Raises:
            ValueError: If there are no axes.
        """
        if not self.rank:
            raise blame.value_error("Shape () must have rank at least 1", OP)
        return self._changed(lambda value: _partitioned(value, row_partition))

    def with_shape_dtype(self, dtype: DTypeLike) -> StructuredTensor:
        """The same with partitions of another dtype.

        Args:
            dtype: int32 or int64.

        Returns:
            A StructuredTensor.
        """
        fields = {
            name: value.with_shape_dtype(dtype) if isinstance(value, StructuredTensor)
            else value.with_row_splits_dtype(dtype) if isinstance(value, RaggedTensor) else value
            for name, value in self._fields.items()
        }  # fmt: skip
        return StructuredTensor(fields, self._ragged_shape.with_dtype(dtype))

    def to_pyval(self) -> Any:
        """Nested lists of dictionaries of Python's."""
        if not self.rank:
            return {name: _pyval(value) for name, value in self._fields.items()}
        rows = self._places().to_list() if self.rank > 1 else None
        count = int(self._ragged_shape.inner_shape[0])
        flat = self
        for _ in range(self.rank - 1):
            flat = flat.merge_dims(0, 1)
        columns = {name: _pyval(value) for name, value in flat._fields.items()}
        found = [{name: columns[name][i] for name in columns} for i in range(count)]
        return found if rows is None else _of_each(rows, self.rank, lambda i: found[i])

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        if not self.rank:
            if not isinstance(keys[0], str):
                raise TypeError(f"A structure without axes is indexed by a name, got {keys[0]!r}")
            value = self.field_value(keys[0])
            return value[keys[1:]] if keys[1:] else value
        batch, rest = keys[: self.rank], keys[self.rank :]
        if any(isinstance(k, str) for k in batch):
            name = next(k for k in batch if isinstance(k, str))
            raise TypeError(
                "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
                f"tf.int32/tf.int64 tensors are valid indices, got {name!r}"
            )
        if not rest:
            return self._changed(lambda value: value[batch])
        if not isinstance(rest[0], str):
            raise TypeError(f"Behind the axes stands the name of a field, got {rest[0]!r}")
        return self.field_value(rest[0])[(*batch, *rest[1:])]

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, StructuredTensor):
            return False
        return equal_composites(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = []
        for name, value in sorted(self._fields.items()):
            text = str(value) if isinstance(value, Tensor) else repr(value)
            shown.append(f'\n        "{name}": ' + text.replace("\n", "\n            "))
        return f"<StructuredTensor(\n    fields={{{','.join(shown)}}},\n    shape={self.shape})>"

    def _places(self) -> Any:
        """The numbers of the dictionaries, in an array of the same shape."""
        count = self._ragged_shape.inner_shape[0]
        return self._ragged_shape.tensor_of(_creation.range(count))

    def _changed(self, change: Callable[[Any], Any]) -> StructuredTensor:
        """The same with a change of axes of all fields."""
        places = change(self._places())
        if not isinstance(places, RaggedTensor):
            places = convert_to_tensor(places)
        fields = {name: change(value) for name, value in self._fields.items()}
        return StructuredTensor(fields, _outer(places, len(places.shape)))


def _path(name: str | Sequence[str]) -> Path:
    return (name,) if isinstance(name, str) else tuple(name)


def _field(value: Any) -> Any:
    if isinstance(value, StructuredTensor | RaggedTensor):
        return value
    return convert_to_tensor(value)


def _outer(value: Any, rank: int) -> DynamicRaggedShape:
    """The shape of the first axes of a tensor."""
    if isinstance(value, StructuredTensor):
        return value._ragged_shape[:rank]
    if not rank:
        return DynamicRaggedShape((), convert_to_tensor([], dtype=int64))
    partitions: list[RowPartition] = []
    while isinstance(value, RaggedTensor) and len(partitions) < rank - 1:
        partitions.append(partition_of(value))
        value = value.values
    kind = partitions[0].dtype if partitions else int64
    if isinstance(value, RaggedTensor):
        rows = value.nrows(kind)
        return DynamicRaggedShape(partitions, _joining.stack([rows]), kind)
    extents = _shaping.shape(value, out_type=kind)
    rows = extents[0]
    for axis in range(1, rank - len(partitions)):
        length = value.shape[axis]
        made = RowPartition.from_uniform_row_length(
            extents[axis] if length is None else length, nrows=rows, dtype=kind
        )
        partitions.append(made)
        rows = rows * extents[axis]
    return DynamicRaggedShape(partitions, _joining.stack([rows]), kind)


def _shape_of(
    fields: Mapping[str, Any], shape: TensorShape, nrows: Any, partitions: Any
) -> DynamicRaggedShape:
    """The array's shape, of the field that says most of it, or as it was given."""
    rank = len(shape)
    if not rank:
        return DynamicRaggedShape((), convert_to_tensor([], dtype=int64))
    if partitions:
        return DynamicRaggedShape.from_row_partitions(list(partitions))
    if fields:
        ragged = [v for v in fields.values() if not isinstance(v, Tensor)]
        return _outer((ragged or list(fields.values()))[0], rank)
    lengths = shape.as_list()
    if lengths[0] is None and nrows is not None:
        lengths[0] = int(_conversion.get_static_value(convert_to_tensor(nrows)))
    if None in lengths:
        raise blame.value_error(f"nothing says the extents {shape}: there are no fields", OP)
    return DynamicRaggedShape.from_lengths(lengths, num_row_partitions=rank - 1)


def _merged(value: Any, first: int, last: int) -> Any:
    """A tensor with adjacent axes as one."""
    if isinstance(value, StructuredTensor | RaggedTensor):
        return value.merge_dims(first, last)
    extents = _shaping.shape(value)
    known = value.shape.as_list()
    whole = [-1 if i == first else n for i, n in enumerate(known) if not first < i <= last]
    if None not in whole:
        return _shaping.reshape(value, whole)
    parts = [extents[:first], [-1], extents[last + 1 :]]
    return _shaping.reshape(value, _joining.concat(parts, 0))


def _partitioned(value: Any, partition: RowPartition) -> Any:
    if isinstance(value, StructuredTensor):
        return value.partition_outer_dimension(partition)
    return partition.rows_of(value)


def _pyval(value: Any) -> Any:
    if isinstance(value, StructuredTensor):
        return value.to_pyval()
    if isinstance(value, RaggedTensor):
        return value.to_list()
    array = value.numpy()
    return array.tolist() if getattr(array, "ndim", 0) else array


def _depth_of_dictionaries(value: Any) -> int | None:
    """How many lists stand around the first dictionary; None where there is none."""
    if isinstance(value, Mapping):
        return 0
    if isinstance(value, list | tuple):
        found = (_depth_of_dictionaries(v) for v in value)
        inner = next((d for d in found if d is not None), None)
        return None if inner is None else inner + 1
    return None


def _of_each(value: Any, depth: int, function: Callable[[Any], Any]) -> Any:
    """A function of what stands in lists of lists."""
    if not depth:
        return function(value)
    return [_of_each(v, depth - 1, function) for v in value]


def _tensor_of(value: Any) -> Any:
    """A list without dictionaries: a vector, or rows that may have any lengths."""
    if any(isinstance(v, list | tuple) for v in value):
        return ragged_constant(value)
    return convert_to_tensor(value)


__all__ = ["StructuredTensor", "StructuredTensorSpec"]
