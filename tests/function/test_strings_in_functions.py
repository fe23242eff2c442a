"""Strings inside of functions: each function of strings and each op that moves them gives what it
gives eagerly, of known and of unknown sizes; control flow, Variables, Python functions; lifetimes.
"""

from __future__ import annotations

import contextlib
import gc
import random
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.core.nest import decompose_composites

S = tf.strings
W = tf.constant([["a", "b,c"], ["", "dé"]])
V = tf.constant(["b", "a", "b", "cc", "a"])
NUMBERS = tf.constant(["1.5", "-2e3", " 7 "])
RAGGED = tf.ragged.constant([["a", "b"], [], ["c"]])

# By name: the function, and its arguments, whose tensors are traced.
TABLE: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "as_string": (lambda x: S.as_string(x, precision=2), (tf.constant([[1.0, 2.5]]),)),
    "as_string of ints": (lambda x: S.as_string(x, width=4, fill="0"), (tf.constant([1, 20]),)),
    "bytes_split": (S.bytes_split, (W,)),
    "format": (lambda x, y: S.format("{}: {}", (x, y)), (V, tf.constant([1, 2]))),
    "join": (lambda x, y: S.join([x, "-", y], "/"), (V, V)),
    "length": (lambda x: S.length(x, "UTF8_CHAR"), (W,)),
    "lower": (S.lower, (W,)),
    "ngrams": (lambda x: S.ngrams(x, [1, 2], "+"), (V,)),
    "ngrams of ragged rows": (lambda x: S.ngrams(x, 2), (RAGGED,)),
    "ngrams of padded rows": (lambda x: S.ngrams(x, [1, 3], "+", ("<", ">"), 1), (W,)),
    "ngrams of padded ragged rows": (lambda x: S.ngrams(x, 3, "+", "_"), (RAGGED,)),
    "reduce_join": (lambda x: S.reduce_join(x, 0, True, "|"), (W,)),
    "substr behind what an example has": (lambda x: S.substr(x, 1, 2), (tf.constant(["abcd"]),)),
    "substr of nested places": (
        lambda x: S.substr(x, [[0, 1], [1, 2]], [[1, 2], [2, 1]]),
        (tf.constant("abcdef"),),
    ),
    "format of ragged rows": (lambda x: S.format("{}", x), (RAGGED,)),
    "decode_csv": (lambda x: tf.io.decode_csv(x, [[0], [""]]), (tf.constant(["1,a", ",b"]),)),
    "regex_full_match": (lambda x: S.regex_full_match(x, "[ab]+"), (V,)),
    "regex_replace": (lambda x: S.regex_replace(x, "(a|b)", r"<\1>"), (W,)),
    "split": (lambda x: S.split(x, ","), (W,)),
    "split of a scalar": (S.split, (tf.constant("a b  c"),)),
    "strip": (S.strip, (NUMBERS,)),
    "substr": (lambda x, n: S.substr(x, 0, n), (V, tf.constant([1, 0, 1, 2, 1]))),
    "to_hash_bucket": (lambda x: S.to_hash_bucket(x, 7), (W,)),
    "to_hash_bucket_strong": (lambda x: S.to_hash_bucket_strong(x, 7, [1, 2]), (W,)),
    "unicode_decode_with_offsets": (lambda x: S.unicode_decode_with_offsets(x, "UTF-8"), (V,)),
    "unicode_split_with_offsets": (lambda x: S.unicode_split_with_offsets(x, "UTF-8"), (V,)),
    "unsorted_segment_join": (
        lambda x, i: S.unsorted_segment_join(x, i, 2),
        (V, tf.constant([0, 1, 0, 1, 1])),
    ),
    "to_hash_bucket_fast": (lambda x: S.to_hash_bucket_fast(x, 7), (W,)),
    "to_number": (lambda x: S.to_number(x, tf.float64), (NUMBERS,)),
    "unicode_decode": (lambda x: S.unicode_decode(x, "UTF-8"), (W,)),
    "unicode_encode": (lambda x: S.unicode_encode(x, "UTF-8"), (tf.constant([[71, 233], [9, 8]]),)),
    "unicode_script": (S.unicode_script, (tf.constant([[71, 233], [1488, 9]]),)),
    "unicode_split": (lambda x: S.unicode_split(x, "UTF-8"), (V,)),
    "unicode_transcode": (lambda x: S.unicode_transcode(x, "UTF-8", "UTF-16-BE"), (W,)),
    "upper": (lambda x: S.upper(x, encoding="utf-8"), (W,)),
    "decode_raw": (lambda x: tf.io.decode_raw(x, tf.uint8), (tf.constant([b"ab", b"cd"]),)),
    "serialize_tensor": (tf.io.serialize_tensor, (V,)),
    # What moves or compares.
    "+": (lambda x, y: x + y + "!", (V, V[:1])),
    "==": (lambda x, y: x == y, (V, tf.constant("a"))),
    "!=": (lambda x, y: x != y, (W, W[:1])),
    "argsort": (lambda x: tf.argsort(x, direction="DESCENDING"), (V,)),
    "boolean_mask": (lambda x: tf.boolean_mask(x, x == "b"), (V,)),
    "broadcast_to": (lambda x: tf.broadcast_to(x, [2, 5]), (V,)),
    "concat": (lambda x, y: tf.concat([x, y, [["x", "y"]]], 0), (W, W)),
    "expand_dims": (lambda x: tf.expand_dims(x, 1), (V,)),
    "fill": (lambda x: tf.fill([2, 3], x), (tf.constant("q"),)),
    "gather": (lambda x, i: tf.gather(x, i, axis=1), (W, tf.constant([1, 0, 1]))),
    "gather_nd": (lambda x: tf.gather_nd(x, [[1, 0], [0, 1]]), (W,)),
    "identity": (tf.identity, (W,)),
    "indexing": (lambda x: (x[1], x[:, ::-1], x[-1, 0], x[..., None]), (W,)),
    "repeat": (lambda x: tf.repeat(x, 2), (V,)),
    "reshape": (lambda x: tf.reshape(x, [-1]), (W,)),
    "reverse": (lambda x: tf.reverse(x, [0]), (V,)),
    "roll": (lambda x: tf.roll(x, 2, 0), (V,)),
    "size and shape": (lambda x: (tf.size(x), tf.shape(x), tf.rank(x)), (W,)),
    "sort": (tf.sort, (V,)),
    "split of an axis": (lambda x: tf.split(x, [2, 3]), (V,)),
    "squeeze": (lambda x: tf.squeeze(x[:, None], 1), (V,)),
    "stack": (lambda x, y: tf.stack([x, y], 1), (V, V)),
    "tile": (lambda x: tf.tile(x, [1, 2]), (W,)),
    "transpose": (tf.transpose, (W,)),
    "unique": (lambda x: tuple(tf.unique_with_counts(x)), (V,)),
    "unstack": (lambda x: tf.unstack(x, axis=1), (W,)),
    "where": (lambda x: tf.where(x == "a", "!", x), (V,)),
    "pad": (lambda x: tf.pad(x, [[1, 2]]), (V,)),
    "scatter": (lambda x: tf.tensor_scatter_nd_update(x, [[1]], ["new"]), (V,)),
    "zeros_like": (lambda x: tf.concat([x, tf.zeros_like(x)], 0), (W,)),
    "zeros": (lambda x: tf.concat([x, tf.zeros([2], tf.string)], 0), (V,)),
}


