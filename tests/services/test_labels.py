"""Topics and entities that are found in plain text, and what becomes of them."""

from __future__ import annotations

import pytest

from reverie import Agent, Episode, InvalidInput, RememberSettings, Settings
from tests.services.bench import kept
from tests.services.conftest import Open

SAID = "We drank green tea with Anna in New York."


def _said(agent: Agent, message: object, **room: object) -> Episode:
    found = agent.get(agent.observe(message, **room).episode_ids[0])  # type: ignore[arg-type]
    assert isinstance(found, Episode)
    return found


def _labels(episode: Episode) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return episode.metadata.topics, episode.metadata.entities


def test_a_plain_message_gets_topics_and_entities(mama: Agent) -> None:
    assert _labels(_said(mama, SAID)) == (("green tea",), ("Anna", "New York"))
    assert _labels(_said(mama, "Hey, how are you?")) == ((), ())


def test_what_the_caller_gives_wins(mama: Agent) -> None:
    assert _labels(_said(mama, {"content": SAID, "topics": ["travel"]})) == (
        ("travel",),
        ("Anna", "New York"),
    )
    assert _labels(_said(mama, {"content": SAID, "entities": ["NY"]})) == (("green tea",), ("NY",))
    memory = kept(mama, SAID, topics=["travel"])
    assert (memory.topics, memory.entities) == (("travel",), ("Anna", "New York"))


def test_those_who_speak_in_a_batch_are_known_by_name(mama: Agent) -> None:
    seen = mama.observe([{"content": "Mira, come!", "speaker": "Zoe"}, {"content": "No.", "speaker": "Mira"}])
    found = mama.get(seen.episode_ids[0])
    assert isinstance(found, Episode)
    assert found.metadata.entities == ("Mira",)


def test_the_topic_strategy_finds_plain_text(mama: Agent) -> None:
    memory = kept(mama, "Péter is allergic to roasted peanuts")
    kept(mama, "The deploy runs every night")
    said = _said(mama, SAID)
    _said(mama, "The weather is fine.")
    assert [hit.id for hit in mama.recall("peanuts", strategy="topic").hits] == [memory.id]
    assert [hit.id for hit in mama.recall("who is Péter?", strategy="topic").hits] == [memory.id]
    assert [hit.id for hit in mama.recall_episodes("what about tea?", strategy="topic").hits] == [said.id]
    assert [hit.id for hit in mama.recall_episodes(entities="new york").hits] == [said.id]


def test_a_duplicate_adds_none_but_the_callers_labels(mama: Agent) -> None:
    first = kept(mama, "Péter is allergic to peanuts")
    again = mama.remember("Péter is allergic to peanuts!", topics=["health"]).memory
    assert again.id == first.id
    assert (again.topics, again.entities) == ((*first.topics, "health"), first.entities)


def test_labels_follow_a_revised_essence(mama: Agent) -> None:
    memory = kept(mama, "The wedding is in the old mill")
    new = mama.revise(memory.id, essence="The wedding is at Anna's harbour")
    assert (memory.topics, memory.entities) == (("wedding", "mill"), ())
    assert (new.topics, new.entities) == (("anna harbour", "wedding"), ("Anna",))
    assert mama.recall("mill", strategy="topic").hits == ()


def test_the_callers_labels_stay_when_an_essence_is_revised(mama: Agent) -> None:
    given = kept(mama, "The wedding is in the old mill", topics=["family"])
    assert mama.revise(given.id, essence="The wedding is at the harbour").topics == ("family",)
    found = kept(mama, "The parcel lies in the cellar")
    assert mama.revise(found.id, essence="The parcel lies in the attic", topics=["post"]).topics == ("post",)
    cleared = kept(mama, "The ladder leans on the barn")
    mama.revise(cleared.id, clear=["topics"])
    assert mama.revise(cleared.id, essence="The ladder leans on the fence").topics == ()


def test_forgotten_words_survive_in_no_label(mama: Agent) -> None:
    essence = "Péter is allergic to peanuts"
    said = _said(mama, {"content": f"We meet Anna at the mill. {essence}.", "topics": ["peanuts", "plans"]})
    other = _said(mama, f"We meet Anna at the mill. {essence}.")
    assert "peanuts" in repr(_labels(other))
    receipt = mama.forget(kept(mama, essence, source_episodes=[said.id, other.id]).id)
    assert set(receipt.rewritten_episodes) == {said.id, other.id}
    left = {episode.id: _labels(episode) for episode in mama.episodes()}
    assert left == {said.id: (("plans",), ("Anna",)), other.id: (("mill",), ("Anna",))}
    for strategy in ("topic", "lexical"):
        assert mama.recall_episodes("peanuts", strategy=strategy).hits == ()
    assert mama.episodes(match="peanuts") == []
    assert [hit.id for hit in mama.recall_episodes("mill", strategy="topic").hits] == [other.id]


def test_labels_come_back_with_overridden_words(mama: Agent) -> None:
    essence = "Péter is allergic to peanuts"
    message = {"content": f"We meet Anna at the mill. {essence}.", "ref": "m1"}
    said = _said(mama, message, conversation="c")
    mama.forget(kept(mama, essence, source_episodes=[said.id]).id)
    mama.observe(message, conversation="c", override=True)
    assert _labels(mama.episodes()[0]) == _labels(said)


def test_nothing_is_found_where_the_setting_says_so(open_bank: Open) -> None:
    mama = open_bank(settings=Settings(remember=RememberSettings(extract_labels=False))).agent("mama")
    assert _labels(_said(mama, SAID)) == ((), ())
    memory = kept(mama, SAID)
    assert (memory.topics, memory.entities) == ((), ())
    assert mama.revise(memory.id, essence="We drank black tea with Ben").entities == ()


def test_found_labels_follow_a_revision(open_bank: Open) -> None:
    memory = kept(open_bank().agent("mama"), "The wedding is in the old mill")
    later = open_bank(settings=Settings(remember=RememberSettings(extract_labels=False))).agent("mama")
    assert later.revise(memory.id, essence="The wedding is at the harbour").topics == ("wedding", "harbour")


@pytest.mark.parametrize("value", [None, 1, "yes"])
def test_the_setting_is_true_or_false(value: object) -> None:
    with pytest.raises(InvalidInput, match="extract_labels"):
        Settings(remember=RememberSettings(extract_labels=value))  # type: ignore[arg-type]
