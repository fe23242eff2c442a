"""The process of one library: `python -m benchmarks.data.worker <mode> <threads>`."""

from __future__ import annotations

import gc
import importlib
import resource
import sys
import time
from typing import Any

from .. import libraries
from ..worker import serve
from . import cases, training


class Session:
    """What a worker knows: its library, the data, and the pipeline that it was asked to make."""

    def __init__(self, mode: str, threads: int) -> None:
        self.mode, self.threads = mode, threads
        self.package = mode.split(",")[0]
        self.trained: dict[str, training.Training] = {}
        self.data: tuple[bool, cases.Data] | None = None

    def version(self) -> str:
        return str(importlib.import_module(self.package).__version__)

    def ways(self) -> list[str]:
        """The names of the cases that the library has a way for."""
        kind = {"numpy": cases.NumPy, "torch": cases.PyTorch, "grain": cases.Grain}
        found = [n for n in cases.TITLES if hasattr(kind.get(self.package, cases.TensorFlow), n)]
        if "workers" in self.mode:  # each of which would yield all
            found.remove("generated")
        return found

    def prepare(self, name: str, folder: str, quick: bool) -> int:
        """Make a pipeline and go through it once; how many elements it has."""
        if self.data is None or self.data[0] != quick:
            self.data = quick, cases.Data(folder, quick)
        library = self._library(self.data[1])
        self.epoch, self.count = getattr(library, name)()
        self._through()
        return self.count

    def _library(self, data: cases.Data) -> cases.Library:
        package = self.package
        if package == "numpy":
            return cases.NumPy(data)
        if package == "torch":
            importlib.import_module("torch").set_num_threads(self.threads)
            return cases.PyTorch(data, 2 if "workers" in self.mode else 0)
        if package == "grain":
            return cases.Grain(data)
        return cases.TensorFlow(data, importlib.import_module(package))

    def _through(self) -> None:
        for _ in self.epoch():
            pass

    def wall(self, _: int) -> float:
        """The seconds of an element."""
        return self._timed(time.perf_counter)

    def processor(self, _: int) -> float:
        """The seconds of processor time of an element, those of child processes too."""
        return self._timed(_processor)

    def _timed(self, clock: Any) -> float:
        gc.collect()
        start = clock()
        self._through()
        return float(clock() - start) / self.count

    def prepare_training(self, way: str, quick: bool) -> int:
        """The network of digits, fed in this way."""
        self.trained[way] = training.Training(way, quick)
        return self.trained[way].steps

    def train(self, way: str) -> float:
        """The seconds of a step."""
        return self.trained[way].seconds()


def _processor() -> float:
    """Seconds of this process and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(x.ru_utime + x.ru_stime for x in used)


if __name__ == "__main__":
    libraries.cpu_only()
    serve(lambda: Session(sys.argv[1], int(sys.argv[2])))
