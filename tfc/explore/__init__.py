"""`tfc.explore`: a page that shows what becomes of each line of a function.

| module | what it has |
| --- | --- |
| `pages` | from functions to a file |
| `program` | what is shown of one function |
| `page` | the HTML around it, with `page.css`; `lines.js`, `column.js`, `steps.js`, `page.js` |
| `stages` | all stages, made again with the user's lines |
| `rows` | texts whose rows know the lines that they come from |
| `source`, `changes`, `fused`, `native` | columns: Python, what passes did, kernels, machine code |
| `memory`, `graph` | pictures: the arena over time, who reads what |
| `device` | what a GPU would get |
| `steps`, `elements` | what each op of a call gave, and from which elements |
| `notebook` | what notebooks show of tensors and functions |
| `__main__`, `scripts`, `calls` | `python -m tfc.explore script.py`: all functions of a script |

What makes pages is imported when the first one is made.
"""

from __future__ import annotations

import os
from typing import Any

from ..core import above


def explore(
    f: Any,
    *args: Any,
    path: str | os.PathLike[str] | None = None,
    measure: bool = True,
    gpu: bool = False,
    **kwargs: Any,
) -> str:
    """Write a page that shows what became of each line of `f`: the user's Python beside the IR as
    it was traced and optimised, the kernels, LLVM's IR and the assembly, linked by lines; what each
    pass did; what kernels take, and how they are scheduled; the plan of memory; and what each op
    gives for these arguments.

    Open it in a browser. It is one file, which needs no network, so that it can be sent to others.

    Args:
        f: A `tfc.function`, or a Python function of tensors, which is traced.
        *args: The arguments of a call. Where specs (TensorSpec) are among them, nothing is
            measured, and no values are shown.
        path: The file to write; None: a new one in the folder for temporary files.
        measure: Whether its kernels are timed on these arguments, for 0.2 seconds.
        gpu: Whether the page has PTX, too: what a GPU would get.
        **kwargs: The same by name.

    Returns:
        The path of the file.

    Raises:
        TypeError: If `f` cannot be called.
        InvalidArgumentError: If `f` is a ConcreteFunction that these arguments do not fit.
        FileNotFoundError: If `path` is in a folder that is not there.
        FailedPreconditionError: Inside of a `tfc.function`.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     return tf.reduce_sum(tf.nn.relu(x @ x))
    >>> path = tf.explore(f, tf.ones([8, 8]))
    >>> path.endswith(".html")
    True
    """
    from .pages import explore_call

    return explore_call(f, args, kwargs, path, measure, gpu)


def _explore_concrete(*args: Any) -> str:
    from .pages import explore_concrete

    return explore_concrete(*args)


def _tensor_html(*args: Any) -> str:
    from .notebook import tensor_html

    return tensor_html(*args)


def _html(kind: str, thing: Any) -> str:
    from .notebook import SHOWN

    return SHOWN[kind](thing)


above.explore = _explore_concrete
above.tensor_html = _tensor_html
above.html = _html

__all__ = ["explore"]
