"""revert: a self-care is undone exactly, all its batches together, or not at all."""

from __future__ import annotations

import pytest

from reverie import InvalidInput, NotFound, Reverie, SelfCareSettings
from reverie.domain.change import Learn
from reverie.domain.kinds import Kind
from reverie.errors import NotRevertible
from reverie.services.sleep.sleep import sleep
from tests.services.bench import Clock, kept
from tests.services.cared import narrated, observed, saw, states, talked, the
from tests.services.exports import bank_of
from tests.services.nights import Dreamer, said_in
from tests.services.scripted import minded

pytestmark = pytest.mark.slow


def test_the_bank_is_what_it_was_before(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie, self_care=SelfCareSettings(batch=30, target=1))
    ids = observed(mama, clock, 70)
    talked(mama, 12)
    clock.wait(hours=2)
    before = bank_of(mama)
    report = mama.self_care()
    assert (report.batches, report.conversations) == (3, 1)
    clock.wait(hours=1)
    shown = mama.revert(report.id, dry_run=True)
    assert bank_of(mama) != before
    done = mama.revert(report.id)
    assert bank_of(mama) == before
    assert set(done.removed) == set(report.summaries)
    assert set(done.restored) == set(ids[:60])
    assert (shown.removed, shown.restored, done.dropped) == (done.removed, done.restored, ())
    assert mama.summaries.list() == []
    assert mama.self_care().summarized == report.summarized


def test_it_is_undone_once(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    report = mama.self_care()
    mama.revert(report.id)
    with pytest.raises(InvalidInput, match="undone already"):
        mama.revert(report.id)
    with pytest.raises(NotFound):
        mama.revert("nothing")


def test_recalls_of_what_it_covered_dont_stand_in_the_way(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    before = bank_of(mama)
    report = mama.self_care()
    assert mama.recall(saw(3), deep=True).hits
    mama._desk.touches.flush()
    mama.revert(report.id)
    assert bank_of(mama) == before


def test_a_later_self_care_above_it_is_told_and_undone_by_force(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie, self_care=SelfCareSettings(batch=30))
    ids = observed(mama, clock, 60)
    first = mama.self_care()
    second = mama.self_care()
    mama, _ = narrated(reverie, self_care=SelfCareSettings(target=1))
    top = mama.self_care()
    assert mama.summaries.expand(top.summaries[0]).summary.items == 2
    with pytest.raises(NotRevertible) as refused:
        mama.revert(first.id)
    assert top.summaries[0] in str(refused.value)
    done = mama.revert(first.id, force=True)
    assert done.dropped
    found = states(mama)
    assert {found[id] for id in ids[:30]} == {"active"}
    assert {found[id] for id in ids[30:]} == {"summarized"}
    assert found[second.summaries[0]] == "active"
    assert [one.memory_id for one in mama.summaries.list()] == list(second.summaries)
    assert list(reverie.check()) == []


def test_a_summary_that_was_changed_since_is_told(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    before = bank_of(mama)
    report = mama.self_care()
    mama.revise(report.summaries[0], pinned=True)
    with pytest.raises(NotRevertible, match="pinned"):
        mama.revert(report.id)
    mama.revert(report.id, force=True)
    assert bank_of(mama) == before


def test_what_was_filled_in_meanwhile_stays(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    ids = observed(mama, clock, 30)
    report = mama.self_care()
    clock.wait(hours=1)
    mama.revise(ids[0], importance=0.77)
    mama.revert(report.id)
    now = the(mama, ids[0])
    assert (now.importance, str(now.state), now.updated_at) == (0.77, "active", clock())


def test_undoing_a_sleep_under_a_summary_needs_force(reverie: Reverie, clock: Clock) -> None:
    text = "Kade repaired the red boat at the pier"
    mama = minded(reverie, Dreamer(dream=lambda night: [
        Learn(essence=text, kind=Kind.OBSERVATION, sources=(said_in(night)[text],))
    ]))[1]  # fmt: skip
    mama.observe([{"content": text, "speaker": "Kade"}], conversation="day")
    night = sleep(mama._desk, mama.id, actor="night")
    assert len(night.changes) == 1
    cared, _ = narrated(reverie)
    ids = observed(cared, clock, 30)
    report = cared.self_care()
    assert report.summarized == 31
    with pytest.raises(NotRevertible):
        cared.revert(night.sleep.id)
    cared.revert(night.sleep.id, force=True)
    assert cared.summaries.list() == []
    assert set(states(cared)) == set(ids)
    assert set(states(cared).values()) == {"active"}


def test_its_diff_says_where_to_look(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    report = mama.self_care()
    with pytest.raises(InvalidInput, match="see the summaries"):
        mama.jobs.diff(report.id)


def test_a_revert_makes_closed_messages_live_again(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    talked(mama, 12)
    clock.wait(hours=2)
    report = mama.self_care()
    talked(mama, 4)
    mama.revert(report.id)
    assert mama.stats().live == 16
    assert kept(mama, "Anna lives in Porto").id
