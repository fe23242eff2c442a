"""Indexing and scatters: errors, Variables, and what tables of cases do not show."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.extent import evaluate, maximum, minimum, parse_extent, positive, symbol
from tfc.ir.types import parse_type

Invalid = tf.errors.InvalidArgumentError
X = np.arange(12, dtype=np.float32).reshape(3, 4)


# Extents.


def test_positive_extents() -> None:
    n, m = symbol("n"), symbol("m")
    assert positive(3) == 3 and positive(-3) == 0 and positive(n + 2) == n + 2
    assert n - minimum(n, 5) == positive(n - 5)
    for a, b in ((3, 7), (7, 3), (4, 4)):
        sizes = {"n": a, "m": b}
        assert evaluate(minimum(n, m), sizes) == min(a, b)
        assert evaluate(maximum(n, m * 2) // 2, sizes) == max(a, 2 * b) // 2
    for extent in (positive(n - m) * 3 + 1, positive(positive(n - 2) - m) // 2):
        assert parse_extent(str(extent)) == extent
        assert parse_type(str(parse_type(f"f32[{extent}]"))).shape == (extent,)


# Errors: eager, and with the user's line when the function runs.

ERRORS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]] = {
    "gather": (lambda x, i: tf.gather(x, i), (X, [1, 3]), r"3 is not in \[0, 3\)"),
    "gather negative": (lambda x, i: tf.gather(x, i), (X, [-1]), r"-1 is not in \[0, 3\)"),
    "gather batch": (
        lambda x, i: tf.gather(x, i, batch_dims=1),
        (X, [[0], [4], [1]]),
        r"4 is not in \[0, 4\)",
    ),
    "gather_nd": (tf.gather_nd, (X, [[1, 4]]), r"\[1, 4\] does not index into param|index 4 is"),
    "scatter_nd": (
        lambda i: tf.scatter_nd(i, [1.0], [3]),
        ([[-2]],),
        r"\[-2\] does not index into|index -2 is",
    ),
    "tensor_scatter": (
        lambda x, i: tf.tensor_scatter_nd_update(x, i, [1.0]),
        (X, [[3, 0]]),
        r"indices\[0\] = \[3, 0\] does not index into shape \[3,4\]|index 3 is not in \[0, 3\)",
    ),
    "dynamic_partition": (
        lambda x, p: tf.dynamic_partition(x, p, 2),
        (X, [0, 2, 1]),
        r"(partitions\[1\] =|index) 2 is not in \[0, 2\)",
    ),
    "reverse_sequence": (
        lambda x, k: tf.reverse_sequence(x, k, 1),
        (X, [1, 5, 2]),
        r"seq_lens\[1\] = 5 is .* > input.dims\(1\)|index 5 is not in \[0, 5\)",
    ),
    "repeat": (lambda x, r: tf.repeat(x, r, 0), (X, -1), "index -1 is not in|not be negative"),
    "unravel_index": (lambda i: tf.unravel_index(i, [2, 3]), ([6],), r"index 6 is not in \[0, 6\)"),
    "slice": (lambda x, i: tf.slice(x, [i, 0], [2, 2]), (X, 2), "index 3 is not in|Expected size"),
    "row": (lambda x, i: x[i], (X, -4), r"index -1 is not in|slice index -4 .*out of bounds"),
    "mask": (
        lambda x, m: tf.boolean_mask(x, m),
        (X, [True, False]),
        r"Shapes \(3,\) and \(2,\) are incompatible",
    ),
    "batches": (
        lambda x, i: tf.gather(x, i, batch_dims=1),
        (X, [[0], [1]]),
        "gather: the first 1 extents",
    ),
    "updates": (
        lambda x, u: tf.tensor_scatter_nd_add(x, [[0], [1]], u),
        (X, [[1.0, 2.0]]),
        r"updates must have the shape",
    ),
    "depth": (lambda x: tf.gather_nd(x, [[0, 1, 2]]), (X,), "innermost dimension length"),
    "scatter depth": (
        lambda x: tf.tensor_scatter_nd_add(x, [[0] * 3], [1.0]),
        (X,),
        "at most the rank",
    ),
    "float indices": (lambda x: tf.gather_nd(x, [[0.5]]), (X,), "indices must be integers"),
    "reflect": (
        lambda x: tf.pad(x, [[3, 0], [0, 0]], "REFLECT"),
        (X,),
        "less than the dimension size",
    ),
    "pad mode": (lambda x: tf.pad(x, [[3, 0], [0, 0]], "EDGE"), (X,), "expected to be one of"),
    "roll": (lambda x: tf.roll(x, [1, 2], 0), (X,), "shift and axis must have the same size"),
    "mask dtype": (
        lambda x: tf.boolean_mask(x, ["a"] * 3),
        (X,),
        "bools or numbers, not of string",
    ),
    "where dtype": (lambda x: tf.where(["a"]), (X,), "bools or numbers, not of string"),
    "where": (lambda x: tf.where(x > 0, x), (X,), "both be non-None or both be None"),
    "unstack": (lambda x: tf.unstack(x, 5), (X,), "axis 0 must equal 5"),
    "axis": (lambda x: tf.gather(x, [0], axis=0, batch_dims=1), (X,), "batch_dims"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    f, arrays, text = ERRORS[name]
    operands = [tf.constant(a) for a in arrays]
    kinds = (Invalid, ValueError, TypeError)
    with pytest.raises(kinds, match=text):
        f(*operands)
    with pytest.raises(kinds, match=text) as caught:
        tf.function(lambda *v: f(*v))(*operands)
    assert "test_indexing.py" in str(caught.value)


# Variables.


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_slices_of_variables_can_be_assigned_to(traced: bool) -> None:
    wanted = X.copy()
    v = tf.Variable(X)

    def change() -> None:
        v[0].assign([9.0, 8.0, 7.0, 6.0])
        v[1:, ::2].assign_add([[1.0, 2.0], [3.0, 4.0]])
        v[-1, -1].assign_sub(5.0)
        v[:, 1:2].assign(v[:, 2:3])
        v[...].assign_add(tf.ones([3, 4]))
        v[v > 11.0].assign(tf.fill([tf.reduce_sum(tf.cast(v > 11.0, tf.int32))], -1.0))

    (tf.function(change) if traced else change)()
    wanted[0] = [9, 8, 7, 6]
    wanted[1:, ::2] += [[1, 2], [3, 4]]
    wanted[-1, -1] -= 5
    wanted[:, 1:2] = wanted[:, 2:3]
    wanted += 1
    wanted[wanted > 11] = -1
    np.testing.assert_array_equal(v.numpy(), wanted)


@pytest.mark.parametrize("traced", [False, True])
def test_what_is_assigned_to_a_slice_broadcasts(traced: bool) -> None:
    for shape in [(), (3,), (1, 3), (2, 1), (1, 2, 3), (1, 1, 1)]:
        v = tf.Variable(tf.zeros([3, 3]))

        def assign(x: Any, v: Any = v) -> None:
            v[1:].assign(x)

        (tf.function(assign) if traced else assign)(tf.ones(shape))
        assert v.numpy().tolist() == [[0.0] * 3, [1.0] * 3, [1.0] * 3], shape
    for shape in [(4,), (2, 2, 3), (3, 3)]:
        v = tf.Variable(tf.zeros([3, 3]))
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"slice of shape \(2, 3\)"):
            v[1:].assign(tf.ones(shape))
        with pytest.raises(tf.errors.InvalidArgumentError):
            v[1:].assign_add(tf.ones([3]))


def test_only_slices_of_variables_can_be_assigned_to() -> None:
    v = tf.Variable(X)
    for t in (tf.constant(X)[0], v * 1.0, v.value(), tf.constant(1.0)):
        assert not hasattr(t, "assign")
    with pytest.raises(Invalid, match=r"Cannot assign a value of shape \(5,\) to a slice of shape"):
        v[0].assign(tf.ones([5]))
    with pytest.raises(Invalid, match="slice index 7"):
        v[7].assign(1.0)
    with pytest.raises(Invalid, match=r"indices\[0\] = \[5, 0\] does not index into shape"):
        v.scatter_nd_update([[5, 0]], [1.0])
    np.testing.assert_array_equal(v.numpy(), X)
    assert v[0].shape == (4,) and float(v[1, 1]) == 5


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_scatters_into_variables(traced: bool) -> None:
    rows = np.array([[10, 20, 30, 40], [1, 1, 1, 1], [2, 4, 8, 16]], np.float32)
    for name, combine in {
        "update": lambda old, new: new,
        "add": np.add,
        "sub": np.subtract,
        "mul": np.multiply,
        "div": np.divide,
        "min": np.minimum,
        "max": np.maximum,
    }.items():
        v, wanted = tf.Variable(X), X.copy()

        def change(v: Any = v, name: str = name) -> Any:
            return getattr(v, f"scatter_{name}")(tf.IndexedSlices(rows, [2, 0, 2]))

        (tf.function(change) if traced else change)()
        for place, row in zip((2, 0, 2), rows, strict=True):
            wanted[place] = combine(wanted[place], row)
        np.testing.assert_array_equal(v.numpy(), wanted)
        if name in ("mul", "div"):
            continue
        v, wanted = tf.Variable(X), X.copy()
        getattr(v, f"scatter_nd_{name}")([[0, 1], [2, 2]], [3.0, 30.0])
        for at, new in (((0, 1), 3), ((2, 2), 30)):
            wanted[at] = combine(wanted[at], np.float32(new))
        np.testing.assert_array_equal(v.numpy(), wanted)


def test_other_reads_and_writes_of_variables() -> None:
    v = tf.Variable(X)
    assert v.sparse_read([2, 0]).numpy().tolist() == X[[2, 0]].tolist()
    assert v.gather_nd([[2, 1]]).numpy().tolist() == [9]
    v.batch_scatter_update(tf.IndexedSlices([[-1.0], [-2.0], [-3.0]], [[3], [0], [1]]))
    wanted = X.copy()
    wanted[[0, 1, 2], [3, 0, 1]] = [-1, -2, -3]
    np.testing.assert_array_equal(v.numpy(), wanted)
    v.scatter_update(tf.IndexedSlices(X[:1], [1]))
    np.testing.assert_array_equal(v.numpy()[1], X[0])
    with pytest.raises(TypeError, match="Argument `sparse_delta` must be a"):
        v.scatter_add(X)


@pytest.mark.parametrize("kind", ["update", "add", "sub", "mul", "div", "min", "max"])
def test_one_number_for_many_rows(kind: str) -> None:
    """As the method of Variables and as TensorFlow 1's function, of one row and of several."""
    combine: dict[str, Any] = {
        "update": lambda a, b: b,
        "add": np.add,
        "sub": np.subtract,
        "mul": np.multiply,
        "div": np.divide,
        "min": np.minimum,
        "max": np.maximum,
    }
    for at in (1, [2, 0], [[2], [0]]):
        wanted = X.copy()
        for row in np.ravel(at):
            wanted[row] = combine[kind](wanted[row], np.float32(4))
        v, w = tf.Variable(X), tf.Variable(X)
        getattr(v, f"scatter_{kind}")(tf.IndexedSlices(tf.constant(4.0), at))
        tf.function(lambda w=w, at=at: getattr(tf.compat.v1, f"scatter_{kind}")(w, at, 4.0))()
        np.testing.assert_array_equal(v.numpy(), wanted)
        np.testing.assert_array_equal(w.numpy(), wanted)
    if kind in ("update", "add", "sub"):
        getattr(tf.compat.v1, f"scatter_nd_{kind}")(v, [[1, 0]], [4.0])
        wanted[1, 0] = combine[kind](wanted[1, 0], np.float32(4))
        np.testing.assert_array_equal(v.numpy(), wanted)


