"""`Options`: what may be said of how elements are made, and what it means here."""

from __future__ import annotations

import enum
from typing import Any

from ..core.formatting import shown


class _Option:
    """An attribute of options: what it takes, and what it is where nobody has said anything."""

    def __init__(self, kinds: type | tuple[type, ...], default: Any, text: str) -> None:
        self.kinds, self.default = kinds, default
        self.__doc__ = text

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = instance._values.get(self._name)
        if value is None and isinstance(self.default, type):
            value = instance._values[self._name] = self.default()  # options inside of options
        return self.default if value is None else value

    def __set__(self, instance: Any, value: Any) -> None:
        if value is not None and not isinstance(value, self.kinds):
            raise TypeError(
                f'Property "{self._name}" must be of type {self.kinds}, got: {shown(value)} '
                f"(type: {type(value)})"
            )
        instance._values[self._name] = value


class _Options:
    """The base of options: attributes that are declared, and no others."""

    __slots__ = ("_values",)

    _values: dict[str, Any]

    def __init__(self) -> None:
        object.__setattr__(self, "_values", {})

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(getattr(type(self), name, None), _Option | property):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)

    def merge(self, options: Any) -> Any:
        """These options, and others where those say something.

        Args:
            options: Options of the same class.

        Returns:
            New options.
        """
        if not isinstance(options, type(self)):
            raise TypeError(
                f"Could not merge incompatible options of type {type(options)} and {type(self)}."
            )
        found = type(self)()
        for given in (self, options):
            for name, value in given._values.items():
                mine = found._values.get(name)
                if isinstance(value, _Options) and isinstance(mine, _Options):
                    value = mine.merge(value)
                if value is not None:
                    found._values[name] = value
        return found

    def _said(self) -> dict[str, Any]:
        """What was said."""
        return {
            name: value._said() if isinstance(value, _Options) else value
            for name, value in self._values.items()
            if value is not None and (not isinstance(value, _Options) or value._said())
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._said() == other._said()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self._said().items())
        return f"{type(self).__name__}({said})"


class AutoShardPolicy(enum.IntEnum):
    """How a dataset is split among processes. Each takes its rows of batches that are the same in
    all, so that numbers do not depend on how many there are; OFF: of batches of its own.

    >>> import tfc as tf
    >>> tf.data.experimental.AutoShardPolicy.DATA.name
    'DATA'
    """

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class ExternalStatePolicy(enum.Enum):
    """What to do where a function of a pipeline has a state: taken, without a meaning here.

    >>> import tfc as tf
    >>> tf.data.experimental.ExternalStatePolicy.WARN.name
    'WARN'
    """

    WARN = 0
    IGNORE = 1
    FAIL = 2


class AutotuneAlgorithm(enum.Enum):
    """How TensorFlow finds numbers of threads: taken, without a meaning here.

    >>> import tfc as tf
    >>> tf.data.experimental.AutotuneAlgorithm.HILL_CLIMB.name
    'HILL_CLIMB'
    """

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


class AutotuneOptions(_Options):
    """What is found out by itself: whether elements are to be made ahead. The others are taken,
    without a meaning here: plans have no numbers to find.

    >>> import tfc as tf
    >>> options = tf.data.Options()
    >>> options.autotune.enabled = True
    >>> options
    Options(autotune={'enabled': True})
    """

    enabled = _Option(
        bool, None, "False: nothing is made ahead that neither `prefetch` nor a number asks for."
    )
    cpu_budget = _Option(int, None, "Not used.")
    ram_budget = _Option(int, None, "Not used.")
    autotune_algorithm = _Option(AutotuneAlgorithm, None, "Not used.")
    initial_parallelism = _Option(int, None, "Not used.")
    min_parallelism = _Option(int, None, "Not used.")


class DistributeOptions(_Options):
    """How a dataset is split among workers.

    >>> import tfc as tf
    >>> options = tf.data.Options()
    >>> options.experimental_distribute.num_devices = 2
    >>> options
    Options(experimental_distribute={'num_devices': 2})
    """

    auto_shard_policy = _Option(
        AutoShardPolicy,
        AutoShardPolicy.AUTO,
        "OFF: each process divides batches of its own. Otherwise all divide the same batches.",
    )
    num_devices = _Option(int, None, "Not used.")


