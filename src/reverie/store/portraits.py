"""The portraits table: sections of the self-portrait that a model wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from reverie.domain.time import micros
from reverie.ports.transfer import Part
from reverie.store.executor import Row
from reverie.store.table import TableRows, table

PORTRAITS = table("portraits", "section, text, at", key="section", part=Part.CACHE)
_FILE = "file:"  # no section has such a name


class PortraitRows(TableRows):
    """``ports.rest.Portraits`` over an executor."""

    table = PORTRAITS

    def get(self) -> Mapping[str, str]:
        return {section: text for section, text, _ in self._rows() if not section.startswith(_FILE)}

    def put(self, sections: Mapping[str, str], at: datetime) -> None:
        self.clear()
        self._add(sections, at)

    def clear(self) -> None:
        self.drop_among("section", self.get())

    def files(self) -> Sequence[str]:
        return [text for section, text, _ in self._rows() if section.startswith(_FILE)]

    def note_file(self, path: str, at: datetime) -> None:
        if path not in self.files():
            self._add({f"{_FILE}{path}": path}, at)

    def _rows(self) -> Sequence[Row]:
        return self.select(" ORDER BY section")

    def _add(self, texts: Mapping[str, str], at: datetime) -> None:
        self.insert([(section, text, micros(at)) for section, text in sorted(texts.items())])
