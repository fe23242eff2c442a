"""The data of a page: columns, and which rows belong to which lines."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import tfc as tf
from tests.explore.pages import Page, newton, number_of, step, step_arguments, weights
from tfc.explore.native import Used, assembly, used
from tfc.explore.rows import Lines
from tfc.ir import passes
from tfc.ir.core import Function

COLUMNS = ["python", "traced", "passes", "optimised", "fused", "kernels", "full", "llvm", "asm"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    path = tmp_path_factory.mktemp("pages") / "step.html"
    before = weights.numpy()
    assert tf.explore(step, *step_arguments(), path=path) == str(path)
    assert np.array_equal(weights.numpy(), before)  # it looks, and changes nothing
    yield Page(path.read_text())


def test_all_columns_are_there(page: Page) -> None:
    (program,) = page.data["programs"]
    assert [c["name"] for c in program["described"]] == COLUMNS
    for name in COLUMNS:
        assert len(page.column(name)) > 5, name
    assert "<script src" not in page.text
    assert "http" not in page.text.replace("http://www.w3.org", "")


def test_rows_know_their_lines(page: Page) -> None:
    product, softmax, loss = map(number_of, ("the product", "the softmax", "the loss"))
    for name in ("traced", "optimised", "fused", "llvm", "asm"):
        found = {number for row in page.column(name) for number in row.numbers}
        assert {product, softmax, loss} <= found, name
    python = {row.text.split()[0]: row for row in page.column("python") if row.lines}
    assert "x @ weights" in python[str(product)].text
    for row in page.column("traced"):
        if place := re.search(r"# pages.py:(\d+)$", row.text):
            assert int(place[1]) in row.numbers


def test_gradients_are_told_apart(page: Page) -> None:
    softmax = number_of("the softmax")
    for name in ("traced", "optimised", "llvm", "asm"):
        ways = {
            derived
            for row in page.column(name)
            for _, number, derived in row.lines
            if number == softmax and len(row.lines) == 1
        }
        assert ways == {False, True}, name
    traced = page.column("traced")
    heading = next(i for i, row in enumerate(traced) if row.text.startswith("  # gradients:"))
    (last,) = [last for first, last, _ in page.described("traced")["folds"] if first == heading]
    inside = traced[heading + 1 : last + 1]
    assert traced[heading].text == f"  # gradients: {len(inside)} ops"
    assert all(derived for row in inside for _, _, derived in row.lines)
    assert traced[heading].lines == frozenset().union(*(row.lines for row in inside))


def test_kernels_have_all_their_lines(page: Page) -> None:
    fused = page.column("fused")
    heads = [i for i, row in enumerate(fused) if re.match(r"# step\.k\d+: ", row.text)]
    launches = [row for row in page.column("kernels") if " = launch " in row.text]
    assert len(heads) == len(launches) > 1
    for start, end in zip(heads, [*heads[1:], len(fused)], strict=True):
        inside = frozenset().union(*(row.lines for row in fused[start + 1 : end]))
        assert fused[start].lines == inside
    assert {row.lines for row in launches} == {fused[i].lines for i in heads}
    assert max(len(row.numbers) for row in launches) > 1
    names = page.column("llvm")
    defined = [row for row in names if re.match(r"define .*@k\d+\(", row.text)]
    assert all(row.lines for row in defined)


def test_fusion_is_explained(page: Page) -> None:
    texts = [row.text for row in page.column("fused")]
    report = step.get_concrete_function(*step_arguments()).explain_fusion()
    heads = [i for i, text in enumerate(texts) if text.startswith("# step.")]
    for kernel, at in zip(report.kernels, heads, strict=True):
        assert texts[at].startswith(f"# {kernel.name}: ")
        assert texts[at + 1].startswith(f"#   {kernel.choice}:")
    stored = [s for k in report.kernels for s in k.steps if s.role in ("stores", "keeps")]
    assert sum(f"# {s.role}: {s.reason}" in t for s in stored for t in texts) >= len(stored) > 3
    assert any(" is not in step.k0, as " in text for text in texts)


def test_what_happened_is_told(page: Page) -> None:
    rows = [row.text for row in page.column("passes")]
    heads = [row for row in rows if row.startswith("# ")]
    assert [head.split()[1].rstrip(":") for head in heads][: len(passes.OPTIMISE)] == [
        p.__name__ for p in passes.OPTIMISE
    ]
    report = step.get_concrete_function(*step_arguments()).explain_passes()
    dropped = [f"# {note.what}: {note.reason}" for note in report.notes if note.what == "dropped"]
    assert len(dropped) == sum(any(d in row for d in set(dropped)) for row in rows) > 3
    assert any(re.match(r"- %\d+ = mul .*    # the same as %\d+", row) for row in rows)
    assert any(row.startswith("- ") and "1 * x = x" in row for row in rows)
    gone = sum(int(n) for head in heads for n in re.findall(r"(\d+) gone", head))
    made = sum(int(n) for head in heads for n in re.findall(r"(\d+) new", head))
    before, after = (
        sum(" = " in row.text for row in page.column(name)) for name in ("traced", "optimised")
    )
    assert before - gone + made == after


def test_kernels_are_measured(page: Page) -> None:
    (table,) = re.findall(r'<div class="panel" data-title="Kernels">.*?</table>', page.text, re.S)
    rows = re.findall(r"<tr data-lines.*?</tr>", table)
    for row in rows:
        cells = re.findall(r"<td>(.*?)</td>", row)
        assert cells[0].startswith("step.k") and float(cells[2]) > 0 and float(cells[4]) == 1
        assert re.match(r"[A-Z]\w+", cells[11])
        assert int(cells[9]) > 3 and re.fullmatch(r"\d+, \d+", cells[10])
    assert len(rows) == sum(" = launch " in row.text for row in page.column("kernels"))
    took = [row for row in page.column("fused") if re.match(r"#   takes \d+\.\d\d us, ", row.text)]
    assert len(took) == len(rows)


def test_kernels_say_what_they_use(page: Page) -> None:
    """Instructions, as many as the column of assembly has; vectors; and what is spilled."""
    asm = [row.text for row in page.column("asm")]
    told = [re.search(r"# +(k\d+) has (\d+) instr", row.text) for row in page.column("fused")]
    counts = {found[1]: int(found[2]) for found in told if found}
    name, found = "", dict.fromkeys(counts, 0)
    for text in asm:
        if label := re.match(r"(\w+)[\w.]*:", text):
            name = label[1]
        elif name in found and re.match(r"  +[a-z]", text):
            found[name] += 1
    assert found == counts and len(counts) > 1


ASSEMBLY = """\t.section\t.ltext,"axl",@progbits
k0:                                     # @k0
\tmovq\t%rdx, (%rsp)                    # 8-byte Spill
\tvmovups\t%ymm0, 64(%rsp)              # 32-byte Spill
.LBB0_2:                                # %body2
                                        # =>This Inner Loop Header: Depth=1
