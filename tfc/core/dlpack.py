"""DLPack: tensors to and from other libraries without files or text.

Nobody may change a tensor. So what goes out is read-only or a copy, and what comes in is copied,
unless it is another tensor, or the caller asks for shared memory (`copy=False`) and thereby
promises not to change it. `tfc.experimental.dlpack` offers `to_dlpack` and `from_dlpack`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import as_dtype

from . import placement
from .capsules import CPU, CUDA, FOREIGN, UINT, described
from .tensor import Held, Tensor, wrap
from .variable import Variable

__all__ = ["from_dlpack", "to_dlpack"]


class _Imported:
    """Keeps the memory of another library, and lets our work on it end before it goes back."""

    def __init__(self, array: np.ndarray, device: Any) -> None:
        self.array = array
        self.device = device

    def __del__(self) -> None:
        self.device.driver.synchronize()


def _from_device(given: Any, number: int, copy: bool | None) -> Tensor:
    """A tensor of what is on GPU `number`."""
    device: Any = next((d for d in placement.visible_gpus() if d.index == number), None)
    if device is None or placement.gpu(placement.visible_gpus().index(device)) is None:
        raise ValueError(f"from_dlpack: there is no GPU {number}")
    source = _Source(given, device)
    array = np.from_dlpack(source)  # of which only the address is looked at
    if array.size and not array.flags.c_contiguous:
        raise ValueError("from_dlpack: only dense, row-major memory of a GPU can be taken")
    dtype = as_dtype(array.dtype).numpy if source.foreign is None else source.foreign
    found = device.foreign(
        array.ctypes.data, array.shape, np.dtype(dtype), _Imported(array, device)
    )
    return wrap(found if copy is False else device.duplicate(found))


def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule of a copy of the elements, to be consumed once.

    Args:
        tf_tensor: A tensor or Variable of numbers or bools.

    Returns:
        A capsule, as `from_dlpack` and other libraries take it.

    Raises:
        TypeError: If it is no tensor.
        BufferError: If it is a tensor of strings.

    >>> import tfc as tf
    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1, 2]))
    >>> print(tf.experimental.dlpack.from_dlpack(capsule))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    if not isinstance(tf_tensor, Tensor | Variable):
        raise TypeError(f"to_dlpack takes a tensor, got {type(tf_tensor).__name__}")
    return tf_tensor.__dlpack__()


def from_dlpack(dlcapsule: Any, *, copy: bool | None = None) -> Tensor:
    """A tensor of what a DLPack capsule holds, or an object that can give one.

    Args:
        dlcapsule: A capsule, or an object with `__dlpack__`: an array of another library.
        copy: Whether the elements are copied; None: unless they are those of a tensor, which nobody
            changes. False: the memory is shared, and must not be changed any more.

    Returns:
        A tensor.

    Raises:
        TypeError: If it is none of these.
        ValueError: If the memory cannot be shared, and a copy is not allowed.

    >>> import numpy as np
    >>> import tfc as tf
    >>> print(tf.experimental.dlpack.from_dlpack(np.arange(3.0)))
    tf.Tensor([0. 1. 2.], shape=(3,), dtype=float64)
    """
    given = dlcapsule
    if isinstance(given, Held) and not copy:
        return given.value() if isinstance(given, Variable) else given  # type: ignore
    if type(given).__name__ != "PyCapsule" and not hasattr(given, "__dlpack__"):
        raise TypeError(f"from_dlpack takes a DLPack capsule, got {type(given).__name__}")
    kind, number = _place(given)
    if kind == CUDA:
        return _from_device(given, number, copy)
    source = _Source(given)
    array = np.from_dlpack(source)
    if source.foreign is not None:
        array = array.view(source.foreign)
    return share(array) if copy is False else wrap(np.array(array, order="C"))


def share(array: np.ndarray) -> Tensor:
    """A tensor on the memory of `array`, or a ValueError where only a copy can be one."""
    if not array.flags.c_contiguous or not array.flags.aligned or not array.dtype.isnative:
        raise ValueError(
            "a copy is needed: only dense, row-major, aligned memory in native byte order can be "
            "shared"
        )
    view = array.view(as_dtype(array.dtype).numpy)  # NumPy has two names for some integers
    view.flags.writeable = False
    return wrap(view)


def _place(given: Any) -> tuple[int, int]:
    """The device of what is given."""
    if hasattr(given, "__dlpack_device__"):
        kind, number = given.__dlpack_device__()
        return int(kind), int(number)
    found = described(given)
    return CPU if found is None else (found.device_type, found.device_id)


class _Source:
    """What NumPy takes a capsule from: one that is given, or that an object gives."""

    def __init__(self, given: Any, device: Any = None) -> None:
        self.given = given
        self.device = device  # a GPU: what is there is shown as if it were the host's
        self.foreign: np.dtype | None = None  # its dtype, shown to NumPy as an integer

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.given
        if type(capsule).__name__ != "PyCapsule":
            if self.device is not None:
                options = {"stream": self.device.driver.stream or 1, "max_version": (1, 0)}
            try:
                capsule = self.given.__dlpack__(**options)
            except TypeError:  # a producer of the old protocol, which takes `stream` alone
                capsule = self.given.__dlpack__()
        found = described(capsule)
        if found is not None and found.lanes == 1:
            self.foreign = FOREIGN.get((found.code, found.bits))
            if self.foreign is not None:
                found.code = UINT
        if found is not None and self.device is not None:
            found.device_type, found.device_id = CPU
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        if self.device is None and hasattr(self.given, "__dlpack_device__"):
            return self.given.__dlpack_device__()
        return CPU  # NumPy takes what is in the memory of the CPU, and refuses all else
