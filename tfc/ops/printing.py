"""`tfc.print`."""

from __future__ import annotations

import sys
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.ops.printing import SLOT, printed, write

from ..core import blame
from ..core.context import context, user_location
from ..core.formatting import shown
from ..core.tensor import Held
from ..dispatch.failures import host_error
from ..dispatch.primitive import Primitive
from .ragged.tensor import RaggedTensor
from .sparse.tensor import SparseTensor
from .strings.text import shown_ragged


def _body(b: Builder, *rest: Any) -> Value:
    *values, template, stream, summarize = rest
    return b.emit(ir.Print(tuple(values), template, stream, summarize))


_print = Primitive(_body, "print")


def _template(item: Any, tensors: list[Any], summarize: int) -> str:
    """The text of a structure, with a slot for every tensor in it."""
    if isinstance(item, Held):
        tensors.append(item)
        return SLOT
    if isinstance(item, RaggedTensor):
        tensors.append(shown_ragged(item, summarize))
        return SLOT
    if isinstance(item, SparseTensor):
        tensors += [item.indices, item.values, item.dense_shape]
        return f"'SparseTensor(indices={SLOT}, values={SLOT}, shape={SLOT})'"
    if isinstance(item, dict):
        rows = (f"{_quoted(k)}: {_inner(v, tensors, summarize)}" for k, v in item.items())
        return "{" + ", ".join(rows) + "}"
    if isinstance(item, tuple):
        inner = ", ".join(_inner(v, tensors, summarize) for v in item)
        return f"({inner},)" if len(item) == 1 else f"({inner})"
    if isinstance(item, list):
        return "[" + ", ".join(_inner(v, tensors, summarize) for v in item) + "]"
    return str(item)


def _quoted(item: Any) -> str:
    return repr(item) if isinstance(item, str) else str(item)


def _inner(item: Any, tensors: list[Any], summarize: int) -> str:
    return _quoted(item) if isinstance(item, str) else _template(item, tensors, summarize)


def print(
    *inputs: Any,
    output_stream: Any = None,
    summarize: Any = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> None:
    """Print tensors (ragged and sparse ones, too), nested structures of them, and anything else:
    eagerly at once, inside a `tfc.function` each time it runs, in the order of the program.

    `output_stream` is sys.stderr (the default), sys.stdout or "file://" and a path; eagerly any
    object with a `write` too. `summarize` elements are shown at both ends of every axis; -1 shows
    all.

    Args:
        inputs: What is printed: anything.
        output_stream: sys.stderr, sys.stdout, or "file://" and a path.
        summarize: How many elements are shown at both ends of an axis; -1 is all.
        sep: What stands between two of `inputs`.
        end: What stands behind the last.

    >>> import sys
    >>> import tfc as tf
    >>> tf.print("x =", tf.range(10), output_stream=sys.stdout)
    x = [0 1 2 ... 7 8 9]
    """
    tensors: list[Any] = []
    for what, value in (("sep", sep), ("end", end)):
        if not isinstance(value, str):
            raise blame.type_error(f"{what} must be a string, got {shown(value)}", "print")
    count = 3 if summarize is None else int(summarize)
    try:
        text = sep.join(_template(item, tensors, count) for item in inputs) + end
    except RecursionError:
        raise blame.value_error(
            "a structure is nested too deep, or holds itself", "print"
        ) from None
    stream = _stream(output_stream)
    if context.trace is not None:
        if not isinstance(stream, str):
            raise blame.unimplemented(
                "inside a tfc.function output_stream must be sys.stderr, sys.stdout or a file",
                "print",
            )
        _print(*tensors, static=(text, stream, count))
        return
    first, *rest = text.split(SLOT)
    elements = (printed(t.numpy(), count) for t in tensors)
    line = first + "".join(v + after for v, after in zip(elements, rest, strict=True))
    try:
        if isinstance(stream, str):
            write(line, stream)
        else:
            stream.write(line)
    except ValueError as error:  # the stream is closed
        raise blame.invalid(str(error), "print") from None
    except OSError as error:
        raise host_error(error, "print", user_location()) from None


def _stream(output_stream: Any) -> Any:
    """A name that `write` knows, or an object with a `write`."""
    if output_stream is None or output_stream is sys.stderr:
        return "stderr"
    if output_stream is sys.stdout:
        return "stdout"
    if isinstance(output_stream, str):
        if output_stream.startswith("file://"):
            return output_stream.removeprefix("file://")
        raise blame.value_error(f"no output stream {shown(output_stream)}", "print")
    if not hasattr(output_stream, "write"):
        raise blame.type_error(f"no output stream: {shown(output_stream)}", "print")
    return output_stream


__all__ = ["print"]
