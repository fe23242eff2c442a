"""Scratch memory that values share which do not live at the same time."""

from __future__ import annotations

from bisect import insort

from tfc.ir.extent import Extent, ceildiv, largest

ALIGN = 64  # bytes


class Arena:
    """Blocks of memory are asked for with the time of their first and last use; when all are known,
    `assign` says where each is.

    Sizes that are known are placed largest first, each in the smallest gap that is free all the
    time, as are those of which is known how large they may be. What else has symbols in its size
    follows behind, in places that had the same size before.
    """

    def __init__(self) -> None:
        self._blocks: list[tuple[Extent, int, int]] = []
        self.offsets: list[Extent] = []
        self.size: Extent = 0

    def request(self, size: Extent, first: int, last: int) -> int:
        """The number of a block of this many bytes."""
        self._blocks.append((ceildiv(largest(size), ALIGN) * ALIGN, first, last))
        return len(self._blocks) - 1

    def assign(self) -> None:
        """Give each block its place."""
        self.offsets = [0] * len(self._blocks)
        self._known()
        self._symbolic()

    def _known(self) -> None:
        blocks = [(n, size) for n, (size, _, _) in enumerate(self._blocks) if isinstance(size, int)]
        placed: list[tuple[int, int, int, int]] = []  # where it is, its end, first and last use
        top = 0
        for n, size in sorted(blocks, key=lambda block: (-block[1], block[0])):
            if not size:
                continue
            _, first, last = self._blocks[n]
            where = _gap([p[:2] for p in placed if p[2] <= last and first <= p[3]], size)
            self.offsets[n] = where
            insort(placed, (where, where + size, first, last))
            top = max(top, where + size)
        self.size = top

    def _symbolic(self) -> None:
        ending: dict[int, list[int]] = {}
        free: dict[Extent, list[Extent]] = {}
        blocks = [(first, n) for n, (size, first, _) in enumerate(self._blocks) if size != 0]
        done = -1
        for first, n in sorted(blocks):
            size, _, last = self._blocks[n]
            if isinstance(size, int):
                continue
            for time in range(done + 1, first):
                for other in ending.pop(time, ()):
                    free.setdefault(self._blocks[other][0], []).append(self.offsets[other])
            done = first - 1
            kept = free.get(size)
            if kept:
                self.offsets[n] = kept.pop()
            else:
                self.offsets[n], self.size = self.size, self.size + size
            ending.setdefault(last, []).append(n)


def _gap(taken: list[tuple[int, int]], size: int) -> int:
    """The beginning of the smallest gap of at least `size` bytes between these, in their order, or
    of the room behind them."""
    best, least, end = -1, 0, 0
    for low, high in taken:
        room = low - end
        if room >= size and (best < 0 or room < least):
            best, least = end, room
        end = max(end, high)
    return end if best < 0 else best
