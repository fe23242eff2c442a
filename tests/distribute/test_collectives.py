"""Collectives: the tree, what ranks must agree on, gradients, and jobs of several processes."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.distribute.launch import job, needs_mpi
from tests.sampling import ALL
from tfc import distribute, keras
from tfc.distribute import world
from tfc.distribute.agreement import ENDED, TEXT_BYTES, Call, call_on, disagreement
from tfc.distribute.background import Background
from tfc.distribute.transport import copy_in, copy_out
from tfc.distribute.tree import reduce, reduce_in_place
from tfc.distribute.two_level import holds_subtrees
from tfc.ir.ops import collective


def test_one_process_is_a_job() -> None:
    distribute.init()
    assert (distribute.rank(), distribute.size(), distribute.local_rank()) == (0, 1, 0)
    x = tf.constant([[1.0, 2.0]])
    assert distribute.all_reduce(x, "mean") is x
    assert distribute.all_gather({"x": tf.constant(3)})["x"].shape == [1]
    distribute.barrier()
    with pytest.raises(ValueError, match=r"op is one of sum, mean, min, max, got 'prod'"):
        distribute.all_reduce(x, "prod")
    with pytest.raises(ValueError, match="no rank 1 of 1"):
        distribute.broadcast(x, 1)
    with pytest.raises(ValueError, match="transport is"):
        distribute.init("pigeons")


@pytest.mark.parametrize("count", range(1, 10))
def test_trees(count: int) -> None:
    """In place and beside, one order; a process's part of it is a subtree."""
    arrays = list(np.random.default_rng(count).normal(size=(count, 40)).astype(np.float32))
    for how in ("sum", "mean", "min", "max"):
        beside = reduce(arrays, how)
        np.testing.assert_array_equal(beside, reduce_in_place([a.copy() for a in arrays], how))
    whole = reduce(arrays, "sum")
    np.testing.assert_allclose(whole, np.sum(arrays, 0), rtol=1e-4, atol=1e-4)
    if count == 8:
        for ranks in (1, 2, 4, 8):
            held = [arrays[i : i + 8 // ranks] for i in range(0, 8, 8 // ranks)]
            parts = [reduce(own, "sum") for own in held]
            np.testing.assert_array_equal(reduce(parts, "sum"), whole)


def test_machines_that_hold_subtrees() -> None:
    assert holds_subtrees([(0, 2), (0, 2), (2, 2), (2, 2), (4, 2), (4, 2)])
    assert not holds_subtrees([(0, 1), (1, 1)])
    assert not holds_subtrees([(0, 3)] * 3 + [(3, 3)] * 3)
    assert not holds_subtrees([(0, 2), (1, 2), (0, 2), (1, 2)])  # no neighbours
    assert not holds_subtrees([(0, 4)] * 4 + [(4, 2)] * 2)


def test_transports_that_placement_forbids() -> None:
    def placed(first: int, here: int) -> tuple[Any, Any]:
        local = SimpleNamespace(size=here, bcast=lambda rank: first)
        places = [(0, here)] * here + [(here, here)] * here
        return SimpleNamespace(rank=0, size=2 * here, allgather=lambda _: places), local

    with pytest.raises(ValueError, match="ranks that are on one machine"):
        world._transport("window", *placed(0, 2), None, 1.0)
    with pytest.raises(ValueError, match=r"as many neighbouring ranks.*\(3, 3\)"):
        world._transport("two_level", *placed(0, 3), None, 1.0)
    with pytest.raises(ValueError, match="bucket_bytes is not negative"):
        world.choose_bucket(-1)


def test_vectors_that_follow_one_another() -> None:
    vectors = [np.arange(5.0), np.arange(0.0), np.arange(10.0, 13.0)]
    for start, stop in ((0, 8), (3, 6), (5, 8), (0, 0)):
        block = np.full(stop - start, np.nan)
        copy_in(block, vectors, start)
        np.testing.assert_array_equal(block, np.concatenate(vectors)[start:stop])
        targets = [np.zeros(len(v)) for v in vectors]
        copy_out(block, targets, start)
        np.testing.assert_array_equal(np.concatenate(targets)[start:stop], block)


def test_what_ranks_must_agree_on() -> None:
    arrays = [np.zeros((2, 3), np.float32)] * 2 + [np.zeros((), np.int64)]
    call = call_on("all_reduce(sum)", arrays, "train.py:7")
    assert call.what == "all_reduce(sum) of 2 x float32[2,3], int64[]".replace("2 x ", "2x")
    assert Call.decoded(call.encoded()) == call
    long = call_on("all_gather", [np.zeros((i,)) for i in range(900)], "x" * 2000)
    assert len(long.encoded()) <= TEXT_BYTES
    assert long.fingerprint != call_on("all_gather", arrays, "x").fingerprint
    assert call._replace(line="elsewhere").fingerprint == call.fingerprint
    text = str(disagreement(1, [call, call._replace(what="barrier", line="train.py:9"), call]))
    assert "at train.py:7, and rank 1 barrier at train.py:9" in text
    text = str(disagreement(0, [call, Call(ENDED, "")]))
    assert text.endswith("at train.py:7, and rank 1 has ended its program")


class Twins:
    """A transport to a second rank that has the same as this one."""

    rank, size = 0, 2

    def __init__(self) -> None:
        self.begun: list[list[np.ndarray]] = []

    def start_all_reduce(self, arrays: Sequence[np.ndarray], how: str, line: str) -> int:
        self.begun.append(self.all_reduce(arrays, how, line))
        return len(self.begun) - 1

    def finish_all_reduce(self, ticket: int) -> list[np.ndarray]:
        return self.begun[ticket]

    def all_reduce(self, arrays: Sequence[np.ndarray], how: str, line: str) -> list[np.ndarray]:
        return [np.asarray(2 * a) if how == "sum" else a.copy() for a in arrays]

    def all_gather(self, array: np.ndarray, line: str) -> np.ndarray:
        return np.concatenate([array, array])

    def broadcast(self, arrays: Sequence[np.ndarray], root: int, line: str) -> list[np.ndarray]:
        return [a.copy() for a in arrays]

    def barrier(self, line: str) -> None:
        pass


@pytest.fixture
def twins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    transport = Twins()
    monkeypatch.setattr(collective.job, "transport", transport)
    monkeypatch.setattr("tfc.distribute.world._world.size", 2)
    yield


@pytest.mark.usefixtures("twins")
def test_gradients_of_twins() -> None:
    """Of the sum of what both ranks compute; elements that both have share a maximum's."""
    x = tf.constant([[1.0, 4.0], [2.0, 3.0]])

    def gradients(x: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            both = distribute.all_reduce((x, 3.0 * x), "mean")
            y = [
                tf.reduce_sum(distribute.all_reduce(x * x)),
                tf.reduce_sum(both[1]),  # nothing depends on the other
                tf.reduce_sum(distribute.all_reduce(x, "max")),
                tf.reduce_sum(distribute.all_gather(x) * tf.range(2.0)),
                tf.reduce_sum(distribute.broadcast(x)),
            ]
        return [tape.gradient(v, x) for v in y]

    found = tf.function(gradients)(x)
    for eager, compiled in zip(gradients(x), found, strict=True):
        np.testing.assert_array_equal(eager, compiled)
    for gradient, expected in zip(found, (4 * x, 3.0, 1.0, [[0.0, 2.0]] * 2, 2.0), strict=True):
        np.testing.assert_array_equal(gradient, np.broadcast_to(expected, (2, 2)))


@pytest.mark.usefixtures("twins")
def test_what_ranks_cannot_exchange() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="sum: not defined for dtype bool"):
        distribute.all_reduce(tf.constant([True]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="mean: not defined for dtype int32"):
        distribute.all_reduce(tf.constant([1]), "mean")
    with pytest.raises(TypeError, match="these are strings"):
        tf.function(distribute.all_gather)(tf.constant(["a"]))


@pytest.mark.usefixtures("twins")
def test_sums_in_buckets_of_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world._world, "bucket", 8)
    x = tf.constant([1.0, 4.0])

    def step(x: Any) -> Any:
        return distribute.all_reduce([x, tf.exp(x), tf.constant(3)])

    found = tf.function(step)(x)
    for known, other in zip(step(x), found, strict=True):
        np.testing.assert_array_equal(known, other)
    begun = collective.job.transport.begun  # type: ignore[union-attr]
    assert [len(arrays) for arrays in begun] == [2, 1]  # from the last on

    @tf.function
    def rounds(x: Any, count: Any) -> Any:
        y = tf.exp(x)
        for _ in tf.range(count):
            if count > 1:
                y, x = distribute.all_reduce([x, 0.5 * y], "mean")
        return x, y

    expected = x, tf.exp(x)
    for _ in range(3):
        expected = 0.5 * expected[1], expected[0]
    for known, other in zip(expected, rounds(x, tf.constant(3)), strict=True):
        np.testing.assert_allclose(known, other, rtol=1e-6)
    assert len(begun) == 2 + 2 * 3


@pytest.mark.usefixtures("twins")
def test_fit_in_buckets_of_twins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums of a step of Keras' leave in the step, and are the same."""
    x = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)
    outcomes = []
    for bucket in (0, 16):
        monkeypatch.setattr(world._world, "bucket", bucket)
        keras.utils.set_random_seed(1)
        with distribute.MultiWorkerMirroredStrategy().scope():
            layers = [keras.layers.Dense(4, "relu"), keras.layers.Dense(1)]
            model = keras.Sequential([keras.Input((3,)), *layers])
            model.compile("sgd", "mse", metrics=["mae"])
        loss = model.fit(x, x[:, :1], batch_size=6, epochs=2, verbose=0).history["loss"]
        outcomes.append([np.array(loss), *model.get_weights()])
    for whole, bucketed in zip(*outcomes, strict=True):
        np.testing.assert_array_equal(whole, bucketed)
    assert len(collective.job.transport.begun) >= 4  # type: ignore[union-attr]


def test_background() -> None:
    """One after another; what goes wrong is raised where it is asked for."""
    background, done, gate = Background(), [], threading.Event()

    def work(number: int) -> int:
        gate.wait()
        assert background.here()
        done.append(number)
        return 10 // number

    tickets = [background.start(lambda n=n: work(n)) for n in (2, 0, 5)]  # type: ignore[misc]
    assert not background.here() and not done
    gate.set()
    background.settle()
    assert done == [2, 0, 5]
    assert background.finish(tickets[2]) == 2
    with pytest.raises(ZeroDivisionError):
        background.finish(tickets[1])


@needs_mpi
@pytest.mark.parametrize("ranks", [2, 3, 4] if ALL else [2])
def test_jobs(ranks: int) -> None:
    """See ranks.py. An exception of one rank ends the job, with its traceback, in seconds."""
    done = job(ranks, "ranks")  # which rank 0 would keep waiting for longer than this does
    assert done.returncode != 0
    assert "ZeroDivisionError: rank 1 is at its end" in done.stderr, done.stderr
    assert f"rank 1 of {ranks} ends the job:" in done.stderr
    assert f"rank 1 of {ranks} is here:" in done.stderr, done.stderr
    assert "Error" not in done.stderr.replace("ZeroDivisionError", ""), done.stderr
