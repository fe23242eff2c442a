"""Calls every public function with arguments that nobody should give it.

    python -m tests.bad_inputs [share [offset]]      the calls whose number is offset modulo share

Each call must return, or raise a clear error: TypeError, ValueError, NotImplementedError or one
of `tfc.errors`, with a message of its own. It prints a line for each that does not; the process
must survive, and no call may take long. tests/test_bad_inputs.py runs a part of them.
"""

from __future__ import annotations

import argparse
import contextlib
import enum
import faulthandler
import inspect
import io
import re
import signal
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tfc as tf

SECONDS = 20  # a call that takes longer hangs
SPACES = (
    "bitwise config config.experimental debugging image linalg math nest nn random "
    "random.experimental signal test io quantization ragged sets sparse strings"
)
# What waits, changes the process, or takes any object.
LEFT_OUT = {
    "main",
    "Structure",
    "run_functions_eagerly",
    "set_soft_device_placement",
    "TestCase",
    "init_scope",
    "write_file",
    "hessians",  # as gradients
    "gradients",  # for functions: eagerly a RuntimeError, as in TensorFlow
}

CLEAR = (TypeError, ValueError, NotImplementedError, tf.errors.OpError)
# What Python and NumPy say when code is surprised: it tells the user nothing of the call. (That a
# number is not iterable or callable does.)
UNCLEAR = re.compile(
    r"object has no attribute|truth value of an? |not enough values|too many values|cannot unpack"
    r"|index out of range|has inhomogeneous|setting an array element|only length-1 arrays|ufunc "
    r"|can't multiply|can only concatenate|concatenate str|got an unexpected keyword"
)


class Hostile:
    """An object that fails when it is looked at."""

    OWN = "leave me"

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(self.OWN)

    def __repr__(self) -> str:
        raise RuntimeError(self.OWN)


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def misaligned() -> np.ndarray:
    memory = np.zeros(4 * 4 + 1, np.uint8)
    array = memory[1:].view(np.float32)
    array[:] = [1, 2, 3, 4]
    assert not array.flags.aligned
    return array.reshape(2, 2)


def read_only() -> np.ndarray:
    array = np.ones((2, 2), np.float32)
    array.flags.writeable = False
    return array


