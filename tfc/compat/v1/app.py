"""`tfc.compat.v1.app`: how programs of TensorFlow 1 begin. Flags are Abseil's, as Keras' are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from . import flags


def run(main: Callable[[list[str]], Any] | None = None, argv: Sequence[str] | None = None) -> None:
    """Read the flags, and end the process with what `main` returns.

    Args:
        main: A function of the arguments that are no flags; the program's own `main` without it.
        argv: The arguments, with the program's name first.

    >>> import tfc.compat.v1 as tf
    >>> try:
    ...     tf.app.run(lambda arguments: len(arguments), ["program", "a"])
    ... except SystemExit as end:
    ...     print(end.code)
    2
    """
    found = main if main is not None else sys.modules["__main__"].main
    given = sys.argv if argv is None else list(argv)
    sys.exit(found(flags.FLAGS(given, known_only=True)))


__all__ = ["flags", "run"]
