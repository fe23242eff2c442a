"""Addresses -> pointers of the host, each checked against the bounds of its memory."""

from __future__ import annotations

from functools import cache

from ..errors import Fault
from ..layout import (
    DEVICE_BASE,
    GRANULE_BITS,
    LOCAL_BASE,
    LOCAL_WINDOW,
    SHARED_BASE,
    SHARED_WINDOW,
    THREAD,
    WINDOW_SIZE,
)
from ..syntax import Address, Operand, Register, Symbol
from ..translate import Translator
from ..writer import Writer


def place(t: Translator, operand: Operand, space: str, size: int, bytes_aligned: int = 0) -> str:
    """The host's pointer to `size` bytes at an address, which is checked first."""
    assert isinstance(operand, Address)
    align = bytes_aligned or size
    space = space.partition("::")[0]
    if space == "param":
        return _parameter(t, operand, size)
    if space == "const":
        space = "global"
    value = address(t, operand)
    if space == "global":
        return _global(t, value, size, align)
    if space == "shared":
        return _window(t, value, SHARED_BASE, "%shared_size", "%shared", size, align, Fault.SHARED)
    if space == "local":
        local = t.offset("%thread", THREAD.size)
        limit = t.launch("local_size")  # the kernel's, in a function too
        return _window(t, value, LOCAL_BASE, limit, local, size, align, Fault.LOCAL)
    return _generic(t, value, size, align)


def address(t: Translator, operand: Address) -> str:
    """An address as an i64."""
    base = operand.base
    if isinstance(base, Register):
        width = t.ptx.registers[base.name]
        value = t.get(base, f"u{width}")
        if operand.offset:
            value = t.value(f"add i{width} {value}, {operand.offset}")
        return t.resize(value, width, 64)
    value = t.get(base, "u64")
    if operand.offset:
        value = t.value(f"add i64 {value}, {operand.offset}")
    return value


def _global(t: Translator, value: str, size: int, align: int) -> str:
    pointer = checked(t, value, str(size), align)
    t.require(t.value(f"icmp ne ptr {pointer}, null"), Fault.GLOBAL, value)
    return pointer


def checked(t: Translator, value: str, size: str, align: int) -> str:
    """The pointer to `size` bytes (i64) of global memory, or null."""
    t.prelude.setdefault("global", _global_function())
    return t.value(f"call ptr @global(ptr %launch, i64 {value}, i64 {size}, i64 {align - 1})")


@cache
def _global_function() -> str:
    w = Writer()
    offset = w.value(f"sub i64 %address, {DEVICE_BASE}")
    inside = w.value(f"icmp ult i64 {offset}, {w.launch('memory_size')}")
    granule = w.value(f"lshr i64 {offset}, {GRANULE_BITS}")
    granule = w.value(f"select i1 {inside}, i64 {granule}, i64 0")
    valid = w.value(f"load i16, ptr {w.element('i16', w.launch('valid'), granule, 'i64')}")
    within = w.value(f"and i64 {offset}, {(1 << GRANULE_BITS) - 1}")
    end = w.value(f"add i64 {within}, %size")
    ok = w.value(f"icmp ule i64 {end}, {w.value(f'zext i16 {valid} to i64')}")
    low = w.value(f"icmp eq i64 {w.value(f'and i64 {offset}, %align')}, 0")
    ok = w.value(f"and i1 {ok}, {low}")
    pointer = w.element("i8", w.launch("memory"), offset, "i64")
    w.line(f"ret ptr {w.value(f'select i1 {ok}, ptr {pointer}, ptr null')}")
    return w.function(
        "internal ptr @global(ptr %launch, i64 %address, i64 %size, i64 %align) alwaysinline"
    )


def _aligned(t: Translator, ok: str, offset: str, align: int) -> str:
    if align == 1:
        return ok
    low = t.value(f"and i64 {offset}, {align - 1}")
    return t.value(f"and i1 {ok}, {t.value(f'icmp eq i64 {low}, 0')}")


