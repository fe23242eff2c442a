"""Loops call the host once for all rounds: with the same results, and only where that can be."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir.ops.control import Scan
from tfc.ir.ops.host_functions import _elementwise
from tfc.ir.passes import run

WORDS = ["", "a", "Bb", "17", "\u00e9t\u00e9", "3"]
GIVEN = {  # what else than words is taken
    "io.decode_base64": ["", "YQ", "QmI", "MTc", "w6l0w6k", "Mw"],
    "io.decode_compressed": [zlib.compress(word.encode()) for word in WORDS],
    "strings.to_number": ["1", "-2", "30", "4", "5", "6"],
}

_KNOWN = tf.lookup.KeyValueTensorInitializer(["a", "17"], tf.constant([0, 1], tf.int64))
TABLE = tf.lookup.StaticHashTable(_KNOWN, -1)
VOCABULARY = tf.lookup.StaticVocabularyTable(_KNOWN, 3)

# What is called with a string, by the name of its routine.
CALLS: dict[str, Callable[[Any], Any]] = {
    "io.decode_base64": tf.io.decode_base64,
    "io.decode_compressed": lambda x: tf.io.decode_compressed(x, "ZLIB"),
    "io.encode_base64": lambda x: tf.io.encode_base64(x, pad=True),
    "lookup_find": TABLE.lookup,
    "lookup_find_or_hash": VOCABULARY.lookup,
    "string_equal": lambda x: x == tf.constant("17"),
    "string_not_equal": lambda x: tf.constant("a") != x,
    "string_join": lambda x: x + "!",
    "strings.as_string": lambda x: tf.strings.as_string(tf.strings.length(x)),
    "strings.join": lambda x: tf.strings.join([tf.constant(["-", "+"]), x, "/"], separator=","),
    "strings.length": tf.strings.length,
    "strings.lower": tf.strings.lower,
    "strings.regex_full_match": lambda x: tf.strings.regex_full_match(x, "[0-9]+"),
    "strings.regex_replace": lambda x: tf.strings.regex_replace(x, "[a-b]", "z"),
    "strings.strip": lambda x: tf.strings.strip(tf.strings.join([" ", x, "\t"])),
    "strings.substr": lambda x: tf.strings.substr(x, 0, 1),
    "strings.to_hash_bucket": lambda x: tf.strings.to_hash_bucket(x, 97),
    "strings.to_hash_bucket_strong": lambda x: tf.strings.to_hash_bucket_strong(x, 97, [1, 2]),
    "strings.to_hash_bucket_fast": lambda x: tf.strings.to_hash_bucket_fast(x, 97),
    "strings.to_number": lambda x: tf.strings.to_number(x, tf.int32),
    "strings.unicode_script": lambda x: tf.strings.unicode_script(tf.strings.length(x)),
    "strings.unicode_transcode": lambda x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-16-BE"),
    "strings.upper": tf.strings.upper,
}


def _calls_inside(f: Any) -> list[str]:
    """The names of the routines that loops call."""
    scans = [op for op in run(f.get_concrete_function().function).body if isinstance(op, Scan)]
    return [op.routine.name for s in scans for op in s.body.walk() if hasattr(op, "routine")]


@pytest.mark.parametrize("name", sorted(n for n in _elementwise if not n.startswith("tests.")))
def test_one_call_for_all_rounds(name: str) -> None:
    call = CALLS[name]  # a new one has a line here
    words = tf.constant(GIVEN.get(name, WORDS))
    spec = tf.TensorSpec([None], tf.string)
    f = tf.function(lambda xs: tf.map_fn(call, xs, fn_output_signature=call(words[0]).dtype))
    f = tf.function(f.python_function, input_signature=[spec])
    expected = [call(word).numpy() for word in words]
    assert f(words).numpy().tolist() == np.stack(expected).tolist()
    assert f(words[:0]).shape[0] == 0
    assert f(words[:1]).numpy().tolist() == np.stack(expected[:1]).tolist()
    assert _calls_inside(f) == []


def test_what_changes_from_round_to_round_stays() -> None:
    spec = tf.TensorSpec([None], tf.string)

    @tf.function(input_signature=[spec])
    def grown(xs: Any) -> Any:
        text = tf.constant("")
        for x in xs:
            text = tf.strings.upper(tf.strings.join([text, tf.strings.lower(x)]))
        return text

    assert grown(tf.constant(WORDS[:4])).numpy() == b"ABB17"
    assert sorted(_calls_inside(grown)) == ["strings.join", "strings.upper"]

    @tf.function(input_signature=[spec])
    def some(xs: Any) -> Any:  # only some rounds call it: the others may be no numbers
        return tf.map_fn(
            lambda x: tf.cond(
                tf.strings.regex_full_match(x, "[0-9]+"),
                lambda: tf.strings.to_number(x, tf.int32),
                lambda: -1,
            ),
            xs,
            fn_output_signature=tf.int32,
        )

    assert some(tf.constant(WORDS)).numpy().tolist() == [-1, -1, -1, 17, -1, 3]


def test_records_are_parsed_together() -> None:
    def record(i: int) -> bytes:
        features = {
            "x": tf.train.Feature(float_list=tf.train.FloatList(value=[i, i / 2])),
            "name": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"n%d" % i])),
        }
        return tf.train.Example(features={"feature": features}).SerializeToString()

    records = tf.constant([record(i) for i in range(5)])
    features = {
        "x": tf.io.FixedLenFeature([2], tf.float32),
        "name": tf.io.FixedLenFeature([], tf.string),
        "absent": tf.io.FixedLenFeature([], tf.int64, 7),
    }
    dataset = tf.data.Dataset.from_tensor_slices(records).map(
        lambda r: tf.io.parse_single_example(r, features)
    )
    found = dataset.batch(5).get_single_element()
    whole = tf.io.parse_example(records, features)
    for key in features:
        assert found[key].numpy().tolist() == whole[key].numpy().tolist()
    damaged = tf.data.Dataset.from_tensor_slices(tf.concat([records, ["\x08"]], 0))
    elements = iter(damaged.map(lambda r: tf.io.parse_single_example(r, features)))
    assert [next(elements)["absent"].numpy() for _ in range(5)] == [7] * 5
    with pytest.raises(tf.errors.InvalidArgumentError):
        next(elements)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def sums(rs: Any) -> Any:
        return tf.map_fn(
            lambda r: tf.reduce_sum(tf.io.parse_single_example(r, features)["x"]),
            rs,
            fn_output_signature=tf.float32,
        )

    assert sums(records).numpy().tolist() == [1.5 * i for i in range(5)]
    assert _calls_inside(sums) == []
