"""`model.export` and `ExportArchive`: models as tfc's saved models, which load without Keras."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from keras.src import layers, tree
from keras.src.export.export_utils import get_input_signature, make_input_spec
from keras.src.utils import io_utils

import tfc as tf
from tfc.function.polymorphic import Method, PolymorphicFunction
from tfc.ops.lookup.tables import Table

from .core import Variable


class Exported(tf.Module):
    """What is written: endpoints and collections, by their names, and what belongs to them."""

    tracked: list[Any]


class ExportArchive:
    """Functions, written together with the Variables that they use.

    `add_endpoint` adds a function, `write_out` writes the folder. Layers, Modules and tables that
    `track` names are written whether or not a function uses them. The first endpoint is also called
    "serving_default".
    """

    def __init__(self) -> None:
        self._tf_trackable = Exported(name="export")  # as Keras calls it
        self._endpoints: dict[str, Any] = {}
        self._layers: list[Any] = []
        self._others: list[Any] = []

    @property
    def variables(self) -> list[tf.Variable]:
        """The Variables of all that is tracked."""
        return self._of_layers(lambda layer: layer.variables)

    @property
    def trainable_variables(self) -> list[tf.Variable]:
        """Those of them that are trained."""
        return self._of_layers(lambda layer: layer.trainable_variables)

    @property
    def non_trainable_variables(self) -> list[tf.Variable]:
        """Those of them that are not."""
        return self._of_layers(lambda layer: layer.non_trainable_variables)

    def _of_layers(self, variables: Callable[[Any], Iterable[Variable]]) -> list[tf.Variable]:
        return _unique(_handle(v) for layer in self._layers for v in variables(layer))

    def track(self, resource: Any) -> None:
        """Take a layer, a model, a Module or a lookup table in, with what it holds."""
        if isinstance(resource, tf.Module | Table):
            self._others.append(resource)
            return
        if not isinstance(resource, layers.Layer):
            raise ValueError(
                "Invalid resource type. Expected a Keras `Layer` or `Model` or a `tf.Module`. "
                f"Received object {resource} of type '{type(resource)}'. "
            )
        if not resource.built:
            raise ValueError(
                "The layer provided has not yet been built. It must be built before export."
            )
        self._layers.append(resource)

    def add_endpoint(self, name: str, fn: Any, input_signature: Any = None, **kwargs: Any) -> Any:
        """Add a function.

        Args:
            name: Its name in what is loaded.
            fn: The function: of tensors, or a `tf.function` that has been called.
            input_signature: For each argument a structure of InputSpecs, TensorSpecs, KerasTensors
                or tensors; a `tf.function` that has been called needs none.
            **kwargs: Nothing: other backends have options here.

        Returns:
            The `tf.function` that is written.

        Raises:
            ValueError: If the name is taken, or there is no signature, or an option.
        """
        if name in self._endpoints:
            raise ValueError(f"Endpoint name '{name}' is already taken.")
        if kwargs:
            raise ValueError(
                "'jax2tf_kwargs' and 'is_static' are only supported with the jax backend. "
                f"Current backend: tfc. Received: {sorted(kwargs)}"
            )
        if input_signature is not None:
            specs = [tree.map_structure(_tensor_spec, argument) for argument in input_signature]
            fn = cast(Any, tf.function(fn, input_signature=specs, autograph=False))
        elif not isinstance(fn, PolymorphicFunction | Method):
            raise ValueError(
                "If the `fn` argument provided is not a `tf.function`, you must provide an "
                "`input_signature` argument to specify the shape and dtype of the function "
                "arguments."
            )
        elif not _traces(fn):
            raise ValueError(
                f"The provided tf.function '{fn}' has never been called. To specify the expected "
                "shape and dtype of the function's arguments, you must either provide a function "
                "that has been called at least once, or alternatively pass an `input_signature` "
                "argument in `add_endpoint()`."
            )
        self._endpoints[name] = fn.func if isinstance(fn, Method) else fn
        return fn

    def track_and_add_endpoint(
        self, name: str, resource: Any, input_signature: Any, **kwargs: Any
    ) -> Any:
        """Take a layer in, and its call as an endpoint."""
        self.track(resource)
        return self.add_endpoint(name, resource.__call__, input_signature, **kwargs)

    def add_variable_collection(self, name: str, variables: Any) -> None:
        """Variables that what is loaded has, as a list, in an attribute of this name."""
        if not isinstance(variables, list | tuple | set):
            raise ValueError(
                "Expected `variables` to be a list/tuple/set. "
                f"Received instead object of type '{type(variables)}'."
            )
        if not all(isinstance(v, tf.Variable | Variable) for v in variables):
            raise ValueError(
                "Expected all elements in `variables` to be `tf.Variable` instances. Found instead "
                f"the following types: {list({type(v) for v in variables})}"
            )
        setattr(self._tf_trackable, name, [_handle(v) for v in variables])

    def write_out(self, filepath: str | Path, options: Any = None, verbose: bool = True) -> None:
        """Write the saved model; `tf.saved_model.load` gives it back, without Keras.

        Args:
            filepath: The folder.
            options: Taken for TensorFlow's sake.
            verbose: Whether to print what the endpoints take and give.
        """
        module, signatures = self.module_to_save()
        tf.saved_model.save(module, filepath, signatures=signatures, options=options)
        if verbose:
            shown = [
                f"* Endpoint '{name}'\n\n{signatures[name].pretty_printed_signature()}"
                for name in self._endpoints
            ]
            io_utils.print_msg(
                f"Saved artifact at '{filepath}'. The following endpoints are available:\n\n"
                + "\n\n".join(shown)
            )

    def module_to_save(self) -> tuple[Exported, dict[str, Any]]:
        """What is written, and its signatures."""
        if not self._endpoints:
            raise ValueError("No endpoints have been set yet. Call add_endpoint().")
        signatures = {name: _traces(f)[0] for name, f in self._endpoints.items()}
        used = [v for f in self._endpoints.values() for c in _traces(f) for v in c.variables]
        self._tf_trackable.tracked = [_unique([*self.variables, *used]), self._others]
        for name, function in self._endpoints.items():
            setattr(self._tf_trackable, name, function)
        signatures.setdefault("serving_default", next(iter(signatures.values())))
        return self._tf_trackable, signatures


def module_of(layer: Any) -> tuple[Exported, dict[str, Any]]:
    """What `tf.saved_model.save(layer, folder)` writes: the layer's call, without training, and its
    own `tf.function`s. Of a layer that is not built yet these are all."""
    archive = ExportArchive()
    own = _own_functions(layer)
    for function in own.values():
        if function.input_signature is not None:
            function.get_concrete_function()  # which may build layers inside
    if layer.built or not own:
        archive.track_and_add_endpoint("__call__", layer, get_input_signature(layer))
        module, signatures = archive.module_to_save()
        signatures = {"serving_default": signatures["serving_default"]}
    else:
        module, signatures = archive._tf_trackable, {}
        module.tracked = [[_handle(v) for v in layer.variables]]
    for name, function in own.items():
        if not hasattr(module, name):
            setattr(module, name, function)
    return module, signatures


def _own_functions(layer: Any) -> dict[str, Any]:
    """The `tf.function`s that are methods or attributes of a layer, by name."""
    found: dict[str, Any] = {}
    for owner in type(layer).__mro__:
        for name, value in vars(owner).items():
            if isinstance(value, PolymorphicFunction):
                found.setdefault(name, getattr(layer, name).func)
    for name, value in vars(layer).items():
        if isinstance(value, PolymorphicFunction | Method) and not name.startswith("_"):
            found[name] = value.func if isinstance(value, Method) else value
    return found


def _tensor_spec(spec: Any) -> tf.TensorSpec:
    if isinstance(spec, tf.TensorSpec):
        return spec
    spec = make_input_spec(spec)
    return tf.TensorSpec(spec.shape, spec.dtype, name=spec.name)


def _traces(function: Any) -> Sequence[Any]:
    """What a function has been traced for; its signature, if it has one."""
    if function.input_signature is not None:
        return [function.get_concrete_function()]
    return [trace for _, trace in function._traces.all()]


def _handle(v: Any) -> tf.Variable:
    return v.handle if isinstance(v, Variable) else v


def _unique(variables: Iterable[tf.Variable]) -> list[tf.Variable]:
    """Each Variable once."""
    return list({id(v): v for v in variables}.values())
