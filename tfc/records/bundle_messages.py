"""The messages in a bundle of tensors, as TensorFlow's tensor_bundle.proto, tensor_slice.proto and
versions.proto say. What says where a tensor stands is read and written in bundle.py: there are
thousands."""

from __future__ import annotations

from typing import ClassVar

from .message import Field, Message


class VersionDef(Message):
    """Which programs may read a file."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "producer": Field(1, "int32"),
        "min_consumer": Field(2, "int32"),
        "bad_consumers": Field(3, "int32", repeated=True),
    }


class BundleHeaderProto(Message):
    """What stands under the empty key of a bundle's index."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "num_shards": Field(1, "int32"),
        "endianness": Field(2, "int32"),  # 0: the lowest byte comes first
        "version": Field(3, VersionDef),
    }


class SliceExtent(Message):
    """A range of an axis; without a length, all of it."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "start": Field(1, "int64"),
        "length": Field(2, "int64", oneof="has_length"),
    }


class TensorSliceProto(Message):
    """A part of a tensor: a range of each axis."""

    __slots__ = ()
    FIELDS: ClassVar = {"extent": Field(1, SliceExtent, repeated=True)}
