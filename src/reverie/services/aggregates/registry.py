"""The list of aggregates, which export, import, copies, forgets and neural links walk.

To add one, say beliefs:

1. The noun in ``domain/``, its table in both ``store/*/schema.sql`` (once a version is released: a step in ``LATER``
   of both ``schema.py``). On PostgreSQL also name its columns of text in the list of statistics.
2. Its rows in ``store/beliefs.py``, over a ``Table`` that ``store/transfer.py`` lists, as ``store/unit.py`` lists the
   rows; its port in ``ports/society.py`` or a module beside it, with a line in ``ports/store.py``.
3. A module here that declares it, and its name in ``_ROWS``: it says how its rows are exported, how they arrive by an
   import, what a forget takes, what a link shares (then also ``Include`` and ``CORPORA`` in ``domain/link.py``), and
   where the log tells of them.
4. Verbs in ``services/society``: ``remove`` either keeps the text in the audit log (as the soul does) or forgets it (as
   diary and relationships do); a name with a secret is refused, a text is redacted.
5. The doors: a facet in ``agent/facets.py`` and its twin in ``aio``, the public names in ``_public.py``, the commands
   (``doors/cli/program.py`` lists all), a row in ``stats`` and in the receipt of ``forget``.

``docs/contributing.md`` says which tests hold lists, and which pages are generated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reverie.services.aggregates.aggregate import Aggregate
from reverie.services.aggregates.diary import DIARY
from reverie.services.aggregates.items import ITEM
from reverie.services.aggregates.links import LINK_BLOCK, LINK_ITEM, NEURAL_LINK
from reverie.services.aggregates.log import TOMBSTONE, audit_of
from reverie.services.aggregates.relationships import RELATIONSHIP
from reverie.services.aggregates.soul import SOUL
from reverie.services.aggregates.summaries import SUMMARY
from reverie.services.aggregates.work import QUEUED, SLEEP, WATERMARK
from reverie.services.codecs import CORE, Shape

_ROWS: tuple[Aggregate[Any], ...] = (
    SOUL, DIARY, RELATIONSHIP, ITEM, SUMMARY, NEURAL_LINK, LINK_ITEM, LINK_BLOCK, WATERMARK, QUEUED, TOMBSTONE, SLEEP,
)  # fmt: skip
AGGREGATES = (*_ROWS, audit_of(_ROWS))
"""In the order in which they stand in an export, behind the lines of ``codecs.CORE``."""
SHAPES: Mapping[str, Shape] = {**CORE, **{one.name: one.shape for one in AGGREGATES}}
"""The shapes of all lines of an export but the last, by type, in their order."""


def line_object(type: str, value: object) -> dict[str, object]:  # noqa: A002  # the field's name
    """Return the object of a line."""
    return {"type": type, **SHAPES[type].write(value)}
