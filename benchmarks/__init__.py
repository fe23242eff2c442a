"""Timings of tfc beside its peers (`python -m benchmarks`), and its accuracy (`.accuracy`)."""
