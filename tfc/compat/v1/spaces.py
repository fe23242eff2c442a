"""`tfc.compat.v1`: namespaces that have more names than in TensorFlow 2, or other ones."""

from __future__ import annotations

import importlib
import operator
from types import ModuleType
from typing import Any

import tfc

# By its name in TensorFlow 1: what stands for a namespace, and its names that are others there.
_SPACES: dict[str, tuple[str, dict[str, str]]] = {
    "debugging": (
        "debugging",
        {
            "is_finite": "math.is_finite",
            "is_inf": "math.is_inf",
            "is_nan": "math.is_nan",
            "is_non_decreasing": "math.is_non_decreasing",
            "is_strictly_increasing": "math.is_strictly_increasing",
        },
    ),
    "dtypes": ("dtypes", {"as_string": "strings.as_string"}),
    "linalg": ("linalg", {"transpose": "linalg.matrix_transpose"}),
    "manip": (
        "",
        {
            "batch_to_space_nd": "batch_to_space",
            "gather_nd": "gather_nd",
            "reshape": "reshape",
            "reverse": "reverse",
            "roll": "roll",
            "scatter_nd": "scatter_nd",
            "space_to_batch_nd": "space_to_batch",
            "tile": "tile",
        },
    ),
    "random": ("random", {"set_random_seed": "random.set_seed"}),
    "sets": (
        "sets",
        {
            "set_difference": "sets.difference",
            "set_intersection": "sets.intersection",
            "set_size": "sets.size",
            "set_union": "sets.union",
        },
    ),
    "spectral": ("signal", {}),
    "sparse": ("sparse", {"matmul": "sparse.sparse_dense_matmul"}),
}
_REDUCTIONS = ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")
_OF_V1 = {  # by functions of TensorFlow 1, whose names they have
    "linalg": {"norm": "norm"},
    "math": {
        **{f"reduce_{kind}": f"reduce_{kind}" for kind in _REDUCTIONS},
        **{name: name for name in ("argmax", "argmin", "confusion_matrix", "count_nonzero")},
        **{name: f"nn.{name}" for name in ("in_top_k", "log_softmax", "softmax")},
    },
    "random": {"get_seed": "get_seed", "multinomial": "multinomial", "poisson": "random_poisson"},
    "sparse": {
        "add": "sparse_add",
        "concat": "sparse_concat",
        "placeholder": "sparse_placeholder",
        "reduce_max": "sparse_reduce_max",
        "reduce_sum": "sparse_reduce_sum",
        "segment_mean": "sparse_segment_mean",
        "segment_sqrt_n": "sparse_segment_sqrt_n",
        "segment_sum": "sparse_segment_sum",
        "split": "sparse_split",
    },
    "test": {
        name: f"gradient_checker.{name}" for name in ("compute_gradient", "compute_gradient_error")
    },
    "strings": {
        "length": "string_length",
        "reduce_join": "reduce_join",
        "split": "array_ops.strings_split",
        "substr": "substr",
        "to_hash_bucket": "string_to_hash_bucket",
        "to_number": "string_to_number",
    },
}


class Space(ModuleType):
    """A namespace: what it has of its own, and else what TensorFlow 2's has."""

    def __init__(self, name: str) -> None:
        super().__init__(f"tfc.compat.v1.{name}")
        self._space = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        where, others = _SPACES.get(self._space, (self._space, {}))
        own = _OF_V1.get(self._space, {}).get(name)
        if own is not None:
            found = operator.attrgetter(own)(_v1())
        elif name in others:
            found = _found(others[name])
        elif not where:
            text = f"module 'tfc.compat.v1.{self._space}' has no attribute {name!r}"
            raise AttributeError(text)
        else:
            found = getattr(_found(where), name)
        setattr(self, name, found)
        return found


def _v1() -> Any:
    return importlib.import_module("tfc.compat.v1")


def _found(path: str) -> Any:
    found: Any = tfc
    for part in path.split("."):
        found = getattr(found, part)
    return found


SPACES = {name: Space(name) for name in (*_SPACES, *(n for n in _OF_V1 if n not in _SPACES))}
