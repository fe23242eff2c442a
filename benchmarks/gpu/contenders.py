"""What the rows of GPUs share: contenders on the same device, and how they are waited for."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import numpy as np

import tfc as tf
from tfc.core import placement

from .. import peers
from ..harness import Contender, statement

Function = Callable[..., Any]
TINY = "--tiny" in sys.argv
GIGA = 1e-9
rng = np.random.default_rng(0)


def scaled(large: int, tiny: int = 8) -> int:
    return tiny if TINY else large


def normal(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape, dtype=np.float32)


def device() -> Any:
    """The GPU as tfc knows it."""
    return placement.gpu(0)


def wait() -> None:
    device().driver.synchronize()


def torch() -> Any:
    """PyTorch, where it sees the GPU."""
    module = peers.torch()
    return module if module is not None and module.cuda.is_available() else None


def jax() -> Any:
    """JAX, where it sees the GPU."""
    module = peers.jax()
    if module is None:
        return None
    with contextlib.suppress(RuntimeError):
        return module if module.devices("gpu") else None
    return None


def allow_tensor_float_32(allowed: bool) -> None:
    """For all contenders of the rows that follow."""
    tf.config.experimental.enable_tensor_float_32_execution(allowed)
    if (module := torch()) is not None:
        module.backends.cuda.matmul.allow_tf32 = allowed
        module.backends.cudnn.allow_tf32 = allowed
    if (module := jax()) is not None:
        module.config.update(
            "jax_default_matmul_precision", "tensorfloat32" if allowed else "highest"
        )


def contenders(
    data: Sequence[np.ndarray],
    ours: Function,
    theirs: Callable[[Any], Function] | None = None,
    jaxs: Callable[[Any], Function] | None = None,
    dtype: str = "",
    copied: int = 0,
) -> list[Contender]:
    """The same work by every library; `copied` bytes are the limit of what memory gives."""
    tensors = [tf.constant(x).gpu() for x in data]
    if dtype:
        tensors = [tf.cast(x, dtype) for x in tensors]
    call = tf.function(ours)

    def array(result: Any) -> np.ndarray:
        return np.asarray(tf.cast(result, tf.float32))

    found = [
        statement(
            "tfc",
            "f(*x)",
            wait="sync()",
            value=lambda: array(call(*tensors)),
            f=call,
            x=tensors,
            sync=wait,
        )
    ]
    if theirs is not None and (module := torch()) is not None:
        kind = getattr(module, dtype or "float32")
        given = [
            module.tensor(x, device="cuda", dtype=kind if x.dtype == np.float32 else None)
            for x in data
        ]
        plain = theirs(module)
        for name, f in (("torch", plain), ("torch.compile", module.compile(plain))):
            found.append(
                statement(
                    name,
                    "f(*x)",
                    wait="sync()",
                    f=f,
                    x=given,
                    sync=module.cuda.synchronize,
                    value=lambda f=f: f(*given).float().cpu().numpy(),
                )
            )
    if jaxs is not None and (module := jax()) is not None:
        given = [
            module.device_put(x.astype(dtype or x.dtype) if x.dtype == np.float32 else x)
            for x in data
        ]
        f = module.jit(jaxs(module))
        found.append(
            statement(
                "jax jit",
                "f(*x)",
                wait="result.block_until_ready()",
                f=f,
                x=given,
                value=lambda: np.asarray(f(*given).astype("float32")),
            )
        )
    if copied:
        found.append(copy_limit(copied))
    return found


def copy_limit(size: int) -> Contender:
    """A copy on the device that moves so many bytes, reads and writes together."""
    source, target = (tf.zeros([size // 8]).gpu() for _ in range(2))
    driver = device().driver

    def once() -> None:
        driver.copy(target._array.address, source._array.address, size // 2)

    return statement(
        "copy", "once()", wait="sync()", compare=False, limit=True, once=once, sync=wait
    )
