"""What a neural link copies, what it leaves, and what the receiver has already; on each engine."""

from __future__ import annotations

from itertools import pairwise

import pytest

from reverie import Agent, Connection, Forgotten, Reverie
from reverie.domain.memory import State
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import EmbedderMismatch
from reverie.memory.trust import may_instruct
from tests.contract.store_rows import a_page, a_view
from tests.services.bench import NOON, Clock, kept, state_of
from tests.services.conftest import Open
from tests.services.linked import by_essence, lived, share, summarized

pytestmark = pytest.mark.slow


@pytest.fixture
def nova(reverie: Reverie) -> Agent:
    nova = reverie.agent("nova")
    nova.set_profile(time_zone="UTC")
    return nova


def test_everything_comes_with_what_hangs_on_it(nova: Agent, kade: Agent, clock: Clock) -> None:
    lived(kade, clock)
    before = state_of(kade)[:3]
    link = share(nova, kade)
    assert state_of(kade)[:3] == before
    ours, theirs = by_essence(nova), by_essence(kade)
    assert ours.keys() == theirs.keys()
    for essence, one in ours.items():
        own = theirs[essence]
        assert one.id != own.id
        for name in "kind lesson state confidence tags created_at version importance valid_from".split():
            assert getattr(one, name) == getattr(own, name)
        assert (one.learned_from, str(one.source_trust)) == ("kade", "external")
        assert (one.pinned, one.touches) == (False, 0)
        assert not may_instruct(one)
    ferry = ours["The ferry leaves at seven"]
    with nova._desk.store.read("nova") as unit:
        assert [past.essence for past in unit.memories.versions(ferry.id)] == ["The ferry leaves at six"]
    (procedure,) = nova.procedures.list()
    steps = procedure.steps
    assert (steps.name, steps.steps, steps.success_count) == ("moor", ("throw the rope", "tie it"), 1)
    goal = by_essence(nova)["Sail around the island"]
    with nova._desk.store.read("nova") as unit:
        assert unit.goals.achieved([goal.id])[goal.id].note == "in May"
    with nova._desk.store.read("nova") as unit:
        (edge,) = [one for one in unit.memories.connections([ferry.id]) if one.relation == "supports"]
        assert unit.memories.get([edge.target])[edge.target].essence == "Rope is sold at the quay"
        copies = {item.source_id: item.id for item in unit.links.items(link, corpus="memories")}
        ours_vectors = unit.memories.vectors(copies.values())
    with kade._desk.store.read("kade") as unit:
        for id, vector in unit.memories.vectors(copies).items():
            assert (vector == ours_vectors[copies[id]]).all()


def test_messages_come_as_external_in_rooms_that_no_job_reads(nova: Agent, kade: Agent, clock: Clock) -> None:
    lived(kade, clock)
    share(nova, kade)
    said = nova.episodes()
    assert [(one.conversation, one.channel, one.content, one.speaker, one.ref) for one in said] == [
        ("link:kade:harbour", "link", "The ferry leaves at six", "Ann", "r1"),
        ("link:kade:harbour", "link", "Bring rope", None, None),
    ]
    assert all(one.consolidated_at is not None and str(one.source_trust) == "external" for one in said)
    ferry = by_essence(nova)["The ferry leaves at seven"]
    assert set(ferry.source_episodes) == {one.id for one in said}
    (room,) = nova.conversations()
    assert (room.episodes, room.participants, room.channel) == (2, ("Ann",), "link")
    assert nova.recall_episodes("when does the ferry leave?").hits[0].text == "The ferry leaves at six"
    with nova._desk.store.read("nova") as unit:
        assert unit.watermarks.count_behind("loop") == 0
        assert unit.episodes.count_unconsolidated() == 0
    assert nova.memories(match="ferry")[0].learned_from == "kade"


def test_what_the_receiver_knows_is_not_doubled(nova: Agent, kade: Agent, clock: Clock) -> None:
    lived(kade, clock)
    own = kept(nova, "Rope is sold at the quay", tags=["harbour"])
    near = kept(nova, "The ferry leaves at nine")
    share(nova, kade)
    (line,) = nova.link.list()
    assert line.counts["duplicates"] == 1
    ours = by_essence(nova)
    assert ours["Rope is sold at the quay"] == own
    assert ours["The ferry leaves at nine"] == near
    ferry = ours["The ferry leaves at seven"]
    with nova._desk.store.read("nova") as unit:
        assert own.id in {one.target for one in unit.memories.connections([ferry.id])}


