"""Strategies of one process: replicas that meet, Variables, datasets, TF_CONFIG."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc import distribute
from tfc.data.plans.dividing import part_of_batches, span
from tfc.distribute.division import part
from tfc.distribute.tree import reduce

FOUR = distribute.MirroredStrategy(["CPU:0"] * 4)


def replica_id() -> int:
    context = distribute.get_replica_context()
    assert context is not None
    return context.replica_id_in_sync_group


def test_where_code_runs() -> None:
    assert not distribute.has_strategy()
    default = distribute.get_strategy()
    assert default.num_replicas_in_sync == 1
    assert default.reduce("mean", 3, axis=None) == 3
    data = tf.data.Dataset.range(2)
    assert default.experimental_distribute_dataset(data) is data
    assert default.distribute_datasets_from_function(lambda context: data) is data
    for strategy in (
        distribute.OneDeviceStrategy("/cpu:0"),
        distribute.MirroredStrategy(),
        distribute.MultiWorkerMirroredStrategy(),
        FOUR,
    ):
        with strategy.scope() as given:
            assert given is strategy is distribute.get_strategy()
            assert distribute.in_cross_replica_context()
            assert distribute.get_replica_context() is None
            inside = strategy.run(lambda: float(distribute.in_cross_replica_context()))
            assert strategy.experimental_local_results(inside)[-1] == 0
            assert strategy.unwrap(inside)[-1] == 0
        assert strategy.num_replicas_in_sync == (4 if strategy is FOUR else 1)
    with pytest.raises(ValueError, match="devices must not be empty"):
        distribute.MirroredStrategy([])
    with pytest.raises(ValueError, match=r"the number of processes \(1\) times a power of two"):
        distribute.MultiWorkerMirroredStrategy(logical_shards=6)


@pytest.mark.parametrize("compiled", [False, True])
def test_replicas_meet(compiled: bool) -> None:
    """Sums have the tree's bits; what happens once happens once, with all values."""
    values = [np.float32(x) for x in (0.1, 1e8, -1e8, 0.7)]
    x = distribute.PerReplica([tf.constant(v) for v in values])
    merged = []

    def once(strategy: Any, given: Any, name: str) -> Any:
        merged.append(name)
        return strategy.reduce("max", given, axis=None), given

    def replica(x: Any) -> Any:
        context = distribute.get_replica_context()
        assert context is not None and context.strategy is FOUR and context.devices
        total = context.all_reduce(distribute.ReduceOp.SUM, {"x": x})["x"]
        most, own = context.merge_call(once, (x,), {"name": "here"})
        rows = context.all_gather(tf.reshape(x, [1]), 0)
        return total, most, own - x, rows, context.replica_id_in_sync_group * 2

    def run(x: Any) -> Any:
        return FOUR.run(replica, (x,))

    found = (tf.function(run) if compiled else run)(x)
    each = FOUR.experimental_local_results(found)
    assert len(each) == 4
    for i, (total, most, nothing, rows, number) in enumerate(each):
        assert float(total) == reduce([np.array(v) for v in values], "sum")
        assert (float(most), float(nothing), int(number)) == (1e8, 0.0, 2 * i)
        np.testing.assert_array_equal(rows, values)
    assert merged == ["here"]
    np.testing.assert_array_equal(FOUR.gather(found[3], 0), values * 4)
    along = distribute.PerReplica([tf.range(float(n + 1)) for n in range(4)])
    assert float(FOUR.reduce("mean", along, axis=0)) == 1.0  # 10 elements, whose sum is 10
    assert float(FOUR.reduce("sum", along, axis=0)) == 10.0
    assert float(FOUR.reduce("mean", x, axis=None)) == float(each[0][0]) / 4
    assert float(FOUR.reduce("sum", 2.0, axis=None)) == 8.0


