"""The IR: values, ops, functions, and the builder through which all code is made.

One op is one class. Its annotated fields say what it takes: `Value` and `tuple[Value, ...]` are
operands, `Function` is a region, everything else is an attribute. Its methods say what it means:

    infer      the result types, or an `OpError` that names the op, shapes and dtypes
    numpy      the reference meaning, on ndarrays
    vjp        the cotangents of the operands, given those of the results
    at         how one element is computed (see ir/kernels/lower.py)

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
from functools import cache
from typing import Any, ClassVar, Final, Generic, Self, TypeAlias, TypeVar, dataclass_transform

import numpy as np

from .attributes import attribute_key, number_of, scalar_key
from .axis_map import AxisMaps
from .dtypes import DType
from .extent import Extent, Shape, as_int, as_ints
from .journal import Did, active
from .op_fields import OpFields, constructor, op_fields
from .types import TensorType, Type
from .value_classes import NamedTuple


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


class Backward(Location):
    """The place of an op whose derivative an op belongs to."""

    __slots__ = ()


class Requirement(NamedTuple):
    """An extent that must not be negative. Where it is, an error says which `check` failed
    ("size", "bounds", "count", "empty": see `runtime_error` in tfc/dispatch/failures.py) and
    `values`."""

    extent: Extent
    check: str
    values: tuple[Extent, ...]


class Value:
    """The result of an op, or a parameter of a function (then `op` is None)."""

    __slots__ = ("dtype", "index", "name", "op", "rank", "shape", "type")

    def __init__(self, type: Type, op: Op | None = None, index: int = 0, name: str = "") -> None:
        self.type = type
        self.dtype: DType = type.dtype
        self.shape: Shape = type.shape
        self.rank = len(type.shape)
        self.op = op
        self.index = index
        self.name = name

    @property
    def tensor_type(self) -> TensorType:
        """Its type, where it is a tensor: in kernels it may be a buffer."""
        assert isinstance(self.type, TensorType), self
        return self.type

    def __repr__(self) -> str:
        return f"<{self.name or (self.op.mnemonic if self.op else 'value')}: {self.type}>"


def types_of(values: Sequence[Value]) -> tuple[Type, ...]:
    return tuple([v.type for v in values])


def _constructed_later(cls: type[Op]) -> Any:
    """An `__init__` that puts the real one in its place when the first op is made: most classes of
    the hundreds are of no use to a program, and writing a function takes longer than the rest."""

    def construct(self: Op, *values: Any, **named: Any) -> None:
        store = constructor(cls.spec, hasattr(cls, "__post_init__"))
        cls.__init__ = store  # type: ignore[method-assign]
        store(self, *values, **named)

    return construct


class OpClasses(Mapping[str, type[Any]]):
    """The op classes by mnemonic. Modules of ops are imported when something in them is used: who
    asks for a name that is not there yet, or for all names, has all of them imported."""

    def __init__(self) -> None:
        self._imported: dict[str, type[Any]] = {}
        self.import_rest: Callable[[], None] = lambda: None  # ir/__init__.py sets it

    def add(self, mnemonic: str, cls: type[Any]) -> type[Any]:
        """The class of that name: `cls`, if there is no other."""
        if not cls.__module__.startswith(f"{__package__}."):
            self.import_rest()
        return self._imported.setdefault(mnemonic, cls)

    def __getitem__(self, mnemonic: str) -> type[Any]:
        found = self._imported.get(mnemonic)
        if found is None:
            self.import_rest()
            found = self._imported[mnemonic]
        return found

    def __iter__(self) -> Iterator[str]:
        self.import_rest()
        return iter(self._imported)

    def __len__(self) -> int:
        self.import_rest()
        return len(self._imported)


# Of regions by name: the types of params, and those of results.
Regions: TypeAlias = Mapping[str, tuple[tuple[Type, ...], tuple[Type, ...]]]


@dataclass_transform(frozen_default=True, eq_default=False)
class Op:
    """The base of all ops. A subclass is a frozen dataclass of its operands and attributes."""

    spec: ClassVar[OpFields]
    mnemonic: ClassVar[str]
    effect: ClassVar[bool] = False  # kept in program order and never dropped
    exact: ClassVar[bool] = False  # NumPy gives the same bits as compiled code
    sparse: ClassVar[bool] = False  # vjp takes None for a result that nothing flows back to
    continues: ClassVar[bool] = False  # vjp adds to the cotangents that operands have: `known`
    closed: ClassVar[bool] = False  # its regions use nothing around them: equal by identity
    keeps_zero: ClassVar[bool] = False  # vjp of zeros gives zeros, whatever the operands are
    linked: ClassVar[tuple[int, ...]] = ()  # operands whose cotangents are zeros, and are there
    renamed: ClassVar[Mapping[str, str]] = {}  # attributes by names that older texts have
    cost: ClassVar[int] = 1  # scalar operations that an element takes, beside its operands
    repeats_operands: ClassVar[bool] = False  # pulling it may compute an element of these again
    scalar_loop: ClassVar[bool] = False  # a kernel of scalar control flow may compute it, a scalar
    tiny_in_loop: ClassVar[bool] = False  # ... or elements of it wherever they are used, if few
    again: int = 0  # a derivative computes here what the n-th such op before it gave
    may_bind: ClassVar[bool] = False  # its class says which symbols it `binds`
    by_name: ClassVar[OpClasses] = OpClasses()

    # Asking whether an attribute is in `__dict__` would make a dictionary for each op, which
    # otherwise has none: so `typed` tells whether an op has results, and where it was written.
    typed: bool = False
    operands: tuple[Value, ...]
    regions: tuple[Function, ...] = ()
    results: tuple[Value, ...] = ()
    location: Location | None = None

    def __init_subclass__(cls, abstract: bool = False) -> None:
        own = {n: str(t) for n, t in cls.__annotations__.items()}
        own = {n: t for n, t in own.items() if not t.startswith("ClassVar")}
        inherited = cls.spec.annotations if hasattr(cls, "spec") else {}
        if own or not inherited or "__post_init__" in cls.__dict__:
            cls.spec = op_fields({**inherited, **own})
            cls.__init__ = _constructed_later(cls)  # type: ignore[method-assign]
        cls.may_bind = cls.binds is not Op.binds
        if "mnemonic" not in cls.__dict__:
            cls.mnemonic = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
        if not abstract:
            known = Op.by_name.add(cls.mnemonic, cls)
            assert known.__qualname__ == cls.__qualname__, f"two ops named {cls.mnemonic}"

    # What an op means; subclasses fill these in.

    def infer(self) -> Type | tuple[Type, ...]:
        """The type of the result, or a tuple of types."""
        raise NotImplementedError(f"{self.mnemonic}: infer")

    def numpy(self, *operands: Any) -> Any:
        """The reference meaning in NumPy: an ndarray, or a tuple of them."""
        raise NotImplementedError(f"{self.mnemonic} has no reference meaning")

    def vjp(self, b: Builder, *cotangents: Any, **_: Any) -> Sequence[Value | None]:
        """For each operand its cotangent, or None where nothing flows back."""
        raise NotImplementedError(f"{self.mnemonic} has no gradient")

    @property
    def can_fail(self) -> bool:
        """Whether computing an element may end the program with an error."""
        return False

    def operand_indices(self) -> tuple[AxisMaps | None, ...]:
        """For each operand, where it is read along its axes; None where the index of the result
        does not tell."""
        return (None,) * len(self.operands)

    def requires(self) -> Iterable[Requirement]:
        """What must hold of its extents, and may be for run time to tell."""
        return ()

    def element_cost(self) -> int:
        """`cost`, for the dtypes at hand."""
        return self.cost

    def operations(self) -> Extent:
        """How many additions, multiplications, functions, ... of elements it stands for."""
        return 0

    def binds(self) -> Sequence[tuple[Value, Any]]:
        """The symbols that have a value from here on, each with the i64 scalar that it is."""
        return ()

    def named_after(self) -> Iterable[tuple[Value, Value]]:
        """Params of its regions that its text calls as it calls these operands."""
        return ()

    def local_symbols(self) -> Iterable[str]:
        """The symbols that stand for extents in the regions alone."""
        return ()

    # What the verifier asks, beside `infer`.

    def invariants(self) -> Iterator[str]:
        """What is wrong with the op, given that `infer` takes it; the first is told."""
        return iter(())

    def regions_take(self) -> Regions:
        """The types that params and results of regions must have, where the op says so."""
        return {}

    # How ops are taken apart and put together again.

    @property
    def result(self) -> Value:
        return self.results[0]

    @property
    def attributes(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.spec.attributes}

    def with_operands(self, mapping: Callable[[Value], Value]) -> Self:
        """This op on other operands, not yet emitted."""
        spec = self.spec
        if spec.plain:
            rest = [getattr(self, name) for name in (*spec.attributes, *spec.regions)]
            return type(self)(*map(mapping, self.operands), *rest)
        changed: dict[str, Any] = {}
        for name in spec.operands:
            value = getattr(self, name)
            if isinstance(value, tuple):
                changed[name] = tuple(map(mapping, value))
            else:
                changed[name] = None if value is None else mapping(value)
        return self.replace(**changed)

    def replace(self, **changed: Any) -> Self:
        """This op with other fields, not yet emitted."""
        fields = {name: getattr(self, name) for name in self.spec.annotations}
        return type(self)(**{**fields, **changed})

    def key(self) -> Any:
        """Equal for ops that compute the same: the same class, operands, and attribute bits."""
        spec = self.spec
        if spec.plain:
            if not spec.attributes:
                return type(self), self.operands
            return type(self), self.operands, *self.attribute_keys()
        return type(self), *[attribute_key(getattr(self, name)) for name in spec.annotations]

    def attribute_keys(self) -> list[Any]:
        """Those of the attributes (see `attribute_key`), in order."""
        return [attribute_key(getattr(self, name)) for name in self.spec.attributes]

    def error(self, message: str, kind: str = "shape") -> OpError:
        """An error that says what the op is and what it was given."""
        given = ", ".join(str(v.type) for v in self.operands)
        return OpError(f"{self.mnemonic}({given}): {message}", kind)

    def __repr__(self) -> str:
        return f"<{self.mnemonic} {', '.join(map(repr, self.operands))}>"


T = TypeVar("T")


class once(Generic[T]):  # noqa: N801
    """A property that is computed when it is first asked for. `functools.cached_property` has one
    lock for all instances, which could be held in the child of a fork."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, instance: object, owner: type) -> T:
        found = instance.__dict__[self._name] = self._compute(instance)
        return found