def test_a_message_that_both_heard_is_not_doubled(nova: Agent, kade: Agent, clock: Clock) -> None:
    said = {"content": "The plaza is closed", "speaker": "Ann"}
    for agent in (nova, kade):
        agent.observe(said, conversation="plaza")
    (own,) = nova.episodes()
    kept(kade, "Ann closed the plaza", source_episodes=[kade.episodes()[0].id])
    share(nova, kade)
    assert [one.id for one in nova.episodes()] == [own.id]
    assert by_essence(nova)["Ann closed the plaza"].source_episodes == (own.id,)


def test_a_second_link_brings_only_what_is_new(nova: Agent, kade: Agent, clock: Clock) -> None:
    lived(kade, clock)
    share(nova, kade)
    before = by_essence(nova)
    kade.observe("The quay burned", conversation="harbour")
    kept(kade, "The quay burned down")
    share(nova, kade)
    assert nova.link.list(limit=1)[0].counts["memories"] == 1
    assert by_essence(nova).keys() - before.keys() == {"The quay burned down"}
    assert [one.content for one in nova.episodes()][-1] == "The quay burned"
    assert [*nova._desk.store.check()] == []


def test_what_the_giver_has_from_the_receiver_does_not_come_back(nova: Agent, kade: Agent) -> None:
    nova.observe("I hid the key under the stone")
    kept(nova, "The key is under the stone")
    share(kade, nova)
    before = state_of(nova)[:3]
    kept(kade, "The door has two locks")
    share(nova, kade)
    ours = by_essence(nova)
    assert {one: memory.learned_from for one, memory in ours.items()} == {
        "The key is under the stone": None, "The door has two locks": "kade",
    }  # fmt: skip
    assert nova.episodes() == before[1]


def test_what_the_receiver_forgot_stays_out(nova: Agent, kade: Agent) -> None:
    secret = kept(nova, "Ann's safe opens with 7712")
    (heard,) = nova.observe("Ann's safe opens with 7712 and a kick", conversation="den").episode_ids
    nova.forget(secret.id)
    nova.forget(heard)
    kept(kade, "Ann's safe opens with 7712")
    kept(kade, "Ann has a safe", lesson="Ann's safe opens with 7712")
    kade.observe("Ann's safe opens with 7712 and a kick", conversation="den")
    share(nova, kade)
    assert {essence: one.lesson for essence, one in by_essence(nova).items()} == {"Ann has a safe": None}
    assert nova.episodes() == []
    assert nova.link.list()[0].counts["forgotten"] == 2
    with pytest.raises(Forgotten):
        nova.remember("Ann's safe opens with 7712")


def test_narrow_terms_share_what_passes_alone(nova: Agent, kade: Agent, clock: Clock) -> None:
    lived(kade, clock)
    seen = kade.observe(["The map is in the den", "Nobody knows of it"], conversation="den").episode_ids
    kept(kade, "The map is in the den", source_episodes=seen[:1], tags=["treasure"])
    kept(kade, "The map is old", tags=["treasure"], kind="observation")
    share(nova, kade, tags=["treasure"], kinds=["fact"])
    assert set(by_essence(nova)) == {"The map is in the den"}
    assert [one.content for one in nova.episodes()] == ["The map is in the den"]
    assert nova.link.list()[0].terms.tags == ("treasure",)
    with nova._desk.store.read("nova") as unit:
        (only,) = by_essence(nova).values()
        assert unit.memories.connections([only.id]) == []


def test_narrowing_by_scope_shares_what_holds_for_that_path(nova: Agent, kade: Agent) -> None:
    kept(kade, "Use tabs in the harbour code", scope=["harbour/**"])
    kept(kade, "Use spaces in the den code", scope=["den/**"])
    share(nova, kade, scope="harbour/main.py")
    assert set(by_essence(nova)) == {"Use tabs in the harbour code"}


def test_procedures_of_one_name_stand_side_by_side_unless_equal(nova: Agent, kade: Agent) -> None:
    for agent, last in ((nova, "tie it"), (kade, "tie it twice")):
        agent.procedures.record("moor", ["throw the rope", last])
        agent.procedures.record("cook", ["boil"])
    share(nova, kade)
    assert {one.steps.name: one.steps.steps[-1] for one in nova.procedures.list()} == {
        "cook": "boil", "moor": "tie it", "moor (kade)": "tie it twice",
    }  # fmt: skip


def test_a_summary_comes_with_what_it_stands_for(nova: Agent, kade: Agent) -> None:
    one, other = kept(kade, "We met in May"), kept(kade, "We parted in June")
    summarized(kade, kept(kade, "A story of one spring", tags=["story"]), one, other)
    share(nova, kade)
    ours = by_essence(nova)
    assert [ours[one].state for one in ("We met in May", "We parted in June")] == [State.SUMMARIZED] * 2
    with nova._desk.store.read("nova") as unit:
        (copy,) = unit.summaries.list()
        assert (copy.memory_id, copy.items) == (ours["A story of one spring"].id, 2)
        assert set(unit.summaries.members(copy.memory_id)) == {
            ours["We met in May"].id, ours["We parted in June"].id
        }  # fmt: skip


