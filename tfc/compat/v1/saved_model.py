"""`tfc.compat.v1.saved_model`: graphs of sessions in folders, with signatures.

What `Builder` writes are graphs of tfc's (`Graph.as_graph_def`): tfc reads them. What TensorFlow
wrote is read as well.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import tfc as _tfc
from tfc.core import blame as _blame
from tfc.core.absent import refusal as _refusal
from tfc.core.errors import DataLossError as _DataLossError
from tfc.records import bundle_writer as _bundle_writer
from tfc.records.bundle_reader import BundleReader as _BundleReader
from tfc.records.meta_graph import (
    MetaGraphDef,
    SavedModel,
    SignatureDef,
    TensorInfo,
)
from tfc.records.text import parse as _parse
from tfc.saved_model import (
    DEFAULT_SERVING_SIGNATURE_DEF_KEY,
    GPU,
    SERVING,
    TPU,
    TRAINING,
    SaveOptions,
    contains_saved_model,
    experimental,
    save,
)
from tfc.saved_model import load as load_v2
from tfc.saved_model.constants import (
    ASSETS_DIRECTORY,
    ASSETS_KEY,
    CLASSIFY_INPUTS,
    CLASSIFY_METHOD_NAME,
    CLASSIFY_OUTPUT_CLASSES,
    CLASSIFY_OUTPUT_SCORES,
    DEBUG_DIRECTORY,
    DEBUG_INFO_FILENAME_PB,
    PREDICT_INPUTS,
    PREDICT_METHOD_NAME,
    PREDICT_OUTPUTS,
    REGRESS_INPUTS,
    REGRESS_METHOD_NAME,
    REGRESS_OUTPUTS,
    SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT,
    SAVED_MODEL_SCHEMA_VERSION,
    VARIABLES_DIRECTORY,
    VARIABLES_FILENAME,
)

from ..graph_def.attributes import dtype_of as _dtype_of
from ..graphs.default_graph import get_default_graph as _get_default_graph
from ..graphs.graph import GraphKeys as _GraphKeys
from ..graphs.meta_graphs import meta_graph_of as _meta_graph_of
from .train.meta_graph import import_meta as _import_meta

LEGACY_INIT_OP_KEY, MAIN_OP_KEY = "legacy_init_op", "saved_model_main_op"


# Signatures.


def build_tensor_info(tensor: Any) -> TensorInfo:
    """What says which tensor of a graph is meant.

    Args:
        tensor: A tensor of a graph.

    Returns:
        A TensorInfo.

    Raises:
        RuntimeError: If it is of no graph.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.placeholder(tf.float32, [None, 2], name="x")
    ...     info = tf.saved_model.build_tensor_info(x)
    >>> info.name, [dim.size for dim in info.tensor_shape.dim]
    ('x:0', [-1, 2])
    """
    if isinstance(tensor, _tfc.SparseTensor):
        made = TensorInfo(dtype=tensor.dtype.as_datatype_enum)
        for field, part in (
            ("indices_tensor_name", tensor.indices),
            ("values_tensor_name", tensor.values),
            ("dense_shape_tensor_name", tensor.dense_shape),
        ):
            setattr(made.coo_sparse, field, part.name)
        return made
    if isinstance(tensor, _tfc.Tensor) and not _tfc.is_symbolic_tensor(tensor):
        raise RuntimeError("`build_tensor_info` is not supported in eager execution.")
    made = TensorInfo(name=tensor.name, dtype=tensor.dtype.as_datatype_enum)
    if tensor.shape.rank is None:
        made.tensor_shape.unknown_rank = True
    else:
        made.tensor_shape.dim.extend({"size": -1 if e is None else e} for e in tensor.shape)
    return made


def get_tensor_from_tensor_info(
    tensor_info: TensorInfo, graph: Any = None, import_scope: str | None = None
) -> Any:
    """The tensor of a graph that is meant.

    Args:
        tensor_info: What says so.
        graph: The graph; None: the default one.
        import_scope: What stands in front of the names since.

    Returns:
        A tensor, or a SparseTensor.

    Raises:
        KeyError: If there is none.
    """
    found = _get_default_graph() if graph is None else graph
    front = f"{import_scope}/" if import_scope else ""

    def named(name: str) -> Any:
        return found.get_tensor_by_name(front + name)

    if tensor_info.WhichOneof("encoding") == "coo_sparse":
        parts = tensor_info.coo_sparse
        return _tfc.SparseTensor(
            named(parts.indices_tensor_name),
            named(parts.values_tensor_name),
            named(parts.dense_shape_tensor_name),
        )
    return named(tensor_info.name)


def build_signature_def(
    inputs: Mapping[str, TensorInfo] | None = None,
    outputs: Mapping[str, TensorInfo] | None = None,
    method_name: str | None = None,
    defaults: Any = None,
) -> SignatureDef:
    """A signature.

    Args:
        inputs: What is fed, by name.
        outputs: What is fetched, by name.
        method_name: What kind of signature it is.
        defaults: Not used.

    Returns:
        A SignatureDef.

    >>> import tfc.compat.v1 as tf
    >>> tf.saved_model.build_signature_def(method_name="mine").method_name
    'mine'
    """
    return SignatureDef(inputs=inputs or {}, outputs=outputs or {}, method_name=method_name)


def _infos(tensors: Mapping[str, Any]) -> dict[str, TensorInfo]:
    return {name: build_tensor_info(tensor) for name, tensor in tensors.items()}


def predict_signature_def(inputs: Any, outputs: Any) -> SignatureDef:
    """A signature of tensors by name.

    Args:
        inputs: What is fed, by name.
        outputs: What is fetched, by name.

    Returns:
        A SignatureDef.

    Raises:
        ValueError: If there is nothing.
    """
    if not inputs:
        raise ValueError("Prediction `inputs` cannot be None or empty.")
    if not outputs:
        raise ValueError("Prediction `outputs` cannot be None or empty.")
    return build_signature_def(_infos(inputs), _infos(outputs), PREDICT_METHOD_NAME)


def classification_signature_def(examples: Any, classes: Any, scores: Any) -> SignatureDef:
    """A signature of serialised examples that gives classes and scores.

    Args:
        examples: A tensor of strings.
        classes: A tensor of strings, or None.
        scores: A tensor of floats, or None.

    Returns:
        A SignatureDef.

    Raises:
        ValueError: If a tensor is missing or of another dtype.
    """
    if examples is None:
        raise ValueError("Classification `examples` cannot be None.")
    if not isinstance(examples, _tfc.Tensor):
        raise ValueError(
            "Classification `examples` must be a string Tensor. "
            f"Found `examples` of type {type(examples)}."
        )
    if classes is None and scores is None:
        raise ValueError("Classification `classes` and `scores` cannot both be None.")
    _of_dtype("Classification input tensors", examples, _tfc.string)
    outputs = {}
    if classes is not None:
        _of_dtype("Classification classes", classes, _tfc.string)
        outputs[CLASSIFY_OUTPUT_CLASSES] = classes
    if scores is not None:
        _of_dtype("Classification scores", scores, _tfc.float32)
        outputs[CLASSIFY_OUTPUT_SCORES] = scores
    return build_signature_def(
        _infos({CLASSIFY_INPUTS: examples}), _infos(outputs), CLASSIFY_METHOD_NAME
    )


def regression_signature_def(examples: Any, predictions: Any) -> SignatureDef:
    """A signature of serialised examples that gives numbers.

    Args:
        examples: A tensor of strings.
        predictions: A tensor of floats.

    Returns:
        A SignatureDef.

    Raises:
        ValueError: If a tensor is missing or of another dtype.
    """
    if examples is None:
        raise ValueError("Regression `examples` cannot be None.")
    if not isinstance(examples, _tfc.Tensor):
        raise ValueError(
            "Expected regression `examples` to be of type Tensor. "
            f"Found `examples` of type {type(examples)}."
        )
    if predictions is None:
        raise ValueError("Regression `predictions` cannot be None.")
    _of_dtype("Regression input tensors", examples, _tfc.string)
    _of_dtype("Regression output tensors", predictions, _tfc.float32)
    return build_signature_def(
        _infos({REGRESS_INPUTS: examples}),
        _infos({REGRESS_OUTPUTS: predictions}),
        REGRESS_METHOD_NAME,
    )


def _of_dtype(what: str, tensor: Any, dtype: Any) -> None:
    if tensor.dtype != dtype:
        name = "string" if dtype == _tfc.string else "float"
        raise ValueError(
            f"{what} must be of type {name}. Found tensors with type {tensor.dtype.name}."
        )


_VALID = {
    PREDICT_METHOD_NAME: None,
    CLASSIFY_METHOD_NAME: (
        CLASSIFY_INPUTS,
        {CLASSIFY_OUTPUT_CLASSES: _tfc.string, CLASSIFY_OUTPUT_SCORES: _tfc.float32},
    ),
    REGRESS_METHOD_NAME: (REGRESS_INPUTS, {REGRESS_OUTPUTS: _tfc.float32}),
}


def is_valid_signature(signature_def: SignatureDef | None) -> bool:
    """Whether a signature is one of the three kinds that TensorFlow's servers know.

    Args:
        signature_def: The signature.

    Returns:
        A bool.
    """
    if signature_def is None or signature_def.method_name not in _VALID:
        return False
    wanted = _VALID[signature_def.method_name]
    inputs, outputs = signature_def.inputs, signature_def.outputs
    if wanted is None:
        return True
    given, results = wanted
    if set(inputs) != {given} or _dtype_of(inputs[given].dtype) != _tfc.string:
        return False
    if not outputs or not set(outputs) <= set(results):
        return False
    return all(_dtype_of(info.dtype) == results[name] for name, info in outputs.items())


# Files.


def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Whether there is a saved model in a folder.

    Args:
        export_dir: The folder.

    Returns:
        A bool.
    """
    return contains_saved_model(export_dir)


