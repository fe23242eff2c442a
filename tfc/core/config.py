"""`tfc.config`: the devices that code runs on, and switches.

There is the CPU, and the GPUs that CUDA shows (see tfc.backends.cuda.driver). What TensorFlow lets
one choose is accepted where it makes no difference here, and a clear error where it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace as _Namespace
from typing import Any, NamedTuple, TypeAlias

from . import blame, placement
from .absent import namespace
from .context import settings
from .formatting import shown
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


Devices: TypeAlias = PhysicalDevice | Sequence[PhysicalDevice] | None

_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_flags: dict[str, Any] = {"soft_device_placement": False, "memory_growth": {}}


def _is_of(device: PhysicalDevice | LogicalDevice, device_type: str | None) -> bool:
    if device_type is None:
        return True
    if not isinstance(device_type, str):
        raise blame.type_error(f"a device type is a string, got {shown(device_type)}", "config")
    return device.device_type == device_type


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Let functions made by `tfc.function` run op by op, as plain Python, or compiled again: for
    `print` and debuggers. The numbers are the same bits, only slower.

    Args:
        run_eagerly: Whether they run op by op.

    Raises:
        TypeError: If that is no truth value.

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
    from tfc.backends.cpu.runtime import runtime

    if not isinstance(run_eagerly, bool | int):
        message = f"run_eagerly must be True or False, got {shown(run_eagerly)}"
        raise blame.type_error(message, "config.run_functions_eagerly")
    delta = int(bool(run_eagerly)) - int(settings.functions_run_eagerly)
    runtime.set_active(delta)
    settings.functions_run_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions made by `tfc.function` run op by op.

    Returns:
        A bool: False, unless `run_functions_eagerly` said so.

    >>> import tfc as tf
    >>> tf.config.functions_run_eagerly()
    False
    """
    return settings.functions_run_eagerly


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that the machine has and code can run on.

    Args:
        device_type: "CPU" or "GPU"; None: of any type.

    Returns:
        A list of PhysicalDevices.

    Raises:
        TypeError: If `device_type` is no string.

    >>> import tfc as tf
    >>> tf.config.list_physical_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    return [d for d in _physical(device_type) if _is_of(d, device_type)]


def _only_cpu(device_type: str | None) -> bool:
    """Whether GPUs need not be looked for."""
    return isinstance(device_type, str) and device_type == "CPU"


def _physical(device_type: str | None = None) -> list[PhysicalDevice]:
    """The CPU, and (unless nobody asks) the GPUs."""
    gpus = [] if _only_cpu(device_type) else placement.physical_gpus()
    return [_CPU, *(PhysicalDevice(f"/physical_device:GPU:{d.index}", "GPU") for d in gpus)]


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The visible devices as code sees them.

    Args:
        device_type: "CPU" or "GPU"; None: of any type.

    Returns:
        A list of LogicalDevices.

    Raises:
        TypeError: If `device_type` is no string.

    >>> import tfc as tf
    >>> [d.name for d in tf.config.list_logical_devices("CPU")]
    ['/device:CPU:0']
    """
    gpus = [] if _only_cpu(device_type) else placement.visible_gpus()
    cpus = [f"CPU:{i}" for i in range(logical_cpus())]
    names = [*cpus, *(f"GPU:{i}" for i in range(len(gpus)))]
    logical = [LogicalDevice(f"/device:{name}", name[:3]) for name in names]
    return [d for d in logical if _is_of(d, device_type)]


def _devices(devices: Devices, op: str) -> list[PhysicalDevice]:
    if isinstance(devices, list | tuple) and not isinstance(devices, PhysicalDevice):
        given = list(devices)
    else:
        given = [] if devices is None else [devices]
    for d in given:
        if not isinstance(d, PhysicalDevice) or (d != _CPU and d not in _physical()):
            there = ", ".join(map(str, _physical()))
            raise blame.value_error(f"Unrecognized device: {shown(d)}; there is {there}", op)
    return given


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that code may use.

    Args:
        device_type: "CPU" or "GPU"; None: of any type.

    Returns:
        A list of PhysicalDevices.

    Raises:
        TypeError: If `device_type` is no string.

    >>> import tfc as tf
    >>> [d.device_type for d in tf.config.get_visible_devices()]
    ['CPU']
    """
    visible = [] if _only_cpu(device_type) else [d.index for d in placement.visible_gpus()]
    names = {f"/physical_device:GPU:{i}" for i in visible}
    found = [d for d in _physical(device_type) if d == _CPU or d.name in names]
    return [d for d in found if _is_of(d, device_type)]


