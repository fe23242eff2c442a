"""Messages: the bytes and the text of TensorFlow's, and the manners of Protocol Buffers."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

import tfc as tf
from tfc.core.errors import DataLossError
from tfc.records import wire
from tfc.records.message import Field, Message

train = tf.train


def feature(**lists: Any) -> Any:
    return train.Feature(**{name: {"value": values} for name, values in lists.items()})


EXAMPLE = train.Example(
    features=train.Features(
        feature={
            "b": feature(bytes_list=[b"a\n\xff", b""]),
            "f": feature(float_list=[0.1, -2.0, 1e30]),
            "i": feature(int64_list=[-1, 5, 2**62]),
            "n": train.Feature(),
        }
    )
)
# What TensorFlow 2.21 makes of it.
BYTES = bytes.fromhex(
    "0a4d0a0e0a016212090a070a03610aff0a000a150a01661210120e0a0ccdcccc3d000000c0caf249710a1d0a016912"
    "181a160a14ffffffffffffffffff01058080808080808080400a050a016e1200"
)
TEXT = """features {
  feature {
    key: "b"
    value {
      bytes_list {
        value: "a\\n\\377"
        value: ""
      }
    }
  }
  feature {
    key: "f"
    value {
      float_list {
        value: 0.1
        value: -2
        value: 1e+30
      }
    }
  }
  feature {
    key: "i"
    value {
      int64_list {
        value: -1
        value: 5
        value: 4611686018427387904
      }
    }
  }
  feature {
    key: "n"
    value {
    }
  }
}
"""


def test_bytes_and_text() -> None:
    assert EXAMPLE.SerializeToString() == BYTES and EXAMPLE.ByteSize() == len(BYTES)
    assert str(EXAMPLE) == TEXT
    assert train.Example.FromString(BYTES) == EXAMPLE
    found = train.Example()
    assert found.ParseFromString(BYTES) == len(BYTES) and found == EXAMPLE
    assert found.features.feature["i"].int64_list.value == [-1, 5, 2**62]
    assert found.features.feature["f"].float_list.value[0] == np.float32(0.1)
    assert [*found.features.feature] == ["b", "f", "i", "n"]


def test_copies() -> None:
    for other in (pickle.loads(pickle.dumps(EXAMPLE)), copy.deepcopy(EXAMPLE)):
        assert other == EXAMPLE and other is not EXAMPLE
    taken = train.Example()
    taken.CopyFrom(EXAMPLE)
    taken.features.feature["i"].int64_list.value.append(9)
    assert EXAMPLE.SerializeToString() == BYTES != taken.SerializeToString()
    values = train.Int64List(value=[1])
    around = train.Feature(int64_list=values)
    values.value.append(2)
    assert around.int64_list.value == [1]
    around.MergeFrom(train.Feature(int64_list=values))
    assert around.int64_list.value == [1, 1, 2]


def test_what_is_looked_at_is_not_there() -> None:
    example = train.Example()
    one, other = example.features, example.features
    assert one is other
    assert not example.HasField("features") and example.SerializeToString() == b""
    assert one.feature.get("x") is None and "x" not in one.feature
    assert not example.HasField("features")
    inside = one.feature["x"].float_list.value
    assert example.HasField("features") and one.feature["x"].WhichOneof("kind") is None
    inside.append(1.5)
    assert one.feature["x"].WhichOneof("kind") == "float_list"
    one.feature["x"].int64_list.value.extend([1, 2])
    assert one.feature["x"].WhichOneof("kind") == "int64_list"
    assert not one.feature["x"].HasField("float_list")
    one.feature["x"].ClearField("int64_list")
    assert one.feature["x"].WhichOneof("kind") is None
    empty = train.Feature()
    empty.bytes_list.CopyFrom(train.BytesList())
    assert empty.WhichOneof("kind") == "bytes_list" and empty.SerializeToString() == b"\n\0"


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (lambda: train.Int64List(value=[1.5]), TypeError, "Int64List.value"),
        (lambda: train.Int64List(value=[2**63]), ValueError, "Int64List.value: .* no int64"),
        (lambda: train.Int64List(value=[1.5] * 20), TypeError, "Int64List.value"),
        (lambda: train.BytesList(value=["a"]), TypeError, "BytesList.value: bytes are wanted"),
        (lambda: train.FloatList(value=["1"]), TypeError, "FloatList.value"),
        (lambda: train.FloatList(value=["1"] * 20), TypeError, "FloatList.value"),
        (lambda: train.Feature(x=1), ValueError, "Feature has no field 'x'"),
        (lambda: train.Feature().x, AttributeError, "Feature has no field 'x'"),
        (lambda: setattr(train.Int64List(), "value", [1]), AttributeError, "changed in place"),
        (lambda: train.Features(feature={"a": 1}), TypeError, "a Feature is wanted"),
        (lambda: train.Example.FromString("text"), TypeError, "bytes are wanted"),
        (lambda: train.Example.FromString(BYTES[:-1]), DataLossError, "damaged"),
        (lambda: train.Feature().WhichOneof("none"), ValueError, "no group"),
    ],
)
def test_errors(use: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        use()


class Every(Message):
    """A field of each kind."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "a": Field(1, "int64"),
        "b": Field(2, "int32", repeated=True),
        "c": Field(3, "uint64", repeated=True),
        "d": Field(4, "uint32"),
        "e": Field(5, "bool", repeated=True),
        "f": Field(6, "float"),
        "g": Field(7, "double", repeated=True),
        "h": Field(8, "fixed32"),
        "i": Field(9, "bytes", repeated=True),
        "j": Field(1000, "string"),
    }