\tvaddps\t32(%rsp), %zmm1, %zmm2        # 64-byte Folded Reload
\tmovq\t(%rsp), %rcx                    # 8-byte Reload
\tretq
k0.part0:                               # @k0.part0
\tvmovups\t(%rdi), %ymm0
\t.section\t.rodata.cst4,"aM",@progbits,4
.LCPI1_0:
\t.long\t2147483648                      # 0x80000000
\t.section\t.ltext,"axl",@progbits
k1:                                     # @k1
\tvaddss\t%xmm0, %xmm1, %xmm2
\tvmovss\t%xmm2, (%rdi)
\tretq
k2:
\tvmulps\t%xmm0, %xmm1, %xmm2
k3:                                     // @k3
\tstr\tx8, [sp, #16]                     // 8-byte Folded Spill
\tfmla\tv0.4s, v1.4s, v2.4s
"""


def test_what_assembly_uses_is_counted() -> None:
    assert used(ASSEMBLY) == {
        "k0": Used(bits=512, instructions=6, stores=2, loads=2),
        "k1": Used(bits=0, instructions=3, stores=0, loads=0),
        "k2": Used(bits=128, instructions=1, stores=0, loads=0),
        "k3": Used(bits=128, instructions=2, stores=1, loads=0),
    }
    texts = [row.text for row in assembly(ASSEMBLY, Lines()).rows]
    assert "  movq  %rdx, (%rsp)  # 8-byte spill" in texts and ".LBB0_2:" in texts
    assert not any("This Inner Loop" in text or "@k" in text for text in texts)


def test_regions_are_boxes_of_the_graph(tmp_path: Path) -> None:
    @tf.function
    def f(x: Any) -> Any:
        for _ in tf.range(3):
            x = tf.tanh(x @ x) if tf.reduce_sum(x) > 0.0 else x - 1.0  # a branch in a loop
        return x @ x

    path = tf.explore(f, tf.ones([4, 4]), path=tmp_path / "p.html", measure=False)
    page = Page(Path(path).read_text())
    svg = ElementTree.fromstring(re.findall(r'<svg class="graph".*?</svg>', page.text, re.S)[0])
    boxes = {}
    for group in svg.iter("g"):
        rect = group.find("rect")
        assert rect is not None
        x, y, width, height = (float(rect.attrib[a]) for a in ("x", "y", "width", "height"))
        boxes[group.attrib["data-kernel"]] = x, y, x + width, y + height
    kernels = page.data["programs"][0]["kernels"]
    assert set(boxes) == set(kernels)
    (loop,) = [name for name in boxes if "." not in name]
    branch = f"{loop}.body.cond"
    inside = [name for name in boxes if name.startswith(f"{branch}.then.")]
    assert branch in boxes and len(inside) == 2, boxes
    for outer, inner in ((loop, branch), *((branch, name) for name in inside)):
        (a, b, c, d), (e, f_, g, h) = boxes[outer], boxes[inner]
        assert a < e < g < c and b < f_ < h < d
    apart = [box for name, box in boxes.items() if name.count(".") == 1]  # of the program itself
    assert apart and all(box[0] > boxes[loop][2] or box[2] < boxes[loop][0] for box in apart)
    for name, places in kernels.items():
        assert name in page.column("fused")[places["fused"]].text
        text = page.column("kernels")[places["kernels"]].text
        last = name.rpartition(".")[2]
        assert (f".{last}: " if places["native"] else f" = {last} ") in text
        text = page.column("full")[places["full"]].text
        assert (" = launch " in text) == bool(places["native"])


def test_memory_has_a_peak(page: Page) -> None:
    (picture,) = re.findall(r'aria-label="the arena over time">.*?</svg>', page.text, re.S)
    titles = [html.unescape(title) for title in re.findall(r"<title>(.*?)</title>", picture, re.S)]
    blocks = [re.search(r": f32.*, (\d+) B at (\d+)\n.*pages\.py:\d+", t) for t in titles]
    assert blocks and all(blocks)
    ends = [int(found[1]) + int(found[2]) for found in blocks if found]
    (size,) = re.findall(r"share an arena of (\d+) B", page.text)
    (most,) = re.findall(r"at most (\d+) B are in use at once", page.text)
    assert max(int(found[1]) for found in blocks if found) <= int(most) <= int(size)
    assert max(ends) <= int(size) and f"peak: {most} B in " in picture


def test_steps_have_values(page: Page) -> None:
    values = page.pre("f0-values").split("\u2063\n")
    rows = page.data["programs"][0]["steps"]
    traced = page.column("traced")
    assert len(values) == len(rows) == 1 + sum(" = " in row.text for row in traced)
    for row, value in zip(rows[1:], values[1:], strict=True):
        assert traced[row].text.split(" = ")[0].strip() == value.split(" = ")[0]
    x, labels = step_arguments()
    p = tf.nn.softmax(x @ weights)
    loss = float(tf.reduce_mean((p - labels) ** 2.0))
    assert any(value.endswith("float32[]") and f" = {loss:.4g} " in value for value in values)


def test_loops_are_stepped_through(tmp_path: Path) -> None:
    page = Page(Path(tf.explore(newton, 2.0, path=tmp_path / "p.html", measure=False)).read_text())
    rows = page.data["programs"][0]["steps"]
    traced = page.column("traced")
    rounds = [r for r in rows if number_of("the round") in traced[r].numbers]
    assert len(rounds) > 2 * len(set(rounds))
    assert "1.414" in page.pre("f0-values").split("\u2063\n")[-1]
    starts = [first for first, _, _ in page.described("traced")["folds"]]
    assert any(traced[first].text.rstrip().endswith("{") for first in starts[1:])


def test_specs_are_enough(tmp_path: Path) -> None:
    f = tf.function(lambda x: tf.cumsum(tf.exp(x)))
    path = tf.explore(f, tf.TensorSpec([None], tf.float32), path=tmp_path / "p.html")
    page = Page(Path(path).read_text())
    assert not page.data["programs"][0]["steps"]
    assert "f32[n" in page.pre("f0-traced")


def test_ptx_needs_no_gpu(tmp_path: Path) -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.exp(x) * 2.0  # for a GPU

    path = tf.explore(f, tf.TensorSpec([None], tf.float32), path=tmp_path / "p.html", gpu=True)
    page = Page(Path(path).read_text())
    rows = page.column("ptx")
    (entry,) = [i for i, row in enumerate(rows) if ".entry k0" in row.text]
    end = next(i for i, row in enumerate(rows) if i > entry and row.text == "}")
    assert {row.lines for row in rows[entry:end]} == {rows[entry].lines}
    assert len(rows[entry].numbers) == 1 and not rows[0].lines
    assert not page.described("ptx")["shown"]
    (table,) = re.findall(r'data-title="GPU">.*?</table>', page.text, re.S)
    assert table.count("<td>k0</td>") == 1  # with what ptxas says, where it is
    assert ("as ptxas says" in table) == bool(re.search(r"<td>\d+, \d+</td>", table))


def test_functions_of_nothing(tmp_path: Path) -> None:
    f = tf.function(lambda x: x)
    page = Page(Path(tf.explore(f, tf.ones([2]), path=tmp_path / "p.html")).read_text())
    assert page.column("fused") == []
    assert "There are no kernels" in page.text and "Nothing is in the arena" in page.text


def test_calls_of_python_are_not_repeated(tmp_path: Path) -> None:
    def f(x: Any) -> Any:
        return tf.py_function(calls.append, [x], []) or x * 2.0

    calls: list[Any] = []
    path = tf.explore(tf.function(f), tf.ones([2]), path=tmp_path / "p.html", measure=False)
    assert "which would happen again" in Path(path).read_text()
    assert not calls


def test_sizes_that_are_data(tmp_path: Path) -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.boolean_mask(x, x > 0.0) * 2.0

    page = Page(Path(tf.explore(f, tf.constant([1.0, -1.0]), path=tmp_path / "p.html")).read_text())
    assert "# program 2" in page.pre("f0-kernels") or "bind" in page.pre("f0-kernels")
    assert len(page.column("asm")) > 50


def test_a_pass_that_fails_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(f: Function) -> Function:
        raise ValueError("this pass is < broken >")

    order = (*passes.OPTIMISE[:4], broken, *passes.OPTIMISE[4:])
    monkeypatch.setattr(passes.pipeline.run, "__defaults__", (order, None))
    f = tf.function(lambda x: tf.sin(x) + 1.0)
    concrete = f.get_concrete_function(tf.TensorSpec([3]))
    page = Page(Path(concrete.explore(tmp_path / "p.html")).read_text())
    assert "optimised: failed after regions" in page.text
    assert "ValueError: this pass is &lt; broken &gt;" in page.text
    names = [c["name"] for c in page.data["programs"][0]["described"]]
    assert {"python", "traced", "passes"} <= set(names)
    assert "# regions: nothing to do" in page.pre("f0-passes")


def test_not_inside_of_functions() -> None:
    @tf.function
    def outer(x: Any) -> Any:
        tf.explore(newton, x)
        return x

    with pytest.raises(tf.errors.FailedPreconditionError, match=r"inside of a tfc\.function"):
        outer(2.0)
