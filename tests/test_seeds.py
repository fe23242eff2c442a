"""Programs of articles on eager execution run as they are written.

Each test names its article. The programs of TensorFlow 1 import `tfc.compat.v1`, as they import
`tensorflow.compat.v1` where TensorFlow 2 runs them; what they do with Keras is left to the tests of
Keras, and data sets that are downloaded are made here.
"""

from __future__ import annotations

import time
import timeit
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc
import tfc.compat.v1 as tf
import tfc.contrib.eager as tfe
from tests.summary.events import scalars

tf.enable_eager_execution()


class Linear(tfc.Module):
    """In the place of a Keras model."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.w = tfe.Variable(tf.zeros([inputs, outputs]))

    def __call__(self, x: Any, training: bool = False) -> Any:
        return tf.matmul(x, self.w)


def digits() -> Any:
    """A small data set in the place of MNIST's: images that are their classes."""
    images = np.eye(4, dtype=np.float32)[np.arange(64) % 4]
    return tf.data.Dataset.from_tensor_slices((images, np.arange(64) % 4))


# 知乎: Eager Mode,写在TensorFlow 2.0 到来之前


def test_eager_mode_before_tensorflow_2(tmp_path: Path) -> None:
    """Eager Mode,写在TensorFlow 2.0 到来之前: training that writes summaries."""
    imgs = tf.random_uniform(shape=(128, 32, 32, 3))
    assert imgs.shape == (128, 32, 32, 3)

    model, optimizer = Linear(4, 4), tf.train.GradientDescentOptimizer(0.5)
    dataset = digits().map(lambda x, y: (x, tf.one_hot(y, 4))).batch(2)
    step_counter = tf.Variable(0, dtype=tf.int64)
    acc_metrics = tfe.metrics.Accuracy("accuracy")
    with tf.contrib.summary.create_file_writer(str(tmp_path)).as_default():
        for _batch, (images, labels) in enumerate(dataset):
            with tf.contrib.summary.record_summaries_every_n_global_steps(
                10, global_step=step_counter
            ):
                with tf.GradientTape() as tape:
                    logits = model(images)
                    loss_value = tf.losses.softmax_cross_entropy(labels, logits)
                    acc_metrics(
                        labels=tf.argmax(labels, axis=1),
                        predictions=tf.argmax(logits, axis=1),
                    )
                    tf.contrib.summary.scalar("loss", loss_value, step=step_counter)
                    tf.contrib.summary.scalar(
                        "accuracy", acc_metrics.result().numpy(), step=step_counter
                    )
                grads = tape.gradient(loss_value, model.variables)
                optimizer.apply_gradients(
                    zip(grads, model.variables, strict=True), global_step=step_counter
                )
    written = scalars(tmp_path)
    assert [(tag, step) for tag, step, _ in written] == [
        (tag, step) for step in (0, 10, 20, 30) for tag in ("loss", "accuracy")
    ]
    losses = [value for tag, _, value in written if tag == "loss"]
    assert losses == sorted(losses, reverse=True) and written[-1][2] > 0.9
    assert int(step_counter) == 32


# 知乎 (机器之心): TensorFlow引入了动态图机制Eager Execution. Its code is shown in pictures; this is
# what they show.


def test_tensorflow_has_eager_execution(capsys: pytest.CaptureFixture[str]) -> None:
    """TensorFlow引入了动态图机制Eager Execution."""
    x = [[2.0]]
    m = tf.matmul(x, x)
    print(m)
    a = tf.constant(12)
    counter = 0
    while not tf.equal(a, 1):
        if tf.equal(a % 2, 0):
            a = tf.cast(a / 2, tf.int32)  # integers divide to floats since TensorFlow 2
        else:
            a = 3 * a + 1
        print(a)
        counter += 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "tf.Tensor([[4.]], shape=(1, 1), dtype=float32)"
    assert printed[1] == "tf.Tensor(6, shape=(), dtype=int32)" and counter == 9

    def square(x: Any) -> Any:
        return tf.multiply(x, x)

    grad = tfe.gradients_function(square)
    assert [float(g) for g in grad(3.0)] == [6.0]
    gradgrad = tfe.gradients_function(lambda x: grad(x)[0])
    assert [float(g) for g in gradgrad(3.0)] == [2.0]

    def absolute(x: Any) -> Any:
        return x if x > 0.0 else -x

    grad = tfe.gradients_function(absolute)
    assert float(grad(2.0)[0]) == 1.0 and float(grad(-2.0)[0]) == -1.0

    @tfe.custom_gradient
    def log1pexp(x: Any) -> Any:
        e = tf.exp(x)

        def grad(dy: Any) -> Any:
            return dy * (1 - 1 / (1 + e))

        return tf.log(1 + e), grad

    grad_log1pexp = tfe.gradients_function(log1pexp)
    assert float(grad_log1pexp(0.0)[0]) == 0.5 and float(grad_log1pexp(100.0)[0]) == 1.0

    optimizer, model = tf.train.GradientDescentOptimizer(learning_rate=0.5), Linear(4, 4)

    def loss_function(model: Any, x: Any, y: Any) -> Any:
        y_ = model(x)
        return tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=y_)

    one_hot = digits().map(lambda x, y: (x, tf.one_hot(y, 4))).batch(8)
    for x, y in tfe.Iterator(one_hot):
        grads = tfe.implicit_gradients(loss_function)(model, x, y)
        optimizer.apply_gradients(grads)
    assert tf.argmax(model(np.eye(4, dtype=np.float32)), 1).numpy().tolist() == [0, 1, 2, 3]


