"""Every public name of TensorFlow's: here with its parameters, or absent with a reason, or on the
lists of this file, which should get shorter."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any, get_origin

import pytest

import tfc as tf
from tests.compat.tensorflow_names import parameters
from tfc.compat.hints import hint
from tfc.core.absent import ABSENT, why

FILE = Path(__file__).parent / "of_tensorflow" / "names.txt"
LINES = FILE.read_text().splitlines()[1:]
NAMES = dict((*line.rstrip(")").split("(", 1), "")[:2] for line in LINES)

# Not yet.
LATER = """
tf.experimental.extension_type tf.experimental.extension_type.as_dict
tf.experimental.numpy.random.poisson tf.image.decode_webp tf.io.decode_webp
"""


def found(name: str) -> Any:
    return functools.reduce(getattr, name.split(".")[1:], tf)


def refused(name: str) -> str | None:
    """Why a name cannot be looked up; None if it can."""
    try:
        value = found(name)
    except AttributeError as error:
        return str(error)
    return "raises" if getattr(value, "missing", False) else None


def test_names_are_here_or_absent_with_reason() -> None:
    missing = {name: said for name in NAMES if (said := refused(name)) is not None}
    reasons = {name: why(name) for name in missing}
    unexplained = {n for n in missing if reasons[n] is None and "data service" not in missing[n]}
    assert unexplained == set(LATER.split())
    for name, said in missing.items():
        reason = reasons[name]
        if reason is not None and hint(name.split(".")[1]) is None:
            assert reason in said or why(name.rpartition(".")[0]) is not None, (name, said)


# Whose parameters are others than TensorFlow's: classes that only tfc makes, names of dtypes for
# dtypes, defaults that mean the same, and arguments of what is not here.
DIFFERENT = """
tf.autograph.experimental.set_loop_options tf.data.experimental.index_table_from_dataset
tf.data.experimental.load tf.data.experimental.make_csv_dataset
tf.data.experimental.sample_from_datasets tf.data.experimental.table_from_dataset
tf.experimental.dlpack.from_dlpack tf.experimental.numpy.all tf.experimental.numpy.amax
tf.experimental.numpy.amin tf.experimental.numpy.any tf.experimental.numpy.argsort
tf.experimental.numpy.broadcast_arrays tf.experimental.numpy.clip
tf.experimental.numpy.count_nonzero tf.experimental.numpy.cross tf.experimental.numpy.einsum
tf.experimental.numpy.empty tf.experimental.numpy.eye
tf.experimental.numpy.full_like tf.experimental.numpy.identity
tf.experimental.numpy.imag
tf.experimental.numpy.max tf.experimental.numpy.mean
tf.experimental.numpy.meshgrid tf.experimental.numpy.min tf.experimental.numpy.nanmean
tf.experimental.numpy.ones tf.experimental.numpy.pad tf.experimental.numpy.prod
tf.experimental.numpy.ptp tf.experimental.numpy.random.randint tf.experimental.numpy.random.randn
tf.experimental.numpy.real tf.experimental.numpy.sign tf.experimental.numpy.sort
tf.experimental.numpy.std tf.experimental.numpy.sum
tf.experimental.numpy.var tf.experimental.numpy.zeros tf.fill tf.group
tf.image.extract_jpeg_shape tf.image.stateless_random_jpeg_quality tf.io.extract_jpeg_shape
tf.meshgrid tf.nest.map_structure tf.nn.depthwise_conv2d_backprop_filter
tf.nn.depthwise_conv2d_backprop_input tf.nn.experimental.stateless_dropout
tf.nn.isotonic_regression tf.ones tf.ones_like tf.print tf.random.create_rng_state
tf.random.experimental.create_rng_state tf.random.stateless_binomial
tf.random.stateless_categorical tf.random.stateless_gamma tf.random.stateless_poisson
tf.scatter_nd tf.shape tf.size 
tf.tensor_scatter_nd_add tf.tensor_scatter_nd_max tf.tensor_scatter_nd_min
tf.tensor_scatter_nd_sub tf.zeros tf.zeros_like
"""


def of(value: Any) -> list[str]:
    """Parameters as they are compared: `name` may have another default, `None` stand for what is
    told by the others, a tuple for a list."""
    found = parameters(value)
    return [] if found is None else plain(found)


def plain(text: str) -> list[str]:
    parts = re.split(r", (?=\*{0,2}\w+(?:=|,|$))", text) if text else []
    return [re.sub(r"^name=.*", "name=", p).replace("'", "") for p in parts]


def test_parameters() -> None:
    """Their names, order and defaults."""
    different = set()
    for line in LINES:
        name, bracket, text = line.removesuffix(")").partition("(")
        if not bracket or refused(name) is not None:
            continue
        value = found(name)
        if get_origin(value) is not None:  # `TensorLike`, a union: what Python's own class takes
            continue
        if not isinstance(value, type) and of(value) != plain(text):
            different.add(name)
    assert different == set(DIFFERENT.split())


def test_absent_names_are_absent() -> None:
    """Each entry is TensorFlow's, and none is here."""
    for name in ABSENT:
        assert name in NAMES or any(n.startswith(name) for n in NAMES), name
        inner = [n for n in NAMES if n == name or n.startswith(f"{name}.")]
        assert not inner or any(refused(n) is not None for n in inner), name


def test_errors_say_why() -> None:
    for name, match in (
        ("tf.tpu", "there are no TPUs"),
        ("tf.nn.RNNCellDropoutWrapper", "Keras"),
        ("tf.config.experimental.enable_mlir_bridge", "not through MLIR"),
        ("tf.distribute.ParameterServerStrategy", "no parameter servers"),
        ("tf.quantization.quantize", "quantised"),
    ):
        with pytest.raises(AttributeError, match=match):
            found(name)
    with pytest.raises(AttributeError) as caught:
        tf.nn.no_such_name  # type: ignore[attr-defined]  # noqa: B018
    assert str(caught.value) == "module 'tfc.nn' has no attribute 'no_such_name'"
