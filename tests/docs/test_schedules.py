"""The tables of schedules are what the lists say that choose them."""

from __future__ import annotations

from tools import schedules


def test_the_page_is_up_to_date() -> None:
    assert schedules.PAGE.read_text() == schedules.page(), "run `make docs`"


def test_every_schedule_says_what_it_writes() -> None:
    listed = {schedule for schedules_ in schedules.LISTS.values() for schedule in schedules_}
    assert len(listed) > 30
    assert not [s.__name__ for s in listed if not s.__dict__.get("__doc__")]
