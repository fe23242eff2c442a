"""Calls of the host in loops: which are made once for all rounds, and give what they gave before;
what loops that make strings say of each round; which loops are counted first."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tfc.ir import text
from tfc.ir.core import Function
from tfc.ir.interpreter import interpret
from tfc.ir.journal import recording, taken
from tfc.ir.ops.control import Control
from tfc.ir.ops.host_functions import Elementwise, Routine, register
from tfc.ir.passes import count, distribute, forget_strings
from tfc.ir.verify import verify


def _join(options: str, *parts: np.ndarray) -> tuple[np.ndarray]:
    total = parts[0] + options.encode()
    for part in parts[1:]:
        total = total + part
    return (np.asarray(total, object),)


def _marked(options: str, x: np.ndarray, *others: np.ndarray) -> tuple[np.ndarray]:
    return _join(options + "".join(str(y.shape) for y in others), x)


def _last(options: str, x: np.ndarray) -> tuple[np.ndarray]:
    return (x.reshape(-1)[-1:].reshape(()),)


def _sorted(options: str, x: np.ndarray) -> tuple[np.ndarray]:
    return (np.sort(x.reshape(-1)).reshape(x.shape),)  # of all that it gets


def _pair(x: np.ndarray) -> tuple[np.ndarray, ...]:
    return np.asarray(x + x, object), np.asarray(x == x, np.bool_)


register("tests.join", _join, Elementwise.ALL)
register("tests.mark", _marked, Elementwise.FIRST)
register("tests.last", _last, Elementwise.FIRST)
register("tests.sort", _sorted)
MANY = Routine("tests.pairs", lambda x, *rest: _pair(x))
STACKED = Routine("tests.pair", lambda x, *rest: _pair(x), MANY)
ALONE = Routine("tests.alone", lambda x: _pair(x))

X = np.array([b"b", b"a", b"c"], object)
Y = np.array([[b"p", b"q"], [b"s", b"r"], [b"t", b"u"]], object)
GIVEN = [X, Y, Y[:, :1], Y[0], np.array(b"w", object), Y[0, :1], np.array([1, 0, 1], bool)]
PARAMS = "%x: string[n], %y: string[n,m], %u: string[n,1], %z: string[m], %w: string, %v: string[1]"
LOOP = """func @f({params}, %p: bool[n]) -> ({types}) {{
  {results} = scan [%w], [%x, %y, %u, %p], [%z, %w, %v] {{count = n, reverse = {reverse}, \
residuals = 0}} body = (%i: i64, %s: string, %a: string, %b: string[m], %c: string[1], %q: bool, \
%d: string[m], %e: string, %g: string[1]) {{
    {lines}
    return {returns}
  }} : {types}
  return {results}
}}"""


def call(name: str, operands: str, routine: str = "join", shape: str = "") -> str:
    return (
        f"%{name} = host_function [{operands}] {{routine = ('tests.{routine}', '-'), "
        f"shape = ({shape}), dtype = string}} : string{f'[{shape[:-1]}]' if shape else ''}"
    )


def held(routine: Routine, operands: str = "%a") -> list[str]:
    return [
        f"%h = host_run [{operands}] {{routine = {routine}, places = (), axes = ()}} : string",
        "%r = host_result %h {place = 0, shape = (), dtype = string} : string",
        "%t = host_result %h {place = 1, shape = (), dtype = bool} : bool",
    ]


CHOICE = """%r = cond %q, [%k, %a] then = (%k1: string, %a1: string) {
      return %k1
    } orelse = (%k2: string, %a2: string) {
      %k3 = host_function [%k2, %a2] {routine = ('tests.join', '+'), shape = (), dtype = string} \
: string
      return %k3
    } : string"""
# Lines of the body; what it gives beside what it carries; which ops are made outside of it, and how
# many of its own are left.
LOOPS = {
    "scalars": ([call("r", "%a, %e")], "%r", "host_function", 0),
    "another scalar in each round": ([call("r", "%e, %a")], "%r", "host_function", 0),
    "rows": ([call("r", "%b, %b", shape="m,")], "%r", "host_function", 0),
    "scalars by rows": ([call("r", "%a, %b", shape="m,")], "%r", "broadcast host_function", 0),
    "scalars by what stays": (
        [call("r", "%d, %a", shape="m,")],
        "%r",
        "broadcast broadcast host_function",
        0,
    ),
    "rows of one": (
        [call("r", "%c, %d", shape="m,")],
        "%r",
        "broadcast broadcast host_function",
        0,
    ),
    "one that stays": ([call("r", "%g, %b", shape="m,")], "%r", "broadcast host_function", 0),
    "constants": (
        ["%k = constant {value = string 'k'} : string", call("r", "%a, %k")],
        "%r, %k",
        "constant host_function",
        1,
    ),
    "constants alone": (
        ["%k = constant {value = string 'k'} : string", call("r", "%e, %k")],
        "%r",
        "constant",
        2,
    ),
    "calls of calls": (
        [call("k", "%a, %e"), call("l", "%k, %k"), call("r", "%e, %l")],
        "%r, %k",
        "host_function host_function host_function",
        0,
    ),
    "carried": ([call("r", "%a, %s")], "%r", "", 1),
    "the round": (
        ["%k = cast %i {dtype = bool} : bool", call("r", "%e, %e")],
        "%r, %k",
        "",
        2,
    ),
    "beside others": ([call("k", "%a, %s"), call("r", "%a, %e")], "%r, %k", "host_function", 1),
    "for a branch": ([call("k", "%a, %e"), CHOICE], "%r", "host_function", 1),
    "the first": ([call("r", "%b", "mark", "m,")], "%r", "host_function", 0),
    "the first, with more": ([call("r", "%b, %e", "mark", "m,")], "%r", "host_function", 0),
    "the first, with a row": ([call("r", "%a, %d", "mark")], "%r", "host_function", 0),
    "of another rank": ([call("r", "%b", "last")], "%r", "", 1),
    "the first stays": ([call("r", "%e, %a", "mark")], "%r", "", 1),
    "the first and others": ([call("r", "%a, %a", "mark")], "%r", "", 1),
    "all of a row": ([call("r", "%b", "sort", "m,")], "%r", "", 1),
    "runs": (held(STACKED), "%r, %t", "host_run host_result host_result", 0),
    "runs, with more": (held(STACKED, "%a, %e"), "%r", "host_run host_result host_result", 0),
    "effects": (
        [
            held(STACKED)[0].replace("_run", "_effect"),
            held(STACKED)[1],
            call("l", "%a, %e"),
        ],
        "%r, %l",
        "host_function",
        2,
    ),
    "runs of others": (held(STACKED, "%e, %a"), "%r", "", 3),
    "runs of two": (held(STACKED, "%a, %a"), "%r", "", 3),
    "runs of each alone": (held(ALONE), "%r", "", 3),
}


def loop(
    lines: Iterable[str], returns: str, carried: str = "%a", reverse: bool = False
) -> Function:
    """A loop along strings, whose body has these lines, and gives rows."""
    types = {"%a": "string", "%b": "string[m]", "%d": "string[m]", "%s": "string"}
    for line in lines:
        types[line.partition(" =")[0]] = line.rpartition(" : ")[2].strip()
    rows = [types[v] for v in returns.split(", ")]
    stacked = [f"{t[:-1].replace('[', '[n,')}]" if "[" in t else f"{t}[n]" for t in rows]
    source = LOOP.format(
        params=PARAMS,
        types=", ".join(["string", *stacked]),
        results=", ".join(f"%o{i}" for i in range(len(rows) + 1)),
        reverse=reverse,
        lines="\n    ".join(lines),
        returns=f"{carried}, {returns}",
    )
    f = text.parse(source)
    verify(f)
    return f


def same(f: Function, changed: Function) -> bool:
    """Whether both give the same."""
    verify(changed)
    pairs = zip(interpret(f, GIVEN), interpret(changed, GIVEN), strict=True)
    return all(a.dtype == b.dtype and a.tolist() == b.tolist() for a, b in pairs)


@pytest.mark.parametrize("name", LOOPS)
def test_calls_are_made_once_for_all_rounds(name: str) -> None:
    lines, returns, outside, left = LOOPS[name]
    for reverse in (False, True):
        f = loop(lines, returns, reverse=reverse)
        with recording() as journal:
            changed = taken(distribute, f)
        *before, scan = changed.body
        made = [op.mnemonic for op in before]
        assert isinstance(scan, Control)
        assert (name, made, len(scan.regions[0].body)) == (name, outside.split(), left)
        assert same(f, changed)
        told = [note.reason for note in journal.of(f.body[0])]
        moved = any(m.startswith("host") for m in made)
        assert told == ["calls of the host are made once for all rounds"] * moved


PLAIN = """func @f(%x: string[3], %q: f32[3], %w: string) -> (string, f32) {
  %u = neg %q : f32[3]
  %z = constant {value = f32 0.0} : f32
  %b = scan [%z], [%u], [] {count = 3, reverse = False, residuals = 0} body = (%j: i64, %s: f32, \
%qj: f32) {
    %3 = add %s, %qj : f32
    return %3
  } : f32
CALL
  return %a, %b
}"""
JOIN = "host_function [%w, %w] {routine = ('tests.join', ''), shape = (), dtype = string} : string"
EQUAL = """  %d = scan [], [%x], [%w] {count = 3, reverse = False, residuals = 0} body = (%i: i64, \
%xi: string, %w1: string) {
    %5 = host_function [%xi, %w1] {routine = ('tests.equal', ''), shape = (), dtype = bool} : bool
    return %5
  } : bool[3]
