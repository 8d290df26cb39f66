"""self-care, in short: what a summary is, and when there is none. The rest is in the slow suite."""

from __future__ import annotations

from datetime import timedelta

from reverie import Reverie
from reverie.domain.memory import Origin, State
from tests.services.bench import Clock, kept
from tests.services.cared import narrated, observed, saw, states, talked
from tests.services.exports import bank_of


def test_a_batch_of_observations_becomes_one_summary(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    ids = observed(mama, clock, 40)
    report = mama.self_care()
    assert bool(report)
    assert (report.observations, report.batches, report.summarized, report.declined) == (40, 1, 40, None)
    assert report.tokens_after < report.tokens_before
    [summary] = mama.summaries.list()
    assert report.summaries == (summary.memory_id,)
    assert (summary.job, summary.items, summary.conversation) == (report.id, 40, None)
    assert summary.ended_at - summary.began_at == timedelta(minutes=39)
    assert [one.essence for one in teller.batches[0]] == [saw(number) for number in range(40)]
    assert {states(mama)[id] for id in ids} == {"summarized"}
    opened = mama.summaries.expand(summary.memory_id)
    assert [one.id for one in opened.memories] == ids
    assert opened.episodes == ()
    made = opened.memory
    assert (made.state, made.origin, made.kind) == (State.ACTIVE, Origin.SELF_CARE, "observation")
    assert made.essence == (
        "20 November 2026, 40 observations: Anna (8), Ines (8), Kade (8), Noor (8) and Otto (8).\n"
        f"A story of 40 things from {saw(0)}"
    )


def test_it_declines_with_too_few_observations(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    observed(mama, clock, 29)
    kept(mama, "Anna lives in Porto")
    before = bank_of(mama)
    report = mama.self_care()
    assert not report
    assert report.declined is not None
    assert "29 observations" in report.declined
    assert (bank_of(mama), teller.batches) == (before, [])


def test_closing_a_conversation_can_be_undone(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    ids = talked(mama, 12)
    clock.wait(minutes=61)
    before = bank_of(mama)
    report = mama.self_care()
    assert (report.conversations, report.closed) == (1, 12)
    [summary] = [one for one in mama.summaries.list() if one.conversation is not None]
    assert (summary.conversation, summary.first, summary.last, summary.items) == ("harbour", 0, 11, 12)
    assert [one.id for one in mama.summaries.expand(summary.memory_id).episodes] == ids
    mama.revert(report.id)
    assert bank_of(mama) == before