def same(found: Any, wanted: Any, lengths: bool = True) -> None:
    """The same structure, with the `lengths` of uniform rows; dtypes and elements."""
    (first, structure), (second, expected) = map(decompose_composites, (found, wanted))
    assert structure == expected or not lengths
    for a, b in zip(first, second, strict=True):
        assert (a.dtype, a.shape, type(a)) == (b.dtype, b.shape, type(b))
        assert a.numpy().tolist() == b.numpy().tolist() if a.ndim else a.numpy() == b.numpy()


def widened(x: Any) -> Any:
    if isinstance(x, tf.RaggedTensor):
        return x
    return tf.TensorSpec([None] * x.ndim, x.dtype)


@pytest.mark.parametrize("name", TABLE)
def test_as_eagerly(name: str) -> None:
    function, arguments = TABLE[name]
    wanted = function(*arguments)
    same(tf.function(function)(*arguments), wanted)
    if name in ("split of an axis", "unstack"):  # which need a known extent
        return
    if any(isinstance(x, tf.RaggedTensor) for x in arguments):
        return
    open_sizes = tf.function(function, input_signature=[widened(x) for x in arguments])
    same(open_sizes(*arguments), wanted, lengths=False)


def test_the_table_has_every_function_of_strings() -> None:
    assert {name for name in S.__all__ if name not in TABLE} == set()


