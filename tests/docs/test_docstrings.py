"""Docstrings of public functions say what these take and give."""

from __future__ import annotations

from tools import docstrings


def test_all_are_described() -> None:
    """Args for each parameter, in order, and Returns where something is given."""
    found = [*docstrings.functions(), *docstrings.methods()]
    assert {"tf.function", "tf.reduce_sum", "tf.GradientTape.gradient"} <= {f.path for f in found}
    assert not {f.path: f.missing for f in found if f.missing}


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
    assert found.says_arguments and found.says_result and not found.missing
    assert docstrings.documented("g", lambda x: x).missing == ["Args: x", "Returns"]

    def g(x: int) -> None:
        """Do that.

        Args:
            y: Another one.
        """

    assert docstrings.documented("g", g).missing == ["Args: x (not y)"]
    assert docstrings.documented("g", int.bit_length).missing == ["Returns"]
