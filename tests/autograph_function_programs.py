"""Functions, names and scopes as people write them, for the table of test_autograph.py."""

# ruff: noqa: F842  (what users write)
from __future__ import annotations

import contextlib
import functools

import tfc as tf
from tests.autograph_programs import V, program


def helper(x):
    if x > 0.0:
        return x * 2.0
    return x


def deep(x, n):
    if n == 0:
        return x
    if x > 1.0:
        x = x * 0.5
    return deep(x, n - 1)


@program(3.0, -3.0, slope=True)
def called_helpers(x):
    return helper(x) + deep(x, 3)


def doubling(f):
    @functools.wraps(f)
    def wrapped(*args, **kwargs):
        return f(*args, **kwargs) * 2.0

    return wrapped


@doubling
def decorated(x):
    if x > 0.0:
        x = x + 1.0
    return x


@program(3.0, -3.0)
def calls_decorated(x):
    return decorated(x)


@program(3.0, -3.0)
def nested_function(x):
    count = 0

    def inner(y):
        nonlocal count
        count += 1
        if y > 0.0:
            y = y - x
        return y

    return inner(x + 1.0) + inner(-x), count


@program(3.0, -3.0)
def nonlocal_in_branch(x):
    best = x

    def offer(y):
        nonlocal best
        if y > best:
            best = y

    offer(tf.constant(1.0, tf.float64))
    offer(x * x)
    return best


@program(3.0, -3.0)
def lambdas(x):
    choose = lambda y: y * 2.0 if y > 0.0 else y - 1.0  # noqa: E731
    return choose(x) + (lambda z: z if z > 1.0 and z < 5.0 else -z)(x)


class Counter:
    step = 2

    def __init__(self, limit):
        self.__limit = limit

    def __bounded(self, x):
        if x > self.__limit:
            x = x * 0.0 + self.__limit
        return x

    def run(self, x):
        for _ in range(2):
            x = self.__bounded(x * self.step)
        return x

    def __call__(self, x):
        return self.run(x) if x > 0.0 else self.__bounded(-x)

    @staticmethod
    def halve(x):
        if x > 1.0:
            return x / 2.0
        return x

    @classmethod
    def grow(cls, x):
        while x < 10.0:
            x = x * cls.step
        return x

    @property
    def limit(self):
        return self.__limit


@program(3.0, 0.25, -9.0, slope=True)
def methods_and_private_names(x):
    counter = Counter(5.0)
    return counter.run(x) + counter(x) + counter.limit


@program(3.0, 0.25)
def static_and_class_methods(x):
    return Counter.halve(x) + Counter.grow(x) + Counter(1.0).halve(x)


class Base:
    def scale(self, x):
        if x > 0.0:
            return x * 2.0
        return x


class Derived(Base):
    def scale(self, x):
        y = super().scale(x)
        if y > 4.0:
            y = y - 1.0
        return y

    def twice(self, x, doubled=True):
        if doubled:
            y = super().scale(x)
            while y < 9.0:
                y = super().scale(y) + self.scale(y)
        else:
            y = x
        return y if y > 0.0 else super().scale(y)


@program(3.0, 1.0, -1.0)
def calls_super(x):
    return Derived().scale(x)


@program(3.0, 1.0)
def calls_super_in_branches_and_loops(x):
    return Derived().twice(x) + Derived().twice(-x, doubled=False)


def affine(x, a, b=1.0, *, c=0.0):
    if x > 0.0:
        return x * a + b + c
    return x * b - c


@program(3.0, -1.0, slope=True)
def partial_defaults_keywords(x):
    f = functools.partial(affine, a=2.0, c=0.5)
    return f(x) + affine(x, 3.0, c=1.0) + affine(x, *(1.0, 2.0), **{"c": 3.0})


@program(3.0, -1.0)
def recursion_on_python_values(x):
    def tree(y, n):
        if n == 0:
            return y if y > 0.0 else -y
        return tree(y * 0.5, n - 1) + tree(y, n - 1)

    return tree(x, 2)


TOTAL = 0


@program(3)
def global_counter(n):
    global TOTAL
    TOTAL = 0
    for i in range(3):
        TOTAL += i
    return n + TOTAL


@program(3, -3)
def global_in_branch(n):
    global TOTAL
    TOTAL = n
    if n > 0:
        TOTAL = n * 2
    result, TOTAL = TOTAL, 0
    return result


@program(3.0, -1.0, slope=True)
def with_block(x):
    with contextlib.nullcontext(2.0) as k:
        if x > 0.0:
            y = x * k
        else:
            y = x - k
    return y


@program(3.0, -1.0)
def try_block(x):
    try:
        if x > 0.0:
            x = x * 2.0
        y = {}["missing"]
    except KeyError:
        y = x + 1.0
    finally:
        z = x
    return y, z


@program(3.0, -1.0)
def with_in_branch_and_loop(x):
    for i in tf.range(3):
        with tf.name_scope("scope"):
            x = x + tf.cast(i, x.dtype)
            if x > 4.0:
                x = x - 2.0
    return x


@program(3.0, 1.0)
def return_in_with(x):
    with tf.name_scope("scope"):
        y = x * 2.0
        return y


@program(3.0, -1.0)
def asserts(x):
    assert x < 100.0, "too large"
    assert isinstance(x, object)
    if x > 0.0:
        assert x > -5.0
        x = x + 1.0
    return x


@program(3, 7)
def builtin_functions(n):
    x = max(n, 5)
    y = min(n, 4, x)
    z = abs(n - 5)
    return x, y, z, int(n), float(n) * 2.0, bool(n), any([n > 4, n > 100]), all([n > 2, n > 4])


@program(V)
def len_and_shape(x):
    total = x[0]
    for i in range(len(x)):
        total = total + x[i]
    if x.shape[0] == 4 or len(x) > 2:
        total = total * 2.0
    return total


@program(3, -3)
def walrus(n):
    if (m := n * 2) > 0:
        return m
    return m - 1


@program(3, -3)
def augmented_and_annotated(n):
    total: int = 0
    flags: bool
    if n > 0:
        total: int = n
        total <<= 1
    else:
        total |= 12
    return total


@program(3, 12)
def match_statement(n):
    match n.shape.rank:
        case 0:
            y = n + 1
        case _:
            y = n
    if y > 5:
        y = y * 2
    return y


@program((3.0, 2), (-1.0, 3))
def closures_made_in_loops(x, n):
    fs = []
    for k in range(3):
        fs.append(lambda y, k=k: y * k if y > 0.0 else y - k)
    for f in fs:
        x = f(x) + 1.0
    return x * tf.cast(n, x.dtype)


@program(3.0)
def docstring_only_helper(x):
    """A docstring."""

    def nothing(y):
        """Returns nothing."""

    nothing(x)
    return x


@program(5)
def deleted_subscript(n):
    d = {"a": n, "b": n + 1}
    if n.shape.rank == 0:
        del d["a"]
    return d


@program(2.0, 5.0, slope=True)
def inner_loops_share_names(x):
    y = x
    for i in tf.range(3):
        y = y * 0.5
        for i in tf.range(2):
            y = y + tf.cast(i, y.dtype) * x
    return y


@program(2.0, 5.0)
def map_and_filter(x):
    doubled = list(map(lambda v: v * 2.0 if v > 3.0 else v, [x, x + 2.0]))
    return sum(doubled), sorted([3, 1, 2])