class Builder:
    """Writes the graph of a session into a folder, with the values of its Variables.

    Args:
        export_dir: The folder, which must be empty or missing.

    Raises:
        AssertionError: If there is something in it.

    >>> import os, tempfile
    >>> import tfc.compat.v1 as tf
    >>> folder = os.path.join(tempfile.mkdtemp(), "model")
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.placeholder(tf.float32, [None], name="x")
    ...     w = tf.get_variable("w", initializer=2.0)
    ...     y = tf.multiply(x, w, name="y")
    ...     session.run(w.initializer)
    ...     builder = tf.saved_model.Builder(folder)
    ...     signature = tf.saved_model.predict_signature_def({"x": x}, {"y": y})
    ...     builder.add_meta_graph_and_variables(session, ["serve"], {"serving_default": signature})
    ...     path = builder.save()
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     graph = tf.saved_model.loader.load(session, ["serve"], folder)
    ...     print(session.run("y:0", {"x:0": [1.0, 3.0]}))
    [2. 6.]
    """

    def __init__(self, export_dir: str | os.PathLike[str]) -> None:
        self._folder = Path(os.fsdecode(export_dir))
        if self._folder.is_dir() and any(self._folder.iterdir()):
            raise AssertionError(
                f"Export directory {os.fsdecode(export_dir)} already exists, and isn't empty. "
                "Please choose a different export directory, or delete all the contents of the "
                "specified directory."
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        self._model = SavedModel(saved_model_schema_version=SAVED_MODEL_SCHEMA_VERSION)
        self._has_values = False

    def add_meta_graph(
        self,
        tags: Iterable[str],
        signature_def_map: Mapping[str, SignatureDef] | None = None,
        assets_list: Any = None,
        clear_devices: bool = False,
        init_op: Any = None,
        train_op: Any = None,
        saver: Any = None,
        main_op: Any = None,
        **unused: Any,
    ) -> None:
        """Add a graph for the values that are there.

        Args:
            tags: By which it is found.
            signature_def_map: Its signatures.
            assets_list: Refused: there are no files beside it.
            clear_devices: Not used.
            init_op: What runs when it is loaded.
            train_op: Not used.
            saver: Not used.
            main_op: The same as `init_op`.

        Raises:
            AssertionError: If there are no values yet.
        """
        if not self._has_values:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )
        graph = _get_default_graph()
        message = _meta_graph_of(graph, tags)
        for key, signature in (signature_def_map or {}).items():
            for kind, infos in (("Inputs", signature.inputs), ("Outputs", signature.outputs)):
                for name, info in infos.items():
                    if not info.dtype or info.WhichOneof("encoding") is None:
                        raise AssertionError(
                            f"All TensorInfo protos used in the SignatureDefs must have the name "
                            f"and dtype fields set: {kind.lower()} {name!r} of {key!r}"
                        )
            message.signature_def[key].CopyFrom(signature)
        if assets_list:
            raise _blame.unimplemented("files beside a graph are not written", "Builder")
        started = main_op if main_op is not None else init_op
        if started is not None:
            message.collection_def[MAIN_OP_KEY].node_list.value.append(started.name)
        self._model.meta_graphs.append(message)

    def add_meta_graph_and_variables(
        self,
        sess: Any,
        tags: Iterable[str],
        signature_def_map: Mapping[str, SignatureDef] | None = None,
        assets_list: Any = None,
        **options: Any,
    ) -> None:
        """Add the graph of a session, with the values of its Variables.

        Args:
            sess: The session.
            tags: By which it is found.
            signature_def_map: Its signatures.
            assets_list: Refused: there are no files beside it.
            **options: As of `add_meta_graph`.

        Raises:
            AssertionError: If there are values already.
        """
        if self._has_values:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please invoke "
                "`add_meta_graph()` instead."
            )
        with sess.graph.as_default():
            variables = sess.graph.get_collection(_GraphKeys.GLOBAL_VARIABLES)
            if variables:
                folder = self._folder / VARIABLES_DIRECTORY
                folder.mkdir(exist_ok=True)
                names = [v.name.removesuffix(":0") for v in variables]
                arrays = [np.asarray(a) for a in sess.run(list(variables))]
                path = str(folder / VARIABLES_FILENAME)
                _bundle_writer.write(path, dict(zip(names, arrays, strict=True)), "Builder")
            self._has_values = True
            self.add_meta_graph(tags, signature_def_map, assets_list, **options)

    def save(self, as_text: bool = False, **unused: Any) -> bytes:
        """Write the file.

        Args:
            as_text: As text.

        Returns:
            Its path, as bytes.
        """
        name = SAVED_MODEL_FILENAME_PBTXT if as_text else SAVED_MODEL_FILENAME_PB
        data = str(self._model).encode() if as_text else self._model.SerializeToString()
        (self._folder / name).write_bytes(data)
        return str(self._folder / name).encode()


