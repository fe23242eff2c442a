"""Loops as TensorFlow's guide writes them, and what else its users say around strategies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc import distribute, keras

TWO = distribute.MirroredStrategy(["CPU:0"] * 2)


def test_custom_training_as_in_the_guide(tmp_path: Path) -> None:
    """Steps over a distributed dataset, by an iterator, and by a loop in a function: each goes on
    learning; what is saved under the scope is restored without it, and under it."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(24, 4)).astype(np.float32)
    y = (x[:, 0] > 0).astype(np.int32)
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(24, seed=1).batch(8)
    divided = TWO.experimental_distribute_dataset(dataset)

    def create_model() -> Any:
        regularizer = keras.regularizers.L2(1e-3)
        return keras.Sequential([keras.layers.Dense(2, kernel_regularizer=regularizer)])

    with TWO.scope():
        loss_object = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
        accuracy = keras.metrics.SparseCategoricalAccuracy()
        model = create_model()
        optimizer = keras.optimizers.Adam(0.1)
        checkpoint = tf.train.Checkpoint(optimizer=optimizer, model=model)

    def train_step(inputs: Any) -> Any:
        images, labels = inputs
        with tf.GradientTape() as tape:
            predictions = model(images, training=True)
            loss = tf.nn.compute_average_loss(loss_object(labels, predictions))
            loss += tf.nn.scale_regularization_loss(tf.add_n(model.losses))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        accuracy.update_state(labels, predictions)
        return loss

    @tf.function
    def distributed_train_step(inputs: Any) -> Any:
        losses = TWO.run(train_step, args=(inputs,))
        return TWO.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    @tf.function
    def distributed_epoch(dataset: Any) -> Any:
        total, batches = 0.0, 0
        for inputs in dataset:
            losses = TWO.run(train_step, args=(inputs,))
            total += TWO.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
            batches += 1
        return total / tf.cast(batches, tf.float32)

    @tf.function
    def some_steps(iterator: Any) -> Any:
        taken = tf.constant(0)
        for _ in tf.range(5):
            inputs = iterator.get_next_as_optional()
            if not inputs.has_value():
                break
            TWO.run(train_step, args=(inputs.get_value(),))
            taken += 1
        return taken

    first = float(sum(distributed_train_step(inputs) for inputs in divided)) / 3
    assert int(optimizer.iterations.numpy()) == 3
    iterator = iter(divided)
    assert isinstance(iterator, distribute.DistributedIterator)
    for _ in range(3):
        distributed_train_step(next(iterator))
    with pytest.raises(StopIteration):
        next(iterator)
    assert int(some_steps(iter(divided))) == 3
    last = [float(distributed_epoch(divided)) for _ in range(3)][-1]
    assert last < first
    assert int(optimizer.iterations.numpy()) == 18
    assert 0 < float(accuracy.result()) <= 1
    path = checkpoint.save(str(tmp_path / "ckpt"))
    for scope in (TWO, distribute.get_strategy()):
        with scope.scope():
            restored = create_model()
            restored.build((None, 4))
            tf.train.Checkpoint(model=restored).restore(path).expect_partial()
        np.testing.assert_array_equal(restored(x), model(x))
    tf.saved_model.save(model, str(tmp_path / "saved"))
    with TWO.scope():
        inference = tf.saved_model.load(str(tmp_path / "saved")).signatures["serving_default"]
        for inputs, _ in divided:
            found = TWO.run(inference, args=(inputs,))
            (rows,) = TWO.experimental_local_results(found)[1].values()
            assert rows.shape == (4, 2)


def test_functions_of_users_in_replicas() -> None:
    """A function that is handed to `run` is traced for all replicas; one that a replica calls
    cannot let them meet, and says so, instead of waiting for ever."""
    total = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)

    @tf.function
    def step(x: Any) -> Any:
        if x > 1.5:
            x *= 10.0
        total.assign_add(x)
        context = distribute.get_replica_context()
        return context.all_reduce("sum", x)

    x = distribute.PerReplica([tf.constant(1.0), tf.constant(2.0)])
    for _ in range(2):
        found = TWO.run(step, (x,))
        assert {float(v) for v in TWO.experimental_local_results(found)} == {21.0}
    assert float(total) == 42.0
    assert float(tf.function(lambda x: TWO.reduce("mean", TWO.run(step, (x,)), None))(x)) == 21.0
    with pytest.raises(RuntimeError, match="replicas of a process cannot meet"):
        TWO.run(lambda x: step(x), (x,))
    assert float(total) == 63.0

    @tf.function(
        input_signature=[distribute.datasets.PerReplicaSpec(tf.TensorSpec([]), tf.TensorSpec([]))]
    )
    def doubled(x: Any) -> Any:
        return TWO.reduce("sum", x, axis=None) * 2.0

    assert float(doubled(x)) == 6.0
    with pytest.raises(TypeError, match="does not fit"):
        doubled(tf.constant(1.0))


