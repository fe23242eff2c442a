"""Several modules compiled at once, by as many threads.

llvmlite lets one thread at a time into LLVM. LLVM itself asks only that threads have contexts and
code generators of their own. So the threads here have these, and call the library by a handle of
its own, which knows no lock; Python goes on meanwhile, too.

LLVM's switches are those of the process: all modules are compiled under the same ones.
"""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from collections.abc import Sequence
from functools import cache
from typing import Any

from ..threads import start
from . import bindings, compiler

# Functions of the library: what they return, and what they take.
_WORD, _TEXT, _SIZE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "ContextCreate": (_WORD, ()),
    "ContextDispose": (None, (_WORD,)),
    "ParseAssembly": (_WORD, (_WORD, _TEXT, _WORD)),
    "VerifyModule": (ctypes.c_bool, (_WORD, _WORD)),
    "TargetMachineEmitToMemory": (_WORD, (_WORD, _WORD, ctypes.c_int, _WORD)),
    "GetBufferStart": (_WORD, (_WORD,)),
    "GetBufferSize": (_SIZE, (_WORD,)),
    "DisposeMemoryBuffer": (None, (_WORD,)),
    "DisposeModule": (None, (_WORD,)),
    "DisposeString": (None, (_WORD,)),
}


def objects(texts: Sequence[str], generators: Sequence[Any]) -> list[bytes]:
    """The object files of modules. There are as many threads as `generators`, which differ; the
    caller's is one of them, and it holds `compiler.lock`. Raises what `compiler.emit` raises."""
    bindings.reserve(sum(map(len, texts)))
    made: dict[int, bytes] = {}
    errors: list[BaseException] = []
    waiting = deque(sorted(range(len(texts)), key=lambda i: len(texts[i]), reverse=True))

    def work(generator: Any) -> None:
        while waiting and not errors:
            try:
                i = waiting.popleft()
            except IndexError:  # another thread took the last one
                return
            try:
                made[i] = _object(texts[i], generator)
            except BaseException as error:
                errors.append(error)

    first, *others = generators
    threads = [threading.Thread(target=work, args=(one,), daemon=True) for one in others]
    try:
        for thread in threads:
            start(thread)
    except RuntimeError:  # the system has no more threads: fewer do the work
        pass
    except BaseException as error:
        errors.append(error)
    work(first)
    for thread in threads:
        _ended(thread, errors)
    if errors:
        raise errors[0]
    return [made[i] for i in range(len(texts))]


def _ended(thread: threading.Thread, errors: list[BaseException]) -> None:
    """Wait for a thread, also where this one is interrupted: nobody is inside LLVM afterwards."""
    while thread.is_alive():
        try:
            thread.join()
        except BaseException as error:
            errors.append(error)


def _object(text: str, generator: Any) -> bytes:
    """What one thread makes of one module."""
    f = _library()
    context = f.ContextCreate()
    module = None
    try:
        message = _WORD()
        module = f.ParseAssembly(context, text.encode(), ctypes.byref(message))
        said = _taken(message)
        if not module or said:
            raise _rejected(said, text)
        broken = f.VerifyModule(module, ctypes.byref(message))
        said = _taken(message)
        if broken:
            raise _rejected(said, text)
        buffer = f.TargetMachineEmitToMemory(generator, module, 1, ctypes.byref(message))
        said = _taken(message)
        if not buffer:
            raise _rejected(said, text)
        try:
            return ctypes.string_at(f.GetBufferStart(buffer), f.GetBufferSize(buffer))
        finally:
            f.DisposeMemoryBuffer(buffer)
    finally:
        if module:
            f.DisposeModule(module)
        f.ContextDispose(context)


def _taken(message: ctypes.c_void_p) -> str:
    """The text of a message, which is given back."""
    if not message:
        return ""
    text = ctypes.string_at(message).decode(errors="replace")
    _library().DisposeString(message)
    message.value = None
    return text


def _rejected(message: str, text: str) -> compiler.InternalError:
    return compiler.InternalError(compiler.explain(message, text))


class _Library:
    """The functions of llvmlite's library, without its lock."""

    def __init__(self, path: str) -> None:
        library = ctypes.CDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, f"LLVMPY_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


@cache
def _library() -> _Library:
    return _Library(bindings.llvm().ffi.lib._name)
