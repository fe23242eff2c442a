"""A sample of Keras' own tests, and the lists that `make test-keras` goes by."""

from __future__ import annotations

from collections.abc import Iterator

import keras
import pytest
from keras.src import trainers
from keras.src.callbacks.early_stopping_test import EarlyStoppingTest
from keras.src.layers.regularization.dropout_test import DropoutTest
from keras.src.losses.loss_test import LossTest
from keras.src.models.sequential_test import SequentialTest
from keras.src.ops.function_test import FunctionTest

from tests.keras import plugin
from tools import keras_tests

__all__ = [  # pytest collects these here
    "DropoutTest",
    "EarlyStoppingTest",
    "FunctionTest",
    "LossTest",
    "SequentialTest",
]


@pytest.fixture(autouse=True)
def tracebacks() -> Iterator[None]:
    """Keras' tests switch off what shortens tracebacks."""
    short = keras.config.is_traceback_filtering_enabled()
    yield
    if short:
        keras.config.enable_traceback_filtering()


def test_lists() -> None:
    """What is listed is there, and has reasons."""
    files, known = keras_tests.files([]), keras_tests.known()
    assert len(files) == len(set(files)) > 140
    assert all((keras_tests.sources() / file).is_file() for file in files)
    assert {name.split("::")[0] for name in known} <= set(files)
    assert all(len(reason) > 8 for reason in known.values())
    assert list(known) == sorted(known)
    assert keras_tests.files(["core/dense_test"]) == ["layers/core/dense_test.py"]


def test_failures_in_what_pytest_prints() -> None:
    printed = (
        "FAILED ../lib/keras/src/ops/nn_test.py::A::test_b\n"
        "ERROR ../lib/keras/src/tree/tree_test.py\n1 failed, 1 error in 3s\n"
    )
    assert keras_tests.FAILED.findall(printed) == ["ops/nn_test.py::A::test_b", "tree/tree_test.py"]
    assert keras_tests.undecided("wants numpy, for one") and not keras_tests.undecided("numpy")
    assert not keras_tests.undecided("wants a_package_that_nobody_has")


def test_the_test_of_trainers_is_told_ours() -> None:
    loader = plugin.Finder().find_spec(plugin.TRAINER_TEST, trainers.__path__).loader
    names = set(loader.get_code(plugin.TRAINER_TEST).co_names)
    assert "tfc.keras._backend.trainer" in names
