"""What programs make before they run a session of TensorFlow 1."""

from __future__ import annotations

from typing import Any


class ConfigProto:
    """Options, kept as they are set; those that are not set hold more.

    >>> import tfc.compat.v1 as tf
    >>> config = tf.ConfigProto(allow_soft_placement=True)
    >>> config.gpu_options.allow_growth = True
    >>> config.allow_soft_placement, config.gpu_options.allow_growth
    (True, True)
    """

    def __init__(self, **options: Any) -> None:
        vars(self).update(options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = vars(self)[name] = ConfigProto()
        return made


class RunOptions(ConfigProto):
    """Options of one run, which are kept.

    >>> import tfc.compat.v1 as tf
    >>> tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE).trace_level
    3
    """

    NO_TRACE, SOFTWARE_TRACE, HARDWARE_TRACE, FULL_TRACE = range(4)


GPUOptions = GraphOptions = OptimizerOptions = ConfigProto
__all__ = ["ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "RunOptions"]
