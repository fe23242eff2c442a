"""Datasets inside of functions: a loop over one is native, and asks Python for each element.

`for x in dataset`, in a `tf.function`, begins an iteration each time that the program gets there,
as it does in Python. The elements are computed as everywhere: a batch is one call.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, bool_, int64

from ..autodiff.python_calls import traced_call
from ..autodiff.python_runs import PythonFunction
from ..core import blame
from ..core.context import context
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import wrap
from ..ops.array.slicing import slice_
from ..ops.math.arithmetic import minimum
from .captures import Scope
from .deferred import Deferred
from .elements import Element, ElementSpec
from .nested import is_abstract, is_unknown
from .optional import Optional, TracedOptional, parts_of
from .plan import INFINITE, Plan, begin


class _Call(PythonFunction):
    """A step of an iteration, as a program calls it."""

    def __init__(
        self, function: Callable[..., Any], dtypes: Sequence[DType], name: str, plan: Plan
    ) -> None:
        super().__init__(function, dtypes, "Dataset")
        self.name = name
        self._sees_variables = reads_variables(plan)

    @property
    def sees_variables(self) -> bool:
        return self._sees_variables

    def converted(self, i: int, value: Any, dtype: DType) -> Any:
        return value


def reads_variables(plan: Plan) -> bool:
    """Whether anything in a plan reads Variables, or may."""
    return plan.sees_variables or any(map(reads_variables, plan.inputs))


def single_element(plan: Plan) -> Element:
    """The only element.

    Raises:
        InvalidArgumentError: If there is another number of them.
    """
    cursor = plan.cursor(begin(plan))
    element = cursor.next()
    if element is None:
        raise blame.invalid("Dataset was empty.", "get_single_element")
    if cursor.next() is not None:
        raise blame.invalid("Dataset had more than one element.", "get_single_element")
    return element


class TracedLoop:
    """What a loop over a dataset, or over an iterator, is made of in a trace.

    Args:
        plan: What is gone over.
        iterator: Gives the `Iterator` of a plan; it is called when the loop begins.
        iterates: Whether that is a new one each time.
        handle: Where the iterator is not there before the program runs, the tensor that names it;
            `iterator` is called with what that is, and `plan` says nothing but the spec.
    """

    def __init__(
        self,
        plan: Plan,
        iterator: Callable[[Any], Any],
        iterates: bool,
        handle: Any = None,
    ) -> None:
        spec = plan.spec
        self._deferred = plan if isinstance(plan, Deferred) else None
        self._handle = handle
        self._functions = Scope()
        known = self._deferred is not None or handle is not None
        if is_unknown(plan) and not known and not is_abstract():
            raise blame.unimplemented(
                "a loop over a dataset that depends on a symbolic tensor", "Dataset"
            )
        if not spec.traceable:
            trace: Any = context.trace
            if trace is not None:  # where ranks are what is not known, calls run op by op
                trace.outermost.unranked += [x for x in spec.leaves if isinstance(x, TensorSpec)]
            raise blame.unimplemented(
                "a loop over a dataset inside a function takes what is made of tensors of known "
                f"ranks, not {spec}",
                "Dataset",
            )
        self.spec: ElementSpec = spec
        self._plan = plan
        self._make, self._iterates = iterator, iterates
        self._here = threading.local()  # a call of the function is made by one thread

    def along(self) -> tuple[int, Callable[[Any], Any]] | None:
        """Begin an iteration whose elements the program computes by itself: how many there are, and
        what gives the one with a number. None where it has to ask for them."""
        plan = self._plan
        if not self._iterates or not plan.by_rows:
            return None
        rows = plan.stackable and plan.cardinality != INFINITE
        found = (plan, 1) if rows else plan.slices()
        if found is None:
            return None
        source, each = found
        count = source.cardinality
        if not count:
            return None
        whole = np.arange(count)

        def drawn() -> list[Any]:
            run = begin(plan)
            while run.plan is not source:
                (run,) = run.children
            return source.stacked_inputs(whole, run)

        specs = source.stacked_specs()
        call = _Call(drawn, [s.dtype for s in specs], "Dataset.__iter__", plan)
        sizes = [len(x) for x in source.stacked_inputs(whole, begin(source, itertools.repeat(0)))]
        shapes = [TensorShape([n, *s.shape[1:]]) for n, s in zip(sizes, specs, strict=True)]
        inputs = traced_call(call, (), shapes)

        def element(i: Any) -> Any:
            parts = []
            for x, n in zip(inputs, sizes, strict=True):
                size = each * (n // count)
                taken = minimum(n - i * size, size) if n % size else size
                parts.append(slice_(x, [i * size], [taken]))
            if rows:
                return self.spec.structure.pack([x[0] for x in plan.stacked(iter(parts))])
            return self.spec.structure.pack(plan.single(iter(parts)))

        return plan.cardinality, element

    @property
    def sees_variables(self) -> bool:
        """Whether elements are made by what reads Variables, or may."""
        return reads_variables(self._plan)

    # What the program calls.

    def _begun(self, *arrays: Any) -> Any:
        self._here.iterator = found = self._iterator(arrays)
        handle = getattr(found, "handle", None)
        return wrap(np.array(0, np.int64)) if handle is None else handle

    def _iterator(self, arrays: Sequence[Any]) -> Any:
        """The iterator that is asked; where the loop is one over a dataset, a new one."""
        return self._make(self._made(arrays) if self._handle is None else arrays[0])

    def _made(self, arrays: Sequence[Any]) -> Plan:
        """The plan; where it is made of symbolic tensors, for these."""
        found = self._deferred
        return self._plan if found is None else found.made(arrays, self._functions)

    def _looked(self) -> Any:
        """Whether there is another element; it is kept."""
        self._here.element = element = self._here.iterator.next_leaves()
        if element is None:
            del self._here.iterator
        return wrap(np.array(element is not None))

    def _tried(self, *arrays: Any) -> list[Any]:
        """Whether there is another element, and that one, or zeros."""
        return list(parts_of(self._iterator(arrays).next_leaves(), self.spec))

    def _given(self) -> list[Any]:
        element: Element = self._here.element
        return list(self.spec.parts_of(element))

    def _asked(self, *arrays: Any) -> list[Any]:
        found = self._iterator(arrays).next_leaves()
        if found is None:
            raise blame.out_of_range("End of sequence", "IteratorGetNext")
        return list(self.spec.parts_of(found))

    # What is traced.

    def _traced_loop(self) -> TracedLoop:
        return self

    def begin(self) -> Any:
        """Begin the iteration; what names the iterator, an int64 scalar."""
        call = _Call(self._begun, (int64,), "Dataset.__iter__", self._plan)
        return traced_call(call, self._tensors, (TensorShape([]),))[0]

    @property
    def _tensors(self) -> Sequence[Any]:
        """What the plan is made of, or the iterator is known by, when the program runs."""
        if self._handle is not None:
            return (self._handle,)
        return () if self._deferred is None else self._deferred.tensors

    def more(self) -> Any:
        """Go on to the next element; a bool scalar says whether there is one."""
        call = _Call(self._looked, (bool_,), "Iterator.__next__", self._plan)
        return traced_call(call, (), (TensorShape([]),))[0]

    def element(self) -> Any:
        """The element, in its structure."""
        return self._packed(self._given, "Iterator.element")

    def next(self) -> Any:
        """The next element of the iterator; OutOfRangeError where there is none."""
        return self._packed(self._asked, "Iterator.get_next", self._tensors)

    def optional(self) -> Optional:
        """The next element of the iterator, or that there is none."""
        specs = (TensorSpec([], bool_), *self.spec.parts)
        dtypes = [part.dtype for part in specs]
        call = _Call(self._tried, dtypes, "Iterator.get_next_as_optional", self._plan)
        there, *parts = traced_call(call, self._tensors, [part.shape for part in specs])
        return TracedOptional(there, self.spec.put_together(parts), self.spec)

    def single(self) -> Any:
        """The only element; InvalidArgumentError where there is another number of them."""

        def found(*arrays: Any) -> list[Any]:
            return list(self.spec.parts_of(single_element(self._made(arrays))))

        return self._packed(found, "Dataset.get_single_element", self._tensors)

    def cardinality(self) -> Any:
        """How many elements there are."""

        def found(*arrays: Any) -> Any:
            return wrap(np.array(self._made(arrays).cardinality, np.int64))

        call = _Call(found, (int64,), "Dataset.cardinality", self._plan)
        return traced_call(call, self._tensors, (TensorShape([]),))[0]

    def _packed(
        self, function: Callable[..., list[Any]], name: str, tensors: Sequence[Any] = ()
    ) -> Any:
        spec = self.spec
        call = _Call(function, [part.dtype for part in spec.parts], name, self._plan)
        parts = traced_call(call, tensors, [part.shape for part in spec.parts])
        return spec.structure.pack(spec.put_together(parts))


__all__ = ["TracedLoop", "reads_variables", "single_element"]
