"""`saved_model`: Modules as data, which run, train and raise as what they were saved from."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import warnings
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc import saved_model

ROOT = Path(__file__).resolve().parents[2]
INVALID = tf.errors.InvalidArgumentError
Pair = namedtuple("Pair", ["first", "second"])


class Dense(tf.Module):
    def __init__(self, inputs: int, outputs: int, seed: int) -> None:
        super().__init__(name=f"dense_{seed}")
        rng = np.random.default_rng(seed)
        self.w = tf.Variable(rng.normal(size=(inputs, outputs)).astype(np.float32), name="w")
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    def __call__(self, x: Any) -> Any:
        return x @ self.w + self.b


class Network(tf.Module):
    """Layers in a list, a counter, a table, functions of several signatures."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = [Dense(4, 8, 1), Dense(8, 3, 2)]
        self.calls = tf.Variable(0, trainable=False, name="calls")
        self.scale = {"all": tf.Variable(1.0, name="scale", dtype=tf.bfloat16)}
        self.again = self.layers[0]
        self.note = "not saved"
        self.table = tf.constant(np.arange(20, dtype=np.float32) / 10)

    @tf.function(input_signature=[tf.TensorSpec([None, 4])])
    def __call__(self, x: Any) -> Any:
        self.calls.assign_add(1)
        h = tf.nn.relu(self.layers[0](x))
        return self.layers[1](h) * tf.cast(self.scale["all"], tf.float32) + self.table[3]

    @tf.function
    def loss(self, batch: Any, power: int = 2, weights: Any = None) -> Any:
        error = tf.abs(self(batch["x"]) - batch["y"]) ** power
        error = error if weights is None else error * weights
        return {"loss": tf.reduce_mean(error), "parts": Pair(error, [tf.reduce_max(error), None])}

    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([], tf.int32)])
    def steps(self, x: Any, n: Any) -> Any:
        tf.debugging.assert_less(n, 10, message="too many steps")
        for i in tf.range(n):
            if i % 2 == 0:
                x = tf.sin(x)
            else:
                x = clipped(x) * 3.0
        return x

    @tf.function
    def never(self, x: Any) -> Any:
        return x


@tf.custom_gradient
def clipped(x: Any) -> Any:
    return tf.clip_by_value(x, -0.2, 0.2), lambda dy: dy * 10.0


X = tf.constant(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))
Y = tf.constant(np.ones((2, 3), np.float32))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> Path:
    """A network that was used and saved, and what it gave."""
    net, where = Network(), tmp_path_factory.mktemp("saved")
    batch = {"x": X, "y": Y}
    results = {
        "call": net(X),
        "loss": net.loss(batch)["loss"],
        "cubes": net.loss(batch, power=3)["loss"],
        "weighted": net.loss(batch, weights=tf.constant([1.0, 0.0, 2.0]))["loss"],
        "steps": net.steps(tf.constant([0.5, 2.0]), 5),
    }
    with tf.GradientTape() as tape:
        loss = net.loss(batch)["loss"]
    gradients = tape.gradient(loss, net.trainable_variables)
    np.savez(
        where / "expected.npz",
        **{k: np.asarray(v) for k, v in results.items()},
        **{f"g{i}": np.asarray(g).astype(np.float32) for i, g in enumerate(gradients)},
    )
    saved_model.save(net, where, signatures={"serve": net.__call__})
    return where


def test_what_it_gives(folder: Path) -> None:
    net = saved_model.load(folder)
    expected = np.load(folder / "expected.npz")
    batch = {"x": X, "y": Y}
    before = int(net.calls)
    got = {
        "call": net(X),
        "loss": net.loss(batch)["loss"],
        "cubes": net.loss(batch, power=3)["loss"],
        "weighted": net.loss(batch, 2, tf.constant([1.0, 0.0, 2.0]))["loss"],
        "steps": net.steps(tf.constant([0.5, 2.0]), 5),
    }
    for name, value in got.items():
        assert np.asarray(value).tobytes() == expected[name].tobytes(), name
    assert int(net.calls) == before + 4  # it has state
    parts = net.loss(batch)["parts"]
    assert type(parts).__name__ == "Pair" and parts.second[1] is None
    with tf.GradientTape() as tape:
        loss = net.loss(batch)["loss"]
    for i, g in enumerate(tape.gradient(loss, net.trainable_variables)):
        np.testing.assert_array_equal(np.asarray(g).astype(np.float32), expected[f"g{i}"])


