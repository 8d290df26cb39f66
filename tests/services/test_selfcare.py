"""self-care: observations become summaries that stand for them, and nothing is lost."""

from __future__ import annotations

import pytest

from reverie import Action, InvalidInput, NotFound, Reverie, SelfCareSettings, Settings
from reverie.domain.memory import DERIVED_FROM
from reverie.domain.trust import SourceTrust
from reverie.errors import Paused
from tests.services.bench import Clock, kept
from tests.services.cared import narrated, observed, saw, states
from tests.services.conftest import Open
from tests.services.exports import bank_of

pytestmark = pytest.mark.slow


def test_all_of_it_stands_in_the_log_under_one_job(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    ids = observed(mama, clock, 30)
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
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
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
    mama, teller = narrated(reverie)
    observed(mama, clock, 40)
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


def test_only_a_summary_can_be_expanded(reverie: Reverie) -> None:
    mama, _ = narrated(reverie)
    fact = kept(mama, "Anna lives in Porto")
    with pytest.raises(InvalidInput, match="is no summary"):
        mama.summaries.expand(fact.id)
    with pytest.raises(NotFound):
        mama.summaries.expand("nowhere")
    with pytest.raises(InvalidInput):
        mama.summaries.list(limit=0)


def test_a_summary_has_the_least_trust_of_its_originals(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 29, source_trust="principal")
    observed(mama, clock, 1, first=40, source_trust="external")
    report = mama.self_care()
    assert mama.summaries.expand(report.summaries[0]).memory.source_trust is SourceTrust.EXTERNAL


def test_stats_tell_how_much_there_is_and_whether_it_is_too_much(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie, self_care=SelfCareSettings(ceiling=300))
    observed(mama, clock, 40)
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


def test_a_summary_enters_the_context_block_as_an_observation(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    teller.tell = lambda some: "Kade was seen at the pier with parcels on many mornings"
    observed(mama, clock, 30, source_trust="principal")
    mama.self_care()
    block = mama.context("Where was Kade seen with parcels?")
    assert "Kade was seen at the pier with parcels on many mornings" in block.text
    assert saw(1) not in block.text


def test_a_fact_that_is_summarized_is_kept_anew(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    ids = observed(mama, clock, 30)
    mama.self_care()
    again = kept(mama, saw(3), kind="observation")
    assert again.id not in ids
    assert states(mama)[ids[3]] == "summarized"
