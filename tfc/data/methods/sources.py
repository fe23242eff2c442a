"""Where datasets come from: tensors, ranges, generators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from tfc.ir.dtypes import as_dtype, int64

from ...core import blame, nest
from ...core.conversion import convert_to_tensor
from ...core.specs import TensorSpec
from ...core.types import DTypeLike
from ..elements import ElementSpec, shapes_along
from ..plans.choosing import Random
from ..plans.shuffling import drawn_seeds
from ..plans.sources import Counter, Generator, from_tensor_slices, from_tensors, range_of
from .base import DatasetBase, whole


class Sources(DatasetBase):
    """Where datasets come from: tensors, ranges, generators."""

    @classmethod
    def from_tensors(cls, tensors: Any, name: str | None = None) -> Self:
        """One element.

        Args:
            tensors: A tensor, or a structure of them.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.from_tensors([1, 2]).as_numpy_iterator())
        [1 2]
        """
        return cls._of(from_tensors(tensors))

    @classmethod
    def from_tensor_slices(cls, tensors: Any, name: str | None = None) -> Self:
        """The rows of tensors.

        Args:
            tensors: A tensor with an axis, or a structure of them with equally many rows.

        Returns:
            A Dataset.

        Raises:
            ValueError: If a tensor is a scalar, or the numbers of rows differ.

        >>> import tfc as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices(([1, 2], ["a", "b"]))
        >>> print(*dataset.as_numpy_iterator())
        (np.int32(1), b'a') (np.int32(2), b'b')
        """
        return cls._of(from_tensor_slices(tensors))

    @classmethod
    def from_generator(
        cls,
        generator: Callable[..., Any],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = None,
        output_signature: Any = None,
        name: str | None = None,
    ) -> Self:
        """What a Python generator yields.

        Args:
            generator: A function that gives an iterable; it is called for each iteration.
            output_types: The dtypes, where there is no `output_signature`.
            output_shapes: The shapes beside them; None: any.
            args: Tensors that the function is called with, as ndarrays.
            output_signature: The specs of what is yielded.

        Returns:
            A Dataset. What it yields is checked: a TypeError says what does not fit.

        Raises:
            TypeError: If `generator` cannot be called, or no specs are given.

        >>> import tfc as tf
        >>> def count():
        ...     yield from [1, 2]
        >>> spec = tf.TensorSpec([], tf.int32)
        >>> print(*tf.data.Dataset.from_generator(count, output_signature=spec).as_numpy_iterator())
        1 2
        """
        op = "from_generator"
        if not callable(generator):
            raise blame.type_error("`generator` must be a Python callable.", op)
        if output_signature is None:
            if output_types is None:
                raise blame.type_error(
                    "To specify the output signature you need to provide either the "
                    "`output_signature` argument or the `output_types` argument.",
                    op,
                )
            output_signature = signature(output_types, output_shapes)
        else:
            for what, given in (("output_types", output_types), ("output_shapes", output_shapes)):
                if given is not None:
                    raise blame.type_error(
                        f"The `{what}` argument can not be used together with the "
                        "`output_signature` argument.",
                        op,
                    )
            for spec in nest.flatten(output_signature):
                if not hasattr(spec, "is_compatible_with"):
                    raise blame.type_error(
                        "`output_signature` must contain objects that are subclass of "
                        f"`tf.TypeSpec` but found {type(spec)} which is not.",
                        op,
                    )
        values = [] if args is None else [x.numpy() for x in map(convert_to_tensor, args)]
        return cls._of(Generator(lambda: generator(*values), ElementSpec.of(output_signature)))

    @classmethod
    def range(cls, *args: Any, output_type: DTypeLike = int64, name: str | None = None) -> Self:
        """Numbers at equal distances.

        Args:
            args: As those of Python's `range`: (stop), (start, stop) or (start, stop, step).
            output_type: The dtype.

        Returns:
            A Dataset.

        Raises:
            InvalidArgumentError: If the step is 0.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.range(5, 1, -2).as_numpy_iterator())
        5 3
        """
        return cls._of(range_of(args, output_type))

    @classmethod
    def counter(
        cls,
        start: Any = 0,
        step: Any = 1,
        dtype: DTypeLike = int64,
        name: str | None = None,
    ) -> Self:
        """Numbers at equal distances, without an end.

        Args:
            start: The first one.
            step: The distance.
            dtype: The dtype.

        Returns:
            A Dataset.

        >>> import tfc as tf
        >>> print(*tf.data.Dataset.counter(10, -2).take(3).as_numpy_iterator())
        10 8 6
        """
        first, each = (int(convert_to_tensor(n)) for n in (start, step))
        return cls._of(Counter(first, each, as_dtype(dtype)))

    @classmethod
    def random(
        cls,
        seed: Any = None,
        rerandomize_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Random integers below 2**32, without an end: int64 scalars.

        Args:
            seed: An integer; None: one of the global seed, or of the operating system.
            rerandomize_each_iteration: Whether each iteration draws anew.

        Returns:
            A Dataset. Its elements are indexed: what is skipped is not drawn.

        >>> import tfc as tf
        >>> numbers = tf.data.Dataset.random(seed=4).take(3)
        >>> list(numbers.as_numpy_iterator()) == list(numbers.as_numpy_iterator())
        True
        """
        number = drawn_seeds(None if seed is None else whole(seed, "random", "seed"))
        return cls._of(Random(number, bool(rerandomize_each_iteration)))


def signature(types: Any, shapes: Any) -> Any:
    """The specs of dtypes and shapes that are given apart."""
    if shapes is None:
        return nest.map_structure(lambda t: TensorSpec(None, t), types)
    leaves, structure = nest.decompose(types)
    found = shapes_along(shapes, structure)
    return structure.pack([TensorSpec(s, t) for s, t in zip(found, leaves, strict=True)])


__all__ = ["Sources", "signature"]
