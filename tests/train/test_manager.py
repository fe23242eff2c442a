"""Which checkpoints a folder has, which stay, and what is in them."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf

v1 = tf.compat.v1.train
VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


def counting() -> tf.train.Checkpoint:
    return tf.train.Checkpoint(v=tf.Variable(0))


def names(paths: list[str]) -> list[str]:
    return [os.path.basename(path) for path in paths]


def test_the_latest_stay(tmp_path: Path) -> None:
    checkpoint = counting()
    manager = tf.train.CheckpointManager(checkpoint, tmp_path / "new", max_to_keep=3)
    assert manager.latest_checkpoint is None and manager.checkpoints == []
    for i in range(5):
        checkpoint.v.assign(i)
        path = manager.save()
        assert manager.latest_checkpoint == path == str(tmp_path / "new" / f"ckpt-{i + 1}")
        assert tf.train.latest_checkpoint(tmp_path / "new") == path
    assert names(manager.checkpoints) == ["ckpt-3", "ckpt-4", "ckpt-5"]
    files = [f"ckpt-{i}.{end}" for i in (3, 4, 5) for end in ("data-00000-of-00001", "index")]
    assert sorted(os.listdir(tmp_path / "new")) == ["checkpoint", *files]

    again = counting()
    manager = tf.train.CheckpointManager(again, tmp_path / "new", 2, checkpoint_name="ckpt")
    assert names(manager.checkpoints) == ["ckpt-3", "ckpt-4", "ckpt-5"]
    assert manager.restore_or_initialize() == path and int(again.v) == 4
    assert int(again.save_counter) == 5
    assert names([manager.save(checkpoint_number=100)]) == ["ckpt-100"]  # type: ignore[list-item]
    assert names(manager.checkpoints) == ["ckpt-5", "ckpt-100"]
    assert manager.save(checkpoint_number=tf.Variable(5)) == path  # in place of the one there
    assert names(manager.checkpoints) == ["ckpt-100", "ckpt-5"] and int(again.save_counter) == 7
    assert manager.directory == str(tmp_path / "new") and manager.checkpoint is again
    (tmp_path / "new").rename(tmp_path / "moved")  # names in it are relative
    assert tf.train.latest_checkpoint(tmp_path / "moved") == str(tmp_path / "moved" / "ckpt-5")


def test_one_every_few_hours_stays_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    manager = tf.train.CheckpointManager(counting(), tmp_path, 1, keep_checkpoint_every_n_hours=2)
    for _ in range(9):
        now += 3600
        manager.save()
    assert names(manager.checkpoints) == ["ckpt-9"]
    kept = [name for name in sorted(os.listdir(tmp_path)) if name.endswith(".index")]
    assert kept == [f"ckpt-{i}.index" for i in (2, 4, 6, 8, 9)]
    state = tf.train.get_checkpoint_state(tmp_path)
    assert state is not None and state.last_preserved_timestamp == 1_000_000.0 + 8 * 3600
    manager = tf.train.CheckpointManager(counting(), tmp_path, 1)
    assert names(manager.checkpoints) == ["ckpt-9"]
    manager.save()
    assert (tmp_path / "ckpt-8.index").exists() and not (tmp_path / "ckpt-9.index").exists()


def test_steps_between_checkpoints(tmp_path: Path) -> None:
    step = tf.Variable(0)
    options = {"step_counter": step, "checkpoint_interval": 3}
    checkpoint = tf.train.Checkpoint(step=step)
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, None, **options)
    saved = []
    for i in range(8):
        step.assign(i)
        if manager.save():
            saved.append(i)
    assert saved == [0, 3, 6] and manager.checkpoint_interval == 3
    assert manager.save(check_interval=False) and not manager.save(check_interval=False)
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, None, **options)
    manager.restore_or_initialize()
    step.assign(9)
    assert manager.save() is None


def test_what_begins_without_a_checkpoint(tmp_path: Path) -> None:
    told: list[int] = []
    manager = tf.train.CheckpointManager(counting(), tmp_path, None, init_fn=lambda: told.append(1))
    assert manager.restore_or_initialize() is None and told == [1]
    manager.save(options=tf.train.CheckpointOptions(enable_async=True))
    manager.sync()
    assert manager.restore_or_initialize() == str(tmp_path / "ckpt-1") and told == [1]
    with pytest.raises(ValueError, match="Expected a positive integer or `None`"):
        tf.train.CheckpointManager(counting(), tmp_path, 0)
    with pytest.raises(ValueError, match="`step_counter` should be passed"):
        tf.train.CheckpointManager(counting(), tmp_path, 1, checkpoint_interval=2)
    with pytest.raises(NotImplementedError, match="from a function is not supported"):
        tf.function(lambda: manager.save() and None)()


def test_the_file_of_a_folder(tmp_path: Path) -> None:
    """As TensorFlow writes it, and however else text may say the same."""
    assert tf.train.get_checkpoint_state(tmp_path) is None
    v1.update_checkpoint_state(
        tmp_path,
        str(tmp_path / 'a"\\\n\xe9-2'),
        ["/else/a-1"],
        all_model_checkpoint_timestamps=[0.5, 3.0],
        last_preserved_timestamp=2.0,
        save_relative_paths=True,
    )
    text = (tmp_path / "checkpoint").read_text()
    assert 'model_checkpoint_path: "a\\"\\\\\\n\\303\\251-2"\n' in text
    assert "all_model_checkpoint_timestamps: 0.5\nall_model_checkpoint_timestamps: 3.0\n" in text
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert state is not None
    assert state.model_checkpoint_path == str(tmp_path / 'a"\\\n\xe9-2')
    outside, inside = state.all_model_checkpoint_paths
    assert os.path.normpath(outside) == "/else/a-1" and inside == state.model_checkpoint_path
    assert state.all_model_checkpoint_timestamps == [0.5, 3.0]
    for text, path in (
        ("# of mine\n\n  model_checkpoint_path : 'a\\x41\\'' ; # that one\n", "aA'"),
        ('model_checkpoint_path:"/b"', "/b"),
    ):
        (tmp_path / "other").write_text(text)
        state = tf.train.get_checkpoint_state(tmp_path, "other")
        assert state is not None
        assert state.model_checkpoint_path == os.path.join(tmp_path, path)
    for text in (
        "model_checkpoint_path: 3",
        'last_preserved_timestamp: "x"',
        'no_field: "x"',
        'model_checkpoint_path: "x',
        "last_preserved_timestamp: x",
        'model_checkpoint_path: "\\377"',
    ):
        (tmp_path / "other").write_text(text)
        with pytest.warns(RuntimeWarning, match="other is ignored"):
            assert tf.train.get_checkpoint_state(tmp_path, "other") is None
    (tmp_path / "checkpoint").write_text("")
    with pytest.raises(ValueError, match="Invalid checkpoint state"):
        tf.train.latest_checkpoint(tmp_path)
    with pytest.raises(ValueError, match="timestamps, if provided, must match"):
        v1.update_checkpoint_state(tmp_path, "a", all_model_checkpoint_timestamps=[1.0, 2.0])
    with pytest.raises(RuntimeError, match="conflicts with path used"):
        v1.update_checkpoint_state(tmp_path, str(tmp_path / "checkpoint"))


def test_relative_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    checkpoint = counting()
    assert checkpoint.save("ckpt") == "ckpt-1"
    assert checkpoint.save("folder/ckpt") == "folder/ckpt-2"
    assert tf.train.latest_checkpoint(".") == "./ckpt-1"
    assert tf.train.latest_checkpoint("folder") == "folder/ckpt-2"
    assert 'model_checkpoint_path: "ckpt-2"' in Path("folder/checkpoint").read_text()
    assert v1.checkpoint_exists("ckpt-1")
    v1.remove_checkpoint("ckpt-1")
    assert not v1.checkpoint_exists("ckpt-1") and tf.train.latest_checkpoint(".") is None


def test_what_is_in_it(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0]), n=[tf.Variable(3)])
    path = checkpoint.save(tmp_path / "ckpt")
    for where in (path, tmp_path, str(tmp_path)):
        assert tf.train.list_variables(where) == [
            ("_CHECKPOINTABLE_OBJECT_GRAPH", []),
            (f"n/0{VALUE}", []),
            (f"save_counter{VALUE}", []),
            (f"v{VALUE}", [2]),
        ]
        assert tf.train.load_variable(where, f"n/0{VALUE}") == 3
    reader = v1.NewCheckpointReader(path)
    assert reader.has_tensor(f"v{VALUE}") and not reader.has_tensor("v")
    assert reader.get_variable_to_dtype_map()[f"save_counter{VALUE}"] == tf.int64
    assert isinstance(reader.get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"), bytes)
    with pytest.raises(tf.errors.NotFoundError, match="Key v not found"):
        reader.get_tensor("v")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="Couldn't find 'checkpoint' file"):
        tf.train.load_checkpoint(tmp_path / "empty")
    with pytest.raises(tf.errors.NotFoundError, match="there is no checkpoint"):
        tf.train.load_checkpoint(tmp_path / "nothing")


def test_views(tmp_path: Path) -> None:
    """What leads to what, in the program and in the file."""

    def made(*names: str) -> tf.Module:
        module = tf.Module()
        module.parts = [tf.Variable(1.0)]
        module.itself = module
        for name in names:
            setattr(module, name, tf.Variable(2.0, name=name))
        return module

    path = tf.train.Checkpoint(made("a", "b")).save(tmp_path / "ckpt")
    view, mine = tf.train.CheckpointView(path), made("b", "c")
    names = {"parts": 1, "itself": 0, "a": 2, "b": 3, "root": 0, "save_counter": 4}
    assert view.children(0) == names and view.descendants() == [0, 1, 2, 3, 4, 5]
    both, theirs, ours = view.diff(mine)
    assert {n: id(x) for n, x in both.items()} == {
        0: id(mine),
        1: id(mine.parts),
        3: id(mine.b),
        5: id(mine.parts[0]),
    }
    assert theirs == [2, 4] and ours == [mine.c]
    assert repr(mine.parts).startswith("ListWrapper([<tf.Variable") and mine.parts == [*mine.parts]
    view_of_mine = tf.train.TrackableView(mine)
    assert view_of_mine.root is mine and len(view_of_mine.descendants()) == 5
    with pytest.raises(ValueError, match="Expected a Trackable"):
        view.match(3)
    with pytest.raises(ValueError, match="does not appear to be object-based"):
        tf.train.CheckpointView(Path(__file__).parent / "written_by_tensorflow" / "named")


def test_new_ones_as_they_come(tmp_path: Path) -> None:
    checkpoint = counting()

    def train() -> None:
        for _ in range(2):
            checkpoint.save(tmp_path / "ckpt")
            while len(seen) < int(checkpoint.save_counter):
                time.sleep(0.002)

    seen: list[str] = []
    asked: list[int] = []

    def over() -> bool:
        asked.append(1)
        return len(seen) == 2

    thread = threading.Thread(target=train)
    thread.start()
    for path in tf.train.checkpoints_iterator(tmp_path, timeout=0.06, timeout_fn=over):
        seen.append(path)
    thread.join()
    assert names(seen) == ["ckpt-1", "ckpt-2"] and asked
    assert list(tf.train.checkpoints_iterator(tmp_path / "none", timeout=0)) == []


def test_safetensors(tmp_path: Path) -> None:
    """One file, which others' libraries read; matched by names."""

    def made(start: float) -> Any:
        module = tf.Module()
        module.layers = [tf.Variable([start, 1.0]), {"a/b.c": tf.Variable(np.int8(start))}]
        module.half = tf.Variable(tf.cast([start], tf.bfloat16))
        module.flag, module.none = tf.Variable([True]), tf.Variable(np.zeros((0, 2), "f8"))
        module.later = None
        return module

    old, new = made(3.0), made(0.0)
    old.later = tf.Variable(tf.complex(1.0, 2.0))
    path = tf.train.Checkpoint(model=old).save(tmp_path / "ckpt")
    path = tf.train.Checkpoint(model=old).write(tmp_path / "it.safetensors")
    status = tf.train.Checkpoint(model=new).read(path).assert_existing_objects_matched()
    new.later = tf.Variable(tf.complex(0.0, 0.0))
    status.assert_consumed()
    assert new.layers[0].numpy().tolist() == [3.0, 1.0] and int(new.layers[1]["a/b.c"]) == 3
    assert float(new.half[0]) == 3.0 and new.later.numpy() == 1 + 2j
    names = ["flag", "half", "later", "layers/0", "layers/1/a.Sb..c", "none"]
    assert [name for name, _ in tf.train.list_variables(path)] == [f"model/{n}" for n in names]
    assert tf.train.load_checkpoint(path).get_variable_to_dtype_map()["model/half"] == tf.bfloat16
    with pytest.raises(tf.errors.UnimplementedError, match="holds no complex128"):
        v = tf.Variable(np.array(1j))
        tf.train.Checkpoint(v=v).write(tmp_path / "other.safetensors")
    assert not (tmp_path / "other.safetensors").exists()
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(old), tmp_path / "m", 1)
    manager.save()
    v1.remove_checkpoint(path)
    assert not v1.checkpoint_exists(path)
    with pytest.raises(tf.errors.NotFoundError):
        tf.train.load_checkpoint(path)
