"""`tf.keras` is Keras, on tfc, found by all the names that programs use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest

import tfc as tf

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


def test_import_tfc_does_not_import_keras() -> None:
    done = process("import sys, tfc; print('keras' in sys.modules, 'tfc.keras' in sys.modules)")
    assert done.stdout == "False False\n"


def test_another_backend_is_there() -> None:
    code = (
        "import sys, types, tfc as tf\n"
        "config = types.ModuleType('keras.src.backend.config')\n"
        "config.backend = lambda: 'jax'\n"
        "sys.modules['keras.src.backend.config'] = config\n"
        "try:\n    tf.keras\nexcept ImportError as e:\n    print(e)"
    )
    done = process(code)
    assert "Keras has been imported already, with the backend 'jax'" in done.stdout, done.stderr


def test_no_keras() -> None:
    code = (
        "import importlib.metadata as m\n"
        "def missing(name): raise m.PackageNotFoundError(name)\n"
        "m.version = missing\n"
        "import tfc as tf\n"
        "try:\n    tf.keras\nexcept ImportError as e:\n    print(e)"
    )
    assert "pip install 'tfc-lang[keras]'" in process(code).stdout


def test_another_keras() -> None:
    code = (
        "import importlib.metadata as m\n"
        "m.version = lambda name: '2.9.0'\n"
        "import tfc as tf\n"
        "try:\n    tf.keras\nexcept ImportError as e:\n    print(e)"
    )
    assert "needs Keras 3.15.*, and 2.9.0 is installed" in process(code).stdout


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
    """`python -m tfc.keras program.py`; Keras' own choice is no way in, and says so. Wrappers for
    scikit-learn import it when they are used."""
    (tmp_path / "beside.py").write_text("word = 'beside'\n")
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, keras, beside\n"
        "print(__name__, keras.backend.backend(), beside.word, sys.argv[1:])\n"
        "print('sklearn' in sys.modules, hasattr(keras.wrappers, '__wrapped__'))\n"
        "from keras.wrappers import *\n"
        "w = keras.wrappers; names = dir(w)\n"
        "print(SKLearnClassifier is w.SKLearnClassifier, 'SKLearnRegressor' in names)\n"
        "keras.wrappers.nothing\n"
    )
    done = process("-m", "tfc.keras", program, "--epochs", "3")
    lines = ["__main__ tfc beside ['--epochs', '3']", "False False", "True True"]
    assert done.stdout.splitlines() == lines, done.stderr
    assert "module 'keras.wrappers' has no attribute 'nothing'" in done.stderr
    assert "usage" in process("-m", "tfc.keras").stderr
    assert "Unable to import backend" in process("import keras", KERAS_BACKEND="tfc").stderr
