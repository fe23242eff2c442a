"""What TensorFlow gives, in a process and an environment of its own: `python -m
tests.differential.worker FILE [wide]` writes a pickle of it."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .programs import GROUPS, evaluate

Results = dict[tuple[str, str], Any]


def results(tf: Any, chosen: Callable[[str], bool] = lambda group: True) -> dict[str, Results]:
    """The results of all programs, by group, then by program and way of evaluation."""
    return {
        group: {
            (program.name, way): outcome
            for program in programs()
            for way, outcome in evaluate(tf, program).items()
        }
        for group, programs in GROUPS.items()
        if chosen(group)
    }


def main() -> None:
    import tensorflow

    given = {"version": tensorflow.__version__, "results": results(tensorflow)}
    if sys.argv[2:] == ["wide"]:
        from . import composites, wide

        given["results"]["wide"] = wide.results(tensorflow) | composites.results(tensorflow)
    Path(sys.argv[1]).write_bytes(pickle.dumps(given))


if __name__ == "__main__":
    main()
