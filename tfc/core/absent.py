"""TensorFlow's public names that are not here, and why: the only list of them.

`refusal("tf.nn")` makes the `__getattr__` of a namespace: what is on the list is an AttributeError
that says what to do instead.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NoReturn

_KERAS = "Keras' layers have them: see tf.keras.layers"
_QUANTISED = "quantised dtypes are not there: see tf.quantization.fake_quant_with_min_max_vars"
_NARROW = "numbers of fewer than 8 bits, and these kinds of float8, are not there"
_GRAPHS = "there are no GraphDefs: see tf.saved_model, tf.compat.v1 and function.pretty_printed"
_SERVERS = "there are no parameter servers: see tf.distribute.MultiWorkerMirroredStrategy"
_RUNTIME = "it is a switch of TensorFlow's own runtime, of which there is none"
_MLIR = "functions are compiled by tfc itself, not through MLIR or XLA"
_VARIANTS = (
    "there is no dtype of variants, nor of resources: lists and Variables are Python objects"
)
_SPEC = "give the specs of the tensors that it is made of"
_OP = "TensorFlow exports the op by accident: see tf.raw_ops"
_PROTO = "messages are read as TensorFlow's own alone: see tf.io.parse_example"
_SHARDS = "checkpoints are one file: see tf.train.Checkpoint"
_TYPES = "it is a type of TensorFlow's own tracing: see tf.types.experimental.PolymorphicFunction"
_SIGNATURES = "saved models are tfc's own (tf.saved_model.save), which have no such signatures"
_PREEMPTION = "see tf.train.CheckpointManager, and how processes of tf.distribute start again"

_FLOATS = ("float4_e2m1fn", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz")

# A name, or what is before all names of a namespace: the longest that fits tells.
ABSENT = {
    "tf.NoneTensorSpec": _SPEC,
    "tf.RegisterGradient": "gradients of functions are given by tf.custom_gradient",
    "tf.approx_top_k": "see tf.math.approx_max_k",
    "tf.check_pinned": _OP,
    "tf.config.experimental.ClusterDeviceFilters": _SERVERS,
    "tf.config.experimental.disable_mlir_bridge": _MLIR,
    "tf.config.experimental.enable_mlir_bridge": _MLIR,
    "tf.config.experimental.get_device_policy": _RUNTIME,
    "tf.config.experimental.get_synchronous_execution": _RUNTIME,
    "tf.config.experimental.set_device_policy": _RUNTIME,
    "tf.config.experimental.set_synchronous_execution": _RUNTIME,
    "tf.config.experimental_connect_to_cluster": _SERVERS,
    "tf.config.experimental_connect_to_host": _SERVERS,
    "tf.conv": _OP,
    "tf.conv2d_backprop_filter_v2": _OP,
    "tf.conv2d_backprop_input_v2": _OP,
    "tf.data.NumpyIterator": "see dataset.as_numpy_iterator()",
    "tf.data.experimental.SHARD_HINT": "see dataset.shard(processes, rank)",
    "tf.data.experimental.TFRecordWriter": "see tf.io.TFRecordWriter",
    "tf.data.experimental.enable_debug_mode": "see tf.config.run_functions_eagerly",
    "tf.data.experimental.ServiceOptions": "there is no data service: see dataset.shard",
    "tf.data.experimental.distributed_save": "see dataset.save(folder)",
    "tf.data.experimental.from_variant": _VARIANTS,
    "tf.data.experimental.get_model_proto": "see dataset.explain()",
    "tf.data.experimental.make_saveable_from_iterator": "tf.train.Checkpoint takes iterators",
    "tf.data.experimental.to_variant": _VARIANTS,
    "tf.debugging.experimental": "see tf.debugging.enable_check_numerics, and tfc.explore",
    "tf.distribute.ParameterServerStrategy": _SERVERS,
    "tf.distribute.Server": _SERVERS,
    "tf.distribute.cluster_resolver": "processes find each other by TF_CONFIG, or MPI: see "
    "tf.distribute.cluster_resolver.TFConfigClusterResolver",
    "tf.distribute.coordinator": _SERVERS,
    "tf.distribute.experimental": _SERVERS,
    "tf.distribute.experimental.CollectiveHints": "see "
    "tf.distribute.experimental.CommunicationOptions",
    "tf.distribute.experimental.PreemptionCheckpointHandler": _PREEMPTION,
    "tf.distribute.experimental.PreemptionWatcher": _PREEMPTION,
    "tf.distribute.experimental.TerminationConfig": _PREEMPTION,
    "tf.distribute.experimental.partitioners": _SERVERS,
    "tf.dtensor": "models are not divided among devices: see tf.distribute",
    "tf.dtypes.QUANTIZED_DTYPES": _QUANTISED,
    "tf.dtypes.experimental": _NARROW,
    "tf.experimental.dtensor": "models are not divided among devices: see tf.distribute",
    "tf.experimental.register_filesystem_plugin": "files are those of the operating system",
    "tf.experimental.tensorrt": "functions are compiled by tfc itself, not by TensorRT",
    "tf.feature_column": "TensorFlow has deprecated it: see Keras' preprocessing layers",
    "tf.image.decode_jxl": "no library that tfc uses reads JPEG XL",
    "tf.image.generate_bounding_box_proposals": "see tf.image.non_max_suppression",
    "tf.io.decode_jxl": "no library that tfc uses reads JPEG XL",
    "tf.io.decode_proto": _PROTO,
    "tf.io.encode_proto": _PROTO,
    "tf.io.match_filenames_once": "see tf.io.matching_files, whose result a Variable keeps",
    "tf.lite": "there is no TFLite: see tfc's saved models",
    "tf.load_library": "libraries of TensorFlow's kernels need TensorFlow",
    "tf.load_op_library": "libraries of TensorFlow's kernels need TensorFlow",
    "tf.mlir": _MLIR,
    "tf.nn.RNNCell": _KERAS,
    "tf.nn.learned_unigram_candidate_sampler": "see tf.random.fixed_unigram_candidate_sampler",
    "tf.no_gradient": "gradients of functions are given by tf.custom_gradient",
    "tf.nondifferentiable_batch_function": "calls are not gathered into batches",
    "tf.profiler.experimental.client": "profiles are of the own process: see "
    "tf.profiler.experimental.Profile",
    "tf.profiler.experimental.server": "profiles are of the own process: see "
    "tf.profiler.experimental.Profile",
    "tf.quantization.dequantize": _QUANTISED,
    "tf.quantization.experimental": "there is no TFLite, nor its quantisers",
    "tf.quantization.quantize": _QUANTISED,
    "tf.quantization.quantized_concat": _QUANTISED,
    "tf.ragged_fill_empty_rows": _OP,
    "tf.ragged_fill_empty_rows_grad": _OP,
    "tf.random.learned_unigram_candidate_sampler": "see tf.random.fixed_unigram_candidate_sampler",
    "tf.realdiv": "see tf.truediv",
    "tf.random_index_shuffle": "see tf.random.experimental.index_shuffle",
    "tf.matrix_square_root": "see tf.linalg.sqrtm",
    "tf.saved_model": _SIGNATURES,
    "tf.saved_model.Asset": "saved models have no files beside their own",
    "tf.saved_model.experimental": "saved models have checksums of their own, and no such options",
    "tf.security": "it is a part of TensorFlow's own tests",
    "tf.sysconfig": "there is no library of TensorFlow's to build against",
    "tf.test.assert_equal_graph_def": _GRAPHS,
    "tf.test.create_local_cluster": _SERVERS,
    "tf.test.is_cpu_target_available": "see tf.config.list_physical_devices",
    "tf.tools": "it is a part of TensorFlow's own tools",
    "tf.tpu": "there are no TPUs",
    "tf.train.ClusterDef": "see tf.train.ClusterSpec",
    "tf.train.JobDef": "see tf.train.ClusterSpec",
    "tf.train.ServerDef": "see tf.train.ClusterSpec",
    "tf.train.experimental": _SHARDS,
    "tf.types.experimental": _TYPES,
    "tf.version": _GRAPHS,
}
ABSENT |= {f"tf.{kind}fftnd": f"see tf.signal.{kind}fftnd" for kind in ("", "i", "r", "ir")}
for _kind in [
    "float4_e2m1fn",
    "float8_e4m3b11fnuz",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "int2",
    "int4",
    "uint2",
    "uint4",
]:
    ABSENT[f"tf.experimental.{_kind}"] = _NARROW


def why(name: str) -> str | None:
    """Why a name, such as "tf.tpu.XLAOptions", is not here; None for what TensorFlow has not or
    what is only not there yet."""
    parts = name.split(".")
    for count in range(len(parts), 1, -1):
        found = ABSENT.get(".".join(parts[:count]))
        if found is not None:
            return found
    return ABSENT["tf.nn.RNNCell"] if name.startswith("tf.nn.RNNCell") else None


def refusal(space: str, module: str | None = None) -> Callable[[str], NoReturn]:
    """The `__getattr__` of a namespace: "tf.nn" for tfc.nn."""
    own = module or space.replace("tf", "tfc", 1)

    def getattr_(name: str) -> NoReturn:
        reason = None if name.startswith("_") else why(f"{space}.{name}")
        said = f": {reason}" if reason else ""
        raise AttributeError(f"module {own!r} has no attribute {name!r}{said}")

    return getattr_


def namespace(space: str, **names: Any) -> SimpleNamespace:
    """A namespace that is no module, such as tf.config.experimental."""
    refuse = refusal(space)
    kind = type("Namespace", (SimpleNamespace,), {"__getattr__": lambda _, name: refuse(name)})
    found: SimpleNamespace = kind(**names)
    return found


__all__ = ["ABSENT", "namespace", "refusal", "why"]
