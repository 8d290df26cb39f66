"""Labels: short names for ids, since models miscopy long ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Labels:
    """``e1``, ``e2`` … for ids, in the order in which they are first asked for. ``known``: ids by the labels that they
    were given before, as ``ids_by_label`` told them.
    """

    def __init__(self, prefix: str, known: Mapping[str, str] | None = None) -> None:
        self._prefix = prefix
        self._ids: dict[str, str] = dict(known or {})
        self._labels: dict[str, str] = {id: label for label, id in self._ids.items()}

    def __contains__(self, id: str) -> bool:
        """Return whether the id has a label."""
        return id in self._labels

    @property
    def ids_by_label(self) -> dict[str, str]:
        """A plain dict, to be stored."""
        return dict(self._ids)

    def of(self, id: str) -> str:
        """Return the id's label."""
        if id not in self._labels:
            label = f"{self._prefix}{len(self._labels) + 1}"
            self._labels[id], self._ids[label] = label, id
        return self._labels[id]

    def id(self, label: str) -> str:
        """Return the id that a model's label means; the label itself where it means none: whoever checks it, refuses
        it.
        """
        return self._ids.get(label.strip().strip("[]()").strip().lower(), label)

    def ids(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Those of several, each once."""
        return tuple(dict.fromkeys(self.id(label) for label in labels))
