"""The C interfaces of CPython and NumPy, as native code sees them: layouts and addresses.

The entry code reads objects directly (an attribute look-up costs more than a small kernel), so
the few offsets that it relies on stand here, and `verify` checks each of them against real
objects before any native code runs. Functions and objects are handed to native code as symbols.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from functools import cache
from typing import Any

import numpy as np

from tfc.ir import dtypes

# PyObject, PyBytesObject, PyListObject, PyTupleObject, PyCFunctionObject, PyMethodDef
TYPE = 8
BYTES_SIZE, BYTES_CONTENTS = 16, bytes.__basicsize__ - 1  # without the zero at the end
LIST_SIZE, LIST_ITEMS = 16, 24
TUPLE_ITEMS = tuple.__basicsize__  # Python 3.14 put a cached hash before the items
FUNCTION_METHOD, FUNCTION_SELF = 16, 24
METHOD_FUNCTION = 8
METH_FASTCALL = 0x80

# PyArrayObject_fields
DATA, RANK, DIMS, BASE, DESCR, FLAGS = 16, 24, 32, 48, 56, 64
C_CONTIGUOUS, OWNDATA, ALIGNED, WRITEABLE = 0x1, 0x4, 0x100, 0x400

IMMORTAL = sys.version_info >= (3, 12)  # a negative low half of the count means "not counted"

_NUMPY_TYPE, _NUMPY_NEW, _NUMPY_SET_BASE = 2, 94, 282  # in NumPy's table of C functions

_FUNCTIONS = (
    "PyCapsule_GetContext",
    "PyCapsule_GetDestructor",
    "PyCapsule_GetPointer",
    "PyCapsule_New",
    "PyCapsule_SetContext",
    "PyContextVar_Get",
    "PyContextVar_Set",
    "PyErr_Clear",
    "PyErr_ExceptionMatches",
    "PyErr_NoMemory",
    "PyErr_SetString",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyGILState_Ensure",
    "PyGILState_Release",
    "PyLong_AsLongLongAndOverflow",
    "PyList_SetSlice",
    "PyLong_FromLongLong",
    "PyObject_Vectorcall",
    "PyObject_VectorcallMethod",
    "PyTuple_New",
    "PyType_GenericAlloc",
    "_Py_Dealloc",
)


def _word(address: int) -> int:
    return ctypes.c_ssize_t.from_address(address).value


def bytes_address(data: bytes) -> int:
    """Where the contents of `data` lie; they stay there as long as the object lives."""
    address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value
    assert address is not None
    return address


@cache
def symbols() -> dict[str, int]:
    """Addresses of the functions, types and descriptors that native code refers to."""
    verify()
    addresses = {}
    for name in _FUNCTIONS:
        address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
        assert address is not None
        addresses[name] = address
    table = _numpy_table()
    addresses["PyArray_Type"] = _word(table + 8 * _NUMPY_TYPE)
    addresses["PyArray_NewFromDescr"] = _word(table + 8 * _NUMPY_NEW)
    addresses["PyArray_SetBaseObject"] = _word(table + 8 * _NUMPY_SET_BASE)
    addresses["PyCapsule_Type"] = _word(id(_numpy_capsule()) + TYPE)
    addresses["PyLong_Type"] = id(int)
    addresses["Py_None"] = id(None)
    addresses["Py_MemoryError"] = id(MemoryError)
    addresses["Py_SystemError"] = id(SystemError)
    for dtype in (*dtypes.ALL, dtypes.string):
        addresses[descriptor(dtype)] = id(dtype.numpy)
    return addresses


def descriptor(dtype: dtypes.DType) -> str:
    """The symbol of `dtype`'s NumPy descriptor, which is one object per process."""
    return f"tfc_descr_{dtype.short}"


def _numpy_capsule() -> object:
    from numpy._core import _multiarray_umath  # type: ignore[attr-defined]

    capsule: object = _multiarray_umath._ARRAY_API
    return capsule


def _numpy_table() -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = get(_numpy_capsule(), None)
    assert isinstance(address, int)
    return address


def _has_no_lock() -> bool:
    import sysconfig  # reads a large table

    return bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def verify() -> None:
    """Raise ImportError unless every layout that native code relies on is as expected."""
    if sys.version_info >= (3, 13) and _has_no_lock():
        raise ImportError("tfc needs a Python build with the global interpreter lock")
    if struct.calcsize("P") != 8 or sys.byteorder != "little":
        raise ImportError("tfc needs a 64-bit little-endian platform")

    array = np.zeros((3, 5), np.float32)
    view = array[1:]
    at, view_at = id(array), id(view)
    dims = _word(at + DIMS)
    pair = (array, view)
    items = [array, view]
    text = b"abc"
    function: Any = len
    method = _word(id(function) + FUNCTION_METHOD)
    checks = {
        "object type": _word(at + TYPE) == id(np.ndarray),
        "array data": _word(at + DATA) == array.__array_interface__["data"][0],
        "array rank": ctypes.c_int.from_address(at + RANK).value == 2,
        "array extents": (_word(dims), _word(dims + 8)) == (3, 5),
        "array base": _word(at + BASE) == 0 and _word(view_at + BASE) == at,
        "array descriptor": _word(at + DESCR) == id(array.dtype),
        "array flags": ctypes.c_int.from_address(at + FLAGS).value & 0xFFFF == array.flags.num,
        "array type": _word(_numpy_table() + 8 * _NUMPY_TYPE) == id(np.ndarray),
        "bytes": _word(id(text) + BYTES_SIZE) == 3
        and bytes_address(text) == id(text) + BYTES_CONTENTS
        and _word(id(text) + TYPE) == id(bytes),
        "tuple items": _word(id(pair) + TUPLE_ITEMS + 8) == view_at,
        "list size": _word(id(items) + LIST_SIZE) == 2,
        "list items": _word(_word(id(items) + LIST_ITEMS) + 8) == view_at,
        "method name": ctypes.string_at(_word(method)) == b"len",
        "function self": _word(id(function) + FUNCTION_SELF) == id(function.__self__),
    }
    for dtype in (*dtypes.ALL, dtypes.string):
        checks[f"descriptor of {dtype}"] = np.zeros(1, dtype.numpy).dtype is dtype.numpy
    wrong = [name for name, holds in checks.items() if not holds]
    if wrong:
        raise ImportError(
            f"tfc does not know the memory layout of Python {sys.version.split()[0]} with NumPy "
            f"{np.__version__}: {', '.join(wrong)} differ"
        )