def test_images_and_examples(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    path = tf.constant(str(tmp_path / "a.png"))

    @tf.function(input_signature=[tf.TensorSpec([], tf.string), tf.TensorSpec([4, 4, 3], tf.uint8)])
    def through_a_file(path: tf.Tensor, image: tf.Tensor) -> Any:
        tf.io.write_file(path, tf.io.encode_png(image))
        data = tf.io.read_file(path)
        found = tf.io.decode_png(data, channels=3)
        assert found.shape == (None, None, 3)
        return found, S.split(path, "/")[-1], tf.io.is_jpeg(data)

    found, name, jpeg = through_a_file(path, tf.constant(image))
    assert np.array_equal(found, image) and name.numpy() == b"a.png" and not jpeg
    with pytest.raises(tf.errors.NotFoundError, match=r"nothing.*test_strings_in_functions"):
        tf.function(tf.io.read_file)(tf.constant(str(tmp_path / "nothing")))

    def example(**values: Any) -> bytes:
        rows = {k: {f"{kind}_list": {"value": v}} for k, (kind, v) in values.items()}
        return tf.train.Example(features={"feature": rows}).SerializeToString()

    features = {
        "x": tf.io.FixedLenFeature([2], tf.int64),
        "text": tf.io.FixedLenFeature([], tf.string, "nothing"),
        "list": tf.io.VarLenFeature(tf.float32),
        "rows": tf.io.RaggedFeature(tf.int64),
    }
    data = tf.constant(
        [
            example(x=("int64", [1, 2]), list=("float", [0.5]), text=("bytes", [b"t"])),
            example(x=("int64", [3, 4]), rows=("int64", [5, 6])),
        ]
    )
    parse = tf.function(
        lambda x: tf.io.parse_example(x, features),
        input_signature=[tf.TensorSpec([None], "string")],
    )
    same(parse(data), tf.io.parse_example(data, features))
    outputs = parse.get_concrete_function().structured_outputs
    assert (outputs["x"].shape, outputs["text"].shape) == ((None, 2), (None,))
    one = tf.function(lambda x: tf.io.parse_single_example(x, features))
    same(one(data[1]), tf.io.parse_single_example(data[1], features))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"required.*test_strings_in_func"):
        parse(tf.constant([b""]))


def test_control_flow() -> None:
    suffix = tf.constant(["x", "y"])

    @tf.function
    def f(x: tf.Tensor, n: tf.Tensor) -> Any:
        for i in tf.range(n):
            if x[0] == "axx":
                x = S.upper(x)
            x = x + (suffix if i > 0 else tf.constant(["x", "x"]))
        words = tf.TensorArray(tf.string, 0, dynamic_size=True)
        for word in S.split("p q r"):
            if word != "q":
                words = words.write(words.size(), word + "!")
        return x, words.stack()

    x, words = f(tf.constant(["a", "b"]), tf.constant(3))
    assert x.numpy().tolist() == [b"AXXx", b"BXYy"]
    assert words.numpy().tolist() == [b"p!", b"r!"]
    chosen = tf.function(lambda p, x: tf.cond(p, lambda: x, lambda: S.lower(x) + "?"))
    assert chosen(tf.constant(True), V).numpy().tolist() == V.numpy().tolist()
    assert chosen(tf.constant(False), V).numpy()[3] == b"cc?"
    mapped = tf.function(lambda x: tf.map_fn(S.upper, x))
    assert mapped(V).numpy().tolist() == S.upper(V).numpy().tolist()
    lengths = tf.function(lambda x: tf.map_fn(S.length, x, fn_output_signature=tf.int32))
    assert lengths(V).numpy().tolist() == [1, 1, 1, 2, 1]
    joined = tf.function(lambda x: tf.scan(lambda a, b: a + b, x))
    assert joined(V).numpy().tolist()[-1] == b"babcca"
    while_loop = tf.function(
        lambda x: tf.while_loop(lambda x: S.length(x) < 9, lambda x: (x + x,), [x])
    )
    assert while_loop(tf.constant("abc"))[0].numpy() == b"abc" * 4


