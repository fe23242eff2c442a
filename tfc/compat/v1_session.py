"""What programs make before they run a session of TensorFlow 1."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tfc.core import blame

from .hints import hint


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


class Session:
    """An object that programs make and close. Ops run at once, so there is nothing for it to run.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Session().as_default() as session:
    ...     print(tf.constant(1.0).numpy())
    1.0
    """

    def __init__(self, target: str = "", graph: Any = None, config: Any = None) -> None:
        self.config = config

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None) -> Any:
        """Raises UnimplementedError, which says what to do instead."""
        raise blame.unimplemented(f"tf.Session.run is not here: {hint('Session')}", "Session")

    @contextlib.contextmanager
    def as_default(self) -> Iterator[Session]:
        """The session, as a context manager."""
        yield self

    def close(self) -> None:
        """Nothing to do."""

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception: object) -> None:
        pass


GPUOptions = ConfigProto
__all__ = ["ConfigProto", "GPUOptions", "Session"]
