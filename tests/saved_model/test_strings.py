"""Saved models with strings, and with lookup tables that stay as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.saved_model import encoding

from .test_mutations import Files, written

WORDS = ["A", "b,c", "", "é"]


class Texts(tf.Module):
    """Functions of strings."""

    def __init__(self) -> None:
        super().__init__()
        values = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
        numbers = tf.lookup.KeyValueTensorInitializer([3, 5], ["three", "five"])
        vocabulary = tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([0], tf.int64))
        self.values = tf.lookup.StaticHashTable(values, -1)
        self.numbers = tf.lookup.StaticHashTable(numbers, "?")
        self.vocabulary = tf.lookup.StaticVocabularyTable(vocabulary, 3)
        self.names = tf.constant([["p", "qq"], ["", "\0"]])
        self.title = tf.Variable(["x", "yy"])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def __call__(self, x: Any) -> Any:
        small = tf.strings.lower(x)
        return {
            "values": self.values[small],
            "numbers": self.numbers[tf.constant([5, 4])],
            "words": self.vocabulary.lookup(small),
            "size": self.vocabulary.size(),
            "parts": tf.strings.split(small, ",").flat_values,
            "chosen": tf.where(x == "A", x, "?"),
            "each": tf.map_fn(lambda word: tf.strings.upper(word) + "!", x),
            "names": tf.gather(self.names, [1, 0]),
            "title": self.title + "s",
            "sorted": tf.sort(x),
        }

    @tf.function
    def again(self, x: Any, what: str = "b") -> Any:
        for _ in tf.range(3):
            x = tf.strings.join([x, what])
        return x


def plain(found: Any) -> Any:
    return {key: x.numpy().tolist() for key, x in found.items()}


def test_saved_and_loaded(tmp_path: Path) -> None:
    model = Texts()
    expected, again = plain(model(tf.constant(WORDS))), model.again("q").numpy()
    tf.saved_model.save(model, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert plain(loaded(tf.constant(WORDS))) == expected
    assert loaded.again("q").numpy() == again == b"qbbb"
    np.testing.assert_array_equal(loaded.names, model.names)
    assert loaded.title.numpy().tolist() == [b"x", b"yy"]
    tf.saved_model.save(loaded, tmp_path / "twice")
    code = (
        f"import tfc as tf; m = tf.saved_model.load({str(tmp_path / 'twice')!r})\n"
        "print(m(tf.constant(['a', 'z']))['words'].numpy().tolist())"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, env=os.environ)
    words = model.vocabulary.lookup(tf.constant(["a", "z"])).numpy().tolist()
    assert run.stdout.decode().strip() == str(words), run.stderr


@pytest.mark.parametrize(
    ("lengths", "why"),
    [([1, -1], "lengths"), ([1, 1 << 62], "lengths"), ([1, 0], "lengths"), ([1], "hold 2 strings")],
)
def test_damaged_strings(lengths: list[int], why: str, tmp_path: Path) -> None:
    data = np.array(lengths, "<i8").view(np.uint8)
    with pytest.raises(ValueError, match=why):
        encoding.unpacked_strings(np.append(data, np.uint8([97, 98])), [2])


def changed(**entries: Any) -> Any:
    def change(files: Files) -> None:
        manifest = json.loads(files[encoding.MANIFEST])
        files[encoding.MANIFEST] = json.dumps({**manifest, **entries}).encode()

    return change


def test_tables_that_are_none(tmp_path: Path) -> None:
    for number, tables in enumerate(([{}], [{"keys": "v0", "values": "no"}], [3], {"a": 1})):
        with pytest.raises(tf.errors.DataLossError):
            tf.saved_model.load(written(tmp_path / str(number), changed(tables=tables)))


HEAD = "func @f(%x: f32[4]) -> f32[4] {\n"
FIND = "  %f = host_function [{}] {{routine = ('lookup_find', ''), "
FIND += "shape = (4,), dtype = f32}} : f32[4]"


@pytest.mark.parametrize("operands", ["%x, %x", "%x, %x, %s", "%x", ""])
def test_programs_that_look_into_what_is_no_table(operands: str, tmp_path: Path) -> None:
    """A string that is none of a table: an error when it runs, and nothing else."""
    read = "  %s = host_function [%x] {routine = ('strings.as_string', \"" + OPTIONS + '"), '
    read += "shape = (4,), dtype = string} : string[4]\n"

    def change(files: Files) -> None:
        body = f"{HEAD}{read}{FIND.format(operands)}\n  return %f\n}}"
        files["functions/0.ir"] = body.encode()

    model = tf.saved_model.load(written(tmp_path, change))
    with pytest.raises((tf.errors.OpError, TypeError, ValueError, LookupError)):
        model.f(tf.ones([4]))


OPTIONS = (
    "\\x28'tuple'\\x2c \\x28\\x28'tuple'\\x2c \\x28\\x28'tensor'\\x2c\\x29\\x2c\\x29\\x29\\x2c "
    "\\x28'dict'\\x2c \\x28\\x29\\x29\\x29\\x29"
)