def test_replicas_that_do_not_meet() -> None:
    def some() -> None:
        context = distribute.get_replica_context()
        assert context is not None
        if replica_id() < 2:
            context.all_reduce("sum", tf.constant(1.0))

    with pytest.raises(RuntimeError, match="replicas do not meet"):
        FOUR.run(some)

    def fails() -> None:
        context = distribute.get_replica_context()
        assert context is not None
        if replica_id() == 2:
            raise KeyError("the third")
        context.all_reduce("sum", tf.constant(1.0))

    with pytest.raises(KeyError, match="the third"):
        FOUR.run(fails)


def test_variables_that_replicas_assign() -> None:
    kinds = tf.VariableAggregation
    total = tf.Variable(1.0, aggregation=kinds.SUM)
    mean = tf.Variable(1.0, aggregation=kinds.MEAN)
    first = tf.Variable(1, aggregation=kinds.ONLY_FIRST_REPLICA)
    none = tf.Variable(1.0)

    def replica(x: Any) -> None:
        total.assign_add(x)
        mean.assign(x)
        first.assign_sub(1)

    x = distribute.PerReplica([tf.constant(float(i)) for i in range(4)])
    FOUR.run(replica, (x,))
    tf.function(lambda x: FOUR.run(replica, (x,)))(x)
    assert (float(total), float(mean), int(first)) == (13.0, 1.5, -1)
    with pytest.raises(ValueError, match="nothing says what becomes of their values"):
        FOUR.run(lambda: none.assign(2.0))
    assert float(none) == 1.0
    with FOUR.scope():
        none.assign(3.0)  # between replicas, as anywhere
    distribute.MultiWorkerMirroredStrategy().run(lambda: none.assign(4.0))
    assert float(none) == 4.0


def test_losses_of_replicas() -> None:
    """Each has its share of the batch's mean, and of what the weights cost."""

    def replica(x: Any) -> Any:
        return tf.nn.compute_average_loss(x), tf.nn.scale_regularization_loss([2.0, 6.0])

    x = distribute.PerReplica([tf.constant([i, i + 1.0]) for i in (0.0, 2.0, 4.0, 6.0)])
    mean, weights = FOUR.reduce("sum", FOUR.run(replica, (x,)), axis=None)
    assert (float(mean), float(weights)) == (3.5, 8.0)
    assert float(tf.nn.scale_regularization_loss([2.0, 6.0])) == 8.0


def test_datasets() -> None:
    batches = tf.data.Dataset.range(10).map(lambda x: {"x": x}).batch(7)
    divided = FOUR.experimental_distribute_dataset(batches)
    assert len(divided) == int(divided.cardinality()) == 2
    assert divided.element_spec["x"].value_specs == (tf.TensorSpec([None], tf.int64),) * 4
    for _ in range(2):
        found = [[v.numpy().tolist() for v in batch["x"].values] for batch in divided]
        assert found == [[[0], [1, 2], [3, 4], [5, 6]], [[], [7], [8], [9]]]
    assert [part(7, i, 4) for i in range(4)] == [(0, 1), (1, 3), (3, 5), (5, 7)]

    def make(context: distribute.InputContext) -> Any:
        size = context.get_per_replica_batch_size(8)
        assert (context.num_input_pipelines, context.input_pipeline_id) == (1, 0)
        return tf.data.Dataset.range(18).batch(size)

    own = FOUR.distribute_datasets_from_function(make)
    assert len(own) == int(own.cardinality()) == 2  # the last one has no part for all
    assert [int(v[0]) for batch in own for v in batch.values] == list(range(0, 16, 2))
    with pytest.raises(ValueError, match="4 replicas do not divide"):
        distribute.InputContext(1, 0, 4).get_per_replica_batch_size(10)
    with pytest.raises(TypeError, match=r"a tf\.data\.Dataset is needed"):
        FOUR.experimental_distribute_dataset([1, 2])
    with pytest.raises(RuntimeError, match="one iterator for all its calls"):
        tf.function(lambda: [iter(divided)], autograph=False)()
    single = distribute.MultiWorkerMirroredStrategy().experimental_distribute_dataset(batches)
    assert [b["x"].shape[0] for b in single] == [7, 3]


