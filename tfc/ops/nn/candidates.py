"""Candidate sampling: a few classes, for losses of many classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import float32, float64, int64
from tfc.ir.extent import Extent

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor, wrap
from ...core.types import TensorLike
from ...dispatch.primitive import Primitive, Sizes, broadcast_to, primitive
from ..arguments import flag, is_whole, number, one_of, whole_number
from ..array import conversion
from ..array.creation import ones_like, range
from ..array.indexing import gather
from ..extents import _require_equal, extents_of
from ..random.sampling import _advanced, unsigned
from ..random.streams import Place, stream_of


class Sampled(NamedTuple):
    """What candidate samplers return."""

    sampled_candidates: Any
    true_expected_count: Any
    sampled_expected_count: Any


@primitive
def _classes(
    b: Builder, state: Value, sizes: tuple[Extent, ...], unique: bool, logarithmic: bool
) -> Any:
    classes, count = sizes
    words = unsigned(b, state)
    found, tries = b.emit_all(ir.RandomClasses(words, classes, count, unique, logarithmic))
    return found, tries, _advanced(b, words, count)


@primitive
def _unigrams(
    b: Builder, state: Value, weights: Value, sizes: tuple[Extent, ...], unique: bool
) -> Any:
    words = unsigned(b, state)
    found, tries = b.emit_all(ir.RandomUnigrams(words, weights, sizes[0], unique))
    return found, tries, _advanced(b, words, sizes[0])


def _expected_body(b: Builder, chance: Value, tries: Value, unique: bool) -> Value:
    """How often something of this probability is expected among the candidates: once at most
    where they are unique, 1 - (1 - p)^tries, else p * tries."""
    p = Term(b, chance)
    n = Term(b, broadcast_to(b, b.emit(ir.Cast(tries, chance.dtype)), chance.shape))
    if not unique:
        return b.emit(ir.Cast((p * n).value, float32))
    never = Term(b, b.emit(ir.Log1p((-p).value))) * n
    return b.emit(ir.Cast((-Term(b, b.emit(ir.Expm1(never.value)))).value, float32))


_expected = Primitive(_expected_body, "candidate_sampler")


@primitive
def _chance_of(b: Builder, classes: Value, total: Value, logarithmic: bool) -> Value:
    """The probability of each class as f64, of `total` ones."""
    n = Term(b, broadcast_to(b, b.emit(ir.Cast(total, float64)), classes.shape))
    if not logarithmic:
        return (n.const(1.0) / n).value
    k = Term(b, b.emit(ir.Cast(classes, float64)))
    ratio = Term(b, b.emit(ir.Log1p((k.const(1.0) / (k + 1)).value)))
    return (ratio / Term(b, b.emit(ir.Log1p(n.value)))).value


def _true_classes(true_classes: Any, num_true: Any, op: str) -> Tensor:
    true = operand(op, true_classes)
    if true.dtype is not int64:
        true = conversion.cast(true, int64) if true.dtype.is_integer else true
    if not true.dtype.is_integer:
        raise blame.invalid_dtype(f"true_classes must be integers, got {true.dtype.name}", op)
    count = _count(num_true, "num_true", op)
    have = extents_of(true)[-1] if len(true.shape) == 2 else None
    if have is None or (isinstance(have, int) and have != count):
        raise blame.invalid(
            f"true_classes must have shape [batch, num_true = {shown(num_true)}], got {true.shape}",
            op,
        )
    _require_equal(have, count)
    return true


def _count(value: Any, what: str, op: str) -> int:
    found = number(value, what, op)
    if not is_whole(found) or found < 1:
        raise blame.value_error(f"{what} must be a positive integer, got {shown(value)}", op)
    return int(found)


def _sample(
    op: str,
    arguments: tuple[Any, Any, Any, Any],
    classes: int,
    seed: Any,
    draw: Callable[[Any, int], Any],
    chance: Callable[[Any], Any],
) -> Sampled:
    """Candidates by `draw(place, count)`, where `chance` gives the probabilities of classes."""
    true_classes, num_true, num_sampled, unique = arguments
    true, count = _true_classes(true_classes, num_true, op), _count(num_sampled, "num_sampled", op)
    if flag(unique, "unique", op) and count > classes:
        raise blame.invalid(f"{count} different classes cannot be drawn of {classes}", op)
    found, tries = draw(stream_of(op, int64, seed), count)
    expected = _expected.fast(flag(unique, "unique", op))
    return Sampled(found, expected(chance(true), tries), expected(chance(found), tries))


def _of_classes(
    op: str, logarithmic: bool, arguments: tuple[Any, Any, Any, Any], range_max: Any, seed: Any
) -> Sampled:
    classes = _count(range_max, "range_max", op)
    total = wrap(np.array(classes, np.int64))

    def draw(place: Place, count: int) -> Any:
        static = (Sizes((classes, count)), bool(arguments[3]), logarithmic)
        return place.draw(_classes, (), static)

    def chance(numbers: Any) -> Any:
        return _chance_of.fast(logarithmic)(numbers, total)

    return _sample(op, arguments, classes, seed, draw, chance)


def log_uniform_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Any:
    """Candidates, class k with the probability log((k + 2) / (k + 1)) / log(range_max + 1): for
    classes that are sorted by descending frequency.

    Unlike TensorFlow, the same seed gives other classes.

    Args:
        true_classes: A tensor of integers [batch, num_true]: the classes whose expected counts are
            wanted.
        num_true: How many there are in a row.
        num_sampled: How many candidates to draw.
        unique: Whether each class is drawn once at most.
        range_max: How many classes there are.
        seed: A seed for a stream of its own; None: the common one, which `tfc.random.set_seed`
            begins.

    Returns:
        A named tuple: `sampled_candidates`, int64 [num_sampled]; `true_expected_count`, float32
        [batch, num_true], and `sampled_expected_count`, float32 [num_sampled], how often each class
        is expected among so many candidates.

    Raises:
        InvalidArgumentError: If the shape or dtype of `true_classes` is another one, or there are
            not so many different classes.
        ValueError: If a number is no positive integer.

    >>> import tfc as tf
    >>> found = tf.random.log_uniform_candidate_sampler([[0], [7]], 1, 5, True, 5, seed=1)
    >>> print(tf.sort(found.sampled_candidates))
    tf.Tensor([0 1 2 3 4], shape=(5,), dtype=int64)
    >>> found.true_expected_count.shape
    TensorShape([2, 1])
    """
    arguments = true_classes, num_true, num_sampled, unique
    return _of_classes("log_uniform_candidate_sampler", True, arguments, range_max, seed)


def uniform_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Any:
    """Candidates, where all classes are equally likely.

    Unlike TensorFlow, the same seed gives other classes.

    Args:
        true_classes: A tensor of integers [batch, num_true]: the classes whose expected counts are
            wanted.
        num_true: How many there are in a row.
        num_sampled: How many candidates to draw.
        unique: Whether each class is drawn once at most.
        range_max: How many classes there are.
        seed: A seed for a stream of its own; None: the common one, which `tfc.random.set_seed`
            begins.

    Returns:
        A named tuple: `sampled_candidates`, int64 [num_sampled]; `true_expected_count`, float32
        [batch, num_true], and `sampled_expected_count`, float32 [num_sampled], how often each class
        is expected among so many candidates.

    Raises:
        InvalidArgumentError: If the shape or dtype of `true_classes` is another one, or there are
            not so many different classes.
        ValueError: If a number is no positive integer.

    >>> import tfc as tf
    >>> found = tf.random.uniform_candidate_sampler([[0]], 1, 4, False, 8, seed=1)
    >>> print(found.true_expected_count)
    tf.Tensor([[0.5]], shape=(1, 1), dtype=float32)
    """
    arguments = true_classes, num_true, num_sampled, unique
    return _of_classes("uniform_candidate_sampler", False, arguments, range_max, seed)


def fixed_unigram_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Any:
    """Candidates, class k with a probability proportional to unigrams[k] ** distortion.

    Unlike TensorFlow, the same seed gives other classes, and there are no vocabulary files.

    Args:
        true_classes: A tensor of integers [batch, num_true]: the classes whose expected counts are
            wanted.
        num_true: How many there are in a row.
        num_sampled: How many candidates to draw.
        unique: Whether each class is drawn once at most.
        range_max: How many classes there are: reserved ones and unigrams.
        vocab_file: "" alone.
        distortion: The exponent: 0 makes all equally likely.
        num_reserved_ids: How many classes, before those of the unigrams, are never drawn.
        num_shards: Among how many programs the classes are divided.
        shard: Which of them this is: it draws the classes k with k % num_shards == shard.
        unigrams: The weights of the classes, not negative.
        seed: A seed for a stream of its own; None: the common one, which `tfc.random.set_seed`
            begins.

    Returns:
        A named tuple: `sampled_candidates`, int64 [num_sampled]; `true_expected_count`, float32
        [batch, num_true], and `sampled_expected_count`, float32 [num_sampled], how often each class
        is expected among so many candidates.

    Raises:
        ValueError: If the number of unigrams does not fit, `shard` is outside of its range, or a
            number is no positive integer.
        InvalidArgumentError: If a weight is negative or all are 0, a true class is not there, its
            shape or dtype is another one, or there are not so many different classes.
        UnimplementedError: If a `vocab_file` is given.

    >>> import tfc as tf
    >>> found = tf.random.fixed_unigram_candidate_sampler(
    ...     [[1]], 1, 4, False, 3, unigrams=[0.0, 1.0, 0.0])
    >>> print(found.sampled_candidates)
    tf.Tensor([1 1 1 1], shape=(4,), dtype=int64)
    """
    op = "fixed_unigram_candidate_sampler"
    if one_of(vocab_file, ("", None)) is False:
        raise blame.unimplemented("vocabulary files are not read: give `unigrams`", op)
    classes = _count(range_max, "range_max", op)
    given = np.asarray(operand(op, list(unigrams), float64))
    reserved = whole_number(num_reserved_ids, "num_reserved_ids", op)
    shards = whole_number(num_shards, "num_shards", op)
    place = whole_number(shard, "shard", op)
    if given.ndim != 1 or len(given) + reserved != classes or reserved < 0:
        raise blame.value_error(
            f"range_max ({classes}) must be the number of unigrams ({given.size}) and of reserved "
            f"ids ({reserved})",
            op,
        )
    if shards < 1 or not 0 <= place < shards:
        raise blame.value_error(f"shard must be in [0, num_shards), got {shard} of {shards}", op)
    full = np.concatenate([np.zeros(reserved), given ** float(distortion)])
    full[np.arange(classes) % shards != place] = 0
    weights, chances = wrap(full), wrap(full / full.sum() if full.sum() else full)

    def draw(place: Place, count: int) -> Any:
        static = (Sizes((count,)), flag(unique, "unique", op))
        return place.draw(_unigrams, (weights,), static)

    arguments = true_classes, num_true, num_sampled, unique
    return _sample(op, arguments, classes, seed, draw, lambda k: gather(chances, k))


def all_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Any:
    """All `num_sampled` classes, each expected once: with them a sampled loss is the full one.

    Args:
        true_classes: A tensor of integers [batch, num_true]: the classes whose expected counts are
            wanted.
        num_true: How many there are in a row.
        num_sampled: How many classes there are.
        unique: Of no effect: every class is there once.
        seed: Of no effect.

    Returns:
        A named tuple: `sampled_candidates`, int64 [num_sampled]; `true_expected_count` [batch,
        num_true] and `sampled_expected_count` [num_sampled], ones of float32.

    Raises:
        InvalidArgumentError: If the shape or dtype of `true_classes` is another one.
        ValueError: If a number is no positive integer.

    >>> import tfc as tf
    >>> print(tf.random.all_candidate_sampler([[0]], 1, 3, True).sampled_candidates)
    tf.Tensor([0 1 2], shape=(3,), dtype=int64)
    """
    op = "all_candidate_sampler"
    true = _true_classes(true_classes, num_true, op)
    found = range(_count(num_sampled, "num_sampled", op), dtype=int64)
    once = ones_like(true, dtype=float32), ones_like(found, dtype=float32)
    return Sampled(found, *once)
