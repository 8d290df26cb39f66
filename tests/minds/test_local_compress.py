"""LocalMind's summaries: whole sentences, in order, within the budget, and something whenever something fits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.embedders.hashing import HashingEmbedder
from reverie.minds.local import LocalMind
from reverie.rules.budget import estimated_tokens

FRIDAY = datetime(2026, 11, 20, 9, tzinfo=UTC)
EMBEDDER = HashingEmbedder.for_tests()
MIND = LocalMind(EMBEDDER)
TALK = (
    ("Anna", "I moved to Lisbon last week. The flat in Alfama costs 900 euros a month."),
    ("Ben", "Great! I started training for the Porto marathon on 3 May."),
    ("Anna", "My sister Clara opened a bakery with 12 seats in Coimbra."),
    ("Ben", "I decided to leave my job at Acme. My last day is 30 November 2026."),
)
any_texts = st.lists(st.text(st.characters(codec=None), min_size=1, max_size=300), min_size=1, max_size=5)


def said(*talk: tuple[str, str], days: int = 0) -> list[Episode]:
    found = []
    for place, (speaker, content) in enumerate(talk):
        time = FRIDAY + timedelta(days=days * place, minutes=place)
        found.append(
            Episode(
                id=f"e{place}",
                conversation="talk",
                position=place,
                time=time,
                observed_at=time,
                channel="api",
                role=Role.USER,
                speaker=speaker,
                content=content,
                source_trust=SourceTrust.PRINCIPAL,
            )
        )
    return found


def cost(text: str) -> int:
    return estimated_tokens(text, EMBEDDER.count_tokens)


def test_what_fits_is_told_whole_with_names_and_days() -> None:
    assert MIND.compress(said(*TALK), so_far=None, max_tokens=500) == (
        "20 November 2026: Anna moved to Lisbon in the week of 9 November 2026. "
        "Anna said: The flat in Alfama costs 900 euros a month. "
        "Ben started training for the Porto marathon on 3 May. "
        "Anna's sister Clara opened a bakery with 12 seats in Coimbra. "
        "Ben decided to leave their job at Acme. "
        "Ben's last day is 30 November 2026."
    )


def test_each_day_has_its_line() -> None:
    lines = MIND.compress(said(*TALK, days=1), so_far=None, max_tokens=500).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "20 November 2026",
        "21 November 2026",
        "22 November 2026",
        "23 November 2026",
    ]


@pytest.mark.parametrize("budget", [20, 30, 45, 60, 80])
def test_a_summary_is_some_of_the_sentences_in_their_order_and_within_the_budget(budget: int) -> None:
    whole = MIND.compress(said(*TALK), so_far=None, max_tokens=500).partition(": ")[2]
    short = MIND.compress(said(*TALK), so_far=None, max_tokens=budget)
    assert 0 < cost(short) <= budget
    place = 0
    for sentence in short.partition(": ")[2].replace(". ", ".\n").splitlines():
        place = whole.index(sentence, place) + len(sentence)


def test_an_earlier_summary_goes_on_in_the_next() -> None:
    before = "14 November 2026: Anna works at the harbour office in Porto. Ben owns two boats."
    text = MIND.compress(said(*TALK[:1]), so_far=before, max_tokens=500)
    assert text.startswith(before)
    assert "Lisbon" in text


def test_of_little_room_an_earlier_summary_keeps_some() -> None:
    before = "14 November 2026: Anna works at the harbour office in Porto since 3 May 2019."
    text = MIND.compress(said(*TALK), so_far=before, max_tokens=60)
    assert "harbour office" in text


def test_what_only_asks_is_told_as_asked() -> None:
    text = MIND.compress(said(("Anna", "Which train goes to Porto?")), so_far=None, max_tokens=100)
    assert text == "20 November 2026: Anna asked: Which train goes to Porto?"


def test_courtesies_alone_are_not_an_empty_summary() -> None:
    assert MIND.compress(said(("Anna", "Hello!")), so_far=None, max_tokens=100)


def test_where_no_sentence_fits_it_is_cut_at_a_word() -> None:
    text = MIND.compress(said(*TALK[:1]), so_far=None, max_tokens=10)
    assert text
    assert cost(text) <= 10
    assert "20 November 2026: Anna moved to Lisbon in the week".startswith(text)
    assert not text.endswith(" ")


def test_nothing_said_is_an_empty_summary() -> None:
    assert MIND.compress([], so_far=None, max_tokens=100) == ""


@settings(max_examples=80, deadline=None)
@given(any_texts, st.none() | st.text(max_size=300), st.integers(1, 120))
def test_no_text_breaks_the_budget_and_the_same_gives_the_same(
    texts: list[str], so_far: str | None, budget: int
) -> None:
    messages = said(*(("Anna", text) for text in texts))
    text = MIND.compress(messages, so_far=so_far, max_tokens=budget)
    assert text == "" or cost(text) <= budget
    assert text == MIND.compress(messages, so_far=so_far, max_tokens=budget)


@settings(max_examples=60, deadline=None)
@given(any_texts)
def test_a_budget_of_some_words_always_holds_something(texts: list[str]) -> None:
    messages = said(*(("Anna", text) for text in [*texts, "word"]))
    assert MIND.compress(messages, so_far=None, max_tokens=40)
