"""Tensors from and to serialised messages and bytes. On what is known: not inside functions."""
