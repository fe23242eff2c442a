"""The text of functions, line by line."""

from __future__ import annotations

from tfc.ir.text import parse, print_rows

TEXT = """func @f(%x: f32[n,3], %y: f32[3]) -> f32[3] {
  %0 = neg %y : f32[3]    # model.py:7
  %2, %3 = scan [%0], [%x], [] {count = n, reverse = False, residuals = 0} body = (%i: i64, \
%x1: f32[3], %x2: f32[3]) {
    %1 = add %x1, %x2 : f32[3]
    return %1, %1
  } : f32[3], f32[n,3]    # model.py:9
  return %2
}"""


def test_rows_know_their_ops() -> None:
    f = parse(TEXT)
    rows, names = print_rows(f)
    assert "\n".join(text for text, _ in rows) == str(f)
    for text, op in rows:
        if op is not None and op.results and " = " in text:
            assert text.split(" = ")[0].split(",")[0].strip() == names.use(op.result)
    named = [op.mnemonic if op else "" for _, op in rows]
    assert named == ["", "neg", "scan", "add", "", "scan", "", ""]
