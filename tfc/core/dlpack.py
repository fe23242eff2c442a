"""DLPack: tensors to and from other libraries without files or text.

Nobody may change a tensor. So what goes out is read-only or a copy, and what comes in is copied,
unless it is another tensor, or the caller asks for shared memory (`copy=False`) and thereby
promises not to change it. `tfc.experimental.dlpack` offers `to_dlpack` and `from_dlpack`.

NumPy makes and takes the capsules. It does not know bfloat16, which travels as uint16; the code of
the dtype in the capsule's struct is written afterwards (or before NumPy sees it). The layouts are
those of dlpack.h, https://dmlc.github.io/dlpack/latest/c_api.html.
"""

from __future__ import annotations

import ctypes
from typing import Any

import ml_dtypes
import numpy as np

from tfc.ir.dtypes import as_dtype

from . import placement
from .tensor import Held, Tensor, wrap
from .variable import Variable

__all__ = ["from_dlpack", "to_dlpack"]

CPU = (1, 0)
CUDA = 2  # kDLCUDA
_UINT, _BFLOAT = 1, 4  # kDLUInt, kDLBfloat


class _DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    )


_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes, _is_valid.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_int
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p


def _described(capsule: Any) -> _DLTensor | None:
    """The tensor's description inside a capsule that nobody has consumed yet."""
    if _is_valid(capsule, b"dltensor_versioned"):
        whole = _Versioned.from_address(_pointer(capsule, b"dltensor_versioned"))
        return whole.tensor if whole.major == 1 else None
    if _is_valid(capsule, b"dltensor"):
        return _DLTensor.from_address(_pointer(capsule, b"dltensor"))
    return None


def export(
    array: np.ndarray,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A capsule of a read-only array, as `__dlpack__` gives it."""
    if stream is not None:
        raise BufferError(f"DLPack: memory of the CPU has no stream, got stream={stream!r}")
    if dl_device is not None and tuple(dl_device) != CPU:
        raise BufferError(f"DLPack: cannot be exported to device {dl_device}, only to the CPU")
    narrow = array.dtype == ml_dtypes.bfloat16
    if narrow:
        array = array.view(np.uint16)
    if copy or (max_version is None or max_version[0] < 1):
        # A consumer of the old protocol cannot be told that the memory is read-only.
        if copy is False:
            raise BufferError(
                "DLPack: a tensor is read-only, which only version 1.0 of the protocol can say: "
                "a copy is needed"
            )
        array = array.copy()
        copy = None  # the array is the consumer's own
    capsule = array.__dlpack__(max_version=max_version, copy=copy)
    if narrow:
        found = _described(capsule)
        assert found is not None
        found.code = _BFLOAT
    return capsule


def export_device(
    array: Any,
    stream: Any,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> Any:
    """A capsule of an array on a GPU, for a consumer that works on `stream` (1 and 2 are CUDA's
    default streams, -1 means that nobody needs to wait).

    NumPy makes the capsule of an array that claims to be at that address; nobody looks there."""
    own = (CUDA, array.device.index)
    if dl_device is not None and tuple(dl_device) != own:
        raise BufferError(f"DLPack: cannot be exported to device {dl_device}, only to {own}")
    versioned = max_version is not None and max_version[0] >= 1
    if copy or not versioned:  # as on the CPU
        if copy is False:
            raise BufferError("DLPack: a tensor is read-only, which only version 1.0 can say")
        array = array.device.duplicate(array)
    if stream == 0:
        raise BufferError("DLPack: the stream 0 could be one of two: 1 or 2 is needed")
    if stream != -1:
        array.device.driver.order(1 if stream is None else int(stream), before=False)
    shown = _claimed(array)
    if versioned and not copy:
        shown.flags.writeable = False
    capsule = shown.__dlpack__(max_version=max_version)
    found = _described(capsule)
    assert found is not None
    found.device_type, found.device_id = own
    if array.dtype == ml_dtypes.bfloat16:
        found.code = _BFLOAT
    return capsule


class _Claim:
    """Has an array interface, and keeps the memory."""

    def __init__(self, array: Any, dtype: np.dtype) -> None:
        self.owner = array.owner
        self.__array_interface__ = {
            "version": 3,
            "shape": array.shape,
            "typestr": dtype.str,
            "data": (array.address, False),
        }


def _claimed(array: Any) -> np.ndarray:
    """An ndarray with the address of a device's array; bfloat16 as uint16."""
    narrow = array.dtype == ml_dtypes.bfloat16
    return np.asarray(_Claim(array, np.dtype(np.uint16) if narrow else array.dtype))


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
    dtype = ml_dtypes.bfloat16 if source.narrow else as_dtype(array.dtype).numpy
    found = device.foreign(
        array.ctypes.data, array.shape, np.dtype(dtype), _Imported(array, device)
    )
    return wrap(found if copy is False else device.duplicate(found))


def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule of a copy of the elements, to be consumed once.

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

    The elements are copied, except those of a tensor, which nobody changes. With `copy=False` the
    memory is shared, and must not be changed any more; a ValueError says where that cannot be.

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
    if source.narrow:
        array = array.view(ml_dtypes.bfloat16)
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
    found = _described(given)
    return CPU if found is None else (found.device_type, found.device_id)


class _Source:
    """What NumPy takes a capsule from: one that is given, or that an object gives."""

    def __init__(self, given: Any, device: Any = None) -> None:
        self.given = given
        self.device = device  # a GPU: what is there is shown as if it were the host's
        self.narrow = False  # whether it is bfloat16, shown to NumPy as uint16

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.given
        if type(capsule).__name__ != "PyCapsule":
            if self.device is not None:
                options = {"stream": self.device.driver.stream or 1, "max_version": (1, 0)}
            try:
                capsule = self.given.__dlpack__(**options)
            except TypeError:  # a producer of the old protocol, which takes `stream` alone
                capsule = self.given.__dlpack__()
        found = _described(capsule)
        if found is not None and (found.code, found.bits, found.lanes) == (_BFLOAT, 16, 1):
            self.narrow = True
            found.code = _UINT
        if found is not None and self.device is not None:
            found.device_type, found.device_id = CPU
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        if self.device is None and hasattr(self.given, "__dlpack_device__"):
            return self.given.__dlpack_device__()
        return CPU  # NumPy takes what is in the memory of the CPU, and refuses all else
