"""recall and recall_episodes: times that a question names, and messages that answer the one before."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie import Agent, EpisodeHit, Recall
from tests.services.bench import NOON, Clock, kept

pytestmark = pytest.mark.slow

MAY = datetime(2026, 5, 9, 10, tzinfo=UTC)


def _refs(found: Recall[EpisodeHit]) -> list[str | None]:
    for hit in found.hits:
        assert sum(hit.terms.values()) == pytest.approx(hit.score)
    return [hit.ref for hit in found.hits]


@pytest.fixture
def year(mama: Agent) -> Agent:
    """The same kind of thing told in four months, each time in a conversation of its own."""
    for ref, month in (("march", 3), ("may", 5), ("july", 7), ("november", 11)):
        mama.observe(
            {
                "content": f"We did a long walk with friends and a picnic number {month}",
                "speaker": "Anna",
                "ref": ref,
                "time": MAY.replace(month=month),
            },
            conversation=ref,
        )
    return mama


@pytest.mark.parametrize(
    ("question", "ref"),
    [
        ("what did we do last May?", "may"),
        ("what did we do in March?", "march"),
        ("what did we do on 9 July 2026?", "july"),
        ("what did we do two weeks ago?", "november"),
    ],
)
def test_what_was_said_at_a_named_time_stands_first(year: Agent, question: str, ref: str) -> None:
    found = year.recall_episodes(question, min_score=0)
    assert _refs(found)[0] == ref
    assert found.hits[0].terms["date"] > max(hit.terms["date"] for hit in found.hits[1:])


def test_a_question_without_a_time_lifts_nothing_by_date(year: Agent) -> None:
    found = year.recall_episodes("what did we do with friends?", min_score=0)
    assert len(found.hits) == 4
    assert all(hit.terms["date"] == 0 for hit in found.hits)


def test_times_are_told_from_the_clock(year: Agent, clock: Clock) -> None:
    question = "what did we do last month?"
    clock.now = datetime(2026, 8, 20, tzinfo=UTC)
    assert _refs(year.recall_episodes(question, min_score=0))[0] == "july"
    clock.now = datetime(2026, 6, 20, tzinfo=UTC)
    assert _refs(year.recall_episodes(question, min_score=0))[0] == "may"


def test_a_day_begins_where_the_agent_lives(mama: Agent, clock: Clock) -> None:
    """At 23:30 UTC it is tomorrow in Auckland: what was said at noon UTC was said yesterday there."""
    mama.observe({"content": "we had soup", "ref": "noon", "time": NOON})
    clock.now = NOON.replace(hour=23, minute=30)
    question = "what did we have yesterday?"
    (far,) = mama.recall_episodes(question, min_score=0).hits
    mama.set_profile(time_zone="Pacific/Auckland")
    (near,) = mama.recall_episodes(question, min_score=0).hits
    assert near.terms["date"] > far.terms["date"]


def test_memories_learned_at_a_named_time_are_lifted(mama: Agent, clock: Clock) -> None:
    old = kept(mama, "Anna had a picnic by the lake with Ben", time=MAY)
    new = kept(mama, "Anna had a barbecue by the lake with Carl", time=MAY.replace(month=10))
    for question, first in (("what did Anna do in May?", old), ("what did Anna do in October?", new)):
        terms = {hit.id: hit.terms["date"] for hit in mama.recall(question, min_score=0).hits}
        assert max(terms, key=lambda id: terms[id]) == first.id


def test_as_of_a_moment_times_are_told_from_there(mama: Agent) -> None:
    kept(mama, "Anna had a picnic by the lake", time=MAY)
    asked_in_june = mama.recall("what did Anna do last month?", min_score=0, as_of=MAY.replace(month=6))
    assert (
        asked_in_june.hits[0].terms["date"]
        > 0.5 * mama.recall("what in May?", min_score=0).hits[0].terms["date"]
    )
    assert mama.recall("what did Anna do last month?", min_score=0).hits[0].terms["date"] < 1e-3


def test_temporal_answers_with_the_closest_to_a_named_time(year: Agent) -> None:
    found = year.recall_episodes("last May", strategy="temporal")
    assert found.hits[0].ref == "may"
    assert list(found.hits[0].terms) == ["date", "recency"]
    latest = year.recall_episodes(strategy="temporal")
    assert [hit.ref for hit in latest.hits] == ["november", "july", "may", "march"]
    assert list(latest.hits[0].terms) == ["recency"]


def test_temporal_finds_a_time_behind_many_candidates(year: Agent) -> None:
    year.observe([f"small talk number {n}" for n in range(250)], conversation="later")
    assert year.recall_episodes("in May", strategy="temporal", limit=1).hits[0].ref == "may"
    kept(year, "Anna had a picnic by the lake", time=MAY)
    year.remember_many([{"essence": f"Guest {n} took key {n}"} for n in range(250)])
    assert year.recall("in May", strategy="temporal", limit=1).hits[0].text == "Anna had a picnic by the lake"


def test_temporal_without_anything_near_takes_what_there_is(year: Agent) -> None:
    found = year.recall_episodes("in 1999", strategy="temporal")
    assert sorted(_refs(found), key=str) == ["july", "march", "may", "november"]


@pytest.mark.parametrize("question", ["on 31 December 9999", "on 1 January 0001", "in 9999", "before 1900"])
@pytest.mark.parametrize("strategy", ["temporal", "hybrid"])
def test_a_time_at_the_end_of_all_times_breaks_nothing(year: Agent, question: str, strategy: str) -> None:
    kept(year, "Anna had a picnic by the lake")
    assert year.recall_episodes(question, strategy=strategy).considered == 4
    assert year.recall(question, strategy=strategy).considered == 1


@pytest.fixture
def talk(mama: Agent) -> Agent:
    """Two conversations in which somebody asks and somebody answers in other words."""
    mama.observe(
        [
            {"content": "It rained all day", "speaker": "Ben", "ref": "rain"},
            {"content": "How is your dog, Anna?", "speaker": "Ben", "ref": "question"},
            {"content": "He chewed up my best shoes!", "speaker": "Anna", "ref": "answer"},
            {"content": "I bought new curtains", "speaker": "Anna", "ref": "curtains"},
        ],
        conversation="one",
    )
    mama.observe(
        [
            {"content": "My holidays were too short", "speaker": "Anna", "ref": "holidays"},
            {"content": "He painted our old fence!", "speaker": "Anna", "ref": "fence"},
        ],
        conversation="two",
    )
    return mama


def test_an_answer_is_found_though_it_shares_no_word(talk: Agent) -> None:
    found = talk.recall_episodes("what did Anna say when I asked about her dog?", min_score=0)
    hits = {hit.ref: hit for hit in found.hits}
    assert hits["answer"].terms["context"] > hits["question"].terms["context"] > 0
    assert hits["answer"].terms["lexical"] == 0
    order = _refs(found)
    assert order.index("answer") < min(order.index(ref) for ref in ("curtains", "fence", "holidays", "rain"))


def test_only_behind_a_question_a_message_is_a_reply(mama: Agent) -> None:
    for end in (".", "?"):
        mama.observe(
            [
                {"content": f"It rained all day{end}", "speaker": "Ben", "ref": f"said{end}"},
                {"content": "He chewed up my best shoes!", "speaker": "Anna", "ref": f"behind{end}"},
            ],
            conversation=f"talk{end}",
        )
    context = {
        hit.ref: hit.terms["context"] for hit in mama.recall_episodes("rain all day", min_score=0).hits
    }
    assert context["said?"] == pytest.approx(context["said."])
    assert context["behind?"] > context["behind."] > 0


def test_what_stands_around_counts_only_where_two_persons_talk(talk: Agent) -> None:
    hits = talk.recall_episodes("the dog and the shoes", min_score=0).hits
    assert {hit.ref for hit in hits if hit.terms["context"] > 0} == {"question", "answer"}
    assert len(hits) == 6


def test_what_the_agent_said_stands_behind_what_a_person_did(mama: Agent) -> None:
    mama.observe(
        {"content": "We have a dog in the garden", "role": "agent", "ref": "agent"}, conversation="one"
    )
    mama.observe({"content": "We have a dog in the garden", "ref": "person"}, conversation="two")
    assert _refs(mama.recall_episodes("a dog in the garden", min_score=0))[0] == "person"


def test_a_question_for_a_time_prefers_what_says_when(mama: Agent) -> None:
    mama.observe({"content": "We moved to the new house with our dog", "ref": "what"}, conversation="one")
    mama.observe({"content": "We moved to the new house in December", "ref": "when"}, conversation="two")
    asked = mama.recall_episodes("when did they move to the new house?", min_score=0)
    assert _refs(asked) == ["when", "what"]
    assert [hit.terms["date"] > 0 for hit in asked.hits] == [True, False]
    other = mama.recall_episodes("who moved to the new house?", min_score=0)
    assert all(hit.terms["date"] == 0 for hit in other.hits)


def test_a_message_said_three_times_leaves_room_for_others(mama: Agent) -> None:
    for n in range(3):
        mama.observe({"content": "I like green tea in the morning", "ref": f"same{n}"}, conversation=f"c{n}")
    mama.observe({"content": "Ben sells green tea on the market", "ref": "market"}, conversation="c3")
    mama.observe({"content": "In the morning it rained", "ref": "rain"}, conversation="c4")
    found = mama.recall_episodes("who likes green tea in the morning?", limit=3, min_score=0)
    refs = _refs(found)
    assert refs[0] in ("same0", "same1", "same2")
    assert set(refs[1:]) == {"market", "rain"}
    everything = mama.recall_episodes("who likes green tea in the morning?", min_score=0)
    assert sum("repeat" in hit.terms for hit in everything.hits) == 2
    assert len(_refs(everything)) == 5


@pytest.mark.parametrize("moment", ["9999-12-31T00:00:00+00:00", "0001-01-02T00:00:00+00:00"])
@pytest.mark.parametrize("question", ["what happened yesterday?", "what happened last week?"])
def test_a_moment_at_the_end_of_the_calendar_works(mama: Agent, moment: str, question: str) -> None:
    mama.remember("Anna saw the fireworks")
    assert mama.recall(question, as_of=moment, strategy="temporal").strategy == "temporal"
