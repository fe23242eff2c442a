"""What passes say that they did: each op that is gone is accounted for, with the reason."""

from __future__ import annotations

import pytest

import tfc as tf
from tfc.ir import passes
from tfc.ir.core import Builder
from tfc.ir.journal import Journal, recording
from tfc.ir.text import parse

WASTEFUL = """
func @wasteful(%x: f32[8], %n: i32) -> (f32[8], f32[8], i32) {
  %one = constant {value = f32 1.0} : f32
  %ones = broadcast %one {shape = (8,), dims = ()} : f32[8]
  %a = exp %x : f32[8]    # model.py:1
  %b = exp %x : f32[8]    # model.py:2
  %c = mul %b, %ones : f32[8]    # model.py:3
  %d = log %c : f32[8]    # model.py:4
  %yes = constant {value = bool True} : bool
  %e = cond %yes, [%a] then = (%t: f32[8]) {
    %0 = neg %t : f32[8]
    return %0
  } orelse = (%o: f32[8]) {
    return %o
  } : f32[8]    # model.py:5
  %two = constant {value = i32 2} : i32
  %three = constant {value = i32 3} : i32
  %six = mul %two, %three : i32
  %m = add %six, %n : i32
  %f = add %a, %c : f32[8]
  return %e, %f, %m
}
"""


def journal_of(text: str) -> Journal:
    f = parse(text)
    with recording() as journal:
        passes.run(f)
    assert journal.steps[0].before is f
    return journal


def test_each_pass_says_what_it_did() -> None:
    journal = journal_of(WASTEFUL)
    f = journal.steps[0].before
    told = {v.name: journal.of(v.op) for op in f.body for v in op.results if v.op is not None}
    said = {name: [(n.step, str(n.what), n.reason) for n in notes] for name, notes in told.items()}
    law = ("simplify", "replaced by", "x * 1 = x")
    same = ("cse", "the same as", "")
    assert said["c"] == [law, same]  # it is %b from then on
    assert said["b"] == [same]
    assert said["a"] == []
    assert said["d"] == [("dce", "dropped", "no result and no effect needs it")]
    assert said["e"] == [("regions", "replaced by", "the predicate is True")]
    assert said["six"] == [("fold", "folded to", "")]
    assert said["m"] == [("simplify", "replaced by", "constants stand to the right")]
    text = " ".join(str(journal).split())
    assert "%c mul replaced by %b: x * 1 = x # model.py:3" in text
    assert "%b exp the same as %a # model.py:2" in text


def step(x: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    with tf.GradientTape() as tape:
        tape.watch(w)
        square = tf.matmul(w, w, transpose_b=True)
        for i in tf.range(3):
            if i < 2:
                square = tf.tanh(square @ square)
        loss = tf.reduce_mean(tf.nn.softmax(x @ w)) + tf.reduce_sum(square)
    return loss, tape.gradient(loss, w)


@pytest.fixture(scope="module")
def journal() -> Journal:
    specs = tf.TensorSpec([None, 16]), tf.TensorSpec([16, 16])
    concrete = tf.function(step).get_concrete_function(*specs)
    found = concrete.explain_passes()
    outer = [s for s in found.steps if ":" not in s.name]
    assert str(outer[-1].after) == concrete.ir("optimised", verbose=True)
    return found


def test_every_op_that_is_gone_is_accounted_for(journal: Journal) -> None:
    for one in journal.steps:
        left, told = {*one.after.body}, {note.op for note in one.notes}
        for op in one.before.body:
            assert op in left or op in told or op in journal.became, (one.name, op)
        assert told <= {*one.before.walk()}, one.name


def test_passes_over_regions_say_so(journal: Journal) -> None:
    assert {s.name for s in journal.steps} >= {"regions", "regions: cse", "regions: regions: dce"}
    assert any(note.step.startswith("regions: ") for note in journal.notes)


def test_nobody_records_by_himself(journal: Journal) -> None:
    assert Builder().journal is None
    count = len(journal.steps)
    passes.run(parse(WASTEFUL))
    assert len(journal.steps) == count
    with recording() as other:
        Builder(rules=("cse",))  # outside of a pass nothing is noted
    assert not other.steps


LOOPS = """
func @loops(%x: f32) -> (f32, f32, f32) {
  %a = scan [%x], [], [] {count = 3, reverse = False, residuals = 0} body = (%i: i64, %v: f32) {
    %0 = mul %v, %v : f32
    return %0
  } : f32    # model.py:1
  %b = scan [%x], [], [] {count = 3, reverse = False, residuals = 0} body = (%j: i64, %w: f32) {
    %1 = mul %w, %w : f32
    return %1
  } : f32    # model.py:2
  %c = add %a, %b : f32
  return %a, %b, %c
}
"""


def test_a_loop_that_is_merged_is_said_to_be_the_same() -> None:
    f = parse(LOOPS)
    with recording() as journal:
        passes.run(f, [passes.merge])
    first, second, _ = f.body
    (made,) = (op for op in journal.steps[0].after.body if op.mnemonic == "scan")
    alike = "the two loops start alike, and their rounds compute alike"
    (note,) = journal.of(second)
    assert (str(note.what), note.reason, note.values) == ("the same as", alike, made.results)
    assert journal.became[first] == [made]
