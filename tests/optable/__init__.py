"""The table of ops: for every op of tensor functions, what the tests run it on.

Each module here has a function `rows`. Tests of the IR and of the front end go through the same
rows; `test_every_op_has_a_row` fails for an op without one.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from .sampling import sample
from .table import ALL, FLOATS, INTEGERS, NUMBERS, Arg, Row, Sizes


def _rows() -> Iterator[Row]:
    for found in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{found.name}")
        if hasattr(module, "rows"):
            yield from module.rows()


ROWS: tuple[Row, ...] = tuple(_rows())
