"""tfc in TensorFlow's place: what `import tensorflow` gives, in programs and libraries that were
written for TensorFlow.

    python -m tfc program.py        a program, or -m module
    tfc.as_tensorflow()             from here on, in this process

It is never so by accident: nothing else puts it there, and where TensorFlow itself has been
imported already, that is an error. `finder.py` answers imports, `inner.py` says which of
TensorFlow's inner modules (`tensorflow.python...`) are here: those that libraries use.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import tfc as _tfc
from tfc.core.composite_tensors import CompositeTensor
from tfc.core.tensor import SymbolicTensor

from . import finder, inner_functions, inner_nest
from .inside import Inside

VERSION = "2.21.0"  # of TensorFlow, whose interface this is


class TensorFlow(ModuleType):
    """The module `tensorflow`: tfc's names, with what differs, the version above all."""

    def __getattr__(self, name: str) -> object:
        if name == "__path__":
            raise AttributeError(name)
        try:
            value = getattr(_tfc, name)
        except AttributeError as error:
            text = str(error).replace("module 'tfc'", "module 'tensorflow' (which is tfc here)")
            raise AttributeError(text, name=name, obj=self) from None
        vars(self)[name] = value
        return value

    def __dir__(self) -> list[str]:
        return sorted({*dir(_tfc), *vars(self)})


def as_tensorflow() -> ModuleType:
    """Let `import tensorflow` give tfc, in this process, from here on.

    Libraries that were written for TensorFlow run so. Classes say that they are of "tensorflow",
    by which libraries tell tensors from other arrays. `python -m tfc program.py` does this before
    the program starts.

    Returns:
        The module `tensorflow`. Its `__version__` is that of the TensorFlow whose interface it has.

    Raises:
        ImportError: TensorFlow itself has been imported already, so that some of its tensors may
            be around.

    >>> import tfc
    >>> tfc.as_tensorflow()  # doctest: +SKIP
    <module 'tensorflow' (tfc in its place)>
    >>> import tensorflow as tf  # doctest: +SKIP
    """
    loaded = sys.modules.get("tensorflow")
    if isinstance(loaded, TensorFlow):
        return loaded
    if loaded is not None and loaded is not _tfc:
        place = getattr(loaded, "__file__", None)
        raise ImportError(
            "TensorFlow has been imported already" + (f" ({place})" if place else "") + ", and a "
            "process has one: call tfc.as_tensorflow() first, or start the program by "
            "`python -m tfc program.py`"
        )
    module = TensorFlow("tensorflow", _tfc.__doc__)
    version = ModuleType("tensorflow.version", "The version of TensorFlow whose interface this is.")
    vars(version).update(
        vars(_tfc.version),
        VERSION=VERSION,
        GIT_VERSION=f"v{VERSION}-tfc",
        __name__="tensorflow.version",
    )
    internal = SimpleNamespace(
        CompositeTensor=CompositeTensor,
        EagerTensor=inner_functions.EagerTensor,
        SymbolicTensor=SymbolicTensor,
        nest=inner_nest,
    )
    vars(module).update(
        __version__=VERSION,
        __git_version__=version.GIT_VERSION,
        __compiler_version__=version.COMPILER_VERSION,
        __path__=[],
        __internal__=internal,
        version=version,
        compat=Inside("tensorflow.compat", _tfc.compat, v2=module),
    )
    finder.install(module)
    _tfc.TensorShape.as_tuple = False  # libraries take what is a tuple for a structure
    for name in ("Tensor", "Variable", "RaggedTensor", "SparseTensor", "IndexedSlices", "DType"):
        getattr(_tfc, name).__module__ = "tensorflow"
    return module
