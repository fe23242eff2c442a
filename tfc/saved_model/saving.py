"""`saved_model.save`: a Module as data."""

from __future__ import annotations

import enum
import inspect
import io
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tfc.ir.dtypes import string
from tfc.ir.ops.python import PythonCall

from ..core import errors, nest, objects
from ..core.context import context, user_location
from ..core.formatting import shown
from ..core.module import Module
from ..core.specs import TensorSpec
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..core.version import VERSION as TFC
from ..function.concrete import ConcreteFunction
from ..function.polymorphic import PolymorphicFunction
from ..function.unranked import UnrankedFunction
from ..ops.lookup.store import Store
from ..ops.lookup.tables import Table
from .encoding import (
    ARRAYS,
    DEFAULT_SIGNATURE,
    FORMAT,
    MANIFEST,
    VERSION,
    Slot,
    VariableSlot,
    checksum,
    encode,
    pack_arrays,
)
from .loading import LoadedFunction
from .tables import changes, described
from .vocabulary import NO_ARGUMENT, OPS, reads_its_own, refusal


class VariablePolicy(enum.Enum):
    """Which Variables of several devices are saved: taken for TensorFlow's sake.

    >>> import tfc as tf
    >>> tf.saved_model.experimental.VariablePolicy.NONE.value is None
    True
    """

    NONE = None
    SAVE_VARIABLE_DEVICES = "save_variable_devices"
    EXPAND_DISTRIBUTED_VARIABLES = "expand_distributed_variables"


def _policy(given: Any) -> VariablePolicy:
    """A policy, or its value in any case."""
    if isinstance(given, VariablePolicy):
        return given
    for policy in VariablePolicy:
        if given is policy.value or str(given).lower() == policy.value:
            return policy
    raise ValueError(f"Received invalid VariablePolicy value: {given}.")


class SaveOptions:
    """Taken for TensorFlow's sake: there is nothing to choose.

    Args:
        namespace_whitelist: Not used.
        save_debug_info: Not used.
        function_aliases: Not used.
        experimental_debug_stripper: Not used.
        experimental_io_device: Not used.
        experimental_variable_policy: A `tf.saved_model.experimental.VariablePolicy`, or its value.
        experimental_custom_gradients: Not used.
        experimental_image_format: Not used.
        experimental_skip_saver: Not used.
        experimental_sharding_callback: Not used.
        extra_tags: Not used.

    Raises:
        ValueError: If there is no such policy.

    >>> import tfc as tf
    >>> tf.saved_model.SaveOptions(function_aliases={}).function_aliases
    {}
    """

    def __init__(
        self,
        namespace_whitelist: Any = None,
        save_debug_info: bool = False,
        function_aliases: Any = None,
        experimental_debug_stripper: bool = False,
        experimental_io_device: str | None = None,
        experimental_variable_policy: Any = None,
        experimental_custom_gradients: bool = True,
        experimental_image_format: bool = False,
        experimental_skip_saver: bool = False,
        experimental_sharding_callback: Any = None,
        extra_tags: Any = None,
    ) -> None:
        given = dict(locals())
        del given["self"]
        given["function_aliases"] = function_aliases or {}
        given["experimental_variable_policy"] = _policy(experimental_variable_policy)
        self.__dict__ |= given


class LoadOptions:
    """Taken for TensorFlow's sake: there is nothing to choose.

    Args:
        allow_partial_checkpoint: Not used.
        experimental_io_device: Not used.
        experimental_skip_checkpoint: Not used.
        experimental_variable_policy: Not used.
        experimental_load_function_aliases: Not used.

    >>> import tfc as tf
    >>> tf.saved_model.LoadOptions().allow_partial_checkpoint
    False
    """

    def __init__(
        self,
        allow_partial_checkpoint: bool = False,
        experimental_io_device: str | None = None,
        experimental_skip_checkpoint: bool = False,
        experimental_variable_policy: Any = None,
        experimental_load_function_aliases: bool = False,
    ) -> None:
        given = dict(locals())
        del given["self"]
        self.__dict__ |= given


