"""Symbolic extents: their algebra is that of integers, their form is canonical, their text comes
back."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from tfc.ir import extent as e
from tfc.ir.extent import Expr, Extent, evaluate, parse_extent, symbol

N, M, K = symbol("n"), symbol("m"), symbol("k")
VALUES = [{"n": n, "m": m, "k": k} for n, m, k in ((3, 5, 7), (0, 1, 2), (8, 2, 1), (17, 4, 6))]


def expression(rng: random.Random, depth: int) -> tuple[Extent, Any]:
    """An extent, and the function of the symbols' values that it stands for."""
    way = rng.randrange(10) if depth else rng.randrange(2)
    if way == 0:
        name = rng.choice("nmk")
        return symbol(name), lambda v: v[name]
    if way == 1:
        number = rng.choice((0, 1, 2, 3, -1, -4, 12))
        return number, lambda v: number
    (x, f), (y, g) = expression(rng, depth - 1), expression(rng, depth - 1)
    divisor = rng.choice((1, 2, 3, 4))
    match way:
        case 2 | 3:
            return x + y, lambda v: f(v) + g(v)
        case 4:
            return x - y, lambda v: f(v) - g(v)
        case 5:
            return x * y, lambda v: f(v) * g(v)
        case 6:
            return e.floordiv(x * divisor, y * y + 1), lambda v: f(v) * divisor // (g(v) ** 2 + 1)
        case 7:
            return x // divisor, lambda v: f(v) // divisor
        case 8:
            return x % divisor, lambda v: f(v) % divisor
    return e.maximum(x, e.minimum(y, 5)), lambda v: max(f(v), min(g(v), 5))


@cache
def expressions() -> list[tuple[Extent, Any]]:
    """Made when a test runs, so that what is wrong with making them fails there."""
    return [expression(random.Random(seed), 4) for seed in range(400)]


def test_values_are_those_of_integers() -> None:
    for x, f in expressions():
        for values in VALUES:
            assert evaluate(x, values) == f(values), str(x)
        some = e.substitute(x, {"n": 3, "m": M + 1})
        shown = {"m": 4, "k": 7}
        assert evaluate(some, shown) == f({"n": 3, "m": 5, "k": 7}), str(x)


def test_text_comes_back() -> None:
    for x, _ in expressions():
        again = parse_extent(str(x))
        assert again == x and hash(again) == hash(x) and repr(x) == str(x)


def test_the_form_is_canonical() -> None:
    for (x, _), (y, _), (z, _) in zip(*(expressions()[i:] for i in range(3)), strict=False):
        assert x + y == y + x and x * y == y * x and x - x == 0
        assert (x + y) * z == x * z + y * z
        assert (x - y) + y == x and 3 - x == -(x - 3)


