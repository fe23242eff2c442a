"""What converted code calls: Python's control flow on Python values, ours on tensors.

A statement's local variables come as `get_state` and `set_state`. On a tensor each branch is
traced as a region (see control_flow/regions.py), and what the branches made of the variables is
merged: a tensor is chosen at run time, what both left alone stays, and what cannot be merged
becomes `Undefined`, which says why when it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import DType, as_dtype, string

from ..control_flow.branches import comparable, cond, emit_cond
from ..control_flow.regions import Region, truth
from ..core import blame, nest
from ..core.argument_variables import fixed
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..ops.array.checks import Assert
from ..ops.array.conversion import cast
from ..ops.math.comparisons import logical_and, logical_not, logical_or
from .undefined import RESULT, Undefined, described

State = tuple[Any, ...]
Getter = Callable[[], State]
Setter = Callable[[Any], None]


def symbolic(x: Any) -> bool:
    """Whether only running tells the value of a condition."""
    if isinstance(x, SymbolicTensor):
        return True
    return isinstance(x, Variable) and context.trace is not None


def is_number(x: Any) -> bool:
    return isinstance(x, bool | int | float | complex)


def is_text(x: Any) -> bool:
    """Whether it is a string, or a tensor of strings."""
    return isinstance(x, str | bytes) or (isinstance(x, Tensor | Variable) and x.dtype is string)


class Partly:
    """A structure of which some leaves, by their numbers, are no tensors: they stay what they are.
    Packs the others as a `Structure` does."""

    def __init__(self, structure: Any, kept: dict[int, Any]) -> None:
        self.structure = structure
        self.kept = kept

    def pack(self, leaves: list[Any]) -> Any:
        """The value with these in the places of the leaves that are tensors."""
        rest, kept = iter(leaves), self.kept
        count = len(leaves) + len(kept)
        return self.structure.pack([kept[i] if i in kept else next(rest) for i in range(count)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Partly) or self.structure != other.structure:
            return False
        same = self.kept.keys() == other.kept.keys()
        return same and all(x is other.kept[i] for i, x in self.kept.items())

    __hash__ = None  # type: ignore[assignment]


def parts_of(x: Any) -> tuple[list[Any], Any] | None:
    """The leaves of a value that can live in a tensor program, and its structure; None where there
    are none."""
    if x is None or isinstance(x, Undefined):
        return None
    leaves, structure = nest.decompose_composites(x)
    tensors = [v for v in leaves if isinstance(v, Tensor | Variable) or is_number(v)]
    if len(tensors) == len(leaves):
        return leaves, structure
    if not tensors or any(isinstance(v, Undefined) for v in leaves):
        return None
    taken = {id(v) for v in tensors}
    return tensors, Partly(structure, {i: v for i, v in enumerate(leaves) if id(v) not in taken})


# Conditions.


def not_(x: Any) -> Any:
    """`not x`."""
    if symbolic(x):
        return logical_not(cast(x, as_dtype("bool")))
    return not x


def _scalar(x: Any, what: str, advice: str) -> Any:
    """A tensor as a scalar. Raises where it is no truth value."""
    x = truth(x)
    if x.ndim:
        raise blame.located(
            ValueError,
            f"condition of {what} expected to be `tf.bool` scalar, got {x!r}; to check for None, "
            f"use `is not None`, for elements {advice}",
        )
    return x


def _truth_of(x: Any, boolean: DType) -> Any:
    """A value as a bool, a scalar where it has one element."""
    return truth(cast(convert_to_tensor(x), boolean))


def and_(x: Any, rest: Callable[[], Any]) -> Any:
    """The truth of `x and rest`."""
    if symbolic(x):
        x = _scalar(x, "an `and`", "tf.logical_and or &")
        boolean = as_dtype("bool")
        return cond(
            x,
            lambda: logical_and(True, _truth_of(rest(), boolean)),
            lambda: convert_to_tensor(False),
        )
    return x and rest()


def or_(x: Any, rest: Callable[[], Any]) -> Any:
    """The truth of `x or rest`."""
    if symbolic(x):
        x = _scalar(x, "an `or`", "tf.logical_or or |")
        boolean = as_dtype("bool")
        return cond(
            x,
            lambda: convert_to_tensor(True),
            lambda: logical_or(False, _truth_of(rest(), boolean)),
        )
    return x or rest()


def and_value(x: Any, rest: Callable[[], Any]) -> Any:
    """`x and rest`: one of the two."""
    if symbolic(x):
        test = _scalar(x, "an `and`", "tf.logical_and or &")
        return _chosen(test, rest, lambda: x, "the value of the `and`")
    return x and rest()


def or_value(x: Any, rest: Callable[[], Any]) -> Any:
    """`x or rest`: one of the two."""
    if symbolic(x):
        test = _scalar(x, "an `or`", "tf.logical_or or |")
        return _chosen(test, lambda: x, rest, "the value of the `or`")
    return x or rest()


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    """`body if test else orelse`."""
    if symbolic(test):
        return _chosen(test, body, orelse, "the value of the conditional expression")
    return body() if test else orelse()


def _chosen(test: Any, body: Callable[[], Any], orelse: Callable[[], Any], what: str) -> Any:
    """The value of one of two expressions."""
    slot: list[Any] = [Undefined(what)]

    def choose(f: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            slot[0] = f()

        return run

    def store(values: Any) -> None:
        (slot[0],) = values

    if_stmt(test, choose(body), choose(orelse), lambda: (slot[0],), store, (RESULT,))
    return returned(slot[0])


def python_test(test: Any, why: str) -> Any:
    """The test of a statement that was left to Python."""
    if symbolic(test):
        raise blame.located(
            NotImplementedError,
            f"a tensor decides a statement that cannot be compiled, because of {why}",
        )
    return test


def raised(error: Any) -> Any:
    """What `raise` raises: while a branch or loop on tensors is traced, it says so."""
    trace = context.trace
    if trace is not None and trace.branch and isinstance(error, BaseException):
        error.add_note(
            f"(raised while {trace.branch} of control flow on tensors was traced, whether or not "
            f"it would run: `assert` and tf.debugging.Assert look when it runs; {user_location()})"
        )
    return error


def get_attribute(owner: Callable[[], Any], attribute: str, label: str) -> Any:
    """The value of an attribute; undefined where there is none."""
    try:
        return getattr(owner(), attribute)
    except (AttributeError, LookupError, TypeError, UnboundLocalError):
        return Undefined(label)


def set_attribute(owner: Callable[[], Any], attribute: str, value: Any) -> None:
    """Let an attribute have a value, or none."""
    target = owner()
    if isinstance(target, Undefined):
        return
    if isinstance(value, Undefined) and not value.reason:
        if attribute in getattr(target, "__dict__", ()):
            delattr(target, attribute)
    elif value is not getattr(target, attribute, None):
        setattr(target, attribute, value)


def fresh(x: Any) -> Any:
    """A list or dict of the same items, for one branch or round to change; others as they are."""
    return nest.map_structure(lambda v: v, x) if type(x) in (list, dict) else x


_OPAQUE = object()  # in the place of the contents of what is neither list nor dict


def get_contents(owner: Callable[[], Any], label: str) -> Any:
    """What is in a list or dict now."""
    try:
        target = owner()
    except (AttributeError, LookupError, NameError, TypeError):
        return _OPAQUE
    if type(target) not in (list, dict):
        return _OPAQUE
    return fresh(target)


def set_contents(owner: Callable[[], Any], value: Any) -> None:
    """Fill a list or dict with what `get_contents` gave, or what became of that."""
    if value is _OPAQUE:
        return
    target = owner()
    if isinstance(value, Undefined):
        value.fail()
    if isinstance(target, dict):
        target.clear()
        target.update(value)
    else:
        target[:] = value


def returned(value: Any) -> Any:
    """The result of a function, which must have a value."""
    if isinstance(value, Undefined):
        value.fail()
    return value


def is_(left: Any, right: Any) -> bool:
    """`left is right`. What stands for a Variable among a function's arguments is that Variable."""
    left, right = returned(left), returned(right)
    if isinstance(left, Variable) and isinstance(right, Variable):
        return fixed(left) is fixed(right)
    return left is right