# Sizes that depend on data.


def test_one_program_for_all_counts() -> None:
    f = tf.function(
        lambda x, m: tf.boolean_mask(x, m),
        input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([None], tf.bool)],
    )
    for mask in ([True, False, True], [False] * 4, [True], []):
        x = np.arange(2 * len(mask), dtype=np.float32).reshape(-1, 2)
        held = np.array(mask, bool)
        np.testing.assert_array_equal(f(x, held), x[held])
    assert f.experimental_get_tracing_count() == 1


def test_gradients_for_all_counts_are_one_program() -> None:
    from tfc.autodiff.backward_programs import programs

    def gradient(x: Any, m: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.boolean_mask(x, m) ** 2)
        return tape.gradient(y, x)

    x = np.arange(40, dtype=np.float32)
    known = None
    for count in (11, 17, 23):
        mask = np.arange(40) % 40 < count
        got = gradient(tf.constant(x), tf.constant(mask))
        np.testing.assert_array_equal(got, np.where(mask, 2 * x, 0))
        known = known or len(programs)
        assert len(programs) == known


def test_computed_shapes() -> None:
    f = tf.function(lambda n: (tf.zeros([n, 2]), tf.range(n), tf.range(1, n, 2)))
    for n in (0, 1, 5):
        zeros, numbers, odd = f(tf.constant(n))
        assert zeros.shape == (n, 2)
        assert numbers.numpy().tolist() == list(range(n))
        assert odd.numpy().tolist() == list(range(1, n, 2))
    steps = tf.function(lambda a, d: tf.range(a, 0.0, d))
    assert steps(tf.constant(2.0), tf.constant(-0.5)).numpy().tolist() == [2, 1.5, 1, 0.5]
    shaped = tf.function(lambda x, s: tf.reshape(x, s))
    assert shaped(tf.range(6), tf.constant([3, 2])).shape == (3, 2)
    with pytest.raises(Invalid, match=r"extents 6 and 4 must be equal.*test_indexing"):
        shaped(tf.range(6), tf.constant([2, 2]))
    parts = tf.function(lambda x, s: tf.split(x, s))
    assert [p.shape[0] for p in parts(tf.range(5), tf.constant([2, 3]))] == [2, 3]
    with pytest.raises(Invalid, match=r"extents 3 and 5 must be equal"):
        parts(tf.range(5), tf.constant([2, 1]))