# TensorFlow下的eager模式


def test_eager_mode_under_tensorflow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """TensorFlow下的eager模式: tensors, Variables, operators, control flow."""
    assert tf.executing_eagerly()
    const = tf.constant(5)
    print(const)
    res = tf.multiply(const, const)
    print("result is %d" % res)  # noqa: UP031
    assert capsys.readouterr().out == "tf.Tensor(5, shape=(), dtype=int32)\nresult is 25\n"

    a = tf.constant(5)
    b = np.array(10)
    tf_res = tf.multiply(a, b)
    np_res = np.multiply(a, b)
    assert int(tf_res) == 50 and np_res == 50

    image = pytest.importorskip("PIL.Image")
    img = tf.random_uniform([28, 28, 3], maxval=255, dtype=tf.int32)
    img = tf.cast(img, tf.uint8)
    assert image.fromarray(img.numpy()).size == (28, 28)

    var = tf.get_variable("var", shape=[])
    assert str(var).startswith("<tf.Variable 'var:0' shape=() dtype=float32, numpy=")
    var = tfe.Variable(10)
    assert str(var) == "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=10>"

    assert tf.constant(0) <= 0 and tf.constant(0) >= 0
    assert int(tf.constant(0)) == 0 and tf.equal(tf.constant(0), 0)
    assert tf.constant(0).numpy() == 0
    var.assign(5)
    var.assign_add(5)
    assert int(var) == 10
    var = tf.constant(10)
    var += 5
    print(var)
    var -= 5
    print(var)
    shown = "tf.Tensor(15, shape=(), dtype=int32)\ntf.Tensor(10, shape=(), dtype=int32)\n"
    assert capsys.readouterr().out == shown

    def fizzbuzz(max_num: Any) -> None:
        max_num = tf.convert_to_tensor(max_num)
        for i in tf.range(max_num):
            if int(i % 3) == 0 and int(i % 5) == 0:
                print("fizzbuzz")
            elif int(i % 3) == 0:
                print("fizz")
            elif int(i % 5) == 0:
                print("buzz")
            else:
                print(int(i))

    fizzbuzz(6)
    assert capsys.readouterr().out.split() == ["fizzbuzz", "1", "2", "fizz", "4", "buzz"]

    monkeypatch.chdir(tmp_path)
    x = tf.get_variable("x", shape=[])
    checkpoint = tf.train.Checkpoint(x=x)
    x.assign(2.0)
    save_path = checkpoint.save("./ckpt/")
    x.assign(11.0)
    checkpoint.restore(save_path)
    assert float(x) == 2.0

    with pytest.raises(RuntimeError, match=r"tf\.placeholder\(\) is not compatible with eager"):
        tf.placeholder(tf.float32)


def test_tapes_of_eager_mode_under_tensorflow() -> None:
    """TensorFlow下的eager模式: tapes."""
    w = tf.get_variable("w", shape=[])
    w.assign(5.0)
    with tf.GradientTape() as gt:
        loss = w * w
        assert str(gt.gradient(loss, w)) == "tf.Tensor(10.0, shape=(), dtype=float32)"

    with tf.GradientTape(persistent=True) as gt:
        loss = w * w
    assert float(gt.gradient(loss, w)) == float(gt.gradient(loss, w)) == 10.0

    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)  # the article leaves this out, and None is what follows
        with tf.GradientTape() as gg:
            gg.watch(x)
            y = x * x
        dy_dx = gg.gradient(y, x)
        assert float(dy_dx) == 6.0
    d2y_dx2 = g.gradient(dy_dx, x)
    assert float(d2y_dx2) == 2.0


