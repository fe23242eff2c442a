"""Text laid out for reading: columns, long statements, and kernels in brief."""

from __future__ import annotations

import os
import re

import pytest

import tfc as tf
from tfc.dispatch.compiled import Stages
from tfc.ir.core import Location
from tfc.ir.kernels.brief import brief, brief_lines
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.repeated_lines import Line, folded
from tfc.ir.kernels.target import Target
from tfc.ir.reading import broken, columns, laid_out, place
from tfc.ir.text import ParseError, parse

TARGET = Target(vector_bytes=32, registers=16)


def test_names_and_types_stand_in_columns() -> None:
    assert columns(["%0 = neg %x : f32[3]", "%loss = sub %0, %x : f32[3]", "return %loss"]) == [
        "%0    = neg %x     : f32[3]",
        "%loss = sub %0, %x : f32[3]",
        "return %loss",
    ]
    wide = f"%{'a' * 30} = neg %x : f32"
    assert columns([wide, "%0 = neg %x : f32"])[0] == wide  # it is not what others go by
    assert columns(["%0 = cond %p, [] then = () {"]) == ["%0 = cond %p, [] then = () {"]


def test_long_statements_are_cut_in_brackets_and_read_again() -> None:
    params = ", ".join(f"%argument_{i}: f32[64,64]" for i in range(9))
    types = ", ".join(["f32[64,64]"] * 9)
    values = ", ".join(f"%argument_{i}" for i in range(9))
    text = f"func @f({params}) -> ({types}) {{\n  return {values}\n}}"
    f = parse(text)
    shown = laid_out(f)
    assert len(shown.split("\n")) > len(text.split("\n"))
    assert max(map(len, shown.split("\n")[:-2])) <= 100
    assert str(parse(shown)) == text
    assert broken("%0 = neg %x : f32    # model.py:7", 4) == "%0 = neg %x : f32    # model.py:7"
    with pytest.raises(ParseError, match=r"^line 2: %z is not defined\n  %a = concat \[%x, %z\]"):
        parse("func @f(%x: f32[2]) -> f32[4] {\n%a = concat [%x,\n  %z] {axis = 0} : f32[4]\n}")


def test_files_of_the_working_directory_are_named_from_there() -> None:
    assert place(Location(os.path.join(os.getcwd(), "model.py"), 3)) == "model.py:3"
    assert place(Location(os.getcwd() + "2/model.py", 3)) == f"{os.getcwd()}2/model.py:3"
    assert place(None) == ""


