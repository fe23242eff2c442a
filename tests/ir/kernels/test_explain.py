"""Why ops are fused, or not: each op is accounted for, and each decision by its rule."""

from __future__ import annotations

import pytest

import tfc as tf
from tfc.dispatch.compiled import Stages
from tfc.ir.core import Function
from tfc.ir.kernels.lower import lower, machine_of
from tfc.ir.kernels.ops import Launch
from tfc.ir.kernels.plan.explain import FusionReport, explain
from tfc.ir.kernels.target import Target
from tfc.ir.text import parse

TARGET = Target(vector_bytes=32, registers=16)
GRID = Target(vector_bytes=16, grid=True)


def explained(text: str, target: Target = TARGET) -> FusionReport:
    return explain(parse(text), machine_of(target), target)


def reasons(report: FusionReport) -> dict[str, str]:
    """By the names of values: what is said of an op in the first kernel that has it."""
    found = {}
    for op in report.function.body:
        _, role, reason = report.of(op)[0]
        found[report.names[op.result]] = f"{role}: {reason}"
    return found


LAYER = """
func @layer(%x: f32[64,32], %w: f32[32,48], %b: f32[48]) -> (f32[64,48], f32[64]) {
  %p = matmul %x, %w : f32[64,48]
  %c = broadcast %b {shape = (64, 48), dims = (1,)} : f32[64,48]
  %s = add %p, %c : f32[64,48]
  %y = relu %s : f32[64,48]
  %t = tanh %y : f32[64,48]
  %total = reduce_sum %t {axes = (1,)} : f32[64]
  return %y, %total
}
"""


def test_layers_say_what_is_fused_and_why_the_rest_is_not() -> None:
    report = explained(LAYER)
    assert reasons(report) == {
        "%p": "keeps: only its own kernel reads it, at the same index: it stays in a register",
        "%c": "computes: only add %s reads it, where it is computed",
        "%s": "computes: only relu %y reads it, where it is computed",
        "%y": "stores: an epilogue of %p: 2 operations for an element; it is a result",
        "%t": "computes: only reduce_sum %total reads it, where it is computed",
        "%total": "stores: it is a result",
    }
    assert [kernel.schedule for kernel in report.kernels] == ["Gemm", "Rows"]
    (against,) = report.kernels[1].against
    assert against.kernel == 0
    assert against.reason == "a kernel of contractions takes no reductions of rows"
    assert "layer: 6 ops, 2 kernels" in str(report)
    assert "not in layer.k0: %total, as a kernel of contractions takes" in str(report)


T = "f32[64,64]"


@pytest.mark.parametrize(
    ("body", "returns", "value", "reason"),
    [
        (f"%a = exp %x : {T}\n%b = matmul %a, %x : {T}", "%a, %b", "%a", "it is a result"),
        (
            f"%a = lgamma %x : {T}\n%b = neg %a : {T}\n%c = transpose %a {{perm = (1, 0)}} : {T}",
            "%b, %c",
            "%a",
            "and neg %b is not the only reader (at most 12)",
        ),
        (
            f"%a = neg %x : {T}\n%b = sort %a {{descending = False}} : {T}\n%c = neg %b : {T}",
            "%b, %c",
            "%a",
            "sort %b (SortRows) reads it from memory",
        ),
        (
            f"%a = neg %x : {T}\n%b = reshape %a {{shape = (4096,)}} : f32[4096]",
            "%b",
            "%a",
            "reshape %b is a view of its memory",
        ),
    ],
)
def test_what_is_stored_has_a_reason(body: str, returns: str, value: str, reason: str) -> None:
    types = [line.split(" : ")[1] for line in body.split("\n") if line.split(" ")[0] in returns]
    report = explained(f"func @f(%x: {T}) -> ({', '.join(types)}) {{\n{body}\nreturn {returns}\n}}")
    assert reason in reasons(report)[value]


def step(x: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.reduce_mean(tf.nn.softmax(tf.reshape(x @ w, [-1, 8])))
        square = tf.matmul(w, w, transpose_b=True)
        for _ in tf.range(3):
            square = tf.tanh(square @ square)
        loss += tf.reduce_sum(square)
    return loss, tape.gradient(loss, w)


@pytest.mark.parametrize("target", [TARGET, GRID], ids=["cpu", "gpu"])
def test_every_op_of_a_step_is_accounted_for(target: Target) -> None:
    specs = tf.TensorSpec([None, 16]), tf.TensorSpec([16, 24])
    f = tf.function(step).get_concrete_function(*specs).compiled.stages.optimised
    report = explain(f, machine_of(target), target)
    lowered = lower(f, target)
    _agree(report, lowered)
    assert [name for _, name, _ in report.regions]
    assert "body of" in str(report)


def _agree(report: FusionReport, lowered: Function) -> None:
    """Whether the report has the kernels that `lower` makes, and every op."""
    launches = {op.kernel.name: op.kernel for op in lowered.body if isinstance(op, Launch)}
    assert [k.name for k in report.kernels if k.schedule] == list(launches)
    for kernel in report.kernels:
        assert kernel.steps
        assert all(step.reason for step in kernel.steps)
        if kernel.schedule:
            own = {op for op in launches[kernel.name].notes["ops"] if op in report.function.body}
            assert {step.op for step in kernel.steps} == own
    for op in report.function.body:
        assert report.of(op), op
    for _, name, inner in report.regions:
        assert inner.function.body or name


def test_concrete_functions_explain_themselves() -> None:
    f = tf.function(lambda x: tf.boolean_mask(tf.exp(x), x > 0.0) * 2.0)
    report = f.get_concrete_function(tf.TensorSpec([9])).explain_fusion()
    assert "part 0:" in str(report)
    kernels = parse(str(lower(parse(LAYER.replace("tanh", "neg")), TARGET)))
    with pytest.raises(ValueError, match="consists of kernels"):
        Stages(kernels).explain_fusion()
