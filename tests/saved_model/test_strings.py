"""Saved models with strings and with lookup tables."""

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

from .test_mutations import Files, rewritten, written

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


class Counting(tf.Module):
    """Words get numbers, in the order in which they come."""

    def __init__(self) -> None:
        super().__init__()
        experimental = tf.lookup.experimental
        self.numbers = experimental.MutableHashTable(tf.string, tf.int64, -1, name="numbers")
        self.points = experimental.DenseHashTable(
            tf.int64, tf.float32, [0.0, -1.0], empty_key=[-1, -1], deleted_key=[-2, -2]
        )

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def learn(self, words: Any) -> Any:
        for word in words:
            if self.numbers.lookup(word) < 0:
                self.numbers.insert(word, self.numbers.size())
        return self.numbers.lookup(words)

    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.int64)])
    def move(self, places: Any) -> Any:
        before = self.points.lookup(places)
        self.points.insert(places, before + 1.0)
        return before

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def forget(self, word: Any) -> Any:
        self.numbers.remove(word)
        return self.numbers.size()


def test_tables_that_change(tmp_path: Path) -> None:
    """A loaded model begins with what the tables held, its functions share them, and go on."""
    model, places = Counting(), tf.constant([[1, 2], [3, 4]], tf.int64)
    assert model.learn(tf.constant(["a", "b", "a"])).numpy().tolist() == [0, 1, 0]
    model.move(places)
    tf.saved_model.save(model, tmp_path)
    model.learn(tf.constant(["elsewhere"]))  # what comes later is not in it
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.learn(tf.constant(["c", "b"])).numpy().tolist() == [2, 1]
    assert int(loaded.forget("a")) == 2
    assert loaded.numbers.lookup(tf.constant(["a", "c"])).numpy().tolist() == [-1, 2]
    loaded.numbers.insert(tf.constant(["d"]), tf.constant([9], tf.int64))
    assert loaded.learn(tf.constant(["d"])).numpy().tolist() == [9]
    assert loaded.move(places).numpy().tolist() == [[1.0, 0.0]] * 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="empty_key"):
        loaded.points.lookup(tf.constant([[-1, -1]], tf.int64))
    assert model.numbers.lookup(tf.constant(["d"])).numpy().tolist() == [-1]
    tf.saved_model.save(loaded, tmp_path / "twice")
    again = tf.saved_model.load(tmp_path / "twice")
    assert again.learn(tf.constant(["d", "c"])).numpy().tolist() == [9, 2]
    assert again.move(places).numpy().tolist() == [[2.0, 1.0]] * 2
    saved = tf.train.Checkpoint(model=again).write(str(tmp_path / "checkpoint"))
    again.learn(tf.constant(["new"]))
    tf.train.Checkpoint(model=again).read(saved).assert_consumed()
    assert again.numbers.lookup(tf.constant(["new", "d"])).numpy().tolist() == [-1, 9]


def test_damaged_tables_that_change(tmp_path: Path) -> None:
    """Entries with the parts of others, and programs that give a table what it does not hold."""
    tf.saved_model.save(Counting(), tmp_path)
    manifest = json.loads((tmp_path / encoding.MANIFEST).read_bytes())
    first, second = manifest["tables"]
    for entry in (
        {**first, "kind": "no"},
        {**first, "kind": "dense"},
        {**first, "values": second["values"]},
        {**second, "empty": second["deleted"]},
        {**second, "empty": second["values"]},
        {**second, "kind": "mutable"},
        {"kind": "mutable"},
    ):
        said = json.dumps({**manifest, "tables": [entry, second]})
        (tmp_path / encoding.MANIFEST).write_text(said)
        with pytest.raises(tf.errors.DataLossError):
            tf.saved_model.load(tmp_path)
    store = Counting().numbers._store
    for keys, values in ((np.array([b"a"], object), np.array([1.5])), (np.ones(1), np.ones(1))):
        with pytest.raises(tf.errors.InvalidArgumentError):
            store.insert(keys, values)
    with pytest.raises(tf.errors.InvalidArgumentError):
        store.find(np.array([b"a"], object), np.array(b"x", object))


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


def test_files_that_a_call_names_are_read(tmp_path: Path) -> None:
    class Length(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def __call__(self, paths: Any) -> Any:
            return tf.strings.length(tf.io.read_file(filename=paths[0]))

    (tmp_path / "a").write_bytes(b"four")
    tf.saved_model.save(Length(), tmp_path / "model")
    length = tf.saved_model.load(tmp_path / "model")
    assert int(length([str(tmp_path / "a")])) == 4
    with pytest.raises(tf.errors.NotFoundError):
        length([str(tmp_path / "b")])


def test_a_file_that_the_model_names_is_not_read(tmp_path: Path) -> None:
    """A path among the model's constants, in the place of an argument; one in the options."""
    m = tf.Module()
    text = tf.constant("/etc/hostname")
    m.f = tf.function(lambda x: tf.io.read_file(x) + text)
    m.f.get_concrete_function(tf.TensorSpec([], tf.string))
    for old, new in (
        (b"host_effect [%x]", b"host_effect [%captured]"),
        (b"\\x28'tensor'\\x2c\\x29", b"'/etc/hostname'"),
    ):
        folder = tmp_path / str(len(new))
        tf.saved_model.save(m, folder)

        def change(files: Files, old: bytes = old, new: bytes = new) -> None:
            assert old in files["functions/0.ir"]
            files["functions/0.ir"] = files["functions/0.ir"].replace(old, new)

        with pytest.raises(tf.errors.DataLossError, match=r"the host's function io\.read_file"):
            tf.saved_model.load(rewritten(folder, change))
