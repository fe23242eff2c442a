"""What was once an error that said nothing: each names what is wrong, and where a call is, its
line. tests/bad_inputs.py calls all functions with what nobody should give them."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc import ir

INVALID = tf.errors.InvalidArgumentError
FLAGS = np.array([1, 2])
X = tf.ones([2, 2])
INF = float("inf")


def leaked() -> Any:
    """A tensor of a function that has been traced."""
    found: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        found.append(x > 0.0)
        return x

    f(tf.constant(1.0))
    return found[0]


def deep() -> Any:
    x: Any = []
    for _ in range(5000):
        x = [x]
    return x


def closed() -> Any:
    stream = io.StringIO()
    stream.close()
    return stream


CALLS: list[tuple[Callable[[], Any], type[BaseException], str]] = [
    (
        lambda: tf.cond(leaked(), lambda: 1, lambda: 2),
        tf.errors.InaccessibleTensorError,
        "leaked out",
    ),
    (
        lambda: tf.case([(leaked(), lambda: 1)], lambda: 2),
        tf.errors.InaccessibleTensorError,
        "leaked out",
    ),
    (lambda: tf.print("a", sep=3), TypeError, "sep must be a string"),
    (lambda: tf.print("a", end=FLAGS), TypeError, "end must be a string"),
    (lambda: tf.print("a", output_stream=closed()), INVALID, "closed file"),
    (lambda: tf.linspace(0.0, 1.0, float("inf")), TypeError, "num must be an integer, got inf"),
    (lambda: tf.linspace(0.0, 1.0, float("nan")), TypeError, "num must be an integer, got nan"),
    (lambda: tf.matmul(X, X, transpose_a=FLAGS), TypeError, "transpose_a must be True or False"),
    (lambda: tf.matmul(X, X, adjoint_b=FLAGS), TypeError, "adjoint_b must be True or False"),
    (lambda: tf.zeros([1] * 65), INVALID, "at most 64 axes, got 65"),
    (lambda: tf.random.poisson([1] * 65, 2.0), INVALID, "at most 64 axes, got 65"),
    (lambda: tf.foldr(lambda a, x: a + x, tf.zeros([0])), INVALID, "no slice to begin with"),
    (lambda: tf.foldl(lambda a, x: a + x, tf.zeros([0])), INVALID, "no slice to begin with"),
    (lambda: tf.scan(lambda a, x: a + x, tf.zeros([0])), INVALID, "no slice to begin with"),
    (lambda: tf.pad(X, [[0, 0]] * 2, mode=5), ValueError, "mode"),
    (lambda: tf.image.resize_with_pad(tf.ones([1, 2, 1]), 4, INF), ValueError, "must be finite"),
    (lambda: tf.image.resize_with_pad(tf.ones([1, 2, 1]), 4, -INF), ValueError, "must be finite"),
    (lambda: tf.random.create_rng_state(7, alg=X), ValueError, "`alg` got unsupported value"),
    (lambda: tf.reduce_sum(X, keepdims=FLAGS), TypeError, "keepdims must be True or False"),
    (
        lambda: tf.strings.regex_replace("a", "a", "b", FLAGS),
        TypeError,
        "replace_global must be True or False",
    ),
    (
        lambda: tf.strings.to_hash_bucket_strong(["a"], 1e300, [1, 2]),
        tf.errors.InvalidArgumentError,
        "num_buckets must be an int64",
    ),
    (lambda: tf.reverse_sequence(X, [1, 1], 0, FLAGS), TypeError, "axis"),
    (
        lambda: tf.image.ssim_multiscale(
            tf.ones([32, 32, 1]), tf.ones([32, 32, 1]), 1.0, power_factors=[0.5, FLAGS]
        ),
        TypeError,
        "power_factors must be numbers",
    ),
    (lambda: tf.image.ssim(X[:, :, None], X[:, :, None], 1.0, FLAGS), TypeError, "filter_size"),
    (lambda: tf.strided_slice(X, [0], [1], var=-0.5), TypeError, "var must be a Variable"),
    (lambda: tf.unravel_index([1], [2**64, 3]), INVALID, "must be positive int64"),
    (lambda: tf.math.bincount(2**63 - 1), INVALID, "no tensor has 9223372036854775808 bins"),
    (
        lambda: tf.case([(tf.constant([True, False]), lambda: 1)], default=lambda: 2),
        ValueError,
        "pred must be a scalar",
    ),
    (
        lambda: tf.debugging.step(tf.function(lambda x: x + 1.0), X, commands=[FLAGS]),
        TypeError,
        "commands must be strings",
    ),
    (lambda: tf.nn.avg_pool(tf.ones([1, 4, 4, 1]), 2**64, 1, "VALID"), INVALID, "negative"),
]


@pytest.mark.parametrize("index", range(len(CALLS)))
def test_calls(index: int) -> None:
    call, kind, text = CALLS[index]
    with pytest.raises(kind, match=text) as caught:
        call()
    assert __file__ in str(caught.value)


@pytest.mark.parametrize("dtype", [deep(), "no dtype", 3.5], ids=["deep", "word", "number"])
def test_dtypes(dtype: Any) -> None:
    for call in (lambda: tf.zeros([2], dtype), lambda: tf.cast(1.0, dtype)):
        with pytest.raises(TypeError, match="to a TensorFlow DType"):
            call()


def test_texts_of_functions() -> None:
    for text in (b"func", None, 3):
        with pytest.raises(TypeError, match="the text of a function is a str"):
            ir.parse(text)  # type: ignore[arg-type]


def test_many_axes() -> None:
    """NumPy's samplers take 32."""
    shape = [1] * 40
    for draw in (
        lambda s: tf.random.stateless_gamma(s, [1, 2], 2.0),
        lambda s: tf.random.stateless_poisson(s, [1, 2], 2.0),
        lambda s: tf.random.stateless_binomial(s, [1, 2], 9.0, 0.5),
    ):
        np.testing.assert_array_equal(tf.reshape(draw(shape), []), draw([]))


def test_a_console_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Python's own print, nothing is printed."""
    monkeypatch.setattr(sys, "stderr", None)
    tf.print("hello", tf.constant(1.0))
    tf.function(lambda x: tf.print("hello", x))(tf.constant(1.0))


def test_a_folder_for_texts_that_is_none(tmp_path: Any) -> None:
    file = tmp_path / "file"
    file.write_text("")
    code = "import tfc as tf; tf.constant([1.0]) + 2.0"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={**os.environ, "TFC_DUMP": str(file)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"TFC_DUMP={str(file)!r} is no folder to write to" in done.stderr
