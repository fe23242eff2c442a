"""`python -m tfc.ir format FILE...` lays out files of IR as tfc prints it; `--check` only says
which are not."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .formatting import format
from .text import ParseError


def main(arguments: Sequence[str] | None = None) -> int:
    """Format the files; 1 if one is no IR, or is not laid out so and is only checked."""
    parser = argparse.ArgumentParser(prog="python -m tfc.ir", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("format", help="lay out files, each with one function")
    command.add_argument("files", nargs="+", type=Path)
    command.add_argument("--check", action="store_true", help="change nothing, and fail instead")
    given = parser.parse_args(arguments)
    failed = 0
    for file in given.files:
        text = file.read_text()
        try:
            made = format(text) + "\n"
        except ParseError as error:
            print(f"{file}: {error}", file=sys.stderr)
            failed = 1
            continue
        if made != text:
            failed |= given.check
            print(f"{file}: {'would be' if given.check else 'is'} changed")
            if not given.check:
                file.write_text(made)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
