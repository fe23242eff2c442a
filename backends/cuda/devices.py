"""The GPUs of this process, found at the first question."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from . import driver
from .device import Device
from .driver import Driver, NoDriver

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


def find() -> Sequence[Callable[[], Driver]]:
    """What opens each GPU; raises NoDriver, with the reason, where there is none."""
    words = driver.mode()
    if words in ([], ["named"]):
        from . import pycuda_driver

        return pycuda_driver.find()
    if words[0] == "emulate":
        from . import emulated_driver

        return emulated_driver.find(words[1:])
    if words[0] in ("off", "0", "none"):
        raise NoDriver("TFC_CUDA says that none is used")
    raise NoDriver(f"TFC_CUDA={','.join(words)!r} is not known: named, emulate or off")
