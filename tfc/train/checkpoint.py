"""`tf.train.Checkpoint`: the values of objects, in files."""

from __future__ import annotations

import copy
import inspect
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.backends.threads import start

from ..autodiff.python_calls import numpy_function
from ..core import objects, tracking
from ..core.context import context, user_location
from ..core.errors import NotFoundError
from ..core.formatting import shown
from ..core.scopes import init_scope
from ..core.variable import Variable
from . import storing
from .options import CheckpointOptions
from .restoring import Restoration
from .state import update_checkpoint_state
from .status import CheckpointLoadStatus, LoadStatus, NamesStatus, NothingStatus
from .walking import Plan, plan, with_state

_COUNTER = "save_counter"


class Checkpoint:
    """Objects whose values are saved and restored together: Variables, Modules, Keras' models and
    optimizers, random generators, lists, tuples and dictionaries of them, other Checkpoints, and
    whatever has the methods that docs/howto/checkpoints.md names.

    The files are TensorFlow's: it reads these, and its are read here. Objects are found again by
    the names that lead to them: keywords of the Checkpoint, attributes, keys, numbers in lists.
    What is made later (a layer makes its Variables when it is first called) gets its values then.

    Unlike TensorFlow, nothing warns of what has found no place: the status of `restore` tells; and
    the state of Keras 2's optimizers in old checkpoints is passed over.

    Args:
        root: An object whose own names are to be the first ones, such as a model.
        **kwargs: Objects by name; they become attributes.

    Raises:
        ValueError: If one of them has no state, or `root` has a name for something else.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> step, w = tf.Variable(0), tf.Variable([1.0, 2.0])
    >>> checkpoint = tf.train.Checkpoint(step=step, w=w)
    >>> path = checkpoint.save(os.path.join(tempfile.mkdtemp(), "ckpt"))
    >>> os.path.basename(path)
    'ckpt-1'
    >>> _ = w.assign([0.0, 0.0])
    >>> status = checkpoint.restore(path).assert_consumed()
    >>> print(w.numpy())
    [1. 2.]
    """

    _tells = True  # of its attributes, to those who wait
    _counter: Variable | None
    _extra: dict[str, Any]  # what is saved with the root, which does not lead there
    _graph_root: Any  # None: this Checkpoint
    _writing: _Task | None

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        own = self.__dict__
        own["_counter"] = None
        own["_writing"] = None
        own["_extra"] = {}
        root = root() if isinstance(root, weakref.ref) else root
        own["_graph_root"] = None
        known: dict[str, Any] = {}
        if root is not None:
            _demand(root, "root")
            own["_graph_root"] = root
            kwargs["root"] = root
            known = objects.children(root)
            counter = known.get(_COUNTER)
            own["_counter"] = counter if isinstance(counter, Variable) else None
        for name, value in sorted(kwargs.items()):
            value = value() if isinstance(value, weakref.ref) else value
            _demand(value, name)
            setattr(self, name, value)
            if root is not None:
                if name in known and known[name] is not value:
                    raise ValueError(
                        f"Cannot create a Checkpoint with keyword argument {name} if root.{name} "
                        f"already exists. ({user_location()})"
                    )
                if name not in known:
                    self._extra[name] = value

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if tracking.waiting:
            tracking.assigned(self, name, value)

    def _trackable_children(self) -> dict[str, Any]:
        known = {name: value for name, value in vars(self).items() if name not in _OWN}
        if self._graph_root is None and self._counter is not None:
            known[_COUNTER] = self._counter
        return known

    def _root(self) -> Any:
        return self if self._graph_root is None else self._graph_root

    @property
    def save_counter(self) -> Variable:
        """The Variable that counts `save`s; it is saved and restored, too."""
        counter = self._counter
        if counter is None:
            with init_scope():
                counter = Variable(0, trainable=False, name=_COUNTER, dtype=np.int64)
            self.__dict__["_counter"] = counter
            if self._graph_root is not None:
                self._extra[_COUNTER] = counter
            tracking.assigned(self._root(), _COUNTER, counter)
        return counter

    # Writing.

    def write(self, file_prefix: Any, options: CheckpointOptions | None = None) -> str:
        """Write a checkpoint, which `read` reads. Where one of this name is, the new one takes its
        place when it is whole.

        Inside a `tfc.function` each run writes the values that it has come to.

        Args:
            file_prefix: What the names of its files begin with. With the suffix `.safetensors` it
                is one file of that format, for tensors without strings.
            options: A `CheckpointOptions`.

        Returns:
            The path, `file_prefix`.

        Raises:
            OpError: If it cannot be written.

        >>> import tempfile
        >>> import tfc as tf
        >>> checkpoint = tf.train.Checkpoint(v=tf.Variable(3.0))
        >>> path = checkpoint.write(tempfile.mkdtemp() + "/v.safetensors")
        >>> _ = checkpoint.v.assign(0.0)
        >>> _ = checkpoint.read(path)
        >>> float(checkpoint.v)
        3.0
        """
        return self._write(storing.path_of(file_prefix), options)

    def _write(self, path: str, options: CheckpointOptions | None) -> str:
        self.sync()
        options = options or CheckpointOptions()
        callbacks = list(options.experimental_write_callbacks or ())
        traced = context.trace is not None
        made = plan(self._root(), self._extra, traced)
        if traced:
            _write_in_runs(path, made, callbacks)
            return path
        tensors = {name: objects.as_array(value, name) for name, value in made.values}

        def put() -> None:
            storing.write(path, made.graph, tensors)
            _call(callbacks, path)

        if options.experimental_enable_async_checkpoint:
            self.__dict__["_writing"] = _Task(put)
        else:
            put()
        return path

    def save(self, file_prefix: Any, options: CheckpointOptions | None = None) -> str:
        """Write a checkpoint with a number, `save_counter`, and note that it is the latest one
        (`tf.train.latest_checkpoint`). `restore` reads it.

        Args:
            file_prefix: What the names of its files begin with; "-1" and so on come behind it.
            options: A `CheckpointOptions`.

        Returns:
            The path: the prefix and the number.

        Raises:
            NotImplementedError: Inside of a `tfc.function`: use `write`.
            OpError: If it cannot be written.

        >>> import tempfile
        >>> import tfc as tf
        >>> checkpoint, folder = tf.train.Checkpoint(v=tf.Variable(3.0)), tempfile.mkdtemp()
        >>> for _ in range(2):
        ...     _ = checkpoint.save(folder + "/ckpt")
        >>> tf.train.latest_checkpoint(folder) == folder + "/ckpt-2"
        True
        """
        prefix = storing.path_of(file_prefix)
        refuse_traces("tf.train.Checkpoint.save()")
        self.sync()
        options = copy.copy(options) or CheckpointOptions()
        callbacks = list(options.experimental_write_callbacks or ())
        options.experimental_write_callbacks = [*callbacks, _note]
        self.save_counter.assign_add(1)
        return self._write(f"{prefix}-{int(self.save_counter)}", options)

    def sync(self) -> None:
        """Wait until what a thread writes is written.

        Raises:
            OpError: If it could not be.
        """
        task, self.__dict__["_writing"] = self._writing, None
        if task is not None:
            task.join()

    # Reading.

    def read(self, save_path: Any, options: CheckpointOptions | None = None) -> LoadStatus:
        """Restore what `write` has written: the objects get their values, those that are made later
        when they are made.

        Nothing changes where the file is damaged or does not fit.

        Args:
            save_path: The path; None for nothing.
            options: A `CheckpointOptions`.

        Returns:
            A status, whose assertions say how much found its place.

        Raises:
            NotFoundError: If there is no checkpoint.
            DataLossError: If it is damaged.
            ValueError: If a Variable has another shape.
            InvalidArgumentError: If a Variable has another dtype.

        >>> import tempfile
        >>> import tfc as tf
        >>> path = tf.train.Checkpoint(v=tf.Variable(3.0)).write(tempfile.mkdtemp() + "/v")
        >>> later = tf.train.Checkpoint()
        >>> status = later.read(path)
        >>> later.v = tf.Variable(0.0)
        >>> print(later.v.numpy(), status.assert_consumed() is status)
        3.0 True
        """
        self.sync()
        if save_path is None:
            return NothingStatus()
        reader, nodes = storing.read(storing.path_of(save_path))
        if nodes is None:
            return self._read_by_names(reader)
        restoration = Restoration(reader, nodes, self._extra)
        restoration.restore(self._root())
        skip = bool(options and options.experimental_skip_slot_variables)
        return CheckpointLoadStatus(restoration, self._root(), self._extra, skip)

    def _read_by_names(self, reader: Any) -> LoadStatus:
        """Restore a file that knows no objects: by the names of Variables."""
        gifts, missing = [], []
        for thing in with_state(self._root(), self._extra):
            name = objects.full_name(thing)
            if objects.has_own_state(thing) or name not in reader:
                if thing is not self._counter:
                    missing.append(thing)
                continue
            array = reader.read(name)
            objects.check(thing, name, objects.dtype_of(array), array.shape)
            gifts.append((thing, array))
        with init_scope():
            for thing, array in gifts:
                objects.give(thing, {objects.VALUE: array})
        return NamesStatus(missing)

    def restore(self, save_path: Any, options: CheckpointOptions | None = None) -> LoadStatus:
        """Restore what `save` has written: `read`, with the count of `save`s.

        Args:
            save_path: The path, such as `tf.train.latest_checkpoint` gives it; None for nothing; or
                the folder of a SavedModel of TensorFlow, for the values in it.
            options: A `CheckpointOptions`.

        Returns:
            A status, whose assertions say how much found its place.

        Raises:
            NotFoundError: If there is no checkpoint.
            DataLossError: If it is damaged.
            ValueError: If a Variable has another shape.
            InvalidArgumentError: If a Variable has another dtype.
        """
        path = None if save_path is None else storing.path_of(save_path)
        if path is not None and os.path.isdir(path):
            models = (os.path.join(path, f"saved_model.{end}") for end in ("pb", "pbtxt"))
            if any(map(os.path.exists, models)):
                path = os.path.join(path, "variables", "variables")
        try:
            status = self.read(path, options)
        except NotFoundError as error:
            raise NotFoundError(
                f"Error when restoring from checkpoint or SavedModel at {save_path}: "
                f"{error.message}\nPlease double-check that the path is correct. You may be "
                "missing the checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1').",
                op=storing.READ,
                location=user_location(),
            ) from None
        _ = self.save_counter  # which gets its value now
        return status


