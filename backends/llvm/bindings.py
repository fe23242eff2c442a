"""LLVM's library where there is memory for what it does, and llvmlite's own way to it.

LLVM ends the process where it gets no memory, from any depth. So before it is asked for something,
as much memory as it may want is taken and given back; where that fails, it is a MemoryError, and
LLVM is not asked. That closes the way for limits on address space (RLIMIT_AS, Windows' jobs): what
another thread takes meanwhile, and what a control group allows (which kills), cannot be told.
"""

from __future__ import annotations

import mmap  # (here: it cannot be loaded where there is no memory)
import os
import sys
from typing import Any

LOADING_BYTES = 384 << 20  # the library, twice as large as it is now
WORKING_BYTES = 64 << 20  # for a small module; what it frees, it uses again
BYTES_A_CHARACTER = 400  # of a module's text: instructions, and what passes know of them


def reserve(characters: int = 0, *, least: int = WORKING_BYTES) -> None:
    """Raise MemoryError unless there is memory to compile a text of so many characters."""
    size = max(least, characters * BYTES_A_CHARACTER)
    private: dict[str, Any] = {}
    if os.name == "posix":
        private["flags"] = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    try:
        mmap.mmap(-1, size, **private).close()  # shared memory would be a file of the system's
    except OSError:
        raise MemoryError(f"LLVM needs up to {size >> 20} MiB to compile") from None


def llvm() -> Any:
    """The module `llvmlite.binding`, loaded when it is first asked for."""
    if "llvmlite.binding" not in sys.modules:
        reserve(least=LOADING_BYTES)
    import llvmlite.binding

    return llvmlite.binding


def version() -> str:
    """That of llvmlite."""
    if "llvmlite" not in sys.modules:
        reserve()
    import llvmlite

    return str(llvmlite.__version__)
