"""`overlap` lets sums over processes go on while the program computes what comes after them.

    a = ...; b = ...; x, y = all_reduce(a, b); f(x); g(y)

becomes, where `b` alone is a bucket,

    b = ...; t = start(b); a = ...; u = start(a); y = wait(t); x = wait(u); f(x); g(y)

An `all_reduce` of many values is cut into buckets of at least so many bytes as it says, from its
last value on: gradients come in the opposite order of the Variables. What is a bucket depends on
the list alone, and buckets leave in their order, so that all processes exchange the same. Each
leaves as soon as its last value is computed, and is waited for where one of its results is first
read. Nothing goes before an effect that it followed. What is computed element by element (a
gradient that is scaled, say) moves up to what it is computed from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..copying import copy_op, name_like
from ..core import Builder, Function, Op, Value
from ..extent import product
from ..journal import Did
from ..liveness import effectful
from ..ops.collective import AllReduce, AllReduceStart, AllReduceWait
from ..ops.elementwise import Elementwise
from ..ops.shape import Broadcast, Constant, Reshape
from ..value_classes import NamedTuple


class _Bucket(NamedTuple):
    op: AllReduce
    places: list[int]  # of the op's values, in their order

    @property
    def values(self) -> tuple[Value, ...]:
        return tuple(self.op.values[i] for i in self.places)

    @property
    def results(self) -> tuple[Value, ...]:
        return tuple(self.op.results[i] for i in self.places)


def overlap(f: Function) -> Function:
    """Let sums over processes go on while the program does."""
    if AllReduce not in f.op_classes:
        return f
    whole = {op: _buckets(op) for op in f.body if isinstance(op, AllReduce) and op.bucket}
    split: dict[Op, list[_Bucket]] = {op: each for op, each in whole.items() if len(each) > 1}
    if not split:
        return f
    starts = _places(f, split)
    b = Builder(f.name)
    params = [b.parameter(p.type, p.name) for p in f.params]
    env: dict[Value, Value] = dict(zip(f.params, params, strict=True))
    tickets: dict[tuple[Op, int], Value] = {}
    of_result = {v: each for buckets in split.values() for each in buckets for v in each.results}

    def need(values: Iterable[Value]) -> None:
        for v in values:
            if v not in env and v.op is not None:
                bucket = of_result.get(v)
                emit(v.op) if bucket is None else wait(bucket)

    def emit(op: Op) -> None:
        if not op.results or op.results[0] not in env:
            need(op.operands)  # which move up
            copy_op(op, b, env)

    def start(bucket: _Bucket) -> None:
        need(bucket.values)
        b.location = bucket.op.location
        given = tuple(env[v] for v in bucket.values)
        begun = AllReduceStart(given, bucket.op.how, bucket.op.line)
        tickets[bucket.op, bucket.places[0]] = b.emit(begun)

    def wait(bucket: _Bucket) -> None:
        if bucket.results[0] in env:
            return
        b.location = bucket.op.location
        given = tuple(env[v] for v in bucket.values)
        made = b.emit_all(AllReduceWait(tickets[bucket.op, bucket.places[0]], given))
        name_like(made, bucket.results)
        env.update(zip(bucket.results, made, strict=True))

    for i, op in enumerate(f.body):
        if op not in split:
            emit(op)
        for bucket in starts.get(i, ()):
            start(bucket)
    for op, buckets in split.items():
        for bucket in buckets:
            wait(bucket)
        made = tuple(env[v] for v in op.results)
        b.note(op, Did.REPLACED, f"it leaves in {len(buckets)} buckets", made)
    returns = tuple(env[v] for v in f.returns)
    return Function(f.name, tuple(b.params), tuple(b.body), returns, f.notes)


def _buckets(op: AllReduce) -> list[_Bucket]:
    """The values, cut where so many bytes have come together; of sizes that nobody knows, any."""
    found: list[_Bucket] = []
    places: list[int] = []
    size = 0
    for i in range(len(op.values) - 1, -1, -1):
        places.append(i)
        elements = product(op.values[i].shape)
        size += op.values[i].dtype.itemsize * elements if isinstance(elements, int) else 0
        if size >= op.bucket or not i:
            found.append(_Bucket(op, places[::-1]))
            places, size = [], 0
    return found


def _places(f: Function, split: Mapping[Op, list[_Bucket]]) -> dict[int, list[_Bucket]]:
    """Behind which ops buckets leave."""
    ready: dict[Value, int] = {}
    starts: dict[int, list[_Bucket]] = {}
    floor = 0  # of what comes next: the last effect, and the last op that binds a symbol
    for i, op in enumerate(f.body):
        movable = isinstance(op, Elementwise | Broadcast | Constant | Reshape) and not op.effect
        ready.update(dict.fromkeys(op.results, _last(op.operands, ready) if movable else i))
        for bucket in split.get(op, ()):
            floor = max(floor, _last(bucket.values, ready))
            starts.setdefault(floor, []).append(bucket)
        if op not in split and (effectful(op) or op.binds()):
            floor = i
    return starts


def _last(values: Iterable[Value], ready: Mapping[Value, int]) -> int:
    return max([ready.get(v, -1) for v in values], default=-1)


__all__ = ["overlap"]
