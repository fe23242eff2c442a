"""Time and memory: what is kept, and what is made ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Self

from ...core import blame
from ...core.formatting import shown
from ...records.reading import compression_of
from ..elements import ElementSpec
from ..options import Options
from ..plan import Plan
from ..plans.caching import cached
from ..plans.checking import WithOptions
from ..plans.prefetching import Prefetch
from ..plans.saving import manifest
from ..plans.snapshots import Kept, folder, loaded, saved
from .base import AUTOTUNE, DatasetBase, whole

_PREFETCHED: Final = 2  # elements, where AUTOTUNE leaves it to us: one is used, one is made


class Keeping(DatasetBase):
    """Time and memory: what is kept, and what is made ahead."""

    def cache(self, filename: Any = "", name: str | None = None) -> Self:
        """The same elements, which are computed once and kept.

        Args:
            filename: A folder to keep them in, as `snapshot` does; "": memory.

        Returns:
            A Dataset. What is gone through only in part is not kept.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(3).cache().as_numpy_iterator())
        0 1 2
        """
        where = folder(filename, "cache")
        return self._of(Kept("Cache", self._plan, where) if where else cached(self._plan))

    def prefetch(self, buffer_size: Any, name: str | None = None) -> Self:
        """The same elements, some of which a thread makes before they are asked for.

        Args:
            buffer_size: How many at most; tf.data.AUTOTUNE: two, once elements
                take longer (0.1 ms) than handing them over from one thread to another.

        Returns:
            A Dataset.

        Raises:
            InvalidArgumentError: If it is negative.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(3).prefetch(tf.data.AUTOTUNE).as_numpy_iterator())
        0 1 2
        """
        size = whole(buffer_size, "prefetch", "buffer_size")
        if size < 0 and size != AUTOTUNE:
            raise blame.invalid(
                f"buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning, got {size}",
                "prefetch",
            )
        if size == AUTOTUNE:
            return self._of(Prefetch(self._plan, _PREFETCHED, measured=True))
        return self._of(Prefetch(self._plan, size))

    def save(
        self,
        path: Any,
        compression: str | None = None,
        shard_func: Callable[..., Any] | None = None,
        checkpoint_args: Any = None,
    ) -> None:
        """Write the elements to files, for `load`: a folder in a format of its own, which
        `tfc/data/plans/saving.py` describes.

        It takes the place of what was in the folder when all is on the disk: a process that ends
        before leaves the former dataset, whole.

        Unlike TensorFlow's, the files have a format of their own; neither reads those of the other.

        Args:
            path: The folder.
            compression: "GZIP", "ZLIB" or None.
            shard_func: A function of an element that gives the number of the file for it.
            checkpoint_args: Not used.

        Raises:
            ValueError: If there is no such compression.
            TypeError: If elements are datasets.
            OpError: If files cannot be written.

        >>> import os, tempfile
        >>> import tfc as tf
        >>> with tempfile.TemporaryDirectory() as path:
        ...     tf.data.Dataset.range(3).save(path)
        ...     print(*tf.data.Dataset.load(path).as_numpy_iterator())
        0 1 2
        """
        saved(self._plan, folder(path, "save"), compression, shard_func, "save")

    @classmethod
    def load(
        cls,
        path: Any,
        element_spec: Any = None,
        compression: str | None = None,
        reader_func: Callable[..., Any] | None = None,
        wait: bool = False,
    ) -> Self:
        """The elements that `save` has written.

        Args:
            path: The folder.
            element_spec: The specs of the elements; needed where they are in named tuples.
            compression: Not used: it is known.
            reader_func: A function of a dataset of datasets, one for each file, that makes one
                dataset of them; None: one after another.
            wait: Not used.

        Returns:
            A Dataset. Where a file is damaged, a DataLossError says so when its turn comes.

        Raises:
            NotFoundError: If there is no dataset.
            DataLossError: If its description is damaged.
            ValueError: If `element_spec` does not fit.

        >>> import tempfile
        >>> import tfc as tf
        >>> with tempfile.TemporaryDirectory() as path:
        ...     tf.data.Dataset.from_tensor_slices(["a", "b"]).save(path, "GZIP")
        ...     print(*tf.data.Dataset.load(path).as_numpy_iterator())
        b'a' b'b'
        """
        op = "load"
        wanted = None if element_spec is None else ElementSpec.of(element_spec)
        return cls._of(loaded(manifest(folder(path, op), op, wanted), reader_func, op))

    def snapshot(
        self,
        path: Any,
        compression: str | None = "AUTO",
        reader_func: Callable[..., Any] | None = None,
        shard_func: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> Self:
        """The same elements, which are written the first time, and read from then on, by other
        processes too.

        Args:
            path: The folder.
            compression: "GZIP", "ZLIB", or "AUTO" or None for none.
            reader_func: As that of `load`.
            shard_func: As that of `save`.

        Returns:
            A Dataset. What is gone through only in part is not kept.

        Raises:
            ValueError: If there is no such compression.
            TypeError: If elements are datasets.

        >>> import tempfile
        >>> import tfc as tf
        >>> with tempfile.TemporaryDirectory() as path:
        ...     dataset = tf.data.Dataset.range(3).snapshot(path)
        ...     print(*dataset.as_numpy_iterator(), *dataset.as_numpy_iterator())
        0 1 2 0 1 2
        """
        op = "snapshot"
        kind = compression_of(None if compression == "AUTO" else compression, op)
        where = folder(path, op)
        return self._of(Kept("Snapshot", self._plan, where, kind, shard_func, reader_func))

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
