"""The message of a structure of values and specs, as TensorFlow's struct.proto says, and what it
stands for. Libraries keep the specs of their data in it.

    encode({"a": tf.TensorSpec([2])}).SerializeToString()
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from tfc.ir.dtypes import DType, as_dtype, string

from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from .message import Field, Message
from .tensor import TensorProto, TensorShapeProto, proto_of


class NoneValue(Message):
    __slots__ = ()


class TensorSpecProto(Message):
    """A name, a shape and a dtype."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "name": Field(1, "string"),
        "shape": Field(2, TensorShapeProto),
        "dtype": Field(3, "int32"),
    }


class BoundedTensorSpecProto(Message):
    """A spec with the least and the largest values."""

    __slots__ = ()
    FIELDS: ClassVar = {
        **TensorSpecProto.FIELDS,
        "minimum": Field(4, TensorProto),
        "maximum": Field(5, TensorProto),
    }


class StructuredValue(Message):
    """A value, a spec, or a list, tuple, dictionary or named tuple of such."""

    __slots__ = ()


class ListValue(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"values": Field(1, StructuredValue, repeated=True)}


class TupleValue(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"values": Field(1, StructuredValue, repeated=True)}


class DictValue(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"fields": Field(1, StructuredValue, keyed=True)}


class PairValue(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"key": Field(1, "string"), "value": Field(2, StructuredValue)}


class NamedTupleValue(Message):
    __slots__ = ()
    FIELDS: ClassVar = {"name": Field(1, "string"), "values": Field(2, PairValue, repeated=True)}


class TypeSpecProto(Message):
    """A spec of what is made of several tensors: which class it is of, and what it is made of."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "type_spec_class": Field(1, "int32"),
        "type_state": Field(2, StructuredValue),
        "type_spec_class_name": Field(3, "string"),
        "num_flat_components": Field(4, "int32"),
    }


_KINDS: dict[str, tuple[int, str | type[Message]]] = {
    "none_value": (1, NoneValue),
    "float64_value": (11, "double"),
    "int64_value": (12, "sint64"),
    "string_value": (13, "string"),
    "bool_value": (14, "bool"),
    "tensor_shape_value": (31, TensorShapeProto),
    "tensor_dtype_value": (32, "int32"),
    "tensor_spec_value": (33, TensorSpecProto),
    "type_spec_value": (34, TypeSpecProto),
    "bounded_tensor_spec_value": (35, BoundedTensorSpecProto),
    "list_value": (51, ListValue),
    "tuple_value": (52, TupleValue),
    "dict_value": (53, DictValue),
    "named_tuple_value": (54, NamedTupleValue),
}
StructuredValue.declare({n: Field(i, kind, oneof="kind") for n, (i, kind) in _KINDS.items()})

Bounded = Callable[[TensorShape, DType, TensorProto, TensorProto, str | None], Any]
Composed = Callable[[str, Any], Any]


def encode(value: Any) -> StructuredValue:
    """The message of a structure.

    Raises:
        NotImplementedError: If there is a value in it that messages cannot hold.
    """
    match value:
        case None:
            return StructuredValue(none_value={})
        case bool():
            return StructuredValue(bool_value=value)
        case int():
            return StructuredValue(int64_value=value)
        case float():
            return StructuredValue(float64_value=value)
        case str():
            return StructuredValue(string_value=value)
        case TensorShape():
            return StructuredValue(tensor_shape_value=_shape(value))
        case DType():
            return StructuredValue(tensor_dtype_value=value.as_datatype_enum)
        case TensorSpec():
            return _spec(value)
        case Mapping():
            message = StructuredValue(dict_value={})
            for key, inner in value.items():
                message.dict_value.fields[key].CopyFrom(encode(inner))
            return message
        case tuple() if hasattr(value, "_fields"):
            pairs = [
                {"key": key, "value": encode(inner)}
                for key, inner in zip(value._fields, value, strict=True)
            ]
            named = {"name": type(value).__name__, "values": pairs}
            return StructuredValue(named_tuple_value=named)
        case tuple():
            return StructuredValue(tuple_value={"values": [encode(inner) for inner in value]})
        case list():
            return StructuredValue(list_value={"values": [encode(inner) for inner in value]})
    raise NotImplementedError(f"No encoder for object {value} of type {type(value)}.")


def _shape(shape: TensorShape) -> TensorShapeProto:
    if shape.rank is None:
        return TensorShapeProto(unknown_rank=True)
    return TensorShapeProto(dim=[{"size": -1 if e is None else e} for e in shape])


def _spec(spec: TensorSpec) -> StructuredValue:
    dtype = spec.dtype.as_datatype_enum
    parts: dict[str, Any] = {"name": spec.name, "shape": _shape(spec.shape), "dtype": dtype}
    low, high = (getattr(spec, name, None) for name in ("minimum", "maximum"))
    if low is None or high is None:
        return StructuredValue(tensor_spec_value=parts)
    parts |= {"minimum": proto_of(low), "maximum": proto_of(high)}
    return StructuredValue(bounded_tensor_spec_value=parts)


def decode(message: StructuredValue, bounded: Bounded, composed: Composed | None = None) -> Any:
    """What a message stands for. `bounded` makes a spec of a shape, a dtype, the messages of its
    bounds, and a name; `composed` one of what is made of several tensors, of the name of its class
    and what it is made of.

    Raises:
        ValueError: If it holds what is not here.
    """
    kind = message.WhichOneof("kind")
    found: Any = getattr(message, kind) if kind else None
    match kind:
        case "none_value":
            return None
        case "bool_value" | "int64_value" | "float64_value" | "string_value":
            return found
        case "tensor_shape_value":
            return _extents(found)
        case "tensor_dtype_value":
            return _dtype(found)
        case "tensor_spec_value":
            return TensorSpec(_extents(found.shape), _dtype(found.dtype), found.name or None)
        case "bounded_tensor_spec_value":
            shape, dtype = _extents(found.shape), _dtype(found.dtype)
            return bounded(shape, dtype, found.minimum, found.maximum, found.name or None)
        case "type_spec_value" if composed is not None:
            state = decode(found.type_state, bounded, composed)
            return composed(found.type_spec_class_name, state)
        case "list_value":
            return [decode(inner, bounded, composed) for inner in found.values]
        case "tuple_value":
            return tuple(decode(inner, bounded, composed) for inner in found.values)
        case "dict_value":
            return {key: decode(inner, bounded, composed) for key, inner in found.fields.items()}
        case "named_tuple_value":
            names = [pair.key for pair in found.values]
            return collections.namedtuple(found.name, names)(
                *(decode(pair.value, bounded, composed) for pair in found.values)
            )
    raise ValueError(f"a message of a structure with a value that is not known here: {message}")


def _dtype(number: int) -> DType:
    return string if number == string.as_datatype_enum else as_dtype(number)


def _extents(message: TensorShapeProto) -> TensorShape:
    if message.unknown_rank:
        return TensorShape(None)
    return TensorShape([None if dim.size == -1 else dim.size for dim in message.dim])
