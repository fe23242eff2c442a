"""`TensorArray`: tensors of one shape by number, such as what the rounds of a loop make.

An array is a value: `write` gives another array and leaves this one as it is. While Python knows
every number that it is used with, it is a list of tensors. In loops on tensors it is one buffer
with a row for each element, which native code changes in place. A `dynamic_size` array that a
loop writes to is counted first (see growing.py), so that its buffer has the size that it needs.
"""

from __future__ import annotations

import builtins
import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import as_element_type, int32, int64
from tfc.ir.extent import Extent, product

from ..core import blame, errors
from ..core.containers import Composite, Expanded
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..dispatch.primitive import Sizes, measured, primitive
from ..dispatch.tracing import current
from ..ops.array.conversion import cast
from ..ops.array.creation import zeros
from ..ops.array.indexing import gather
from ..ops.array.joining import concat, split, stack
from ..ops.array.scatter import scatter_rows
from ..ops.array.shaping import reshape
from ..ops.array.sizes import scalar_of
from ..ops.extents import as_extents, extents_of
from ..ops.math.arithmetic import maximum
from ..ops.math.reductions import reduce_max

_NAME = "TensorArray"


class NeedsElements(errors.UnimplementedError):
    """A loop that is run for the sizes of its arrays alone needs their elements."""


@dataclasses.dataclass
class Count:
    """What is noted while a loop is run for the sizes of its arrays alone (see growing.py)."""

    shape: tuple[Extent, ...] | None = None  # of the elements, once one was written
    reads: list[tuple[Value, Any]] = dataclasses.field(default_factory=list)  # and their lines
    parts: Any = None  # the class of an array's parts


@primitive
def _write(b: Builder, buffer: Value, index: Value, value: Value) -> Any:
    place = b.emit(ir.Reshape(index, (1,)))
    row = b.emit(ir.Reshape(value, (1, *buffer.shape[1:])))
    return b.emit(ir.Scatter(buffer, place, row, "update"))


