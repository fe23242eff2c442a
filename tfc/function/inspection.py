"""What is asked of a concrete function besides running it: its specs, the texts of its stages, why
passes and fusion did what they did, what it costs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Any

from tfc.ir.core import Function
from tfc.ir.extent import Extent
from tfc.ir.ops.python import calls_python
from tfc.ir.passes.prune_carried import without_effects

from ..core import above
from ..core.context import settings
from ..core.nest import Structure
from ..core.placement import chosen, on_cpu, on_host
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.variable import Variable, unchanged
from ..dispatch.compiled import Compiled, Stages
from .arguments import Arguments
from .fitting import Fitting
from .function_types import FunctionType, of_trace
from .recorded import inline_plain

if TYPE_CHECKING:
    from tfc.ir.journal import Journal
    from tfc.ir.kernels.plan.explain import FusionReport

    from ..dispatch.memory_analysis import MemoryAnalysis
    from ..profiler import Profile


class Inspection(Fitting):
    """The questions that a concrete function answers. It is compiled for some of them."""

    arguments: Arguments
    function: Function
    captured: list[Any]
    count: int  # of results that are tensors
    device: Any
    structure: Structure
    _constants: list[Any]
    _composites: tuple[Structure, list[tuple[Any, Structure]]] | None
    _program: Function
    _sizes: dict[str, Extent]
    _updates: tuple[tuple[int, int], ...]

    @property
    def compiled(self) -> Compiled:
        """The stages and the native program."""
        raise NotImplementedError

    def _compile(self, f: Function, profile: bool = False, device: Any = None) -> Any:
        raise NotImplementedError

    def pack(self, flat: Sequence[Any]) -> Any:
        """The results in the structure that the Python function returned."""
        found = iter(flat)
        return self.structure.pack([next(found) if t else x for t, x in self._constants])

    def _as_traced(self) -> Stages:
        """The stages of what was traced, where something else is compiled."""
        first = len(self.types)
        return Stages(self.function, None, [(result, first + c) for result, c in self._updates])

    def profile(self, *args: Any, **kwargs: Any) -> Profile:
        """Measure its kernels on these arguments: it is compiled once more, with clocks, and called
        for 0.2 seconds on copies of its Variables, which stay as they are. What it prints or
        checks is left out, but for functions that call Python.

        Args:
            *args: The arguments, as in a call.
            **kwargs: The same by name.

        Returns:
            A `profiler.Profile`: seconds, bytes and operations of each kernel, which prints as a
                table.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.reduce_sum(tf.nn.relu(x @ x), axis=1))
        >>> x = tf.ones([64, 64])
        >>> found = f.get_concrete_function(x).profile(x)
        >>> [kernel.name for kernel in found.kernels]
        ['matmul', 'reduce_sum + relu']
        >>> found.kernels[0].operations == 2 * 64**3
        True
        """
        from .. import profiler

        tensors = self.arguments.tensors_of(args, kwargs)
        self._check(tensors)
        f = inline_plain(self._program)
        f = f if calls_python(f) else without_effects(f)
        device = None
        captured = [c.read() if isinstance(c, Variable) else c for c in self.captured]
        if settings.accelerated:
            device = self.device or chosen((*tensors, *captured))
            if device is None:
                tensors, captured = list(on_host(tensors)), list(on_host(captured))
        program = self._compile(f, True, device)
        with on_cpu() if device is None else nullcontext():
            own = [
                Variable(t, dtype=c.dtype) if isinstance(c, Variable) else t
                for c, t in zip(self.captured, captured, strict=True)
            ]
        call = program.bind(self.name, own)
        if device is None:
            with unchanged(self.variables):  # what calls Python stores them for it
                return profiler.report.profile(self.name, lambda: call(*tensors), program.counters)

        def finished() -> None:
            call(*tensors)
            device.driver.synchronize()

        return profiler.report.profile(self.name, finished, program.counters, device.name)

    def memory_analysis(self, *args: Any, **kwargs: Any) -> MemoryAnalysis:
        """How many bytes a call needs, without running it. What depends on data (as the length of
        what a mask selects) comes on top.

        Args:
            *args: Example arguments, which say the extents that were not known when it was traced;
                without them these are symbols.
            **kwargs: The same by name.

        Returns:
            A `MemoryAnalysis`: bytes of arguments, results and temporaries, as numbers or formulas.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.cumsum(tf.reduce_sum(x, axis=1)))
        >>> f.get_concrete_function(tf.ones([64, 64])).memory_analysis()
        MemoryAnalysis(arguments=16384, captured=0, outputs=256, updates=0, temporaries=0)
        """
        from ..dispatch.memory_analysis import analyse

        sizes = dict(self._sizes)
        if args or kwargs:
            tensors = self.arguments.tensors_of(args, kwargs)
            self._check(tensors)
            for type_, t in zip(self.types, tensors, strict=True):
                sizes |= dict(zip(map(str, type_.shape), t._array.shape, strict=True))
        return analyse(self.name, self.compiled, sizes)

    def explore(
        self,
        path: str | os.PathLike[str] | None = None,
        args: Sequence[Any] | None = None,
        *,
        measure: bool = True,
        gpu: bool = False,
    ) -> str:
        """Write a page that shows what became of each line: see `tfc.explore`, which gives the
        arguments of a call in a call's way.

        Args:
            path: The file to write; None: a new one in the folder for temporary files.
            args: Arguments, for which kernels are timed and values are shown; None: neither.
            measure: Whether kernels are timed.
            gpu: Whether the page has PTX, too: what a GPU would get.

        Returns:
            The path of the file, which browsers open.

        Raises:
            InvalidArgumentError: If it was not traced for these arguments.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.reduce_sum(tf.nn.relu(x @ x)))
        >>> f.get_concrete_function(tf.TensorSpec([None, 8])).explore().endswith(".html")
        True
        """
        return above.explore(self, path, args, measure, gpu)

    def ir(self, stage: str = "optimised", verbose: bool = False) -> str:
        """The text of a stage.

        Args:
            stage: "traced", "optimised" and "kernels" are IR: as it was traced, after the passes,
                and as loops. "lowered" differs from "kernels" if `verbose`: it has functions such
                as `exp`, "kernels" has the polynomials that they are. "llvm" and "asm" is what the
                processor gets, "ptx" what a GPU gets or would get.
            verbose: Whether kernels are printed in full, an op in each line, so that they can be
                parsed again; else in brief, for reading: numbers and indices stand where they are
                used, and what repeats but for numbers is there once.

        Returns:
            The text. "traced" and "optimised", and all IR if `verbose`, can be parsed again, by
                `tfc.ir.parse`.

        Raises:
            ValueError: If there is no such stage.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.exp(x) * 2.0)
        >>> print(f.get_concrete_function(tf.TensorSpec([8])).ir("kernels"))  # doctest: +ELLIPSIS
        func @lambda(%x: f32[8]) -> f32[8] {
          # lambda.k0: exp, broadcast, mul (...)
          %0 = launch lambda.k0 [%x] (%x: *f32[8], %out: *f32[8]) {
            for %i in 0..8 vector {
              %0 = exp %x[%i]
              %1 = mul %0, 2.0
              %out[%i] = %1
            }
          }
          return %0
        }
        """
        if stage == "traced" and self._sizes:
            return str(self.function) if verbose else self._as_traced().read(stage)
        return self.compiled.text(stage, verbose)

    def explain_passes(self) -> Journal:
        """What each pass did with each op of the traced function: found equal to another, folded,
        replaced by which law, dropped. The passes run once more for this.

        Returns:
            A journal that prints as text; `steps`, `notes` and `of(op)` have the same as data, for
                the ops of `graph`.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.exp(x) * 1.0 + tf.exp(x))
        >>> for note in f.get_concrete_function(tf.ones([3])).explain_passes().notes[:2]:
        ...     print(f"{note.step}: {note.op.mnemonic} {note.what} {note.reason}".strip())
        simplify: mul replaced by x * 1 = x
        cse: exp the same as
        """
        found = self._as_traced() if self._sizes else self.compiled
        journal: Journal = found.explain_passes()
        return journal

    def explain_fusion(self) -> FusionReport:
        """Which kernel computes each op of the optimised function, and why it is that one; what
        the kernel stores, why it did not join another, by which schedule it is written, and why by
        none of those that were asked before. All is decided once more for this: it costs nothing
        where nobody asks.

        Returns:
            A report that prints as a page of text; `kernels` and `of(op)` have the same as data.

        >>> import tfc as tf
        >>> f = tf.function(lambda x, w: tf.reduce_sum(tf.nn.relu(x @ w), axis=1))
        >>> report = f.get_concrete_function(tf.ones([64, 32]), tf.ones([32, 40])).explain_fusion()
        >>> [kernel.schedule for kernel in report.kernels]
        ['Gemm', 'Rows']
        >>> report.kernels[1].against[0].reason
        'a kernel of contractions takes no reductions of rows'
        >>> choice = report.kernels[0].choice
        >>> print(choice, [declined.schedule for declined in choice.declined])
        Gemm, UnpackedGemm ['FusedAttention', 'ScalarControl']
        >>> report.kernels[1].choice.declined[-1].reason
        '64 rows are enough to be dealt out (above 8)'
        """
        return self.compiled.explain_fusion()

    @property
    def inputs(self) -> list[TensorSpec]:
        """The specs of the tensors among the arguments."""
        names = self.arguments.tensor_names()
        return [
            TensorSpec(TensorShape.of(t.shape), t.dtype, n)
            for t, n in zip(self.types, names, strict=True)
        ]

    def add_to_graph(self, graph: Any = None, overwrite: bool = False) -> None:
        """Nothing: there are no graphs that have to know functions. (Libraries for TensorFlow
        call it.)"""

    def add_gradient_functions_to_graph(self, graph: Any = None) -> None:
        """Nothing, likewise."""

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with a TensorSpec for every tensor."""
        return self.arguments.rebuild(self.inputs)

    @property
    def structured_outputs(self) -> Any:
        """The results, with a spec for every tensor, and for what is made of tensors."""
        if self._composites is None:
            return self.pack(self.outputs)
        structure, parts = self._composites
        outputs, constants = iter(self.outputs), iter(self._constants)
        found = []
        for spec, part in parts:
            own = [
                next(outputs) if is_tensor else x for is_tensor, x in islice(constants, part.count)
            ]
            found.append(part.pack_parts(own) if spec is None else spec)
        return structure.pack(found)

    @property
    def outputs(self) -> list[TensorSpec]:
        """The specs of the tensors among the results."""
        types = [v.type for v in self.function.returns[: self.count]]
        return [TensorSpec(TensorShape.of(t.shape), t.dtype) for t in types]

    @property
    def output_shapes(self) -> Any:
        """The results, with a TensorShape for every tensor."""
        return self.pack([spec.shape for spec in self.outputs])

    @property
    def output_dtypes(self) -> Any:
        """The results, with a DType for every tensor."""
        return self.pack([spec.dtype for spec in self.outputs])

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors and Variables from outside that it runs on, besides the arguments."""
        return list(self.captured)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The Variables that it reads or writes."""
        return tuple(c for c in self.captured if isinstance(c, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of its Variables that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def function_type(self) -> FunctionType:
        """The signature with the types of arguments and results."""
        given = self.arguments.spec_names or [None] * len(self.types)
        specs = [
            TensorSpec(TensorShape.of(t.shape), t.dtype, n)
            for t, n in zip(self.types, given, strict=True)
        ]
        args, kwargs = self.arguments.rebuild(specs)
        names = self.arguments.parameter_names()
        signature = self.arguments.signature
        return of_trace(signature, names, args, kwargs, self.structured_outputs)

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The signature as text; unless it is to be verbose, on one line."""
        if not verbose:
            return str(self.function_type)
        return self.arguments.describe(self.inputs, self.structured_outputs)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name}{tuple(map(str, self.types))}>"

    def __deepcopy__(self, memo: Any) -> Any:
        return self  # nothing of it changes, and native code holds addresses of its parts

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return above.html("concrete function", self)
