"""The processes of a job: who this one is, how it came to be one of them, and how it ends.

A launcher (`mpiexec -n 4 python -m training`) starts the processes, and MPI says which is which. A
process that no launcher has started is a job of its own, and needs no MPI.

A rank that ends by an exception takes the others with it: they would wait for it for ever.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from types import TracebackType
from typing import Any

from tfc.backends.cpu.runtime import runtime
from tfc.ir.ops.collective import Transport
from tfc.ir.ops.collective import job as programs

from ..core import blame, placement
from .messages import Messages
from .two_level import TwoLevel, holds_subtrees
from .window import SharedWindow

# Variables that launchers set: MPICH's, Intel's, Open MPI's, PMIx'.
_LAUNCHED = ("PMI_SIZE", "MPI_LOCALNRANKS", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK")
_TRANSPORTS = {"window": SharedWindow, "two_level": TwoLevel, "messages": Messages}
_TIMEOUT = 600.0  # seconds
_FORWARDING = 0.5  # seconds that a launcher gets for a text, of which it drops what is on its way


class _World:
    """What is known once `init` was called."""

    ready = False
    rank, size, local_rank, local_size = 0, 1, 0, 1
    comm: Any = None
    bucket = 0


_world = _World()
_lock = threading.Lock()


def init(
    transport: str = "auto", timeout: float | None = None, bucket_bytes: int | None = None
) -> None:
    """Join the job that a launcher has started: `mpiexec -n 4 python -m training`.

    All functions of this module do so when one is called first; call it to choose. A process that
    was not started by a launcher is the only one of its job.

    On several ranks, an exception that nobody catches ends the job on all ranks, and operations
    take the threads of this machine's processors divided by the ranks on it, unless
    TFC_NUM_THREADS or `tf.config.threading` says how many.

    Args:
        transport: "window", memory shared by ranks that are on one machine; "messages", MPI's own,
            anywhere; "two_level", memory on each machine and messages between machines, each of
            which has as many neighbouring ranks, 2, 4, 8 or so on; or "auto", the first of window,
            two_level and messages that can be had. "nccl": each rank has the GPU of its number on
            the machine, where code of its runs by default, and arrays there go by NCCL.
        timeout: How many seconds a rank waits in a collective for others, before all tell where
            they are and the job ends; by default what TFC_COLLECTIVE_TIMEOUT says, or 600.
        bucket_bytes: In functions, sums of many tensors leave in buckets of so many bytes, each as
            soon as it is computed, while the function goes on; 0: all at once. The same on all
            ranks; by default what TFC_COLLECTIVE_BUCKET says, or 0.

    Raises:
        RuntimeError: If a launcher has started this process, and mpi4py is not installed; or if the
            job was joined before with another transport; or if nccl4py is not installed, or there
            is no GPU.
        ValueError: If there is no such transport, or it is not for ranks that are placed so.

    >>> import tfc as tf
    >>> tf.distribute.init()
    >>> tf.distribute.rank(), tf.distribute.size()
    (0, 1)
    """
    if transport not in ("auto", "nccl", *_TRANSPORTS):
        known = ", ".join(map(repr, (*_TRANSPORTS, "nccl")))
        raise blame.value_error(f"transport is 'auto', {known}, got {transport!r:.50}", "init")
    with _lock:
        if not _world.ready:
            _join(transport, timeout)
            found = os.environ.get("TFC_COLLECTIVE_BUCKET") or 0
            choose_bucket(int(found if bucket_bytes is None else bucket_bytes))
        elif transport != "auto" and programs.transport is not None:
            known = next(
                (n for n, t in _TRANSPORTS.items() if type(programs.transport) is t), "nccl"
            )
            if known != transport:
                raise blame.runtime_error(f"this process has joined its job with {known!r} before")


def _join(wanted: str, timeout: float | None) -> None:
    if not any(name in os.environ for name in _LAUNCHED) and "mpi4py.MPI" not in sys.modules:
        _world.ready = True
        return
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise blame.runtime_error(
            "a launcher has started this process, and mpi4py is what speaks to the others: "
            f"pip install 'tfc-lang[mpi]' ({error})"
        ) from None
    world = MPI.COMM_WORLD
    local = world.Split_type(MPI.COMM_TYPE_SHARED)
    _world.rank, _world.size = world.rank, world.size
    _world.local_rank, _world.local_size = local.rank, local.size
    _world.comm = world
    if world.size > 1:
        host = "auto" if wanted == "nccl" else wanted
        own = _transport(host, world, local, MPI, _seconds(timeout))
        if wanted == "nccl":
            own = _on_gpus(world, local.rank, own)
        programs.transport = own
        shared = len(set(local.allgather(tuple(sorted(os.sched_getaffinity(0)))))) == 1
        if shared:
            _take_threads(local.size)
        sys.excepthook = _Ending(sys.excepthook, own)
        atexit.register(own.end)
    _world.ready = True


def _transport(wanted: str, world: Any, local: Any, mpi: Any, seconds: float) -> Any:
    """What moves arrays between these ranks, of which `local` are here."""
    first = local.bcast(world.rank)
    places = world.allgather((first, local.size))
    together = places[0][1] == world.size
    if wanted == "window" and not together:
        raise blame.value_error("a window is for ranks that are on one machine", "init")
    even = holds_subtrees(places) and not together
    if wanted == "two_level" and not even:
        raise blame.value_error(
            "two levels are for several machines, each of which has as many neighbouring ranks, 2, "
            f"4, 8 or so on; ranks are placed (first rank there, ranks there) {places}",
            "init",
        )
    if wanted == "window" or (wanted == "auto" and together):
        return SharedWindow(world, mpi, seconds)
    if wanted == "two_level" or (wanted == "auto" and even):
        return TwoLevel(world, local, mpi, seconds)
    return Messages(world, mpi, seconds, local.size > len(os.sched_getaffinity(0)))


def _on_gpus(world: Any, number: int, host: Any) -> Any:
    """The transport for ranks that have a GPU each."""
    try:
        from nccl import core
    except ImportError as error:
        raise blame.runtime_error(
            f"NCCL is called through nccl4py: pip install 'tfc-lang[nccl]' ({error})"
        ) from None
    gpus = placement.visible_gpus()
    if not gpus:
        raise blame.runtime_error(f"transport='nccl' is for GPUs: {placement.no_gpu()}")
    from .nccl import Nccl

    gpu = gpus[number % len(gpus)]
    placement.set_default(gpu)
    return Nccl(world, host, gpu, core)


def _seconds(timeout: float | None) -> float:
    if timeout is not None:
        return float(timeout)
    return float(os.environ.get("TFC_COLLECTIVE_TIMEOUT") or _TIMEOUT)


def _take_threads(ranks: int) -> None:
    """Let ranks that may run on the same processors divide them. (A launcher that binds each rank
    to processors of its own has done so already.)"""
    if "TFC_NUM_THREADS" not in os.environ and not runtime.chosen_threads():
        runtime.set_threads(max(1, runtime.available_threads() // ranks))


class _Ending:
    """What happens at the end of a rank by an exception: `sys.excepthook`."""

    def __init__(self, before: Any, transport: Any) -> None:
        self._before, self._transport = before, transport

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        # MPI's abort runs `atexit`. Others that were told there that this rank has ended would fail
        # by that, and the launcher would drop one of the texts.
        atexit.unregister(self._transport.end)
        print(f"rank {_world.rank} of {_world.size} ends the job:", file=sys.stderr)
        try:
            self._before(kind, error, trace)
            sys.stdout.flush()
            sys.stderr.flush()
            time.sleep(_FORWARDING)
        finally:
            _world.comm.Abort(1)


def rank() -> int:
    """The number of this process among those of its job.

    Returns:
        An int from 0 on; 0 where there is one process.

    >>> import tfc as tf
    >>> tf.distribute.rank()
    0
    """
    _ready()
    return _world.rank


def size() -> int:
    """How many processes the job has.

    Returns:
        An int; 1 where no launcher has started this process.

    >>> import tfc as tf
    >>> tf.distribute.size()
    1
    """
    _ready()
    return _world.size


def local_rank() -> int:
    """The number of this process among those of its job that are on this machine.

    Returns:
        An int from 0 on.

    >>> import tfc as tf
    >>> tf.distribute.local_rank()
    0
    """
    _ready()
    return _world.local_rank


def bucket() -> int:
    """How many bytes of a sum may leave before the others; 0: all leave at once."""
    return _world.bucket


def choose_bucket(size: int) -> None:
    """Let functions that are traced from here on have buckets of so many bytes."""
    if size < 0:
        raise blame.value_error(f"bucket_bytes is not negative, got {size}", "init")
    _world.bucket = size


def transport() -> Transport | None:
    """What moves arrays between ranks, also in programs; None where there is one rank."""
    _ready()
    return programs.transport


def _ready() -> None:
    if not _world.ready:
        init()
