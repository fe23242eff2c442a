"""Event files as tests read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tfc.records.event import Event
from tfc.records.tensor import TensorProto
from tfc.records.tfrecord import read


def events(folder: Path) -> list[Event]:
    """What the files of a folder hold, the first event of each left out."""
    found = []
    for path in sorted(folder.rglob("*tfevents*")):
        first, *rest = [Event.FromString(record) for record in read(str(path))]
        assert first.file_version == "brain.Event:2"
        found += rest
    return found


def scalars(folder: Path) -> list[tuple[str, int, float]]:
    """The summaries that are scalars: tags, steps, values."""
    return [
        (value.tag, event.step, float(array_of(value.tensor)))
        for event in events(folder)
        for value in event.summary.value
        if value.metadata.plugin_data.plugin_name == "scalars"
    ]


def array_of(tensor: TensorProto) -> Any:
    """The elements of a message."""
    shape = [dim.size for dim in tensor.tensor_shape.dim]
    if tensor.string_val:
        return np.array(list(tensor.string_val), object).reshape(shape)
    kinds = {1: np.float32, 2: np.float64, 3: np.int32, 9: np.int64}
    return np.frombuffer(tensor.tensor_content, kinds[tensor.dtype]).reshape(shape)