def test_every_kind() -> None:
    values = {
        "a": -(2**63),
        "b": [-(2**31), 2**31 - 1, 0, -1, 7, 8, 9, 10, 11],
        "c": [2**64 - 1, 0, 1, 2, 3, 4, 5, 6, 7, 8],
        "d": 2**32 - 1,
        "e": [True, False],
        "f": -0.0,
        "g": [0.1, float("inf")],
        "h": 2**32 - 1,
        "i": [b"", b"\0"],
        "j": "ü",
    }
    found = Every.FromString(Every(**values).SerializeToString())
    assert {name: value for name, value in found.ListFields()} == values
    assert str(found.f) == "-0.0" and found.j == "ü"
    # Who knows fewer fields keeps the others.
    less = train.Int64List.FromString(found.SerializeToString())
    again = Every.FromString(less.SerializeToString())
    assert (again.c, again.j, again.h) == (found.c, found.j, found.h)


def test_packed_numbers_one_by_one() -> None:
    """Lists may come as one field a number, and in parts."""
    parts = [wire.tag(1, wire.VARINT) + wire.varint(n) for n in (3, -1)]
    packed = wire.block(1, wire.varint(300) + wire.varint(-5))
    assert train.Int64List.FromString(b"".join([*parts, packed])).value == [3, -1, 300, -5]


def test_varints() -> None:
    draw = np.random.default_rng(0)
    numbers = np.concatenate(
        [
            draw.integers(-(2**63), 2**63 - 1, 500),
            draw.integers(0, 300, 500),
            2 ** np.arange(63) - 1,
            [-1, -(2**63), 2**63 - 1],
        ]
    )
    data = wire.pack_varints(numbers)
    assert data == b"".join(wire.varint(int(n)) for n in numbers)
    assert (wire.unpack_varints(memoryview(data)) == numbers).all()
    at, found = 0, []
    while at < len(data):
        number, at = wire.read_varint(memoryview(data), at)
        found.append(wire.signed(number))
    assert found == numbers.tolist()
    for bad in (b"\x80", b"\x01\x80", b"\x80" * 10 + b"\x01"):
        with pytest.raises(DataLossError):
            wire.unpack_varints(memoryview(bad))


def test_damage() -> None:
    """Whatever is changed, there is a message or a DataLossError."""
    draw = random.Random(0)
    for _ in range(3000):
        data = bytearray(BYTES)
        for _ in range(draw.randint(1, 3)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        cut = bytes(data[: draw.randint(0, len(data))])
        for message in (train.Example, train.SequenceExample, Every):
            try:
                found = message.FromString(cut)
            except DataLossError:
                continue
            assert message.FromString(found.SerializeToString()) == found


def test_messages_within_messages_without_end() -> None:
    class Deep(Message):
        __slots__ = ()

    Deep.declare({"inner": Field(1, Deep)})
    data = b""
    for _ in range(20_000):
        data = wire.block(1, data)
    with pytest.raises(DataLossError, match="without end"):
        Deep.FromString(data)
