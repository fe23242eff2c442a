"""The Python entry of a compiled function: native code that Python calls directly.

An entry has CPython's fast calling convention. It checks the arguments, makes the results, runs
the program and wraps what comes out; `EntrySpec` says how, `entry_text` writes it as LLVM text.
The steps stand in functions of the runtime (backends/cpu/runtime/native.py) that read constant
tables; the text of an entry is what differs: tables, the arithmetic of symbolic extents, and the
order of events

    check -> [hold] -> requirements -> shapes -> make results -> arena
        -> [release lock] program -> finish

with one exit for each way to fail. Up to the end of the checks nothing has been done, so a
mismatch just returns the MISS object. Where Variables are overwritten in place (donations), what is
returned is made before the program runs, so that nothing can fail behind it. Entries hold no
addresses, so they can be cached on disk.

What the program may rely on:
    %buffers  data pointers of params, captures, results, in this order; dense, row-major,
              aligned to their element only; a donated result points to its source's memory
    %symbols  the i64 values of `spec.symbols`, then room for those of `spec.late`
    %arena    scratch memory, 64-byte aligned, uninitialised; undefined when the arena is 0
    %error    four i64 that the error handler gets when the program returns a positive status
"""

from __future__ import annotations

from collections.abc import Iterable

from tfc.ir.dtypes import string
from tfc.ir.extent import Expr, Extent, largest, reach, terms_of

from ..calling_convention import BAD_EXTENT
from ..llvm.arena_layout import RELEASE_WORK
from ..llvm.entry_spec import EntrySpec, bare_symbol
from ..llvm.extents import Arithmetic
from .runtime import native
from .runtime.python_abi import DATA, DIMS, TUPLE_ITEMS, descriptor

STACK_ARENA_BYTES = 4096  # arenas up to this size lie on the stack
PARAMS = "(ptr %buffers, ptr %symbols, ptr %arena, ptr %error)"  # of programs
ONCE = "noinline optnone"  # glue that runs once a call: half the time to compile, no slower to call


def entry_text(*specs: EntrySpec, program: str = "") -> str:
    """LLVM text that defines the entries `specs`; join it with the text of their programs, or of
    the function `program` that runs in their place."""
    body = "".join(_Writer(spec, program or spec.program).written() for spec in specs)
    used = [line for name, line in native.DECLARATIONS.items() if f"@{name}(" in body]
    return "\n".join([*used, *declared_descriptors(*specs)]) + "\n" + body


def declared_descriptors(*specs: EntrySpec) -> list[str]:
    """Lines that declare what stands for the dtypes of arrays."""
    tensors = [t for spec in specs for t in (*spec.inputs, *spec.results)]
    names = sorted({descriptor(t.dtype) for t in tensors})
    return [f"@{name} = external global i8" for name in names]


def result_records(spec: EntrySpec) -> list[str]:
    """The constants that say how results are made (`Result`, in runtime.h)."""
    updates, late = dict(spec.updates), set(spec.allocated)
    records = []
    for r, tensor in enumerate(spec.results):
        mode, source = native.FRESH, 0
        if r in spec.aliases:
            mode, source = native.ALIAS, spec.aliases[r]
        elif r in spec.donations:
            mode, source = native.DONATE, spec.donations[r]
        elif r in late:
            mode = native.LATE
        numbers = (tensor.rank, tensor.dtype.itemsize, mode, source, updates.get(r, -1))
        fields = ", ".join(f"i64 {number}" for number in numbers)
        records.append(f"{{ ptr @{descriptor(tensor.dtype)}, {fields} }}")
    return records


def returned(spec: EntrySpec) -> int:
    """How many results a tuple holds, or what the call returns instead of one."""
    count = len(spec.returned)
    if spec.tuple_result or count > 1:
        return count
    return native.BARE_TENSOR if count else native.NOTHING


