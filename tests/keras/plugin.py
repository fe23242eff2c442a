"""What Keras' own tests need of their surroundings: tfc as the backend, an arm for it where a test
chooses by the backend's name, and the `conftest` of Keras' repository, which does not come with the
package."""

from __future__ import annotations

import ast
import importlib.machinery
import sys
import types
from collections.abc import Sequence

import pytest

import tfc.keras
from tfc.keras.hook import ArmAdder

TRAINER_TEST = "keras.src.trainers.trainer_test"


def skip_if_backend(backend: str, reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(backend == "tfc", reason=reason)


def pytest_configure(config: pytest.Config) -> None:
    """The marks of Keras' repository."""
    for mark in ("requires_trainable_backend", "multi_device"):
        config.addinivalue_line("markers", f"{mark}: of Keras")
    sys.modules.setdefault("tensorflow", tfc)  # which tests import where they want tf.data
    sys.meta_path.insert(0, Finder())  # in front of pytest's own


class Finder:
    """Finds the test of trainers, which names each backend's Trainer and processor."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != TRAINER_TEST:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        assert spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader)
        spec.loader = Teller(fullname, spec.loader.path)
        return spec


class Teller(importlib.machinery.SourceFileLoader):
    """Loads that test with tfc's names beside the others'."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        trainer = ArmAdder("from tfc.keras._backend.trainer import Trainer")
        devices = DeviceAdder()
        tree = devices.visit(ast.parse(self.get_data(path), path))
        tree.body = [trainer.visit(s) if isinstance(s, ast.If) else s for s in tree.body]
        assert trainer.count == 1 and devices.count == 1, "Keras' test is another one"
        code: types.CodeType = compile(ast.fix_missing_locations(tree), path, "exec")
        return code


class DeviceAdder(ast.NodeTransformer):
    """Adds tfc's device to the dictionary of devices by backend."""

    count = 0

    def visit_Dict(self, node: ast.Dict) -> ast.Dict:
        if any(isinstance(v, ast.Constant) and v.value == "CPU:0" for v in node.values):
            self.count += 1
            node.keys.append(ast.Constant("tfc"))
            node.values.append(ast.Constant("CPU:0"))
        return node


conftest = types.ModuleType("conftest")
conftest.skip_if_backend = skip_if_backend  # type: ignore[attr-defined]
sys.modules.setdefault("conftest", conftest)
