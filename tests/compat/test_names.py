"""Every public name of TensorFlow's: here with its parameters, or absent with a reason, or on the
lists of this file, which should get shorter."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

import tfc as tf
from tfc.compat.hints import hint
from tfc.core.absent import ABSENT, why

FILE = Path(__file__).parent / "of_tensorflow" / "names.txt"
NAMES = dict(
    (*line.rstrip(")").split("(", 1), "")[:2] for line in FILE.read_text().splitlines()[1:]
)

# Not yet.
LATER = """
tf.experimental.extension_type tf.experimental.extension_type.as_dict
tf.experimental.numpy.flatten tf.experimental.numpy.gcd tf.experimental.numpy.lcm
tf.experimental.numpy.random.poisson tf.image.decode_webp tf.io.decode_webp tf.matrix_square_root
tf.random_index_shuffle tf.realdiv
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
        ("tf.dtypes.qint8", "quantised"),
    ):
        with pytest.raises(AttributeError, match=match):
            found(name)
    with pytest.raises(AttributeError) as caught:
        tf.nn.no_such_name  # type: ignore[attr-defined]  # noqa: B018
    assert str(caught.value) == "module 'tfc.nn' has no attribute 'no_such_name'"