_OWN = frozenset({"_counter", "_writing", "_extra", "_graph_root"})


def _demand(value: Any, name: str) -> None:
    if not objects.leads_on(value):
        raise ValueError(
            f"`Checkpoint` was expecting {name} to be a trackable object (an object derived from "
            f"`Trackable`), got {shown(value)}: a Variable, a Module, a list, tuple or dictionary "
            f"of such, or an object that says what its state is. ({user_location()})"
        )


def refuse_traces(what: str) -> None:
    """Raise NotImplementedError while a function is traced."""
    if context.trace is not None:
        raise NotImplementedError(
            f"Calling {what} from a function is not supported, as it notes which checkpoint is the "
            "latest. Use tf.train.Checkpoint.write(), which does not: tf.train.latest_checkpoint "
            f"and the like will not see this checkpoint. ({user_location()})"
        )


def _note(path: str) -> None:
    update_checkpoint_state(os.path.dirname(path), path, [path], save_relative_paths=True)


def _call(callbacks: list[Callable[..., Any]], path: str) -> None:
    for callback in callbacks:
        if inspect.signature(callback).parameters:
            callback(path)
        else:
            callback()


def _write_in_runs(path: str, made: Plan, callbacks: list[Callable[..., Any]]) -> None:
    """Have each run of the function that is traced write a checkpoint."""
    names = [name for name, _ in made.values]

    def put(*arrays: Any) -> list[Any]:
        tensors = {name: np.asarray(a, order="C") for name, a in zip(names, arrays, strict=True)}
        for thing, keys in made.later:
            found = objects.state(thing)
            tensors |= {keys[name]: objects.as_array(found[name], name) for name in keys}
        storing.write(path, made.graph, tensors)
        _call(callbacks, path)
        return []

    numpy_function(put, [value for _, value in made.values], [])


class _Task:
    """A thread that writes, and what went wrong in it."""

    def __init__(self, put: Callable[[], None]) -> None:
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=[put])
        start(self._thread)

    def _run(self, put: Callable[[], None]) -> None:
        try:
            put()
        except BaseException as error:
            self._error = error

    def join(self) -> None:
        """Wait for its end; raises what went wrong."""
        self._thread.join()
        if self._error is not None:
            raise self._error


__all__ = ["Checkpoint"]
