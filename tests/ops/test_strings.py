"""Tensors of strings: what holds for all tensors, `tfc.strings`, and what is refused."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ops.strings.hashing import fingerprint64

ERRORS = (tf.errors.InvalidArgumentError, ValueError, TypeError, tf.errors.UnimplementedError)
S = tf.strings
W = tf.constant([["a", "b"], ["c", "dé"]])


def listed(x: Any) -> Any:
    return x.numpy().tolist() if x.shape.rank else x.numpy()


def test_what_tensors_have() -> None:
    assert (W.shape, W.dtype, W.ndim, len(W)) == ((2, 2), tf.string, 2, 2)
    assert listed(W) == [[b"a", b"b"], [b"c", b"d\xc3\xa9"]]
    assert isinstance(W, tf.Tensor) and tf.is_tensor(W)
    assert W.numpy().dtype == object and np.asarray(W).tolist() == listed(W)
    scalar = tf.constant("hi")
    assert scalar.numpy() == b"hi" and scalar.shape == ()
    assert repr(scalar) == "<tf.Tensor: shape=(), dtype=string, numpy=b'hi'>"
    assert str(scalar) == "tf.Tensor(b'hi', shape=(), dtype=string)"
    row = "<tf.Tensor: shape=(2,), dtype=string, numpy=array([b'a', b'b'], dtype=object)>"
    assert repr(W[0]) == row
    assert listed(pickle.loads(pickle.dumps(W))) == listed(W)
    for value in ("x", b"x", ["x"], [b"x", "y"], np.array(["x", "yy"]), np.array([b"x"], object)):
        assert tf.constant(value).dtype == tf.string == tf.convert_to_tensor(value).dtype
    assert tf.constant([], tf.string).shape == (0,)
    assert listed(tf.constant(["a\0", ""])) == [b"a\0", b""]
    assert listed(tf.constant("ab", shape=[2])) == [b"ab", b"ab"]


def test_the_dtype() -> None:
    assert tf.string is tf.dtypes.string and tf.as_dtype("string") is tf.string
    assert tf.string == "string" == tf.string and tf.string.is_compatible_with(str)
    assert tf.string == np.dtype(object) and tf.string != tf.int64 and tf.float32 != "string"
    assert repr(tf.string) == "tf.string" and str(tf.string) == "<dtype: 'string'>"
    for name in ("is_floating", "is_integer", "is_bool", "is_numeric", "is_complex"):
        assert not getattr(tf.string, name)
    assert tf.string.as_datatype_enum == 7 and tf.string.is_compatible_with("string")
    assert pickle.loads(pickle.dumps(tf.string)) is tf.string and hash(tf.string)
    with pytest.raises(TypeError, match="Cannot find maximum value"):
        tf.string.max  # noqa: B018


def test_what_only_moves_elements() -> None:
    flat = listed(tf.reshape(W, [-1]))
    assert listed(tf.transpose(W)) == [[flat[0], flat[2]], [flat[1], flat[3]]]
    assert listed(W[1, ::-1]) == [flat[3], flat[2]] and listed(W[:, 0]) == [b"a", b"c"]
    assert [listed(row) for row in W] == listed(W)
    assert listed(tf.concat([W, [["x", "y"]]], 0)[2]) == [b"x", b"y"]
    assert listed(tf.stack(["a", tf.constant("b")])) == [b"a", b"b"]
    assert listed(tf.constant([tf.constant("a"), "b"])) == [b"a", b"b"]
    assert listed(tf.gather(["a", "b"], [1, 1, 0])) == [b"b", b"b", b"a"]
    assert listed(tf.gather_nd(W, [[1, 0]])) == [b"c"]
    assert listed(tf.tile(["a"], [2])) == [b"a", b"a"] == listed(tf.repeat("a", 2))
    assert listed(tf.boolean_mask(["a", "b"], [False, True])) == [b"b"]
    assert listed(tf.where(W == "c", "!", W)) == [[b"a", b"b"], [b"!", flat[3]]]
    assert [listed(t) for t in tf.unstack(tf.constant(["a", "b"]))] == [b"a", b"b"]
    assert listed(tf.expand_dims("a", 0)) == [b"a"] and listed(tf.squeeze([["a"]])) == b"a"
    assert listed(tf.broadcast_to("a", [2])) == [b"a", b"a"] and listed(tf.identity("a")) == b"a"
    y, idx, count = tf.unique_with_counts(tf.constant(["b", "a", "b"]))
    assert (listed(y), listed(idx), listed(count)) == ([b"b", b"a"], [0, 1, 0], [2, 1])
    assert tf.size(W).numpy() == 4 and listed(tf.shape(W)) == [2, 2]
    a, b = tf.split(tf.constant(["a", "b", "c", "d"]), 2)
    assert listed(a) + listed(b) == [b"a", b"b", b"c", b"d"]


def test_comparisons_and_sums() -> None:
    assert listed(W == "c") == [[False, False], [True, False]]
    assert listed(W != W[0]) == [[False, False], [True, True]]
    assert listed(tf.equal("dé", W[1])) == [False, True]
    assert listed(W + "!")[0] == [b"a!", b"b!"] and listed("!" + W[0]) == [b"!a", b"!b"]
    tf.debugging.assert_equal(W, W)
    with pytest.raises(tf.errors.InvalidArgumentError, match="x == y"):
        tf.debugging.assert_equal(W, "a")


def test_printing() -> None:
    out = io.StringIO()
    tf.print(tf.constant(["a", "b"]), tf.constant("x y"), output_stream=out)
    assert out.getvalue() == '["a" "b"] x y\n'


REFUSED: list[tuple[Any, str]] = [
    (lambda: tf.exp(W), "exp: not defined for dtype string"),
    (lambda: tf.reduce_sum(W), "reduce_sum: not defined for dtype string"),
    (lambda: tf.matmul(W, W), "matmul: not defined for dtype string"),
    (lambda: W * W, "multiply: not defined for dtype string"),
    (lambda: W < W, "less: not defined for dtype string"),
    (lambda: W * 2, "multiply: Cannot convert 2 to a tensor of dtype string"),
    (lambda: tf.equal(W, tf.constant(1)), "equal: not defined for dtype string"),
    (lambda: tf.cast(W, tf.float32), "Cast string to float32 is not supported: tf.strings.to_num"),
    (lambda: tf.cast(1, tf.string), "Cast int32 to string is not supported: tf.strings.as_string"),
    (lambda: tf.cast(1.0, tf.string), "string"),
    (lambda: tf.concat([W, [[1, 2]]], 0), "concat: not defined for dtype string"),
    (lambda: tf.eye(2, dtype=tf.string), "dtype string"),
    (lambda: tf.random.normal([2], dtype=tf.string), "string"),
    (lambda: tf.constant(["a", 1]), "mixed types"),
    (lambda: tf.constant([1, "a"]), "unsupported type|mixed"),
    (lambda: tf.constant([["a"], ["b", "c"]]), "non-rectangular"),
    (lambda: tf.constant("a", tf.float32), "unsupported type|Cannot convert .a. to"),
    (lambda: tf.constant(1, tf.string), "dtype string"),
    (lambda: tf.one_hot(W, 2), "integers"),
    (lambda: tf.reshape(W, [3]), "reshape"),
]


@pytest.mark.parametrize("k", range(len(REFUSED)))
def test_numeric_ops_refuse_strings(k: int) -> None:
    call, text = REFUSED[k]
    with pytest.raises(ERRORS, match=text):
        call()


def test_what_is_known_while_tracing() -> None:
    x = tf.constant([1.0])
    with pytest.raises(TypeError, match="is a string tensor"):
        tf.function(lambda v: tf.concat([v, W[0]], 0))(x)
    # What is known while tracing is a constant of the program.
    assert tf.function(lambda v: v * tf.cast(S.length("abc"), tf.float32))(x).numpy() == 3


# tfc.strings.


def test_numbers_to_strings_and_back() -> None:
    for value, options, wanted in (
        (3, {}, b"3"),
        (-3, {"width": 5}, b"   -3"),
        (3, {"width": 4, "fill": "0"}, b"0003"),
        (3, {"width": 4, "fill": "-"}, b"3   "),
        (True, {}, b"true"),
        (True, {"width": 6}, b"true"),
        ("ab", {"width": 4}, b"  ab"),
        ("ab", {"width": 4, "fill": "-"}, b"ab  "),
        (1.5, {}, b"1.500000"),
        (1.5, {"precision": 1}, b"1.5"),
        (12345.678, {"scientific": True, "precision": 2}, b"1.23e+04"),
        (0.1, {"shortest": True}, b"0.1"),
        (1 + 2j, {"precision": 0}, b"(1,2)"),
        (np.float16(0.5), {}, b"0.500000"),
        ("x", {}, b"x"),
        (float("nan"), {}, b"nan"),
        (2**63, {}, None),
    ):
        given = tf.constant(value, tf.uint64) if wanted is None else tf.constant(value)
        assert S.as_string(given, **options).numpy() == (wanted or str(2**63).encode())
    assert S.as_string(tf.constant(0.5, tf.bfloat16)).numpy() == b"0.500000"
    assert S.as_string(tf.Variable([1, 2])).numpy().tolist() == [b"1", b"2"]
    for text, dtype, number in (
        ("1.5", tf.float32, 1.5),
        (" -7 ", tf.int32, -7),
        ("1e400", tf.float64, np.inf),
        ("1e39", tf.float32, np.inf),
        ("9223372036854775807", tf.int64, 2**63 - 1),
    ):
        found = S.to_number(text, dtype)
        assert found.dtype is dtype and found.numpy() == number
    for text, dtype in (
        ("x", tf.float32),
        ("1.5", tf.int32),
        ("3000000000", tf.int32),
        ("1_0", tf.int32),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert"):
            S.to_number([text], dtype)
    for options, text in (
        ({"scientific": True, "shortest": True}, "both"),
        ({"fill": "ab"}, "Fill string must be one"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            S.as_string(1.0, **options)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not supported for datatype int32"):
        S.as_string(1, precision=2)


def test_format() -> None:
    assert S.format("a {} b {}", (tf.range(3), "x")).numpy() == b'a [0 1 2] b "x"'
    assert S.format("%s", tf.constant(["p", "q"]), placeholder="%s").numpy() == b'["p" "q"]'
    assert S.format("{}", tf.range(9), summarize=-1).numpy() == b"[0 1 2 3 4 5 6 7 8]"
    with pytest.raises(ValueError, match="expects 2 tensors, but the inputs only has 1"):
        S.format("{} {}", 1)
    with pytest.raises(TypeError, match="placeholder must be text, got ''"):
        S.format("{}", 1, placeholder="")


def test_lists_of_text_and_bytes() -> None:
    assert listed(tf.constant(["é", b"b\xff"])) == ["é".encode(), b"b\xff"]


def test_joins() -> None:
    assert listed(S.join([["a", "b"], "x"], "-")) == [b"a-x", b"b-x"]
    assert S.join(["a", "b", "c"], ",").numpy() == b"a,b,c"
    assert listed(S.reduce_join(W, 1, separator="+")) == [b"a+b", b"c+d\xc3\xa9"]
    assert listed(S.reduce_join(W, 0, keepdims=True)) == [[b"ac", b"bd\xc3\xa9"]]
    assert S.reduce_join(W).numpy() == "abcdé".encode()
    assert listed(S.reduce_join(W, [1, 0])) == "abcdé".encode()
    assert listed(S.reduce_join(W, [0, 1], separator="-")) == "a-c-b-dé".encode()
    deep = [[["a", "b"], ["c", "d"]], [["e", "f"], ["g", "h"]]]
    assert listed(S.reduce_join(deep, [0, 2])) == [b"aebf", b"cgdh"]
    assert listed(S.reduce_join(deep, [-1, 0])) == [b"abef", b"cdgh"]
    with pytest.raises(ERRORS, match=r"Duplicate reduction dimension -2"):
        S.reduce_join(W, [0, -2])
    with pytest.raises(ERRORS, match="Input shapes do not match"):
        S.join([["a"], ["b", "c"]])
    with pytest.raises(tf.errors.OutOfRangeError, match="Invalid reduction dimension 2"):
        S.reduce_join(W, 2)
    assert S.join([]).numpy() == b""
    assert listed(S.reduce_join(tf.zeros([2, 0], tf.string), 0)) == []


def test_string_by_string() -> None:
    assert listed(S.length(W)) == [[1, 1], [1, 3]] and S.length(W).dtype == "int32"
    assert listed(S.length(W, unit="UTF8_CHAR")) == [[1, 1], [1, 2]]
    assert S.substr("abc", 1, -1).numpy() == b"bc"
    assert listed(S.split(" a  b c ", maxsplit=1)) == [b"a", b"b c "]
    assert listed(S.split(" a ", maxsplit=1)) == [b"a", b""]
    assert (
        S.upper("aé").numpy() == "Aé".encode() and S.upper("aé", "utf-8").numpy() == "AÉ".encode()
    )
    assert (
        S.lower("AÉ").numpy() == "aÉ".encode() and S.lower("AÉ", "utf-8").numpy() == "aé".encode()
    )
    assert tf.strings.strip(tf.constant(" \ta \n")).numpy() == b"a"
    assert listed(S.substr(["Hello", "World"], 1, 3)) == [b"ell", b"orl"]
    assert listed(S.substr("Hello", [-3, 5, 0], [2, 1, 9])) == [b"ll", b"", b"Hello"]
    assert S.substr("dé!", 1, 1, unit="UTF8_CHAR").numpy() == "é".encode()
    with pytest.raises(ERRORS, match="out of range for string"):
        S.substr("abc", 4, 1)
    assert S.regex_replace("a1b22", "[0-9]+", "<\\0>").numpy() == b"a<1>b<22>"
    assert (
        S.regex_replace("a1b2", r"(\w)(\d)", r"\2\\\1", replace_global=False).numpy() == b"1\\ab2"
    )
    assert listed(S.regex_full_match(["abc", "abcd"], "a.c")) == [True, False]
    for call, text in (
        (lambda: S.regex_replace("a", "(", "b"), "Invalid pattern"),
        (lambda: S.regex_replace("a", "a", r"\1"), "Invalid rewrite"),
        (lambda: S.length([1]), r"Cannot convert \[1\] to EagerTensor of dtype string"),
        (lambda: S.length(tf.constant([1])), "strings.length: needs strings, got dtype int32"),
        (lambda: S.length("a", unit="BIT"), "attr 'unit'"),
        (lambda: S.lower("a", encoding="latin"), "only utf-8 or"),
    ):
        with pytest.raises(ERRORS, match=text):
            call()


# Of bytes i * 7 modulo 256, from Google's farmhash.
FINGERPRINTS = {
    0: 11160318154034397263,
    1: 13718060045003475796,
    3: 7836721383716570152,
    4: 365121004050576997,
    8: 15872949792654440359,
    16: 18136686206037405083,
    17: 11915285948536389748,
    32: 764915578794662492,
    33: 18105585573320925255,
    64: 16160162133541714314,
    65: 1750252573709625707,
    128: 12084765434445350011,
    129: 17055797514759295579,
    300: 10100631021413495824,
}


def test_hashes() -> None:
    for n, wanted in FINGERPRINTS.items():
        assert fingerprint64(bytes(i * 7 % 256 for i in range(n))) == wanted
    found = S.to_hash_bucket_fast(["Hello", "TensorFlow", "2.x"], 3)
    assert listed(found) == [0, 2, 2] and found.dtype == "int64"
    with pytest.raises(ERRORS, match="must be at least minimum 1"):
        S.to_hash_bucket_fast("a", 0)


def test_parts() -> None:
    assert listed(S.split(" a  b ")) == [b"a", b"b"]
    assert listed(S.split("a,b,,c", ",")) == [b"a", b"b", b"", b"c"]
    assert listed(S.split("a b c", maxsplit=1)) == [b"a", b"b c"]
    rows = S.split([["a b", "c"], ["", "d e f"]])
    assert rows.to_list() == [[[b"a", b"b"], [b"c"]], [[], [b"d", b"e", b"f"]]]
    assert rows.shape.rank == 3 and S.split(["x"]).to_tensor().shape == (1, 1)
    assert listed(S.bytes_split("é")) == [b"\xc3", b"\xa9"]
    assert S.bytes_split(["ab", ""]).to_list() == [[b"a", b"b"], []]
    assert listed(S.ngrams(["a", "b", "c"], [1, 3], "")) == [b"a", b"b", b"c", b"abc"]
    assert S.ngrams(S.split(["a b c", "d"]), 2).to_list() == [[b"a b", b"b c"], []]
    assert listed(S.ngrams([[["a", "b"], ["c", "d"]]], 2)) == [[[b"a b"], [b"c d"]]]
    assert S.ngrams([["a", "b"]], 3).shape == (1, 0)
    # Padded rows, as TensorFlow 2.21 has them.
    ragged = tf.ragged.constant([["a", "b", "c"], ["d"], []])
    ends = ("<", ">")
    for width, options, wanted in [
        (2, {"pad_values": "|"}, [["| a", "a b", "b c", "c |"], ["| d", "d |"], ["| |"]]),
        (3, {"pad_values": ends, "padding_width": 1}, [["< a b", "a b c", "b c >"], ["< d >"], []]),
        (4, {"preserve_short_sequences": True}, [["a b c"], ["d"], []]),
        ((2, 5), {"preserve_short_sequences": True}, [["a b", "b c"], ["d"], []]),
        (
            4,
            {"pad_values": "|", "padding_width": 1, "preserve_short_sequences": True},
            [["| a b c", "a b c |"], ["| d |"], []],
        ),
        (
            (1, 3),
            {"pad_values": ends},
            [
                ["a", "b", "c", "< < a", "< a b", "a b c", "b c >", "c > >"],
                ["d", "< < d", "< d >", "d > >"],
                ["< < >", "< > >"],
            ],
        ),
    ]:
        found = S.ngrams(ragged, width, **options).to_list()
        assert found == [[run.encode() for run in row] for row in wanted], (width, options)
        dense = listed(S.ngrams([["a", "b", "c"]], width, **options))
        assert dense == [[run.encode() for run in wanted[0]]], (width, options)
    with pytest.raises(TypeError, match="pad_values must be a string"):
        S.ngrams(["a"], 2, pad_values=("a",))
    with pytest.raises(ValueError, match="pad_values must be provided"):
        S.ngrams(["a"], 2, padding_width=1)
    with pytest.raises(ValueError, match="greater than 0"):
        S.ngrams(["a"], 2, pad_values="a", padding_width=-1)
    assert listed(S.ngrams(["a", "b"], np.int64(2))) == [b"a b"]
    for call, text in (
        (lambda: S.ngrams(["a"], 0), "must be greater than 0"),
        (lambda: S.ngrams("a", 1), "rank>0"),
        (lambda: S.split("a b", maxsplit="x"), "maxsplit must be a number"),
    ):
        with pytest.raises(ERRORS, match=text):
            call()


def test_unicode() -> None:
    assert listed(S.unicode_decode("Gé", "UTF-8")) == [71, 233]
    assert S.unicode_decode(["é", ""], "UTF-8").to_list() == [[233], []]
    assert S.unicode_decode("é".encode("utf-16-be"), "UTF-16-BE").numpy().tolist() == [233]
    broken = b"a\xffb"
    assert listed(S.unicode_decode(broken, "UTF-8")) == [97, 65533, 98]
    assert listed(S.unicode_decode(broken, "UTF-8", replacement_char=63)) == [97, 63, 98]
    assert listed(S.unicode_decode(broken, "UTF-8", errors="ignore")) == [97, 98]
    assert listed(S.unicode_decode("a\t", "UTF-8", replace_control_characters=True)) == [97, 65533]
    with pytest.raises(ERRORS, match="Invalid formatting"):
        S.unicode_decode(broken, "UTF-8", errors="strict")
    assert listed(S.unicode_split("Gé", "UTF-8")) == [b"G", "é".encode()]
    assert S.unicode_encode([71, 233], "UTF-8").numpy() == "Gé".encode()
    ragged = tf.ragged.constant([[71], [233, 33]])
    assert listed(S.unicode_encode(ragged, "UTF-8")) == [b"G", "é!".encode()]
    assert S.unicode_encode([-1], "UTF-8").numpy() == "\ufffd".encode()
    with pytest.raises(ERRORS, match="out of range for Unicode"):
        S.unicode_encode([-1], "UTF-8", errors="strict")
    assert S.unicode_transcode("é", "UTF-8", "UTF-16-BE").numpy() == b"\x00\xe9"
    # What stands for malformed bytes is not mixed up with the same character in the text.
    assert listed(S.unicode_decode(b"\xff\xef\xbf\xbd", "UTF-8", replacement_char=63)) == [
        63,
        65533,
    ]
    control = b"a\x7f\xc2\x85\n"
    found = S.unicode_decode(control, "UTF-8", replace_control_characters=True)
    assert listed(found) == [97, 127, 133, 65533]
    found = S.unicode_transcode(
        control, "UTF-8", "UTF-8", errors="ignore", replace_control_characters=True
    )
    assert found.numpy() == control[:-1]
    nested = tf.ragged.constant([[[0xD800], [65]], [[-1]]])
    assert S.unicode_encode(nested, "UTF-8", replacement_char=63).to_list() == [
        [b"?", b"A"],
        [b"?"],
    ]


def test_characters_that_an_encoding_lacks() -> None:
    assert S.unicode_encode([233], "US-ASCII").numpy() == b"?"
    assert S.unicode_encode([233, 65], "US-ASCII", errors="ignore").numpy() == b"A"
    assert S.unicode_encode([233], "US-ASCII", replacement_char=45).numpy() == b"-"
    assert S.unicode_transcode("é!", "UTF-8", "US-ASCII", errors="ignore").numpy() == b"!"
    assert listed(S.unicode_split(b"a\xff", "US-ASCII")) == [b"a", b"?"]
    assert listed(S.unicode_decode(b"a\xff", "US-ASCII")) == [97, 65533]
    for call, text in (
        (lambda: S.unicode_encode([233], "US-ASCII", errors="strict"), "has no code for all of"),
        (lambda: S.unicode_transcode("é", "UTF-8", "US-ASCII", errors="strict"), "has no code"),
        (
            lambda: S.unicode_decode("a", "UTF-8", replacement_char=-1),
            "out of unicode codepoint",
        ),
        (
            lambda: S.unicode_encode([1], "UTF-8", replacement_char=0xD800),
            "out of unicode codepoint",
        ),
        (lambda: S.unicode_split("a", "UTF-8", replacement_char="?"), "must be a number"),
    ):
        with pytest.raises(ERRORS, match=text):
            call()


def test_unknown_encodings() -> None:
    with pytest.raises(ERRORS, match="Could not create converter"):
        S.unicode_decode("a", "EBCDIC")
