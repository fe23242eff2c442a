"""Keras on tfc, where Keras is installed: the extra `keras`."""

from __future__ import annotations

import importlib.util
import os
import tempfile

import pytest

if importlib.util.find_spec("keras") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    os.environ.setdefault("KERAS_HOME", tempfile.mkdtemp(prefix="tfc-keras-"))
    import tfc.keras  # noqa: F401  (before any other import of Keras in this process)

    def pytest_configure(config: pytest.Config) -> None:
        """The marks of Keras' own tests, of which a sample runs here."""
        config.addinivalue_line("markers", "requires_trainable_backend: of Keras")


@pytest.fixture(autouse=True)
def seeded() -> None:
    """The same weights in each test."""
    import tfc as tf

    tf.keras.backend.clear_session(free_memory=False)  # which is a full collection, a second
    tf.keras.utils.set_random_seed(1)
