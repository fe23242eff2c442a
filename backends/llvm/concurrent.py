"""Several modules compiled at once, by as many threads.

LLVM asks only that threads have contexts and code generators of their own: so the threads here
have these (see library.py), and wait for nobody; Python goes on meanwhile, too.

LLVM's switches are those of the process: all modules are compiled under the same ones.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

from ..threads import start
from . import bindings, compiler


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
    try:
        made: bytes = generator.emit(text)
        return made
    except RuntimeError as error:
        raise compiler.InternalError(compiler.explain(str(error), text)) from None
