"""revert of one change: only that is undone, with the same guarantees as of a whole night."""

from __future__ import annotations

import pytest

from reverie import Agent, InvalidInput, NotFound, Reverie
from reverie.domain.audit import Action
from reverie.domain.change import Learn, Reinforce, Retire, Revise
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.sleep import Act, Applied, SleepReport
from reverie.errors import NotRevertible
from tests.services.bench import Clock
from tests.services.conftest import Open
from tests.services.exports import bank_of, brought, lines_of
from tests.services.nights import Before, evening, slept, undone, whole_night

pytestmark = pytest.mark.slow


@pytest.fixture
def before(mama: Agent, clock: Clock) -> Before:
    return evening(mama, clock)


@pytest.fixture
def bank(mama: Agent, before: Before) -> tuple[str, ...]:
    """The bank before the night."""
    return bank_of(mama)


@pytest.fixture
def night(reverie: Reverie, clock: Clock, bank: tuple[str, ...], before: Before) -> SleepReport:
    """A sleep that made a change of every sort."""
    report = slept(reverie, *whole_night(before))
    clock.wait(hours=1)
    return report


def change_of(report: SleepReport, act: Act, target: str | None = None) -> Applied:
    return next(one for one in report.of(act) if target in (None, one.target))


def _standing(agent: Agent) -> dict[str, Memory]:
    return {one.id: one for one in agent.memories(deep=True, limit=99)}


def _without_nights(bank: tuple[str, ...]) -> list[str]:
    """What a bank holds of memories, their history and edges."""
    return [line for line in bank if '"type":"episode"' not in line]


@pytest.mark.parametrize("act", [Act.REVISE, Act.REINFORCE, Act.FADE, Act.RETIRE, Act.CONTRADICT])
def test_one_change_of_a_memory_is_taken_back(
    mama: Agent, before: Before, night: SleepReport, act: Act
) -> None:
    was = {one.id: one for one in (before.home, before.dog, before.work, before.bees, before.trip)}
    change, standing = change_of(night, act), _standing(mama)
    shown = undone(mama, night.sleep.id, change=change.id, dry_run=True)
    assert _standing(mama) == standing
    done = undone(mama, night.sleep.id, change=change.id)
    assert (done.id, done.change, done.removed, done.restored) == (
        night.sleep.id, change.id, (), (change.target,),
    )  # fmt: skip
    assert (shown.restored, shown.edges, shown.dry_run) == (done.restored, done.edges, True)
    assert done.edges == (1 if act is Act.CONTRADICT else 0)
    assert done.episodes == 0
    now = _standing(mama)
    assert now.pop(change.target) == was[change.target]
    assert now == {id: one for id, one in standing.items() if id != change.target}


def test_what_was_learned_goes_with_its_edges(mama: Agent, before: Before, night: SleepReport) -> None:
    cello = next(one for one in night.of(Act.LEARN) if "cello" in str(one.text))
    standing = _standing(mama)
    done = undone(mama, night.sleep.id, change=cello.id)
    assert (done.removed, done.restored, done.edges) == ((cello.target,), (), 1)
    assert standing.keys() - _standing(mama).keys() == {cello.target}
    assert mama.portrait(before.bees.id).connections == ()
    assert mama.remember(str(cello.text)).memory.version == 1  # it may be learned again


def test_an_edge_goes_alone(mama: Agent, before: Before, night: SleepReport) -> None:
    edge = change_of(night, Act.CONNECT, before.home.id)
    standing = _standing(mama)
    done = undone(mama, night.sleep.id, change=edge.id)
    assert (done.removed, done.restored, done.edges) == ((), (), 1)
    assert _standing(mama) == standing
    assert mama.portrait(before.home.id).connections == ()


def test_what_rests_on_the_change_in_the_same_night_is_in_the_way(
    mama: Agent, before: Before, night: SleepReport
) -> None:
    left = next(one for one in night.of(Act.LEARN) if "not work" in str(one.text))
    bank = bank_of(mama)
    with pytest.raises(NotRevertible, match=f"memory {left.target} superseded {before.work.id}") as refused:
        undone(mama, night.sleep.id, change=left.id)
    assert not refused.value.is_lost
    assert bank_of(mama) == bank
    done = undone(mama, night.sleep.id, change=left.id, force=True)
    assert done.dropped
    assert _standing(mama)[before.work.id].superseded_by is None
    report = mama.jobs.diff(night.sleep.id)
    gone = {one.act for one in report.changes if one.undone_at is not None}
    assert gone == {Act.LEARN, Act.CONNECT, Act.CONTRADICT}


