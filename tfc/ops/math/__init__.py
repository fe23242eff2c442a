"""Ops of arithmetic, comparison, reduction and special functions."""
