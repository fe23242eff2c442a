"""Python functions of the user's while a program runs: how they are called, what they give.

The other side of the ops of tfc/ir/ops/python.py; tfc/dispatch/sessions.py keeps what a run gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType
from tfc.ir.ops.python import KEEP, Callback

from ..core import errors
from ..core.context import active, context, user_location
from ..core.conversion import convert_to_tensor
from ..core.indexed_slices import dense
from ..core.tensor import Tensor, wrap
from ..core.variable import Variable
from ..dispatch.sessions import Run, following, keep, keep_results, result_of, runs, shape_of
from .custom_record import CustomRecord, copy_of, note
from .tape import GradientTape


class PythonFunction(Callback):
    """A function of the user's with the dtypes that it returns."""

    def __init__(self, function: Callable[..., Any], dtypes: Sequence[DType], op: str) -> None:
        super().__init__(getattr(function, "__name__", type(function).__name__))
        self.function = function
        self.dtypes = tuple(dtypes)
        self.op = op
        self.role = "advance" if function is nothing else "run"

    @property
    def taking_tensors(self) -> bool:
        return self.op == "py_function"

    @property
    def sees_variables(self) -> bool:
        """Whether it could read or assign Variables: whatever is no function of NumPy's own."""
        return not isinstance(self.function, np.ufunc)

    def call(self, inputs: Sequence[Any]) -> list[Tensor]:
        """Call it, and make what it returns tensors of the right dtypes."""
        given = inputs if self.taking_tensors else [_array(t) for t in inputs]
        found = self.function(*given)
        outputs = (
            list(found) if isinstance(found, list | tuple) else [] if found is None else [found]
        )
        if not self.dtypes:
            return []  # called for its effects
        if len(outputs) != len(self.dtypes):
            raise self.wrong(
                f"returns {len(outputs)} values, but expects to see {len(self.dtypes)} values."
            )
        return [
            self.converted(i, x, d)
            for i, (x, d) in enumerate(zip(outputs, self.dtypes, strict=True))
        ]

    def converted(self, i: int, value: Any, dtype: DType) -> Tensor:
        """A result as a tensor of its dtype."""
        value = value.value() if isinstance(value, Variable) else value
        if not isinstance(value, Tensor):
            if not self.taking_tensors:
                value = np.asarray(value)
            try:
                value = convert_to_tensor(dense(value), dtype if self.taking_tensors else None)
            except (TypeError, ValueError) as error:
                raise self.wrong(f"returned what is no {dtype.name} tensor: {error}") from None
        if value.dtype is not dtype:
            raise self.wrong(
                f"{i}-th value returned is {value.dtype.name}, but expects {dtype.name}"
            )
        return value

    def wrong(self, what: str) -> errors.InvalidArgumentError:
        return errors.InvalidArgumentError(
            f"{self.name}: {what}", op=self.op, location=user_location()
        )

    # While a program runs.

    def run(self, before: int, arrays: Sequence[Any], reads: int, taped: bool) -> int:
        inputs = [wrap(np.array(a)) for a in arrays]  # the program's own memory is used again
        tape = GradientTape(True, False) if taped and self.taking_tensors else None
        with outside():
            if tape is None:
                outputs = self.call(inputs)
            else:
                with tape:
                    tape.watch(inputs)
                    outputs = self.call(inputs)
        run = None
        if reads:
            floats = [t for t in inputs if t.dtype.is_inexact]
            run = Run(floats, outputs, reads, tape)
        elif taped:
            run = Run([], [], KEEP, None)
        return keep(self, before, run)

    def replay(self, before: int) -> int:
        return following[self.role, before]

    def shape(self, token: int, index: int) -> tuple[int, ...]:
        return shape_of(token, index)

    def result(self, token: int, index: int) -> Any:
        return result_of(token, index)

    def gradient(
        self, token: int, indices: Sequence[int], cotangents: Sequence[Any]
    ) -> tuple[list[Any], int]:
        run = runs[token]
        targets = [run.outputs[i] for i in indices]
        seeds = [wrap(np.array(d)) for d in cotangents]
        with outside(), run.tape:  # it records this too: there may be gradients of gradients
            run.tape.watch(seeds)
            found = run.tape.gradient(targets, run.inputs, seeds, "zero")
        found = [dense(g) for g in found]
        after = keep_results(Run([*run.inputs, *seeds], found, KEEP, run.tape))
        return [g._array for g in found], after


# Called eagerly.


def eager_call(callback: PythonFunction, inputs: Sequence[Tensor]) -> list[Tensor]:
    """What it returns. Gradients flow to `inputs` alone, as in programs: tapes around the call see
    one op."""
    tapes = context.tapes
    if not any(tape.wants(inputs) for tape in tapes):
        with active(tapes=()):
            return [copy_of(t) for t in callback.call(inputs)]
    given = [copy_of(t) for t in inputs]
    own = GradientTape(True, False)
    with active(tapes=()), own:
        own.watch(given)
        outputs = callback.call(given)
    if not callback.taking_tensors:
        return outputs
    floats = [i for i, t in enumerate(inputs) if t.dtype.is_inexact]
    return _noted(own, [inputs[i] for i in floats], [given[i] for i in floats], outputs)


def _noted(
    own: GradientTape, inputs: Sequence[Tensor], given: Sequence[Tensor], outputs: Sequence[Tensor]
) -> list[Tensor]:
    """Copies of `outputs`, which tapes around see as made from `inputs`: how, the tape `own` knows,
    from copies of these on. It sees the gradient, too, which may be differentiated again."""
    shown = [copy_of(t) for t in outputs]
    targets = [i for i, t in enumerate(outputs) if t.dtype.is_inexact]

    def gradients(*upstream: Tensor) -> list[Tensor]:
        above = [upstream[i] for i in targets]
        seeds = [copy_of(d) for d in above]
        with active(tapes=()), own:
            own.watch(seeds)
            found = own.gradient([outputs[i] for i in targets], list(given), seeds, "zero")
            found = [dense(g) for g in found]
        return _noted(own, [*inputs, *above], [*given, *seeds], found)

    if inputs and targets:
        note(CustomRecord(gradients, list(inputs), shown))
    return shown


def outside() -> active:
    """The user's code, called by a program, is in no trace and under no tape."""
    return active(trace=None, tapes=(), kept=None)


def _array(x: Any) -> Any:
    """What `numpy_function` hands over."""
    return x.numpy()


def nothing() -> None:
    """A function whose run only moves on in the chain."""


__all__ = ["PythonFunction", "eager_call", "nothing"]
