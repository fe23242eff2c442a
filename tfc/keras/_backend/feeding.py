"""Data as training takes it: batches, as many at a time as one execution runs.

Arrays (NumPy's, tensors, pandas', PyTorch's) are held as tensors, without a copy where their dtype
and layout are those of a tensor; an execution is told the indices of its rows, which native code
gathers. Batches of tfc's datasets are taken as they are. Everything else comes batch by batch from
Keras' adapters.
"""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from keras.src import backend
from keras.src.trainers.data_adapters import array_slicing
from keras.src.trainers.data_adapters.array_data_adapter import ArrayDataAdapter
from keras.src.trainers.data_adapters.data_adapter_utils import (
    is_jax_sparse,
    is_scipy_sparse,
    jax_sparse_to_tf_sparse,
    scipy_sparse_to_tf_sparse,
)
from keras.src.trainers.data_adapters.tf_dataset_adapter import TFDatasetAdapter
from keras.src.trainers.epoch_iterator import EpochIterator

import tfc as tf
from tfc.core.containers import Composite
from tfc.core.nest import Structure, decompose, decompose_composites
from tfc.core.tensor import wrap
from tfc.data.plans.batching import ends_smaller
from tfc.ops.random.distributions import first_orders

_SLICED_WHOLE = (  # of Keras' ways to slice arrays: those whose rows are dense
    array_slicing.NumpySliceable,
    array_slicing.TorchSliceable,
    array_slicing.PandasSliceable,
)

_KEPT = (  # those whose rows are sparse or ragged, and stay so
    array_slicing.TensorflowSparseSliceable,
    array_slicing.TensorflowRaggedSliceable,
    array_slicing.ScipySparseSliceable,
)
_DENSE = (np.ndarray, tf.Tensor, type(None))  # what batches are made of nearly always
_NO_ROWS = np.empty(0, np.int64)


class Layout:
    """The structure of a batch: where its tensors stand, and where None does."""

    __slots__ = ("_hash", "_present", "_whole", "structure")

    def __init__(self, structure: Structure, leaves: Sequence[Any]) -> None:
        self.structure = structure
        self._present = tuple([leaf is not None for leaf in leaves])
        self._whole = all(self._present)
        self._hash = hash((structure, self._present))

    def pack(self, tensors: Sequence[Any]) -> Any:
        """The batch that is made of these tensors."""
        if self._whole:
            return self.structure.pack(tensors)
        given = iter(tensors)
        return self.structure.pack([next(given) if there else None for there in self._present])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.structure == other.structure and self._present == other._present

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    def of(batch: Any) -> tuple[list[Any], Layout]:
        """What is not None in a batch, and how it is nested."""
        leaves, structure = decompose_composites(batch)
        return [leaf for leaf in leaves if leaf is not None], Layout(structure, leaves)


class Batches:
    """What batches of any size are like."""

    def __init__(self, layout: Layout, specs: Sequence[tf.TensorSpec]) -> None:
        self.layout, self.specs = layout, tuple(specs)


class Arrays(Batches):
    """Tensors with a row for each sample."""

    def __init__(self, layout: Layout, tensors: Sequence[tf.Tensor]) -> None:
        super().__init__(layout, [tf.TensorSpec([None, *x.shape[1:]], x.dtype) for x in tensors])
        self.tensors = tuple(tensors)
        self._gather = _gather(self.specs)

    def gathered(self, rows: np.ndarray) -> tuple[tf.Tensor, ...]:
        """The tensors of a batch, made of these rows."""
        found: tuple[tf.Tensor, ...] = self._gather(wrap(rows), *self.tensors)
        return found


@functools.lru_cache(maxsize=256)
def _gather(specs: tuple[tf.TensorSpec, ...]) -> Any:
    """What gathers rows of tensors of these specs."""

    def gather_batch(rows: Any, *tensors: Any) -> tuple[Any, ...]:
        return tuple([tf.gather(x, rows) for x in tensors])

    rows = tf.TensorSpec([None], tf.int64)
    return tf.function(gather_batch, input_signature=[rows, *specs], autograph=False)


