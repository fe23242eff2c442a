"""Where tfc is, and how it was built: `tfc.sysconfig`. There is nothing to link with: kernels are
compiled when they are needed, and the runtime comes with them."""

from __future__ import annotations

import os
from typing import Any


def get_include() -> str:
    """The folder of the sources of the native runtime.

    Returns:
        A path.

    >>> import os, tfc as tf
    >>> os.path.isfile(os.path.join(tf.sysconfig.get_include(), "thread_pool.c"))
    True
    """
    return os.path.join(get_lib(), "backends", "cpu", "runtime")


def get_lib() -> str:
    """The folder of the package.

    Returns:
        A path.

    >>> import os, tfc as tf
    >>> os.path.basename(tf.sysconfig.get_lib())
    'tfc'
    """
    return os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def get_compile_flags() -> list[str]:
    """What a C compiler needs to find the headers.

    Returns:
        A list of options.

    >>> import tfc as tf
    >>> [flag[:2] for flag in tf.sysconfig.get_compile_flags()]
    ['-I']
    """
    return [f"-I{get_include()}"]


def get_link_flags() -> list[str]:
    """What a linker needs: nothing.

    Returns:
        An empty list.

    >>> import tfc as tf
    >>> tf.sysconfig.get_link_flags()
    []
    """
    return []


def get_build_info() -> dict[str, Any]:
    """How the package was built: no library of NVIDIA's, AMD's or TPUs' is in it.

    Returns:
        A dictionary, as TensorFlow has it.

    >>> import tfc as tf
    >>> tf.sysconfig.get_build_info()["is_cuda_build"]
    False
    """
    return {"is_cuda_build": False, "is_rocm_build": False, "is_tensorrt_build": False}


__all__ = [
    "get_build_info",
    "get_compile_flags",
    "get_include",
    "get_lib",
    "get_link_flags",
]
