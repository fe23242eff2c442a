"""Kernels that check what they access: what is beside a buffer is told, what is inside is not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from tests import native
from tfc.backends.cpu import program
from tfc.ir.core import Function
from tfc.ir.failures import Site
from tfc.ir.kernels.check_bounds import check_bounds
from tfc.ir.kernels.expand_scalars import expand
from tfc.ir.kernels.ops import Assert
from tfc.ir.text import parse
from tfc.ir.verify import verify

# x is copied by a loop of a kind; what it reads and writes is as far away as `offset` says.
COPY = """
func @copy(%x: f32[n]) -> f32[n] {{
  %r = launch [%x] {{types = (f32[n],)}} kernel = (%x.1: *f32[n], %out: *f32[n]) {{
    %zero = constant {{value = i64 0}} : i64
    %n = extent_of {{value = n}} : i64
    %away = constant {{value = i64 {offset}}} : i64
    {loop} body = (%i: i64) {{
      %at = add %i, %away : i64
      %inside = less %at, %n : bool
      %a = load %x.1, {read}, {mask} : f32
      store %out, {write}, %a
      return
    }}
    return
  }} : f32[n]
  return %r
}}
"""
LOOPS = {
    "serial": "for %zero, %n, [] {step = 1, kind = 'serial'}",
    "vector": "for %zero, %n, [] {step = 1, kind = 'vector'}",
    "parallel": "parallel %n, %n",
}


def checked(**parts: object) -> tuple[Function, list[Site]]:
    f = parse(COPY.format(**{"offset": 0, "read": "%i", "write": "%i", "mask": "none", **parts}))
    sites: list[Site] = []
    made = check_bounds(Function(f.name, f.params, f.body, f.returns, {"sites": sites}))
    return verify(made), sites


def run(f: Function, x: np.ndarray) -> np.ndarray:
    def failed(*details: object) -> None:
        raise native.Failed(details)

    entry = program.compile_program(f, program.Signature(tuple_result=True)).bind(failed)
    return np.array(entry(native.tensor(x))[0]._array)


@pytest.mark.parametrize("loop", LOOPS)
def test_what_is_inside(loop: str) -> None:
    f, sites = checked(loop=LOOPS[loop])
    assert [site.op for site in sites] == ["load", "store"]
    for n in (0, 1, 5, 16, 37):
        x = np.arange(n, dtype=np.float32)
        assert np.array_equal(run(f, x), x)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("offset", [1, -1])
@pytest.mark.parametrize("access", ["read", "write"])
def test_what_is_beside(access: str, offset: int, loop: str) -> None:
    f, _ = checked(loop=LOOPS[loop], offset=offset, **{access: "%at"})
    for n in (1, 5, 16, 37):
        site = 1 if access == "read" else 2
        with pytest.raises(native.Failed) as caught:
            run(f, np.zeros(n, np.float32))
        assert caught.value.args[0][:3] == (site, n if offset > 0 else -1, n)


@pytest.mark.parametrize("loop", LOOPS)
def test_what_a_mask_leaves_out(loop: str) -> None:
    f, _ = checked(loop=LOOPS[loop], offset=2, read="%at", mask="%inside")
    x = np.arange(1, 38, dtype=np.float32)
    assert np.array_equal(run(f, x), np.append(x[2:], [0, 0]))


def test_what_is_known_is_not_asked() -> None:
    text = COPY.replace("[n]", "[8]").replace(
        "extent_of {{value = n}}", "constant {{value = i64 8}}"
    )
    f = parse(text.format(loop=LOOPS["serial"], offset=3, read="%away", write="%away", mask="none"))
    made = check_bounds(Function(f.name, f.params, f.body, f.returns, {"sites": []}))
    assert not any(isinstance(op, Assert) for op in made.walk())


@pytest.mark.parametrize("rewrite", [check_bounds, expand])
def test_kernels_without_ops_are_apart(rewrite: Callable[[Function], Function]) -> None:
    """Those of tensors without elements: what they take says which is which."""
    f = parse("""
func @none(%x: f32[0], %i: i64[0,2]) -> (f32[0], i64[0,2]) {
  %a = launch [%x] {types = (f32[0],)} kernel = (%x.1: *f32[0], %out: *f32[0]) {
    return
  } : f32[0]
  %b = launch [%i] {types = (i64[0,2],)} kernel = (%i.1: *i64[0,2], %out.1: *i64[0,2]) {
    return
  } : i64[0,2]
  return %a, %b
}
""")
    made = rewrite(Function(f.name, f.params, f.body, f.returns, {"sites": []}))
    verify(made)
    given, found = ([[p.type for p in op.regions[0].params] for op in g.body] for g in (f, made))
    assert found == given


def test_the_switch() -> None:
    """Eager code and functions have checked kernels where TFC_VERIFY says so."""
    code = (
        "import tfc as tf\n"
        "f = tf.function(lambda x: tf.sort(x) @ x)\n"
        "x = tf.reshape(tf.range(20.0), [4, 5])[:, :4]\n"
        "assert (f(x).numpy() == (tf.sort(x) @ x).numpy()).all()\n"
        "print(f.get_concrete_function(x).ir('kernels', verbose=True).count('assert '))\n"
    )
    found = []
    for value in ("1", "bounds"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"TFC_VERIFY": value, "TFC_CACHE_DIR": "", "TFC_OPT_LEVEL": "0"},
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(int(done.stdout))
    assert found[0] == 0 and found[1] > 4