def set_visible_devices(devices: Devices, device_type: str | None = None) -> None:
    """Let code use some devices only; GPUs are numbered anew.

    Args:
        devices: A PhysicalDevice, or a list of them.
        device_type: The type of the devices that this is about; None: of all.

    Raises:
        ValueError: If a device is not there or has another type, or the CPU is left out.

    >>> import tfc as tf
    >>> tf.config.set_visible_devices([], "GPU")
    >>> tf.config.list_logical_devices("GPU")
    []
    >>> tf.config.set_visible_devices(tf.config.list_physical_devices("GPU"), "GPU")
    >>> tf.config.set_visible_devices([])
    Traceback (most recent call last):
        ...
    ValueError: the CPU cannot be left out ...
    """
    op = "config.set_visible_devices"
    given = _devices(devices, op)
    wrong = [d for d in given if not _is_of(d, device_type)]
    if wrong:
        raise blame.value_error(f"{wrong} are no devices of type {device_type!r}", op)
    if _is_of(_CPU, device_type) and _CPU not in given:
        raise blame.value_error("the CPU cannot be left out", op)
    if not _only_cpu(device_type):
        placement.show_gpus([int(d.name.rpartition(":")[2]) for d in given if d != _CPU])


def logical_cpus() -> int:
    """Into how many devices the CPU is divided, in name."""
    return len(_logical_cpus) or 1


_logical_cpus: list[LogicalDeviceConfiguration] = []  # none: nobody has divided it


def get_logical_device_configuration(
    device: PhysicalDevice,
) -> list[LogicalDeviceConfiguration] | None:
    """How a device is divided.

    Args:
        device: A PhysicalDevice.

    Returns:
        What `set_logical_device_configuration` was given for the CPU; None: nothing.

    Raises:
        ValueError: If the device is not there.

    >>> import tfc as tf
    >>> (cpu,) = tf.config.list_physical_devices("CPU")
    >>> print(tf.config.get_logical_device_configuration(cpu))
    None
    """
    given = _devices(device, "config.get_logical_device_configuration")
    return list(_logical_cpus) if _logical_cpus and _CPU in given else None


def set_logical_device_configuration(
    device: PhysicalDevice, logical_devices: Sequence[LogicalDeviceConfiguration]
) -> None:
    """Divide a device into several: the CPU alone, in name. All of its parts have the same memory
    and threads; that `tfc.distribute.MirroredStrategy` has a replica on each is what they are for.

    Args:
        device: A PhysicalDevice.
        logical_devices: A LogicalDeviceConfiguration for each part, without a limit of memory.

    Raises:
        UnimplementedError: If a GPU is to be divided, or its memory to be limited.
        ValueError: If the device is not there, there is no part, or the memory of the CPU is to be
            limited.
        TypeError: If `logical_devices` is something else.

    >>> import tfc as tf
    >>> (cpu,) = tf.config.list_physical_devices("CPU")
    >>> part = tf.config.LogicalDeviceConfiguration()
    >>> tf.config.set_logical_device_configuration(cpu, [part, part])
    >>> [d.name for d in tf.config.list_logical_devices("CPU")]
    ['/device:CPU:0', '/device:CPU:1']
    >>> tf.config.set_logical_device_configuration(cpu, [part])
    """
    op = "config.set_logical_device_configuration"
    is_cpu = _CPU in _devices(device, op)
    if not isinstance(logical_devices, list | tuple):
        raise blame.type_error(f"a list is needed, got {shown(logical_devices)}", op)
    if not all(isinstance(d, LogicalDeviceConfiguration) for d in logical_devices):
        raise blame.type_error(f"no configurations: {shown(logical_devices)}", op)
    if not logical_devices:
        raise blame.value_error("a device has one part at least", op)
    if any(d.memory_limit is not None for d in logical_devices):
        if is_cpu:
            raise blame.value_error("CPU does not support setting a memory limit", op)
        raise blame.unimplemented("the memory of a GPU cannot be limited", op)
    if is_cpu:
        _logical_cpus[:] = logical_devices
    elif len(logical_devices) > 1:
        raise blame.unimplemented("a GPU cannot be divided into several here", op)


def set_soft_device_placement(enabled: bool) -> None:
    """Choose what `tfc.device` does where the device that is asked for is not there.

    Args:
        enabled: Whether it takes the CPU; otherwise it is an error.

    Raises:
        TypeError: If it is no bool.

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

    Returns:
        A bool.

    >>> import tfc as tf
    >>> tf.config.get_soft_device_placement()
    False
    """
    return bool(_flags["soft_device_placement"])