def test_the_sleep_tells_what_was_undone(mama: Agent, clock: Clock, night: SleepReport) -> None:
    faded = change_of(night, Act.FADE)
    undone(mama, night.sleep.id, change=faded.id)
    report = mama.jobs.diff(night.sleep.id)
    assert report.sleep.reverted_at is None
    assert {one.act: one.undone_at for one in report.changes if one.undone_at} == {Act.FADE: clock()}
    (entry,) = mama.audit(target=faded.target, actions="revert")
    assert (entry.actor, entry.job, entry.undoes) == ("caller", night.sleep.id, frozenset([faded.id]))
    assert {one.consolidated_at for one in mama.episodes(conversations="day")} != {None}


def test_a_change_is_undone_once(mama: Agent, night: SleepReport) -> None:
    faded = change_of(night, Act.FADE)
    undone(mama, night.sleep.id, change=faded.id)
    bank = bank_of(mama)
    with pytest.raises(InvalidInput, match="was undone already"):
        undone(mama, night.sleep.id, change=faded.id)
    assert bank_of(mama) == bank
    undone(mama, night.sleep.id)
    with pytest.raises(InvalidInput, match="was undone already"):
        undone(mama, night.sleep.id, change=change_of(night, Act.REVISE).id)


def test_a_change_of_another_sleep_is_not_there(
    reverie: Reverie, mama: Agent, clock: Clock, night: SleepReport
) -> None:
    mama.observe("Ben plays the cello on Sundays", conversation="another day")
    clock.wait(hours=9)
    later = slept(
        reverie, Learn(essence="Ben has a cello", kind=Kind.FACT, sources=("Ben plays the cello on Sundays",))
    )
    for id in ("nothing", change_of(later, Act.LEARN).id):
        with pytest.raises(NotFound, match="no change"):
            undone(mama, night.sleep.id, change=id)
    (log,) = mama.audit(job=night.sleep.id, actions="sleep")
    with pytest.raises(InvalidInput, match="no change of a sleep"):
        undone(mama, night.sleep.id, change=log.id)


def test_the_rest_of_the_night_is_undone_exactly_afterwards(
    mama: Agent, bank: tuple[str, ...], night: SleepReport
) -> None:
    for act in (Act.REVISE, Act.CONTRADICT, Act.FADE):
        undone(mama, night.sleep.id, change=change_of(night, act).id)
    done = undone(mama, night.sleep.id)
    assert bank_of(mama) == bank
    assert done.episodes == 6


def test_changes_undone_one_by_one_are_the_night_undone(
    mama: Agent, bank: tuple[str, ...], night: SleepReport
) -> None:
    for change in reversed(night.changes):
        stands = {one.id for one in mama.jobs.diff(night.sleep.id).changes if one.undone_at is None}
        if change.id in stands:  # a contradiction takes its edge along
            undone(mama, night.sleep.id, change=change.id)
    assert _without_nights(bank_of(mama)) == _without_nights(bank)


def test_two_changes_of_one_memory_are_undone_in_any_order(
    reverie: Reverie, mama: Agent, clock: Clock, before: Before, bank: tuple[str, ...]
) -> None:
    said = "Anna drinks green tea in the morning"
    night = slept(
        reverie,
        Reinforce(memory_id=before.tea.id, reason="again", sources=(said,)),
        Retire(memory_id=before.tea.id, reason="over", sources=(said,)),
    )
    clock.wait(hours=1)
    told, over = change_of(night, Act.REINFORCE), change_of(night, Act.RETIRE)
    assert told.target == over.target
    undone(mama, night.sleep.id, change=told.id)
    tea = _standing(mama)[before.tea.id]
    assert (tea.state, tea.reinforcement_count) == ("archived", before.tea.reinforcement_count)
    undone(mama, night.sleep.id)
    assert bank_of(mama) == bank


