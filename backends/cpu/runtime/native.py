"""The runtime's native half, as LLVM text: memory pool, array plumbing, dispatch.

This module is compiled once (then it comes from the disk cache) and never unloaded, since arrays
in users' hands are freed by it. What it defines with the prefix `tfc_` is what generated entry
code calls, so that an entry is little more than calls and tables.

All of it runs while the interpreter lock is held; nothing here is locked otherwise.

Tables that entries hand over:
    input   { ptr descriptor, ptr extents, i64 rank }    extent -1: any
    result  { ptr descriptor, i64 rank, i64 itemsize, i64 mode, i64 source, i64 update }
            mode: 0 fresh memory, 1 share the source's, 2 share it if nobody else can see it,
            3 allocated by the program, when it knows how large it is
            update: the captured object that gets the new array, or -1 to return it
"""

from __future__ import annotations

import sys

from . import python_abi, thread_pool
from .dynamic_results import LATE as LATE_RESULTS
from .memory_pool import POOL
from .native_arrays import ARRAYS
from .native_calls import CALLS
from .state import INLINE_BYTES, STATE

FRESH, ALIAS, DONATE, LATE = 0, 1, 2, 3
# Without unwind tables linking is a third faster; vector registers gain nothing here.
ATTRIBUTES = "nounwind noimplicitfloat"
# Functions that few calls need, or that run once for what takes longer: compiling them well would
# take more time than it gains. The others run for each call, argument, result or Variable.
RARE = {
    "adopted",
    "class_of",
    "class_size",
    "crew_adopt",
    "crew_avoid",
    "crew_main",
    "crew_return",
    "crew_start",
    "crew_work",
    "drop_head",
    "exchange",
    "free_adopted",
    "free_capsule",
    "make_room",
    "new_block",
    "tfc_adopt",
    "tfc_block_alloc",
    "tfc_block_free",
    "tfc_fail",
    "tfc_give",
    "tfc_overwriting",
    "tfc_parallel",
    "tfc_pool_alloc",
    "tfc_pool_free",
    "tfc_pool_state",
    "tfc_pool_trim",
    "tfc_scalar",
    "tfc_take",
    "tfc_threads_limit",
    "tfc_threads_started",
    "trim_kept",
    "wait",
}
BIN_COUNT = 144  # 4 per power of two, blocks from 4 KiB to 2^47 bytes
KEPT_COUNT = 4 * BIN_COUNT
SMALL_BLOCK = 64 << 10  # blocks of programs up to this size are not kept

_HOLDING = """
; ---- references -------------------------------------------------------------------------------
; INCREF, DECREF and XDECREF (where null is allowed) are macros, see `_expand`.

define void @tfc_hold(ptr %objects, i64 %count) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %body ]
  %over = icmp uge i64 %i, %count
  br i1 %over, label %done, label %body
body:
  %at = getelementptr ptr, ptr %objects, i64 %i
  %object = load ptr, ptr %at
  INCREF %object
  %i.1 = add i64 %i, 1
  br label %next
done:
  ret void
}

define void @tfc_drop(ptr %objects, i64 %count) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %dropped ]
  %over = icmp uge i64 %i, %count
  br i1 %over, label %done, label %body
body:
  %at = getelementptr ptr, ptr %objects, i64 %i
  %object = load ptr, ptr %at
  XDECREF %object
  br label %dropped
dropped:
  %i.1 = add i64 %i, 1
  br label %next
done:
  ret void
}
"""

_DECLARATIONS = """
@tfc_types = external global [3 x ptr]
@tfc_active = external global i32
@tfc_miss = external global i8
@PyArray_Type = external global i8
@PyCapsule_Type = external global i8
@PyLong_Type = external global i8
@Py_None = external global i8
@Py_MemoryError = external global i8
@Py_SystemError = external global i8
declare ptr @PyArray_NewFromDescr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)
declare i32 @PyArray_SetBaseObject(ptr, ptr)
declare ptr @PyCapsule_GetContext(ptr)
declare ptr @PyCapsule_GetDestructor(ptr)
declare ptr @PyCapsule_GetPointer(ptr, ptr)
declare ptr @PyCapsule_New(ptr, ptr, ptr)
declare i32 @PyCapsule_SetContext(ptr, ptr)
declare void @PyErr_Clear()
declare i32 @PyErr_ExceptionMatches(ptr)
declare ptr @PyErr_NoMemory()
declare void @PyErr_SetString(ptr, ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyTuple_New(i64)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @_Py_Dealloc(ptr)
declare i32 @usleep(i32)
"""

_MESSAGES = {
    "clash.text": "a result that shares memory has another number of elements than its source",
    "silent.text": "the error handler of a failed function raised no error",
}

_INCREF = """
  %c# = load i64, ptr $object
  %d# = add i64 %c#, 1
  store i64 %d#, ptr $object
"""
_DECREF = """
  %c# = load i64, ptr $object
  %d# = sub i64 %c#, 1
  store i64 %d#, ptr $object
  %z# = icmp eq i64 %d#, 0
  br i1 %z#, label %dead#, label %alive#
dead#:
  call void @_Py_Dealloc(ptr $object)
  br label %alive#
alive#:
"""

