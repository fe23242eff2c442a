"""What fails while a program runs: the same class, text, op and line of the user's from every way
of running; nothing is leaked, Variables keep their values, and the next call works."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import tfc as tf
from tests.sampling import by_turns

INVALID = tf.errors.InvalidArgumentError
EXHAUSTED = tf.errors.ResourceExhaustedError


class Failing(NamedTuple):
    """`body(x, k)` with f32[3] x and an integer scalar k fails where k is `bad`."""

    body: Callable[[Any, Any], Any]
    good: int
    bad: int
    kind: type[Exception]
    text: str


def gather(x: Any, k: Any) -> Any:
    return tf.gather(x, [0, k])


def element(x: Any, k: Any) -> Any:
    return x[k]


def gather_nd(x: Any, k: Any) -> Any:
    return tf.gather_nd(x, [[k]])


def lookup(x: Any, k: Any) -> Any:
    return tf.nn.embedding_lookup(tf.reshape(x, [3, 1]), [k, 1])


def scatter(x: Any, k: Any) -> Any:
    return tf.tensor_scatter_nd_update(x, [[k]], x[:1])


def scatter_add(x: Any, k: Any) -> Any:
    return tf.scatter_nd([[k]], x[:1], [3])


def division(x: Any, k: Any) -> Any:
    return x * tf.cast(7 // k, tf.float32)


def remainder(x: Any, k: Any) -> Any:
    return x * tf.cast(tf.constant([1, 2, 3], tf.int64) % k, tf.float32)


def assertion(x: Any, k: Any) -> Any:
    tf.debugging.assert_less(k, 5, message="k is too large")
    return x * 2.0


def asserted(x: Any, k: Any) -> Any:
    tf.Assert(k < 5, ["k is", k])
    return x * 2.0


def clash(x: Any, k: Any) -> Any:
    return x * tf.cast(tf.range(k), tf.float32)


def product(x: Any, k: Any) -> Any:
    return tf.matmul(tf.reshape(x, [1, 3]), tf.ones([k, 1]))


def reshaping(x: Any, k: Any) -> Any:
    return tf.reshape(x, [k, -1])


def negative(x: Any, k: Any) -> Any:
    return tf.reduce_sum(x) * tf.ones([k])


def concatenated(x: Any, k: Any) -> Any:
    return tf.concat([tf.ones([2, 3]) * x, tf.ones([1, k])], 0)


def memory(x: Any, k: Any) -> Any:
    return tf.reduce_sum(tf.cumsum(tf.zeros([k]) + x[0]) * 2.0)


def numerics(x: Any, k: Any) -> Any:
    return tf.debugging.check_numerics(x / tf.cast(k, tf.float32), "quotient")


def factorisation(x: Any, k: Any) -> Any:
    return tf.linalg.cholesky(tf.eye(3) * tf.cast(k, tf.float32) + 0.0 * x)


def singular(x: Any, k: Any) -> Any:
    return tf.linalg.inv(tf.eye(3) * tf.cast(k, tf.float32) + 0.0 * x)


def segments(x: Any, k: Any) -> Any:
    return tf.math.segment_sum(x, tf.stack([0, k, 2]))


OUTSIDE = r"index 3 is not in \[0, 3\)|\[3\] does not index into"  # the place is told eagerly
TABLE = [
    Failing(gather, 1, 3, INVALID, r"3 is not in \[0, 3\)"),
    Failing(gather, 1, -1, INVALID, r"-1 is not in \[0, 3\)"),
    Failing(element, 1, 4, INVALID, r"4|out of bounds"),
    Failing(gather_nd, 1, 3, INVALID, OUTSIDE),
    Failing(lookup, 1, 3, INVALID, r"index 3 is not in \[0, 3\)"),
    Failing(scatter, 1, 3, INVALID, OUTSIDE),
    Failing(scatter_add, 1, -2, INVALID, r"index -2 is not in \[0, 3\)"),
    Failing(division, 2, 0, INVALID, "Integer division by zero"),
    Failing(remainder, 2, 0, INVALID, "Integer division by zero"),
    Failing(assertion, 2, 7, INVALID, "k is too large"),
    Failing(asserted, 2, 7, INVALID, "k is"),
    Failing(clash, 3, 4, INVALID, r"Incompatible shapes|must be equal"),
    Failing(product, 3, 4, INVALID, r"size-incompatible|must be equal"),
    Failing(reshaping, 3, 2, INVALID, r"3 (values|elements)|extents 3 and 2"),
    Failing(negative, 3, -1, INVALID, r">= 0|-1"),
    Failing(concatenated, 3, 2, INVALID, r"should match|must be equal"),
    Failing(memory, 3, 2**45, EXHAUSTED, "OOM"),
    Failing(numerics, 1, 0, INVALID, "quotient : Tensor had Inf"),
    Failing(factorisation, 1, -1, INVALID, "Cholesky|positive definite"),
    Failing(singular, 1, 0, INVALID, "not invertible"),
    Failing(segments, 1, -1, INVALID, r"not increasing|\[0|must be|-1"),
]


def places(body: Callable[..., Any]) -> set[str]:
    """The lines of a function."""
    lines, start = inspect.getsourcelines(body)
    return {f"{__file__}:{start + i}" for i in range(len(lines))}


def ways(body: Callable[..., Any], log: tf.Variable) -> dict[str, Callable[..., Any]]:
    """How the body may be run; each first assigns a Variable where all is one program."""

    def plain(x: Any, k: Any) -> Any:
        return tf.reduce_sum(body(x, k))

    def noting(x: Any, k: Any) -> Any:
        log.assign_add(1.0)
        return tf.reduce_sum(body(x, k))

    def branch(x: Any, k: Any) -> Any:
        log.assign_add(1.0)
        if tf.reduce_sum(x) > 0.0:
            log.assign_add(1.0)
            y = tf.reduce_sum(body(x, k))
        else:
            y = 0.0
        return y

    def loop(x: Any, k: Any) -> Any:
        y = tf.constant(0.0)
        for _ in tf.range(2):
            log.assign_add(1.0)
            y += tf.reduce_sum(body(x, k))
        return y

    def repeat(x: Any, k: Any) -> Any:
        y, i = tf.reduce_sum(x) * 0.0, 0 * k
        while i < 2:
            log.assign_add(1.0)
            y += tf.reduce_sum(body(x, k))
            i += 1
        return y

    open_ = [tf.TensorSpec([None]), tf.TensorSpec([], tf.int64)]
    found: dict[str, Callable[..., Any]] = {"eager": plain, "eager gradient": tf.grad(plain)}
    found["symbolic"] = tf.function(noting, input_signature=open_)
    for f in (noting, branch, loop, repeat):
        converted = tf.autograph.to_graph(f)
        found[f.__name__] = tf.function(f)
        found[f"{f.__name__} gradient"] = tf.grad(tf.function(f))
        found[f"{f.__name__} gradient inside"] = tf.function(tf.value_and_grad(converted))
    return found


@pytest.mark.parametrize("case", TABLE, ids=lambda c: f"{c.body.__name__} {c.bad}")
def test_every_way_fails_alike(case: Failing) -> None:
    """Cases take turns with the ways, so that each way sees most of them."""
    log = tf.Variable(0.0)
    x = tf.constant([1.0, 2.0, 3.0])
    good, bad = (tf.constant(k, tf.int64) for k in (case.good, case.bad))
    wrong = []
    for name, call in by_turns(list(ways(case.body, log).items()), TABLE.index(case), 8):
        call(x, good)
        before = float(log)
        try:
            call(x, bad)
        except Exception as error:
            text = str(error)
            if type(error) is not case.kind:
                wrong.append(f"{name}: {type(error).__name__}: {text}")
            elif re.search(case.text, text) is None:
                wrong.append(f"{name}: says {text}")
            elif not any(place in text for place in places(case.body)):
                wrong.append(f"{name}: no line: {text}")
            elif getattr(error, "op", None) is None:
                wrong.append(f"{name}: no op: {text}")
        else:
            wrong.append(f"{name}: does not fail")
        if float(log) != before:
            wrong.append(f"{name}: the Variable has changed")
        call(x, good)
    assert not wrong, "\n".join(wrong)


def resident() -> int:
    """The memory of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="asks Linux for its memory")
def test_calls_that_fail_leak_nothing() -> None:
    """Each call holds about 2 MB where it fails: in buffers of the program, and in Python."""

    @tf.function
    def f(x: Any) -> Any:
        kept = tf.boolean_mask(x, x > 0.5)  # as large as data tell: on the heap
        y = tf.sort(kept)
        z = tf.ensure_shape(tf.py_function(lambda v: v * 2.0, [y], tf.float32), [None])
        for i in tf.range(3):
            z = tf.sort(z + 1.0)
            tf.debugging.assert_less(i, 2, message="the third round")
        return tf.reduce_sum(z)

    x = tf.constant([k / 2e5 for k in range(200_000)])
    gradient = tf.grad(f)

    def fail(times: int) -> None:
        for _ in range(times):
            for call in (f, gradient):
                with pytest.raises(INVALID, match="the third round"):
                    call(x)

    fail(3)
    before = resident()
    fail(30)
    assert resident() - before < 30e6  # 60 calls would leave more than 100 MB
