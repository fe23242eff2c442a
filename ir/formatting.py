"""Text of the IR, laid out as it is printed."""

from __future__ import annotations

from .reading import lines
from .text import parse, rows, statements


def format(text: str) -> str:
    """The text of a function as `concrete.ir` has it: indented, its values numbered in order;
    names, types and places in columns. Comments on lines of their own stay before what they stood
    before.

    Args:
        text: The text of one function.

    Returns:
        The text of the same function; `parse` gives the same for both.

    Raises:
        ParseError: If the text is no IR.

    >>> import tfc as tf
    >>> text = "func @f(%x: f32[3]) -> f32[3] {\\n# down\\n%7 = neg %x : f32[3]\\nreturn %7\\n}"
    >>> print(tf.ir.format(text))
    func @f(%x: f32[3]) -> f32[3] {
      # down
      %0 = neg %x : f32[3]
      return %0
    }
    """
    found = rows(parse(text))
    printed = iter(zip(found, lines(found, str), strict=True))
    made: list[str] = []
    waiting: list[str] = []  # comments
    for _, line in statements(text):
        if line.startswith("#"):
            waiting.append(line)
        else:
            row, shown = next(printed)
            made += [f"{'  ' * row.depth}{comment}" for comment in waiting]
            made.append(shown)
            waiting = []
    return "\n".join([*made, *waiting])
