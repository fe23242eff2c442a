"""Time and memory: what is kept, and what is made ahead."""

from __future__ import annotations

from typing import Any, Final, Self

from ...core import blame
from ...core.formatting import shown
from ..caching import cached
from ..checking import WithOptions
from ..options import Options
from ..plan import Plan
from ..prefetching import Prefetch
from .base import AUTOTUNE, DatasetBase, whole

_PREFETCHED: Final = 2  # elements, where AUTOTUNE leaves it to us: one is used, one is made


class Keeping(DatasetBase):
    """Time and memory: what is kept, and what is made ahead."""

    def cache(self, filename: Any = "", name: str | None = None) -> Self:
        """The same elements, which are computed once and kept.

        Args:
            filename: A file to keep them in; "": memory.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(3).cache().as_numpy_iterator())
        0 1 2
        """
        return self._of(cached(self._plan))

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Self:
        """The same elements, some of which a thread makes before they are asked for.

        Args:
            buffer_size: How many at most; tf.data.AUTOTUNE: two.

        Returns:
            A Dataset.

        Raises:
            ValueError: If it is negative.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE).as_numpy_iterator())
        0 1 2
        """
        size = whole(buffer_size, "prefetch", "buffer_size")
        if size < 0 and size != AUTOTUNE:
            raise blame.value_error(f"buffer_size is {size}, which is negative", "prefetch")
        return self._of(Prefetch(self._plan, _PREFETCHED if size == AUTOTUNE else size))

    def with_options(self, options: Options, name: str | None = None) -> Self:
        """The same elements, with what is said of how they are made.

        Args:
            options: Options; where they differ from earlier ones, they count.

        Returns:
            A Dataset.

        Raises:
            TypeError: If these are no Options.

        >>> import tfc as tf
        >>> options = tf.data.Options()
        >>> options.deterministic = True
        >>> tf.data.Dataset.range(3).with_options(options).options().deterministic
        True
        """
        if not isinstance(options, Options):
            raise blame.type_error(f"expected Options, got {shown(options)}", "with_options")
        return self._of(WithOptions(self._plan, options.merge(Options())))

    def options(self) -> Options:
        """What was said of how the elements are made, here and of what they are made of.

        Returns:
            Options.

        >>> import tfc as tf
        >>> tf.data.Dataset.range(3).options()
        Options()
        """
        return _options_of(self._plan)


def _options_of(plan: Plan) -> Options:
    found = Options()
    for child in plan.inputs:
        found = found.merge(_options_of(child))
    merged: Options = found.merge(plan.options) if isinstance(plan, WithOptions) else found
    return merged


__all__ = ["Keeping"]
