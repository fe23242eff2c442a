"""A PTX text as machine code, for every emulated device of the process."""

from __future__ import annotations

import time
from collections import OrderedDict

from . import instructions, matrices, warpgroups
from .errors import PtxError
from .jit import GOOD, QUICK, Library
from .layout import SHARED_BASE
from .parser import parse
from .syntax import Address, Instruction, PtxFunction, PtxModule, Symbol, Variable
from .translate import ModuleLayout, Translator
from .writer import join

_CACHED = 512
_DEARER = 5  # times that better code takes longer to make


class Code:
    """The machine code of one PTX text, for every device."""

    def __init__(self, text: str) -> None:
        self.module = parse(text)
        self.variables = [v for v in self.module.variables.values() if v.space != "shared"]
        for variable in self.variables:
            if variable.extern:
                raise PtxError(f"{variable.name} is defined nowhere")
        self.layout = _layout(self.module, self.variables)
        texts: list[str] = []
        prelude: dict[str, str] = {}
        declarations: dict[str, str] = {}
        self.frames: dict[str, int] = {}
        for function in self.module.functions.values():
            if function.defined:
                translator = Translator(self.module, function, self.layout)
                texts.append(translator.translate(_signature(function)))
                prelude |= translator.prelude
                declarations |= translator.declarations
                self.frames[function.name] = translator.frame_size
        kernels = [f for f in self.module.functions.values() if f.defined and f.kernel]
        names = [f"k.{f.name}" for f in kernels]
        weights = '!0 = !{!"branch_weights", i32 1000000, i32 1}'
        self.ir = join([*texts, *prelude.values(), *declarations.values(), weights])
        self.names = names
        begin = time.thread_time()
        self.library = Library(self.ir, *names, level=QUICK)
        self.patience = _DEARER * (time.thread_time() - begin)  # seconds before better code pays
        self._old: list[Library] = []
        for function in self.module.functions.values():
            function.body.clear()  # hundreds of thousands of objects, in all, that nobody reads now

    def ran(self, seconds: float) -> None:
        """Note that its kernels ran."""
        self.patience -= seconds

    def address(self, name: str) -> int:
        """Where the kernel `name` begins. What has run for longer than making better code takes is
        compiled again, for speed."""
        if self.patience < 0 and not self._old:
            self._old.append(self.library)
            self.library = Library(self.ir, *self.names, level=GOOD)
        address: int = self.library.addresses[f"k.{name}"]
        return address


def _signature(function: PtxFunction) -> str:
    if function.kernel:
        return f'void @"k.{function.name}"(ptr %thread, ptr %launch)'
    pointers = "".join(f', ptr %"p.{p.name}"' for p in [*function.parameters, *function.results])
    return f'internal void @"f.{function.name}"(ptr %thread, ptr %launch{pointers})'


def _layout(module: PtxModule, variables: list[Variable]) -> ModuleLayout:
    """Where variables are. Memory that kernels share has the same place in all of them.

    Shared memory: what the module declares, what the kernel does, and last what has no size, the
    dynamic part. Local memory: that of functions, which do not call themselves, then the kernel's.
    """
    layout = ModuleLayout()
    layout.symbols = {variable.name: i for i, variable in enumerate(variables)}
    common = [v for v in module.variables.values() if v.space == "shared" and not v.extern]
    dynamic = [v for v in module.variables.values() if v.space == "shared" and v.extern]
    of_module, end = _places(common, SHARED_BASE)
    of_functions = 0
    for function in sorted(module.functions.values(), key=lambda f: f.kernel):
        name, used = function.name, _symbols(function)
        start = end if used & of_module.keys() or _calls(function) else SHARED_BASE
        own, stop = _places([v for v in function.variables if v.space == "shared"], start)
        last, _ = _places(dynamic, stop)
        layout.shared[name] = of_module | own | last
        if used & last.keys():  # dynamic memory begins where its alignment wants it
            stop = max(last.values())
        layout.shared_size[name] = stop - SHARED_BASE
        local = [v for v in function.variables if v.space == "local"]
        layout.locals[name], size = _places(local, of_functions)
        layout.local_size[name] = _align(size, 64)
        if not function.kernel:
            of_functions = layout.local_size[name]
    _check_dynamic(module, layout, {v.name for v in dynamic})
    return layout


def _check_dynamic(module: PtxModule, layout: ModuleLayout, dynamic: set[str]) -> None:
    """A function that is called must find dynamic memory where each of its callers has it."""
    for function in module.functions.values():
        for name in set() if function.kernel else _symbols(function) & dynamic:
            places = {
                layout.shared[f.name][name]
                for f in module.functions.values()
                if f is function or (f.kernel and _calls(f))
            }
            if len(places) > 1:
                raise PtxError(
                    f"dynamic shared memory in the function {function.name} is not supported "
                    "where kernels that call have shared memory of their own",
                    function.line,
                )


def _places(variables: list[Variable], place: int) -> tuple[dict[str, int], int]:
    """Offsets for variables from `place` on, and the end of the last."""
    result = {}
    for variable in variables:
        place = _align(place, max(variable.align, 1))
        result[variable.name] = place
        place += variable.size
    return result, place


def _symbols(function: PtxFunction) -> set[str]:
    """The names that the instructions of a function have as operands or addresses."""
    names = set()
    for item in function.body:
        for operand in item.operands if isinstance(item, Instruction) else ():
            base = operand.base if isinstance(operand, Address) else operand
            if isinstance(base, Symbol):
                names.add(base.name)
    return names


def _calls(function: PtxFunction) -> bool:
    return any(isinstance(item, Instruction) and item.name == "call" for item in function.body)


def _align(place: int, step: int) -> int:
    return (place + step - 1) // step * step


_codes: OrderedDict[str, Code] = OrderedDict()


def code_of(text: str) -> Code:
    """The code for a text: the last few hundred are kept."""
    code = _codes.get(text)
    if code is None:
        code = _codes[text] = Code(text)
        while len(_codes) > _CACHED:
            _codes.popitem(last=False)
    _codes.move_to_end(text)
    return code


__all__ = ["Code", "code_of", "instructions", "matrices", "warpgroups"]
