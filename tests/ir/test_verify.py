"""The verifier on IR that no builder or parser makes, and where it is called."""

from __future__ import annotations

from typing import Any

import pytest

from tfc.ir import ops, passes
from tfc.ir.core import Function, Op, Value
from tfc.ir.text import parse, print_marked
from tfc.ir.types import parse_type
from tfc.ir.verify import VerifyError, verify

GOOD = """func @good(%x: f32[n]) -> f32[n] {
  %0 = neg %x : f32[n]
  %1 = exp %0 : f32[n]
  return %1
}"""


def changed(**fields: Any) -> Function:
    f = parse(GOOD)
    given = {"params": f.params, "body": f.body, "returns": f.returns} | {
        name: make(f) for name, make in fields.items()
    }
    return Function(f.name, **given)


def retyped(f: Function) -> tuple[Op, ...]:
    f.body[1].results[0].type = parse_type("f64[n]")
    return f.body


def never_emitted(f: Function) -> tuple[Op, ...]:
    return (f.body[0], ops.Exp(f.body[0].result))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"body": lambda f: f.body[::-1]}, "is not defined before it"),
        ({"body": lambda f: (*f.body, f.body[0])}, "the op stands twice"),
        ({"params": lambda f: ()}, "operand <x: f32[n]> is not defined before it"),
        ({"params": lambda f: (*f.params, *f.params)}, "is defined twice"),
        ({"params": lambda f: (f.body[0].result, *f.params)}, "is the result of an op"),
        ({"params": lambda f: (*f.params, Value(parse_type("*f32")))}, "is no tensor: *f32"),
        ({"returns": lambda f: (Value(parse_type("f32")),)}, "which is not defined there"),
        ({"body": retyped}, "has results (f64[n]), but infer gives (f32[n])"),
        ({"body": never_emitted}, "it was never emitted"),
    ],
)
def test_broken_functions(fields: Any, message: str) -> None:
    with pytest.raises(VerifyError) as caught:
        verify(changed(**fields))
    first, *shown = str(caught.value).splitlines()
    assert message in first
    assert shown[0].startswith("func @good(")


def test_the_message_stands_under_the_op() -> None:
    f = parse(GOOD)
    f.body[1].results[0].type = parse_type("f16[n]")
    with pytest.raises(VerifyError) as caught:
        verify(f)
    lines = str(caught.value).splitlines()
    place = next(i for i, line in enumerate(lines) if "= exp" in line)
    assert lines[place + 1].strip() == f"^ {lines[0]}"


def test_results_belong_to_their_op() -> None:
    f = parse(GOOD)
    f.body[0].results[0].index = 1
    with pytest.raises(VerifyError, match="result 0 does not belong to the op"):
        verify(f)


def test_operands_are_values() -> None:
    f = parse(GOOD)
    object.__setattr__(f.body[1], "x", None)
    with pytest.raises(VerifyError, match="operand x is no value"):
        verify(f)


def test_regions_are_functions() -> None:
    f = parse(
        """func @f(%x: f32) -> f32 {
          %0 = call [%x] callee = (%a: f32) {
            return %a
          } : f32
          return %0
        }"""
    )
    object.__setattr__(f.body[0], "callee", None)
    with pytest.raises(VerifyError, match="region callee of call is no function"):
        verify(f)


APART = """func @f(%x: f32[8]) -> f32[8] {
  %r = launch [%x] {types = (f32[8],)} kernel = (%a: *f32[8], %out: *f32[8]) {
    %0 = constant {value = i64 0} : i64
    %4 = constant {value = i64 4} : i64
    for %0, %4, [] {step = 1, kind = 'serial'} body = (%i: i64) {
      %k = add %i, %4 : i64
      %old = load %out, %i, none : f32
      store %out, %k, %old
      %sum = add %old, %old : f32
      store %out, %i, %sum
      return
    }
    return
  } : f32[8]
  return %r
}"""


def test_what_was_verified_stays_verified() -> None:
    """Kernels that were looked at are not looked at again, by what knows nothing of their loops."""
    f = parse(APART)
    verify(f)
    assert verify(Function("g", f.params, f.body, f.returns))
    with pytest.raises(VerifyError, match="may have changed it"):
        verify(parse(APART.replace("%k = add %i, %4", "%k = add %i, %0")))


def test_long_sums_of_indices_are_followed() -> None:
    """Op by op, since what stands behind a thousand additions would be asked from there."""
    lines = "\n".join(f"%v{i + 1} = add %v{i}, %0 : i64" for i in range(1200))
    text = APART.replace("%k = add %i, %4 : i64", f"%v0 = add %i, %4 : i64\n{lines}")
    verify(parse(text.replace("%out, %k", "%out, %v1200")))


def test_good_functions_come_back() -> None:
    f = parse(GOOD)
    assert verify(f) is f
    assert print_marked(f, None, "") == str(f) == GOOD


def test_passes_are_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_it(f: Function) -> Function:
        return Function(f.name, f.params, f.body[1:], f.returns)

    with pytest.raises(VerifyError):
        passes.run(parse(GOOD), (break_it,))
    monkeypatch.setenv("TFC_VERIFY", "0")
    passes.run(parse(GOOD), (break_it,))


MASKED = """func @f(%x: f32[4]) -> f32[4] {
  %1 = launch [%x] {types = (f32[4],)} kernel = (%a: *f32[4], %out: *f32[4]) {
    %2 = constant {value = i64 0} : i64
    %3 = constant {value = i64 4} : i64
    for %2, %3, [] {step = 4, kind = 'simd_masked'} body = (%i: i64) {
      %4 = load %a, %i, none : f32
      store %out, %i, %4
      return
    }
    return
  } : f32[4]
  return %1
}"""


def test_masks_are_for_several_elements() -> None:
    verify(parse(MASKED))
    with pytest.raises(VerifyError, match="a mask is for 2 elements at least"):
        verify(parse(MASKED.replace("step = 4", "step = 1")))