def save(
    obj: Any, export_dir: str | os.PathLike[str], signatures: Any = None, options: object = None
) -> None:
    """Write a Module into a folder: its Variables, those of the Modules and Keras layers in it, and
    every trace of its `tfc.function`s, methods or attributes. `load` gives it back, without the
    Python source.

    Functions are saved as they were traced so far; one with an `input_signature` is traced for it
    if it was not. `signatures` are functions by name (or one function) that take and give tensors
    by name; without it the only function of `obj` with an `input_signature` is "serving_default",
    or the only trace, if there is but one. Python values among the attributes are not saved.
    `options` are taken for TensorFlow's sake.

    Args:
        obj: The Module or Checkpoint, or a model of Keras, whose call is saved.
        export_dir: The folder, which is made if it is not there.
        signatures: A function, or a dictionary of them.
        options: Not used.

    Raises:
        ValueError: If `obj` is no Module, or a function uses Variables that no attribute of the
            Module leads to.
        UnimplementedError: If a function calls Python (`py_function`), or has arguments that are no
            tensors, plain values, or structures of them.

    >>> import tempfile
    >>> import tfc as tf
    >>> class Line(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.slope = tf.Variable(2.0)
    ...     @tf.function(input_signature=[tf.TensorSpec([None])])
    ...     def __call__(self, x):
    ...         return self.slope * x
    >>> folder = tempfile.mkdtemp()
    >>> tf.saved_model.save(Line(), folder)
    >>> again = tf.saved_model.load(folder)
    >>> print(again(tf.constant([1.0, 2.0])))
    tf.Tensor([2. 4.], shape=(2,), dtype=float32)
    """
    if not isinstance(obj, Module) and hasattr(obj, "_module_to_save"):  # a layer of Keras
        obj, own = obj._module_to_save()
        signatures = own if signatures is None else signatures
    if not isinstance(obj, Module) and not hasattr(type(obj), "_trackable_children"):
        raise ValueError(
            "Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the "
            f"`Trackable` class, for export. Got {shown(obj)} with type {type(obj)} "
            f"({user_location()})"
        )
    if context.trace is not None:
        raise errors.FailedPreconditionError(
            "saved_model.save cannot run inside of a tfc.function", location=user_location()
        )
    writer = _Writer(obj)
    root = writer.object(obj)
    named = writer.signatures(signatures)
    stored, kinds = pack_arrays(writer.arrays)
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **stored)
    files = {ARRAYS: buffer.getvalue()}
    files |= {f"functions/{i}.ir": text.encode() for i, text in enumerate(writer.texts)}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "tfc": TFC,
        "root": root,
        "objects": writer.objects,
        "variables": writer.described,
        "tables": writer.tables,
        "arrays": kinds,
        "functions": writer.functions,
        "traces": writer.traces,
        "signatures": named,
        "files": {name: checksum(data) for name, data in files.items()},
    }
    files[MANIFEST] = json.dumps(manifest, indent=1).encode()  # last: it vouches for the others
    folder = Path(os.fspath(export_dir))
    (folder / "functions").mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        part = folder / f"{name}.part"
        part.write_bytes(data)
        part.replace(folder / name)


def _attributes(thing: Any) -> dict[str, Any]:
    """What is saved of an object, perhaps, by name."""
    if not isinstance(thing, Module):
        return dict(thing._trackable_children())
    ignored = thing._TF_MODULE_IGNORED_PROPERTIES
    return {name: value for name, value in vars(thing).items() if name not in ignored}


def _reached(root: Any) -> Iterator[Variable]:
    """The Variables to which an object leads, through Modules, Keras' layers and structures."""
    seen: dict[int, Any] = {}
    left = [root]
    while left:
        thing = left.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        variable = objects.variable_of(thing)
        if variable is not None:
            yield variable
        else:
            inside = thing if isinstance(thing, dict) else objects.children(thing)
            left += reversed(inside.values())


