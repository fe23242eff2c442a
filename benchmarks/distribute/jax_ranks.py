"""One process of a job of JAX: all-reduce by its CPU collectives (gloo's), and steps of training
with Keras' networks, whose batch is divided over the processes. It is told RANK, WORLD_SIZE,
MASTER_ADDR and MASTER_PORT; the first prints what was measured, as JSON."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as Spec

from benchmarks.distribute.models import CASES, examples, keras_model

AXIS = "ranks"
RATE = 0.01


def least(call: Callable[[], Any], seconds: float, fewest: int = 5) -> float:
    """The least seconds that a call takes, of as many as fit; of the slowest process."""
    call()
    begin = time.perf_counter()
    call()
    once = _most(time.perf_counter() - begin)
    found = float("inf")
    for _ in range(max(fewest, min(2000, int(seconds / once)))):
        begin = time.perf_counter()
        call()
        found = min(found, time.perf_counter() - begin)
    return _most(found)


def _most(seconds: float) -> float:
    return float(np.max(multihost_utils.process_allgather(np.float64(seconds))))


def sums(mesh: Mesh, size: int) -> float:
    """The least seconds of a sum of so many bytes of each process."""
    whole = NamedSharding(mesh, Spec(AXIS))
    own = np.ones((1, size // 4), np.float32)
    x = jax.make_array_from_process_local_data(whole, own)
    summed = jax.jit(
        jax.shard_map(
            partial(jax.lax.psum, axis_name=AXIS), mesh=mesh, in_specs=Spec(AXIS), out_specs=Spec()
        )
    )
    return least(lambda: summed(x).block_until_ready(), 0.5)


def step(mesh: Mesh, name: str) -> float:
    """The least seconds of a training step."""
    import keras

    keras.utils.set_random_seed(1)
    model, case = keras_model(name, keras), CASES[name]
    rank, size = jax.process_index(), jax.process_count()
    everywhere, divided = NamedSharding(mesh, Spec()), NamedSharding(mesh, Spec(AXIS))
    part = slice(case.batch // size * rank, case.batch // size * (rank + 1))
    x, y = (jax.make_array_from_process_local_data(divided, a[part]) for a in examples(case))

    def held(variables: Any) -> list[Any]:
        values = [np.asarray(v.value) for v in variables]
        return [jax.make_array_from_process_local_data(everywhere, v, v.shape) for v in values]

    others = held(model.non_trainable_variables)

    def loss(weights: Any, x: Any, y: Any) -> Any:
        logits, _ = model.stateless_call(weights, others, x, training=True)
        picked = jax.nn.log_softmax(logits)[np.arange(case.batch), y]
        return -picked.mean()

    @partial(jax.jit, donate_argnums=0, out_shardings=everywhere)
    def once(weights: Any, x: Any, y: Any) -> Any:
        gradients = jax.grad(loss)(weights, x, y)
        return [w - RATE * g for w, g in zip(weights, gradients, strict=True)]

    state = [held(model.trainable_variables)]

    def call() -> None:
        state[0] = jax.block_until_ready(once(state[0], x, y))

    return least(call, 2.0, 20)


def main(what: str, *arguments: str) -> None:
    address = f"{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(address, size, rank)
    mesh = Mesh(np.array(jax.devices()), (AXIS,))
    if what == "sums":
        found: Any = {f"jax {size}": sums(mesh, int(size)) for size in arguments}
    else:
        found = {"seconds": step(mesh, arguments[0])}
    if rank == 0:
        print(json.dumps(found), flush=True)
    jax.distributed.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
