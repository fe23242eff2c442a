"""What can fail while a program runs."""

from __future__ import annotations

from .core import Location
from .value_classes import NamedTuple


class Site(NamedTuple):
    """What can fail at run time: which check, in which op, on which line of the user's."""

    kind: str  # "index", "zero", "host", "check", or the check of a Requirement
    op: str  # "" for the function itself
    location: Location | None
    note: tuple[str, ...] = ()  # of a "check": its message, and the kinds of dtype of its values
