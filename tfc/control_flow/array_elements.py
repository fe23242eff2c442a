"""The elements of a `TensorArray`, and how control flow carries them.

While Python knows every number that an array is used with, they are a list of tensors. In loops on
tensors they are one buffer with a row for each element, which native code changes in place. While
a loop is run for the sizes of its arrays alone (see growing.py), there is only their number.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Any, Self

from tfc.ir.core import Value
from tfc.ir.extent import Extent, is_fresh, symbols

from ..core import blame, errors
from ..core.containers import Composite, Expanded
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..dispatch.primitive import Sizes, measured
from ..dispatch.tracing import current
from ..ops.array.creation import zeros
from ..ops.array.joining import concat, stack
from ..ops.array.shaping import reshape
from ..ops.array.sizes import scalar_of
from ..ops.extents import extents_of
from ..ops.math.arithmetic import maximum


class NeedsElements(errors.UnimplementedError):
    """A loop that is run for the sizes of its arrays alone needs their elements."""


@dataclasses.dataclass
class Count:
    """What is noted while a loop is run for the sizes of its arrays alone (see growing.py)."""

    shape: tuple[Extent, ...] | None = None  # of the elements, once one was written
    reads: list[tuple[Value, Any]] = dataclasses.field(default_factory=list)  # and their lines
    parts: Any = None  # the class of an array's parts


def _require_known(shape: tuple[Extent, ...]) -> None:
    """Raise where elements have a size that only a loop or a branch knows, which is over or has not
    begun where their buffer is made."""
    trace = context.trace
    unknown = {s for e in shape for s in symbols(e) if is_fresh(s)}
    while trace is not None and unknown:
        builder = trace.builder
        unknown.difference_update(str(s) for op in builder.body for _, s in op.binds())
        unknown.difference_update(s for p in builder.params for e in p.shape for s in symbols(e))
        trace = trace.outer
    if unknown:
        raise blame.unimplemented(
            f"the elements have shape [{', '.join(map(str, shape))}], of which "
            f"{', '.join(sorted(unknown))} is known only when a round of the loop has run: compute "
            "the size before the loop, or pad the elements to a known one",
            "TensorArray.write",
        )


class ArrayElements(Composite):
    """What a TensorArray consists of. It is a value: changes are made in copies.

    Args:
        dtype: The dtype of the elements.
        size: How many there are; None: as many as other attributes say.
        dynamic: Whether there may be more.
        infer: Whether all of them have one shape outside of loops, too.
        shape: Their shape, as far as it was declared.
    """

    def __init__(
        self, dtype: Any, size: Extent | None, dynamic: bool, infer: bool, shape: TensorShape
    ) -> None:
        self._dtype = dtype
        self._dynamic = dynamic
        self._infer = infer
        self._declared = shape
        # Exactly one of these two says what the elements are; neither, before there are any.
        self._items: list[Any] | None = [None] * size if isinstance(size, int) else None
        self._buffer: Any = None
        self._length: Any = None  # how many rows of the buffer are in use, if not all
        self._count: Any = None  # while a loop is run for sizes alone: so many elements
        self._note: Count | None = None
        self._changes = False  # whether its buffer changes its size in the loop around
        self._size: Extent = 0 if size is None else size

    # What is known of them.

    def _copy(self, **changes: Any) -> Self:
        """The same with other attributes."""
        new: Self = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.__dict__.update(changes)
        return new

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

    def _known_shape(self) -> TensorShape:
        """The shape of the elements, as far as it is known."""
        shape = self._row_shape()
        if shape is None:
            return self._declared
        return TensorShape([e if isinstance(e, int) else None for e in shape])

    # One element.

    def _element(self, value: Any, what: str) -> Any:
        """`value` as a tensor that may be an element."""
        if isinstance(value, Variable | Tensor):
            tensor = convert_to_tensor(value)
        else:
            tensor = convert_to_tensor(value, self._dtype)
        if tensor.dtype is not self._dtype:
            raise blame.invalid_data(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{tensor.dtype.name}",
                what,
            )
        have = self._known_shape() if self._infer else self._declared
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
            failed = blame.value_error if context.trace is None else blame.invalid_data
            raise failed(
                "non-fully-defined element_shape: the shape of the elements is not known before "
                "one is written: give element_shape",
                f"TensorArray.{what}",
            )
        return zeros(Sizes((*front, *shape)), self._dtype)

    def _ghost(self, front: tuple[Extent, ...], what: str) -> Any:
        """What stands for an element while only sizes are computed, which must not need it."""
        assert self._note is not None and context.trace is not None
        tensor = self._zeros(front, what)
        self._note.reads.append((tensor._value, user_location()))
        return tensor

    # All of them.

    def _in_buffer(self, shape: tuple[Extent, ...] | None = None) -> Self:
        """The array as one buffer; for elements of this shape, if it has none so far."""
        if self._buffer is not None or self._count is not None:
            return self
        shape = self._row_shape() if self._row_shape() is not None else shape
        if shape is None:
            return self
        _require_known(shape)
        items = self._items or []
        written = [item for item in items if item is not None]
        if not written:
            buffer = zeros(Sizes((self._capacity(), *shape)), self._dtype)
        else:
            if context.trace is not None and any(extents_of(item) != shape for item in written):
                written = [self._fitted(item, shape) for item in written]
            found = iter(written)
            blank = zeros(Sizes(shape), self._dtype) if len(written) < len(items) else None
            buffer = stack([blank if item is None else next(found) for item in items])
        return self._copy(_items=None, _buffer=buffer)

    def _longer(self, index: Any) -> Self:
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
        if array._buffer is None and context.trace is None and self._capacity() == 0:
            return zeros((0,), self._dtype)
        if array._buffer is None:
            array._zeros((), what)  # raises
        if array._length is not None and what not in ("read", "gather"):
            return array._buffer[: array._length]
        return array._buffer

    def _checked_rows(self, rows: Any, what: str) -> Any:
        """`rows`, whose slices must be fit to be elements."""
        if rows.dtype is not self._dtype:
            raise blame.invalid_data(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{rows.dtype.name}",
                f"TensorArray.{what}",
            )
        known = self._known_shape()
        if not known.is_compatible_with(rows.shape[1:]):
            raise blame.value_error(
                f"Incompatible shape for value ({rows.shape[1:]}), expected ({known})",
                f"TensorArray.{what}",
            )
        return rows

    # What control flow asks for.

    def _parts(self) -> Expanded:
        """The tensors that it consists of, as a structure that packs to an equal array."""
        if self._count is not None:
            return _expanded(self, ("_count",))
        array = self._in_buffer()
        names = ("_buffer", "_length") if array._length is not None else ("_buffer",)
        return _expanded(array, names if array._buffer is not None else ())

    def _started(self, after: ArrayElements) -> Callable[[], ArrayElements] | None:
        """Makes an array with elements like those of `after`, in the place of one that has none."""
        shape = after._row_shape()

        def started() -> ArrayElements:
            return self._in_buffer(shape)

        return None if shape is None else started


def _expanded(array: ArrayElements, names: tuple[str, ...]) -> Expanded:
    """The parts of an array with these names, as what packs to an array like it."""
    shape = array._declared.as_list() if array._declared.rank is not None else None
    declared = None if shape is None else tuple(shape)
    traits = (type(array), array._dtype, array._dynamic, array._infer, declared, array._changes)
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
    traits: Any, names: tuple[str, ...], size: Extent | None, note: Count | None = None
) -> type[Expanded]:
    kind, dtype, dynamic, infer, shape, changes = traits

    def make(*parts: Any) -> ArrayElements:
        trace = current()
        if changes and trace is not None:
            trace.promises.append((parts[0], TensorShape([None, *parts[0].shape[1:]])))
        array: ArrayElements = kind.__new__(kind)
        ArrayElements.__init__(array, dtype, size, dynamic, infer, TensorShape(shape))
        return array._copy(_note=note, _changes=changes, **dict(zip(names, parts, strict=True)))

    return type("TensorArrayParts", (Expanded,), {"make": staticmethod(make)})


_parts_class = cache(_new_class)


__all__ = ["ArrayElements", "Count", "NeedsElements"]