class TensorArray(Composite):
    """An array of tensors of one dtype and shape, read and written by number.

    What was not written is zeros. Arrays are values: go on with what `write` returns. So nothing is
    ever cleared, and `clear_after_read` makes no difference.

    Args:
        dtype: The dtype of the elements.
        size: How many there are; None is 0.
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
        InvalidArgumentError: If a number is not within the array (from its methods).
        ValueError: If an element has another shape or dtype than the others.

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
        self._dtype = as_element_type(dtype)
        self._dynamic = bool(dynamic_size)
        self._infer = bool(infer_shape)
        self._declared = TensorShape(element_shape)
        # Exactly one of these two says what the elements are; neither, before there are any.
        self._items: list[Any] | None = None
        self._buffer: Any = None
        self._length: Any = None  # how many rows of the buffer are in use, if not all
        self._count: Any = None  # while a loop is run for sizes alone: so many elements
        self._note: Count | None = None
        self._changes = False  # whether its buffer changes its size in the loop around
        self._size: Extent = self._extent(0 if size is None else size)
        if isinstance(self._size, int):
            if self._size < 0:
                raise blame.value_error(f"size must not be negative, got {self._size}", _NAME)
            self._items = [None] * self._size

    @staticmethod
    def _extent(size: Any) -> Extent:
        tensor = convert_to_tensor(size)
        if not tensor.dtype.is_integer or tensor.ndim:
            raise blame.type_error(f"size must be an integer, got {size!r:.60}", _NAME)
        (extent,) = as_extents(tensor, _NAME)
        return extent

    def _copy(self, **changes: Any) -> TensorArray:
        new: TensorArray = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.__dict__.update(changes)
        return new

    # What is known of it.

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
        shape = self._row_shape()
        if shape is None:
            return self._declared
        return TensorShape([e if isinstance(e, int) else None for e in shape])

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

    def _long_size(self) -> Any:
        for known in (self._count, self._length):
            if known is not None:
                return known
        return scalar_of(self._capacity())

    def _capacity(self) -> Extent:
        if self._items is not None:
            return len(self._items)
        return self._size if self._buffer is None else extents_of(self._buffer)[0]

    def _row_shape(self) -> tuple[Extent, ...] | None:
        """The shape of the elements; None where it is not known yet."""
        if self._note is not None and self._note.shape is not None:
            return self._note.shape
        if self._buffer is not None:
            return extents_of(self._buffer)[1:]
        for item in self._items or ():
            if item is not None:
                return extents_of(item)
        if self._declared.rank is None:
            return None
        known = [e for e in self._declared.as_list() if e is not None]
        return tuple(known) if len(known) == self._declared.rank else None

    # One element.

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` as element `index`.

        Args:
            index: The number of the element, a scalar integer.
            value: A tensor of the array's dtype and the elements' shape.

        Returns:
            A TensorArray, with which to go on.

        Raises:
            InvalidArgumentError: If a number is not within the array.
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
            InvalidArgumentError: If a number is not within the array.

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
        if not 0 <= place < len(items):
            more = "" if self._dynamic or what != "write" else "; dynamic_size=True lets it grow"
            raise blame.invalid(
                f"index {place} is not in [0, {len(items)}){more}", f"TensorArray.{what}"
            )
        return place

    def _index(self, index: Any) -> Any:
        tensor = convert_to_tensor(index)
        if not tensor.dtype.is_integer or tensor.ndim:
            raise blame.type_error(f"an index must be an integer, got {index!r:.60}", _NAME)
        return cast(tensor, int64)

    def _element(self, value: Any, what: str) -> Any:
        """`value` as a tensor that may be an element."""
        if isinstance(value, Variable | Tensor):
            tensor = convert_to_tensor(value)
        else:
            tensor = convert_to_tensor(value, self._dtype)
        if tensor.dtype is not self._dtype:
            raise blame.value_error(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{tensor.dtype.name}",
                what,
            )
        have = self.element_shape if self._infer else self._declared
        if not have.is_compatible_with(tensor.shape):
            raise blame.value_error(
                f"Incompatible shape for value ({tensor.shape}), expected ({have})", what
            )
        return tensor

    def _fitted(self, value: Any, shape: tuple[Extent, ...]) -> Any:
        """A value with the extents of the other elements, which only run time may compare."""
        have = extents_of(value)
        if have == shape:
            return value
        known = zip(have, shape, strict=False)
        if len(have) != len(shape) or any(
            isinstance(a, int) and isinstance(b, int) and a != b for a, b in known
        ):
            raise blame.value_error(
                f"in compiled loops and branches all elements have one shape: {list(shape)}, not "
                f"{list(have)}",
                "TensorArray.write",
            )
        return reshape(value, Sizes(shape))

    def _zeros(self, front: tuple[Extent, ...], what: str) -> Any:
        shape = self._row_shape()
        if shape is None:
            raise blame.value_error(
                "the shape of the elements is not known before one is written: give element_shape",
                f"TensorArray.{what}",
            )
        return zeros(Sizes((*front, *shape)), self._dtype)

    def _ghost(self, front: tuple[Extent, ...], what: str) -> Any:
        """What stands for an element while only sizes are computed, which must not need it."""
        assert self._note is not None and context.trace is not None
        tensor = self._zeros(front, what)
        self._note.reads.append((tensor._value, user_location()))
        return tensor

    # The buffer.

    def _in_buffer(self, shape: tuple[Extent, ...] | None = None) -> TensorArray:
        """The array as one buffer; for elements of this shape, if it has none so far."""
        if self._buffer is not None or self._count is not None:
            return self
        shape = self._row_shape() if self._row_shape() is not None else shape
        if shape is None:
            return self
        items = self._items or []
        written = [item for item in items if item is not None]
        if not written:
            buffer = zeros(Sizes((self._capacity(), *shape)), self._dtype)
        else:
            if any(extents_of(item) != shape for item in written):
                written = [self._fitted(item, shape) for item in written]
            found = iter(written)
            blank = zeros(Sizes(shape), self._dtype) if len(written) < len(items) else None
            buffer = stack([blank if item is None else next(found) for item in items])
        return self._copy(_items=None, _buffer=buffer)

    def _longer(self, index: Any) -> TensorArray:
        """With room for element `index`, outside of loops."""
        trace = context.trace
        if (
            trace is not None
            and trace.outer is not None
            and not (self._changes and trace.branch in ("the body", "the function"))
        ):
            raise blame.unimplemented(
                "a TensorArray that grows in a branch on a tensor would have another size behind "
                "it: give it a size that is large enough, or write in both branches before it",
                "TensorArray.write",
            )
        have = self._capacity()
        want = measured(maximum(self._long_size(), index + 1))
        more = zeros(Sizes((want - have, *extents_of(self._buffer)[1:])), self._dtype)
        buffer = reshape(
            concat([self._buffer, more], 0), Sizes((want, *extents_of(self._buffer)[1:]))
        )
        return self._copy(_buffer=buffer)

    def _rows(self, what: str) -> Any:
        """All elements along a first axis."""
        if self._count is not None:
            raise NeedsElements(
                f"`{what}` of a TensorArray inside of the loop that makes it grow: give it a size "
                "that is large enough",
                op=f"TensorArray.{what}",
                location=user_location(),
            )
        array = self._in_buffer()
        if array._buffer is None:
            array._zeros((), what)  # raises
        if array._length is not None and what not in ("read", "gather"):
            return array._buffer[: array._length]
        return array._buffer

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
        return gather(self._rows("gather"), indices)

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
                raise blame.value_error("scalars cannot be concatenated: use stack", _NAME)
            return concat(self._items, 0)
        rows = self._rows("concat")
        extents = extents_of(rows)
        if len(extents) < 2:
            raise blame.value_error("scalars cannot be concatenated: use stack", _NAME)
        return reshape(rows, Sizes((product(extents[:2]), *extents[2:])))

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

    def _checked_rows(self, rows: Any, what: str) -> Any:
        """`rows`, whose slices must be fit to be elements."""
        if rows.dtype is not self._dtype:
            raise blame.value_error(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{rows.dtype.name}",
                f"TensorArray.{what}",
            )
        if not self.element_shape.is_compatible_with(rows.shape[1:]):
            raise blame.value_error(
                f"Incompatible shape for value ({rows.shape[1:]}), expected ({self.element_shape})",
                f"TensorArray.{what}",
            )
        return rows

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
            ValueError: If the lengths do not add up to the first extent, or there are not as many
                as elements of an array of fixed size; if they differ, unless `infer_shape` is
                False.
            UnimplementedError: If they are computed, or this is in a loop on tensors.

        >>> import tfc as tf
        >>> array = tf.TensorArray(tf.int32, size=2, infer_shape=False).split([1, 2, 3], [1, 2])
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
        if sizes.ndim != 1 or sizes.sum() != extents_of(whole)[0]:
            raise blame.value_error(
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{int(sizes.sum())} and value's shape is: {whole.shape}",
                "TensorArray.split",
            )
        parts = split(whole, [int(n) for n in sizes], 0) if len(sizes) else []
        if not self._dynamic and self._capacity() not in (len(parts), None):
            raise blame.value_error(
                f"TensorArray's size is not equal to the size of lengths ({self._capacity()} vs. "
                f"{len(parts)}), and the TensorArray is not marked as dynamically resizeable",
                "TensorArray.split",
            )
        fresh = self._copy(_items=[None] * len(parts), _buffer=None, _length=None)
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

    def _parts(self) -> Expanded:
        """The tensors that it consists of, as a structure that packs to an equal array."""
        if self._count is not None:
            return _expanded(self, ("_count",))
        array = self._in_buffer()
        names = ("_buffer", "_length") if array._length is not None else ("_buffer",)
        return _expanded(array, names if array._buffer is not None else ())

    def _started(self, after: TensorArray) -> Callable[[], TensorArray] | None:
        """Makes an array with elements like those of `after`, in the place of one that has none."""
        shape = after._row_shape()

        def started() -> TensorArray:
            return self._in_buffer(shape)

        return None if shape is None else started

    def _stacked(self) -> Any:
        """What a loop over it goes over."""
        return self.stack()


def _expanded(array: TensorArray, names: tuple[str, ...]) -> Expanded:
    """The parts of an array with these names, as what packs to an array like it."""
    shape = array._declared.as_list() if array._declared.rank is not None else None
    declared = None if shape is None else tuple(shape)
    traits = (array._dtype, array._dynamic, array._infer, declared, array._changes)
    size = None if names else array._capacity()
    note = array._note if "_count" in names else None
    if note is None:
        cls = _parts_class(traits, names, size)
    else:
        if note.parts is None:
            note.parts = _new_class(traits, names, None, note)
        cls = note.parts
    return cls(getattr(array, name) for name in names)


def _new_class(
    traits: Any, names: tuple[str, ...], size: Any, note: Count | None = None
) -> type[Expanded]:
    dtype, dynamic, infer, shape, changes = traits

    def make(*parts: Any) -> TensorArray:
        trace = current()
        if changes and trace is not None:
            trace.promises.append((parts[0], TensorShape([None, *parts[0].shape[1:]])))
        array = TensorArray(dtype, 0, dynamic, infer_shape=infer, element_shape=shape)
        kept = {} if size is None else {"_size": size}
        if isinstance(size, int):
            kept["_items"] = [None] * size
        else:
            kept["_items"] = None
        kept.update(zip(names, parts, strict=True))
        return array._copy(_note=note, _changes=changes, **kept)

    return type("TensorArrayParts", (Expanded,), {"make": staticmethod(make)})


_parts_class = cache(_new_class)


__all__ = ["TensorArray"]
