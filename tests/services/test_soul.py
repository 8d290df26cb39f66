"""soul: who the agent is; entries come and go by a deliberate call alone."""

from __future__ import annotations

import pytest

from reverie import Action, Agent, Forgotten, InvalidInput, NotFound, Reverie
from reverie.domain.soul import MAX_SOUL_BYTES, SoulEntry
from reverie.services.soul import soul
from tests.services.bench import Clock, kept, state_of

BELIEF = "Every conversation is data collection"


def _add(agent: Agent, text: str = BELIEF, **given: object) -> SoulEntry:
    return soul.add(agent._desk, agent.id, text, actor="test", **given)  # type: ignore[arg-type]  # as a caller may


def _remove(agent: Agent, id: str) -> SoulEntry:
    return soul.remove(agent._desk, agent.id, id, actor="test")


def _entries(agent: Agent) -> list[SoulEntry]:
    return [*soul.entries(agent._desk, agent.id)]


def test_entries_are_kept_oldest_first(mama: Agent, clock: Clock) -> None:
    first = _add(mama)
    clock.wait(days=1)
    second = _add(mama, "Information is the only real currency")
    assert _entries(mama) == [first, second]


def test_an_entry_is_no_memory(mama: Agent) -> None:
    _add(mama)
    assert mama.memories(deep=True) == []
    assert mama.recall("conversation data").hits == ()


def test_an_entry_may_be_taken_away(mama: Agent) -> None:
    first, second = _add(mama), _add(mama, "Fear is a signal")
    assert _remove(mama, first.id) == first
    assert _entries(mama) == [second]


def test_both_are_in_the_audit_log(mama: Agent) -> None:
    new = _add(mama)
    _remove(mama, new.id)
    added, removed = mama.audit(target=new.id)
    assert (added.action, added.before, added.after) == (Action.SOUL, None, {"text": BELIEF})
    assert (removed.action, removed.before, removed.after) == (Action.SOUL, {"text": BELIEF}, None)
    assert (added.actor, removed.actor) == ("test", "test")


def test_the_text_is_normalized(mama: Agent) -> None:
    assert _add(mama, "  I believe\r\nin\x00 tea ").text == "I believe\nin tea"


@pytest.mark.parametrize("text", ["", " \n", "x" * (MAX_SOUL_BYTES + 1), "é" * MAX_SOUL_BYTES, None, 7])
def test_a_text_that_is_empty_too_long_or_none_is_refused(mama: Agent, text: str) -> None:
    with pytest.raises(InvalidInput, match="text"):
        _add(mama, text)
    assert _entries(mama) == []


def test_the_longest_text_is_kept_whole(mama: Agent) -> None:
    text = "x" * MAX_SOUL_BYTES
    _add(mama, text)
    assert _entries(mama)[0].text == text


def test_an_entry_is_kept_once_whatever_case_and_punctuation(mama: Agent) -> None:
    new = _add(mama)
    before = state_of(mama)
    with pytest.raises(InvalidInput, match=new.id):
        _add(mama, "every conversation is  data collection!")
    assert (_entries(mama), state_of(mama)) == ([new], before)


def test_what_was_taken_away_may_be_added_again(mama: Agent) -> None:
    _remove(mama, _add(mama).id)
    assert _add(mama).text == BELIEF


def test_an_unknown_entry_is_not_found(mama: Agent) -> None:
    _add(mama)
    with pytest.raises(NotFound, match="soul entry"):
        _remove(mama, "nowhere")


def test_a_memorys_id_is_no_entrys(mama: Agent) -> None:
    memory = kept(mama, BELIEF)
    with pytest.raises(NotFound):
        _remove(mama, memory.id)
    assert mama.get(memory.id) == memory


def test_what_was_forgotten_is_added_only_with_override(mama: Agent) -> None:
    mama.forget(kept(mama, BELIEF).id)
    with pytest.raises(Forgotten):
        _add(mama)
    assert _add(mama, override=True).text == BELIEF


def test_agents_dont_see_each_others_entries(reverie: Reverie) -> None:
    theirs = _add(reverie.agent("papa"))
    assert _entries(reverie.agent("mama")) == []
    with pytest.raises(NotFound):
        _remove(reverie.agent("mama"), theirs.id)