class _Writer:
    """Collects what is to be written."""

    def __init__(self, root: Any) -> None:
        self.arrays: dict[str, np.ndarray] = {}
        self.objects: list[Any] = []
        self.described: list[Any] = []
        self.functions: list[Any] = []
        self.traces: list[Any] = []
        self.texts: list[str] = []
        self.tables: list[Any] = []
        self._ids: dict[int, int] = {}  # of objects
        self._functions: dict[int, int] = {}
        self._traces: dict[int, int] = {}
        self._signed: set[int] = set()  # functions with an input_signature
        self._constants: dict[int, str] = {}
        self._variables: dict[int, int] = {}
        self._table_numbers: dict[int, int] = {}
        self._kept: list[Any] = []  # so that ids stay their own
        for v in _reached(root):  # functions may use what comes after them
            self._variable(v)

    # Objects.

    def object(self, module: Any) -> int:
        """The number of a Module, or of another object that leads to what is saved."""
        known = self._ids.get(id(module))
        if known is not None:
            return known
        number = self._ids[id(module)] = len(self.objects)
        self._kept.append(module)
        name = getattr(module, "name", None)
        entry: dict[str, Any] = {"attributes": {}}
        entry["name"] = name if isinstance(name, str) else type(module).__name__
        self.objects.append(entry)
        for name, value in sorted(_attributes(module).items()):
            saved = self._attribute(value)
            if saved is not None:
                entry["attributes"][name] = saved
        for owner in type(module).__mro__:
            for name, value in vars(owner).items():
                if isinstance(value, PolymorphicFunction) and name not in entry["attributes"]:
                    method = getattr(module, name)
                    self._kept.append(method)
                    entry["attributes"][name] = {"function": self._function(_behind(method))}
        return number

    def _attribute(self, value: Any) -> Any:
        """An attribute as data; None for what is not saved."""
        match value:
            case Variable():
                return {"variable": self._variable(value)}
            case Module():
                return {"object": self.object(value)}
            case PolymorphicFunction():
                return {"function": self._function(value)}
            case ConcreteFunction():
                return {"trace": self._trace(value)}
            case Tensor():
                return {"array": self._constant(value)}
            case Table() if changes(value):
                assert value._default is not None
                default = self._constant(value._default)
                return {"table": [self._table(value._store), default, value.name]}
            case list() | tuple():
                items = [self._attribute(v) for v in value]
                kind = "list" if isinstance(value, list) else "tuple"
                return {kind: items} if any(i is not None for i in items) else None
            case dict():
                rows = [[k, self._attribute(v)] for k, v in value.items() if isinstance(k, str)]
                return {"dict": rows} if any(v is not None for _, v in rows) else None
        variable = objects.variable_of(value)
        if variable is not None:
            return {"variable": self._variable(variable)}
        if hasattr(type(value), "_trackable_children"):
            return {"object": self.object(value)}
        return None

    def _variable(self, v: Variable) -> int:
        if id(v) not in self._variables:
            number = self._variables[id(v)] = len(self.described)
            self._kept.append(v)
            declared = v._declared
            shape = None if declared is None or declared.rank is None else declared.as_list()
            self.arrays[f"v{number}"] = v._array
            self.described.append(
                {
                    "name": v.name.removesuffix(":0"),
                    "trainable": v.trainable,
                    "declared": declared is not None,
                    "shape": shape,
                }
            )
        return self._variables[id(v)]

    def _constant(self, t: Tensor) -> str:
        if id(t) not in self._constants:
            name = self._constants[id(t)] = f"c{len(self._constants)}"
            self._kept.append(t)
            self.arrays[name] = t._array
        return self._constants[id(t)]

    # Functions.

    def _function(self, f: PolymorphicFunction) -> int:
        known = self._functions.get(id(f))
        if known is not None:
            return known
        number = self._functions[id(f)] = len(self.functions)
        self._kept.append(f)
        self.functions.append(None)
        if f.input_signature is not None:
            self._signed.add(number)
            _traced_for(f, f.input_signature)
        if isinstance(f, LoadedFunction):
            f.trace_all()
        traces = [self._trace(c) for _, c in f._traces.all()]
        self.functions[number] = {"name": f.name, "traces": traces, **_parameters(f.signature)}
        return number

    def _trace(self, c: ConcreteFunction) -> int:
        known = self._traces.get(id(c))
        if known is not None:
            return known
        unnamed = reads_its_own(c.function, len(c.types))
        for op in c.function.walk():
            why: str | None
            if isinstance(op, PythonCall):
                why = "calls Python (py_function or numpy_function), which is no data"
            elif op.mnemonic not in OPS:
                why = f"has the op {op.mnemonic}, which is none of tfc's"
            else:
                why = NO_ARGUMENT if op is unnamed else refusal(op)
            if why is not None:
                raise errors.UnimplementedError(
                    f"{c.name} {why}", op="saved_model.save", location=op.location
                )
        number = self._traces[id(c)] = len(self.traces)
        self._kept.append(c)
        slots = [Slot(i) for i in range(len(c.types))]
        args, kwargs = c.arguments.rebuild(slots, c.given)
        what = f"a trace of {c.name}"
        outputs = c.pack([Slot(i) for i in range(c.count)])
        self.texts.append(str(c.function))
        self.traces.append(
            {
                "name": c.name,
                "args": encode(self._with_variables(args), what),
                "kwargs": encode(self._with_variables(kwargs), what),
                "names": c.arguments.tensor_names(),
                "outputs": encode(outputs, what),
                "count": c.count,
                "captured": [self._captured(x, c.name) for x in c.captured],
                "updated": [self._variables[id(v)] for v in c.updated],
                "requirements": list(map(str, c.requirements)),
                **_parameters(c.arguments.signature),
            }
        )
        return number

    def _with_variables(self, value: Any) -> Any:
        """Arguments with slots in the places of Variables."""
        match value:
            case Variable():
                if id(value) not in self._variables:
                    raise self._untracked(value, "an argument")
                return VariableSlot(self._variables[id(value)])
            case Slot():
                return value
            case dict():
                return {k: self._with_variables(v) for k, v in value.items()}
            case list():
                return [self._with_variables(v) for v in value]
            case tuple():
                items = [self._with_variables(v) for v in value]
                return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        return value

    def _captured(self, x: Any, name: str) -> Any:
        if not isinstance(x, Variable):
            table = x._array.item() if x.dtype is string and not x._array.ndim else None
            if isinstance(table, Store):
                return {"table": self._table(table)}
            return {"array": self._constant(x)}
        if id(x) not in self._variables:
            if x.name.endswith("random_state:0"):  # of a generator, the global one perhaps
                return {"variable": self._variable(x)}
            raise self._untracked(x, name)
        return {"variable": self._variables[id(x)]}

    def _table(self, store: Store) -> int:
        """The number of a lookup table, with what it holds now."""
        if id(store) not in self._table_numbers:
            number = self._table_numbers[id(store)] = len(self.tables)
            self._kept.append(store)
            entry, arrays = described(store)
            names = {part: f"t{number}.{part}" for part in arrays}
            self.arrays |= {names[part]: array for part, array in arrays.items()}
            self.tables.append(entry | names)
        return self._table_numbers[id(store)]

    def _untracked(self, v: Variable, name: str) -> AssertionError:
        return AssertionError(
            f"Tried to export a function ({name}) which references an 'untracked' resource: "
            f"no attribute of the Module leads to the Variable {v.name!r} "
            f"({user_location()}). Assign it, or what holds it, to an attribute."
        )

    def signatures(self, given: Any) -> dict[str, int | list[int]]:
        """The traces that are called by names; several, of different ranks, where it takes any."""
        if given is None:
            of_root = {a.get("function") for a in self.objects[0]["attributes"].values()}
            signed = [self.functions[i] for i in sorted(self._signed & of_root)]
            every = signed or [c for c in self.functions if c["traces"]]
            single = len(every) == 1 and len(every[0]["traces"]) == 1
            return {DEFAULT_SIGNATURE: every[0]["traces"][0]} if single else {}
        if not isinstance(given, Mapping):
            given = {DEFAULT_SIGNATURE: given}
        found: dict[str, int | list[int]] = {}
        for key, f in given.items():
            f = _behind(f)
            if isinstance(f, UnrankedFunction):
                found[str(key)] = [self._trace(c) for c in _of_ranks(f)]
                continue
            if isinstance(f, PolymorphicFunction):
                traces = [c for _, c in f._traces.all()]
                if not traces and f.input_signature is not None:
                    traces = [f.get_concrete_function()]
                if len(traces) != 1:
                    raise ValueError(
                        f"{_NO_SIGNATURE.format(shown(f))} {key!r} needs a function with one "
                        f"trace, and {f.name} has {len(traces)}: give "
                        f"{f.name}.get_concrete_function(...) ({user_location()})"
                    )
                f = traces[0]
            if not isinstance(f, ConcreteFunction):
                raise ValueError(f"{_NO_SIGNATURE.format(shown(f))} ({user_location()})")
            _check_outputs(str(key), f)
            found[str(key)] = self._trace(f)
        return found


