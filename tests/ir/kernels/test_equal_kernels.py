"""Groups that are equal have one kernel, and it is the one that each of them would have alone."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.golden import numbered_symbols
from tests.kernel_corpus import PARTS
from tests.kernel_texts import TARGETS, cases, kernel_text
from tfc.ir import passes
from tfc.ir.copying import copy_op, transfer
from tfc.ir.core import Builder, Function, Op, Value
from tfc.ir.dtypes import float32
from tfc.ir.kernels import equal_kernels, expand_scalars
from tfc.ir.kernels.cpu.machine import CPU
from tfc.ir.kernels.equal_kernels import Made
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.ops import Launch
from tfc.ir.kernels.plan.equal_groups import ARRAY_MAX, _Numbering, _Unlike, describe
from tfc.ir.kernels.plan.fusion import fuse
from tfc.ir.kernels.plan.groups import Group, Kind, Plan
from tfc.ir.ops.sort import Sort
from tfc.ir.text import parse
from tfc.ir.types import TensorType

SHARE = 24  # of so many functions of the corpus one is lowered here

LAYER = "{{size = (12, 12), strides = (1, 1), low = ({0}, 1), rhs_dilation = (1, 1), \
lhs_dilation = (1, 1), groups = 1, batch_groups = 1}} : f32[8,12,12,16]"
LAYERS = f"""
func @f(%x: f32[8,12,12,16], %v: f32[3,3,16,16], %w: f32[3,3,16,16], %u: f32[1,3,16,16]) -> \
f32[8,12,12,16] {{
  %0 = conv %x, %v {LAYER.format(1)}
  %1 = conv %0, %w {LAYER.format(1)}
  %2 = conv %1, %u {LAYER.format(0)}
  return %2
}}"""


def twice(f: Function) -> Function:
    """`f` of some arguments, and of some more."""
    b = Builder(f.name)
    results: list[Value] = []
    for _ in range(2):
        env = {p: b.parameter(p.type, p.name) for p in f.params}
        for op in f.body:
            copy_op(op, b, env)
        results += [env[v] for v in f.returns]
    return b.build(*results, **f.notes)


def test_kernels_are_what_each_group_has_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of functions of all kinds, each twice in one function: the text, with the names in it."""
    shared = 0
    for part, (name, make) in [(p, case) for p in PARTS for case in cases(p)]:
        number = zlib.crc32(name.encode())
        if number % SHARE:
            continue
        target = TARGETS[PARTS[part].targets[number // SHARE % len(PARTS[part].targets)]]
        with numbered_symbols():
            f = twice(passes.run(make()))
        found = lower(f, target)
        with monkeypatch.context() as patch:
            patch.setattr(equal_kernels, "describe", lambda group, plan: None)
            assert kernel_text(found) == kernel_text(lower(f, target)), name
        bodies = [op.kernel.body for op in found.body if isinstance(op, Launch)]
        shared += len(bodies) - len(set(bodies))
    assert shared > 480 // SHARE


# Two values that differ in one thing, which their kernels follow from; {} is what it is.
APART = {
    "operand": ("%0 = sub %x, %y : f32[4,4]\n  %r = add %0, {} : f32[4,4]", "%x", "%y"),
    "number": (
        "%0 = iota {{shape = (4, 4), axis = {}, dtype = f32}} : f32[4,4]\n"
        "  %r = mul %x, %0 : f32[4,4]",
        *("0", "1"),
    ),
    "axes": ("%r = reverse %x {{axes = ({},)}} : f32[4,4]", "0", "1"),
    "constant": (
        "%0 = constant {{value = f32 {}}} : f32\n"
        "  %1 = broadcast %0 {{shape = (4, 4), dims = ()}} : f32[4,4]\n"
        "  %r = mul %x, %1 : f32[4,4]",
        *("2.0", "3.0"),
    ),
}


@pytest.mark.parametrize("thing", APART)
def test_kernels_that_differ_in_one_thing_are_two(
    thing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, *ways = APART[thing]
    b = Builder("f")
    matrix = TensorType(float32, (4, 4))
    x, y = b.parameter(matrix), b.parameter(matrix)
    results = []
    for way in (*ways, ways[0]):  # each in a kernel of its own, since a sort stands between
        lines = body.format(way)
        one = parse(
            f"func @f(%x: f32[4,4], %y: f32[4,4]) -> f32[4,4] {{\n  {lines}\n  return %r\n}}"
        )
        (x,) = transfer(one, b, [b.emit(Sort(x, False)), y])
        results.append(x)
    f = b.build(*results)
    found = lower(f, TARGETS["vector16"])
    bodies = [op.kernel.body for op in found.body if isinstance(op, Launch)]
    assert len(bodies) == 6 and len(set(bodies)) == 3
    with monkeypatch.context() as patch:
        patch.setattr(equal_kernels, "describe", lambda group, plan: None)
        assert kernel_text(found) == kernel_text(lower(f, TARGETS["vector16"]))


def test_layers_have_one_kernel() -> None:
    """Two of three convolutions are alike but for the names of what they read, which are in the
    text: without names they have one kernel, and the passes over kernels leave it that. What is
    computed is called in no kernel. Each launch has a name, and says which ops are its own."""
    for named, count in ((True, 3), (False, 2)):
        f = parse(LAYERS)
        if not named:
            for i, p in enumerate(f.params):
                p.name = ""
                f.body[i % 3].results[0].name = f"named{i}"
        found = lower(f, TARGETS["vector64"])
        for g in (found, expand_scalars.expand(found)):
            bodies = [op.kernel.body for op in g.body if isinstance(op, Launch)]
            assert len(bodies) == 3 and len(set(bodies)) == count
        kernels = [op.kernel for op in found.body if isinstance(op, Launch)]
        assert [k.notes["ops"] for k in kernels] == [(op,) for op in f.body]
        assert len({k.name for k in kernels}) == 3


SOFTMAX = """
func @softmax(%x: f32[64,32]) -> f32[64,32] {
  %0 = reduce_max %x {axes = (1,)} : f32[64]
  %1 = broadcast %0 {shape = (64, 32), dims = (0,)} : f32[64,32]
  %2 = sub %x, %1 : f32[64,32]
  %3 = exp %2 : f32[64,32]
  %4 = reduce_sum %3 {axes = (1,)} : f32[64]
  %5 = broadcast %4 {shape = (64, 32), dims = (0,)} : f32[64,32]
  %6 = div %3, %5 : f32[64,32]
  return %6
}"""


def planned() -> tuple[Group, Plan]:
    """The group of a softmax, and its plan."""
    target = TARGETS["vector16"]
    plan = fuse(parse(SOFTMAX), CPU, target)
    (group,) = plan.groups
    return group, plan


def test_groups_that_differ_in_one_field_are_unlike() -> None:
    group, plan = planned()
    value, last = group.roots[0], group.roots[-1]
    others = [
        (group, plan),
        (replace(group, kind=Kind.ALONE), plan),
        (replace(group, shape=(32,)), plan),
        (replace(group, roots=group.roots[:-1]), plan),
        (replace(group, down=[value]), plan),
        (replace(group, schedule=None), plan),
        (replace(group, parts=(group,)), plan),
        (group, replace(plan, row_aliases={value: last})),
        (group, replace(plan, stored=plan.stored | {value})),
    ]
    keys = [d.key for d in (describe(*one) for one in others) if d is not None]
    assert len(set(keys)) == len(keys) == len(others)
    again = describe(*planned())
    assert again is not None and again.key == keys[0]


def test_kernels_that_read_what_is_beside_their_group_are_not_shared() -> None:
    """What is known of a group by its numbers says nothing of values and ops that it has not."""
    description, other = describe(*planned()), parse(SOFTMAX)
    assert description is not None
    value, op = description.values[0], description.ops[0]

    def shared(inputs: list[Value], ops: tuple[Op, ...]) -> bool:
        kernel = Function("k", (), (), (), {"ops": ops})
        return equal_kernels._pattern(Made(kernel, inputs, [value], 0), description) is not None

    assert shared([value], (op,)) and shared([], ())
    assert shared(description.values, tuple(description.ops))
    assert not shared([value, other.params[0]], (op,))
    assert not shared([value], (op, other.body[0]))
    assert not shared([other.params[0]], (other.body[0],))


@dataclass
class Pair:
    """A dataclass, as schedules are."""

    x: object
    y: object


def test_fields_are_equal_where_they_say_the_same() -> None:
    """What a group or schedule may have in its fields, twice: equal where it was, and there alone;
    what nobody can compare makes the group unlike all others."""
    group, plan = planned()
    numbering = _Numbering(group, plan)
    numbering.number(group.roots)
    values = list(numbering.numbers)
    foreign = parse(SOFTMAX)

    def fields() -> list[object]:
        vector = np.arange(ARRAY_MAX, dtype=np.float32)
        return [
            *(3, 4, "3", None, Kind.ROWS, Kind.COLUMNS, 2.5, 0.0, -0.0, np.float32(2.5)),
            *((3, 4), [4, 3], (3, (4, 3)), (values[0], 3), (values[1], 3), *values),
            *(Pair(3, 4), Pair(4, 3), Pair(values[0], 4), Pair(3, values[1])),
            *({3: 4}, {3: 5}, {values[0]: 4}, {values[1]: 4}, {3: values[0]}),
            *({3}, {4}, {values[0]}, frozenset({values[1]}), Pair({3}, {values[0]: {4}})),
            *(vector, vector[::-1], vector.astype(np.float64), *numbering.ops),
        ]

    first, second = (list(map(numbering.encoded, fields())) for _ in range(2))
    assert first == second and len(set(first)) == len(first)
    for unlike in (foreign.params[0], foreign.body[0], foreign, group, np.zeros(ARRAY_MAX + 1)):
        for field in (unlike, (unlike, 3), Pair(3, unlike), {3: unlike}):
            with pytest.raises(_Unlike):
                numbering.encoded(field)
