"""`tf.keras` is Keras, on tfc, found by all the names that programs use."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

import tfc as tf
from tfc.keras.__main__ import main
from tfc.keras.hook import LOADERS, Waiting

ROOT = Path(__file__).resolve().parents[2]


def process(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own: its text, or Python's arguments."""
    return subprocess.run(
        [sys.executable, *(("-c", *arguments) if len(arguments) == 1 else arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=300,
    )


def test_names() -> None:
    import tfc.keras.layers as layers
    from tfc.keras import Sequential
    from tfc.keras.optimizers import Adam

    assert tf.keras.Sequential is Sequential is keras.Sequential
    assert layers.Dense is tf.keras.layers.Dense is keras.layers.Dense
    assert Adam is keras.optimizers.Adam and tf.keras.__version__ == keras.__version__
    assert keras.backend.backend() == "tfc" and "layers" in dir(tf.keras)
    assert tf.layers is tf.keras.layers
    assert layers.__spec__.name != "tfc.keras.layers"  # Keras' own module, as it was
    with pytest.raises(AttributeError, match="no attribute 'Sequentiel'"):
        tf.keras.Sequentiel  # noqa: B018


def test_shapes_of_what_is_no_tensor() -> None:
    images = np.random.default_rng(0).random((2, 4, 4, 3)).astype("float32")
    assert keras.ops.shape(images) == (2, 4, 4, 3)
    assert keras.ops.shape([[1, 2, 3]]) == (1, 3)
    crop = keras.layers.RandomCrop(2, 3, seed=1)  # it asks for the shape of what it is called with
    assert crop(images).shape == (2, 2, 3, 3)


def test_functions_of_keras_2() -> None:
    """Those of `tf.keras.backend`, as books write losses with them."""
    from tfc.keras import backend as K  # noqa: N812  (as books have it)

    x = np.random.default_rng(0).random((3, 4)).astype("float32")

    def loss(y_true: Any, y_pred: Any) -> Any:
        inside = K.sum(K.flatten(y_true) * K.flatten(y_pred))
        return 1 - (2 * inside + K.epsilon()) / (K.sum(y_true) + K.sum(y_pred) + K.epsilon())

    np.testing.assert_allclose(loss(x, x), 1 - 2 * (x * x).sum() / (2 * x.sum()), rtol=1e-5)
    np.testing.assert_allclose(K.mean(K.square(x), axis=-1), (x**2).mean(-1), rtol=1e-6)
    np.testing.assert_allclose(K.dot(K.constant(x), K.transpose(x)), x @ x.T, rtol=1e-6)
    exponents = np.exp(x)
    wanted = exponents / exponents.sum(1, keepdims=True)
    np.testing.assert_allclose(K.softmax(x), wanted, rtol=1e-6)
    kept = K.variable(x)
    assert K.get_value(kept).shape == K.int_shape(kept) == (3, 4)
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(4)])
    model.compile("sgd", loss)
    assert len(model.fit(x, x, epochs=2, verbose=0).history["loss"]) == 2


def test_what_stands_in_the_way() -> None:
    """`import tfc` imports no Keras; another backend, another Keras and none are errors that say
    so."""
    code = """
import importlib.metadata as metadata, sys, types, tfc as tf
print("keras" in sys.modules, "tfc.keras" in sys.modules)
def refused():
    try:
        tf.keras
    except ImportError as e:
        print(e)
version = metadata.version
def missing(name):
    raise metadata.PackageNotFoundError(name)
metadata.version = missing
refused()
metadata.version = lambda name: "2.9.0"
refused()
metadata.version = version
config = types.ModuleType("keras.src.backend.config")
config.backend = lambda: "jax"
sys.modules["keras.src.backend.config"] = config
refused()
"""
    done = process(code)
    lines = done.stdout.splitlines()
    assert len(lines) == 4 and lines[0] == "False False", done.stderr
    assert "pip install 'tfc-lang[keras]'" in lines[1]
    assert "needs Keras 3.15.*, and 2.9.0 is installed" in lines[2]
    assert "Keras has been imported already, with the backend 'jax'" in lines[3]


