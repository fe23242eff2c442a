"""`tfc.random`: random numbers from seeds."""

from .ops.random import Generator, get_global_generator, normal, set_seed, uniform

__all__ = ["Generator", "get_global_generator", "normal", "set_seed", "uniform"]
