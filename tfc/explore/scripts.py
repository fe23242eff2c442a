"""A script or module run as Python would run it on its own, while somebody looks."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

_OWN = (__file__, runpy.__file__, "<frozen runpy>")


def run(script: str, arguments: Sequence[str], *, module: bool = False) -> str:
    """Run a Python file, a folder with a `__main__.py` or (`module`) what `python -m` would run;
    how it ended, if it did not end well. What it raised has been shown then, as Python does."""
    try:
        with _as_main(script, arguments, module):
            if module:
                runpy.run_module(script, run_name="__main__", alter_sys=True)
            else:
                # Absolute, so that its text is found wherever it goes.
                runpy.run_path(os.path.abspath(script), run_name="__main__")
    except SystemExit as end:  # as scripts end that ended well, or not
        return "" if end.code in (None, 0) else f"ended with {end.code}"
    except KeyboardInterrupt:
        return "was interrupted"
    except BaseException as error:
        traceback.print_exception(type(error), error, _of_script(error.__traceback__))
        if hint := "" if module else _package_hint(script, error):
            print(hint, file=sys.stderr)
        return f"ended with {type(error).__name__}"
    return ""


@contextmanager
def _as_main(script: str, arguments: Sequence[str], module: bool) -> Iterator[None]:
    """`sys` as a script finds it that Python runs."""
    kept = sys.argv, sys.path[:]
    folder = script if os.path.isdir(script) else os.path.dirname(script)
    sys.argv = [script, *arguments]
    sys.path[0] = os.getcwd() if module else os.path.abspath(folder)
    try:
        yield
    finally:
        sys.argv = kept[0]
        sys.path[:] = kept[1]


def _of_script(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames that lead to the script."""
    while trace is not None and trace.tb_frame.f_code.co_filename in _OWN:
        trace = trace.tb_next
    return trace


def _package_hint(script: str, error: BaseException) -> str:
    """What to do where a script is a module of a package, which Python does not run so either."""
    if not isinstance(error, ImportError) or "no known parent package" not in str(error):
        return ""
    path = Path(script).resolve()
    names = [] if path.is_dir() or path.stem == "__main__" else [path.stem]
    folder = path if path.is_dir() else path.parent
    names.insert(0, folder.name)
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
        names.insert(0, folder.name)
    name = ".".join(names)
    return f"It is part of a package: in {folder.parent}, python -m tfc.explore -m {name}"


__all__ = ["run"]
