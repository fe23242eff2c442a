"""What loops that may run for long have on their stack, as runtime/patience.c has it."""

from __future__ import annotations

PATIENCE = "{ i64, i64, i32, i32 }"  # times, and rounds: between two looks, and left
_FIRST_ROUNDS = 16


def patience(name: str) -> list[str]:
    """The lines that make one, in the register `name`."""
    lines = [f"  {name} = alloca {PATIENCE}"]
    fields = [("i64", 0), ("i64", 0), ("i32", _FIRST_ROUNDS), ("i32", _FIRST_ROUNDS)]
    for i, (kind, value) in enumerate(fields):
        lines.append(f"  {name}.{i} = getelementptr {PATIENCE}, ptr {name}, i64 0, i32 {i}")
        lines.append(f"  store {kind} {value}, ptr {name}.{i}")
    return lines
