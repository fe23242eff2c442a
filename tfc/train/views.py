"""`tf.train.TrackableView` and `CheckpointView`: what leads to what, in a program and in a file."""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any

from ..core import objects
from . import storing


class TrackableView:
    """The objects to which an object leads, as checkpoints find them.

    Args:
        root: The object.

    >>> import tfc as tf
    >>> module = tf.Module()
    >>> module.v, module.parts, module.n = tf.Variable(1.0), [tf.Variable(2.0)], 3
    >>> view = tf.train.TrackableView(module)
    >>> [*view.children(module)], len(view.descendants())
    (['v', 'parts'], 4)
    """

    def __init__(self, root: Any) -> None:
        self._root = root if isinstance(root, weakref.ref) else lambda: root

    @property
    def root(self) -> Any:
        """The object."""
        return self._root()

    @classmethod
    def children(cls, obj: Any, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        """The objects to which something leads itself. Lists and dictionaries among them become
        such that tell of what is put into them.

        Args:
            obj: An object.
            save_type: Not used.
            **kwargs: Not used.

        Returns:
            Objects by name.
        """
        known = objects.children(obj)
        return {n: objects.waiting_place(obj, n, child) for n, child in known.items()}

    def descendants(self) -> list[Any]:
        """All objects, the root first, then what is nearer to it.

        Returns:
            A list.
        """
        found = [self.root]
        seen = {id(found[0])}
        for thing in found:  # which gets longer meanwhile
            for child in self.children(thing).values():
                if id(child) not in seen:
                    seen.add(id(child))
                    found.append(child)
        return found


class CheckpointView:
    """The objects in a checkpoint, which have numbers: the root is 0.

    Args:
        save_path: The checkpoint's path.

    Raises:
        ValueError: If the file knows no objects.
        NotFoundError: If there is none.
        DataLossError: If it is damaged.

    >>> import tempfile
    >>> import tfc as tf
    >>> path = tf.train.Checkpoint(a=tf.Variable(1.0), b=[tf.Variable(2.0)]).write(
    ...     tempfile.mkdtemp() + "/ckpt")
    >>> view = tf.train.CheckpointView(path)
    >>> view.children(0), view.descendants()
    ({'a': 1, 'b': 2}, [0, 1, 2, 3])
    """

    def __init__(self, save_path: Any) -> None:
        path = storing.path_of(save_path)
        _, nodes = storing.read(path)
        if nodes is None:
            raise ValueError(
                f'The specified checkpoint "{path}" does not appear to be object-based (saved with '
                "TF2): it knows names of Variables alone, as those of TensorFlow 1 do."
            )
        self._nodes = nodes

    def children(self, node_id: int) -> dict[str, int]:
        """The objects to which one leads itself.

        Args:
            node_id: Its number.

        Returns:
            Numbers by name.
        """
        return dict(self._nodes[node_id].children)

    def descendants(self) -> list[int]:
        """All objects, the root first, then what is nearer to it.

        Returns:
            A list of numbers.
        """
        found = [0]
        seen = {0}
        for number in found:  # which gets longer meanwhile
            for child in self.children(number).values():
                if child not in seen:
                    seen.add(child)
                    found.append(child)
        return found

    def match(self, obj: Any) -> dict[int, Any]:
        """The objects of yours that stand where those of the checkpoint do.

        Args:
            obj: Your root.

        Returns:
            Objects by the numbers of those in the checkpoint.

        Raises:
            ValueError: If the root is no object that has a place in checkpoints.
        """
        if not objects.leads_on(obj):
            raise ValueError(f"Expected a Trackable, got {obj} of type {type(obj)}.")
        found = {0: obj}
        queue = deque([0])
        while queue:
            number = queue.popleft()
            known = TrackableView.children(found[number])
            for name, child in self.children(number).items():
                if name in known and child not in found:
                    found[child] = known[name]
                    queue.append(child)
        return found

    def diff(self, obj: Any) -> tuple[dict[int, Any], list[int], list[Any]]:
        """What stands in the checkpoint and in your objects, or in one of both alone: to find out
        what was not restored.

        Args:
            obj: Your root.

        Returns:
            What `match` gives; the numbers of what the checkpoint alone has; what you alone have.

        Raises:
            ValueError: If the root is no object that has a place in checkpoints.

        >>> import tempfile
        >>> import tfc as tf
        >>> path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).write(
        ...     tempfile.mkdtemp() + "/ckpt")
        >>> mine = tf.train.Checkpoint(a=tf.Variable(0.0), c=tf.Variable(0.0, name="c"))
        >>> both, theirs, ours = tf.train.CheckpointView(path).diff(mine)
        >>> [*both], theirs, ours
        ([0, 1], [2], [<tf.Variable 'c:0' shape=() dtype=float32, numpy=0.0>])
        """
        found = self.match(obj)
        there = {id(thing) for thing in found.values()}
        missing = [number for number in self.descendants() if number not in found]
        more = [x for x in TrackableView(obj).descendants() if id(x) not in there]
        return found, missing, more


__all__ = ["CheckpointView", "TrackableView"]
