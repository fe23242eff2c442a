"""`python -m tfc program.py ...`: runs a program with tfc in TensorFlow's place, so that
`import tensorflow` gives tfc, in libraries that the program uses, too. `-m name` runs a module, as
with Python itself."""

from __future__ import annotations

import runpy as _runpy
import sys as _sys
from collections.abc import Sequence as _Sequence
from pathlib import Path as _Path

import tfc as _tfc

__all__ = ["main"]


def main(arguments: _Sequence[str]) -> None:
    """Run what the arguments name, with the others as its own."""
    module = arguments[:1] == ["-m"] and len(arguments) > 1
    if not module and (not arguments or arguments[0].startswith("-")):
        raise SystemExit("usage: python -m tfc (program.py | -m module) [arguments]")
    _tfc.as_tensorflow()
    if module:
        _sys.argv = list(arguments[1:])
        _runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        _sys.argv = list(arguments)
        _sys.path[0] = str(_Path(arguments[0]).resolve().parent)
        _runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(_sys.argv[1:])
