"""self-care: observations become summaries that stand for them, beside other verbs and jobs, and nothing is lost."""

from __future__ import annotations

import pytest

from reverie import Action, InvalidInput, Reverie, SelfCareSettings, Settings
from reverie.domain.change import Learn, Proposal
from reverie.domain.kinds import Kind
from reverie.domain.memory import DERIVED_FROM
from reverie.domain.trust import SourceTrust
from reverie.errors import Paused
from reverie.services.sleep.sleep import sleep
from reverie.services.upkeep.housekeeping import housekeeping
from tests.services.beds import Dreamer
from tests.services.bench import Clock, kept, opened
from tests.services.cared import narrated, observed, saw, states, talked, the, watching
from tests.services.conftest import Open
from tests.services.exports import bank_of, brought, lined, lines_of
from tests.services.scripted import minded

pytestmark = pytest.mark.slow


def test_all_of_it_stands_in_the_log_under_one_job(reverie: Reverie, clock: Clock) -> None:
    mama, _, ids = watching(reverie, clock, 30)
    report = mama.self_care()
    log = mama.audit(job=report.id)
    assert [one.action for one in log] == [Action.SUMMARIZE] * 31 + [Action.SELF_CARE]
    assert [one.target for one in log] == [report.summaries[0], *ids, report.id]
    assert log[1].after is not None
    assert log[1].after["summary"] == report.summaries[0]
    with mama._desk.store.read(mama.id) as unit:
        edges = unit.memories.connections([report.summaries[0]])
    assert {(one.source, one.target, one.relation) for one in edges} == {
        (report.summaries[0], id, DERIVED_FROM) for id in ids
    }


def test_an_agent_that_never_wrote_is_declined(reverie: Reverie) -> None:
    mama, _ = narrated(reverie)
    assert mama.self_care().declined is not None
    assert reverie.agents() == []


@pytest.mark.parametrize(
    ("home", "location", "is_home"),
    [
        (None, None, True), (None, "the harbour", True), ("Győr", "győr", True), ("Győr", "the harbour", False),
        ("Győr", None, False),
    ],
)  # fmt: skip
def test_an_agent_with_a_home_is_cared_for_there_alone(
    reverie: Reverie, clock: Clock, home: str | None, location: str | None, is_home: bool
) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    mama.set_profile(home=home, location=location)
    report = mama.self_care()
    assert bool(report) is is_home
    assert (report.declined is None) is is_home
    if home is not None and location is None:
        assert "nobody knows where it is" in str(report.declined)