class Rows:
    """Rows of arrays, batch by batch: what an execution is given."""

    __slots__ = ("arrays", "order", "size")

    def __init__(self, arrays: Arrays, order: np.ndarray, size: int) -> None:
        """`order` has the indices of the rows, `size` of which are a batch; the last one may have
        fewer."""
        self.arrays, self.order, self.size = arrays, order, size

    def __len__(self) -> int:
        return -(-len(self.order) // self.size)

    def __iter__(self) -> Iterator[Any]:
        """The batches, as steps take them."""
        for i in range(0, len(self.order), self.size):
            yield self.arrays.layout.pack(self.arrays.gathered(self.order[i : i + self.size]))


class Executions(EpochIterator):
    """The batches of an epoch, as (begin, end, batches) of each execution. The last one may have
    fewer batches than from `begin` to `end`, which callbacks are told as in Keras."""

    permutation: Any = None  # gives orders of so many rows; None: as in Keras with TensorFlow
    divide: Any = None  # gives what there is of a dataset's batches in this process
    _num_batches: int | None  # None: until the data ends
    _current_iterator: Any

    def __init__(self, x: Any, **options: Any) -> None:
        super().__init__(x=_undivided(x), **options)
        self.arrays = held(self.data_adapter)

    @property
    def ending_smaller(self) -> Batches | None:
        """What batches are like of which the last one has fewer rows than those before."""
        adapter = self.data_adapter
        if self.arrays is not None:
            return self.arrays if adapter.has_partial_batch and adapter.num_batches > 1 else None
        if isinstance(adapter, TFDatasetAdapter):
            dataset = adapter.get_tf_dataset()
            if ends_smaller(dataset._plan) and dataset._plan.spec.dense:
                leaves, structure = decompose(dataset.element_spec)
                return Batches(Layout(structure, leaves), leaves)
        return None

    def __iter__(self) -> Iterator[tuple[int, int, Any]]:
        self.data_adapter.on_epoch_begin()
        if self._current_iterator is None or self.steps_per_epoch is None:
            self._begin()
        steps, counted = self.steps_per_epoch or self._num_batches, self._num_batches is not None
        most = self.steps_per_execution
        for step in itertools.count(0, most) if steps is None else range(0, steps, most):
            wanted = most
            if self._num_batches is not None:
                wanted = min(most, self._num_batches - self._steps_seen)
            batches = self._taken(wanted)
            count = len(batches)
            if count:
                yield step, step + most - 1, batches
            if count < wanted or not wanted:  # there are no more
                if count < wanted or self.steps_per_epoch:
                    self._interrupted_warning()
                if self._num_batches is None:
                    self._num_batches = self._steps_seen
                self._current_iterator = None
                break
        if self._steps_seen == self._num_batches:
            self._current_iterator = None
            if counted and isinstance(self.data_adapter, TFDatasetAdapter):
                # Keras begins anew here, and with the next epoch again: every second one of the
                # orders of a dataset that shuffles anew is left out, so that epochs are as there.
                self._begin()
        self.data_adapter.on_epoch_end()

    def _get_iterator(self) -> Any:
        adapter = self.data_adapter
        if isinstance(adapter, TFDatasetAdapter):  # its batches are tensors already
            dataset = adapter.get_tf_dataset()
            return dataset if self.divide is None else self.divide(dataset)
        if type(adapter) is ArrayDataAdapter:
            arrays = array_slicing.convert_to_sliceable(adapter._inputs, target_backend="tfc")
            if any(isinstance(x, _KEPT) for x in decompose(arrays)[0]):
                return adapter._get_iterator(_sliced, arrays)
        return map(_with_own_sparse, super()._get_iterator())

    def _begin(self) -> None:
        """Start with the first batch."""
        self._steps_seen = 0
        self._current_iterator = iter(self._order() if self.arrays else self._get_iterator())

    def _taken(self, count: int) -> Any:
        """So many batches more, or as many as there are."""
        taken = list(itertools.islice(self._current_iterator, count))
        self._steps_seen += len(taken)
        if self.arrays is None:
            return taken
        order = taken[0] if len(taken) == 1 else np.concatenate([_NO_ROWS, *taken])
        return Rows(self.arrays, order, self.data_adapter.batch_size)

    def _order(self) -> Iterator[np.ndarray]:
        """The rows of each batch, drawn as Keras draws them."""
        adapter = self.data_adapter
        rows, size, shuffle = adapter._num_samples, adapter.batch_size, adapter._shuffle
        # There a function of a dataset draws: by a global seed the same in each epoch.
        permutation = self.permutation or first_orders() or np.random.permutation
        whole = shuffle and shuffle != "batch"
        order = permutation(rows) if whole else np.arange(rows)
        for i in range(0, rows, size):
            part = order[i : i + size]
            yield permutation(len(part)) + i if shuffle == "batch" else part


def _with_own_sparse(batch: Any) -> Any:
    """A batch with our sparse tensors in the places of SciPy's and JAX's."""
    leaves, structure = decompose(batch)
    if all(type(leaf) in _DENSE for leaf in leaves):
        return batch
    return structure.pack([_own_sparse(leaf) for leaf in leaves])


def _own_sparse(x: Any) -> Any:
    if is_scipy_sparse(x):
        return scipy_sparse_to_tf_sparse(x)
    return jax_sparse_to_tf_sparse(x) if is_jax_sparse(x) else x


def _sliced(array: Any, indices: Any) -> Any:
    """Rows of an array of Keras' adapter; those of a sparse or ragged one are so, too."""
    found = array[indices]
    if isinstance(array, array_slicing.ScipySparseSliceable):
        return scipy_sparse_to_tf_sparse(found)
    return found if isinstance(found, Composite) else array.convert_to_numpy(found)


def _undivided(x: Any) -> Any:
    """The data; of what a strategy has made of a dataset, that dataset, which is divided here."""
    if "tfc.distribute" not in sys.modules or not isinstance(x, tf.distribute.DistributedDataset):
        return x
    if x.whole is None:
        raise ValueError(
            "what distribute_datasets_from_function gives is for loops of one's own: here a "
            "dataset is wanted whose batches are those of all replicas together"
        )
    return x.whole


def held(adapter: Any) -> Arrays | None:
    """What an adapter of arrays slices, where these can be tensors."""
    if type(adapter) is not ArrayDataAdapter:
        return None
    leaves, structure = decompose(adapter._inputs)
    tensors = [_whole(leaf) for leaf in leaves if leaf is not None]
    if any(x is None for x in tensors):
        return None
    return Arrays(Layout(structure, leaves), [x for x in tensors if x is not None])


def _whole(x: Any) -> tf.Tensor | None:
    """An array as a tensor, or None where it is sparse, ragged or text. Other floats than
    `floatx()` are cast, as Keras does."""
    if type(x) is np.ndarray and x.dtype.kind in "biufc":
        return wrap(_in_floatx(x) if x.dtype.kind == "f" else x)
    if isinstance(x, Composite):
        return None
    if tf.is_tensor(x) or isinstance(x, backend.Variable):
        x = x if isinstance(x, tf.Tensor) else tf.convert_to_tensor(x)
        floats = backend.is_float_dtype(x.dtype.name) and x.dtype.name != backend.floatx()
        return tf.cast(x, backend.floatx()) if floats else x
    sliced = array_slicing.convert_to_sliceable(x, target_backend="numpy")
    if not isinstance(sliced, _SLICED_WHOLE):
        return None
    array = np.asarray(sliced.convert_to_numpy(sliced.array))
    return None if array.dtype.kind in "OSUVMm" else wrap(array)


def tensor_of(x: Any) -> Any:
    """An array of a batch as a tensor of its own; floats of 64 bits become Keras' float."""
    if tf.is_tensor(x):
        return x
    x = np.asarray(x)
    return tf.convert_to_tensor(_in_floatx(x) if x.dtype == np.float64 else x)


def _in_floatx(x: np.ndarray) -> np.ndarray:
    return x.astype(backend.floatx(), copy=False)


__all__ = ["Arrays", "Executions", "Layout", "Rows", "held", "tensor_of"]
