"""Quotations: what a message answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.memory.quoting.quotations import said_before

AT = datetime(2026, 3, 12, 18, 30, tzinfo=UTC)
VIENNA = ZoneInfo("Europe/Vienna")
EPISODE = Episode(
    id="two", conversation="c", position=1, time=AT, observed_at=AT, channel="chat", role=Role.USER, speaker="Anna",
    content="In Ghent.", source_trust=SourceTrust.PRINCIPAL,
)  # fmt: skip


def _said(role: Role, speaker: str | None, trust: SourceTrust) -> Episode:
    return replace(EPISODE, role=role, speaker=speaker, source_trust=trust, content="Where do you live?")


@pytest.mark.parametrize(
    ("last", "counts"),
    [
        (_said(Role.AGENT, None, SourceTrust.AGENT), True),
        (_said(Role.USER, "Tom", SourceTrust.PRINCIPAL), True),
        (_said(Role.USER, "Anna", SourceTrust.PRINCIPAL), False),  # she goes on
        (
            _said(Role.USER, "Eve", SourceTrust.OTHER),
            False,
        ),  # no question of a stranger's stands beside her words
        (_said(Role.TOOL, None, SourceTrust.EXTERNAL), False),
        (None, False),
    ],
)
def test_a_message_answers_what_another_person_said_before(last: Episode | None, counts: bool) -> None:
    assert said_before(last, EPISODE) == ("Where do you live?" if counts else "")
