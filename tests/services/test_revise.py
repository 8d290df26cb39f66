"""revise: new values under an old id, the old wording in the history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from reverie import Agent, EmbedderMismatch, Forgotten, InvalidInput, Kind
from reverie.embedders.hashing import HashingEmbedder
from tests.services.bench import DAY, NOON, Clock, kept, state_of
from tests.services.conftest import Open


def test_a_new_wording_keeps_the_id_and_the_old_one(mama: Agent, clock: Clock) -> None:
    home = kept(mama, "Anna lives in Porto", lesson="send mail there", tags=["home"])
    moved = clock.wait(days=10)
    new = mama.revise(home.id, essence="Anna lives in Lisbon", reason="she told me")
    assert (new.id, new.essence, new.version, new.believed_from) == (
        home.id,
        "Anna lives in Lisbon",
        2,
        moved,
    )
    assert (new.lesson, new.tags, new.created_at, new.confidence) == ("send mail there", ("home",), NOON, 0.9)
    assert mama.get(home.id) == new
    (old,) = mama.portrait(home.id).versions
    assert (old.essence, old.lesson, old.version) == ("Anna lives in Porto", "send mail there", 1)
    assert (old.believed_from, old.believed_to) == (NOON, moved)


def test_windows_of_belief_have_no_gap_and_no_overlap(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, "Anna lives in Porto")
    for city in ("Lisbon", "Faro", "Braga"):
        clock.wait(days=5)
        mama.revise(memory.id, essence=f"Anna lives in {city}")
    versions = mama.portrait(memory.id).versions
    assert [v.version for v in versions] == [1, 2, 3]
    ends = [v.believed_to for v in versions]
    assert [v.believed_from for v in versions][1:] == ends[:-1]
    now = mama.portrait(memory.id).memory
    assert (now.believed_from, now.version) == (ends[-1], 4)


def test_as_of_finds_what_was_believed_then(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, "Anna lives in Porto")
    clock.wait(days=10)
    mama.revise(memory.id, essence="Anna lives in Lisbon")
    clock.wait(days=10)

    def believed(moment: datetime) -> list[str]:
        return [hit.text for hit in mama.recall("where does Anna live", as_of=moment).hits]

    assert believed(NOON + 5 * DAY) == ["Anna lives in Porto"]
    assert believed(NOON) == ["Anna lives in Porto"]
    assert believed(NOON + 10 * DAY) == ["Anna lives in Lisbon"]
    assert believed(NOON + 20 * DAY) == ["Anna lives in Lisbon"]
    assert believed(NOON - timedelta(microseconds=1)) == []
    assert [hit.text for hit in mama.recall("where does Anna live").hits] == ["Anna lives in Lisbon"]


def test_a_revision_may_be_dated_back_to_when_it_became_known(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, "Anna lives in Porto")
    clock.wait(days=10)
    since = NOON + 3 * DAY
    new = mama.revise(memory.id, essence="Anna lives in Lisbon", time=since)
    assert new.believed_from == since
    hits = mama.recall("Anna lives", as_of=NOON + 4 * DAY).hits
    assert [hit.text for hit in hits] == ["Anna lives in Lisbon"]


@pytest.mark.parametrize("days", [-1, 0, 11])
def test_a_revision_lies_after_its_predecessor_until_now(mama: Agent, clock: Clock, days: int) -> None:
    memory = kept(mama, "Anna lives in Porto")
    clock.wait(days=10)
    before = state_of(mama)
    with pytest.raises(InvalidInput, match="time"):
        mama.revise(memory.id, essence="Anna lives in Lisbon", time=NOON + days * DAY)
    assert state_of(mama) == before


def test_validity_bounds_what_an_answer_of_a_past_moment_says(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, "Anna lives in Porto", valid_from="2026-01-01", valid_to="2026-12-01")
    assert mama.recall("Anna lives in", as_of=NOON).hits[0].id == memory.id
    clock.wait(days=30)
    assert mama.recall("Anna lives in", as_of=clock.now).hits == ()
    open_again = mama.revise(memory.id, clear=["valid_to"])
    assert (open_again.valid_to, open_again.version) == (None, 2)
    assert mama.recall("Anna lives in", as_of=clock.now).hits[0].id == memory.id
    with pytest.raises(InvalidInput, match="valid_to"):
        mama.revise(memory.id, valid_to="2025-01-01")


def test_values_that_are_no_wording_change_without_a_new_version(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, "Anna lives in Porto")
    later = clock.wait(days=100)
    new = mama.revise(
        memory.id, kind="project", importance=0.4, priority="high", confidence=0.5, pinned=True, tags=["a"],
        topics=["b"], entities=["c"], scope=["src/**"], emotions=["joy", "love", "fear"],
    )  # fmt: skip
    assert (new.version, new.believed_from, new.kind, new.importance) == (1, NOON, Kind.PROJECT, 0.4)
    assert (new.confidence, new.confidence_at, new.pinned, new.updated_at) == (0.5, later, True, later)
    assert (new.tags, new.topics, new.entities, new.scope) == (("a",), ("b",), ("c",), ("src/**",))
    assert mama.get(memory.id) == new
    assert mama.portrait(memory.id).versions == ()


def test_what_was_given_can_be_cleared(mama: Agent) -> None:
    memory = kept(mama, "Anna lives in Porto", lesson="x", importance=0.5, tags=["a"], scope=["src/**"],
                  emotions=["joy", "love", "fear"], topics=["t"], entities=["e"], valid_from="2026-01-01")  # fmt: skip
    names = ["lesson", "importance", "tags", "scope", "emotions", "topics", "entities", "valid_from"]
    new = mama.revise(memory.id, clear=names)
    assert (new.lesson, new.importance, new.tags, new.scope, new.emotions) == (None, None, (), (), None)
    assert mama.get(memory.id) == new


def test_a_revision_that_changes_nothing_writes_nothing(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, "Anna lives in Porto", tags=["a"])
    before = state_of(mama)
    clock.wait(days=1)
    assert mama.revise(memory.id, essence="Anna lives in Porto", tags=["a"]) == memory
    assert state_of(mama) == before


@pytest.mark.parametrize("fields", [{"mood": "x"}, {"id": "x"}])
def test_a_bad_revision_writes_nothing(mama: Agent, fields: dict[str, object]) -> None:
    memory = kept(mama, "Anna lives in Porto")
    before = state_of(mama)
    with pytest.raises((InvalidInput, TypeError)):
        mama.revise(memory.id, **fields)  # type: ignore[arg-type]
    assert state_of(mama) == before


def test_a_forgotten_wording_does_not_come_back_by_revision(mama: Agent) -> None:
    mama.forget(kept(mama, "Anna lives in Porto").id)
    memory = kept(mama, "Anna lives somewhere")
    with pytest.raises(Forgotten):
        mama.revise(memory.id, essence="anna lives in PORTO")
    assert mama.revise(memory.id, essence="Anna lives in Porto", override=True).version == 2


def test_a_new_wording_is_found_and_the_old_one_is_not(mama: Agent) -> None:
    memory = kept(mama, "The wifi password hangs in the kitchen")
    mama.revise(memory.id, essence="Cats sleep on warm radiators")
    hit = mama.recall("cats radiators").hits[0]
    assert (hit.id, hit.text) == (memory.id, "Cats sleep on warm radiators")
    assert mama.recall("wifi kitchen", strategy="lexical").hits == ()
    assert [m.id for m in mama.memories(match="radiators")] == [memory.id]
    assert mama.memories(match="kitchen") == []


def test_another_embedder_may_not_reword(open_bank: Open) -> None:
    memory = kept(open_bank().agent("mama"), "Anna lives in Porto")
    other = open_bank(embedder=HashingEmbedder.for_tests(64)).agent("mama")
    with pytest.raises(EmbedderMismatch):
        other.revise(memory.id, essence="Anna lives in Lisbon")
    assert other.get(memory.id) == memory


def test_times_of_a_revision_are_read_in_the_agents_zone(open_bank: Open) -> None:
    papa = open_bank().agent("papa", time_zone="Europe/Budapest")
    memory = kept(papa, "Anna lives in Porto")
    new = papa.revise(memory.id, valid_from="2026-07-01T12:00")
    assert new.valid_from == datetime(2026, 7, 1, 10, tzinfo=UTC)


def test_what_is_reworded_is_no_quotation_any_more(mama: Agent) -> None:
    mama.observe({"role": "user", "speaker": "Anna", "content": "I never eat peanuts."})
    [memory] = mama.memories()
    assert memory.quoted is not None
    assert mama.revise(memory.id, importance=0.9).quoted == memory.quoted
    assert mama.revise(memory.id, essence="Anna never eats nuts").quoted is None


@pytest.mark.parametrize("reader", [Agent.sleep, Agent.attend])
def test_what_was_corrected_is_not_learned_again_from_the_same_message(
    mama: Agent, reader: Callable[[Agent], object]
) -> None:
    mama.observe({"role": "user", "speaker": "Anna", "content": "My favourite restaurant is Mak in Pest."})
    [memory] = mama.memories()
    new = mama.revise(memory.id, essence="My favourite restaurant is Mak in Buda.")
    reader(mama)
    assert mama.memories() == [new]
    mama.observe({"role": "user", "speaker": "Anna", "content": "My favourite restaurant is Mak in Pest!"})
    assert len(mama.memories()) == 2  # said anew, it is news


def test_what_was_corrected_is_not_quoted_in_a_context(mama: Agent) -> None:
    said = "My favourite restaurant is Mak in Pest. We always sit by the window there."
    mama.observe({"role": "user", "speaker": "Anna", "content": said})
    [memory] = [one for one in mama.memories() if "Pest" in one.essence]
    task = "book my favourite restaurant, a table by the window"
    assert "Pest" in mama.context(task).text
    mama.revise(memory.id, essence="My favourite restaurant is Mak in Buda.")
    text = mama.context(task).text
    assert "Buda" in text
    assert "Pest" not in text
    assert "We always sit by the window there." in text
    mama.revise(memory.id, essence="My favourite restaurant is Mak in Pest. It has a garden.")
    assert "Buda" not in mama.context(task).text
