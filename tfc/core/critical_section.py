"""`tf.CriticalSection`: functions of which no two run at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from . import blame
from .context import context
from .formatting import shown
from .locks import ForkLock

_shared: dict[str, ForkLock] = {}
_making = threading.Lock()


class CriticalSection:
    """A lock that functions hold while they run.

    Unlike TensorFlow, a function that is being traced holds it while it is traced, not when its
    program runs: take the section around the call of a `tf.function`, not inside of it.

    Args:
        name: What it is called.
        shared_name: Sections of one shared name are one; None: no other one.
        critical_section_def: None alone.
        import_scope: None alone.

    Raises:
        TypeError: If a name is no string.
        ValueError: If a section is made from a message.

    >>> import tfc as tf
    >>> v, section = tf.Variable(0), tf.CriticalSection()
    >>> section.execute(lambda: v.assign_add(1).numpy())
    np.int32(1)
    """

    def __init__(
        self,
        name: str | None = None,
        shared_name: str | None = None,
        critical_section_def: Any = None,
        import_scope: Any = None,
    ) -> None:
        if critical_section_def is not None or import_scope is not None:
            raise blame.value_error("a section cannot be made from a message", "CriticalSection")
        for what, word in (("name", name), ("shared_name", shared_name)):
            if word is not None and not isinstance(word, str):
                message = f"{what} must be a string, got {shown(word)}"
                raise blame.type_error(message, "CriticalSection")
        self.name = name or "critical_section"
        if shared_name is None:
            self._lock = ForkLock()
        else:
            with _making:
                self._lock = _shared.setdefault(shared_name, ForkLock())
        self._holder: int | None = None

    def execute(
        self, fn: Callable[[], Any], exclusive_resource_access: bool = True, name: str | None = None
    ) -> Any:
        """Call a function when no other function runs in this section.

        Args:
            fn: A function without arguments.
            exclusive_resource_access: Of no effect: sections know nothing of each other.

        Returns:
            What `fn` gives.

        Raises:
            ValueError: If `fn` is no function, or a function that runs in this section calls it.

        >>> import tfc as tf
        >>> tf.CriticalSection().execute(lambda: 3)
        3
        """
        if not callable(fn):
            raise blame.value_error(f"fn must be a function, got {shown(fn)}", "CriticalSection")
        if self._holder == threading.get_ident():
            raise blame.value_error(
                f"section {self.name!r} is entered by a function that runs in it, and would wait "
                "for itself",
                "CriticalSection",
            )
        if context.trace is not None:
            return fn()
        with self._lock:
            self._holder = threading.get_ident()
            try:
                return fn()
            finally:
                self._holder = None


__all__ = ["CriticalSection"]
