"""Packs: many small programs on the same inputs and Variables, which are compiled as one function.

Nearly all that a small program costs is what many can share: a process, a trace, a module for LLVM,
and eager ops, each of which is compiled once. So a swarm has a palette of some hundred steps, made
by all rules there are, and its programs are one to four of them, each on values of the types that
it was made for: on inputs, Variables, and what the steps before it give. No two programs of a pack
compute the same, but for names.

Rules whose steps take long to compile stand in the palette less often than the others: the time of
one of theirs is that of twenty, and programs by number (campaign.py) have them as often as any.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from tests.fuzz.makers import Smooth
from tests.fuzz.programs import Maker, Program, Rule, Skip, Step
from tfc.ir.types import TensorType

NAMES = re.compile(r"\b[xyv]\d+\b")
INPUTS = 3  # types of which there are two inputs each
STEPS = (1, *[2] * 5, *[3] * 9, *[4] * 9)  # of a program, one of these
ATTEMPTS = 40  # drawn for a program of a pack until all are others
# One step of these compiles as long as so many of most others.
SELDOM = {
    **{"irregular": 60, "trained": 60, "ragged": 16, "grown": 10, "fed": 40, "layered": 8},
    **{"jacobian": 8, "chosen": 8, "seeded": 8, "traced": 5, "staged": 8, "distributed": 10},
    **{"narrow": 5, "derived": 4, "tape": 3, "attention": 3, "optimized": 3, "replicas": 3},
    **{"special_pair": 5, "segmented": 3, "worded": 3, "text": 3, "sliced": 5, "counted": 3},
    **{"catalogued": 4, "vectorized": 2, "retraced": 3, "states": 3, "scanned": 2, "bands": 3},
    **{"sort": 4, "top_k": 5, "searched": 6, "images": 3, "factors": 4, "gathered": 2},
    **{"shuffled": 2, "random": 2, "of_numpy": 2, "unary": 2, "loop": 2},
}


@dataclass(frozen=True)
class Template:
    """A step, and the types of the values that its code mentions (of Variables it takes itself)."""

    step: Step
    takes: tuple[tuple[str, TensorType], ...]

    def on(self, values: dict[str, str], name: str) -> Step:
        """The step on these values, by the name of what it was made for, and giving `name`."""
        code = NAMES.sub(lambda found: values.get(found[0], found[0]), self.step.code)
        uses = tuple(values.values())
        return Step(code, name if self.step.name else "", self.step.type, uses)


@dataclass
class Palette:
    """What programs of a swarm are made of."""

    maker: Maker
    inputs: dict[str, TensorType]
    templates: list[Template] = field(default_factory=list)

    @cached_property
    def takers(self) -> dict[TensorType, list[Template]]:
        """By a type: the templates that take such a value."""
        found: dict[TensorType, list[Template]] = {}
        for template in self.templates:
            for type_ in dict.fromkeys(t for _, t in template.takes):
                found.setdefault(type_, []).append(template)
        return found


@cache
def palette(kind: type[Maker], swarm: int, size: int) -> Palette:
    """The palette of this many steps that a swarm has: the same in every process."""
    draw = random.Random(f"palette {swarm}")
    maker = kind(draw.randrange, swarm)
    program = maker.program
    for _ in range(INPUTS):
        maker.input()
        twin(maker)
    if kind is not Smooth:
        maker.variable()
    inputs = dict(maker.types)
    found = Palette(maker, inputs)
    seen: set[str] = set()
    for _ in range(20 * size):
        maker.types, maker.count, program.steps = dict(inputs), 0, []
        for _ in range(max(STEPS)):
            grow(maker, rules(kind))
        for step in program.steps:
            template = template_of(step, {**program_types(program.steps), **inputs})
            key = canonical(str(step), {})
            if template is not None and key not in seen and len(found.templates) < size:
                seen.add(key)
                found.templates.append(template)
        if len(found.templates) == size:
            break
    return found


def twin(maker: Maker) -> None:
    """Another input of the type of the last one, that a step may take in its place."""
    program, last = maker.program, [*maker.program.inputs][-1]
    name = f"x{len(program.inputs)}"
    program.inputs[name] = maker.types[name] = program.inputs[last]
    program.elements[name] = program.elements[last]


@cache
def rules(kind: type[Maker]) -> tuple[Rule, ...]:
    return tuple(dict.fromkeys(kind.rules)) if kind is not Smooth else kind.rules


def grow(maker: Maker, known: Sequence[Rule]) -> None:
    """A step by one of these rules; those that are dear come less often."""
    for _ in range(8):
        rule = maker.choose(known)
        if maker.draw(SELDOM.get(rule.__name__, 1)):
            continue
        try:
            return rule(maker)
        except Skip:
            pass


def program_types(steps: Sequence[Step]) -> dict[str, TensorType]:
    return {step.name: step.type for step in steps if step.type is not None}


def template_of(step: Step, types: dict[str, TensorType]) -> Template | None:
    """What a step is made for. (A Variable stays the same one: it has a type, but is no value.)"""
    names = dict.fromkeys(name for name in NAMES.findall(step.code) if name[0] != "v")
    if not names or any(name not in types for name in names):
        return None
    return Template(step, tuple((name, types[name]) for name in names))


def pack(
    kind: type[Maker], number: int, swarm: int, count: int, size: int, seed: str = "pack"
) -> Program:
    """The pack of this number: so many programs, fewer where the palette has no more."""
    draw = random.Random(f"{seed} {number}")
    colours = palette(kind, swarm, size)
    found: dict[str, tuple[list[Step], list[str]]] = {}
    for _ in range(ATTEMPTS * count):
        steps = composed(colours, draw)
        if steps:
            returns = returned(steps, draw.randrange)
            found.setdefault(computation(steps, returns), (steps, returns))
        if len(found) == count:
            break
    return together(colours, draw.randrange, [*found.values()])


def composed(colours: Palette, draw: random.Random) -> list[Step]:
    """One to four steps; each takes, where it can, what one before it gives."""
    types, steps = dict(colours.inputs), []
    for _ in range(draw.choice(STEPS)):
        made = [name for name in types if name[0] == "y"]
        options, wanted = colours.templates, ""
        if made and draw.randrange(8):
            wanted = made[max(draw.randrange(len(made)), draw.randrange(len(made)))]
            options = colours.takers.get(types[wanted], options)
        template = draw.choice(options)
        values: dict[str, str] = {}
        for name, type_ in template.takes:
            fitting = [n for n, t in types.items() if t == type_]
            if not fitting:
                break
            first = wanted in fitting and wanted not in values.values()
            values[name] = wanted if first else draw.choice(fitting)
        else:
            step = template.on(values, f"y{len(steps)}")
            steps.append(step)
            if step.name and step.type is not None:
                types[step.name] = step.type
    return steps


def returned(steps: Sequence[Step], draw: Callable[[int], int]) -> list[str]:
    """What nothing uses, and now and then what something does; an input, if nothing is made."""
    used = {name for step in steps for name in step.uses}
    found = [s.name for s in steps if s.name and (s.name not in used or draw(8) == 7)]
    return found or [*steps[-1].uses[:1]]


def together(
    colours: Palette, draw: Callable[[int], int], made: Sequence[tuple[list[Step], list[str]]]
) -> Program:
    """These programs, on inputs with values of their own, and what they mention of the palette."""
    whole, maker = colours.maker.program, colours.maker
    text = "\n".join(step.code for steps, _ in made for step in steps)
    names = set(re.findall(r"\b(?:[xyvo]\d+|g|optimizer)\b", text))
    optimizer = whole.optimizer if "optimizer" in names else None
    kept = names | ({optimizer[0]} if optimizer else set())
    inputs = {n: t for n, t in whole.inputs.items() if n in names}
    inputs = inputs or dict([*whole.inputs.items()][:1])
    elements: dict[str, tuple[str, str]] = {}
    for name in inputs:
        elements[name] = whole.elements[name]
        shared = re.search(r"^tf.identity\((\w+)\)$", elements[name][0])
        if shared is None or shared[1] not in inputs:
            elements[name] = drawn(maker, draw, inputs[name])
    variables = {n: t for n, t in whole.variables.items() if n in kept}
    first, *others = (
        Program(
            inputs=inputs,
            variables=variables,
            elements={**elements, **{v: whole.elements[v] for v in variables}},
            steps=steps,
            returns=returns,
            random="g" in names,
            optimizer=optimizer,
            objects={n: code for n, code in whole.objects.items() if n in names},
            apart=True,
        )
        for steps, returns in made
    )
    return replace(first, relatives=tuple(others))


def drawn(maker: Maker, draw: Callable[[int], int], kind: TensorType) -> tuple[str, str]:
    """Code for the elements of an input, in both runs."""
    kept, maker.draw = maker.draw, draw
    try:
        elements = maker.elements(kind.dtype)
        first, second = (
            maker.literal(elements, kind.dtype, [maker.size(e, run) for e in kind.shape])
            for run in range(2)
        )
    finally:
        maker.draw = kept
    return first, second


def computation(steps: Sequence[Step], returns: Sequence[str]) -> str:
    """What programs say where names do not matter."""
    return canonical("\n".join([*map(str, steps), ", ".join(returns)]), {})


def canonical(text: str, types: dict[str, TensorType]) -> str:
    """A text whose names are numbers in the order that they come in, with types where known."""
    numbers: dict[str, str] = {}

    def number(found: re.Match[str]) -> str:
        name = found[0]
        return numbers.setdefault(name, f"${len(numbers)}{types.get(name, '')}")

    return NAMES.sub(number, text)


def fingerprint(program: Program) -> int:
    """64 bits of what a program computes on which types: alike for two that differ in names, or in
    what their inputs hold and their symbols stand for."""
    types = {**program.inputs, **program.variables}
    text = canonical("\n".join(program.body()), types)
    objects = [code for name, (code, _) in program.objects.items() if mentioned(name, text)]
    digest = hashlib.blake2b("\n".join([text, *objects]).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def mentioned(name: str, text: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None
