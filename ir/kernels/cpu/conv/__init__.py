"""Convolutions on CPUs: a plan as data (plan.py), one writer of its loops and tiles (loops.py,
tile_writer.py), and writers of their own for what benchmarks show to be better off.

`write` asks, in this order:

    plan, of a gradient of weights   few places and a long k: the batch lies along the rows of tiles
    few_channels                     a group's results would fill little of a register
    plan, of any other               the operand is read in place, or a copy with a halo is
    im2col                           sizes that are not known: strips of the matrix are packed

Convolutions with one channel a group (depthwise.py) have no k to go through, and come before all of
these. A convolution and the windows over its result are one kernel where nothing else reads that
(pooled.py), by the plan's loops and tiles. Each of these modules says what it buys, by rows.
"""
