"""`tfc.test`: what tests of programs use."""

from unittest import mock

from . import test_experimental as experimental
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

__all__ = [
    "TestCase",
    "compute_gradient",
    "experimental",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_built_with_xla",
    "is_gpu_available",
    "main",
    "mock",
]