def test_tensorboard_of_eager_mode_under_tensorflow(tmp_path: Path) -> None:
    """TensorFlow下的eager模式: TensorBoard."""
    gs = tf.train.get_or_create_global_step()
    gs.assign(0)
    writer = tf.contrib.summary.create_file_writer(str(tmp_path))
    train_steps = 250
    with writer.as_default():
        for i in range(train_steps):
            with tf.contrib.summary.record_summaries_every_n_global_steps(100):
                loss = tf.constant(1.0 / (1 + i))
                tf.contrib.summary.scalar("loss", loss)
                gs.assign_add(1)
    found = [(tag, step) for tag, step, _ in scalars(tmp_path)]
    assert found == [("loss", 0), ("loss", 100), ("loss", 200)]
    gs.assign(0)


# Eager Execution, a notebook on TensorFlow 1.7


def test_notebook_on_eager_execution(capsys: pytest.CaptureFixture[str]) -> None:
    """TF的eager execution是一个命令式编程环境: first steps, gradients, custom ones."""
    x: Any = [[2.0]]
    m = tf.matmul(x, x)
    print(f"hello, {m}")
    a = tf.constant([[1, 2], [3, 4]])
    print(a)
    b = tf.add(a, 1)
    print(a * b)
    c = np.multiply(a, b)
    print(c)
    print(a.numpy())
    assert capsys.readouterr().out == (
        "hello, [[4.]]\n"
        "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)\n"
        "tf.Tensor(\n[[ 2  6]\n [12 20]], shape=(2, 2), dtype=int32)\n"
        "[[ 2  6]\n [12 20]]\n[[1 2]\n [3 4]]\n"
    )

    w = tfe.Variable([[1.0]])
    with tfe.GradientTape() as tape:
        loss = w * w
    grad = tape.gradient(loss, [w])
    assert [g.numpy().tolist() for g in grad] == [[[2.0]]]

    def line_search_step(fn: Any, init_x: Any, rate: float = 1.0) -> Any:
        with tfe.GradientTape() as tape:
            tape.watch(init_x)
            value = fn(init_x)
        (grad,) = tape.gradient(value, [init_x])
        grad_norm = tf.reduce_sum(grad * grad)
        init_value = value
        while value > init_value - rate * grad_norm:
            x = init_x - rate * grad
            value = fn(x)
            rate /= 2.0
        return x, value

    x, value = line_search_step(lambda x: tf.reduce_sum(tf.square(x)), tf.constant([1.0, 2.0]))
    assert float(value) < 5.0 and x.shape == (2,)

    def square(x: Any) -> Any:
        return tf.multiply(x, x)

    grad = tfe.gradients_function(square)
    assert float(square(3.0)) == 9.0 and float(grad(3.0)[0]) == 6.0
    gradgrad = tfe.gradients_function(lambda x: grad(x)[0])
    assert float(gradgrad(3.0)[0]) == 2.0
    gradgradgrad = tfe.gradients_function(lambda x: gradgrad(x)[0])
    assert gradgradgrad(3.0) == [None]

    @tf.custom_gradient
    def clip_gradient_by_norm(x: Any, norm: Any) -> Any:
        y = tf.identity(x)

        def grad_fn(dresult: Any) -> Any:
            return [tf.clip_by_norm(dresult, norm), None]

        return y, grad_fn

    clipped = tfe.gradients_function(lambda x: 10.0 * clip_gradient_by_norm(x, 2.0))
    assert float(clipped(1.0)[0]) == 2.0

    def log1pexp(x: Any) -> Any:
        return tf.log(1 + tf.exp(x))

    grad_log1pexp = tfe.gradients_function(log1pexp)
    assert float(grad_log1pexp(0.0)[0]) == 0.5 and np.isnan(grad_log1pexp(100.0)[0])


