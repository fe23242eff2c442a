"""`tfc.experimental`: what TensorFlow keeps under this name, and the array API standard.

What is not small is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tfc.core import dlpack
from tfc.core.absent import refusal as _refusal
from tfc.dispatch.executors import (
    async_clear_error,
    async_scope,
    enable_strict_mode,
    function_executor_type,
)
from tfc.dtypes_experimental import float8_e4m3fn, float8_e5m2
from tfc.ops.array.scatter import dynamic_update_slice

if TYPE_CHECKING:
    from tfc.data.optional import Optional
    from tfc.ops.composites.batch_encoders import ExtensionTypeBatchEncoder
    from tfc.ops.composites.dispatch import (
        dispatch_for_api,
        dispatch_for_binary_elementwise_apis,
        dispatch_for_binary_elementwise_assert_apis,
        dispatch_for_unary_elementwise_apis,
        unregister_dispatch_for,
    )
    from tfc.ops.composites.extension_types import (
        BatchableExtensionType,
        ExtensionType,
        ExtensionTypeSpec,
    )
    from tfc.ops.ragged.dynamic_shape import DynamicRaggedShape
    from tfc.ops.ragged.row_partition import RowPartition
    from tfc.ops.ragged.structured import StructuredTensor

__all__ = [
    "BatchableExtensionType",
    "DynamicRaggedShape",
    "ExtensionType",
    "ExtensionTypeBatchEncoder",
    "ExtensionTypeSpec",
    "Optional",
    "RowPartition",
    "StructuredTensor",
    "array_api",
    "async_clear_error",
    "async_scope",
    "dispatch_for_api",
    "dispatch_for_binary_elementwise_apis",
    "dispatch_for_binary_elementwise_assert_apis",
    "dispatch_for_unary_elementwise_apis",
    "dlpack",
    "dynamic_update_slice",
    "enable_strict_mode",
    "float8_e4m3fn",
    "float8_e5m2",
    "function_executor_type",
    "numpy",
    "unregister_dispatch_for",
]
_TYPES = ("ExtensionType", "ExtensionTypeSpec")

_OF_RAGGED = {
    "DynamicRaggedShape": "dynamic_shape",
    "RowPartition": "row_partition",
    "StructuredTensor": "structured",
}


_refused = _refusal("tf.experimental")


def __getattr__(name: str) -> Any:
    if name in ("array_api", "numpy"):
        return importlib.import_module(f"{__name__}.{name}")
    if name == "Optional":
        return importlib.import_module("tfc.data.optional").Optional
    if name in _OF_RAGGED:
        importlib.import_module("tfc.ops.composites.shapes").install()
        return getattr(importlib.import_module(f"tfc.ops.ragged.{_OF_RAGGED[name]}"), name)
    if name in ("BatchableExtensionType", "ExtensionTypeBatchEncoder"):
        return getattr(importlib.import_module("tfc.ops.composites.batch_encoders"), name)
    if name in __all__:
        module = "extension_types" if name in _TYPES else "dispatch"
        return getattr(importlib.import_module(f"tfc.ops.composites.{module}"), name)
    return _refused(name)