@pytest.mark.parametrize("step", [None, 1, 2, 3, 9, -1, -2, -3, -9])
def test_slices_of_shapes_are_sizes(step: int | None) -> None:
    """Whatever is taken of the shape of a tensor, of known sizes or not, has these numbers where it
    is a size."""
    x = np.zeros((2, 3, 4, 5), np.float32)
    ends = [None, -5, -2, 0, 1, 3, 9]
    parts = [slice(a, b, step) for a in ends for b in ends]
    wanted = [x.shape[part] for part in parts]

    def sizes(shape: Any) -> list[Any]:
        return [tf.zeros(shape[part]) for part in parts]

    some = tf.TensorSpec([None, 3, None, 5])
    for f in (
        tf.function(lambda x: sizes(tf.shape(x)), input_signature=[some]),
        tf.function(lambda x: sizes(tf.constant(x.shape.as_list()))),
    ):
        assert [zeros.shape for zeros in f(x)] == wanted


TAKEN: dict[str, Callable[[Any], Any]] = {
    "a slice": lambda x: x[100:228],
    "a slice with steps": lambda x: x[228:100:-3],
    "a slice by tensors": lambda x: x[tf.constant(100) : tf.constant(228)],
    "an element": lambda x: x[-5],
    "elements": lambda x: tf.gather(x, [4, 7]),
    "slice": lambda x: tf.slice(x, [100], [128]),
    "strided_slice": lambda x: tf.strided_slice(x, [100], [228], [2]),
    "the first of an iteration": lambda x: next(iter(x)),
    "the number": len,
    "the shape": tf.shape,
    "another shape": lambda x: tf.reshape(x, [100, -1]),
}