"""
register("tests.equal", lambda options, x, y: (np.asarray(x == y, np.bool_),), Elementwise.ALL)


def test_functions_without_such_loops_stay() -> None:
    without = text.parse(PLAIN.replace("CALL", "").replace("%a,", "%w,"))
    beside = text.parse(PLAIN.replace("CALL", "  %a = " + JOIN))
    numbers = text.parse(PLAIN.replace("CALL", EQUAL + "  %a = " + JOIN))
    straight = text.parse(f"func @f(%w: string) -> string {{\n  %a = {JOIN}\n  return %a\n}}")
    for f in (straight, without, beside):
        assert distribute(f) is f and count(f) is f
    for f in (straight, without, beside, numbers):
        assert forget_strings(f) is f
    changed = distribute(numbers)
    made = [op.mnemonic for op in changed.body]
    assert made == ["neg", "constant", "scan", "host_function", "scan", "host_function"]
    given = [X, np.float32([1, 2, 3]), GIVEN[4]]
    assert interpret(changed, given) == interpret(numbers, given)


ROUNDS = """func @f(%n: i64) -> i64[r] {
  %k, %rounds, %rows = growing_while [%n], [] {inside = (), bound = (r,)} condition = (%a: i64) {
    %z = constant {value = i64 9} : i64
    %c = less %a, %z : bool
    return %c
  } body = (%b: i64) {
    %o = constant {value = i64 3} : i64
    %d = add %b, %o : i64
    return %d, %b
  } : i64, i64, i64[r]
  return %rows
}"""


def test_rounds_are_counted_first() -> None:
    f = text.parse(ROUNDS)
    with recording() as journal:
        changed = taken(count, f)
    verify(changed)
    for n in (-1, 8, 9):
        (rows,) = interpret(changed, [np.int64(n)])
        assert rows.tolist() == interpret(f, [np.int64(n)])[0].tolist() == list(range(n, 9, 3))
    (note,) = journal.of(f.body[0])
    assert note.reason == "rounds are counted first, which is one kernel"
