"""`tf.compat.v1.Dimension`, with TensorFlow's meaning."""

from __future__ import annotations

import copy

import pytest

import tfc as tf
from tfc.compat.v1 import Dimension


def test_arithmetic() -> None:
    three, unknown = Dimension(3), Dimension(None)
    for found, want in (
        (three + 2, 5), (2 + three, 5), (7 - three, 4), (three - 1, 2), (three * 2, 6),
        (three // 2, 1), (7 // three, 2), (7 % three, 1), (three % 2, 1), (three + unknown, None),
        (unknown * 2, None), (three.merge_with(None), 3), (unknown.merge_with(3), 3),
        (copy.copy(three), 3),
    ):  # fmt: skip
        assert isinstance(found, Dimension) and found.value == want
    assert list(range(three)) == [0, 1, 2] and int(three) == 3
    assert (repr(unknown), str(unknown), str(three)) == ("Dimension(None)", "?", "3")


def test_comparisons() -> None:
    three, unknown = Dimension(3), Dimension(None)
    assert three == 3 and three != 4 and three < 4 and three <= 3 and three > 2 and three >= 3
    assert (unknown == 3) is (three == None) is (unknown < 3) is None  # noqa: E711
    assert three.is_compatible_with(None) and not three.is_compatible_with(4)
    assert tf.TensorShape([three, unknown]).as_list() == [3, None]
    for wrong, error in (
        (lambda: Dimension(-1), ValueError),
        (lambda: Dimension(2.5), TypeError),
        (lambda: three.merge_with(4), ValueError),
        (lambda: three + "a", TypeError),
        (lambda: three / 2, TypeError),
        (lambda: hash(three), TypeError),
        (lambda: int(unknown), TypeError),
    ):
        with pytest.raises(error):
            wrong()
