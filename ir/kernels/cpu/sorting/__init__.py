"""Sorts, and the largest of each row."""
