"""DLPack's capsules: their layout in memory, and how tensors go out in them.

NumPy makes and takes the capsules. It does not know bfloat16 and float8, which travel as integers
of their size; the code of the dtype in the capsule's struct is written afterwards (or before NumPy
sees it). The layouts are
those of dlpack.h, https://dmlc.github.io/dlpack/latest/c_api.html.
"""

from __future__ import annotations

import ctypes
from typing import Any

import ml_dtypes
import numpy as np

CPU = (1, 0)
CUDA = 2  # kDLCUDA
UINT = 1  # kDLUInt

# What NumPy does not know: kDLBfloat, kDLFloat8_e4m3fn and kDLFloat8_e5m2, of so many bits.
CODES = {
    np.dtype(ml_dtypes.bfloat16): (4, 16),
    np.dtype(ml_dtypes.float8_e4m3fn): (10, 8),
    np.dtype(ml_dtypes.float8_e5m2): (12, 8),
}
FOREIGN = {code: dtype for dtype, code in CODES.items()}


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


def described(capsule: Any) -> _DLTensor | None:
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
    foreign = CODES.get(array.dtype)
    if foreign is not None:
        array = array.view(f"u{array.itemsize}")
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
    if foreign is not None:
        found = described(capsule)
        assert found is not None
        found.code = foreign[0]
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
    found = described(capsule)
    assert found is not None
    found.device_type, found.device_id = own
    if array.dtype in CODES:
        found.code = CODES[array.dtype][0]
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
    """An ndarray with the address of a device's array; what NumPy does not know as integers."""
    dtype = np.dtype(array.dtype)
    return np.asarray(_Claim(array, np.dtype(f"u{dtype.itemsize}") if dtype in CODES else dtype))
