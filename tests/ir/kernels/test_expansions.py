"""Every elementwise op becomes machine code for each dtype that it takes, on CPUs and GPUs: the
generators have it, or its class names what it is expanded to."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from tests.kernel_texts import TARGETS, llvm_text
from tests.native import Native
from tfc.ir.core import Builder, Function, Op, OpError
from tfc.ir.dtypes import (
    DType,
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int32,
    int64,
    uint8,
)
from tfc.ir.kernels.expand_scalars import expand
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.ops import CallScalar, Launch
from tfc.ir.ops.elementwise import Elementwise, Truncate, Unary
from tfc.ir.text import parse
from tfc.ir.types import TensorType
from tfc.ir.verify import verify

DTYPES = (bool_, uint8, int32, int64, float16, float32, float64, complex64, complex128)
ELEMENTWISE = {
    name: op
    for name, op in Op.by_name.items()
    if issubclass(op, Elementwise) and not op.spec.variadic  # a check becomes an assertion
}


def function(op: type[Elementwise], *dtypes: DType) -> Function:
    """`op` on tensors of those dtypes that it takes, each of another size: as many kernels."""
    b = Builder()
    given = {"dtype": int32 if op is Truncate else float32, "order": 1}
    results = []
    for size, dtype in enumerate(dtypes, 3):
        operands = [
            b.parameter(TensorType(bool_ if name == "condition" else dtype, (size,)))
            for name in op.spec.operands
        ]
        with contextlib.suppress(OpError):
            attributes = (given[name] for name in op.spec.attributes)
            results.append(b.emit(op(*operands, *attributes)))
    return b.build(*results)


@pytest.mark.parametrize("target", ["vector64", "simt"])
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_generators_write_every_op(name: str, target: str) -> None:
    f = function(ELEMENTWISE[name], *DTYPES)
    assert f.returns, "no dtype is taken"
    kernels = lower(f, TARGETS[target])
    assert len([op for op in kernels.body if isinstance(op, Launch)]) == len(f.returns)
    assert llvm_text(kernels, target)


def test_an_op_that_nothing_writes_is_an_error() -> None:
    class Unwritten(Unary, abstract=True):
        reference = np.positive

    f = function(Unwritten, float32)
    with pytest.raises(NotImplementedError, match="no code for unwritten on float32"):
        llvm_text(lower(f, TARGETS["vector64"]), "vector64")


def test_what_expands_to_itself_is_not_written_again() -> None:
    """Quotients of integers are instructions, though the op has an expansion for floats."""
    x, n = TensorType(int32, (8,)), TensorType(float32, (8, 16))
    b = Builder()
    v, w = b.parameter(x, "v"), b.parameter(n, "w")
    f = b.build(b.emit(Op.by_name["floor_div"](v, v)), b.emit(Op.by_name["sin"](w)))
    lowered = lower(f)
    launches = zip(lowered.body, expand(lowered).body, strict=True)
    kept = [a.kernel.body == b.kernel.body for a, b in launches]  # type: ignore[attr-defined]
    assert kept == [True, False]


def test_kernels_have_constants_of_their_own() -> None:
    """An expansion is copied; what it is copied from belongs to no kernel."""
    b = Builder()
    sizes = [b.parameter(TensorType(float32, (n,)), f"x{n}") for n in (8, 16)]
    made = expand(lower(b.build(*[b.emit(Op.by_name["exp"](v)) for v in sizes])))
    first, second = (set(op.kernel.walk()) for op in made.body if isinstance(op, Launch))
    assert len(first) > 20 and first.isdisjoint(second)
    verify(made)


@pytest.mark.parametrize(("launches", "size", "calls"), [(9, 8, 9), (3, 8, 0), (9, 999, 0)])
def test_what_few_elements_go_through_is_there_once(launches: int, size: int, calls: int) -> None:
    """Of programs with many kernels; with the bits of what stands in each of them."""
    b = Builder("powers")
    types = [TensorType(float32, (size + i,)) for i in range(launches)]
    pairs = [(b.parameter(type_), b.parameter(type_)) for type_ in types]
    native = Native(b.build(*[b.emit(Op.by_name["pow"](x, y)) for x, y in pairs]))
    kernels = [k for launch in native.kernels.body for k in launch.regions]
    found = [op for k in kernels for op in k.walk() if isinstance(op, CallScalar)]
    assert len(kernels) == launches and len(found) == calls
    assert len({op.callee for op in found}) == min(calls, 1)
    rng, alone = np.random.default_rng(size), Native(parse(POWER))
    inputs = [rng.uniform(0.5, 1.5, t.shape).astype(np.float32) for t in types for _ in range(2)]
    for i, result in enumerate(native(*inputs)):
        assert result.tobytes() == alone(*inputs[2 * i : 2 * i + 2])[0].tobytes()


POWER = """
func @power(%x: f32[n], %y: f32[n]) -> f32[n] {
  %0 = pow %x, %y : f32[n]
  return %0
}
"""


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_what_is_shared_calls_what_is_seldom(name: str) -> None:
    """Functions of kernels that call functions of their own: reductions of large arguments."""
    b = Builder("waves")
    params = [b.parameter(TensorType(float64, (8 + i,))) for i in range(9)]
    native = Native(b.build(*[b.emit(Op.by_name[name](x)) for x in params]))
    found = [op for k in native.kernels.body for op in k.regions[0].walk()]
    assert any(isinstance(op, CallScalar) for op in found)
    for i, result in enumerate(native(*[np.linspace(-1e12, 3.0, 8 + i) for i in range(9)])):
        wanted = getattr(np, name)(np.linspace(-1e12, 3.0, 8 + i))
        np.testing.assert_allclose(result, wanted, rtol=1e-14)
