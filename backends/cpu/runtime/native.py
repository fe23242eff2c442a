"""The runtime's native half: memory pool, threads, array plumbing, dispatch.

Its source are the C files of this folder. What is loaded is LLVM text that `make runtime` makes of
them (`tools/runtime_text.py`); here it gets the constants of this system and this version of
Python. The text is compiled once (then it comes from the disk cache) and never unloaded, since
arrays in users' hands are freed by it. What it defines with the prefix `tfc_` is what generated
entry code calls, so that an entry is little more than calls and tables.
"""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

from . import python_abi

# Without unwind tables linking is a third faster; vector registers gain nothing here.
ATTRIBUTES = "nounwind noimplicitfloat"

# The records of an entry's tables, as runtime.h has them (`Input`, `Result`), the modes of results,
# and what stands for a call that returns no tuple.
INPUT = "{ ptr, ptr, i64 }"
RESULT = "{ ptr, i64, i64, i64, i64, i64 }"
FRESH, ALIAS, DONATE, LATE = 0, 1, 2, 3
# The same for entries that are tables: the words of one behind the program;
# flags, and what stands in its code for what is no symbol, in shapes for what is no number.
TABLE_NUMBERS = 16
TABLE_INPUT = "{ ptr, i64, i64 }"
CHECKS, DONATES, REQUIRES, VARIES, COMPUTES = (1 << i for i in range(5))
POOLED, SIZED, RELEASES, WORKS, ADOPTS = (1 << i for i in range(5, 10))
QUOTIENT, REMAINDER, POSITIVE, SHIFTED, MASKED, TOO_LARGE = range(-1, -7, -1)
BINDS, CHECKED_LATER = 1, -(2**63)
ARENA_ALIGNMENT = 64
BARE_TENSOR, NOTHING = -1, -2

_FUTEX = {"x86_64": 202, "aarch64": 98}  # the number of Linux's system call
_PAUSE = "call void @llvm.x86.sse2.pause()"


def has_threads() -> bool:
    """Whether this system has what the thread pool is made of."""
    return sys.platform == "linux" and platform.machine() in _FUTEX


def text(*, half: bool = False) -> str:
    """The module's LLVM text, for this version of Python and this system; with conversions of
    float16 where it asks for `half`."""
    units = ["runtime", "thread_pool" if has_threads() else "one_thread"]
    body = _joined(*units, *["half"] * half)
    pause = _PAUSE if platform.machine() == "x86_64" else ""
    names = {
        "COUNT_MASK": str(0xFFFFFFFF if python_abi.IMMORTAL else -1),
        "FUTEX": str(_FUTEX.get(platform.machine(), 0)),
        "HUGE_PAGES": str(int(sys.platform == "linux")),
        "IMMORTAL": str(int(python_abi.IMMORTAL)),
        "SPIN_PAUSE": pause,
        "TUPLE_ITEMS": str(python_abi.TUPLE_ITEMS),
    }
    for name, value in names.items():
        body = body.replace("$" + name, value)
    if pause:
        body += f"{_PAUSE.replace('call', 'declare')}\n"
    return body


def profiling_text() -> str:
    """What the module of a program holds that times its kernels."""
    return _file("profiling")


def records_text() -> str:
    """The module that reads files of records, and the examples in them."""
    return _joined("records", "examples")


def tables_text() -> str:
    """The module of hash tables."""
    return _file("tables")


def fourier_text(dtype: str) -> str:
    """The module of Fourier transforms of `float` or `double`."""
    return _file(f"fourier_{dtype}")


def _joined(*names: str) -> str:
    """The texts of several sources as one, in which what LLVM has is declared once."""
    seen: set[str] = set()
    lines = []
    for line in "".join(map(_file, names)).splitlines(keepends=True):
        if line.startswith("declare ") and line in seen:
            continue
        seen.add(line)
        lines.append(line)
    return "".join(lines)


def _file(name: str) -> str:
    """The text that was made of `name`.c."""
    loader: Any = __spec__.loader  # it may read from an archive
    text: str = loader.get_data(os.path.join(os.path.dirname(__file__), f"{name}.ll")).decode()
    return text


# What entry code may call; `entry_text` declares what it uses.
DECLARATIONS = {
    "PyErr_NoMemory": "declare ptr @PyErr_NoMemory()",
    "PyEval_RestoreThread": "declare void @PyEval_RestoreThread(ptr)",
    "PyEval_SaveThread": "declare ptr @PyEval_SaveThread()",
    "tfc_adopt": "declare i32 @tfc_adopt(ptr, i64, ptr, ptr, ptr)",
    "tfc_answer": "declare ptr @tfc_answer(i64)",
    "tfc_block_alloc": "declare ptr @tfc_block_alloc(i64)",
    "tfc_block_free": "declare void @tfc_block_free(ptr)",
    "tfc_disown": "declare void @tfc_disown(ptr, i64, ptr)",
    "tfc_drop": "declare void @tfc_drop(ptr, i64)",
    "tfc_fail": "declare ptr @tfc_fail(ptr, i32, ptr)",
    "tfc_fetch": "declare i32 @tfc_fetch(ptr, i64, ptr, ptr, ptr)",
    "tfc_fill": "declare void @tfc_fill(ptr, ptr, i64, ptr, i64, ptr)",
    "tfc_finish": "declare ptr @tfc_finish(ptr, ptr, i64, ptr, i64)",
    "tfc_give": "declare void @tfc_give(ptr, ptr, i64, ptr, ptr)",
    "tfc_hold": "declare void @tfc_hold(ptr, i64)",
    "tfc_make": "declare i32 @tfc_make(ptr, i64, ptr, ptr, ptr, ptr)",
    "tfc_look_up": "declare i32 @tfc_look_up(ptr, i32)",
    "tfc_missed": "declare ptr @tfc_missed()",
    "tfc_new_array": "declare ptr @tfc_new_array(ptr, ptr, i64, i64)",
    "tfc_parallel": "declare void @tfc_parallel(ptr, ptr, i64, i64)",
    "tfc_parallel_long": "declare i32 @tfc_parallel_long(ptr, ptr, i64, i64, ptr, ptr)",
    "tfc_pool_alloc": "declare ptr @tfc_pool_alloc(i64)",
    "tfc_pool_free": "declare void @tfc_pool_free(ptr, i64)",
    "tfc_scalar": "declare i64 @tfc_scalar(ptr)",
    "tfc_take": "declare void @tfc_take(ptr, ptr, i64, ptr, ptr)",
    "tfc_wrap": "declare ptr @tfc_wrap(ptr)",
}
