"""Calls public functions with numbers that are legal and extreme, on small tensors.

    python -m tests.extreme_values [--share N [--offset K]] [--only WORD]

The calls are those of tests/cases, with one of their Python numbers (a stride, a size, an axis, a
count), or all in one list, replaced; each in one of four ways: eagerly, under a tape, in a function
with known sizes, and with unknown ones. A call must end with a result or an error within a minute:
work that grows with a number where the tensors are small is what this looks for, in the compiler as
in what it compiles. Results that are large themselves are errors here, since the memory of the
process is bounded. The process prints each call before it runs, so that one that never ends, or
kills it, is named by who started it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import tfc as tf
from tests.cases import CASES, NAMESPACES
from tfc import nest

SECONDS = 60.0
MEMORY = 1 << 30  # bytes beyond what the process has when it begins
EXTREMES = (2**31 - 1, 2**62, -(2**31))
# What waits, by design, for as many rounds as it is told.
LEFT_OUT = {"while_loop"}
# What makes arguments of other calls.
MAKERS = {"constant", "cast", "convert_to_tensor", "zeros", "ones", "range", "reshape", "complex"}


class Call(NamedTuple):
    """A call of a public function."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def functions() -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """Module, name and value of all public functions of the namespaces that have cases."""
    for module in NAMESPACES:
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and not isinstance(value, type) and name not in LEFT_OUT:
                yield module, name, value


class Recorded(Exception):
    """A call is known, and need not be made."""


@contextlib.contextmanager
def recording() -> Iterator[list[Call]]:
    """Public functions only note how they are called, but for those that make arguments."""
    calls: list[Call] = []

    def noting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            calls.append(Call(name, function, args, kwargs))
            if name in MAKERS:
                return function(*args, **kwargs)
            raise Recorded

        return call

    found = list(functions())
    for module, name, value in found:
        setattr(module, name, noting(name, value))
    try:
        yield calls
    finally:
        for module, name, value in found:
            setattr(module, name, value)


def recorded() -> Iterator[Call]:
    """The first call of a public function in each case, and those that make its arguments."""
    by_value = {id(value): name for _, name, value in functions()}
    everything: list[Call] = []
    as_tensor = tf.convert_to_tensor
    with recording() as calls:
        for case in CASES:
            operands = tuple(as_tensor(a) for a in case.arrays)
            if id(case.call) in by_value:
                calls.append(Call(by_value[id(case.call)], case.call, operands, {}))
                continue
            with contextlib.suppress(Recorded):
                case.call(*operands)
        everything += calls
    yield from everything


Path = tuple[Any, ...]


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, ...]]:
    """The numbers in a structure of arguments: each alone, and those of a list together."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list | tuple):
        numbers = [(*path, i) for i, item in enumerate(value) if type(item) is int]
        if path and len(numbers) > 1:
            yield tuple(numbers)
            # Those between the first and the last, which stand for batch and channels.
            if len(numbers) > 2:
                yield tuple(numbers[1:-1])
        for i, item in enumerate(value):
            yield from places(item, (*path, i))
    elif type(value) is int:
        yield (path,)


def replaced(value: Any, path: Path, number: int) -> Any:
    """A structure with another number at a place."""
    if not path:
        return number
    if isinstance(value, dict):
        return {**value, path[0]: replaced(value[path[0]], path[1:], number)}
    items = list(value)
    items[path[0]] = replaced(items[path[0]], path[1:], number)
    return type(value)(items) if type(value) in (list, tuple) else items


def extreme_calls() -> Iterator[tuple[str, Call]]:
    """All calls, with a text for each. The numbers of a function's further cases are tried where
    these have other arguments than its cases before."""
    seen: set[tuple[Any, ...]] = set()
    for call in recorded():
        arguments = {"args": call.args, "kwargs": call.kwargs}
        for paths, number in itertools.product(places(arguments), EXTREMES):
            ranks = tuple(getattr(a, "ndim", None) for a in call.args)
            key = (call.name, paths, number, ranks)
            if key in seen:
                continue
            seen.add(key)
            changed = arguments
            for path in paths:
                changed = replaced(changed, path, number)
            at = ", ".join(".".join(map(str, path)) for path in paths)
            text = f"{call.name} with {number} at {at}, ranks {ranks}"
            yield text, Call(call.name, call.function, changed["args"], changed["kwargs"])


def _tensors(call: Call) -> list[Any]:
    flat = nest.flatten((call.args, call.kwargs))
    return [v for v in flat if isinstance(v, tf.Tensor) and v.dtype != tf.string]


def _with(call: Call, tensors: list[Any]) -> Any:
    """The results of a call with other tensors."""
    rest = iter(tensors)

    def other(v: Any) -> Any:
        return next(rest) if isinstance(v, tf.Tensor) and v.dtype != tf.string else v

    args, kwargs = nest.map_structure(other, (call.args, call.kwargs))
    result = call.function(*args, **kwargs)
    return [v for v in nest.flatten(result) if isinstance(v, tf.Tensor)]


def eagerly(call: Call) -> None:
    call.function(*call.args, **call.kwargs)


def under_a_tape(call: Call) -> None:
    tensors = _tensors(call)
    with tf.GradientTape() as tape:
        tape.watch([t for t in tensors if t.dtype.is_floating])
        results = _with(call, tensors)
    tape.gradient([r for r in results if r.dtype.is_floating], tensors)


def in_a_function(call: Call) -> None:
    tf.function(lambda *tensors: _with(call, list(tensors)))(*_tensors(call))


def with_unknown_sizes(call: Call) -> None:
    """With the gradient, too: that is where strides are dilations."""
    tensors = _tensors(call)
    specs = [tf.TensorSpec([None] * t.ndim, t.dtype) for t in tensors]

    @tf.function(input_signature=specs)
    def both(*given: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([t for t in given if t.dtype.is_floating])
            results = _with(call, list(given))
        return results, tape.gradient([r for r in results if r.dtype.is_floating], list(given))

    both(*tensors)


WAYS = (eagerly, under_a_tape, in_a_function, with_unknown_sizes)


class Endless(BaseException):
    """A call takes too long, and can be interrupted."""


def _alarm(*_: Any) -> None:
    raise Endless


def verdict(way: Callable[[Call], None], call: Call) -> str | None:
    """What is wrong with how a call ended, or None."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with np.errstate(all="ignore"):
                way(call)
    except Endless:
        return "endless"
    except (tf.errors.InternalError, AssertionError) as error:
        return f"{type(error).__name__}: {error!s:.150}"
    except Exception:
        return None  # which errors are clear is the business of tests/bad_inputs.py
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def main() -> None:
    """Run the calls and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=int, default=1, help="one call in so many")
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--only", default="", help="calls with this in their text")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _alarm)
    with open("/proc/self/statm") as sizes:
        limit = int(sizes.read().split()[0]) * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    number = bad = 0
    all_calls = ((t, w, c) for t, c in extreme_calls() for w in WAYS)
    for i, (text, way, call) in enumerate(all_calls):
        text = f"{text}, {way.__name__}"
        if i % options.share != options.offset or options.only not in text:
            continue
        print(f"{text}: ", end="", flush=True)
        number += 1
        wrong = verdict(way, call)
        bad += wrong is not None
        print(wrong or "ends", flush=True)
    print(f"{number} calls, {bad} wrong")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