def is_not(left: Any, right: Any) -> bool:
    """`left is not right`."""
    return not is_(left, right)


def assert_stmt(test: Any, message: Callable[[], Any]) -> None:
    """`assert test, message`."""
    if symbolic(test):
        text = message()
        Assert(test, list(text) if isinstance(text, tuple) else [] if text is None else [text])
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
    if not symbolic(test):
        (body if test else orelse)()
        return
    test = _scalar(test, "if statement", "tf.reduce_all, tf.reduce_any or tf.where")
    trace = context.trace
    assert trace is not None
    before = get_state()
    states: list[State] = []
    regions: list[Region] = []
    for what, f in (("the branch", body), ("the other branch", orelse)):

        def run(f: Callable[[], None] = f) -> None:
            set_state(tuple(map(fresh, before)))
            f()
            states.append(get_state())

        regions.append(Region(what, run, ()))
        regions[-1].leaves.clear()
    rows = zip(names, *states, strict=True)
    merged = [_merge(name, then, other, regions) for name, then, other in rows]
    emit_cond(trace.value_of(cast(test, as_dtype("bool"))), regions)
    set_state(tuple(m() for m in merged))


# What branches are called in errors.
_BRANCHES = ("main", "else")


def _merge(name: str, then: Any, orelse: Any, regions: Sequence[Region]) -> Callable[[], Any]:
    """How to get what a variable is behind an `if`, once that has been emitted."""
    if then is orelse:
        return lambda: then
    if name == RESULT:  # one branch returns, in a loop; a flag says whether the result counts
        if isinstance(then, Undefined):
            then = _blank(orelse, regions[0])
        elif isinstance(orelse, Undefined):
            orelse = _blank(then, regions[1])
    if isinstance(then, Undefined) or isinstance(orelse, Undefined):
        for x in (then, orelse):
            if isinstance(x, Undefined) and x.reason:
                return lambda: x
        if isinstance(then, Undefined) and isinstance(orelse, Undefined):
            return lambda: then
        lacking = _BRANCHES[isinstance(orelse, Undefined)]
        return lambda: Undefined(
            name,
            f"must also be initialized in the {lacking} branch: set it before the `if`, or in both "
            "branches",
            ValueError,
        )
    if name.endswith("[]"):
        if isinstance(then, dict) and isinstance(orelse, dict):
            keys = dict.fromkeys((*then, *orelse))
            nothing = Undefined("an item")
            found = {
                k: _merge(
                    f"{name[:-2]}[{k!r}]",
                    then.get(k, nothing),
                    orelse.get(k, nothing),
                    regions=regions,
                )
                for k in keys
            }
            return lambda: {k: make() for k, make in found.items()}
        if isinstance(then, list) and len(then) != len(orelse):
            raise blame.located(
                TypeError,
                f"{described(name)} has {_items(then)} after one branch of an `if` on a tensor "
                f"and {_items(orelse)} after the other: its length cannot depend on a tensor; "
                "write to a tf.TensorArray",
            )
    if is_text(then) and is_text(orelse) and not (isinstance(then, str) and then == orelse):
        problem, place = _pair(then, orelse, regions)
        if not problem:
            return lambda: regions[0].results[place.index]
    parts = [parts_of(then), parts_of(orelse)]
    if parts[0] is None or parts[1] is None or parts[0][1] != parts[1][1]:
        try:
            if type(then) is type(orelse) and then == orelse:
                return lambda: then
        except Exception:  # whatever a user's == may raise
            pass
        return _unmerged(name, then, orelse)
    places = []
    for x, y in zip(parts[0][0], parts[1][0], strict=True):
        if x is y or (is_number(x) and type(x) is type(y) and x == y):
            places.append(x)
            continue
        problem, place = _pair(x, y, regions)
        if problem:
            if then is not x:
                problem = f"has different items: one {problem}"
            return lambda: Undefined(name, problem, TypeError)
        places.append(place)
    structure = parts[0][1]
    return lambda: structure.pack(
        [regions[0].results[p.index] if isinstance(p, _Place) else p for p in places]
    )


