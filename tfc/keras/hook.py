"""How Keras comes to know a backend that is not among its own.

Keras 3.15 chooses in five modules: `if backend() == "tensorflow": from ... elif ...`. While Python
imports one of these, the arm for tfc is put in front of that chain, in the tree of its source. What
is compiled so is not kept: Keras' folder, and its byte code for other programs, stay as they are.
If a module does not have the chain that is expected, that is an error which names the versions.

`import tfc.keras.layers` and the like give Keras' own modules.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import sys
import types
from collections.abc import Sequence
from typing import Any

NAME = "tfc"
VERSIONS = "3.15"  # of Keras, that this was written and tested for
ROOM = __package__ or "tfc.keras"
DATA = ROOM.rpartition(".")[0] + ".data"
FACE = "keras._tf_keras.keras"
OURS = ("_backend", "hook", "__main__")

# What is imported where Keras chooses: its module, and the statements of our arm.
ARMS = {
    "keras.src.backend": f"""
from {ROOM}._backend import *
from {ROOM}._backend.core import Variable as BackendVariable
""",
    "keras.src.layers.layer": f"from {ROOM}._backend.layer import Layer as BackendLayer",
    "keras.src.models.model": f"from {ROOM}._backend.trainer import Trainer",
    "keras.src.optimizers.optimizer": (
        f"from {ROOM}._backend.optimizer import Optimizer as BackendOptimizer"
    ),
    "keras.src.export.saved_model": (
        f"from {ROOM}._backend.export import ExportArchive as BackendSavedModelExportArchive"
    ),
}
DYNAMIC = "keras.src.utils.backend_utils"  # its DynamicBackend knows backends by name, too
SUMMARIES = "keras.src.callbacks.tensorboard"  # writes with TensorFlow
OF_KERAS_2 = "keras.src.legacy.backend"  # functions of Keras 2, which call TensorFlow's
MODULES = "keras.src.utils.module_utils"  # where Keras has TensorFlow from, for tf.data above all
KNOW_DATASETS = (  # by the module of their class
    "keras.src.trainers.data_adapters",
    "keras.src.utils.dataset_utils",
)
OF_DATASETS = (
    "keras.src.trainers.data_adapters.tf_dataset_adapter"  # wants TensorFlow's inner parts
)
OF_TENSORS = "keras.src.trainers.data_adapters.data_adapter_utils"  # knows their classes by name
FOR_TENSORFLOW = (  # what they refuse on other backends, or do otherwise, works here
    "keras.src.export.tfsm_layer",
    "keras.src.layers.normalization.batch_normalization",
    "keras.src.layers.preprocessing.hashed_crossing",
    "keras.src.layers.preprocessing.integer_lookup",
    "keras.src.layers.preprocessing.string_lookup",
    "keras.src.layers.preprocessing.text_vectorization",
)
RAGGED = "keras.src.utils.tf_utils"  # knows ragged tensors by the name of their class
QUANTIZERS = "keras.src.quantizers.quantizers"
WRAPPERS = "keras.wrappers"  # for scikit-learn, whose import is half of the time of Keras' own
OF_TENSORFLOW = "keras.src.backend.tensorflow"  # Keras' backend, which some layers ask for by name


def install() -> None:
    """Import Keras with tfc as its backend; ImportError where that cannot be."""
    try:
        version = importlib.metadata.version("keras")
    except importlib.metadata.PackageNotFoundError:
        raise ImportError(
            f"tf.keras is Keras {VERSIONS}, which is not installed: pip install 'tfc-lang[keras]'"
        ) from None
    if not version.startswith(f"{VERSIONS}."):
        raise ImportError(
            f"tf.keras needs Keras {VERSIONS}.*, and {version} is installed: "
            "pip install 'tfc-lang[keras]'"
        )
    if any(isinstance(finder, Finder) for finder in sys.meta_path):
        return
    loaded = sys.modules.get("keras.src.backend.config")
    if loaded is not None:
        raise ImportError(
            f"Keras has been imported already, with the backend {loaded.backend()!r}, and a "
            "process has one: import tfc.keras first, or instead"
        )
    sys.meta_path.insert(0, Finder())
    before = os.environ.get("KERAS_BACKEND")
    os.environ["KERAS_BACKEND"] = NAME  # read once; a process started from here knows no hook
    try:
        importlib.import_module(FACE)
    finally:
        del os.environ["KERAS_BACKEND"]
        if before is not None:
            os.environ["KERAS_BACKEND"] = before


class Finder:
    """Finds the modules of Keras that choose a backend, and its modules under our name."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname in LOADERS:
            spec = importlib.machinery.PathFinder.find_spec(fullname, path)
            if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
                spec.loader = LOADERS[fullname](fullname, spec.loader.path)
            return spec
        if fullname == OF_TENSORFLOW or fullname.startswith(f"{OF_TENSORFLOW}."):
            ours = f"{ROOM}._backend{fullname.removeprefix(OF_TENSORFLOW)}"
            return importlib.machinery.ModuleSpec(fullname, Alias(ours))
        rest = fullname.removeprefix(f"{ROOM}.")
        if rest == fullname or rest.split(".")[0] in OURS:
            return None
        for place in (FACE, "keras"):
            if importlib.util.find_spec(f"{place}.{rest}") is not None:
                return importlib.machinery.ModuleSpec(fullname, Alias(f"{place}.{rest}"))
        return None


