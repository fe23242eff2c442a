"""Checkpoint: what is saved is restored, now or later, or says what is not."""

from __future__ import annotations

import copy
import os
import random
import shutil
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.records.test_table import damaged
from tests.sampling import ALL
from tfc.core import tracking
from tfc.train.options import CheckpointOptions

COUNT = 2000 if ALL else 120
DRAW = random.Random(3)


class Layer(tf.Module):
    """Makes its Variables when it is first called."""

    def __init__(self, start: float = 0.0) -> None:
        super().__init__()
        self.start = start
        self.w: Any = None
        self.inner: list[Any] = []
        self.named: dict[str, Any] = {}

    def __call__(self) -> list[float]:
        if self.w is None:
            self.w = tf.Variable([self.start, self.start])
            self.inner.append(tf.Module())
            self.inner[0].b = tf.Variable(self.start + 1)
            self.inner += [tf.Variable(self.start + 2)]
            self.named["x"] = tf.Variable(self.start + 3)
            self.named.update(y={"z": tf.Variable(self.start + 4)})
        parts = [self.inner[0].b, self.inner[1], self.named["x"], self.named["y"]["z"]]
        return [*self.w.numpy().tolist(), *map(float, parts)]


def test_later(tmp_path: Path) -> None:
    """Attributes, items of lists and dictionaries get their values when they are set."""
    before = set(tracking.waiting)  # of tests before, whose objects may not be freed yet
    old, new = Layer(5.0), Layer()
    values = old()
    path = tf.train.Checkpoint(model=old).save(tmp_path / "ckpt")
    status = tf.train.Checkpoint(model=new).restore(path).expect_partial()
    status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\).model.w"):
        status.assert_consumed()
    assert new() == values
    status.assert_consumed().assert_existing_objects_matched().assert_nontrivial_match()
    assert isinstance(new.inner, list) and isinstance(new.named, dict)
    assert tracking.waiting.keys() <= before


def test_later_by_a_checkpoint_of_its_own(tmp_path: Path) -> None:
    old = Layer(5.0)
    values = old()
    path = tf.train.Checkpoint(model=old, n=tf.Variable(3)).write(tmp_path / "ckpt")
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.read(path)
    with pytest.raises(AssertionError, match="Nothing to load"):
        status.assert_nontrivial_match()
    checkpoint.n = tf.Variable(0)
    checkpoint.model = Layer()
    assert int(checkpoint.n) == 3 and checkpoint.model() == values
    status.assert_consumed()


def test_who_was_read_last_counts(tmp_path: Path) -> None:
    paths = [
        tf.train.Checkpoint(v=tf.Variable(float(i)), w=tf.Variable(i)).write(tmp_path / f"{i}")
        for i in range(3)
    ]
    checkpoint = tf.train.Checkpoint()
    early, late = checkpoint.read(paths[1]), checkpoint.read(paths[2])
    checkpoint.v = tf.Variable(9.0)
    assert float(checkpoint.v) == 2.0
    checkpoint.read(paths[0])
    checkpoint.w = None  # is no answer
    checkpoint.w = tf.Variable(9)
    assert float(checkpoint.v) == 0.0 and int(checkpoint.w) == 0
    early.assert_consumed()
    late.assert_consumed()


def test_what_waits_goes_with_its_object(tmp_path: Path) -> None:
    before = set(tracking.waiting)
    old, new = Layer(5.0), Layer()
    old()
    path = tf.train.Checkpoint(model=old).write(tmp_path / "ckpt")
    status = tf.train.Checkpoint(model=new).read(path)
    assert tracking.waiting.keys() - before
    gone = weakref.ref(new)
    del status, new
    assert gone() is None and tracking.waiting.keys() <= before


def test_files_may_go_meanwhile(tmp_path: Path) -> None:
    old, new = Layer(5.0), Layer()
    values = old()
    path = tf.train.Checkpoint(old).write(tmp_path / "a" / "ckpt")
    status = tf.train.Checkpoint(new).read(path)
    shutil.rmtree(tmp_path / "a")
    assert new() == values
    status.assert_consumed()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="as Linux says it")
