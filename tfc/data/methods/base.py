"""What all methods of datasets have: the plan, and how a dataset is made of another plan."""

from __future__ import annotations

from typing import Any, Final, Self

from tfc.backends.cpu.runtime.runtime import available_threads

from ...core import blame
from ...core.formatting import shown
from ..deferred import defer_methods
from ..nested import is_symbolic
from ..plan import Plan

AUTOTUNE: Final = -1


class DatasetBase:
    """A dataset is a plan, and methods that make other plans of it."""

    _plan: Plan

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        defer_methods(cls)

    def __init__(self, plan: Plan) -> None:
        if not isinstance(plan, Plan):
            raise blame.type_error(
                "a Dataset is made by one of its functions, like Dataset.from_tensor_slices",
                "Dataset",
            )
        self._plan = plan

    @classmethod
    def _of(cls, plan: Plan) -> Self:
        """The dataset of a plan."""
        return cls(plan)


def whole(value: Any, op: str, what: str) -> int:
    """An integer argument."""
    if is_symbolic(value):
        return 1  # of a plan that is asked for its spec alone
    try:
        return int(value)
    except (TypeError, ValueError):
        raise blame.type_error(
            f"Cannot convert {shown(value)} to EagerTensor of dtype int64: {what} must be an "
            "integer",
            op,
        ) from None


def positive(value: Any, op: str, what: str, words: str | None = None) -> int:
    """An integer argument that is at least 1; `words` say in an error what it is."""
    number = whole(value, op, what)
    if number < 1:
        raise blame.invalid(
            f"{what if words is None else words} must be greater than zero, but got {number}", op
        )
    return number


def threads(value: Any, op: str) -> int:
    """How many calls may run at a time: 0 where nothing is said, a processor each by AUTOTUNE."""
    if value is None:
        return 0
    number = whole(value, op, "num_parallel_calls")
    if number < 1 and number != AUTOTUNE:
        raise blame.invalid(f"num_parallel_calls must be greater than zero, but got {number}", op)
    return available_threads() if number == AUTOTUNE else number


def dropping(drop_remainder: Any, batch_size: Any) -> bool:
    """Whether batches all have one size that is known."""
    return bool(drop_remainder) and not is_symbolic(batch_size)


__all__ = ["AUTOTUNE", "DatasetBase", "dropping", "positive", "threads", "whole"]