_NO_SIGNATURE = (
    "Expected a TensorFlow function for which to generate a signature, but got {}. Only "
    "`tf.functions` with an input signature or concrete functions can be used as a signature."
)


def _check_outputs(key: str, f: ConcreteFunction) -> None:
    """See to it that what a signature gives has names: a tensor, several, or a dictionary."""
    outputs = f.structured_outputs
    if isinstance(outputs, Mapping):
        named = dict(outputs)
    else:
        values = outputs if isinstance(outputs, list | tuple) else [outputs]
        named = {f"output_{i}": value for i, value in enumerate(values)}
    for name, value in named.items():
        said = f"in the output of the function {f.name} used to generate the SavedModel signature"
        if not isinstance(name, str):
            raise ValueError(
                f"Got a dictionary with a non-string key {name!r} {said} {key!r} "
                f"({user_location()})."
            )
        if nest.is_nested(value):
            raise ValueError(
                f"Got a non-Tensor value {shown(value)} for key {name!r} {said} {key!r}. Outputs "
                "for functions used as signatures must be a single Tensor, a sequence of Tensors, "
                f"or a dictionary from string to Tensor ({user_location()})."
            )


_RANKS = range(7)  # that functions are traced for whose signature takes any


def _traced_for(f: PolymorphicFunction, signature: Any) -> None:
    """Let a function have the traces of its signature: where this takes tensors of any rank, one
    for each rank that it can be traced for."""
    specs = nest.flatten(signature, expand_composites=True)
    if all(spec.shape.rank is not None for spec in specs):
        if not f._traces.all():
            f.get_concrete_function()
        return
    problem: Exception | None = None
    for rank in _RANKS:

        def ranked(spec: Any, rank: int = rank) -> Any:
            known = spec.shape.rank is not None
            return spec if known else TensorSpec([None] * rank, spec.dtype, spec.name)

        try:
            f._of_specs(nest.map_structure(ranked, signature, expand_composites=True), {})
        except (TypeError, ValueError, errors.OpError) as error:
            problem = problem or error
    if problem is not None and not f._traces.all():
        raise problem


def _of_ranks(f: UnrankedFunction) -> list[ConcreteFunction]:
    """What a function of tensors of any rank is traced to: for each rank that it can be."""
    known = [spec.shape.rank for spec in f.inputs]
    found, problem = [], None
    for rank in _RANKS:
        try:
            found.append(f.of_ranks(*(rank if r is None else r for r in known)))
        except (TypeError, ValueError, errors.OpError) as error:
            problem = problem or error
    if problem is not None and not found:
        raise problem
    return found


def _behind(f: Any) -> Any:
    """The function that a method is of."""
    return getattr(f, "func", None) or getattr(f, "__func__", f)


def _parameters(signature: inspect.Signature) -> dict[str, Any]:
    """The parameters of a function; defaults that are no data are left out."""
    rows = []
    for p in signature.parameters.values():
        default = None
        if p.default is not p.empty:
            try:
                default = encode(p.default, "")
            except errors.UnimplementedError:
                default = {"value": None}
        rows.append([p.name, p.kind.name, default])
    return {"parameters": rows}


__all__ = ["SaveOptions", "save"]
