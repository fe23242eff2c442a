"""`saved_model.load`: what was saved, as a Module whose functions are made from IR text."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..core import above, errors
from ..core.context import user_location
from ..core.conversion import convert_to_tensor
from ..core.module import Module
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import Tensor, strings, wrap
from ..core.variable import Variable
from ..function.concrete import ConcreteFunction
from ..function.polymorphic import PolymorphicFunction
from ..ops.lookup.store import held
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.tensor import SparseTensor
from .encoding import ARRAYS, FORMAT, MANIFEST, VERSION, decode
from .files import read_arrays, read_checked, read_file
from .tables import store_of, table_of
from .traces import SavedTrace, by_name, damaged, item

TENSORFLOW = "saved_model.pb", "saved_model.pbtxt"  # of which TensorFlow's models have one


class LoadedModule(Module):
    """What `load` gives: a Module with the attributes that were saved. `signatures` are its
    functions by name, which take tensors by name and give a dict of tensors."""

    signatures: Mapping[str, LoadedFunction]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = self.__dict__.get("__call__")
        if call is None:
            raise TypeError(f"{self.name} was saved without a traced __call__ ({user_location()})")
        return call(*args, **kwargs)


class LoadedFunction(PolymorphicFunction):
    """A function that was saved: it runs for what it was traced for, and has gradients."""

    def __init__(self, name: str, python_function: Any, specs: list[TensorSpec]) -> None:
        python_function.__name__ = python_function.__qualname__ = name
        super().__init__(python_function, autograph=False)
        self.inputs = specs
        self._saved: list[Any] = []
        self._by_name: dict[str, TensorSpec] = {}  # what a signature takes
        self.structured_input_signature: Any = None  # of a signature: what it takes
        self.structured_outputs: Any = None  # and gives, by name

    def trace_all(self) -> None:
        """Trace it for all that it was saved for."""
        for trace in self._saved:
            args, kwargs = trace.arguments()
            self.get_concrete_function(*args, **kwargs)
        if self._by_name:
            self.get_concrete_function(**self._by_name)

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """All that it was saved for, and what it was traced to since."""
        self.trace_all()
        return super().concrete_functions

    def __repr__(self) -> str:
        return f"<LoadedFunction {self.name}{self.signature}>"


def contains_saved_model(export_dir: str | os.PathLike[str]) -> bool:
    """Whether there is a saved model in a folder.

    Args:
        export_dir: The folder: a string or a `PathLike`. It may be missing.

    Returns:
        A bool.

    Raises:
        TypeError: If `export_dir` is no path.

    >>> import tfc as tf
    >>> tf.saved_model.contains_saved_model("nowhere")
    False
    """
    folder = Path(os.fspath(export_dir))
    return any((folder / name).is_file() for name in (MANIFEST, *TENSORFLOW))


def load(export_dir: str | os.PathLike[str], tags: object = None, options: object = None) -> Any:
    """The Module that `save` wrote into a folder: its Variables, trainable as they were, and its
    functions, which need no Python source, run for what they were traced for, inside of other
    functions too, and can be differentiated. `tags` may be that of all saved models, "serve";
    `options` is there for TensorFlow's sake.

    Args:
        export_dir: The folder.
        tags: None, or "serve".
        options: A `LoadOptions`, of which `allow_partial_checkpoint` counts for folders that
            TensorFlow wrote.

    Returns:
        A Module.

    Raises:
        OSError: If there is no saved model.
        ValueError: If `tags` are others than "serve".
        DataLossError: If a file is damaged, or has what `save` does not write. A folder from
            elsewhere can make a program that does what it wants with its arguments, and takes
            time and memory as it wants; it can not reach anything else of this process.
        UnimplementedError: If a newer tfc wrote it. Functions of TensorFlow's with ops that tfc
            does not have raise it when they are called; it names the ops.

    >>> import tempfile
    >>> import tfc as tf
    >>> m = tf.Module()
    >>> m.v = tf.Variable(3.0)
    >>> m.f = tf.function(lambda x: m.v * x, input_signature=[tf.TensorSpec([])])
    >>> folder = tempfile.mkdtemp()
    >>> tf.saved_model.save(m, folder)
    >>> again = tf.saved_model.load(folder)
    >>> with tf.GradientTape() as tape:
    ...     y = again.f(2.0)
    >>> float(y), float(tape.gradient(y, again.v))
    (6.0, 2.0)
    """
    folder = Path(os.fspath(export_dir))
    wanted = {tags} if isinstance(tags, str) else set(tags or ())  # type: ignore[call-overload]
    if wanted and wanted != {"serve"}:
        raise ValueError(
            f"Got an incompatible argument to `tags`: {tags}. The SavedModel at {folder} has one "
            "MetaGraph with tags ['serve']. You may omit the argument, pass 'None', or pass "
            f"matching tags. ({user_location()})"
        )
    try:
        text = read_file(folder, MANIFEST).decode()
    except (FileNotFoundError, NotADirectoryError):
        if any((folder / name).is_file() for name in TENSORFLOW):
            return above.load_tensorflow_model(folder, options)
        raise OSError(
            f"SavedModel file does not exist at: {folder / MANIFEST} ({user_location()})"
        ) from None
    except UnicodeDecodeError:
        raise damaged(MANIFEST, "it is no text") from None
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise damaged(MANIFEST, str(error)) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise damaged(MANIFEST, f"it is no {FORMAT}")
    version = manifest.get("version")
    if type(version) is not int or version < 1:
        raise damaged(MANIFEST, f"there is no version {version!r} of the format")
    if version > VERSION:
        raise errors.UnimplementedError(
            f"{folder} has version {version} of the format, written by tfc {manifest.get('tfc')}; "
            f"this tfc reads versions up to {VERSION}",
            op="saved_model.load",
            location=user_location(),
        )
    try:
        return _Reader(folder, manifest).model()
    except errors.DataLossError:
        raise
    except _MALFORMED as error:
        raise damaged(MANIFEST, f"{type(error).__name__}: {error}") from error


# What reading data leads to that is not as `save` writes it: entries that are not there, of
# another kind, numbers out of range, structures that are deeper than Python can go.
_MALFORMED = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError)


class _Reader:
    """Makes objects of what a folder says."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        self.arrays = read_arrays(self.read(ARRAYS), manifest["arrays"])
        self.variables = [self._variable(i, v) for i, v in enumerate(manifest["variables"])]
        self.constants: dict[str, Tensor] = {}
        self.stores = [store_of(entry, self.constant) for entry in manifest.get("tables", [])]
        self.tables = [strings(held(store)) for store in self.stores]
        self.traces = [
            SavedTrace(
                i, t, self.read, self.variables, self.constant, lambda n: item(self.tables, n)
            )
            for i, t in enumerate(manifest["traces"])
        ]
        self.functions = [
            _function(f["name"], f["parameters"], [item(self.traces, i) for i in f["traces"]])
            for f in manifest["functions"]
        ]
        self.objects = [LoadedModule() for _ in manifest["objects"]]

    def read(self, name: str) -> bytes:
        """A file, checked."""
        return read_checked(self.folder, name, self.manifest["files"])

    def _variable(self, number: int, entry: dict[str, Any]) -> Variable:
        if not all(type(entry[key]) is bool for key in ("trainable", "declared")):
            raise TypeError(f"flags of the Variable {number}")
        if type(entry["name"]) is not str:
            raise TypeError(f"the name of the Variable {number}")
        return Variable(
            wrap(self.arrays[f"v{number}"]),
            trainable=entry["trainable"],
            name=entry["name"],
            shape=TensorShape(entry["shape"]) if entry["declared"] else None,
        )

    def constant(self, name: str) -> Tensor:
        if name not in self.constants:
            self.constants[name] = wrap(self.arrays[name])
        return self.constants[name]

    def model(self) -> LoadedModule:
        """The root, with everything in its place."""
        for module, entry in zip(self.objects, self.manifest["objects"], strict=True):
            module._name = entry["name"]
            if type(module._name) is not str:
                raise TypeError("the name of a Module")
            for name, value in entry["attributes"].items():
                if name == "_name" or (name.startswith("__") and name != "__call__"):
                    raise ValueError(f"an attribute named {name}")
                module.__dict__[name] = self._attribute(value)
        root = item(self.objects, self.manifest["root"])
        root.__dict__["signatures"] = {
            key: self._signature(
                key, [item(self.traces, n) for n in (i if isinstance(i, list) else [i])]
            )
            for key, i in self.manifest["signatures"].items()
        }
        return root

    def _attribute(self, value: Any) -> Any:
        if value is None:
            return None
        ((kind, held),) = value.items()
        match kind:
            case "variable":
                return item(self.variables, held)
            case "object":
                return item(self.objects, held)
            case "function":
                return item(self.functions, held)
            case "trace":
                trace = item(self.traces, held)
                return _function(trace.name, trace.parameters, [trace])
            case "array":
                return self.constant(held)
            case "table":
                number, default, name = held
                if type(name) is not str:
                    raise TypeError("the name of a table")
                return table_of(item(self.stores, number), self.constant(default), name)
            case "list":
                return [self._attribute(v) for v in held]
            case "tuple":
                return tuple(self._attribute(v) for v in held)
            case "dict" if all(type(k) is str for k, _ in held):
                return {k: self._attribute(v) for k, v in held}
        raise KeyError(kind)

    def _signature(self, key: str, traces: list[SavedTrace]) -> LoadedFunction:
        """A function of the tensors of traces, by name, that gives a dict: of whichever fits."""
        first, *others = traces
        names = first.names
        if any(t.names != names or len(t.specs) != len(first.specs) for t in others):
            raise ValueError(f"the signature {key}")
        specs = [_of_any_rank(list(same)) for same in zip(*(t.specs for t in traces), strict=True)]

        def call(given: list[Any]) -> Any:
            ranks = [len(x.shape) for x in given]
            fitting = (t for t in traces if [s.shape.rank for s in t.specs] == ranks)
            return by_name(next(fitting, first).call(given))

        outputs = [t.outputs_by_name() for t in traces]
        together = {name: _of_any_rank([o[name] for o in outputs]) for name in outputs[0]}
        return signature_of(key, dict(zip(names, specs, strict=True)), call, together)


