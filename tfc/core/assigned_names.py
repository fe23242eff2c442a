"""What the user's code calls what a call gives it: `loss` of `loss = tf.reduce_mean(x)`, and of
`self.loss = tf.reduce_mean(x)`.

That is said by the bytecode: the instruction behind the call stores the result, under a name. So it
costs a look into a table, made once for each code object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dis import EXTENDED_ARG, opmap
from types import CodeType, FrameType

_CACHE, _UNPACK = opmap["CACHE"], opmap["UNPACK_SEQUENCE"]
_LOCAL = {opmap[name] for name in ("STORE_FAST", "STORE_DEREF")}
_GLOBAL = {opmap[name] for name in ("STORE_NAME", "STORE_GLOBAL")}
# Two instructions in one, of Python 3.13: which halves of the argument are names that are stored.
_PAIRS = {
    opmap[name]: halves
    for name, halves in (("STORE_FAST_STORE_FAST", (4, 0)), ("STORE_FAST_LOAD_FAST", (4,)))
    if name in opmap
}

# What an attribute is stored in is loaded behind the call: `self`, or `self.part`.
_LOADS = {
    opmap[name]
    for name in ("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_DEREF", "LOAD_NAME", "LOAD_GLOBAL")
    if name in opmap
}

_tables: dict[CodeType, Mapping[int, tuple[str, ...]]] = {}
_TABLES_MAX = 1000


def assigned_names(frame: FrameType) -> tuple[str, ...]:
    """The name under which a frame will store what its current call gives; several names where it
    will be unpacked, none where it goes elsewhere."""
    code = frame.f_code
    table = _tables.get(code)
    if table is None:
        if len(_tables) >= _TABLES_MAX:
            _tables.clear()
        table = _tables[code] = _table(code)
    return table.get(frame.f_lasti, ())


def _table(code: CodeType) -> Mapping[int, tuple[str, ...]]:
    """By the offset of an instruction, and of its cache: the names that its result is given."""
    cells = [name for name in code.co_cellvars if name not in code.co_varnames]
    local = (*code.co_varnames, *cells, *code.co_freevars)
    text = code.co_code
    found: dict[int, tuple[str, ...]] = {}
    before: list[int] = []  # offsets of the last instruction and its cache
    names: list[str] = []  # of the stores that follow it
    wanted = 1  # how many these should be
    given: list[int] = []  # those of the instruction before such a load
    high = 0
    for at in range(0, len(text), 2):
        kind, argument = text[at], high | text[at + 1]
        high = 0
        if kind == EXTENDED_ARG:
            high = argument << 8
            continue
        if kind == _CACHE:
            if not names:
                before.append(at)
            continue
        if kind == opmap["STORE_ATTR"] and given:
            found.update(dict.fromkeys(given, (code.co_names[argument],)))
        if kind in _LOADS:
            given = [] if names else before
        elif kind != opmap["LOAD_ATTR"]:
            given = []
        stored: list[str] = []
        if kind in _LOCAL and argument < len(local):
            stored = [local[argument]]
        elif kind in _GLOBAL and argument < len(code.co_names):
            stored = [code.co_names[argument]]
        elif kind in _PAIRS:
            stored = [local[argument >> shift & 15] for shift in _PAIRS[kind]]
        names += stored
        if stored and before and len(names) >= wanted:
            found.update(dict.fromkeys(before, tuple(names[:wanted])))
            before = []
        elif kind == _UNPACK and before and not names:
            wanted = argument
        elif not stored:
            before, names, wanted = [at], [], 1
    return found


__all__ = ["assigned_names"]