def test_loops_over_rows_call_once() -> None:
    """What each round would call is called once for all, where it does not follow from what the
    loop carries."""
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)

    def row(s: tf.Tensor, i: tf.Tensor) -> Any:
        low = S.lower(s) + "!"
        n = S.as_string(i)
        joined = S.join([low, n, "z"], separator=tf.constant("-"))
        replaced = S.regex_replace(s, tf.constant("a"), "b")
        return joined, S.length(n), table.lookup(s), s == "a", S.substr(s, 0, i), replaced

    dtypes = (tf.string, tf.int32, tf.int32, tf.bool, tf.string, tf.string)
    mapped = tf.function(
        lambda x, i: tf.map_fn(lambda t: row(*t), (x, i), fn_output_signature=dtypes),
        input_signature=[tf.TensorSpec([None], tf.string), tf.TensorSpec([None], tf.int32)],
    )
    x, i = tf.constant(["a", "bc", "C"]), tf.constant([0, 2, 1])
    rows = [row(x[k], i[k]) for k in range(3)]
    wanted = [tf.stack(column) for column in zip(*rows, strict=True)]
    same(mapped(x, i), tuple(wanted))
    assert [t.shape for t in mapped(x[:0], i[:0])] == [(0,)] * 6
    for text in mapped.get_concrete_function().ir().split("scan ")[1:]:
        assert "host_function" not in text.partition("return")[0]
    # What is carried stays in the loop.
    carried = tf.function(lambda x: tf.scan(lambda a, s: S.upper(a) + s, x))
    assert carried(tf.constant(["a", "b", "c"])).numpy().tolist() == [b"a", b"Ab", b"ABc"]


