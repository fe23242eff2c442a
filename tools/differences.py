"""Writes docs/reference/differences.md from what is intended to differ from TensorFlow
(tests/differential/intended.toml), from what both gave (tests/differential/agreed), and from what
docstrings say behind the words "Unlike TensorFlow".
`python -m tools.differences` (`--check` only says whether the page is up to date).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.differential import intended, records
from tests.differential.programs import GROUPS

from . import api

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "differences.md"
LONG = 60  # characters of a result that are shown
HEAD = """<!-- Written by `make docs` from tests/differential and docstrings: do not edit. -->

# Results that differ from TensorFlow's, and should

`make compare-tensorflow` installs TensorFlow into an environment of its own, evaluates programs on
both libraries in {count} ways, and compares values, dtypes, shapes and classes of errors:
derivatives where they jump or end, all integers at the ends of their dtypes, and what was once
found to differ. These are the differences that are intended; any other is a fault, and fails. What
TensorFlow gave is committed, and the tests compare with it. [Limits](limits.md) has what is missing
or refused, and [the last section](#what-functions-say-of-themselves) what functions say of
themselves.

"""
NOTES = """## What functions say of themselves

| function | unlike TensorFlow |
| --- | --- |
"""
WAYS = {"value": "", "first": "gradient of ", "second": "second gradient of "}


def page() -> str:
    """The page with the lists of now."""
    results = [(key, both) for group in GROUPS for key, both in records.load(group).items()]
    parts = [HEAD.format(count=f"{len(results):,}")]
    for entry in intended.load():
        found = [(k, both) for k, both in results if both[1] and entry.covers(*k)]
        programs = sorted({name.partition("(")[0] for (name, _), _ in found})
        parts.append(f"## {entry.title}\n\n{entry.reason}\n\n")
        where = ", ".join(f"`{name}`" for name in programs) or "cases of " + ", ".join(
            f"`{p.removeprefix('case ').rstrip('-0123456789')}`" for p in entry.programs
        )
        parts.append(f"In {where}{'. For example:' if found else '.'}\n\n")
        if not found:
            continue
        (name, way), (theirs, ours) = min(found, key=lambda f: len(f[1][0]) + len(f[1][1] or ""))
        lines = f"{WAYS[way]}{name}", f"TensorFlow  {_short(theirs)}", f"tfc         {_short(ours)}"
        parts.append("\n".join(["```text", *lines, "```", "", ""]))
    parts.append(NOTES)
    for name, text in sorted(api.differences()):
        sentence = text.replace("|", "\\|").replace("<", "&lt;")
        plain = "_" not in sentence.split()[0]
        parts.append(
            f"| `{name}` | {sentence[0].upper() if plain else sentence[0]}{sentence[1:]} |\n"
        )
    return "".join(parts).rstrip("\n") + "\n"


def _short(result: str | None) -> str:
    text = str(result)
    return text if len(text) <= LONG else f"{text[:LONG]}..."


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where the page is not as it is")
    if parser.parse_args().check:
        if PAGE.read_text() != page():
            sys.exit("docs/reference/differences.md is not up to date: run `make docs`")
        return
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
