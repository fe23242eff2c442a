"""Where ops run and tensors live: on the CPU, or on a GPU.

An op runs where the innermost `tfc.device` says; without one, on the GPU that holds one of its
operands (or a Variable that a function captures); otherwise on the first GPU, where there is one
(`settings.default_gpu`), but what has int32 operands alone on the CPU: these are shapes and numbers
of steps, which Python is going to ask for (TensorFlow does so too). What it needs from elsewhere is
copied, once as long as the copied tensor lives. A Variable stays where it was made.

A tensor on a GPU holds a `DeviceArray` in the slot where others hold an ndarray. Native code does
not take it, so that such calls arrive in Python; where there is a default GPU, all do. As long as
no GPU has been used (`settings.accelerated`), nothing here is asked.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfc.ir.dtypes import int32

from . import above, errors
from .context import active, context, settings, user_location

if TYPE_CHECKING:
    from tfc.backends.cuda.device import Device

CPU_NAME = "/job:localhost/replica:0/task:0/device:CPU:0"


class _Host:
    """Stands for the CPU where it was asked for."""

    name = CPU_NAME

    def __repr__(self) -> str:
        return "<the CPU>"


HOST = _Host()
_hidden: set[int] = set()  # GPUs that config.set_visible_devices has left out


def physical_gpus() -> Sequence[Device]:
    """The GPUs of the machine."""
    from tfc.backends.cuda.devices import devices

    return devices()


def visible_gpus() -> list[Device]:
    """Those that code may use."""
    return [d for d in physical_gpus() if d.index not in _hidden]


def show_gpus(indices: Sequence[int]) -> None:
    """Let code use these alone."""
    _hidden.clear()
    _hidden.update(d.index for d in physical_gpus() if d.index not in indices)
    for number, device in enumerate(visible_gpus()):
        device.name = f"{CPU_NAME.rpartition('CPU')[0]}GPU:{number}"
    begin()


def begin() -> None:
    """Find the GPU where code runs that says nothing."""
    from tfc.backends.cuda.driver import by_default

    if by_default():
        set_default(next(iter(visible_gpus()), None))


def set_default(device: Device | None) -> None:
    """Let ops that nothing else places run on a GPU, or (None) on the CPU."""
    from tfc.backends.cpu.runtime import runtime
    from tfc.backends.cuda.driver import DeviceError, NoDriver

    before = settings.default_gpu
    if device is before:
        return
    if device is not None:
        try:
            assert device.driver
        except (DeviceError, NoDriver) as error:
            warnings.warn(f"code runs on the CPU: the GPU cannot be used: {error}", stacklevel=2)
            device = None
    settings.default_gpu = device
    settings.accelerated = settings.accelerated or device is not None
    # Native calls would stay on the CPU: let them ask Python.
    runtime.set_active(int(device is not None) - int(before is not None))


def no_gpu() -> str:
    """Why there is no GPU, for messages."""
    from tfc.backends.cuda.devices import reason

    if _hidden:
        return "config.set_visible_devices has left it out"
    return reason()


def gpu(number: int) -> Device | None:
    """The visible GPU of this number, ready for use; None where there is none."""
    found = visible_gpus()
    if not 0 <= number < len(found):
        return None
    device = found[number]
    if not device.is_open:
        from tfc.backends.cuda.driver import DeviceError, NoDriver

        try:
            assert device.driver
        except (DeviceError, NoDriver) as error:
            raise errors.InternalError(
                f"GPU {number} cannot be used: {error}", op="device", location=user_location()
            ) from error
    settings.accelerated = True
    return device


def device_name(array: Any) -> str:
    """Where an array of a tensor is."""
    return CPU_NAME if isinstance(array, np.ndarray) else array.device.name


def is_on_host(array: Any) -> bool:
    return isinstance(array, np.ndarray)


def chosen(operands: Sequence[Any], static: Sequence[Any] = ()) -> Device | None:
    """The GPU on which ops on these tensors and Variables run; None for the CPU. `static` is what
    ops are told beside them."""
    wanted = context.device
    if wanted is HOST:
        return None
    found = wanted
    for x in operands:
        array = x._array
        if isinstance(array, np.ndarray):
            if array.dtype.kind == "O":  # strings
                return None
        elif found is None:
            found = array.device
    if found is None and settings.default_gpu is not None:
        if operands:
            small = all(x._array.dtype == np.int32 for x in operands)
        else:
            small = any(item is int32 for item in static)
        return None if small else settings.default_gpu
    return found


def on_cpu() -> active:
    """What runs inside runs on the CPU."""
    return active(device=HOST)


def moved(array: Any, device: Device | None) -> Any:
    """An array on a GPU, or (None) on the host."""
    if device is not None:
        if isinstance(array, np.ndarray) and array.dtype.kind == "O":
            return array
        return _copied(device.here, array, device.name)
    if isinstance(array, np.ndarray):
        return array
    return _copied(array.device.download, array, array.device.name)


def _copied(copy: Callable[[Any], Any], array: Any, name: str) -> Any:
    """`copy(array)`; what goes wrong is an error of the user's line."""
    from tfc.backends.cuda.driver import DeviceError

    try:
        return copy(array)
    except MemoryError as error:
        raise errors.ResourceExhaustedError(
            f"OOM when copying {array.dtype}{list(array.shape)} to {name}: {error}",
            op="device",
            location=user_location(),
        ) from None
    except DeviceError as error:
        raise errors.InternalError(str(error), op="device", location=user_location()) from error


def on_host(tensors: Sequence[Any]) -> Sequence[Any]:
    """The tensors and Variables, those on GPUs copied to the host."""
    if all(isinstance(t._array, np.ndarray) for t in tensors):
        return tensors
    return [t if isinstance(t._array, np.ndarray) else t._on(None) for t in tensors]


def placed(tensor: Any, variable: bool = False) -> Any:
    """A tensor that is made here, where the innermost `tfc.device` wants it, or by default. (A
    Variable of int32 is among those that functions change: it would be copied in each step.)"""
    wanted = context.device
    if wanted is None and (variable or tensor._array.dtype != np.int32):
        wanted = settings.default_gpu
    if wanted is None or context.trace is not None:
        return tensor
    return tensor._on(None if wanted is HOST else wanted)


def store(variable: Any, array: Any) -> None:
    """Let a Variable have these elements; it stays where it is."""
    if settings.accelerated:
        from tfc.backends.cuda.program import at_home

        array = at_home(variable._array, array)
    variable._array = array


above.find_default_gpu = begin