def test_summarized_memories_without_their_summary_are_active(nova: Agent, kade: Agent) -> None:
    one = kept(kade, "We met in May", tags=["spring"])
    summarized(kade, kept(kade, "A story of one spring"), one)
    share(nova, kade, tags=["spring"])
    assert {essence: memory.state for essence, memory in by_essence(nova).items()} == {
        "We met in May": "active"
    }


def test_soul_diary_and_relationships_come_only_when_included(nova: Agent, kade: Agent) -> None:
    nova.soul.add("I keep my word")
    kade.soul.add("Information is the only real currency")
    with kade._desk.store.write("kade") as unit:
        unit.diary.put(a_page("2026-05-13"), ["words"])
        unit.relationships.add(a_view("v1", other="Mira"))
    share(nova, kade)
    assert (by_essence(nova), nova.episodes()) == ({}, [])
    share(nova, kade, include=["soul", "diary", "relationships"])
    assert nova.link.list(limit=1)[0].counts == {"diary": 1, "relationships": 1, "soul": 1}
    ours = by_essence(nova)
    assert ours["Information is the only real currency"].tags == ("soul",)
    (view,) = [one for one in ours.values() if one.kind == "relationship"]
    assert view.essence.startswith("kade sees Mira as ally (trust +0.2), tone warm: why v1")
    (note,) = nova.episodes()
    assert (note.conversation, note.speaker) == ("link:kade:diary", "kade")
    assert "words of 2026-05-13" in note.content
    assert [one.text for one in nova.soul.list()] == ["I keep my word"]
    with nova._desk.store.read("nova") as unit:
        assert (unit.diary.count(), unit.relationships.history()) == (0, [])
    before = len(ours)
    share(nova, kade, include=["soul", "diary", "relationships"])
    assert (len(by_essence(nova)), len(nova.episodes())) == (before, 1)


def test_an_adopted_link_may_instruct(nova: Agent, kade: Agent, clock: Clock) -> None:
    lived(kade, clock)
    link = share(nova, kade)
    policy = by_essence(nova)["Never lend the boat to strangers"]
    assert not may_instruct(policy)
    assert nova.adopt(link) == len(by_essence(nova))
    assert nova.adopt(link) == 0
    assert may_instruct(by_essence(nova)["Never lend the boat to strangers"])
    *_, last = nova.audit(target=policy.id)
    assert (last.action, last.before, last.after) == (
        "adopt", {"source_trust": "external"}, {"source_trust": "principal"}
    )  # fmt: skip


def test_banks_of_two_embedders_share_nothing(nova: Agent, kade: Agent, open_bank: Open) -> None:
    kept(kade, "The map is in the den")
    other = open_bank(embedder=HashingEmbedder.for_tests(24))
    mira = other.agent("mira")
    kept(mira, "The den is dark")
    asked = mira.link.request("kade")
    with pytest.raises(EmbedderMismatch, match="kade"):
        other.agent("kade").link.accept(asked.id)
    with pytest.raises(EmbedderMismatch, match="mira"):
        kade.link.accept(asked.id)
    assert mira.link.list()[0].state == "pending"


def test_long_names_of_conversations_are_cut_and_stay_apart(nova: Agent, kade: Agent) -> None:
    for end in "ab":
        kade.observe(f"said in {end}", conversation="c" * 199 + end)
    share(nova, kade)
    rooms = [one.id for one in nova.conversations()]
    assert len(set(rooms)) == 2
    assert {len(one) for one in rooms} == {200}


def test_an_empty_bank_shares_nothing(nova: Agent, kade: Agent) -> None:
    kade.soul.add("I am new here")
    share(nova, kade)
    assert (nova.link.list()[0].counts, by_essence(nova)) == ({}, {})


def test_a_page_is_no_border(nova: Agent, kade: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reverie.services.link.rows.PAGE", 3)
    said = kade.observe([f"line {number}" for number in range(8)]).episode_ids
    for number, source in enumerate(said):
        colour = "red" if number % 2 else "green"
        kept(kade, f"The buoy numbered {number * 11} is {colour}", source_episodes=[source])
    ids = sorted(one.id for one in by_essence(kade).values())
    with kade._desk.store.write("kade") as unit:
        for one, other in pairwise(ids):
            unit.memories.connect(Connection(source=one, target=other, relation="supports", created_at=NOON))
    share(nova, kade)
    (line,) = nova.link.list()
    assert (line.counts["memories"], line.counts["episodes"]) == (8, 8)
    with nova._desk.store.read("nova") as unit:
        copies = [one.id for one in by_essence(nova).values()]
        assert len([one for one in unit.memories.connections(copies) if one.relation == "supports"]) == 7
