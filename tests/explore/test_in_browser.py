"""The script of a page: what is lit, scrolled, folded, found, hidden and stepped through."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.explore.browser import FOUND, NAMES, Browser, browser
from tests.explore.pages import Page, newton, number_of, step, step_arguments, weights
from tests.sampling import ALL
from tfc.explore import pages
from tfc.ir import passes

pytestmark = pytest.mark.skipif(
    FOUND is None, reason=f"no browser is installed (any of {', '.join(NAMES)})"
)
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two functions."""
    found = tmp_path_factory.mktemp("pages") / "page.html"
    x, labels = step_arguments()
    calls: Any = [
        (step.get_concrete_function(x, labels), (x, labels)),
        (newton.get_concrete_function(tf.constant(2.0)), (tf.constant(2.0),)),
    ]
    found.write_text(pages.text(calls, measure=False))
    return found


@pytest.fixture(scope="module")
def page(path: Path) -> Page:
    return Page(path.read_text())


ROWS = """Object.fromEntries([...document.querySelectorAll('.column')]
    .filter((column) => !column.hidden).map((column) => [column.dataset.column,
        [...column.querySelectorAll('.row')].map((row) => [Number(row.dataset.row), row.className])]
    ))"""


def rows(window: Browser) -> dict[str, dict[int, set[str]]]:
    """The classes of the rows that are drawn, by column."""
    found: dict[str, list[tuple[int, str]]] = window.run(ROWS)
    return {name: {n: set(of.split()) for n, of in drawn} for name, drawn in found.items()}


def check_lit(window: Browser, page: Page, of: Any, program: int = 0) -> int:
    """Exactly the rows of these lines are lit, their partners weakly; how many rows are."""
    count = 0
    partners = {(file, number, not derived) for file, number, derived in of}
    for name, drawn in rows(window).items():
        column = page.column(name, program)
        for number, classes in drawn.items():
            lines = column[number].lines
            lit = bool(lines & of)
            assert ("lit" in classes) == lit, (name, column[number])
            assert ("kin" in classes) == (not lit and bool(lines & partners)), column[number]
            count += lit
    return count


def row_of(page: Page, name: str, comment: str, derived: bool | None = None) -> int:
    """The first row of a column that is of one line alone."""
    number = number_of(comment)
    return next(
        i
        for i, row in enumerate(page.column(name))
        if row.numbers == {number} and (derived is None or {d for *_, d in row.lines} == {derived})
    )


def scroll(window: Browser, name: str, row: int) -> None:
    window.run(f"document.querySelector('[data-column={name}] .scroll').scrollTop = {17 * row}")


def selector(name: str, row: int) -> str:
    return f'.column[data-column="{name}"] .row[data-row="{row}"]'


def test_hovering_lights_what_belongs_together(window: Browser, path: Path, page: Page) -> None:
    window.open(f"file://{path}")
    for name, derived in (("python", None), ("traced", False), ("optimised", False)):
        row = row_of(page, name, "the softmax", derived)
        window.hover(selector(name, row))
        assert check_lit(window, page, page.column(name)[row].lines) > 5
    # A gradient lights gradients; the line itself only weakly.
    row = row_of(page, "traced", "the loss", True)
    scroll(window, "traced", row - 5)
    window.hover(selector("traced", row))
    assert check_lit(window, page, page.column("traced")[row].lines) > 2
    drawn = rows(window)["traced"]
    assert {"derived", "lit"} <= drawn[row]
    window.hover(".bar h1")
    check_lit(window, page, frozenset())
    assert not window.errors


def test_clicking_scrolls_the_others(window: Browser, path: Path, page: Page) -> None:
    window.open(f"file://{path}")
    row = row_of(page, "python", "the update")
    window.click(selector("python", row))
    window.hover(".bar h1")  # it stays lit
    number = number_of("the update")
    assert check_lit(window, page, page.column("python")[row].lines) > 5
    for name, drawn in rows(window).items():
        column = page.column(name)
        if any(number in r.numbers for r in column):
            assert any("lit" in drawn[n] for n in drawn), name
    assert window.run("location.hash") == f"#step/{number}"
    window.press("Escape")
    check_lit(window, page, frozenset())


