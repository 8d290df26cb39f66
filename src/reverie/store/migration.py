"""The numbered steps that make an engine's schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from reverie.domain.job import NEVER
from reverie.domain.time import micros

DOUBTED = """\
CREATE INDEX memories_in_review ON memories (agent_id, id) WHERE needs_review = 1;
CREATE INDEX memories_from_outside ON memories (agent_id, id) WHERE source_trust IN ('external', 'other');
"""
"""Step 2 of both engines: what somebody may want to look at is found without a look at all."""

DUE = f"""\
CREATE INDEX agents_by_due ON agents (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_dead ON jobs (agent_id, job) WHERE parked_until = {micros(NEVER)};
CREATE INDEX watermarks_dead ON watermarks (agent_id, job) WHERE parked_until = {micros(NEVER)};
"""
"""The end of step 3 of both engines: whose work is due, and what is dead, is found without a walk over agents."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Migration:
    """One step: from schema ``number − 1`` to ``number``."""

    number: int
    sql: str


def steps_of(package: str, later: Sequence[Migration]) -> Sequence[Migration]:
    """Return all steps of an engine, in order: its ``schema.sql`` is the first, ``later`` the others."""
    schema = files(package).joinpath("schema.sql").read_text(encoding="utf-8")
    return [Migration(number=1, sql=schema), *later]
