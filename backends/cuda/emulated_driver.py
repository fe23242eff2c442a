"""A driver whose GPU is the emulator (emulator/): final PTX text, run on the CPU.

It watches every allocation, so memory is not pooled (but with the word `pooled`), and is filled
with 0xFF when it is allocated: as floats that is nan, as indices far away.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from .driver import DeviceError, Driver, Grid, NoDriver
from .emulator import EmulationError, Emulator, Order

_ORDERS = ("forward", "reversed", "random")
POISON = 0xFF


def find(words: Sequence[str]) -> Sequence[Callable[[], Driver]]:
    """What opens the one emulated GPU."""
    order: Order = "forward"
    seed, pooled, count = 0, False, 1
    for word in words:
        if word in _ORDERS:
            order = cast("Order", word)
        elif word.isdigit():
            seed = int(word)
        elif word == "pooled":
            pooled = True
        elif word == "two":
            count = 2
        elif word != "default":  # see driver.by_default
            raise NoDriver(f"TFC_CUDA=emulate does not know {word!r}")
    return [lambda: EmulatedDriver(order, seed, pooled)] * count


class _Moment:
    def __init__(self) -> None:
        self.time = time.perf_counter()

    def wait(self) -> None:
        pass

    def since(self, other: Any) -> float:
        return 1e3 * (self.time - float(other.time))


class _Replay:
    """Work that was captured."""

    def __init__(self) -> None:
        self.work: list[Callable[[], None]] = []

    def launch(self) -> None:
        for call in self.work:
            call()


class EmulatedDriver:
    """See `Driver`; all is done when a method returns."""

    capability = (9, 0)
    memory = 8 << 30
    stream = 0
    captures = True

    def __init__(self, order: Order, seed: int, pooled: bool) -> None:
        self.name = "tfc's emulator of PTX"
        self.exact = not pooled
        self.emulator = Emulator(order=order, seed=seed)
        self.launches = 0  # how many there were, for tests
        self._sizes: dict[int, int] = {}
        self._used = 0
        self._capturing: _Replay | None = None

    def activate(self) -> None:
        pass

    def allocate(self, size: int) -> int:
        if self._used + size > self.memory:
            raise MemoryError(f"{size} bytes")
        address = int(self.emulator.allocate(size))
        self.emulator.fill(address, POISON, size)
        self._sizes[address] = size
        self._used += size
        return address

    def free(self, address: int) -> None:
        self._used -= self._sizes.pop(address)
        self.emulator.free(address)

    def upload(self, address: int, array: np.ndarray[Any, Any]) -> None:
        self._immediate("upload")
        self.emulator.write(address, array.tobytes())

    def download(self, address: int, array: np.ndarray[Any, Any]) -> None:
        self._immediate("download")
        raw = np.frombuffer(self.emulator.read(address, array.nbytes), np.uint8)
        array.reshape(-1).view(np.uint8)[:] = raw

    def copy(self, to: int, source: int, size: int) -> None:
        def work() -> None:
            self.emulator.write(to, self.emulator.read(source, size))

        self._enqueue(work)

    def fill(self, address: int, byte: int, size: int) -> None:
        self._enqueue(lambda: self.emulator.fill(address, byte, size))

    def load(self, ptx: str) -> Any:
        try:
            return self.emulator.load(ptx)
        except EmulationError as error:
            raise DeviceError(str(error)) from error

    def function(self, module: Any, name: str, shared: int) -> Any:
        return module.function(name)

    def launch(
        self, function: Any, grid: Grid, threads: int, parameters: bytes, shared: int
    ) -> None:
        def work() -> None:
            self.launches += 1
            try:
                self.emulator.launch(
                    function, grid=grid, block=(threads, 1, 1), parameters=parameters, shared=shared
                )
            except (EmulationError, ValueError) as error:  # faults, and what cannot be launched
                raise DeviceError(str(error)) from error

        self._enqueue(work)

    def synchronize(self) -> None:
        self._immediate("synchronize")

    def event(self) -> _Moment:
        return _Moment()

    def capture(self, work: Callable[[], None]) -> _Replay:
        self._capturing = replay = _Replay()
        try:
            work()
        finally:
            self._capturing = None
        return replay

    def order(self, stream: int, before: bool) -> None:
        pass  # nothing is ever left to be done

    def _enqueue(self, work: Callable[[], None]) -> None:
        if self._capturing is not None:
            self._capturing.work.append(work)
        else:
            work()

    def _immediate(self, what: str) -> None:
        if self._capturing is not None:
            raise DeviceError(f"{what}: a graph cannot hold this")
