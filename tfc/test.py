"""`tfc.test`: what tests of programs use."""

from unittest import mock

from . import test_experimental as experimental
from .core.absent import refusal as _refusal
from .debug.benchmarks import (
    Benchmark,
    benchmark_config,
    disable_with_predicate,
    with_eager_op_as_function,
)
from .debug.testing import (
    TestCase,
    compute_gradient,
    gpu_device_name,
    is_built_with_cuda,
    is_built_with_gpu_support,
    is_built_with_rocm,
    is_built_with_xla,
    is_gpu_available,
    main,
)

__getattr__ = _refusal("tf.test")
__all__ = [
    "Benchmark",
    "TestCase",
    "benchmark_config",
    "compute_gradient",
    "disable_with_predicate",
    "experimental",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_built_with_xla",
    "is_gpu_available",
    "main",
    "mock",
    "with_eager_op_as_function",
]