def test_links_open_at_a_line(window: Browser, path: Path, page: Page) -> None:
    for number in map(number_of, ("the product", "the loss")):
        for head in ("", "pages.py:", "step/"):
            window.open(f"file://{path}#{head}{number}")
            (here,) = [n for n, of in rows(window)["python"].items() if "here" in of]
            assert page.column("python")[here].numbers == {number}
            assert check_lit(window, page, page.column("python")[here].lines) > 5
    window.open(f"file://{path}#newton/{number_of('the round')}")
    assert window.run("document.title").startswith("newton")
    lines = next(r.lines for r in page.column("python", 1) if number_of("the round") in r.numbers)
    assert check_lit(window, page, lines, 1) > 5


def test_columns_can_be_hidden(window: Browser, path: Path) -> None:
    window.open(f"file://{path}")
    shown = list(rows(window))
    assert "passes" not in shown and "python" in shown
    window.press("3")  # what happened
    assert "passes" in rows(window)
    window.press("3")
    window.click(".bar button:nth-child(9)")  # the assembly
    assert list(rows(window)) == [name for name in shown if name != "asm"]
    window.open(f"file://{path}")  # which is remembered
    assert "asm" not in rows(window)
    window.press("9")
    assert list(rows(window)) == shown
    window.press("7")  # kernels in full, which are hidden at first
    assert "full" in rows(window)
    window.press("7")


def test_searching(window: Browser, path: Path, page: Page) -> None:
    window.open(f"file://{path}")
    window.press("/")
    for letter in "matmul":
        window.press(letter)
    assert window.run("document.activeElement.value") == "matmul"
    for name in rows(window):
        count = sum("matmul" in row.text.lower() for row in page.column(name))
        head = window.run(
            f"document.querySelector('[data-column={name}] header small').textContent"
        )
        assert head == f"{count} found", name
    window.press("Enter")
    marks = window.run("[...document.querySelectorAll('mark')].map((m) => m.textContent)")
    assert len(marks) > 3 and set(marks) == {"matmul"}
    window.press("Escape")
    assert window.run("document.querySelectorAll('mark').length") == 0


def test_gradients_and_regions_fold(window: Browser, path: Path, page: Page) -> None:
    window.open(f"file://{path}")
    heading = next(
        i for i, r in enumerate(page.column("optimised")) if r.text.startswith("  # gradients")
    )
    (last,) = [b for a, b, _ in page.described("optimised")["folds"] if a == heading]
    height = "document.querySelector('[data-column=optimised] .rows').clientHeight / 17"
    before = window.run(height)
    window.click(f"{selector('optimised', heading)} b")
    assert window.run(height) == before - (last - heading)
    assert heading + 1 not in rows(window)["optimised"]
    # What is searched or linked opens it again.
    row = row_of(page, "optimised", "the softmax", True)
    window.open(f"file://{path}")
    window.press("[")
    assert window.run(height) < before / 2
    window.press("]")
    assert window.run(height) == before
    assert row in range(heading, last + 1)


def test_stepping(window: Browser, path: Path, page: Page) -> None:
    window.open(f"file://{path}")
    steps, values = page.data["programs"][0]["steps"], page.pre("f0-values").split("\u2063\n")
    window.click("nav button:last-of-type")
    for key, now in (("Right", 1), ("Right", 2), ("Right", 3), ("Left", 2)):
        window.press(f"Arrow{key}")
        (here,) = [n for n, of in rows(window)["traced"].items() if "here" in of]
        assert here == steps[now]
        assert shown(window) == values[now]


def shown(window: Browser) -> str:
    text: str = window.run("document.querySelector('.values .now').textContent")
    return text


CHAIN = "[...document.querySelectorAll('.chain .link')].map((link) => link.textContent)"


FOLLOWED = """[...Array(Number(document.querySelector('.stepper input').max))].map(() => {
    document.querySelector('.stepper button:nth-child(3)').click();
    const field = document.querySelector('.stepper .index');
    if (field.value.split(',').length > 1) {
      field.value = field.value.replace(/\\d+/g, '1');
      field.dispatchEvent(new Event('change'));
    }
    return [...document.querySelectorAll('.chain .link')].map((link) => link.textContent);
})"""  # at each step, what the element [1, 1, ...] came from


def type_index(window: Browser, index: str) -> list[str]:
    """The chosen element and what it came from, after an index was typed."""
    window.press("i")
    window.run("document.activeElement.select()")
    for key in (*index, "Enter"):
        window.press(key)
    window.press("Escape")
    found: list[str] = window.run(CHAIN)
    return found