class Function:
    """Parameters, ops in order, and the values returned. Values from outside are not used,
    except in the bodies of kernel loops."""

    def __init__(
        self,
        name: str,
        params: tuple[Value, ...],
        body: tuple[Op, ...],
        returns: tuple[Value, ...],
        notes: Mapping[str, Any] | None = None,
    ) -> None:
        self.name: Final = name
        self.params: Final = params
        self.body: Final = body
        self.returns: Final = returns
        self.notes: Final[Mapping[str, Any]] = {} if notes is None else notes

    def renamed(self, name: str, notes: Mapping[str, Any] | None = None) -> Function:
        """The same of another name, and with other notes where some are given."""
        notes = self.notes if notes is None else notes
        return Function(name, self.params, self.body, self.returns, notes)

    run: ClassVar[Callable[..., Any] | None] = None  # set by what can compile functions

    def __call__(self, *arguments: Any) -> Any:
        """Compile this function (once) and run it on arrays or tensors."""
        runner = type(self).run
        if runner is None:
            raise TypeError(f"nothing is loaded that could run @{self.name}")
        return runner(self, *arguments)

    shown: ClassVar[Callable[[Any], str]] = repr  # its text; ir/__init__.py sets it

    def __repr__(self) -> str:
        return f"<function @{self.name}, {len(self.body)} ops>"

    def __str__(self) -> str:
        return type(self).shown(self)

    @property
    def result_types(self) -> tuple[Type, ...]:
        return tuple(v.type for v in self.returns)

    @once
    def op_classes(self) -> frozenset[type]:
        """The classes of the ops in the body, and their bases: whether there is anything for a pass
        is asked of these first."""
        return frozenset().union(*[cls.__mro__ for cls in {type(op) for op in self.body}])

    @once
    def all_op_classes(self) -> frozenset[type]:
        """Those of the ops in regions, too."""
        regions = [region for op in self.body for region in op.regions]
        inside = [region.all_op_classes for region in regions]
        return self.op_classes.union(*inside) if inside else self.op_classes

    def walk(self) -> Iterator[Op]:
        """All ops, those of regions included."""
        around = [iter(self.body)]  # no recursion: each op would go through all generators around
        while around:
            for op in around[-1]:
                yield op
                if op.regions:
                    around.extend(iter(region.body) for region in reversed(op.regions))
                    break
            else:
                around.pop()


