"""The transport for GPUs, with a stand-in for NCCL and two emulated GPUs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

import tfc as tf
from tests.distribute import fake_nccl
from tests.emulated_gpu import emulated_gpus
from tfc import distribute
from tfc.distribute import world
from tfc.distribute.agreement import Call
from tfc.distribute.nccl import Nccl
from tfc.distribute.transport import Transport
from tfc.distribute.tree import reduce
from tfc.ir.ops import collective

SIZE = 2


class Host(Transport):
    """Ranks that are threads: what they call, they compare; they exchange nothing else."""

    calls: ClassVar[list[Call | None]] = [None] * SIZE
    barrier = threading.Barrier(SIZE, timeout=fake_nccl.TIMEOUT)

    def __init__(self, rank: int) -> None:
        super().__init__(rank, SIZE, 60.0, False)

    def agree(self, call: Call | None) -> None:
        self.calls[self.rank] = call
        self.barrier.wait()
        known = [c and c.what for c in self.calls]
        self.barrier.wait()
        if known[0] != known[1]:
            raise tf.errors.FailedPreconditionError(str(known))

    def end(self) -> None:
        pass


class Comm:
    """MPI's, as far as it hands around the unique id."""

    found: ClassVar[list[Any]] = []

    def bcast(self, value: Any) -> Any:
        self.found.extend([value] if value is not None else [])
        Host.barrier.wait()
        return self.found[-1]


class OfThread:
    """The transport of the thread that asks: `job` has one for all."""

    on_devices = True
    own = threading.local()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own.transport, name)


@pytest.fixture
def ranks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[..., Any]], list[Any]]]:
    """Runs a function of a rank and its transport on all ranks."""
    monkeypatch.setattr(collective.job, "transport", OfThread())
    monkeypatch.setattr("tfc.distribute.world._world.size", SIZE)
    monkeypatch.setattr("tfc.distribute.world._world.ready", True)
    with emulated_gpus("two") as devices, ThreadPoolExecutor(SIZE) as pool:
        monkeypatch.setattr(
            fake_nccl.Communicator, "drivers", dict(enumerate(device.driver for device in devices))
        )

        monkeypatch.setitem(sys.modules, "nccl", SimpleNamespace(core=fake_nccl))

        def joined(rank: int) -> Nccl:
            found: Nccl = world._on_gpus(Comm(), rank, Host(rank))
            assert found._device is devices[rank]
            return found

        transports = list(pool.map(joined, range(SIZE)))

        def run(function: Callable[..., Any]) -> list[Any]:
            def on(rank: int) -> Any:
                OfThread.own.transport = transports[rank]
                with tf.device(f"/gpu:{rank}"):
                    return function(rank, transports[rank])

            return list(pool.map(on, range(SIZE)))

        yield run


def of_rank(rank: int, shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    return (100 * np.random.default_rng(rank).normal(size=shape)).astype(dtype)


def test_collectives_on_gpus(ranks: Callable[..., list[Any]]) -> None:
    """The bits of the tree, for all that the transport does; arrays stay on their GPUs."""
    shapes = [(700,), (3, 5), (), (0,)]

    def work(rank: int, transport: Nccl) -> Any:
        there = transport._device.upload
        given = [there(of_rank(rank, s)) for s in shapes]
        given += [there(of_rank(rank, (9,), np.int32)), there(np.array([rank == 0, False]))]
        found = {how: transport.all_reduce(given[:4], how, "here") for how in ("sum", "mean")}
        found["max"] = transport.all_reduce(given, "max", "here")
        ticket = transport.start_all_reduce(given[:1], "sum", "here")
        transport.barrier("here")
        found["later"] = transport.finish_all_reduce(ticket)
        found["gathered"] = [transport.all_gather(given[1], "here")]
        found["sent"] = transport.broadcast(given[:4], 1, "here")
        assert all(a.device is transport._device for group in found.values() for a in group)
        return {name: [a.numpy() for a in group] for name, group in found.items()}

    for found in ranks(work):
        each = [[of_rank(r, s) for r in range(SIZE)] for s in shapes]
        for how in ("sum", "mean", "max"):
            for array, parts in zip(found[how], each, strict=False):
                expected = reduce([part.reshape(-1) for part in parts], how)
                np.testing.assert_array_equal(array, expected.reshape(array.shape))
        np.testing.assert_array_equal(
            found["max"][4], reduce([of_rank(r, (9,), np.int32) for r in range(SIZE)], "max")
        )
        np.testing.assert_array_equal(found["max"][5], [True, False])
        np.testing.assert_array_equal(found["later"][0], reduce(each[0], "sum"))
        np.testing.assert_array_equal(found["gathered"][0], np.concatenate(each[1]))
        for array, parts in zip(found["sent"], each, strict=True):
            np.testing.assert_array_equal(array, parts[1])


def test_functions_on_gpus(
    ranks: Callable[..., list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In programs operands go to NCCL from where they are. A call that differs is an error on all
    ranks, with the user's line."""

    monkeypatch.setattr(world._world, "bucket", 100)

    def work(rank: int, transport: Nccl) -> Any:
        x = tf.constant(of_rank(rank, (40,)))
        step = tf.function(lambda x: 2.0 * distribute.all_reduce(0.5 * x))
        found = step(x)
        assert transport._nccl.called == ["alltoall", "allgather"]
        np.testing.assert_array_equal(found, distribute.all_reduce(0.5 * x) * 2.0)
        assert "GPU" in found.device
        in_buckets = tf.function(lambda x: distribute.all_reduce([0.5 * x, x + 1.0]))(x)
        np.testing.assert_array_equal(2.0 * in_buckets[0], found)
        with pytest.raises(tf.errors.FailedPreconditionError, match=r"float32\[3\]"):
            tf.function(distribute.all_reduce)(tf.zeros([3 + rank]))
        transport.end()
        assert transport._nccl.called[-1] == "abort"
        return found.numpy()

    for found in ranks(work):
        expected = 2 * reduce([np.float32(0.5) * of_rank(r, (40,)) for r in range(SIZE)], "sum")
        np.testing.assert_array_equal(found, expected)


def test_what_nccl_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nccl", None)
    with pytest.raises(RuntimeError, match=r"pip install 'tfc-lang\[nccl\]'"):
        world._on_gpus(Comm(), 0, Host(0))
    monkeypatch.setitem(sys.modules, "nccl", SimpleNamespace(core=fake_nccl))
    monkeypatch.setattr("tfc.core.placement.visible_gpus", list)
    with pytest.raises(RuntimeError, match="transport='nccl' is for GPUs"):
        world._on_gpus(Comm(), 0, Host(0))
