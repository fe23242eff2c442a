"""What two or more ranks check together: `mpiexec -n 2 python -m tests.distribute.ranks`.

At the end rank 1 raises, and the job must end for that.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc import distribute
from tfc.distribute import world
from tfc.distribute.messages import Messages
from tfc.distribute.transport import Transport
from tfc.distribute.tree import reduce
from tfc.distribute.two_level import TwoLevel
from tfc.distribute.window import SLOT, SharedWindow
from tfc.ir.ops.collective import job

RANK, SIZE = distribute.rank(), distribute.size()


def of_rank(rank: int, shape: tuple[int, ...], dtype: str = "float32") -> np.ndarray:
    """What a rank has: any rank can make it."""
    numbers = np.random.default_rng(rank).normal(size=shape) * 100
    return numbers.astype(tf.as_dtype(dtype).as_numpy_dtype)


def check_transport(transport: Transport) -> None:
    """Sums of all sizes have the bits of the tree; so have other reductions, of all dtypes."""
    sizes = [(), (0,), (3, 5), (5000,), (SLOT // 4 + 7,)]
    for how in ("sum", "mean", "min", "max"):
        some = sizes if how == "sum" else sizes[2:4]
        found = transport.all_reduce([of_rank(RANK, s) for s in some], how, "here")
        for shape, array in zip(some, found, strict=True):
            expected = reduce([of_rank(r, shape) for r in range(SIZE)], how)
            np.testing.assert_array_equal(array, expected)
    dtypes = ["float64", "bfloat16", "int8", "complex64", "float64"]
    found = transport.all_reduce([of_rank(RANK, (7,), d) for d in dtypes], "sum", "here")
    for dtype, array in zip(dtypes, found, strict=True):
        expected = reduce([of_rank(r, (7,), dtype) for r in range(SIZE)], "sum")
        assert array.dtype == expected.dtype
        np.testing.assert_array_equal(array, expected)
    some_true = transport.all_reduce([np.array([RANK == 0, True, False])], "max", "here")[0]
    np.testing.assert_array_equal(some_true, [True, True, False])
    for rows in (3, SLOT // 64 + 1):
        gathered = transport.all_gather(of_rank(RANK, (rows, 16)), "here")
        expected = np.concatenate([of_rank(r, (rows, 16)) for r in range(SIZE)])
        np.testing.assert_array_equal(gathered, expected)
    shapes = [(), (SLOT // 4 + 1,), (2, 0)]
    sent = transport.broadcast([of_rank(RANK, s) for s in shapes], SIZE - 1, "here")
    for shape, array in zip(shapes, sent, strict=True):
        np.testing.assert_array_equal(array, of_rank(SIZE - 1, shape))
    assert transport.all_reduce([], "sum", "here") == transport.broadcast([], 0, "here") == []
    for _ in range(50):  # small ones follow one another closely
        assert transport.all_reduce([np.array(RANK)], "max", "here")[0] == SIZE - 1
    transport.barrier("here")


def check_functions() -> None:
    """Eagerly, in functions and in loops, with gradients, the same."""
    x = tf.constant(of_rank(RANK, (4,)))
    weight = RANK + 1.0
    total = SIZE * (SIZE + 1) / 2  # of the weights

    def outcomes(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            added = distribute.all_reduce({"x": x * x})["x"]
            greatest = distribute.all_reduce(x, "max")
            gathered = distribute.all_gather(x)
            sent = distribute.broadcast(x, SIZE - 1)
            numbers = tf.range(4.0 * SIZE)
            targets = [
                weight * tf.reduce_sum(y) for y in (added, greatest, gathered * numbers, sent)
            ]
        return added, greatest, gathered, sent, *(tape.gradient(y, x) for y in targets)

    eager = outcomes(x)
    for known, other in zip(eager, tf.function(outcomes)(x), strict=True):
        np.testing.assert_array_equal(known, other)
    all_x = np.stack([of_rank(r, (4,)) for r in range(SIZE)])
    np.testing.assert_array_equal(eager[0], reduce(list(all_x * all_x), "sum"))
    np.testing.assert_allclose(eager[4], 2 * total * all_x[RANK], rtol=1e-6)
    np.testing.assert_allclose(eager[5], total * (all_x[RANK] == all_x.max(0)))
    np.testing.assert_allclose(eager[6], total * (np.arange(4) + 4 * RANK))
    np.testing.assert_allclose(eager[7], np.full(4, total if RANK == SIZE - 1 else 0.0))

    @tf.function
    def rounds(x: Any, count: Any) -> Any:
        for _ in tf.range(count):
            if count > 2:
                x = distribute.all_reduce(x, "mean")
            distribute.barrier()
        return x

    mean = reduce(list(all_x), "mean")
    np.testing.assert_array_equal(rounds(x, tf.constant(1)), x)
    np.testing.assert_allclose(rounds(x, tf.constant(3)), mean, rtol=1e-6)

    variables = [tf.Variable(x), tf.Variable(RANK)]
    distribute.broadcast_variables(variables, SIZE - 1)
    np.testing.assert_array_equal(variables[0], all_x[-1])
    assert int(variables[1]) == SIZE - 1
    with distribute.DistributedGradientTape() as tape:
        loss = weight * variables[0]
    np.testing.assert_allclose(tape.gradient(loss, variables[0]), np.full(4, total / SIZE))


def check_buckets(transport: Transport) -> None:
    """Sums that leave while a function goes on have the same bits, and the order of collectives
    stays, of those that wait, too; a bucket that differs is an error on all ranks."""
    job.transport, world._world.bucket = transport, 4000

    @tf.function
    def step(xs: Any) -> Any:
        summed = distribute.all_reduce(xs)
        greatest = distribute.all_reduce(xs[0], "max")  # between what leaves and what is read
        return *distribute.all_reduce([0.5 * x for x in summed], "mean"), greatest

    shapes = [(1000,), (3,), (50, 30), (SLOT // 4 + 1,)]
    own = [tf.constant(of_rank(RANK, s)) for s in shapes]
    for _ in range(3):
        *found, greatest = step(own)
        for shape, array in zip(shapes, found, strict=True):
            total = reduce([of_rank(r, shape) for r in range(SIZE)], "sum")
            expected = reduce([np.float32(0.5) * total] * SIZE, "mean")
            np.testing.assert_array_equal(array, expected)
        np.testing.assert_array_equal(
            greatest, reduce([of_rank(r, shapes[0]) for r in range(SIZE)], "max")
        )
    world._world.bucket = 0


def check_disagreement(transport: Transport, odd: int) -> None:
    """What one rank does otherwise is an error on all ranks, with both lines; the transport is used
    no more."""
    job.transport = transport
    x = tf.zeros([4 if RANK == odd else 3])
    buckets = [tf.zeros([1000]), x, tf.zeros([1000])]  # the one with x leaves last
    with pytest.raises(tf.errors.FailedPreconditionError) as caught:
        if odd:
            tf.function(distribute.all_reduce)(buckets)
        else:
            tf.function(distribute.all_reduce)(x) if RANK == 0 else distribute.all_reduce(x)
    text = str(caught.value)
    assert f"rank {odd} " in text, text
    assert "float32[4]" in text and "float32[3]" in text, text
    assert text.count("ranks.py:") >= 2, text
    with pytest.raises(tf.errors.AbortedError, match="has failed before"):
        transport.barrier("")


def check_lateness(transport: Transport, comm: Any) -> None:
    """A rank that waits too long for another one names it; that one tells where it is. It is late
    until all others have been told."""
    if RANK != 1:
        with pytest.raises(tf.errors.DeadlineExceededError, match=r"0.* seconds for rank 1"):
            transport.barrier("there")
    told = comm.Ibarrier()
    while not told.Test():
        time.sleep(0.01)


def main() -> None:
    from mpi4py import MPI

    first = world.transport()
    assert isinstance(first, SharedWindow)
    check_transport(first)
    check_functions()
    comm = MPI.COMM_WORLD
    messages = Messages(comm, MPI, 60)
    check_transport(messages)
    levels = []
    for here in (1, 2, 4):  # as if so many ranks were on a machine
        if SIZE % here == 0:
            levels.append(TwoLevel(comm, comm.Split(RANK // here, RANK), MPI, 60))
            check_transport(levels[-1])
    for transport in (first, messages, levels[-1]):
        check_buckets(transport)
    world._world.bucket = 4000  # some of what follows begins sums and fails
    late: list[Transport] = [SharedWindow(comm, MPI, 0.3), Messages(comm, MPI, 0.3)]
    late += [TwoLevel(comm, comm.Split(RANK // 2, RANK), MPI, 0.3)] if SIZE % 2 == 0 else []
    for transport in late:
        check_lateness(transport, comm)
    for transport in (first, messages, *levels):
        check_disagreement(transport, 0 if transport is first else SIZE - 1)
    for known in (messages, *levels, *late[1:]):
        known._watch.end()
    comm.Barrier()
    if RANK == 1:
        raise ZeroDivisionError("rank 1 is at its end")
    time.sleep(600)


if __name__ == "__main__":
    main()