# From Python 3.12 on, a count whose low half is negative belongs to an immortal object.
_INCREF_IMMORTAL = """
  %c# = load i32, ptr $object
  %s# = lshr i32 %c#, 31
  %o# = xor i32 %s#, 1
  %d# = add i32 %c#, %o#
  store i32 %d#, ptr $object
"""
_DECREF_IMMORTAL = """
  %c# = load i32, ptr $object
  %i# = icmp slt i32 %c#, 0
  br i1 %i#, label %alive#, label %mortal#
mortal#:
  %d# = sub i32 %c#, 1
  store i32 %d#, ptr $object
  %z# = icmp eq i32 %d#, 0
  br i1 %z#, label %dead#, label %alive#
dead#:
  call void @_Py_Dealloc(ptr $object)
  br label %alive#
alive#:
"""

_UNLESS_NULL = """
  %n# = icmp eq ptr $object, null
  br i1 %n#, label %alive#, label %held#
held#:"""


def _expand(text: str) -> str:
    """`text` with attributes on its functions and its reference macros written out.

    A block that drops a reference ends there, so no phi may name it as a predecessor.
    """
    drop = _DECREF_IMMORTAL if python_abi.IMMORTAL else _DECREF
    macros = {
        "INCREF": _INCREF_IMMORTAL if python_abi.IMMORTAL else _INCREF,
        "DECREF": drop,
        "XDECREF": _UNLESS_NULL + drop,
    }
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("define "):
            name = line.partition("@")[2].partition("(")[0]
            rare = " noinline optnone" if name in RARE else ""
            lines[number] = line.replace(") {", f") {ATTRIBUTES}{rare} {{")
        macro, _, operand = line.strip().partition(" ")
        if macro in macros:
            body = macros[macro].strip("\n").replace("#", f"..{number}")
            lines[number] = body.replace("$object", operand)
    return "\n".join(lines)


_MADV_HUGEPAGE = "  %advised = call i32 @madvise(ptr %block, i64 %bytes, i32 14)"


def text() -> str:
    """The module's LLVM text, for this version of Python and this operating system."""
    names = {name.upper(): str(index) for index, name in enumerate(STATE)}
    names |= {
        "ADVISE": _MADV_HUGEPAGE if sys.platform == "linux" else "",
        "ALIAS": str(ALIAS),
        "ARRAY_FLAGS": str(python_abi.C_CONTIGUOUS | python_abi.ALIGNED | python_abi.WRITEABLE),
        "BIN_COUNT": str(BIN_COUNT),
        "DONATE": str(DONATE),
        "DENSE": str(python_abi.C_CONTIGUOUS | python_abi.ALIGNED),
        "FIRST_CAPTURE": str(python_abi.TUPLE_ITEMS + 8),
        "FIRST_ENTRY": "2",
        "FRESH": str(FRESH),
        "INLINE_BYTES": str(INLINE_BYTES),
        "INLINE_ELEMENTS": str(INLINE_BYTES // 4),
        "KEPT_COUNT": str(KEPT_COUNT),
        "LATE": str(LATE),
        "SMALL_BLOCK": str(SMALL_BLOCK),
        "STATE_COUNT": str(len(STATE)),
    }
    names |= {name: str(value) for name, value in vars(python_abi).items() if name.isupper()}
    parts = (POOL, _HOLDING, ARRAYS, LATE_RESULTS, CALLS, thread_pool.text(), _DECLARATIONS)
    body = _expand("".join(parts))
    for name in sorted(names, key=len, reverse=True):  # a name may begin with a shorter one
        body = body.replace("$" + name, names[name])
    messages = [
        f'@{name} = private constant [{len(message) + 6} x i8] c"tfc: {message}\\00"\n'
        for name, message in _MESSAGES.items()
    ]
    return body + "".join(messages)


# What entry code may call; `entry_text` declares what it uses.
DECLARATIONS = {
    "PyErr_NoMemory": "declare ptr @PyErr_NoMemory()",
    "PyEval_RestoreThread": "declare void @PyEval_RestoreThread(ptr)",
    "PyEval_SaveThread": "declare ptr @PyEval_SaveThread()",
    "tfc_adopt": "declare i32 @tfc_adopt(ptr, i64, ptr, ptr, ptr)",
    "tfc_answer": "declare ptr @tfc_answer(i64)",
    "tfc_block_alloc": "declare ptr @tfc_block_alloc(i64)",
    "tfc_block_free": "declare void @tfc_block_free(ptr)",
    "tfc_drop": "declare void @tfc_drop(ptr, i64)",
    "tfc_fail": "declare ptr @tfc_fail(ptr, i32, ptr)",
    "tfc_fetch": "declare i32 @tfc_fetch(ptr, i64, ptr, ptr, ptr)",
    "tfc_fill": "declare void @tfc_fill(ptr, ptr, i64, ptr, i64, ptr)",
    "tfc_finish": "declare ptr @tfc_finish(ptr, ptr, i64, ptr, i64)",
    "tfc_give": "declare void @tfc_give(ptr, ptr, i64, ptr, ptr)",
    "tfc_hold": "declare void @tfc_hold(ptr, i64)",
    "tfc_make": "declare i32 @tfc_make(ptr, i64, ptr, ptr, ptr, ptr)",
    "tfc_missed": "declare ptr @tfc_missed()",
    "tfc_new_array": "declare ptr @tfc_new_array(ptr, ptr, i64, i64)",
    "tfc_parallel": "declare void @tfc_parallel(ptr, ptr, i64, i64)",
    "tfc_pool_alloc": "declare ptr @tfc_pool_alloc(i64)",
    "tfc_pool_free": "declare void @tfc_pool_free(ptr, i64)",
    "tfc_scalar": "declare i64 @tfc_scalar(ptr)",
    "tfc_take": "declare void @tfc_take(ptr, ptr, i64, ptr, ptr)",
    "tfc_wrap": "declare ptr @tfc_wrap(ptr)",
}
