"""What Keras' own tests need of their surroundings: tfc as the backend, and the `conftest` of
Keras' repository, which does not come with the package."""

from __future__ import annotations

import sys
import types

import pytest

import tfc.keras  # noqa: F401  (before anything imports Keras)


def skip_if_backend(backend: str, reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(backend == "tfc", reason=reason)


def pytest_configure(config: pytest.Config) -> None:
    """The marks of Keras' repository."""
    for mark in ("requires_trainable_backend", "multi_device"):
        config.addinivalue_line("markers", f"{mark}: of Keras")


conftest = types.ModuleType("conftest")
conftest.skip_if_backend = skip_if_backend  # type: ignore[attr-defined]
sys.modules.setdefault("conftest", conftest)
