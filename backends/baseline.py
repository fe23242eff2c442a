"""Baseline code: what eager ops run at first.

An op that is called a few times on little data takes longer to compile than to run. So its first
code is generated as quickly as can be (as with TFC_OPT_LEVEL=0), in a fifth of the time and with
the same bits. Its entry counts what calls touch, and takes none when that is more than a budget:
then the op is compiled as programs are that run often.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

# What operands and results of calls may have in all, and what a call counts beside these. An
# element costs 3 to 30 ns in such code (x + y, gelu; `python -m benchmarks.cold` has ops of 64), so
# that the budget is spent after about the millisecond or two that full code takes to compile.
BUDGET_BYTES = 1 << 18
CALL_BYTES = 512

_LOOKING = ("TFC_VERIFY", "TFC_DUMP", "TFC_DEBUG_INFO")


def looked_at() -> bool:
    """Whether somebody wants to see how programs are made."""
    return any(os.environ.get(name, "0") not in ("", "0") for name in _LOOKING)


def suits(sizes: Iterable[int]) -> bool:
    """Whether an op starts with baseline code, whose operands have so many bytes. Where somebody
    looks at the code, or says how it is to be, there is one."""
    if sum(sizes) > BUDGET_BYTES // 4:
        return False
    return not os.environ.get("TFC_OPT_LEVEL") and not looked_at()