def test_following_an_element(window: Browser, path: Path, page: Page) -> None:
    window.open(f"file://{path}")
    values = page.pre("f0-values").split("\u2063\n")
    at = next(i for i, value in enumerate(values) if value.startswith("%probabilities = "))
    window.click("nav button:last-of-type")
    for _ in range(at):
        window.press("ArrowRight")
    x, labels = step_arguments()
    p = tf.nn.softmax(x @ weights).numpy()
    here, numerator, *_ = type_index(window, "3, 1")
    assert f"%probabilities[3, 1] = {p[3, 1]:.4f}"[:-1] in here, here
    exponential = np.exp(x @ weights - tf.reduce_max(x @ weights, 1, keepdims=True))[3, 1]
    assert any(f"= {exponential:.4f}"[:-1] in row and "[3, 1]" in row for row in (numerator, *_))
    # The product in front is no map of indices: what it read is told by statistics.
    assert any("%x:" in row and "float32[5,4]" in row for row in _), _
    # On, it goes along: the difference of the next step has it.
    window.press("ArrowRight")
    (chosen,) = window.run(
        "[...document.querySelectorAll('.grid td.chosen')].map((c) => c.textContent)"
    )
    assert np.isclose(float(chosen), (p - labels.numpy())[3, 1])
    # A cell is chosen, and a line leads back.
    window.click(".grid tr:nth-child(2) td:nth-child(2)")
    assert "[1, 0] = " in window.run(CHAIN)[0]
    window.click(".chain .title + .link")
    assert shown(window) in values[: at + 1]
    assert not window.errors


def test_elements_come_from_where_ops_read(window: Browser, tmp_path: Path) -> None:
    """Ops that move elements: what an element was computed from has its value."""

    @tf.function
    def moved(x: Any) -> Any:
        y = tf.transpose(x, [1, 2, 0])
        y = tf.reverse(y, [1])[::2, 1:, :]
        y = tf.concat([y, y + 100.0], 1)
        y = tf.reshape(y, [4, -1])
        y = tf.broadcast_to(y[:, None, :], [4, 2, y.shape[1]])
        return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y[:, ::-1, :]), [0, y])

    arguments = (tf.reshape(tf.range(60.0), [5, 4, 3]),)
    page = Page(
        Path(tf.explore(moved, *arguments, path=tmp_path / "p.html", measure=False)).read_text()
    )
    steps = page.data["programs"][0]["steps"]
    window.open(f"file://{tmp_path / 'p.html'}")
    window.click("nav button:last-of-type")
    told = window.run(FOLLOWED)
    assert len(told) == len(steps) - 1
    followed = [chain for chain in told if "[1, 1" in chain[0]]
    followed = [chain for chain in followed if " add #" not in chain[0]]
    for here, source, *_ in followed:
        (value,) = re.findall(r"\] = ([\d.]+)", here)
        assert re.findall(r" = ([\d.]+)", source) == [value], (here, source)
    assert len(followed) > 10
    assert "undefined" not in "".join(map("".join, told))
    assert "%x[" in "".join(followed[-1]) and len(followed[-1]) > 10  # through both rounds
    assert not window.errors


def test_the_graph_leads_to_kernels(window: Browser, path: Path, page: Page) -> None:
    window.open(f"file://{path}")
    window.run("[...document.querySelectorAll('nav button')][2].click()")
    places = page.data["programs"][0]["kernels"]["step.k2"]
    for way in ("click", "Enter"):  # by the mouse, and by keys alone
        window.press("Escape")
        for name in ("fused", "kernels", "llvm", "asm"):
            scroll(window, name, 0)
        if way == "click":
            window.click('.graph [data-kernel="step.k2"]')
        else:
            window.run("""document.querySelector('.graph [data-kernel="step.k2"]').focus()""")
            window.press("Enter")
        drawn = rows(window)
        assert places["fused"] in drawn["fused"] and places["kernels"] in drawn["kernels"]
        for name, start in (("llvm", "define internal i32 @k2("), ("asm", "k2:")):
            (at,) = [i for i, r in enumerate(page.column(name)) if r.text.startswith(start)]
            assert at in drawn[name], name
    assert not window.errors


