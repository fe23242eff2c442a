"""Contexts that name, place or order what is inside: `device`, `name_scope`, `init_scope`,
`control_dependencies`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from . import blame, config, errors, placement
from .context import Scope, active, context, current, user_location
from .formatting import shown

_SPEC = (
    r"(?i:(?:/job:[^/]+)?(?:/replica:\d+)?(?:/task:\d+)?/?(?:device:)?"
    r"(?:(?P<type>[A-Za-z_]+)(?::(?P<index>\d+|\*))?)?)"
)


def device(device_name: Any) -> Scope:
    """Run what is inside on a device, such as "/cpu:0" or "/gpu:0"; None lets tensors decide. Also
    a decorator.

    Ops and functions run there and tensors and Variables are made there; what they need from
    elsewhere is copied. Without it they run on the GPU that holds one of their operands, else on
    the first GPU where there is one, as in TensorFlow; what has int32 operands alone stays on the
    CPU then, and what cannot run on a GPU runs there. While a function is traced, a GPU that is
    named is where all of the function runs; a CPU that is named makes no difference.

    A device that is not there is an InvalidArgumentError, which says why; with
    `tfc.config.set_soft_device_placement(True)` the CPU takes its place.

    Args:
        device_name: A name such as "/gpu:0", a DeviceSpec, or None.

    Returns:
        A context manager, which is a decorator as well.

    Raises:
        InvalidArgumentError: If the device is not there.
        ValueError: If the name is none of a device.

    >>> import tfc as tf
    >>> with tf.device("/cpu:0"):
    ...     x = tf.constant(1.0)
    >>> @tf.device("/gpu:0" if tf.config.list_logical_devices("GPU") else "/cpu:0")
    ... def double(x):
    ...     return x + x
    >>> print(double(x).numpy())
    2.0
    """
    return _Device(device_name)


class _Device(Scope):
    def __init__(self, name: Any) -> None:
        self._device_name = name  # by TensorFlow's name: programs read it

    def changes(self) -> Mapping[str, Any]:
        wanted, trace = _wanted(self._device_name), context.trace
        if trace is None:
            return {"device": wanted}
        trace.place(wanted)
        return {}


def _wanted(device_name: Any) -> Any:
    """A GPU, `placement.HOST`, or None where nothing is said."""
    if device_name is None or callable(device_name):
        return None
    found = re.fullmatch(_SPEC, str(getattr(device_name, "name", device_name)))
    if found is None:
        raise blame.value_error(f"no device specification: {shown(device_name)}", "device")
    if found["type"] is None:
        return None
    kind, index = found["type"].upper(), found["index"] or "0"
    index = "0" if index == "*" else index
    if kind == "CPU" and int(index) < config.logical_cpus():
        return placement.HOST
    gpu = placement.gpu(int(index)) if kind == "GPU" else None
    if gpu is not None:
        return gpu
    if config.get_soft_device_placement():
        return placement.HOST
    there = ", ".join([placement.CPU_NAME, *(d.name for d in placement.visible_gpus())])
    why = placement.no_gpu() if kind == "GPU" and not placement.visible_gpus() else ""
    raise errors.InvalidArgumentError(
        f"there is no device {shown(device_name)}: code runs on {there}."
        + (f" There is no GPU because {why}." if why else "")
        + " (After tfc.config.set_soft_device_placement(True) it does, whatever is asked for.)",
        op="device",
        location=user_location(),
    )


class DeviceSpec:
    """The parts of a device's name: job, replica, task, device_type and device_index, each None
    where it is not given. It is not changed; `replace` gives another one.

    Args:
        job: The name of the job, such as "worker".
        replica: The number of the replica.
        task: The number of the task.
        device_type: Such as "CPU", in any case.
        device_index: The number of the device.

    Raises:
        ValueError: If a number is none.

    >>> import tfc as tf
    >>> spec = tf.DeviceSpec.from_string("/job:worker/device:CPU:0")
    >>> spec.job, spec.device_type, spec.device_index
    ('worker', 'CPU', 0)
    """

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ) -> None:
        self._job = None if job is None else str(job)
        self._replica, self._task = _whole(replica), _whole(task)
        self._device_type = None if device_type is None else str(device_type).upper()
        self._device_index = _whole(device_index)

    @property
    def job(self) -> str | None:
        """The name of the job."""
        return self._job

    @property
    def replica(self) -> int | None:
        """The number of the replica."""
        return self._replica

    @property
    def task(self) -> int | None:
        """The number of the task."""
        return self._task

    @property
    def device_type(self) -> str | None:
        """The kind of device, in capitals."""
        return self._device_type

    @property
    def device_index(self) -> int | None:
        """The number of the device."""
        return self._device_index

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The parts of `spec`, such as "/job:worker/replica:0/task:1/device:GPU:2".

        Args:
            spec: The name; each part may be left out.

        Returns:
            A DeviceSpec.

        Raises:
            ValueError: If it has other parts, or two devices.

        >>> import tfc as tf
        >>> tf.DeviceSpec.from_string("/gpu:1")
        DeviceSpec('/device:GPU:1')
        """
        given: dict[str, Any] = {}
        for key, *rest in [part.split(":") for part in spec.split("/")]:
            device = key == "device"
            if key in ("job", "replica", "task") and len(rest) == 1:
                if rest[0]:
                    given[key] = rest[0]
            elif (key.upper() in _DEVICES and len(rest) < 2) or (device and len(rest) == 2):
                if "device_type" in given:
                    said = "Multiple device types are not allowed while parsing the device spec"
                    raise ValueError(f"{said}: {spec}.")
                kind, *index = rest if device else [key, *rest]
                given["device_type"] = kind
                if index and index[0] != "*":
                    given["device_index"] = index[0]
            elif key:
                said = f"Unknown attribute '{key}' is encountered while parsing the device spec"
                raise ValueError(f"{said}: '{spec}'.")
        return cls(**given)

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """The same as `from_string`.

        Args:
            spec: A device's name.

        Returns:
            Another DeviceSpec.
        """
        return type(self).from_string(spec)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """These parts, with those that another one has in their place.

        Args:
            dev: A DeviceSpec, whose parts count.

        Returns:
            Another DeviceSpec.

        >>> import tfc as tf
        >>> tf.DeviceSpec(job="ps", task=1).make_merged_spec(tf.DeviceSpec.from_string("/task:2"))
        DeviceSpec('/job:ps/task:2')
        """
        return type(self)(**(self._given() | dev._given()))

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """These parts, with others in the place of some.

        Args:
            **kwargs: As of the constructor; None is no part.

        Returns:
            Another DeviceSpec.

        >>> import tfc as tf
        >>> tf.DeviceSpec(job="worker", task=1).replace(task=2)
        DeviceSpec('/job:worker/task:2')
        """
        return type(self)(**(self._given() | kwargs))

    def _given(self) -> dict[str, Any]:
        names = ("job", "replica", "task", "device_type", "device_index")
        return {n: getattr(self, n) for n in names if getattr(self, n) is not None}

    def to_string(self) -> str:
        """The name of which these are the parts.

        >>> import tfc as tf
        >>> tf.DeviceSpec(job="worker", device_type="CPU", device_index=0).to_string()
        '/job:worker/device:CPU:0'
        """
        rows = [("job", self.job), ("replica", self.replica), ("task", self.task)]
        text = "".join(f"/{name}:{value}" for name, value in rows if value is not None)
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            text += f"/device:{self.device_type}:{index}"
        return text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return f"DeviceSpec({self.to_string()!r})"


