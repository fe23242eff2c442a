"""Functions on tensors of which nothing but dtype and shape is known: what would come out?

The ops go into a trace that is thrown away. It may stand inside of another one, whose values can be
read there; random states and Variables that it changes are the caller's to keep apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir.dtypes import as_element_type
from tfc.ir.extent import fresh_symbol
from tfc.ir.types import TensorType

from ..core import nest
from ..core.context import active
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor
from ..dispatch.tracing import Trace, current


class ScratchTrace:
    """A trace that nobody runs: `with ScratchTrace("name") as trace: f(trace.tensor([3, None]))`"""

    def __init__(self, name: str) -> None:
        self._trace = Trace(name, current())
        self._trace.builder.keep_apart()
        self._active = active(trace=self._trace, tapes=[])

    def __enter__(self) -> ScratchTrace:
        self._active.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._active.__exit__(*exception)

    def tensor(self, shape: Any, dtype: Any) -> SymbolicTensor:
        """A tensor with these extents; each None is one of its own."""
        extents = TensorShape(shape).as_list()
        type_ = TensorType(
            as_element_type(dtype), tuple(fresh_symbol() if e is None else e for e in extents)
        )
        return self._trace.parameter(type_, "x")

    @property
    def bytes_of_rows(self) -> int:
        """The bytes of Variables of which ops so far have changed rows alone."""
        sizes = [(v.shape.num_elements() or 0, v.dtype) for v in self._trace.assigned_by_rows]
        return sum(count * dtype.itemsize for count, dtype in sizes)


def output_spec(function: Callable[..., Any], *specs: Any) -> Any:
    """What `function` returns for tensors of these specs, as TensorSpecs: nothing is computed.

    Args:
        function: Called with a tensor for each TensorSpec; other arguments are handed on.
        specs: TensorSpecs, or structures of them.

    Returns:
        The structure that the function returns, a TensorSpec for each tensor in it.

    >>> import tfc as tf
    >>> from tfc.function.abstract import output_spec
    >>> output_spec(lambda x: tf.reduce_sum(x, 0), tf.TensorSpec([None, 3]))
    TensorSpec(shape=(3,), dtype=tf.float32, name=None)
    """
    with ScratchTrace(getattr(function, "__name__", "function")) as trace:

        def given(x: Any) -> Any:
            return trace.tensor(x.shape, x.dtype) if isinstance(x, TensorSpec) else x

        outcome = function(*nest.map_structure(given, specs))
        return nest.map_structure(
            lambda x: TensorSpec(x.shape, x.dtype) if isinstance(x, Tensor) else x, outcome
        )


__all__ = ["ScratchTrace", "output_spec"]
