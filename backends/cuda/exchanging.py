"""Collectives on arrays that are on a GPU, where the transport takes them as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tfc.backends import host_calls
from tfc.ir.kernels.ops import HostLaunch
from tfc.ir.ops.collective import Collective, job

from .memory import DeviceArray

if TYPE_CHECKING:
    from .launch_steps import Calling, Run, Table


class Exchanging:
    """A collective. `calling` does it by way of the host, where the transport needs that."""

    def __init__(
        self, op: HostLaunch, calling: Calling, failed: Callable[[int], Exception]
    ) -> None:
        self.op = op.call.body[0]
        self.order = [op.call.params.index(v) for v in self.op.operands]
        self.site, self.calling, self.failed = op.site, calling, failed

    @staticmethod
    def takes(op: HostLaunch) -> bool:
        """Whether this call of the host is a collective."""
        return isinstance(op.call.body[0], Collective)

    def __call__(self, run: Run, table: Table) -> None:
        if job.transport is None or not job.transport.on_devices:
            self.calling(run, table)
            return
        run.look()
        memory, slots, count = self.calling.memory, self.calling.slots, self.calling.count
        given = [
            run.device.foreign(table[slot], shape, dtype, None)
            for slot, (shape, dtype) in zip(slots[:count], memory, strict=False)
        ]
        try:
            found: Any = self.op.numpy(*[given[i] for i in self.order])
        except BaseException as error:
            host_calls.keep_error(error)
            raise self.failed(self.site) from error
        results = found if type(found) is tuple else (found,)
        for slot, (_, dtype), result in zip(slots[count:], memory[count:], results, strict=True):
            if type(result) is not DeviceArray:
                result = np.asarray(result, dtype)
                run.driver.upload(table[slot], result)
            elif result.nbytes:
                run.driver.activate()
                run.driver.copy(table[slot], result.address, result.nbytes)
