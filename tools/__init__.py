"""Commands for who works on this project: `python -m tools.coverage`, `python -m tools.api`."""
