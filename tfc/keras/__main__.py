"""`python -m tfc.keras program.py ...`: runs a program with tfc as Keras' backend, whatever it
imports and in which order. `-m name` runs a module, as with Python itself."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str]) -> None:
    """Run what the arguments name, with the others as its own."""
    if arguments[:1] == ["-m"] and len(arguments) > 1:
        sys.argv = list(arguments[1:])
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif arguments and not arguments[0].startswith("-"):
        sys.argv = list(arguments)
        sys.path[0] = str(Path(arguments[0]).resolve().parent)
        runpy.run_path(arguments[0], run_name="__main__")
    else:
        raise SystemExit("usage: python -m tfc.keras (program.py | -m module) [arguments]")


if __name__ == "__main__":
    main(sys.argv[1:])
