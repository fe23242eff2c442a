"""Reverse mode: the tape, its backward programs, custom gradients and Jacobians."""