def signature_of(
    key: str,
    specs: dict[str, TensorSpec],
    call: Callable[[list[Any]], dict[str, Any]],
    outputs: dict[str, Any],
) -> LoadedFunction:
    """A function of tensors by name that gives tensors by name. One tensor alone may come by
    position."""

    def of_names(*alone: Any, **tensors: Any) -> Any:
        found = alone or [tensors[n] for n in specs]
        pairs = zip(found, specs.values(), strict=True)
        return call([convert_to_tensor(x, s.dtype) for x, s in pairs])

    parameter = inspect.Parameter
    kind = parameter.POSITIONAL_OR_KEYWORD if len(specs) == 1 else parameter.KEYWORD_ONLY
    of_names.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter(n, kind) for n in specs]
    )
    function = LoadedFunction(key, of_names, list(specs.values()))
    function._by_name = dict(specs)
    function.structured_input_signature = (), dict(specs)
    function.structured_outputs = outputs
    return function


def _of_any_rank(specs: list[TensorSpec]) -> TensorSpec:
    """One for all of one argument."""
    first = specs[0]
    if all(spec.shape.rank == first.shape.rank for spec in specs):
        return first
    return TensorSpec(None, first.dtype, first.name)


def _function(name: str, parameters: Any, traces: list[SavedTrace]) -> LoadedFunction:
    """A function with these parameters, as they were saved."""
    rows = []
    for parameter, kind, default in parameters:
        value = inspect.Parameter.empty
        if default is not None:
            value = decode(default, _nothing, _nothing)
        rows.append(inspect.Parameter(parameter, _KINDS[kind], default=value))
    signature = inspect.Signature(rows)
    for trace in traces:  # each is for calls that there can be
        args, kwargs = trace.arguments()
        signature.bind(*args, **kwargs)
    return function_of(name, signature, traces)


