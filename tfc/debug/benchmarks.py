"""`tf.test.Benchmark`: timings of parts of programs, and decorators of tests."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..core import nest


class Benchmark:
    """The class of benchmarks: methods whose names begin with "benchmark" are run by `main`.

    >>> import tfc as tf
    >>> class Sums(tf.test.Benchmark):
    ...     def benchmark_sum(self):
    ...         self.report_benchmark(iters=1, wall_time=0.5)
    >>> Sums().benchmark_sum()
    Sums.benchmark_sum: iters: 1, wall_time: 0.5
    """

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether it has no benchmarks.

        Returns:
            A bool.
        """
        return not any(name.startswith("benchmark") for name in dir(cls))

    def evaluate(self, tensors: Any) -> Any:
        """Tensors as arrays.

        Args:
            tensors: A structure of tensors, or a function of no arguments that gives one.

        Returns:
            The structure with arrays.
        """
        found = tensors() if callable(tensors) else tensors
        return nest.map_structure(lambda x: x.numpy() if hasattr(x, "numpy") else x, found)

    def run_op_benchmark(
        self,
        sess: Any,
        op_or_tensor: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        store_trace: bool = False,
        store_memory_usage: bool = True,
        name: str | None = None,
        extras: Mapping[str, Any] | None = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """The median time of a call.

        Args:
            sess: A session of `tf.compat.v1`; None for functions.
            op_or_tensor: A function of no arguments, or what the session runs.
            feed_dict: What the session is fed.
            burn_iters: How many calls come before those that are timed.
            min_iters: How many are timed.
            store_trace: Not used.
            store_memory_usage: Not used.
            name: What it is called; None: the calling method's name.
            extras: What is reported, too.
            mbs: How many megabytes a call goes through; 0: no rate is reported.

        Returns:
            A dictionary: `iters`, `wall_time` in seconds, `throughput` in MB a second, `extras` and
            `name`.
        """
        run = op_or_tensor if sess is None else lambda: sess.run(op_or_tensor, feed_dict)
        for _ in range(burn_iters):
            self.evaluate(run)
        times = []
        for _ in range(min_iters):
            begin = time.perf_counter()
            self.evaluate(run)
            times.append(time.perf_counter() - begin)
        middle = float(np.median(times)) if times else -1.0
        more = {**(extras or {}), "wall_time_mean": float(np.mean(times or [-1.0]))}
        rate = mbs / middle if mbs and middle > 0 else 0.0
        title = name or _caller()
        self.report_benchmark(min_iters, None, middle, rate or None, more, title)
        keys = ("iters", "wall_time", "throughput", "extras", "name")
        return dict(zip(keys, (min_iters, middle, rate, more, title), strict=True))

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: Mapping[str, Any] | None = None,
        name: str | None = None,
        metrics: Any = None,
    ) -> None:
        """Print what was measured.

        Args:
            iters: How many calls.
            cpu_time: Seconds of a processor.
            wall_time: Seconds of a clock.
            throughput: Megabytes a second.
            extras: What else there is.
            name: What it is called; None: the calling method's name.
            metrics: Further measures.
        """
        given = {
            "iters": iters,
            "cpu_time": cpu_time,
            "wall_time": wall_time,
            "throughput": throughput,
            "metrics": metrics,
            **(extras or {}),
        }
        said = ", ".join(f"{key}: {value}" for key, value in given.items() if value is not None)
        print(f"{type(self).__name__}.{name or _caller()}: {said}", flush=True)


def _caller() -> str:
    """The name of the benchmark that calls."""
    frames = (frame.function for frame in inspect.stack()[1:])
    return next((f for f in frames if f.startswith("benchmark")), "benchmark")


def benchmark_config() -> Any:
    """The configuration of a session for benchmarks: the usual one.

    Returns:
        None, which sessions take.

    >>> import tfc as tf
    >>> tf.test.benchmark_config()
    """
    return None


def disable_with_predicate(
    pred: Callable[[], bool], skip_message: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a test is skipped where `pred` holds when it begins.

    Args:
        pred: A function of no arguments.
        skip_message: Why.

    Returns:
        A decorator of tests.

    >>> import tfc as tf
    >>> class Tests(tf.test.TestCase):
    ...     @tf.test.disable_with_predicate(lambda: True, "not now")
    ...     def test_it(self):
    ...         self.fail()
    >>> len(Tests("test_it").run().skipped)
    1
    """

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(test)
        def run(self: Any, *args: Any, **kwargs: Any) -> Any:
            if pred():
                self.skipTest(skip_message)
            return test(self, *args, **kwargs)

        return run

    return decorate


def with_eager_op_as_function(cls: Any = None, only_as_function: bool = False) -> Any:
    """Decorator of classes of tests: of no effect, ops run in one way.

    Args:
        only_as_function: Not used.

    Returns:
        The class; where none is given, a decorator.

    >>> import tfc as tf
    >>> tf.test.with_eager_op_as_function(int)
    <class 'int'>
    """
    return (lambda inner: inner) if cls is None else cls


__all__ = ["Benchmark", "benchmark_config", "disable_with_predicate", "with_eager_op_as_function"]
