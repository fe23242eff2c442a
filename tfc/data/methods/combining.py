"""Several datasets as one."""

from __future__ import annotations

from typing import Any, Self

from ...core import blame, nest
from ...core.formatting import shown
from ..combining import Concatenate, Zip
from .base import DatasetBase


class Combining(DatasetBase):
    """Several datasets as one."""

    @classmethod
    def zip(cls, *args: Any, datasets: Any = None, name: str | None = None) -> Self:
        """The elements of several datasets side by side, as many as the shortest has.

        Args:
            args: Datasets, or one structure of them.
            datasets: The structure, where there are no `args`.

        Returns:
            A Dataset; its elements are in the structure of the datasets.

        Raises:
            TypeError: If there is anything but a dataset.

        >>> import tfc as tf
        >>> numbers = tf.data.Dataset.range(3)
        >>> print(*tf.data.Dataset.zip(numbers, numbers.skip(1)).as_numpy_iterator())
        (np.int64(0), np.int64(1)) (np.int64(1), np.int64(2))
        """
        given = datasets if not args else args[0] if len(args) == 1 else args
        leaves, structure = nest.decompose(given)
        if not leaves or not all(isinstance(leaf, DatasetBase) for leaf in leaves):
            raise blame.type_error(f"expected datasets, got {shown(given)}", "zip")
        return cls._of(Zip([leaf._plan for leaf in leaves], structure))

    def concatenate(self, dataset: DatasetBase, name: str | None = None) -> Self:
        """The elements of this dataset, then those of another.

        Args:
            dataset: The other one; its elements have the same structure and dtypes.

        Returns:
            A Dataset.

        Raises:
            TypeError: If structures or dtypes differ.

        >>> import tfc as tf
        >>> numbers = tf.data.Dataset.range(2)
        >>> print(*numbers.concatenate(numbers).as_numpy_iterator())
        0 1 0 1
        """
        if not isinstance(dataset, DatasetBase):
            raise blame.type_error(f"expected a Dataset, got {shown(dataset)}", "concatenate")
        return self._of(Concatenate(self._plan, dataset._plan))


__all__ = ["Combining"]