def test_restoring_a_part_again_and_again(tmp_path: Path) -> None:
    """As who evaluates what another program trains: few files stay open for what may come."""
    old, new = Layer(5.0), Layer()
    old()
    checkpoint = tf.train.Checkpoint(model=new)
    path = tf.train.Checkpoint(model=old, more=tf.Variable(1.0)).write(tmp_path / "ckpt")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(40):
        checkpoint.read(path).assert_existing_objects_matched()
    assert len(os.listdir("/proc/self/fd")) <= before + 4
    assert new()[0] == 5.0
    del checkpoint, new
    assert len(os.listdir("/proc/self/fd")) == before


def test_lists_of_tuples_are_found_when_asked(tmp_path: Path) -> None:
    """A list in a tuple tells nobody of what it gets."""
    old, new = tf.Module(), tf.Module()
    old.parts, new.parts = ([tf.Variable(3.0)], tf.Variable(0)), ([], tf.Variable(0))
    status = tf.train.Checkpoint(new).read(tf.train.Checkpoint(old).write(tmp_path / "ckpt"))
    new.parts[0].append(tf.Variable(0.0))
    status.assert_consumed()
    assert float(new.parts[0][0]) == 3.0


def test_in_a_function(tmp_path: Path) -> None:
    """Variables that are made while it is traced; what each run writes."""
    old, new = tf.Module(), tf.Module()
    old.w = tf.Variable(4.0)
    path = tf.train.Checkpoint(old).write(tmp_path / "ckpt")
    status = tf.train.Checkpoint(new).read(path)
    checkpoint = tf.train.Checkpoint(new)
    generator = tf.random.Generator.from_seed(1)
    both = tf.train.Checkpoint(new, generator=generator, state=Words(["a"]))

    @tf.function
    def step(x: Any) -> Any:
        if not hasattr(new, "w"):
            new.w = tf.Variable(1.0)
        new.w.assign_add(x)
        assert both.write(tmp_path / "inside") == str(tmp_path / "inside")
        generator.normal([])
        new.w.assign_add(x)
        return new.w * 1.0

    assert float(step(1.0)) == 6.0
    status.assert_consumed()
    both.state.words.append("b")
    state = generator.state.numpy()
    assert float(step(1.0)) == 8.0
    both.state.words.clear()
    both.read(tmp_path / "inside").assert_consumed()
    assert float(new.w) == 7.0 and both.state.words == ["a", "b"]
    assert generator.state.numpy().tolist() == state.tolist()

    @tf.function
    def saves() -> None:
        checkpoint.save(tmp_path / "ckpt")

    with pytest.raises(NotImplementedError, match="from a function is not supported"):
        saves()

    @tf.function
    def reads() -> Any:
        checkpoint.read(path)  # once, while it is traced
        return new.w + 0.0

    assert float(reads()) == 4.0
    new.w.assign(1.0)
    assert float(reads()) == 1.0


class Words(tf.train.experimental.PythonState):
    def __init__(self, words: list[str]) -> None:
        self.words = words

    def serialize(self) -> str:
        return " ".join(self.words)

    def deserialize(self, string_value: bytes) -> None:
        self.words[:] = string_value.decode().split()


class Own:
    """Takes part by TensorFlow's methods."""

    def __init__(self, start: int) -> None:
        self.numbers = np.arange(start, start + 3)
        self.text = f"{start}"
        self.part = tf.Variable(start)

    def _trackable_children(self) -> dict[str, Any]:
        return {"part/of": self.part, "name": "no object"}

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return {"numbers": self.numbers, "the/text": tf.constant([self.text]), "one": self.text}

    def _restore_from_tensors(self, tensors: dict[str, Any]) -> None:
        self.numbers, self.text = tensors["numbers"].numpy(), tensors["the/text"].numpy()[0]
        assert tensors["one"].numpy() == self.text


@pytest.mark.parametrize("extra", [{}, {"words": Words(["a", "b"])}])
def test_objects_of_ones_own(extra: dict[str, Any], tmp_path: Path) -> None:
    path = tf.train.Checkpoint(own=Own(5), **extra).write(tmp_path / "ckpt")
    for words in extra.values():
        words.words.clear()
    own = Own(1)
    tf.train.Checkpoint(own=own, **extra).read(path).assert_consumed()
    assert own.numbers.tolist() == [5, 6, 7] and own.text == b"5" and int(own.part) == 5
    assert all(words.words == ["a", "b"] for words in extra.values())


