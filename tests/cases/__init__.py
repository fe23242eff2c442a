"""The cases of the public functions: how each may be called, and what NumPy gives for it.

Each module here has a function `cases`, and may have a set `ELSEWHERE` of the names of what is no
op, or is tested in a file of its own. tests/ops/test_ops_frontend.py goes through them all.
"""

from __future__ import annotations

import importlib
import pkgutil

from .case import CASES, NAMESPACES, Case, find

ELSEWHERE: set[str] = set()
for _found in pkgutil.iter_modules(__path__):
    _module = importlib.import_module(f"{__name__}.{_found.name}")
    if hasattr(_module, "cases"):
        _module.cases()
    ELSEWHERE |= getattr(_module, "ELSEWHERE", set())