def arguments() -> dict[str, Callable[[], Any]]:
    """By name, how to make each bad argument, or array of an unusual kind."""
    endless: list[Any] = []
    endless.append(endless)
    return {
        "none": lambda: None,
        "text": lambda: "text",
        "bytes": lambda: b"\xff",
        "object": object,
        "hostile": Hostile,
        "empty": lambda: [],
        "dict": lambda: {"a": 1},
        "set": lambda: {1, 2},
        "generator": lambda: (i for i in range(2)),
        "function": lambda: lambda: 1,
        "class": lambda: int,
        "ragged": lambda: [[1.0], [2.0, 3.0]],
        "mixed": lambda: [1.0, "a", None],
        "deep": lambda: nested(200),
        "endless": lambda: endless,
        "minus": lambda: -1,
        "huge": lambda: 2**70,
        "far": lambda: 2**40,
        "shape": lambda: [2**40, 2**40, 2**40],
        "large": lambda: [2**40, 8],
        "negative": lambda: [-3, -2],
        "fraction": lambda: 1.5,
        "nan": lambda: float("nan"),
        "bool": lambda: True,
        "complex": lambda: 1 + 2j,
        "scalar": lambda: np.float32(2),
        "int": lambda: 1,
        "zero": lambda: 0,
        "vector": lambda: np.arange(3),
        "floats": lambda: np.ones(3, np.float32),
        "nothing": lambda: np.zeros((0, 3), np.float32),
        "rank5": lambda: np.zeros((1, 2, 1, 2, 1), np.float32),
        "rank40": lambda: np.zeros((1,) * 40, np.float32),
        "objects": lambda: np.array([object(), None]),
        "strings": lambda: np.array(["a", "b"]),
        "dates": lambda: np.array(["2020-01-01"], "datetime64[D]"),
        "record": lambda: np.zeros(2, [("a", "i4")]),
        "big_endian": lambda: np.ones((2, 2), ">f4"),
        "strided": lambda: np.ones((4, 4), np.float32)[::2, ::-2],
        "read_only": read_only,
        "misaligned": misaligned,
        "wide": lambda: np.ones((2, 2), np.longdouble),
        "half": lambda: np.ones((2, 2), np.float16),
        "mask": lambda: np.array([[True, False], [False, True]]),
        "variable": lambda: tf.Variable([[1.0, 2.0], [3.0, 4.0]]),
        "spec": lambda: tf.TensorSpec([2]),
        "dtype": lambda: tf.float32,
        "unknown": lambda: tf.TensorShape([None, 2]),
    }


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All public functions and classes that are no exceptions, once each."""
    seen: set[int] = set()
    for path in ["", *SPACES.split()]:
        space: Any = tf
        for part in path.split(".") if path else []:
            space = getattr(space, part)
        listed = getattr(space, "__all__", None) or [n for n in vars(space) if n[0] != "_"]
        for name in sorted(listed):
            value = getattr(space, name)
            ours = str(getattr(value, "__module__", "")).startswith("tfc")
            if not callable(value) or id(value) in seen or name in LEFT_OUT or not ours:
                continue
            if inspect.isclass(value) and issubclass(value, BaseException | type | enum.Enum):
                continue
            seen.add(id(value))
            yield f"tf.{path}.{name}".replace("..", "."), value


def required(f: Callable[..., Any]) -> int | None:
    """How many positional arguments a function needs; None where that cannot be told."""
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p for p in parameters if p.kind in kinds and p.default is p.empty]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return max(1, len(needed))
    return max(len(needed), 1 if any(p.kind in kinds for p in parameters) else 0)


FINE: tuple[Callable[[], Any], ...] = (
    lambda: np.array([[1.0, 2.0], [3.0, 4.0]], np.float32),
    lambda: np.array([0, 1]),
    lambda: 1,
)


def calls() -> Iterator[tuple[str, Callable[..., Any], list[Callable[[], Any]]]]:
    """Every call: a bad argument everywhere, or at one place beside fine ones."""
    bad = arguments()
    for name, f in functions():
        count = required(f)
        if not count:
            continue
        for label, make in bad.items():
            yield f"{name}({', '.join([label] * count)})", f, [make] * count
            if count > 1:
                for place in range(count):
                    fine = FINE[sum(map(ord, label)) % len(FINE)]
                    others = [fine] * count
                    others[place] = make
                    yield f"{name}({label} at {place})", f, others


class Hangs(BaseException):
    """A call takes too long."""


def _alarm(*_: Any) -> None:
    raise Hangs


def verdict(f: Callable[..., Any], makers: list[Callable[[], Any]]) -> str | None:
    """What is wrong with how a call ended, or None."""
    given = [make() for make in makers]
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f(*given)
    except tf.errors.InternalError as error:
        return f"InternalError: {error}"
    except CLEAR as error:
        try:
            text = str(error)
        except Exception:
            return f"{type(error).__name__} without a text"
        if UNCLEAR.search(text) and not re.search(r"\[Op:| \(.*:\d+\)", text):
            return f"{type(error).__name__}: {text:.150}"
    except Hangs:
        return "hangs"
    except BaseException as error:
        if isinstance(error, RuntimeError) and str(error) == Hostile.OWN:
            return None  # what the user's own code raised
        return f"{type(error).__name__}: {error!s:.150}"
    finally:
        signal.alarm(0)
    return None


def main() -> None:
    """Run the calls and print what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("share", type=int, nargs="?", default=1)
    parser.add_argument("offset", type=int, nargs="?", default=0)
    parser.add_argument("--only", default="", help="calls with this in their text")
    parser.add_argument("--trace", action="store_true", help="print each call before it runs")
    options = parser.parse_args()
    faulthandler.enable()
    signal.signal(signal.SIGALRM, _alarm)
    number = bad = 0
    for i, (label, f, makers) in enumerate(calls()):
        if i % options.share != options.offset or options.only not in label:
            continue
        number += 1
        if options.trace:
            print(label, flush=True)
        wrong = verdict(f, makers)
        if wrong:
            bad += 1
            print(f"{label}: {wrong}", flush=True)
    print(f"{number} calls, {bad} wrong")


if __name__ == "__main__":
    main()