def _unmerged(name: str, then: Any, orelse: Any) -> Callable[[], Any]:
    """What stands for a variable whose values in two branches cannot be merged."""
    if then is not None and orelse is not None:
        problem = _differ(then, orelse)
        return lambda: Undefined(name, problem, TypeError)
    lacking, other = _BRANCHES if then is None else _BRANCHES[::-1]
    given = orelse if then is None else then
    problem = f"is None at the end of the {lacking} branch"
    problem += (
        f": the {lacking} branch must also have a return statement." if name == RESULT else "."
    )
    problem += f" It is {kind_of(given)} in the {other} branch: give it such a value in both"
    return lambda: Undefined(name, problem, ValueError)


def _differ(then: Any, orelse: Any) -> str:
    """What is wrong with two values that branches give."""
    leaves = [isinstance(x, Tensor | Variable) or is_number(x) for x in (then, orelse)]
    if all(leaves):
        types = [x if isinstance(x, Variable) else convert_to_tensor(x) for x in (then, orelse)]
        kind, unlike, advice = "shape", [str(t.shape) for t in types], "give them one rank"
        if types[0].dtype is not types[1].dtype:
            kind, unlike, advice = "dtype", [t.dtype.name for t in types], "use tf.cast in one"
        return (
            f"has {kind} {unlike[0]} in the main branch, but {kind} {unlike[1]} in the else "
            f"branch: {advice}"
        )
    advice = "both must be tensors or numbers of one dtype and shape, or structures of them"
    if callable(then):
        advice = "only tensors and numbers can depend on a tensor; choose what is computed instead"
    return (
        "must have the same nested structure in the main and else branches, and is "
        f"{kind_of(then)} in the one and {kind_of(orelse)} in the other: {advice}"
    )


