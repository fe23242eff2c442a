"""Control flow on tensors: `cond`, `case`, `switch_case`, `while_loop`, `scan`, `map_fn`, folds.

Eagerly they are Python's own: the branch that is taken runs, loops loop. In a `tfc.function` each
branch and body is traced into a region of its own (regions.py), and all of it runs inside one
native program.
"""
