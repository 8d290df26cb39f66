"""revert: one sleep is undone exactly, or not at all; what the log lost since is told, and never guessed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from reverie import Agent, InvalidInput, NotFound, Reverie, Settings, SoulSettings
from reverie.domain.audit import Action
from reverie.domain.change import Fade, Learn, Reinforce, Revise
from reverie.domain.job import SLEEP
from reverie.domain.kinds import Kind
from reverie.domain.memory import Connection, Memory, Version
from reverie.domain.sleep import Act, SleepReport
from reverie.errors import JobRunning, NotRevertible
from reverie.services.runtime.change_records import changed, entry
from tests.services.bench import Clock, kept
from tests.services.conftest import Open
from tests.services.exports import bank_of, brought, lines_of
from tests.services.houses import answers
from tests.services.nights import Before, evening, slept, undone, whole_night

pytestmark = pytest.mark.slow


@pytest.fixture
def before(mama: Agent, clock: Clock) -> Before:
    return evening(mama, clock)


@pytest.fixture
def bank(mama: Agent, before: Before) -> tuple[str, ...]:  # the evening must have come
    """The bank before the night."""
    return bank_of(mama)


@pytest.fixture
def night(reverie: Reverie, clock: Clock, before: Before, bank: tuple[str, ...]) -> SleepReport:
    """A sleep that made a change of every sort."""
    report = slept(reverie, *whole_night(before))
    assert {change.act for change in report.changes} == {*Act}
    assert report.sleep.rejected == ()
    assert bank_of(reverie.agent("mama")) != bank
    clock.wait(hours=1)
    return report


def _learned(report: SleepReport) -> list[str]:
    return [change.target for change in report.of(Act.LEARN)]


def _standing(agent: Agent) -> dict[str, Memory]:
    return {one.id: one for one in agent.memories(deep=True, limit=99)}


def test_the_bank_is_what_it_was_before_the_sleep(
    mama: Agent, clock: Clock, before: Before, bank: tuple[str, ...], night: SleepReport
) -> None:
    slept_bank = lines_of(mama)[1:-1]
    shown = undone(mama, night.sleep.id, dry_run=True)
    assert shown.dry_run
    assert lines_of(mama)[1:-1] == slept_bank
    done = undone(mama, night.sleep.id)
    assert bank_of(mama) == bank
    assert done == replace(shown, dry_run=False)
    assert done.removed == tuple(sorted(_learned(night)))
    assert done.restored == tuple(
        sorted(one.id for one in (before.home, before.dog, before.work, before.bees, before.trip))
    )
    assert (done.edges, done.episodes, done.dropped) == (3, 6, ())
    with mama._desk.store.read("mama") as unit:
        record = unit.sleeps.get(night.sleep.id)
        [entry] = unit.audit.list(job=night.sleep.id, actions=[Action.REVERT])
        assert unit.jobs.get(SLEEP).holder is None
    assert record is not None
    assert record.reverted_at == clock()
    assert (entry.target, entry.actor) == (night.sleep.id, "caller")
    assert entry.after == {"removed": 2, "restored": 5, "edges": 3, "episodes": 6, "dropped": 0}
    with pytest.raises(InvalidInput, match="was undone already"):
        undone(mama, night.sleep.id)
    assert bank_of(mama) == bank
    assert mama.remember("Ben plays the cello on Sundays").memory.version == 1  # it may be learned again


def test_a_sleep_that_isnt_there_is_not_undone(reverie: Reverie, mama: Agent, night: SleepReport) -> None:
    with pytest.raises(NotFound, match="no sleep 'nothing'"):
        undone(mama, "nothing")
    for agent, id in ((mama, night.changes[0].target), (reverie.agent("papa"), night.sleep.id)):
        with pytest.raises(NotFound):
            undone(agent, id)
    with mama._desk.store.write("mama") as unit:
        unit.sleeps.clear()
    with pytest.raises(InvalidInput, match="is gone: everything was forgotten since"):
        undone(mama, night.sleep.id)


def _vector(agent: Agent, id: str) -> list[float]:
    with agent._desk.store.read(agent.id) as unit:
        return [*map(float, unit.memories.vectors([id])[id])]


def test_recalls_of_any_process_answer_as_before(
    reverie: Reverie, mama: Agent, open_bank: Open, before: Before, bank: tuple[str, ...]
) -> None:
    other = open_bank().agent("mama")
    was, vector = answers(other), _vector(mama, before.home.id)
    report = slept(reverie, *whole_night(before))
    assert answers(other) != was
    assert _vector(mama, before.home.id) != vector
    undone(mama, report.sleep.id)
    for agent in (mama, other):
        assert answers(agent) == pytest.approx(was, abs=1e-9)
        assert bank_of(agent) == bank
    assert _vector(mama, before.home.id) == vector


def test_touches_since_stay(mama: Agent, bank: tuple[str, ...], before: Before, night: SleepReport) -> None:
    mama.recall("where does Anna live?")
    mama._desk.touches.flush()
    assert _standing(mama)[before.home.id].touches
    undone(mama, night.sleep.id)
    assert bank_of(mama) == bank
    assert _standing(mama)[before.home.id].touches


def test_nothing_is_undone_while_a_sleep_runs(mama: Agent, clock: Clock, night: SleepReport) -> None:
    slept_bank = bank_of(mama)
    with mama._desk.store.write("mama") as unit:
        assert unit.jobs.take(SLEEP, "another", now=clock(), until=clock() + timedelta(minutes=5))
    with pytest.raises(JobRunning, match="a sleep of agent 'mama' runs already"):
        undone(mama, night.sleep.id)
    assert bank_of(mama) == slept_bank
    clock.wait(minutes=5)
    undone(mama, night.sleep.id)


def test_an_imported_bank_can_undo_its_sleeps(
    reverie: Reverie, mama: Agent, bank: tuple[str, ...], night: SleepReport
) -> None:
    papa = reverie.agent("papa")
    brought(papa, lines_of(mama))
    undone(papa, night.sleep.id)
    assert bank_of(papa) == bank


class TestLaterChanges:
    """What rests on the sleep by now."""

    def _refused(self, mama: Agent, night: SleepReport, says: str) -> None:
        bank = bank_of(mama)
        with pytest.raises(NotRevertible, match=says) as refused:
            undone(mama, night.sleep.id)
        assert refused.value.job_id == night.sleep.id
        assert refused.value.why
        assert all("\n" not in line for line in refused.value.why)
        for text in ("Porto", "cello", "bees", "harbour"):
            assert text not in str(refused.value)
        assert bank_of(mama) == bank

    def test_a_memory_that_was_revised_later_is_in_the_way(
        self, mama: Agent, before: Before, night: SleepReport
    ) -> None:
        mama.revise(before.home.id, essence="Anna lives in Faro")
        self._refused(mama, night, rf"memory {before.home.id} was changed later \(its wording.*\)")

    def test_so_is_one_whose_other_fields_changed(
        self, mama: Agent, before: Before, night: SleepReport
    ) -> None:
        mama.revise(before.home.id, tags=["moved"])
        self._refused(mama, night, r"changed later \(something else of it\)")

    def test_force_takes_the_later_change_back_too(
        self, mama: Agent, clock: Clock, before: Before, bank: tuple[str, ...], night: SleepReport
    ) -> None:
        mama.revise(before.home.id, essence="Anna lives in Faro", lesson="Write to her")
        clock.wait(hours=1)
        mama.revise(before.home.id, essence="Anna lives in Braga", tags=["moved"])
        shown = undone(mama, night.sleep.id, force=True, dry_run=True)
        assert len(shown.dropped) == 2
        assert all(f"revise of memory {before.home.id} by " in line for line in shown.dropped)
        assert "Braga" in _standing(mama)[before.home.id].essence
        assert undone(mama, night.sleep.id, force=True).dropped == shown.dropped
        assert bank_of(mama) == bank

    def test_an_edge_on_what_was_learned_is_in_the_way(
        self, mama: Agent, clock: Clock, before: Before, bank: tuple[str, ...], night: SleepReport
    ) -> None:
        [cello, _] = _learned(night)
        with mama._desk.store.write("mama") as unit:
            edge = Connection(source=before.tea.id, target=cello, relation="refines", created_at=clock())
            unit.memories.connect(edge)
        self._refused(mama, night, f"memory {before.tea.id} was connected with {cello} later")
        assert len(undone(mama, night.sleep.id, force=True).dropped) == 1
        assert bank_of(mama) == bank

    def test_so_is_its_superseding_of_another(
        self, mama: Agent, before: Before, bank: tuple[str, ...], night: SleepReport
    ) -> None:
        [cello, _] = _learned(night)
        with mama._desk.store.write("mama") as unit:
            new = replace(before.tea, superseded_by=cello)
            unit.memories.update(new)
            old, now = changed(before.tea, new)
            at = mama._desk.clock()
            done = entry(mama._desk, Action.SUPERSEDE, before.tea.id, actor="x", at=at, before=old, after=now)
            unit.audit.add([done])
        self._refused(mama, night, f"memory {cello} superseded {before.tea.id} later")
        reverted = undone(mama, night.sleep.id, force=True)
        assert len(reverted.dropped) == 2
        assert before.tea.id in reverted.restored
        assert bank_of(mama) == bank

    def test_so_is_a_goal_that_was_reached(
        self, reverie: Reverie, mama: Agent, clock: Clock, before: Before
    ) -> None:
        said = "Ben plays the cello on Sundays"
        night = slept(reverie, Learn(essence=said, kind=Kind.GOAL, sources=(said,)))
        [goal] = _learned(night)
        mama.goals.complete(goal)
        self._refused(mama, night, f"goal {goal} was achieved")
        undone(mama, night.sleep.id, force=True)
        assert goal not in _standing(mama)

    def test_so_is_a_goal_that_was_given_a_due_time(
        self, reverie: Reverie, mama: Agent, before: Before
    ) -> None:
        said = "Ben plays the cello on Sundays"
        night = slept(reverie, Learn(essence=said, kind=Kind.GOAL, sources=(said,)))
        [goal] = _learned(night)
        mama.goals.postpone(goal, "2027-01-01")
        self._refused(mama, night, f"goal {goal} was given a due time")
        undone(mama, night.sleep.id, force=True)
        assert mama.due() == []

    def test_a_later_sleep_that_read_the_same_memory_is_in_the_way(
        self, reverie: Reverie, mama: Agent, clock: Clock, bank: tuple[str, ...], night: SleepReport
    ) -> None:
        [cello, _] = _learned(night)
        between = bank_of(mama)
        said = "Ben plays the cello on Sundays"
        mama.observe(said, conversation="another day")
        told = bank_of(mama)
        clock.wait(hours=9)
        later = slept(reverie, Reinforce(memory_id=cello, reason="again", sources=(said,)))
        assert later.of(Act.REINFORCE), later
        self._refused(mama, night, f"memory {cello} was changed later")
        clock.wait(hours=1)
        undone(mama, later.sleep.id)
        assert bank_of(mama) == told
        assert len(told) == len(between) + 2
        undone(mama, night.sleep.id)
        left = [line for line in bank_of(mama) if "another day" not in line]
        assert left == [*bank]

    def test_a_later_sleep_on_other_memories_is_not(
        self, reverie: Reverie, mama: Agent, clock: Clock, before: Before, night: SleepReport
    ) -> None:
        asked = "Does Anna drink green tea in the morning?"
        mama.observe(asked, conversation="another day")
        clock.wait(hours=9)
        later = slept(reverie, Fade(memory_id=before.tea.id, confidence=0.2, sources=(asked,)))
        assert later.of(Act.FADE)
        undone(mama, night.sleep.id)
        assert _standing(mama)[before.tea.id].confidence == 0.2
        assert _standing(mama)[before.home.id].essence == "Anna lives in Porto"


class TestForgotten:
    """What was forgotten since is passed over, and never comes back."""

    def test_a_learned_memory(self, mama: Agent, night: SleepReport) -> None:
        [cello, other] = _learned(night)
        mama.forget(cello)
        done = undone(mama, night.sleep.id)
        assert done.removed == (other,)
        assert "cello" not in "".join(bank_of(mama))

    def test_a_changed_memory(self, mama: Agent, before: Before, night: SleepReport) -> None:
        mama.forget(before.home.id)
        done = undone(mama, night.sleep.id)
        assert before.home.id not in done.restored
        assert len(done.restored) == 4
        for word in ("Porto", "Lisbon"):
            assert word not in "".join(bank_of(mama))

    def test_a_memory_that_superseded_another(self, mama: Agent, before: Before, night: SleepReport) -> None:
        mama.forget(_learned(night)[1])
        undone(mama, night.sleep.id)
        work = _standing(mama)[before.work.id]
        assert (work.state, work.superseded_by, work.confidence) == ("active", None, 0.9)
        assert work == before.work

    def test_a_message_that_it_read(self, mama: Agent, before: Before, night: SleepReport) -> None:
        gone = next(one.id for one in mama.episodes(limit=99) if one.content == "Anna lives in Lisbon")
        mama.forget(gone)
        done = undone(mama, night.sleep.id)
        assert done.episodes == 5
        home = _standing(mama)[before.home.id]
        assert (
            replace(home, updated_at=before.home.updated_at) == before.home
        )  # the forget has changed it back
        assert {one.consolidated_at for one in mama.episodes(limit=99)} == {None}

    def test_what_an_old_wording_rested_on(self, mama: Agent, before: Before, night: SleepReport) -> None:
        mama.forget(conversation="long ago")
        for force in (False, True):
            with pytest.raises(
                NotRevertible, match=f"what revise changed of memory {before.home.id} was forgotten"
            ):
                undone(mama, night.sleep.id, force=force)
        home = _standing(mama)[before.home.id]
        assert home.essence == "Anna lives in Lisbon"
        assert "Porto" not in "".join(bank_of(mama))


def test_the_portraits_file_tells_of_it_no_longer(
    open_bank: Open, clock: Clock, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("portrait") / "soul.md"
    with open_bank(settings=Settings(soul=SoulSettings(file=str(file)))) as reverie:
        mama = reverie.agent("mama")
        report = slept(reverie, *whole_night(evening(mama, clock)))
        assert "Lisbon" in file.read_text(encoding="utf-8")
        undone(mama, report.sleep.id)
        left = file.read_text(encoding="utf-8")
        assert "Porto" in left
        assert "Lisbon" not in left
        assert "Lisbon" not in mama.soul.portrait()


MOVED = "Anna lives in Lisbon"


@pytest.fixture
def home(mama: Agent, clock: Clock) -> Memory:
    known = kept(mama, "Anna lives in Porto")
    clock.wait(days=10)
    return known


def _moved_night(reverie: Reverie, mama: Agent, clock: Clock, home: Memory) -> SleepReport:
    mama.observe([{"speaker": "Anna", "content": MOVED}], conversation="day")
    clock.wait(hours=9)
    report = slept(reverie, Revise(memory_id=home.id, essence=MOVED, reason="moved", sources=(MOVED,)))
    assert len(report.changes) == 1
    return report


def _now(mama: Agent, known: Memory) -> Memory:
    with mama._desk.store.read("mama") as unit:
        return unit.memories.get([known.id])[known.id]


def _refused(mama: Agent, report: SleepReport, says: str) -> None:
    bank = bank_of(mama)
    for force in (False, True):
        with pytest.raises(NotRevertible, match=says) as refused:
            undone(mama, report.sleep.id, force=force)
        assert refused.value.is_lost
        assert "--force" not in str(refused.value)
    assert bank_of(mama) == bank


def test_a_rewording_the_log_lost_is_told(reverie: Reverie, mama: Agent, clock: Clock, home: Memory) -> None:
    report = _moved_night(reverie, mama, clock, home)
    clock.wait(days=10)
    since = clock()
    mama.revise(home.id, essence="Anna lives in Madrid")
    clock.wait(days=1)
    mama.forget(since=since.isoformat(), until=clock().isoformat())
    _refused(mama, report, rf"memory {home.id} was reworded by what the log tells nothing of")
    assert _now(mama, home).essence == "Anna lives in Madrid"
    for town in ("Rome", "Oslo"):
        mama.revise(home.id, essence=f"Anna lives in {town}")


def test_a_change_that_the_log_lost_is_told(
    reverie: Reverie, mama: Agent, clock: Clock, home: Memory
) -> None:
    tea = kept(mama, "Anna drinks green tea")
    clock.wait(days=1)
    said = "Anna drinks green tea"
    mama.observe([{"speaker": "Anna", "content": text} for text in (said, MOVED)], conversation="day")
    clock.wait(hours=9)
    since = clock()
    report = slept(
        reverie,
        Revise(memory_id=home.id, essence=MOVED, reason="moved", sources=(MOVED,)),
        Reinforce(memory_id=tea.id, reason="again", sources=(said,)),
    )
    assert len(report.changes) == 2
    clock.wait(days=1)
    mama.forget(since=since.isoformat(), until=clock().isoformat())
    _refused(mama, report, rf"what reinforce changed of memory {tea.id} was forgotten")


def test_a_taken_version_number_is_no_bar(reverie: Reverie, mama: Agent, clock: Clock, home: Memory) -> None:
    with mama._desk.store.write("mama") as unit:
        for number in (1, 4):
            unit.memories.add_version(
                Version(
                    memory_id=home.id, version=number, essence="Anna lives in Braga", lesson=None,
                    believed_from=home.believed_from, believed_to=clock(), valid_from=None, valid_to=None,
                )
            )  # fmt: skip
    _moved_night(reverie, mama, clock, home)
    assert (_now(mama, home).essence, _now(mama, home).version) == (MOVED, 6)
    assert mama.revise(home.id, essence="Anna lives in Faro").version == 7
