"""What Keras asks of devices where there is one process: names, and layouts that change nothing."""

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
    """Nothing, for one process. NotImplementedError for several."""
    if (num_processes or 1) > 1 or process_id:
        raise NotImplementedError(
            f"distribution: this backend has one process, got num_processes={num_processes}, "
            f"process_id={process_id}"
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
