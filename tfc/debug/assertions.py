"""`tfc.test.TestCase`: assertions on tensors, arrays and nested structures of them."""

from __future__ import annotations

import contextlib
import random
import re
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import as_dtype

from ..core import above, errors, nest
from ..core.context import executing_eagerly
from ..core.tensor import Held
from ..core.types import DTypeLike
from ..ops.random.distributions import set_seed

_SEED = 87654321
_LOW = ("bfloat16", "float16")


def _graphs() -> Any:
    """The module of graphs and sessions where code runs in a graph of TensorFlow 1, else None."""
    if executing_eagerly():
        return None
    graphs = above.graphs()
    return None if graphs.current_graph() is None else graphs


class _Session:
    """What stands for a session where code runs eagerly."""

    def __init__(self, case: TestCase) -> None:
        self._case = case

    def run(self, fetches: Any, *args: Any, **options: Any) -> Any:
        return self._case.evaluate(fetches)


def _base() -> Any:
    """Abseil's TestCase, as in TensorFlow, where Abseil is installed: it has more assertions."""
    try:
        from absl.testing import absltest
    except ImportError:
        return unittest.TestCase
    return absltest.TestCase


class TestCase(_base()):  # type: ignore[misc]
    """unittest.TestCase with assertions on tensors, arrays and nested structures of them; where
    Abseil is installed, its TestCase. Each test starts with the same random numbers, of Python,
    NumPy and tfc.

    >>> import tfc as tf
    >>> tf.test.TestCase().assertAllClose(tf.constant([0.1, 0.2]), [0.1, 0.2])
    """

    _kept: Any = None  # the session of a test in a graph
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def setUp(self) -> None:
        super().setUp()
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        random.seed(_SEED)
        np.random.seed(_SEED)
        set_seed(_SEED)

    def get_temp_dir(self) -> str:
        """A folder for this test, which is removed after it."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory()
            self.addCleanup(self._folder.cleanup)
        return self._folder.name

    @contextlib.contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[Any]:
        """What is written to `sys.stdout` or `sys.stderr`, Python's own: `with ... as captured`
        gives an object with `contents()`."""
        import io

        name = "stdout" if stream is sys.stdout else "stderr"
        text = io.StringIO()
        text.contents = text.getvalue  # type: ignore[attr-defined]
        kept = getattr(sys, name)
        setattr(sys, name, text)
        try:
            yield text
        finally:
            setattr(sys, name, kept)

    # Values.

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors as arrays; of functions, what they give. In a graph of TensorFlow 1
        the default session runs, or one that this test keeps."""
        found = nest.map_structure(lambda leaf: leaf() if callable(leaf) else leaf, tensors)
        graphs = _graphs()
        if graphs is None:
            return self._arrays(found)
        session = graphs.default_session()
        if session is not None:
            return session.run(found)
        with self.cached_session() as session:
            return session.run(found)

    def _arrays(self, value: Any) -> Any:
        """Tensors in a structure as arrays; ragged ones as lists."""
        in_graph = _graphs() is not None

        def array(leaf: Any) -> Any:
            if isinstance(leaf, Held):
                return self.evaluate(leaf) if in_graph else np.array(leaf)[()]
            return leaf.to_list() if hasattr(leaf, "to_list") else leaf

        return nest.map_structure(array, value)

    def evaluate_if_both_tensors(self, a: Any, b: Any) -> tuple[Any, Any]:
        """The values of two tensors as arrays; what else is given, as it is."""
        both = isinstance(a, Held) and isinstance(b, Held) and executing_eagerly()
        return (self._arrays(a), self._arrays(b)) if both else (a, b)

    @contextlib.contextmanager
    def session(self, graph: Any = None, config: Any = None, **options: Any) -> Iterator[Any]:
        """A session of the default graph of TensorFlow 1, or of another one, as the default one.
        Where code runs eagerly, an object whose `run` evaluates."""
        graphs = _graphs()
        if graphs is None:
            yield _Session(self)
            return
        with graphs.Session(graph=graph, config=config) as session:
            yield session

    @contextlib.contextmanager
    def cached_session(
        self, graph: Any = None, config: Any = None, **options: Any
    ) -> Iterator[Any]:
        """As `session`, but one for the whole test, where Variables keep their values."""
        graphs = _graphs()
        if graphs is None:
            yield _Session(self)
            return
        if self._kept is None:
            self._kept = graphs.Session(graph=graph, config=config)
            self.addCleanup(self._forget)
        elif graph is not None and graph is not self._kept.graph:
            raise ValueError(
                "The graph used to get the cached session is different than the one "
                "that was used to create the session. Maybe create a new session "
                "with self.session()"
            )
        with self._kept.graph.as_default(), self._kept.as_default():
            yield self._kept

    def _forget(self) -> None:
        """Close the session of the test."""
        self._kept.close()
        self._kept = None

    def test_session(self, graph: Any = None, config: Any = None, **options: Any) -> Any:
        """`cached_session`, or `session` where a graph is named."""
        kind = self.cached_session if graph is None else self.session
        return kind(graph, config, **options)

    def assertSequenceAlmostEqual(
        self,
        expected_seq: Any,
        actual_seq: Any,
        places: Any = None,
        msg: str | None = None,
        delta: Any = None,
    ) -> None:
        """As many numbers, each almost equal to the other's (see `assertAlmostEqual`)."""
        self.assertEqual(len(expected_seq), len(actual_seq), msg)
        options: Any = {"places": places, "msg": msg, "delta": delta}
        for x, y in zip(expected_seq, actual_seq, strict=True):
            self.assertAlmostEqual(x, y, **options)

    def _pair(self, a: Any, b: Any, msg: str | None) -> tuple[np.ndarray, np.ndarray]:
        """Two values as arrays of one shape."""
        x, y = (np.asarray(self._arrays(v)) for v in (a, b))
        self.assertEqual(x.shape, y.shape, f"Shape mismatch. {msg or ''}")
        return x, y

    # Equality.

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """The same shape and elements (nan equals nan)."""
        a, b = self._arrays(a), self._arrays(b)
        try:
            x, y = np.asarray(a), np.asarray(b)
        except ValueError:  # ragged lists
            self.assertEqual(a, b, msg)
            return
        self.assertEqual(x.shape, y.shape, f"Shape mismatch. {msg or ''}")
        np.testing.assert_array_equal(x, y, err_msg=msg or "")

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Another shape, or another element somewhere."""
        if np.array_equal(self._arrays(a), self._arrays(b)):
            self.fail(msg or "the two values are equal at all elements")

    # Nearness.

    def assertAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """|a - b| <= atol + rtol * |b|, in nested structures too."""
        self._close(self._arrays(a), self._arrays(b), rtol, atol, msg, "")

    def _close(self, a: Any, b: Any, rtol: float, atol: float, msg: str | None, path: str) -> None:
        a, b = (v._asdict() if hasattr(v, "_asdict") else v for v in (a, b))
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            self.assertTrue(
                isinstance(a, Mapping) and isinstance(b, Mapping) and set(a) == set(b),
                f"a{path} and b{path} have other keys. {msg or ''}",
            )
            for key in a:
                self._close(a[key], b[key], rtol, atol, msg, f"{path}[{key!r}]")
            return
        lists = isinstance(a, list | tuple) and isinstance(b, list | tuple)
        try:
            x, y = np.asarray(self._arrays(a)), np.asarray(self._arrays(b))
        except ValueError:
            x = y = np.asarray(None)
        if lists and (x.dtype == object or y.dtype == object):
            self.assertEqual(len(a), len(b), f"a{path} and b{path} differ in length. {msg or ''}")
            for i, (p, q) in enumerate(zip(a, b, strict=True)):
                self._close(p, q, rtol, atol, msg, f"{path}[{i}]")
            return
        self.assertEqual(x.shape, y.shape, f"Shape mismatch at a{path}. {msg or ''}")
        if x.dtype.name in _LOW or y.dtype.name in _LOW:
            x, y = x.astype(np.float32), y.astype(np.float32)
        note = f"a{path} and b{path}. {msg or ''}"
        if np.ndim(rtol) or np.ndim(atol):  # a bound for each element, which NumPy cannot print
            self.assertTrue(np.allclose(x, y, rtol, atol, equal_nan=True), note)
        else:
            np.testing.assert_allclose(x, y, rtol, atol, err_msg=note)

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:
        """As `assertAllClose`, with the tolerances of the less exact of the two dtypes."""
        a, b = self._arrays(a), self._arrays(b)
        names = {np.asarray(leaf).dtype.name for leaf in (*nest.flatten(a), *nest.flatten(b))}
        for kinds, kind_rtol, kind_atol in (
            (("float32", "complex64"), float_rtol, float_atol),
            (("float16",), half_rtol, half_atol),
            (("bfloat16",), bfloat16_rtol, bfloat16_atol),
        ):
            if names & set(kinds):
                rtol, atol = max(rtol, kind_rtol), max(atol, kind_atol)
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNotAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Not `assertAllClose`."""
        try:
            self.assertAllClose(a, b, rtol, atol)
        except AssertionError:
            return
        self.fail(msg or "the two values are close at all elements")

    def assertNear(self, f1: Any, f2: Any, err: Any, msg: str | None = None) -> None:
        """|f1 - f2| <= err, of two numbers."""
        if not (f1 == f2 or abs(f1 - f2) <= err):
            self.fail(f"{f1!r} != {f2!r} +/- {err!r}" + (f" ({msg})" if msg else ""))

    def assertArrayNear(
        self, farray1: Sequence[Any], farray2: Sequence[Any], err: Any, msg: str | None = None
    ) -> None:
        """`assertNear` of each pair of numbers."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2, strict=True):
            self.assertNear(float(f1), float(f2), err, msg)

    def assertNDArrayNear(
        self, ndarray1: Any, ndarray2: Any, err: Any, msg: str | None = None
    ) -> None:
        """The Euclidean distance of two arrays is less than `err`."""
        x, y = self._pair(ndarray1, ndarray2, msg)
        self.assertTrue(bool(np.linalg.norm(x - y) < err), msg)

    # Order.

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater."""
        self._all(a, lambda x: x > comparison_target, f"> {comparison_target}")

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Every element is less."""
        self._all(a, lambda x: x < comparison_target, f"< {comparison_target}")

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """No element is less."""
        self._all(a, lambda x: x >= comparison_target, f">= {comparison_target}")

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """No element is greater."""
        self._all(a, lambda x: x <= comparison_target, f"<= {comparison_target}")

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Every element lies within the bounds, which belong to them unless they are open."""

        def inside(x: np.ndarray) -> np.ndarray:
            above = x > lower_bound if open_lower_bound else x >= lower_bound
            return above & (x < upper_bound if open_upper_bound else x <= upper_bound)

        first, last = "(" if open_lower_bound else "[", ")" if open_upper_bound else "]"
        bounds = f"{first}{lower_bound}, {upper_bound}{last}"
        x = np.asarray(self._arrays(target))
        wrong = ~np.broadcast_to(inside(x), x.shape)
        if wrong.any():
            places = [f"{place} : {x[tuple(place)]}" for place in np.argwhere(wrong)[:10].tolist()]
            self.fail(
                f"{int(wrong.sum())} of the {x.size} element(s) are outside the range {bounds}. "
                "Subscript(s) and value(s) of the offending elements:\n" + "\n".join(places)
            )

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Every element is one of these."""
        found = np.unique(np.asarray(self._arrays(target)))
        wrong = found[~np.isin(found, list(expected_set))]
        if wrong.size:
            self.fail(
                f"{wrong.size} unique element(s) are not in the set {expected_set}: {wrong[:10]}"
            )

    def _all(self, target: Any, holds: Callable[[np.ndarray], Any], what: str) -> None:
        x = np.asarray(self._arrays(target))
        wrong = x[~np.broadcast_to(np.asarray(holds(x)), x.shape)]
        if wrong.size:
            self.fail(f"{wrong.size} elements are not {what}: {wrong[:10]}")

    # Kinds.

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """The same shape."""
        self.assertEqual(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertDTypeEqual(self, target: Any, expected_dtype: DTypeLike) -> None:
        """The elements have this dtype."""
        self.assertIs(as_dtype(np.asarray(self._arrays(target)).dtype), as_dtype(expected_dtype))

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: str | None = None) -> None:
        """Two names of one device."""

        def short(name: Any) -> str:
            return re.sub(r"^.*?(?:device:)?(\w+:\d+)$", r"\1", str(name)).upper()

        self.assertEqual(short(device1), short(device2), msg)

    def assertStartsWith(self, actual: Any, expected_start: Any, msg: Any = None) -> None:
        """A text begins so."""
        self.assertTrue(
            actual.startswith(expected_start),
            msg or f"{actual!r} does not start with {expected_start!r}",
        )

    # Errors.

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: type[BaseException], expected_err_re_or_predicate: Any
    ) -> Iterator[None]:
        """What is inside raises an error whose message has the pattern, or which satisfies the
        predicate."""
        try:
            yield
        except exception_type as error:
            if callable(expected_err_re_or_predicate):
                fits = bool(expected_err_re_or_predicate(error))
            else:
                fits = re.search(expected_err_re_or_predicate, str(error)) is not None
            if not fits:
                raise AssertionError(f"another error was expected than {error!r}") from error
        else:
            self.fail(f"{exception_type.__name__} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """What is inside raises an `OpError` whose message has the pattern."""
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(
        self, exception_type: type[BaseException] = errors.InvalidArgumentError
    ) -> Any:
        """What is inside raises an error that tells that shapes do not fit."""
        return self.assertRaisesWithPredicateMatch(
            exception_type, r"[Ss]hape|[Dd]imension|[Ss]ize|broadcast"
        )

    assertItemsEqual = unittest.TestCase.assertCountEqual  # noqa: N815
    assertRaisesRegexp = unittest.TestCase.assertRaisesRegex  # noqa: N815

    # Containers, as Abseil's TestCase has them, which TensorFlow's is derived from.

    def assertLen(self, container: Any, expected_len: int, msg: str | None = None) -> None:
        """The number of items."""
        self.assertEqual(len(container), expected_len, msg)

    def assertEmpty(self, container: Any, msg: str | None = None) -> None:
        """There are no items."""
        self.assertEqual(len(container), 0, msg)

    def assertNotEmpty(self, container: Any, msg: str | None = None) -> None:
        """There are items."""
        self.assertGreater(len(container), 0, msg)

    def assertBetween(self, value: Any, minv: Any, maxv: Any, msg: str | None = None) -> None:
        """The value lies within the bounds, which belong to them."""
        self.assertTrue(minv <= value <= maxv, msg or f"{value!r} is not in [{minv}, {maxv}]")

    def assertContainsSubset(
        self, expected_subset: Any, actual_set: Any, msg: str | None = None
    ) -> None:
        """All expected items are there."""
        missing = set(expected_subset) - set(actual_set)
        self.assertFalse(missing, msg or f"missing: {missing}")