_DEVICES = ("CPU", "GPU", "TPU")  # what names begin with that do not say "device:"


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


_NAME = r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*"


def get_current_name_scope() -> str:
    """The names of the `name_scope`s that the program is in.

    Returns:
        A string: "", or "outer/inner".

    >>> import tfc as tf
    >>> with tf.name_scope("outer"), tf.name_scope("inner"):
    ...     tf.get_current_name_scope()
    'outer/inner'
    """
    return current().names.removesuffix("/")


def current_name_scope() -> str:
    """What `name_scope` puts in front of the names of Variables here: "" or "outer/inner/".

    >>> import tfc as tf
    >>> with tf.name_scope("outer"), tf.name_scope("inner"):
    ...     current_name_scope()
    'outer/inner/'
    """
    return current().names


class name_scope(Scope):  # noqa: N801
    """Puts `name/` in front of the names of the Variables that are made inside.

    >>> import tfc as tf
    >>> with tf.name_scope("layer") as scope:
    ...     v = tf.Variable(1.0, name="weight")
    >>> scope, v.name
    ('layer/', 'layer/weight:0')
    """

    def __init__(self, name: str | None) -> None:
        if not isinstance(name, str):
            raise blame.value_error(
                f"name for name_scope must be a string, got {shown(name)}", "scope"
            )
        if name and not name.endswith("/") and not re.fullmatch(_NAME, name):
            raise blame.value_error(f"{shown(name)} is not a valid scope name", "name_scope")
        self.name = name

    def changes(self) -> Mapping[str, Any]:
        if not self.name:
            return {"names": ""}
        if self.name.endswith("/"):  # a scope that was left is entered again
            return {"names": self.name}
        state = current()
        names = f"{state.names}{self.name}"
        if state.trace is not None and state.trace.graph is not None:  # of TensorFlow 1
            names = state.trace.graph.unique_name(names)
        return {"names": f"{names}/"}

    def given(self, changes: Mapping[str, Any]) -> str:
        return str(changes["names"])


