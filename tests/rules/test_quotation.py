"""Quotations: who said it, when, and since when it holds."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from reverie.domain.memory import Quoted
from reverie.domain.message import Role
from reverie.rules.quotation import begun, dated

AT = datetime(2026, 3, 12, 18, 30, tzinfo=UTC)
VIENNA = ZoneInfo("Europe/Vienna")


@pytest.mark.parametrize(
    ("said", "since"),
    [
        ("We moved to Ghent last week.", datetime(2026, 3, 1, 23, tzinfo=UTC)),
        ("I quit yesterday", datetime(2026, 3, 10, 23, tzinfo=UTC)),
        ("I live in Ghent.", None),
        ("The operation is tomorrow.", None),
        ("I started last week and quit yesterday.", None),
    ],
)
def test_a_quotation_holds_since_the_one_day_before_that_it_names(said: str, since: datetime | None) -> None:
    quoted = dated(Quoted(episode="one", role=Role.USER, speaker="Anna", at=AT), said, VIENNA)
    assert begun(quoted, VIENNA) == since