def test_training_of_the_notebook() -> None:
    """TF的eager execution是一个命令式编程环境: a line that is learnt, twice."""
    training_inputs = tf.random_normal([1000])
    noise = tf.random_normal([1000])
    training_outputs = training_inputs * 3 + 2 + noise

    def prediction(input: Any, weight: Any, bias: Any) -> Any:
        return input * weight + bias

    def loss(weights: Any, biases: Any) -> Any:
        error = prediction(training_inputs, weights, biases) - training_outputs
        return tf.reduce_mean(tf.square(error))

    def grad(weights: Any, biases: Any) -> Any:
        with tfe.GradientTape() as tape:
            loss_value = loss(weights, biases)
        return tape.gradient(loss_value, [weights, biases])

    W = tfe.Variable(5.0)
    B = tfe.Variable(10.0)
    lines = [f"Initial loss: {loss(W, B):.3f}"]
    for i in range(200):
        dW, dB = grad(W, B)
        W.assign_sub(dW * 0.01)
        B.assign_sub(dB * 0.01)
        if i % 20 == 0:
            lines.append(f"Loss at step {i:03d}: {loss(W, B):.3f}")
    lines.append(f"W = {W.numpy()}, B = {B.numpy()}")
    assert lines[1].startswith("Loss at step 000: ") and float(loss(W, B)) < 1.3
    assert abs(float(W) - 3) < 0.2 and abs(float(B) - 2) < 0.4

    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.01)
    W.assign(5.0)
    before = int(tf.train.get_or_create_global_step())
    for _ in range(100):
        optimizer.apply_gradients(
            zip(grad(W, B), [W, B], strict=True), global_step=tf.train.get_or_create_global_step()
        )
    assert int(tf.train.get_or_create_global_step()) == before + 100
    optimizer.minimize(lambda: loss(W, B), global_step=tf.train.get_or_create_global_step())
    tf.train.get_or_create_global_step().assign(0)


def test_data_and_metrics_of_the_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    """TF的eager execution是一个命令式编程环境: data, metrics, devices, Python functions."""

    def loss(model: Any, x: Any, y: Any) -> Any:
        prediction = model(x)
        return tf.losses.sparse_softmax_cross_entropy(labels=y, logits=prediction)

    def grad(model: Any, inputs: Any, targets: Any) -> Any:
        with tfe.GradientTape() as tape:
            loss_value = loss(model, inputs, targets)
        return tape.gradient(loss_value, model.variables)

    optimizer, model = tf.train.GradientDescentOptimizer(learning_rate=0.5), Linear(4, 4)
    dataset_train = digits().shuffle(64).repeat(2).batch(32)
    x, y = tfe.Iterator(dataset_train).next()
    assert f"{loss(model, x, y):.3f}" == "1.386"
    for x, y in tfe.Iterator(dataset_train):
        grads = grad(model, x, y)
        optimizer.apply_gradients(zip(grads, model.variables, strict=True))
    assert float(loss(model, x, y)) < 1.2

    m = tfe.metrics.Mean("loss")
    m(0)
    m(5)
    assert float(m.result()) == 2.5
    m([8, 9])
    assert float(m.result()) == 5.5 and m.result().dtype == tf.float64

    def measure(x: Any, steps: int) -> float:
        tf.matmul(x, x)
        start = time.time()
        for _ in range(steps):
            x = tf.matmul(x, x)
            _ = x.numpy()
        return time.time() - start

    with tf.device("/cpu:0"):
        assert measure(tf.random_normal((10, 10)), 20) > 0
    assert tfe.num_gpus() >= 0

    def my_py_func(x: Any) -> Any:
        x = tf.matmul(x, x)
        print(x)
        return x

    @tfe.defun  # in the place of a session, and of a graph
    def pf(x: Any) -> Any:
        return tfe.py_func(my_py_func, [x], tf.float32)

    for _ in range(2):
        assert pf(tf.constant([[2.0]])).numpy().tolist() == [[4.0]]
    assert capsys.readouterr().out == "tf.Tensor([[4.]], shape=(1, 1), dtype=float32)\n" * 2
    with pytest.raises(RuntimeError, match=r"tf\.placeholder\(\) is not compatible with eager"):
        tf.placeholder(dtype=tf.float32)


# 理解Eager模式及tf.function


