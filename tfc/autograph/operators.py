"""What converted code calls: Python's control flow on Python values, ours on tensors.

A statement's local variables come as `get_state` and `set_state`. On a tensor each branch is
traced as a region (see control_flow.py), and what the branches made of the variables is merged: a
tensor is chosen at run time, what both left alone stays, and what cannot be merged becomes
`Undefined`, which says why when it is used.
"""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import as_dtype

from .. import blame, control_flow, nest
from ..context import active, context
from ..control_flow import Region
from ..tensor import SymbolicTensor, Tensor, Variable, convert_to_tensor
from .conversion import convert
from .undefined import Undefined

State = tuple[Any, ...]
Getter = Callable[[], State]
Setter = Callable[[Any], None]

RESULT = "ag_result"


def _symbolic(x: Any) -> bool:
    """Whether only running tells the value of a condition."""
    if isinstance(x, SymbolicTensor):
        return True
    return isinstance(x, Variable) and context.trace is not None


def _number(x: Any) -> bool:
    return isinstance(x, bool | int | float | complex)


def _leaves(x: Any) -> tuple[list[Any], Any] | None:
    """The leaves of a value that can live in a tensor program, and its structure."""
    if x is None or isinstance(x, Undefined):
        return None
    leaves, structure = nest.decompose(x)
    if all(isinstance(v, Tensor | Variable) or _number(v) for v in leaves):
        return leaves, structure
    return None


# Conditions.


def not_(x: Any) -> Any:
    """`not x`."""
    if isinstance(x, Tensor) and _symbolic(x):
        from ..ops.math import cast, logical_not

        return logical_not(cast(x, as_dtype("bool")))
    return not x


def and_(x: Any, rest: Callable[[], Any]) -> Any:
    """`x and rest`."""
    if _symbolic(x):
        from ..ops.math import cast, logical_and

        boolean = as_dtype("bool")
        return control_flow.cond(
            x,
            lambda: logical_and(True, cast(rest(), boolean)),
            lambda: convert_to_tensor(False),
        )
    return x and rest()


def or_(x: Any, rest: Callable[[], Any]) -> Any:
    """`x or rest`."""
    if _symbolic(x):
        from ..ops.math import cast, logical_or

        boolean = as_dtype("bool")
        return control_flow.cond(
            x,
            lambda: convert_to_tensor(True),
            lambda: logical_or(False, cast(rest(), boolean)),
        )
    return x or rest()


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """`body if test else orelse`."""
    if _symbolic(test):
        slot: list[Any] = [Undefined("the value of the conditional expression")]

        def chosen(f: Callable[[], Any]) -> Callable[[], None]:
            def run() -> None:
                slot[0] = f()

            return run

        def store(values: Any) -> None:
            (slot[0],) = values

        if_stmt(test, chosen(body), chosen(orelse), lambda: (slot[0],), store, (RESULT,))
        return returned(slot[0])
    return body() if test else orelse()


def python_test(test: Any, why: str) -> Any:
    """The test of a statement that was left to Python."""
    if _symbolic(test):
        raise blame.located(
            NotImplementedError,
            f"a tensor decides a statement that cannot be compiled, because of {why}: write it "
            "without that",
        )
    return test


def python_iterable(x: Any, why: str) -> Any:
    """What a loop that was left to Python goes over."""
    if _symbolic(x) or isinstance(x, TensorRange):
        raise blame.located(
            NotImplementedError,
            f"a loop over a tensor cannot be compiled, because of {why}: write it without that",
        )
    return x


def returned(value: Any) -> Any:
    """The result of a function, which must have a value."""
    if isinstance(value, Undefined):
        value.fail()
    return value


def assert_stmt(test: Any, message: Callable[[], Any]) -> None:
    """`assert test, message`."""
    if _symbolic(test):
        from ..debugging import Assert

        text = message()
        Assert(test, [] if text is None else [text])
    else:
        assert test, message()


# Branches.