def test_a_module_that_chooses_otherwise_is_refused() -> None:
    """Another Keras may say it otherwise; that is never silent."""
    import ast

    from tfc.keras.hook import ArmAdder

    adder = ArmAdder("chosen = 'tfc'")
    adder.visit(
        ast.parse("if backend() == 'jax':\n    pass\nelif backend() == 'tensorflow':\n    pass")
    )
    assert adder.count == 1
    adder = ArmAdder("chosen = 'tfc'")
    adder.visit(ast.parse("match backend():\n    case 'numpy':\n        pass"))
    assert adder.count == 0


def test_programs_that_import_keras_themselves(tmp_path: Path) -> None:
    """`python -m tfc.keras program.py`; Keras' own choice is no way in, and says so. scikit-learn
    is imported with the wrappers for it, not before."""
    (tmp_path / "beside.py").write_text("word = 'beside'\n")
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, keras, beside\n"
        "print(__name__, keras.backend.backend(), beside.word, sys.argv[1:])\n"
        "print('sklearn' in sys.modules, hasattr(keras.wrappers, '__wrapped__'))\n"
    )
    done = process("-m", "tfc.keras", program, "--epochs", "3")
    lines = ["__main__ tfc beside ['--epochs', '3']", "False False"]
    assert done.stdout.splitlines() == lines, done.stderr
    with pytest.raises(SystemExit, match="usage"):
        main([])
    assert "Unable to import backend" in process("import keras", KERAS_BACKEND="tfc").stderr


def test_modules_that_wait(tmp_path: Path) -> None:
    """Until they are first asked for a name, as `keras.wrappers` is."""
    assert LOADERS["keras.wrappers"] is Waiting
    file = tmp_path / "waiting.py"
    file.write_text("import sys\nsys.runs += 1\n__all__ = ['word']\nword = 'late'\n")
    loader = Waiting("waiting", str(file))
    spec = importlib.util.spec_from_loader("waiting", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.runs = 0  # type: ignore[attr-defined]
    try:
        loader.exec_module(module)
        assert not hasattr(module, "__wrapped__") and sys.runs == 0  # type: ignore[attr-defined]
        assert module.__all__ == ["word"] and module.word == "late" and "word" in dir(module)
        with pytest.raises(AttributeError, match="module 'waiting' has no attribute 'nothing'"):
            getattr(module, "nothing")  # noqa: B009
        assert sys.runs == 1  # type: ignore[attr-defined]
    finally:
        del sys.runs  # type: ignore[attr-defined]


def test_steps_have_names_and_lines_of_layers() -> None:
    """What is compiled is named for the step, and its ops are at the lines of layers, losses and
    optimizers, not at those of the functions of `keras.ops` that these call."""
    from tfc.explore.calls import watched

    layers = keras.layers
    model = keras.Sequential([layers.Input([3]), layers.Dense(4, "relu"), layers.Dense(2)])
    model.compile(optimizer="adam", loss="mse")
    with watched() as calls:
        model.fit(np.ones([4, 3], "float32"), np.zeros([4, 2], "float32"), verbose=0)
        model.predict(np.ones([4, 3], "float32"), verbose=0)
    steps = {concrete.name: concrete.function for concrete, _ in calls}
    assert {"train_step", "predict_step"} <= set(steps)
    files = {
        Path(op.location.file).name: op.location.file
        for op in steps["train_step"].walk()
        if op.location is not None
    }
    assert {"dense.py", "adam.py", "losses.py"} <= set(files)
    assert not any(f"src{os.sep}{part}" in f for f in files.values() for part in ("ops", "backend"))


def test_jacobians_and_numpy_functions_of_variables_of_layers() -> None:
    tnp = tf.experimental.numpy
    layer = keras.layers.Dense(2, use_bias=False, kernel_initializer="ones")
    x = tf.constant([[1.0, 2.0, 3.0]])
    with tf.GradientTape(persistent=True) as tape:
        y = layer(x)
    found = tape.jacobian(y, layer.kernel)
    assert found.shape == (1, 2, 3, 2)
    assert np.array_equal(tf.reduce_sum(found, [0, 1]), tape.gradient(y, layer.kernel))

    @tf.function
    def product(x: Any) -> Any:
        return tnp.matmul(x, layer.kernel) + tnp.maximum(layer.kernel, 2.0)[0]

    assert product(x).numpy().tolist() == [[8.0, 8.0]]