def test_understanding_eager_mode_and_function(capsys: pytest.CaptureFixture[str]) -> None:
    """理解Eager模式及tf.function: functions and their signatures."""
    tf = tfc

    def a_regular_function(x: Any, y: Any, b: Any) -> Any:
        x = tf.matmul(x, y)
        x = x + b
        return x

    a_function_that_uses_a_graph = tf.function(a_regular_function)
    x1 = tf.constant([[1.0, 2.0]])
    y1 = tf.constant([[2.0], [3.0]])
    b1 = tf.constant(4.0)
    orig_value = a_regular_function(x1, y1, b1).numpy()
    tf_function_value = a_function_that_uses_a_graph(x1, y1, b1).numpy()
    assert orig_value == tf_function_value

    @tf.function
    def outer_function(x: Any) -> Any:
        y = tf.constant([[2.0], [3.0]])
        b = tf.constant(4.0)
        return a_regular_function(x, y, b)

    assert repr(outer_function(tf.constant([[1.0, 2.0]])).numpy()) == (
        "array([[12.]], dtype=float32)"
    )

    @tf.function
    def my_relu(x: Any) -> Any:
        return tf.maximum(0.0, x)

    print(my_relu(tf.constant(5.5)))
    print(my_relu([1, -1]))
    print(my_relu(tf.constant([3.0, -3.0])))
    print(my_relu(tf.constant(-2.5)))
    print(my_relu(tf.constant([-1.0, 1.0])))
    assert capsys.readouterr().out.splitlines() == [
        "tf.Tensor(5.5, shape=(), dtype=float32)",
        "tf.Tensor([1. 0.], shape=(2,), dtype=float32)",
        "tf.Tensor([3. 0.], shape=(2,), dtype=float32)",
        "tf.Tensor(0.0, shape=(), dtype=float32)",
        "tf.Tensor([0. 1.], shape=(2,), dtype=float32)",
    ]
    signatures = my_relu.pretty_printed_concrete_signatures()
    assert signatures.count("my_relu(") == 3 == my_relu.experimental_get_tracing_count()
    assert "shape=()" in signatures and "shape=(2,)" in signatures


def test_what_functions_do_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    """理解Eager模式及tf.function: what is printed, what is not executed, what is traced again."""
    tf = tfc

    @tf.function
    def get_MSE(y_true: Any, y_pred: Any) -> Any:
        print("Calculating MSE!")
        sq_diff = tf.pow(y_true - y_pred, 2)
        return tf.reduce_mean(sq_diff)

    y_true = tf.random.uniform([5], maxval=10, dtype=tf.int32)
    y_pred = tf.random.uniform([5], maxval=10, dtype=tf.int32)
    values = [int(get_MSE(y_true, y_pred)) for _ in range(3)]
    assert capsys.readouterr().out == "Calculating MSE!\n"
    tf.config.run_functions_eagerly(True)
    try:
        values += [int(get_MSE(y_true, y_pred)) for _ in range(3)]
    finally:
        tf.config.run_functions_eagerly(False)
    assert capsys.readouterr().out == "Calculating MSE!\n" * 3 and len(set(values)) == 1

    def unused_return_eager(x: Any) -> Any:
        tf.gather(x, [1])  # unused
        return x

    try:
        print(unused_return_eager(tf.constant([0.0])))
    except tf.errors.InvalidArgumentError as e:
        print(f"{type(e).__name__}: {e}")
    printed = capsys.readouterr().out
    assert printed.startswith("InvalidArgumentError: indices[0] = 1 is not in [0, 1)")

    @tf.function
    def unused_return_graph(x: Any) -> Any:
        tf.gather(x, [1])
        return x

    print(unused_return_graph(tf.constant([0.0])))
    assert capsys.readouterr().out == "tf.Tensor([0.], shape=(1,), dtype=float32)\n"

    x = tf.random.uniform(shape=[10, 10], minval=-1, maxval=2, dtype=tf.dtypes.int32)

    def power(x: Any, y: int) -> Any:
        result = tf.eye(10, dtype=tf.dtypes.int32)
        for _ in range(y):
            result = tf.matmul(x, result)
        return result

    assert timeit.timeit(lambda: power(x, 20), number=2) > 0
    power_as_graph = tf.function(power)
    assert timeit.timeit(lambda: power_as_graph(x, 20), number=2) > 0
    assert (power(x, 20).numpy() == power_as_graph(x, 20).numpy()).all()

    @tf.function
    def a_function_with_python_side_effect(x: Any) -> Any:
        print("Tracing!")  # An eager-only side effect.
        return x * x + tf.constant(2)

    print(a_function_with_python_side_effect(tf.constant(2)))
    print(a_function_with_python_side_effect(tf.constant(3)))
    six, eleven = (f"tf.Tensor({n}, shape=(), dtype=int32)\n" for n in (6, 11))
    assert capsys.readouterr().out == f"Tracing!\n{six}{eleven}"
    print(a_function_with_python_side_effect(2))
    print(a_function_with_python_side_effect(3))
    assert capsys.readouterr().out == f"Tracing!\n{six}Tracing!\n{eleven}"
