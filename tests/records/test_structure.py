"""Messages of structures of values and specs."""

from __future__ import annotations

import collections

import pytest

import tfc as tf
from tfc.records.structure import StructuredValue, decode, encode

# What TensorFlow 2.21 writes for SPECS.
WRITTEN = (
    "aa0381010a4a0a016112459a03420a1b8a02180a0174121112020802120b08ffffffffffffffffff0118010a23a203"
    "200a0260020a02600d0a095900000000000004400a0270010a036a01730a020a000a230a0162121eb2031b0a015012"
    "0c0a01781207fa01041202080312080a017912038002090a0e0a016312098a0206120218011807"
)
P = collections.namedtuple("P", ["x", "y"])
SPECS = {
    "a": [tf.TensorSpec([2, None], tf.float32, "t"), (1, -7, 2.5, True, "s", None)],
    "b": P(tf.TensorShape([3]), tf.int64),
    "c": tf.TensorSpec(None, tf.string),
}


def test_the_message_is_tensorflows() -> None:
    assert encode(SPECS).SerializeToString().hex() == WRITTEN
    found = decode(StructuredValue.FromString(bytes.fromhex(WRITTEN)), lambda *given: given)
    assert found == SPECS and type(found["b"]).__name__ == "P"


def test_what_messages_cannot_hold() -> None:
    with pytest.raises(NotImplementedError, match="No encoder for object"):
        encode([object()])
    with pytest.raises(ValueError, match="not known here"):
        decode(StructuredValue(), lambda *given: given)
