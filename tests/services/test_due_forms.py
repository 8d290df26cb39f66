"""Which sentences ask for a reminder or state when something is due, and which only look like it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from reverie.services.observe.due_forms import due_at

ZONE = ZoneInfo("Europe/Budapest")
SATURDAY = datetime(2026, 11, 28, 10, tzinfo=ZONE)


def _due(sentence: str) -> str | None:
    at = due_at(sentence, SATURDAY, ZONE)
    return None if at is None else f"{at.astimezone(ZONE):%d %H:%M}"


@pytest.mark.parametrize(
    ("sentence", "at"),
    [
        ("Remind me tomorrow at nine to call mum.", "29 09:00"),
        ("Please remind me on Thursday to pay the rent", "03 23:59"),
        ("Hey, can you remind me to call the dentist tomorrow at 10?", "29 10:00"),
        ("Tomorrow at nine, remind me to call mum", "29 09:00"),
        ("On Friday please remind me to send it", "04 23:59"),
        ("On Friday remind me that Ann comes", "04 23:59"),
        ("Remind me in two hours to check the oven", "28 12:00"),
        ("Remind me to check the oven in 20 minutes", "28 10:20"),
        ("Ok so remind us about the review on Monday, please.", "30 23:59"),
        ("Remind me by Friday that I owe Ann money", "04 23:59"),
        ("Remind me tomorrow morning: passport", "29 12:00"),
        ("Set a reminder for Friday at 5pm to water the plants", "04 17:00"),
        ("The report is due on 3 December.", "03 23:59"),
        ("Report due Thursday", "03 23:59"),
        ("It's due tomorrow at noon", "29 12:00"),
        ("Due: Friday", "04 23:59"),
        ("The library books are due back on Friday", "04 23:59"),
        ("The essay is due in two weeks", "12 23:59"),
        ("Deadline: 2026-12-15", "15 23:59"),
        ("The deadline for the grant is 15 December 2026.", "15 23:59"),
        ("Due date for the essay: 3 December", "03 23:59"),
        ("The report is due Friday and the slides are due Monday", "30 23:59"),
    ],
)
def test_a_reminder_or_a_due_date_is_read(sentence: str, at: str) -> None:
    assert _due(sentence) == at


@pytest.mark.parametrize(
    "sentence",
    [
        # asks to be told again, or of another's date
        "Remind me what we said on Friday", "Remind me of the film we saw on Saturday",
        "Remind me to tell Ann that we met on Friday", "Remind me that we meet on Friday",
        "Remind me to book the table for Friday",
        # asks nothing, or nothing of the agent
        "Did you remind me tomorrow?", "I will remind him tomorrow to pay", "Don't remind me tomorrow to pay",
        "I reminded him that tomorrow is Monday", "Is the report due Thursday?", "What's due Friday?",
        # no day, no thing
        "Remind me next week to call", "Remind me tomorrow", "Remind me to call", "I'm due for a checkup",
        # over, denied, in doubt, under a condition, again and again
        "The report was due on Thursday", "The report isn't due on Friday", "Nothing is due Friday",
        "It might be due Thursday", "If it rains, remind me tomorrow to close the windows",
        "Remind me every day at nine to eat", "Remind me on Fridays to call", "Always remind me on Friday to call",
        "Remind me when I get home tomorrow to call",
        # another's words
        "Ann says the report is due Friday", 'She wrote "remind me tomorrow to call"', "> remind me tomorrow to call",
        # other meanings of the words
        "The delay is due to Friday's storm", "The meeting on Friday is due to the merger",
        "The song Due Friday is good",
    ],
)  # fmt: skip
def test_a_sentence_that_only_looks_like_it_is_not(sentence: str) -> None:
    assert _due(sentence) is None