def function_of(name: str, signature: inspect.Signature, traces: list[Any]) -> LoadedFunction:
    """A function that runs whichever of its traces fits."""

    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for convert in (False, True):
            for trace in traces:
                tensors = trace.matched(bound.args, bound.kwargs, convert)
                if tensors is not None:
                    return trace.call(tensors)
        raise ValueError(_no_match(name, traces, bound.args, bound.kwargs))

    call.__signature__ = signature  # type: ignore[attr-defined]
    function = LoadedFunction(name, call, traces[0].specs if traces else [])
    function._saved = traces
    return function


_KINDS = {kind.name: kind for kind in type(inspect.Parameter.KEYWORD_ONLY)}  # type: ignore[attr-defined]


def _nothing(index: int) -> Any:
    raise KeyError(index)


def _no_match(name: str, traces: list[SavedTrace], args: Any, kwargs: Any) -> str:
    """What to say where no trace fits."""

    def spec(x: Any) -> Any:
        if isinstance(x, RaggedTensor | SparseTensor):
            return f"{type(x).__name__}({', '.join(str(spec(part)) for part in x._parts())})"
        return TensorSpec(x.shape, x.dtype) if isinstance(x, Tensor) else x

    def described(args: Any, kwargs: Any) -> list[str]:
        rows = [f"    * {spec(x)}" for x in args]
        named = ", ".join(f"{k!r}: {spec(v)}" for k, v in kwargs.items())
        total = f"  Positional arguments ({len(rows)} total):"
        return [total, *rows, f"  Keyword arguments: {{{named}}}", ""]

    if not traces:
        return (
            f"Found zero restored functions for caller function: {name} was saved without a trace "
            f"({user_location()})"
        )
    lines = [
        "Could not find matching concrete function to call loaded from the SavedModel. Got:",
        *described(args, kwargs),
        f" Expected these arguments to match one of the following {len(traces)} option(s):",
        "",
    ]
    for number, trace in enumerate(traces, 1):
        lines += [f"Option {number}:", *described(*trace.arguments())]
    return "\n".join([*lines, f"({name}, called at {user_location()})"])


__all__ = [
    "LoadedFunction",
    "LoadedModule",
    "contains_saved_model",
    "function_of",
    "load",
    "signature_of",
]
