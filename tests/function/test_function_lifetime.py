"""Functions and what they are made of: instances, weak references, recursion, Variables made while
tracing, tensors that leak, threads and forks."""

from __future__ import annotations

import collections
import copy
import functools
import gc
import os
import pickle
import re
import subprocess
import sys
import threading
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tfc as tf
from tests import stress
from tfc.backends.cpu.runtime import runtime
from tfc.core.context import context
from tfc.core.locks import ForkLock
from tfc.dispatch.execution import compile_function
from tfc.ir import parse

pytestmark = pytest.mark.walks_heap

ROOT = Path(__file__).resolve().parents[2]
forking = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


@contextmanager
def no_collector() -> Iterator[None]:
    """What dies here dies by its last reference."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


# Instances.


class Model(tf.Module):
    def __init__(self, w: float) -> None:
        super().__init__()
        self.w = tf.Variable(w)

    @tf.function
    def call(self, x: Any, *, scale: float = 1.0) -> Any:
        """What it computes."""
        return x * self.w * scale


def test_an_instance_that_only_the_method_holds() -> None:
    one = tf.constant(1.0)
    assert float(Model(2.0).call(one)) == 2
    f = Model(3.0).call
    gc.collect()
    assert float(f(one)) == 3
    assert float(f(tf.constant([1.0]), scale=2.0)[0]) == 6


def test_methods_look_like_methods() -> None:
    a, b = Model(1.0), Model(2.0)
    assert a.call == a.call and a.call != b.call
    assert len({a.call, a.call, b.call}) == 2
    assert a.call.__name__ == "call" and a.call.__doc__ == "What it computes."
    assert "tfc.function call of" in repr(a.call)
    assert a.call.python_function(2.0, scale=3.0).numpy() == 6
    assert Model.call.__get__(a) == a.call
    assert tf.function(a.call) == a.call
    concrete = b.call.get_concrete_function(tf.TensorSpec([None]))
    assert [w is b.w for w in concrete.variables] == [True]
    assert b.call.experimental_get_tracing_count() == 1
    assert a.call.experimental_get_tracing_count() == 0


def test_a_copy_is_another_instance() -> None:
    one = tf.constant(1.0)
    a = Model(2.0)
    a.call(one)
    for b in (copy.copy(a), copy.deepcopy(a)):
        b.w = tf.Variable(5.0)
        assert float(b.call(one)) == 5
        assert float(a.call(one)) == 2
    assert not any("function" in name for name in vars(a))


def test_a_function_that_is_copied() -> None:
    """A copy traces for itself; what is traced is not copied with the addresses in it."""

    class Doubling:
        @tf.function
        def f(self, x: Any) -> Any:
            return x * 2

    x = tf.constant(3)
    f = tf.function(lambda x: x + 1)
    concrete = f.get_concrete_function(x)
    for copied in (copy.copy(f), copy.deepcopy(f), copy.deepcopy(concrete)):
        assert int(copied(x)) == int(copied(x)) == 4
    assert copy.deepcopy(f) is not f and f.experimental_get_tracing_count() == 1
    with pytest.raises((pickle.PicklingError, AttributeError), match="pickle"):
        pickle.dumps(f)
    # what is asked of a method keeps the instance until it has answered
    assert int(Doubling().f.get_concrete_function(x)(x)) == 6


def test_instances_without_weak_references() -> None:
    class Pair(NamedTuple):
        left: Any
        right: Any

        @tf.function
        def sum(self, scale: float) -> Any:
            return (self.left + self.right) * scale

    class Slots:
        __slots__ = ("w",)

        def __init__(self, w: float) -> None:
            self.w = w

        @tf.function
        def times(self, x: Any) -> Any:
            return x * self.w

    pair = Pair(tf.constant(1.0), tf.constant(2.0))
    assert float(pair.sum(2.0)) == 6
    assert [float(Slots(w).times(tf.constant(2.0))) for w in (1.0, 3.0)] == [2, 6]


def test_inherited_and_overridden_methods() -> None:
    class Child(Model):
        @tf.function
        def call(self, x: Any, *, scale: float = 1.0) -> Any:
            return super().call(x, scale=scale) + 1.0

    one = tf.constant(1.0)
    child = Child(2.0)
    assert float(child.call(one)) == 3
    assert float(child.call(one, scale=3.0)) == 7
    assert float(Model.call(child, one)) == 2


def test_class_and_static_methods() -> None:
    class Tools:
        @staticmethod
        @tf.function
        def double(x: Any) -> Any:
            return x * 2.0

        @classmethod
        @tf.function
        def named(cls, x: Any) -> Any:
            return x * float(len(cls.__name__))

    one = tf.constant(1.0)
    assert float(Tools.double(one)) == float(Tools().double(one)) == 2
    assert float(Tools.named(one)) == 5


def test_other_callables() -> None:
    class Scaled:
        def __call__(self, x: Any) -> Any:
            return x * 2.0

    def power(x: Any, n: int) -> Any:
        return x**n

    one = tf.constant(3.0)
    doubled, cubed = tf.function(Scaled()), tf.function(functools.partial(power, n=3))
    assert float(doubled(one)) == 6 and float(cubed(one)) == 27
    assert [f.name for f in (doubled, cubed, tf.function(tf.exp))] == ["Scaled", "power", "exp"]
    assert float(tf.function(tf.exp)(tf.constant(0.0))) == 1


# What dies with what.


def test_models_and_functions_die_by_their_last_reference() -> None:
    with no_collector(), pytest.warns(RuntimeWarning, match="because of model"):
        assert [r() for r in stress.models(20)] == [None] * 40
        assert [r() for r in stress.functions(20)] == [None] * 40


def test_thousands_of_models_leave_nothing() -> None:
    with no_collector():
        stress.models(150)
        stress.functions(150)
    with stress.growth() as grown:
        assert not any(r() for r in stress.models(500, size=4096))
        assert not any(r() for r in stress.functions(500))
        gc.collect()
    assert grown() < 16 * stress.MB


def test_memory_is_flat_over_calls_errors_and_retraces() -> None:
    stress.calls(300), stress.raising(300), stress.retraces(60)
    with stress.growth() as grown:
        stress.calls(10_000), stress.raising(2_000), stress.retraces(200)
        gc.collect()
    assert grown() < 12 * stress.MB


def test_arguments_are_not_kept_alive() -> None:
    f = tf.function(lambda x, d, m: x * d["w"])
    x, w, m = tf.ones([100]), tf.ones([100]), Model(1.0)
    array = np.ones(100, np.float32)
    f(x, {"w": w}, m), f(array, {"w": w}, m)
    references = [weakref.ref(t) for t in (x, w, m, m.w)]
    with no_collector():
        del x, w, m
        assert [r() for r in references] == [None] * 4


def test_an_equal_id_is_not_an_equal_object() -> None:
    """Objects that are made and dropped often have the id of one that is gone."""

    class Scale:
        def __init__(self, value: float) -> None:
            self.value = value

    f = tf.function(lambda x, scale: x * scale.value)
    g = tf.function(lambda x, module: x * module.w)
    one = tf.constant(1.0)
    with pytest.warns(RuntimeWarning, match="another object"):
        for i in range(40):
            assert float(f(one, Scale(float(i)))) == i
            assert float(g(one, module=Model(float(i)))) == i


def test_old_traces_go() -> None:
    from tfc.function import traces

    limit, traces._MAX_TRACES = traces._MAX_TRACES, 20
    try:
        f = tf.function(lambda x, n: x + n)
        with pytest.warns(RuntimeWarning, match="because of n"):
            for n in (*range(90), *range(90)):
                assert int(f(tf.constant(1), n)) == n + 1
        assert len(f.pretty_printed_concrete_signatures().split("\n\n")) == 20
        assert f.experimental_get_tracing_count() > 90
    finally:
        traces._MAX_TRACES = limit


def test_python_values_that_are_equal_and_not_the_same() -> None:
    """What goes to one native dispatcher is one signature."""
    f = tf.function(lambda x, v: x * 1.0 if isinstance(v, bool) else x * float(v) + 1.0)
    x = tf.constant(2.0)
    for _ in range(3):
        assert [float(f(x, v)) for v in (True, 1, 1.0, 2, np.float32(3))] == [2, 3, 3, 5, 7]
        assert [float(f(v=v, x=x)) for v in (True, 1, 1.0, 2)] == [2, 3, 3, 5]
    g = tf.function(lambda x, v: tf.math.divide_no_nan(x, x) / v)
    for _ in range(2):
        assert [float(g(x, v=v)) for v in (0.0, -0.0)] == [np.inf, -np.inf]


def test_keywords_in_any_order() -> None:
    f = tf.function(lambda a, b, *rest, c, **more: (a - b) * c + sum(rest) - more.get("d", 0.0))
    a, b, c, d = (tf.constant(float(i)) for i in (7, 2, 3, 1))
    for _ in range(3):
        assert float(f(a, b, c=c)) == float(f(b=b, a=a, c=c)) == float(f(c=c, b=b, a=a)) == 15
        assert float(f(a, b, d, c=c, d=d)) == float(f(a, b, d, d=d, c=c)) == 15
        assert float(f(c=a, a=c, b=b)) == 7
        assert float(f(a, c=np.float32([3.0])[0], b=2.0)) == 15
    with pytest.raises(TypeError, match=r"unexpected keyword|missing.*test_function_lifetime"):
        f(a, c=c)
    e = tf.Variable(4.0)
    assert float(f(e, b, c=c)) == 6
    e.assign(5.0)
    assert float(f(e, b, c=c)) == 9


# Equal functions share a program.


def test_shared_programs_keep_what_is_their_own() -> None:
    """One program for many functions: not their captures, Variables and literals."""

    def make(scale: Any, large: Any, v: Any) -> Any:
        return tf.function(lambda x: (v.assign_add(x), large * scale)[1])

    x = tf.constant(1.0)
    fs, vs = [], []
    for i in range(4):
        large = tf.constant(np.arange(64, dtype=np.float32) + i)
        vs.append(tf.Variable(float(10 * i)))
        fs.append(make(tf.constant(float(i + 1)), large, vs[-1]))
    for i, f in enumerate(fs):
        assert f(x).numpy().tolist() == [(k + i) * (i + 1) for k in range(64)]
    assert [float(v) for v in vs] == [1, 11, 21, 31]
    wide = make(tf.Variable(2.0), tf.constant(np.ones(64, np.float32)), vs[0])
    other = make(tf.Variable(3.0), tf.constant(np.ones(64, np.float32)), vs[0])
    assert [float(f(x)[0]) for f in (wide, other, wide)] == [2, 3, 2]


def test_shared_programs_keep_their_lines_and_names() -> None:
    def first(x: Any, i: Any) -> Any:
        return tf.gather(x, i)

    def second(x: Any, i: Any) -> Any:
        return tf.gather(x, i)

    lines = []
    for f in (first, second, first):
        compiled = tf.function(f)
        with pytest.raises(tf.errors.InvalidArgumentError, match="index 9") as caught:
            compiled(tf.ones([3]), tf.constant([9]))
        lines.append(caught.value.location.line - f.__code__.co_firstlineno)
        assert f"func @{f.__name__}(" in compiled.get_concrete_function(
            tf.ones([3]), tf.constant([9])
        ).ir("traced")
    assert lines == [1, 1, 1]


def test_shared_programs_keep_the_names_of_variables() -> None:
    """Those of an optimizer differ for each model, which shall not compile anew for it."""
    x = tf.constant([1.0, -1.0])
    kept = []
    for name in ("first", "second"):
        v = tf.Variable(3.0, name=name)
        f = tf.function(lambda x, v=v: x * v)
        assert f(x)[0] == 3.0
        kept.append((v, f, f.get_concrete_function(x)))
    for v, _, concrete in kept:
        for stage in ("traced", "optimised", "kernels"):
            text = concrete.ir(stage)
            assert f"%{v.name[:-2]}: f32" in text and ("first" in text) != ("second" in text)
    assert kept[1][2].cost.cache == "shared"
    assert kept[0][2].ir("llvm") == kept[1][2].ir("llvm")


def test_shared_programs_of_two_parts_keep_names() -> None:
    """The size of a result depends on data."""
    masked = tf.function(lambda x, v: tf.boolean_mask(x * v, x > 0.0) * v)
    text = masked.get_concrete_function(tf.ones([2]), tf.ones([])).ir("traced")
    kept = [compile_function(parse(text.replace("%v", f"%{name}"))) for name in ("v", "second")]
    assert kept[1].cache == "shared"
    for stage in ("traced", "optimised", "kernels"):
        own, other = (program.text(stage) for program in kept)
        assert "second" not in own and other.split() == own.replace("%v", "%second").split()


def test_zeros_of_either_sign_are_no_equal_programs() -> None:
    def make(value: float) -> Any:
        return tf.function(lambda x: 1.0 / (x * 0.0 + value))

    x = tf.constant(-1.0)
    assert [float(make(v)(x)) for v in (0.0, -0.0, 0.0)] == [np.inf, -np.inf, np.inf]
    padded = [
        tf.function(lambda x, c=c: 1.0 / tf.pad(x, [[0, 1]], constant_values=c))
        for c in (0.0, -0.0)
    ]
    assert [float(f(tf.ones([1]))[1]) for f in padded] == [np.inf, -np.inf]


# Recursion.


def test_recursion_on_python_values() -> None:
    @tf.function
    def factorial(n: int) -> Any:
        return tf.constant(1) if n <= 1 else n * factorial(n - 1)

    assert int(factorial(6)) == 720

    @tf.function
    def total(x: Any) -> Any:
        return tf.constant(0.0) if x.shape[0] == 0 else x[0] + total(x[1:])

    assert float(total(tf.constant([1.0, 2.0, 3.0]))) == 6


def test_recursion_that_does_not_end() -> None:
    @tf.function
    def factorial(n: Any) -> Any:
        if n <= 1:
            return tf.constant(1)
        return n * factorial(n - 1)

    @tf.function
    def even(n: Any) -> Any:
        return tf.cond(n == 0, lambda: True, lambda: odd(n - 1))

    @tf.function
    def odd(n: Any) -> Any:
        return tf.cond(n == 0, lambda: False, lambda: even(n - 1))

    @tf.function
    def deeper(x: Any, n: int) -> Any:
        return deeper(x, n + 1)

    text = r"calls itself with the same signature while it is traced .*_lifetime\.py:\d+.*loop"
    for f in (factorial, even):
        with pytest.raises(RecursionError, match=text):
            f(tf.constant(3))
    with pytest.raises(RecursionError, match=r"too deep.*_lifetime\.py:\d+.*while_loop"):
        deeper(tf.constant(1.0), 0)
    assert context.functions == () and context.trace is None
    assert int(tf.function(lambda x: x + 1)(tf.constant(1))) == 2


# Variables made while tracing.


def test_variables_made_in_the_first_call() -> None:
    class Layer(tf.Module):
        w: Any = None
        b: Any = None
        traces = 0

        @tf.function
        def __call__(self, x: Any) -> Any:
            self.traces += 1
            if self.w is None:
                self.w = tf.Variable(tf.random.normal([3, 2]), name="w")
                self.b = tf.Variable(lambda: tf.zeros([2]))
            return x @ self.w + self.b

    tf.random.set_seed(3)
    layer = Layer()
    x = tf.ones([1, 3])
    y = layer(x)
    assert layer.traces == 2  # once more without making Variables, as in TensorFlow
    assert [v.name for v in (layer.w, layer.b)] == ["w:0", "Variable:0"]
    assert np.asarray(layer(x)).tobytes() == np.asarray(y).tobytes()
    wanted = tf.random.Generator.from_state([0, 0, 3]).normal([3, 2])  # the first draw of a trace
    assert np.asarray(layer.w).tobytes() == np.asarray(wanted).tobytes()
    layer.w.assign(tf.ones([3, 2]))
    assert layer(x).numpy().tolist() == [[3, 3]]


def test_what_is_drawn_for_a_first_value_is_not_drawn_again() -> None:
    class Layer(tf.Module):
        w: Any = None

        @tf.function
        def __call__(self) -> Any:
            if self.w is None:
                self.w = tf.Variable(tf.random.uniform([4]))
            return tf.random.uniform([4])

    tf.random.set_seed(None)
    layer = Layer()
    assert layer().numpy().tolist() != layer.w.numpy().tolist()


def test_variables_made_in_every_call() -> None:
    kept = []

    @tf.function
    def f(x: Any) -> Any:
        kept.append(tf.Variable(1.0))
        return kept[-1] + x

    text = (
        r"f: tf\.function only supports singleton tf\.Variables created on the first call.*"
        r"_lifetime\.py:\d+.*once: `if self\.v is None"
    )
    for _ in range(2):
        with pytest.raises(ValueError, match=text):
            f(tf.constant(1.0))

    @tf.function
    def g(x: Any, make: bool) -> Any:
        return tf.Variable(1.0) + x if make else x

    g(tf.constant(1.0), False)
    with pytest.raises(ValueError, match=text.replace("f:", "g:")):
        g(tf.constant(1.0), True)


@pytest.mark.parametrize("signature", [None, [tf.TensorSpec([None])]])
def test_a_variable_starts_from_the_first_calls_argument(signature: Any) -> None:
    class Sum:
        total: Any = None

        @tf.function(input_signature=signature)
        def add(self, x: Any) -> Any:
            if self.total is None:
                self.total = tf.Variable(tf.zeros(tf.shape(x)) + x * 2.0)
            return self.total.assign_add(x)

    total, x = Sum(), tf.constant([1.0, 2.0])
    assert total.add(x).numpy().tolist() == [3.0, 6.0]
    assert total.add(tf.constant([5.0, 5.0])).numpy().tolist() == [8.0, 11.0]
    assert x.numpy().tolist() == [1.0, 2.0]

    made: list[Any] = []
    tf.function(lambda x: None if made else made.append(tf.Variable(x)))(x)
    made[0].assign_add(x)
    assert x.numpy().tolist() == [1.0, 2.0]


def test_a_variable_cannot_start_from_what_no_call_gives() -> None:
    held: list[Any] = []
    f = tf.function(lambda x: held.append(tf.Variable(x)) if not held else None)
    text = r"cannot start from a traced tensor whose elements no call .*_lifetime\.py:\d+"
    with pytest.raises(ValueError, match=text):
        f.get_concrete_function(tf.TensorSpec([]))


# Tensors that leak.

LEAK: Any = None


@pytest.mark.usefixtures("thawed")
def test_leaks_name_where_they_were_made_and_kept() -> None:
    model = tf.Module()
    listed: list[Any] = []
    nested = {"deep": collections.OrderedDict()}  # type: ignore[var-annotated]
    closed = None

    @tf.function
    def f(x: Any) -> Any:
        global LEAK
        nonlocal closed
        y = x * 2.0
        model.h = LEAK = y  # type: ignore[attr-defined]
        listed.append(x)
        nested["deep"]["h"] = y + 1.0
        closed = y + 2.0
        return y

    f(tf.constant(1.0))
    line = f.python_function.__code__.co_firstlineno + 4
    both = "'h' of a Mod|the global 'LEAK' of .*lifetime"  # which is found first is the collector's
    cases = [
        (lambda: LEAK + 1.0, tf.errors.InaccessibleTensorError, f":{line} by mul", both),
        (lambda: listed[0] + 1.0, tf.errors.InaccessibleTensorError, "argument of f", "'listed'"),
        (
            lambda: tf.exp(nested["deep"]["h"]),
            tf.errors.InaccessibleTensorError,
            f":{line + 3} by add",
            "a OrderedDict, a dict, the variable 'nested'",
        ),
        (lambda: closed.numpy(), AttributeError, f":{line + 4} by add", "'closed' around"),
        (lambda: float(closed), TypeError, "while f was traced", "'closed' around"),
        (lambda: bool(closed), TypeError, "while f was traced", "'closed' around"),
        (lambda: np.asarray(closed), NotImplementedError, "while f was traced", "'closed'"),
    ]
    for use, error, made, kept in cases:
        with pytest.raises(error, match="is out of scope and cannot be used here") as caught:
            use()  # type: ignore[no-untyped-call]
        text = str(caught.value)
        assert made in text and re.search(kept, text.partition("It was kept in ")[2])
        assert f"test_function_lifetime.py:{use.__code__.co_firstlineno}" in text
    del model.h  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"kept in the global 'LEAK' of .*lifetime\."):
        LEAK.numpy()
    del globals()["LEAK"]


def test_what_to_do_instead() -> None:
    def text(use: Any) -> str:
        with pytest.raises((AttributeError, TypeError)) as caught:
            tf.function(use, autograph=False)(tf.constant(1.0))
        return str(caught.value)

    assert "Return it, and call .numpy() on what the function gives" in text(lambda x: x.numpy())
    assert "use tfc.cast(x, tfc.int32)" in text(lambda x: int(x))
    assert "use tfc.cast(x, tfc.float32)" in text(lambda x: float(x))
    assert "tfc.cond, tfc.while_loop or tfc.where" in text(lambda x: 1 if x else 2)


# Threads and forks.


def test_many_threads() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        assert stress.threads(8, 5) == []
    assert context.trace is None and runtime.watched() == (0, 0)


def test_threads_trace_a_signature_once() -> None:
    traces: list[int] = []
    gate = threading.Barrier(6)

    @tf.function
    def f(x: Any) -> Any:
        traces.append(1)
        return x * 2.0

    def work() -> None:
        gate.wait()
        f(tf.ones([3]))

    running = [threading.Thread(target=work) for _ in range(6)]
    for t in running:
        t.start()
    for t in running:
        t.join()
    assert len(traces) == 1


@forking
def test_forks() -> None:
    """In a process of its own, since other tests leave threads."""
    script = "from tests import stress; import sys; sys.exit(len(stress.forks(8)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=ROOT, timeout=300, check=False
    )
    assert done.returncode == 0


@forking
def test_a_fork_frees_what_other_threads_held() -> None:
    lock, own = ForkLock(), ForkLock()
    held, go = threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            go.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(60)
    with own:
        child = os.fork()
        if child == 0:
            with lock, lock, own:
                os._exit(7)
        assert stress._wait(child, 60.0) == 7
    go.set()
    thread.join()
    with lock, own:
        pass
