"""`Dataset`: all methods together, and those that look at a dataset or go through it."""

from __future__ import annotations

from collections.abc import Iterator as PythonIterator
from typing import Any, Self, cast

import numpy as np

from tfc.ir.dtypes import int64, string

from ..core import above, blame, nest
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.specs import TensorSpec
from ..core.tensor import Tensor, wrap
from .deferred import Deferred, Returned
from .elements import ElementSpec
from .explaining import explained
from .fingerprints import fingerprint_of
from .iterator import Iterator, OwnedIterator, graph_trace, traced_iterator
from .loops import TracedLoop, single_element
from .methods.base import AUTOTUNE
from .methods.batches import Batches
from .methods.combining import Combining
from .methods.former import Former
from .methods.functions import Functions
from .methods.groups import Groups
from .methods.keeping import Keeping
from .methods.order import Order
from .methods.sources import Sources
from .nested import DatasetSpec, Unknown, is_abstract, is_symbolic, is_unknown, placeholders
from .paths import matching
from .plan import INFINITE, UNKNOWN, Plan
from .plans.sources import from_tensor_slices
from .profiling import Profile, profiled


class Dataset(Sources, Functions, Batches, Groups, Order, Combining, Keeping, Former):
    """A sequence of elements: tensors, or structures of them, which are made as they are wanted.

    A dataset is not changed: each method gives another one. Its elements are nested in tuples,
    named tuples, dicts and dataclasses; a list is a tensor. A function gets the parts of a tuple as
    arguments of their own.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4])
    >>> for batch in dataset.map(lambda x: x * x).batch(3):
    ...     print(batch)
    tf.Tensor([1 4 9], shape=(3,), dtype=int32)
    tf.Tensor([16], shape=(1,), dtype=int32)
    """

    def _as_result(self) -> Returned:
        """What a function that is being traced gives where it returns this dataset."""
        return Returned(self)

    @classmethod
    def _of(cls, plan: Plan) -> Self:
        """The dataset of a plan; also where `cls` is a dataset of files, which takes names."""
        return cast(Self, Dataset(plan))

    @classmethod
    def list_files(
        cls,
        file_pattern: Any,
        shuffle: bool | None = None,
        seed: Any = None,
        name: str | None = None,
    ) -> Self:
        """The names of the files that patterns match.

        Args:
            file_pattern: A pattern as shells have them, or several.
            shuffle: Whether they come in random order, another one for each iteration (the
                default), or in that of their names.
            seed: For the order.

        Returns:
            A Dataset of scalar strings.

        Raises:
            InvalidArgumentError: If there is no such file.

        >>> import os, tempfile
        >>> import tfc as tf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in "a.txt", "b.txt", "c.png":
        ...         tf.io.write_file(os.path.join(folder, name), "")
        ...     len(tf.data.Dataset.list_files(os.path.join(folder, "*.txt")))
        2
        """
        if is_symbolic(file_pattern):
            return cls._of(Unknown(ElementSpec.of(TensorSpec([], string))))
        found = matching(file_pattern, "list_files")
        names = cls._of(from_tensor_slices(found))
        return names if shuffle is not None and not shuffle else names.shuffle(len(found), seed)

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec.of(self._plan.spec)

    @property
    def element_spec(self) -> Any:
        """The structure of an element, with a spec for each leaf."""
        return self._plan.spec.nested

    def cardinality(self, name: str | None = None) -> Tensor:
        """How many elements there are.

        Returns:
            An int64 scalar; tf.data.INFINITE_CARDINALITY or tf.data.UNKNOWN_CARDINALITY.

        >>> import tfc as tf
        >>> int(tf.data.Dataset.range(42).cardinality())
        42
        """
        if isinstance(self._plan, Deferred) and not is_abstract():
            return cast(Tensor, self._traced_loop().cardinality())
        return convert_to_tensor(self._plan.cardinality, int64)

    def explain(self) -> str:
        """How the elements are made: which steps only change numbers, which functions are one
        program for a batch, and which are called with each element, and why.

        Returns:
            A text, a line a step, the last step first; before them, how the functions ran that the
            dataset was reduced with.

        >>> import tfc as tf
        >>> print(tf.data.Dataset.range(8).map(lambda x: x * x).batch(4).explain())
        batch 4                             2 elements, indexed
          map <lambda>                      8 elements, indexed, one program for many
            Range                           8 elements, indexed
        """
        return explained(self._plan)

    def profile(self, elements: int | None = None) -> Profile:
        """Go through the dataset, and measure what each step takes.

        Args:
            elements: How many elements are asked for at most; None: all.

        Returns:
            A profile, which prints as a table: by step how many elements it gave, the milliseconds
            that it took beside the steps before it, and its share. Behind a `prefetch` these are
            spent by its thread, and the prefetch itself waits for them. Steps that are part of one
            program are measured together.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.range(100).filter(lambda x: x % 2 == 0).batch(10)
        >>> [(step.name.strip(), step.elements) for step in dataset.profile().steps]
        [('batch 10', 5), ('filter <lambda>', 50), ('Range', 100)]
        """
        return profiled(self._plan, elements)

    def as_numpy_iterator(self) -> NumpyIterator:
        """The elements as ndarrays; sparse tensors with all their zeros.

        Returns:
            An iterator.

        >>> import tfc as tf
        >>> next(tf.data.Dataset.from_tensors({"a": [1, 2]}).as_numpy_iterator())
        {'a': array([1, 2], dtype=int32)}
        """
        return NumpyIterator(self)

    def fingerprint(self) -> Tensor:
        """A number for what the dataset is made of, the same in each process: plans, the bytes of
        tensors, and the code of functions with the values that it takes from around it.

        Datasets of one fingerprint have equal elements, as long as files stay as they are, modules
        that functions call too, and they draw no random numbers. Those of two may have such, too:
        Variables, and objects that cannot be told by what they hold, stand for themselves alone.

        Returns:
            A uint64 scalar.

        >>> import tfc as tf
        >>> numbers = tf.data.Dataset.range(10)
        >>> first, second, other = [numbers.map(lambda x: x + k).fingerprint() for k in (1, 1, 2)]
        >>> bool(first == second), bool(first == other)
        (True, False)
        """
        return wrap(np.array(fingerprint_of(self._plan), np.uint64))

    def get_single_element(self, name: str | None = None) -> Any:
        """The element of a dataset of one.

        Returns:
            It, in its structure.

        Raises:
            InvalidArgumentError: If there are none, or several.

        >>> import tfc as tf
        >>> print(tf.data.Dataset.range(3).batch(3).get_single_element())
        tf.Tensor([0 1 2], shape=(3,), dtype=int64)
        """
        plan = self._plan
        if (isinstance(plan, Deferred) or context.trace is not None) and not is_abstract():
            return self._traced_loop().single()
        found = placeholders(plan.spec) if is_unknown(plan) else single_element(plan)
        return plan.spec.structure.pack(found)

    def __iter__(self) -> Iterator:
        if graph_trace() is not None:
            raise blame.runtime_error(
                "__iter__() is only supported inside of tf.function or when eager execution is "
                "enabled; in graphs, dataset.make_one_shot_iterator().get_next() gives tensors"
            )
        if context.trace is not None:
            return traced_iterator(self._traced_loop())
        return OwnedIterator(self._plan)

    def _traced_loop(self) -> TracedLoop:
        """What `for x in dataset` is in a trace."""
        return TracedLoop(self._plan, OwnedIterator, True)

    def __len__(self) -> int:
        count = self._plan.cardinality
        if count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if count == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return count

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<_{self._plan.kind}Dataset element_spec={self.element_spec}>"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return above.html("dataset", self)


class NumpyIterator(PythonIterator[Any]):
    """The elements of a dataset as ndarrays."""

    def __init__(self, dataset: Dataset) -> None:
        self._elements = iter(dataset)

    def __next__(self) -> Any:
        return nest.map_structure(_as_numpy, next(self._elements))

    def next(self) -> Any:
        """The next element."""
        return self.__next__()


def _as_numpy(leaf: Any) -> Any:
    if hasattr(leaf, "numpy"):
        return leaf.numpy()
    if hasattr(leaf, "dense_shape"):  # sparse
        from ..ops.sparse.structure import to_dense

        return to_dense(leaf).numpy()
    return leaf


DatasetSpec.value_type = Dataset

__all__ = ["AUTOTUNE", "Dataset"]
