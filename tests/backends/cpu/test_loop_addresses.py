"""Addresses in loops that carry values: the same elements, found with fewer instructions."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.native import Failed, Native, tensor
from tfc.backends.calling_convention import Signature
from tfc.backends.cpu import program
from tfc.backends.cpu.machine import host
from tfc.backends.cpu.module_text import program_text
from tfc.ir.text import parse
from tfc.ir.verify import verify

SIZE = 4096  # of what is read

# The sums for each i, outer and lane j of what lies at some offsets, of which %k is another one in
# each round. An offset is a list of lines, and has names of its own.
KERNEL = """
func @f(%x: f64[4096], %n: f64[n]) -> f64[3, 16] {{
  %0 = launch [%x, %n] {{types = (f64[3, 16],)}} kernel = (%data: *f64[4096], %rows: *f64[n], \
%out: *f64[3, 16]) {{
    %zero = constant {{value = i64 0}} : i64
    %low = constant {{value = i64 {low}}} : i64
    %high = constant {{value = i64 {high}}} : i64
    %lanes = constant {{value = i64 16}} : i64
    %three = constant {{value = i64 3}} : i64
    %nothing = constant {{value = f64 0.0}} : f64
    %m = extent_of {{value = n}} : i64
    for %zero, %three, [] {{step = 1, kind = 'serial'}} body = (%i: i64) {{
      for %zero, %lanes, [] {{step = 16, kind = '{kind}'}} body = (%j: i64) {{
        %total = for %low, %high, [%nothing] {{step = {step}, kind = 'serial'}} body = \
(%k: i64, %sum: f64) {{
{lines}
          return %sum.{count}
        }} : f64
        %row = mul %i, %lanes : i64
        %place = add %row, %j : i64
        store %out, %place, %total
        return
      }}
      return
    }}
    return
  }} : f64[3, 16]
  return %0
}}
"""

ATOMS = ("i", "j", "k", "m", "1", "2", "5")


def offsets() -> st.SearchStrategy[object]:
    """Atoms, and (operation, x, y)."""

    def larger(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
        return st.tuples(st.sampled_from(("add", "sub", "mul")), inner, inner)

    return st.recursive(st.sampled_from(ATOMS), larger, max_leaves=5)


def value(offset: object, known: dict[str, np.ndarray]) -> np.ndarray:
    """The offset for all i, j and k at once."""
    if isinstance(offset, str):
        return known[offset] if offset in known else np.asarray(int(offset))
    name, x, y = offset  # type: ignore[misc]
    operation = {"add": np.add, "sub": np.subtract, "mul": np.multiply}[name]
    return operation(value(x, known), value(y, known))


def written(offset: object, name: str, lines: list[str]) -> str:
    """The offset as lines of a kernel; the name of the value."""
    if isinstance(offset, str) and not offset.isdigit():
        return f"%{offset}"
    if isinstance(offset, str):
        lines.append(f"%{name} = constant {{value = i64 {offset}}} : i64")
    else:
        operation, x, y = offset  # type: ignore[misc]
        operands = written(x, f"{name}x", lines), written(y, f"{name}y", lines)
        lines.append(f"%{name} = {operation} {', '.join(operands)} : i64")
    return f"%{name}"


def run(text: str, n: int, x: np.ndarray) -> np.ndarray:
    f = parse(text)
    verify(f)
    compiled = program.compile_program(f, Signature(tuple_result=True))

    def failed(*details: object) -> object:
        raise Failed(details)

    (result,) = compiled.bind(failed)(tensor(x), tensor(np.zeros(n)))
    return np.array(result._array)


@settings(max_examples=40, deadline=None)
@given(
    read=st.lists(offsets(), min_size=1, max_size=4),
    bounds=st.tuples(st.integers(0, 2), st.integers(0, 7), st.integers(1, 3)),
    kind=st.sampled_from(("serial", "vector", "simd")),
    n=st.integers(1, 6),
)
def test_offsets_of_all_kinds(
    read: list[object], bounds: tuple[int, int, int], kind: str, n: int
) -> None:
    """Sums of whole numbers, which are exact, of what lies at sums and products of indices."""
    low, high, step = bounds
    ks = np.arange(low, high, step)
    lanes = np.arange(16) if kind != "serial" else np.zeros(1, int)
    i, j, k = np.meshgrid(np.arange(3), lanes, ks, indexing="ij")
    known = {"i": i, "j": j, "k": k, "m": np.asarray(n)}
    lines: list[str] = []
    x = np.random.default_rng(n).integers(-100, 100, SIZE).astype(np.float64)
    wanted = np.zeros((3, len(lanes)))
    for number, offset in enumerate(read):
        at = np.broadcast_to(value(offset, known), i.shape)
        middle = SIZE // 2  # offsets may be negative
        assume(not at.size or np.abs(at).max() < middle)
        name = written(("add", offset, str(middle)), f"o{number}", lines)
        before = f"%sum.{number}" if number else "%sum"
        lines.append(f"%e{number} = load %data, {name}, none : f64")
        lines.append(f"%sum.{number + 1} = add {before}, %e{number} : f64")
        wanted += x[at + middle].sum(-1)
    text = KERNEL.format(
        low=low, high=high, step=step, kind=kind, lines="\n".join(lines), count=len(read)
    )
    result = run(text, n, x)
    np.testing.assert_array_equal(result[:, : len(lanes)] if kind == "serial" else result, wanted)


PRODUCT = """
func @f(%x: f32[{m}, {k}], %y: f32[{k}, {n}]) -> f32[{m}, {n}] {{
  %0 = matmul %x, %y : f32[{m}, {n}]
  return %0
}}"""


@pytest.mark.parametrize("sizes", [(24, 40, 32), ("m", "k", "n")])
def test_tiles_compute_nothing_but_products(sizes: tuple[object, ...]) -> None:
    """In the loop over k of a product that is not packed there is no arithmetic of indices but for
    the loop's own."""
    text = PRODUCT.format(**dict(zip("mkn", sizes, strict=True)))
    native = Native(parse(text))
    llvm = program_text(native.kernels, Signature(), host())[0]
    loops = [
        body for body in re.split(r"^(?:loop|done)\d+:$", llvm, flags=re.M) if "@llvm.fma" in body
    ]
    tiles = [body for body in loops if body.count("@llvm.fma") > 3 and "%next" in body]
    assert tiles
    for body in tiles:
        assert " mul i64 " not in body
        assert len(re.findall(r" add i64 ", body)) == 1, body
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(shape).astype(np.float32) for shape in ((24, 40), (40, 32)))
    np.testing.assert_allclose(native(x, y)[0], x @ y, rtol=1e-4, atol=1e-5)
