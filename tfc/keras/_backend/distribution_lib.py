"""What Keras asks of devices: names, and layouts that change nothing, as a tensor is on one device.

Data parallelism by several processes is the trainer's affair (replicas.py): there Keras itself is
told of one process, since it would divide datasets by TensorFlow's functions, and arrays not.
"""

from __future__ import annotations

from typing import Any

import tfc as tf


def list_devices(device_type: str | None = None) -> list[str]:
    """The devices of a kind ("cpu", "gpu"); of none said, GPUs where there are some."""
    if device_type is None:
        return list_devices("gpu") or list_devices("cpu")
    kind = device_type.lower()
    found = tf.config.list_physical_devices(kind.upper())
    return [f"{kind}:{number}" for number in range(len(found))]


def get_device_count(device_type: str | None = None) -> int:
    """How many there are of a kind."""
    return len(list_devices(device_type))


def initialize(job_addresses: Any, num_processes: int | None, process_id: int | None) -> None:
    """Join the job that mpiexec has started. ValueError where that is another one than is said."""
    if num_processes is None and process_id is None:
        tf.distribute.init()
        return
    rank, size = tf.distribute.rank(), tf.distribute.size()
    if (num_processes or size) != size or (rank if process_id is None else process_id) != rank:
        raise ValueError(
            f"distribution: this is process {rank} of the {size} that mpiexec has started, got "
            f"num_processes={num_processes}, process_id={process_id}"
        )


def num_processes() -> int:
    return 1


def process_id() -> int:
    return 0


def distribute_variable(value: Any, layout: Any) -> Any:
    return distribute_tensor(value, layout)


def distribute_tensor(tensor: Any, layout: Any) -> Any:
    """The tensor: on the one device that there is."""
    _one_device(getattr(layout, "device_mesh", layout))
    return tensor


def _to_backend_mesh(device_mesh: Any) -> Any:
    _one_device(device_mesh)
    return device_mesh


def _to_backend_layout(tensor_layout: Any) -> Any:
    _one_device(tensor_layout.device_mesh)
    return tensor_layout


def _one_device(mesh: Any) -> None:
    count = getattr(getattr(mesh, "devices", None), "size", 1)
    if count > 1:
        raise NotImplementedError(
            f"distribution: a tensor of this backend is on one device, and the mesh has {count}"
        )
