"""What converted code finds under the name `ag`."""

import sys

from . import conversion
from .calls import callee, iterated
from .loops import for_stmt, while_stmt
from .operators import (
    and_,
    and_value,
    assert_stmt,
    get_attribute,
    get_contents,
    if_exp,
    if_stmt,
    is_,
    is_not,
    not_,
    or_,
    or_value,
    python_test,
    raised,
    returned,
    set_attribute,
    set_contents,
)
from .sources import python_iterable
from .undefined import Undefined

__all__ = [
    "Undefined",
    "and_",
    "and_value",
    "assert_stmt",
    "callee",
    "for_stmt",
    "get_attribute",
    "get_contents",
    "if_exp",
    "if_stmt",
    "is_",
    "is_not",
    "iterated",
    "not_",
    "or_",
    "or_value",
    "python_iterable",
    "python_test",
    "raised",
    "returned",
    "set_attribute",
    "set_contents",
    "while_stmt",
]

conversion.provide(sys.modules[__name__])
