"""The special registers: where a thread is, and what its block is like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import PtxError
from .layout import LAUNCH, THREAD

if TYPE_CHECKING:
    from .translate import Translator


def special(t: Translator, name: str) -> tuple[str, int]:
    """The value of a special register, and its width."""
    base = name[1:]
    if base.startswith("tid.") and base in THREAD.offsets:
        return t.thread("%thread", base), 32
    if base.partition(".")[0] in ("ntid", "ctaid", "nctaid") and base in LAUNCH.offsets:
        return t.launch(base), 32
    match name:
        case "%laneid":
            return t.thread("%thread", "lane"), 32
        case "%warpid":
            return t.value(f"lshr i32 {t.thread('%thread', 'index')}, 5"), 32
        case "%nwarpid":
            return t.launch("warp_count"), 32
        case "%smid" | "%gridid" | "%nsmid":
            return ("1" if name == "%nsmid" else "0"), 32
        case "%clock" | "%clock64" | "%globaltimer" | "%clock_hi" | "%globaltimer_lo":
            now = t.value(f"add i64 {t.launch('clock')}, 1")
            t.set_field(LAUNCH, "%launch", "clock", now)
            return now, 64
        case "%dynamic_smem_size":
            size = t.value("trunc i64 %shared_size to i32")
            return t.value(f"sub i32 {size}, {t.layout.shared_size[t.ptx.name]}"), 32
        case "%total_smem_size":
            return t.value("trunc i64 %shared_size to i32"), 32
        case "%lanemask_eq" | "%lanemask_lt" | "%lanemask_le" | "%lanemask_gt" | "%lanemask_ge":
            one = t.value(f"shl i32 1, {t.thread('%thread', 'lane')}")
            below = t.value(f"sub i32 {one}, 1")
            up_to = t.value(f"or i32 {one}, {below}")
            kind = name[-2:]
            if kind in ("gt", "ge"):
                return t.value(f"xor i32 {up_to if kind == 'gt' else below}, -1"), 32
            return {"eq": one, "lt": below, "le": up_to}[kind], 32
    raise PtxError(f"{name} is not known", t.line_number, t.text)