def step(x: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    with tf.GradientTape() as tape:
        tape.watch(w)
        hidden = tf.tanh(x @ w)
        loss = tf.reduce_mean(tf.nn.softmax(hidden)[:, 0])
        state = hidden
        for _ in tf.range(3):
            state = tf.sin(state @ tf.ones([40, 40]))
    return loss, tape.gradient(loss, w), state


@pytest.fixture(scope="module")
def stages() -> Stages:
    specs = tf.TensorSpec([None, 9]), tf.TensorSpec([9, 40])
    return Stages(tf.function(step).get_concrete_function(*specs).function)


@pytest.mark.parametrize("stage", ["traced", "optimised"])
def test_what_is_laid_out_says_what_the_text_says(stages: Stages, stage: str) -> None:
    text, full = stages.read(stage), str(stages[stage])
    assert text != full
    again = parse(text)
    assert laid_out(again) == text
    here = os.getcwd() + os.sep
    assert str(again) == full.replace(f"# {here}", "# ")
    assert tf.ir.format(text) == text


def test_kernels_are_brief(stages: Stages) -> None:
    """Numbers stand where they are used, functions by their names, and nothing has a type twice."""
    text, full = stages.read("kernels"), str(stages["kernels"])
    assert stages.read("lowered") == text
    assert len(text) < len(full) / 3
    assert " constant " not in text and " extent_of " not in text
    assert re.search(r"%\d+ = tanh %", text) and " = tanh " not in full
    assert ": f32 " not in text
    with pytest.raises(ParseError, match="verbose"):
        parse(text)


def test_a_launch_names_its_ops_and_their_lines(stages: Stages) -> None:
    first = step.__code__.co_firstlineno
    text = stages.read("kernels")
    here = os.path.relpath(__file__)
    launches = re.findall(r"# (.+\.k\d+): (.*)", text)
    assert launches[0] == ("step.k0", f"matmul ({here}:{first + 3})")
    assert any("tanh %hidden" in ops and f"{first + 3}" in ops for _, ops in launches)
    kernels = [op for op in stages.lowered.walk() if op.mnemonic == "launch"]
    assert len(launches) == len(kernels)
    named = re.findall(r"launch (\S+) \[", re.sub(r"the function", "the_function", text))
    assert len(named) == len(kernels)


def briefly(body: str, result: str, params: str = "%x: f32[4,5]") -> str:
    return brief(lower(parse(f"func @f({params}) -> {result} {{\n{body}\n}}"), TARGET))


def test_indices_are_written_as_by_hand() -> None:
    text = briefly(
        "%0 = transpose %x {perm = (1, 0)} : f32[5,4]\n%1 = slice %0 {begin = (1, 2), "
        "size = (2, 2), strides = (2, 1)} : f32[2,2]\nreturn %1",
        "f32[2,2]",
    )
    assert (
        text
        == """\
func @f(%x: f32[4,5]) -> f32[2,2] {
  # f.k0: transpose, slice
  %0 = launch f.k0 [%x] (%x: *f32[4,5], %out: *f32[2,2]) {
    for %i in 0..2 parallel {
      for %i.1 in 0..2 vector {
        %0 = 2*%i
        %out[%0 + %i.1] = %x[5*(%i.1 + 2) + (%0 + 1)]
      }
    }
  }
  return %0
}"""
    )


def test_what_nothing_comes_of_is_left_out() -> None:
    """The sum of all elements goes through them by one index: those of the axes are unused."""
    text = (
        "func @f(%x: f32[4,5]) -> f32 {\n  %0 = reduce_sum %x {axes = (0, 1)} : f32\n  return %0\n}"
    )
    f = lower(parse(text), TARGET)
    assert "floor_mod" in str(f)
    assert re.search(r"in 0\.\.20 vector \{\n +return %x\[%i\]\n", brief(f))


def test_equal_kernels_are_printed_once() -> None:
    layers = "".join(f"%{i + 1} = matmul %{i}, %w : f32[8,8]\n" for i in range(3))
    text = briefly(f"{layers}return %3", "f32[8,8]", "%0: f32[8,8], %w: f32[8,8]")
    assert re.search(r"launch f.k2 \[%\w+, %\w+\] as f.k0$", text, re.M)
    assert text.count(") {") == 2  # of the function, and of the first kernel


def test_lines_that_repeat_are_there_once() -> None:
    rows = [Line(1, f"%{i} = add %a, {i}") for i in range(5)]
    more = [Line(1, text) for i in range(3) for text in (f"%{i} = mul %a, 2", f"%o[{i}] = %{i}")]
    assert [line.text for line in folded([*rows, *more, Line(0, "}")])] == [
        "%0 = add %a, 0",
        "# ... 4 more like this line",
        "%0 = mul %a, 2",
        "%o[0] = %0",
        "# ... 2 more like these 2 lines",
        "}",
    ]
    assert folded(rows[:2]) == rows[:2]
    nested = [Line(1, "for %i in 0..4 {"), Line(2, "%o[%i] = %a"), Line(1, "}")]
    assert len(folded(nested * 3)) == 4
    assert folded([Line(1, "for %i in 0..4 {"), *rows[:2], Line(1, "}")])[0].text.startswith("for")


KINDS = {
    "A": "%{} = add %a, {}",
    "B": "%{} = mul %b, {}",
    "C": "%{} = neg %c{}",
    "S": "%o[{}] = %{}",
    "}": "}}",
    "r": "return %{}",
    "f": "for %i in 0..{} {{",
}


def in_letters(text: str) -> list[Line]:
    """A line for each letter; small letters and brackets are of their own kinds, and digits set the
    depth. Each line has other numbers, and its place for a location."""
    made, depth = [], 1
    for letter in text:
        if letter.isdigit():
            depth = int(letter)
            continue
        n = len(made)
        kind = KINDS.get(letter, f"%{{}} = op_{letter} %a")
        made.append(Line(depth, kind.format(n, n + 0.5), "", Location("model.py", n)))
    return made


def as_letters(lines: list[Line]) -> str:
    """What `folded` gives, where `(3xAB)` stands for two lines that are there three times."""
    made = ""
    kinds = {text.format("", "")[:8]: letter for letter, text in KINDS.items()}
    for line in lines:
        more = re.fullmatch(r"# \.\.\. (\d+) more like (?:this line|these (\d+) lines)", line.text)
        if more:
            period = int(more[2] or 1)
            made = f"{made[:-period]}({int(more[1]) + 1}x{made[-period:]})"
            continue
        plain = re.sub(r"[\d.]+", "", line.text)[:8]
        made += kinds.get(plain) or re.findall(r"op_(.)", line.text)[0]
    return made


ALPHABET = "abcdeghijklmnopqstuvwxyz"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("AAA", "(3xA)"),
        ("AA", "AA"),
        ("AAB", "AAB"),
        ("BAAAC", "B(3xA)C"),
        ("AAAAAA", "(6xA)"),
        ("ABABAB", "(3xAB)"),
        ("ABABABAB", "(4xAB)"),
        ("AAAAAAB" * 3, "(3xAAAAAAB)"),
        ("AAB" * 6, "(6xAAB)"),  # no fewer and longer ones
        ("1CBBBSBSBSB2S", "C(3xB)(3xSB)S"),
        ("ASBS" * 4, "(4xASBS)"),
        ("ABAB", "ABAB"),
        ("AAABAAABAAAB", "(3xAAAB)"),  # the whole, not what repeats in it
        ("AAAABAAAAC", "(4xA)B(4xA)C"),
        ("AAABBB", "(3xA)(3xB)"),
        (ALPHABET * 3, f"(3x{ALPHABET})"),  # 24 lines, the most
        ((ALPHABET + "A") * 3, (ALPHABET + "A") * 3),
        ("}}}", "}}}"),
        ("rrr", "rrr"),
        ("1f2A1}1f2A1}1f2A1}", "(3xfA})"),
        ("2ABABAB1}2AB", "(3xAB)}AB"),
        ("2A1B2A1B2A1B", "ABABAB"),  # what is around them ends between
        ("1B2A1B2A1B2A", "(3xBA)"),
        ("SASASASA", "S(3xAS)A"),  # they had better end where something is stored,
        ("SASASA", "(3xSA)"),  # if not fewer than three do
        ("ASASAS", "(3xAS)"),
        ("SAASAASAASAA", "S(3xAAS)AA"),
        ("SABSABSABS", "S(3xABS)"),
        ("SABSABSAB", "(3xSAB)"),
        ("1A2S1A2S1A2S1A2S1A", "(4xAS)A"),
        ("SSS", "(3xS)"),
        ("2A3S2A3S2A3S2A3S", "(4xAS)"),
    ],
)
def test_which_lines_repeat(given: str, wanted: str) -> None:
    lines = in_letters(given)
    assert as_letters(folded(lines)) == wanted


