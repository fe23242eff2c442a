"""The IR's text: the lines of the user's source that it names, and that it can be read back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tfc as tf
from tfc.function.concrete import ConcreteFunction
from tfc.ir.__main__ import main
from tfc.ir.core import Function
from tfc.ir.kernels.ops import Launch
from tfc.ir.text import Names, ParseError, parse, rows

TEXT = """func @f(%x: f32[n,3], %y: f32[3]) -> f32[3] {
  %0 = neg %y : f32[3]    # model.py:7
  %2, %3 = scan [%0], [%x], [] {count = n, reverse = False, residuals = 0} body = (%i: i64, \
%x1: f32[3], %x2: f32[3]) {    # model.py:9
    %1 = add %x1, %x2 : f32[3]
    return %1, %1
  } : f32[3], f32[n,3]
  return %2
}"""


def test_rows_know_their_ops() -> None:
    f = parse(TEXT)
    names = Names()
    found = rows(f, names)
    assert "\n".join(map(str, found)) == str(f) == TEXT
    for row in found:
        if row.op is not None and row.op.results and " = " in row.text:
            assert row.text.split(" = ")[0].split(",")[0] == names.use(row.op.result)
    named = [row.op.mnemonic if row.op else "" for row in found]
    assert named == ["", "neg", "scan", "add", "", "scan", "", ""]


def step(x: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    with tf.GradientTape() as tape:
        tape.watch(w)
        hidden = tf.nn.relu(x @ w)
        order = tf.sort(hidden, axis=1)
        loss = tf.reduce_mean(tf.sin(order))
    return loss, tape.gradient(loss, w)


@pytest.fixture(scope="module")
def concrete() -> ConcreteFunction:
    specs = tf.TensorSpec([None, 9]), tf.TensorSpec([9, 40])
    return tf.function(step).get_concrete_function(*specs)


def test_every_line_of_kernels_comes_from_a_line_of_the_user(concrete: ConcreteFunction) -> None:
    kernels = concrete.compiled.stages.kernels
    first = step.__code__.co_firstlineno
    lines = {row.location.line for row in rows(kernels)[1:-2] if row.location is not None}
    assert all(row.location is not None for row in rows(kernels)[1:-2])
    assert lines == {first + 3, first + 4, first + 5}


def test_regions_name_a_line_only_where_it_is_another(concrete: ConcreteFunction) -> None:
    kernels = concrete.compiled.stages.kernels
    text = str(kernels)
    assert str(parse(text)) == text
    launches = [row for row in rows(kernels) if " launch [" in row.text]
    assert launches
    assert all(row.named for row in launches)
    # Also what expansions share, which has no place but that of its use, gets one.
    assert [row.location for row in rows(parse(text))] == [row.location for row in rows(kernels)]
    assert len(re.findall(r"    # ", text)) < len(rows(kernels)) / 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("func @f(%x: f32) -> (f32] {\nreturn %x\n}", r"line 3: expected `\)` behind the types"),
        ("func @f(%x: f32) -> f32 {\nreturn %x\n} }", "line 3: expected nothing behind `}`"),
        ("func @f(%x: f32) -> f32 {\n%0 = cast %x {dtype = f32} f32\nreturn %0\n}", "line 2: exp"),
        ("func @f(%x: f32) -> f32 {\nreturn ,\n}", "line 2:  is not defined"),
        ("func @f(%x: f32) -> f32 {\nreturn %x,,\n}", "line 2:  is not defined"),
    ],
)
def test_what_was_once_overlooked_is_an_error(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        parse(text)


def test_a_place_behind_the_last_brace_is_read_too() -> None:
    """Where it stood once."""
    f = parse(
        """
        func @f(%p: bool, %x: f32) -> f32 {
          %2 = cond %p, [%x] then = (%a: f32) {
            %0 = neg %a : f32    # model.py:3
            return %0
          } orelse = (%b: f32) {
            %1 = abs %b : f32
            return %1
          } : f32    # model.py:2
          return %2
        }
        """
    )
    assert [str(op.location) for op in f.walk()] == ["model.py:2", "model.py:3", "None"]
    again: Function = parse(str(f))
    assert [str(op.location) for op in again.walk()] == ["model.py:2", "model.py:3", "model.py:2"]


def test_values_are_called_what_the_user_calls_them() -> None:
    v = tf.Variable(tf.ones([4]), name="dense/kernel")

    def train(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        with tf.GradientTape() as tape:
            logits = tf.nn.relu(x * v) + 1.0
            low, high = tf.split(logits, 2)
            for _ in range(2):
                high = tf.sin(high)
            loss = tf.reduce_mean(low * high)
        v.assign_sub(tape.gradient(loss, v))
        return loss, tf.exp(loss)

    concrete = tf.function(train).get_concrete_function(tf.TensorSpec([4]))
    text = concrete.ir("optimised")
    assert "func @train(%x: f32[4], %dense.kernel: f32[4])" in text
    named = re.findall(r"^  %([a-z]\S*) += (\w+)", text, re.M)
    assert named == [
        ("logits", "add"),
        ("low", "slice"),
        ("high", "slice"),
        ("high.1", "sin"),
        ("high.2", "sin"),
        ("loss", "div"),
        ("grad_dense.kernel", "mul"),
        ("new_dense.kernel", "sub"),
    ]
    for stage in ("traced", "optimised", "kernels"):
        full = concrete.ir(stage, verbose=True)
        assert str(parse(full)) == full
    assert re.search(r"%loss.* = launch", concrete.ir("kernels", verbose=True))


def test_variables_without_a_name_are_called_what_they_are_assigned_to() -> None:
    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.slope = tf.Variable(2.0)
            self.others = [tf.Variable(1.0) for _ in range(2)]
            with tf.name_scope("outer"):
                self.offset = tf.Variable(0.0)

    model = Model()
    rate = tf.Variable(0.1)

    @tf.function
    def step(x: tf.Tensor) -> tf.Tensor:
        model.slope.assign_sub(rate * x)
        return model.offset + model.others[0] * x + model.others[1]

    text = step.get_concrete_function(tf.TensorSpec([])).ir("traced")
    header = text.partition("{")[0]
    named = re.findall(r"%([\w.]+):", header)
    assert named == ["x", "rate", "slope", "Variable", "outer.offset", "Variable.1"]
    assert "%new_slope" in text
    assert model.slope.name == "Variable:0"  # as TensorFlow calls it


def test_kernels_call_buffers_as_values_are_called(concrete: ConcreteFunction) -> None:
    form = r"^ *(.*) = launch \[(.*?)\] .*?kernel = \((.*?)\)"
    launches = re.findall(form, concrete.ir("kernels", verbose=True), re.M)
    assert any("%hidden" in results for results, _, _ in launches)
    assert any("%hidden" in read and "%hidden.1: " in params for _, read, params in launches)


def test_equal_layers_have_one_kernel_whatever_they_are_called() -> None:
    def layers(x: tf.Tensor, w: tf.Tensor) -> tf.Tensor:
        for _ in range(3):
            x = tf.tanh(x @ w)
        return x

    specs = tf.TensorSpec([8, 8]), tf.TensorSpec([8, 8])
    concrete = tf.function(layers).get_concrete_function(*specs)
    assert re.findall(r"%(x\S*) += tanh", concrete.ir("optimised")) == ["x.1", "x.2", "x.3"]
    launches = concrete.compiled.stages.kernels.body
    bodies = [op.kernel.body for op in launches if isinstance(op, Launch)]
    assert bodies[-1] is bodies[-3]


def test_the_formatter_keeps_comments_and_meaning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = TEXT.replace("  %0", "# first\n      %zero").replace("[%0]", "[%zero]")
    untidy = "# of a model\n\n" + body.replace("    %1 =", "# inside\n%1 =")
    tidy = """# of a model
func @f(%x: f32[n,3], %y: f32[3]) -> f32[3] {
  # first
  %zero  = neg %y : f32[3]    # model.py:7
  %1, %2 = scan [%zero], [%x], [] {count = n, reverse = False, residuals = 0} body = (%i: i64,
      %x1: f32[3], %x2: f32[3]) {    # model.py:9
    # inside
    %0 = add %x1, %x2 : f32[3]
    return %0, %0
  } : f32[3], f32[n,3]
  return %1
}"""
    assert tf.ir.format(untidy) == tidy == tf.ir.format(tidy)
    assert str(parse(untidy)) == str(parse(tidy))
    file, wrong = tmp_path / "f.ir", tmp_path / "wrong.ir"
    file.write_text(untidy)
    wrong.write_text("func")
    assert main(["format", "--check", str(file)]) == 1 and file.read_text() == untidy
    assert main(["format", str(file)]) == 0 and file.read_text() == tidy + "\n"
    assert main(["format", "--check", str(file)]) == 0
    assert main(["format", str(wrong)]) == 1
    assert "wrong.ir: line 1: expected `func @name" in capsys.readouterr().err