UNARY: list[Callable[[Any], Any]] = [
    S.upper,
    S.strip,
    lambda x: S.substr(x, 0, S.length(x) // 2),
    lambda x: S.regex_replace(x, "[a-c]", "<\\0>"),
    lambda x: tf.reverse(x, [0]),
    lambda x: tf.sort(x),
    lambda x: tf.gather(x, S.length(x) % 3),
    lambda x: tf.concat([x[1:], x[:1]], 0),
    lambda x: tf.map_fn(lambda s: S.lower(s) + "x", x),
    lambda x: tf.cond(tf.reduce_any(x == "b"), lambda: x, lambda: x + "?"),
    lambda x: S.as_string(S.length(x, "UTF8_CHAR")),
    lambda x: S.join([x, S.as_string(S.to_hash_bucket_fast(x, 9))], "/"),
    lambda x: S.split(tf.stack([S.reduce_join(x, separator=" ") + " 1 2 3"])).values[:3],
    lambda x: tf.foldl(lambda a, s: a + tf.stack([s] * 3), x, initializer=x),
]
BINARY: list[Callable[[Any, Any], Any]] = [
    lambda x, y: x + y,
    lambda x, y: tf.where(x == y, x, y + "."),
    lambda x, y: tf.where(S.length(x) > S.length(y), x, y),
    lambda x, y: S.join([x, y[::-1]], "-"),
]


@pytest.mark.parametrize("seed", range(4))
def test_random_programs(seed: int) -> None:
    draw = random.Random(seed)
    steps: list[tuple[Any, int, int]] = []
    for k in range(10):
        function = draw.choice(UNARY if draw.random() < 0.6 else BINARY)
        steps.append((function, draw.randrange(2 + k), draw.randrange(2 + k)))

    def program(x: tf.Tensor, y: tf.Tensor) -> Any:
        pool = [x, y]
        for function, i, j in steps:
            given = (pool[i],) if function in UNARY else (pool[i], pool[j])
            pool.append(S.substr(function(*given), 0, tf.minimum(S.length(function(*given)), 40)))
        return tuple(pool)

    words = ["b", " a ", "", "dé", "cab", "B2", "long " * 9]
    x, y = (tf.constant([draw.choice(words) for _ in range(3)]) for _ in range(2))
    same(tf.function(program)(x, y), program(x, y))


def test_variables_and_python_functions(capfd: pytest.CaptureFixture[str]) -> None:
    v = tf.Variable(["a", "b"])
    assert v.dtype is tf.string and v.assign(["c", "d"]).numpy().tolist() == [b"c", b"d"]

    @tf.function
    def g(x: tf.Tensor) -> tf.Tensor:
        v.assign(v + x)
        tf.print("v is", v, v[0], output_stream=sys.stdout)
        spec = tf.TensorSpec([2], tf.string)
        return tf.py_function(lambda a: S.upper(a), [v], spec) + "!"

    assert g(tf.constant("x")).numpy().tolist() == [b"CX!", b"DX!"]
    assert v.numpy().tolist() == [b"cx", b"dx"]
    assert capfd.readouterr().out == 'v is ["cx" "dx"] cx\n'
    with pytest.raises(tf.errors.InvalidArgumentError, match="wrong"):
        tf.function(lambda x: tf.debugging.Assert(tf.reduce_all(x == "a"), ["wrong", x]))(V)
    with pytest.raises(tf.errors.InvalidArgumentError, match="x == y"):
        tf.function(lambda x: tf.debugging.assert_equal(x, "a"))(V)
    upper = tf.numpy_function(lambda a: a + b"?", [v], tf.string)
    assert upper.numpy().tolist() == [b"cx?", b"dx?"]
    # A call that fails leaves Variables as they were.
    before = v.numpy().tolist()

    @tf.function
    def fails(x: tf.Tensor) -> tf.Tensor:
        v.assign(v + "?")
        return S.to_number(x)

    with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert"):
        fails(tf.constant("no number"))
    assert v.numpy().tolist() == before
    assert fails(tf.constant("3")).numpy() == 3 and v.numpy()[0] == b"cx?"


def test_errors_name_the_line() -> None:
    @tf.function
    def f(x: tf.Tensor) -> tf.Tensor:
        return S.to_number(x)  # the line

    line = f.python_function.__code__.co_firstlineno + 2  # type: ignore[attr-defined]
    with pytest.raises(tf.errors.InvalidArgumentError, match=rf"in_functions\.py:{line}"):
        f(tf.constant(["1", "x"]))
    with pytest.raises(TypeError, match="not defined for dtype string"):
        tf.function(lambda x: x * x)(V)
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError), match="needs strings"):
        tf.function(S.lower)(tf.constant(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="attr 'unit'"):
        tf.function(lambda x: S.length(x, unit="X"))(V)


REFUSED: list[Callable[[Any], Any]] = [
    lambda x: x < "b",
    lambda x: -x,
    lambda x: tf.maximum(x, x),
    lambda x: tf.reduce_max(x),
    lambda x: tf.argmax(x),
    lambda x: tf.cumsum(x),
    lambda x: tf.cast(x, tf.int64),
    lambda x: tf.bitcast(x, tf.int64),
    lambda x: tf.searchsorted(x, ["b"]),
    lambda x: tf.math.top_k(x, 1),
    lambda x: tf.math.segment_max(x, [0, 0, 1, 1, 1]),
    lambda x: tf.tensor_scatter_nd_add(x, [[1]], ["new"]),
    lambda x: tf.tensor_scatter_nd_max(x, [[1]], ["new"]),
    lambda x: tf.math.invert_permutation(x),
]


@pytest.mark.parametrize("k", range(len(REFUSED)))
def test_addresses_are_no_numbers(k: int) -> None:
    kinds = TypeError, ValueError, tf.errors.UnimplementedError
    with pytest.raises(kinds, match=r"not defined for|must be integers|is not supported"):
        tf.function(REFUSED[k])(V)


def test_dtypes_are_told_apart() -> None:
    """A program for strings is none for numbers of the same size, and the other way round."""
    f = tf.function(lambda x: tf.reverse(x, [0]))
    for _ in range(2):
        assert f(tf.constant(["a", "b"])).numpy().tolist() == [b"b", b"a"]
        assert f(tf.constant([1, 2], tf.int64)).numpy().tolist() == [2, 1]
    assert f.experimental_get_tracing_count() == 2


def test_gradients_beside_strings() -> None:
    x = tf.Variable([1.0, 2.0])

    @tf.function
    def loss(names: tf.Tensor) -> tf.Tensor:
        return tf.reduce_sum(x * x * tf.cast(S.length(names), tf.float32))

    with tf.GradientTape() as tape:
        y = loss(tf.constant(["a", "bcd"]))
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 12.0]


