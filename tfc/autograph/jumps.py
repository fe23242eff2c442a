"""Takes break, continue and return out of loops and branches, so that each block has one end."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from .syntax import SCOPES, assign, const, has, leaves_loop, load, within

RESULT, RETURNED, BROKE = "ag_result", "ag_returned", "ag_broke"


def _ends(block: Sequence[ast.stmt]) -> bool:
    """Whether what follows the block is never reached."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return True
    if isinstance(last, ast.If):
        return _ends(last.body) and _ends(last.orelse)
    if isinstance(last, ast.With):
        return _ends(last.body)
    return False


def _endless(loop: ast.For | ast.While) -> bool:
    """Whether it is a `while True` without a break."""
    if not isinstance(loop, ast.While) or not isinstance(loop.test, ast.Constant):
        return False
    own = within(loop.body, (*SCOPES, ast.For, ast.While))
    return bool(loop.test.value) and not any(isinstance(n, ast.Break) for n in own)


class Jumps:
    """Takes break, continue and return out of a function's loops and branches."""

    def function(self, body: list[ast.stmt]) -> list[ast.stmt]:
        if not self._nested_return(body):
            return self.loops(body)
        body = self._contexts(body, False)
        block = self.loops(self._pushed(self._loops_with_returns(body), ast.Return))
        return self._one_return(block)

    def _nested_return(self, body: Sequence[ast.stmt]) -> bool:
        return any(not isinstance(s, ast.Return) and has([s], ast.Return) for s in body)

    # Returns.

    def _contexts(self, block: list[ast.stmt], inside: bool) -> list[ast.stmt]:
        """A return that a branch or a loop decides in a `with` or `try ... finally` notes the
        result; behind the statement it returns. `inside`: whether a branch or a loop is around
        the block."""
        out: list[ast.stmt] = []
        for s in block:
            if isinstance(s, SCOPES) or not has([s], ast.Return):
                out.append(s)
                continue
            blocks = self._blocks(s)
            parts = isinstance(s, ast.With | ast.Try)
            for own in blocks:
                own[:] = self._contexts(own, inside or not parts)
            decided = inside or any(self._nested_return(own) for own in blocks)
            if not parts or not decided or not self._movable(s):
                out.append(s)
                continue
            for own in blocks:
                own[:] = self._pushed(self._loops_with_returns(own), ast.Return)
                ends = _ends(own)
                self._note_returns(own, ends)
                if ends:  # if nothing was raised on the way, which a `with` may swallow
                    own.append(assign(RETURNED, const(True, s), s))
            back = ast.copy_location(ast.Return(load(RESULT, s)), s)
            out.append(assign(RETURNED, const(False, s), s))
            out += [s, ast.copy_location(ast.If(load(RETURNED, s), [back], []), s)]
        return out

    def _blocks(self, s: ast.stmt) -> list[list[ast.stmt]]:
        """The blocks of a statement, but for one that ends a `try` in any case."""
        names = ("body",) if isinstance(s, ast.Try) else ("body", "orelse")
        own = [getattr(s, name) for name in names if getattr(s, name, None)]
        handlers = [handler.body for handler in getattr(s, "handlers", [])]
        return [*own, *handlers, *(case.body for case in getattr(s, "cases", []))]

    def _movable(self, s: ast.stmt) -> bool:
        """Whether nothing but the returns themselves depends on where they stand. What a branch
        raises when it is traced would be met by the statement, whether the branch is taken or
        not: so nothing may meet it."""
        if any(has(block, ast.Raise) for block in self._blocks(s)):
            return False
        if not isinstance(s, ast.Try):
            return True
        return not s.handlers and not s.orelse and not has(s.finalbody, ast.Return)

    def _note_returns(self, block: list[ast.stmt], ends: bool) -> None:
        """The results of returns that end branches; and that there is one, where not all branches
        end so."""
        for i, s in enumerate(block):
            if isinstance(s, ast.Return):
                block[i] = assign(RESULT, s.value or const(None, s), s)
                if not ends:
                    block.insert(i + 1, assign(RETURNED, const(True, s), s))
                return
            if isinstance(s, ast.If):
                self._note_returns(s.body, ends)
                self._note_returns(s.orelse, ends)

    def _loops_with_returns(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """A return inside a loop notes the result and breaks; behind the loop it returns."""
        out: list[ast.stmt] = []
        for s in block:
            if isinstance(s, ast.For | ast.While) and has([s], ast.Return):
                if has(s.orelse, ast.Return) or self._guarded(s.body):
                    out.append(s)  # stays as it is, see Converter
                    continue
                endless = _endless(s)
                out.append(assign(RETURNED, const(False, s), s))
                out.append(self._noting(s))
                back = ast.copy_location(ast.Return(load(RESULT, s)), s)
                if endless:  # nothing else leads to what stands behind it
                    return [*out, back]
                out.append(ast.copy_location(ast.If(load(RETURNED, s), [back], []), s))
                continue
            if isinstance(s, ast.If):
                s.body = self._loops_with_returns(s.body)
                s.orelse = self._loops_with_returns(s.orelse)
            out.append(s)
        return out

    def _guarded(self, block: Sequence[ast.stmt]) -> bool:
        """Whether a return stands inside of `with`, `try` or `match`."""
        return any(
            isinstance(n, ast.With | ast.Try | ast.Match) and has([n], ast.Return)
            for n in within(block)
        )

    def _noting(self, loop: ast.For | ast.While) -> ast.stmt:
        loop.body = self._noted(loop.body)
        return loop

    def _noted(self, block: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in block:
            if isinstance(s, ast.Return):
                out.append(assign(RESULT, s.value or const(None, s), s))
                out.append(assign(RETURNED, const(True, s), s))
                out.append(ast.copy_location(ast.Break(), s))
                return out
            if isinstance(s, ast.For | ast.While) and has([s], ast.Return):
                out.append(self._noting(s))
                leave = ast.copy_location(ast.Break(), s)
                out.append(ast.copy_location(ast.If(load(RETURNED, s), [leave], []), s))
                continue
            if isinstance(s, ast.If):
                s.body, s.orelse = self._noted(s.body), self._noted(s.orelse)
            out.append(s)
        return out

    def _pushed(self, block: list[ast.stmt], *kinds: type) -> list[ast.stmt]:
        """What stands behind an `if` that may jump goes into the branches that do not."""
        out: list[ast.stmt] = []
        for i, s in enumerate(block):
            out.append(s)
            if isinstance(s, kinds):
                return out
            jumps = isinstance(s, ast.If) and self._jumps(s, kinds)
            if isinstance(s, ast.If) and jumps and not self._stuck(s):
                rest = block[i + 1 :]
                open_ends = [b for b in (s.body, s.orelse) if not _ends(b)]
                for branch in open_ends:
                    branch += copy.deepcopy(rest) if branch is not open_ends[-1] else rest
                s.body = self._pushed(s.body, *kinds)
                s.orelse = self._pushed(s.orelse, *kinds)
                return out
        return out

    def _jumps(self, s: ast.stmt, kinds: tuple[type, ...]) -> bool:
        if ast.Return in kinds:
            return has([s], ast.Return)
        return leaves_loop([s])

    def _stuck(self, s: ast.stmt) -> bool:
        return self._guarded([s])

    def _one_return(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """A block whose last `if` returns in its branches: they note the result instead."""
        last = block[-1] if block else None
        if not isinstance(last, ast.If) or not has([last], ast.Return) or self._stuck(last):
            return block
        if any(has([s], ast.Return) for s in block[:-1]):
            return block
        self._note_last(last)
        back = ast.copy_location(ast.Return(load(RESULT, last)), last)
        return [*block, back]

    def _note_last(self, s: ast.If) -> None:
        for name in ("body", "orelse"):
            branch: list[ast.stmt] = getattr(s, name)
            last = branch[-1] if branch else None
            if isinstance(last, ast.Return):
                branch[-1] = assign(RESULT, last.value or const(None, last), last)
            elif isinstance(last, ast.If) and has([last], ast.Return):
                self._note_last(last)
            elif not isinstance(last, ast.Raise):
                branch.append(assign(RESULT, const(None, s), s))
            setattr(s, name, branch)

    # Loops.

    def loops(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """Loops without break and continue: a flag ends them."""
        out: list[ast.stmt] = []
        for s in block:
            if isinstance(s, ast.For | ast.While) and self._plain_jumps(s.body):
                s.body = self._pushed(s.body, ast.Break, ast.Continue)
                breaks = self._take_out(s.body)
                s.body = self.loops(s.body)
                orelse = self.loops(s.orelse)
                s.orelse = []
                if breaks:
                    flag = f"{BROKE}_{s.lineno}_{s.col_offset}"
                    _Rename(flag).visit(ast.Module(s.body, []))
                    out.append(assign(flag, const(False, s), s))
                    s.ag_flag = flag  # type: ignore[union-attr]
                    unbroken = ast.copy_location(ast.UnaryOp(ast.Not(), load(flag, s)), s)
                    if orelse:
                        orelse = [ast.copy_location(ast.If(unbroken, orelse, []), s)]
                out.append(s)
                out += orelse
                continue
            for name in ("body", "orelse", "finalbody"):
                if isinstance(s, SCOPES):
                    break
                if isinstance(getattr(s, name, None), list):
                    setattr(s, name, self.loops(getattr(s, name)))
            for handler in getattr(s, "handlers", []):
                handler.body = self.loops(handler.body)
            out.append(s)
        return out

    def _plain_jumps(self, body: Sequence[ast.stmt]) -> bool:
        """Whether all jumps of a loop stand in nothing but branches."""

        def fits(block: Sequence[ast.stmt]) -> bool:
            for s in block:
                if isinstance(s, ast.If):
                    if not fits(s.body) or not fits(s.orelse):
                        return False
                elif isinstance(s, ast.For | ast.While):
                    if has([s], ast.Return):
                        return False
                elif isinstance(s, ast.With | ast.Try | ast.Match):
                    if leaves_loop([s]):
                        return False
                elif isinstance(s, ast.Return):
                    return False
            return True

        return fits(body)

    def _take_out(self, block: list[ast.stmt]) -> bool:
        """Replace breaks by a flag, drop continues; whether there was a break."""
        found = False
        if block and isinstance(block[-1], ast.Break):
            block[-1] = assign(BROKE, const(True, block[-1]), block[-1])
            found = True
        elif block and isinstance(block[-1], ast.Continue):
            block[-1] = ast.copy_location(ast.Pass(), block[-1])
        for s in block:
            if isinstance(s, ast.If):
                found |= self._take_out(s.body)
                found |= self._take_out(s.orelse)
        return found


class _Rename(ast.NodeTransformer):
    """Gives the flag of this loop its own name; inner loops had theirs before."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id == BROKE:
            node.id = self.name
        return node
