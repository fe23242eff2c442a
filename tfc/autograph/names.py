"""What converted code finds under the name `ag`."""

from .calls import callee, iterated
from .loops import for_stmt, python_iterable, while_stmt
from .operators import and_, assert_stmt, if_exp, if_stmt, not_, or_, python_test, returned
from .undefined import Undefined

__all__ = [
    "Undefined",
    "and_",
    "assert_stmt",
    "callee",
    "for_stmt",
    "if_exp",
    "if_stmt",
    "iterated",
    "not_",
    "or_",
    "python_iterable",
    "python_test",
    "returned",
    "while_stmt",
]
