"""New values of Variables in the place of the old: who holds an old value keeps it, calls that fail
and other threads see no half of one, and bits do not depend on whose memory it is."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.backends.cpu.runtime import runtime
from tfc.backends.cpu.runtime.state import STATE

Array = np.ndarray[Any, Any]


def address(variable: Any) -> int:
    return int(variable._array.__array_interface__["data"][0])


def overwritten(f: Any, *arguments: Any) -> int:
    """How many Variables the trace for these arguments may overwrite."""
    spec = f.get_concrete_function(*arguments).compiled.program.spec
    return len(spec.donations)


def random(*shape: int) -> Array:
    rng = np.random.default_rng(sum(shape) + 7 * len(shape))
    return rng.standard_normal(shape).astype(np.float32)


def counter(size: int = 10) -> tuple[Any, Any]:
    """A Variable whose value is in memory of its own, and a function that adds 1 to it."""
    v = tf.Variable(tf.zeros([size]))

    @tf.function
    def step() -> None:
        v.assign_add(tf.ones([size]))

    step()
    return v, step


@pytest.mark.parametrize("size", [10, 100_000])
def test_the_memory_stays(size: int) -> None:
    v, step = counter(size)
    step()
    before = address(v)
    for _ in range(3):
        step()
        assert address(v) == before
    assert v.numpy().tolist() == [5.0] * size
    assert step.get_concrete_function().memory_analysis().updates == 0


# ---- who holds an old value ----


def _export(v: Any) -> Any:
    return memoryview(v._array)


def _view(v: Any) -> Any:
    return v._array[2:]


def _reshaped(v: Any) -> Any:
    return tf.reshape(v, [2, -1])


HOLDERS: list[Callable[[Any], Any]] = [
    lambda v: v.read_value(),
    lambda v: v.value(),
    lambda v: tf.identity(v),
    lambda v: v[3:5],
    lambda v: np.asarray(v),
    lambda v: v.numpy(),
    lambda v: tf.Variable(v),
    lambda v: np.from_dlpack(v.value()),
    lambda v: tf.experimental.dlpack.to_dlpack(v.value()),
    lambda v: tf.convert_to_tensor(v),
    _export,
    _view,
    _reshaped,
]


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("size", [10, 20_000])
def test_old_values_stay(holder: Callable[[Any], Any], size: int) -> None:
    v, step = counter(size)
    step()
    held = holder(v)
    step()
    step()
    if type(held).__name__ == "PyCapsule":
        held = tf.experimental.dlpack.from_dlpack(held)
    assert set(np.asarray(held).ravel().tolist()) == {2.0}
    assert v.numpy().tolist() == [4.0] * size


def test_a_tape_keeps_what_it_read() -> None:
    v, step = counter()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v * v * v)
        step()
        step()
    assert tape.gradient(y, v).numpy().tolist() == [3.0] * 10  # at 1, where it was read
    assert v.numpy().tolist() == [3.0] * 10


def test_a_function_that_gives_the_old_value() -> None:
    v = tf.Variable(tf.zeros([10]))

    @tf.function
    def both() -> Any:
        old = v.read_value()
        v.assign_add(tf.ones([10]))
        return old, tf.reshape(old, [2, 5])

    assert overwritten(both) == 0
    for k in range(3):
        old, reshaped = both()
        assert set(old.numpy().tolist()) == {float(k)} == set(reshaped.numpy().ravel().tolist())


def test_the_same_value_as_an_argument() -> None:
    v = tf.Variable(random(10))

    @tf.function
    def step(x: Any) -> None:
        v.assign(v + tf.reverse(x, [0]))

    for _ in range(3):
        old = v.numpy()
        step(v.value())
        assert (v.numpy() == old + old[::-1]).all()


def test_two_variables_with_one_value() -> None:
    start = tf.zeros([10])
    v, w = tf.Variable(start), tf.Variable(start)

    @tf.function
    def step() -> None:
        v.assign(v + 1.0)
        w.assign(w - 1.0)

    step()
    assert set(v.numpy()) == {1.0} and set(w.numpy()) == {-1.0} and set(start.numpy()) == {0.0}
    w.assign(v)
    step()
    assert set(v.numpy()) == {2.0} and set(w.numpy()) == {0.0}

    @tf.function
    def swap() -> None:
        old = v.read_value()
        v.assign(w)
        w.assign(old + 0.5)

    for _ in range(3):
        swap()
    assert set(v.numpy()) == {0.5} and set(w.numpy()) == {3.0}


# ---- what reads the old value after the new one is written ----


def _sgd(v: Any, w: Any, x: Any) -> Any:
    w.assign_sub(0.1 * tf.matmul(x, v, transpose_a=True))
    return tf.reduce_sum(w)


def _momentum(v: Any, w: Any, x: Any) -> Any:
    v.assign(0.9 * v + 0.1 * x)
    w.assign_sub(0.01 * tf.matmul(v, v, transpose_a=True)[: w.shape[0]])
    return tf.reduce_mean(v) + w[0, 0]


def _reversed(v: Any, w: Any, x: Any) -> Any:
    v.assign(tf.reverse(v, [1]) + x)
    w.assign(tf.transpose(tf.transpose(w) * 2.0) - 1.0)
    return v[0, 0]


def _neighbours(v: Any, w: Any, x: Any) -> Any:
    v.assign(v + tf.roll(v, 1, 1) * x)
    w.assign_add(tf.reduce_sum(w, 0, keepdims=True))
    return v[-1, -1]


def _rows(v: Any, w: Any, x: Any) -> Any:
    v.assign(tf.nn.softmax(v) - x)
    w.assign(w / tf.norm(w, axis=1, keepdims=True))
    return v[0]


def _crossed(v: Any, w: Any, x: Any) -> Any:
    old = v.read_value()
    v.assign(x * 0.5)
    return old + v + tf.reduce_sum(w)


def _loop(v: Any, w: Any, x: Any) -> Any:
    for i in tf.range(4):
        v.assign(v * 0.5 + tf.reverse(v, [0]) * x)
        w.assign_add(tf.cast(i, tf.float32) * tf.ones_like(w))
    return v[0]


def _loop_and_old(v: Any, w: Any, x: Any) -> Any:
    old = v.read_value()
    i = tf.constant(0)
    while i < 3:
        v.assign(tf.matmul(v, w, transpose_b=True)[:, : x.shape[1]] + old)
        i += 1
    return v[0]


def _scattered(v: Any, w: Any, x: Any) -> Any:
    rows = tf.constant([0, 1, 0])
    w.scatter_add(tf.IndexedSlices(w[:3] * 2.0, rows))
    v.assign(tf.tensor_scatter_nd_update(v, [[1], [2]], v[:2]))
    return w[0]


def _branch(v: Any, w: Any, x: Any) -> Any:
    if tf.reduce_sum(x) > 1e9:
        v.assign(v + 1.0)
    else:
        v.assign(v - tf.reverse(v, [0]))
    return v[0]


STEPS = [
    *(_sgd, _momentum, _reversed, _neighbours, _rows, _crossed),
    *(_loop, _loop_and_old, _scattered, _branch),
]


def run(step: Any, rows: int, columns: int, hold: bool, symbolic: bool) -> list[Array]:
    """Three steps and what they give; with `hold` somebody holds every old value."""
    v, w = tf.Variable(random(rows, columns)), tf.Variable(random(columns, columns))
    specs = [tf.TensorSpec([None, None])] if symbolic else None
    compiled = tf.function(lambda x: step(v, w, x), input_signature=specs)
    x, held, found = tf.constant(random(rows, columns) * 0.25), [], []
    for _ in range(3):
        if hold:
            held.append((v.value(), w.value(), v.numpy(), w.numpy()))
        found.append(compiled(x).numpy())
    for a, b, *copies in held:
        assert a.numpy().tobytes() == copies[0].tobytes()
        assert b.numpy().tobytes() == copies[1].tobytes()
    return [*found, v.numpy(), w.numpy()]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("size", [(3, 5), (64, 33), (300, 40)])
def test_bits_do_not_depend_on_the_memory(step: Any, size: Sequence[int]) -> None:
    rows, columns = size
    overwriting = run(step, rows, columns, False, False)
    fresh = run(step, rows, columns, True, False)
    for a, b in zip(overwriting, fresh, strict=True):
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("step", [_momentum, _loop])
def test_sizes_that_are_not_known(step: Any) -> None:
    for a, b in zip(run(step, 9, 7, False, True), run(step, 9, 7, True, False), strict=True):
        assert a.tobytes() == b.tobytes()


def test_what_is_overwritten() -> None:
    v, w, x = tf.Variable(random(64, 33)), tf.Variable(random(33, 33)), tf.ones([64, 33])
    # (A signal may end a loop: what that writes is memory of its own.)
    expected = {_sgd: 1, _momentum: 2, _reversed: 1, _neighbours: 1, _crossed: 0, _loop: 0}
    for step, count in expected.items():
        f = tf.function(lambda x, step=step: step(v, w, x))
        assert overwritten(f, x) == count, step


def test_complex_numbers() -> None:
    v = tf.Variable(np.arange(20) * (1 + 2j))

    @tf.function
    def step() -> None:
        v.assign(v * (0.5 - 1j) + 1.0)

    expected = v.numpy()
    for _ in range(3):
        step()
        expected = expected * (0.5 - 1j) + 1.0
    assert np.allclose(v.numpy(), expected) and overwritten(step) == 1


# ---- calls that fail ----


def test_a_failing_check_leaves_all_as_it_was() -> None:
    v, w = tf.Variable(random(100)), tf.Variable(random(50))

    @tf.function
    def early(i: Any) -> Any:
        x = tf.gather(v, i)
        v.assign(v * 2.0)
        w.assign(w * 3.0)
        return x

    @tf.function
    def late(i: Any) -> Any:
        v.assign(v * 2.0)
        w.assign(w * 3.0)
        return tf.reduce_sum(tf.gather(v, i)) + tf.reduce_sum(w)

    good, bad = tf.constant([1, 2]), tf.constant([1, 200])
    for f in (early, late):
        f(good)
        f(good)
        old = v.numpy(), w.numpy()
        with pytest.raises(tf.errors.InvalidArgumentError, match="200"):
            f(bad)
        assert (v.numpy() == old[0]).all() and (w.numpy() == old[1]).all()
    assert overwritten(late, good) == 0


def test_a_failing_loop_leaves_all_as_it_was() -> None:
    v = tf.Variable(random(100))

    @tf.function
    def step(n: Any) -> None:
        for i in tf.range(n):
            v.assign(v + tf.gather(v, i))

    step(3)
    step(3)
    old = v.numpy()
    with pytest.raises(tf.errors.InvalidArgumentError):
        step(101)
    assert (v.numpy() == old).all()


@pytest.mark.parametrize("rows", [20, None])
def test_updates_of_rows_copy_no_table(rows: int | None) -> None:
    """Neither those of two tables whose indices depend on each other's rows, nor what is read in
    between; and an index that is wrong is found before anything is written."""
    first, second = tf.Variable(random(20, 3)), tf.Variable(random(30, 3))
    total = tf.Variable(tf.zeros([20, 3]))

    @tf.function(input_signature=[tf.TensorSpec([rows], tf.int32), tf.TensorSpec([rows], tf.int32)])
    def step(i: Any, j: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.gather(first, i) * tf.gather(second, j)) ** 2)
        one, two = tape.gradient(loss, [first, second])
        total.scatter_add(tf.IndexedSlices(one.values**2, one.indices))
        scale = tf.gather(tf.sqrt(total + 1.0), one.indices)
        first.scatter_sub(tf.IndexedSlices(one.values / scale, one.indices))
        second.scatter_sub(two)
        return loss

    i = tf.constant(np.arange(20) * 7 % 20, tf.int32)
    j = tf.constant(np.arange(20) * 11 % 30, tf.int32)
    step(i, j)
    places = [address(v) for v in (first, second, total)]
    step(i, j)
    assert places == [address(v) for v in (first, second, total)]
    before = [v.numpy() for v in (first, second, total)]
    for wrong in ((i, j + 20), (i + 3, j)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
            step(*wrong)
        for v, value in zip((first, second, total), before, strict=True):
            np.testing.assert_array_equal(v, value)


def test_without_memory_all_stays_as_it_was() -> None:
    v, w = tf.Variable(random(100)), tf.Variable(random(700, 700))

    @tf.function
    def step() -> Any:
        v.assign(v * 2.0)
        w.assign(w @ w)
        return w @ w @ w  # needs scratch memory

    step()
    old, where = (v.numpy(), w.numpy()), address(v)
    state, at = runtime._runtime().state, STATE.index("limit")
    limit, state[at] = state[at], 1000
    try:
        with pytest.raises(tf.errors.ResourceExhaustedError):
            step()
    finally:
        state[at] = limit
    assert (v.numpy() == old[0]).all() and (w.numpy() == old[1]).all() and address(v) == where
    step()
    assert (v.numpy() == old[0] * 2.0).all()


def test_without_memory_for_what_is_returned() -> None:
    # Each of the few allocations of a call fails once: it does nothing, or all, of its work.
    testcapi = pytest.importorskip("_testcapi")
    v, w = tf.Variable(random(10)), tf.Variable(random(20))

    @tf.function
    def step() -> Any:
        v.assign(v * 2.0)
        w.assign(w * 2.0)
        return tf.reduce_sum(v), tf.reduce_sum(w)

    step()
    call = step.get_concrete_function().entry
    for skipped in range(1, 12):
        old = v.numpy(), w.numpy()
        failed = False
        testcapi.set_nomemory(skipped, skipped + 1)
        try:
            call()
        except MemoryError:
            failed = True
        finally:
            testcapi.remove_mem_hooks()
        factor = 1.0 if failed else 2.0
        assert (v.numpy() == old[0] * factor).all() and (w.numpy() == old[1] * factor).all()


# ---- other code meanwhile ----


def test_python_code_inside_sees_whole_values() -> None:
    v = tf.Variable(tf.zeros([50_000]))
    seen = []

    @tf.function
    def step() -> None:
        v.assign_add(tf.ones([50_000]))
        tf.py_function(lambda: seen.append(v.numpy()), [], [])
        v.assign_add(tf.ones([50_000]))

    for _ in range(3):
        step()
    assert all(len(set(x.tolist())) == 1 for x in seen) and len(seen) == 3
    assert overwritten(step) == 0


def slow_counter() -> tuple[Any, Any]:
    """As `counter`; a call takes long, and others run meanwhile."""
    v = tf.Variable(tf.zeros([400_000]))

    @tf.function
    def step() -> None:
        v.assign_add(tf.exp(tf.sin(v) * 0.0))

    step()
    assert overwritten(step) == 1
    return v, step


READERS: list[Callable[[Any], Any]] = [
    lambda v: v.numpy(),
    lambda v: v.value().numpy(),
    lambda v: (v + 0.0).numpy(),
    lambda v: tf.function(lambda: v * 1.0)().numpy(),
]


@pytest.mark.parametrize("reader", READERS)
def test_other_threads_see_whole_values(reader: Callable[[Any], Any]) -> None:
    v, step = slow_counter()
    done = threading.Event()
    seen: list[Any] = []

    def look() -> None:
        while not done.is_set():
            x = reader(v)
            seen.append((x[0], x[200_000], x[-1]))

    thread = threading.Thread(target=look)
    thread.start()
    for _ in range(30):
        step()
    done.set()
    thread.join()
    assert all(len(set(values)) == 1 for values in seen) and seen


def test_two_threads_that_update() -> None:
    v, step = slow_counter()
    threads = [threading.Thread(target=lambda: [step() for _ in range(20)]) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    values = set(v.numpy().tolist())
    assert len(values) == 1 and 21 <= values.pop() <= 41


def test_assigned_by_another_thread_meanwhile() -> None:
    v = tf.Variable(tf.zeros([400_000]))

    @tf.function
    def step() -> None:
        v.assign_add(tf.ones([400_000]))

    step()
    done = threading.Event()

    def assign() -> None:
        while not done.is_set():
            v.assign(tf.fill([400_000], 7.0))

    thread = threading.Thread(target=assign)
    thread.start()
    for _ in range(200):
        step()
    done.set()
    thread.join()
    gc.collect()
    array = v._array
    alone = object()
    assert sys.getrefcount(array) == sys.getrefcount(alone) + 1  # the Variable
    assert array[0] == array[-1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*")
def test_a_fork_finds_whole_values() -> None:
    v = tf.Variable(tf.zeros([1_000_000]))

    @tf.function
    def step() -> None:
        v.assign_add(tf.ones([1_000_000]))

    step()
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            step()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if not child:
                x = v.numpy()
                os._exit(0 if x[0] == x[-1] else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        done.set()
        thread.join()


def test_a_variable_without_a_value() -> None:
    v = tf.Variable(1.0)
    del v._array
    with pytest.raises(AttributeError):
        v.numpy()


def test_a_slice_is_written_in_its_place() -> None:
    """Rows of a cache, one a call, and of one that a loop carries; a known divisor cannot fail."""
    cache, here = tf.Variable(tf.zeros([3, 40, 5])), tf.Variable(0)

    @tf.function
    def step(row: Any) -> Any:
        place = here % 4
        cache.assign(tf.experimental.dynamic_update_slice(cache, row, tf.stack([0, place, 0])))
        here.assign_add(1)
        return tf.reduce_sum(cache, [1, 2]) * tf.cast(place % 3, tf.float32)

    rows = [random(3, 1, 5) + i for i in range(6)]
    step(rows[0])
    before = address(cache)
    for row in rows[1:]:
        step(row)
        assert address(cache) == before
    assert overwritten(step, rows[0])
    wanted = np.zeros((3, 40, 5), np.float32)
    for i, row in enumerate(rows):
        wanted[:, i % 4] = row[:, 0]
    np.testing.assert_array_equal(cache.numpy(), wanted)
    kept = cache.read_value()
    step(rows[0])
    np.testing.assert_array_equal(kept.numpy(), wanted)


def test_a_slice_is_a_copy_where_the_old_value_is_read() -> None:
    @tf.function
    def both(x: Any, row: Any, start: Any) -> Any:
        y = tf.experimental.dynamic_update_slice(x * 2.0, row, start)
        return y, tf.experimental.dynamic_update_slice(y, row + 1.0, start + 1), x * 2.0 + y

    x, row = random(6, 7), random(2, 3)
    one, two, three = (np.asarray(v) for v in both(x, row, tf.constant([1, 9])))
    wanted = 2 * x
    wanted[1:3, 4:7] = row
    np.testing.assert_array_equal(one, wanted)
    np.testing.assert_array_equal(three, 2 * x + wanted)
    wanted[2:4, 4:7] = row + 1
    np.testing.assert_array_equal(two, wanted)
