"""Derivatives of tensor functions, IR in and IR out."""

from . import control_flow  # it says how control flow and calls are differentiated