def structure(f: Function) -> Any:
    """A hashable description, equal for functions that differ in names and locations only."""
    numbers: dict[Value, int] = {}
    fresh = 0  # ops may share a region, whose values get new numbers each time

    def number(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(number, value))
        return numbers.get(value, value)

    def define(values: Iterable[Value]) -> None:
        nonlocal fresh
        for v in values:
            numbers[v] = fresh
            fresh += 1

    def region(f: Function) -> Any:
        define(f.params)
        ops: list[Any] = []
        for op in f.body:
            spec = op.spec
            ops.append(type(op))
            if spec.plain:
                ops += [numbers.get(v, v) for v in op.operands]
            else:
                ops += [number(getattr(op, name)) for name in spec.operands]
            if spec.attributes:
                ops += op.attribute_keys()
            if op.regions:
                ops.extend(map(region, op.regions))
            define(op.results)
        return tuple([p.type for p in f.params]), tuple(ops), number(f.returns)

    return region(f)


class Builder:
    """Makes one function, op by op.

    `rules` says what `emit` may do beside appending: "fold" evaluates exact ops on constants,
    "simplify" asks rules.py for something simpler, "cse" gives back an equal op's result instead
    of computing it twice.
    """

    # By classes of ops, what gives something simpler for one, or None; rules.py sets it.
    simplifies: ClassVar[Mapping[type[Op], Callable[[Op, Builder], Value | None]]]

    def __init__(self, name: str = "f", rules: Iterable[str] = ()) -> None:
        self.name = name
        self.rules = frozenset(rules)
        self.params: list[Value] = []
        self.body: list[Op] = []
        self.location: Location | None = None
        self.journal = active()
        self.origin: Op | None = None  # of a journal: what the op that is emitted comes from
        self.law = ""  # of a journal: the reason of the rule that was applied last
        self._seen: dict[Any, tuple[Value, ...]] = {}
        self._folds = "fold" in self.rules
        self._simplifies = "simplify" in self.rules
        self._numbers = "cse" in self.rules
        self._rewrites = self._folds or self._simplifies

    def inner(self) -> Builder:
        """A builder for a region inside this one, which knows what was computed around it."""
        b = type(self)(rules=self.rules)
        b._seen = dict(self._seen)
        b.location = self.location
        return b

    def parameter(self, type: Type, name: str = "") -> Value:
        """A new parameter of the function."""
        value = Value(type, None, len(self.params), name)
        self.params.append(value)
        return value

    def emit(self, op: Op) -> Value:
        """Append `op`, which has one result, or what the rules put in its place: its Value."""
        (result,) = self.emit_all(op)
        return result

    def emit_all(self, op: Op) -> tuple[Value, ...]:
        """Append `op` or what the rules put in its place: the Values, as many as it has results."""
        if op.effect:
            return self._append(op)
        key = None
        if self._numbers and (op.closed or not op.regions):
            key = op.key()
            known = self._seen.get(key)
            if known is not None:
                if self.journal is not None:
                    self.note(self.origin or op, Did.SAME, "", known)
                return known
        results = self._rewritten(op) if self._rewrites else None
        if results is None:
            results = self._append(op)
        if key is not None:
            self._seen[key] = results
        return results

    def keep(self, op: Op) -> tuple[Value, ...]:
        """`emit_all` for an op with results of known types, which a builder with these rules has
        emitted before, or would not make another of."""
        if not (op.effect or not self._numbers or (op.regions and not op.closed)):
            key = op.key()
            known = self._seen.get(key)
            if known is not None:
                return known
            self._seen[key] = op.results
        self.body.append(op)
        return op.results

    def take_back(self, begun: int, needed: Callable[[Op], bool]) -> None:
        """Drop ops from number `begun` on, but for those that are `needed`, which are asked from
        the last one on."""
        kept = [op for op in reversed(self.body[begun:]) if needed(op)]
        gone = set(self.body[begun:]).difference(kept)
        self.body[begun:] = kept[::-1]
        self._seen = {k: v for k, v in self._seen.items() if not any(r.op in gone for r in v)}

    def constant(self, value: Any, dtype: DType) -> Value:
        """A scalar constant of `dtype`."""
        key = scalar_key(value, dtype)
        known = self._seen.get(key) if self._numbers else None
        if known is None:
            number = number_of(value, dtype)
            known = self.emit_all(_constant()(number.array).of(number))
            if self._numbers:
                self._seen[key] = known
        return known[0]

    def build(self, *returns: Value, **notes: Any) -> Function:
        """The finished function."""
        return Function(self.name, tuple(self.params), tuple(self.body), returns, notes)

    def by(self, law: str, value: Value) -> Value:
        """`value`, which a rule puts in the place of an op by this law."""
        self.law = law
        return value

    def note(self, op: Op, what: Did, reason: str = "", values: Sequence[Value] = ()) -> None:
        """Note what became of an op, where somebody records (see journal.py)."""
        if self.journal is not None:
            self.journal.note(op, what, reason, values)

    def became(self, op: Op, values: Sequence[Value]) -> None:
        """Note which values stand for those of an op that is essentially the same."""
        if self.journal is not None:
            self.journal.copied(op, values)

    def _rewritten(self, op: Op) -> tuple[Value, ...] | None:
        if self.journal is not None:
            return self._noted(op)
        if self._folds and op.exact:
            folded = self._folded(op)
            if folded is not None:
                return (folded,)
        if self._simplifies:
            rule = self.simplifies.get(type(op))
            if rule is not None:
                self._typed(op)
                simpler = rule(op, self)
                if simpler is not None:
                    return (simpler,)
        return None

    def _noted(self, op: Op) -> tuple[Value, ...] | None:
        """`_rewritten`, with a note. What a rule emits on the way is not noted."""
        journal, self.journal, self.law = self.journal, None, ""
        found = self._rewritten(op)
        self.journal = journal
        if found is not None:
            what = Did.REPLACED if self.law else Did.FOLDED
            self.note(self.origin or op, what, self.law, found)
        return found

    def _folded(self, op: Op) -> Value | None:
        """The constant that an exact op on small constants gives, or None."""
        if not foldable(op):
            return None
        self._typed(op)
        type_ = op.result.tensor_type
        if not type_.is_static or as_int(type_.size) > 64:
            return None
        arrays = [v.op.value for v in op.operands]  # type: ignore[union-attr]
        with np.errstate(all="ignore"):
            array = np.asarray(op.numpy(*arrays), dtype=type_.dtype.numpy)
        if type_.dtype.is_floating and np.isnan(array.astype(np.float64)).any():
            return None  # which nan a machine makes is its own affair
        return self.emit(_constant()(array.reshape(as_ints(type_.shape))))

    def _typed(self, op: Op) -> None:
        """Give a fresh op its results, so that `simplify` may look at their types."""
        if op.typed:
            return
        types = op.infer()
        if isinstance(types, tuple):
            give_results(op, types, self.location)
        else:
            set_results(op, (Value(types, op),), self.location)

    def _append(self, op: Op) -> tuple[Value, ...]:
        if not op.typed:
            self._typed(op)
        self.body.append(op)
        return op.results


def give_results(op: Op, types: Sequence[Type], location: Location | None) -> None:
    """Make a fresh op's results."""
    set_results(op, tuple([Value(t, op, i) for i, t in enumerate(types)]), location)


def set_results(op: Op, results: tuple[Value, ...], location: Location | None) -> None:
    """Let an op have these results."""
    op.results = results
    op.location = location
    op.typed = True


def foldable(op: Op) -> bool:
    """Whether `op` is exact on constants alone."""
    if not op.exact or not op.operands:
        return False
    constant = _constant()
    for v in op.operands:  # asked of every op: no generators
        if type(v.op) is not constant:
            return False
    # NumPy may fuse the multiplications of complex products.
    return not any(v.dtype.is_complex for v in op.operands)


@cache
def _constant() -> Any:
    return Op.by_name["constant"]
