"""`tfc.config`: the devices that code runs on, and switches.

There is one device, the CPU. What TensorFlow lets one choose about accelerators is accepted where
it makes no difference here, and a clear error where it does.
"""

from __future__ import annotations

from types import SimpleNamespace as _Namespace
from typing import Any, NamedTuple

from . import blame
from .context import settings
from .tensor import shown


class PhysicalDevice(NamedTuple):
    """A device that the machine has."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as code sees it."""

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """How a physical device is divided: the memory of a part in MB, and its priority."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


_CPU = PhysicalDevice("/physical_device:CPU:0", "CPU")
_visible: list[PhysicalDevice] = [_CPU]
_flags: dict[str, Any] = {
    "soft_device_placement": False,
    "tensor_float_32": True,
    "memory_growth": {},
    "log_device_placement": False,
    "intra_op": 0,
    "inter_op": 0,
    "jit": "",
    "optimizer": {},
    "deterministic": True,
}


def _is_of(device: PhysicalDevice | LogicalDevice, device_type: Any) -> bool:
    if device_type is None:
        return True
    if not isinstance(device_type, str):
        raise blame.type_error(f"a device type is a string, got {shown(device_type)}", "config")
    return device.device_type == device_type


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions made by `tfc.function` run op by op, as plain Python."""
    from tfc.backends.cpu import runtime

    runtime.set_active(int(bool(run_eagerly)) - int(settings.functions_run_eagerly))
    settings.functions_run_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions run op by op."""
    return settings.functions_run_eagerly


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that the machine has and code can run on.

    >>> import tfc as tf
    >>> tf.config.list_physical_devices("GPU")
    []
    """
    return [d for d in (_CPU,) if _is_of(d, device_type)]


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The visible devices as code sees them."""
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
    """The devices that code may use."""
    return [d for d in _visible if _is_of(d, device_type)]


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Let code use these devices (of one type) only. The CPU cannot be left out."""
    op = "config.set_visible_devices"
    given = _devices(devices, op)
    if not _is_of(_CPU, device_type):
        if given:
            raise blame.value_error(f"{given} are no devices of type {device_type!r}", op)
        return
    if not given:
        raise blame.value_error("the CPU is the only device and cannot be left out", op)


def get_logical_device_configuration(device: Any) -> list[LogicalDeviceConfiguration] | None:
    """How a device is divided: None, as it is not."""
    _devices(device, "config.get_logical_device_configuration")
    return None


def set_logical_device_configuration(device: Any, logical_devices: Any) -> None:
    """Divide a device into several: only into one here."""
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


def _switch(value: Any) -> bool:
    if not isinstance(value, bool | int):
        raise blame.type_error(f"True or False is needed, got {shown(value)}", "config")
    return bool(value)


def set_log_device_placement(enabled: bool) -> None:
    """Whether each op's device is logged: noted. There is one device."""
    _flags["log_device_placement"] = _switch(enabled)


def get_log_device_placement() -> bool:
    """What `set_log_device_placement` was told."""
    return bool(_flags["log_device_placement"])


def set_soft_device_placement(enabled: bool) -> None:
    """Whether `tfc.device` takes the CPU where the device asked for is not there."""
    _flags["soft_device_placement"] = _switch(enabled)


def get_soft_device_placement() -> bool:
    """Whether `tfc.device` takes the CPU where the device asked for is not there.

    Unlike TensorFlow, it does not by default."""
    return bool(_flags["soft_device_placement"])


def set_memory_growth(device: Any, enable: bool) -> None:
    """Whether memory is taken bit by bit: it always is."""
    for d in _devices(device, "config.experimental.set_memory_growth"):
        _flags["memory_growth"][d] = _switch(enable)


def get_memory_growth(device: Any) -> bool:
    """What `set_memory_growth` was told."""
    found = _devices(device, "config.experimental.get_memory_growth")
    return all(_flags["memory_growth"].get(d, True) for d in found)


def get_device_details(device: Any) -> dict[str, Any]:
    """What is known of a device."""
    _devices(device, "config.experimental.get_device_details")
    return {}


def get_memory_info(device: str) -> dict[str, int]:
    """Bytes in use, now and at most. `device` is a name such as "CPU:0"."""
    if "CPU" not in str(device).upper():
        raise blame.value_error(
            f"no device {device!r}: there is 'CPU:0'", "config.experimental.get_memory_info"
        )
    from tfc.backends.cpu import runtime

    live = runtime.pool_stats()["live"]
    _flags["peak"] = max(live, _flags.get("peak", 0))
    return {"current": live, "peak": _flags["peak"]}


def get_memory_usage(device: str) -> int:
    """Bytes in use."""
    return get_memory_info(device)["current"]


def reset_memory_stats(device: str) -> None:
    """Let the peak of `get_memory_info` begin anew."""
    get_memory_info(device)
    _flags.pop("peak", None)


def enable_op_determinism() -> None:
    """Let every op give the same bits each time: they always do."""
    _flags["deterministic"] = True


def is_op_determinism_enabled() -> bool:
    """Whether every op gives the same bits each time: True."""
    return True


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Whether products may round their operands to 10 bits: noted, and never done."""
    _flags["tensor_float_32"] = _switch(enabled)


def tensor_float_32_execution_enabled() -> bool:
    """What `enable_tensor_float_32_execution` was told."""
    return bool(_flags["tensor_float_32"])


def _count(value: Any) -> int:
    if not isinstance(value, int):
        raise blame.type_error(f"a number of threads is needed, got {shown(value)}", "config")
    return value


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """How many threads an op may use: noted. Ops run on one thread."""
    _flags["intra_op"] = _count(num_threads)


def get_intra_op_parallelism_threads() -> int:
    """What `set_intra_op_parallelism_threads` was told; 0 by default."""
    return int(_flags["intra_op"])


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """How many ops may run at a time: noted. They run one by one."""
    _flags["inter_op"] = _count(num_threads)


def get_inter_op_parallelism_threads() -> int:
    """What `set_inter_op_parallelism_threads` was told; 0 by default."""
    return int(_flags["inter_op"])


def set_jit(enabled: Any) -> None:
    """Whether functions are compiled: noted. They always are."""
    if not isinstance(enabled, bool | str):
        raise blame.type_error(f"True or False is needed, got {shown(enabled)}", "config")
    _flags["jit"] = "autoclustering" if enabled is True else enabled or ""


def get_jit() -> str:
    """What `set_jit` was told."""
    return str(_flags["jit"])


def set_experimental_options(options: dict[str, Any]) -> None:
    """Options of TensorFlow's graph optimizer: noted. They mean nothing here."""
    if not isinstance(options, dict):
        raise blame.type_error(f"a dictionary is needed, got {shown(options)}", "config")
    _flags["optimizer"].update(options)


def get_experimental_options() -> dict[str, Any]:
    """What `set_experimental_options` was told."""
    return dict(_flags["optimizer"])


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
