"""Calls of public functions, with arguments that nobody should give them.

Subjects are the calls that the catalogue of cases (tests/cases) makes, and those in the examples of
the docstrings of functions that it does not have. They are recorded: a function of a façade notes
its arguments where it is called from outside of tfc.
"""

from __future__ import annotations

import contextlib
import doctest
import functools
import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import tfc as tf
from tests import bad_inputs
from tests.cases import CASES
from tests.fuzz.inputs.attempts import RESULT, Kind, counted

# What writes, waits, or changes the process.
LEFT_OUT = ("config", "write", "save", "test.", "fork", "sleep", "experimental.numpy", "print")
WORDS = (
    "",
    "SAME",
    "valid",
    "NHWC",
    "reflect",
    "nearest",
    "é",
    "a" * 300,
    "float32",
    "i,j->",
    "\0",
)
NUMBERS = (-1, 0, 1, 2, 3, -2, 5, 7, 2**31 - 1, -(2**31), 2**31, 2**40, 2**63 - 1, 2**64, 1e300)
NUMBERS += (0.5, float("nan"), float("inf"), True)  # type: ignore[assignment]
DTYPES = ("float32", "float64", "int32", "int64", "uint8", "bool", "float16", "complex64", "int8")
BAD = tuple(bad_inputs.arguments().items())
ELEMENTS = 4096  # of arrays that edits make


@dataclass(frozen=True)
class Given:
    """An argument that is a tensor, by its elements."""

    array: np.ndarray
    variable: bool = False


@dataclass(frozen=True)
class Call:
    """A function by its public name, and what it is called with; makers make what they stand for
    when it is called."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Made:
    """A bad argument, made anew at each call."""

    def __init__(self, label: str, make: Callable[[], Any]) -> None:
        self.label, self.make = label, make

    def __repr__(self) -> str:
        return f"<{self.label}>"


# Recording.

Notes = list[Call]
_notes: Notes | None = None


@cache
def public() -> dict[str, Callable[..., Any]]:
    """Functions by name. (What is a class is called as its instances are used, not here.)"""
    return {
        name.removeprefix("tf."): f
        for name, f in bad_inputs.functions()
        if not inspect.isclass(f) and not any(word in name for word in LEFT_OUT)
    }


@cache
def names() -> dict[int, str]:
    return {id(f): name for name, f in public().items()}


def noting(name: str, f: Callable[..., Any]) -> Callable[..., Any]:
    def called(*args: Any, **kwargs: Any) -> Any:
        global _notes
        notes, _notes = _notes, None  # what it calls is not noted
        if notes is None:
            return f(*args, **kwargs)
        try:
            notes.append(Call(name, plain(args), plain(kwargs)))
            return f(*args, **kwargs)
        finally:
            _notes = notes

    called.__doc__ = f.__doc__
    return called


@cache
def noters() -> tuple[tuple[Any, str, Any, Any], ...]:
    """Of each public function in each façade: what stands there, and what notes its calls."""
    return tuple(
        (space, key, value, noting(names()[id(value)], value))
        for space in (tf, *map(space_of, bad_inputs.SPACES.split()))
        for key, value in vars(space).items()
        if id(value) in names()
    )


def plain(value: Any) -> Any:
    """Tensors as their elements; those of a trace, which have none, as some of their shape."""
    if isinstance(value, tf.Tensor | tf.Variable):
        if value.dtype == tf.string:
            return value
        try:
            array = np.array(value)
        except Exception:
            shape = [2 if d is None else d for d in value.shape]
            array = np.ones(shape, value.dtype.as_numpy_dtype)
        return Given(array, isinstance(value, tf.Variable))
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(plain(v) for v in value)
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


@contextlib.contextmanager
def recorded() -> Iterator[Notes]:
    """What is called of the public functions meanwhile, from outside."""
    global _notes
    for space, key, _, noter in noters():
        setattr(space, key, noter)
    notes: Notes = []
    _notes = notes
    try:
        yield notes
    finally:
        _notes = None
        for space, key, value, _ in noters():
            setattr(space, key, value)


def space_of(path: str) -> Any:
    return functools.reduce(getattr, path.split("."), tf)


@cache
def documented() -> tuple[str, ...]:
    """Functions whose calls come from the examples of their docstrings."""
    have = {c.name for c in CASES}
    return tuple(
        name
        for name, f in public().items()
        if name.rpartition(".")[2] not in have and ">>>" in (f.__doc__ or "")
    )


@cache
def calls(seed: int) -> tuple[Call, ...]:
    """The calls that a case makes (while it is traced, so that nothing is compiled), or those of an
    example."""
    if seed < len(CASES):
        case = CASES[seed]
        own = names().get(id(case.call))
        if own:
            return (Call(own, tuple(map(Given, case.arrays)), {}),)
        with recorded() as notes, contextlib.suppress(Exception):
            specs = [tf.TensorSpec(a.shape, a.dtype) for a in case.arrays]
            tf.function(case.call, autograph=False).get_concrete_function(*specs)
    else:
        f = public()[documented()[seed - len(CASES)]]
        found = doctest.DocTestFinder(recurse=False).find(f, globs={"tf": tf, "np": np})
        with recorded() as notes:
            for test in found:
                doctest.DocTestRunner(verbose=False).run(test, out=lambda text: None)
    return tuple(c for c in notes if c.name in public()) or (Call("identity", (1,), {}),)


# Edits.


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in arguments."""
    if path:
        yield path
    if type(value) in (list, tuple):  # a named tuple may have any constructor
        for i, v in enumerate(value):
            yield from paths(v, (*path, i))
    elif isinstance(value, dict):
        for k, v in value.items():
            yield from paths(v, (*path, k))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    if isinstance(value, dict):
        return {k: put(v, path[1:], new) if k == path[0] else v for k, v in value.items()}
    return type(value)(put(v, path[1:], new) if i == path[0] else v for i, v in enumerate(value))


