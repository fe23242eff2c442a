"""What TensorFlow calls the ops of a graph that a program gives no name: by what they do, in the
scopes that they stand in, with a number where there is one of the name already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tfc.dispatch.tracing_builder import TracingBuilder
from tfc.ir.core import Op, Value

Graph = Any  # that of graph.py, which stands above

# Those that are not the words of our own name, each with a capital letter.
_OWN = "add concat floordiv pow range stack transpose truediv zeros"
_NAMES = {
    **{name: name for name in _OWN.split()},
    "subtract": "sub",
    "multiply": "mul",
    "floormod": "mod",
    "negative": "Neg",
    "matmul": "MatMul",
    "where": "SelectV2",
    "slice": "strided_slice",
    "gather": "GatherV2",
    "top_k": "TopKV2",
    "lrn": "LRN",
    "l2_loss": "L2Loss",
    "conv": "Conv2D",
    "inv": "MatrixInverse",
    "det": "MatrixDeterminant",
    "solve": "MatrixSolve",
    "band_part": "MatrixBandPart",
    "argmax": "ArgMax",
    "argmin": "ArgMin",
    "tensor_scatter_nd_update": "TensorScatterUpdate",
    "divide_no_nan": "div_no_nan",
    "sigmoid_cross_entropy": "logistic_loss",
    "dropout": "dropout/SelectV2",
    **{f"random.{kind}": f"random_{kind}" for kind in ("normal", "uniform", "gamma", "poisson")},
    "random.truncated_normal": "truncated_normal",
    "random.categorical": "categorical/Multinomial",
    "random.permutation": "RandomShuffle",
}

# Functions that are called otherwise than their last op is, or the operator that does the same.
_OF_FUNCTIONS = """zeros ones zeros_like ones_like truncated_normal l2_normalize norm eye
softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits"""
FUNCTIONS = {
    **{name: name for name in _OF_FUNCTIONS.split()},
    "add": "Add",
    "subtract": "Sub",
    "multiply": "Mul",
    "pow": "Pow",
    "divide": "truediv",
    "normal": "random_normal",
    "uniform": "random_uniform",
    "expand_dims": "ExpandDims",
    "squeeze": "Squeeze",
    "log_softmax": "LogSoftmax",
    "max_pool2d": "MaxPool2d",
    "embedding_lookup": "embedding_lookup/Identity",
}

_STEPS = {"constant": "Const", "python_result": "PyFunc", "broadcast": "BroadcastTo"}


def name_of_op(primitive: str) -> str:
    """What TensorFlow calls an op that we call so.

    >>> [name_of_op(name) for name in ("add", "matmul", "reduce_mean", "squared_difference")]
    ['add', 'MatMul', 'Mean', 'SquaredDifference']
    """
    known = _NAMES.get(primitive)
    return known or _in_capitals(primitive.removeprefix("reduce_").removeprefix("random."))


def name_of_function(name: str) -> str:
    """What TensorFlow calls what a function makes."""
    return FUNCTIONS.get(name) or name_of_op(name)


def name_of_step(op: Op | None) -> str:
    """What an op of the IR is called that is but a step of one of the program's."""
    if op is None:
        return "Placeholder"
    return _STEPS.get(op.mnemonic) or _NAMES.get(op.mnemonic) or _in_capitals(op.mnemonic)


def _in_capitals(name: str) -> str:
    return "".join([part[:1].upper() + part[1:] for part in name.split("_")])


class GraphBuilder(TracingBuilder):
    """What appends ops to a graph."""

    def __init__(self, graph: Graph) -> None:
        super().__init__("graph", None)
        self._graph = graph
        self.names = True

    @contextmanager
    def unnamed(self) -> Iterator[None]:
        """What is made inside are steps of an op that has a name."""
        before, self.names = self.names, False
        try:
            yield
        finally:
            self.names = before

    def name_values(
        self, values: Sequence[Value], frame: FrameType | None, primitive: str = ""
    ) -> None:
        made = self.body[-len(values) :] if self.names else ()
        for v in values:
            if not v.name and v.op in made:
                v.name = self._graph.name_in_scope(name_of_op(primitive))


__all__ = ["FUNCTIONS", "GraphBuilder", "name_of_function", "name_of_op", "name_of_step"]
