"""How far functions are from the truth, in units in the last place.

    python -m benchmarks.accuracy                        # all tables, a few minutes
    python -m benchmarks.accuracy float32 exp log        # these functions only
    python -m benchmarks.accuracy float32 --stride 1     # every one of the 2**32 inputs; faster,
                                                         # of tfc alone: benchmarks.accuracy.every
    python -m benchmarks.accuracy float64 --count 1e8    # so many random inputs a function
    python -m benchmarks.accuracy binary32 --alone        # tfc alone

The tables: float32, float16, bfloat16 and float64, functions of one operand; binary32 and binary64,
functions of several. The same inputs go through tfc, and through NumPy, JAX and
TensorFlow where these are installed and have the function. In brackets stands the error with zeros,
denormals, infinities and nan among operands and results, where it is larger than without; of tfc it
is always that one. An infinite error is a wrong infinity, nan or sign of zero.

docs/reference/accuracy.md tells more. The exit status tells whether tfc keeps every bound.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np

from . import binary, contenders, float32, float64
from .measure import Result

Check = Callable[[str, Sequence[str]], Result]


def _tables(stride: int, count: int) -> dict[str, tuple[str, Iterable[str], Check]]:
    """Of each table what it shows, its functions, and what checks one."""

    def one(name: str, columns: Sequence[str]) -> Result:
        return float32.check(name, stride, columns)

    of_many = f"{count:,} random inputs (fewer where mpmath is the reference) and hard ones"
    return {
        "float32": (
            f"float32, one in {stride} of all inputs, and all specials", float32.REFERENCES, one
        ),
        "float16": ("float16, all inputs", float32.REFERENCES, float32.float16),
        "bfloat16": ("bfloat16, all inputs", float32.REFERENCES, float32.bfloat16),
        "float64": (f"float64, {of_many}", float64.NAMES, partial(float64.check, count=count)),
        "binary32": (
            f"float32, {of_many}", binary.NAMES,
            partial(binary.check, dtype=np.float32, count=count),
        ),
        "binary64": (
            f"float64, {of_many}", binary.NAMES,
            partial(binary.check, dtype=np.float64, count=count),
        ),
    }  # fmt: skip


def _print(title: str, names: Iterable[str], check: Check, columns: Sequence[str]) -> bool:
    """Print one table; whether all bounds are kept."""
    print(f"{title}; the largest error in ulp\n")
    print(f"| function | bound | {' | '.join(columns)} | inputs |")
    print(f"| --- |{' ---: |' * (len(columns) + 2)}")
    fine = True
    for name in names:
        result = check(name, columns)
        fine = fine and result.kept
        print(result.row(columns), flush=True)
    print()
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="table or function")
    parser.add_argument("--stride", type=int, default=float32.STRIDE, help="one input in so many")
    parser.add_argument("--count", type=float, default=1e6, help="random inputs a function")
    parser.add_argument("--alone", action="store_true", help="tfc without its peers")
    options = parser.parse_args()
    if options.stride < 1 or options.count < 1:
        parser.error("the stride and the count must be positive")

    tables = _tables(options.stride, int(options.count))
    chosen = [word for word in options.words if word in tables] or list(tables)
    functions = [word for word in options.words if word not in tables]
    unknown = {f for f in functions if not any(f in tables[table][1] for table in chosen)}
    if unknown:
        parser.error(f"no such function: {', '.join(sorted(unknown))}")

    warnings.filterwarnings("ignore", category=RuntimeWarning)  # overflow is what is asked for
    columns = ["tfc"] if options.alone else contenders.installed()
    print(f"{contenders.versions(columns)}\n")
    fine = True
    for table in chosen:
        title, names, check = tables[table]
        wanted = [name for name in names if not functions or name in functions]
        if wanted:
            fine = _print(title, wanted, check, columns) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
