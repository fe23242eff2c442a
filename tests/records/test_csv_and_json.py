"""Lines of fields, and examples as JSON, as TensorFlow 2.21 reads them."""

from __future__ import annotations

from typing import Any

import pytest

import tfc as tf

REFUSED = tf.errors.InvalidArgumentError


def columns(*args: Any, **options: Any) -> list[Any]:
    return [x.numpy().tolist() for x in tf.io.decode_csv(*args, **options)]


def test_fields() -> None:
    lines = ["1,a,2.5", '3,"b,""c",', "4,,1"]
    assert columns(lines, [0, "z", [7.0]]) == [[1, 3, 4], [b"a", b'b,"c', b"z"], [2.5, 7, 1]]
    empty = tf.constant([], tf.int64)
    assert columns("5;NA;6", [1, 2, empty], field_delim=";", na_value="NA") == [5, 2, 6]
    assert columns([["1,2,3"], ["4,5,6"]], [0, 0], select_cols=[0, 2]) == [[[1], [4]], [[3], [6]]]
    assert columns(['"a",b'], ["", ""], use_quote_delim=False) == [[b'"a"'], [b"b"]]
    assert columns([" 1 , 2"], [0, 0.0]) == [[1], [2.0]]
    assert columns(['"",x,"a\nb"'], ["d", "", ""]) == [[b"d"], [b"x"], [b"a\nb"]]
    assert columns(["1e3,inf,0x10"], [0.0, 0.0, 0.0]) == [[1000.0], [float("inf")], [16.0]]
    assert columns(["1"], [tf.float64]) == [[1.0]] and columns([], [0]) == [[]]


@pytest.mark.parametrize(
    ("lines", "defaults", "options", "message"),
    [
        (["1,"], [0, tf.int32], {}, "Field 1 is required but missing in record 0!"),
        (["1,2", "1"], [0, 0], {}, "Expect 2 fields but have 1 in record 1"),
        (["1,2,3"], [0, 0], {}, "Expect 2 fields but have 3"),
        ([""], [5], {}, "Expect 1 fields but have 0"),
        (["1,2"], [0], {"select_cols": [5]}, "Expect more than 5 fields but have 2"),
        (["x"], [0], {}, "Field 0 in record 0 is not a valid int32: x"),
        (["99999999999"], [0], {}, "not a valid int32"),
        (["1_0"], [0], {}, "not a valid int32"),
        (['a"b'], [""], {}, "Unquoted fields cannot have quotes"),
        (["a\n"], [""], {}, "Unquoted fields cannot have quotes"),
        (['"a', 'b"c'], [""], {}, "Quoted field has to end with quote"),
        (["1"], [tf.constant([], tf.uint8)], {}, "not uint8"),
        (["1"], [[1, 2]], {}, "should only be 1 default per field"),
        (["1"], [0], {"field_delim": "ab"}, "only 1 char"),
    ],
)
def test_wrong_fields(lines: Any, defaults: Any, options: Any, message: str) -> None:
    with pytest.raises(REFUSED, match=message):
        tf.io.decode_csv(lines, defaults, **options)


def test_wrong_choices_of_columns() -> None:
    for chosen in ([1, 0], [0], [-1, 0]):
        with pytest.raises(ValueError, match=r"increasing|do not match"):
            tf.io.decode_csv(["1,2"], [0, 0], select_cols=chosen)


def test_columns_in_functions() -> None:
    f = tf.function(lambda lines: tf.io.decode_csv(lines, [0, 1.0, ""]))
    for lines in (["1,2,a"], ["3,,b", "4,5,c"]):
        for eager, traced in zip(tf.io.decode_csv(lines, [0, 1.0, ""]), f(lines), strict=True):
            assert traced.numpy().tolist() == eager.numpy().tolist()
    with pytest.raises(REFUSED, match="Expect 3 fields"):
        f(["1"])


EXAMPLE = """{"features": {"feature": {
    "x": {"floatList": {"value": [1.5, "NaN"]}},
    "y": {"int64_list": {"value": ["5", -6, 1e2]}},
    "z": {"bytesList": {"value": ["YWI=", "_-8"]}}}}}"""


def test_examples_as_json() -> None:
    data = tf.io.decode_json_example([EXAMPLE, '{"features": null}'])
    feature = tf.train.Example.FromString(data.numpy()[0]).features.feature
    assert feature["x"].float_list.value[0] == 1.5 and feature["y"].int64_list.value == [5, -6, 100]
    assert feature["z"].bytes_list.value == [b"ab", b"\xff\xef"] and data.numpy()[1] == b""
    parsed = tf.function(lambda s: tf.io.parse_example(
        tf.io.decode_json_example(s), {"y": tf.io.VarLenFeature(tf.int64)}
    )["y"].values)  # fmt: skip
    assert parsed([EXAMPLE]).numpy().tolist() == [5, -6, 100]


@pytest.mark.parametrize(
    "wrong",
    [
        "{",
        "[]",
        '{"features": 5}',
        '{"foo": 5}',
        '{"features": {"feature": {"y": {"int64List": {"value": [1.5]}}}}}',
        '{"features": {"feature": {"y": {"int64List": {"value": [true]}}}}}',
        '{"features": {"feature": {"y": {"int64List": {"value": 5}}}}}',
        '{"features": {"feature": {"y": {"bytesList": {"value": ["*"]}}}}}',
        '{"features": {"feature": {"y": {"bytesList": {"value": [5]}}}}}',
        '{"features": {"feature": {"y": {"bytesList": {}, "int64List": {}}}}}',
        '{"features": {"feature": []}}',
        "[" * 100_000,
    ],
)
def test_wrong_json(wrong: str) -> None:
    with pytest.raises(REFUSED, match="Error while parsing JSON"):
        tf.io.decode_json_example(wrong)
