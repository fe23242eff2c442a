"""Every public function that takes a dtype refuses what is none, and dtypes that it does not
compute, with an error that names the call and the user's line."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from tests import bad_inputs
from tests.cases import CASES
from tests.fuzz.inputs import calls

NAMES = {"dtype", "dtypes", "out_type", "output_type", "output_dtype", "Tout", "index_dtype"}
NAMES |= {"idx_dtype", "fn_output_signature", "dtype_hint"}
NO_DTYPES = ("floot", object(), 3.5, ["float32", "x"])
DTYPES = ("string", "bool", "complex64")
# What takes any object: signatures of results may be of structures, and these say so themselves.
TOLD = re.compile(r"\[Op:[\w.]+\] \(.*test_dtype_arguments\.py:\d+\)$", re.DOTALL)


def taking_dtypes() -> dict[str, str]:
    """Public functions and classes by name, and what their argument for a dtype is called."""
    found: dict[str, str] = {}
    for name, f in bad_inputs.functions():
        try:
            parameters = inspect.signature(f).parameters
        except (TypeError, ValueError):
            continue
        own = [n for n in parameters if n in NAMES]
        if own:
            found[name.removeprefix("tf.")] = own[0]
    return found


FUNCTIONS = taking_dtypes()
# Those that no case and no example calls with a tensor or two.
OTHERS: dict[str, tuple[Any, ...]] = {
    "TensorArray": ("float32", 1),
    "TensorArraySpec": ([2],),
    "IndexedSlicesSpec": ([2],),
    "TensorSpec": ([2],),
    "RaggedTensorSpec": ([2, None],),
    "SparseTensorSpec": ([2, 3],),
    "Variable": (1.0,),
    "histogram_fixed_width": ([1.0], [0.0, 2.0]),
    "histogram_fixed_width_bins": ([1.0], [0.0, 2.0]),
    "linalg.LinearOperator": ("float32",),
    "linalg.LinearOperatorIdentity": (2,),
    "linalg.LinearOperatorPermutation": ([1, 0],),
    "linalg.LinearOperatorZeros": (2,),
    "io.FixedLenFeature": ([], "float32"),
    "io.FixedLenSequenceFeature": ([], "float32"),
    "io.RaggedFeature": ("float32",),
    "io.SparseFeature": ("i", "v", "float32", 3),
    "io.VarLenFeature": ("float32",),
    "ragged.constant": ([[1], []],),
    "ragged.range": (3,),
    "sparse.eye": (2,),
}
# Which look at it when they are used: `parse_example` names itself and the feature then.
LATER = {name for name in OTHERS if name.startswith("io.")}


def call(name: str, dtype: object) -> None:
    """Call a function as a case or an example does, but for its dtype."""
    last = name.rpartition(".")[2]
    if name in OTHERS:
        args, kwargs = OTHERS[name], {}
    else:
        seeds = [i for i, c in enumerate(CASES) if c.name == last]
        seeds += [len(CASES) + i for i, n in enumerate(calls.documented()) if n == name]
        known = [c for seed in seeds for c in calls.calls(seed) if c.name == name]
        assert known, f"no case and no example calls tf.{name}: OTHERS has to say how it is called"
        own = known[0]
        args, kwargs = calls.made(own.args), calls.made(own.kwargs)
    function = calls.space_of(name)
    given = inspect.signature(function).bind_partial(*args, **kwargs)
    given.arguments[FUNCTIONS[name]] = dtype
    function(*given.args, **given.kwargs)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - LATER))
def test_what_is_no_dtype(name: str) -> None:
    for value in NO_DTYPES:
        with pytest.raises((TypeError, ValueError)) as caught:
            call(name, value)
        assert TOLD.search(str(caught.value)) or "nested structure" in str(caught.value)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - LATER))
def test_dtypes_that_are_not_computed(name: str) -> None:
    """What is said of values that do not convert comes from the conversion, with the line."""
    for value in DTYPES:
        try:
            call(name, value)
        except Exception as error:
            said = str(error)
            assert isinstance(error, bad_inputs.CLEAR) and not bad_inputs.UNCLEAR.search(said)
            converts = "to EagerTensor" in said or "conversion" in said or "mixed types" in said
            assert converts or "tensor of dtype" in said or TOLD.search(said)