@pytest.mark.parametrize("dtype", ["int32", "float32"])
@pytest.mark.parametrize("name", TAKEN)
def test_what_takes_a_part_does_not_look_at_the_whole(name: str, dtype: str) -> None:
    """Not a byte an element is needed, in eager code and while a function is traced for it."""
    x, take = tf.zeros([1_000_000], dtype), TAKEN[name]
    for way in (take, lambda x: tf.function(lambda: take(x))()):
        way(x)
        tracemalloc.start()
        try:
            way(x)
            assert tracemalloc.get_traced_memory()[1] < 1_000_000
        finally:
            tracemalloc.stop()


def test_shapes_together() -> None:
    assert tf.broadcast_static_shape([None, 3], [5, 1]) == (5, 3)
    assert tf.broadcast_static_shape([1], [None]).as_list() == [None]
    assert tf.broadcast_static_shape([], [2]) == (2,)
    assert tf.broadcast_static_shape(tf.TensorShape(None), [2]).rank is None
    with pytest.raises(ValueError, match="Incompatible shapes for broadcasting"):
        tf.broadcast_static_shape([2], [3])
    assert tf.broadcast_dynamic_shape([2, 1], [4, 1, 3]).numpy().tolist() == [4, 2, 3]
    with pytest.raises(Invalid, match="Incompatible shapes"):
        tf.broadcast_dynamic_shape([2], [3])
    assert tf.where(np.zeros((2, 0, 3), bool)).shape == (0, 3)
    assert tf.where(tf.constant(True)).shape == (1, 0)
    assert [t.shape for t in tf.unstack(tf.zeros([0, 2]))] == []


