"""What is emitted anew: on other values, with other symbols, by other rules."""

from __future__ import annotations

from tests.golden import numbered_symbols
from tfc.ir.copying import (
    copy_op,
    instantiate,
    mark_again,
    op_symbols,
    rebuild,
    renamed,
    substituted,
    symbol_sources,
    transfer,
    unbound_symbols,
)
from tfc.ir.core import Backward, Builder, Function, Op
from tfc.ir.dtypes import float32, float64, int64
from tfc.ir.extent import Extent, symbol
from tfc.ir.journal import recording
from tfc.ir.ops.elementwise import Add, Neg
from tfc.ir.ops.shape import Constant
from tfc.ir.text import parse
from tfc.ir.types import TensorType
from tfc.ir.verify import verify

N, M = symbol("n"), symbol("m")
PLAIN = """func @plain(%x: f32[n], %y: f32[n]) -> (f32[n], f32[2*n], f32[n,m]) {
  %sum = add %x, %y : f32[n]
  %two = concat [%sum, %x] {axis = 0} : f32[2*n]
  %zero = constant {value = f32 0.0} : f32
  %all = broadcast %zero {shape = (n, m), dims = ()} : f32[n,m]
  return %sum, %two, %all
}"""
GROWING = """func @grow(%x: f32[n], %limit: i64) -> (f32[e], f32[r], f32[t], f32[k]) {
  %y, %size, %rounds, %total, %sums, %parts = growing_while [%x], [%limit] \
{inside = (d,), bound = (e, r, t)} condition = (%u: f32[d], %m: i64) {
    %k = extent_of {value = d} : i64
    %c = less %k, %m : bool
    return %c
  } body = (%v: f32[d], %l: i64) {
    %0 = reduce_sum %v {axes = (0,)} : f32
    %g = extent_of {value = p} : i64
    %i = extent_of {value = d + 1} : i64
    bind_extent %i {symbol = q}
    %z = constant {value = f32 1.0} : f32
    %1 = broadcast %z {shape = (q,), dims = ()} : f32[q]
    %2 = reduce_sum %1 {axes = (0,)} : f32
    %3 = reshape %2 {shape = (1,)} : f32[1]
    %4 = concat [%v, %3] {axis = 0} : f32[d+1]
    return %4, %0, %v
  } : f32[e], i64, i64, i64, f32[r], f32[t]
  %size2 = extent_of {value = 7} : i64
  bind_extent %size2 {symbol = k}
  %one = constant {value = f32 1.0} : f32
  %w = broadcast %one {shape = (k,), dims = ()} : f32[k]
  return %y, %sums, %parts, %w
}"""


def copied(f: Function, **extents: Extent) -> str:
    """The text of what `transfer` makes of `f`, on params of the types that it then has."""
    b = Builder("copy")
    params = [
        b.parameter(TensorType(p.dtype, substituted(p.shape, extents)), p.name) for p in f.params
    ]
    return str(verify(b.build(*transfer(f, b, params, extents=extents))))


def test_symbols_have_other_values() -> None:
    wanted = (
        PLAIN.replace("@plain", "@copy").replace("[n,m]", "[m+1,5]").replace("(n, m)", "(m + 1, 5)")
    )
    wanted = wanted.replace("[n]", "[m+1]").replace("[2*n]", "[2*m+2]")
    assert copied(parse(PLAIN), n=M + 1, m=5) == wanted
    wanted = GROWING.replace("@grow", "@copy").replace("[n]", "[3]").replace("= p}", "= n}")
    assert copied(parse(GROWING), n=3, p=N) == str(parse(wanted))


def test_attributes_with_symbols() -> None:
    assert substituted(N + 1, {"n": 4}) == 5
    assert substituted((N, 2, "n"), {"n": 4}) == (4, 2, "n")
    assert substituted((M,), {"n": 4}) == (M,)
    pair = (3, "x")
    assert substituted(pair, {"n": 4}) is pair and substituted("n", {"n": 4}) == "n"


