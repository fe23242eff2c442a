"""`python -m tfc.explore script.py [function]`: a page of all functions that a script compiles.

The script runs as it would on its own, with the arguments behind `--`. The page begins with the
longest function. Of each trace of a `tfc.function` it has the first arguments: for these
kernels are timed and values are shown, with Variables as they are when the script has ended.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys
import webbrowser
from collections.abc import Sequence

from . import pages
from .calls import watched


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a script, write the page; 1 where there is nothing to show."""
    parser = argparse.ArgumentParser(
        prog="python -m tfc.explore",
        description="Run a script, and write a page that shows what became of its functions.",
    )
    parser.add_argument("script", help="a Python file")
    parser.add_argument("function", nargs="?", help="the name of the only function to show")
    parser.add_argument("--out", help="the file to write (default: a temporary one)")
    parser.add_argument("--gpu", action="store_true", help="show PTX, too")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument("--no-times", action="store_true", help="measure nothing")
    given = list(sys.argv[1:] if arguments is None else arguments)
    rest = []
    if "--" in given:
        rest = given[given.index("--") + 1 :]
        given = given[: given.index("--")]
    options = parser.parse_intermixed_args(given)
    kept = sys.argv, sys.path[0]
    sys.argv = [options.script, *rest]
    sys.path[0] = os.path.dirname(os.path.abspath(options.script))
    try:
        with watched() as calls:
            runpy.run_path(options.script, run_name="__main__")
    except SystemExit as end:  # as scripts end that ended well, or not
        if end.code not in (None, 0):
            print(f"the script ended with {end.code}", file=sys.stderr)
    finally:
        sys.argv, sys.path[0] = kept
    found = [c for c in calls if options.function in (None, c[0].name)]
    if not found:
        names = ", ".join(sorted({c[0].name for c in calls})) or "none"
        print(f"no such function was compiled; there are: {names}", file=sys.stderr)
        return 1
    found.sort(key=_size, reverse=True)  # the page opens with the first
    path = pages.explore_all(found, options.out, not options.no_times, options.gpu)
    print(f"{len(found)} function{'s' * (len(found) != 1)}: {path}")
    if options.open:
        webbrowser.open(f"file://{path}")
    return 0


def _size(call: pages.Call) -> int:
    """How many ops a function was traced to."""
    return sum(1 for _ in call[0].function.walk())


if __name__ == "__main__":
    sys.exit(main())
