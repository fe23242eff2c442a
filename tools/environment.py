"""Writes docs/reference/environment.md from the table of environment variables in
tfc/core/environment.py. `python -m tools.environment` (`--check` only says whether the page is up
to date).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tfc.core.environment import VARIABLES, EnvironmentVariable

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "environment.md"
OF_TESTS = "TFC_TEST_"
HEAD = """<!-- Written by `make docs` from tfc/core/environment.py: do not edit. -->

# Environment variables

tfc reads these from the environment of its process. Where one has a value that is not allowed, or
a name is nearly one of these, `import tfc` warns of it.

"""


def table(variables: list[EnvironmentVariable]) -> str:
    """A row for each variable."""
    rows = ["| variable | may be | meaning | all else |", "| --- | --- | --- | --- |"]
    rows += [f"| `{v.name}` | {v.allowed} | {v.meaning} | {v.otherwise} |" for v in variables]
    return "\n".join(rows) + "\n"


def page() -> str:
    """The page with the table of now."""
    of_tests = [v for v in VARIABLES if v.name.startswith(OF_TESTS)]
    others = [v for v in VARIABLES if v not in of_tests]
    return f"{HEAD}{table(others)}\n## Of the tests\n\n{table(of_tests)}"


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where the page is not as it is")
    if parser.parse_args().check:
        if PAGE.read_text() != page():
            sys.exit("docs/reference/environment.md is not up to date: run `make docs`")
        return
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