class _Writer:
    """Writes one entry. Each method appends one step, in the order in which they run."""

    def __init__(self, spec: EntrySpec, program: str) -> None:
        spec.check()
        self.spec = spec
        self.program = program
        self.constants: list[str] = []
        self.integers: list[int] = []
        self.places: dict[tuple[int, ...], int] = {}
        self.allocas: list[str] = []
        self.lines: list[str] = []
        self.math = Arithmetic(self.lines)
        self.symbols = spec.symbols
        self.counts = len(spec.inputs), len(spec.results)
        self.exits: set[str] = set()  # those that some step branches to
        self.late = set(spec.allocated)
        self.extents: list[tuple[int, tuple[int, int, Extent]]] = []  # that are no numbers
        # The references that tell a donor's owners apart are counted with our own on top.
        self.holds = bool(spec.donations)
        self.text = any(t.dtype is string for t in spec.results)

    def written(self) -> str:
        self._check_arguments()
        self._bind_symbols()
        self._spend()
        extents = self._result_extents()
        self._make_results(extents)
        self._run()
        self._exits()
        self._constant("integers", "i64", map(str, self.integers))
        name = self.spec.name
        arguments = "(ptr %self, ptr %args, i64 %nargs)"
        head = [f"define ptr @{name}{arguments} {native.ATTRIBUTES} {ONCE} {{", "entry:"]
        return "\n".join([*self.constants, *head, *self.allocas, *self.lines, "}", ""])

    # ---- helpers ----

    def _emit(self, *lines: str) -> None:
        self.lines.extend([f"  {line}" for line in lines])

    def _label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def _alloca(self, name: str, count: int, type_: str, align: int = 8) -> None:
        self.allocas.append(f"  %{name} = alloca [{max(count, 1)} x {type_}], align {align}")

    def _constant(self, name: str, type_: str, items: Iterable[str]) -> str:
        """A constant array; returns the symbol."""
        values = [f"{type_} {item}" for item in items]
        symbol = f"@{self.spec.name}.{name}"
        array = f"[{len(values)} x {type_}] [{', '.join(values)}]" if values else "i64 0"
        self.constants.append(f"{symbol} = private unnamed_addr constant {array}")
        return symbol

    def _integers(self, values: Iterable[int]) -> str:
        """The address of these i64 values in the entry's one constant array of integers."""
        numbers = tuple(values)
        if numbers not in self.places:
            self.places[numbers] = len(self.integers)
            self.integers.extend(numbers)
        return f"getelementptr (i64, ptr @{self.spec.name}.integers, i64 {self.places[numbers]})"

    def _guard(self, good: str, other: str, label: str) -> None:
        """Go on at `label` when `good` holds, else leave through the exit `other`."""
        self._emit(f"br i1 {good}, label %{label}, label %{other}")
        self.exits.add(other)
        self._label(label)

    def _leave(self, other: str) -> None:
        self._emit(f"br label %{other}")
        self.exits.add(other)

    # ---- steps ----

    def _check_arguments(self) -> None:
        spec, (inputs, results) = self.spec, self.counts
        self._alloca("arrays", inputs, "ptr")
        self._alloca("outs", results + self.holds, "ptr")  # behind them, what is returned
        self._alloca("buffers", inputs + results, "ptr")
        self._alloca("symbols", len(self.symbols) + len(spec.late), "i64")
        self._alloca("error", 4, "i64")
        self._emit("store [4 x i64] zeroinitializer, ptr %error")

        records = []
        for tensor in spec.inputs:
            dims = self._integers(e if isinstance(e, int) else -1 for e in tensor.shape)
            fields = f"ptr @{descriptor(tensor.dtype)}, ptr {dims}, i64 {tensor.rank}"
            records.append(f"{{ {fields} }}")
        table = self._constant("inputs", native.INPUT, records)

        params, captures = len(spec.params), len(spec.captures)
        self._emit(f"%counted = icmp eq i64 %nargs, {params + len(spec.scalars)}")
        self._guard("%counted", "miss", "params")
        if params:
            call = f"call i32 @tfc_fetch(ptr %args, i64 {params}, ptr {table}, "
            self._emit(f"%fetched = {call}ptr %arrays, ptr %buffers)")
            self._fetched("%fetched", "captures")
        if captures:
            self._emit(
                f"%captured = getelementptr i8, ptr %self, i64 {TUPLE_ITEMS + 8}",
                f"%c.table = getelementptr {native.INPUT}, ptr {table}, i64 {params}",
                f"%c.arrays = getelementptr ptr, ptr %arrays, i64 {params}",
                f"%c.buffers = getelementptr ptr, ptr %buffers, i64 {params}",
                f"%c.fetched = call i32 @tfc_fetch(ptr %captured, i64 {captures}, "
                "ptr %c.table, ptr %c.arrays, ptr %c.buffers)",
            )
            self._fetched("%c.fetched", "scalars")

    def _fetched(self, status: str, label: str) -> None:
        """Go on at `label` when `tfc_fetch` found what fits, begin again when it had to wait."""
        self._emit(
            f"switch i32 {status}, label %miss [ i32 1, label %{label} i32 -1, label %params ]"
        )
        self._label(label)

    def _bind_symbols(self) -> None:
        """Load what binds a symbol; check what speaks of a bound one; store the values."""
        spec, values = self.spec, self.math.values
        pending: list[tuple[Expr, str]] = []
        bounds: list[str] = []
        for i, tensor in enumerate(spec.inputs):
            if tensor.is_static:
                continue
            self._emit(
                f"%a{i}.at = getelementptr ptr, ptr %arrays, i64 {i}",
                f"%a{i} = load ptr, ptr %a{i}.at",
                f"%a{i}.dims.at = getelementptr i8, ptr %a{i}, i64 {DIMS}",
                f"%a{i}.dims = load ptr, ptr %a{i}.dims.at",
            )
            for axis, extent in enumerate(tensor.shape):
                if isinstance(extent, int):
                    continue
                value = f"%a{i}.{axis}"
                self._emit(
                    f"{value}.at = getelementptr i64, ptr %a{i}.dims, i64 {axis}",
                    f"{value} = load i64, ptr {value}.at",
                )
                name = bare_symbol(extent)
                if name is not None and name not in values:
                    values[name] = value
                    low, high = reach(extent)
                    if least := max(spec.least, low or 0):
                        bounds.append(f"icmp sge i64 {value}, {least}")
                    if high is not None:
                        bounds.append(f"icmp sle i64 {value}, {high}")
                else:
                    pending.append((extent, value))
        checks = list(map(self.math.emit, bounds))
        for k, name in enumerate(spec.scalars):
            value = f"%scalar.{k}"
            self._emit(
                f"{value}.at = getelementptr ptr, ptr %args, i64 {len(spec.params) + k}",
                f"{value}.object = load ptr, ptr {value}.at",
                f"{value} = call i64 @tfc_scalar(ptr {value}.object)",
            )
            checks.append(self.math.emit(f"icmp sge i64 {value}, 0"))
            if name in values:
                checks.append(self.math.emit(f"icmp eq i64 {value}, {values[name]}"))
            else:
                values[name] = value
        for extent, value in pending:
            expected, invalid = self.math.extent(extent)
            checks.append(self.math.emit(f"icmp eq i64 {expected}, {value}"))
            if invalid:
                checks.append(self.math.emit(f"xor i1 {invalid}, true"))
        if checks:
            self._guard(self.math.all(checks), "miss", "bound")
        for k, name in enumerate(self.symbols):
            place = f"%symbol.{k}.at"
            self._emit(
                f"{place} = getelementptr i64, ptr %symbols, i64 {k}",
                f"store i64 {values[name]}, ptr {place}",
            )

    def _spend(self) -> None:
        """Take what this call costs off the budget; where that is spent, the call does not fit."""
        if not self.spec.budget:
            return
        left = f"@{self.spec.name}.left"
        self.constants.append(f"{left} = internal global i64 {self.spec.budget}")
        cost, unknown = self.math.extent(self.spec.cost)
        if unknown:
            cost = self.math.emit(f"select i1 {unknown}, i64 -1, i64 {cost}")
        before = self.math.emit(f"load i64, ptr {left}")
        enough = self.math.emit(f"icmp ult i64 {cost}, {before}")
        rest = self.math.emit(f"sub i64 {before}, {cost}")
        some = self.math.emit(f"icmp sgt i64 {rest}, 0")
        rest = self.math.emit(f"select i1 {self.math.all([enough, some])}, i64 {rest}, i64 0")
        self._emit(f"store i64 {rest}, ptr {left}")
        self._guard(enough, "miss", "affordable")

    def _result_extents(self) -> str:
        """The shapes of all results one after the other, as a constant or computed here."""
        spec = self.spec
        flat = [(r, axis, e) for r, t in enumerate(spec.results) for axis, e in enumerate(t.shape)]
        if self.holds:
            self._emit(f"call void @tfc_hold(ptr %arrays, i64 {self.counts[0]})")
        self._require()
        template = self._integers(e if isinstance(e, int) else 0 for _, _, e in flat)
        if all(isinstance(extent, int) for _, _, extent in flat):
            return template
        self.extents = [row for row in enumerate(flat) if not isinstance(row[1][2], int)]
        self._alloca("extents", len(flat), "i64")
        if any(isinstance(extent, int) for _, _, extent in flat):
            copy = f"(ptr %extents, ptr {template}, i64 {8 * len(flat)}, i1 false)"
            self._emit(f"call void @llvm.memcpy.p0.p0.i64{copy}")
        self._store_extents(row for row in self.extents if row[1][0] not in self.late)
        return "%extents"

    def _store_extents(self, rows: Iterable[tuple[int, tuple[int, int, Extent]]]) -> None:
        """Store extents (place, (result, axis, extent)) of results."""
        for k, (result, axis, extent) in rows:
            value, invalid = self.math.extent(extent)
            if bare_symbol(extent) is None and result not in self.late:
                self._reject(k, result, axis, value, invalid)
            self._emit(
                f"%extent.{k}.at = getelementptr i64, ptr %extents, i64 {k}",
                f"store i64 {value}, ptr %extent.{k}.at",
            )

    def _adopt(self) -> None:
        """Make arrays of the results that the program has allocated."""
        for k, name in enumerate(self.spec.late, len(self.symbols)):
            self._emit(
                f"%late.{k}.at = getelementptr i64, ptr %symbols, i64 {k}",
                f"%late.{k} = load i64, ptr %late.{k}.at",
            )
            self.math.values[name] = f"%late.{k}"
        self._store_extents(row for row in self.extents if row[1][0] in self.late)
        inputs, results = self.counts
        self._emit(
            f"%late.buffers = getelementptr ptr, ptr %buffers, i64 {inputs}",
            f"%adopted = call i32 @tfc_adopt(ptr {self.results}, i64 {results}, ptr %extents, "
            "ptr %outs, ptr %late.buffers)",
            "%all.adopted = icmp eq i32 %adopted, 0",
        )
        self._guard("%all.adopted", "unmade", "whole")

    def _require(self) -> None:
        """Leave the function where an extent that must not be negative is, or is undefined."""
        for k, (extent, reported, status) in enumerate(self.spec.requires):
            value, invalid = self.math.extent(extent)
            holds = self.math.emit(f"icmp sge i64 {value}, 0")
            if invalid:
                holds = self.math.all([holds, self.math.emit(f"xor i1 {invalid}, true")])
            self._emit(f"br i1 {holds}, label %required.{k}, label %lacking.{k}")
            self._label(f"lacking.{k}")
            for place, number in enumerate(reported):
                shown, _ = self.math.extent(number)
                self._emit(
                    f"%lacking.{k}.{place} = getelementptr i64, ptr %error, i64 {place}",
                    f"store i64 {shown}, ptr %lacking.{k}.{place}",
                )
            self._emit(
                f"%lacking.{k}.raised = call ptr @tfc_fail(ptr %self, i32 {status}, ptr %error)"
            )
            self._leave("raised")
            self._label(f"required.{k}")

    def _reject(self, k: int, result: int, axis: int, value: str, invalid: str) -> None:
        """Leave the function when a result's extent is negative, undefined or overflowed."""
        if invalid:
            self._emit(f"%invalid.{k} = xor i1 {invalid}, true")
            self._guard(f"%invalid.{k}", "memory", f"valid.{k}")
        self._emit(f"%positive.{k} = icmp sge i64 {value}, 0")
        self._emit(f"br i1 %positive.{k}, label %extent.{k}, label %negative.{k}")
        self._label(f"negative.{k}")
        for place, number in enumerate((result, axis, value)):
            self._emit(
                f"%negative.{k}.{place} = getelementptr i64, ptr %error, i64 {place}",
                f"store i64 {number}, ptr %negative.{k}.{place}",
            )
        self._leave("negative")
        self._label(f"extent.{k}")

    def _make_results(self, extents: str) -> None:
        spec, (inputs, results) = self.spec, self.counts
        self.results = self._constant("results", native.RESULT, result_records(spec))
        if not results:
            return
        if results == 1 and not spec.aliases and not spec.donations and not self.late:
            tensor = spec.results[0]
            self._emit(
                f"%array = call ptr @tfc_new_array(ptr @{descriptor(tensor.dtype)}, "
                f"ptr {extents}, i64 {tensor.rank}, i64 {tensor.dtype.itemsize})",
                "%complete = icmp ne ptr %array, null",
            )
            self._guard("%complete", "raised", "results")
            self._emit(
                "store ptr %array, ptr %outs",
                f"%data.at = getelementptr i8, ptr %array, i64 {DATA}",
                "%data = load ptr, ptr %data.at",
                f"%data.to = getelementptr ptr, ptr %buffers, i64 {inputs}",
                "store ptr %data, ptr %data.to",
            )
            return
        self._emit(
            f"%r.buffers = getelementptr ptr, ptr %buffers, i64 {inputs}",
            f"%made = call i32 @tfc_make(ptr {self.results}, i64 {results}, ptr {extents}, "
            "ptr %arrays, ptr %outs, ptr %r.buffers)",
            "%complete = icmp eq i32 %made, 0",
        )
        self._guard("%complete", "raised", "results")
        if self.holds:
            self._emit(
                f"%answer = call ptr @tfc_answer(i64 {returned(self.spec)})",
                f"%answer.at = getelementptr ptr, ptr %outs, i64 {results}",
                "store ptr %answer, ptr %answer.at",
                "%answered = icmp ne ptr %answer, null",
            )
            self._guard("%answered", "no.answer", "prepared")

    def _run(self) -> None:
        """Find scratch memory, run the program with or without the lock, look at the status."""
        spec, (_, results) = self.spec, self.counts
        arena, bytes_ = "null", ""
        room = largest(spec.arena)
        if isinstance(room, int) and room <= STACK_ARENA_BYTES:
            if room > 0:
                self._alloca("scratch", room, "i8", 64)
                arena = "%scratch"
        else:
            bytes_, invalid = self.math.extent(spec.arena)
            if invalid:
                self._emit(f"%arena.known = xor i1 {invalid}, true")
                self._guard("%arena.known", "no.arena", "arena")
            self._emit(f"%block = call ptr @tfc_pool_alloc(i64 {bytes_})")
            self._emit("%got.block = icmp ne ptr %block, null")
            self._guard("%got.block", "no.arena", "ready")
            arena = "%block"
        call = f"call i32 @{self.program}(ptr %buffers, ptr %symbols, ptr {arena}, ptr %error)"
        work_most = largest(spec.work)
        least = sum(count for monomial, count in terms_of(work_most) if not monomial)
        if isinstance(work_most, int) or spec.budget or least > RELEASE_WORK:
            status = self._released(call) if least > RELEASE_WORK else self._held(call)
        else:
            work, unknown = self.math.extent(spec.work)
            large = self.math.emit(f"icmp sgt i64 {work}, {RELEASE_WORK}")
            large = self.math.emit(f"or i1 {large}, {unknown}") if unknown else large
            self._emit(f"br i1 {large}, label %release, label %keep")
            self._label("release")
            released = self._released(call)
            self._emit("br label %ran")
            self._label("keep")
            held = self._held(call)
            self._emit("br label %ran")
            self._label("ran")
            status = "%status"
            self._emit(f"%status = phi i32 [ {released}, %release ], [ {held}, %keep ]")
        if bytes_:
            self._emit(f"call void @tfc_pool_free(ptr %block, i64 {bytes_})")
        self._unhold()
        self._emit(f"%success = icmp eq i32 {status}, 0")
        self._guard("%success", "failed", "finish")
        if self.late:
            self._adopt()
        if results == 1 and spec.returned and not spec.tuple_result and not self.text:
            self._emit("%out = load ptr, ptr %outs", "%answer = call ptr @tfc_wrap(ptr %out)")
        else:
            self._finish()
        self._emit("ret ptr %answer")
        self._label("failed")
        if self.text:
            self._emit(f"call void @tfc_disown(ptr {self.results}, i64 {results}, ptr %outs)")
        self._drop_results()
        self._emit(f"%error.raised = call ptr @tfc_fail(ptr %self, i32 {status}, ptr %error)")
        self._emit("ret ptr null")

    def _finish(self) -> None:
        parts = f"ptr %self, ptr {self.results}, i64 {self.counts[1]}, ptr %outs"
        if self.holds:
            self._emit(f"call void @tfc_fill({parts}, i64 {returned(self.spec)}, ptr %answer)")
        else:
            self._emit(f"%answer = call ptr @tfc_finish({parts}, i64 {returned(self.spec)})")

    def _held(self, call: str) -> str:
        self._emit(f"%status.held = {call}")
        return "%status.held"

    def _released(self, call: str) -> str:
        """The call without the lock: others may drop the inputs, so they are held meanwhile, and
        must not see what is half overwritten."""
        inputs, results = self.counts
        donations = f"(ptr %self, ptr {self.results}, i64 {results}, ptr %arrays, ptr %outs)"
        hold = inputs and not self.holds
        if hold:
            self._emit(f"call void @tfc_hold(ptr %arrays, i64 {inputs})")
        if self.holds:
            self._emit(f"call void @tfc_take{donations}")
        self._emit(
            "%thread = call ptr @PyEval_SaveThread()",
            f"%status.released = {call}",
            "call void @PyEval_RestoreThread(ptr %thread)",
        )
        if hold:
            self._emit(f"call void @tfc_drop(ptr %arrays, i64 {inputs})")
        if self.holds:
            self._emit(f"call void @tfc_give{donations}")
        return "%status.released"

    def _exits(self) -> None:
        """The ways out that other steps branch to; those nobody branches to are not written."""
        if "no.arena" in self.exits:
            self._label("no.arena")
            self._drop_results()
            self._leave("memory")
        if "no.answer" in self.exits:
            self._label("no.answer")
            self._drop_results()
            self._leave("raised")
        if "memory" in self.exits:
            self._label("memory")
            self._emit("%memory.raised = call ptr @PyErr_NoMemory()")
            self._leave("raised")
        if "negative" in self.exits:
            self._label("negative")
            self._emit(f"%refused = call ptr @tfc_fail(ptr %self, i32 {BAD_EXTENT}, ptr %error)")
            self._leave("raised")
        if "raised" in self.exits:
            self._label("raised")
            self._unhold()
            self._emit("ret ptr null")
        if "unmade" in self.exits:
            self._label("unmade")
            self._emit("ret ptr null")
        self._label("miss")
        self._emit("%missed = call ptr @tfc_missed()", "ret ptr %missed")

    def _drop_results(self) -> None:
        if outs := self.counts[1] + self.holds:
            self._emit(f"call void @tfc_drop(ptr %outs, i64 {outs})")

    def _unhold(self) -> None:
        if self.holds:
            self._emit(f"call void @tfc_drop(ptr %arrays, i64 {self.counts[0]})")
