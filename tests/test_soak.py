"""The soak, for a second: everything at once leaves results, threads and descriptors as they were
(`make soak` goes on for an hour)."""

from __future__ import annotations

import pytest

from tests import soak


def test_a_second_of_everything() -> None:
    state = soak.soak(1.0)
    assert not state.wrong, state.wrong
    assert state.counts["children"] and state.counts["training"]


def test_other_results_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the main thread, in others and in children."""
    state = soak.Soak(0)
    state.wanted = dict.fromkeys(soak.WORK, b"other")
    with pytest.raises(soak.Wrong, match="gives"):
        state.piece(state.rng)
    state.worker(0)
    state.fork()
    assert len(state.wrong) == 2 and "a child ended with 1" in state.wrong[1]
