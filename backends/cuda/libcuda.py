"""Calls of NVIDIA's driver that pycuda does not know, by ctypes: graphs, streams of others.

https://docs.nvidia.com/cuda/cuda-driver-api/
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from .driver import DeviceError

_pointer, _int, _uint = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint
_CALLS = {
    "cuCtxGetCurrent": (_pointer,),
    "cuCtxSetCurrent": (_pointer,),
    "cuEventCreate": (_pointer, _uint),
    "cuEventRecord": (_pointer, _pointer),
    "cuEventDestroy_v2": (_pointer,),
    "cuStreamWaitEvent": (_pointer, _pointer, _uint),
}
_GRAPHS = {
    "cuStreamBeginCapture_v2": (_pointer, _int),
    "cuStreamEndCapture": (_pointer, _pointer),
    "cuGraphInstantiateWithFlags": (_pointer, _pointer, ctypes.c_uint64),
    "cuGraphLaunch": (_pointer, _pointer),
    "cuGraphDestroy": (_pointer,),
    "cuGraphExecDestroy": (_pointer,),
}
_RELAXED = 2  # CU_STREAM_CAPTURE_MODE_RELAXED: other threads may go on
_NO_TIMING = 2  # CU_EVENT_DISABLE_TIMING


class Library:
    """libcuda.so.1. `has_graphs` says whether the driver knows them; OSError where it is not."""

    def __init__(self) -> None:
        library = ctypes.CDLL("libcuda.so.1")
        self.functions: dict[str, Any] = {}
        for name, arguments in (_CALLS | _GRAPHS).items():
            function = getattr(library, name, None)
            if function is not None:
                function.argtypes, function.restype = arguments, _int
                self.functions[name] = function
        self.has_graphs = self.functions.keys() >= _GRAPHS.keys()

    def call(self, name: str, *arguments: Any) -> None:
        """Raises DeviceError where the driver gives an error."""
        status = self.functions[name](*arguments)
        if status:
            raise DeviceError(f"{name} gave CUDA error {status}")

    def current_context(self) -> int:
        """The context that CUDA works in on this thread."""
        found = _pointer()
        self.call("cuCtxGetCurrent", ctypes.byref(found))
        return found.value or 0

    def let_wait(self, stream: int, other: int) -> None:
        """Let `stream` wait for what was enqueued on `other`."""
        event = _pointer()
        self.call("cuEventCreate", ctypes.byref(event), _NO_TIMING)
        try:
            self.call("cuEventRecord", event, other)
            self.call("cuStreamWaitEvent", stream, event, 0)
        finally:
            self.call("cuEventDestroy_v2", event)

    def captured(self, stream: int, work: Callable[[], None]) -> CapturedGraph:
        """The graph of what `work` enqueues on the stream, which is not run."""
        graph, executable = _pointer(), _pointer()
        self.call("cuStreamBeginCapture_v2", stream, _RELAXED)
        try:
            work()
        except BaseException:
            self.functions["cuStreamEndCapture"](stream, ctypes.byref(graph))
            if graph:
                self.functions["cuGraphDestroy"](graph)
            raise
        self.call("cuStreamEndCapture", stream, ctypes.byref(graph))
        try:
            self.call("cuGraphInstantiateWithFlags", ctypes.byref(executable), graph, 0)
        finally:
            self.call("cuGraphDestroy", graph)
        return CapturedGraph(self, executable, stream)


class CapturedGraph:
    """Work that runs again with one call, on the same memory."""

    def __init__(self, library: Library, executable: Any, stream: int) -> None:
        self._library = library
        self._executable = executable
        self._stream = stream

    def launch(self) -> None:
        self._library.call("cuGraphLaunch", self._executable, self._stream)

    def __del__(self) -> None:
        self._library.functions["cuGraphExecDestroy"](self._executable)
