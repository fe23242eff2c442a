"""The GPUs of this process, found at the first question."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from .device import Device
from .driver import NoDriver, find

_found: list[Device] | None = None
_reason = ""
_lock = threading.Lock()


def devices() -> Sequence[Device]:
    """All GPUs; none where there is no driver (`reason` says why)."""
    global _found, _reason
    if _found is None:
        with _lock:
            if _found is None:
                try:
                    openers = find()
                    _reason = "" if openers else "CUDA's driver shows no GPU"
                except NoDriver as error:
                    openers, _reason = [], str(error)
                _found = [Device(i, opener) for i, opener in enumerate(openers)]
    return _found


def reason() -> str:
    """Why there is no GPU; "" where there is one."""
    devices()
    return _reason
