"""Batches of a self-care: how many, in which order, and what comes between two of them."""

from __future__ import annotations

import threading

import pytest

from reverie import Reverie, SelfCareSettings
from reverie.domain.job import SELF_CARE
from reverie.domain.memory import Memory
from reverie.errors import CapReached, JobRunning, MindFailed
from reverie.services.runtime.leasing import Lease
from reverie.services.upkeep.selfcare import self_care
from tests.services.bench import Clock
from tests.services.cared import Narrator, narrated, observed, saw, states, watching
from tests.services.conftest import Open
from tests.services.exports import bank_of

pytestmark = pytest.mark.slow


def test_a_first_batch_is_made_though_it_is_not_too_much(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 100, self_care=SelfCareSettings(batch=30))
    assert mama.self_care().summarized == 30
    assert [one.essence for one in teller.batches[0]][:2] == [saw(0), saw(1)]
    assert mama.self_care().summarized == 30


def test_it_goes_on_until_what_is_active_is_little_enough(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 100)
    held = mama.stats().observation_tokens
    mama, teller = narrated(reverie, self_care=SelfCareSettings(batch=30, target=held // 2))
    report = mama.self_care()
    assert report.tokens_before == held
    assert report.tokens_after < held // 2
    assert [len(one) for one in teller.batches] == [30, 30]
    assert report.summarized == 60


def test_a_remainder_too_small_for_a_story_stays(reverie: Reverie, clock: Clock) -> None:
    mama, teller, ids = watching(reverie, clock, 95, self_care=SelfCareSettings(batch=40, target=1))
    mama.self_care()
    assert [len(one) for one in teller.batches] == [40, 40, 2]
    assert {states(mama)[id] for id in ids[80:]} == {"active"}


def test_batches_go_by_the_time_of_what_they_tell_of(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie, self_care=SelfCareSettings(batch=30))
    drafts = [
        {
            "essence": saw(number),
            "kind": "observation",
            "valid_from": f"2026-0{9 - number % 9}-01T12:00:00+00:00",
        }
        for number in range(40)
    ]
    mama.remember_many(drafts)
    mama.self_care()
    times = [one.valid_from or one.created_at for one in teller.batches[0]]
    assert times == sorted(times)
    left = [one for one in mama.memories(limit=100) if str(one.origin) == "commit"]
    assert max(times) <= min(one.valid_from or one.created_at for one in left)


def test_summaries_are_summarized_last_and_expand_one_by_one(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie, self_care=SelfCareSettings(batch=30, target=45))
    teller.tell = lambda some: f"A longer story of {len(some)} things that were seen from {some[0].essence}"
    ids = observed(mama, clock, 90)
    report = mama.self_care()
    assert [len(one) for one in teller.batches] == [30, 30, 30, 3]
    assert report.batches == 4
    top = mama.summaries.expand(report.summaries[-1])
    assert [one.id for one in top.memories] == list(report.summaries[:3])
    below = [one.id for made in top.memories for one in mama.summaries.expand(made.id).memories]
    assert below == ids
    assert (top.summary.began_at, top.summary.ended_at) == (
        mama.summaries.expand(report.summaries[0]).summary.began_at,
        mama.summaries.expand(report.summaries[2]).summary.ended_at,
    )
    found = states(mama)
    assert [found[id] for id in report.summaries] == ["summarized"] * 3 + ["active"]


def test_a_summary_is_shorter_than_what_it_stands_for(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 30)
    report = mama.self_care()
    assert teller.asked_for[0] <= report.tokens_before // 3


def test_what_is_changed_while_the_mind_thinks_is_read_anew(reverie: Reverie, clock: Clock) -> None:
    mama, teller, ids = watching(reverie, clock, 40)
    teller.meanwhile = lambda: mama.forget(ids[0])
    report = mama.self_care()
    assert [len(one) for one in teller.batches] == [40, 39]
    assert report.summarized == 39
    assert saw(0) not in str(mama.summaries.expand(report.summaries[0]))


def test_it_gives_up_on_a_bank_that_always_changes(reverie: Reverie, clock: Clock) -> None:
    mama, teller, ids = watching(reverie, clock, 40)

    def told(some: object) -> str:
        mama.forget(ids.pop())
        return "A story"

    teller.tell = told
    report = mama.self_care()
    assert not report
    assert report.declined == "the bank is being changed; try again"
    assert "summarized" not in states(mama).values()


@pytest.mark.parametrize("answer", ["", "   ", None, 7, "word " * 5_000])
def test_a_narrative_that_is_none_changes_nothing(reverie: Reverie, clock: Clock, answer: object) -> None:
    mama, teller, _ = watching(reverie, clock, 30)
    before = bank_of(mama)
    teller.tell = lambda some: answer
    with pytest.raises(MindFailed):
        mama.self_care()
    assert bank_of(mama) == before
    with mama._desk.store.read(mama.id) as unit:
        state = unit.jobs.get(SELF_CARE)
    assert (state.failures, state.note) == (1, "MindFailed")


def test_where_the_mind_fails_the_one_of_this_machine_tells_it(reverie: Reverie, clock: Clock) -> None:
    away, home = Narrator(tell=_failing), Narrator()
    away.is_local = False
    mama, _ = narrated(reverie, away)
    object.__setattr__(mama._desk, "home", home)
    observed(mama, clock, 30)
    report = mama.self_care()
    assert report.summarized == 30
    assert len(home.batches) == len(away.batches) == 1


def _failing(some: object) -> str:
    raise MindFailed("away/1", "no answer")


def test_a_reached_limit_is_told_and_what_was_done_stays(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 90, self_care=SelfCareSettings(batch=30, target=1))

    def told(some: list[Memory]) -> str:
        if len(teller.batches) == 2:
            raise CapReached("60 calls an hour", clock().isoformat())
        return "A story"

    teller.tell = told  # type: ignore[assignment]
    with pytest.raises(CapReached):
        mama.self_care()
    assert list(states(mama).values()).count("summarized") == 30
    assert mama.self_care().summarized >= 60


def test_it_runs_once_at_a_time(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    with Lease(mama._desk, mama.id, SELF_CARE), pytest.raises(JobRunning):
        mama.self_care()
    assert mama.self_care().summarized == 30


def test_it_ends_between_two_batches_where_it_is_to_stop(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 90, self_care=SelfCareSettings(batch=30, target=1))
    stop = threading.Event()
    teller.meanwhile = stop.set
    report = self_care(mama._desk, mama.id, actor="worker", stop=stop)
    assert (report.summarized, report.batches) == (30, 1)
    assert [one.target for one in mama.audit(job=report.id, limit=100)][-1] == report.id
    assert mama.self_care().summarized >= 60


def test_progress_goes_up_to_its_end(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 60, self_care=SelfCareSettings(batch=30, target=1))
    seen: list[tuple[int, int]] = []
    mama.self_care(on_progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert all(done <= total for done, total in seen)


def test_secrets_that_a_mind_makes_up_are_not_stored(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 30)
    secret = "-".join(("sk", "ant", "api03", "Zk3vQ9xLm2Tn8Rw5Yb7Hc1Jd4Fg6Ks0Pq"))
    teller.tell = lambda some: f"They used the key {secret} at the pier"
    [summary] = mama.self_care().summaries
    assert secret not in mama.summaries.expand(summary).memory.essence


def test_by_itself_it_comes_only_if_allowed_past_the_ceiling(open_bank: Open, clock: Clock) -> None:
    reverie = open_bank()
    mama, teller, _ = watching(reverie, clock, 40, self_care=SelfCareSettings(ceiling=500))
    Reverie(mama._desk, actor="worker").sleep()
    assert teller.batches == []
    mama, teller = narrated(reverie, self_care=SelfCareSettings(ceiling=500, auto=True))
    mama.jobs.pause()
    Reverie(mama._desk, actor="worker").sleep()
    assert teller.batches == []
    mama.jobs.resume()
    Reverie(mama._desk, actor="worker").sleep()
    assert [len(one) for one in teller.batches] == [40]
    Reverie(mama._desk, actor="worker").sleep()
    assert len(teller.batches) == 1
