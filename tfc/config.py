"""`tfc.config`: the devices that code runs on, and switches.

There is one device, the CPU. What TensorFlow lets one choose about accelerators is accepted where
it makes no difference here, and a clear error where it does.
"""

from __future__ import annotations

from types import SimpleNamespace as _Namespace
from typing import Any, NamedTuple

from . import blame
from .context import settings
from .switches import (
    enable_op_determinism,
    enable_tensor_float_32_execution,
    get_experimental_options,
    get_inter_op_parallelism_threads,
    get_intra_op_parallelism_threads,
    get_jit,
    set_experimental_options,
    set_inter_op_parallelism_threads,
    set_intra_op_parallelism_threads,
    set_jit,
    switch,
    tensor_float_32_execution_enabled,
)
from .tensor import shown


class PhysicalDevice(NamedTuple):
    """A device that the machine has: its name and its type.

    >>> import tfc as tf
    >>> tf.config.list_physical_devices()
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as code sees it: its name, as `tfc.device` takes it, and its type.

    >>> import tfc as tf
    >>> tf.config.list_logical_devices()
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """How a physical device is divided: the memory of a part in MB, and its priority.

    >>> import tfc as tf
    >>> tf.config.LogicalDeviceConfiguration(memory_limit=1024).memory_limit
    1024
    """

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_visible: list[PhysicalDevice] = [_CPU]
_flags: dict[str, Any] = {"soft_device_placement": False, "memory_growth": {}}


def _is_of(device: PhysicalDevice | LogicalDevice, device_type: Any) -> bool:
    if device_type is None:
        return True
    if not isinstance(device_type, str):
        raise blame.type_error(f"a device type is a string, got {shown(device_type)}", "config")
    return device.device_type == device_type


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions made by `tfc.function` run op by op, as plain Python: for `print` and
    debuggers. The numbers are the same bits, only slower.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     print("Python runs")
    ...     return x + 1.0
    >>> tf.config.run_functions_eagerly(True)
    >>> _, _ = f(1.0), f(2.0)
    Python runs
    Python runs
    >>> tf.config.run_functions_eagerly(False)
    """
    from tfc.backends.cpu import runtime

    delta = int(bool(run_eagerly)) - int(settings.functions_run_eagerly)
    runtime.set_active(delta, process=True)
    settings.functions_run_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions made by `tfc.function` run op by op: False, unless `run_functions_eagerly`
    said so.

    >>> import tfc as tf
    >>> tf.config.functions_run_eagerly()
    False
    """
    return settings.functions_run_eagerly


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that the machine has and code can run on.

    >>> import tfc as tf
    >>> tf.config.list_physical_devices("GPU")
    []
    """
    return [d for d in (_CPU,) if _is_of(d, device_type)]


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The visible devices, or those of one type, as code sees them.

    >>> import tfc as tf
    >>> [d.name for d in tf.config.list_logical_devices("CPU")]
    ['/device:CPU:0']
    """
    logical = (LogicalDevice(f"/device:{d.device_type}:0", d.device_type) for d in _visible)
    return [d for d in logical if _is_of(d, device_type)]


def _devices(devices: Any, op: str) -> list[PhysicalDevice]:
    if isinstance(devices, list | tuple) and not isinstance(devices, PhysicalDevice):
        given = list(devices)
    else:
        given = [] if devices is None else [devices]
    for d in given:
        if not isinstance(d, PhysicalDevice) or d != _CPU:
            raise blame.value_error(f"Unrecognized device: {shown(d)}; there is {_CPU}", op)
    return given


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices, or those of one type, that code may use.

    >>> import tfc as tf
    >>> [d.device_type for d in tf.config.get_visible_devices()]
    ['CPU']
    """
    return [d for d in _visible if _is_of(d, device_type)]


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Let code use these devices (of one type) only. The CPU cannot be left out: a ValueError, as
    are devices that are not there. Programs that hide GPUs run as they are.

    >>> import tfc as tf
    >>> tf.config.set_visible_devices([], "GPU")
    >>> tf.config.set_visible_devices([])
    Traceback (most recent call last):
        ...
    ValueError: the CPU is the only device and cannot be left out ...
    """
    op = "config.set_visible_devices"
    given = _devices(devices, op)
    if not _is_of(_CPU, device_type):
        if given:
            raise blame.value_error(f"{given} are no devices of type {device_type!r}", op)
        return
    if not given:
        raise blame.value_error("the CPU is the only device and cannot be left out", op)


def get_logical_device_configuration(device: Any) -> list[LogicalDeviceConfiguration] | None:
    """How a device is divided: None, as it is not. ValueError for a device that is not there.

    >>> import tfc as tf
    >>> (cpu,) = tf.config.list_physical_devices("CPU")
    >>> print(tf.config.get_logical_device_configuration(cpu))
    None
    """
    _devices(device, "config.get_logical_device_configuration")
    return None


def set_logical_device_configuration(device: Any, logical_devices: Any) -> None:
    """Divide a device into several: only into one here; an UnimplementedError for more.

    >>> import tfc as tf
    >>> (cpu,) = tf.config.list_physical_devices("CPU")
    >>> part = tf.config.LogicalDeviceConfiguration()
    >>> tf.config.set_logical_device_configuration(cpu, [part])
    >>> tf.config.set_logical_device_configuration(cpu, [part, part])
    Traceback (most recent call last):
        ...
    tfc.errors.UnimplementedError: the CPU cannot be divided into several devices ...
    """
    op = "config.set_logical_device_configuration"
    _devices(device, op)
    if not isinstance(logical_devices, list | tuple):
        raise blame.type_error(f"a list is needed, got {shown(logical_devices)}", op)
    if not all(isinstance(d, LogicalDeviceConfiguration) for d in logical_devices):
        raise blame.type_error(f"no configurations: {shown(logical_devices)}", op)
    if len(logical_devices) != 1:
        raise blame.unimplemented("the CPU cannot be divided into several devices", op)
    if logical_devices[0].memory_limit is not None:
        raise blame.value_error("CPU does not support setting a memory limit", op)


def set_soft_device_placement(enabled: bool) -> None:
    """Whether `tfc.device` takes the CPU where the device asked for is not there.

    >>> import tfc as tf
    >>> tf.config.set_soft_device_placement(True)
    >>> with tf.device("/GPU:0"):
    ...     x = tf.constant(1.0)
    >>> tf.config.set_soft_device_placement(False)
    """
    _flags["soft_device_placement"] = switch(enabled)


def get_soft_device_placement() -> bool:
    """Whether `tfc.device` takes the CPU where the device asked for is not there.

    Unlike TensorFlow, it does not by default.

    >>> import tfc as tf
    >>> tf.config.get_soft_device_placement()
    False
    """
    return bool(_flags["soft_device_placement"])


def set_memory_growth(device: Any, enable: bool) -> None:
    """Whether memory is taken bit by bit: it always is, so this is noted only. ValueError for a
    device that is not there.

    >>> import tfc as tf
    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     tf.config.experimental.set_memory_growth(gpu, True)
    """
    for d in _devices(device, "config.experimental.set_memory_growth"):
        _flags["memory_growth"][d] = switch(enable)


def get_memory_growth(device: Any) -> bool:
    """What `set_memory_growth` was told of a device; True by default.

    >>> import tfc as tf
    >>> (cpu,) = tf.config.list_physical_devices("CPU")
    >>> tf.config.experimental.set_memory_growth(cpu, True)
    >>> tf.config.experimental.get_memory_growth(cpu)
    True
    """
    found = _devices(device, "config.experimental.get_memory_growth")
    return all(_flags["memory_growth"].get(d, True) for d in found)


def get_device_details(device: Any) -> dict[str, Any]:
    """What is known of a device: nothing of the CPU. ValueError for a device that is not there.

    >>> import tfc as tf
    >>> (cpu,) = tf.config.list_physical_devices("CPU")
    >>> tf.config.experimental.get_device_details(cpu)
    {}
    """
    _devices(device, "config.experimental.get_device_details")
    return {}


def get_memory_info(device: str) -> dict[str, int]:
    """The bytes of arrays in use, now and at most (of the times when it was asked). `device` is a
    name such as "CPU:0".

    >>> import tfc as tf
    >>> x = tf.zeros([1000, 1000]) + 1.0
    >>> tf.config.experimental.get_memory_info("CPU:0")["current"] >= 4_000_000
    True
    """
    if "CPU" not in str(device).upper():
        raise blame.value_error(
            f"no device {device!r}: there is 'CPU:0'", "config.experimental.get_memory_info"
        )
    from tfc.backends.cpu import runtime

    live = runtime.pool_stats()["live"]
    _flags["peak"] = max(live, _flags.get("peak", 0))
    return {"current": live, "peak": _flags["peak"]}


def get_memory_usage(device: str) -> int:
    """The bytes of arrays in use: "current" of `get_memory_info`.

    >>> import tfc as tf
    >>> tf.config.experimental.get_memory_usage("CPU:0") >= 0
    True
    """
    return get_memory_info(device)["current"]


def reset_memory_stats(device: str) -> None:
    """Let the peak of `get_memory_info` begin anew.

    >>> import tfc as tf
    >>> tf.config.experimental.reset_memory_stats("CPU:0")
    >>> info = tf.config.experimental.get_memory_info("CPU:0")
    >>> info["peak"] == info["current"]
    True
    """
    get_memory_info(device)
    _flags.pop("peak", None)


optimizer = _Namespace(
    get_experimental_options=get_experimental_options,
    get_jit=get_jit,
    set_experimental_options=set_experimental_options,
    set_jit=set_jit,
)
threading = _Namespace(
    get_inter_op_parallelism_threads=get_inter_op_parallelism_threads,
    get_intra_op_parallelism_threads=get_intra_op_parallelism_threads,
    set_inter_op_parallelism_threads=set_inter_op_parallelism_threads,
    set_intra_op_parallelism_threads=set_intra_op_parallelism_threads,
)
experimental = _Namespace(
    VirtualDeviceConfiguration=LogicalDeviceConfiguration,
    enable_op_determinism=enable_op_determinism,
    enable_tensor_float_32_execution=enable_tensor_float_32_execution,
    get_device_details=get_device_details,
    get_memory_growth=get_memory_growth,
    get_memory_info=get_memory_info,
    get_memory_usage=get_memory_usage,
    get_virtual_device_configuration=get_logical_device_configuration,
    get_visible_devices=get_visible_devices,
    list_logical_devices=list_logical_devices,
    list_physical_devices=list_physical_devices,
    reset_memory_stats=reset_memory_stats,
    set_memory_growth=set_memory_growth,
    set_virtual_device_configuration=set_logical_device_configuration,
    set_visible_devices=set_visible_devices,
    tensor_float_32_execution_enabled=tensor_float_32_execution_enabled,
)

__all__ = [
    "LogicalDevice",
    "LogicalDeviceConfiguration",
    "PhysicalDevice",
    "experimental",
    "functions_run_eagerly",
    "get_logical_device_configuration",
    "get_soft_device_placement",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "optimizer",
    "run_functions_eagerly",
    "set_logical_device_configuration",
    "set_soft_device_placement",
    "set_visible_devices",
    "threading",
]
