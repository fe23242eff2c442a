"""`saved_model.load` for folders that TensorFlow wrote."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import tfc as tf
from tfc.core.context import active
from tfc.core.specs import TensorSpec
from tfc.core.variable import Variable
from tfc.records import object_graph
from tfc.records.bundle_reader import BundleReader
from tfc.records.graph import NodeDef
from tfc.records.meta_graph import MetaGraphDef, SavedModel, SavedObject, TensorInfo
from tfc.records.text import parse
from tfc.saved_model.files import read_file
from tfc.saved_model.loading import LoadedFunction, LoadedModule, function_of, signature_of

from .attributes import damaged, dtype_of, shape_of, unimplemented
from .bodies import Body, Node, library_of, ref_of
from .running import HANDLERS, Run, is_known
from .saved_objects import ConcreteBody, flat_names, signature_of_spec
from .state import GraphTable

FILE, TEXT = "saved_model.pb", "saved_model.pbtxt"
_VALUE = "VARIABLE_VALUE"
_INITIALISERS = ("saved_model_main_op", "legacy_init_op")


class LoadedObject(LoadedModule):
    """An object of a saved model. Where it had lists of its Variables, these are what it gives."""

    @property
    def variables(self) -> Any:
        return self.__dict__.get("_variables", super().variables)

    @property
    def trainable_variables(self) -> Any:
        return self.__dict__.get("_trainable_variables", super().trainable_variables)

    @property
    def non_trainable_variables(self) -> Any:
        return self.__dict__.get("_non_trainable_variables", super().non_trainable_variables)


def load(folder: Path, options: Any = None) -> LoadedModule:
    """The Module that TensorFlow has saved into a folder."""
    if (folder / FILE).is_file():
        model = SavedModel.FromString(read_file(folder, FILE))
    else:
        model = parse(SavedModel, read_file(folder, TEXT))
    serving = [m for m in model.meta_graphs if "serve" in m.meta_info_def.tags]
    found = serving or list(model.meta_graphs)
    if not found:
        raise damaged(f"{FILE} has no graph")
    if len(found) > 1:
        raise unimplemented(f"{FILE} has {len(found)} graphs, of which none is meant")
    partial = bool(getattr(options, "allow_partial_checkpoint", False))
    reader = _Objects if found[0].object_graph_def.nodes else _Nodes
    with active(trace=None, tapes=()):
        return reader(folder, found[0], partial).model()


class _Reader:
    """What both kinds of models have: a graph, assets, and values of Variables."""

    def __init__(self, folder: Path, graph: MetaGraphDef, partial: bool) -> None:
        self.folder, self.graph, self.partial = folder, graph, partial
        self.library = library_of(graph.graph_def)
        self.body = Body(graph.graph_def.node)
        for asset in graph.asset_file_def:
            self.library.files.add(self.path(asset.filename))

    def path(self, filename: str) -> bytes:
        """Where an asset lies."""
        if not filename or Path(filename).is_absolute() or ".." in Path(filename).parts:
            raise damaged(f"an asset is no file of the folder: {filename!r:.80}")
        return str(self.folder / "assets" / filename).encode()

    @cached_property
    def bundle(self) -> BundleReader:
        return BundleReader(str(self.folder / "variables" / "variables"), "saved_model.load")

    def value(self, key: str | None, name: str, dtype: Any, shape: Any) -> Any:
        """What a Variable begins with."""
        if key is None or key not in self.bundle:
            if self.partial and shape.is_fully_defined():
                return tf.zeros(shape, dtype)
            raise tf.errors.NotFoundError(
                None, None, f"no value of the Variable {name!r:.80} is in {self.bundle.prefix}"
            )
        if self.bundle.dtype(key) is not dtype:
            raise damaged(
                f"the value of the Variable {name!r:.80} is {self.bundle.dtype(key).name}"
            )
        array = self.bundle.read(key)
        if not shape.is_compatible_with(array.shape):
            raise damaged(f"the value of the Variable {name!r:.80} has shape {array.shape}")
        return tf.constant(array, dtype)


class _Objects(_Reader):
    """A model of TensorFlow 2: objects, which lead to functions and Variables."""

    def model(self) -> LoadedModule:
        messages = self.graph.object_graph_def.nodes
        self.objects: list[Any] = [None] * len(messages)
        self.states: list[object_graph.Node] = []
        kinds = {m.WhichOneof("kind") for m in messages}
        if kinds & {"variable", "resource"} and object_graph.KEY in self.bundle:
            data = self.bundle.read(object_graph.KEY)
            self.states = object_graph.decode(bytes(np.asarray(data, object).item()))
        late = [i for i, m in enumerate(messages) if m.WhichOneof("kind") not in _EARLY]
        for number, message in enumerate(messages):
            kind = message.WhichOneof("kind")
            if kind in _EARLY:
                self.objects[number] = self._early(number, kind, message)
        for number in late:
            if messages[number].WhichOneof("kind") == "resource":
                self.objects[number] = self._resource(number, messages[number])
        for number in late:
            message = messages[number]
            kind = message.WhichOneof("kind")
            if kind == "function":
                self.objects[number] = self._function(message)
            elif kind == "bare_concrete_function":
                self.objects[number] = self._concrete(message)
        self._link()
        root = self.objects[0]
        if not isinstance(root, LoadedModule):
            raise damaged("the root of its objects is none that has attributes")
        if not isinstance(root.__dict__.setdefault("signatures", {}), dict):
            raise damaged("its signatures are none")
        return root

    def child(self, message: SavedObject, name: str) -> int:
        """Where a name of an object leads."""
        for child in message.children:
            if child.local_name == name:
                return self.number(child.node_id)
        raise damaged(f"an object has no {name!r}")

    def number(self, number: int) -> int:
        if not 0 <= number < len(self.objects):
            raise damaged(f"there is no object {number}")
        return number

    def _early(self, number: int, kind: str, message: SavedObject) -> Any:
        if kind == "variable":
            said = message.variable
            dtype, shape = dtype_of(said.dtype), shape_of(said.shape)
            name = said.name or "Variable"
            value = self.value(self._key(number, _VALUE), name, dtype, shape)
            declared = None if shape.is_fully_defined() else shape
            return Variable(value, trainable=said.trainable, name=name, shape=declared)
        if kind == "asset":
            index = message.asset.asset_file_def_index
            if not 0 <= index < len(self.graph.asset_file_def):
                raise damaged(f"there is no asset {index}")
            return tf.constant(self.path(self.graph.asset_file_def[index].filename))
        if kind == "constant":
            node = self.body.nodes.get(message.constant.operation)
            if node is None or node.op != "Const":
                raise damaged(f"there is no constant {message.constant.operation!r:.80}")
            return node["value"]
        wrapper = message.user_object.identifier
        if wrapper == "trackable_list_wrapper":
            return []
        if wrapper in ("trackable_dict_wrapper", "signature_map"):
            return {}
        return LoadedObject()

    def _key(self, number: int, name: str) -> str | None:
        """The key under which a tensor of an object stands."""
        if number >= len(self.states):
            return None
        attributes = self.states[number].attributes
        return next((a.key for a in attributes if a.name == name), None)

    def _resource(self, number: int, message: SavedObject) -> Any:
        """A lookup table: made, and filled."""
        names = {child.local_name for child in message.children}
        if "_create_resource" not in names:
            return GraphTable(None, None)
        (table,) = self._run(self.child(message, "_create_resource"))
        if not isinstance(table, GraphTable):
            raise unimplemented("the model has an object that is neither a Variable nor a table")
        self.objects[number] = table
        keys, values = (self._key(number, f"table{part}") for part in ("-keys", "-values"))
        if keys is not None and values is not None and table.made is not None:
            table.made.insert(*(tf.constant(self.bundle.read(key)) for key in (keys, values)))
        elif "_initialize" in names:
            self._run(self.child(message, "_initialize"))
        return table

    def _run(self, number: int) -> list[Any]:
        """The results of a function without arguments, as they stand in the graph."""
        message = self.graph.object_graph_def.nodes[number]
        name = (list(message.function.concrete_functions) or [""])[0]
        self.library.check(body := self.library.body(name), body.effects, is_known)
        return Run(self.library, Body(())).call(name, self._bound(name))

    def _bound(self, name: str) -> list[Any]:
        said = self.graph.object_graph_def.concrete_functions.get(name)
        if said is None:
            raise damaged(f"there is no function {name!r:.80}")
        found = []
        for number in said.bound_inputs:
            held = self.objects[self.number(number)]
            if not isinstance(held, Variable | tf.Tensor | GraphTable):
                kind = self.graph.object_graph_def.nodes[number].WhichOneof("kind")
                raise unimplemented(f"the function {name} takes a {kind} from outside")
            found.append(held)
        return found

    def _traced(self, name: str, signature: inspect.Signature | None = None) -> ConcreteBody:
        said = self.graph.object_graph_def.concrete_functions.get(name)
        if said is None:
            raise damaged(f"there is no function {name!r:.80}")
        body = self.library.body(name)
        made = ConcreteBody(name, self.library, self._bound(name), said, signature)
        if len(body.arguments) != len(made.specs) + len(made.bound):
            raise damaged(f"the arguments of {name!r:.80} do not fit its signature")
        return made

    def _function(self, message: SavedObject) -> Callable[[str], Any]:
        """What makes the function of its name."""
        signature = signature_of_spec(message.function.function_spec)
        names = list(message.function.concrete_functions)

        def made(name: str) -> Any:
            try:
                traces = [self._traced(n, signature) for n in names]
            except tf.errors.UnimplementedError as error:
                return _refused(name, signature, error)
            return function_of(name, signature, traces)

        return made

    def _concrete(self, message: SavedObject) -> Callable[[str], Any]:
        said = message.bare_concrete_function

        def made(name: str) -> Any:
            try:
                trace = self._traced(said.concrete_function_name)
            except tf.errors.UnimplementedError as error:
                return _refused(name, inspect.Signature(), error)
            names = flat_names(trace, said.argument_keywords)
            kind = inspect.Parameter
            rows = [
                kind(
                    n,
                    kind.POSITIONAL_OR_KEYWORD
                    if i < said.allowed_positional_arguments
                    else kind.KEYWORD_ONLY,
                )
                for i, n in enumerate(names)
            ]

            def call(*args: Any, **kwargs: Any) -> Any:
                bound = inspect.Signature(rows).bind(*args, **kwargs).arguments
                pairs = zip(names, trace.specs, strict=True)
                return trace.call([tf.convert_to_tensor(bound[n], s.dtype) for n, s in pairs])

            call.__signature__ = inspect.Signature(rows)  # type: ignore[attr-defined]
            function = LoadedFunction(name, call, trace.specs)
            function._by_name = dict(zip(names, trace.specs, strict=True))
            return function

        return made

    def _signature(self, message: SavedObject, key: str) -> Any:
        said = message.bare_concrete_function
        try:
            trace = self._traced(said.concrete_function_name)
        except tf.errors.UnimplementedError as error:
            return _refused(key, inspect.Signature(), error)
        specs = {
            name: TensorSpec(spec.shape, spec.dtype, name)
            for name, spec in zip(
                flat_names(trace, said.argument_keywords), trace.specs, strict=True
            )
        }
        outputs = {
            k: TensorSpec(v.shape, v.dtype, k) if isinstance(v, TensorSpec) else v
            for k, v in trace.outputs_by_name().items()
        }
        return signature_of(key, specs, trace.call, outputs)

    def _link(self) -> None:
        """Let the names of objects lead to others."""
        messages = self.graph.object_graph_def.nodes
        functions: dict[int, Any] = {}
        for holder, message in zip(self.objects, messages, strict=True):
            if not isinstance(holder, LoadedModule | list | dict):
                continue
            is_map = message.user_object.identifier == "signature_map"
            rows = [(child.local_name, self.number(child.node_id)) for child in message.children]
            if isinstance(holder, list):
                rows = sorted((r for r in rows if r[0].isdecimal()), key=lambda r: int(r[0]))
            for name, number in rows:
                value = self.objects[number]
                if is_map:
                    value = self._signature(messages[number], name)
                elif callable(value) and not isinstance(value, LoadedModule):
                    if number not in functions:
                        functions[number] = value(name)
                    value = functions[number]
                elif isinstance(value, GraphTable):
                    value = value.made
                if isinstance(holder, list):
                    holder.append(value)
                elif isinstance(holder, dict):
                    holder[name] = value
                elif not name.startswith("__") or name == "__call__":
                    # What the class has under a name, such as all Variables, it finds by itself.
                    known = name == "_name" or (name[:1] != "_" and hasattr(LoadedModule, name))
                    holder.__dict__[f"_{name}" if known else name] = value


_EARLY = frozenset({"variable", "asset", "constant", "user_object"})


def _refused(name: str, signature: inspect.Signature, error: Exception) -> LoadedFunction:
    """A function that says when it is called why it is not there."""

    def call(*args: Any, **kwargs: Any) -> Any:
        raise error

    return LoadedFunction(name, call, [])


class _Nodes(_Reader):
    """A model of TensorFlow 1: a graph, and which of its tensors are fed and fetched."""

    def model(self) -> LoadedModule:
        self.given: dict[str, list[Any]] = {}
        root = LoadedObject()
        variables = []
        for node in self.body.nodes.values():
            if node.op in ("Variable", "VariableV2", "VarHandleOp"):
                variables.append(self._variable(node))
                self.given[node.name] = [variables[-1]]
            elif node.op in HANDLERS and "HashTable" in node.op:
                self.given[node.name] = HANDLERS[node.op](Run(self.library, self.body), node, [])
        for asset in self.graph.asset_file_def:
            ref = ref_of(asset.tensor_info.name)
            self.given[ref.node] = [tf.constant(self.path(asset.filename))]
        self._initialise()
        root.__dict__["_variables"] = variables
        root.__dict__["signatures"] = {
            key: self._signature(key, said)
            for key, said in sorted(self.graph.signature_def.items())
            if not key.startswith("__saved_model")
        }
        return root

    def _variable(self, node: Node) -> Variable:
        dtype, shape = node["dtype"], tf.TensorShape(node["shape"])
        value = self.value(node.name, node.name, dtype, shape)
        declared = self.graph.collection_def.get("trainable_variables")
        named = [] if declared is None else [bytes(v) for v in declared.bytes_list.value]
        trainable = any(node.name.encode() in v for v in named)
        return Variable(value, trainable=trainable, name=node.name)

    def _initialise(self) -> None:
        """Run what fills tables."""
        names = [
            name
            for key in _INITIALISERS
            if (held := self.graph.collection_def.get(key)) is not None
            for name in held.node_list.value
        ]
        started = self.graph.signature_def.get("__saved_model_init_op")
        if started is not None:
            names += [info.name for info in started.outputs.values()]
        wanted = [ref_of(name).node for name in names]
        if wanted:
            self.library.check(self.body, wanted, is_known)
            Run(self.library, self.body, self.given).nodes(wanted)

    def _signature(self, key: str, said: Any) -> LoadedFunction:
        def spec(name: str, info: TensorInfo) -> TensorSpec:
            return TensorSpec(shape_of(info.tensor_shape), dtype_of(info.dtype), name)

        inputs = {n: said.inputs[n] for n in sorted(said.inputs)}
        outputs = {n: said.outputs[n] for n in sorted(said.outputs)}

        def call(given: list[Any]) -> dict[str, Any]:
            refs = {name: ref_of(info.name) for name, info in outputs.items()}
            fed = [ref_of(info.name) for info in inputs.values()]
            values = dict(self.given)
            run = Run(self.library, self.body, values)
            for ref, tensor in zip(fed, given, strict=True):
                node = self.body.nodes.get(ref.node)
                if node is not None and len(node.inputs) == 0 and ref.number == 0:
                    run.values[ref.node] = [tensor]
                run.given[ref] = tensor
            wanted = [ref.node for ref in refs.values()]
            self.library.check(_without(self.body, run.values), wanted, is_known)
            run.nodes(wanted)
            return {name: run.result(ref) for name, ref in refs.items()}

        specs = {name: spec(name, info) for name, info in inputs.items()}
        results = {name: spec(name, info) for name, info in outputs.items()}
        return signature_of(key, specs, call, results)


def _without(body: Body, given: dict[str, Any]) -> Body:
    """The nodes, of which some are given and need nothing."""
    nodes = [NodeDef(name=n, op="NoOp") if n in given else b.message for n, b in body.nodes.items()]
    return Body(nodes)


__all__ = ["load"]
