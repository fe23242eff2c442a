"""The base of the classes that write parts of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..algebra import Term
from ..core import Value
from ..extent import Extent

if TYPE_CHECKING:
    from .group_builder import GroupBuilder


class Writer:
    """A builder, and short names for what is asked of it most."""

    def __init__(self, lower: GroupBuilder) -> None:
        self.lower = lower

    def extent(self, x: Value | Extent) -> Value:
        """An extent as an index."""
        return self.lower.extent(x)

    def index(self, x: Value | Term | Extent) -> Term:
        """An index for arithmetic in the innermost region."""
        return self.lower.index(x)

    def when(self, condition: Value | Term, fill: Callable[[], None]) -> None:
        """What `fill` emits runs only where the condition holds: as a loop of one round or none,
        into which vectors may be carried."""
        self.lower.when(condition, fill, as_loop=True)