def test_gradients_through_what_replicas_exchange() -> None:
    """Sums, means and gathered rows: as if all replicas were one program, whose loss is the sum of
    theirs. Compiled, the same bits; a tape around `run` sees what has really happened."""
    four = distribute.MirroredStrategy(["CPU:0"] * 4)
    xs = [tf.constant(of) for of in np.random.default_rng(0).normal(size=(4, 2, 3))]
    x, w = distribute.PerReplica(xs), tf.Variable([1.0, -2.0, 0.5], dtype=tf.float64)

    def replica(x: Any) -> Any:
        context = distribute.get_replica_context()
        weight = 1.0 + tf.cast(context.replica_id_in_sync_group, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = x * w
            total = context.all_reduce("sum", tf.reduce_sum(z * z, 0))
            mean = context.all_reduce("mean", {"of": total * tf.reduce_mean(x, 0)})["of"]
            rows = context.all_gather(z, 0)
            loss = tf.reduce_sum(mean * weight) + tf.reduce_sum(tf.sin(z) * total)
            loss += tf.reduce_sum(rows * rows) * weight
        return loss, *tape.gradient(loss, [x, w])

    with tf.GradientTape() as tape:
        tape.watch(xs)
        zs = [x * w for x in xs]
        total = tf.add_n([tf.reduce_sum(z * z, 0) for z in zs])
        mean = tf.add_n([total * tf.reduce_mean(x, 0) for x in xs]) / 4.0
        rows = tf.concat(zs, 0)
        losses = [tf.reduce_sum(tf.sin(z) * total) for z in zs]
        whole = tf.add_n(losses) + 10.0 * (tf.reduce_sum(mean) + tf.reduce_sum(rows * rows))
    *by_x, by_w = tape.gradient(whole, [*xs, w])
    eager = four.run(replica, (x,))
    compiled = tf.function(lambda x: four.run(replica, (x,)))(x)
    for found in (eager, compiled):
        np.testing.assert_allclose(four.reduce("sum", found[0], axis=None), whole, rtol=1e-12)
        np.testing.assert_allclose(found[1].values, by_x, rtol=1e-12)
        np.testing.assert_allclose(four.reduce("sum", found[2], axis=None), by_w, rtol=1e-12)
    for one, other in zip(eager[1:], compiled[1:], strict=True):
        np.testing.assert_array_equal(one.values, other.values)

    def around(x: Any) -> Any:
        def product(x: Any) -> Any:
            return distribute.get_replica_context().all_reduce("sum", x * w) * x

        with tf.GradientTape() as tape:
            target = four.reduce("sum", four.run(product, (x,)), axis=None)
        return tape.gradient(target, w)

    expected = np.sum(np.sum(xs, 0) ** 2, 0)
    for function in (around, tf.function(around)):
        np.testing.assert_allclose(function(x), expected, rtol=1e-12)


def test_values_that_are_made_for_replicas() -> None:
    numbers = TWO.experimental_distribute_values_from_function(
        lambda context: {"n": context.num_replicas_in_sync, "i": context.replica_id_in_sync_group}
    )
    assert numbers["n"].values == (2, 2)
    assert numbers["i"].values == (0, 1)
    single = distribute.OneDeviceStrategy("/cpu:0")
    assert single.experimental_distribute_values_from_function(lambda context: 5) == 5
    ragged = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [], [4]]))
    (rows,) = TWO.experimental_distribute_dataset(ragged.batch(4))
    assert [v.to_list() for v in rows.values] == [[[1], [2, 3]], [[], [4]]]
    sparse = tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0], [0, 2], [3, 0]]))
    (rows,) = TWO.experimental_distribute_dataset(sparse.batch(3))
    assert [tf.sparse.to_dense(v).numpy().tolist() for v in rows.values] == [
        [[1, 0]],
        [[0, 2], [3, 0]],
    ]


def test_between_replicas() -> None:
    v = tf.Variable([1.0, 2.0])

    def replica(g: Any) -> None:
        def update(strategy: Any, g: Any) -> None:
            (total,) = strategy.extended.batch_reduce_to("sum", [(g, v)])
            strategy.extended.update(v, lambda v, g: v.assign_sub(g), args=(total,))

        distribute.get_replica_context().merge_call(update, (g,))

    TWO.run(replica, (distribute.PerReplica([tf.constant([1.0, 1.0]), tf.constant([0.0, 2.0])]),))
    np.testing.assert_array_equal(v, [0.0, -1.0])
    assert TWO.extended.worker_devices == TWO.extended.parameter_devices == ("CPU:0", "CPU:0")
    assert TWO.extended.variable_created_in_scope(v)
    distribute.experimental_set_strategy(TWO)
    assert distribute.get_strategy() is TWO
    distribute.experimental_set_strategy(None)
    assert not distribute.has_strategy()
    with TWO.scope(), pytest.raises(RuntimeError, match="that `with` or `run` has entered"):
        distribute.experimental_set_strategy(None)


def test_the_cpu_in_parts() -> None:
    (cpu,) = tf.config.list_physical_devices("CPU")
    part = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(cpu, [part] * 3)
    try:
        strategy = distribute.MirroredStrategy(["CPU:0", "CPU:2"])
        each = strategy.run(lambda: tf.constant(1.0) + 1.0)
        assert [float(v) for v in strategy.experimental_local_results(each)] == [2.0, 2.0]
        assert distribute.MirroredStrategy().num_replicas_in_sync == 3
        assert len(tf.config.get_logical_device_configuration(cpu)) == 3
    finally:
        tf.config.set_logical_device_configuration(cpu, [part])
    with pytest.raises(ValueError, match="one part at least"):
        tf.config.set_logical_device_configuration(cpu, [])


def test_who_a_process_is(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = distribute.MultiWorkerMirroredStrategy().cluster_resolver
    assert (resolver.task_type, resolver.task_id) == ("worker", 0)
    assert not resolver.cluster_spec()
    config = {"cluster": {"chief": ["a:1"]}, "task": {"type": "chief", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    options = distribute.experimental.CommunicationOptions()
    strategy = distribute.experimental.MultiWorkerMirroredStrategy(communication_options=options)
    found = strategy.cluster_resolver
    assert (found.task_type, found.task_id, found.cluster_spec().as_dict()) == (
        "chief",
        0,
        config["cluster"],
    )
    config["task"]["type"] = "evaluator"
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    with pytest.raises(ValueError, match="this is evaluator 0: there are workers and a chief"):
        distribute.MultiWorkerMirroredStrategy()