class Alias(importlib.abc.Loader):
    """Loads a module by giving another one."""

    def __init__(self, other: str) -> None:
        self.other = other

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = importlib.import_module(self.other)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__spec__ = self.spec  # which the import system has replaced


class Chooser(importlib.machinery.SourceFileLoader):
    """Loads a module of Keras with an arm for tfc."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        adder = ArmAdder(ARMS[fullname])
        tree = ast.fix_missing_locations(adder.visit(tree))
        if adder.count != 1:
            raise ImportError(
                f"{fullname} does not choose its backend as Keras {VERSIONS} does "
                f"({adder.count} places): this Keras is not known to tfc"
            )
        code: types.CodeType = compile(tree, path, "exec", dont_inherit=True)
        return code


class Admitting(importlib.machinery.SourceFileLoader):
    """Loads a module that is for TensorFlow alone, and works with tfc."""

    def get_code(self, fullname: str) -> types.CodeType:
        path = self.get_filename(fullname)
        tree = _Denier().visit(ast.parse(self.get_data(path), path))
        tree = ast.fix_missing_locations(tree)
        code: types.CodeType = compile(tree, path, "exec", dont_inherit=True)
        return code


class _Denier(ast.NodeTransformer):
    """Answers `backend() != "tensorflow"`: no."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if _asks_for(node, "tensorflow") and isinstance(node.ops[0], ast.NotEq):
            return ast.copy_location(ast.Constant(False), node)
        return node


class Knowing(importlib.machinery.SourceFileLoader):
    """Loads the module of DynamicBackend, which preprocessing layers use, and teaches it ours.
    Where these layers give sparse or ragged tensors, these stay as they are."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        dense, ours = module.convert_tf_tensor, _tfc()

        def convert_tf_tensor(outputs: Any, dtype: Any = None) -> Any:
            whole = not isinstance(outputs, ours.SparseTensor | ours.RaggedTensor)
            return dense(outputs, dtype) if whole else outputs

        vars(module)["convert_tf_tensor"] = convert_tf_tensor
        known = module.DynamicBackend
        of_others, set_other = known.__getattr__, known.set_backend

        def get(self: Any, name: str) -> Any:
            if self._backend == NAME:
                return getattr(module.backend_module, name)
            return of_others(self, name)

        def set_backend(self: Any, backend: str) -> None:
            # Layers ask for "tensorflow" where a graph is traced: that is this one, and a layer
            # has one generator of random numbers, traced or not.
            of_graphs = backend == "tensorflow" and module.backend_module.backend() == NAME
            if backend == NAME or of_graphs:
                self._backend = NAME
            else:
                set_other(self, backend)

        known.__getattr__, known.set_backend = get, set_backend


class Writing(importlib.machinery.SourceFileLoader):
    """Loads the module of the TensorBoard callback, which writes with TensorFlow, and has it write
    with tfc."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        importlib.import_module(f"{ROOM}._backend.tensorboard").teach(module)


class Calling(importlib.machinery.SourceFileLoader):
    """Loads the module that calls TensorFlow's functions by their names, and gives it ours."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        ours = _tfc()

        def softmax(x: Any, axis: int = -1) -> Any:  # Keras' notes the logits on the tensor
            return ours.nn.softmax(x, axis)

        vars(module).update(tf=ours, softmax=softmax)


class Naming(importlib.machinery.SourceFileLoader):
    """Loads the module that Keras has TensorFlow from, and gives it tfc."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        found = module.LazyModule("tensorflow")
        found.module, found._available = InPlaceOfTensorFlow(), True
        files = module.LazyModule("tensorflow.io.gfile")
        files.module, files._available = _tfc().io.gfile, True
        vars(module).update(tensorflow=found, gfile=files)


class InPlaceOfTensorFlow:
    """tfc, as Keras sees it where it wants TensorFlow."""

    class _None:
        """What Keras asks about objects that are TensorFlow's alone: nothing is one."""

    TypeSpec = _None
    distribute = types.SimpleNamespace(DistributedDataset=_None)
    __internal__ = types.SimpleNamespace(CompositeTensor=_None)

    def as_string(self, *args: Any, **options: Any) -> Any:
        return _tfc().strings.as_string(*args, **options)

    class _RowPartition:
        """Where the rows of sparse tensors begin."""

        @staticmethod
        def from_value_rowids(value_rowids: Any, nrows: Any) -> Any:
            make = _tfc().RaggedTensor.from_value_rowids
            ragged = make(value_rowids, value_rowids, nrows)
            return types.SimpleNamespace(row_splits=lambda: ragged.row_splits)

    experimental = types.SimpleNamespace(RowPartition=_RowPartition)

    def __getattr__(self, name: str) -> Any:
        return getattr(_tfc(), name)


