"""Functions of the IR that are called by hand, such as `tfc.ir.parse` gives: at once, inside of
functions that are traced, and under tapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary, ref

from tfc.ir.copying import instantiate
from tfc.ir.core import Function, Value
from tfc.ir.extent import Expr, Extent, substitute
from tfc.ir.kernels.ops import HostLaunch, Launch

from ..core import blame
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor
from ..dispatch.execution import run_function
from ..dispatch.tracing import Trace
from ..dispatch.tracing import current as tracing
from .polymorphic import PolymorphicFunction

_recorded: WeakKeyDictionary[Function, PolymorphicFunction] = WeakKeyDictionary()


def call(f: Function, *arguments: Any) -> Any:
    """Run `f` on tensors or what converts to them; its ops are appended where a function is traced,
    and have gradients under tapes."""
    trace = tracing()
    if trace is not None:
        return _inlined(f, trace, arguments)
    if context.tapes:
        known = _recorded.get(f)
        if known is None:
            own = ref(f)  # what belongs to a key must not keep it

            def parsed(*tensors: Any) -> Any:
                inner, trace = own(), tracing()
                assert inner is not None and trace is not None
                return _inlined(inner, trace, tensors)

            known = _recorded[f] = PolymorphicFunction(parsed, None, False, False)
        return known(*_converted(f, arguments))
    return run_function(f, *arguments)


def _converted(f: Function, arguments: Sequence[Any]) -> list[Any]:
    if len(arguments) != len(f.params):
        raise TypeError(
            f"@{f.name} takes {len(f.params)} arguments, got {len(arguments)} ({user_location()})"
        )
    pairs = zip(arguments, f.params, strict=True)
    return [convert_to_tensor(a, p.type.dtype) for a, p in pairs]


def _inlined(f: Function, trace: Trace, arguments: Sequence[Any]) -> Any:
    """The results of `f`, whose ops are appended to a trace."""
    if not f.all_op_classes.isdisjoint((Launch, HostLaunch)):
        raise ValueError(
            f"@{f.name} consists of kernels, which have no gradients and cannot be a part of other "
            f"functions: call it outside of them ({user_location()})"
        )
    values = [trace.value_of(t) for t in _converted(f, arguments)]
    trace.builder.location = user_location()
    if not _fits(f, trace, values):
        given = ", ".join(str(v.type) for v in values)
        wanted = ", ".join(str(p.type) for p in f.params)
        raise blame.invalid(f"@{f.name}({wanted}) was called with ({given})", f.name)
    results = [SymbolicTensor(trace, v) for v in instantiate(f, trace.builder, values)]
    return results[0] if len(results) == 1 else tuple(results)


def _fits(f: Function, trace: Trace, values: Sequence[Value]) -> bool:
    """Whether `f` takes these values, perhaps: what only the call can tell is checked by it."""
    sizes: dict[str, Extent] = {}
    for p, v in zip(f.params, values, strict=True):
        if v.dtype is not p.dtype or v.rank != p.rank:
            return False
        for want, have in zip(p.shape, v.shape, strict=True):
            if isinstance(want, Expr) and str(want).isidentifier():
                sizes.setdefault(str(want), have)
    for p, v in zip(f.params, values, strict=True):
        for want, have in zip(p.shape, v.shape, strict=True):
            here = substitute(want, sizes)
            if here != have and not trace.builder.unify(here, have):
                return False
    return True


__all__ = ["call"]
