"""Every op of TensorFlow's: in the table of `tf.raw_ops` with TensorFlow's arguments, or absent
with a reason. What the ops give is compared in tests/differential (texts/raw_ops.txt)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tfc as tf
from tests.compat.tensorflow_names import parameters
from tests.differential.programs import texts
from tfc.compat.raw import entries
from tfc.compat.raw.absent import OTHER, reason

FILE = Path(__file__).parent / "of_tensorflow" / "raw_ops.txt"
OPS = dict(
    re.fullmatch(r"(\w+)\((.*)\)", line).groups()  # type: ignore[union-attr]
    for line in FILE.read_text().splitlines()[1:]
)
# TensorFlow has no kernel of these for CPUs, or not any more.
NO_KERNEL = """
AccumulateNV2 BatchCholesky BatchFFT BatchFFT2D BatchFFT3D BatchIFFT BatchIFFT2D BatchIFFT3D
BatchMatrixBandPart BatchMatrixDeterminant BatchMatrixDiag BatchMatrixDiagPart BatchMatrixInverse
BatchMatrixSetDiag BatchMatrixSolve BatchMatrixSolveLs BatchMatrixTriangularSolve
BatchSelfAdjointEigV2 Conv2DBackpropFilterV2 Conv2DBackpropInputV2 Conv3DBackpropFilter
Conv3DBackpropInput MatrixExponential SegmentMaxV2 SegmentMinV2 SegmentProdV2 SegmentSumV2 TopK
"""
# Files, bytes that others may write otherwise, factors with other signs, and what gives nothing.
ELSEWHERE = """
Assert DecodeBmp DecodeGif DecodeJSONExample DecodeJpeg EncodeJpeg EncodePng EncodeWav NoOp Qr
ReadFile Timestamp WriteFile
"""


def test_arguments() -> None:
    """TensorFlow's names, order and defaults; all by name."""
    for name in entries():
        function = getattr(tf.raw_ops, name)
        given = parameters(function)
        assert given is not None and given == f"{OPS[name]}", name
        assert function.__doc__ and function.__name__ == name
    assert tf.raw_ops.Unique(x=[3, 1, 3])._fields == ("y", "idx")
    with pytest.raises(TypeError, match="positional"):
        tf.raw_ops.Abs(1.0)
    with pytest.raises(TypeError, match="unexpected keyword"):
        tf.raw_ops.Abs(x=1.0, T=tf.float32)


def test_each_is_compared() -> None:
    programs = set(re.findall(r"tf\.raw_ops\.(\w+)\(", "\n".join(texts("raw_ops"))))
    assert set(entries()) - programs == {*NO_KERNEL.split(), *ELSEWHERE.split()}
    x = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    for name in ("MatrixInverse", "MatrixDeterminant", "MatrixDiagPart", "Cholesky"):
        one, other = (getattr(tf.raw_ops, n)(input=x) for n in (name, f"Batch{name}"))
        assert one.numpy().tolist() == other.numpy().tolist()


def test_others_have_reasons() -> None:
    """Few have none but that there is no such function."""
    absent = OPS.keys() - entries().keys()
    assert len(absent) < 1000 and sum(reason(name) == OTHER for name in absent) < 80
    with pytest.raises(AttributeError, match=r"see tf\.data"):
        tf.raw_ops.TensorSliceDataset  # noqa: B018
    with pytest.raises(AttributeError, match="no function does the same"):
        tf.raw_ops.Fact  # noqa: B018
    assert "Abs" in dir(tf.raw_ops) and len(dir(tf.raw_ops)) == len(entries())


def test_in_functions() -> None:
    @tf.function
    def f(x: tf.Tensor) -> tuple[tf.Tensor, ...]:
        slope = tf.raw_ops.AvgPoolGrad(
            orig_input_shape=[1, 4, 4, 1],
            grad=x,
            ksize=[1, 2, 2, 1],
            strides=[1, 2, 2, 1],
            padding="SAME",
        )
        drawn = tf.raw_ops.RandomUniform(shape=[2], dtype=tf.float32, seed=7, seed2=8)
        return slope, drawn, *tf.raw_ops.TopKV2(input=tf.reshape(x, [4]), k=2)

    slope, drawn, top, places = f(tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 2, 2, 1]))
    assert slope[0, :, :, 0].numpy().tolist()[0] == [0.25, 0.25, 0.5, 0.5]
    eager = tf.raw_ops.RandomUniform(shape=[2], dtype=tf.float32, seed=7, seed2=8)
    assert drawn.numpy().tolist() == eager.numpy().tolist()
    assert (top.numpy().tolist(), places.numpy().tolist()) == ([4.0, 3.0], [3, 2])