class OptimizationOptions(_Options):
    """Which rewrites TensorFlow makes. All but `inject_prefetch` are taken without a meaning here:
    what lies between a source and a batch is always one program where that is exact.

    >>> import tfc as tf
    >>> options = tf.data.Options()
    >>> options.experimental_optimization.map_fusion = True
    >>> options
    Options(experimental_optimization={'map_fusion': True})
    """

    apply_default_optimizations = _Option(bool, None, "Not used.")
    filter_fusion = _Option(bool, None, "Not used.")
    filter_parallelization = _Option(bool, None, "Not used.")
    inject_prefetch = _Option(
        bool, None, "False: no thread makes elements ahead where nobody asks for one."
    )
    map_and_batch_fusion = _Option(bool, None, "Not used.")
    map_and_filter_fusion = _Option(bool, None, "Not used.")
    map_fusion = _Option(bool, None, "Not used.")
    map_parallelization = _Option(bool, None, "Not used.")
    noop_elimination = _Option(bool, None, "Not used.")
    parallel_batch = _Option(bool, None, "Not used.")
    seq_interleave_prefetch = _Option(bool, None, "Not used.")
    shuffle_and_repeat_fusion = _Option(bool, None, "Not used.")


class ServiceOptions(_Options):
    """Of the service that computes elements elsewhere, which is not there."""

    pinned = _Option(bool, None, "Not used.")


class ThreadingOptions(_Options):
    """How many threads compute elements.

    >>> import tfc as tf
    >>> options = tf.data.Options()
    >>> options.threading.private_threadpool_size = 2
    >>> options
    Options(threading={'private_threadpool_size': 2})
    """

    max_intra_op_parallelism = _Option(int, None, "Not used: programs have tf.config's threads.")
    private_threadpool_size = _Option(
        int,
        None,
        "At most so many threads call Python functions, of each map and interleave; 1: nothing is "
        "made ahead by itself.",
    )


class Options(_Options):
    """What is said of how the elements of a dataset are made: `dataset.with_options(options)`.

    `threading.private_threadpool_size` bounds the threads that call Python functions. Pipelines
    that read files or decode images are made ahead by a thread, unless `autotune.enabled` or
    `experimental_optimization.inject_prefetch` is False. All others are taken and have no meaning
    here: the order is always that of the elements (`deterministic`), and what can be one program
    is.

    >>> import tfc as tf
    >>> options = tf.data.Options()
    >>> options.threading.private_threadpool_size = 4
    >>> dataset = tf.data.Dataset.range(3).with_options(options)
    >>> dataset.options().threading.private_threadpool_size
    4
    """

    autotune = _Option(AutotuneOptions, AutotuneOptions, "See AutotuneOptions.")
    dataset_name = _Option(str, None, "Not used.")
    deterministic = _Option(bool, None, "Not used: it always is.")
    experimental_distribute = _Option(DistributeOptions, DistributeOptions, "Not used.")
    experimental_external_state_policy = _Option(ExternalStatePolicy, None, "Not used.")
    experimental_optimization = _Option(OptimizationOptions, OptimizationOptions, "Not used.")
    experimental_service = _Option(ServiceOptions, ServiceOptions, "Not used.")
    experimental_slack = _Option(bool, None, "Not used.")
    experimental_symbolic_checkpoint = _Option(bool, None, "Not used: checkpoints are small.")
    experimental_warm_start = _Option(bool, None, "Not used.")
    framework_type = _Option(list, None, "Not used.")
    threading = _Option(ThreadingOptions, ThreadingOptions, "See ThreadingOptions.")

    @property
    def experimental_deterministic(self) -> bool | None:
        """The former name of `deterministic`."""
        return self.deterministic

    @experimental_deterministic.setter
    def experimental_deterministic(self, value: bool | None) -> None:
        self.deterministic = value

    @property
    def experimental_threading(self) -> Any:
        """The former name of `threading`."""
        return self.threading

    @experimental_threading.setter
    def experimental_threading(self, value: Any) -> None:
        self.threading = value


__all__ = [
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "Options",
    "ServiceOptions",
    "ThreadingOptions",
]