def test_what_an_extent_can_be() -> None:
    """Its reach has all values, and for a symbol that says how large it is, no other ends."""
    n = e.symbol("n", 6)
    some = [5, n, 3 * n + 1, 7 - n, n * n - n, n // 4, (n + 5) // 6, n % 4, n % 9, (n - 3) % 9]
    some += [e.positive(n - 4), e.minimum(n, 3), e.maximum(2 * n, 9), e.minimum(n, 50), N * n]
    for x in some:
        values = [evaluate(x, {"n_to6": i, "n": j}) for i in range(1, 7) for j in (0, 1, 90)]
        low, high = e.reach(x)
        assert low is None or low <= min(values), str(x)
        assert high is None or high >= max(values), str(x)
        assert e.largest(x) == (x if high is None else high)
        assert all(e.in_reach(x, value) for value in values)
        assert parse_extent(str(x)) == x
    assert e.reach(n) == (1, 6) and e.reach(7 - n) == (1, 6) and e.reach(N) == (0, None)
    assert (n + 5) // 6 == 1 and n % 9 == n and e.minimum(n, 50) == n and (n + 14) // 16 != 1
    assert not e.in_reach(n, 0) and not e.in_reach(n, 7) and e.in_reach(N, 7)
    for x, _ in expressions():
        low, high = e.reach(x)
        found = [evaluate(x, v) for v in VALUES]
        assert (low is None or low <= min(found)) and (high is None or max(found) <= high), str(x)


def test_what_is_never_negative() -> None:
    """It may be said of what never is, and is said of what plainly is not."""
    for x, _ in expressions():
        assert not e.never_negative(x) or all(evaluate(x, v) >= 0 for v in VALUES), str(x)
    for yes in (0, 3, N, N * M + 2, N // 4, (N - 9) % 5, e.positive(N - 9), N // 4 * (M % 3)):
        assert e.never_negative(yes) and e.positive(yes) == yes, str(yes)
    for no in (-1, N - 1, N * -1, (N - 1) // 4, N // M, N % M, N // -2, N + (M - 2) // 3):
        assert not e.never_negative(no), str(no)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("N * 2 + N", "3*n"),
        ("M + N * N - 1", "n*n + m - 1"),
        ("N * -1", "-n"),
        ("N * -2 + 4", "-2*n + 4"),
        ("(N + 3) // 4", "(n + 3)//4"),
        ("(N + 3) // 4 + 1", "((n + 3)//4) + 1"),
        ("(N + 3) // 4 * 2", "2*((n + 3)//4)"),
        ("(64 * N + 3 * M + 5) // 32", "((3*m + 5)//32) + 2*n"),
        ("(64 * N - 32 * M + 63) // 32", "-m + 2*n + 1"),
        ("(64 * N + 3 * M + 5) % 32", "(3*m + 5)%32"),
        ("(64 * N + 33) % 32", "1"),
        ("N // M", "n//m"),
        ("N % 4", "n%4"),
        ("7 // N", "7//n"),
        ("7 % N", "7%n"),
        ("N * M * 4 // (M * 2)", "2*n"),
        ("N * M % M", "0"),
        ("N * 3 // 2", "(3*n)//2"),
        ("N * 3 % 2", "(3*n)%2"),
        ("(N + M) // (N + M)", "1"),
        ("(N + M) % (N + M)", "0"),
        ("N // 1", "n"),
        ("e.ceildiv(N, 2)", "(n + 1)//2"),
        ("e.minimum(N, 5)", "n - positive(n - 5)"),
        ("e.maximum(N, 5)", "positive(n - 5) + 5"),
        ("e.product([N, 2, M])", "2*m*n"),
        ("e.product([])", "1"),
        ("0 * N", "0"),
        ("N - N + 4", "4"),
        ("N // 0", "n//0"),
        ("N * 0 // M", "0"),
    ],
)
def test_text(code: str, text: str) -> None:
    extent = eval(code, {"N": N, "M": M, "e": e})
    assert str(extent) == text
    assert isinstance(extent, Expr) is not text.isdigit()
    if code != "N // 0":
        assert parse_extent(text) == extent


def test_numbers_stay_numbers() -> None:
    assert (e.floordiv(-7, 2), e.remainder(-7, 2), e.ceildiv(7, 2)) == (-4, 1, 4)
    assert (e.positive(-3), e.positive(3), e.maximum(2, 5), e.minimum(2, 5)) == (0, 3, 5, 2)
    assert e.as_ints((1, 2)) == (1, 2) and e.symbols(3) == ()
    assert e.symbols(M * K + (N + 1) // symbol("j") + e.positive(N - symbol("i"))) == (
        *("k", "m", "n", "j", "i"),
    )
    first, second = e.fresh_symbol(), e.fresh_symbol()
    assert first != second and N != "n" and N == symbol("n") and (N + 1) // 2 != (N + 1) % 2


def test_errors() -> None:
    with pytest.raises(TypeError, match="the symbolic extent n has no truth value"):
        bool(N)
    with pytest.raises(TypeError, match="the extent n is no number yet"):
        e.as_int(N)
    with pytest.raises(KeyError, match="m has no value in"):
        evaluate(M, {"n": 1})


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "n +",
            "+",
            "n n",
            "(n",
            "n)",
            "007x",
            "n $ 2",
            "positive(n",
            "n * ",
            "1.5",
            "n // 0",
        ),
        *("n % 0", "9" * 20, "(" * 41 + "n" + ")" * 41),
        *("9223372036854775807 * 2", "9223372036854775807 * -9", "posi(n)"),
        "*".join(f"(a{i} + b{i})" for i in range(9)),
    ],
)
def test_what_is_no_extent(text: str) -> None:
    with pytest.raises(ValueError, match="not an extent"):
        parse_extent(text)


def test_what_is_just_small_enough() -> None:
    assert parse_extent("(" * 39 + "n" + ")" * 39) == N
    assert parse_extent("9" * 18) == int("9" * 18)
    assert parse_extent("9223372036854775807") == 2**63 - 1
    assert parse_extent("--n") == N and parse_extent("---n + 1") == 1 - N
    eight = parse_extent("*".join(f"(a{i} + b{i})" for i in range(8)))
    assert isinstance(eight, Expr) and len(eight.terms) == 256
    many = " + ".join(f"a{i}" for i in range(256))
    assert len(parse_extent(many).terms) == 256  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="too large"):
        parse_extent(many + " + z")
    with pytest.raises(ValueError, match="too large"):  # though nothing is computed of it
        parse_extent("9223372036854775808")
    with pytest.raises(ValueError, match="too many terms"):
        parse_extent("*".join(f"(a{i} + b{i})" for i in range(9)))
    with pytest.raises(ValueError, match="too deep"):
        parse_extent("(" * 40 + "n" + ")" * 40)
    with pytest.raises(ValueError, match=r"\.\.\."):
        parse_extent("$" + "n" * 300)