@contextlib.contextmanager
def counted(text: bytes) -> Iterator[None]:
    """As many references to a string behind what is done as before."""
    gc.collect()
    before = sys.getrefcount(text)
    yield
    gc.collect()
    assert sys.getrefcount(text) == before


def test_references() -> None:
    text = b"a string of its own"
    f = tf.function(lambda x: (tf.tile(x, [3]), x[:1], x, tf.reshape(x, [-1, 1]), S.strip(x)))
    checked = tf.function(lambda x, i: (tf.tile(x, [9000]), tf.gather(x, i)))
    f(tf.constant([text]))
    checked(tf.constant([text]), tf.constant([0]))
    with counted(text):
        for _ in range(3):
            x = tf.constant([text, text])
            found = f(x)
            del x
            assert [t.numpy().ravel()[0] for t in found] == [text] * 5
            with pytest.raises(tf.errors.InvalidArgumentError, match="index 7"):
                checked(tf.constant([text, text]), tf.constant([7]))
            checked(tf.constant([text, text]), tf.constant([1]))
        del found


def test_many_strings_do_not_stay() -> None:
    """What a call makes goes with its results: what is allocated stays what it was."""
    f = tf.function(lambda x: S.upper(x) + tf.tile(["!"], [len(x)]))

    def run(first: int) -> None:
        for k in range(first, first + 20):
            f(tf.constant([f"{k} {i}" for i in range(1000)]))

    run(0)
    gc.collect()
    before = sys.getallocatedblocks()
    run(100)
    gc.collect()
    assert sys.getallocatedblocks() - before < 500


def test_loops_let_go_of_what_they_made() -> None:
    """Of the strings of rounds there stays what is handed on and what is stacked; in loops around
    loops, too."""
    taken: list[int] = []

    def look(x: Any) -> Any:
        taken.append(sys.getallocatedblocks())
        return x

    @tf.function
    def f(n: tf.Tensor) -> Any:
        last, before = tf.constant(""), tf.constant("")
        words = tf.TensorArray(tf.string, n)
        for i in tf.range(n):
            many = S.as_string(tf.range(1000) + i)
            before, last = last, many[7]
            words = words.write(i, S.join([many[3], last]))
            tf.py_function(look, [i], [])
        return before, last, words.stack()

    before, last, words = f(tf.constant(40))
    assert (before.numpy(), last.numpy()) == (b"45", b"46")
    assert words.numpy().tolist() == [f"{i + 3}{i + 7}".encode() for i in range(40)]
    assert max(taken) - taken[0] < 15_000  # of 40,000 strings, at most two times 4096 are waiting

    def row(i: tf.Tensor) -> tf.Tensor:
        parts = tf.map_fn(lambda j: S.as_string(i * j), tf.range(5), fn_output_signature=tf.string)
        return S.reduce_join(parts, separator=",")

    rows = tf.function(lambda x: tf.map_fn(row, x, fn_output_signature=tf.string))
    found = rows(tf.range(900)).numpy().tolist()
    assert found == [",".join(str(i * j) for j in range(5)).encode() for i in range(900)]


def test_threads() -> None:
    f = tf.function(lambda x, n: S.join([S.upper(x), S.as_string(n)], "-") + tf.reverse(x, [0]))
    wrong: list[Any] = []

    def work(k: int) -> None:
        for i in range(30):
            words = [f"w{k}{i}{j}" for j in range(50)]
            found = f(tf.constant(words), tf.constant(k)).numpy().tolist()
            wanted = [
                f"{w.upper()}-{k}{r}".encode() for w, r in zip(words, words[::-1], strict=True)
            ]
            if found != wanted:
                wrong.append((found, wanted))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
