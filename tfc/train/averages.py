"""`tf.train.ExponentialMovingAverage`: running means of Variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import blame
from ..core.scopes import init_scope
from ..core.types import TensorLike
from ..core.variable import Variable
from ..ops.array.conversion import cast
from ..ops.math.arithmetic import minimum


class ExponentialMovingAverage:
    """Keeps running means of Variables, of which `decay` is kept at each step.

    Args:
        decay: How much is kept, such as 0.999.
        num_updates: A count of steps, with which early steps keep less: at most (1 + count) / (10 +
            count). None: always `decay`.
        zero_debias: False alone.
        name: What the names of the means end with.

    Raises:
        UnimplementedError: If `zero_debias` is asked for.

    >>> import tfc as tf
    >>> v, means = tf.Variable(4.0), tf.train.ExponentialMovingAverage(0.5)
    >>> means.apply([v])
    >>> _ = v.assign(2.0)
    >>> means.apply([v])
    >>> float(means.average(v))
    3.0
    """

    def __init__(
        self,
        decay: float,
        num_updates: TensorLike | None = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        if zero_debias:
            raise blame.unimplemented("zero_debias is not here", "ExponentialMovingAverage")
        self._decay, self._count, self._name = decay, num_updates, name
        self._means: dict[int, tuple[Any, Any]] = {}

    @property
    def name(self) -> str:
        """What the names of the means end with."""
        return self._name

    def apply(self, var_list: Sequence[Any] | None = None) -> None:
        """Move the means of Variables towards what they are; at first they are that.

        Args:
            var_list: The Variables.

        Raises:
            ValueError: If no Variables are given.
            TypeError: If one of them is none of floats.
        """
        op = "ExponentialMovingAverage.apply"
        if var_list is None:
            raise blame.value_error("give the Variables: nothing collects them", op)
        decay = self._decay_now()
        for v in var_list:
            if not v.dtype.is_floating:
                raise blame.type_error(f"the Variables must be floats: {v.name}", op)
            if id(v) not in self._means:
                with init_scope():
                    made = Variable(v.value(), trainable=False, name=self.average_name(v))
                self._means[id(v)] = v, made
            mean = self._means[id(v)][1]
            mean.assign_sub((mean - v) * (1.0 - cast(decay, v.dtype)))

    def _decay_now(self) -> Any:
        if self._count is None:
            return self._decay
        count: Any = cast(self._count, "float32")
        return minimum(self._decay, (1.0 + count) / (10.0 + count))

    def average(self, var: Any) -> Any:
        """The Variable with the mean of another.

        Args:
            var: A Variable.

        Returns:
            A Variable, or None if there is none.
        """
        return self._means.get(id(var), (None, None))[1]

    def average_name(self, var: Any) -> str:
        """The name that the mean of a Variable has.

        Args:
            var: A Variable.

        Returns:
            A string.
        """
        return f"{var.name.removesuffix(':0')}/{self._name}"

    def variables_to_restore(self, moving_avg_variables: Sequence[Any] | None = None) -> Any:
        """Variables by the names that their means have in checkpoints.

        Args:
            moving_avg_variables: Those that have means; None: those that `apply` was given.

        Returns:
            A dictionary of Variables by names.
        """
        if moving_avg_variables is None:
            moving_avg_variables = [v for v, _ in self._means.values()]
        return {self.average_name(v): v for v in moving_avg_variables}


__all__ = ["ExponentialMovingAverage"]