def test_what_does_not_fit(tmp_path: Path) -> None:
    """Nothing is assigned then."""
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable([1.0, 2.0])).write(tmp_path / "c")
    a = tf.Variable(0.0)
    for b, error, message in (
        (tf.Variable([0.0]), ValueError, r"tensor with shape \(2,\) .* variable with shape \(1,\)"),
        (tf.Variable([0, 0]), tf.errors.InvalidArgumentError, "expected dtype int32"),
    ):
        with pytest.raises(error, match=message):
            tf.train.Checkpoint(a=a, b=b).read(path)
        assert float(a) == 0.0
    wide = tf.Variable([0.0], shape=[None])
    tf.train.Checkpoint(a=a, b=wide).read(path).assert_consumed()
    assert wide.numpy().tolist() == [1.0, 2.0] and float(a) == 1.0


def test_what_is_told_of_a_restoration(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).write(tmp_path / "ckpt")
    more = tf.train.Checkpoint(a=tf.Variable(0.0), c=tf.Variable(0.0, name="third"))
    with pytest.raises(AssertionError, match=r"Found 1 Python objects .*third"):
        more.read(path).assert_nontrivial_match().assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="Nothing except the root object matched"):
        tf.train.Checkpoint(c=more.c).read(path).assert_nontrivial_match()
    with pytest.raises(AssertionError, match=r"Unused attributes (.|\n)*a .*VARIABLE_VALUE"):
        tf.train.Checkpoint(a=tf.Module(), b=tf.Variable(0.0)).read(path).assert_consumed()
    status = more.read(path)
    assert status.initialize_or_restore() is None and status.run_restore_ops() is None
    nothing = more.restore(None)
    for ask in ("consumed", "existing_objects_matched", "nontrivial_match"):
        with pytest.raises(AssertionError, match="No checkpoint specified"):
            getattr(nothing, f"assert_{ask}")()
    with pytest.raises(tf.errors.NotFoundError, match="may be missing the checkpoint suffix"):
        more.restore(tmp_path / "other")


def test_what_has_no_state() -> None:
    for wrong in (3, "text", None, (1, 2), tf.constant(1.0), np.zeros(3)):
        with pytest.raises(ValueError, match="was expecting x to be a trackable object"):
            tf.train.Checkpoint(x=wrong)
    model = tf.Module()
    model.x = tf.Variable(1.0)
    with pytest.raises(ValueError, match=r"argument x if root\.x already exists"):
        tf.train.Checkpoint(model, x=tf.Variable(1.0))
    assert tf.train.Checkpoint(weakref.ref(model), x=model.x).root is model
    with pytest.raises(ValueError, match="a key that is no string"):
        tf.train.Checkpoint(x={1: tf.Variable(1.0)}).write("nowhere")

    class Wrong(tf.Module):
        def _serialize_to_tensors(self) -> Any:
            return [1]

    with pytest.raises(TypeError, match="must give tensors by name"):
        tf.train.Checkpoint(x=Wrong()).write("nowhere")


def test_shared_and_circular(tmp_path: Path) -> None:
    """A Variable is there once, and two names may lead to it."""

    def made(value: float) -> tf.Module:
        module = tf.Module()
        module.a = module.b = tf.Variable(value)
        module.itself = {"deep": [module]}
        return module

    path = tf.train.Checkpoint(made(3.0)).write(tmp_path / "ckpt")
    names = [name for name, _ in tf.train.list_variables(path)]
    assert names == ["_CHECKPOINTABLE_OBJECT_GRAPH", "a/.ATTRIBUTES/VARIABLE_VALUE"]
    module = made(0.0)
    tf.train.Checkpoint(module).read(path).assert_consumed()
    assert float(module.b) == 3.0
    module.b = tf.Variable(0.0, name="second")  # of one Variable there, two here
    with pytest.raises(AssertionError, match="second"):
        tf.train.Checkpoint(module).read(path).assert_existing_objects_matched()


