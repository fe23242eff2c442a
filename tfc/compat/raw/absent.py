"""Why ops of TensorFlow's are not in the table: by what their names begin with or contain."""

from __future__ import annotations

import re

# The first that fits tells.
_REASONS = (
    (
        r"Dataset|Iterator|DataService|Options?Handle|Optional(From|Has|Get|None)|CompressElement"
        r"|UncompressElement|IteratorToString|WindowOp|ModelDataset|GlobalIterId",
        "datasets are Python objects: see tf.data",
    ),
    (
        r"TPU|Tpu|SparseCore|Minibatch|Infeed|Outfeed|Prelinearize|XlaHost|Embedding|InFdo",
        "there are no TPUs",
    ),
    (r"^Xla|^_?Dtensor|^SyncDevice", "XLA is not there: functions are compiled by tfc itself"),
    (
        r"^Quantize|^Quantized|^Dequantize|^Requant|^Uniform(Quant|Deq|Req)|RequantizationRange",
        "quantised dtypes are not there: see tf.quantization.fake_quant_with_min_max_vars",
    ),
    (
        r"Apply(Ad|Ce|Ft|Gr|Mo|Po|Pr|RMS)|SparseApply|ResourceApply",
        "optimizers are Keras': see tf.keras.optimizers",
    ),
    (
        r"^Resource|^Var|^Read(Var|Once)|^Assign|^Destroy|IsVar|^Ref|TemporaryVariable|CountUpTo"
        r"|^Variable|^Scatter(Add|Div|Max|Min|Mul|Sub|Update|Nd(Add|Max|Min|Sub|Update))$"
        r"|StridedSliceAssign|TensorStridedSliceUpdate|DisableCopyOnRead|^Stateful|^Rng",
        "what changes in place is a Variable or a generator, a Python object with methods",
    ),
    (
        r"Queue|Stage|Barrier|Stack|^OrderedMap|^Map(Clear|Incomplete|Peek|Size)|Mutex|Accumulator"
        r"|^Unbatch|^Batch$|^BatchFunction|RecordInput|SparseTensorsMap|^GetSession|DeleteSession",
        "state between calls is in Python objects: tf.queue, tf.Variable",
    ),
    (r"Table|^Lookup|InitializeTable", "tables are Python objects: see tf.lookup"),
    (
        r"TensorArray|^TensorList|EmptyTensorList|^TensorMap|Variant|^Optional",
        "there is no dtype of variants: tf.TensorArray and lists of tensors are Python objects",
    ),
    (r"Summary|^Stats|^Histogram(Sum|Accum)", "see tf.summary"),
    (r"Reader", "see tf.data.TFRecordDataset and its like"),
    (
        r"^(Collective|Nccl|AllToAll|Send|Recv|_?Host(Send|Recv)|Configure|DistributedSave|Rpc)"
        r"|ReduceV\d$|Ranked|InitializeCommunicator",
        "processes exchange tensors by tf.distribute",
    ),
    (
        r"^(If|While|Case|Stateless(If|While|Case)|For|Switch|Merge|Enter|Exit|NextIteration"
        r"|LoopCond|Abort|Control|PartitionedCall|StatefulPartitioned|RemoteCall|MapDefun|Symbolic"
        r"|Py|EagerPy|FakeParam|DeviceIndex|Placeholder|_?Arg|_?Retval|Function|ParallelMap)",
        "control flow, calls and placeholders are Python's: see tf.cond, tf.function",
    ),
    (
        r"^(Save|Restore|MergeV2|ShardedFilename|DebugIdentity|DebugGradient|DebugNan|DebugNumeric"
        r"|Copy|Print)",
        "see tf.train.Checkpoint, tf.print and tf.debugging",
    ),
    (r"SparseMatrix|CSR", "there are no matrices of compressed rows: see tf.sparse"),
    (r"^Boosted|TensorForest|^Sdca|^KMC2|^Kmeans|^NearestNeigh", "models of their own kind"),
    (r"^Cudnn|^LSTM|^GRU", "recurrent layers are Keras'"),
    (
        r"^(Parse|Ragged|SparseCross|StringSplit$|SparseCount|DenseCount|SparseBincount"
        r"|UnicodeDecode|DeserializeSparse|SerializeSparse|SerializeMany|DeserializeMany)",
        "the public functions of tf.io, tf.ragged and tf.sparse give whole tensors of their kinds",
    ),
    (
        r"Sampler$|^Random|^Stateless|^Parameterized|Bounding|^NonDeterministicInts|^TopKUnique"
        r"|^TopKWithUnique|^MakeUnique",
        "by seeds of its own it is in no public function: see tf.random",
    ),
    (r"Grad|Backprop", "derivatives are taken by tf.GradientTape"),
)
_COMPILED = tuple((re.compile(pattern), reason) for pattern, reason in _REASONS)
OTHER = "no function does the same"


def reason(name: str) -> str:
    """Why there is no op of this name."""
    return next((why for pattern, why in _COMPILED if pattern.search(name)), OTHER)


__all__ = ["OTHER", "reason"]
