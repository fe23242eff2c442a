"""Commands for those who work on this project: `python -m tools.coverage`, `python -m tools.api`."""
