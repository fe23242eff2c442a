"""`tfc.contrib`: what TensorFlow 1's programs have from there: `eager` and `summary`."""

from . import eager, summary

__all__ = ["eager", "summary"]