def simple_save(
    session: Any,
    export_dir: str | os.PathLike[str],
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    legacy_init_op: Any = None,
) -> None:
    """Write the graph of a session into a folder, to be served.

    Args:
        session: The session.
        export_dir: The folder.
        inputs: What is fed, by name.
        outputs: What is fetched, by name.
        legacy_init_op: What runs when it is loaded.
    """
    signature = predict_signature_def(inputs, outputs)
    builder = Builder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        [SERVING],
        {DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        main_op=legacy_init_op,
    )
    builder.save()


def _read(export_dir: Any) -> SavedModel:
    folder = Path(os.fsdecode(export_dir))
    binary, text = folder / SAVED_MODEL_FILENAME_PB, folder / SAVED_MODEL_FILENAME_PBTXT
    if binary.is_file():
        return SavedModel.FromString(binary.read_bytes())
    if text.is_file():
        return _parse(SavedModel, text.read_bytes())
    raise OSError(
        f"SavedModel file does not exist at: {folder}{os.path.sep}"
        f"{{{SAVED_MODEL_FILENAME_PBTXT}|{SAVED_MODEL_FILENAME_PB}}}"
    )


def load(
    sess: Any,
    tags: Iterable[str],
    export_dir: str | os.PathLike[str],
    import_scope: str | None = None,
    **unused: Any,
) -> MetaGraphDef:
    """Let the graph of a session have that of a folder, and the session the values of its
    Variables.

    Args:
        sess: The session.
        tags: By which the graph is found.
        export_dir: The folder.
        import_scope: What stands in front of all names.

    Returns:
        The MetaGraphDef.

    Raises:
        OSError: If there is no saved model.
        RuntimeError: If it has no graph with these tags.
        DataLossError: If it is damaged.
    """
    model = _read(export_dir)
    named = [tags] if isinstance(tags, str) else list(tags)
    wanted = set(named)
    found = [m for m in model.meta_graphs if set(m.meta_info_def.tags) == wanted]
    if not found:
        known = [set(m.meta_info_def.tags) for m in model.meta_graphs]
        raise _blame.located(
            RuntimeError,
            f"MetaGraphDef associated with tags {str(named).strip('[]')} could not be found in "
            f"SavedModel, with available tags '{known}'. To inspect available tag-sets in the "
            "SavedModel, please use the SavedModel CLI: `saved_model_cli`.",
        )
    message, graph = found[0], sess.graph
    with graph.as_default():
        prefix = f"{graph.name_in_scope(import_scope)}/" if import_scope else ""
        started = _import_meta(graph, message, prefix)
        held = graph.get_collection(_GraphKeys.GLOBAL_VARIABLES)
        own = [v for v in held if v.name.startswith(prefix)]
    if own:
        path = Path(os.fsdecode(export_dir)) / VARIABLES_DIRECTORY / VARIABLES_FILENAME
        reader = _BundleReader(str(path), "saved_model.load")
        for variable in own:
            name = variable.name.removeprefix(prefix).removesuffix(":0")
            array = reader.read(name)
            if not variable.shape.is_compatible_with(array.shape):
                raise _DataLossError(f"the value of the Variable {name} has shape {array.shape}")
            variable.load(array, sess)
    for name in started:
        sess.run(graph.get_operation_by_name(name))
    return message


