"""Looking at a run: step by step, and in tests."""