def if_stmt(
    test: Any,
    body: Callable[[], None],
    orelse: Callable[[], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
) -> None:
    """`if test: body else: orelse`."""
    if not _symbolic(test):
        (body if test else orelse)()
        return
    from ..ops.math import cast

    if test.ndim:
        raise blame.located(
            ValueError,
            f"the condition of an `if` must be a scalar, got shape {list(test.shape)}: use "
            "tf.reduce_all, tf.reduce_any or tf.where",
        )
    trace = context.trace
    assert trace is not None
    before = get_state()
    states: list[State] = []
    regions: list[Region] = []
    for what, f in (("the branch", body), ("the other branch", orelse)):

        def run(f: Callable[[], None] = f) -> None:
            set_state(before)
            f()
            states.append(get_state())

        regions.append(Region(what, run, ()))
        regions[-1].leaves.clear()
    merged = [_merge(*row, regions=regions) for row in zip(names, before, *states, strict=True)]
    control_flow.emit_cond(trace.value_of(cast(test, as_dtype("bool"))), regions)
    set_state(tuple(m() for m in merged))


def _merge(
    name: str, before: Any, then: Any, orelse: Any, regions: Sequence[Region]
) -> Callable[[], Any]:
    """How to get what a variable is behind an `if`, once that has been emitted."""
    if then is orelse:
        return lambda: then
    if name == RESULT:  # one branch returns, in a loop; a flag says whether the result counts
        if isinstance(then, Undefined):
            then = _blank(orelse, regions[0])
        elif isinstance(orelse, Undefined):
            orelse = _blank(then, regions[1])
    if isinstance(then, Undefined) or isinstance(orelse, Undefined):
        reason = (
            "is set in one branch of an `if` on a tensor only: set it before the `if`, or in "
            "both branches"
        )
        return lambda: Undefined(_shown(name), reason)
    parts = [_leaves(then), _leaves(orelse)]
    if parts[0] is None or parts[1] is None or parts[0][1] != parts[1][1]:
        try:
            if type(then) is type(orelse) and then == orelse:
                return lambda: then
        except Exception:  # whatever a user's == may raise
            pass
        kinds = f"{_kind(then)} in one branch and {_kind(orelse)} in the other"
        return lambda: Undefined(_shown(name), f"is {kinds} of an `if` on a tensor")
    places = []
    for x, y in zip(parts[0][0], parts[1][0], strict=True):
        if x is y or (_number(x) and type(x) is type(y) and x == y):
            places.append(x)
            continue
        problem, place = _pair(x, y, regions)
        if problem:
            return lambda: Undefined(_shown(name), problem)
        places.append(place)
    structure = parts[0][1]
    return lambda: structure.pack(
        [regions[0].results[p.index] if isinstance(p, _Place) else p for p in places]
    )


def _blank(like: Any, region: Region) -> Any:
    """Zeros of the types of a value of another region."""

    def zero(x: Any) -> Any:
        if not isinstance(x, Tensor | Variable):
            return type(x)(0) if _number(x) else x
        return region.zeros(x)

    return nest.map_structure(zero, like)


def _shown(name: str) -> str:
    return "the result" if name == RESULT else name


def _kind(x: Any) -> str:
    if isinstance(x, Tensor | Variable):
        return f"a {x.dtype.name} tensor of shape {x.shape}"
    return "None" if x is None else f"{type(x).__name__} {x!r:.40}"


class _Place:
    """The place of a leaf among the results of a `cond`."""

    def __init__(self, index: int) -> None:
        self.index = index


def _pair(x: Any, y: Any, regions: Sequence[Region]) -> tuple[str, Any]:
    """Add a leaf of both branches to their results; or what keeps them apart."""
    dtype = next((v.dtype for v in (x, y) if not _number(v)), None)
    if not _number(x) and not _number(y) and x.dtype is not y.dtype:
        return f"is {_kind(x)} in one branch and {_kind(y)} in the other of an `if`", None
    try:
        values = [r.convert(v, dtype) for r, v in zip(regions, (x, y), strict=True)]
    except (TypeError, ValueError) as error:
        return f"differs between the branches of an `if`: {error}", None
    if values[0].dtype is not values[1].dtype:
        return f"is {_kind(x)} in one branch and {_kind(y)} in the other of an `if`", None
    fitted = regions[1].fit(values[1], values[0].type)
    if fitted is None:
        return f"is {_kind(x)} in one branch and {_kind(y)} in the other of an `if`", None
    regions[0].leaves.append(values[0])
    regions[1].leaves.append(fitted)
    return "", _Place(len(regions[0].leaves) - 1)


# Loops.


class TensorRange:
    """`range` with bounds that are tensors."""

    def __init__(self, *bounds: Any) -> None:
        from ..ops.array import range as tensor_range

        self._tensor = functools.partial(tensor_range, *bounds)

    def tensor(self) -> Any:
        return self._tensor()


class _Carried:
    """Which local variables a loop carries, as which tensors."""

    def __init__(self, names: Sequence[str], state: State) -> None:
        self.names = names
        self.before = state
        self.parts: list[tuple[int, list[Any], Any]] = []  # index, leaves, structure
        self.zeros: dict[int, Any] = {}  # results that no round may set
        for i, x in enumerate(state):
            found = _leaves(x)
            if found is not None and found[0]:
                self.parts.append((i, found[0], found[1]))

    def leaves(self) -> list[Any]:
        return [leaf for _, leaves, _ in self.parts for leaf in leaves]

    def labels(self) -> list[str]:
        return [_shown(self.names[i]) for i, leaves, _ in self.parts for _ in leaves]

    def state(self, leaves: Sequence[Any]) -> State:
        """The variables with these leaves in the places of those that are carried."""
        state, rest = list(self.before), list(leaves)
        for i, own, structure in self.parts:
            state[i] = structure.pack(rest[: len(own)])
            rest = rest[len(own) :]
        return tuple(state)

    def taken(self, state: State) -> list[Any]:
        """The leaves of the variables after a round; raises where they cannot be carried."""
        taken: list[Any] = []
        carried = {i: (own, structure) for i, own, structure in self.parts}
        for i, x in enumerate(state):
            if i not in carried:
                self._uncarried(i, x)
                continue
            own, structure = carried[i]
            found = _leaves(x)
            if found is None or found[1] != structure:
                self._fail(
                    i, f"is {_kind(self.before[i])} before the loop and {_kind(x)} after a round"
                )
            assert found is not None
            taken += found[0]
        return taken

    def _uncarried(self, i: int, x: Any) -> None:
        before = self.before[i]
        if isinstance(before, Undefined):
            if self.names[i] == RESULT and not isinstance(x, Undefined):
                raise _ResultFound(i, x)
            return
        if x is before:
            return
        try:
            if type(x) is type(before) and x == before:
                return
        except Exception:  # whatever a user's == may raise
            pass
        self._fail(
            i,
            f"is {_kind(before)} before the loop and {_kind(x)} after a round: a loop on tensors "
            "carries tensors (use a TensorArray for lists)",
        )

    def _fail(self, i: int, text: str) -> None:
        raise blame.located(TypeError, f"loop variable {_shown(self.names[i])!r} {text}")


class _ResultFound(Exception):
    """A round returns: the loop has to carry a value of this type from the start."""

    def __init__(self, index: int, value: Any) -> None:
        super().__init__()
        self.index = index
        self.value = value


def _behind(carried: _Carried, leaves: Sequence[Any]) -> State:
    """The variables behind the loop."""
    state = list(carried.state(leaves))
    for i, x in enumerate(state):
        if isinstance(x, Undefined):
            state[i] = Undefined(
                carried.names[i],
                "is set inside a loop on tensors only, which may run no round: set it before",
            )
    return tuple(state)


def _start(carried: _Carried, found: _ResultFound) -> State:
    """The state with zeros for a result that rounds may set."""
    from ..ops.array import zeros_like

    state = list(carried.before)

    def zero(x: Any) -> Any:
        if _number(x):
            return type(x)(0)
        type_ = x._value.type if isinstance(x, SymbolicTensor) else None
        if type_ is None:
            return zeros_like(x)
        from ..ops.array import zeros

        return zeros(list(type_.shape), type_.dtype)

    state[found.index] = nest.map_structure(zero, found.value)
    return tuple(state)


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
) -> None:
    """`while test: body`."""
    while True:
        before = get_state()
        holds = test()
        if _symbolic(holds):
            break
        if not holds:
            return
        body()
    _tensor_while(test, body, get_state, set_state, names, before)


