"""Steps of random pipelines: transformations that make more, fewer or other elements, each beside
what it does in plain Python. Elements are int64 scalars."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import tfc as tf

Lists = list[Any]
Step = tuple[Callable[[Any], Any], Callable[[Lists], Lists]]

Dataset = tf.data.Dataset


def interleaved(inner: Iterator[Iterator[Any]], cycle: int, block: int) -> Iterator[Any]:
    """The order of `interleave`: each place of the cycle takes the next iterator when it is its
    turn and it has none, gives up to `block` elements, and passes on."""
    places: list[Iterator[Any] | None] = [None] * cycle
    empty = 0  # places in a row that have found no iterator
    for turn in itertools.cycle(range(cycle)):
        if places[turn] is None:
            places[turn] = next(inner, None)
        found = places[turn]
        if found is None:
            empty += 1
            if empty == cycle:
                return
            continue
        empty = 0
        given = list(itertools.islice(found, block))
        yield from given
        if len(given) < block:
            places[turn] = None


def windows(elements: Lists, size: int, shift: int, stride: int, drops: bool) -> Lists:
    """What `window` makes of a list."""
    found = [elements[i : i + size * stride : stride] for i in range(0, len(elements), shift)]
    return [w for w in found if len(w) == size] if drops else found


def groups(elements: Lists, key: Callable[[Any], int], size: int) -> Iterator[Lists]:
    """What `group_by_window` makes of a list."""
    open_: dict[int, Lists] = {}
    for x in elements:
        group = open_.setdefault(key(x), [])
        group.append(x)
        if len(group) == size:
            yield open_.pop(key(x))
    for k in sorted(open_):
        yield open_[k]


def flat_map(n: int, k: int) -> Step:
    return (
        lambda d: d.flat_map(lambda x: Dataset.range(x % (k + 1)).enumerate(n)).map(
            lambda i, x: i * 10 + x
        ),
        lambda e: [(n + i) * 10 + i for x in e for i in range(x % (k + 1))],
    )


def interleave(n: int, k: int) -> Step:
    threads = [None, 1, 3][n % 3]
    return (
        lambda d: d.interleave(
            lambda x: Dataset.from_tensors(x).repeat(x % 4), k, n % 3 + 1, threads
        ),
        lambda e: list(interleaved((iter([x] * (x % 4)) for x in e), k, n % 3 + 1)),
    )


def window(n: int, k: int) -> Step:
    size, shift, stride, drops = k, n % 4 + 1, n % 2 + 1, n > 4
    return (
        lambda d: d.window(size, shift, stride, drops).flat_map(lambda w: w.batch(9).unbatch()),
        lambda e: [x for w in windows(e, size, shift, stride, drops) for x in w],
    )


def window_sum(n: int, k: int) -> Step:
    zero = tf.constant(0, tf.int64)
    return (
        lambda d: d.window(k).map(lambda w: w.reduce(zero, lambda s, x: s + x)),
        lambda e: [sum(w) for w in windows(e, k, k, 1, False)],
    )


def group(n: int, k: int) -> Step:
    return (
        lambda d: d.group_by_window(lambda x: x % 3, lambda key, w: w.batch(9), k).map(
            lambda b: tf.reduce_sum(b)
        ),
        lambda e: [sum(g) for g in groups(e, lambda x: x % 3, k)],
    )


def bucket(n: int, k: int) -> Step:
    return (
        lambda d: d.bucket_by_sequence_length(lambda x: x % 5, [2, 3], [k, 2, 1]).unbatch(),
        lambda e: [
            x for b in _buckets(e, lambda x: (x % 5 >= 2) + (x % 5 >= 3), [k, 2, 1]) for x in b
        ],
    )


def _buckets(elements: Lists, key: Callable[[Any], int], sizes: list[int]) -> Iterator[Lists]:
    open_: dict[int, Lists] = {}
    for x in elements:
        found = open_.setdefault(key(x), [])
        found.append(x)
        if len(found) == sizes[key(x)]:
            yield open_.pop(key(x))
    for k in sorted(open_):
        yield open_[k]


def padded(n: int, k: int) -> Step:
    def plain(e: Lists) -> Lists:
        found = []
        for i in range(0, len(e), k):
            batch = [[x] * (x % 3) for x in e[i : i + k]]
            widest = max(map(len, batch))
            found += [sum(row) - (widest - len(row)) for row in batch]
        return found

    return (
        lambda d: (
            d.map(lambda x: tf.fill([x % 3], x))
            .padded_batch(k, padding_values=tf.constant(-1, tf.int64))
            .unbatch()
            .map(lambda row: tf.reduce_sum(row))
        ),
        plain,
    )


def ragged(n: int, k: int) -> Step:
    return (
        lambda d: (
            d.map(lambda x: tf.fill([x % 3], x))
            .ragged_batch(k)
            .unbatch()
            .map(lambda row: tf.reduce_sum(row))
        ),
        lambda e: [x * (x % 3) for x in e],
    )


def ragged_rows(n: int, k: int) -> Step:
    """Functions of ragged batches: the result is ragged, then a bool, then dense."""

    def plain(e: Lists) -> Lists:
        batches = [e[i : i + k] for i in range(0, len(e), k)]
        kept = [b for b in batches if (sum(x % 3 for x in b) + n) % 4]
        return [x * 2 * (x % 3) for b in kept for x in b]

    return (
        lambda d: (
            d.map(lambda x: tf.fill([x % 3], x))
            .ragged_batch(k)
            .map(lambda rows: rows * 2)
            .filter(lambda rows: (tf.size(rows.flat_values) + n) % 4 != 0)
            .map(lambda rows: tf.reduce_sum(rows, 1))
            .unbatch()
        ),
        plain,
    )


def composites(n: int, k: int) -> Step:
    """Elements in which a ragged and a sparse tensor, a number and None lie beside each other."""

    def made(x: Any) -> Any:
        rows = tf.RaggedTensor.from_row_lengths(tf.fill([3], x), [x % 3, 3 - x % 3])
        return {
            "rows": rows,
            "place": tf.SparseTensor([[x % 4], [4]], tf.stack([x, x + n]), [5]),
            "pair": (x, None),
        }

    def taken(element: Any) -> Any:
        x, nothing = element["pair"]
        assert nothing is None
        ends = tf.reduce_sum(element["rows"], 1) * tf.constant([1, 10], tf.int64)
        return tf.reduce_sum(ends) + tf.sparse.to_dense(element["place"])[4] + x

    def scanned(state: Any, element: Any) -> Any:
        return state + element["pair"][0], {**element, "pair": (state, None)}

    def plain(e: Lists) -> Lists:
        before = itertools.accumulate([n, *e])
        pairs = [(x, s) for x, s in zip(e, before, strict=False) if s % (k + 1)]
        return [x * (x % 3) + 10 * x * (3 - x % 3) + x + n + s for x, s in pairs]

    return (
        lambda d: (
            d.map(made)
            .scan(tf.constant(n, tf.int64), scanned)
            .filter(lambda element: element["pair"][0] % (k + 1) != 0)
            .map(taken)
        ),
        plain,
    )


def sparse_rows(n: int, k: int) -> Step:
    """Sparse batches, and rows of them; functions of both."""
    return (
        lambda d: (
            d.map(lambda x: tf.one_hot(x % 4, 4, x, tf.constant(0, tf.int64)))
            .map(tf.sparse.from_dense)
            .batch(k)
            .map(lambda rows: rows * (n + 1))
            .unbatch()
            .map(lambda row: tf.sparse.reduce_sum(row))
        ),
        lambda e: [x * (n + 1) for x in e],
    )


def rebatch(n: int, k: int) -> Step:
    sizes, drops = [k, n % 3], n > 6

    def plain(e: Lists) -> Lists:
        found, i = [], 0
        for size in itertools.cycle(sizes):
            batch = e[i : i + size]
            if len(batch) < size:
                return found if drops or not batch else [*found, sum(batch)]
            found.append(sum(batch))
            i += size
        return found

    return (
        lambda d: (
            d.batch(n + 1).rebatch(sizes, drop_remainder=drops).map(lambda b: tf.reduce_sum(b))
        ),
        plain,
    )


def scan(n: int, k: int) -> Step:
    return (
        lambda d: d.scan(tf.constant(n, tf.int64), lambda s, x: (s + x, s * 2 - x)),
        lambda e: [s * 2 - x for s, x in zip(itertools.accumulate([n, *e]), e, strict=False)],
    )


def take_while(n: int, k: int) -> Step:
    return (
        lambda d: d.take_while(lambda x: x % 7 != k),
        lambda e: list(itertools.takewhile(lambda x: x % 7 != k, e)),
    )


def unique(n: int, k: int) -> Step:
    return (
        lambda d: d.map(lambda x: x % (n + 2)).unique(),
        lambda e: list(dict.fromkeys(x % (n + 2) for x in e)),
    )


def ignored(n: int, k: int) -> Step:
    one = tf.constant(1, tf.int64)
    return (
        lambda d: d.map(lambda x: x + one // tf.cast(x % (k + 1) != 0, tf.int64)).ignore_errors(),
        lambda e: [x + 1 for x in e if x % (k + 1)],
    )


def choose(n: int, k: int) -> Step:
    choices = [(i * i + n) % 2 for i in range(k * 3)]

    def plain(e: Lists) -> Lists:
        sources, found = [iter(e), iter(range(n))], []
        for choice in choices:
            x = next(sources[choice], None)
            if x is None:
                break
            found.append(x)
        return found

    return (
        lambda d: Dataset.choose_from_datasets(
            [d, Dataset.range(n)], Dataset.from_tensor_slices(tf.constant(choices, tf.int64))
        ),
        plain,
    )


def python_map(n: int, k: int) -> Step:
    def call(x: Any) -> Any:
        return tf.ensure_shape(tf.numpy_function(lambda v: v * 2 + n, [x], tf.int64), [])

    return (
        lambda d: d.map(call, num_parallel_calls=[None, 1, 3][n % 3]),
        lambda e: [x * 2 + n for x in e],
    )


def counted(n: int, k: int) -> Step:
    options = tf.data.Options()
    options.threading.private_threadpool_size = k
    return (
        lambda d: Dataset.zip(Dataset.counter(n, k), d.with_options(options)).map(
            lambda i, x: i - x
        ),
        lambda e: [n + k * i - x for i, x in enumerate(e)],
    )


STEPS: list[Callable[[int, int], Step]] = [
    flat_map,
    interleave,
    window,
    window_sum,
    group,
    bucket,
    padded,
    ragged,
    ragged_rows,
    composites,
    sparse_rows,
    rebatch,
    scan,
    take_while,
    unique,
    ignored,
    choose,
    python_map,
    counted,
]


def step(rng: random.Random) -> Step:
    """One of them."""
    return rng.choice(STEPS)(rng.randint(0, 9), rng.randint(1, 4))
