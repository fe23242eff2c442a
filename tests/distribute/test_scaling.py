"""The model of how steps scale (benchmarks/distribute/scaling.py)."""

from __future__ import annotations

import pytest

from benchmarks.distribute import scaling


def test_exchange_is_fitted_to_what_was_measured() -> None:
    memory = scaling.fitted({1000: 3e-6, 5000: 4e-6, 101000: 28e-6})
    assert memory.exchange(1000) == pytest.approx(3e-6)
    assert memory.exchange(101000) == pytest.approx(28e-6)
    assert scaling.fitted({10: 1.0, 20: 9.0}).latency == 0.0  # none is negative


def test_steps_on_a_machine() -> None:
    measured = {8: 1.0, 16: 1.5, 32: 3.0}
    memory = scaling.Memory(0.25, 0.125)
    assert scaling.compute(measured, 24) == pytest.approx(2.25)
    assert scaling.compute(measured, 2) == 1.0
    assert scaling.here(measured, 32, 1, memory, 2) == 3.0
    assert scaling.here(measured, 32, 2, memory, 2) == 2.0


def test_what_bounds_a_step() -> None:
    assert scaling.across(1.0, 1e6, 1) == (1.0, 0.0, 0.0)
    large = scaling.across(1e-3, 1e9, 2)
    assert large.bytes == pytest.approx(0.08) and large.exchange == "bytes"
    many = scaling.across(1e-3, 1e6, 1024)
    assert many.exchange == "messages"
    assert many.efficiency < scaling.across(1e-3, 1e6, 64).efficiency < 1
    assert scaling.limit(1e-9, 1e9) == "2 ranks: bytes"
    assert scaling.limit(0.1, 1e3) == "128 ranks: messages"  # 254 of 5 us, and 0.8 ms of compute


def test_buckets_hide_what_the_backward_pass_takes() -> None:
    whole = scaling.in_buckets(3.0, 8e9, 2, 8e9, 8e9)
    assert whole == pytest.approx(4.0, abs=1e-4)
    # Of eight buckets of 1/8 s, a quarter of a second apart, the last one is left.
    assert scaling.in_buckets(3.0, 8e9, 2, 1e9, 8e9) == pytest.approx(3.125, abs=1e-3)
    # Where the network takes longer, the first third of the step is all that it does not work.
    slow = scaling.in_buckets(3.0, 8e9, 2, 1e9, 1e9)
    assert slow == pytest.approx(1.25 + 8.0, abs=1e-3)
