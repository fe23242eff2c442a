"""Why ops are fused, or not: each op is accounted for, and each decision by its rule."""

from __future__ import annotations

import pytest

import tfc as tf
from tfc.dispatch.compiled import Stages
from tfc.ir.core import Function
from tfc.ir.kernels.cpu.gemm.choice import GEMM
from tfc.ir.kernels.cpu.machine import CPU
from tfc.ir.kernels.gpu.machine import GPU
from tfc.ir.kernels.lower import lower, machine_of
from tfc.ir.kernels.ops import Launch
from tfc.ir.kernels.plan.explain import FusionReport, explain
from tfc.ir.kernels.plan.fusion import fuse
from tfc.ir.kernels.plan.groups import Kind
from tfc.ir.kernels.plan.reasons import REFUSALS_MAX, Reasons, Refusal, Refused
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
        (
            f"%a = neg %x : {T}\n%b = mul %a, %x : {T}\n%c = reduce_sum %b {{axes = (1,)}} : "
            "f32[64]\n%d = reduce_sum %b {axes = (0,)} : f32[64]",
            "%c, %d",
            "%a",
            "in each of 2 kernels: an element costs 1 operation (stored above",
        ),
        (
            f"%a = neg %x : {T}\n%b = mul %a, %x : {T}\n%c = add %b, %a : {T}",
            "%c",
            "%a",
            "there: an element costs 1 operation (stored above",
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


def declined(report: FusionReport, number: int = 0) -> dict[str, str]:
    """Why a kernel has none of the schedules that it might have had, those of its way too."""
    choice, found = report.kernels[number].choice, {}
    while choice is not None:
        found.update({d.schedule: d.reason for d in choice.declined if d.related})
        choice = choice.way
    return found


A, B = "f32[40,40]", "f32[400,400]"


@pytest.mark.parametrize(
    ("body", "result", "chosen", "reasons"),
    [
        (
            f"%y = matmul %b, %b : {B}",
            B,
            "Gemm, BlockedGemm",
            {
                "UnpackedGemm": "64000000 products are worth packing (above 13824000)",
                "FewRowsGemm": "400 rows are not few (below 33)",
            },
        ),
        (
            f"%y = sort %a {{descending = False}} : {A}",
            A,
            "SortRows",
            {},
        ),
        (
            "%y = arg_sort %a {descending = False} : i64[40,40]",
            "i64[40,40]",
            "MergeOrder",
            {"RadixOrder": "keys of f32 have room for the places beside them"},
        ),
        (
            "%y = reduce_sum %a {axes = (1,)} : f32[40]",
            "f32[40]",
            "Rows",
            {"SplitRows": "40 rows are enough to be dealt out (above 8)"},
        ),
        (
            f"%e = exp %a : {A}\n%y = transpose %e {{perm = (1, 0)}} : {A}",
            A,
            "LoopNest(flat=False, leading=1)",
            {"TransposeTiles": "%e is not in memory"},
        ),
    ],
)
def test_a_kernel_says_why_it_has_no_schedule_before_its_own(
    body: str, result: str, chosen: str, reasons: dict[str, str]
) -> None:
    report = explained(f"func @f(%a: {A}, %b: {B}) -> {result} {{\n{body}\nreturn %y\n}}")
    assert str(report.kernels[-1].choice) == chosen
    assert declined(report, -1) == reasons
    for schedule, reason in reasons.items():
        assert f"  not {schedule}: {reason}" in str(report)


def test_convolutions_say_which_way_they_go_and_why() -> None:
    def layer(x: tf.Tensor, few: tf.Tensor, deep: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return tf.nn.conv2d(x, few, 1, "SAME"), tf.nn.depthwise_conv2d(x, deep, [1] * 4, "SAME")

    specs = [tf.TensorSpec(s) for s in ([2, 8, 8, 4], [3, 3, 4, 8], [3, 3, 4, 1])]
    f = tf.function(layer).get_concrete_function(*specs).compiled.stages.optimised
    report = explain(f, machine_of(TARGET), TARGET)
    first, second = (kernel.choice for kernel in report.kernels)
    assert first is not None
    assert first.way is not None
    assert (first.schedule, first.way.schedule) == ("ConvTiles", "ConvPlan")
    assert (first.way.decided["packed"], first.way.decided["k_blocks"]) == (True, "in_tile")
    assert declined(report)["DepthwiseConv"] == "it has one group"
    assert "fill half of a register" in declined(report)["FewChannelsPlan"]
    assert second is not None
    assert second.schedule == "DepthwiseConv"
    assert not any(d.related for d in second.declined)


@pytest.mark.parametrize("target", [TARGET, GRID], ids=["cpu", "gpu"])
def test_all_that_were_asked_have_an_answer(target: Target) -> None:
    machine = machine_of(target)
    f = tf.function(step).get_concrete_function(tf.TensorSpec([None, 16]), tf.TensorSpec([16, 24]))
    report = explain(f.compiled.stages.optimised, machine, target)
    order = [schedule.__name__ for schedule in machine.schedules]
    for kernel in report.kernels:
        if kernel.choice is not None:
            asked = [d.schedule for d in kernel.choice.declined]
            assert asked == order[: order.index(kernel.schedule)]
            assert all(d.reason and "{" not in d.reason for d in kernel.choice.declined)
            assert kernel.choice.takes


def test_every_schedule_says_what_it_is_for() -> None:
    for schedule in (*CPU.schedules, *GPU.schedules, *GEMM):
        assert schedule.takes
        assert not schedule.takes.endswith(".")


def test_the_first_refusals_are_kept() -> None:
    """Of a value that joins none of many kernels, and of each value its own."""
    f = parse("func @f(%x: f32[8], %y: f32[8]) -> f32[8] {\n  return %x\n}")
    made, (x, y) = Reasons(), f.params
    (group,) = fuse(parse(LAYER), CPU, TARGET).groups[:1]
    given = [Refusal(v, Kind.ROWS, group, why, (v,)) for v in (x, y) for why in [*Refused] * 9]
    for refusal in given:
        made.refuse(refusal)
    assert made.refused == {
        x: given[:REFUSALS_MAX],
        y: given[len(given) // 2 :][:REFUSALS_MAX],
    }
