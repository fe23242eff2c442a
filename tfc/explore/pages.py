"""From functions to a page in a file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..core import blame, errors
from ..core.context import active, context, user_location
from ..core.formatting import shown as shown_value
from ..core.nest import flatten
from ..core.tensor import Tensor
from ..core.type_specs import TypeSpec
from ..function.concrete import ConcreteFunction
from ..function.polymorphic import function
from ..ops.arguments import flag
from . import page
from .program import Shown, name_of, shown
from .rows import Lines
from .source import source

Call = tuple[ConcreteFunction, Sequence[Tensor] | None]  # a function, and arguments that it had
Path = str | os.PathLike[str] | None


def explore_call(f: Any, args: Any, kwargs: Any, path: Path, measure: bool, gpu: bool) -> str:
    """See `tfc.explore`."""
    if not callable(f):
        raise blame.type_error(f"f must be a function, got {shown_value(f)}", "explore")
    concrete = f
    if not isinstance(f, ConcreteFunction):
        traced = f if hasattr(f, "get_concrete_function") else function(f)
        concrete = traced.get_concrete_function(*args, **kwargs)
    specs = any(isinstance(a, TypeSpec) for a in flatten((args, kwargs)))
    alone = f is concrete and not args and not kwargs
    tensors = None if specs or alone else _fitting(concrete, args, kwargs)
    return explore_all([(concrete, tensors)], path, measure, gpu)


def _fitting(concrete: ConcreteFunction, args: Any, kwargs: Any) -> list[Tensor]:
    """The tensors of a call; what a call with them raises where they do not fit."""
    tensors = concrete.arguments.tensors_of(args, kwargs)
    concrete._check(tensors)
    return tensors


def explore_concrete(
    concrete: ConcreteFunction, path: Path, args: Any, measure: bool, gpu: bool
) -> str:
    """See `ConcreteFunction.explore`."""
    tensors = None if args is None else _fitting(concrete, tuple(args), {})
    return explore_all([(concrete, tensors)], path, measure, gpu)


def explore_all(calls: Sequence[Call], path: Path, measure: bool, gpu: bool) -> str:
    """Write one page of several functions; its path."""
    if context.trace is not None:
        raise errors.FailedPreconditionError(
            "explore cannot run inside of a tfc.function", location=user_location()
        )
    measure, gpu = flag(measure, "measure", "explore"), flag(gpu, "gpu", "explore")
    if path is not None:  # before anything is measured
        folder = os.path.dirname(os.path.abspath(os.fspath(path)))
        if not os.path.isdir(folder):
            raise FileNotFoundError(f"explore: there is no folder {folder} ({user_location()})")
    with active(trace=None, tapes=()):
        return page.write(text(calls, measure=measure, gpu=gpu), path, calls[0][0].name)


def text(calls: Sequence[Call], *, measure: bool = True, gpu: bool = False) -> str:
    """The page of several functions."""
    lines = Lines()
    programs = []
    for concrete, tensors in calls:
        found = shown(concrete, tensors, lines, measure=measure, gpu=gpu)
        programs.append(found)
        _main_file(found, lines)
    _tell_apart(programs, lines)
    for found in programs:
        found.columns.insert(0, source(_lines_of(found, lines)))
    return page.html(programs, lines)


def _tell_apart(programs: Sequence[Shown], lines: Lines) -> None:
    """Give functions with one label, such as lambdas, another one: the first line that they have
    of their file, and where that does not help, their numbers."""
    known = list(lines.known)
    same = Counter(found.label for found in programs)
    for found in programs:
        own = {known[n] for row in found.columns[0].rows for n in row.lines}
        first = min((line.number for line in own if line.file == found.file), default=0)
        if same[found.label] > 1 and first:
            found.label += f", line {first}"
    same = Counter(found.label for found in programs)
    seen: Counter[str] = Counter()
    for found in programs:
        if same[found.label] > 1:
            seen[found.label] += 1
            found.label += f" ({seen[found.label]})"


def _main_file(found: Shown, lines: Lines) -> None:
    """Note the file that most of its traced ops come from."""
    known = list(lines.known)
    files = Counter(known[n].file for c in found.columns[:1] for row in c.rows for n in row.lines)
    found.file = files.most_common(1)[0][0] if files else ""


def _lines_of(found: Shown, lines: Lines) -> Lines:
    """The lines that one function has to do with, with the numbers of the page."""
    used = {n for column in found.columns for row in column.rows for n in row.lines}
    own = Lines()
    own.known = {line: n for line, n in lines.known.items() if n in used}
    return own


__all__ = ["explore_all", "explore_call", "explore_concrete", "name_of", "text"]