def other_array(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """Another shape, dtype, layout or other elements."""
    way = rng.randrange(8)
    with np.errstate(all="ignore"):
        if way == 0:
            kind = tf.as_dtype(rng.choice(DTYPES)).as_numpy_dtype
            if array.dtype.kind in "OSUV":
                return np.ones(array.shape, kind)
            return (array.real if array.dtype.kind == "c" else array).astype(kind)
        if way == 1:
            return array[None] if rng.random() < 0.5 else array[..., None]
        if way == 2 and array.ndim:
            return array.take(0, rng.randrange(array.ndim)) if array.size else array.reshape(-1)
        if way == 3 and array.ndim:
            shape = list(array.shape)
            shape[rng.randrange(array.ndim)] = rng.choice((0, 1, 2, 3, 7))
            if np.prod(shape) <= ELEMENTS:
                return np.resize(array, shape) if array.size else np.zeros(shape, array.dtype)
        if way == 4 and array.size:
            changed = array.copy()
            number: Any = rng.choice((-1, 0, 1, 2, 100, -(2**31), 2**31 - 1))
            if array.dtype.kind not in "iub":
                number = rng.choice((np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 1e30))
            if array.dtype.kind in "iubfc":
                changed.flat[rng.randrange(array.size)] = np.asarray(number).astype(array.dtype)
            return changed
        if way == 5 and array.ndim > 1:
            return array.T
        if way == 6:
            return array.reshape(-1)
        return np.broadcast_to(array, (2, *array.shape)) if array.size < ELEMENTS else array


def other(value: Any, rng: random.Random) -> Any:
    """Something else of the same kind, or something that nobody should give."""
    if rng.random() < 0.25:
        label, make = rng.choice(BAD)
        return Made(label, make)
    if isinstance(value, Given):
        way = rng.randrange(12)
        if way == 0:
            return Given(value.array, not value.variable)
        if way == 1:
            return value.array.tolist()
        return Given(other_array(value.array, rng), value.variable)
    if isinstance(value, np.ndarray):
        return other_array(value, rng)
    if isinstance(value, str):
        return rng.choice((*WORDS, value.upper(), value[1:], value + value[:1]))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return rng.choice((*NUMBERS, value + 1, value - 1, -value))
    if type(value) in (list, tuple):
        items = list(value)
        way = rng.randrange(4)
        if way == 0 and items:
            del items[rng.randrange(len(items))]
        elif way == 1:
            items.append(items[0] if items else rng.choice(NUMBERS))
        elif way == 2:
            items = items[::-1]
        else:
            items = [items]
        return type(value)(items) if rng.random() < 0.8 else items
    return rng.choice((None, 0, 1.5, "x", [], value))


@cache
def keywords(name: str) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(public()[name]).parameters.values()
    except (TypeError, ValueError):
        return ()
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(p.name for p in parameters if p.kind in kinds and p.name not in ("stream", "f"))


class Calls(Kind):
    """Eagerly, traced with sizes known and unknown, and under a tape."""

    name = "calls"
    weight = 8

    def names(self) -> list[str]:
        return counted([*(c.name for c in CASES), *documented()])

    def subject(self, seed: int) -> Call:
        found = calls(seed)
        return found[seed % len(found)]

    def edit(self, subject: Call, rng: random.Random) -> Call:
        args, kwargs = subject.args, subject.kwargs
        way = rng.randrange(16)
        if way == 0 and args:
            i = rng.randrange(len(args))
            return Call(subject.name, args[:i] + args[i + 1 :], kwargs)
        if way == 1 and len(args) > 1:
            return Call(subject.name, args[::-1], kwargs)
        if way == 2:
            more = rng.choice(args) if args and rng.random() < 0.5 else other(1, rng)
            return Call(subject.name, (*args, more), kwargs)
        if way in (3, 4, 5) and keywords(subject.name):
            key = rng.choice(keywords(subject.name))
            seeds: tuple[Any, ...] = (1, "x", [1, 2], 0.5, True, Given(np.ones((2, 2), np.float32)))
            return Call(subject.name, args, {**kwargs, key: other(rng.choice(seeds), rng)})
        places = list(paths((args, kwargs)))[2:]  # not `args` and `kwargs` themselves
        places = [p for p in places if len(p) > 1]
        if not places:
            return Call(subject.name, (other(1, rng),), kwargs)
        place = rng.choice(places)
        args, kwargs = put((args, kwargs), place, other(at((args, kwargs), place), rng))
        return Call(subject.name, args, kwargs)

    def run(self, subject: Call, rng: random.Random) -> str:
        f, way = public()[subject.name], rng.randrange(8)
        args, kwargs = made(subject.args), made(subject.kwargs)
        if way < 3:
            f(*args, **kwargs)
        elif way < 7:
            traced(f, args, kwargs, known=rng.random() < 0.5)
        else:
            with tf.GradientTape() as tape:
                sources = [a for a in args if isinstance(a, tf.Tensor) and a.dtype.is_floating]
                tape.watch(sources)
                results = f(*args, **kwargs)
            targets = [t for t in tf.nest.flatten(results) if isinstance(t, tf.Tensor)]
            tape.gradient([t for t in targets if t.dtype.is_floating], sources)
        return RESULT

    def shown(self, subject: Call) -> str:
        with np.printoptions(threshold=20):
            parts = [*map(repr, subject.args), *(f"{k}={v!r}" for k, v in subject.kwargs.items())]
        return f"tf.{subject.name}({', '.join(parts)})"


def made(value: Any) -> Any:
    """Arguments as they are given."""
    if isinstance(value, Given):
        return tf.Variable(value.array) if value.variable else tf.constant(value.array)
    if isinstance(value, Made):
        return value.make()
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(made(v) for v in value)
    if isinstance(value, dict):
        return {k: made(v) for k, v in value.items()}
    return value


def traced(f: Callable[..., Any], args: Any, kwargs: Any, known: bool) -> None:
    """Trace a call with its tensors as parameters, and lower what comes of it."""
    leaves = [a for a in args if isinstance(a, tf.Tensor) and a.dtype != tf.string]
    specs = [tf.TensorSpec(t.shape if known else [None] * t.ndim, t.dtype) for t in leaves]

    def call(*tensors: Any) -> Any:
        given = iter(tensors)
        return f(*[next(given) if any(a is t for t in leaves) else a for a in args], **kwargs)

    tf.function(call, autograph=False).get_concrete_function(*specs)