def test_written_by_a_thread(tmp_path: Path) -> None:
    """From the values of then; what goes wrong comes out when one asks."""
    v = tf.Variable(np.zeros(100_000))
    checkpoint, told = tf.train.Checkpoint(v=v), []
    options = CheckpointOptions(
        enable_async=True, experimental_write_callbacks=[told.append, lambda: told.append(1)]
    )

    @tf.function
    def step() -> None:
        v.assign_add(tf.ones_like(v))

    for _ in range(5):
        step()
        path = checkpoint.save(tmp_path / "ckpt", options)
        step()
    checkpoint.sync()
    assert told == [n for i in range(1, 6) for n in (str(tmp_path / f"ckpt-{i}"), 1)]
    assert tf.train.latest_checkpoint(tmp_path) == path
    checkpoint.restore(path).assert_consumed()
    assert (v.numpy() == 9.0).all()
    (tmp_path / "file").write_text("")
    checkpoint.write(tmp_path / "file" / "ckpt", options)
    with pytest.raises(tf.errors.FailedPreconditionError):
        checkpoint.sync()
    checkpoint.sync()


def test_damage_changes_nothing(tmp_path: Path) -> None:
    """Whatever a damaged file gives is what was written, or an error and no change."""
    right = {f"v{i}": np.full(3, float(i)) for i in range(5)}
    checkpoint = tf.train.Checkpoint(**{name: tf.Variable(a) for name, a in right.items()})
    for name in ("ckpt", "ckpt.safetensors"):
        checkpoint.write(tmp_path / name)
    paths = [p for p in sorted(tmp_path.iterdir()) if p.is_file()]
    assert len(paths) == 3
    errors = 0
    for i in range(COUNT):
        path = paths[i % 3]
        data = path.read_bytes()
        path.write_bytes(damaged(data))
        found = tf.train.Checkpoint(**{name: tf.Variable(-np.ones(3)) for name in right})
        try:
            found.read(str(path).removesuffix(".index").removesuffix(".data-00000-of-00001"))
        except tf.errors.DataLossError:
            errors += 1
            assert all((getattr(found, name).numpy() == -1).all() for name in right)
        else:
            for name, array in right.items():
                value = getattr(found, name).numpy()
                assert (value == array).all() or (value == -1).all()
        path.write_bytes(data)
    assert errors > COUNT * 0.5


WRITER = """
import sys
import numpy as np
import tfc as tf
path, step = sys.argv[1], float(sys.argv[2])
checkpoint = tf.train.Checkpoint(**{f"v{i}": tf.Variable(np.zeros(50_000)) for i in range(3)})
manager = tf.train.CheckpointManager(checkpoint, path, 2)
while True:
    step += 1
    for i in range(3):
        getattr(checkpoint, f"v{i}").assign(np.full(50_000, step))
    checkpoint.write(path + "/same")
    checkpoint.write(path + "/one.safetensors")
    manager.save()
    print("written", flush=True)
"""


def test_killed_while_it_saves(tmp_path: Path) -> None:
    """At any moment: what is there is whole, of one step. (Of steps one by one: test_bundle.py.)"""
    step = 0.0
    for _ in range(20 if ALL else 2):
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(step)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline() == b"written\n"
            time.sleep(DRAW.random() * 0.05)
            process.kill()
        latest = tf.train.latest_checkpoint(tmp_path)
        assert latest is not None
        found = set()
        for path in (latest, f"{tmp_path}/same", f"{tmp_path}/one.safetensors"):
            variables = {f"v{i}": tf.Variable(np.zeros(50_000)) for i in range(3)}
            status = tf.train.Checkpoint(**variables).read(path)
            status.assert_existing_objects_matched()
            (value,) = {float(x) for v in variables.values() for x in np.unique(v.numpy())}
            found.add(value)
        assert min(found) > step and max(found) - min(found) <= 1
        step = max(found)


def test_copies_do_not_wait(tmp_path: Path) -> None:
    old, new = Layer(5.0), Layer(1.0)
    old()
    status = tf.train.Checkpoint(new).read(tf.train.Checkpoint(old).write(tmp_path / "ckpt"))
    copied = copy.deepcopy(new)
    assert copied() == [1.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert new() == [5.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    status.assert_consumed()
    assert os.listdir(tmp_path)
