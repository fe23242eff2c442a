"""Mistakes that newcomers make: each message names the op, the shapes or dtypes, the line, and what
to do instead."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tfc as tf

HERE = Path(__file__).name
Invalid = tf.errors.InvalidArgumentError
Program = Callable[[], Any]


class Mistake(NamedTuple):
    """A program that is wrong, what it ends with, and what the message has to say beside the
    line: patterns."""

    program: Program
    error: type[BaseException]
    says: tuple[str, ...]


def _no_autograph() -> None:
    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        return x if x > 0 else -x

    f(tf.constant(1.0))


def _set_item() -> None:
    x: Any = tf.ones([2])
    x[0] = 1.0


def _truth() -> None:
    if tf.ones([2]) > 0.0:
        pass


def _assign_none() -> None:
    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = tf.constant(2.0)
    v.assign_sub(tape.gradient(y, v))


def _used_twice() -> None:
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    tape.gradient(y, x)


def _variable_inside() -> None:
    f = tf.function(lambda x: tf.Variable(1.0) + x)
    f(tf.constant(1.0))
    f(tf.ones([2]))


def _leaked() -> None:
    kept: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        kept.append(x * 2.0)
        return x

    f(tf.constant(1.0))
    _ = kept[0] + 1.0


def _growing() -> None:
    @tf.function
    def f(n: Any) -> Any:
        x = tf.zeros([1])
        for _ in tf.range(n):
            x = tf.concat([x, x], 0)
        return x

    f(tf.constant(3))


def _branches() -> None:
    @tf.function
    def f(x: Any) -> Any:
        if x > 0.0:
            y = tf.constant(1)
        else:
            y = tf.constant([1.0, 2.0])
        return y

    f(tf.constant(1.0))


def _one_branch() -> None:
    @tf.function
    def f(x: Any) -> Any:
        if x > 0.0:
            y = x
        return y

    f(tf.constant(-1.0))


def _signature() -> None:
    f = tf.function(lambda x: x, input_signature=[tf.TensorSpec([None, 3])])
    f(tf.ones([2, 4]))


def _traced(f: Callable[[Any], Any], *shape: int) -> Program:
    return lambda: tf.function(f)(tf.ones(shape))


def _concat_first() -> Any:
    concat: Any = tf.concat
    return concat(0, [tf.ones([2]), tf.ones([2])])


LOGITS = np.zeros((2, 3), np.float32)

MISTAKES = {
    "matrices that do not fit": Mistake(
        lambda: tf.ones([3, 4]) @ tf.ones([3, 4]),
        Invalid,
        (r"matmul: .*In\[0\]: \[3,4\], In\[1\]: \[3,4\]", r"float32\[3, 4\], float32\[3, 4\]"),
    ),
    "matrices that do not fit, traced": Mistake(
        _traced(lambda x: tf.matmul(x, x), 3, 4), ValueError, (r"In\[0\]: \[3,4\]",)
    ),
    "a matrix times a vector": Mistake(
        lambda: tf.ones([3, 4]) @ tf.ones([4]),
        Invalid,
        (r"matmul: .*tf\.linalg\.matvec", r"float32\[3, 4\], float32\[4\]"),
    ),
    "integers times floats": Mistake(
        lambda: tf.constant([1, 2]) * tf.constant([1.0, 2.0]),
        Invalid,
        (r"multiply: .*tf\.cast\(x, tf\.float32\) on the first", r"int32\[2\], float32\[2\]"),
    ),
    "integers times a number": Mistake(
        lambda: tf.constant([1, 2]) * 0.5,
        TypeError,
        (r"multiply: .*0\.5.*int32", r"tf\.cast\(x, tf\.float32\)", r"int32\[2\]"),
    ),
    "an image that is no batch": Mistake(
        lambda: tf.nn.conv2d(tf.ones([28, 28, 3]), tf.ones([3, 3, 3, 8]), 1, "SAME"),
        tf.errors.InvalidArgumentError,
        (r"be 4-dimensional\[28,28,3\]", r"x\[tf\.newaxis\]", "conv2d"),
    ),
    "pooling an image that is no batch": Mistake(
        lambda: tf.nn.max_pool2d(tf.ones([28, 28, 3]), 2, 2, "SAME"),
        tf.errors.InvalidArgumentError,
        (r"be 4-dimensional\[28,28,3\]", r"x\[tf\.newaxis\]", "max_pool2d"),
    ),
    "assigning to an element": Mistake(
        _set_item, TypeError, ("immutable", r"tf\.tensor_scatter_nd_update", r"variable\[...\]")
    ),
    "Python's if on a tensor": Mistake(
        _no_autograph,
        tf.errors.OperatorNotAllowedInGraphError,
        ("autograph=False", r"tfc\.cond", r"bool, shape \(\)"),
    ),
    "the truth of many": Mistake(
        _truth, ValueError, ("ambiguous", r"tf\.reduce_any\(x\) or tf\.reduce_all\(x\)")
    ),
    "a gradient that is None": Mistake(
        _assign_none, ValueError, ("assign_sub", "'Variable:0'", r"\(None\)")
    ),
    "a tape used twice": Mistake(
        _used_twice, RuntimeError, ("non-persistent", r"GradientTape\(persistent=True\)")
    ),
    "a Variable made inside": Mistake(
        _variable_inside, ValueError, ("singleton tf.Variables", "self.v is None")
    ),
    "labels that are floats": Mistake(
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([0.0, 1.0], LOGITS),
        Invalid,
        ("labels must be integers", " softmax_cross_entropy_with_logits", r"float32\[2, 3\]"),
    ),
    "one-hot labels where numbers are wanted": Mistake(
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(np.eye(3, dtype=int)[:2], LOGITS),
        ValueError,
        (
            r"logits\.shape\.rank - 1",
            " softmax_cross_entropy_with_logits",
            r"labels\.shape=\(2, 3\)",
        ),
    ),
    "numbers where one-hot labels are wanted": Mistake(
        lambda: tf.nn.softmax_cross_entropy_with_logits([0, 1], LOGITS),
        Invalid,
        ("sparse_softmax_cross_entropy_with_logits", r"\(2,\)", r"\(2, 3\)"),
    ),
    "a label that names no class": Mistake(
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 7], LOGITS),
        Invalid,
        (r"label value of 7 .*\[0, 3\)", "sparse_softmax_cross_entropy_with_logits"),
    ),
    "a label that names no class, traced": Mistake(
        lambda: tf.function(tf.nn.sparse_softmax_cross_entropy_with_logits)(
            tf.constant([1, 7]), LOGITS
        ),
        Invalid,
        (r"label value of 7 .*\[0, 3\)",),
    ),
    "NumPy in a function": Mistake(
        _traced(lambda x: np.sin(x), 4),
        NotImplementedError,
        (r"float32, shape \(4,\)", "move this line out"),
    ),
    "numpy() in a function": Mistake(
        _traced(lambda x: x.numpy(), 4),
        AttributeError,
        (r"shape \(4,\)", "what the function gives"),
    ),
    "rows of other lengths in concat": Mistake(
        lambda: tf.concat([tf.ones([2, 3]), tf.ones([3, 2])], 0),
        Invalid,
        ("concat: .*axis 1 of input 1 has 2 elements, and of input 0 3", r"float32\[3, 2\]"),
    ),
    "concat's arguments swapped": Mistake(
        _concat_first, TypeError, (r"got 0", r"tf\.concat\(values, axis\)")
    ),
    "stack of two shapes": Mistake(
        lambda: tf.stack([tf.ones([2, 3]), tf.ones([3, 2])]),
        Invalid,
        ("stack: Shapes", r"float32\[2, 3\], float32\[3, 2\]"),
    ),
    "reshape to another size": Mistake(
        lambda: tf.reshape(tf.range(6), [4, 2]), Invalid, ("6 values", r"\[4, 2\]", "reshape")
    ),
    "a tensor that has leaked": Mistake(
        _leaked,
        tf.errors.InaccessibleTensorError,
        ("out of scope", "return it from f", "in a list, the variable 'kept'"),
    ),
    "a loop that changes a shape": Mistake(
        _growing,
        ValueError,
        ("'x'", r"\(1,\) before the loop, but shape \(2,\)", "TensorArray", "shape invariants"),
    ),
    "branches of two kinds": Mistake(
        _branches, TypeError, ("'y' has dtype int32", "float32", r"tf\.cast")
    ),
    "set in one branch": Mistake(
        _one_branch, ValueError, ("'y'", "set it before the `if`, or in both branches")
    ),
    "not positive definite": Mistake(
        lambda: tf.linalg.cholesky([[1.0, 2.0], [2.0, 1.0]]),
        Invalid,
        ("symmetric and positive definite", "cholesky"),
    ),
    "rows of other lengths": Mistake(
        lambda: tf.constant([[1, 2], [3]]),
        ValueError,
        (r"non-rectangular.*\[\[1, 2\], \[3\]\]", r"tf\.ragged\.constant"),
    ),
    "shapes that do not broadcast": Mistake(
        lambda: tf.ones([2, 3]) + tf.ones([4]),
        Invalid,
        (r"add: Incompatible shapes: \[2,3\] vs\. \[4\]", r"float32\[2, 3\], float32\[4\]"),
    ),
    "an axis that is not there": Mistake(
        lambda: tf.reduce_sum(tf.ones([2, 3]), axis=5), Invalid, ("dimension 5", "2 dim", "sum")
    ),
    "an argument that does not fit a signature": Mistake(
        _signature, TypeError, (r"shape=\(2, 4\)", r"TensorSpec\(shape=\(None, 3\)")
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_message_says_what_to_do(name: str) -> None:
    mistake = MISTAKES[name]
    with pytest.raises(mistake.error) as caught:
        mistake.program()
    text = str(caught.value)
    for pattern in mistake.says:
        assert re.search(pattern, text, re.DOTALL), f"no {pattern!r} in {text}"
    own = mistake.error is TypeError and "immutable" in text  # Python shows the line itself
    assert own or f"{HERE}:" in text, text


@contextmanager
def _logged(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], str]]:
    with caplog.at_level(logging.WARNING):
        yield lambda: caplog.text


def test_a_source_that_nobody_watched_is_told(caplog: pytest.LogCaptureFixture) -> None:
    x = tf.constant([1.0, 2.0])
    with _logged(caplog) as text:
        with tf.GradientTape() as tape:
            y = x * x
        assert tape.gradient(y, x) is None
        assert "tape.watch(x) inside of the `with`" in text() and f"{HERE}:" in text()
    assert "tape.watch(x)" in tape.explain(y, x)


def test_integers_that_have_no_gradients_are_told(caplog: pytest.LogCaptureFixture) -> None:
    v = tf.Variable([1, 2])
    with _logged(caplog) as text:
        with tf.GradientTape() as tape:
            y = v * v
        assert tape.gradient(y, v) is None
        assert "the source is int32: only floats have gradients" in text()


def test_traces_for_each_number_are_told() -> None:
    f = tf.function(lambda n: n * 2)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for n in range(12):
            f(n)
    text = "\n".join(str(w.message) for w in seen)
    assert "traced 5 times because of n (value)" in text and "tf.constant" in text


def test_names_of_other_versions_say_what_to_write() -> None:
    for name, advice in {"estimator": "GradientTape", "placeholder": "tfc.function"}.items():
        with pytest.raises(AttributeError, match=advice):
            getattr(tf, name)
    program = "import tfc as tf; tf.reduce_summ"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "Did you mean: 'reduce_sum'?" in done.stderr