def test_what_it_is(folder: Path) -> None:
    net, original = saved_model.load(folder), Network()
    assert isinstance(net, tf.Module) and net.name == "network"
    names = [v.name for v in original.variables]
    assert [v.name for v in net.variables] == names
    assert [v.trainable for v in net.variables] == [v.trainable for v in original.variables]
    assert net.again is net.layers[0] and net.layers[1].name == "dense_2"
    assert net.scale["all"].dtype is tf.bfloat16
    assert not hasattr(net, "note")
    np.testing.assert_array_equal(net.table, original.table)
    assert len(net.submodules) == 2
    (signature,) = net.signatures
    assert signature == "serve"
    found = net.signatures["serve"](x=X)
    assert list(found) == ["output_0"]
    np.testing.assert_array_equal(found["output_0"], net(X))
    assert net.signatures["serve"].inputs == [tf.TensorSpec([None, 4], tf.float32, "x")]


def test_other_sizes_gradients_and_functions(folder: Path) -> None:
    net = saved_model.load(folder)
    assert net(tf.zeros([5, 4])).shape == (5, 3) and net(tf.zeros([0, 4])).shape == (0, 3)

    @tf.function
    def both(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(net(x) ** 2)
        return y, tape.gradient(y, net.layers[1].b)

    with tf.GradientTape() as tape:
        y = tf.reduce_sum(net(X) ** 2)
    inside = both(X)
    np.testing.assert_array_equal(inside[0], y)
    np.testing.assert_array_equal(inside[1], tape.gradient(y, net.layers[1].b))
    slope = tf.grad(lambda x: tf.reduce_sum(net.steps(x, 2)))(tf.constant([0.1]))
    np.testing.assert_allclose(slope, 30 * np.cos(0.1), rtol=1e-6)  # the custom gradient is kept


def test_it_trains_and_is_saved_again(folder: Path, tmp_path: Path) -> None:
    net = saved_model.load(folder)
    losses = []
    for _ in range(10):
        with tf.GradientTape() as tape:
            loss = net.loss({"x": X, "y": Y})["loss"]
        variables = net.layers[0].trainable_variables + net.layers[1].trainable_variables
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.05 * g)
        losses.append(float(loss))
    assert losses[-1] < losses[0] * 0.9
    saved_model.save(net, tmp_path / "again")
    third = saved_model.load(tmp_path / "again")
    np.testing.assert_array_equal(third(X), net(X))
    saved_model.save(net, tmp_path / "again")  # over what is there
    assert saved_model.contains_saved_model(tmp_path / "again")


def test_without_the_source(folder: Path) -> None:
    program = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import numpy as np
import tfc as tf
net = tf.saved_model.load({str(folder)!r})
expected = np.load({str(folder / "expected.npz")!r})
x = tf.constant(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))
assert np.asarray(net(x)).tobytes() == expected["call"].tobytes()
assert "test_saved_model" not in sys.modules
try:
    net.steps(tf.constant([1.0]), 11)
except tf.errors.InvalidArgumentError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "too many steps" in done.stdout and __file__ in done.stdout  # the user's line


def test_data_only(folder: Path) -> None:
    """Nothing in the folder is code, and the manifest is JSON."""
    manifest = json.loads((folder / "saved_model.json").read_text())
    assert manifest["version"] == 3
    for name in manifest["files"]:
        data = (folder / name).read_bytes()
        assert b"cpython" not in data and b"\x80\x04" not in data[:2]
    np.load(folder / "variables.npz", allow_pickle=False)["v0"]
    assert (folder / "functions" / "0.ir").read_text().startswith("func @")


