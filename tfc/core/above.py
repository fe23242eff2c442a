"""What lower rooms ask of higher ones: a table, which those fill when they are imported.

`import tfc` imports them all, or puts a function here that imports on the first call; so nothing
below names a room above. A line says who fills it, and who asks.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from tfc.ir.dtypes import DType

Function = Callable[..., Any]  # of the user's

# compat/graphs, on the first call, for core/tensor.py and function/concrete.py: the graphs of a
# function that is being traced, and of one that was.
graph_of_trace: Callable[[Any], Any]
graph_of_concrete: Callable[[Any], Any]
# core/placement.py for core/context.py: find the GPU where code runs that says nothing.
find_default_gpu: Callable[[], None]
# ops/array/conversion.py for core/conversion.py: a tensor in another dtype.
cast: Callable[[Any, DType], Any]
# ops/array/joining.py for core/conversion.py: tensors of one shape along a new first axis.
stack: Callable[[list[Any]], Any]
# ops/array/joining.py for core/tensor.py: the slices of a tensor along its first axis.
unstack: Callable[[Any], list[Any]]
# ops/array/unknown_axes.py, on the first call, for ops/array/shaping.py, ops/math/reductions.py and
# cumulative.py: ops along axes that functions compute.
transposed_by: Callable[[Any, Any], Any]
reduced_along: Callable[[Function, Any, Any, bool, str], Any]
applied_along: Callable[..., Any]  # (function, tensors, axis, name, whether it keeps their shape)
inserted_at: Callable[[Any, Any, str], Any]
moved_last: Callable[[Any, Any, str], Any]
# ops/array/indexed_slices.py, on the first call, for core/indexed_slices.py: the tensor that slices
# stand for, and the numbers in a vector as far as they are known.
dense: Callable[[Any], Any]
known_numbers: Callable[[Any], list[int | None]]
# core/indexed_slices_specs.py, for core/indexed_slices.py: IndexedSlicesSpec, of its arguments.
slices_spec: Callable[..., Any]
# tfc/__init__.py, on the first call, for debug/assertions.py: the sessions of TensorFlow 1.
graphs: Callable[[], ModuleType]
# compat/graph_def/loading.py, on the first call, for saved_model/loading.py: the Module that is in
# a folder which TensorFlow wrote, with options.
load_tensorflow_model: Callable[[Any, Any], Any]
# tfc/__init__.py, on the first call, for core/array_methods.py: experimental.array_api.
array_namespace: Callable[[], ModuleType]
# control_flow/branches.py, on the first call, for ops/array/checks.py: (condition, if it holds,
# if not).
cond: Callable[[Any, Callable[[], Any], Callable[[], Any]], Any]
# control_flow/scans.py, on the first call, for ops/nn/ctc.py: tfc.foldl.
foldl: Function
# autodiff/custom_gradient.py, on the first call, for ops/nn/quantization.py and
# ops/array/joining.py: the decorator.
custom_gradient: Callable[[Function], Function]
# autodiff/python_calls.py, on the first call, for ops/parsing/tensors.py: tfc.numpy_function.
numpy_function: Function
# dispatch/known.py for core/tensor.py: the elements of a tensor that depend on no argument.
known_elements: Callable[[Any], Any]
# function/polymorphic.py, on the first call, for control_flow/scans.py: the decorator.
function: Callable[[Function], Function]
# autograph/conversion.py, on the first call, for dispatch/tracing.py and function/polymorphic.py:
# a function with its control flow converted.
convert: Callable[[Function], Function]
# autograph/conversion.py, on the first call, for core/tensor.py: why control flow is Python's own.
why_python_decides: Callable[[], str]
# tfc/__init__.py, for ops/ragged/tensor.py and ops/sparse/tensor.py: from now on functions may be
# given ragged or sparse tensors.
ragged_tensors_are_met: Callable[[], None]
sparse_tensors_are_met: Callable[[], None]
# explore/__init__.py, for function/inspection.py: the page of a concrete function.
explore: Callable[..., str]
# explore/__init__.py, for core/tensor.py and core/variable.py: what notebooks show of a tensor (its
# array, and what it is).
tensor_html: Callable[[Any, str], str]
# explore/__init__.py, for function/, ops/ragged, ops/sparse and data/dataset.py:
# what notebooks show of a thing of this kind (see explore/notebook.py).
html: Callable[[str, Any], str]
