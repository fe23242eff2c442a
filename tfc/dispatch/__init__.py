"""How an op runs: at once, from what was compiled before, or into the trace of a function."""
