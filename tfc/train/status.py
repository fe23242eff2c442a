"""What `Checkpoint.restore` gives: questions about how much of a checkpoint has found its place."""

from __future__ import annotations

from typing import Any

from ..records.object_graph import Node
from .restoring import Restoration
from .walking import Extra, with_state


class LoadStatus:
    """How far a checkpoint was restored. Each assertion gives the status back.

    Objects that are made later still get their values; so ask when all are there.

    >>> import tempfile
    >>> import tfc as tf
    >>> path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).write(
    ...     tempfile.mkdtemp() + "/ckpt")
    >>> a = tf.Variable(0.0)
    >>> status = tf.train.Checkpoint(a=a).read(path)
    >>> _ = status.assert_existing_objects_matched()
    >>> try:
    ...     status.assert_consumed()
    ... except AssertionError as error:
    ...     print(error)
    Unresolved object in checkpoint (root).b: VARIABLE_VALUE
    """

    def assert_consumed(self) -> LoadStatus:
        """See that everything found its place: all objects in the checkpoint, and all of yours.

        Returns:
            The status.

        Raises:
            AssertionError: If something did not; it says what.
        """
        raise NotImplementedError

    def assert_existing_objects_matched(self) -> LoadStatus:
        """See that all of your objects that have state got it from the checkpoint, which may have
        more.

        Returns:
            The status.

        Raises:
            AssertionError: If one did not; it says which.
        """
        raise NotImplementedError

    def assert_nontrivial_match(self) -> LoadStatus:
        """See that something was restored at all.

        Returns:
            The status.

        Raises:
            AssertionError: If nothing but the root was found.
        """
        raise NotImplementedError

    def expect_partial(self) -> LoadStatus:
        """Taken for TensorFlow's sake, which warns otherwise. Nothing warns here: ask by the
        assertions.

        Returns:
            The status.
        """
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Taken for TensorFlow's sake: what can be restored is, at once."""

    def run_restore_ops(self, session: Any = None) -> None:
        """Taken for TensorFlow's sake: what can be restored is, at once."""


class CheckpointLoadStatus(LoadStatus):
    """The status of a checkpoint that knows objects."""

    def __init__(self, restoration: Restoration, root: Any, extra: Extra, skip_slots: bool) -> None:
        self._restoration = restoration
        self._root, self._extra = root, extra
        self._skip_slots = skip_slots

    def assert_consumed(self) -> LoadStatus:
        self.assert_existing_objects_matched()
        restoration = self._restoration
        names = _names(restoration.nodes)
        slots = {slot.slot for node in restoration.nodes for slot in node.slots}
        for number, node in enumerate(restoration.nodes):
            if not node.attributes or restoration.matched(number):
                continue
            if self._skip_slots and number in slots:
                continue
            tensors = ", ".join(attribute.name for attribute in node.attributes)
            where = names.get(number, f"of number {number}")
            raise AssertionError(f"Unresolved object in checkpoint {where}: {tensors}")
        if restoration.unused:
            lines = [
                f"{names.get(number)} ({restoration.bound(number)!r}): {attributes}"
                for number, attributes in restoration.unused.items()
            ]
            raise AssertionError(
                "Unused attributes in these objects (the attributes exist in the checkpoint but "
                "were not restored):\n" + "\n".join(lines)
            )
        return self

    def assert_existing_objects_matched(self) -> LoadStatus:
        left = self._left()
        if left:
            some = min(10, len(left))
            raise AssertionError(
                f"Found {len(left)} Python objects that were not bound to checkpointed values, "
                f"likely due to changes in the Python program. Showing {some} of {len(left)} "
                f"unmatched objects: {left[:some]}"
            )
        return self

    def assert_nontrivial_match(self) -> LoadStatus:
        left = self._left()
        if len(self._restoration.all_bound()) > 1:
            return self
        if left:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means "
                "that the checkpoint does not match the Python program. The following objects have "
                f"no matching checkpointed value: {left}"
            )
        raise AssertionError(
            f"Nothing to load. No dependencies have been added to {self._root!r} yet."
        )

    def _left(self) -> list[Any]:
        """Your objects with state that the checkpoint has none for."""
        self._restoration.catch_up()
        there = {id(thing) for thing in self._restoration.all_bound()}
        return [x for x in with_state(self._root, self._extra) if id(x) not in there]


class NothingStatus(LoadStatus):
    """The status where there was no checkpoint: `restore(None)`."""

    def _nothing(self) -> AssertionError:
        return AssertionError(
            "No checkpoint specified (save_path=None); nothing is being restored."
        )

    def assert_consumed(self) -> LoadStatus:
        raise self._nothing()

    def assert_existing_objects_matched(self) -> LoadStatus:
        raise self._nothing()

    def assert_nontrivial_match(self) -> LoadStatus:
        raise self._nothing()

    def run_restore_ops(self, session: Any = None) -> None:
        raise self._nothing()


class NamesStatus(LoadStatus):
    """The status of a checkpoint that knows names of Variables alone: TensorFlow 1's."""

    def __init__(self, missing: list[Any]) -> None:
        self._missing = missing

    def assert_consumed(self) -> LoadStatus:
        if self._missing:
            raise AssertionError(f"Object not restored: {self._missing[0]!r}")
        return self

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed


def _names(nodes: list[Node]) -> dict[int, str]:
    """How one gets from the root to each object, the shortest way."""
    found = {0: "(root)"}
    queue = [0]
    for number in queue:
        node = nodes[number]
        for name, child in node.children:
            if child not in found:
                found[child] = f"{found[number]}.{name}"
                queue.append(child)
        for slot in node.slots:
            original = found.get(slot.original, f"of number {slot.original}")
            found.setdefault(slot.slot, f"{found[number]}'s state '{slot.name}' for {original}")
    return found


__all__ = ["LoadStatus"]