def _tensor_while(
    test: Callable[[], Any],
    body: Callable[[], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    before: State,
) -> None:
    carried = _Carried(names, before)
    if not carried.parts:
        raise blame.located(
            ValueError,
            "a `while` on a tensor changes no variable that its condition could depend on",
        )

    def condition(*leaves: Any) -> Any:
        set_state(carried.state(leaves))
        return test()

    def step(*leaves: Any) -> list[Any]:
        set_state(carried.state(leaves))
        body()
        return carried.taken(get_state())

    try:
        final = control_flow.while_on(condition, step, carried.leaves(), carried.labels())
    except _ResultFound as found:
        set_state(before)
        _tensor_while(test, body, get_state, set_state, names, _start(carried, found))
        return
    set_state(_behind(carried, final))


def for_stmt(
    iterable: Any,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
) -> None:
    """`for item in iterable: body`, as long as `extra_test` (no break yet) holds."""
    if isinstance(iterable, TensorRange):
        iterable = iterable.tensor()
    if isinstance(iterable, Tensor | Variable) and context.trace is not None:
        _tensor_for(iterable, extra_test, body, get_state, set_state, names, get_state())
        return
    for item in iterable:
        goes_on = True if extra_test is None else extra_test()
        if _symbolic(goes_on):
            if_stmt(
                goes_on, functools.partial(body, item), lambda: None, get_state, set_state, names
            )
        elif not goes_on:
            return
        else:
            body(item)


def _tensor_for(
    iterable: Any,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], None],
    get_state: Getter,
    set_state: Setter,
    names: Sequence[str],
    before: State,
) -> None:
    if not iterable.ndim:
        raise blame.located(TypeError, "a loop cannot go over a scalar tensor")
    carried = _Carried(names, before)

    def step(leaves: Any, item: Any) -> tuple[list[Any], tuple[()]]:
        set_state(carried.state(leaves))
        body(item)
        return carried.taken(get_state()), ()

    try:
        if extra_test is None:
            final, _ = control_flow.scan_state(step, carried.leaves(), iterable, carried.labels())
        else:
            final = _breaking(iterable, extra_test, step, carried, set_state)
    except _ResultFound as found:
        set_state(before)
        again = _start(carried, found)
        _tensor_for(iterable, extra_test, body, get_state, set_state, names, again)
        return
    set_state(_behind(carried, final))


