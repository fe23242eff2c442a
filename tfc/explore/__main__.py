"""`python -m tfc.explore script.py [function]`: a page of all functions that a script compiles.

The script runs as it would on its own, with the arguments behind `--`; `-m` in front of it names a
module, as for Python itself. The page begins with the longest function. Of each trace of a
`tfc.function` it has the first arguments: for these kernels are timed and values are shown, with
Variables as they are when the script has ended. A script that raises, or that Ctrl-C ends, has a
page of what it had compiled by then.
"""

from __future__ import annotations

import argparse
import importlib.machinery
import os
import sys
import webbrowser
from collections.abc import Sequence

from tfc.ir.text import rows

from . import pages
from .calls import watched
from .scripts import run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a script, write the page; 1 where there is nothing to show, or where the script did not
    end well."""
    parser = _parser()
    given = list(sys.argv[1:] if arguments is None else arguments)
    rest = []
    if "--" in given:
        rest = given[given.index("--") + 1 :]
        given = given[: given.index("--")]
    options, unknown = parser.parse_known_intermixed_args(given)
    if unknown:
        own = " ".join(given[given.index(unknown[0]) :])
        parser.error(f"the script's own arguments stand behind --: -- {own}")
    if problem := _problem(options):
        parser.error(problem)
    with watched() as calls:
        ending = run(options.script, rest, module=options.module)
    if ending:
        print(f"{options.script} {ending}", file=sys.stderr)
    found = [c for c in calls if options.function in (None, c[0].name, pages.name_of(c[0]))]
    if not found:
        if calls or not ending:
            print(_nothing(options, calls), file=sys.stderr)
        return 1
    shown = _distinct(found)
    shown.sort(key=_size, reverse=True)  # the page opens with the first
    path = pages.explore_all(shown, options.out, not options.no_times, options.gpu)
    same = len(found) - len(shown)
    more = f" ({same} more {'is' if same == 1 else 'are'} the same as one of these)" if same else ""
    print(f"{len(shown)} function{'s' * (len(shown) != 1)}{more}: {path}")
    if options.open:
        webbrowser.open(f"file://{path}")
    return 1 if ending else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tfc.explore",
        description="Run a script, and write a page that shows what became of its functions.",
        epilog="What the script itself takes stands behind --, as in: train.py -- --epochs 3",
        allow_abbrev=False,
    )
    parser.add_argument("script", help="a Python file, or (-m) a module")
    parser.add_argument(
        "function", nargs="?", help="the name of the only function to show (f, or Model.f)"
    )
    parser.add_argument("-m", dest="module", action="store_true", help="run a module, as python -m")
    parser.add_argument("--out", help="the file to write (default: a temporary one)")
    parser.add_argument("--gpu", action="store_true", help="show PTX, too")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument("--no-times", action="store_true", help="measure nothing")
    return parser


def _problem(options: argparse.Namespace) -> str:
    """What would keep the page from being made, said before the script has run for an hour."""
    if options.module:
        top = options.script.partition(".")[0]
        spec = importlib.machinery.PathFinder.find_spec(top, [os.getcwd(), *sys.path])
        if spec is None:
            return f"there is no module {top}"
    elif not os.path.exists(options.script):
        return f"there is no file {options.script}"
    if options.out is None:
        return ""
    folder = os.path.dirname(os.path.abspath(options.out))
    if not os.path.isdir(folder):
        return f"--out {options.out}: there is no folder {folder}"
    if os.path.isdir(options.out):
        return f"--out {options.out} is a folder"
    return ""


def _nothing(options: argparse.Namespace, calls: Sequence[pages.Call]) -> str:
    """Why there is no page."""
    if not calls:
        return (
            f"{options.script} has compiled nothing: a function is compiled when one that is a "
            "@tf.function is called"
        )
    names = ", ".join(sorted({pages.name_of(c[0]) for c in calls}))
    return (
        f"{options.function} is not among what {options.script} has compiled: {names} (functions "
        "that these call are part of them)"
    )


def _distinct(calls: Sequence[pages.Call]) -> list[pages.Call]:
    """One of those that are the same, such as a method of several objects: one that was called, if
    any was."""
    found: dict[tuple[str, str], pages.Call] = {}
    for call in calls:
        key = pages.name_of(call[0]), "\n".join(map(str, rows(call[0].function)))
        if key not in found or found[key][1] is None:
            found[key] = call
    return list(found.values())


def _size(call: pages.Call) -> int:
    """How many ops a function was traced to."""
    return sum(1 for _ in call[0].function.walk())


if __name__ == "__main__":
    sys.exit(main())
