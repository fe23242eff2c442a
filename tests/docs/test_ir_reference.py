"""The table of ops is what the op classes say, and each of them says what it means."""

from __future__ import annotations

from tfc.ir import ops
from tools import ir_reference


def test_the_page_is_up_to_date() -> None:
    assert ir_reference.PAGE.read_text() == ir_reference.page(), "run `make docs`"


def test_every_op_says_what_it_means() -> None:
    """In a docstring of its own, since bases speak of families."""
    classes = ir_reference.ops()
    assert len(classes) > 200
    assert not [cls.mnemonic for cls in classes if not cls.__dict__.get("__doc__")]


def test_what_a_row_says() -> None:
    assert ir_reference.form(ops.Matmul) == "matmul %x, %y"
    assert ir_reference.form(ops.Concat) == "concat [xs] {axis}"
    regions = "then = (...) {...} orelse = (...) {...}"
    assert ir_reference.form(ops.Cond) == f"cond %predicate, [args] {regions}"
    assert ir_reference.sentence("Of 0, 1, ... the last. And so on.\n\nMore.") == (
        "Of 0, 1, ... the last"
    )
