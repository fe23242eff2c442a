"""Ops on text and files."""
