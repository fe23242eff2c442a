"""How each library is used as a contender: its module, its arrays, and how it compiles.

Only the process of the contender imports the library (`worker`).
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .exported import Exported
from .workloads import Function, Jit, Workload


@dataclass(frozen=True)
class Mode:
    """A way to use a library. `method` is what workloads call it, `package` what is imported."""

    name: str
    package: str
    methods: tuple[str, ...]


MODES = (
    Mode("tfc", "tfc", ("tfc", "tensorflow")),
    Mode("numpy", "numpy", ("numpy",)),
    Mode("torch", "torch", ("torch",)),
    Mode("torch compiled", "torch", ("torch",)),
    Mode("jax jit", "jax", ("jax",)),
    Mode("tf function", "tensorflow", ("tensorflow",)),
    Mode("tf xla", "tensorflow", ("tensorflow",)),
    Mode("numba", "numba", ("numba",)),
    Mode("onnx runtime", "onnxruntime", ("onnx",)),
)
BY_NAME = {mode.name: mode for mode in MODES}


def method(mode: Mode, workload: type[Workload]) -> str:
    """The name of the workload's method for this mode, or an empty string."""
    if mode.name in workload.without:
        return ""
    return next((m for m in mode.methods if getattr(workload, m, None)), "")


class Library:
    """A mode whose library is imported."""

    def __init__(self, mode: Mode, threads: int) -> None:
        self.mode, self.threads = mode, threads
        self.module = importlib.import_module(mode.package)
        if mode.package == "torch":
            self.module.set_num_threads(threads)
        if mode.package == "tensorflow":
            self.module.config.threading.set_intra_op_parallelism_threads(threads)
            self.module.config.threading.set_inter_op_parallelism_threads(threads)

    @property
    def version(self) -> str:
        return str(getattr(self.module, "__version__", ""))

    def build(self, workload: Workload) -> Function:
        """The workload's function in this mode."""
        build = getattr(workload, method(self.mode, type(workload)))
        written = "torch" if self.mode.package == "onnxruntime" else self.mode.package
        function: Function = build(importlib.import_module(written), self.jit)
        return function

    @property
    def jit(self) -> Jit:
        name, module = self.mode.name, self.module
        if name in ("tfc", "tf function"):
            return module.function  # type: ignore[no-any-return]
        if name == "tf xla":
            return functools.partial(module.function, jit_compile=True)
        if name == "torch compiled":
            return module.compile  # type: ignore[no-any-return]
        if name == "jax jit":
            return module.jit  # type: ignore[no-any-return]
        if name == "numba":
            return module.njit  # type: ignore[no-any-return]
        if name == "onnx runtime":
            return lambda f, **_: Exported(f, self.threads)
        return lambda f, **_: f

    def arrays(self, data: Sequence[np.ndarray]) -> list[Any]:
        """NumPy's arrays as the library's."""
        names = {
            "tfc": "constant",
            "tensorflow": "constant",
            "torch": "tensor",
            "jax": "device_put",
        }
        name = names.get(self.mode.package)
        convert: Callable[[np.ndarray], Any] = getattr(self.module, name) if name else np.copy
        return [convert(x) for x in data]

    def wait(self, result: Any) -> None:
        """Until the result is there: on the CPU, only JAX returns before."""
        if self.mode.package == "jax":
            self.module.block_until_ready(result)

    def forget(self) -> None:
        """What was compiled, so that it does not fill the memory."""
        if self.mode.name == "torch compiled":
            self.module._dynamo.reset()
        if self.mode.package == "jax":
            self.module.clear_caches()


def numpy_parts(result: Any) -> tuple[np.ndarray, ...]:
    """The arrays of a result, which may be nested."""
    if isinstance(result, tuple | list):
        return tuple(part for item in result for part in numpy_parts(item))
    if hasattr(result, "detach"):
        result = result.detach()
    if hasattr(result, "numpy"):  # ONNX Runtime's values are no arrays
        result = result.numpy()
    return (np.array(result),)


def cpu_only() -> None:
    """What keeps the libraries on the CPU, and quiet; before they are imported."""
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # no processes beside this one
