"""extraction: a snippet as a question to the host's model, and an answer that comes when it comes, on each engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from reverie import HostQuestion
from reverie.errors import InvalidInput, NotOpen, Paused, ReverieError
from reverie.services.loop.keeping import SKIPPED
from reverie.services.loop.loop import attend
from tests.services.beds import Bed
from tests.services.bench import state_of
from tests.services.scripted import Scripted, minded

pytestmark = pytest.mark.slow

BEES = "I keep seven bees in the garden"
CELLO = "Ben plays the cello on Sundays"
NOTHING: Mapping[str, Any] = {"memories": []}


def keeping(essence: str, *sources: str, **fields: Any) -> dict[str, Any]:
    """One kept insight as an answer."""
    entry = {
        "essence": essence,
        "weight": 0.6,
        "kind": "fact",
        "sources": list(sources),
        "stated": True,
        **fields,
    }
    return {"memories": [entry]}


def asked(asking: Bed, conversation: str | None = None) -> HostQuestion:
    """The next snippet, which there must be."""
    question = asking.agent.host.extraction(conversation)
    assert question is not None
    return question


def untouched(asking: Bed, apply: Callable[[], object], error: type[ReverieError]) -> None:
    """Applying raises that, and changes nothing."""
    before = state_of(asking.agent)
    with pytest.raises(error):
        apply()
    assert state_of(asking.agent) == before


def test_a_snippet_is_asked_about_and_what_is_found_is_kept(asking: Bed) -> None:
    [id] = asking.said(BEES, speaker="Anna")
    question = asked(asking)
    assert (question.episodes, question.remaining) == (1, 0)
    assert f'Anna (user): "{BEES}"' in question.text
    answer = keeping(
        "Anna keeps seven bees in the garden",
        "e1",
        emotions=["joy", "pride", "relief"],
        lesson="Ask about them",
    )
    done = asking.agent.host.apply_extraction(question.id, answer)
    assert (done.snippets, len(done.inserted), done.rejected) == (1, 1, {})
    [memory] = asking.memories()
    assert (memory.essence, memory.source_episodes, memory.importance, memory.lesson) == (
        "Anna keeps seven bees in the garden", (id,), 0.6, "Ask about them",
    )  # fmt: skip
    assert memory.emotions == ("joy", "pride", "relief")
    assert asking.agent.host.extraction() is None


def test_a_snippet_that_teaches_nothing_counts_as_read(asking: Bed) -> None:
    asking.said(BEES)
    assert asking.agent.host.apply_extraction(asked(asking).id, NOTHING).snippets == 1
    assert asking.agent.host.extraction() is None


def test_asking_stores_nothing(asking: Bed) -> None:
    asking.said(BEES)
    before = state_of(asking.agent)
    assert asked(asking) == asked(asking)
    assert state_of(asking.agent) == before


def test_conversations_are_read_one_after_the_other(asking: Bed) -> None:
    asking.said(BEES, conversation="day")
    asking.said(CELLO, conversation="evening")
    first = asked(asking)
    assert (first.remaining, asked(asking, "evening").text != first.text) == (1, True)
    asking.agent.host.apply_extraction(first.id, NOTHING)
    assert CELLO in asked(asking).text


def test_what_is_said_meanwhile_is_the_next_snippets(asking: Bed) -> None:
    asking.said(BEES, speaker="Anna")
    question = asked(asking)
    asking.said(CELLO, speaker="Anna")
    asking.agent.host.apply_extraction(question.id, keeping("Anna keeps seven bees", "e1"))
    after = asked(asking)
    assert (after.episodes, "known" in after.text) == (1, True)
    asking.agent.host.apply_extraction(after.id, keeping(CELLO, "e2"))
    assert {memory.essence for memory in asking.memories()} == {"Anna keeps seven bees", CELLO}


def test_an_answer_that_comes_twice_changes_nothing(asking: Bed) -> None:
    asking.said(BEES, speaker="Anna")
    question = asked(asking)
    answer = keeping("Anna keeps seven bees", "e1")
    asking.agent.host.apply_extraction(question.id, answer)
    untouched(asking, lambda: asking.agent.host.apply_extraction(question.id, answer), NotOpen)


def test_an_answer_that_comes_behind_the_loop_changes_nothing(asking: Bed) -> None:
    asking.said(BEES, speaker="Anna")
    question = asked(asking)
    _, other = minded(asking.reverie, Scripted())
    attend(other._desk, asking.agent.id, actor="loop")
    untouched(
        asking,
        lambda: asking.agent.host.apply_extraction(question.id, keeping("Anna keeps seven bees", "e1")),
        NotOpen,
    )


@pytest.mark.parametrize("how", ["forgotten", "cut", "slept"])
def test_messages_that_changed_meanwhile_are_asked_about_anew(asking: Bed, how: str) -> None:
    ids = asking.said(f"{BEES}. {CELLO}.", "Anna likes tea", speaker="Anna")
    question = asked(asking)
    if how == "forgotten":
        asking.agent.forget(ids[0])
    elif how == "cut":
        asking.agent.forget(asking.knows(CELLO, source_episodes=ids[:1]).id)
    else:
        night = asking.agent.host.night()
        assert night is not None
        asking.agent.host.apply_night(night.id, {"new": []})
    untouched(
        asking,
        lambda: asking.agent.host.apply_extraction(question.id, keeping("Anna likes tea", "e2")),
        NotOpen,
    )
    anew = asked(asking)
    label = "e1" if how == "forgotten" else "e2"
    assert asking.agent.host.apply_extraction(anew.id, keeping("Anna likes tea", label)).inserted


def test_what_was_forgotten_as_a_whole_is_passed_over(asking: Bed) -> None:
    ids = asking.said(BEES, conversation="day")
    asking.said(CELLO, conversation="evening")
    asking.agent.forget(ids[0])
    assert CELLO in asked(asking).text
    assert asking.agent.host.extraction("day") is None


@pytest.mark.parametrize(
    "forge",
    [
        lambda id: id.replace(":", ":x", 1),
        lambda id: "0-9" + id[3:],
        lambda id: "1" + id[1:],
        lambda id: id.split(":")[0],
        lambda id: "0-1-0-0-0-0000000000000000:" + id.partition(":")[2],
        lambda _: "night",
    ],
    ids=["another room", "beyond the end", "another mark", "no room", "another digest", "no id"],
)
def test_a_forged_id_changes_nothing(asking: Bed, forge: Callable[[str], str]) -> None:
    asking.said(BEES, speaker="Anna", conversation="day")
    forged = forge(asked(asking).id)
    untouched(
        asking, lambda: asking.agent.host.apply_extraction(forged, keeping("Anna keeps bees", "e1")), NotOpen
    )


@pytest.mark.parametrize(
    "id", [None, 7, "", "x" * 100_000, b"0"], ids=["none", "a number", "empty", "long", "bytes"]
)
def test_what_can_be_no_id_is_refused(asking: Bed, id: Any) -> None:
    untouched(asking, lambda: asking.agent.host.apply_extraction(id, NOTHING), InvalidInput)


def test_no_agent_answers_for_another(asking: Bed) -> None:
    asking.said(BEES, speaker="Anna", conversation="day")
    ben = asking.reverie.agent(f"{asking.agent.id[:180]}-ben")
    ben.observe([CELLO], conversation="day")
    with pytest.raises(NotOpen):
        ben.host.apply_extraction(asked(asking).id, keeping(CELLO, "e1"))
    assert not ben.memories()


@pytest.mark.parametrize("answer", ["", "nothing", [], {}, {"new": []}, '{"memories": ' + "[" * 200_000])
def test_an_answer_of_no_usable_shape_leaves_the_snippet_unread(asking: Bed, answer: Any) -> None:
    asking.said(BEES)
    question = asked(asking)
    untouched(asking, lambda: asking.agent.host.apply_extraction(question.id, answer), InvalidInput)
    assert asked(asking) == question


def test_what_does_not_hold_is_refused_alone(asking: Bed) -> None:
    asking.said(BEES, speaker="Anna")
    odd = [7, None, {"essence": "x"}, {"essence": "Anna keeps bees", "weight": 0.6, "sources": ["e9"]}]
    answer = {"memories": [*odd, *keeping("Anna keeps seven bees", "e1")["memories"]]}
    done = asking.agent.host.apply_extraction(asked(asking).id, answer)
    assert (len(done.inserted), done.rejected) == (1, {"sources": 1})


def test_a_paused_agent_is_neither_asked_nor_changed(asking: Bed) -> None:
    asking.said(BEES)
    question = asked(asking)
    asking.agent.jobs.pause()
    untouched(asking, lambda: asking.agent.host.apply_extraction(question.id, NOTHING), Paused)
    untouched(asking, asking.agent.host.extraction, Paused)


def test_of_a_burst_the_same_is_skipped_as_by_the_loop(asking: Bed) -> None:
    settings = asking.reverie._desk.settings
    most = settings.loop.snippet_messages * settings.loop.burst_snippets
    asking.said(*(f"{BEES}, hive {number}" for number in range(most + 7)))
    snippets = 0
    while (question := asking.agent.host.extraction()) is not None:
        asking.agent.host.apply_extraction(question.id, NOTHING)
        snippets += 1
    assert (snippets, asking.agent.stats().counters[SKIPPED]) == (settings.loop.burst_snippets, 7)
