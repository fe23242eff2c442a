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

TEST_CASE = "keras.src.testing.test_case"  # what the tests have in common
TRAINER_TEST = "keras.src.trainers.trainer_test"
# Where tests ask what TensorFlow does otherwise than other backends, or for what is inside of it.
APART = frozenset(
    {
        "test_assert_same_paths_tf_wrappers",
        "test_assert_same_structure_tf_wrappers",
        "test_basic_flow",  # which road data takes
        "run_segment_reduce_test",
        "test_exception_reported",  # by which class of errors
        "test_extract_patches_3d_with_dilation",
        "test_flatten_tf_wrappers",
        "test_flatten_with_path_tf_wrappers",
        "test_is_nested_tf_wrappers",
        "test_jit_compile_with_tf_determinism",
        "test_lu_factor",
        "test_map_structure_with_multiple_structures_tf_wrappers",
        "test_map_structure_with_one_structure_tf_wrappers",
        "test_moments_sync",  # of several devices
        "test_moments_sync_with_distribution_strategy",
        "test_pack_sequence_as_tf_wrappers",
        "test_segment_reduce_explicit_num_segments",
        "test_segment_reduce_sort_and_num_segments",
        "test_text_dataset_from_directory_binary",
        "test_text_dataset_from_directory_multiclass",
        "test_text_dataset_from_directory_standalone",
        "test_traverse_bottom_up_tf_wrappers",
        "test_traverse_top_down_tf_wrappers",
        "test_variable_numpy_scalar",  # of several devices
        "test_with_unexpected_shapes",
    }
)
APART_WHOLE = frozenset({"keras.src.backend.common.dtypes_test"})  # tfc's rules are the others'


def skip_if_backend(backend: str, reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(backend == "tfc", reason=reason)


def pytest_configure(config: pytest.Config) -> None:
    """The marks of Keras' repository."""
    for mark in ("requires_trainable_backend", "multi_device"):
        config.addinivalue_line("markers", f"{mark}: of Keras")
    sys.modules.setdefault("tensorflow", tfc)  # which tests import where they want tf.data
    sys.meta_path.insert(0, Finder())  # in front of pytest's own


class Finder:
    """Finds Keras' tests."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != TEST_CASE and not (
            fullname.startswith("keras.src.") and fullname.endswith("_test")
        ):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Teller(fullname, spec.loader.path)
        return spec


class Teller(importlib.machinery.SourceFileLoader):
    """Loads a test that takes tfc for TensorFlow. That of trainers names each backend's Trainer and
    device, too, and is told ours."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        if fullname == TRAINER_TEST:
            trainer = ArmAdder("from tfc.keras._backend.trainer import Trainer")
            devices = DeviceAdder()
            tree = devices.visit(tree)
            tree.body = [trainer.visit(s) if isinstance(s, ast.If) else s for s in tree.body]
            assert trainer.count == 1 and devices.count == 1, "Keras' test is another one"
        if fullname not in APART_WHOLE:
            tree = AsTensorFlow().visit(tree)
        code: types.CodeType = compile(ast.fix_missing_locations(tree), path, "exec")
        return code


class AsTensorFlow(ast.NodeTransformer):
    """Where a test asks whether the backend is TensorFlow, tfc is meant, too: it has those
    functions. Only what TensorFlow is excused from is asked of tfc."""

    def visit_Compare(self, node: ast.Compare) -> ast.Compare:
        self.generic_visit(node)
        asks = isinstance(node.left, ast.Call) and ast.unparse(node.left).endswith("backend()")
        names = _names(node.comparators[0]) if asks and len(node.ops) == 1 else []
        if "tensorflow" in names:
            yes = isinstance(node.ops[0], ast.Eq | ast.In)
            node.ops = [ast.In() if yes else ast.NotIn()]
            node.comparators = [ast.Tuple([ast.Constant(n) for n in [*names, "tfc"]], ast.Load())]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if node.name not in APART:
            self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> ast.If:
        if not _excuses(node.body[0]):
            node.test = self.visit(node.test)
        node.body = [self.visit(statement) for statement in node.body]
        node.orelse = [self.visit(statement) for statement in node.orelse]
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        if ast.unparse(node.func).lower().endswith("skipif"):
            excused = [n for n in ast.walk(node.args[0]) if isinstance(n, ast.Eq | ast.In)]
            if excused:
                return node
        self.generic_visit(node)
        return node


def _names(node: ast.expr) -> list[str]:
    """The strings that something is compared with."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]


def _excuses(statement: ast.stmt) -> bool:
    """Whether this ends a test before it has tried anything."""
    return "skip" in ast.unparse(statement).partition("(")[0].lower()


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
