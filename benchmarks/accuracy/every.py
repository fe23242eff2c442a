"""Every one of the 2^32 float32, for the functions that promise one ulp.

    python -m benchmarks.accuracy.every              # all functions; goes on where it was stopped
    python -m benchmarks.accuracy.every exp log      # these
    python -m benchmarks.accuracy.every --again exp  # from the start
    python -m benchmarks.accuracy.every --write      # what was measured, into the page

A function takes a quarter of a minute to a minute. Three references stand against each other:

- tfc's own function of float64, for every input. It is widened, computed, measured and reduced in
  one compiled function, a few nanoseconds an input. Its errors are some 1e-8 ulp of float32, as
  the table of float64 shows; a function of float32 that is computed as that one rounded is compared
  with nothing else here.
- So NumPy's and SciPy's functions of float64 are asked too, for one input in 16, of special
  functions, which take up to a microsecond, for one in 64; another one in each block.
- mpmath, with 40 digits, decides: at the worst input, at those where the first two differ by more
  than `DOUBT`, and at random ones.

What was measured is kept in build/accuracy, by function, block by block.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    os.environ.setdefault("TFC_NUM_THREADS", "1")

import numpy as np

import tfc as tf

from . import float32, truth
from .contenders import named
from .measure import shown, ulps

FOLDER = Path("build/accuracy")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "accuracy.md"
BEGIN, END = "<!-- every float32: begin -->\n", "<!-- every float32: end -->\n"

BLOCK = 1 << 20  # inputs of one call
KEEP = 256  # blocks after which what was measured is written down
DOUBT = 2.0**-10  # ulp: where references differ by more, mpmath decides
ASKED = 64  # inputs that it decides, the worst, and random ones
EXPONENT = 0x7FF << 52  # the bits of a float64's exponent
OVERFLOW = 2.0**128


@dataclass
class Record:
    """What is known of a function after so many blocks."""

    name: str
    blocks: int = 0
    worst: float = -1.0
    at: int = 0  # the bits of the input
    rounded: int = 0  # inputs at which the result is the correctly rounded one
    apart: float = 0.0  # how far NumPy or SciPy is from tfc's float64, in ulp of float32
    doubtful: list[tuple[float, int]] = field(default_factory=list)
    doubts: int = 0
    truth: float = -1.0  # the largest error that mpmath found
    date: str = ""
    seconds: float = 0.0

    @property
    def done(self) -> bool:
        return bool(self.date)

    def save(self) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        partial = FOLDER / f"{self.name}.new"
        partial.write_text(json.dumps(asdict(self), indent=1))
        os.replace(partial, FOLDER / f"{self.name}.json")


def record(name: str) -> Record:
    """What was measured of a function so far."""
    path = FOLDER / f"{name}.json"
    return Record(**json.loads(path.read_text())) if path.exists() else Record(name)


# In one compiled function: all results of a block, what they should be, and how far they are apart.


def errors(f: Callable[[Any], Any], start: Any, count: int) -> tuple[Any, Any]:
    """Of the float32 whose bits are `start` and the next ones: the distances of f from f of
    float64, as `measure.ulps` has them; whether each is the correctly rounded result."""
    x = tf.bitcast(start + tf.range(count), tf.float32)
    got, exact = f(x), f(tf.cast(x, tf.float64))
    wide, size = tf.cast(got, tf.float64), tf.abs(exact)
    bits = tf.bitwise.bitwise_and(tf.bitcast(exact, tf.int64), EXPONENT)
    unit = tf.maximum(tf.bitcast(bits, tf.float64) * 2.0**-23, tf.constant(2.0**-149, tf.float64))
    signs = tf.bitwise.bitwise_xor(tf.bitcast(wide, tf.int64), tf.bitcast(exact, tf.int64)) >= 0
    nans = tf.math.is_nan(got) & tf.math.is_nan(exact)
    infinite = tf.math.is_inf(got) & signs & ~tf.math.is_nan(exact)
    early = (OVERFLOW - size) / (OVERFLOW * 2.0**-24)  # inf is next to the largest number
    finite = tf.math.is_finite(got) & (size < OVERFLOW) & (signs | (wide != 0) & (exact != 0))
    none, wrong = tf.constant(0.0, tf.float64), tf.constant(np.inf, tf.float64)
    error = tf.where(finite, tf.abs(wide - exact) / unit, wrong)
    error = tf.where(infinite, tf.where(size < OVERFLOW, early, none), error)
    return tf.where(nans, none, error), nans | (got == tf.cast(exact, tf.float32))


def blocks(name: str) -> Iterator[tuple[int, float, int, Callable[[], int]]]:
    """Of each block its number, its largest error, how many results are correctly rounded, and who
    finds the input that has this error."""
    f = named(tf, name)

    @tf.function
    def judged(start: Any) -> tuple[Any, Any]:
        error, rounded = errors(f, start, BLOCK)
        return tf.reduce_max(error), tf.reduce_sum(tf.cast(rounded, tf.int32))

    @tf.function
    def place(start: Any) -> Any:
        return start + tf.argmax(errors(f, start, BLOCK)[0], output_type=tf.int32)

    for block in range(record(name).blocks, (1 << 32) // BLOCK):
        start = tf.constant(np.int64(block * BLOCK).astype(np.int32))
        error, rounded = judged(start)
        yield block, float(error), int(rounded), lambda start=start: int(place(start)) % (1 << 32)


def numbers(bits: Any) -> np.ndarray:
    return np.asarray(bits, np.uint32).view(np.float32)


def compared(name: str, block: int) -> tuple[np.ndarray, np.ndarray]:
    """Some inputs of a block, and how far tfc's and SciPy's results of float64 are apart there."""
    stride = 16 if name in float32.ELEMENTARY else 64
    bits = np.arange(block * BLOCK + block * 7 % stride, (block + 1) * BLOCK, stride)
    x = float32.kept(name, numbers(bits))
    if not x.size:
        return x, np.zeros(0)
    wide = x.astype(np.float64)
    ours = named(tf, name)(tf.constant(wide)).numpy()
    theirs = np.asarray(float32.REFERENCES[name](wide))
    # In ulp of float32, but for what is beside the range of that: there, nothing is left of it.
    with np.errstate(all="ignore"):
        unit = np.maximum(np.ldexp(1.0, np.frexp(theirs)[1] - 24), 2.0**-149)
        apart = np.abs(ours - theirs) / unit
        over = (np.abs(ours) >= OVERFLOW) & (np.abs(theirs) >= OVERFLOW)
        same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)) | over
    return x, np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart))


def decided(name: str, x: np.ndarray) -> np.ndarray:
    """How far results of float32 are from those of mpmath, where it has one (-1 elsewhere)."""
    got = named(tf, name)(tf.constant(x)).numpy()
    exact = truth.values(name, x)
    there = np.array([value is not None for value in exact], bool)
    result = np.full(x.shape, -1.0)
    if there.any():
        wide = np.array([float(v) for v in exact if v is not None])
        result[there] = ulps(got[there], wide)
    return result


def drawn() -> list[int]:
    """The bits of random inputs: any, and some between 2^-8 and 2^8."""
    rng = np.random.default_rng(1)
    some = rng.integers(119 << 23, 135 << 23, ASKED) + rng.integers(0, 2, ASKED) * (1 << 31)
    return [*map(int, rng.integers(0, 1 << 32, ASKED)), *map(int, some)]


def measure(name: str, say: Callable[[str], None]) -> Record:
    """Go through what is left of all inputs."""
    r = record(name)
    if r.done:
        return r
    start = time.process_time() - r.seconds
    for block, error, rounded, place in blocks(name):
        if error > r.worst:
            r.worst, r.at = error, place()
        x, apart = compared(name, block)
        if x.size:
            r.apart = max(r.apart, float(apart.max()))
            doubtful = np.flatnonzero(apart > DOUBT)
            r.doubts += len(doubtful)
            worst = doubtful[np.argsort(-apart[doubtful])[: ASKED // 8]]
            r.doubtful += [(float(apart[i]), int(x[i : i + 1].view(np.uint32)[0])) for i in worst]
            r.doubtful = sorted(r.doubtful, reverse=True)[:ASKED]
        r.rounded += rounded
        r.blocks = block + 1
        if r.blocks % KEEP == 0:
            r.seconds = time.process_time() - start
            r.save()
    asked = numbers([r.at, *(bits for _, bits in r.doubtful), *drawn()])
    r.truth = float(decided(name, asked).max())
    r.seconds = time.process_time() - start
    r.date = datetime.date.today().isoformat()
    r.save()
    say(row(r))
    return r


def row(r: Record) -> str:
    """Its line of the table."""
    x = float(numbers([r.at])[0])
    share = 100 * r.rounded / (r.blocks * BLOCK)
    cells = [r.name, shown(r.worst), f"{x:.9g}", f"{share:.4f} %"]
    cells += [f"{r.apart:.2g}", f"{r.doubts:,}", shown(r.truth), r.date]
    return f"| {' | '.join(cells)} |"


HEAD = """\
| function | largest error | at | correctly rounded | SciPy apart | in doubt | mpmath | measured |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
"""


def write() -> None:
    """Put what was measured into the page, beside the rows of what was measured elsewhere."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    table, _, after = rest.partition(END)
    there = {line.split()[1]: line for line in table.removeprefix(HEAD).splitlines()}
    there |= {r.name: row(r) for r in map(record, float32.REFERENCES) if r.done}
    rows = [there[name] for name in float32.REFERENCES if name in there]
    PAGE.write_text(before + BEGIN + HEAD + "".join(f"{line}\n" for line in rows) + END + after)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy.every",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("functions", nargs="*", metavar="function")
    parser.add_argument("--again", action="store_true", help="forget what was measured of them")
    parser.add_argument(
        "--write", action="store_true", help=f"write {PAGE.name}, which keeps its other rows"
    )
    options = parser.parse_args()
    unknown = set(options.functions) - set(float32.REFERENCES)
    if unknown:
        parser.error(f"no such function: {', '.join(sorted(unknown))}")
    warnings.filterwarnings("ignore", category=RuntimeWarning)
    if options.write:
        write()
        return 0
    fine = True
    print(HEAD, end="", flush=True)
    for name in options.functions or float32.REFERENCES:
        if options.again:
            (FOLDER / f"{name}.json").unlink(missing_ok=True)
        r = measure(name, lambda line: print(line, flush=True))
        fine = fine and max(r.worst, r.truth) <= 1.0
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