def test_operands_that_the_ops_do_not_take() -> None:
    def bad(name: str, *types: str, **attributes: Any) -> str:
        op = Op.by_name[name](*(Value(parse_type(t)) for t in types), **attributes)
        with pytest.raises(OpError, match=rf"^{name}\(") as caught:
            Builder().emit(op)
        return str(caught.value)

    assert "integers" in bad("checked_index", "f32[3]", bound=2, reader="x")
    rows, updates = "f32[4,2]", "f32[3,2]"
    for types, combine, text in (
        ((rows, "i32[3]", updates), "mean", "no way to combine named 'mean'"),
        ((rows, "i32[3,1]", updates), "add", "a vector of integers"),
        ((rows, "f32[3]", updates), "add", "a vector of integers"),
        ((rows, "i32[3]", "f64[3,2]"), "add", "the same dtype"),
        ((rows, "i32[2]", updates), "add", "one update for every index"),
        ((rows, "i32[3]", "f32[3,3]"), "add", "the shape of a row"),
        (("bool[4]", "i32[3]", "bool[3]"), "add", "not defined for dtype bool"),
        (("i32[4]", "i32[3]", "i32[3]"), "div", "not defined for dtype int32"),
    ):
        assert text in bad("scatter", *types, combine=combine)
    assert "vector of bools" in bad("nonzero", "i32[3]", count=2)
    assert "vector of bools" in bad("nonzero", "bool[3,2]", count=2)


BAD_INDICES = {
    "batch": (lambda i, p: tf.gather_nd(X, i, 1, bad_indices_policy=p), [[3], [4], [-4]]),
    "scatter_nd": (
        lambda i, p: tf.scatter_nd(i, [1, 2, 4], [4], bad_indices_policy=p),
        [[0], [7], [0]],
    ),
    "slices": (lambda i, p: tf.scatter_nd(i, X[:2], [3, 4], bad_indices_policy=p), [[-1], [2]]),
}
KEPT = {
    "batch": [3, 0, 0],
    "scatter_nd": [5, 0, 0, 0],
    "slices": [[0] * 4, [0] * 4, X[1]],
}


def test_bad_indices_are_left_out() -> None:
    for name, (call, indices) in BAD_INDICES.items():
        for f in (call, tf.function(call)):
            np.testing.assert_array_equal(f(tf.constant(indices), "IGNORE"), KEPT[name], name)
        with pytest.raises(Invalid, match=r"does not index into|is not in"):
            call(tf.constant(indices), "ERROR")
    strings = tf.scatter_nd([[2], [0]], ["a", "b"], [3])
    assert strings.numpy().tolist() == [b"b", b"", b"a"]
    with pytest.raises(Invalid, match="bad_indices_policy must be"):
        tf.gather_nd(X, [[0]], bad_indices_policy="SKIP")


def test_a_division_of_integers_is_rounded_towards_0() -> None:
    for dtype in ("int32", "int64", "int8"):
        v = tf.Variable([7, -9, 13], dtype=dtype)
        v.scatter_div(tf.IndexedSlices(tf.constant([2, 2, 3], dtype), [0, 1, 0]))
        assert v.numpy().tolist() == [1, -4, 13]
    with pytest.raises(Invalid, match="updates must not contain 0"):
        v.scatter_div(tf.IndexedSlices(tf.constant([0], "int8"), [0]))


def test_errors_name_the_op() -> None:
    for f, name in (
        (lambda: tf.gather_nd([1], [[3]]), "gather_nd"),
        (lambda: tf.tensor_scatter_nd_add([1], [[3]], [1]), "tensor_scatter_nd_add"),
        (lambda: tf.gather([[1]], [[3]], batch_dims=1), "gather"),
        (lambda: tf.repeat([1, 2], -1), "repeat"),
    ):
        with pytest.raises(Invalid) as caught:
            f()
        assert caught.value.op == name