def test_what_is_said_of_lines_that_repeat() -> None:
    """How many there are, at the depth and the place of the first of them."""
    lines = in_letters("B2ASASAS1")
    assert folded(lines)[-1] == Line(2, "# ... 2 more like these 2 lines", "", lines[1].location)
    (_, more) = folded(in_letters("3AAAA"))
    assert more == Line(3, "# ... 3 more like this line", "", Location("model.py", 0))
    assert folded([]) == []


CHAIN = """
func @f(%x: f32[8], %w: f32[8,8]) -> (f32[8,8], f32[8]) {
  %0 = exp %x : f32[8]
  %1 = exp %0 : f32[8]
  %two = mul %1, %1 : f32[8]
  %c = constant {value = f32 1.0} : f32
  %3 = broadcast %c {shape = (8,), dims = ()} : f32[8]
  %4 = sub %two, %3 : f32[8]
  %5 = matmul %w, %w : f32[8,8]
  return %5, %4
}"""


def located(*places: tuple[str, int] | None) -> str:
    """The kernels of a chain of ops in these lines, briefly."""
    f = parse(CHAIN)
    for op, where in zip(f.body, places, strict=True):
        op.location = where and Location(*where)
    return brief(lower(f, TARGET))


def test_kernels_tell_their_lines_by_files() -> None:
    """Runs of lines as a range, each file once; each kind of op with how often it is there."""
    text = located(
        ("a.py", 7), ("a.py", 8), ("b.py", 4), None, ("b.py", 2), ("a.py", 12), ("c.py", 9)
    )
    assert "  # f.k1: matmul (c.py:9)\n" in text
    assert "  # f.k0: 2 exp, mul %two, broadcast, sub (a.py:7-8, 12, b.py:2, 4)\n" in text
    text = located(("a.py", 7), ("a.py", 8), ("a.py", 9), None, ("a.py", 6), ("a.py", 11), None)
    assert "  # f.k1: matmul\n" in text
    assert "  # f.k0: 2 exp, mul %two, broadcast, sub (a.py:6-9, 11)\n" in text


