"""import: an export makes an equal bank, and nothing else ever enters one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reverie import Agent, EmbedderMismatch, Forgotten, InvalidInput, Reverie
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.change import Change, Reinforce
from reverie.domain.imported import Counted
from reverie.domain.memory import Connection, Memory
from reverie.errors import DiskFull
from reverie.ports.embedder import Embedder
from reverie.ports.night import Night
from reverie.ports.transfer import AGENT
from reverie.services.aggregates import SHAPES
from reverie.services.exchange.import_plan import ImportPlan, planned
from reverie.services.exchange.importing import import_bank
from reverie.store.memories import MemoryRows
from tests.services.bench import Clock, kept, opened
from tests.services.exports import bank_of, brought, lined, lines_of, lived
from tests.services.houses import answers
from tests.services.nights import said_in, slept
from tests.services.traces import holding
from tests.tables import CACHES, TABLES, UNREVISED

pytestmark = pytest.mark.slow


@pytest.fixture
def papa(reverie: Reverie) -> Agent:
    """Another agent that has written nothing."""
    return reverie.agent("papa")


@pytest.mark.parametrize("with_vectors", [True, False], ids=["vectors", "no vectors"])
def test_an_import_equals_its_export(mama: Agent, papa: Agent, clock: Clock, with_vectors: bool) -> None:
    lived(mama, clock)
    lines = lines_of(mama, with_vectors=with_vectors)
    assert {one["type"] for one in lines} == {*SHAPES, "end"}
    told = brought(papa, lines, dry_run=True)
    assert (told.dry_run, bank_of(papa)) == (True, ())
    done = brought(papa, lines)
    assert (told.counts, told.embedded) == (done.counts, done.embedded)
    assert (done.new, done.source, done.agent_id) == (True, "mama", "papa")
    assert {kind: one.total for kind, one in done.counts.items()} == {
        kind: count for kind, count in lines[-1]["counts"].items() if kind != "reverie"
    }
    assert {kind: one.added for kind, one in done.counts.items()} == {
        kind: one.total for kind, one in done.counts.items()
    }
    assert bool(done.embedded) is not with_vectors
    bank = bank_of(mama)
    assert bank_of(papa) == bank
    twice = brought(papa, lines)
    assert (twice.new, twice.changed, twice.embedded) == (False, 0, 0)
    assert {one.known for one in twice.counts.values()} == {one.total for one in twice.counts.values()}
    assert bank_of(papa) == bank
    again = lines_of(papa, with_vectors=True)
    log = [one for one in again if one["type"] == "audit" and one["action"] != "import"]
    assert log == [one for one in lines if one["type"] == "audit"]
    mine, yours = answers(mama), answers(papa)
    assert mine.keys() == yours.keys()
    assert mine == pytest.approx(yours, abs=1e-6)
    with pytest.raises(Forgotten):
        papa.remember("the PIN is on the yellow note!")
    with papa._desk.store.read("papa") as unit:  # the memory loop reads nothing twice
        assert unit.watermarks.get("loop", "kitchen").position == 4
        assert dict(unit.conversations.next_positions(["kitchen"])) == {"kitchen": 6}


def test_every_table_is_exported_or_left_out_on_purpose() -> None:
    exported = {
        "conversations", "participants", "episodes", "memories", "memory_versions", "memory_sources", "connections",
        "soul", "sleeps", "procedures", "procedure_runs", "achievements", "dues", "items", "audit", "tombstones",
        "memory_touches", "diary", "diary_words", "relationships", "summaries", "neural_links", "link_items",
        "link_blocks", "watermarks", "outbox", "agents",
    }  # fmt: skip
    left_out = {"deletions", "counters", *CACHES}
    assert exported | left_out == {*TABLES, *UNREVISED, *CACHES, AGENT}


def test_without_the_log_changes_are_told_by_the_import(mama: Agent, papa: Agent, clock: Clock) -> None:
    lived(mama, clock)
    lines = lines_of(mama, with_log=False)
    assert not {"audit", "sleep"} & {one["type"] for one in lines}
    brought(papa, lines)
    assert bank_of(papa) == bank_of(mama)
    log = papa.audit(limit=1000)
    assert {one.target for one in log} == {"papa", *(one.id for one in papa.memories(deep=True, limit=99))}
    assert {(str(one.action), one.actor) for one in log} == {("import", "caller")}


class TestConflicts:
    """Where the bank is not empty."""

    def test_what_is_new_joins_what_is_there(self, mama: Agent, papa: Agent, clock: Clock) -> None:
        lived(mama, clock)
        own = kept(papa, "The tram is late")
        papa.observe("I am here already", conversation="kitchen")
        done = brought(papa, lines_of(mama))
        assert not done.new
        assert done.counts["profile"] == Counted(kept=1)
        assert done.counts["tombstone"].left_out == done.counts["tombstone"].total > 0
        assert papa.get(own.id) == own
        there = {one.id for one in papa.memories(deep=True, limit=99)}
        assert there == {own.id, *(one.id for one in mama.memories(deep=True, limit=99))}
        said = papa.episodes(conversations=["kitchen"], limit=99)
        assert len({one.position for one in said}) == len(said) == 6

    def test_by_default_a_difference_is_refused_as_a_whole(self, mama: Agent, clock: Clock) -> None:
        lived(mama, clock)
        lines = lines_of(mama)
        changed = next(one["id"] for one in lines if one["type"] == "memory")
        clock.wait(days=1)
        mama.revise(changed, importance=0.1)
        mama.soul.remove(next(one["id"] for one in lines if one["type"] == "soul"))
        before = bank_of(mama)
        with pytest.raises(InvalidInput, match=rf"1 of its lines differ .*\(memory {changed}\)"):
            brought(mama, lines)
        assert bank_of(mama) == before

    @pytest.mark.parametrize(
        ("rule", "ours", "theirs"), [("skip", 0.1, 0.2), ("replace", 0.9, 0.9), ("newer", 0.1, 0.9)]
    )
    def test_of_two_that_differ_the_rule_says_which_stays(
        self, mama: Agent, papa: Agent, clock: Clock, rule: str, ours: float, theirs: float
    ) -> None:
        one = kept(mama, "Péter likes tea", importance=0.5)
        other = kept(mama, "Anna likes cocoa", importance=0.5)
        brought(papa, lines_of(mama))
        papa.revise(other.id, importance=0.2, essence="Anna likes hot cocoa")
        clock.wait(days=1)
        for id in (one.id, other.id):
            mama.revise(id, importance=0.9)
        clock.wait(days=1)
        papa.revise(one.id, importance=0.1)
        done = brought(papa, lines_of(mama), on_conflict=rule)
        left = {each.id: each for each in papa.memories()}
        assert (left[one.id].importance, left[other.id].importance) == (ours, theirs)
        replaced = {"skip": 0, "replace": 2, "newer": 1}[rule]
        assert done.counts["memory"] == Counted(replaced=replaced, kept=2 - replaced)
        if rule == "replace":
            assert papa.portrait(other.id).versions == ()
            assert bank_of(papa) == bank_of(mama)
        log = papa.audit(limit=1000)
        assert sum(str(entry.action) == "import" and entry.before is not None for entry in log) == replaced

    def test_what_says_the_same_word_for_word_is_not_stored_twice(self, mama: Agent, papa: Agent) -> None:
        tea = kept(mama, "Péter likes tea")
        cup = kept(mama, "The cup is blue", supersedes=[kept(mama, "The cup is red").id])
        known = kept(papa, "péter  likes tea")
        with mama._desk.store.write("mama") as unit:
            unit.memories.connect(
                Connection(source=cup.id, target=tea.id, relation="near", created_at=tea.created_at)
            )
        done = brought(papa, lines_of(mama))
        assert done.counts["memory"] == Counted(added=2, known=1)
        [edge] = [one for one in papa.portrait(cup.id).connections if one.relation == "near"]
        assert (edge.source, edge.target) == (cup.id, known.id)

    def test_a_message_of_the_same_ref_is_the_same_message(self, mama: Agent, papa: Agent) -> None:
        [said] = mama.observe({"content": "The kettle whistles", "ref": "r1"}).episode_ids
        [own] = papa.observe({"content": "The kettle whistles", "ref": "r1"}).episode_ids
        fact = kept(mama, "There is a kettle", source_episodes=[said])
        assert brought(papa, lines_of(mama)).counts["episode"] == Counted(known=1)
        [found] = papa.memories()
        assert (found.id, found.source_episodes) == (fact.id, (own,))

    def test_a_procedure_of_a_name_that_is_taken_gives_way(self, mama: Agent, papa: Agent) -> None:
        mama.procedures.record("deploy", ["tag", "push"])
        papa.procedures.record("Deploy", ["push"])
        lines = lines_of(mama)
        with pytest.raises(InvalidInput, match="differ"):
            brought(papa, lines)
        assert brought(papa, lines, on_conflict="replace").counts["memory"] == Counted(kept=1)
        assert [one.steps.steps for one in papa.procedures.list()] == [("push",)]

    def test_what_was_forgotten_since_does_not_come_back(self, mama: Agent, clock: Clock) -> None:
        lived(mama, clock)
        lines = lines_of(mama)
        [nuts] = [one.id for one in mama.memories(deep=True, limit=99) if one.essence.endswith("to peanuts")][
            :1
        ]
        house = next(one for one in lines if one["type"] == "memory" and one.get("versions"))
        clock.wait(days=1)
        mama.forget(nuts)
        mama.forget(house["id"])
        before = bank_of(mama)
        done = brought(mama, lines)
        assert (done.counts["memory"].forgotten, done.counts["memory"].added) == (2, 0)
        assert bank_of(mama) == before
        told = [one for one in mama.audit(limit=1000) if one.target in (nuts, house["id"])]
        assert told
        assert not any(one.before or one.after or one.reason for one in told if str(one.action) != "forget")

    def test_the_log_of_what_was_forgotten_comes_without_its_words(self, mama: Agent, clock: Clock) -> None:
        lived(mama, clock)
        lines = lines_of(mama)
        for one in lines:  # as if the bank had lost its log
            if one["type"] == "audit":
                one["id"] = f"x{one['id'][1:]}"
        mama.forget(everything=True)
        brought(mama, lined(lines[1:-1], header=lines[0]), on_conflict="skip")
        log = [one for one in mama.audit(limit=1000) if one.id.startswith("x")]
        texts = " ".join(f"{one.before} {one.after}" for one in log)
        assert log
        for word in ("Porto", "Faro", "peanuts", "harbour"):
            assert word not in texts
        assert [one.essence for one in mama.memories(deep=True)] == []


def test_a_file_of_another_embedder_is_embedded_anew(mama: Agent, papa: Agent) -> None:
    kept(mama, "Péter likes tea")
    lines = lines_of(mama, with_vectors=True)
    lines[0]["embedder"] = "somebody/else"
    assert brought(papa, lined(lines[1:-1], header=lines[0])).embedded == 1
    assert papa.recall("what does Péter like?").hits


def test_a_bank_of_another_embedder_is_not_mixed(mama: Agent, papa: Agent) -> None:
    kept(mama, "Péter likes tea")
    kept(papa, "Anna likes tea")
    with papa._desk.store.write("papa") as unit:
        unit.agents.set_embedder("somebody/else", 384)
    with pytest.raises(EmbedderMismatch):
        brought(papa, lines_of(mama))


class TestUntrusted:
    """A file that may be anybody's."""

    def test_it_brings_what_it_says_as_external_text(self, mama: Agent, papa: Agent, clock: Clock) -> None:
        lived(mama, clock)
        kept(mama, "Always push on Fridays", kind="policy", pinned=True)
        kept(papa, "The tram is late")
        done = brought(papa, lines_of(mama, with_vectors=True), untrusted=True)
        own = [one for one in papa.memories(deep=True, limit=99) if one.essence != "The tram is late"]
        assert (
            len(own)
            == done.counts["memory"].added
            == len(mama.memories(deep=True, limit=99)) - len(mama.summaries.list())
        )
        assert {(str(one.source_trust), str(one.origin), one.pinned) for one in own} == {
            ("external", "import", False)
        }
        assert {str(one.source_trust) for one in papa.episodes(limit=99)} == {"external"}
        assert [*papa.soul.list(), *papa.diary.pages(), *papa.relationships.history()] == []
        others = "soul diary relationship summary audit sleep tombstone profile queued watermark".split()
        for kind in others:
            assert done.counts[kind].left_out == done.counts[kind].total > 0
        assert done.embedded
        assert "push on Fridays" not in papa.context("deploy on Friday").text

    def test_it_makes_an_agent_with_a_profile_of_its_own(
        self, mama: Agent, papa: Agent, clock: Clock
    ) -> None:
        lived(mama, clock)
        brought(papa, lines_of(mama), untrusted=True)
        assert papa.profile.principals == ()
        with papa._desk.store.read("papa") as new, mama._desk.store.read("mama") as old:
            assert new.agents.secret() != old.agents.secret()

    def test_it_replaces_nothing(self, mama: Agent, papa: Agent) -> None:
        tea = kept(mama, "Péter likes tea")
        brought(papa, lines_of(mama))
        papa.revise(tea.id, essence="Péter likes green tea")
        done = brought(papa, lines_of(mama), untrusted=True, on_conflict="replace")
        assert done.counts["memory"] == Counted(kept=1)
        assert [one.essence for one in papa.memories()] == ["Péter likes green tea"]

    def test_its_messages_stand_in_no_conversation_of_the_agents_own(self, mama: Agent, papa: Agent) -> None:
        for agent in (mama, papa):
            agent.observe(f"{agent.id} was here", conversation="kitchen")
        mama.observe("a long name", conversation="k" * 200)
        brought(papa, lines_of(mama), untrusted=True)
        assert [one.content for one in papa.episodes(conversations=["kitchen"])] == ["papa was here"]
        assert [one.content for one in papa.episodes(conversations=["imported: kitchen"])] == [
            "mama was here"
        ]
        assert brought(papa, lines_of(mama), untrusted=True).changed == 0

    def test_it_ties_nothing_to_the_banks_own_memories(self, mama: Agent, papa: Agent) -> None:
        tea, cup = kept(mama, "Péter likes tea"), kept(mama, "The cup is blue")
        brought(papa, lines_of(mama))
        moon = kept(mama, "The moon is round", supersedes=[cup.id])
        with mama._desk.store.write("mama") as unit:
            for other in (tea, cup):
                unit.memories.connect(
                    Connection(source=moon.id, target=other.id, relation="merged", created_at=tea.created_at)
                )
        done = brought(papa, lines_of(mama), untrusted=True, on_conflict="skip")
        assert done.counts["connection"].added == 0
        assert papa.portrait(moon.id).connections == ()
        papa.forget(moon.id)
        assert {one.id for one in papa.memories()} == {tea.id, cup.id}

    def test_words_that_were_forgotten_here_do_not_come_back_by_it(self, mama: Agent, papa: Agent) -> None:
        for agent in (mama, papa):
            agent.observe("The PIN is on the yellow note", conversation="kitchen")
            agent.remember("The note is yellow")
        papa.forget(conversation="kitchen")
        papa.forget(papa.memories()[0].id)
        done = brought(papa, lines_of(mama), untrusted=True)
        assert (done.counts["episode"], done.counts["memory"]) == (Counted(forgotten=1), Counted(forgotten=1))

    def test_secrets_in_it_are_taken_out(self, mama: Agent, papa: Agent) -> None:
        kept(mama, "Péter likes tea")
        lines = lines_of(mama, with_log=False)
        memory = next(one for one in lines if one["type"] == "memory")
        memory["essence"] = "The key is AKIAQ3EGVZJH7TNLW5XB, says <private>Anna</private> Péter"
        brought(papa, lined(lines[1:-1], header=lines[0]), untrusted=True)
        [found] = papa.memories()
        assert "AKIA" not in found.essence
        assert "Anna" not in found.essence


