"""`tfc.data.experimental.service`: TensorFlow's data service, which is not there. Each of its names
is an AttributeError that says what to write instead."""

from __future__ import annotations

from typing import NoReturn

NAMES = (
    "CrossTrainerCache",
    "DispatchServer",
    "DispatcherConfig",
    "ShardingPolicy",
    "WorkerConfig",
    "WorkerServer",
    "distribute",
    "from_dataset_id",
    "register_dataset",
)


def __getattr__(name: str) -> NoReturn:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise AttributeError(
        f"tf.data.experimental.service.{name}: tfc has no data service. Each process makes its own "
        "part of the data with `dataset.shard(processes, rank)`; work that is dear is done once by "
        "`dataset.save(folder)` or `dataset.snapshot(folder)`"
    )


__all__: list[str] = []