def test_only_what_is_seen_is_drawn(window: Browser, tmp_path: Path) -> None:
    from tfc.explore import page as html
    from tfc.explore.program import Shown
    from tfc.explore.rows import Column, Line, Lines, Row

    lines = Lines()
    numbers = [lines.number(Line("long.py", n, False)) for n in range(1, 1001)]
    column = [Row(f"row {n}", (numbers[n % 1000],)) for n in range(100_000)]
    columns = [Column("python", "Python", column[:1000]), Column("llvm", "LLVM", column)]
    path = tmp_path / "long.html"
    path.write_text(html.html([Shown("long", "long", columns, [])], lines))
    window.open(f"file://{path}")
    assert window.run("document.querySelectorAll('.row').length") < 600
    scroll(window, "llvm", 99_950)
    window.hover('[data-column="llvm"] .row[data-row="99960"]')
    drawn = rows(window)["llvm"]
    assert 99_999 in drawn and len(drawn) < 200
    assert [n for n, of in drawn.items() if "lit" in of] == [99_960]


def test_without_scripts_it_is_text(window: Browser, path: Path) -> None:
    window.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        window.navigate(f"file://{path}")
        document = window.call("DOM.getDocument")["root"]["nodeId"]
        found = window.call("DOM.querySelector", nodeId=document, selector="#f0-optimised")
        text = window.call("DOM.getOuterHTML", nodeId=found["nodeId"])["outerHTML"]
        assert "func @step(" in text
    finally:
        window.call("Emulation.setScriptExecutionDisabled", value=False)


def test_a_failed_pass(window: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(f: Any) -> Any:
        raise ValueError("this pass is < broken >")

    order = (*passes.OPTIMISE[:3], broken, *passes.OPTIMISE[3:])
    monkeypatch.setattr(passes.pipeline.run, "__defaults__", (order, None))
    f = tf.function(lambda x: tf.sin(x) + 1.0)
    concrete = f.get_concrete_function(tf.TensorSpec([3]))
    window.open(f"file://{concrete.explore(tmp_path / 'p.html')}")
    window.click("nav button")
    text = window.run("document.querySelector('.panel .failure').textContent")
    assert text.startswith("optimised: failed after regions\nValueError: this pass is < broken >")
    assert {"python", "traced"} <= set(rows(window))


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cnn() -> tuple[Any, tuple[Any, ...]]:
    images = tf.random.stateless_normal([8, 12, 12, 1], [1, 2])
    kernel = tf.Variable(tf.random.stateless_normal([3, 3, 1, 4], [3, 4]))
    weights = tf.Variable(tf.random.stateless_normal([144, 10], [5, 6]))

    @tf.function
    def train(images: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            x = tf.nn.relu(tf.nn.conv2d(images, kernel, 1, "SAME"))
            x = tf.nn.max_pool2d(x, 2, 2, "SAME")
            logits = tf.reshape(x, [-1, 144]) @ weights
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            loss = tf.reduce_mean(losses)
        for p, g in zip((kernel, weights), tape.gradient(loss, (kernel, weights)), strict=True):
            p.assign_sub(0.1 * g)
        return loss

    return train, (images, tf.range(8, dtype=tf.int64))


def digits() -> tuple[Any, tuple[Any, ...]]:
    network = example("digits").Network()
    return tf.function(network.train_step), (tf.ones([8, 64]), tf.range(8, dtype=tf.int64))


def recurrent() -> tuple[Any, tuple[Any, ...]]:
    module = example("recurrent")
    model = module.Recurrent()

    def loss(x: Any, lengths: Any, wanted: Any) -> Any:
        with tf.GradientTape() as tape:
            found = tf.reduce_mean((model(x, lengths) - wanted) ** 2.0)
        return tape.gradient(found, model.trainable_variables)

    return tf.function(loss), module.batch(1, 4, 3)


@pytest.mark.parametrize(
    "make", [cnn, digits, recurrent] if ALL else [cnn], ids=lambda make: make.__name__
)
def test_examples(window: Browser, tmp_path: Path, make: Any) -> None:
    f, arguments = make()
    path = tmp_path / "p.html"
    path.write_text(Path(tf.explore(f, *arguments, path=path, measure=False)).read_text())
    page = Page(path.read_text())
    window.open(f"file://{path}")
    python = page.column("python")
    lines = [i for i, row in enumerate(python) if row.lines]
    assert len(lines) > 3
    for row in lines[:4]:
        window.press("j")
        check_lit(window, page, python[row].lines)
    assert not window.errors
