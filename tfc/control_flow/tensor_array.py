"""`TensorArray`: tensors of one shape by number, such as what the rounds of a loop make.

An array is a value: `write` gives another array and leaves this one as it is. While Python knows
every number that it is used with, it is a list of tensors; in loops on tensors it is one buffer
(see array_elements.py). A `dynamic_size` array that a loop writes to is counted first (see
growing.py), so that its buffer has the size that it needs.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import as_element_type, int32, int64
from tfc.ir.extent import Extent, product

from ..core import blame
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.tensor import SymbolicTensor, Tensor
from ..core.type_specs import TypeSpec
from ..core.variable import Variable
from ..dispatch.primitive import Sizes, primitive
from ..ops.array.conversion import cast
from ..ops.array.indexing import gather
from ..ops.array.joining import concat, split
from ..ops.array.scatter import scatter_rows
from ..ops.array.shaping import reshape
from ..ops.array.sizes import scalar_of
from ..ops.extents import as_extents, extents_of
from ..ops.math.arithmetic import maximum
from ..ops.math.reductions import reduce_max
from .array_elements import ArrayElements

_NAME = "TensorArray"


@primitive
def _write(b: Builder, buffer: Value, index: Value, value: Value) -> Any:
    place = b.emit(ir.Reshape(index, (1,)))
    row = b.emit(ir.Reshape(value, (1, *buffer.shape[1:])))
    return b.emit(ir.Scatter(buffer, place, row, "update"))


class TensorArray(ArrayElements):
    """An array of tensors of one dtype and shape, read and written by number.

    What was not written is zeros. Arrays are values: go on with what `write` returns. So nothing is
    ever cleared, and `clear_after_read` makes no difference.

    Args:
        dtype: The dtype of the elements.
        size: How many there are; None, inside of functions alone, is 0.
        dynamic_size: Whether writing may make it longer.
        clear_after_read: Not used.
        tensor_array_name: Not used.
        handle: Not used.
        flow: Not used.
        infer_shape: Whether all elements must have one shape; in compiled loops they must in any
            case.
        element_shape: Their shape, if it is not that of the first one written.
        colocate_with_first_write_call: Not used.

    Raises:
        OutOfRangeError: If a number is not within the array (from its methods; in loops
            InvalidArgumentError).
        InvalidArgumentError: If an element has another dtype than the array.
        ValueError: If an element has another shape than the others, or no size is given outside of
            functions.

    >>> import tfc as tf
    >>> @tf.function
    ... def squares(n):
    ...     array = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    ...     for i in tf.range(n):
    ...         array = array.write(i, i * i)
    ...     return array.stack()
    >>> print(squares(tf.constant(4)))
    tf.Tensor([0 1 4 9], shape=(4,), dtype=int32)
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if size is None and context.trace is None:
            raise blame.value_error(
                "Size must be declared for TensorArrays when eager execution is enabled.", _NAME
            )
        count = self._extent(0 if size is None else size)
        if isinstance(count, int) and count < 0:
            raise blame.value_error(f"size must not be negative, got {count}", _NAME)
        super().__init__(
            as_element_type(dtype),
            count,
            bool(dynamic_size),
            bool(infer_shape),
            TensorShape(element_shape),
        )

    @staticmethod
    def _extent(size: Any) -> Extent:
        tensor = convert_to_tensor(size)
        if not tensor.dtype.is_integer or tensor.ndim:
            raise blame.type_error(f"size must be an integer, got {size!r:.60}", _NAME)
        (extent,) = as_extents(tensor, _NAME)
        return extent

    # What is known of it.

    @property
    def _type_spec(self) -> TensorArraySpec:
        return TensorArraySpec(self.element_shape, self._dtype, self._dynamic, self._infer)

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._dtype

    @property
    def dynamic_size(self) -> bool:
        """Whether writing may make it longer."""
        return self._dynamic

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements, as far as it is known."""
        return self._known_shape()

    @property
    def handle(self) -> Any:
        """None: there is no resource behind it."""
        return None

    @property
    def flow(self) -> Any:
        """A scalar that TensorFlow orders accesses by: 0.0 here, where values order them."""
        return convert_to_tensor(0.0)

    def identity(self, name: str | None = None) -> TensorArray:
        """The same array.

        Returns:
            A TensorArray with the same elements.
        """
        return self._copy()

    def close(self, name: str | None = None) -> None:
        """Nothing: memory is given back by itself."""

    def grad(self, source: Any, flow: Any = None, name: str | None = None) -> Any:
        """An array of gradients, which is not there, as in TensorFlow 2: gradients flow through
        `write`, `read` and the others by themselves.

        Args:
            source: Of no effect.
            flow: Of no effect.

        Returns:
            Nothing: it raises.

        Raises:
            UnimplementedError: Always.
        """
        raise blame.unimplemented(
            "tapes differentiate through a TensorArray by themselves: use tf.GradientTape",
            "TensorArray.grad",
        )

    def size(self, name: str | None = None) -> Any:
        """How many elements it has, as an int32 scalar.

        Returns:
            An int32 scalar.

        >>> import tfc as tf
        >>> int(tf.TensorArray(tf.float32, size=3).size())
        3
        """
        return cast(self._long_size(), int32)

    # One element.

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` as element `index`.

        Args:
            index: The number of the element, a scalar integer.
            value: A tensor of the array's dtype and the elements' shape.

        Returns:
            A TensorArray, with which to go on.

        Raises:
            OutOfRangeError: If a number is not within the array; in loops InvalidArgumentError.
            ValueError: If the shape or the dtype is another one.

        >>> import tfc as tf
        >>> array = tf.TensorArray(tf.float32, size=2).write(0, 5.0)
        >>> print(array.stack())
        tf.Tensor([5. 0.], shape=(2,), dtype=float32)
        """
        value = self._element(value, "TensorArray.write")
        place = self._known(index)
        if self._items is not None and place is not None:
            items = list(self._items)
            if self._dynamic and place >= len(items):
                items += [None] * (place + 1 - len(items))
            items[self._inside(place, "write", items)] = value
            return self._copy(_items=items)
        index = self._index(index)
        if self._count is not None:
            assert self._note is not None
            self._note.shape = extents_of(value)
            return self._copy(_count=maximum(self._count, index + 1))
        array = self._in_buffer(extents_of(value))
        value = self._fitted(value, extents_of(array._buffer)[1:])
        if array._length is not None:
            array = array._copy(_length=maximum(array._length, index + 1))
        elif self._dynamic:
            array = array._longer(index)
        return array._copy(_buffer=_write(array._buffer, index, value))

    def read(self, index: Any, name: str | None = None) -> Any:
        """Element `index`.

        Args:
            index: The number of the element, a scalar integer.

        Returns:
            A tensor.

        Raises:
            OutOfRangeError: If a number is not within the array; in loops InvalidArgumentError.

        >>> import tfc as tf
        >>> print(tf.TensorArray(tf.int32, size=2).unstack([7, 8]).read(1))
        tf.Tensor(8, shape=(), dtype=int32)
        """
        place = self._known(index)
        if self._items is not None and place is not None:
            item = self._items[self._inside(place, "read", self._items)]
            return self._zeros((), "read") if item is None else item
        index = self._index(index)
        if self._count is not None:
            return self._ghost((), "read")
        return gather(self._rows("read"), index)

    def _known(self, index: Any) -> int | None:
        """A number that Python knows."""
        if isinstance(index, SymbolicTensor) or (
            isinstance(index, Variable) and context.trace is not None
        ):
            return None
        if context.trace is not None and context.trace.outer is not None:
            return None  # in branches and loops, which carry buffers
        try:
            return int(np.asarray(index).__index__())
        except TypeError:
            raise blame.type_error(
                f"an index must be an integer, got {index!r:.60}", _NAME
            ) from None

    def _inside(self, place: int, what: str, items: list[Any]) -> int:
        if 0 <= place < len(items):
            return place
        if place < 0:
            verb = "Writing to" if what == "write" else "Reading from"
            text = f"{verb} negative indices (index {place}) is not allowed."
        elif what == "write":
            text = (
                f"Tried to write to index {place} but array is not resizeable and size is: "
                f"{len(items)}: dynamic_size=True lets it grow"
            )
        else:
            text = f"Tried to read from index {place} but array size is: {len(items)}"
        raise blame.out_of_range(text, f"TensorArray.{what}")

    def _index(self, index: Any) -> Any:
        tensor = convert_to_tensor(index)
        if not tensor.dtype.is_integer or tensor.ndim:
            raise blame.type_error(f"an index must be an integer, got {index!r:.60}", _NAME)
        return cast(tensor, int64)

    # The buffer.

    # All elements.

    def stack(self, name: str | None = None) -> Any:
        """All elements along a new first axis.

        Returns:
            A tensor whose first extent is the number of elements.

        >>> import tfc as tf
        >>> print(tf.TensorArray(tf.int32, size=2).write(1, 3).stack())
        tf.Tensor([0 3], shape=(2,), dtype=int32)
        """
        return self._rows("stack")

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """The elements with these numbers, along a new first axis.

        Args:
            indices: A vector of integers.

        Returns:
            A tensor with an element for each of them.

        Raises:
            InvalidArgumentError: If a number is not within the array.

        >>> import tfc as tf
        >>> print(tf.TensorArray(tf.int32, size=3).unstack([7, 8, 9]).gather([2, 0]))
        tf.Tensor([9 7], shape=(2,), dtype=int32)
        """
        if self._count is not None:
            return self._ghost(extents_of(convert_to_tensor(indices)), "gather")
        empty = isinstance(indices, list | tuple) and not indices
        return gather(self._rows("gather"), convert_to_tensor(indices, int32 if empty else None))

    def concat(self, name: str | None = None) -> Any:
        """All elements one after another along their own first axis.

        Returns:
            A tensor whose first extent is the sum of theirs.

        >>> import tfc as tf
        >>> print(tf.TensorArray(tf.int32, size=2).unstack([[1, 2], [3, 4]]).concat())
        tf.Tensor([1 2 3 4], shape=(4,), dtype=int32)
        """
        if self._items and None not in self._items:
            if not self._items[0].ndim:
                raise self._no_vectors()
            return concat(self._items, 0)
        rows = self._rows("concat")
        extents = extents_of(rows)
        if len(extents) < 2:
            if extents == (0,) and self._row_shape() is None:
                return rows
            raise self._no_vectors()
        return reshape(rows, Sizes((product(extents[:2]), *extents[2:])))

    def _no_vectors(self) -> Exception:
        return blame.invalid_data(
            "Concat saw a scalar shape at index 0 but requires at least vectors: use stack",
            "TensorArray.concat",
        )

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """An array whose elements are the slices of `value` along its first axis.

        Args:
            value: A tensor of rank 1 or more.

        Returns:
            A TensorArray with as many elements as its first extent says.
        """
        rows = convert_to_tensor(
            value, None if isinstance(value, Tensor | Variable) else self._dtype
        )
        if not rows.ndim:
            raise blame.value_error("a scalar has no slices", "TensorArray.unstack")
        extents, size = extents_of(rows), self._capacity()
        count = extents[0]
        fixed = isinstance(count, int) and isinstance(size, int) and not self._dynamic
        if fixed and count > size:  # type: ignore[operator]
            raise blame.value_error(
                f"Cannot unstack {extents[0]} tensors into a TensorArray of static size {size}",
                "TensorArray.unstack",
            )
        fresh = self._copy(_items=None, _buffer=None, _size=extents[0], _length=None)
        if self._count is not None:
            assert self._note is not None
            self._note.shape = extents[1:]
            return self._copy(_count=scalar_of(extents[0]))
        return fresh._copy(_buffer=fresh._checked_rows(rows, "unstack"))

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the slices of `value` as the elements with these numbers.

        Args:
            indices: A vector of integers.
            value: A tensor with a slice for each of them.

        Returns:
            A TensorArray, with which to go on.

        Raises:
            InvalidArgumentError: If a number is not within the array.

        >>> import tfc as tf
        >>> print(tf.TensorArray(tf.int32, size=3).scatter([2, 0], [5, 6]).stack())
        tf.Tensor([6 0 5], shape=(3,), dtype=int32)
        """
        places = cast(convert_to_tensor(indices), int64)
        rows = convert_to_tensor(
            value, None if isinstance(value, Tensor | Variable) else self._dtype
        )
        rows = self._checked_rows(rows, "scatter")
        if self._dynamic:
            highest = maximum(reduce_max(places), convert_to_tensor(-1, int64))
            if self._count is not None:
                assert self._note is not None
                self._note.shape = extents_of(rows)[1:]
                return self._copy(_count=maximum(self._count, highest + 1))
            array = self._in_buffer(extents_of(rows)[1:])
            if array._length is None:
                array = array._longer(highest)
            else:
                array = array._copy(_length=maximum(array._length, highest + 1))
        else:
            array = self._in_buffer(extents_of(rows)[1:])
        return array._copy(_buffer=scatter_rows(array._buffer, places, rows, "update"))

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """An array whose elements are the parts of a tensor.

        Args:
            value: A tensor of the array's dtype.
            lengths: A vector of integers that are known: the extents of the parts along the first
                axis.

        Returns:
            A TensorArray.

        Raises:
            InvalidArgumentError: If the lengths do not add up to the first extent, or there are not
                as many as elements of an array of fixed size.
            UnimplementedError: If they are computed, or this is in a loop on tensors.

        >>> import tfc as tf
        >>> array = tf.TensorArray(tf.int32, size=2).split([1, 2, 3], [1, 2])
        >>> print(array.read(1))
        tf.Tensor([2 3], shape=(2,), dtype=int32)
        """
        whole = convert_to_tensor(
            value, None if isinstance(value, Tensor | Variable) else self._dtype
        )
        sizes = np.asarray(lengths) if not isinstance(lengths, SymbolicTensor) else None
        if sizes is None or (context.trace is not None and context.trace.outer is not None):
            raise blame.unimplemented(
                "lengths must be known to Python, outside of loops on tensors", "TensorArray.split"
            )
        if sizes.ndim != 1:
            raise blame.invalid_data(
                f"Expected lengths to be a vector, received shape: {list(sizes.shape)}",
                "TensorArray.split",
            )
        if not whole.ndim:
            raise blame.invalid_data(
                "Expected value to be at least a vector, but received shape: []",
                "TensorArray.split",
            )
        have = extents_of(whole)[0]
        if isinstance(have, int) and sizes.sum() != have:
            raise blame.invalid_data(
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{int(sizes.sum())} and value's shape is: {list(whole.shape)}",
                "TensorArray.split",
            )
        parts = split(whole, [int(n) for n in sizes], 0) if len(sizes) else []
        if not self._dynamic and self._capacity() not in (len(parts), None):
            raise blame.invalid_data(
                f"TensorArray's size is not equal to the size of lengths ({self._capacity()} vs. "
                f"{len(parts)}), and the TensorArray is not marked as dynamically resizeable",
                "TensorArray.split",
            )
        one_shape = self._infer and len(set(sizes.tolist())) < 2
        fresh = self._copy(_items=[None] * len(parts), _buffer=None, _length=None, _infer=one_shape)
        for i, part in enumerate(parts):
            fresh = fresh.write(i, part)
        return fresh

    def __iter__(self) -> Any:
        """The elements, one after another."""
        size = self._capacity()
        if not isinstance(size, int):
            raise blame.located(
                TypeError, "a loop in Python cannot go over a TensorArray of unknown size"
            )
        return (self.read(i) for i in builtins.range(size))

    def __repr__(self) -> str:
        if self._count is not None or not isinstance(self._buffer, Tensor | None):
            return f"<tfc.TensorArray of {self._dtype.name}>"
        return f"<tfc.TensorArray of {self._capacity()} x {self._dtype.name}{self.element_shape}>"

    # What control flow asks for.

    def _stacked(self) -> Any:
        """What a loop over it goes over."""
        return self.stack()


class TensorArraySpec(TypeSpec):
    """What is known of a TensorArray: its elements' shape and dtype, and how it may change.

    Args:
        element_shape: The shape of the elements, as far as it is known.
        dtype: Their dtype.
        dynamic_size: Whether writing may make the array longer.
        infer_shape: Whether all elements have one shape.

    Raises:
        TypeError: If `dtype` or `element_shape` is none.

    >>> import tfc as tf
    >>> array = tf.TensorArray(tf.int32, size=3, element_shape=[2])
    >>> tf.type_spec_from_value(array)
    TensorArraySpec(TensorShape([2]), tf.int32, False, True)
    >>> tf.TensorArraySpec([None], tf.int32).is_compatible_with(array)
    True
    """

    __slots__ = ("_dtype", "_dynamic_size", "_element_shape", "_infer_shape")

    value_type = TensorArray

    def __init__(
        self,
        element_shape: Any = None,
        dtype: Any = "float32",
        dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        self._element_shape = TensorShape(element_shape)
        self._dtype = as_element_type(dtype)
        self._dynamic_size, self._infer_shape = bool(dynamic_size), bool(infer_shape)

    @classmethod
    def from_value(cls, value: TensorArray) -> TensorArraySpec:
        """The spec of a TensorArray.

        Args:
            value: A TensorArray.

        Returns:
            A TensorArraySpec.
        """
        return value._type_spec

    def _serialize(self) -> Any:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether an array (or all that a spec describes) may stand where this spec does.

        Args:
            spec_or_value: A TensorArray, or its spec.

        Returns:
            A bool; False for anything else.
        """
        other = getattr(spec_or_value, "_type_spec", spec_or_value)
        return (
            isinstance(other, TensorArraySpec)
            and self._dtype is other._dtype
            and self._dynamic_size == other._dynamic_size
            and self._element_shape.is_compatible_with(other._element_shape)
        )

    def most_specific_compatible_type(self, other: Any) -> TensorArraySpec:
        """This spec, where another one is compatible.

        Args:
            other: Another TensorArraySpec.

        Returns:
            A TensorArraySpec: the shape of the elements is that of this one.

        Raises:
            ValueError: If dtypes or sizes that may grow differ.
        """
        if (
            not isinstance(other, TensorArraySpec)
            or self._dtype is not other._dtype
            or self._dynamic_size != other._dynamic_size
        ):
            raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        infer = self._infer_shape and other._infer_shape
        return TensorArraySpec(self._element_shape, self._dtype, self._dynamic_size, infer)


__all__ = ["TensorArray", "TensorArraySpec"]
