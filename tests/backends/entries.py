"""What the tests of native entries share: classes of tensors, programs written by hand, and entries
around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.backends.cpu.entry import EntrySpec, entry_text
from tfc.backends.cpu.entry_table import table_text
from tfc.backends.cpu.runtime import runtime
from tfc.backends.cpu.runtime.runtime import native_function, table_function
from tfc.ir.types import TensorType, parse_type

Array = np.ndarray[Any, Any]
as_tables = False  # whether entries are tables: see conftest.py


class Tensor:
    __slots__ = ("__weakref__", "_array")

    def __init__(self, array: Any) -> None:
        self._array = array


class Variable:
    __slots__ = ("__weakref__", "_array", "name")

    def __init__(self, array: Any) -> None:
        self._array = array


class HandlerError(Exception):
    """What the error handler of these tests raises."""


def handler(*values: int) -> None:
    raise HandlerError(*values)


def types(*texts: str) -> tuple[TensorType, ...]:
    found = [parse_type(text) for text in texts]
    return tuple(t for t in found if isinstance(t, TensorType))


# Programs, written by hand: `add` stores buffer 0 + buffer 1 to buffer 2, over as many f32 as the
# first symbol says (or COUNT).
ADD = """
define i32 @add(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
entry:
  %a = load ptr, ptr %buffers
  %b.at = getelementptr ptr, ptr %buffers, i64 1
  %b = load ptr, ptr %b.at
  %c.at = getelementptr ptr, ptr %buffers, i64 2
  %c = load ptr, ptr %c.at
  COUNT
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %a.i = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %a.i
  %b.i = getelementptr float, ptr %b, i64 %i
  %y = load float, ptr %b.i
  %z = fadd float %x, %y
  %c.i = getelementptr float, ptr %c, i64 %i
  store float %z, ptr %c.i
  %i.1 = add i64 %i, 1
  br label %next
done:
  ret i32 0
}
"""
FAIL = """
define i32 @fail(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
  store i64 11, ptr %error
  %e1 = getelementptr i64, ptr %error, i64 1
  store i64 -22, ptr %e1
  %e3 = getelementptr i64, ptr %error, i64 3
  store i64 9223372036854775807, ptr %e3
  ret i32 7
}
"""
NOTHING = """
define i32 @nothing(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
  ret i32 0
}
"""
# Waits until buffer 0 holds a nonzero i32 (status 0), or gives up after many steps (status 1).
WAIT = """
define i32 @wait(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
entry:
  %flag = load ptr, ptr %buffers
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %step ]
  %value = load volatile i32, ptr %flag
  %set = icmp ne i32 %value, 0
  br i1 %set, label %done, label %step
step:
  %i.1 = add i64 %i, 1
  %more = icmp ult i64 %i.1, STEPS
  br i1 %more, label %next, label %tired
done:
  ret i32 0
tired:
  ret i32 1
}
"""


def add_program(count: int | None = None) -> str:
    return ADD.replace(
        "COUNT", "%n = load i64, ptr %symbols" if count is None else f"%n = add i64 {count}, 0"
    )


def build(
    program: str, *captured: Any, on_error: Callable[..., Any] = handler, **fields: Any
) -> Any:
    """The entry of a spec with these `fields` around the text `program`."""
    spec = EntrySpec(name="entry", program=program.split("@")[1].split("(")[0], **fields)
    (entry,) = build_all([spec], program, *captured, on_error=on_error)
    return entry


def build_all(
    specs: Sequence[EntrySpec],
    program: str,
    *captured: Any,
    on_error: Callable[..., Any] = handler,
) -> list[Any]:
    """The entries of specs around the text `program`, in the form that is tested now."""
    if not as_tables:
        library = runtime.load(entry_text(*specs) + program)
        own = (on_error, *captured)
        return [native_function(library, spec.name, own) for spec in specs]
    lines = "".join(table_text(spec.name, spec, spec.program) for spec in specs).splitlines()
    library = runtime.load("\n".join([*dict.fromkeys(lines), program]))
    return [table_function(library, spec.name, on_error, captured) for spec in specs]


def f32(*values: float) -> Array:
    return np.array(values, np.float32)


def live() -> int:
    return runtime.pool_stats()["live"]


def adder(size: int) -> Any:
    kind = f"f32[{size}]"
    return build(add_program(size), params=types(kind, kind), results=types(kind))