def test_regions_have_other_symbols() -> None:
    f = parse(PLAIN)
    noted = Function(f.name, f.params, f.body, f.returns, {"note": 7})
    found = renamed(noted, {"n": M})
    assert str(verify(found)) == PLAIN.replace("n]", "m]").replace("[n,", "[m,").replace(
        "(n,", "(m,"
    )
    assert found.notes == {"note": 7}


def test_what_is_not_kept_is_left_out() -> None:
    b = Builder()
    f = parse(PLAIN)
    x, y = (b.parameter(p.type) for p in f.params)
    (made,) = transfer(
        Function("f", f.params, f.body, f.returns[:1]), b, [x, y], lambda op: op is f.body[0]
    )
    assert [type(op) for op in b.body] == [Add] and made is b.body[0].results[0]
    assert b.body[0].operands == (x, y) and b.body[0] is not f.body[0]


def test_copies_have_names_places_and_types() -> None:
    f = parse(PLAIN)
    total = f.body[0]
    total.location = Backward("model.py", 3)
    b, env = Builder(), dict(zip(f.params, f.params, strict=True))
    copy_op(total, b, env)
    made = env[total.result]
    assert made.name == "sum" and made.op is not total
    assert made.op is not None and made.op.location is total.location
    assert made.type is total.result.type  # it was not inferred anew
    wide = b.parameter(TensorType(float64, (N,)))
    env = dict.fromkeys(f.params, wide)
    copy_op(total, b, env)
    assert env[total.result].type == wide.type


def test_what_rules_replace_keeps_its_own_name() -> None:
    """The name goes to a copy alone, not to what a rule gives in its place; so does the mark."""
    f = parse("func @f(%x: f32) -> f32 {\n  %a = neg %x : f32\n  %b = neg %a : f32\n  return %b\n}")
    for op in f.body:
        mark_again(op, 3)
    b = Builder(rules=["simplify"])
    x = b.parameter(f.params[0].type, "given")
    (result,) = transfer(f, b, [x])
    assert result is x and x.name == "given"
    assert [op.again for op in b.body] == [3]
    other = Builder(rules=["cse"])
    x = other.parameter(f.params[0].type)
    known = other.emit(Neg(x))
    env = {f.params[0]: x}
    copy_op(f.body[0], other, env)
    assert env[f.body[0].result] is known and known.op is not None
    assert not known.name and not known.op.again
    mark_again(known.op)
    assert known.op.again == 1


def test_the_journal_is_told_what_came_of_an_op() -> None:
    f = parse(PLAIN)
    with recording() as journal:
        made: dict[Op, Op] = {}

        def step(f: Function) -> Function:
            b = Builder("copy")
            params = [b.parameter(p.type) for p in f.params]
            returns = transfer(f, b, params)
            assert b.origin is None
            made.update(zip(f.body, b.body, strict=True))
            return b.build(*returns)

        journal.take(step, f)
    assert {old: new for old in f.body for new in journal.became[old]} == made


def test_arguments_say_what_symbols_are() -> None:
    """Extents of params that are symbols; those that are computed of them do not."""
    f = parse(
        """func @f(%x: f32[2*n,3], %y: f32[n]) -> (f32[n], i64, i64) {
          %a = neg %y : f32[n]
          %b = extent_of {value = n + m} : i64
          bind_extent %b {symbol = k}
          %c = extent_of {value = k} : i64
          return %a, %b, %c
        }"""
    )
    b = Builder("g")
    x, y = b.parameter(TensorType(float32, (8, 3))), b.parameter(TensorType(float32, (4,)))
    with numbered_symbols():
        results = instantiate(f, b, [x, y], {"m": N})
    assert [str(op) for op in str(verify(b.build(*results))).splitlines()[1:-2]] == [
        "  %a = neg %1 : f32[4]",
        "  %b = extent_of {value = n + 4} : i64",
        "  bind_extent %b {symbol = d1000}",
        "  %c = extent_of {value = d1000} : i64",
    ]
    b = Builder("g")
    plain = parse("func @f(%x: f32[n]) -> f32[n] {\n  %a = neg %x : f32[n]\n  return %a\n}")
    assert instantiate(plain, b, [y])[0].type == y.type


