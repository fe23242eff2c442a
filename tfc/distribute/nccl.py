"""Ranks with a GPU each exchange arrays that are on it by NCCL, through nccl4py.

NCCL moves bytes, and adds nothing: its order of additions depends on the number of ranks and on
how they are connected. As between machines, each rank gets its part of the elements from all
(all-to-all), reduces it by the tree that all transports share, with kernels of tfc's, and all ranks
gather the parts. So sums have the bits that they have on CPUs.

What ranks call, whether they agree on it, and arrays of the host go by the transport that they
would have without GPUs. All work is enqueued behind the program's; the host waits for nothing.

This has been run with a stand-in for NCCL and emulated GPUs alone (tests/distribute/fake_nccl.py).
"""

from __future__ import annotations

import contextvars
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.backends.cuda.device import Device
from tfc.backends.cuda.memory import DeviceArray

from ..core.tensor import wrap
from ..ops.math.arithmetic import add, maximum, minimum
from .agreement import Call, call_on
from .per_replica import on_tree
from .transport import Array, Transport

_ALIGNED = 256  # bytes: what kernels may take for granted of an array's address
_STEPS = {"sum": add, "mean": add, "min": minimum, "max": maximum}


class _Bytes:
    """The memory of an array on a GPU, for libraries that know CUDA's array interface."""

    def __init__(self, array: DeviceArray) -> None:
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": (array.nbytes,),
            "typestr": "|u1",
            "data": (array.address, False),
            "strides": None,
            "version": 3,
        }


class Nccl(Transport):
    """`host` agrees with other ranks, and moves what is not on the GPU; `comm` is MPI's, of all
    ranks; `nccl` is nccl4py's `nccl.core`."""

    on_devices = True

    def __init__(self, comm: Any, host: Transport, device: Device, nccl: Any) -> None:
        super().__init__(host.rank, host.size, host.timeout, host.crowded)
        self._host, self._device = host, device
        unique = comm.bcast(nccl.get_unique_id() if self.rank == 0 else None)
        device.driver.activate()
        self._nccl = nccl.Communicator.init(self.size, self.rank, unique)

    def end(self) -> None:
        self._settle()
        self._host.end()
        if self._broken is None:
            self._device.driver.synchronize()
            self._nccl.destroy()
        else:
            self._nccl.abort()

    # What is on the host.

    def _begin(self, call: Call) -> None:
        self._host._begin(call)

    def agree(self, call: Call | None) -> None:
        self._host.agree(call)

    def reduce_vectors(
        self, given: Sequence[Array], results: Sequence[Array], how: str, call: Call | None
    ) -> None:
        self._host.reduce_vectors(given, results, how, call)

    def gather_bytes(self, given: Array, results: Array, call: Call | None) -> None:
        self._host.gather_bytes(given, results, call)

    def send_bytes(self, given: Array, result: Array, root: int, call: Call | None) -> None:
        self._host.send_bytes(given, result, root, call)

    # What is on the GPU.

    def all_reduce(self, arrays: Sequence[Any], how: str, line: str) -> list[Any]:
        """See `tfc.ir.ops.collective.Transport`; arrays on the GPU have results there."""
        if not _there(arrays):
            return super().all_reduce(arrays, how, line)
        self._settle()
        with self._calling(call_on(f"all_reduce({how})", arrays, line)) as call:
            self.agree(call)
            return self._reduced([self._device.here(a) for a in arrays], how)

    def start_all_reduce(self, arrays: Sequence[Any], how: str, line: str) -> int:
        """See `tfc.ir.ops.collective.Transport`. On the GPU it is enqueued at once."""
        if not _there(arrays):
            return super().start_all_reduce(arrays, how, line)
        found = self.all_reduce(arrays, how, line)
        return self._background.done(found)

    def all_gather(self, array: Any, line: str) -> Any:
        """See `tfc.ir.ops.collective.Transport`."""
        if not _there([array]):
            return super().all_gather(array, line)
        self._settle()
        with self._calling(call_on("all_gather", [array], line)) as call:
            self.agree(call)
            rows, *rest = array.shape
            return self._gathered(array, (rows * self.size, *rest))

    def broadcast(self, arrays: Sequence[Any], root: int, line: str) -> list[Any]:
        """See `tfc.ir.ops.collective.Transport`."""
        if not _there(arrays):
            return super().broadcast(arrays, root, line)
        self._settle()
        with self._calling(call_on(f"broadcast({root})", arrays, line)) as call:
            self.agree(call)
            found = []
            for array in map(self._device.here, arrays):
                result = self._device.empty(array.shape, array.dtype)
                if array.nbytes:
                    self._enqueue("broadcast", array, result, root)
                found.append(result)
            return found

    def _enqueue(self, what: str, given: DeviceArray, result: DeviceArray, *more: Any) -> None:
        """A collective of NCCL's on bytes, behind all that is in the driver's stream."""
        driver = self._device.driver
        driver.activate()
        getattr(self._nccl, what)(_Bytes(given), _Bytes(result), *more, stream=driver.stream)

    def _gathered(self, array: DeviceArray, shape: tuple[int, ...]) -> DeviceArray:
        result = self._device.empty(shape, array.dtype)
        if result.nbytes:
            self._enqueue("allgather", array, result)
        return result

    def _reduced(self, arrays: Sequence[DeviceArray], how: str) -> list[DeviceArray]:
        """Arrays of each dtype go as one vector."""
        found: dict[int, DeviceArray] = {}
        for dtype in dict.fromkeys(a.dtype for a in arrays):
            places = [i for i, a in enumerate(arrays) if a.dtype == dtype]
            whole = self._vector([arrays[i] for i in places], how)
            start = whole.address
            for i in places:
                found[i] = self._device.foreign(start, arrays[i].shape, dtype, whole)
                start += arrays[i].nbytes
        return [found[i] for i in range(len(arrays))]

    def _vector(self, arrays: Sequence[DeviceArray], how: str) -> DeviceArray:
        """Arrays of one dtype, behind one another and reduced; with some elements more."""
        device, dtype = self._device, arrays[0].dtype
        total = sum(a.nbytes for a in arrays)
        part = -(-total // (self.size * _ALIGNED)) * _ALIGNED  # bytes of a rank's part
        elements = part // dtype.itemsize
        own = device.empty((self.size, elements), dtype)
        if not part:
            return own
        start = own.address
        driver = device.driver
        driver.activate()
        for array in arrays:
            if array.nbytes:
                driver.copy(start, array.address, array.nbytes)
                start += array.nbytes
        driver.fill(start, 0, own.address + own.nbytes - start)
        received = device.empty(own.shape, dtype)
        self._enqueue("alltoall", own, received)
        seen = np.dtype(np.uint8) if dtype == np.bool_ else dtype  # of which there is a maximum
        rows = [
            device.foreign(received.address + r * part, (elements,), seen, received)
            for r in range(self.size)
        ]
        # In a context of its own: no tape looks on, and nothing is traced.
        mine = contextvars.Context().run(_on_tree, rows, how)
        return self._gathered(mine, own.shape)


def _there(arrays: Sequence[Any]) -> bool:
    return any(type(a) is DeviceArray for a in arrays)


def _on_tree(rows: Sequence[DeviceArray], how: str) -> DeviceArray:
    total = on_tree([wrap(row) for row in rows], _STEPS[how])  # type: ignore[arg-type]
    if how == "mean":
        total = total / np.asarray(len(rows), total.dtype.as_numpy_dtype)
    found: Any = total._array
    return found
