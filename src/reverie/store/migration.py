"""The numbered steps that make an engine's schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

DOUBTED = """\
CREATE INDEX memories_in_review ON memories (agent_id, id) WHERE needs_review = 1;
CREATE INDEX memories_from_outside ON memories (agent_id, id) WHERE source_trust IN ('external', 'other');
"""
"""Step 2 of both engines: what somebody may want to look at is found without a look at all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Migration:
    """One step: from schema ``number − 1`` to ``number``."""

    number: int
    sql: str


def steps_of(package: str, later: Sequence[Migration]) -> Sequence[Migration]:
    """Return all steps of an engine, in order: its ``schema.sql`` is the first, ``later`` the others."""
    schema = files(package).joinpath("schema.sql").read_text(encoding="utf-8")
    return [Migration(number=1, sql=schema), *later]