def test_symbols_that_an_op_names() -> None:
    """In types, in attributes and in regions, but for its own."""
    f, grow = parse(PLAIN), parse(GROWING)
    assert [list(op_symbols(op)) for op in f.body] == [["n"], ["n"], [], ["n", "m"]]
    cut = parse(
        """func @f(%x: f32[9]) -> f32[2] {
          %0 = slice %x {begin = (k,), size = (2,), strides = (1,)} : f32[2]
          return %0
        }"""
    )
    assert list(op_symbols(cut.body[0])) == ["k"]
    assert list(op_symbols(grow.body[0])) == ["e", "r", "t", "p"]
    assert [list(op_symbols(op)) for op in grow.body[1:]] == [[], ["k"], [], ["k"]]


def test_symbols_that_nothing_binds() -> None:
    assert unbound_symbols(parse(PLAIN)) == ("m",)
    assert unbound_symbols(parse(GROWING)) == ("p",)
    f = parse("func @f(%x: f32[2*n]) -> i64 {\n  %0 = extent_of {value = m} : i64\n  return %0\n}")
    assert unbound_symbols(f) == ("n", "m")


def test_values_that_symbols_are() -> None:
    """Of loops alone; of a loop that runs again, those of the first."""
    f = parse(GROWING)
    loop = f.body[0]
    assert symbol_sources(f) == dict(zip("ert", loop.results[1:4], strict=True))
    twice = Function(f.name, f.params, (loop, parse(GROWING).body[0]), ())
    assert symbol_sources(twice) == symbol_sources(f)


def test_functions_that_do_not_change_stay_themselves() -> None:
    f = parse(PLAIN)
    b = Builder()
    assert rebuild(f, b) is f and b.name == "plain"
    unused = rebuild(f, Builder(), lambda op: op is not f.body[1] and op is not f.body[3])
    assert unused.body == (f.body[0], f.body[2]) and unused is not f


def test_what_follows_a_change_is_emitted_anew() -> None:
    """And what does not belongs to both functions."""
    f = parse(
        """func @f(%x: f32, %y: f32) -> (f32, f32, f32) {
          %a = neg %x : f32
          %b = neg %a : f32
          %c = exp %b : f32
          %d = exp %y : f32
          %e = add %c, %d : f32
          return %b, %d, %e
        }"""
    )
    noted = Function(f.name, f.params, f.body, f.returns, {"note": 7})
    found = rebuild(noted, Builder(rules=["simplify"]))
    assert found.notes == {"note": 7} and found.params == f.params
    a, c, d, e = found.body
    assert (a, d) == (f.body[0], f.body[3]) and c is not f.body[2]
    assert c.operands == f.params[:1] and e.operands == (c.result, d.result)
    assert found.returns == (f.params[0], d.result, e.result)
    with recording() as journal:
        journal.take(lambda f: rebuild(f, Builder(), lambda op: op is not f.body[2]), f)
    assert [str(note.reason) for note in journal.notes] == ["no result and no effect needs it"]


def test_constants_are_numbers_once() -> None:
    """An op whose operands have not changed goes in as it is, so that rules see it."""
    f = parse(
        """func @f(%x: i64) -> (i64, i64) {
          %a = constant {value = i64 3} : i64
          %b = constant {value = i64 3} : i64
          %c = add %x, %a : i64
          %d = add %x, %b : i64
          return %c, %d
        }"""
    )
    found = rebuild(f, Builder(rules=["cse"]))
    assert [type(op) for op in found.body] == [Constant, Add] and found.returns[0] is found.returns[
        1
    ]
    assert found.body[0].result.type == TensorType(int64, ())