def test_rows_are_checked_before_threads_copy_them() -> None:
    """Only what cannot fail is shared out; rows ahead of the copied ones are asked for."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(500, 40)).astype(np.float32)
    rows = rng.integers(0, 500, (300, 10)).astype(np.int32)
    f = tf.function(lambda t, r: tf.gather(t, r))
    for x in (table, table[:, :1], table[:, :17], table.astype(np.int8), table > 0):
        np.testing.assert_array_equal(f(tf.constant(x), tf.constant(rows)).numpy(), x[rows])
        np.testing.assert_array_equal(tf.gather(x, rows).numpy(), x[rows])
    rows[20, 3], rows[25, 1] = 500, -7
    with pytest.raises(tf.errors.InvalidArgumentError, match="500"):
        f(tf.constant(table), tf.constant(rows))
    kernels = f.get_concrete_function(tf.constant(table), tf.constant(rows)).ir(
        "kernels", verbose=True
    )
    _, shared = kernels.split("parallel ", 1)
    assert "assert" in kernels and "assert" not in shared and "prefetch" in shared


def test_what_is_reversed_is_loaded_side_by_side() -> None:
    x = np.arange(3 * 37, dtype=np.float32).reshape(3, 37)
    f = tf.function(lambda v: tf.reverse(v, [1]))
    np.testing.assert_array_equal(f(tf.constant(x)).numpy(), x[:, ::-1])
    assert "gather" not in f.get_concrete_function(tf.constant(x)).ir("llvm")


@pytest.mark.parametrize("starts", [(0, 0), (1, 2), (2, 9), (-5, 1)])
def test_an_updated_slice_stays_inside(starts: tuple[int, int]) -> None:
    x, update = np.arange(12.0).reshape(3, 4), -np.ones((2, 3))
    row, column = min(max(starts[0], 0), 1), min(max(starts[1], 0), 1)
    want, kept = x.copy(), np.ones_like(x)
    want[row : row + 2, column : column + 3] = update
    kept[row : row + 2, column : column + 3] = 0
    spec = tf.TensorSpec([None, None], tf.float64)
    compiled = tf.function(
        tf.experimental.dynamic_update_slice,
        input_signature=[spec, spec, tf.TensorSpec([2], tf.int32)],
    )
    for f in (tf.experimental.dynamic_update_slice, compiled):
        a, b = tf.constant(x), tf.constant(update)
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y = f(a, b, tf.constant(starts, tf.int32))
            total = tf.reduce_sum(y * x)
        assert np.array_equal(y, want)
        da, db = tape.gradient(total, [a, b])
        assert np.array_equal(da, x * kept)
        assert np.array_equal(db, x[row : row + 2, column : column + 3])


def test_updated_slices_must_fit() -> None:
    for update, starts in (
        ([[1.0] * 5], [0, 0]),
        ([1.0], [0]),
        ([[1.0]], [0]),
        ([[1.0]], [[0, 0]]),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.experimental.dynamic_update_slice(tf.zeros([3, 4]), update, starts)
    with pytest.raises(tf.errors.InvalidArgumentError, match="needs 2 indices, one an axis, got 3"):
        tf.experimental.dynamic_update_slice(tf.zeros([3, 4]), [[1.0]], [0, 0, 0])


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_many_operands_are_joined_in_groups(axis: int) -> None:
    arrays = [np.full((2, 3), i, np.float32) for i in range(75)]
    tensors = [tf.constant(a) for a in arrays]
    np.testing.assert_array_equal(tf.stack(tensors, axis), np.stack(arrays, axis))
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        y = tf.concat(tensors, axis)
        total = tf.reduce_sum(y * y)
    np.testing.assert_array_equal(y, np.concatenate(arrays, axis))
    for g, a in zip(tape.gradient(total, tensors), arrays, strict=True):
        np.testing.assert_array_equal(g, 2 * a)
    for join in (tf.stack, tf.concat):
        with pytest.raises(Invalid, match="match"):
            join([*tensors, tf.zeros([2, 4])], 0)
        with pytest.raises(Invalid, match="expected to be a float32 tensor"):
            join([*tensors, tf.zeros([2, 3], tf.int32)], axis)
