"""What summaries do inside of functions: an effect of the program, in order with all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType
from tfc.ir.ops.python import KEEP

from ..autodiff.python_calls import traced_call
from ..autodiff.python_runs import PythonFunction, outside
from ..core.context import context
from ..core.placement import moved
from ..core.shapes import TensorShape
from ..core.tensor import wrap
from ..dispatch.sessions import Run, keep


class Effect(PythonFunction):
    """A function that a program calls on arrays, which is none of the user's: it neither reads nor
    assigns Variables, so that the program need not store them for it."""

    sees_variables = False

    def __init__(self, name: str, function: Callable[..., Any], dtypes: Sequence[DType]) -> None:
        super().__init__(function, dtypes, "summary")
        self.name = name

    def run(self, before: int, arrays: Sequence[Any], reads: int, taped: bool) -> int:
        with outside():
            found = self.function(*arrays)
        outputs = [wrap(np.array(found))] if self.dtypes else []
        kept = Run([], outputs, reads or KEEP, None) if reads or taped else None
        return keep(self, before, kept)


def effect(
    name: str,
    function: Callable[..., Any],
    tensors: Sequence[Any] = (),
    dtypes: Sequence[DType] = (),
) -> list[Any]:
    """Call `function` on the arrays of tensors: at once, or, in a function, each time that the
    program gets there. Its results are scalars of `dtypes`; inside of a function alone."""
    if context.trace is None:
        function(*(moved(t.read()._array, None) for t in tensors))
        return []
    callback = Effect(name, function, dtypes)
    return traced_call(callback, tensors, [TensorShape([])] * len(dtypes))