def _blank(like: Any, region: Region) -> Any:
    """Zeros of the types of a value of another region."""

    def zero(x: Any) -> Any:
        if not isinstance(x, Tensor | Variable):
            return type(x)(0) if is_number(x) else x
        return region.zeros(x)

    return nest.map_structure(zero, like)


def _items(x: Any) -> str:
    return "1 item" if len(x) == 1 else f"{len(x)} items"


def kind_of(x: Any) -> str:
    """What errors say that a value is."""
    if isinstance(x, Tensor | Variable):
        article = "an" if x.dtype.name[0] in "iu" else "a"
        return f"{article} {x.dtype.name} tensor of shape {x.shape}"
    if x is None:
        return "None"
    if nest.is_nested(x):
        return f"a {type(x).__name__} with {_items(x)}"
    if isinstance(x, bool | int | float | complex | str | bytes):
        return f"the {type(x).__name__} {x!r:.40}"
    if callable(x) and hasattr(x, "__name__"):
        return f"the {type(x).__name__} {x.__name__}"
    if isinstance(x, Undefined):
        return "without a value"
    return f"an object of class {type(x).__name__}"


class _Place:
    """The place of a leaf among the results of a `cond`."""

    def __init__(self, index: int) -> None:
        self.index = index


def _pair(x: Any, y: Any, regions: Sequence[Region]) -> tuple[str, Any]:
    """Add a leaf of both branches to their results; or what keeps them apart."""
    tensors = [v for v in (x, y) if isinstance(v, Tensor | Variable)]
    dtype = tensors[0].dtype if tensors else None
    if len(tensors) == 2 and x.dtype is not y.dtype:
        return _differ(x, y), None
    try:
        values = [r.convert(v, dtype) for r, v in zip(regions, (x, y), strict=True)]
    except (TypeError, ValueError) as error:
        return f"differs between the branches of an `if`: {error}", None
    if values[0].dtype is not values[1].dtype:
        return _differ(x, y), None
    fitted: Any = values[1]
    if values[0].rank != fitted.rank or comparable(regions, *values):
        fitted = regions[1].fit(fitted, values[0].tensor_type)
    if fitted is None:
        return _differ(x, y), None
    regions[0].leaves.append(values[0])
    regions[1].leaves.append(fitted)
    return "", _Place(len(regions[0].leaves) - 1)