def test_what_is_pinned_or_superseded_or_no_observation_is_left(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    pinned = kept(mama, "The spare key lies under the red pot", kind="observation", pinned=True)
    fact = kept(mama, "Anna lives in Porto")
    old = kept(mama, "Kade rents boat 4", kind="observation")
    kept(mama, "Kade rents boat 9 now", kind="observation", supersedes=[old.id])
    observed(mama, clock, 30)
    assert mama.self_care().summarized == 31
    found = states(mama)
    assert (found[pinned.id], found[fact.id], found[old.id]) == ("active", "active", "archived")


def test_a_dry_run_changes_nothing_and_tells_what_would_be(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 40)
    before, rev = bank_of(mama), mama.stats().rev
    report = mama.self_care(dry_run=True)
    assert not report
    assert (report.dry_run, report.batches, report.summarized, report.declined) == (True, 1, 40, None)
    assert (bank_of(mama), mama.stats().rev, teller.batches) == (before, rev, [])


def test_it_needs_a_mind_and_an_agent_that_is_awake(open_bank: Open, clock: Clock) -> None:
    mama = open_bank(settings=Settings(mind="none")).agent("mama")
    with pytest.raises(InvalidInput, match="open the bank with a mind"):
        mama.self_care()
    awake, _ = narrated(open_bank())
    awake.jobs.pause()
    with pytest.raises(Paused):
        awake.self_care()


def test_a_summary_has_the_least_trust_of_its_originals(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 29, source_trust="principal")
    observed(mama, clock, 1, first=40, source_trust="external")
    report = mama.self_care()
    assert mama.summaries.expand(report.summaries[0]).memory.source_trust is SourceTrust.EXTERNAL


def test_stats_tell_how_much_there_is_and_whether_it_is_too_much(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 40, self_care=SelfCareSettings(ceiling=300))
    before = mama.stats()
    assert (before.self_care_due, before.summaries, before.observation_tokens > 300) == (True, 0, True)
    mama.self_care()
    after = mama.stats()
    assert (after.self_care_due, after.summaries, after.states["summarized"]) == (False, 1, 40)


def test_recall_finds_the_summary_and_deep_recall_the_originals(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    teller.tell = lambda some: (
        f"{len(some)} walks were noted. " * 12 + "At the end somebody lost a turquoise umbrella."
    )
    ids = observed(mama, clock, 30)
    [summary] = mama.self_care().summaries
    found = mama.recall("turquoise umbrella", strategy="lexical")
    assert [hit.id for hit in found.hits] == [summary]
    assert summary in {hit.id for hit in mama.recall("walks that were noted").hits}
    plain = mama.recall(saw(7), limit=40, min_score=0.0)
    assert not {hit.id for hit in plain.hits} & set(ids)
    assert ids[7] in {hit.id for hit in mama.recall(saw(7), deep=True).hits}


def test_a_fact_that_is_summarized_is_kept_anew(reverie: Reverie, clock: Clock) -> None:
    mama, _, ids = watching(reverie, clock, 30)
    mama.self_care()
    again = kept(mama, saw(3), kind="observation")
    assert again.id not in ids
    assert states(mama)[ids[3]] == "summarized"


def test_housekeeping_leaves_summaries_alone(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie, self_care=SelfCareSettings(batch=30))
    teller.tell = lambda some: "Parcels were seen at the pier on many mornings"
    observed(mama, clock, 60)
    one, other = (mama.self_care().summaries[0] for _ in range(2))
    assert the(mama, one).essence == the(mama, other).essence
    before = {id: state for id, state in states(mama).items() if state == "summarized" or id in (one, other)}
    clock.wait(days=900)
    kept_house = housekeeping(mama._desk, mama.id, actor="weekly")
    assert not {one, other} & {id for pair in kept_house.merged for id in (pair.survivor, pair.merged)}
    assert kept_house.passed_over.get("stale, but kept as summary") == 2
    now = states(mama)
    assert {id: now[id] for id in before} == before


def test_what_recurs_in_a_closed_conversation_is_promoted(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    teller.sum_up = lambda some: "The harbour crane was broken again"
    observed(mama, clock, 30)
    for _ in range(3):
        mama.observe(["The harbour crane was broken again"], conversation="harbour")
        talked(mama, 3)
        clock.wait(days=1)
    mama.self_care()
    kept_house = housekeeping(mama._desk, mama.id, actor="weekly")
    assert not {one.memory_id for one in kept_house.promoted} & {
        one.memory_id for one in mama.summaries.list()
    }


def test_a_sleep_is_shown_no_summary_and_changes_none(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    talked(mama, 12)
    clock.wait(hours=2)
    made = mama.self_care().summaries
    before = {id: mama.get(id) for id in made}
    said = mama.summaries.expand(made[1]).memory.essence
    mind = Dreamer(
        dream=lambda night: Proposal(
            changes=(Learn(essence=said, kind=Kind.OBSERVATION, sources=(_first(night),)),)
        )
    )
    _, sleeper = minded(reverie, mind)
    sleep(sleeper._desk, mama.id, actor="night")
    [night] = mind.nights
    shown = {one.id for cluster in night.clusters for one in cluster.known}
    assert not shown & set(made)
    assert {one.id for one, _ in night.look(night.clusters[0].vectors)}.isdisjoint(made)
    assert {id: mama.get(id) for id in made} == before


def _first(night: object) -> str:
    return str(night.clusters[0].episodes[0].id)  # type: ignore[attr-defined]


def test_what_says_the_same_as_a_summary_is_kept_beside_it(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    teller.tell = lambda some: "Parcels were seen at the pier on many mornings"
    observed(mama, clock, 30)
    [made] = mama.self_care().summaries
    again = kept(mama, "Parcels were seen at the pier on many mornings", kind="observation")
    assert again.id != made
    assert the(mama, made).reinforcement_count == 1


def test_a_summary_may_be_pinned_and_tagged_but_not_reworded(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    ids = observed(mama, clock, 30, source_trust="other")
    [made] = mama.self_care().summaries
    assert mama.revise(made, pinned=True, tags=["spring"]).tags == ("spring",)
    assert mama.adopt(made) == 1
    assert mama.portrait(made).memory.source_trust == "principal"
    with pytest.raises(InvalidInput, match="it is a summary"):
        mama.revise(made, essence="Nothing was seen")
    with pytest.raises(InvalidInput, match="it is a summary"):
        mama.revise(made, kind="policy")
    with pytest.raises(InvalidInput, match="is a summary"):
        mama.remember("Nothing was ever seen", supersedes=[made])
    with pytest.raises(InvalidInput, match="a summary stands for it"):
        mama.revise(ids[0], essence="Nothing was seen")


def test_what_is_superseded_under_a_summary_stays_under_it(reverie: Reverie, clock: Clock) -> None:
    mama, _, ids = watching(reverie, clock, 30)
    [made] = mama.self_care().summaries
    kept(mama, f"{saw(3)}, or so it seemed, but it was another day", supersedes=[ids[3]])
    assert states(mama)[ids[3]] == "summarized"
    assert len(mama.summaries.expand(made).memories) == 30


def test_an_export_brings_it_all_to_another_bank(
    open_bank: Open, tmp_path_factory: pytest.TempPathFactory, clock: Clock
) -> None:
    mama, _, _ = watching(open_bank(), clock, 60, self_care=SelfCareSettings(batch=30, target=1))
    talked(mama, 12)
    clock.wait(hours=2)
    report = mama.self_care()
    with opened(tmp_path_factory.mktemp("other") / "other.bank", clock=clock) as other:
        papa = other.agent("papa")
        done = brought(papa, lines_of(mama))
        assert done.counts["summary"].added == len(report.summaries)
        assert bank_of(papa) == bank_of(mama)
        assert list(papa.summaries.list()) == list(mama.summaries.list())
        assert brought(papa, lines_of(mama)).counts["summary"].known == len(report.summaries)
        papa.revert(report.id)
        assert papa.summaries.list() == []


def test_a_summary_of_what_was_forgotten_does_not_come_back(open_bank: Open, clock: Clock) -> None:
    mama, teller = narrated(open_bank(), self_care=SelfCareSettings(batch=30, target=1))
    teller.tell = lambda some: f"It began when {some[0].essence}"
    ids = observed(mama, clock, 60)
    mama.self_care()
    lines = lines_of(mama, with_log=False)
    mama.forget(ids[0])
    back = brought(mama, lines, on_conflict="replace")
    assert back.counts["summary"].left_out == 2
    assert saw(0) not in repr(lines_of(mama))
    assert {states(mama)[id] for id in ids[1:30]} == {"active"}
    assert {states(mama)[id] for id in ids[30:]} == {"summarized"}


def test_a_strangers_summaries_stand_for_nothing(
    open_bank: Open, tmp_path_factory: pytest.TempPathFactory, clock: Clock
) -> None:
    mama, _, _ = watching(open_bank(), clock, 30)
    mama.self_care()
    with opened(tmp_path_factory.mktemp("other") / "other.bank", clock=clock) as other:
        papa = other.agent("papa")
        brought(papa, lines_of(mama), untrusted=True)
        assert papa.summaries.list() == []
        assert len(papa.memories(limit=100)) == 30


def test_a_line_that_can_be_no_summary_is_refused(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    mama.self_care()
    header, *body = lines_of(mama, with_log=False)
    changed = [{**one, "first": 3} if one["type"] == "summary" else one for one in body[:-1]]
    with pytest.raises(InvalidInput, match="conversation"):
        brought(reverie.agent("papa"), lined(changed, header=header))
