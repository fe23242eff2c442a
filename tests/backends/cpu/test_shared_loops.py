"""Functions with the same loops: what they share computes what each of them did."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence

import numpy as np
import pytest

import tfc as tf
from tfc.backends.cpu import jit
from tfc.backends.cpu.shared_loops import shared

# In each of four rounds: sums 2 * b0[0:8], and stores what it makes of it in the last param.
TEXT = """\
define internal i32 @{name}({params}) nounwind {{
entry:
{unlike}  br label %loop1
loop1:
  %i1 = phi i64 [ 0, %entry ], [ %next1, %done2 ]
  %go1 = icmp slt i64 %i1, 4
  br i1 %go1, label %body1, label %done1
body1:
{filler}
  br label %loop2
loop2:
  %i2 = phi i64 [ 0, %body1 ], [ %next2, %body2 ]
  %sum = phi double [ 1.0, %body1 ], [ %more, %body2 ]
  %go2 = icmp slt i64 %i2, 8
  br i1 %go2, label %body2, label %done2
body2:
  %at = getelementptr double, ptr %b0, i64 %i2
  %x = load double, ptr %at
  %more = call double @llvm.fma.f64(double %x, double {factor}, double %sum)
  %next2 = add i64 %i2, 1
  br label %loop2
done2:
{end}
  %to = getelementptr double, ptr %{last}, i64 %i1
  store double %result, ptr %to
  %next1 = add i64 %i1, 1
  br label %loop1
done1:
  ret i32 {status}
}}"""
CALLER = """\
define i32 @run.{name}({params}) nounwind {{
  %status = call i32 @{name}({params})
  ret i32 %status
}}"""
MASK = """\
  %from = getelementptr double, ptr %b1, i64 %i1
  %mask = load double, ptr %from
  %result = fsub double %sum, %mask"""
FMA = "declare double @llvm.fma.f64(double, double, double)"


def native(
    name: str,
    end: str,
    buffers: int = 2,
    *,
    factor: str = "2.0",
    unlike: str = "",
    status: str = "0",
) -> str:
    filler = ["  %f0 = add i64 %i1, 1"]
    filler += [f"  %f{i} = xor i64 %f{i - 1}, {i}" for i in range(1, 90)]
    return TEXT.format(
        name=name,
        params=", ".join(f"ptr %b{i}" for i in range(buffers)),
        filler="\n".join(filler),
        end=end,
        last=f"b{buffers - 1}",
        factor=factor,
        unlike=unlike,
        status=status,
    )


def results(codes: Sequence[str], buffers: Sequence[int]) -> list[tuple[int, list[float]]]:
    """What each of the functions gives."""
    callers = [
        CALLER.format(name=f"k{i}", params=", ".join(f"ptr %b{j}" for j in range(count)))
        for i, count in enumerate(buffers)
    ]
    library = jit.load("\n".join([FMA, *codes, *callers, ""]), kept=False)
    found = []
    for i, count in enumerate(buffers):
        given = [np.arange(8) + 3, np.arange(8) * 5, np.arange(8) * 7][: count - 1]
        arrays = [a.astype(np.float64) for a in [*given, np.zeros(8)]]
        call = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * count)
        status = call(library.address(f"run.k{i}"))(*(a.ctypes.data for a in arrays))
        found.append((status, arrays[-1].tolist()))
    return found


TWICE = "  %result = fmul double %sum, 2.0"
SHARED = {
    "another param": [native("k0", TWICE), native("k1", MASK, 3)],
    "fewer params": [native("k0", MASK, 3), native("k1", TWICE)],
    "three": [
        native("k0", TWICE),
        native("k1", MASK, 3),
        native("k2", "  %y = sitofp i64 %f7 to double\n  %result = fsub double %sum, %y"),
    ],
    "where a loop begins": [
        native("k0", TWICE, unlike="  store double 1.0, ptr %b1\n"),
        native("k1", MASK, 3, unlike="  store double 2.0, ptr %b2\n  store double 3.0, ptr %b2\n"),
    ],
    "where one of three begins": [
        native("k0", TWICE),
        native("k1", MASK, 3),
        native("k2", TWICE, unlike="  store double 2.0, ptr %b1\n"),
    ],
}
APART = {
    "an innermost loop": [native("k0", TWICE), native("k1", TWICE, factor="3.0")],
    "what they return": [native("k0", TWICE), native("k1", MASK, 3, status="1")],
    "what is used elsewhere": [
        native("k0", TWICE),
        native("k1", TWICE.replace("%sum", "%z"), unlike="  %z = fadd double 1.0, 2.0\n"),
    ],
    "a param in the place of what another makes": [
        native("k0", TWICE),
        native("k1", TWICE, unlike="  %p = getelementptr double, ptr %b0, i64 1\n").replace(
            "double, ptr %b0, i64 %i2", "double, ptr %p, i64 %i2"
        ),
    ],
    "no products": [
        text.replace("call double @llvm.fma.f64(double %x, double 2.0,", "fadd double %x,(")
        for text in (native("k0", TWICE), native("k1", MASK, 3))
    ],
    "too little": [native("k0", TWICE), native("k1", "\n".join(["  fence seq_cst"] * 60) + TWICE)],
    "quick code": [
        text.replace("nounwind {", "nounwind noinline optnone {")
        for text in (native("k0", TWICE), native("k1", MASK, 3))
    ],
}


@pytest.mark.parametrize("name", SHARED)
def test_shared(name: str) -> None:
    codes = SHARED[name]
    buffers = [code.partition("{")[0].count("ptr") for code in codes]
    made = shared(["@text = private constant i64 1", *codes])
    functions = re.findall(r"^define internal i32 @([\w.]+)", "\n".join(made), re.M)
    assert sorted(functions) == ["k0", "k0.shared", *(f"k{i}" for i in range(1, len(codes)))]
    assert sum(code.count("xor i64") for code in made) == 89
    assert results(made, buffers) == results(codes, buffers)


@pytest.mark.parametrize("name", APART)
def test_apart(name: str) -> None:
    assert shared(APART[name]) is APART[name]


def test_convolutions_that_end_differently() -> None:
    """Tiles that end in `relu` and in a product are one function, with the bits of eager ops."""

    def both(x: tf.Tensor, y: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        grown = tf.nn.conv2d_transpose(x, w, [2, 16, 16, 16], 2)
        return tf.nn.relu(grown), tf.nn.conv2d_transpose(y, w, [2, 16, 16, 16], 2) * 2.0

    rng = np.random.default_rng(3)
    given = [tf.constant(rng.standard_normal((2, 8, 8, 32), np.float32)) for _ in range(2)]
    given.append(tf.constant(rng.standard_normal((4, 4, 16, 32), np.float32)))
    made = tf.function(both)
    for one, other in zip(made(*given), both(*given), strict=True):
        assert one.numpy().tobytes() == other.numpy().tobytes()
    text = made.get_concrete_function(*given).ir("llvm")
    assert re.search(r"^define internal void @k\d+\.part\d+\.shared\(i32 %which", text, re.M)


def test_one_extent_and_two() -> None:
    """The rows and columns of one are equal, which its loops know; the other reads both."""

    def sums(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, ...]:
        square = x[:, :, 0] + tf.eye(tf.shape(x)[0])
        whole, some = (tf.math.cumulative_logsumexp(v, 2) for v in (y, x[:4]))
        return x + y, whole, square, some

    made = tf.function(sums, input_signature=[tf.TensorSpec([None, None, 3])] * 2)
    rng = np.random.default_rng(5)
    x, y = (tf.constant(rng.standard_normal((5, 5, 3), np.float32)) for _ in range(2))
    for one, other in zip(made(x, y), sums(x, y), strict=True):
        assert one.numpy().tobytes() == other.numpy().tobytes()
