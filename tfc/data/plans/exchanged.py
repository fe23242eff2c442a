"""What TensorFlow 1's reinitializable iterators go over: a dataset that is exchanged."""

from __future__ import annotations

from ...core import blame
from ...core.errors import FailedPreconditionError
from ..elements import Chunk, ElementSpec
from ..plan import Cursor, Plan, Run


class Exchanged(Plan):
    """The elements of another plan, which may be exchanged; first there is none.

    Args:
        spec: Of the elements, whichever plan it is.
    """

    kind = "Exchanged"

    def __init__(self, spec: ElementSpec) -> None:
        super().__init__()
        self.spec = spec
        self.sees_variables = True

    def exchange(self, source: Plan) -> None:
        """From now on there are the elements of this plan.

        Raises:
            TypeError: If they are no such elements.
        """
        if not self.spec.covers(source.spec):
            raise blame.type_error(
                f"the iterator is for elements {self.spec}, and those of the dataset are "
                f"{source.spec}",
                "Iterator.make_initializer",
            )
        self.inputs = (source,)
        self.varies = source.varies

    def stream(self, run: Run) -> Cursor:
        if not self.inputs:
            return _NotBegun()
        return self.inputs[0].cursor(run.children[0])


class _NotBegun(Cursor):
    def _take(self, count: int) -> Chunk:
        raise FailedPreconditionError(
            "GetNext() failed because the iterator has not been initialized: call "
            "iterator.make_initializer(dataset)",
            op="Iterator.get_next",
        )


__all__ = ["Exchanged"]