def init_scope() -> Scope:
    """Run what is inside at once, also while a function is traced, and unseen by tapes.

    Tensors of the trace have no values there.

    Returns:
        A context manager.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     with tf.init_scope():
    ...         print(tf.constant(2.0) * 3.0, tf.executing_eagerly())
    ...     return x + 1.0
    >>> _ = f(1.0)
    tf.Tensor(6.0, shape=(), dtype=float32) True
    """
    return active(trace=None, tapes=())


@contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Run what is inside after `control_inputs`: that is the order of the program in any case, also
    inside a `tfc.function`. Callables among them are called.

    Args:
        control_inputs: A list of tensors, or callables; None for none.

    Returns:
        A context manager.

    >>> import tfc as tf
    >>> v = tf.Variable(1.0)
    >>> with tf.control_dependencies([v.assign(5.0)]):
    ...     print(v.read_value())
    tf.Tensor(5.0, shape=(), dtype=float32)
    """
    graph = getattr(context.trace, "graph", None)
    if graph is not None:  # TensorFlow 1's, whose sessions have an order of their own
        with graph.control_dependencies(control_inputs):
            yield
        return
    for x in control_inputs or ():
        if callable(x):
            x()
    yield


def no_op(name: Any = None) -> Any:
    """Do nothing; None. In a `tfc.Graph` an operation that does nothing.

    Returns:
        None, or an operation of the graph.

    >>> import tfc as tf
    >>> tf.no_op()
    """
    return group(name=name)


def group(*inputs: Any, name: Any = None, **kwargs: Any) -> Any:
    """Do nothing; None: the inputs were computed when they were made, also inside a `tfc.function`.
    In a `tfc.Graph` an operation that runs them all.

    Args:
        *inputs: Tensors, or operations of the graph.
        **kwargs: Of no effect.

    Returns:
        None, or an operation of the graph.

    >>> import tfc as tf
    >>> v = tf.Variable(1.0)
    >>> tf.group(v.assign_add(1.0), v.assign_add(1.0))
    >>> print(v.numpy())
    3.0
    """
    graph = getattr(context.trace, "graph", None)
    return None if graph is None else graph.group(inputs, name)


__all__ = [
    "DeviceSpec",
    "control_dependencies",
    "current_name_scope",
    "device",
    "get_current_name_scope",
    "group",
    "init_scope",
    "name_scope",
    "no_op",
]
