"""Kernels that check what they access: what is beside a buffer is told, what is inside is not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests import native
from tests.kernel_interpreter import Failed, Outside, run_kernel
from tfc.backends.cpu import program
from tfc.ir.core import Builder, Function
from tfc.ir.failures import Site
from tfc.ir.kernel_op import LoopKind
from tfc.ir.kernels.check_bounds import check_bounds
from tfc.ir.kernels.expand_scalars import expand
from tfc.ir.kernels.ops import Assert, CallRoutine, For, Parallel
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


# What each op reaches: from an offset on so many more elements (or pairs) of a buffer of so many.
REACH: dict[str, tuple[str, int, int]] = {
    "load": ("%a = load %x, %at, none : i64", 0, 12),
    "reload": ("%a = reload %x, %at, none : i64", 0, 12),
    "store": ("store %out, %at, %one", 0, 12),
    "load_pair": ("%a, %b = load_pair %pairs, %at, none : i64, i64", 0, 6),
    "store_pair": ("store_pair %outs, %at, %one, %zero", 0, 6),
    "load_many": ("%a, %b = load_many %x, %at {count = 2} : i64, i64", 1, 12),
    "four": ("%a, %b, %c, %d = load_many %x, %at {count = 4} : i64, i64, i64, i64", 3, 12),
    "store_many": ("store_many %out, %at, [%one, %zero]", 1, 12),
    "load_transposed": ("%a, %b = load_transposed %x, %at {size = 2} : i64, i64", 1, 12),
    "sort_tile": ("sort_tile %out, %at, %three", 2, 12),
    "source of transpose_tile": (
        "transpose_tile %x, %at, %three, %out, %zero, %four, none {size = 2, past = False}", 4, 12
    ),
    "target of transpose_tile": (
        "transpose_tile %x, %zero, %four, %out, %at, %three, none {size = 2, past = False}", 4, 12
    ),
    "first of merge_runs": ("merge_runs %x, %at, %three, %three, %out, %zero", 0, 12),
    "second of merge_runs": ("merge_runs %x, %zero, %at, %three, %out, %zero", 0, 12),
    "last of merge_runs": ("merge_runs %x, %four, %four, %at, %out, %zero", 0, 12),
    "target of merge_runs": ("merge_runs %x, %one, %three, %four, %out, %at", 2, 12),
    "one of two": (
        "%c = choose_buffer %yes, %x, %more : *i64[12]\n%a = load %c, %at, none : i64", 0, 12
    ),
    "the other": (
        "%c = choose_buffer %no, %more, %x : *i64[20]\n%a = load %c, %at, none : i64", 0, 12
    ),
    "a larger one": (
        "%c = choose_buffer %no, %x, %more : *i64[12]\n%a = load %c, %at, none : i64", 0, 20
    ),
    "of sizes": ("%a = load %sized, %at, none : i64", 0, 12),
}  # fmt: skip
ACCESS = """
func @f(%x0: i64[12], %o0: i64[12], %p0: i64[6,2], %q0: i64[6,2], %m0: i64[20], %s0: i64[n,4],
%i0: i64[1], %b0: bool[2]) -> i64[1] {
  %r = launch [%x0, %o0, %p0, %q0, %m0, %s0, %i0, %b0] {types = (i64[1],)} kernel = (%x: *i64[12],
%out: *i64[12], %pairs: *i64[6,2], %outs: *i64[6,2], %more: *i64[20], %sized: *i64[n,4],
%i: *i64[1], %bools: *bool[2], %result: *i64[1]) {
    %zero = constant {value = i64 0} : i64
    %one = constant {value = i64 1} : i64
    %three = constant {value = i64 3} : i64
    %four = constant {value = i64 4} : i64
    %no = load %bools, %zero, none : bool
    %yes = load %bools, %one, none : bool
    %at = load %i, %zero, none : i64
    LINES
    return
  } : i64[1]
  return %r
}
"""


def bounded(lines: str) -> tuple[Function, Function, list[Site]]:
    """A kernel of such lines, what it becomes, and the sites."""
    f = parse(ACCESS.replace("LINES", lines))
    sites: list[Site] = []
    made = verify(check_bounds(Function(f.name, f.params, f.body, f.returns, {"sites": sites})))
    return f.body[0].regions[0], made.body[0].regions[0], sites


def outcome(kernel: Function, offset: int, **others: np.ndarray) -> Any:
    """What became of the buffers, or the failure: of a check, or of an access beside a buffer."""
    shapes = [(12,), (12,), (6, 2), (6, 2), (20,), (3, 4)]
    arrays = [np.arange(np.prod(shape)).reshape(shape) for shape in shapes]
    arrays += [np.array([offset]), np.array([False, True]), np.zeros(1, np.int64)]
    try:
        run_kernel(kernel, arrays, {"n": 3})
    except (Outside, Failed) as error:
        return error
    return [array.tolist() for array in arrays]


@pytest.mark.parametrize("name", REACH)
def test_what_an_access_reaches(name: str) -> None:
    """Exactly where an element beside the buffer is touched, a check fails before anything is."""
    lines, more, size = REACH[name]
    kernel, made, sites = bounded(lines)
    parts = 2 if "pair" in name else 1
    for offset in range(-2, size + 2):
        plain, found = outcome(kernel, offset), outcome(made, offset)
        if 0 <= offset and offset + more < size:
            assert found == plain and isinstance(found, list)
        else:
            assert isinstance(plain, Outside) and isinstance(found, Failed)
            site, told = found.args
            assert told == [parts * (offset + more + 1) - 1, parts * size]
            assert sites[site - 1][:2] == ("offset", plain.args[0])


def test_a_check_for_each_place() -> None:
    """What an op reads and writes has one site; ops have their own, behind those that are there."""
    lines = "store %out, %at, %one\nmerge_runs %x, %zero, %at, %at, %out, %at"
    _, made, sites = bounded(lines)
    checks = [op for op in made.walk() if isinstance(op, Assert)]
    assert [check.site for check in checks] == [1, 2, 2, 2]  # what lies inside is not asked
    assert [site[:2] for site in sites] == [("offset", "store"), ("offset", "merge_runs")]


COPIED = """
    %zero = constant {{value = i64 0}} : i64
    %n = extent_of {{value = n}} : i64
    parallel %n, %n body = (%i: i64) {{
      {}
      return
    }}
    return
