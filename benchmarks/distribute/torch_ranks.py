"""One process of a job of PyTorch: gloo's all-reduce, and steps of DistributedDataParallel. It is
told RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT; the first prints what was measured, as JSON."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from benchmarks.distribute.models import CASES, examples, torch_model


def least(call: Callable[[], Any], seconds: float, fewest: int = 5) -> float:
    call()
    begin = time.perf_counter()
    call()
    once = torch.tensor(time.perf_counter() - begin)
    distributed.all_reduce(once, distributed.ReduceOp.MAX)
    found = float("inf")
    for _ in range(max(fewest, min(2000, int(seconds / float(once))))):
        begin = time.perf_counter()
        call()
        found = min(found, time.perf_counter() - begin)
    most = torch.tensor(found)
    distributed.all_reduce(most, distributed.ReduceOp.MAX)
    return float(most)


def step(name: str) -> float:
    """The least seconds of a training step."""
    torch.manual_seed(1)
    model: Any = DistributedDataParallel(torch_model(name, torch))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    size, rank = distributed.get_world_size(), distributed.get_rank()
    x, y = (torch.from_numpy(a[rank::size].copy()) for a in examples(CASES[name]))
    if name == "cnn":
        x = x.permute(0, 3, 1, 2).contiguous()
    loss = torch.nn.CrossEntropyLoss()

    def once() -> None:
        optimizer.zero_grad()
        loss(model(x), y).backward()
        optimizer.step()

    return least(once, 2.0, 20)


def main(what: str, *arguments: str) -> None:
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    distributed.init_process_group("gloo")
    if what == "sums":
        found: Any = {}
        for size in map(int, arguments):
            x = torch.ones(size // 4)
            found[f"torch {size}"] = least(lambda x=x: distributed.all_reduce(x), 0.5)
    else:
        found = {"seconds": step(arguments[0])}
    if distributed.get_rank() == 0:
        print(json.dumps(found), flush=True)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
