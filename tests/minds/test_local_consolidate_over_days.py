"""What LocalMind's consolidation sees over days: routines and feelings; and how much it looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.domain.change import NEW, Connect, Learn, Reinforce, Revise
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, Origin
from reverie.minds.local import LocalMind
from reverie.minds.local.keeping import KEPT
from reverie.ports.night import Cluster
from reverie.rules.telling import tells
from tests.minds.nights import MODEL, changes, episode, memory, night

CODING = ["Back to coding on the parser.", "I'm coding again, the parser fights back.", "Time for some coding.",
          "Coding session on the parser, one bug left.", "I'm coding a bit before bed."]  # fmt: skip
OTHERS = ["The soup was good.", "I bought stamps.", "My shoes are wet.", "The tram was full.", "I cleaned the stove.",
          "I found a coin.", "The lamp flickers."]  # fmt: skip

YOGA = ["Off to yoga.", "I'm at yoga.", "I did yoga.", "I had yoga."]


def _evenings(texts: list[str], *, hour: float = 20) -> list[Episode]:
    """One a day, at that hour of the day."""
    return [episode(text, day + (hour - 12) / 24) for day, text in enumerate(texts)]


def test_what_is_done_in_the_evenings_is_a_routine() -> None:
    others = [episode(text, place + 0.02) for place, text in enumerate(OTHERS)]
    said = [*_evenings(CODING), *others]
    [found] = [one for one in changes(said) if isinstance(one, Learn) and one.kind is Kind.ROUTINE]
    assert found.essence == "Rosa usually codes in the evening."
    assert not found.stated
    assert set(found.sources) == {one.id for one in said[: len(CODING)]}


def test_a_routine_is_seen_with_what_was_slept_on_before() -> None:
    said = _evenings(CODING)
    found = changes(said[-1:], earlier=said[:-1])
    assert [one.essence for one in found if isinstance(one, Learn)] == ["Rosa usually codes in the evening."]


def test_evenings_are_those_of_the_agents_zone() -> None:
    found = changes(_evenings(CODING, hour=10), zone=ZoneInfo("Asia/Tokyo"))
    assert "Rosa usually codes in the evening." in [one.essence for one in found if isinstance(one, Learn)]


def test_who_writes_in_the_evening_only_has_no_routine_of_it() -> None:
    others = [episode(text, place + 8.2 / 24) for place, text in enumerate(OTHERS)]
    found = changes([*_evenings(CODING), *others])
    assert not [one for one in found if isinstance(one, Learn) and "usually" in one.essence]


def test_three_evenings_are_no_routine() -> None:
    assert not [
        one for one in changes(_evenings(CODING[:3])) if isinstance(one, Learn) and "usually" in one.essence
    ]


def test_the_same_weekday_over_weeks_is_a_routine() -> None:
    said = [episode(text, 7 * week + 6 / 24) for week, text in enumerate(YOGA)]
    assert "Rosa usually does yoga on Monday evenings." in [
        one.essence for one in changes(said) if isinstance(one, Learn)
    ]


def test_a_known_routine_is_confirmed_and_not_learned_again() -> None:
    known = memory("Rosa usually codes in the evening.", kind=Kind.ROUTINE, origin=Origin.SLEEP)
    said = _evenings(CODING)
    found = changes(said[-1:], [known], earlier=said[:-1])
    assert [type(one) for one in found] == [Reinforce]


def test_a_routine_that_moved_to_the_morning_is_revised() -> None:
    known = memory("Rosa usually codes in the evening.", kind=Kind.ROUTINE, origin=Origin.SLEEP)
    said = _evenings(CODING, hour=7)
    [found] = [one for one in changes(said[-1:], [known], earlier=said[:-1]) if isinstance(one, Revise)]
    assert found.essence == "Rosa usually codes in the morning."


def test_a_feeling_that_returns_with_a_subject_is_an_emotional_pattern() -> None:
    said = [
        episode("The exam is getting closer and closer.", 1, tone="nervousness"),
        episode("Can't stop thinking about the exam.", 2, tone="nervousness"),
        episode("What if the exam goes wrong again", 3, tone="nervousness"),
        episode("Slept badly because of the exam.", 4, tone="nervousness"),
    ]
    [found] = [one for one in changes(said) if isinstance(one, Learn) and one.kind is Kind.EMOTIONAL]
    assert found.essence == "Rosa often feels nervous about the exam."
    assert not found.stated


def test_what_is_said_on_three_days_is_learned_though_once_it_was_too_little() -> None:
    texts = ["Our lift smells of cabbage.", "our lift smells of cabbage!"]
    said = [episode(texts[day % 2], day, id=f"e{day}") for day in range(3)]
    assert not changes(said[:1])
    [found] = [one for one in changes(said[-1:], earlier=said[:-1]) if isinstance(one, Learn)]
    assert found.essence == "Rosa's lift smells of cabbage."
    assert found.sources == ("e0", "e1", "e2")
    assert found.stated


def test_what_is_said_three_times_in_one_day_is_not_said_again_and_again() -> None:
    said = [episode("Our lift smells of cabbage.", number / 24, id=f"e{number}") for number in range(3)]
    assert not changes(said)


def test_a_feeling_of_one_day_is_no_pattern() -> None:
    said = [episode(f"The exam, take {number}.", 1 + number / 100, tone="nervousness") for number in range(5)]
    assert not [one for one in changes(said) if isinstance(one, Learn) and one.kind is Kind.EMOTIONAL]


def test_what_names_the_same_thing_is_connected() -> None:
    known = memory("Rosa's aunt Griselda keeps bees near Salzburg.", id="bees")
    found = changes([episode("My aunt Griselda sells honey at the market.", 3)], [known])
    [edge] = [one for one in found if isinstance(one, Connect)]
    assert {edge.memory_a, edge.memory_b} == {"bees", f"{NEW}0"}
    assert edge.relation == "about Griselda"


def test_more_of_the_bank_is_looked_up_with_what_was_said_in_the_third_person() -> None:
    known = memory("Rosa lives in Utrecht.", id="far")
    asked: list[int] = []

    def look(vectors: NDArray[np.float32]) -> Sequence[tuple[Memory, NDArray[np.float32]]]:
        asked.append(len(vectors))
        return [(known, MODEL.embed([known.essence])[0])]

    shown = replace(night([episode("I moved to Ghent.", 3)]), look=look)
    [found] = LocalMind(MODEL).consolidate(shown).changes
    assert isinstance(found, Revise)
    assert found.memory_id == "far"
    assert asked == [1]


def test_an_empty_handed_night_proposes_nothing() -> None:
    empty = Cluster(
        episodes=(episode("hm", 0),), vectors=MODEL.embed(["hm"]), earlier=(),
        earlier_vectors=np.zeros((0, MODEL.dimensions), np.float32), known=(),
        known_vectors=np.zeros((0, MODEL.dimensions), np.float32),
    )  # fmt: skip
    whole = night([episode("hm", 0)])
    assert LocalMind(MODEL).consolidate(replace(whole, clusters=(empty,))).changes == ()
    assert whole.now - empty.episodes[0].time == timedelta(hours=12)


@pytest.mark.parametrize("text", ["I live in house {} of Utrecht and own {} cats.", "ok {}, thanks"])
@pytest.mark.parametrize("count", [1, 40])
def test_at_most_six_statements_for_ten_episodes_and_each_message_kept_whole_are_embedded(
    count: int, text: str
) -> None:
    class Counting:
        """MiniLM, and how many texts it was given."""

        def __init__(self) -> None:
            self.texts = 0
            self.id, self.dimensions, self.most_tokens = MODEL.id, MODEL.dimensions, MODEL.most_tokens
            self.embed_query, self.count_tokens = MODEL.embed_query, MODEL.count_tokens

        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            self.texts += len(texts)
            return MODEL.embed(texts)

    counting = Counting()
    said = [episode(text.format(place, place), place) for place in range(count)]
    LocalMind(counting).consolidate(night(said))
    whole = sum(tells(one.content) >= KEPT for one in said)
    assert counting.texts <= max(12, 0.6 * count) + whole
    assert (counting.texts > 0) == (whole > 0)
