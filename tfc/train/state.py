"""The file `checkpoint` of a folder: which checkpoints are there, as text.

model_checkpoint_path: "ckpt-2"
all_model_checkpoint_paths: "ckpt-1"
all_model_checkpoint_paths: "ckpt-2"
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from typing import Any, ClassVar

from ..core.errors import OpError
from ..records import bundle, files
from ..records.message import Field, Message
from ..records.tfrecord import failed
from .storing import SUFFIX, path_of

_OP = "train.update_checkpoint_state"
_NAME = "checkpoint"


class CheckpointState(Message):
    """Which checkpoints a folder has: `model_checkpoint_path` is the latest one,
    `all_model_checkpoint_paths` are all of those that are looked after, the oldest first.

    >>> import tfc as tf
    >>> tf.train.CheckpointState(model_checkpoint_path="/models/ckpt-1")
    model_checkpoint_path: "/models/ckpt-1"
    <BLANKLINE>
    """

    __slots__ = ()
    FIELDS: ClassVar = {
        "model_checkpoint_path": Field(1, "string"),
        "all_model_checkpoint_paths": Field(2, "string", repeated=True),
        "all_model_checkpoint_timestamps": Field(3, "double", repeated=True),
        "last_preserved_timestamp": Field(4, "double"),
    }


_LINE = re.compile(
    r"""\s*(?:\#.*)?(?:(\w+)\s*:\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|([-+.\w]+))"""
    r"""\s*[;,]?\s*(?:\#.*)?)?"""
)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_LETTERS = dict(zip((b"n", b"r", b"t", b"a", b"b", b"f", b"v"), b"\n\r\t\a\b\f\v", strict=True))


def _parsed(text: str) -> CheckpointState:
    """The state that a text says. Raises ValueError if it says none."""
    found: dict[str, Any] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(f"line {number}: {line!r:.80}")
        name, *values = match.groups()
        if name is None:
            continue
        field = CheckpointState.FIELDS.get(name)
        if field is None:
            raise ValueError(f"line {number}: there is no field {name}")
        quoted = values[0] if values[0] is not None else values[1]
        if (quoted is not None) != (field.kind == "string"):
            raise ValueError(f"line {number}: {line!r:.80}")
        value: Any = float(values[2]) if quoted is None else _unquoted(quoted)
        if field.repeated:
            found.setdefault(name, []).append(value)
        else:
            found[name] = value
    return CheckpointState(**found)


def _unquoted(text: str) -> str:
    def plain(match: re.Match[bytes]) -> bytes:
        octal, digits, letter = match.groups()
        if letter is not None:
            return bytes([_LETTERS.get(letter, letter[0])])
        return bytes([int(octal or digits, 8 if octal else 16) & 255])

    return _ESCAPE.sub(plain, text.encode()).decode()


def get_checkpoint_state(
    checkpoint_dir: Any, latest_filename: str | None = None
) -> CheckpointState | None:
    """What the file `checkpoint` of a folder says.

    Args:
        checkpoint_dir: The folder.
        latest_filename: The file's name, where it is another one.

    Returns:
        A `CheckpointState`, whose paths begin with the folder; None if there is no such file, or if
        it cannot be read, of which there is a warning.

    Raises:
        ValueError: If it names no checkpoint.

    >>> import tempfile
    >>> import tfc as tf
    >>> print(tf.train.get_checkpoint_state(tempfile.mkdtemp()))
    None
    """
    folder = path_of(checkpoint_dir)
    path = os.path.join(folder, latest_filename or _NAME)
    try:
        state = _parsed(files.whole(path).decode())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, OverflowError, OpError) as error:
        warnings.warn(f"{path} is ignored: {error}", RuntimeWarning, stacklevel=2)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {folder}")
    state.model_checkpoint_path = os.path.join(folder, state.model_checkpoint_path)
    paths = state.all_model_checkpoint_paths
    paths[:] = [os.path.join(folder, path) for path in paths]
    return state


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The path of the latest checkpoint in a folder.

    Args:
        checkpoint_dir: The folder.
        latest_filename: The name of the file that says so, where it is not `checkpoint`.

    Returns:
        What `Checkpoint.restore` takes; None if there is none.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> folder = tempfile.mkdtemp()
    >>> print(tf.train.latest_checkpoint(folder))
    None
    >>> _ = tf.train.Checkpoint(v=tf.Variable(1.0)).save(os.path.join(folder, "ckpt"))
    >>> os.path.basename(tf.train.latest_checkpoint(folder))
    'ckpt-1'
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    path = state.model_checkpoint_path
    return path if checkpoint_exists(path) else None


