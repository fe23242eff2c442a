"""What stands for a local variable that has no value, and says why when it is used."""

from __future__ import annotations

from typing import Any, NoReturn

from ..core import blame

RESULT = "ag_result"  # the variable that takes the place of returns in branches and loops


def described(name: str) -> str:
    """What errors call a variable, attribute or list, or the result."""
    if name == RESULT:
        return "the result"
    if name.endswith("[]"):
        return f"the list or dict `{name[:-2]}`"
    return f"the item `{name}`" if name.endswith("]") else f"'{name}'"


class Undefined:
    """A variable without a value: any use of it raises, with the reason and the user's line."""

    __slots__ = ("kind", "name", "reason")

    def __init__(
        self, name: str, reason: str = "", kind: type[Exception] = UnboundLocalError
    ) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "reason", reason)
        object.__setattr__(self, "kind", kind)

    def fail(self) -> NoReturn:
        """Raise the error for a use of it."""
        what = described(self.name)
        raise blame.located(self.kind, f"{what} {self.reason or 'is used before assignment'}")

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__array"):  # what NumPy and converters look for
            raise AttributeError(attribute)
        self.fail()

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        self.fail()

    def __repr__(self) -> str:
        return f"<undefined {self.name}>"

    def _use(self, *arguments: Any) -> NoReturn:
        self.fail()

    __bool__ = __int__ = __float__ = __index__ = __len__ = __iter__ = __call__ = _use
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = _use
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _use
    __pow__ = __rpow__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _use
    __neg__ = __pos__ = __abs__ = __invert__ = __getitem__ = __setitem__ = __contains__ = _use
    __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _use
    __eq__ = __ne__ = _use
    __setattr__ = _use