def _breaking(
    iterable: Any, extra_test: Callable[[], Any], step: Any, carried: _Carried, set_state: Setter
) -> list[Any]:
    """A loop over slices that may end early."""
    from .. import cast, gather, shape

    total = cast(shape(iterable)[0], as_dtype("int64"))

    def condition(i: Any, *leaves: Any) -> Any:
        set_state(carried.state(leaves))
        return and_(i < total, extra_test)

    def round_(i: Any, *leaves: Any) -> list[Any]:
        taken, _ = step(leaves, gather(iterable, i))
        return [i + 1, *taken]

    zero = convert_to_tensor(0, as_dtype("int64"))
    labels = ["the counter", *carried.labels()]
    return control_flow.while_on(condition, round_, [zero, *carried.leaves()], labels)[1:]


# Calls.


def callee(f: Any) -> Any:
    """What to call in the place of `f`: a converted function, or ours for some of Python's."""
    if context.trace is None:
        return f
    try:
        replacement = _BUILTINS.get(f)
    except TypeError:  # unhashable
        replacement = None
    if replacement is not None:
        return replacement
    if isinstance(f, types.FunctionType | types.MethodType | functools.partial):
        return convert(f)
    if isinstance(f, type) or isinstance(f, types.BuiltinFunctionType):
        return f
    call = getattr(type(f), "__call__", None)
    if isinstance(call, types.FunctionType) and call is not convert(call):
        return types.MethodType(convert(call), f)
    return f