class TestLaterChanges:
    """What was done to the memory since."""

    def test_of_other_fields_they_stay(self, mama: Agent, before: Before, night: SleepReport) -> None:
        mama.revise(before.bees.id, tags=["garden"])
        undone(mama, night.sleep.id, change=change_of(night, Act.FADE).id)
        bees = _standing(mama)[before.bees.id]
        assert (bees.tags, bees.confidence) == (("garden",), before.bees.confidence)

    def test_of_the_same_fields_they_are_in_the_way(
        self, mama: Agent, before: Before, night: SleepReport
    ) -> None:
        mama.revise(before.home.id, essence="Anna lives in Faro")
        moved = change_of(night, Act.REVISE)
        bank = bank_of(mama)
        with pytest.raises(NotRevertible, match=rf"memory {before.home.id} was changed later \(its wording"):
            undone(mama, night.sleep.id, change=moved.id)
        assert bank_of(mama) == bank
        done = undone(mama, night.sleep.id, change=moved.id, force=True)
        assert len(done.dropped) == 1
        assert _standing(mama)[before.home.id] == before.home

    def test_dropped_ones_are_in_the_way_of_nothing(
        self,
        reverie: Reverie,
        mama: Agent,
        clock: Clock,
        before: Before,
        bank: tuple[str, ...],
        night: SleepReport,
    ) -> None:
        faro = "Anna lives in Faro"
        mama.observe(faro, conversation="another day")
        clock.wait(hours=9)
        later = slept(
            reverie,
            Revise(
                memory_id=before.home.id,
                essence="Anna lives in Faro",
                reason="moved",
                sources=("Anna lives in Faro",),
            ),
        )
        clock.wait(hours=1)
        done = undone(mama, night.sleep.id, change=change_of(night, Act.REVISE).id, force=True)
        assert done.episodes == 1
        assert _standing(mama)[before.home.id] == before.home
        undone(mama, later.sleep.id)
        undone(mama, night.sleep.id)
        assert [line for line in bank_of(mama) if "another day" not in line] == [*bank]

    def test_a_fade_by_hand_is_told(self, mama: Agent, before: Before, night: SleepReport) -> None:
        mama.forget(before.bees.id)
        done = undone(mama, night.sleep.id, change=change_of(night, Act.FADE).id)
        assert (done.removed, done.restored) == ((), ())
        assert before.bees.id not in _standing(mama)

    def test_what_a_forget_took_is_not_restored(
        self, mama: Agent, before: Before, night: SleepReport
    ) -> None:
        mama.forget(conversation="long ago")
        moved = change_of(night, Act.REVISE)
        for force in (False, True):
            with pytest.raises(NotRevertible, match="was forgotten, so it can't be restored"):
                undone(mama, night.sleep.id, change=moved.id, force=force)
        assert "Porto" not in "".join(bank_of(mama))


def test_an_imported_bank_knows_what_was_undone(
    reverie: Reverie, mama: Agent, bank: tuple[str, ...], night: SleepReport
) -> None:
    faded = change_of(night, Act.FADE)
    undone(mama, night.sleep.id, change=faded.id)
    papa = reverie.agent("papa")
    brought(papa, lines_of(mama))
    with pytest.raises(InvalidInput, match="was undone already"):
        undone(papa, night.sleep.id, change=faded.id)
    undone(papa, night.sleep.id)
    assert bank_of(papa) == bank


def test_a_wording_that_was_undone_is_no_ground_any_more(
    mama: Agent, before: Before, night: SleepReport
) -> None:
    undone(mama, night.sleep.id, change=change_of(night, Act.REVISE).id)
    lisbon = next(one.id for one in mama.episodes(limit=99) if one.content == "Anna lives in Lisbon")
    mama.forget(lisbon)
    assert _standing(mama)[before.home.id].essence == "Anna lives in Porto"


def test_no_recall_finds_it_in_any_process(
    mama: Agent, open_bank: Open, before: Before, night: SleepReport
) -> None:
    other = open_bank().agent("mama")
    assert "Lisbon" in other.recall("where does Anna live?").hits[0].text
    undone(mama, night.sleep.id, change=change_of(night, Act.REVISE).id)
    for agent in (mama, other):
        assert agent.recall("where does Anna live?").hits[0].text == "Anna lives in Porto"
    assert mama.audit(actions=Action.REVERT)
