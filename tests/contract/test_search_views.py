"""Views: what they show, when they are new, and that they never change."""

from __future__ import annotations

import numpy as np
import pytest

from reverie.domain.memory import State
from reverie.domain.query import EVERYTHING, Filter
from reverie.language.lexical_terms import query_terms
from reverie.ports.search import Probe, View
from reverie.ports.store import Unit
from tests.contract.search_fixtures import DIRECTIONS, NOW, Searched, a_memory, a_version, an_episode, day
from tests.contract.search_fixtures import searched as searched


def _memories(view: View, text: str = "") -> list[str]:
    return list(view.memories(Probe(filter=EVERYTHING, now=NOW, terms=query_terms(text))).ids)


def _episodes(view: View) -> list[str]:
    return list(view.episodes(Probe(filter=Filter(), now=NOW)).ids)


def test_an_agent_that_never_wrote_has_an_empty_view(searched: Searched) -> None:
    view = searched.view("nobody")
    assert (view.rev, view.embedder, dict(view.speakers)) == (0, None, {})


def test_a_view_tells_the_revision_and_the_embedder(searched: Searched) -> None:
    searched.keep(a_memory("m1"))
    with searched.store.read("mama") as unit:
        assert searched.view().rev == unit.agents.rev()
    assert searched.view().embedder == ("test", len(DIRECTIONS[0]))


def test_a_view_shows_every_write_before_it(searched: Searched) -> None:
    for number in range(5):
        searched.keep(a_memory(f"m{number}"))
        assert _memories(searched.view()) == [f"m{place}" for place in range(number + 1)]


def test_a_view_never_answers_from_half_a_state(
    searched: Searched,
) -> None:
    searched.keep(a_memory("m1", "a garden"))
    searched.say(an_episode("e1", speaker="Anna"))
    view = searched.view()

    def change(unit: Unit) -> None:
        unit.memories.update(a_memory("m1", "a river"), DIRECTIONS[1])
        unit.memories.add([a_memory("m2", "a garden")], DIRECTIONS[:1])
        unit.episodes.delete(["e1"])

    searched.write(change)
    assert _memories(view, "garden") in (["m1"], ["m2"])
    assert _episodes(view) in (["e1"], [])
    assert dict(view.speakers) in ({"Anna": 1}, {})


def test_a_changed_memory_answers_with_what_is_new(searched: Searched) -> None:
    searched.keep(a_memory("m1", "a garden"), a_memory("m2", "a bridge"))
    searched.view()
    changed = a_memory("m1", "a river", state=State.ARCHIVED, importance=0.5)
    searched.write(lambda unit: unit.memories.update(changed, DIRECTIONS[1]))
    view = searched.view()
    assert _memories(view, "garden") == []
    assert _memories(view, "river") == ["m1"]
    archived = Filter(states=frozenset({State.ARCHIVED}))
    got = view.memories(Probe(filter=archived, now=NOW, vector=DIRECTIONS[1]))
    assert list(got.ids) == ["m1"]
    assert got.semantic[0] == pytest.approx(1, abs=1e-4)
    assert got.importance[0] == np.float32(0.5)


def test_a_changed_memory_keeps_its_place_in_the_order(searched: Searched) -> None:
    searched.keep(a_memory("m1"), a_memory("m2"), a_memory("m3"))
    searched.view()
    searched.write(lambda unit: unit.memories.update(a_memory("m1", "changed")))
    assert _memories(searched.view()) == ["m1", "m2", "m3"]


def test_what_was_deleted_answers_no_more(searched: Searched) -> None:
    searched.keep(a_memory("m1", "a garden"), a_memory("m2", "a garden"))
    searched.say(an_episode("e1"), an_episode("e2"))
    searched.view()
    searched.write(lambda unit: unit.memories.delete(["m1"]))
    searched.write(lambda unit: unit.episodes.delete(["e2"]))
    assert _memories(searched.view(), "garden") == ["m2"]
    assert _episodes(searched.view()) == ["e1"]


