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

from .tensor import Held, Tensor, Variable, wrap

__all__ = ["from_dlpack", "to_dlpack"]

CPU = (1, 0)
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


class _Source:
    """What NumPy takes a capsule from: one that is given, or that an object gives."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self.narrow = False  # whether it is bfloat16, shown to NumPy as uint16

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.given
        if type(capsule).__name__ != "PyCapsule":
            try:
                capsule = self.given.__dlpack__(**options)
            except TypeError:  # a producer of the old protocol, which takes `stream` alone
                capsule = self.given.__dlpack__()
        found = _described(capsule)
        if found is not None and (found.code, found.bits, found.lanes) == (_BFLOAT, 16, 1):
            self.narrow = True
            found.code = _UINT
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        if hasattr(self.given, "__dlpack_device__"):
            return self.given.__dlpack_device__()
        return CPU  # NumPy takes what is in the memory of the CPU, and refuses all else
