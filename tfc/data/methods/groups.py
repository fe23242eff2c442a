"""Some elements as a dataset of their own: windows and groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

from ...core import blame
from ..plans.bucketing import bucketed
from ..plans.windows import Window, grouped
from .base import DatasetBase, positive


class Groups(DatasetBase):
    """Some elements as a dataset of their own: windows and groups."""

    def window(
        self,
        size: Any,
        shift: Any = None,
        stride: Any = 1,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """Datasets of so many elements each: in the place of each leaf a dataset of its own.

        Args:
            size: How many elements a window has.
            shift: How many elements later the next one begins; None: `size`.
            stride: The distance of the elements of a window.
            drop_remainder: Whether to leave out windows at the end that are smaller.

        Returns:
            A Dataset of datasets.

        Raises:
            InvalidArgumentError: If a number is not positive.

        >>> import tfc as tf
        >>> windows = tf.data.Dataset.range(5).window(3, shift=1, drop_remainder=True)
        >>> print(*windows.flat_map(lambda window: window.batch(3)).as_numpy_iterator())
        [0 1 2] [1 2 3] [2 3 4]
        """
        op = "window"
        many = positive(size, op, "size", "Window size")
        step = many if shift is None else positive(shift, op, "shift", "Window shift")
        stride = positive(stride, op, "stride", "Window stride")
        return self._of(Window(self._plan, many, step, stride, bool(drop_remainder)))

    def group_by_window(
        self,
        key_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        window_size: Any = None,
        window_size_func: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> Self:
        """The elements of what a function makes of groups of elements with the same key.

        Elements are collected by their keys. Where a group is as large as it may be, `reduce_func`
        makes a dataset of it, whose elements come next. At the end the groups that are left come in
        the order of their keys.

        Args:
            key_func: A function of an element that gives an int64 scalar.
            reduce_func: A function of a key and the dataset of a group that gives a dataset.
            window_size: How many elements a group has.
            window_size_func: In the place of this, a function of the key that says it.

        Returns:
            A Dataset.

        Raises:
            ValueError: If not exactly one of the last two is given, or a function gives no int64
                scalar.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(7).group_by_window(
        ...     lambda x: x % 2, lambda key, group: group.batch(3), window_size=3
        ... )
        >>> print(*dataset.as_numpy_iterator())
        [0 2 4] [1 3 5] [6]
        """
        op = "group_by_window"
        if (window_size is None) == (window_size_func is None):
            raise blame.value_error(
                "Either the `window_size` argument or the `window_size_func` argument must be "
                "specified.",
                op,
            )
        size = (
            window_size_func
            if window_size_func is not None
            else positive(window_size, op, "window_size", "Window size")
        )
        return self._of(grouped(self._plan, key_func, reduce_func, size, op))

    def bucket_by_sequence_length(
        self,
        element_length_func: Callable[..., Any],
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        padded_shapes: Any = None,
        padding_values: Any = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Self:
        """Batches of elements with similar lengths, padded.

        Args:
            element_length_func: A function of an element that gives its length, an integer scalar.
            bucket_boundaries: The lengths at which the next bucket begins.
            bucket_batch_sizes: How many elements a batch of each bucket has: one number more.
            padded_shapes: As those of `padded_batch`.
            padding_values: The same.
            pad_to_bucket_boundary: Whether unknown extents become the longest length of the bucket
                instead of that of the batch.
            no_padding: Whether to batch without padding.
            drop_remainder: Whether to leave out smaller batches at the end.

        Returns:
            A Dataset.

        Raises:
            ValueError: If there is not one batch size more than boundaries.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(1, 6).map(lambda x: tf.fill([x], x))
        >>> batches = dataset.bucket_by_sequence_length(
        ...     lambda x: tf.size(x), bucket_boundaries=[3], bucket_batch_sizes=[2, 2]
        ... )
        >>> for batch in batches:
        ...     print(batch.numpy().tolist())
        [[1, 0], [2, 2]]
        [[3, 3, 3, 0], [4, 4, 4, 4]]
        [[5, 5, 5, 5, 5]]
        """
        plan = bucketed(
            self._plan,
            element_length_func,
            [int(n) for n in bucket_boundaries],
            [int(n) for n in bucket_batch_sizes],
            padded_shapes,
            padding_values,
            pad_to_bucket_boundary=bool(pad_to_bucket_boundary),
            no_padding=bool(no_padding),
            drops=bool(drop_remainder),
        )
        return self._of(plan)


__all__ = ["Groups"]
