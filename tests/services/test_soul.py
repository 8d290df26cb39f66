"""Who the agent is; entries come and go by a deliberate call alone."""

from __future__ import annotations

import pytest

from reverie import Action, Agent, Forgotten, InvalidInput
from reverie.domain.soul import MAX_SOUL_BYTES
from tests.services.bench import kept, state_of

BELIEF = "Every conversation is data collection"


def test_an_entry_is_no_memory(mama: Agent) -> None:
    mama.soul.add(BELIEF)
    assert mama.memories(deep=True) == []
    assert mama.recall("conversation data").hits == ()


def test_an_entry_may_be_taken_away(mama: Agent) -> None:
    first, second = mama.soul.add(BELIEF), mama.soul.add("Fear is a signal")
    assert mama.soul.remove(first.id) == first
    assert [*mama.soul.list()] == [second]


def test_both_are_in_the_audit_log(mama: Agent) -> None:
    new = mama.soul.add(BELIEF)
    mama.soul.remove(new.id)
    added, removed = mama.audit(target=new.id)
    assert (added.action, added.before, added.after) == (Action.SOUL, None, {"text": BELIEF})
    assert (removed.action, removed.before, removed.after) == (Action.SOUL, {"text": BELIEF}, None)
    assert (added.actor, removed.actor) == ("caller", "caller")


def test_the_text_is_normalized(mama: Agent) -> None:
    assert mama.soul.add("  I believe\r\nin\x00 tea ").text == "I believe\nin tea"


def test_the_longest_text_is_kept_whole(mama: Agent) -> None:
    text = "x" * MAX_SOUL_BYTES
    mama.soul.add(text)
    assert [one.text for one in mama.soul.list()] == [text]


def test_an_entry_is_kept_once_whatever_case_and_punctuation(mama: Agent) -> None:
    new = mama.soul.add(BELIEF)
    before = state_of(mama)
    with pytest.raises(InvalidInput, match=new.id):
        mama.soul.add("every conversation is  data collection!")
    assert ([*mama.soul.list()], state_of(mama)) == ([new], before)


def test_what_was_taken_away_may_be_added_again(mama: Agent) -> None:
    mama.soul.remove(mama.soul.add(BELIEF).id)
    assert mama.soul.add(BELIEF).text == BELIEF


def test_what_was_forgotten_is_added_only_with_override(mama: Agent) -> None:
    mama.forget(kept(mama, BELIEF).id)
    with pytest.raises(Forgotten):
        mama.soul.add(BELIEF)
    assert mama.soul.add(BELIEF, override=True).text == BELIEF
