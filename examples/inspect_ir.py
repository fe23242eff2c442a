"""A function's code at every stage: traced, optimised, as kernels, as LLVM IR, as assembly.

python examples/inspect_ir.py              # the first three stages, and IR as text
python examples/inspect_ir.py llvm asm     # the stages that are named
"""

from __future__ import annotations

import sys

import numpy as np

import tfc as tf

STAGES = ("traced", "optimised", "kernels", "llvm", "asm")


@tf.function
def dense(x: tf.Tensor, w: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """A layer of a network, with work left over for the optimiser."""
    unused = tf.exp(x)  # noqa: F841 (that it vanishes is the point)
    twice = tf.matmul(x, w) + tf.matmul(x, w)
    return tf.nn.relu(twice * 0.5 + b)


def main() -> None:
    stages = sys.argv[1:] or list(STAGES[:3])
    for stage in stages:
        if stage not in STAGES:
            sys.exit(f"no stage {stage!r}; there are: {', '.join(STAGES)}")

    # None: the number of rows is not known, and one compiled function serves all.
    concrete = dense.get_concrete_function(
        tf.TensorSpec([None, 4], tf.float32),
        tf.TensorSpec([4, 3], tf.float32),
        tf.TensorSpec([3], tf.float32),
    )
    for stage in stages:
        print(f"==== {stage}")
        print(concrete.ir(stage).rstrip())
        print()

    # The text is a program: it can be kept, edited, parsed and run.
    parsed = tf.ir.parse(concrete.ir("optimised"))
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(5, 4)).astype("float32"), rng.normal(size=(4, 3)).astype("float32")
    b = np.ones(3, np.float32)
    from_text, compiled = np.asarray(parsed(x, w, b)), dense(x, w, b).numpy()
    print("==== the optimised text, parsed and run")
    print(from_text)
    print("same bits as the function:", from_text.tobytes() == compiled.tobytes())


if __name__ == "__main__":
    main()
