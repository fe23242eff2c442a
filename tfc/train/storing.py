"""Where checkpoints are: TensorFlow's bundles, and files of safetensors where the name says so."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.errors import DataLossError
from ..records import bundle_writer, object_graph
from ..records.bundle_reader import BundleReader
from ..records.object_graph import Node
from . import safetensors

SUFFIX = ".safetensors"
WRITE, READ = "train.Checkpoint.write", "train.Checkpoint.read"


def path_of(path: Any) -> str:
    """A path as a string.

    Raises:
        TypeError: If it is none.
    """
    return os.fsdecode(path)


def write(path: str, graph: bytes, tensors: Mapping[str, np.ndarray]) -> None:
    """Write a checkpoint, in place of the one that is there.

    Raises:
        OpError: If that cannot be.
    """
    if path.endswith(SUFFIX):
        safetensors.write(path, safetensors.plain(tensors), WRITE)
        return
    found = np.empty((), object)
    found[()] = graph
    bundle_writer.write(path, {**tensors, object_graph.KEY: found}, WRITE)


def read(path: str) -> tuple[Any, list[Node] | None]:
    """What gives the tensors of a checkpoint, and its objects; None if it knows none.

    Raises:
        NotFoundError: If there is no checkpoint.
        DataLossError: If it is damaged.
    """
    if path.endswith(SUFFIX):
        reader = safetensors.Reader(path, READ)
        return reader, reader.objects()
    bundle = BundleReader(path, READ)
    if object_graph.KEY not in bundle:
        return bundle, None
    data = bundle.read(object_graph.KEY)
    if data.dtype != object or data.ndim:
        raise DataLossError(f"{path} is damaged: its object graph is no string", op=READ)
    return bundle, object_graph.decode(data.item())
