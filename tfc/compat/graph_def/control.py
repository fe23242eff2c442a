"""Calls of functions, branches and loops, and TensorFlow 1's switches.

A branch of TensorFlow 1's stands in the graph itself: `Switch` sends a value to one of two sides,
and `Merge` takes it from whichever ran. Both sides are computed here, and a merge selects.
"""

from __future__ import annotations

from typing import Any

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.variable import Variable

from .attributes import unimplemented
from .bodies import Node
from .lists import TensorList
from .running import Run, Values, handles
from .sides import side_of, sides_of


@handles("PartitionedCall", "StatefulPartitionedCall")
def _called(run: Run, node: Node, inputs: Values) -> Values:
    return run.call(node["f"], inputs)


def _apart(values: Values) -> tuple[list[int], Values]:
    """The places of what control flow gives, and it: tensors, and what holds tensors."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor | TensorList)]
    return places, [v.array if isinstance(v := values[i], TensorList) else v for i in places]


def _together(places: list[int], found: Any, like: Values) -> Values:
    """What `_apart` has taken apart, with other tensors."""
    values = list(like)
    for place, value in zip(places, found, strict=True):
        before = values[place]
        values[place] = before.with_array(value) if isinstance(before, TensorList) else value
    return values


@handles("If", "StatelessIf", "Case", "StatelessCase")
def _branches(run: Run, node: Node, inputs: Values) -> Values:
    which, *arguments = inputs
    if node.op.endswith("If"):
        names = [node["else_branch"], node["then_branch"]]
        which = tf.raw_ops.ToBool(input=which)
    else:
        names = node["branches"]
    results: list[Values] = []
    taken: list[list[int]] = []

    def branch(name: str) -> Any:
        def call() -> Any:
            values = run.call(name, arguments)
            places, tensors = _apart(values)
            results.append(values)
            taken.append(places)
            return tensors

        return call

    if node.op.endswith("If"):
        found = tf.cond(which, branch(names[1]), branch(names[0]))
    else:
        found = tf.switch_case(which, [branch(name) for name in names])
    first = results[0]
    for values, places in zip(results, taken, strict=True):
        others = [
            (a, b) for i, (a, b) in enumerate(zip(first, values, strict=True)) if i not in places
        ]
        if places != taken[0] or any(a is not b for a, b in others):
            raise unimplemented(f"branches of {node.name} give different Variables or tables")
    single = isinstance(found, Tensor | tf.TensorArray)
    return _together(taken[0], [found] if single else list(found), first)


@handles("While", "StatelessWhile")
def _loop(run: Run, node: Node, inputs: Values) -> Values:
    condition, body = node["cond"], node["body"]
    places, tensors = _apart(inputs)
    shapes = node.get("output_shapes") or []
    invariants: list[Any] = []
    for place, tensor in zip(places, tensors, strict=True):
        said: Any = shapes[place] if len(shapes) == len(inputs) else None
        fits = isinstance(tensor, Tensor) and said is not None and said.rank is not None
        invariants.append(said if fits and said.is_compatible_with(tensor.shape) else None)

    def lasts(*carried: Any) -> Any:
        (holds,) = run.call(condition, _together(places, carried, inputs))
        return tf.raw_ops.ToBool(input=holds)

    def once(*carried: Any) -> Any:
        before = _together(places, carried, inputs)
        after = run.call(body, before)
        now, values = _apart(after)
        others = [i for i in range(len(inputs)) if i not in places]
        if now != places or any(after[i] is not before[i] for i in others):
            raise unimplemented(f"the loop {node.name} changes which Variables or tables it uses")
        return values

    given = [
        i if i is not None else (t.shape if isinstance(t, Tensor) else None)
        for i, t in zip(invariants, tensors, strict=True)
    ]
    stated = all(g is not None for g in given)
    found = tf.while_loop(lasts, once, tensors, shape_invariants=given if stated else None)
    return _together(places, found, inputs)


# TensorFlow 1's branches.


@handles("Switch", "RefSwitch")
def _switch(run: Run, node: Node, inputs: Values) -> Values:
    return [inputs[0], inputs[0]]


@handles("Merge", "RefMerge")
def _merge(run: Run, node: Node, inputs: Values) -> Values:
    if len(inputs) != 2:
        raise unimplemented(f"{node.name} merges {len(inputs)} values, not 2")
    ways = [side_of(run, ref.node, ref.number, ref.output) for ref in node.inputs]
    apart = [k for k in ways[0] if k in ways[1] and ways[0][k][1] != ways[1][k][1]]
    if not apart:
        raise unimplemented(f"{node.name} merges what no Switch has parted")
    key = apart[-1]
    predicate, first = ways[0][key]
    run.sides[node.name] = {
        k: v for k, v in ways[0].items() if k in ways[1] and ways[1][k][1] == v[1]
    }
    on_true, on_false = inputs if first else reversed(inputs)
    if isinstance(on_true, Variable) and on_true is on_false:
        return [on_true, tf.constant(0)]
    found = tf.cond(predicate, lambda: tf.identity(on_true), lambda: tf.identity(on_false))
    index = tf.where(predicate, 0 if first else 1, 1 if first else 0)
    return [found, tf.cast(index, tf.int32)]


@handles("Assert")
def _assert(run: Run, node: Node, inputs: Values) -> Values:
    holds, *data = inputs
    for predicate, side in sides_of(run, node).values():
        met = tf.equal(predicate, side)
        holds = tf.logical_or(holds, tf.logical_not(met))
    tf.debugging.Assert(holds, data, node.get("summarize", 3))
    return []
