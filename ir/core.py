"""The IR: values, ops, functions, and the builder through which all code is made.

One op is one class. Its annotated fields say what it takes: `Value` and `tuple[Value, ...]` are
operands, `Function` is a region, everything else is an attribute. Its methods say what it means:

    infer      the result types, or an `OpError` that names the op, shapes and dtypes
    numpy      the reference meaning, on ndarrays
    vjp        the cotangents of the operands, given those of the results
    at         how one element is computed (see lowering.py)

Nothing is mutated: a pass makes a new function by emitting ops into a fresh `Builder`, which may
fold constants, simplify, and number values (CSE) on the way.

    >>> from tfc.ir import ops, core, types, dtypes
    >>> b = core.Builder("twice")
    >>> x = b.parameter(types.TensorType(dtypes.float32, (3,)), "x")
    >>> print(b.build(b.emit(ops.Add(x, x))))
    func @twice(%x: f32[3]) -> f32[3] {
      %0 = add %x, %x : f32[3]
      return %0
    }
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, NamedTuple, Self, dataclass_transform

import numpy as np

from .types import Type


class OpError(Exception):
    """An op was given operands or attributes that it does not take.

    `kind` is "shape", "dtype" or "value": the front end raises TensorFlow's class for it.
    """

    def __init__(self, message: str, kind: str = "shape") -> None:
        super().__init__(message)
        self.kind = kind


class Location(NamedTuple):
    """Where the user wrote the call that made an op."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Value:
    """The result of an op, or a parameter of a function (then `op` is None)."""

    __slots__ = ("index", "name", "op", "type")

    def __init__(self, type: Type, op: Op | None = None, index: int = 0, name: str = "") -> None:
        self.type: Any = type  # TensorType, or BufferType in kernels
        self.op = op
        self.index = index
        self.name = name

    @property
    def dtype(self) -> Any:
        return self.type.dtype

    @property
    def shape(self) -> Any:
        return self.type.shape

    @property
    def rank(self) -> int:
        return len(self.type.shape)

    def __repr__(self) -> str:
        return f"<{self.name or (self.op.mnemonic if self.op else 'value')}: {self.type}>"


class OpFields(NamedTuple):
    """The names of an op class's fields by what they hold."""

    operands: tuple[str, ...]
    variadic: tuple[str, ...]
    regions: tuple[str, ...]
    attributes: tuple[str, ...]


_OPERAND, _VARIADIC = ("Value", "Value | None"), "tuple[Value, ...]"


@dataclass_transform(frozen_default=True, eq_default=False)
class Op:
    """The base of all ops. A subclass is a frozen dataclass of its operands and attributes."""

    spec: ClassVar[OpFields]
    mnemonic: ClassVar[str]
    effect: ClassVar[bool] = False  # kept in program order and never dropped
    exact: ClassVar[bool] = False  # NumPy gives the same bits as compiled code
    by_name: ClassVar[dict[str, type[Op]]] = {}

    results: tuple[Value, ...]
    location: Location | None

    def __init_subclass__(cls, abstract: bool = False) -> None:
        dataclass(frozen=True, eq=False, repr=False)(cls)
        named = [(f.name, str(f.type)) for f in fields(cls)]  # type: ignore[arg-type]
        cls.spec = OpFields(
            tuple(n for n, t in named if t in _OPERAND or t == _VARIADIC),
            tuple(n for n, t in named if t == _VARIADIC),
            tuple(n for n, t in named if t == "Function"),
            tuple(n for n, t in named if t not in (*_OPERAND, _VARIADIC, "Function")),
        )
        if "mnemonic" not in cls.__dict__:
            cls.mnemonic = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
        if not abstract:
            known = Op.by_name.setdefault(cls.mnemonic, cls)
            assert known.__qualname__ == cls.__qualname__, f"two ops named {cls.mnemonic}"

    # What an op means; subclasses fill these in.

    def infer(self) -> Type | tuple[Type, ...]:
        """The type of the result, or a tuple of types."""
        raise NotImplementedError(f"{self.mnemonic}: infer")

    def numpy(self, *operands: Any) -> Any:
        """The reference meaning in NumPy: an ndarray, or a tuple of them."""
        raise NotImplementedError(f"{self.mnemonic} has no reference meaning")

    def vjp(self, b: Builder, *cotangents: Value) -> Sequence[Value | None]:
        """For each operand its cotangent, or None where nothing flows back."""
        raise NotImplementedError(f"{self.mnemonic} has no gradient")

    # How ops are taken apart and put together again.

    @property
    def result(self) -> Value:
        return self.results[0]

    @property
    def operands(self) -> tuple[Value, ...]:
        found: list[Value] = []
        for name in self.spec.operands:
            value = getattr(self, name)
            if isinstance(value, tuple):
                found.extend(value)
            elif value is not None:
                found.append(value)
        return tuple(found)

    @property
    def attributes(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.spec.attributes}

    @property
    def regions(self) -> tuple[Function, ...]:
        return tuple(getattr(self, name) for name in self.spec.regions)

    def with_operands(self, mapping: Callable[[Value], Value]) -> Self:
        """This op on other operands, not yet emitted."""
        changed = {}
        for name in self.spec.operands:
            value = getattr(self, name)
            if isinstance(value, tuple):
                changed[name] = tuple(mapping(v) for v in value)
            else:
                changed[name] = None if value is None else mapping(value)
        rest = (*self.spec.attributes, *self.spec.regions)
        return type(self)(**changed, **{name: getattr(self, name) for name in rest})

    def error(self, message: str, kind: str = "shape") -> OpError:
        """An error that says what the op is and what it was given."""
        given = ", ".join(str(v.type) for v in self.operands)
        return OpError(f"{self.mnemonic}({given}): {message}", kind)

    def __repr__(self) -> str:
        return f"<{self.mnemonic} {', '.join(map(repr, self.operands))}>"


