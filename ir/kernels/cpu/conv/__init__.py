"""Convolutions: implicit matrix products, and loop nests of their own."""
