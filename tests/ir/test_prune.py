"""What a function does without where it is run once more, and what its parts need."""

from __future__ import annotations

from tests.ir.autodiff.test_reverse import named
from tfc.ir.liveness import effectful
from tfc.ir.passes.prune_carried import silenced, without_effects
from tfc.ir.text import parse

NOISY = """\
func @noisy(%x: f32, %p: bool) -> (f32, bool, bool) {
  %c = check %p, [] {message = 'no'} : bool
  %e = exp %x : f32
  %s = print [%e] {template = '\\x00', stream = 'stderr', summarize = 3} : bool
  %r = cond %p, [%e] then = (%a: f32) {
    %t = print [%a] {template = '\\x00', stream = 'stderr', summarize = 3} : bool
    %u = sin %a : f32
    return %u
  } orelse = (%a2: f32) {
    return %a2
  } : f32
  return %r, %c, %s
}
"""


def test_effects_are_left_out_of_the_first_ops_alone() -> None:
    f = parse(NOISY)
    cond = f.body[3]
    assert [effectful(op) for op in f.body] == [True, False, True, True]
    assert effectful(cond.regions[0].body[0]) and not effectful(cond.regions[0].body[1])
    plain = without_effects(f)
    assert [op.mnemonic for op in plain.body] == ["exp", "constant", "cond"]
    assert [op.mnemonic for op in plain.body[2].regions[0].body] == ["constant", "sin"]
    assert plain.returns[1] is f.params[1]
    for first in range(5):
        kept = [op.mnemonic for op in without_effects(f, first).body]
        expected = ["check", "exp", "print", "cond"]
        wanted = [
            name
            if i >= first or not effectful(f.body[i])
            else {"print": "constant"}.get(name, name)
            for i, name in enumerate(expected)
            if name != "check" or i >= first
        ]
        assert kept == wanted
    branches = [without_effects(f, n).body[-1].regions[0].body[0].mnemonic for n in (3, 4)]
    assert branches == ["print", "constant"]
    assert without_effects(f, 0) is f and without_effects(plain) is plain


def test_what_became_of_values_in_branches_is_told() -> None:
    f = parse(NOISY)
    plain, env = silenced(f)
    v, w = named(f), named(plain)
    made = plain.body[2]
    assert env[v["c"]] is f.params[1]
    assert env[v["e"]] is plain.body[0].result and env[v["r"]] is made.results[0]
    inside = made.regions[0].body
    assert env[v["t"]] is inside[0].result and env[v["u"]] is inside[1].result
    assert w["a"] is v["a"]