def test_lines_of_kernels_have_comments_where_the_place_changes() -> None:
    text = located(("a.py", 7), ("a.py", 7), ("b.py", 4), None, None, ("a.py", 7), ("c.py", 9))
    kernel = text[text.index("f.k0 [") : text.index("f.k1")]
    comments = re.findall(r"^ *(.*?) +# (\S+)$", kernel, re.M)
    assert [place for _, place in comments] == ["b.py:4"]
    assert comments[0][0].split(" = ")[1].startswith("mul")
    lines = brief_lines(lower(parse(CHAIN), TARGET))
    assert all(line.location is None for line in lines)


def test_lines_know_where_they_come_from() -> None:
    """The launch, the loop or the branch that each begins, and the place of each."""
    f = parse(CHAIN)
    for i, op in enumerate(f.body):
        op.location = Location("a.py", i)
    made = lower(f, TARGET)
    lines = brief_lines(made)
    begins = {line.text.partition(" = ")[0]: line.op for line in lines if line.op is not None}
    launches = list(made.body)
    assert set(begins.values()) == set(launches)
    heads = [line for line in lines if " = launch " in line.text]
    assert [line.op for line in heads] == launches
    assert [line.location for line in heads] == [op.location for op in launches]
    (first,) = [line for line in lines if "= exp %x" in line.text]
    assert first.location == Location("a.py", 0) and first.op is None
    assert lines[0].location is lines[-1].location is None
    assert lines[-2].text == "return %1, %0" and lines[-2].location is None


def test_long_lists_of_ops_are_broken() -> None:
    ops = "".join(f"%v{i + 1} = neg %v{i} : f32[8]\n" for i in range(24))
    text = briefly(f"{ops}return %v24", "f32[8]", "%v0: f32[8]")
    told = [line for line in text.splitlines() if line.startswith("  # ")]
    assert len(told) > 1 and told[1].startswith("  #   %v10, neg")
    assert max(map(len, told)) <= 100
    assert " ".join(line.removeprefix("  #").strip() for line in told) == "f.k0: " + ", ".join(
        f"neg %v{i + 1}" for i in range(24)
    )


def test_statements_of_functions_have_comments_where_the_place_changes() -> None:
    """Views of other lines than the loop around them; what is of no line is of the loop's."""
    f = parse(
        """func @f(%x: f32[8,2], %n: i64) -> f32[8,2] {
          %a = reshape %x {shape = (16,)} : f32[16]
          %r, %k = while [%a, %n], [] condition = (%b: f32[16], %i: i64) {
            %z = constant {value = i64 0} : i64
            %go = less %z, %i : bool
            return %go
          } body = (%c: f32[16], %j: i64) {
            %d = reshape %c {shape = (4, 4)} : f32[4,4]
            %e = reshape %d {shape = (8, 2)} : f32[8,2]
            %g = reshape %e {shape = (16,)} : f32[16]
            %o = constant {value = i64 1} : i64
            %next = sub %j, %o : i64
            return %g, %next
          } : f32[16], i64
          %y = reshape %r {shape = (8, 2)} : f32[8,2]
          return %y
        }"""
    )
    view, loop, last = f.body
    view.location, loop.location = Location("a.py", 3), Location("a.py", 5)
    inner = loop.regions[1].body
    inner[0].location, inner[1].location = Location("a.py", 5), Location("a.py", 6)
    inner[2].location = None
    lines = {line.text.partition(" = ")[0]: line for line in brief_lines(lower(f, TARGET))}
    wanted = {"%a": "a.py:3", "%r, %k": "a.py:5", "%d": "", "%e": "a.py:6", "%g": "", "%y": ""}
    assert {name: lines[name].comment for name in wanted} == wanted
    assert lines["%e"].location == Location("a.py", 6) and lines["%g"].location is None
    assert last.location is None and lines["%y"].location is None
