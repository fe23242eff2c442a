"""Queues: orders, waiting, closing, and what does not fit."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import tfc as tf

Q = tf.queue


def drained(queue: Any) -> list[Any]:
    return [queue.dequeue().numpy().tolist() for _ in range(int(queue.size()))]


def test_orders() -> None:
    queue = Q.FIFOQueue(10, tf.int32)
    queue.enqueue(7)
    queue.enqueue_many([1, 2, 3])
    assert int(queue.size()) == 4 and drained(queue) == [7, 1, 2, 3]
    shuffled = [Q.RandomShuffleQueue(99, 0, tf.int32, seed=3) for _ in range(2)]
    for q in shuffled:
        q.enqueue_many(tf.range(50))
    first, second = map(drained, shuffled)
    assert first == second != sorted(first) and sorted(first) == list(range(50))
    ranked = Q.PriorityQueue(9, tf.float32)
    for number in (3, 1, 2, 1):
        ranked.enqueue((number, float(number)))
    assert [float(ranked.dequeue()[1]) for _ in range(4)] == [1, 1, 2, 3]


def test_many_at_once() -> None:
    queue = Q.FIFOQueue(10, tf.int32, shapes=tf.TensorShape(2))
    for i in range(5):
        queue.enqueue([i, -i])
    assert queue.dequeue_many(2).numpy().tolist() == [[0, 0], [1, -1]]
    assert queue.dequeue_many(0).shape == (0, 2)
    queue.close()
    assert queue.dequeue_up_to(9).numpy().tolist() == [[2, -2], [3, -3], [4, -4]]
    with pytest.raises(tf.errors.OutOfRangeError, match="closed and has insufficient"):
        queue.dequeue_up_to(1)
    padded = Q.PaddingFIFOQueue(9, [tf.int32, tf.float32], [[None], []])
    padded.enqueue(([1, 2, 3], 0.5))
    padded.enqueue(([4], 1.5))
    rows, numbers = padded.dequeue_many(2)
    assert rows.numpy().tolist() == [[1, 2, 3], [4, 0, 0]] and numbers.numpy().tolist() == [
        0.5,
        1.5,
    ]
    named = Q.FIFOQueue(9, [tf.int32, tf.string], names=["i", "s"])
    named.enqueue({"i": 1, "s": "a"})
    assert named.dequeue()["s"].numpy() == b"a" and named.names == ["i", "s"]


def test_threads_wait_for_each_other() -> None:
    queue, found = Q.FIFOQueue(2, tf.int32), []
    reader = threading.Thread(target=lambda: found.extend(int(queue.dequeue()) for _ in range(9)))
    reader.start()
    for i in range(9):  # more than there is room for
        queue.enqueue(i)
    reader.join(10)
    assert found == list(range(9))
    held = Q.RandomShuffleQueue(9, 2, tf.int32)
    held.enqueue_many([1, 2, 3])
    held.dequeue()
    waiting = threading.Thread(target=lambda: found.append(held.dequeue()), daemon=True)
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()  # two are left behind while it is open
    held.close()
    waiting.join(10)
    assert not waiting.is_alive() and int(held.size()) == 1


def test_functions_take_and_add() -> None:
    """In the order of the program, also in loops."""
    queue = Q.FIFOQueue(9, [tf.int32, tf.string], shapes=[[], []])

    @tf.function
    def work(n: Any) -> Any:
        for i in tf.range(n):
            queue.enqueue((i, tf.strings.as_string(i)))
        first, _ = queue.dequeue()
        numbers, texts = queue.dequeue_many(n - 1)
        return first, numbers, texts, queue.size(), queue.is_closed()

    first, numbers, texts, left, closed = work(tf.constant(4))
    assert int(first) == 0 and numbers.numpy().tolist() == [1, 2, 3] and not closed
    assert texts.numpy().tolist() == [b"1", b"2", b"3"] and int(left) == 0
    queue.close()
    with pytest.raises(tf.errors.OutOfRangeError, match="insufficient elements"):
        tf.function(lambda: queue.dequeue())()


def test_errors() -> None:
    queue = Q.FIFOQueue(1, tf.int32, shapes=[[2]])
    with pytest.raises(ValueError, match="incompatible"):
        queue.enqueue([[1, 2, 3]])
    with pytest.raises(ValueError, match="names to enqueue"):
        queue.enqueue({"a": 1})
    with pytest.raises(ValueError, match="shapes and 1 dtypes"):
        Q.FIFOQueue(1, tf.int32, shapes=[[1], [2]])
    with pytest.raises(ValueError, match=r"len\(names\)=2,len\(dtypes\)=1"):
        Q.FIFOQueue(1, tf.int32, names=["a", "b"])
    with pytest.raises(ValueError, match="must enqueue a dictionary in a Queue with names"):
        Q.FIFOQueue(1, tf.int32, names=["a"]).enqueue(1)
    with pytest.raises(ValueError, match="Keys in dictionary to enqueue do not match names"):
        Q.FIFOQueue(1, tf.int32, names=["a"]).enqueue({"b": 1})
    with pytest.raises(tf.errors.InvalidArgumentError, match="FIFOQueue's DequeueMany and Deq"):
        Q.FIFOQueue(1, tf.int32).dequeue_many(1)
    with pytest.raises(tf.errors.UnimplementedError, match="outside of functions"):
        tf.function(lambda: Q.FIFOQueue(1, tf.int32).size())()
    assert not queue.is_closed().numpy()
    queue.close()
    assert queue.is_closed().numpy()
    with pytest.raises(tf.errors.CancelledError, match="is closed"):
        queue.enqueue([1, 2])
    with pytest.raises(tf.errors.OutOfRangeError):
        queue.dequeue()
