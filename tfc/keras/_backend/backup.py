"""What BackupAndRestore does beside what Keras has it do.

It keeps the states of random generators, too, such as those of dropout, which Keras' files of
weights leave out: training that was stopped goes on with the numbers of one that was not. They
stand in the callback's JSON file, of which Keras reads the epoch alone.

And it is of one piece, whenever the process is killed: both files are written under other names,
then the weights' name is changed, then the other one's. Where a process has died between these two,
the next one makes good the second.
"""

from __future__ import annotations

import json
from typing import Any

from keras.src.callbacks import BackupAndRestore
from keras.src.utils import file_utils

import tfc as tf

_KEY = "seed_generator_states"


def teach() -> None:
    """Let the callback do so."""
    save, load = BackupAndRestore._save_model, BackupAndRestore._load_model

    def _save_model(self: Any) -> None:
        kept = weights, metadata = self._weights_path, self._training_metadata_path
        if self.double_checkpoint and file_utils.exists(weights):
            file_utils.copy(weights, self._prev_weights_path)
            file_utils.copy(metadata, self._prev_training_metadata_path)
        self._weights_path, self._training_metadata_path = map(_unfinished, kept)
        try:
            save(self)
        finally:
            self._weights_path, self._training_metadata_path = kept
        found = {**_read(_unfinished(metadata)), _KEY: [_listed(v) for v in _states(self.model)]}
        with file_utils.File(_unfinished(metadata), "w") as f:
            f.write(json.dumps(found))
        for path in kept:
            tf.io.gfile.rename(_unfinished(path), path, overwrite=True)

    def _load_model(self: Any) -> None:
        metadata = self._training_metadata_path
        halfway = not file_utils.exists(_unfinished(self._weights_path))
        if halfway and file_utils.exists(_unfinished(metadata)):
            tf.io.gfile.rename(_unfinished(metadata), metadata, overwrite=True)
        load(self)
        known = _read(metadata).get(_KEY, []) if file_utils.exists(metadata) else []
        held = _states(self.model)
        if len(known) == len(held):
            for variable, value in zip(held, known, strict=True):
                variable.assign(value)

    BackupAndRestore._save_model, BackupAndRestore._load_model = _save_model, _load_model


def _unfinished(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}unfinished.{name}"


def _read(path: str) -> dict[str, Any]:
    with file_utils.File(path, "r") as f:
        found: dict[str, Any] = json.loads(f.read())
    return found


def _states(model: Any) -> list[Any]:
    return [v for v in model.non_trainable_variables if v.name == "seed_generator_state"]


def _listed(variable: Any) -> Any:
    return variable.numpy().tolist()


__all__ = ["teach"]