builder = SimpleNamespace(SavedModelBuilder=Builder)
loader = SimpleNamespace(load=load, maybe_saved_model_directory=maybe_saved_model_directory)
utils = SimpleNamespace(
    build_tensor_info=build_tensor_info, get_tensor_from_tensor_info=get_tensor_from_tensor_info
)
signature_def_utils = SimpleNamespace(
    build_signature_def=build_signature_def,
    classification_signature_def=classification_signature_def,
    is_valid_signature=is_valid_signature,
    predict_signature_def=predict_signature_def,
    regression_signature_def=regression_signature_def,
)
signature_constants = SimpleNamespace(
    CLASSIFY_INPUTS=CLASSIFY_INPUTS,
    CLASSIFY_METHOD_NAME=CLASSIFY_METHOD_NAME,
    CLASSIFY_OUTPUT_CLASSES=CLASSIFY_OUTPUT_CLASSES,
    CLASSIFY_OUTPUT_SCORES=CLASSIFY_OUTPUT_SCORES,
    DEFAULT_SERVING_SIGNATURE_DEF_KEY=DEFAULT_SERVING_SIGNATURE_DEF_KEY,
    PREDICT_INPUTS=PREDICT_INPUTS,
    PREDICT_METHOD_NAME=PREDICT_METHOD_NAME,
    PREDICT_OUTPUTS=PREDICT_OUTPUTS,
    REGRESS_INPUTS=REGRESS_INPUTS,
    REGRESS_METHOD_NAME=REGRESS_METHOD_NAME,
    REGRESS_OUTPUTS=REGRESS_OUTPUTS,
)
tag_constants = SimpleNamespace(GPU=GPU, SERVING=SERVING, TPU=TPU, TRAINING=TRAINING)
constants = SimpleNamespace(
    ASSETS_DIRECTORY=ASSETS_DIRECTORY,
    ASSETS_KEY=ASSETS_KEY,
    DEBUG_DIRECTORY=DEBUG_DIRECTORY,
    DEBUG_INFO_FILENAME_PB=DEBUG_INFO_FILENAME_PB,
    LEGACY_INIT_OP_KEY=LEGACY_INIT_OP_KEY,
    MAIN_OP_KEY=MAIN_OP_KEY,
    SAVED_MODEL_FILENAME_PB=SAVED_MODEL_FILENAME_PB,
    SAVED_MODEL_FILENAME_PBTXT=SAVED_MODEL_FILENAME_PBTXT,
    SAVED_MODEL_SCHEMA_VERSION=SAVED_MODEL_SCHEMA_VERSION,
    VARIABLES_DIRECTORY=VARIABLES_DIRECTORY,
    VARIABLES_FILENAME=VARIABLES_FILENAME,
)

