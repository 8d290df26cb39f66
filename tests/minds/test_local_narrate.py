"""Narration and portraits: what many memories come to, within a budget."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.minds.local import LocalMind
from reverie.rules.budget import estimated_tokens
from tests.minds.nights import MODEL, memory

MIND = LocalMind(MODEL)
LIFE = [
    memory("Rosa moved to Ghent with Felix.", 0, id="a"),
    memory("Rosa and Felix painted the flat in Ghent.", 3, id="b"),
    memory("Rosa signed the lease of the flat in Ghent.", 1, id="c"),
    memory("Rosa's knee was operated by Dr. Osei.", 20, id="d"),
    memory("Rosa's knee hurts when it rains, says Dr. Osei.", 40, id="e"),
    memory("Rosa planted tomatoes on the balcony.", 60, id="f"),
]


def _tokens(text: str) -> int:
    return estimated_tokens(text, MODEL.count_tokens)


def test_a_story_goes_theme_by_theme_in_order_of_time_with_days_and_people() -> None:
    told = MIND.narrate(LIFE, max_tokens=400)
    first, second, third = told.splitlines()
    assert first.startswith("2\u20135 March 2026, 3 observations (Ghent, Rosa): [2 March] Rosa moved")
    assert first.index("moved to Ghent") < first.index("signed the lease") < first.index("painted the flat")
    assert second.startswith("22 March \u2013 11 April 2026, 2 observations")
    assert third == "1 May 2026: Rosa planted tomatoes on the balcony."


def test_where_little_fits_each_theme_has_its_say_before_any_says_more() -> None:
    told = MIND.narrate(LIFE, max_tokens=70)
    assert _tokens(told) <= 70
    assert len(told.splitlines()) >= 2


def test_the_order_in_which_memories_come_changes_nothing() -> None:
    assert MIND.narrate(LIFE[::-1], max_tokens=120) == MIND.narrate(LIFE, max_tokens=120)


def test_nothing_to_tell_is_an_empty_text() -> None:
    assert MIND.narrate([], max_tokens=100) == ""
    assert MIND.narrate(LIFE, max_tokens=0) == ""


_SAID = [*(one.essence for one in LIFE), "Ja.", "\u732b\u304c\u597d\u304d", "x" * 300]
_TEXTS = st.lists(st.sampled_from(_SAID), max_size=6)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_TEXTS, st.integers(0, 80))
def test_a_story_never_costs_more_than_it_may(texts: list[str], most: int) -> None:
    some = [memory(text, place, id=f"m{place}") for place, text in enumerate(texts)]
    assert _tokens(MIND.narrate(some, max_tokens=most)) <= most


def _surest() -> dict[Kind, list[Memory]]:
    return {
        Kind.PREFERENCE: [
            memory("Rosa prefers tea.", id="p1", kind=Kind.PREFERENCE),
            memory("Rosa prefers tea!", id="p2", kind=Kind.PREFERENCE),
            memory("Rosa hates coriander.", id="p3", kind=Kind.PREFERENCE),
        ],
        Kind.SKILL: [memory("Rosa speaks Dutch.", id="s1", kind=Kind.SKILL)],
        Kind.GOAL: [],
    }


def test_a_portrait_has_a_line_for_each_memory_surest_first_and_no_line_twice() -> None:
    assert dict(MIND.portray(_surest(), max_tokens=200)) == {
        Kind.PREFERENCE: "- Rosa prefers tea.\n- Rosa hates coriander.",
        Kind.SKILL: "- Rosa speaks Dutch.",
    }


def test_where_little_fits_each_kind_has_its_surest_line() -> None:
    told = MIND.portray(_surest(), max_tokens=18)
    assert dict(told) == {Kind.PREFERENCE: "- Rosa prefers tea.", Kind.SKILL: "- Rosa speaks Dutch."}


@pytest.mark.parametrize("most", [0, 1, 7, 8, 15, 40])
def test_a_portrait_never_costs_more_than_it_may(most: int) -> None:
    told = MIND.portray(_surest(), max_tokens=most)
    assert sum(map(_tokens, told.values())) <= most
