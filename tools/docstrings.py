"""Which public functions say what they take, give and raise.

A docstring has sections in Google's style, before its example:

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor like `x`.

    Raises:
        InvalidArgumentError: If ...

    python -m tools.docstrings              counts by namespace
    python -m tools.docstrings --missing    and the functions that do not

The parameter `name`, which every op has and which names it in errors alone, need not be said.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import tfc as tf

from . import api

SECTIONS = ("Args", "Returns", "Raises", "Yields")
UNSAID = {"self", "cls", "name"}
# Namespaces whose functions do what those of the same names do elsewhere, where that is said.
ELSEWHERE = ("tf.experimental.array_api", "tf.experimental.numpy")


class Documented(NamedTuple):
    """What the docstring of a public function says of its parameters."""

    path: str
    parameters: list[str]  # without those that need not be said
    sections: dict[str, list[str]]  # the names that each section has, in order
    gives_nothing: bool  # classes, and functions that are annotated with None

    @property
    def says_arguments(self) -> bool:
        """Whether all parameters are described, in their order."""
        return not self.parameters or self.sections.get("Args") == self.parameters

    @property
    def says_result(self) -> bool:
        """Whether the result is, where there is one."""
        return self.gives_nothing or "Returns" in self.sections or "Yields" in self.sections

    @property
    def missing(self) -> list[str]:
        """What is not described, in words."""
        found = []
        if not self.says_arguments:
            described = ", ".join(self.sections.get("Args", []))
            also = f" (not {described})" if described else ""
            found.append(f"Args: {', '.join(self.parameters)}{also}")
        return found if self.says_result else [*found, "Returns"]


def sections(doc: str) -> dict[str, list[str]]:
    """The sections of a docstring, and the names that begin their entries."""
    found: dict[str, list[str]] = {}
    current = None
    for line in inspect.cleandoc(doc).splitlines():
        heading = re.fullmatch(r"(\w+):", line)
        if heading and heading[1] in SECTIONS:
            current = found.setdefault(heading[1], [])
        elif line and not line.startswith(" "):
            current = None
        elif current is not None and (entry := re.match(r" {4}(?! )([*\w, ]+): ", line)):
            current += [name.strip(" *") for name in entry[1].split(",")]
    return found


def documented(path: str, function: Any) -> Documented:
    """What is said of one function."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        signature = inspect.Signature()
    given = signature.parameters
    names = [name for name in given if name not in UNSAID and not name.startswith("_")]
    nothing = inspect.isclass(function) or signature.return_annotation in ("None", None)
    return Documented(path, names, sections(function.__doc__ or ""), nothing)


# Classes that users make objects of, whose methods are looked at as well.
CLASSES = (
    tf.GradientTape,
    tf.IndexedSlices,
    tf.Module,
    tf.RaggedTensor,
    tf.SparseTensor,
    tf.TensorArray,
    tf.TensorShape,
    tf.TensorSpec,
    tf.Variable,
    tf.random.Generator,
)


def methods() -> Iterator[Documented]:
    """The classes of CLASSES, and their public methods."""
    for cls in CLASSES:
        yield documented(f"tf.{cls.__name__}", cls)
        for name in sorted(dir(cls)):
            value = inspect.getattr_static(cls, name)
            function = getattr(value, "__func__", value)
            if not name.startswith("_") and inspect.isfunction(function) and function.__doc__:
                yield documented(f"tf.{cls.__name__}.{name}", function)


def functions() -> Iterator[Documented]:
    """Every public function, by its first name."""
    seen = set()
    for path, space in api.spaces():
        if path.startswith(ELSEWHERE):
            continue
        for name in api.names(space):
            value = getattr(space, name)
            plain = inspect.isroutine(value) and not inspect.isclass(value)
            if plain and api._is_ours(value) and id(value) not in seen:
                seen.add(id(value))
                yield documented(f"{path}.{name}", value)


def main() -> None:
    """Print a table, and with --missing the names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missing", action="store_true", help="name the functions")
    missing = parser.parse_args().missing
    total, arguments, results, raises = (Counter[str]() for _ in range(4))
    for function in (*functions(), *methods()):
        space = function.path.rpartition(".")[0]
        total[space] += 1
        arguments[space] += function.says_arguments
        results[space] += function.says_result
        raises[space] += "Raises" in function.sections
        if missing and function.missing:
            print(function.path, "lacks", " and ".join(function.missing))
    print(f"{'namespace':28} functions  Args  Returns  Raises")
    for space in total:
        row = (total[space], arguments[space], results[space], raises[space])
        print(f"{space:28} {row[0]:9} {row[1]:5} {row[2]:8} {row[3]:7}")
    sums = [sum(column.values()) for column in (total, arguments, results, raises)]
    print(f"{'all':28} {sums[0]:9} {sums[1]:5} {sums[2]:8} {sums[3]:7}")


if __name__ == "__main__":
    main()
