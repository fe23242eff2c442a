"""One GPU as programs and tensors see it: memory, copies, modules, the record of errors."""

from __future__ import annotations

import math
import os
import struct
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from .driver import DeviceError, Driver
from .memory import DeviceArray, Pool
from .ptx import processor

RECORD = struct.Struct("=iiqq")  # of a failed check: its site, nothing, two values
FLAG = 32  # behind it, the place for a bool that the host wants to know
_BYTES = 48


Failure = tuple[int, int, int]


_opened: weakref.WeakSet[Device] = weakref.WeakSet()


class _Lost:
    """The driver in the child of a fork, which CUDA does not survive."""

    def __getattr__(self, name: str) -> Any:
        raise DeviceError("a GPU cannot be used in a forked process: start it anew (spawn)")


def _after_fork() -> None:
    for device in _opened:
        device._driver = _Lost()
        device._pool.lost = True
        device.lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Device:
    """The GPU of this number. It is opened at its first use."""

    def __init__(self, index: int, opener: Callable[[], Driver]) -> None:
        self.index = index
        self.name = f"/job:localhost/replica:0/task:0/device:GPU:{index}"
        self.lock = threading.RLock()  # held while a program's work is enqueued
        self._opener = opener
        self._driver: Driver | None = None
        self._processor = ""
        self._modules: dict[str, Any] = {}
        self._mirrors: dict[int, tuple[Any, DeviceArray]] = {}

    @property
    def driver(self) -> Driver:
        """What talks to it."""
        if self._driver is None:
            with self.lock:
                if self._driver is None:
                    driver = self._opener()
                    self._pool = Pool(driver)
                    self._record = self._pool.allocate(_BYTES)
                    driver.fill(self._record.address, 0, _BYTES)
                    self._processor = processor(driver.capability)
                    self._driver = driver
                    _opened.add(self)
        return self._driver

    @property
    def pool(self) -> Pool:
        """Its memory."""
        assert self.driver
        return self._pool

    @property
    def is_open(self) -> bool:
        """Whether anything has used it."""
        return self._driver is not None

    @property
    def processor(self) -> str:
        """What its kernels are compiled for."""
        assert self.driver
        return self._processor

    @property
    def has_warpgroups(self) -> bool:
        """Whether its tensor cores read shared memory: Hopper's do so by wgmma, later ones not."""
        return tuple(self.driver.capability) == (9, 0)

    # Arrays.

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> DeviceArray:
        """An array that is not filled yet."""
        block = self.pool.allocate(math.prod(shape) * dtype.itemsize)
        return DeviceArray(shape, dtype, block.address, block, self)

    def upload(self, array: np.ndarray[Any, Any]) -> DeviceArray:
        """A copy of an array of the host's."""
        found = self.empty(array.shape, array.dtype)
        if array.nbytes:
            self.driver.upload(found.address, np.ascontiguousarray(array))
        return found

    def mirror(self, array: np.ndarray[Any, Any]) -> DeviceArray:
        """The copy of an array that nobody changes, made once as long as it lives."""
        known = self._mirrors.get(id(array))
        if known is not None and known[0]() is array:
            return known[1]
        return self.remember(array, self.upload(array))

    def remember(self, array: np.ndarray[Any, Any], copy: DeviceArray) -> DeviceArray:
        """Let `copy` be the mirror of `array`."""
        key, mirrors = id(array), self._mirrors

        def forget(reference: Any) -> None:
            if key in mirrors and mirrors[key][0] is reference:
                del mirrors[key]

        mirrors[key] = (weakref.ref(array, forget), copy)
        return copy

    def here(self, array: Any) -> DeviceArray:
        """An array, wherever it is, on this device."""
        if type(array) is DeviceArray:
            if array.device is self:
                return array
            return self.upload(array.numpy())
        return self.mirror(array)

    def download(self, array: DeviceArray) -> np.ndarray[Any, Any]:
        """A copy on the host."""
        found: np.ndarray[Any, Any] = np.empty(array.shape, array.dtype)
        if found.nbytes:
            self.driver.download(array.address, found)
        return found

    def duplicate(self, array: DeviceArray) -> DeviceArray:
        """A copy on the device."""
        found = self.empty(array.shape, array.dtype)
        if array.nbytes:
            self.driver.copy(found.address, array.address, array.nbytes)
        return found

    def foreign(
        self, address: int, shape: tuple[int, ...], dtype: np.dtype[Any], owner: object
    ) -> DeviceArray:
        """An array in another library's memory, which `owner` keeps."""
        return DeviceArray(shape, dtype, address, owner, self)

    # Errors of kernels.

    @property
    def record(self) -> int:
        """The address where kernels write the first check that fails."""
        return self._record.address

    @property
    def flag(self) -> int:
        """The address where a kernel leaves a bool for `read_flag`."""
        return self._record.address + FLAG

    def failure(self) -> Failure | None:
        """The site and values of the check that failed since the last time; waits for kernels."""
        return self.read_flag()[1]

    def read_flag(self) -> tuple[bool, Failure | None]:
        """The bool, and what `failure` gives."""
        raw = np.empty(_BYTES, np.uint8)
        self.driver.download(self._record.address, raw)
        site, _, first, second = RECORD.unpack(raw[: RECORD.size].tobytes())
        if not site:
            return bool(raw[FLAG]), None
        self.driver.fill(self._record.address, 0, RECORD.size)
        return False, (site, first, second)

    # Code.

    def module(self, ptx: str) -> Any:
        """The loaded module of this text."""
        found = self._modules.get(ptx)
        if found is None:
            found = self._modules[ptx] = self.driver.load(ptx)
        return found

    def __repr__(self) -> str:
        return f"<Device {self.name}>"