@dataclass(frozen=True, eq=False)
class Function:
    """Parameters, ops in order, and the values returned. Values from outside are not used,
    except in the bodies of kernel loops."""

    name: str
    params: tuple[Value, ...]
    body: tuple[Op, ...]
    returns: tuple[Value, ...]
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        from .text import print_function

        return print_function(self)

    @property
    def result_types(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.returns)

    def walk(self) -> Iterator[Op]:
        """All ops, those of regions included."""
        for op in self.body:
            yield op
            for region in op.regions:
                yield from region.walk()


def attribute_key(value: Any) -> Any:
    """A hashable stand-in for an attribute, equal only for attributes of equal bits."""
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, float):
        return np.float64(value).tobytes()
    return value


class Builder:
    """Makes one function, op by op.

    `rules` says what `emit` may do beside appending: "fold" evaluates exact ops on constants,
    "simplify" asks rules.py for something simpler, "cse" gives back an equal op's result instead
    of computing it twice.
    """

    def __init__(self, name: str = "f", rules: Iterable[str] = ()) -> None:
        self.name = name
        self.rules = frozenset(rules)
        self.params: list[Value] = []
        self.body: list[Op] = []
        self.location: Location | None = None
        self._seen: dict[Any, tuple[Value, ...]] = {}

    def parameter(self, type: Type, name: str = "") -> Value:
        """A new parameter of the function."""
        value = Value(type, None, len(self.params), name)
        self.params.append(value)
        return value

    def emit(self, op: Op) -> Any:
        """Append `op` (or what the rules put in its place): its Value, or a tuple of them."""
        results = self.emit_all(op)
        return results[0] if len(results) == 1 else results

    def emit_all(self, op: Op) -> tuple[Value, ...]:
        """As `emit`, always a tuple."""
        if "cse" in self.rules and not op.effect and not op.spec.regions:
            key = self._key(op)
            known = self._seen.get(key)
            if known is not None:
                return known
        else:
            key = None
        results = self._rewritten(op) or self._append(op)
        if key is not None:
            self._seen[key] = results
        return results

    def constant(self, value: Any, dtype: Any) -> Value:
        """A scalar constant of `dtype`."""
        from .ops.shape import Constant

        result: Value = self.emit(Constant(np.asarray(value).astype(dtype.numpy)))
        return result

    def build(self, *returns: Value, **notes: Any) -> Function:
        """The finished function."""
        return Function(self.name, tuple(self.params), tuple(self.body), returns, notes)

    def _rewritten(self, op: Op) -> tuple[Value, ...] | None:
        if op.effect or not self.rules:
            return None
        if "fold" in self.rules and op.exact:
            folded = self._folded(op)
            if folded is not None:
                return (folded,)
        if "simplify" in self.rules:
            from .rules import simplify

            self._typed(op)
            simpler = simplify(op, self)
            if simpler is not None:
                return (simpler,)
        return None

    def _folded(self, op: Op) -> Value | None:
        """The constant that an exact op on small constants gives, or None."""
        from .ops.shape import Constant

        arrays = [v.op.value for v in op.operands if v.op is not None and isinstance(v.op, Constant)]
        if not arrays or len(arrays) != len(op.operands):
            return None
        self._typed(op)
        type_ = op.result.type
        if not type_.is_static or type_.size > 64:
            return None
        with np.errstate(all="ignore"):
            array = np.asarray(op.numpy(*arrays), dtype=type_.dtype.numpy)
        if type_.dtype.is_floating and np.isnan(array.astype(np.float64)).any():
            return None  # which nan a machine makes is its own affair
        folded: Value = self.emit(Constant(array.reshape(type_.shape)))
        return folded

    def _typed(self, op: Op) -> None:
        """Give a fresh op its results, so that `simplify` may look at their types."""
        if "results" not in op.__dict__:
            types = op.infer()
            types = types if isinstance(types, tuple) else (types,)
            results = tuple(Value(t, op, i) for i, t in enumerate(types))
            object.__setattr__(op, "results", results)
            object.__setattr__(op, "location", self.location)

    def _append(self, op: Op) -> tuple[Value, ...]:
        self._typed(op)
        self.body.append(op)
        return op.results

    def _key(self, op: Op) -> Any:
        attributes = tuple(attribute_key(getattr(op, n)) for n in op.spec.attributes)
        named = tuple(getattr(op, n) for n in op.spec.operands)
        return type(op), named, attributes


def transfer(
    f: Function, b: Builder, arguments: Sequence[Value], keep: Callable[[Op], bool] | None = None
) -> tuple[Value, ...]:
    """Emit the body of `f` into `b` on `arguments`; returns what `f` returns there."""
    env: dict[Value, Value] = dict(zip(f.params, arguments, strict=True))
    for op in f.body:
        if keep is None or keep(op):
            copy_op(op, b, env)
    return tuple(env[v] for v in f.returns)


def copy_op(op: Op, b: Builder, env: dict[Value, Value]) -> None:
    """Emit `op` into `b` with its operands as `env` says, and note its results there."""
    b.location = op.location
    results = b.emit_all(op.with_operands(lambda v: env.get(v, v)))
    env.update(zip(op.results, results, strict=True))


def rebuild(f: Function, b: Builder, keep: Callable[[Op], bool] | None = None) -> Function:
    """`f` emitted anew through `b`: what most passes are."""
    b.name = f.name
    arguments = [b.parameter(p.type, p.name) for p in f.params]
    returns = transfer(f, b, arguments, keep)
    return Function(b.name, tuple(b.params), tuple(b.body), returns, f.notes)
