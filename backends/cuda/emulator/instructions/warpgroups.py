"""`wgmma`: products of matrices in shared memory, which tensor cores compute meanwhile.

The registers of sums have all bits set from the product on until they are waited for; shared memory
is read when the wait ends, so that what is overwritten too early shows.
"""

from __future__ import annotations

import re

from ..layout import PRODUCT_ENTRY, PRODUCT_SUMS, PRODUCTS
from ..registry import Modifiers, Products, collector, instruction
from ..syntax import Immediate, Instruction, Operand, Vector
from ..translate import Translator

_SHAPE = re.compile(r"m64n(\d+)k16")


@instruction("wgmma")
def _warpgroup(t: Translator, i: Instruction, m: Modifiers) -> None:
    what = m.first()
    if not (m.flag("sync") and m.flag("aligned")) or not t.ptx.kernel:
        raise t.unsupported()
    match what:
        case "fence":
            t.products.fenced = True
        case "mma_async":
            _begin(t, i, m)
        case "commit_group":
            t.products.committed = t.products.count
        case "wait_group":
            _wait(t, i)
        case _:
            raise t.unsupported()


def _number(operand: Operand) -> int:
    return operand.value if isinstance(operand, Immediate) else -1


def _begin(t: Translator, i: Instruction, m: Modifiers) -> None:
    """Keep what the product needs, and take its sums away."""
    shape = _SHAPE.fullmatch(m.first())
    kinds = [m.first() for _ in range(3)]
    if shape is None or kinds not in (["f32", "f16", "f16"], ["f32", "bf16", "bf16"]):
        raise t.unsupported()
    if len(i.operands) != 8 or isinstance(i.operands[1], Vector):
        raise t.unsupported("these operands of a product")
    sums, left, right, add, *flags = i.operands
    *signs, left_transposed, right_transposed = map(_number, flags)
    columns = int(shape[1])
    assert isinstance(sums, Vector)
    if signs != [1, 1] or not {left_transposed, right_transposed} <= {0, 1}:
        raise t.unsupported("these flags of a product")
    if columns % 8 or len(sums.items) != columns // 2 or columns // 2 > PRODUCT_SUMS:
        raise t.unsupported("this number of sums")
    products, kind = t.products, f"{columns}.{kinds[1]}.{left_transposed}.{right_transposed}.{sums}"
    if not products.fenced:
        raise t.unsupported("a product without wgmma.fence before it")
    if products.kind not in ("", kind) or products.count == PRODUCTS:
        raise t.unsupported("so many products at once, or different ones,")
    t.needs_products = True
    area = t.offset("%thread", t.products_offset)
    if not products.kind:
        for n, item in enumerate(sums.items):
            place = t.offset(area, PRODUCTS * PRODUCT_ENTRY + 4 * n)
            t.line(f"store i32 {t.get(item, 'b32')}, ptr {place}")
    entry = t.offset(area, PRODUCT_ENTRY * products.count)
    t.line(f"store i64 {t.get(left, 'b64')}, ptr {entry}")
    t.line(f"store i64 {t.get(right, 'b64')}, ptr {t.offset(entry, 8)}")
    adds = t.value(f"zext i1 {t.predicate(add)} to i64")
    t.line(f"store i64 {adds}, ptr {t.offset(entry, 16)}")
    for item in sums.items:
        t.put(item, "-1", "b32")
    products.kind, products.count = kind, products.count + 1


def _wait(t: Translator, i: Instruction) -> None:
    products, t.products = t.products, Products()
    if _number(i.operands[1]) != 0:
        raise t.unsupported("a wait for some of the products")
    if products.committed != products.count:
        raise t.unsupported("a product that is in no group")
    if not products.kind:
        t.collective("sync", "-1", aligned=True)
        return
    t.publish(0, str(t.products_offset), "i64")
    t.publish(2, str(products.count), "i32")
    columns, kind, left_transposed, right_transposed, _ = products.kind.split(".", 4)
    t.collective(f"wgmma.{columns}.{kind}.{left_transposed}.{right_transposed}", "-1", aligned=True)


@collector("wgmma")
def _after_wait(t: Translator, i: Instruction, m: Modifiers) -> None:
    (sums, *_) = i.operands
    assert isinstance(sums, Vector)
    for n, item in enumerate(sums.items):
        place = t.products_offset + PRODUCTS * PRODUCT_ENTRY + 4 * n
        t.put(item, t.value(f"load i32, ptr {t.offset('%thread', place)}"), "b32")