def _window(
    t: Translator,
    value: str,
    first: int,
    limit: str,
    pointer: str,
    size: int,
    align: int,
    fault: Fault,
) -> str:
    """Memory of `limit` bytes whose addresses begin at `first`."""
    offset = t.value(f"sub i64 {value}, {first}")
    begins = t.value(f"icmp ult i64 {offset}, {limit}")
    ends = t.value(f"icmp ule i64 {t.value(f'add i64 {offset}, {size}')}, {limit}")
    ok = t.value(f"and i1 {begins}, {ends}")
    t.require(_aligned(t, ok, offset, align), fault, value)
    return t.element("i8", pointer, offset, "i64")


def _parameter(t: Translator, operand: Address, size: int) -> str:
    base = operand.base
    if isinstance(base, Symbol) and base.name in t.arrays:
        whole = t.ptx.locals.get(base.name) or t.parameters[base.name]
        if not 0 <= operand.offset <= whole.size - size:
            raise t.unsupported("an access outside of the parameter")
        return t.offset(t.arrays[base.name], operand.offset)
    if not t.ptx.kernel:
        raise t.unsupported("this address of a parameter")
    if isinstance(base, Symbol) and base.name in t.parameters:
        parameter = t.parameters[base.name]
        if not 0 <= operand.offset <= parameter.size - size:
            raise t.unsupported("an access outside of the parameter")
        return t.offset("%parameters", parameter.offset + operand.offset)
    limit = t.launch("parameters_size")
    value = address(t, operand)
    return _window(t, value, 0, limit, "%parameters", size, size, Fault.PARAMETER)


def _generic(t: Translator, value: str, size: int, align: int) -> str:
    t.prelude.setdefault("generic", _generic_function())
    pointer = t.value(
        f"call ptr @generic(ptr %thread, ptr %launch, i64 {value}, i64 {size}, i64 {align - 1})"
    )
    t.require(t.value(f"icmp ne ptr {pointer}, null"), Fault.GENERIC, value)
    return pointer


@cache
def _generic_function() -> str:
    """Find out which memory a generic address is in; null if in none, or misaligned."""
    w = Writer()
    low = w.value("and i64 %address, %align")
    with w.when(w.value(f"icmp ne i64 {low}, 0")):
        w.leave("ret ptr null")
    for window, first, limit in (
        (SHARED_WINDOW, SHARED_BASE, w.launch("shared_size")),
        (LOCAL_WINDOW, LOCAL_BASE, w.launch("local_size")),
    ):
        offset = w.value(f"sub i64 %address, {window + first}")
        begins = w.value(f"icmp ult i64 {offset}, {WINDOW_SIZE}")
        with w.when(begins):
            ends = w.value(f"icmp ule i64 {w.value(f'add i64 {offset}, %size')}, {limit}")
            with w.when(ends):
                if window == SHARED_WINDOW:
                    memory = w.launch("shared")
                else:
                    memory = w.offset("%thread", THREAD.size)
                w.leave(f"ret ptr {w.element('i8', memory, offset, 'i64')}")
            w.leave("ret ptr null")
    offset = w.value(f"sub i64 %address, {DEVICE_BASE}")
    with w.when(w.value(f"icmp ult i64 {offset}, {w.launch('memory_size')}")):
        granule = w.value(f"lshr i64 {offset}, {GRANULE_BITS}")
        place = w.element("i16", w.launch("valid"), granule, "i64")
        valid = w.value(f"zext i16 {w.value(f'load i16, ptr {place}')} to i64")
        within = w.value(f"and i64 {offset}, {(1 << GRANULE_BITS) - 1}")
        end = w.value(f"add i64 {within}, %size")
        with w.when(w.value(f"icmp ule i64 {end}, {valid}")):
            w.leave(f"ret ptr {w.element('i8', w.launch('memory'), offset, 'i64')}")
    w.line("ret ptr null")
    return w.function(
        "internal ptr @generic(ptr %thread, ptr %launch, i64 %address, i64 %size, i64 %align)"
    )
