"""Which of TensorFlow's most used names are here: `python -m tools.coverage [--missing]`.

ranked_symbols.tsv has the names that public programs use, ranked by how many repositories use
them (repos) and grouped by kind: functions and classes (core), methods of objects, Keras, and
TensorFlow 1. A name is here if it can be looked up; what is not here has a reason.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

TABLE = Path(__file__).with_name("ranked_symbols.tsv")


class Symbol(NamedTuple):
    """A row of the table."""

    kind: str
    rank: int
    repos: int
    name: str


# The first prefix that fits tells why a name is not here.
REASONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Keras", ("tf.keras", "tf.initializers", "tf.optimizers", "tf.losses", "tf.metrics")),
    (
        "data pipelines and files",
        (
            "tf.data",
            "tf.io",
            "tf.lookup",
            "tf.feature_column",
            "tf.queue",
            "tf.train.Example",
            "tf.train.Feature",
            "tf.train.BytesList",
            "tf.train.Int64List",
            "tf.train.FloatList",
            "tf.train.SequenceExample",
            "tf.audio",
            "tf.make_tensor_proto",
            "tf.make_ndarray",
            "tf.examples",
        ),
    ),
    (
        "checkpoints and saved models",
        (
            "tf.saved_model.builder",
            "tf.saved_model.loader",
            "tf.saved_model.experimental",
            "tf.saved_model.LoadOptions",
            "tf.saved_model.signature_def_utils",
            "tf.saved_model.simple_save",
            "tf.saved_model.tag_constants",
            "tf.saved_model.utils",
            "tf.train.Checkpoint",
            "tf.train.latest_checkpoint",
            "tf.train.list_variables",
            "tf.train.load",
            "tf.train.checkpoint",
            "tf.lite",
        ),
    ),
    ("summaries and profiles", ("tf.summary", "tf.profiler")),
    (
        "sparse and ragged tensors",
        ("tf.sparse", "tf.SparseTensor", "tf.ragged", "tf.Ragged", "tf.sets"),
    ),
    (
        "more than one device",
        ("tf.distribute", "tf.tpu", "tf.config.experimental_connect", "tf.experimental.dtensor"),
    ),
    (
        "graphs and sessions of TensorFlow 1",
        (
            "tf.compat.v1",
            "tf.Session",
            "tf.placeholder",
            "tf.Graph",
            "tf.get_variable",
            "tf.variable_scope",
            "tf.variable_creator_scope",
            "tf.global_variables_initializer",
            "tf.get_default_session",
            "tf.gradients",
            "tf.train.GradientDescentOptimizer",
            "tf.train.AdamOptimizer",
            "tf.Print",
            "tf.contrib",
            "tf.estimator",
            "tf.string_",
        ),
    ),
    ("TensorFlow's own inside", ("tf.python", "tf.__internal__", "tf.raw_ops", "tf.load_op")),
    ("control flow", ("tf.autograph",)),
    ("quantised numbers", ("tf.qint", "tf.quint")),
    ("extension types", ("tf.experimental", "tf.types", "tf.type_spec")),
    ("linear operators", ("tf.linalg.LinearOperator",)),
)

# Methods of what is not here.
_OWNERS = {
    "data pipelines and files": "shuffle map repeat batch prefetch cache take skip filter reduce "
    "interleave flat_map window padded_batch enumerate shard unbatch as_numpy_iterator "
    "element_spec ragged_batch rejection_resample",
    "Keras": "apply_gradients evaluate build compile add_weight fit predict save_weights "
    "load_weights summary update_state result reset_states reset_state get_config call add_loss "
    "minimize trainable_weights weights compute_output_shape",
    "checkpoints and saved models": "save restore assert_existing_objects_matched as_graph_def "
    "graph get_operations as_default flush",
    "sparse and ragged tensors": "values indices to_tensor dense_shape row_splits row_lengths "
    "nested_row_splits bounding_shape flat_values to_list",
}
METHODS = {word: text for text, words in _OWNERS.items() for word in words.split()}


def symbols() -> list[Symbol]:
    """The rows of the table."""
    rows = (line.split("\t") for line in TABLE.read_text().splitlines()[1:])
    return [Symbol(kind, int(rank), int(repos), name) for kind, rank, repos, name in rows]


def _classes() -> list[type]:
    """What has methods that programs call."""
    import tfc as tf
    from tfc.function.polymorphic import ConcreteFunction, PolymorphicFunction

    named = ("Tensor", "Variable", "TensorShape", "TensorSpec", "DType", "GradientTape", "Module")
    named += ("IndexedSlices", "TensorArray", "SparseTensor", "RaggedTensor")
    found = [getattr(tf, name) for name in named if hasattr(tf, name)]
    found += [tf.data.Dataset, tf.data.Iterator, tf.Graph, tf.compat.v1.Session]
    found += [tf.train.Checkpoint, tf.train.CheckpointManager, tf.summary.SummaryWriter]
    found += [tf.compat.v1.train.Optimizer, tf.compat.v1.train.Saver]
    if importlib.util.find_spec("keras") is not None:
        found += [tf.keras.Model, tf.keras.Sequential, tf.keras.Optimizer, tf.keras.metrics.Metric]
    return [*found, ConcreteFunction, PolymorphicFunction, tf.random.Generator]


def is_here(symbol: Symbol) -> bool:
    """Whether a name can be looked up, and is no function that only raises."""
    import tfc as tf

    path = symbol.name.split(".")[1:]
    if symbol.kind == "method":
        return any(hasattr(cls, path[0]) for cls in _classes())
    return _is_found(path, tf)


def _is_found(path: list[str], place: Any) -> bool:
    try:
        found = functools.reduce(getattr, path, place)
    except (AttributeError, ImportError):
        return False
    return not getattr(found, "missing", False)


def reason(symbol: Symbol) -> str:
    """Why a name is not here."""
    if symbol.kind == "keras":
        return "Keras"
    if symbol.kind == "method":
        return METHODS.get(symbol.name[1:], "not yet")
    import tfc as tf

    if _is_found(symbol.name.split(".")[1:], tf.compat.v1):
        return "TensorFlow 1's, in tfc.compat.v1 alone"
    for text, prefixes in REASONS:
        if symbol.name.startswith(prefixes):
            return text
    return "not yet"


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missing", action="store_true", help="name all that is not here")
    options = parser.parse_args()
    here: Counter[str] = Counter()
    total: Counter[str] = Counter()
    used: Counter[str] = Counter()
    covered: Counter[str] = Counter()
    gaps: dict[str, list[Symbol]] = {}
    for s in symbols():
        total[s.kind] += 1
        used[s.kind] += s.repos
        if is_here(s):
            here[s.kind] += 1
            covered[s.kind] += s.repos
        else:
            gaps.setdefault(reason(s), []).append(s)
    print(f"{'kind':<8} {'here':>5} {'of':>5} {'share':>6}  share by repositories that use them")
    for kind in total:
        print(
            f"{kind:<8} {here[kind]:>5} {total[kind]:>5} {here[kind] / total[kind]:>6.0%}"
            f"  {covered[kind] / used[kind]:>6.0%}"
        )
    print("\nNot here, by reason (the most used ones first):")
    for text, missing in sorted(gaps.items(), key=lambda item: -sum(s.repos for s in item[1])):
        names = [s.name for s in sorted(missing, key=lambda s: -s.repos)]
        shown = names if options.missing or text == "not yet" else names[:4]
        more = f", and {len(names) - len(shown)} more" if len(shown) < len(names) else ""
        print(f"  {text} ({len(names)}): {', '.join(shown)}{more}")


if __name__ == "__main__":
    main()
