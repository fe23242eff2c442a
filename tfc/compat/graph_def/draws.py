"""Random numbers that follow from a seed: by a key and a counter, which follow from it first."""

from __future__ import annotations

import tfc as tf

from .attributes import unimplemented
from .bodies import Node
from .running import Run, Values, handles


@handles("StatelessRandomGetKeyCounter")
def _key(run: Run, node: Node, inputs: Values) -> Values:
    (seed,) = inputs
    key, counter = tf.raw_ops.StatelessRandomGetKeyCounter(seed=seed)
    run.host.seeds[id(key)] = key, seed
    return [key, counter]


_DRAWS = {
    "StatelessRandomNormalV2": "StatelessRandomNormal",
    "StatelessRandomUniformFullIntV2": "StatelessRandomUniformFullInt",
    "StatelessRandomUniformIntV2": "StatelessRandomUniformInt",
    "StatelessRandomUniformV2": "StatelessRandomUniform",
    "StatelessTruncatedNormalV2": "StatelessTruncatedNormal",
}


@handles(*_DRAWS)
def _drawn(run: Run, node: Node, inputs: Values) -> Values:
    shape, key, _, _, *bounds = inputs
    _, seed = run.host.seeds.get(id(key), (None, None))
    if seed is None:
        raise unimplemented(f"{node.name} draws by a key that comes from no seed of its function")
    draw = getattr(tf.raw_ops, _DRAWS[node.op])
    if bounds:
        low, high = bounds
        return [draw(shape=shape, seed=seed, minval=low, maxval=high)]
    return [draw(shape=shape, seed=seed, dtype=node.get("dtype", tf.float32))]


__all__: list[str] = []
