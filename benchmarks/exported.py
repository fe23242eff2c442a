"""Programs of PyTorch's, which ONNX Runtime runs.

PyTorch traces the program once and writes its graph, with the weights in it; ONNX Runtime optimises
that. So the process of this contender imports both, and the package `onnx`.
"""

from __future__ import annotations

import importlib
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


class Exported:
    """A function of arrays or of ONNX Runtime's own values, whose results are such values.

    Args:
        function: What it shall do, on PyTorch's tensors.
        threads: How many ONNX Runtime has.
    """

    def __init__(self, function: Callable[..., Any], threads: int) -> None:
        self.function, self.threads = function, threads
        self.runtime = importlib.import_module("onnxruntime")
        self.session: Any = None

    def __call__(self, *arguments: Any) -> Any:
        make = self.runtime.OrtValue.ortvalue_from_numpy
        values = [make(x) if isinstance(x, np.ndarray) else x for x in arguments]
        if self.session is None:
            self.session = self._session(*(value.numpy() for value in values))
        names = (each.name for each in self.session.get_inputs())
        results = self.session.run_with_ort_values(None, dict(zip(names, values, strict=True)))
        return results[0] if len(results) == 1 else tuple(results)

    def _session(self, *arrays: np.ndarray) -> Any:
        torch = importlib.import_module("torch")

        class Program(torch.nn.Module):  # type: ignore[misc,name-defined]
            def forward(_, *tensors: Any) -> Any:  # noqa: N805  (a module in name only)
                return self.function(*tensors)

        text = io.BytesIO()
        given = tuple(map(torch.from_numpy, arrays))
        names = [f"x{i}" for i in range(len(given))]
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")  # sizes that the trace takes for constants, as they are
            torch.onnx.export(Program(), given, text, input_names=names, dynamo=False)
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        return self.runtime.InferenceSession(
            text.getvalue(), options, providers=["CPUExecutionProvider"]
        )