def rows_of_parts(dataset: Any) -> Any:
    """What four processes make of a dataset's batches, each of its parts: those of each batch
    together, and how many of each there are."""
    found, counts = [], []
    for i in range(0, 8, 2):
        plan = part_of_batches(dataset._plan, (i, i + 2, 8))
        assert plan is not None and plan.cardinality == dataset._plan.cardinality
        rows = [(x.numpy().tolist(), int(n)) for (x, _), n in tf.data.Dataset(plan)]
        spans = [span(n, (i, i + 2, 8)) for _, n in rows]
        assert [stop - start for start, stop in spans] == [len(x) for x, _ in rows]
        exact = [
            (n * i // 8 - s, n * (i + 2) // 8 - s)
            for (s, _), (_, n) in zip(spans, rows, strict=True)
        ]
        found.append([x[a:b] for (x, _), (a, b) in zip(rows, exact, strict=True)])
        counts.append([n for _, n in rows])
    assert counts == [counts[0]] * 4
    return [list(itertools.chain(*parts)) for parts in zip(*found, strict=True)]


def test_parts_of_batches() -> None:
    """Only the rows of the part are made; the last batch may have none for some, which get one to
    compute on. What cannot be divided alone is made as a whole."""
    source = tf.data.Dataset.range(21).shuffle(21, 3, False).map(lambda x: (x, x * x))
    batches = source.batch(6).prefetch(2).repeat(2).take(7)
    assert rows_of_parts(batches) == [x.numpy().tolist() for x, _ in batches]
    calls = []

    def seen(x: Any) -> Any:
        calls.append(int(x))
        return x

    stream = tf.data.Dataset.range(23).filter(lambda x: x > 1).map(lambda x: (x, x * x))
    for batches in (stream.batch(6), stream.map(lambda x, y: (x + y, y), 2).prefetch(1).batch(4)):
        assert rows_of_parts(batches) == [x.numpy().tolist() for x, _ in batches]
    endless = tf.data.Dataset.range(3).map(lambda x: (x, x)).repeat().batch(2)
    plan = part_of_batches(endless._plan, (1, 2, 2))
    assert [x.numpy().tolist() for (x, _), _ in tf.data.Dataset(plan).take(3)] == [[1], [0], [2]]
    impure = stream.map(lambda x, y: (tf.py_function(seen, [x], tf.int64), y)).batch(6)
    for whole in (impure, stream.shuffle(3).batch(6), stream.batch(6).map(lambda x, y: x)):
        assert part_of_batches(whole._plan, (0, 1, 4)) is None


def test_tf_config(monkeypatch: pytest.MonkeyPatch) -> None:
    def given(value: Any) -> None:
        text = value if isinstance(value, str) else json.dumps(value)
        monkeypatch.setenv("TF_CONFIG", text)
        distribute.MultiWorkerMirroredStrategy()

    given("")
    given({})
    given({"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}})
    for value, text in (
        (
            {"cluster": {"worker": ["a:1", "b:1"]}},
            r"2 workers, and MPI has started 1.*mpiexec -n 2",
        ),
        (
            {"cluster": {"chief": ["a:1"]}, "task": {"type": "worker", "index": 0}},
            "worker 0, number 1",
        ),
        ({"cluster": {"ps": ["a:1"]}}, "parameter servers"),
        ("{", "cannot be read"),
        ({"cluster": {"worker": "a:1"}}, "cannot be read: cluster has lists"),
        (
            {"cluster": {"chief": ["a:1"], "evaluator": ["b:1"]}, "task": {"type": "worker"}},
            "rank 0",
        ),
    ):
        with pytest.raises(ValueError, match=text):
            given(value)
