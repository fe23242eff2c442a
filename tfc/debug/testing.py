"""`tfc.test`: what tests of programs use."""

from __future__ import annotations

import unittest
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..autodiff.tape import GradientTape
from ..core import placement
from ..core.conversion import convert_to_tensor
from ..core.tensor import wrap
from .assertions import TestCase

main = unittest.main


def is_gpu_available(
    cuda_only: bool = False, min_cuda_compute_capability: Sequence[int] | None = None
) -> bool:
    """Whether code can run on a GPU.

    Args:
        cuda_only: Not used: all are CUDA's.
        min_cuda_compute_capability: The compute capability that it has at least, such as (8, 0);
            None: any.

    Returns:
        A bool.

    Raises:
        TypeError: If the capability is no pair.

    >>> import tfc as tf
    >>> tf.test.is_gpu_available() == bool(tf.config.list_logical_devices("GPU"))
    True
    """
    gpus = placement.visible_gpus()
    if min_cuda_compute_capability is None:
        return bool(gpus)
    if not isinstance(min_cuda_compute_capability, Sequence):
        raise TypeError(
            "min_cuda_compute_capability must be a pair such as (8, 0), got "
            f"{min_cuda_compute_capability!r}"
        )
    least = tuple(min_cuda_compute_capability)
    return any(d.driver.capability >= least for d in gpus)


def gpu_device_name() -> str:
    """The name of a GPU.

    Returns:
        "/device:GPU:0", or "" where there is none.

    >>> import tfc as tf
    >>> tf.test.gpu_device_name() in ("", "/device:GPU:0")
    True
    """
    return "/device:GPU:0" if placement.visible_gpus() else ""


def is_built_with_cuda() -> bool:
    """Whether there is code for CUDA. (Whether it can run, `is_gpu_available` says.) Also
    `is_built_with_gpu_support`.

    Returns:
        True.

    >>> import tfc as tf
    >>> tf.test.is_built_with_cuda()
    True
    """
    return True


def is_built_with_rocm() -> bool:
    """Whether there is code for AMD's GPUs. So there is none for XLA (`is_built_with_xla`).

    Returns:
        False.

    >>> import tfc as tf
    >>> tf.test.is_built_with_rocm()
    False
    """
    return False


is_built_with_gpu_support = is_built_with_cuda
is_built_with_xla = is_built_with_rocm


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The Jacobians of `f` by each of its arguments, by differentiation and by central differences.

    Args:
        f: A function of tensors that gives a tensor.
        x: The list of its arguments: floats or complex numbers.
        delta: How far the differences go to both sides; None: 2^-10.

    Returns:
        Two lists of matrices, one for each argument: by differentiation, and by differences. Rows
        are the elements of the value, columns those of the argument, in row-major order; a complex
        number counts as two, its real part first.

    Raises:
        ValueError: If `x` is no list, an argument of integers, or `delta` not positive.

    >>> import tfc as tf
    >>> theoretical, numeric = tf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0, 3.0])])
    >>> print(theoretical[0].tolist(), abs(theoretical[0] - numeric[0]).max() < 1e-3)
    [[2.0, 0.0], [0.0, 6.0]] True
    """
    if not isinstance(x, list | tuple):
        raise ValueError("`x` must be a list or tuple of values convertible to a Tensor")
    step = 1.0 / 1024 if delta is None else delta
    if not step > 0:
        raise ValueError(f"`delta` must be positive, got {delta!r}")
    # Tensors of their own: one may be there twice.
    inputs = [wrap(np.array(convert_to_tensor(v))) for v in x]
    for i, v in enumerate(inputs):
        if not v.dtype.is_inexact:
            raise ValueError(f"argument {i} is {v.dtype.name}: only floats have gradients")
    places = range(len(inputs))
    theoretical = [_differentiated(f, inputs, i) for i in places]
    return theoretical, [_differences(f, inputs, i, step) for i in places]


def real_parts(array: np.ndarray) -> np.ndarray:
    """The elements one after the other, complex ones as their two parts: a view."""
    flat = array.reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _differentiated(f: Callable[..., Any], inputs: Sequence[Any], i: int) -> np.ndarray:
    """The Jacobian by argument i: a row for each real number in the result."""
    with GradientTape(persistent=True) as tape:
        tape.watch(inputs[i])
        y = convert_to_tensor(f(*inputs))
    x = np.asarray(inputs[i])
    weights = np.zeros(np.shape(y), y.dtype.numpy)
    flat = real_parts(weights)
    jacobian = np.zeros((flat.size, real_parts(x).size), real_parts(x).dtype)
    for row in range(flat.size):
        flat[row] = 1
        gradient = tape.gradient(y, inputs[i], output_gradients=wrap(weights.copy()))
        if gradient is not None:
            jacobian[row] = real_parts(np.array(gradient))
        flat[row] = 0
    return jacobian


def _differences(f: Callable[..., Any], inputs: Sequence[Any], i: int, step: float) -> np.ndarray:
    """The same by central differences."""
    columns = []
    for place in range(real_parts(np.asarray(inputs[i])).size):
        ends = []
        for sign in (1, -1):
            moved = np.array(inputs[i])
            real_parts(moved)[place] += sign * step
            given = [*inputs[:i], wrap(moved), *inputs[i + 1 :]]
            ends.append(real_parts(np.array(convert_to_tensor(f(*given)))))
        columns.append((ends[0] - ends[1]) / (2 * step))
    dtype = real_parts(np.asarray(inputs[i])).dtype
    if not columns:
        return np.zeros((real_parts(np.array(convert_to_tensor(f(*inputs)))).size, 0), dtype)
    return np.stack(columns, 1).astype(dtype)


__all__ = [
    "TestCase",
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_built_with_xla",
    "is_gpu_available",
    "main",
]
