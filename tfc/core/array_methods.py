"""What Tensors and Variables have in common as array objects, beyond TensorFlow's operators.

Python's remaining number protocol (`divmod`, `round`, `+x`, `complex`), the attributes and methods
of the array API standard (https://data-apis.org/array-api/2024.12), and DLPack.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import above, errors, placement
from .context import user_location

API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12")

_EAGER_ONLY = "Tensor.{} is undefined when eager execution is enabled."
_NO_SUCH = {name: _EAGER_ONLY.format(name) for name in ("name", "op", "graph", "value_index")}
_OF_NUMPY = ("astype", "ravel", "transpose", "reshape", "clip", "tolist", "data")


def missing_attribute(kind: str, name: str) -> AttributeError:
    """The error for an attribute that tensors have not, with what to do instead."""
    if name in _NO_SUCH:
        return AttributeError(_NO_SUCH[name])
    text = f"{kind!r} object has no attribute {name!r}"
    if name in _OF_NUMPY:
        text += (
            ". If you are looking for NumPy's methods, call "
            "tf.experimental.numpy.experimental_enable_numpy_behavior() first"
        )
    return AttributeError(text)


class ArrayMethods:
    """The mixin. Its users have `read`, `dtype`, `shape`, `ndim` and `__array__`."""

    __slots__ = ()

    def __dir__(self) -> list[str]:
        """What works on this very tensor."""
        refused = self._refused()
        return sorted(name for name in object.__dir__(self) if name not in refused)

    def _refused(self) -> set[str]:
        """The attributes that are there to say in their errors what to do instead, or that only
        some tensors have: of matrices, of those on a GPU."""
        held: Any = self
        rank = held.shape.rank
        refused = {"__setitem__", "consumers", "eval"}
        refused |= {"T"} if rank not in (2, None) else set()
        refused |= {"mT"} if rank in (0, 1) else set()
        if "GPU" not in held.device.upper():
            refused.add("__cuda_array_interface__")
        if placement.gpu(0) is None:
            refused.add("gpu")
        return refused

    # Operators that Python has and TensorFlow has not.

    def __pos__(self) -> Any:
        held: Any = self
        if held.dtype.is_bool:
            raise errors.InvalidArgumentError(
                "positive: not defined for dtype bool", op="positive", location=user_location()
            )
        return held.read_value() if hasattr(held, "read_value") else held

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        held: Any = self
        return held // other, held % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        held: Any = self
        return other // held, other % held

    def __complex__(self) -> complex:
        held: Any = self
        return complex(held.numpy())

    def __setitem__(self, key: object, value: object) -> None:
        raise TypeError(
            f"'{type(self).__name__}' object does not support item assignment: tensors are "
            "immutable. tf.where and tf.tensor_scatter_nd_update make new ones, and "
            f"variable[...].assign(value) changes a Variable ({user_location()})"
        )

    # The array API standard.

    @property
    def size(self) -> int | None:
        """The number of elements; None where it is not known while tracing."""
        held: Any = self
        return held.shape.num_elements()

    def to_device(self, device: object, /, *, stream: object = None) -> Any:
        """The tensor on a device, itself where it is there.

        Args:
            device: A name such as "cpu" or "gpu:0".
            stream: None alone.

        Returns:
            A tensor.

        Raises:
            ValueError: If the device is not there, or a stream is given.
        """
        held: Any = self
        if stream is not None:
            raise ValueError(f"to_device: there are no streams to choose from, got {stream!r}")
        name = str(device).upper()
        if name == held.device.upper():
            return _value(held)
        kind, _, number = name.rpartition("/")[2].removeprefix("DEVICE:").partition(":")
        if kind == "CPU" and number in ("", "0"):
            return self.cpu()
        if kind == "GPU" and (number or "0").isdigit():
            found = placement.gpu(int(number or 0))
            if found is not None:
                return _value(held)._on(found)
        names = ["cpu", *(f"gpu:{i}" for i in range(len(placement.visible_gpus())))]
        there = ", ".join(map(repr, names))
        raise ValueError(f"to_device: there is no device {device!r}, only {there}")

    def cpu(self) -> Any:
        """The tensor in the memory of the CPU: a copy of what is on a GPU.

        Returns:
            A tensor; itself where it is there.
        """
        return _value(self)._on(None)

    def gpu(self, gpu_index: int = 0) -> Any:
        """The tensor in the memory of a GPU: a copy of what is elsewhere.

        Args:
            gpu_index: The number of the GPU.

        Returns:
            A tensor; itself where it is there.

        Raises:
            ValueError: If there is no GPU of this number.
        """
        found = placement.gpu(gpu_index)
        if found is None:
            why = f", because {placement.no_gpu()}" if placement.no_gpu() else ""
            raise ValueError(f"there is no GPU {gpu_index}{why} ({user_location()})")
        return _value(self)._on(found)

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        """The module with the functions of the array API standard."""
        if api_version is not None and api_version not in API_VERSIONS:
            raise ValueError(
                f"array API version {api_version!r} is not there, only {', '.join(API_VERSIONS)}"
            )
        return above.array_namespace()

    # DLPack.

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule. Consumers of DLPack 1.0 read the memory itself, marked read-only;
        older ones cannot be told so, and get a copy (BufferError if `copy` is False)."""
        from . import capsules

        array = _value(self)._array
        if not placement.is_on_host(array):
            if dl_device is None or tuple(dl_device) != capsules.CPU:
                return capsules.export_device(array, stream, max_version, dl_device, copy)
            stream = None  # the copy that the host gets is there
        held: Any = self
        return capsules.export(held.__array__(), stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's number of the device: (1, 0) for the CPU, (2, i) for GPU i."""
        array = _value(self)._array
        return (1, 0) if placement.is_on_host(array) else (2, array.device.index)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """What libraries that share CUDA memory read, version 3; of tensors on a GPU only. The
        memory is read-only."""
        array = _value(self)._array
        if placement.is_on_host(array):
            raise AttributeError("the tensor is in the memory of the CPU")
        return {
            "version": 3,
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (array.address if array.size else 0, True),
            "strides": None,
            "stream": array.device.driver.stream or 1,
        }


def _value(held: Any) -> Any:
    """A tensor; of a Variable its value."""
    return held.read_value() if hasattr(held, "read_value") else held


def as_numpy(array: np.ndarray, dtype: Any, copy: bool | None) -> np.ndarray:
    """`__array__`: a read-only view of the elements, or a copy that is the caller's own."""
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(f"a copy is needed to convert {array.dtype} to {np.dtype(dtype)}")
        return array.astype(dtype)
    if copy:
        return array.copy()
    view = array.view()
    view.flags.writeable = False
    return view