def checkpoint_exists(checkpoint_prefix: Any) -> bool:
    """Whether there is a checkpoint of this path.

    Args:
        checkpoint_prefix: The path, as `Checkpoint.save` gives it.

    Returns:
        A Python bool.

    >>> import tempfile
    >>> import tfc as tf
    >>> tf.compat.v1.train.checkpoint_exists(tempfile.mkdtemp() + "/ckpt-1")
    False
    """
    path = path_of(checkpoint_prefix)
    if path.endswith(SUFFIX):
        return os.path.isfile(path)
    return os.path.isfile(bundle.index_path(path))


def update_checkpoint_state(
    save_dir: Any,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
    save_relative_paths: bool = False,
) -> None:
    """Write the file `checkpoint` of a folder, in place of the one that is there.

    Args:
        save_dir: The folder.
        model_checkpoint_path: The latest checkpoint.
        all_model_checkpoint_paths: All that are looked after, the oldest first.
        latest_filename: The file's name, where it is another one.
        all_model_checkpoint_timestamps: When each was written, in seconds since 1970.
        last_preserved_timestamp: When the last one was written that stays for good.
        save_relative_paths: Whether to write paths that begin in the folder; else absolute ones
            stay as they are.

    Raises:
        ValueError: If there is not one time for each checkpoint.
        RuntimeError: If a checkpoint has the file's name.
        OpError: If it cannot be written.

    >>> import tempfile
    >>> import tfc as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.compat.v1.train.update_checkpoint_state(folder, folder + "/a-2", [folder + "/a-2"])
    >>> tf.train.get_checkpoint_state(folder).model_checkpoint_path == folder + "/a-2"
    True
    """
    folder = path_of(save_dir)
    paths = list(all_model_checkpoint_paths or ())
    if not paths or paths[-1] != model_checkpoint_path:
        paths.append(model_checkpoint_path)
    times = list(all_model_checkpoint_timestamps or ())
    if times and len(times) != len(paths):
        raise ValueError(
            f"Checkpoint timestamps, if provided, must match checkpoint paths (got paths {paths} "
            f"and timestamps {times})"
        )

    def written(path: str) -> str:
        """A path as it stands in the file."""
        inside = save_relative_paths if os.path.isabs(path) else not os.path.isabs(folder)
        return os.path.relpath(path, folder or ".") if inside else path

    file = os.path.join(folder, latest_filename or _NAME)
    if file == model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for checkpoint state. "
            "Please use a different save path."
        )
    state = CheckpointState(
        model_checkpoint_path=written(model_checkpoint_path),
        all_model_checkpoint_paths=list(map(written, paths)),
        all_model_checkpoint_timestamps=times or None,
        last_preserved_timestamp=last_preserved_timestamp,
    )
    try:
        files.put(file, [str(state).encode()])
    except OSError as error:
        raise failed(error, file, _OP) from None


def remove_checkpoint(checkpoint_prefix: Any) -> None:
    """Remove the files of a checkpoint, its index first: so what is left is a whole one, or none.

    Args:
        checkpoint_prefix: The path, as `Checkpoint.save` gives it.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> folder = tempfile.mkdtemp()
    >>> path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(folder + "/ckpt")
    >>> tf.compat.v1.train.remove_checkpoint(path)
    >>> os.listdir(folder)
    []
    """
    prefix = path_of(checkpoint_prefix)
    if prefix.endswith(SUFFIX):
        files.remove(prefix)
        return
    folder, name = os.path.split(prefix)
    pattern = re.compile(re.escape(name) + r"\.data-\d{5}-of-\d{5}")
    files.remove(bundle.index_path(prefix))
    if os.path.exists(f"{prefix}.meta"):  # the graph beside it, of TensorFlow 1
        files.remove(f"{prefix}.meta")
    for entry in os.listdir(folder or "."):
        if pattern.fullmatch(entry):
            files.remove(os.path.join(folder, entry))


__all__ = [
    "CheckpointState",
    "checkpoint_exists",
    "get_checkpoint_state",
    "latest_checkpoint",
    "remove_checkpoint",
    "update_checkpoint_state",
]