"""
ONCE = COPIED.format("%a = load %x, %i, none : f32\n      store %out, %i, %a")
ROUTINE = COPIED.format(
    """call_routine [%x, %out, %i] {seldom = False} callee = (%from: *f32[n], %to: *f32[n],
      %k: i64) {
        %a = load %from, %k, none : f32
        store %to, %k, %a
        return
      }"""
)
FLOW = """
func @flow(%x0: f32[n], %p: bool) -> f32[1,n] {{
  %r = cond %p, [%x0] then = (%y0: f32[n]) {{
    %s = launch [%y0] {{types = (f32[n],)}} kernel = (%x: *f32[n], %out: *f32[n]) {{{0}}} : f32[n]
    return %s
  }} orelse = (%z0: f32[n]) {{
    return %z0
  }} : f32[n]
  %t = reshape %r {{shape = (1, n)}} : f32[1,n]
  %u = launch [%t] {{types = (f32[1,n],)}} kernel = (%k.x: *f32[1,n], %k.out: *f32[1,n]) {{{1}}} \
: f32[1,n]
  return %u
}}
"""


def flow(kernel: str) -> Function:
    """A branch with a kernel, and one behind it."""
    return parse(FLOW.format(kernel, kernel.replace("%", "%k.")))


def test_kernels_in_branches_are_checked() -> None:
    """And so is what comes behind; kernels run on one thread."""
    f = flow(ONCE)
    sites: list[Site] = []
    made = verify(check_bounds(Function(f.name, f.params, f.body, f.returns, {"sites": sites})))
    assert [site.op for site in sites] == ["load", "store"] * 2
    assert made.notes == {"sites": sites}
    branch, view, launch = made.body
    for kernel in (branch.regions[0].body[0].regions[0], launch.regions[0]):
        assert sum(isinstance(op, Assert) for op in kernel.walk()) == 2
        kinds = [op.kind for op in kernel.walk() if isinstance(op, For)]
        assert kinds == [LoopKind.PARALLEL]
        assert not any(isinstance(op, Parallel) for op in kernel.walk())
    assert launch.operands == view.results and view.operands == branch.results


def test_kernels_of_several_launches_are_checked_once() -> None:
    (launch,) = parse(
        COPY.format(loop=LOOPS["serial"], offset=0, read="%i", write="%i", mask="none")
    ).body
    (kernel,) = launch.regions
    b = Builder("f")
    x = b.parameter(launch.operands[0].type)
    for name in ("first", "second"):
        x = b.emit(launch.with_operands(lambda v, x=x: x).replace(kernel=kernel.renamed(name)))
    sites: list[Site] = []
    first, second = check_bounds(b.build(x, sites=sites)).body
    assert len(sites) == 2 and first.regions[0].body is second.regions[0].body
    assert [op.regions[0].name for op in (first, second)] == ["first", "second"]


def test_routines_stay_as_they_are() -> None:
    """They are there once for all who call them, with buffers of any size."""
    f = flow(ROUTINE)
    made = verify(check_bounds(Function(f.name, f.params, f.body, f.returns, {"sites": []})))
    for g in (f, made):
        assert not any(isinstance(op, Assert) for op in g.walk())
    ours, given = ([op.callee for op in g.walk() if isinstance(op, CallRoutine)] for g in (made, f))
    assert ours == given and len(ours) == 2


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
