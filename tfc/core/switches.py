"""Switches of `tfc.config` that TensorFlow's programs set: what most choose is noted, and makes no
difference here. Threads, compilation, rounding of products, logging of devices."""

from __future__ import annotations

from typing import Any

from . import blame
from .context import settings
from .formatting import shown

flags: dict[str, Any] = {
    "log_device_placement": False,
    "intra_op": 0,
    "inter_op": 0,
    "jit": "",
    "optimizer": {},
}


def switch(value: Any) -> bool:
    """`value` as a bool; TypeError for what is none."""
    if not isinstance(value, bool | int):
        raise blame.type_error(f"True or False is needed, got {shown(value)}", "config")
    return bool(value)


def set_log_device_placement(enabled: bool) -> None:
    """Whether each op's device is logged: noted. Nothing is logged.

    Args:
        enabled: What to note.

    Raises:
        TypeError: If it is no bool.

    >>> import tfc as tf
    >>> tf.debugging.set_log_device_placement(True)
    >>> tf.debugging.get_log_device_placement()
    True
    >>> tf.debugging.set_log_device_placement(False)
    """
    flags["log_device_placement"] = switch(enabled)


def get_log_device_placement() -> bool:
    """What `set_log_device_placement` was told.

    Returns:
        A bool, False by default.

    >>> import tfc as tf
    >>> tf.debugging.get_log_device_placement()
    False
    """
    return bool(flags["log_device_placement"])


def enable_op_determinism() -> None:
    """Let every op give the same bits each time: they always do.

    >>> import tfc as tf
    >>> tf.config.experimental.enable_op_determinism()
    >>> x = tf.random.stateless_normal([1000], seed=[1, 2])
    >>> bool(tf.reduce_sum(x) == tf.reduce_sum(x))
    True
    """


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Whether matrix products and convolutions of float32 on GPUs may round their operands to 10
    bits, for the tensor cores. On the CPU it makes no difference.

    Unlike TensorFlow, they may not by default.

    Args:
        enabled: Whether they may.

    Raises:
        TypeError: If it is no bool.

    >>> import tfc as tf
    >>> tf.config.experimental.enable_tensor_float_32_execution(True)
    >>> print(tf.linalg.matmul([[1.0 + 2**-20]], [[1.0]]) - 1.0 == 2**-20)
    tf.Tensor([[ True]], shape=(1, 1), dtype=bool)
    >>> tf.config.experimental.enable_tensor_float_32_execution(False)
    """
    settings.tensor_float_32 = switch(enabled)


def tensor_float_32_execution_enabled() -> bool:
    """What `enable_tensor_float_32_execution` was told.

    Returns:
        A bool, False by default.

    >>> import tfc as tf
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    False
    """
    return settings.tensor_float_32


def _count(value: Any) -> int:
    if not isinstance(value, int):
        raise blame.type_error(f"a number of threads is needed, got {shown(value)}", "config")
    if value < 0:
        raise blame.value_error(f"a number of threads is not negative, got {value}", "config")
    return value


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """How many threads an op may use. Results do not depend on it.

    Args:
        num_threads: Their number; 0 for as many as this process may run on (or what the environment
            variable TFC_NUM_THREADS says).

    Raises:
        ValueError: If it is negative.
        TypeError: If it is no integer.

    >>> import tfc as tf
    >>> tf.config.threading.set_intra_op_parallelism_threads(2)
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    2
    >>> tf.config.threading.set_intra_op_parallelism_threads(0)
    """
    from tfc.backends.cpu.runtime import runtime

    count = _count(num_threads)
    flags["intra_op"] = count
    runtime.set_threads(count)


def get_intra_op_parallelism_threads() -> int:
    """What `set_intra_op_parallelism_threads` was told.

    Returns:
        An int, 0 by default.

    >>> import tfc as tf
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    0
    """
    return int(flags["intra_op"])


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """How many ops may run at a time: noted. They run one by one.

    Args:
        num_threads: What to note, not negative.

    Raises:
        ValueError: If it is negative.
        TypeError: If it is no integer.

    >>> import tfc as tf
    >>> tf.config.threading.set_inter_op_parallelism_threads(2)
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    2
    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    """
    flags["inter_op"] = _count(num_threads)


def get_inter_op_parallelism_threads() -> int:
    """What `set_inter_op_parallelism_threads` was told.

    Returns:
        An int, 0 by default.

    >>> import tfc as tf
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    0
    """
    return int(flags["inter_op"])


def set_jit(enabled: Any) -> None:
    """Whether functions are compiled: noted. They always are.

    Args:
        enabled: What to note: a bool, or a string as `get_jit` gives it.

    Raises:
        TypeError: If it is something else.

    >>> import tfc as tf
    >>> tf.config.optimizer.set_jit(True)
    >>> tf.config.optimizer.get_jit()
    'autoclustering'
    >>> tf.config.optimizer.set_jit(False)
    """
    if not isinstance(enabled, bool | str):
        raise blame.type_error(f"True or False is needed, got {shown(enabled)}", "config")
    flags["jit"] = "autoclustering" if enabled is True else enabled or ""


def get_jit() -> str:
    """What `set_jit` was told.

    Returns:
        A string: "" or "autoclustering".

    >>> import tfc as tf
    >>> tf.config.optimizer.get_jit()
    ''
    """
    return str(flags["jit"])


def set_experimental_options(options: dict[str, Any]) -> None:
    """Options of TensorFlow's graph optimizer: noted. They mean nothing here.

    Args:
        options: What to note, added to what was noted before.

    Raises:
        TypeError: If it is no dictionary.

    >>> import tfc as tf
    >>> tf.config.optimizer.set_experimental_options({"constant_folding": True})
    >>> tf.config.optimizer.get_experimental_options()["constant_folding"]
    True
    """
    if not isinstance(options, dict):
        raise blame.type_error(f"a dictionary is needed, got {shown(options)}", "config")
    flags["optimizer"].update(options)


def get_experimental_options() -> dict[str, Any]:
    """What `set_experimental_options` was told, all together.

    Returns:
        A dictionary.

    >>> import tfc as tf
    >>> tf.config.optimizer.set_experimental_options({"remapping": False})
    >>> tf.config.optimizer.get_experimental_options()["remapping"]
    False
    """
    return dict(flags["optimizer"])
