"""forget: for good, everywhere, with a receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest

from reverie import (
    Action,
    Agent,
    Busy,
    CaptureSettings,
    Forgotten,
    NotFound,
    Reinforced,
    Reverie,
    Settings,
)
from reverie.embedders.hashing import HashingEmbedder
from tests.services.bench import NOON, Clock, kept, state_of
from tests.services.conftest import Open
from tests.services.kept_house import kept_house, planted, twins
from tests.services.moody import Moody
from tests.services.scripted import Scripted

ESSENCE = "Péter is allergic to peanuts"


@pytest.fixture
def reverie(open_bank: Open) -> Reverie:
    """Banks that keep nothing by themselves."""
    return open_bank(settings=Settings(capture=CaptureSettings(enabled=False)))


def _gone(agent: Agent, words: str) -> None:
    for recall in (agent.recall(words, deep=True), agent.recall_episodes(words)):
        assert not [hit for hit in recall.hits if words.split()[-1] in hit.text]
    assert agent.memories(match=words, deep=True) == []
    assert agent.episodes(match=words) == []
    assert words.split()[-1] not in repr(agent.audit(limit=1000))


def test_a_memory_goes_with_its_history_edges_and_audit_payloads(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, ESSENCE, lesson="no satay")
    near = kept(mama, "Péter is not allergic to peanuts")
    clock.wait(days=1)
    mama.revise(memory.id, essence="Péter is allergic to walnuts", reason="satay mixed up")
    receipt = mama.forget(memory.id)
    assert (receipt.memories, receipt.episodes, receipt.tombstones) == ((memory.id,), (), 3)
    assert receipt.elsewhere
    with pytest.raises(NotFound):
        mama.get(memory.id)
    log = mama.audit(target=memory.id)
    assert [entry.action for entry in log] == [Action.REMEMBER, Action.REVISE, Action.FORGET]
    assert all((entry.before, entry.after, entry.reason) == (None, None, None) for entry in log)
    assert mama.portrait(near.id).connections == ()
    for words, deep, as_of in product(("satay walnuts", ESSENCE), (False, True), (None, NOON)):
        hits = mama.recall(words, deep=deep, as_of=as_of, min_score=0).hits
        assert [hit.id for hit in hits] == [near.id]
    _gone(mama, "allergic walnuts")


def test_sources_lose_its_sentences_or_go_when_nothing_is_left(mama: Agent) -> None:
    only, more, other = mama.observe(
        [f"{ESSENCE}!", f"We meet on Monday. {ESSENCE}. Bring water.", "The weather is fine."]
    ).episode_ids
    memory = kept(mama, ESSENCE, source_episodes=[only, more])
    receipt = mama.forget(memory.id)
    assert (receipt.episodes, receipt.rewritten_episodes) == ((only,), (more,))
    assert {e.id: e.content for e in mama.episodes()} == {
        more: "We meet on Monday. Bring water.", other: "The weather is fine.",
    }  # fmt: skip
    assert mama.recall_episodes("Monday water").hits[0].id == more
    _gone(mama, "allergic peanuts")


def test_sources_lose_the_sentences_of_an_old_wording_too(mama: Agent) -> None:
    (said,) = mama.observe(f"We meet on Monday. {ESSENCE}. Bring water.").episode_ids
    memory = kept(mama, ESSENCE, source_episodes=[said])
    mama.revise(memory.id, essence="Anna hates cucumber")
    assert mama.forget(memory.id).rewritten_episodes == (said,)
    assert [episode.content for episode in mama.episodes()] == ["We meet on Monday. Bring water."]


def test_an_episode_takes_with_it_what_rests_on_it_alone(mama: Agent) -> None:
    first, second = mama.observe([f"{ESSENCE}.", "Anna likes tea."]).episode_ids
    alone = kept(mama, ESSENCE, source_episodes=[first])
    both = kept(mama, "Anna likes tea", source_episodes=[first, second])
    receipt = mama.forget(first)
    assert (receipt.memories, receipt.episodes) == ((alone.id,), (first,))
    assert receipt.unlinked_memories == (both.id,)
    assert mama.portrait(both.id).memory.source_episodes == (second,)
    assert mama.stats().episodes == 1


def test_a_conversation_goes_as_a_whole_and_no_other(mama: Agent) -> None:
    gone = mama.observe([ESSENCE, "ok"], conversation="one").episode_ids
    stays = mama.observe("hello", conversation="two").episode_ids
    memory = kept(mama, ESSENCE, source_episodes=[gone[0]])
    receipt = mama.forget(conversation="one")
    assert (receipt.episodes, receipt.conversations) == (tuple(sorted(gone)), ("one",))
    assert receipt.memories == (memory.id,)
    assert [c.id for c in mama.conversations()] == ["two"]
    assert [e.id for e in mama.episodes()] == [*stays]
    with pytest.raises(NotFound, match="conversation"):
        mama.forget(conversation="one")


def test_a_range_of_time_takes_what_was_said_and_learned_in_it(mama: Agent, clock: Clock) -> None:
    said, learned = [], []
    for n in range(4):
        said.append(mama.observe(f"message {n}").episode_ids[0])
        learned.append(kept(mama, f"Fact number {n}").id)
        clock.wait(days=1)
    receipt = mama.forget(since=NOON + timedelta(days=1), until=NOON + timedelta(days=3))
    assert receipt.episodes == tuple(sorted(said[1:3]))
    assert receipt.memories == tuple(sorted(learned[1:3]))
    assert mama.forget(until=NOON + timedelta(days=1)).memories == (learned[0],)
    assert mama.forget(since=NOON).memories == (learned[3],)
    assert mama.stats().memories == mama.stats().episodes == 0


def test_other_agents_keep_their_copies(reverie: Reverie, mama: Agent) -> None:
    papa = reverie.agent("papa")
    for agent in (mama, papa):
        agent.observe({"content": ESSENCE, "ref": "m1"}, conversation="c")
        kept(agent, ESSENCE)
    before = state_of(papa)
    mama.forget(everything=True)
    assert state_of(papa) == before
    with pytest.raises(NotFound):
        papa.forget(kept(mama, "Anna likes tea").id)
    assert isinstance(papa.remember(ESSENCE), Reinforced)  # no tombstone of mama's holds papa


def test_another_process_no_longer_finds_what_was_forgotten(open_bank: Open) -> None:
    one, other = open_bank().agent("mama"), open_bank().agent("mama")
    memory = kept(one, ESSENCE)
    one.observe(ESSENCE)
    assert other.recall("peanuts").hits
    one.forget(memory.id)
    one.forget(conversation="main")
    assert other.recall("peanuts").hits == ()
    assert other.recall_episodes("peanuts").hits == ()


def test_a_touch_that_comes_late_does_not_bring_a_memory_back(open_bank: Open) -> None:
    one, other = open_bank(), open_bank()
    memory = kept(one.agent("mama"), ESSENCE)
    assert other.agent("mama").recall("peanuts").hits
    one.agent("mama").forget(memory.id)
    other.close()  # flushes the touch of what is gone
    assert one.agent("mama").memories(deep=True) == []


def test_what_is_only_changed_by_a_forget_is_audited_too(mama: Agent) -> None:
    mixed = mama.observe(f"Hi there, how are you. {ESSENCE}.").episode_ids[0]
    other = mama.observe("Anna likes tea, she said").episode_ids[0]
    memory = kept(mama, ESSENCE, source_episodes=[mixed])
    tea = kept(mama, "Anna likes tea", source_episodes=[other, mixed])
    mama.forget(memory.id)
    assert [e.reason for e in mama.audit(target=mixed)] == ["some of its sentences were forgotten"]
    mama.forget(other)
    assert mama.audit(target=tea.id)[-1].reason == "some of its source episodes were forgotten"


def test_a_forgotten_lesson_is_not_learned_again_either(mama: Agent) -> None:
    memory = kept(mama, ESSENCE, lesson="Never cook satay for him")
    mama.forget(memory.id)
    with pytest.raises(Forgotten, match="lesson"):
        mama.remember("Anna asked about dinner", lesson="never cook satay for him!")
    other = kept(mama, "Anna asked about dinner")
    with pytest.raises(Forgotten, match="lesson"):
        mama.revise(other.id, lesson="Never cook satay for him.")


def test_what_is_forgotten_meanwhile_is_no_source(
    reverie: Reverie, mama: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = mama.observe("Anna likes tea").episode_ids[0]
    embed = HashingEmbedder.embed

    def slowly(self: HashingEmbedder, texts: Sequence[str]) -> object:
        monkeypatch.setattr(HashingEmbedder, "embed", embed)
        mama.forget(episode)
        return embed(self, texts)

    monkeypatch.setattr(HashingEmbedder, "embed", slowly)
    with pytest.raises(NotFound, match=episode):
        mama.remember("Anna drinks tea", source_episodes=[episode])
    assert mama.memories() == []


@pytest.mark.parametrize("scoured", [True, False, Busy("the file", 1)], ids=["clean", "not clean", "busy"])
def test_the_receipt_names_spare_pages_that_may_hold_it(
    reverie: Reverie, mama: Agent, monkeypatch: pytest.MonkeyPatch, scoured: bool | Busy
) -> None:
    def scour() -> bool:
        if isinstance(scoured, Busy):
            raise scoured
        return scoured

    memory = kept(mama, ESSENCE)
    monkeypatch.setattr(reverie._desk.store, "scour", scour)
    elsewhere = mama.forget(memory.id).elsewhere
    assert any("backups" in place for place in elsewhere)
    assert any("spare pages" in place for place in elsewhere) is (scoured is not True)
    assert mama.memories(deep=True) == []


@pytest.mark.parametrize("place", [0, 1])
def test_merged_memories_go_together_whichever_is_named(mama: Agent, place: int) -> None:
    said = "Anna keeps her passport in the blue drawer"
    one, other = twins(said, said)
    planted(mama, one, replace(other, lesson="Look under the tulip vase"))
    (merged,) = kept_house(mama, Scripted()).merged
    pair = (merged.survivor, merged.merged)
    receipt = mama.forget(pair[place])
    assert receipt.memories == tuple(sorted(pair))
    assert mama.memories(deep=True) == []
    _gone(mama, "passport tulip")


def test_what_superseded_a_forgotten_memory_stays(mama: Agent) -> None:
    old = kept(mama, "Anna lives in Lisbon")
    new = mama.remember("Since May her home is a house boat", supersedes=[old.id]).memory
    assert mama.forget(old.id).memories == (old.id,)
    assert mama.portrait(new.id).memory.essence == "Since May her home is a house boat"


DAY, LATER = NOON + timedelta(days=1), NOON + timedelta(days=3)


def test_a_range_takes_notes_written_in_it_and_leaves_counts(mama: Agent, clock: Clock) -> None:
    steps = mama.procedures.record("deploy", ["test", "push"], outcome="success", note="all is well")
    goal = mama.goals.add("Learn to sail this summer")
    clock.wait(days=2)
    mama.procedures.record("deploy", outcome="failure", note="the zebra gate was closed")
    mama.goals.complete(goal.id, note="a zebra was there")
    clock.wait(days=2)
    receipt = mama.forget(since=DAY, until=LATER)
    assert receipt.memories == receipt.episodes == ()
    assert "zebra" not in repr((mama.audit(limit=1000), mama.goals.list(achieved=True), steps))
    with mama._desk.store.read("mama") as unit:
        notes = [run.note for run in unit.procedures.runs(steps.id)]
    assert notes == ["all is well", None]
    (known,) = mama.procedures.list()
    assert (known.steps.success_count, known.steps.failure_count) == (1, 1)


def test_a_note_leaves_the_log_though_its_goal_was_reopened(mama: Agent, clock: Clock) -> None:
    goal = mama.goals.add("Learn to sail this summer")
    clock.wait(days=2)
    mama.goals.complete(goal.id, note="a zebra was there")
    clock.wait(days=2)
    mama.goals.reopen(goal.id)
    mama.forget(since=DAY, until=LATER)
    assert "zebra" not in repr(mama.audit(limit=1000))


def test_a_range_takes_the_soul_entries_made_in_it_and_no_other(mama: Agent, clock: Clock) -> None:
    old = mama.soul.add("I keep my word")
    clock.wait(days=2)
    new, left = mama.soul.add("I fear every zebra"), mama.soul.add("I never trust a zebra")
    clock.wait(days=2)
    mama.soul.remove(left.id)
    receipt = mama.forget(since=DAY, until=LATER)
    assert receipt.soul == (new.id,)
    assert list(mama.soul.list()) == [old]
    assert "zebra" not in repr(mama.audit(limit=1000))
    assert "I keep my word" in repr(mama.audit(limit=1000))
    with pytest.raises(Forgotten):
        mama.soul.add("I fear every zebra")


def test_while_the_embedder_fails_messages_go_whole(open_bank: Open) -> None:
    moody = Moody()
    with open_bank(embedder=moody) as reverie:
        agent = reverie.agent("mama")
        said = agent.observe("My PIN is on the yellow note. Also, buy milk.").episode_ids
        pin = kept(agent, "The PIN is on the yellow note", source_episodes=said)
        milk = kept(agent, "Milk is to be bought", source_episodes=said)
        moody.broken = True
        receipt = agent.forget(pin.id)
        assert (receipt.memories, receipt.episodes, receipt.whole_episodes) == ((pin.id,), said, said)
        assert (receipt.rewritten_episodes, receipt.unlinked_memories) == ((), (milk.id,))
        assert agent.episodes() == []
        assert [one.id for one in agent.memories()] == [milk.id]
        assert "yellow" not in repr(agent.audit(limit=1000))
        moody.broken = False
        with pytest.raises(Forgotten):
            agent.remember("the PIN is on the yellow note!")
