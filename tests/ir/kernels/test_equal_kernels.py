"""Groups that are equal have one kernel, and it is the one that each of them would have alone."""

from __future__ import annotations

import zlib

import pytest

from tests.golden import numbered_symbols
from tests.kernel_corpus import PARTS
from tests.kernel_texts import TARGETS, cases, kernel_text
from tfc.ir import passes
from tfc.ir.copying import copy_op
from tfc.ir.core import Builder, Function, Value
from tfc.ir.kernels import equal_kernels, expand_scalars
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.ops import Launch
from tfc.ir.text import parse

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


def test_layers_have_one_kernel() -> None:
    """Two of three convolutions are alike but for the names of what they read, which are in the
    text: without names they have one kernel, and the passes over kernels leave it that."""
    for named, count in ((True, 3), (False, 2)):
        f = parse(LAYERS)
        if not named:
            for p in f.params:
                p.name = ""
        found = lower(f, TARGETS["vector64"])
        for g in (found, expand_scalars.expand(found)):
            bodies = [op.kernel.body for op in g.body if isinstance(op, Launch)]
            assert len(bodies) == 3 and len(set(bodies)) == count