__getattr__ = _refusal("tf.compat.v1.saved_model")
__all__ = [
    "ASSETS_DIRECTORY",
    "ASSETS_KEY",
    "CLASSIFY_INPUTS",
    "CLASSIFY_METHOD_NAME",
    "CLASSIFY_OUTPUT_CLASSES",
    "CLASSIFY_OUTPUT_SCORES",
    "DEBUG_DIRECTORY",
    "DEBUG_INFO_FILENAME_PB",
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY",
    "GPU",
    "LEGACY_INIT_OP_KEY",
    "MAIN_OP_KEY",
    "PREDICT_INPUTS",
    "PREDICT_METHOD_NAME",
    "PREDICT_OUTPUTS",
    "REGRESS_INPUTS",
    "REGRESS_METHOD_NAME",
    "REGRESS_OUTPUTS",
    "SAVED_MODEL_FILENAME_PB",
    "SAVED_MODEL_FILENAME_PBTXT",
    "SAVED_MODEL_SCHEMA_VERSION",
    "SERVING",
    "TPU",
    "TRAINING",
    "VARIABLES_DIRECTORY",
    "VARIABLES_FILENAME",
    "Builder",
    "SaveOptions",
    "build_signature_def",
    "build_tensor_info",
    "builder",
    "classification_signature_def",
    "constants",
    "contains_saved_model",
    "experimental",
    "get_tensor_from_tensor_info",
    "is_valid_signature",
    "load",
    "load_v2",
    "loader",
    "maybe_saved_model_directory",
    "predict_signature_def",
    "regression_signature_def",
    "save",
    "signature_constants",
    "signature_def_utils",
    "simple_save",
    "tag_constants",
    "utils",
]
