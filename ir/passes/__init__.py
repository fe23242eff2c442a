"""Passes over tensor functions: each takes a function and gives a new one."""

from .check_first import check_first
from .distribute import distribute
from .explain import explain
from .hoist import hoist
from .layout import layout
from .loop_results import count, counted
from .loop_strings import forget_strings
from .merge_loops import merge
from .overlap import overlap
from .pipeline import OPTIMISE, Pass, cse, dce, fold, inline, regions, run, simplify
from .prune_carried import needed_params, prune, without_effects
from .strip_mine import strip_mine

__all__ = [
    *("OPTIMISE", "Pass", "count", "counted", "cse", "dce", "fold", "inline"),
    *("layout", "merge", "needed_params", "prune", "regions", "run", "simplify"),
    *("check_first", "distribute", "explain", "forget_strings", "hoist", "overlap"),
    *("strip_mine", "without_effects"),
]