def _any_symbolic(values: Sequence[Any]) -> bool:
    return any(_symbolic(v) for v in values)


def range_(*bounds: Any) -> Any:
    """`range`, also of tensors."""
    return TensorRange(*bounds) if _any_symbolic(bounds) else builtins.range(*bounds)


def len_(x: Any) -> Any:
    """`len`, also of a tensor whose extent is not known yet."""
    if isinstance(x, SymbolicTensor) and x.ndim:
        known = x.shape[0]
        if known is None:
            from ..ops.array import shape

            return shape(x)[0]
    return builtins.len(x)


def print_(*values: Any, **options: Any) -> None:
    """`print`, also of tensors: when the program runs."""
    if _any_symbolic(nest.flatten(list(values))):
        import tfc

        tfc.print(*values, **options)
    else:
        builtins.print(*values, **options)


def int_(*arguments: Any) -> Any:
    """`int`, also of a tensor."""
    if len(arguments) == 1 and _symbolic(arguments[0]):
        from ..ops.math import cast

        x = arguments[0]
        return x if x.dtype.is_integer else cast(x, as_dtype("int32"))
    return builtins.int(*arguments)


def float_(*arguments: Any) -> Any:
    """`float`, also of a tensor."""
    if len(arguments) == 1 and _symbolic(arguments[0]):
        from ..ops.math import cast

        x = arguments[0]
        return x if x.dtype.is_floating else cast(x, as_dtype("float32"))
    return builtins.float(*arguments)


def bool_(*arguments: Any) -> Any:
    """`bool`, also of a tensor."""
    if len(arguments) == 1 and _symbolic(arguments[0]):
        from ..ops.math import cast

        return cast(arguments[0], as_dtype("bool"))
    return builtins.bool(*arguments)


def any_(values: Any) -> Any:
    """`any`, also of a tensor or of tensors."""
    from ..ops.math import reduce_any

    if isinstance(values, SymbolicTensor):
        return reduce_any(values)
    found = list(values)
    if _any_symbolic(found):
        return functools.reduce(lambda x, y: or_(x, lambda: y), found)
    return builtins.any(found)


def all_(values: Any) -> Any:
    """`all`, also of a tensor or of tensors."""
    from ..ops.math import reduce_all

    if isinstance(values, SymbolicTensor):
        return reduce_all(values)
    found = list(values)
    if _any_symbolic(found):
        return functools.reduce(lambda x, y: and_(x, lambda: y), found)
    return builtins.all(found)


def _extremum(name: str) -> Callable[..., Any]:
    plain = getattr(builtins, name)

    def extremum(*values: Any, **options: Any) -> Any:
        """`min` and `max`, also of scalar tensors."""
        found = (
            list(values[0]) if len(values) == 1 and isinstance(values[0], list | tuple) else values
        )
        if not options and _any_symbolic(found):
            from ..ops.math import maximum, minimum

            return functools.reduce(minimum if name == "min" else maximum, found)
        return plain(*values, **options)

    return extremum


_BUILTINS: dict[Any, Callable[..., Any]] = {
    range: range_,
    len: len_,
    print: print_,
    int: int_,
    float: float_,
    bool: bool_,
    any: any_,
    all: all_,
    min: _extremum("min"),
    max: _extremum("max"),
}

__all__ = ["active", "callee", "for_stmt", "if_stmt", "while_stmt"]
