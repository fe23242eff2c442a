"""Regular expressions are RE2's: what was compared with TensorFlow, and errors."""

from __future__ import annotations

import pytest

import tfc as tf

S = tf.strings

# The pattern, a string, and the string with each match in brackets, as TensorFlow gives them.
MATCHES = [
    (".", "é", "[é]"),
    ("[^a]", "aé\n", "a[é][\n]"),
    (r"\w+", "aé1", "[a]é[1]"),
    (r"\s", "a\vb ", "a\vb[ ]"),
    (r"\pL+", "ΓΩ1漢", "[ΓΩ]1[漢]"),
    (r"\p{Greek}", "aΓ", "a[Γ]"),
    (r"\P{^Lu}", "aB", "a[B]"),
    (r"[\pN\p{Han}]", "漢1a", "[漢][1]a"),
    ("[[:alpha:]]+", "ab1", "[ab]1"),
    ("[[:^digit:]]", "1é", "1[é]"),
    (r"[\W\d]", "a1-", "a[1][-]"),
    (r"\Qa.b\E+", "a.b axb", "[a.b] axb"),
    (r"\x{e9}|\x41|\102", "éAB", "[é][A][B]"),
    ("a$", "a\n", "a\n"),
    ("(?m)a$", "a\na", "[a]\n[a]"),
    (r"a\z", "a\na", "a\n[a]"),
    ("a(?i)b|C", "aBc", "[aB][c]"),
    ("(?i:É)x", "éx", "[éx]"),
    ("(?i)a(?-i)B", "AB Ab", "[AB] Ab"),
    ("(?s)a.", "a\n", "[a\n]"),
    ("(?U)a+", "aa", "[a][a]"),
    ("(?U)a+?", "aa", "[aa]"),
    ("(?P<n>a)b", "ab", "[ab]"),
    ("x*", "abxxc", "[]a[]b[xx]c[]"),
    ("a||b", "ab", "[a]b[]"),
    ("a{,2}", "a{,2}", "[a{,2}]"),
    ("[]a]", "]b", "[]]b"),
    ("[a-]", "-b", "[-]b"),
    ("[[]", "[", "[[]"),
    (r"\bab\b", "ab abé", "[ab] [ab]é"),
]
WRONG = {
    "(": "missing )",
    ")": "unexpected )",
    "[": "missing ]",
    "[b-a]": "bad character range",
    "[[:foo:]]": "invalid character class range",
    r"\p{Foo}": "invalid character class range",
    r"(a)\1": "invalid escape sequence",
    r"\Z": "invalid escape sequence",
    "\\": "trailing",
    "a**": "bad repetition operator",
    "a++": "bad repetition operator",
    "a{1001}": "bad repetition operator",
    "*a": "no argument for repetition operator",
    "(?=a)": "invalid perl operator",
    "(?<!a)": "invalid perl operator",
    b"\xff": "invalid UTF-8",
}


@pytest.mark.parametrize("pattern, text, wanted", MATCHES, ids=[m[0] for m in MATCHES])
def test_matches(pattern: str, text: str, wanted: str) -> None:
    assert S.regex_replace(text, pattern, r"[\0]").numpy() == wanted.encode()


@pytest.mark.parametrize("pattern", WRONG, ids=map(str, WRONG))
def test_what_is_no_pattern(pattern: str | bytes) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern") as caught:
        S.regex_full_match("a", pattern)
    assert WRONG[pattern] in str(caught.value)


def test_bytes_that_are_no_text_stay() -> None:
    assert S.regex_replace(b"a\xffb\xc3", "[^a]", "-").numpy() == b"a\xff-\xc3"
    assert S.regex_replace(b"\xff", "", "x").numpy() == b"x\xffx"
    assert not S.regex_full_match(b"\xff", "(?s).").numpy()


def test_rewrites() -> None:
    assert S.regex_replace("ab", "(a)(b)", r"\2\1\0\\").numpy() == b"baab\\"
    assert S.regex_replace("aXa", "(X)?a", r"[\1]").numpy() == b"[][X]"
    assert S.regex_replace("aab", "a", "-", replace_global=False).numpy() == b"-ab"
    for wrong in ("\\", r"\n", r"\1"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid rewrite pattern"):
            S.regex_replace("a", "a", wrong)