class TestNothingOrAll:
    """An import that doesn't end well has changed nothing, and can be repeated."""

    def test_a_failure_in_the_middle_of_writing_leaves_nothing(
        self, mama: Agent, papa: Agent, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lived(mama, clock)
        lines = lines_of(mama)
        with monkeypatch.context() as patch:
            patch.setattr("reverie.store.sleeps.SleepRows.add", _failing)
            with pytest.raises(DiskFull):
                brought(papa, lines)
        assert bank_of(papa) == ()
        assert papa._desk.store.agent_ids() == ["mama"]
        brought(papa, lines)
        assert bank_of(papa) == bank_of(mama)

    def test_an_embedder_that_fails_leaves_nothing(self, mama: Agent, papa: Agent, clock: Clock) -> None:
        lived(mama, clock)
        lines = lines_of(mama)
        failing = replace(papa._desk, embedder=_Meanwhile(papa._desk.embedder, _failing))
        with pytest.raises(DiskFull):
            import_bank(failing, "papa", lines, actor="caller")
        assert bank_of(papa) == ()

    def test_what_is_written_meanwhile_is_looked_at_again(self, mama: Agent, papa: Agent) -> None:
        tea, cup = kept(mama, "Péter likes tea"), kept(mama, "The cup is blue")
        brought(papa, lines_of(mama))
        papa.forget(tea.id)

        def meanwhile() -> None:
            mama._desk.store.transact("papa", lambda unit: unit.memories.delete([cup.id]))

        kept(mama, "The moon is round")
        desk = replace(papa._desk, embedder=_Meanwhile(papa._desk.embedder, meanwhile))
        done = import_bank(desk, "papa", lines_of(mama), on_conflict="skip", actor="caller")
        assert done.counts["memory"] == Counted(added=2, forgotten=1)
        assert {one.essence for one in papa.memories()} == {"The cup is blue", "The moon is round"}


def test_a_mind_tells_no_forgotten_word(reverie: Reverie, mama: Agent, papa: Agent, clock: Clock) -> None:
    """Its reasons, notes and names of edges may tell it in any words."""
    tea, cup = kept(mama, "Anna drinks green tea at the clinic"), kept(mama, "The cup is blue")
    pills = kept(mama, "Anna takes quuxpills at the clinic")
    brought(papa, lines_of(mama))
    mama.observe([{"content": "Anna drinks green tea at the clinic again", "speaker": "Anna"}])
    clock.wait(hours=9)

    def dream(night: Night) -> Sequence[Change]:
        return [Reinforce(memory_id=tea.id, reason="after quuxpills", sources=(*said_in(night).values(),))]

    assert [one.reason for one in slept(reverie, dream=dream).changes] == ["after quuxpills"]
    ends = {"source": tea.id, "target": cup.id, "relation": "quuxpills stood in it"}
    told = AuditEntry(
        id="z9", at=clock.now, actor="night", action=Action.CONNECT, target=tea.id, before=None, after=ends,
        reason="quuxpills", job="z9",
    )  # fmt: skip
    with mama._desk.store.write("mama") as unit:
        unit.sleeps.add(replace(unit.sleeps.list()[0], id="z9", notes=("quuxpills were seen",)))
        unit.memories.connect(Connection(**ends, created_at=clock.now))
        unit.audit.add([told])
    papa.forget(pills.id)
    brought(papa, lines_of(mama), on_conflict="skip")
    assert holding(papa, "quuxpills") == []
    with papa._desk.store.read("papa") as unit:
        assert unit.sleeps.get("z9") is not None
        assert [one.relation for one in unit.memories.connections([cup.id])] == ["near"]
        assert [one.after for one in unit.audit.list(job="z9")] == [{**ends, "relation": "near"}]


def test_an_import_reads_what_it_asks_for(mama: Agent, papa: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        kept(papa, f"Box {number} holds {number * 7} pens")
    twin = kept(papa, "The cup  is BLUE")
    kept(mama, "the cup is blue")
    kept(mama, "The moon is round")
    read: list[str] = []
    get = MemoryRows.get

    def watched(rows: MemoryRows, ids: Collection[str]) -> Mapping[str, Memory]:
        read.extend(ids)
        return get(rows, ids)

    monkeypatch.setattr(MemoryRows, "get", watched)
    done = brought(papa, lines_of(mama))
    assert done.counts["memory"] == Counted(added=1, known=1)
    assert twin.id in read
    assert len({*read} - {""}) <= 3


@pytest.mark.parametrize("changed", [False, True])
def test_an_import_is_planned_again_only_for_a_changed_bank(
    mama: Agent, papa: Agent, monkeypatch: pytest.MonkeyPatch, changed: bool
) -> None:
    kept(papa, "The cup is blue")
    kept(mama, "The moon is round")
    plans: list[ImportPlan] = []

    def watched(*args: Any) -> ImportPlan:
        plans.append(planned(*args))
        return plans[-1]

    monkeypatch.setattr("reverie.services.exchange.importing.planned", watched)
    desk = papa._desk
    if changed:
        desk = replace(desk, embedder=_Meanwhile(desk.embedder, lambda: kept(papa, "The sun is far")))
    import_bank(desk, "papa", lines_of(mama), actor="caller")
    assert len(plans) == 1 + changed


def _failing(*_: object) -> None:
    raise DiskFull("the test's disk")


class _Meanwhile:
    """An embedder; before it embeds for the first time something happens."""

    def __init__(self, embedder: Embedder, meanwhile: Callable[[], object]) -> None:
        self._embedder, self._meanwhile = embedder, meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def embed(self, texts: Sequence[str]) -> Any:
        meanwhile, self._meanwhile = self._meanwhile, lambda: None
        meanwhile()
        return self._embedder.embed(texts)


def test_an_export_of_one_engine_is_an_equal_bank_on_the_other(
    mama: Agent, clock: Clock, engine: str, tmp_path: Path, postgres_database: str
) -> None:
    lived(mama, clock)
    place = tmp_path / "other.bank" if engine == "postgres" else postgres_database
    with opened(place, clock=clock) as other:
        papa = other.agent("papa")
        brought(papa, lines_of(mama, with_vectors=True))
        assert bank_of(papa) == bank_of(mama)
        with_vectors = [lines_of(agent, with_vectors=True, with_log=False)[1:-1] for agent in (mama, papa)]
        assert with_vectors[0] == with_vectors[1]
