"""Control flow on tensors: `cond`, `case`, `switch_case`, `while_loop`, `scan`, `map_fn`, folds.

Eagerly they are Python's own: the branch that is taken runs, loops loop. In a `tfc.function` each
branch and body is traced into a region of its own (regions.py), and all of it runs inside one
native program.
"""

from ..core import above
from .branches import case, cond, emit_cond, switch_case
from .regions import Changes, Limited, Region
from .scans import foldl, foldr, map_fn, scan, scan_state, vectorized_map
from .while_loops import check_invariants, while_loop, while_on

above.cond = cond
above.foldl = foldl

__all__ = [
    "case",
    "cond",
    "foldl",
    "foldr",
    "map_fn",
    "scan",
    "switch_case",
    "vectorized_map",
    "while_loop",
]
