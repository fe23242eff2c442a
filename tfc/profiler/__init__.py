"""`tfc.profiler`: which kernels run, how long they take, and how far that is from what the machine
can do. `trace` writes a timeline of everything that runs; `ConcreteFunction.profile` measures the
kernels of one function."""

from . import experimental
from .report import KernelProfile, Profile, limits
from .timeline import trace

__all__ = ["KernelProfile", "Profile", "experimental", "limits", "trace"]
