"""What backends bring for ops that a library computes on the host (`ir/ops/host.py`), by name, and
loaded at its first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_loaders: dict[str, Callable[[], Any]] = {}


def provide(name: str, load: Callable[[], Any]) -> None:
    """From now on, what is called `name` is what `load` gives."""
    _loaders[name] = load


def provided(name: str, otherwise: Any) -> Any:
    """What is called so, or `otherwise` where nobody brought it."""
    load = _loaders.get(name)
    return otherwise if load is None else load()
