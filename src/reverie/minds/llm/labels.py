"""Labels: short names for ids, since models miscopy long ones."""

from __future__ import annotations

from collections.abc import Iterable


class Labels:
    """``e1``, ``e2`` … for ids, in the order in which they are first asked for."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._labels: dict[str, str] = {}
        self._ids: dict[str, str] = {}

    def of(self, id: str) -> str:
        """The id's label."""
        if id not in self._labels:
            label = f"{self._prefix}{len(self._labels) + 1}"
            self._labels[id], self._ids[label] = label, id
        return self._labels[id]

    def id(self, label: str) -> str:
        """The id that a model's label means; the label itself where it means none: whoever checks it, refuses it."""
        return self._ids.get(label.strip().strip("[]"), label)

    def ids(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Those of several, each once."""
        return tuple(dict.fromkeys(self.id(label) for label in labels))
