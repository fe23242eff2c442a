"""`dataclass` and `NamedTuple` as the standard library's, for classes that programs may never use.

The standard ones write code for each class, and compile it: a tenth of a millisecond to a whole
one. There are hundreds of classes, of which an import needs none and a program a few; so here a
class gets its code when its first instance is made. Type checkers see the standard library's, and
`dataclasses.replace`, `fields`, `==`, `_replace` and pickle know no difference. But the signature
of a class is not to be seen before it has an instance: what users make themselves keeps the
standard ones.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

# The first instance of a class is made under it: nobody may fork within (see backends/forks.py).
lock = threading.RLock()

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter as element
    from operator import attrgetter
    from reprlib import recursive_repr

    def dataclass(cls: type | None = None, /, **options: Any) -> Any:
        """As `dataclasses.dataclass`. It has no `slots`, which need another class."""
        return _waiting(cls, options) if cls else lambda cls: _waiting(cls, options)

    class _Field:
        """What `dataclasses.field` will be given."""

        def __init__(self, **options: Any) -> None:
            self.options = options

    field = _Field

    _OPTIONS = {"frozen", "eq", "kw_only"}

    def _waiting(cls: type, options: dict[str, Any]) -> type:
        """A class that becomes a dataclass when its first instance is made."""
        if not _OPTIONS.issuperset(options) or "__init__" in cls.__dict__:
            raise TypeError(f"{cls.__name__} needs dataclasses.dataclass")
        fields = _Fields(cls, options)

        def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807
            fields.finish()
            cls.__init__(self, *values, **named)

        cls.__init__, cls.__dataclass_fields__ = __init__, fields
        return cls

    class _Fields:
        """Stands where the standard library puts the fields, and puts them there: also if a class
        that derives from it, or who takes an instance apart, asks first."""

        def __init__(self, cls: type, options: dict[str, Any]) -> None:
            self.cls, self.options = cls, options

        def __get__(self, instance: object, owner: type) -> Any:
            self.finish()
            return self.cls.__dataclass_fields__

        def finish(self) -> None:
            """Make a dataclass of the class, if that is yet to be."""
            from dataclasses import field

            with lock:
                if self.cls.__dict__["__dataclass_fields__"] is self:
                    for name, value in list(vars(self.cls).items()):
                        if isinstance(value, _Field):
                            setattr(self.cls, name, field(**value.options))
                    _finish(self.cls, **self.options)
                    self.cls.__init__ = _constructor(self.cls)

    def _finish(cls: type, *, frozen: bool = False, eq: bool = True, kw_only: bool = False) -> None:
        """Make a dataclass of a class that has its `__init__`. The standard library compiles four
        more methods, each by itself, which takes three times as long as all else here."""
        from dataclasses import dataclass, fields, is_dataclass

        inherits = any(map(is_dataclass, cls.__mro__[1:]))  # the standard library compares flags
        dataclass(
            cls, init=False, repr=False, eq=False, frozen=frozen and inherits, kw_only=kw_only
        )
        listed = fields(cls)
        shown = [f.name for f in listed if f.repr]
        compared = [f.name for f in listed if f.compare]
        methods: dict[str, Any] = {"__repr__": _shown(shown)}
        if eq:
            values = _values(compared)
            methods["__eq__"] = _equal(values)
            if "__hash__" not in cls.__dict__ or cls.__dict__["__hash__"] is None:
                methods["__hash__"] = _hashed(values) if frozen else None
        if frozen and not inherits:
            names = {f.name for f in listed}
            methods |= {f"__{verb}attr__": _refused(cls, names, verb) for verb in ("set", "del")}
            cls.__dataclass_params__.frozen = True
        for name, method in methods.items():
            if name == "__hash__" or name not in cls.__dict__:
                if method is not None:
                    method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
                setattr(cls, name, method)

    def _values(names: list[str]) -> Any:
        """What gives the values of these fields as a tuple."""
        if len(names) > 1:
            return attrgetter(*names)
        if names:
            return lambda self, name=names[0]: (getattr(self, name),)
        return lambda self: ()

    def _shown(names: list[str]) -> Any:
        @recursive_repr()
        def shown(self: Any) -> str:
            values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            return f"{type(self).__qualname__}({values})"

        return shown

    def _equal(values: Any) -> Any:
        def equal(self: Any, other: object) -> Any:
            if other.__class__ is self.__class__:
                return values(self) == values(other)
            return NotImplemented

        return equal

    def _hashed(values: Any) -> Any:
        return lambda self: hash(values(self))

    def _refused(cls: type, names: set[str], verb: str) -> Any:
        method, said = f"__{verb}attr__", "assign to" if verb == "set" else "delete"

        def refuse(self: Any, name: str, *value: Any) -> None:
            if type(self) is cls or name in names:
                from dataclasses import FrozenInstanceError

                raise FrozenInstanceError(f"cannot {said} field {name!r}")
            getattr(super(cls, self), method)(name, *value)

        return refuse

    def _constructor(cls: type) -> Any:
        """The `__init__` of a dataclass. (The standard one would not be put where one is, and a
        class without any could be met by another thread.)"""
        from dataclasses import MISSING, fields

        frozen = cls.__dataclass_params__.frozen
        store = "_set(self, '{0}', {1})" if frozen else "self.{0} = {1}"
        scope: dict[str, Any] = {"_missing": MISSING, "_set": object.__setattr__}
        positional, named, stores = ["self"], ["*"], []
        for field in fields(cls):
            name, made = field.name, field.default_factory is not MISSING
            scope[f"_{name}"] = field.default_factory if made else field.default
            optional = made or field.default is not MISSING
            value = name
            if not field.init:
                value = f"_{name}()" if made else f"_{name}"
            elif made:
                value = f"_{name}() if {name} is _missing else {name}"
            if field.init:
                default = "=_missing" if made else f"=_{name}" if optional else ""
                (named if field.kw_only else positional).append(name + default)
            if field.init or optional:
                stores.append(store.format(name, value))
        if hasattr(cls, "__post_init__"):
            stores.append("self.__post_init__()")
        parameters = ", ".join(positional + (named if len(named) > 1 else []))
        exec(f"def __init__({parameters}):\n    " + "\n    ".join(stores or ["pass"]), scope)
        scope["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
        return scope["__init__"]

    class _Named(tuple):
        """What all named tuples can."""

        __slots__ = ()
        _fields: tuple[str, ...] = ()

        @classmethod
        def _make(cls, values: Any) -> Any:
            return cls(*values)

        def _replace(self, **changed: Any) -> Any:
            made = type(self)(*(changed.pop(n, v) for n, v in zip(self._fields, self, strict=True)))
            if changed:
                raise ValueError(f"Got unexpected field names: {list(changed)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            inside = (f"{n}={v!r}" for n, v in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({', '.join(inside)})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    class _NamedTupleType(type):
        """Makes a class of tuples from a class statement with annotations."""

        def __new__(cls, name: str, bases: tuple[Any, ...], body: dict[str, Any]) -> type:
            names = tuple(body.get("__annotations__", ()))
            defaults = {n: body.pop(n) for n in names if n in body}
            body |= {n: element(i, f"Alias for field number {i}") for i, n in enumerate(names)}
            body |= {"_fields": names, "_field_defaults": defaults, "__match_args__": names}
            body |= {"__slots__": (), "__new__": _first}
            return type(name, (_Named,), body)

    def _first(cls: type, /, *values: Any, **named: Any) -> Any:
        """The `__new__` of named tuples, up to the first one: then each class has its own."""
        owner = next(c for c in cls.__mro__ if "_field_defaults" in c.__dict__)
        new, optional = tuple.__new__, owner._field_defaults
        parameters = "".join(f", {n}=_{n}" if n in optional else f", {n}" for n in owner._fields)
        text = f"lambda _cls{parameters}: _new(_cls, ({''.join(f'{n}, ' for n in owner._fields)}))"
        scope = {"_new": new, **{f"_{n}": value for n, value in optional.items()}}
        made = eval(text, scope)
        made.__name__, made.__qualname__ = "__new__", f"{owner.__qualname__}.__new__"
        owner.__new__ = staticmethod(made)
        return made(cls, *values, **named)

    NamedTuple = type.__new__(_NamedTupleType, "NamedTuple", (), {})
