"""LLVM itself, for all machines: a module's text in, its object code or assembly out.

What is inside LLVM holds `lock`: when another thread forks, nobody is (see backends/forks.py).
"""

from __future__ import annotations

import re
import threading
from typing import Any

from .. import forks
from . import bindings, library

lock = forks.whole(threading.RLock())


class InternalError(RuntimeError):
    """The compiler produced code that LLVM rejects: a bug in the compiler, never in its input."""


def assembly(text: str, generator: Any, triple: str = "") -> str:
    """The assembly of the module `text` for the processor of `generator`; `triple` names one that
    is not the host's."""
    with lock:
        return str(emit(text, "emit_assembly", generator, triple))


def emit(text: str, method: str, generator: Any, triple: str = "") -> Any:
    """What `generator` makes of the module `text` by one of its methods, `emit_object` or
    `emit_assembly`. Whoever asks holds the lock. Raises MemoryError where memory is short."""
    bindings.reserve(len(text))
    try:
        if method == "emit_object":
            return generator.emit(text, triple=triple)
        return generator.emit(text, assembly=True, triple=triple).decode()
    except RuntimeError as error:
        raise InternalError(explain(str(error), text)) from None


def explain(message: str, text: str) -> str:
    """LLVM's message with the numbered lines of `text` around the place that it speaks of."""
    lines = text.splitlines()
    place = re.search(r"<string>:(\d+):\d+", message)
    first, last = 1, min(len(lines), 60)
    if place:
        first, last = max(1, int(place[1]) - 6), min(len(lines), int(place[1]) + 4)
    else:
        # The verifier quotes the instruction but not its line.
        quoted = [line.strip() for line in message.splitlines() if line.startswith("  ")]
        for number, line in enumerate(lines, 1):
            if line.strip() and any(line.split(";")[0].strip() == q for q in quoted):
                first, last = max(1, number - 6), min(len(lines), number + 4)
                break
    shown = "\n".join(f"{n:5} | {lines[n - 1]}" for n in range(first, last + 1))
    return f"LLVM rejected generated code: {message.strip()}\n{shown}"


def versions() -> str:
    """Which LLVM this is, as a part of names in caches."""
    return bindings.version() + "/" + ".".join(map(str, library.version()))
