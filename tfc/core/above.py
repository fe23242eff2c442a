"""What lower rooms ask of higher ones: a table, which those fill when they are imported.

`import tfc` imports them all, or puts a function here that imports on the first call; so nothing
below names a room above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PolymorphicFunction: Callable[..., Any]  # tfc/function/polymorphic.py
Sizes: Callable[..., Any]  # tfc/dispatch/primitive.py
array_namespace: Callable[..., Any]  # tfc/experimental/array_api/__init__.py
batched_indices: Callable[..., Any]  # tfc/ops/array/indexing.py
cast: Callable[..., Any]  # tfc/ops/array/conversion.py
cond: Callable[..., Any]  # tfc/control_flow/__init__.py
convert: Callable[..., Any]  # tfc/autograph/__init__.py
custom_gradient: Callable[..., Any]  # tfc/autodiff/custom_gradient.py
extents_of: Callable[..., Any]  # tfc/ops/array/extents.py
foldl: Callable[..., Any]  # tfc/control_flow/__init__.py
gather: Callable[..., Any]  # tfc/ops/array/indexing.py
gather_nd: Callable[..., Any]  # tfc/ops/array/indexing.py
getitem: Callable[..., Any]  # tfc/ops/array/slicing.py
in_session: Callable[..., Any]  # tfc/autodiff/python_runs.py
measured: Callable[..., Any]  # tfc/dispatch/primitive.py
numbers_of: Callable[..., Any]  # tfc/ops/array/sizes.py
reshape: Callable[..., Any]  # tfc/ops/array/shaping.py
round: Callable[..., Any]  # tfc/ops/math/arithmetic.py
scatter_rows: Callable[..., Any]  # tfc/ops/array/scatter.py
stack: Callable[..., Any]  # tfc/ops/array/shaping.py
steps: Callable[..., Any]  # tfc/ops/array/sizes.py
tensor_scatter: Callable[..., Any]  # tfc/ops/array/scatter.py
transpose: Callable[..., Any]  # tfc/ops/array/shaping.py
why_python_decides: Callable[..., Any]  # tfc/autograph/conversion.py
zeros: Callable[..., Any]  # tfc/ops/array/creation.py