def test_with_a_memory_its_past_wordings_go_too(searched: Searched) -> None:
    first = a_memory("m1", "a garden", at=day(0))
    searched.keep(first, a_memory("m2", at=day(0)))
    revised = a_memory("m1", "a river", believed_from=day(5), version=2)
    searched.write(lambda unit: unit.memories.add_version(a_version(first, believed_to=day(5))))
    searched.write(lambda unit: unit.memories.update(revised, DIRECTIONS[1]))
    assert list(searched.memories(as_of=day(1)).ids) == ["m1", "m2"]
    searched.write(lambda unit: unit.memories.delete(["m1"]))
    assert list(searched.memories(as_of=day(1)).ids) == ["m2"]


def test_a_deleted_id_may_come_back_as_another_memory(searched: Searched) -> None:
    searched.keep(a_memory("m1", "a garden"))
    searched.view()
    searched.write(lambda unit: unit.memories.delete(["m1"]))
    searched.keep(a_memory("m1", "a river"))
    assert _memories(searched.view(), "garden river") == ["m1"]
    assert _memories(searched.view(), "garden") == []


def test_a_rewritten_episode_answers_with_its_new_words_alone(searched: Searched) -> None:
    said = an_episode("e1", "the secret garden", speaker="Anna")
    searched.say(said)
    searched.view()
    rewritten = an_episode("e1", "the garden", speaker="Anna", position=said.position)
    searched.write(lambda unit: unit.episodes.rewrite(rewritten, DIRECTIONS[2]))
    assert list(searched.episodes(Filter(), terms=query_terms("secret")).ids) == []
    assert searched.episodes(Filter(), vector=DIRECTIONS[2]).semantic.tolist() == pytest.approx([1], abs=1e-4)
    assert dict(searched.view().speakers) == {"Anna": 1}


def test_speakers_are_all_who_spoke_with_how_many_episodes_each(searched: Searched) -> None:
    names = ["Anna", None, "Ben", "Anna", "Zoë"]
    searched.say(*(an_episode(f"e{place}", speaker=name) for place, name in enumerate(names)))
    assert dict(searched.view().speakers) == {"Anna": 2, "Ben": 1, "Zoë": 1}
    searched.write(lambda unit: unit.episodes.delete(["e0", "e2"]))
    assert dict(searched.view().speakers) == {"Anna": 1, "Zoë": 1}


def test_no_agent_sees_the_rows_of_another(searched: Searched) -> None:
    searched.keep(a_memory("mine", "a garden"))
    searched.keep(a_memory("hers", "a garden"), agent_id="papa")
    searched.say(an_episode("said", speaker="Anna"), agent_id="papa")
    assert _memories(searched.view(), "garden") == ["mine"]
    assert _episodes(searched.view()) == []
    assert dict(searched.view().speakers) == {}
    assert _memories(searched.view("papa"), "garden") == ["hers"]


def test_words_of_another_agent_change_no_score(searched: Searched) -> None:
    searched.keep(a_memory("m1", "a garden"), a_memory("m2", "a river"))
    before = searched.memories(terms=["garden"]).lexical.tolist()
    searched.keep(*(a_memory(f"h{n}", "a garden") for n in range(9)), agent_id="papa")
    searched.search.close()
    assert searched.memories(terms=["garden"]).lexical.tolist() == before


def test_writes_of_another_opening_are_in_the_next_view(searched: Searched) -> None:
    searched.keep(a_memory("m1"))
    _, elsewhere = searched.another()
    assert _memories(elsewhere.view("mama")) == ["m1"]
    searched.keep(a_memory("m2"))
    assert _memories(elsewhere.view("mama")) == ["m1", "m2"]


def test_a_write_that_was_rolled_back_is_in_no_view(searched: Searched) -> None:
    searched.keep(a_memory("m1"))

    def half(unit: Unit) -> None:
        unit.memories.add([a_memory("m2")], DIRECTIONS[:1])
        raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        searched.write(half)
    assert _memories(searched.view()) == ["m1"]


def test_a_view_may_be_taken_after_close(searched: Searched) -> None:
    searched.keep(a_memory("m1"))
    searched.view()
    searched.search.close()
    assert _memories(searched.view()) == ["m1"]
