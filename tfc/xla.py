"""`tfc.xla`: what TensorFlow has of its compiler; here each function is compiled."""

from types import SimpleNamespace as _SimpleNamespace

from .function.compile import compile as _compile
from .function.compile import jit_scope as _jit_scope

experimental = _SimpleNamespace(
    __doc__="`tfc.xla.experimental`: functions compiled as one.",
    compile=_compile,
    jit_scope=_jit_scope,
)

__all__ = ["experimental"]
