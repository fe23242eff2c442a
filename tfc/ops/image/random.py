"""Images changed at random, from the global stream or from a seed alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex

from tfc.ir.dtypes import int32, int64

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import ShapeLike, TensorLike
from ..arguments import number
from ..array.conversion import cast
from ..array.indexing import where
from ..array.shaping import reshape
from ..array.slicing import getitem, numbers_of, scalar_of, slice_
from ..extents import extents_of
from ..random.distributions import uniform
from ..random.stateless import stateless_uniform
from .color import adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation
from .geometry import flip_left_right, flip_up_down, image_operand

Draw = Callable[..., Any]  # (shape, minval, maxval, dtype) to random numbers


def _streamed(seed: Any) -> Draw:
    return lambda shape, low, high, **more: uniform(shape, low, high, seed=seed, **more)


def _stateless(seed: Any) -> Draw:
    return lambda shape, low, high, **more: stateless_uniform(shape, seed, low, high, **more)


def _flipped(image: Any, flip: Callable[[Any], Any], draw: Draw, name: str) -> Tensor:
    """Each image of a batch flipped or not, with the same probability."""
    x = image_operand(image, name)
    if len(x.shape) == 3:
        return where(draw([], 0.0, 1.0) < 0.5, flip(x), x)
    count = extents_of(x)[0]
    # The other half of the numbers than above, as in TensorFlow: the same seed does the same.
    chosen = reshape(draw([count], 0.0, 1.0) > 0.5, [count, 1, 1, 1])
    return where(chosen, flip(x), x)


def random_flip_left_right(image: TensorLike, seed: SupportsIndex | None = None) -> Tensor:
    """The image, or `flip_left_right` of it, with equal chances; each image of a batch for itself.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of any dtype.
        seed: The seed of the stream, an integer; None for the global stream alone.

    Returns:
        A tensor like `image`.

    Raises:
        ValueError: If the rank is neither 3 nor 4.

    >>> import tfc as tf
    >>> image = tf.reshape([1, 2], [1, 2, 1])
    >>> tf.image.random_flip_left_right(image).numpy().ravel().tolist() in ([1, 2], [2, 1])
    True
    """
    return _flipped(image, flip_left_right, _streamed(seed), "image.random_flip_left_right")


def random_flip_up_down(image: TensorLike, seed: SupportsIndex | None = None) -> Tensor:
    """The image, or `flip_up_down` of it, with equal chances; each image of a batch for itself.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of any dtype.
        seed: The seed of the stream, an integer; None for the global stream alone.

    Returns:
        A tensor like `image`.

    Raises:
        ValueError: If the rank is neither 3 nor 4.

    >>> import tfc as tf
    >>> image = tf.reshape([1, 2], [2, 1, 1])
    >>> tf.image.random_flip_up_down(image).numpy().ravel().tolist() in ([1, 2], [2, 1])
    True
    """
    return _flipped(image, flip_up_down, _streamed(seed), "image.random_flip_up_down")


def stateless_random_flip_left_right(image: TensorLike, seed: TensorLike) -> Tensor:
    """`random_flip_left_right` that is a function of `seed`, two integers: TensorFlow's choice.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of any dtype.
        seed: Two integers.

    Returns:
        A tensor like `image`.

    Raises:
        ValueError: If the rank is neither 3 nor 4.
        InvalidArgumentError: If `seed` is not of shape [2].

    >>> import tfc as tf
    >>> images = tf.reshape([1, 2] * 4, [4, 1, 2, 1])
    >>> flipped = tf.image.stateless_random_flip_left_right(images, seed=[1, 2])
    >>> print(tf.reshape(flipped, [4, 2]).numpy().tolist())
    [[2, 1], [1, 2], [2, 1], [1, 2]]
    """
    name = "image.stateless_random_flip_left_right"
    return _flipped(image, flip_left_right, _stateless(seed), name)


def stateless_random_flip_up_down(image: TensorLike, seed: TensorLike) -> Tensor:
    """`random_flip_up_down` that is a function of `seed`, two integers: TensorFlow's choice.

    Args:
        image: An image [height, width, channels] or a batch of them [batch, height, width,
            channels], of any dtype.
        seed: Two integers.

    Returns:
        A tensor like `image`.

    Raises:
        ValueError: If the rank is neither 3 nor 4.
        InvalidArgumentError: If `seed` is not of shape [2].

    >>> import tfc as tf
    >>> images = tf.reshape([1, 2] * 4, [4, 2, 1, 1])
    >>> flipped = tf.image.stateless_random_flip_up_down(images, seed=[3, 4])
    >>> print(tf.reshape(flipped, [4, 2]).numpy().tolist())
    [[1, 2], [2, 1], [1, 2], [1, 2]]
    """
    name = "image.stateless_random_flip_up_down"
    return _flipped(image, flip_up_down, _stateless(seed), name)


def _cropped(value: Any, size: Any, draw: Draw, name: str) -> Tensor:
    x = operand(name, value)
    extents, want = extents_of(x), numbers_of(size)
    if len(want) != len(extents):
        raise blame.invalid(
            f"Incompatible shapes: [{len(extents)}] vs. [{len(want)}]: size {want} needs "
            f"{len(extents)} numbers",
            name,
        )
    rooms = []
    for e, s in zip(extents, want, strict=True):
        if isinstance(e, int) and isinstance(s, int) and s > e:
            raise blame.invalid(f"Need value.shape >= size, got {list(extents)} {want}", name)
        rooms.append(e - s)
    # One number for each axis, modulo the number of places there; int32, as TensorFlow draws it.
    numbers = cast(draw([len(want)], 0, 2**31 - 1, dtype=int32), int64)
    begin: list[Tensor | int] = []
    for i, room in enumerate(rooms):
        if isinstance(room, int) and room == 0:
            begin.append(0)
            continue
        begin.append(getitem(numbers, i) % scalar_of(room + 1))
    return slice_(x, [b if isinstance(b, SymbolicTensor) else int(b) for b in begin], want)


def random_crop(
    value: TensorLike, size: ShapeLike, seed: SupportsIndex | None = None, name: str | None = None
) -> Tensor:
    """A slice of `value` at a random place.

    Args:
        value: A tensor of any rank and numeric dtype.
        size: The shape of the slice: an integer for each axis.
        seed: The seed of the stream, an integer; None for the global stream alone.

    Returns:
        A tensor of shape `size`.

    Raises:
        ValueError: If `size` has another number of entries.
        InvalidArgumentError: If it is larger than `value`.

    >>> import tfc as tf
    >>> tf.image.random_crop(tf.zeros([8, 9, 3]), [4, 5, 3]).shape
    TensorShape([4, 5, 3])
    """
    return _cropped(value, size, _streamed(seed), "image.random_crop")


def stateless_random_crop(
    value: TensorLike, size: ShapeLike, seed: TensorLike, name: str | None = None
) -> Tensor:
    """`random_crop` that is a function of `seed`, two integers: images and labels that are cropped
    with the same seed are cropped at the same place, which is TensorFlow's.

    Args:
        value: A tensor of any rank and numeric dtype.
        size: The shape of the slice: an integer for each axis.
        seed: Two integers.

    Returns:
        A tensor of shape `size`.

    Raises:
        ValueError: If `size` has another number of entries.
        InvalidArgumentError: If it is larger than `value`, or `seed` is not of shape [2].

    >>> import tfc as tf
    >>> image = tf.reshape(tf.range(12), [3, 4, 1])
    >>> print(tf.image.stateless_random_crop(image, [2, 2, 1], seed=[1, 2]).numpy().ravel())
    [2 3 6 7]
    """
    return _cropped(value, size, _stateless(seed), "image.stateless_random_crop")


def _between(draw: Draw, low: float, high: float) -> Tensor:
    return draw([], float(low), float(high))


def _symmetric(max_delta: float, name: str, most: float = float("inf")) -> tuple[float, float]:
    max_delta = number(max_delta, "max_delta", name)
    if not max_delta >= 0:
        raise blame.value_error(f"max_delta must be non-negative. Got {max_delta}", name)
    if max_delta > most:
        raise blame.value_error(f"max_delta must be <= {most}. Got {max_delta}", name)
    return -max_delta, max_delta


def _bounds(lower: float, upper: float, name: str) -> tuple[float, float]:
    lower, upper = number(lower, "lower", name), number(upper, "upper", name)
    if upper <= lower:
        raise blame.value_error("upper must be > lower.", name)
    if lower < 0:
        raise blame.value_error("lower must be non-negative.", name)
    return lower, upper


def random_brightness(
    image: TensorLike, max_delta: float, seed: SupportsIndex | None = None
) -> Tensor:
    """`adjust_brightness` by a number in [-max_delta, max_delta), one for all images.

    Args:
        image: A tensor of floats or integers, of any shape.
        max_delta: The largest number, not negative; 1 is the whole range of integers.
        seed: The seed of the stream, an integer; None for the global stream alone.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: If `max_delta` is negative.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> y = tf.image.random_brightness(tf.zeros([2, 2, 1]), 0.5)
    >>> bool(np.ptp(y) == 0 and abs(y[0, 0, 0]) <= 0.5)
    True
    """
    bounds = _symmetric(max_delta, "image.random_brightness")
    return adjust_brightness(image, _between(_streamed(seed), *bounds))


def stateless_random_brightness(image: TensorLike, max_delta: float, seed: TensorLike) -> Tensor:
    """`random_brightness` that is a function of `seed`, two integers.

    Args:
        image: A tensor of floats or integers, of any shape.
        max_delta: The largest number, not negative; 1 is the whole range of integers.
        seed: Two integers.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: If `max_delta` is negative.
        InvalidArgumentError: If `seed` is not of shape [2].

    >>> import numpy as np
    >>> import tfc as tf
    >>> image = tf.reshape([0.25, 0.5], [1, 2, 1])
    >>> print(np.round(tf.image.stateless_random_brightness(image, 0.5, seed=[1, 2]), 2).ravel())
    [0.59 0.84]
    """
    bounds = _symmetric(max_delta, "image.stateless_random_brightness")
    return adjust_brightness(image, _between(_stateless(seed), *bounds))


def random_contrast(
    image: TensorLike, lower: float, upper: float, seed: SupportsIndex | None = None
) -> Tensor:
    """`adjust_contrast` by a number in [lower, upper), one for all images.

    Args:
        image: A tensor of floats or integers [..., height, width, channels].
        lower: The least factor, not negative.
        upper: The bound of the factor, above `lower`.
        seed: The seed of the stream, an integer; None for the global stream alone.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: Unless 0 <= lower < upper, and if the rank is below 3.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import numpy as np
    >>> import tfc as tf
    >>> y = tf.image.random_contrast(tf.reshape([1.0, 3.0], [1, 2, 1]), 0.5, 2.0)
    >>> bool(1.0 <= np.ptp(y) <= 4.0)
    True
    """
    bounds = _bounds(lower, upper, "image.random_contrast")
    return adjust_contrast(image, _between(_streamed(seed), *bounds))


def stateless_random_contrast(
    image: TensorLike, lower: float, upper: float, seed: TensorLike
) -> Tensor:
    """`random_contrast` that is a function of `seed`, two integers.

    Args:
        image: A tensor of floats or integers [..., height, width, channels].
        lower: The least factor, not negative.
        upper: The bound of the factor, above `lower`.
        seed: Two integers.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: Unless 0 <= lower < upper, and if the rank is below 3.
        InvalidArgumentError: If `seed` is not of shape [2].

    >>> import numpy as np
    >>> import tfc as tf
    >>> image = tf.reshape([1.0, 3.0], [1, 2, 1])
    >>> print(np.round(tf.image.stateless_random_contrast(image, 0.5, 2.0, seed=[1, 2]), 2).ravel())
    [0.23 3.77]
    """
    bounds = _bounds(lower, upper, "image.stateless_random_contrast")
    return adjust_contrast(image, _between(_stateless(seed), *bounds))


def random_hue(image: TensorLike, max_delta: float, seed: SupportsIndex | None = None) -> Tensor:
    """`adjust_hue` by a number in [-max_delta, max_delta), one for all images.

    Args:
        image: A tensor of floats or integers [..., 3]: red, green and blue.
        max_delta: The largest turn, in circles: in [0, 0.5].
        seed: The seed of the stream, an integer; None for the global stream alone.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: If `max_delta` is outside of [0, 0.5], or the last axis has another extent than
            3.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import tfc as tf
    >>> y = tf.image.random_hue([[[1.0, 0.0, 0.0]]], 0.1)
    >>> print(tf.reduce_max(y).numpy(), tf.reduce_min(y).numpy())
    1.0 0.0
    """
    bounds = _symmetric(max_delta, "image.random_hue", 0.5)
    return adjust_hue(image, _between(_streamed(seed), *bounds))


def stateless_random_hue(image: TensorLike, max_delta: float, seed: TensorLike) -> Tensor:
    """`random_hue` that is a function of `seed`, two integers.

    Args:
        image: A tensor of floats or integers [..., 3]: red, green and blue.
        max_delta: The largest turn, in circles: in [0, 0.5].
        seed: Two integers.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: If `max_delta` is outside of [0, 0.5], or the last axis has another extent than
            3.
        InvalidArgumentError: If `seed` is not of shape [2].

    >>> import numpy as np
    >>> import tfc as tf
    >>> red = tf.constant([[[1.0, 0.0, 0.0]]])
    >>> print(np.round(tf.image.stateless_random_hue(red, 0.25, seed=[1, 2]), 2).ravel())
    [0.97 1.   0.  ]
    """
    bounds = _symmetric(max_delta, "image.stateless_random_hue", 0.5)
    return adjust_hue(image, _between(_stateless(seed), *bounds))


def random_saturation(
    image: TensorLike, lower: float, upper: float, seed: SupportsIndex | None = None
) -> Tensor:
    """`adjust_saturation` by a number in [lower, upper), one for all images.

    Args:
        image: A tensor of floats or integers [..., 3]: red, green and blue.
        lower: The least factor, not negative.
        upper: The bound of the factor, above `lower`.
        seed: The seed of the stream, an integer; None for the global stream alone.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: Unless 0 <= lower < upper, and if the last axis has another extent than 3.
        InvalidArgumentError: If the dtype is neither a float nor an integer (TypeError while
            tracing).

    >>> import tfc as tf
    >>> y = tf.image.random_saturation([[[1.0, 0.5, 0.5]]], 0.0, 0.5)
    >>> bool(y[0, 0, 0] == 1.0 and 0.75 <= y[0, 0, 1])
    True
    """
    bounds = _bounds(lower, upper, "image.random_saturation")
    return adjust_saturation(image, _between(_streamed(seed), *bounds))


def stateless_random_saturation(
    image: TensorLike, lower: float, upper: float, seed: TensorLike | None = None
) -> Tensor:
    """`random_saturation` that is a function of `seed`, two integers.

    Args:
        image: A tensor of floats or integers [..., 3]: red, green and blue.
        lower: The least factor, not negative.
        upper: The bound of the factor, above `lower`.
        seed: Two integers; it has a default in TensorFlow's signature alone, and must be given.

    Returns:
        A tensor of the shape and dtype of `image`.

    Raises:
        ValueError: Unless 0 <= lower < upper, if the last axis has another extent than 3, or `seed`
            is None.
        InvalidArgumentError: If `seed` is not of shape [2].

    >>> import numpy as np
    >>> import tfc as tf
    >>> pink = tf.constant([[[1.0, 0.5, 0.5]]])
    >>> y = tf.image.stateless_random_saturation(pink, 0.5, 2.0, seed=[1, 2])
    >>> print(np.round(y, 2).ravel())
    [1.   0.12 0.12]
    """
    bounds = _bounds(lower, upper, "image.stateless_random_saturation")
    return adjust_saturation(image, _between(_stateless(seed), *bounds))
