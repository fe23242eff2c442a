"""`dataclass` and `NamedTuple` that get their code with the first instance are the standard ones to
everybody who looks."""

from __future__ import annotations

import dataclasses
import pickle
import threading
import typing
from typing import Any, ClassVar

import pytest

from tfc.ir import value_classes
from tfc.ir.value_classes import NamedTuple, dataclass, field


class Place(NamedTuple):
    """Where."""

    x: int
    y: int = 2

    def flat(self) -> int:
        return self.x * 10 + self.y


class Marked(Place):
    """A place of another kind."""

    __slots__ = ()


class StandardPlace(typing.NamedTuple):
    x: int
    y: int = 2


def test_named_tuples_are_standard_ones() -> None:
    ours, theirs = Place(1), StandardPlace(1)
    assert ours == theirs == (1, 2) and hash(ours) == hash(theirs)
    assert repr(ours) == repr(theirs).replace("StandardPlace", "Place")
    assert ours._asdict() == theirs._asdict() and ours._fields == theirs._fields
    assert Place._field_defaults == StandardPlace._field_defaults
    assert Place._make([3, 4]) == ours._replace(x=3, y=4) == Place(y=4, x=3) == (3, 4)
    assert (ours.x, ours.y, ours.flat()) == (1, 2, 12)
    match ours:
        case Place(x, y):
            assert (x, y) == (1, 2)
    assert pickle.loads(pickle.dumps(ours)) == ours
    assert not hasattr(ours, "__dict__")
    for wrong in (lambda: Place(), lambda: Place(1, 2, 3), lambda: Place(z=1)):  # type: ignore[call-arg]
        with pytest.raises(TypeError, match=r"Place\.__new__"):
            wrong()
    with pytest.raises(ValueError, match="unexpected field"):
        ours._replace(z=1)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        ours.x = 5  # type: ignore[misc]


def test_what_derives_from_a_named_tuple_may_come_first() -> None:
    class Base(NamedTuple):
        x: int

    class Own(Base):
        __slots__ = ()

    assert type(Own(1)) is Own and type(Own(1)._replace(x=2)) is Own
    assert type(Base(1)) is Base and Own(1) == Base(1) == (1,)


def classes(library: Any) -> list[type]:
    """The same classes, made by one of the two."""
    dataclass, field = library.dataclass, library.field

    @dataclass(frozen=True)
    class Base:
        """A base."""

        a: int
        b: list[int] = field(default_factory=list)
        shared: ClassVar[int] = 7

        def __post_init__(self) -> None:
            assert self.a >= 0, "negative"

    @dataclass(frozen=True)
    class Own(Base):
        c: str = "c"
        d: int = field(default=4, init=False)
        e: int = field(default=5, kw_only=True)

    @dataclass
    class Open:
        x: int
        y: dict[str, int] = field(default_factory=dict, compare=False)

    class Plain(Open):
        pass

    return [Base, Own, Open, Plain]


@pytest.mark.parametrize("first", [0, 1])  # which is made first: the base, or what derives from it
def test_dataclasses_are_standard_ones(first: int) -> None:
    seen = []
    for library in (value_classes, dataclasses):
        base, own, opened, plain = classes(library)
        kinds = (base, own) if first == 0 else (own, base)
        made = [kind(1) for kind in kinds]
        whole = own(1, [2], "x", e=9)
        changed = dataclasses.replace(whole, a=3)
        assert made[0].b is not kinds[0](1).b
        for wrong in (lambda o=own: o(), lambda o=own: o(1, 2, 3, 4), lambda b=base: b(-1)):
            with pytest.raises((TypeError, AssertionError)):
                wrong()
        for frozen in made:
            with pytest.raises(dataclasses.FrozenInstanceError):
                frozen.a = 2
        left, right = opened(1, {"a": 1}), opened(1)
        assert left == right and left != plain(1)
        left.x = 2
        assert left != right
        with pytest.raises(TypeError):
            hash(left)
        names = [f.name for f in dataclasses.fields(own)]
        seen.append((repr(made), repr(whole), repr(changed), repr(left), names, plain(3).x))
        assert dataclasses.is_dataclass(own) and base.shared == 7
    assert seen[0] == seen[1]


def test_a_standard_dataclass_may_derive_from_one_that_waits() -> None:
    @dataclass(frozen=True)
    class Base:
        a: int

    @dataclasses.dataclass(frozen=True)
    class Own(Base):
        b: int = 2

    assert dataclasses.astuple(Own(1)) == (1, 2) and Base(1) == Base(1)


def test_a_class_has_its_fields_before_it_has_instances() -> None:
    @dataclass
    class Waiting:
        a: int

    assert [f.name for f in dataclasses.fields(Waiting)] == ["a"]
    assert Waiting(1) == Waiting(a=1)


def test_slots_need_the_standard_one() -> None:
    with pytest.raises(TypeError, match=r"dataclasses\.dataclass"):
        dataclass(slots=True)(type("Slots", (), {}))


def test_threads_make_the_first_instances() -> None:
    for _ in range(20):

        @dataclass(frozen=True)
        class Many:
            a: int
            b: list[int] = field(default_factory=list)

        class Pair(NamedTuple):
            a: int
            b: int = 1

        made: list[Any] = []
        start = threading.Barrier(4)

        def work(many: Any = Many, pair: Any = Pair, made: Any = made, start: Any = start) -> None:
            start.wait()
            made.append((many(1), pair(2)))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [(Many(1, []), (2, 1))] * 4
