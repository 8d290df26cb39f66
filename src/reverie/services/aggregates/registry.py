"""The list of aggregates.

To add one (say, places): make its table (both ``store/*/schema.sql``), its rows (``store/places.py``, named in
``store/transfer.py`` and ``store/unit.py``), its port (``ports/society.py``, ``ports/store.py``; the table's name in
``ports/transfer.py``), a module here that declares it, and a door. Name it in ``AGGREGATES`` and describe its line in
``docs/export.md``: export, import, copies, forgets and, with ``include``, neural links then know it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reverie.services.aggregates.aggregate import Aggregate
from reverie.services.aggregates.diary import DIARY
from reverie.services.aggregates.links import LINK_BLOCK, LINK_ITEM, NEURAL_LINK
from reverie.services.aggregates.log import AUDIT, TOMBSTONE
from reverie.services.aggregates.relationships import RELATIONSHIP
from reverie.services.aggregates.soul import SOUL
from reverie.services.aggregates.summaries import SUMMARY
from reverie.services.aggregates.work import QUEUED, SLEEP, WATERMARK
from reverie.services.codecs import CORE, Shape

AGGREGATES: tuple[Aggregate[Any], ...] = (
    SOUL, DIARY, RELATIONSHIP, SUMMARY, NEURAL_LINK, LINK_ITEM, LINK_BLOCK, WATERMARK, QUEUED, TOMBSTONE, SLEEP, AUDIT,
)  # fmt: skip
"""In the order in which they stand in an export, behind the lines of ``codecs.CORE``."""
SHAPES: Mapping[str, Shape] = {**CORE, **{one.name: one.shape for one in AGGREGATES}}
"""The shapes of all lines of an export but the last, by type, in their order."""


def entry(type: str, value: object) -> dict[str, object]:  # noqa: A002  # the field's name
    """Return the object of a line."""
    return {"type": type, **SHAPES[type].write(value)}
