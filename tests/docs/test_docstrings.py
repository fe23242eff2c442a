"""Docstrings of public functions have sections, and these are about the parameters there are."""

from __future__ import annotations

from tools import docstrings

COMPLETE = 263  # functions and methods that say what they take and give: at least so many


def test_arguments_are_those_of_the_function() -> None:
    """All of them, in their order: where there is a section, nothing is left out or renamed."""
    found = [*docstrings.functions(), *docstrings.methods()]
    described = [f for f in found if "Args" in f.sections]
    wrong = {f.path: (f.sections["Args"], f.parameters) for f in described if not f.says_arguments}
    assert not wrong


def test_as_many_as_before_are_complete() -> None:
    found = [*docstrings.functions(), *docstrings.methods()]
    complete = [f.path for f in found if f.says_arguments and f.says_result]
    assert len(complete) >= COMPLETE
    assert {"tf.function", "tf.reduce_sum", "tf.GradientTape.gradient"} <= set(complete)


def test_sections_are_read() -> None:
    def f(x: int, y: float = 1.5, *rest: int, name: str = "") -> int:
        """Do this.

        Args:
            x: The one, of which more
                is said: this.
            y: The other: a float.
            *rest: The others.

        Returns:
            A number.

        Raises:
            ValueError: If x: is not there.
        """
        return x

    found = docstrings.documented("f", f)
    assert found.parameters == ["x", "y", "rest"]
    assert found.sections == {"Args": ["x", "y", "rest"], "Returns": [], "Raises": ["ValueError"]}
    assert found.says_arguments and found.says_result
    assert not docstrings.documented("g", lambda x: x).says_arguments
