"""Derivatives of tensor functions, IR in and IR out."""