@pytest.mark.parametrize("harm", ["flip", "cut", "remove", "empty"])
def test_damaged_files(folder: Path, tmp_path: Path, harm: str) -> None:
    import shutil

    for name in ("saved_model.json", "variables.npz", "functions/0.ir"):
        where = tmp_path / name.replace("/", "_")
        shutil.copytree(folder, where)
        path = where / name
        data = path.read_bytes()
        if harm == "flip":
            path.write_bytes(data[:30] + bytes([data[30] ^ 0xFF]) + data[31:])
        elif harm == "cut":
            path.write_bytes(data[: len(data) // 2])
        elif harm == "remove":
            path.unlink()
        else:
            path.write_bytes(b"")
        if harm == "remove" and name == "saved_model.json":
            with pytest.raises(OSError, match="SavedModel file does not exist at"):
                saved_model.load(where)
            continue
        with pytest.raises(tf.errors.DataLossError, match="damaged") as caught:
            saved_model.load(where)
        assert name in str(caught.value) and __file__ in str(caught.value)


def test_manifests_that_lie(folder: Path, tmp_path: Path) -> None:
    import shutil

    text = (folder / "saved_model.json").read_text()
    rng = np.random.default_rng(0)
    shutil.copytree(folder, tmp_path / "m")
    path = tmp_path / "m" / "saved_model.json"

    def write(**changes: Any) -> None:
        path.write_text(json.dumps({**json.loads(text), **changes}))

    write(version=4, tfc="9.9")
    with pytest.raises(tf.errors.UnimplementedError, match=r"version 4 .* tfc 9\.9; .* up to 3"):
        saved_model.load(tmp_path / "m")
    write(format="another")
    with pytest.raises(tf.errors.DataLossError, match="it is no tfc saved model"):
        saved_model.load(tmp_path / "m")
    allowed = (tf.errors.DataLossError, tf.errors.UnimplementedError, ValueError)
    data = json.loads(text)
    for key in data:
        for value in (None, [], {}, 3, "x", [{}]):
            write(**{key: value})
            with contextlib.suppress(*allowed):
                saved_model.load(tmp_path / "m")
    for _ in range(20):
        i = int(rng.integers(len(text)))
        path.write_text(text[:i] + "7" + text[i + 1 :])
        with contextlib.suppress(*allowed):
            saved_model.load(tmp_path / "m")


def test_lists_and_variables_stand_for_tensors(tmp_path: Path) -> None:
    module = tf.Module()
    module.double = tf.function(
        lambda x: 2.0 * x, input_signature=[tf.TensorSpec([None, 2], tf.float32)]
    )
    saved_model.save(module, tmp_path / "m")
    double = saved_model.load(tmp_path / "m").double
    for x in ([[1, 2.5]], ((1, 2.5),), tf.Variable([[1, 2.5]]), [tf.constant([1, 2.5])]):
        assert double(x).numpy().tolist() == [[2.0, 5.0]]
    with tf.GradientTape() as tape:
        weights = tf.Variable([[1.0, 2.0]])
        y = tf.reduce_sum(double(weights))
    assert tf.convert_to_tensor(tape.gradient(y, weights)).numpy().tolist() == [[2.0, 2.0]]
    for wrong in ([1.0, 2.0], [["a", "b"]], [[1.0], [2.0, 3.0]], tf.Variable([[1, 2]])):
        with pytest.raises(ValueError, match="Could not find matching"):
            double(wrong)


def test_calls_that_fit_nothing(folder: Path) -> None:
    net = saved_model.load(folder)
    for call, text in (
        (lambda: net(tf.zeros([2, 5])), r"TensorSpec\(shape=\(2, 5\)"),
        (lambda: net(tf.zeros([2, 4], tf.float64)), "float64"),
        (lambda: net.loss({"x": X, "y": Y}, power=4), "Could not find matching concrete function"),
        (lambda: net.loss({"x": X}), r"one of the following 3 option\(s\)"),
        (lambda: net.never(X), "Found zero restored functions"),
    ):
        with pytest.raises(ValueError, match=text) as caught:
            call()
        assert __file__ in str(caught.value)
    with pytest.raises(TypeError, match="missing a required argument"):
        net()
    with pytest.raises(INVALID, match="too many steps"):
        net.steps(tf.constant([1.0]), 10)
    assert int(net.calls) == int(saved_model.load(folder).calls)


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    outside = tf.Variable(1.0, name="outside")
    m = tf.Module()
    m.f = tf.function(lambda x: x * outside)
    m.f(tf.constant(1.0))
    with pytest.raises(AssertionError, match=r"'untracked' resource.*'outside:0'"):
        saved_model.save(m, tmp_path)
    m.v = outside  # now it is found
    saved_model.save(m, tmp_path)
    m.f = tf.function(lambda x: tf.py_function(tf.exp, [x], tf.TensorSpec([])))
    m.f(tf.constant(1.0))
    with pytest.raises(tf.errors.UnimplementedError, match="calls Python") as caught:
        saved_model.save(m, tmp_path)
    assert __file__ in str(caught.value)
    path = tf.constant(str(tmp_path / "secret"))
    for own in (lambda x: tf.io.read_file(path), lambda x: tf.io.read_file(x + ".txt")):
        m.f = tf.function(own)
        m.f.get_concrete_function(tf.TensorSpec([], tf.string))
        with pytest.raises(tf.errors.UnimplementedError, match="a file that no argument names"):
            saved_model.save(m, tmp_path)
    m.f = tf.function(lambda x: tf.io.write_file(x, "text"))
    m.f.get_concrete_function(tf.TensorSpec([], tf.string))
    with pytest.raises(tf.errors.UnimplementedError, match=r"the host's function io\.write_file"):
        saved_model.save(m, tmp_path)
    m.f = tf.function(lambda x, o: x)
    thing = object()
    m.f(tf.constant(1.0), thing)
    with pytest.raises(tf.errors.UnimplementedError, match="cannot be saved as data"):
        saved_model.save(m, tmp_path)
    with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
        saved_model.save({"v": outside}, tmp_path)
    m.f = tf.function(lambda x: x)
    with pytest.raises(ValueError, match="needs a function with one trace, and lambda has 0"):
        saved_model.save(m, tmp_path, signatures=m.f)
    m.f = tf.function(lambda x: {"a": x, "b": [x, x + 1]})
    m.f(tf.constant(1.0))
    with pytest.raises(ValueError, match=r"Got a non-Tensor value \[.* for key 'b' in the output"):
        saved_model.save(m, tmp_path, signatures={"f": m.f})
    with pytest.raises(ValueError, match="Received invalid VariablePolicy value: other"):
        saved_model.SaveOptions(experimental_variable_policy="other")
    with pytest.raises(OSError, match="does not exist"):
        saved_model.load(tmp_path / "nowhere")


def test_default_signature_randomness_and_shared_modules(tmp_path: Path) -> None:
    m = tf.Module()
    m.dropout = tf.function(lambda x: {"y": x * tf.random.uniform([3])})
    m.dropout(tf.ones([3]))
    m.itself = m
    saved_model.save(m, tmp_path)
    again = saved_model.load(tmp_path)
    assert again.itself is again
    a, b = (again.signatures["serving_default"](x=tf.ones([3]))["y"] for _ in range(2))
    assert not np.array_equal(a, b)
    assert saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY in again.signatures


def test_ragged_and_sparse_tensors(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
        def summed(self, x: Any) -> Any:
            return tf.reduce_sum(x, 1)

        @tf.function
        def twice(self, batch: Any) -> Any:
            return {"x": batch["x"] * 2, "deep": batch["deep"] + 1}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
        def counted(self, lengths: Any) -> Any:
            return tf.RaggedTensor.from_row_lengths(tf.range(tf.reduce_sum(lengths)), lengths)

        @tf.function(input_signature=[tf.SparseTensorSpec([None, 3], tf.float32)])
        def scaled(self, x: Any) -> Any:
            return x * 2.0

    m = Model()
    rows = tf.ragged.constant([[1.0, 2.0], [3.0]])
    batch = {"x": rows, "deep": tf.ragged.constant([[[1], []], [[2, 3]]])}
    m.twice(batch)
    again = restored(m, tmp_path)
    assert again.summed(rows).numpy().tolist() == [3, 3]
    assert again.summed(tf.ragged.constant([[], [5.0], [1.0]])).numpy().tolist() == [0, 5, 1]
    found = again.twice(batch)
    assert found["x"].to_list() == [[2, 4], [6]]
    assert found["deep"].to_list() == [[[2], []], [[3, 4]]]
    assert again.counted([1, 0, 2]).to_list() == [[0], [], [1, 2]]
    sparse = tf.sparse.from_dense([[1.0, 0.0, 2.0]])
    assert tf.sparse.to_dense(again.scaled(sparse)).numpy().tolist() == [[2, 0, 4]]
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        again.summed(tf.zeros([2, 2]))
    with pytest.raises(INVALID, match="the shape differs"):
        again.scaled(tf.sparse.from_dense([[1.0, 0.0]]))
    twice = restored(again, tmp_path / "twice")
    assert twice.twice(batch)["x"].to_list() == [[2, 4], [6]]


def test_signatures_of_any_rank(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec(None)])
        def f(self, x: Any) -> Any:
            return tf.reduce_sum(x) + tf.cast(tf.rank(x), tf.float32)

        @tf.function(input_signature=[tf.TensorSpec(None)])
        def g(self, x: Any) -> Any:
            return tf.linalg.matmul(x, x)  # not of any rank

    with warnings.catch_warnings(action="error"):  # nobody made these traces without need
        again = restored(Model(), tmp_path)
    assert [float(again.f(tf.ones([1] * n))) for n in range(5)] == [1, 2, 3, 4, 5]
    assert again.g(tf.ones([2, 2])).numpy().tolist() == [[2, 2], [2, 2]]


def test_concrete_functions_of_any_rank_are_signatures(tmp_path: Path) -> None:
    m = tf.Module()
    m.v = tf.Variable(2.0)
    m.f = tf.function(lambda x: x * m.v)
    spec = tf.TensorSpec(None, tf.float32)
    saved_model.save(m, tmp_path, signatures=m.f.get_concrete_function(spec))
    loaded = saved_model.load(tmp_path).signatures["serving_default"]
    for rank in (0, 1, 3):
        (found,) = loaded(x=tf.ones([2] * rank)).values()
        np.testing.assert_array_equal(found, 2.0 * np.ones([2] * rank))
    assert loaded.structured_input_signature == ((), {"x": tf.TensorSpec(None, tf.float32, "x")})
    assert [s.shape.rank for s in loaded.structured_outputs.values()] == [None]


def test_what_signatures_take_and_give(tmp_path: Path) -> None:
    m = tf.Module()
    spec = tf.TensorSpec([None], name="given")
    m.f = tf.function(lambda given: {"out": given + 1.0}, input_signature=[spec])
    saved_model.save(m, tmp_path, signatures=m.f)
    signature = saved_model.load(tmp_path).signatures["serving_default"]
    assert signature.structured_input_signature == ((), {"given": spec})
    assert signature.structured_outputs == {"out": tf.TensorSpec([None], name="out")}
    assert signature.structured_outputs["out"].name == "out"


def restored(m: Any, folder: Path) -> Any:
    saved_model.save(m, folder)
    return saved_model.load(folder)


def test_the_only_function_with_a_signature_is_the_default_one(tmp_path: Path) -> None:
    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def double(self, x: Any) -> Any:
            return {"y": x * 2.0}

        @tf.function
        def other(self, x: Any) -> Any:
            return x

    model = Model()
    model.other(tf.constant(1.0))
    model.other(tf.constant([1]))
    tf.saved_model.save(model, str(tmp_path))
    signatures = tf.saved_model.load(str(tmp_path)).signatures
    assert list(signatures) == ["serving_default"]
    found = signatures["serving_default"](x=tf.constant([1.0, 2.0]))
    assert found["y"].numpy().tolist() == [2.0, 4.0]


def test_tags_are_those_of_all(tmp_path: Any) -> None:
    tf.saved_model.save(tf.Module(), str(tmp_path))
    for tags in (None, "serve", ["serve"]):
        tf.saved_model.load(str(tmp_path), tags)
    with pytest.raises(ValueError, match="incompatible argument to `tags`"):
        tf.saved_model.load(str(tmp_path), ["train"])