def _tfc() -> Any:
    return importlib.import_module(ROOM.rpartition(".")[0])


class Introducing(importlib.machinery.SourceFileLoader):
    """Loads a module that tells datasets from other data, and introduces ours."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        of_tensorflow, data = module.is_tf_dataset, importlib.import_module(DATA)
        batching = importlib.import_module(f"{DATA}.plans.batching")

        def is_tf_dataset(x: Any) -> bool:
            return isinstance(x, data.Dataset) or of_tensorflow(x)

        def get_batch_size(x: Any) -> int | None:
            size: int | None = batching.batch_size(x._plan)
            return size

        vars(module).update(
            is_tf_dataset=is_tf_dataset,
            get_batch_size=get_batch_size,
            is_batched=lambda x: get_batch_size(x) is not None,
        )


class Telling(importlib.machinery.SourceFileLoader):
    """Loads the module that tells whose a tensor is, and has it take ours for TensorFlow's."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        ours = _tfc()
        sparse, ragged = ours.SparseTensor, ours.RaggedTensor
        vars(module).update(
            is_tensorflow_tensor=lambda x: isinstance(x, ours.Tensor | sparse | ragged),
            is_tensorflow_sparse=lambda x: isinstance(x, sparse),
            is_tensorflow_ragged=lambda x: isinstance(x, ragged),
        )


class Recognizing(importlib.machinery.SourceFileLoader):
    """Loads the module that tells ragged tensors from others, and has it know ours."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        ragged = _tfc().RaggedTensor
        vars(module)["is_ragged_tensor"] = lambda x: isinstance(x, ragged)


class Noting(importlib.machinery.SourceFileLoader):
    """Loads the module of quantized weights: those of four bits are unpacked where they are asked
    for, and a layer notes on what it is given that it is not trained, as on a Variable."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        of_keras = module.unpack_int4
        noted = importlib.import_module(f"{ROOM}._backend.notes").Noted

        @functools.wraps(of_keras)
        def unpack_int4(*args: Any, **options: Any) -> Any:
            return noted(of_keras(*args, **options))

        vars(module)["unpack_int4"] = unpack_int4


class Weighing(importlib.machinery.SourceFileLoader):
    """Loads the module that feeds datasets, and gives it our way to weigh classes."""

    def exec_module(self, module: types.ModuleType) -> None:
        super().exec_module(module)
        ours = importlib.import_module(f"{ROOM}._backend.class_weights")
        vars(module)["make_class_weight_map_fn"] = ours.weighing


class Waiting(importlib.machinery.SourceFileLoader):
    """Loads a module when it is first asked for one of its names."""

    def exec_module(self, module: types.ModuleType) -> None:
        def names() -> dict[str, Any]:
            if "__getattr__" in vars(module):
                loader = importlib.machinery.SourceFileLoader(self.name, self.path)
                loader.exec_module(module)
                for name in ("__getattr__", "__dir__"):
                    vars(module).pop(name, None)
            return vars(module)

        def get(name: str) -> Any:
            special = name.startswith("__") and name != "__all__"  # asked of any module
            if not special and name in names():
                return vars(module)[name]
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

        vars(module).update(__getattr__=get, __dir__=lambda: sorted(names()))


LOADERS: dict[str, type[importlib.machinery.SourceFileLoader]] = {
    **dict.fromkeys(ARMS, Chooser),
    DYNAMIC: Knowing,
    SUMMARIES: Writing,
    OF_KERAS_2: Calling,
    MODULES: Naming,
    **dict.fromkeys(KNOW_DATASETS, Introducing),
    OF_DATASETS: Weighing,
    OF_TENSORS: Telling,
    RAGGED: Recognizing,
    QUANTIZERS: Noting,
    **dict.fromkeys(FOR_TENSORFLOW, Admitting),
    WRAPPERS: Waiting,
}


class ArmAdder(ast.NodeTransformer):
    """Puts an arm in front of the chain that asks for the backends "tensorflow" and "jax"."""

    def __init__(self, arm: str) -> None:
        self.arm = ast.parse(arm).body
        self.count = 0

    def visit_If(self, node: ast.If) -> ast.If:
        tests = _chain(node)
        if not all(any(_asks_for(t, name) for t in tests) for name in ("tensorflow", "jax")):
            self.generic_visit(node)
            return node
        self.count += 1
        test = ast.Constant(True)  # there is one backend in a process, and it is this one
        return ast.copy_location(ast.If(test, self.arm, [node]), node)


def _chain(node: ast.If) -> list[ast.expr]:
    """The conditions of `if`, `elif`, ..."""
    tests = [node.test]
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        tests.append(node.test)
    return tests


def _asks_for(test: ast.expr, name: str) -> bool:
    """Whether this is `backend() == name`."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Call)
        and ast.unparse(test.left.func).split(".")[-1] == "backend"
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value == name
    )
