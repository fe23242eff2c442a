"""Functions whose sizes follow from data, cut into stages: what runs when, and the same results."""

from __future__ import annotations

import numpy as np
import pytest

from tfc.ir import text
from tfc.ir.interpreter import interpret
from tfc.ir.passes.data_extents import stages
from tfc.ir.verify import verify

PRINT = "print [%s] {template = '\\x00', stream = 'stdout', summarize = 3} : bool"
PREFIX = "slice %x {begin = (0,), size = (d,), strides = (1,)} : f32[d]"
# Results and their types, lines; of each stage its ops, what it takes and gives, which sizes it
# binds, and which it has to be told.
FUNCTIONS = {
    "nothing": (
        "%x",
        "f32[n]",
        [],
        [("", "x s k l", "x", "", "")],
    ),
    "no size": (
        "%a",
        "f32[n]",
        ["%a = neg %x : f32[n]"],
        [("neg", "x s k l", "a", "", "")],
    ),
    "a size of an argument": (
        "%a, %b",
        "f32[d], f32[n]",
        ["bind_extent %k {symbol = d}", f"%a = {PREFIX}", "%b = neg %x : f32[n]"],
        [("neg", "x s k l", "b k", "k d", ""), ("slice", "x b", "a b", "", "d")],
    ),
    "a size that is computed, and one of that": (
        "%c, %m, %u",
        "f32[e], i64, f32[n]",
        [
            "%m = add %k, %l : i64",
            "%u = neg %x : f32[n]",
            "bind_extent %m {symbol = d}",
            f"%a = {PREFIX}",
            "%p = reduce_sum %a {axes = (0,)} : f32",
            "%q = add %p, %s : f32",
            "%r = cast %q {dtype = i64} : i64",
            "bind_extent %r {symbol = e}",
            "%b = broadcast %p {shape = (e,), dims = ()} : f32[e]",
            "%c = neg %b : f32[e]",
        ],
        [
            ("add neg", "x s k l", "m u", "m d", ""),
            ("slice reduce_sum add cast", "x s", "p r", "r e", "d"),
            ("broadcast neg", "p m u", "c m u", "", "e"),
        ],
    ),
    "what an early stage makes is needed by the next one alone": (
        "%c",
        "f32[e]",
        [
            "%u = neg %x : f32[n]",
            "bind_extent %k {symbol = d}",
            "%a = slice %u {begin = (0,), size = (d,), strides = (1,)} : f32[d]",
            "%p = reduce_sum %a {axes = (0,)} : f32",
            "bind_extent %l {symbol = e}",
            "%b = broadcast %s {shape = (d,), dims = ()} : f32[d]",
            "%q = reduce_sum %b {axes = (0,)} : f32",
            "%r = cast %q {dtype = i64} : i64",
            "bind_extent %r {symbol = f}",
            "%t = broadcast %p {shape = (f,), dims = ()} : f32[f]",
            "%v = reduce_sum %t {axes = (0,)} : f32",
            "%c = broadcast %v {shape = (e,), dims = ()} : f32[e]",
        ],
        [
            ("neg", "x s k l", "u k l", "k d, l e", ""),
            ("slice reduce_sum broadcast reduce_sum cast", "u s", "p r", "r f", "d"),
            ("broadcast reduce_sum broadcast", "p", "c", "", "f e"),
        ],
    ),
    "effects keep their order": (
        "%a, %m",
        "f32[d], i64",
        [
            f"%p1 = {PRINT}",
            "bind_extent %k {symbol = d}",
            f"%a = {PREFIX}",
            "%q = reduce_sum %a {axes = (0,)} : f32",
            f"%p2 = {PRINT.replace('%s', '%q')}",
            f"%p3 = {PRINT}",
            "%m = add %k, %l : i64",
        ],
        [
            ("print add", "x s k l", "m k", "k d", ""),
            ("slice reduce_sum print print", "x s m", "a m", "", "d"),
        ],
    ),
    "a size that nothing needs": (
        "%a",
        "f32[n]",
        ["bind_extent %k {symbol = d}", "%a = neg %x : f32[n]"],
        [("neg", "x s k l", "a", "", "")],
    ),
    "attributes need sizes": (
        "%a",
        "i64",
        ["bind_extent %k {symbol = d}", "%a = extent_of {value = d} : i64"],
        [("", "x s k l", "k", "k d", ""), ("extent_of", "", "a", "", "d")],
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_stages(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    results, types, lines, wanted = FUNCTIONS[name]
    body = "\n  ".join([*lines, f"return {results}"])
    f = text.parse(f"func @f(%x: f32[n], %s: f32, %k: i64, %l: i64) -> ({types}) {{\n  {body}\n}}")
    verify(f)
    given = [np.float32([1, 2, 3, 4]), np.float32(1), np.int64(1), np.int64(2)]
    expected = interpret(f, given)
    shown = capsys.readouterr().out
    known, sizes, found = dict(zip(f.params, given, strict=True)), {"n": 4}, []
    for number, stage in enumerate(stages(f)):
        assert stage.function.name == f"f.{number}"
        verify(stage.function)
        scalars = {s: sizes[s] for s in stage.scalars}
        made = interpret(stage.function, [known[v] for v in stage.inputs], scalars)
        known.update(zip(stage.outputs, made, strict=True))
        sizes.update((symbol, int(known[v])) for v, symbol in stage.binds)
        ops = " ".join(op.mnemonic for op in stage.function.body)
        names = (" ".join(str(v.name) for v in part) for part in (stage.inputs, stage.outputs))
        binds = ", ".join(f"{v.name} {symbol}" for v, symbol in stage.binds)
        found.append((ops, *names, binds, " ".join(stage.scalars)))
        last = stage
    assert found == wanted
    assert last.outputs == f.returns and capsys.readouterr().out == shown
    assert [x.tolist() for x in made] == [x.tolist() for x in expected]
