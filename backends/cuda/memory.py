"""Device memory: blocks that go back to their pool by themselves, and arrays in them."""

from __future__ import annotations

import atexit
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from .driver import Driver

if TYPE_CHECKING:
    from .device import Device

_ended = False


@atexit.register
def _end() -> None:
    global _ended
    _ended = True


_BLOCK_BYTES_MIN = 512  # bytes: what the least block takes


def rounded(size: int) -> int:
    """The size of the block for so many bytes: one of eight between powers of two, so that at
    most an eighth is lost."""
    if size <= _BLOCK_BYTES_MIN:
        return _BLOCK_BYTES_MIN
    step = max(1 << (size - 1).bit_length() - 4, _BLOCK_BYTES_MIN)
    return -(-size // step) * step


class Block:
    """Memory of a device. It goes back to the pool with its last reference."""

    __slots__ = ("__weakref__", "_pool", "address", "size")

    def __init__(self, pool: Pool, address: int, size: int) -> None:
        self._pool = pool
        self.address = address
        self.size = size

    def __del__(self) -> None:
        self._pool.give(self.address, self.size)


class Pool:
    """Keeps freed memory for reuse, by size, and gives it back where memory runs out.

    All work of a device is on one stream, so that a block may be used again before the work that
    it was used for is done. Blocks die anywhere, also while this very object is in use: they only
    leave their address, and the next allocation sorts it in.
    """

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.lost = False  # whether this is a forked process, which has no GPU
        self.live = 0  # bytes in use
        self.cached = 0  # and kept
        self.peak = 0
        self._free: dict[int, list[int]] = {}
        self._returned: deque[tuple[int, int]] = deque()
        self._lock = threading.RLock()

    def allocate(self, size: int) -> Block:
        """A block of at least so many bytes; MemoryError where there is no memory."""
        with self._lock:
            if not self.driver.exact:
                return self.take(rounded(size))
            self._collect()
            size = max(size, 1)
            address = self.driver.allocate(size)
            self.live += size
            self.peak = max(self.peak, self.live)
            return Block(self, address, size)

    def take(self, size: int) -> Block:
        """As `allocate`, of a size that `rounded` has given: what calls of programs use."""
        if self.driver.exact:
            return self.allocate(size)
        with self._lock:
            if self._returned:
                self._collect()
            kept = self._free.get(size)
            if kept:
                address = kept.pop()
                self.cached -= size
            else:
                address = self._new(size)
            self.live += size
            if self.live > self.peak:
                self.peak = self.live
        return Block(self, address, size)

    def _new(self, size: int) -> int:
        try:
            return self.driver.allocate(size)
        except MemoryError:
            if not self.trim():
                raise
        return self.driver.allocate(size)

    def give(self, address: int, size: int) -> None:
        """What a dying block calls."""
        if _ended is not False or self.lost:  # at the end modules are being taken apart
            return
        self._returned.append((address, size))
        if self.driver.exact:  # so that what still uses it is found
            self._collect()

    def _collect(self) -> None:
        while self._returned:
            try:
                address, size = self._returned.popleft()
            except IndexError:  # another thread was quicker
                return
            self.live -= size
            if self.driver.exact:
                self.driver.free(address)
            else:
                self._free.setdefault(size, []).append(address)
                self.cached += size

    def trim(self) -> int:
        """Give all that is kept back to the driver; how many bytes that were."""
        with self._lock:
            self._collect()
            bytes_, self.cached = self.cached, 0
            free, self._free = self._free, {}
            if free:
                self.driver.synchronize()
            for addresses in free.values():
                for address in addresses:
                    self.driver.free(address)
            return bytes_

    def stats(self) -> dict[str, int]:
        """Bytes in use, at most in use, and kept for reuse."""
        with self._lock:
            self._collect()
            return {"live": self.live, "peak": self.peak, "cached": self.cached}

    def reset_peak(self) -> None:
        """Let the peak begin anew."""
        self.stats()
        self.peak = self.live


class _Flags:
    """What is asked of an ndarray's flags."""

    c_contiguous = aligned = True
    writeable = owndata = False


class DeviceArray:
    """A dense, row-major array in the memory of a device, which nobody changes.

    What gives elements (indexing, `tolist`, `copy`, conversion) copies them to the host.
    """

    __slots__ = ("__weakref__", "address", "device", "dtype", "owner", "shape")

    flags = _Flags

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        address: int,
        owner: object,
        device: Device,
    ) -> None:
        """`owner` keeps the memory."""
        self.shape = shape
        self.dtype = dtype
        self.address = address
        self.owner = owner
        self.device = device

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy on the host."""
        return self.device.download(self)

    copy = view = numpy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("elements on a device cannot be seen without a copy")
        found = self.numpy()
        return found if dtype is None else found.astype(dtype, copy=False)

    def astype(self, dtype: Any) -> np.ndarray[Any, Any]:
        return self.numpy().astype(dtype)

    def tolist(self) -> Any:
        return self.numpy().tolist()

    def __getitem__(self, index: Any) -> Any:
        return self.numpy()[index]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __int__(self) -> int:
        return int(self.numpy())

    __index__ = __int__

    def __float__(self) -> float:
        return float(self.numpy())

    def __complex__(self) -> complex:
        return complex(self.numpy())

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        """Elsewhere it is an array of the host's."""
        return np.array, (self.numpy(),)

    def __repr__(self) -> str:
        return f"<DeviceArray {self.dtype}{list(self.shape)} on {self.device.name}>"
