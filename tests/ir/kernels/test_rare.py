"""What only few elements need: computed where some lane wants it, with the bits of always."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from tests.emulated import Emulated
from tests.native import Native, lowered
from tfc.ir.core import Builder, Function, Value, structure
from tfc.ir.kernels.ops import Rarely
from tfc.ir.text import parse
from tfc.ir.verify import verify

SINES = """
func @sines(%x: {0}[n]) -> ({0}[n], {0}[n]) {{
  %0 = sin %x : {0}[n]
  %1 = cos %x : {0}[n]
  return %0, %1
}}
"""
FAR = [1e9, 2.0**30, 1e10, 3e22, 1e30, -1e35]  # from 2^30 on they are reduced the slow way


def rare(f: Function) -> list[Rarely]:
    return [op for launch in f.body for k in launch.regions for op in k.walk() if is_rare(op)]


def is_rare(op: object) -> bool:
    return isinstance(op, Rarely)


def numbers(dtype: str, count: int, far: int) -> np.ndarray:
    """So many numbers, of which so many are far from 0, at random places."""
    rng = np.random.default_rng(count + far)
    x = rng.uniform(-100, 100, count)
    x[rng.permutation(count)[:far]] = np.resize(FAR, far)
    return x.astype(dtype)


@pytest.mark.parametrize(("short", "dtype"), [("f32", "float32"), ("f64", "float64")])
def test_lanes_that_are_far_change_no_others(short: str, dtype: str) -> None:
    native = Native(parse(SINES.format(short)))
    for count, far in ((1, 1), (7, 1), (16, 16), (33, 0), (33, 2), (100, 99)):
        x = numbers(dtype, count, far)
        together = native(x)
        alone = [native(x[i : i + 1]) for i in range(count)]
        for values, single in zip(together, zip(*alone, strict=True), strict=True):
            assert values.tobytes() == np.concatenate(single).tobytes()
        for values, function in zip(together, (mpmath.sin, mpmath.cos), strict=True):
            with mpmath.workdps(60):
                want = np.array([float(function(mpmath.mpf(float(v)))) for v in x])
            np.testing.assert_allclose(values, want, rtol=3e-7 if short == "f32" else 3e-16)


def test_gpus_have_the_same_bits() -> None:
    f = parse(SINES.format("f64"))
    x = numbers("float64", 40, 5)
    for have, want in zip(Emulated(f)(x), Native(f)(x), strict=True):
        assert have.tobytes() == want.tobytes()


def test_sine_and_cosine_share_it_and_all_kernels_its_code() -> None:
    f = parse(SINES.format("f64"))
    native = Native(f)
    assert len(rare(native.kernels)) == 1
    text = native.program.text
    assert text.count("define internal { <") == 1  # for whole vectors and for the last
    assert text.count("@payne_hanek_f64.") == 3


def test_text_has_it() -> None:
    f = lowered(parse(SINES.format("f32")))
    again = parse(str(f))
    assert len(rare(again)) == 1
    assert str(verify(again)) == str(f)


def test_complex_sines_have_it_too() -> None:
    """They are written before the scalars in them are expanded, which leaves it alone."""
    f = parse("func @f(%x: c128[n]) -> c128[n] {\n  %0 = sin %x : c128[n]\n  return %0\n}")
    native, x = Native(f), numbers("float64", 11, 4) + 1j
    assert len(rare(native.kernels)) == 1
    np.testing.assert_allclose(native(x)[0], np.sin(x), rtol=1e-14)


NESTED = """
func @nested(%x: f32[n]) -> (f32[n]) {
  %0 = cos %x : f32[n]
  %1 = tan %0 : f32[n]
  return %1
}
"""


def test_a_function_that_two_ops_share_is_told_from_others() -> None:
    made = lowered(parse(NESTED))
    first, second = rare(made)
    assert first.callee is second.callee
    assert structure(parse(str(made))) == structure(made)
    # What differs in the shared function alone, differs wherever it stands.
    body = first.callee
    turned = Function(body.name, body.params, body.body, body.returns[::-1])
    pair = [replaced(made, {first: f, second: s}) for f in (body, turned) for s in (body, turned)]
    assert len({structure(f) for f in pair}) == 4


def replaced(f: Function, callees: dict[Rarely, Function]) -> Function:
    """`f` with other functions in the places of those."""

    def region(g: Function) -> Function:
        b = Builder(g.name)
        env: dict[Value, Value] = {}
        for op in g.body:
            here = op.with_operands(lambda v: env.get(v, v))
            if isinstance(op, Rarely):
                here = here.replace(callee=callees[op])
            elif op.regions:
                names = op.spec.regions
                here = here.replace(**{n: region(getattr(op, n)) for n in names})
            env.update(zip(op.results, b.emit_all(here), strict=True))
        returns = tuple(env.get(v, v) for v in g.returns)
        return Function(g.name, g.params, tuple(b.body), returns, g.notes)

    return region(f)