def set_memory_growth(device: Devices, enable: bool) -> None:
    """Whether memory is taken bit by bit: it always is, so this is noted only.

    Args:
        device: A PhysicalDevice, or a list of them.
        enable: What to note.

    Raises:
        ValueError: If the device is not there.
        TypeError: If `enable` is no bool.

    >>> import tfc as tf
    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     tf.config.experimental.set_memory_growth(gpu, True)
    """
    for d in _devices(device, "config.experimental.set_memory_growth"):
        _flags["memory_growth"][d] = switch(enable)


def get_memory_growth(device: Devices) -> bool:
    """What `set_memory_growth` was told of a device.

    Args:
        device: A PhysicalDevice, or a list of them.

    Returns:
        A bool, True by default.

    Raises:
        ValueError: If the device is not there.

    >>> import tfc as tf
    >>> (cpu,) = tf.config.list_physical_devices("CPU")
    >>> tf.config.experimental.set_memory_growth(cpu, True)
    >>> tf.config.experimental.get_memory_growth(cpu)
    True
    """
    found = _devices(device, "config.experimental.get_memory_growth")
    return all(_flags["memory_growth"].get(d, True) for d in found)


def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """What is known of a device.

    Args:
        device: A PhysicalDevice.

    Returns:
        A dictionary: of a GPU its "device_name" and "compute_capability", a pair of numbers; of the
        CPU nothing.

    Raises:
        ValueError: If the device is not there, or it is not one.

    >>> import tfc as tf
    >>> (cpu,) = tf.config.list_physical_devices("CPU")
    >>> tf.config.experimental.get_device_details(cpu)
    {}
    """
    op = "config.experimental.get_device_details"
    given = _devices(device, op)
    if len(given) != 1:
        raise blame.value_error(f"one device is needed, got {shown(device)}", op)
    found = given[0]
    if found == _CPU:
        return {}
    driver = placement.physical_gpus()[int(found.name.rpartition(":")[2])].driver
    return {"device_name": driver.name, "compute_capability": driver.capability}


def get_memory_info(device: str) -> dict[str, int]:
    """How much memory the arrays on a device take.

    Args:
        device: A name such as "CPU:0" or "GPU:0".

    Returns:
        A dictionary of bytes: what is in use now, "current", and at most, "peak". (Of the CPU at
        most of the times when it was asked.)

    Raises:
        ValueError: If the device is not there.

    >>> import tfc as tf
    >>> x = tf.zeros([1000, 1000]) + 1.0
    >>> tf.config.experimental.get_memory_info("CPU:0")["current"] >= 4_000_000
    True
    """
    gpu = _gpu_named(device, "config.experimental.get_memory_info")
    if gpu is not None:
        stats = gpu.pool.stats()
        return {"current": stats["live"], "peak": stats["peak"]}
    from tfc.backends.cpu.runtime import runtime

    live = runtime.pool_stats()["live"]
    _flags["peak"] = max(live, _flags.get("peak", 0))
    return {"current": live, "peak": _flags["peak"]}


def _gpu_named(device: str, op: str) -> Any:
    """The GPU of this name; None for the CPU, a ValueError for what is not there."""
    kind, _, number = str(device).upper().rpartition("/")[2].replace("DEVICE:", "").partition(":")
    if kind == "CPU":
        return None
    if kind == "GPU" and (number or "0").isdigit():
        found = placement.gpu(int(number or 0))
        if found is not None:
            return found
    names = [d.name.removeprefix("/device:") for d in list_logical_devices()]
    raise blame.value_error(f"no device {device!r}: there is {', '.join(map(repr, names))}", op)


def get_memory_usage(device: str) -> int:
    """The bytes of arrays in use: "current" of `get_memory_info`.

    Args:
        device: A name such as "CPU:0" or "GPU:0".

    Returns:
        An int.

    Raises:
        ValueError: If the device is not there.

    >>> import tfc as tf
    >>> tf.config.experimental.get_memory_usage("CPU:0") >= 0
    True
    """
    return get_memory_info(device)["current"]


def reset_memory_stats(device: str) -> None:
    """Let the peak of `get_memory_info` begin anew.

    Args:
        device: A name such as "CPU:0" or "GPU:0".

    Raises:
        ValueError: If the device is not there.

    >>> import tfc as tf
    >>> tf.config.experimental.reset_memory_stats("CPU:0")
    >>> info = tf.config.experimental.get_memory_info("CPU:0")
    >>> info["peak"] == info["current"]
    True
    """
    gpu = _gpu_named(device, "config.experimental.reset_memory_stats")
    if gpu is None:
        _flags.pop("peak", None)
    else:
        gpu.pool.reset_peak()


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
experimental = namespace(
    "tf.config.experimental",
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
