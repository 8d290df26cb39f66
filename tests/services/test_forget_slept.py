"""What a sleep, a diary or a relationship tells of a text goes with a forget: from every table, export and file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from reverie import Agent, Forgotten, Reverie, Settings, SoulSettings
from reverie.domain.audit import Action
from reverie.domain.change import Change, Connect, Learn, Proposal, Reinforce, Revise
from reverie.domain.kinds import Kind
from reverie.domain.memory import Connection, Memory
from reverie.ports.night import Night
from reverie.services.sleep.sleep import sleep
from tests.services.bench import NOON, Clock, kept, opened
from tests.services.exports import brought, lines_of
from tests.services.nights import Dreamer, said_in, slept
from tests.services.scripted import minded
from tests.services.traces import files_holding, holding, rows_of

pytestmark = pytest.mark.slow

WORD = "zanzibarquux"
SECRET = f"Anna hides the {WORD} diamonds under the oak"
HOME = "Anna lives in Porto by the river"


def _dream(night: Night) -> Sequence[Change]:
    said = said_in(night)
    home = next(one for cluster in night.clusters for one in cluster.known)
    return [
        Learn(essence=SECRET, kind=Kind.FACT, sources=(said[SECRET],)),
        Learn(essence=f"The {WORD} costs 99999 ducats", kind=Kind.FACT, sources=(said[SECRET],)),
        Reinforce(memory_id=home.id, reason=f"she said so beside the {WORD}", sources=(said[HOME],)),
        Connect(memory_a=home.id, memory_b="new:0", relation="near"),
    ]


def _night(reverie: Reverie) -> Agent:
    mama = reverie.agent("mama")
    mama.remember(HOME)
    mama.observe([{"content": HOME, "speaker": "Anna"}, {"content": SECRET, "speaker": "Anna"}])
    report = slept(reverie, dream=_dream)
    assert len(report.changes) >= 2
    assert report.sleep.rejected
    assert holding(mama, WORD)
    return mama


def _by_memory(mama: Agent) -> None:
    (known,) = [one for one in mama.memories() if WORD in one.essence]
    mama.forget(known.id)


def _by_episode(mama: Agent) -> None:
    (said,) = [one for one in mama.episodes() if WORD in one.content]
    mama.forget(said.id)


def _by_conversation(mama: Agent) -> None:
    mama.forget(conversation="main")


def _everything(mama: Agent) -> None:
    mama.forget(everything=True)


@pytest.mark.parametrize("forget", [_by_memory, _by_episode, _by_conversation, _everything])
def test_no_table_holds_a_forgotten_word(reverie: Reverie, forget: Callable[[Agent], None]) -> None:
    mama = _night(reverie)
    forget(mama)
    assert holding(mama, WORD, "99999") == []
    assert WORD not in json.dumps([*map(dict, mama.export())], default=str)
    assert WORD not in repr(mama.jobs.diff(mama.jobs.sleeps()[0].id))
    assert WORD not in repr(mama.audit(limit=1000))


def test_the_report_still_says_what_was_done(reverie: Reverie) -> None:
    mama = _night(reverie)
    before = mama.jobs.diff(mama.jobs.sleeps()[0].id)
    _by_episode(mama)
    after = mama.jobs.diff(before.sleep.id)
    assert after.sleep.episodes == before.sleep.episodes
    assert [one.reason for one in after.sleep.rejected] == [one.reason for one in before.sleep.rejected]
    assert {one.text for one in after.sleep.rejected} == {None}


def test_a_sleep_never_learns_again_what_was_forgotten(reverie: Reverie) -> None:
    mama = _night(reverie)
    _by_memory(mama)
    mama.observe([{"content": f"By the way: {SECRET}", "speaker": "Anna"}], conversation="other")
    report = slept(
        reverie,
        dream=lambda night: [
            Learn(essence=SECRET, kind=Kind.FACT, sources=(night.clusters[0].episodes[0].id,)),
            Revise(memory_id=mama.memories()[0].id, essence=SECRET, reason="more is known"),
        ],
    )
    assert report.changes == ()
    assert [one for one in mama.memories(deep=True) if WORD in one.essence] == []


def test_a_revert_never_brings_it_back(reverie: Reverie) -> None:
    mama = _night(reverie)
    _by_episode(mama)
    mama.revert(mama.jobs.sleeps()[0].id)
    assert holding(mama, WORD) == []


def test_no_raw_page_log_or_file_holds_it(tmp_path: Path, clock: Clock) -> None:
    soul = tmp_path / "soul.md"
    with opened(
        tmp_path / "bank",
        key=None,
        encrypted=False,
        clock=clock,
        settings=Settings(soul=SoulSettings(file=str(soul))),
    ) as reverie:
        mama = _night(reverie)
        mama.soul.refresh()
        assert WORD in soul.read_text()
        _by_episode(mama)
        assert (tmp_path / "bank").exists()
        assert files_holding(tmp_path, WORD) == set()


def test_a_memory_outlives_the_message_that_confirmed_it(reverie: Reverie) -> None:
    mama = reverie.agent("mama")
    home = mama.remember(HOME).memory
    mama.observe([{"content": HOME, "speaker": "Anna"}])
    slept(reverie, Reinforce(memory_id=home.id, reason="she says so", sources=(HOME,)))
    (said,) = mama.episodes()
    assert mama.memories()[0].source_episodes == (said.id,)
    receipt = mama.forget(said.id)
    assert (receipt.memories, receipt.unlinked_memories) == ((), (home.id,))
    assert mama.memories()[0].source_episodes == ()


CLINIC = f"Anna was treated for {WORD} at the clinic"
TEA = "Anna drinks green tea at the clinic"


def _edges(mama: Agent, memory: Memory) -> list[tuple[str, str]]:
    with mama._desk.store.read(mama.id) as unit:
        return [(one.source, one.relation) for one in unit.memories.connections([memory.id])]


def _later_night(reverie: Reverie, clock: Clock, relation: str) -> tuple[Agent, Memory, Memory]:
    """A sleep whose mind was shown a message as one of before, and a memory as known, and tells of both."""
    mama = reverie.agent("mama")
    mama.observe([{"content": CLINIC, "speaker": "Anna"}], conversation="first")
    slept(reverie)
    secret, tea = kept(mama, f"Anna takes {WORD}pills at the clinic every evening"), kept(mama, TEA)
    clock.wait(days=1)
    mama.observe([{"content": f"{TEA} again", "speaker": "Anna"}], conversation="second")
    clock.wait(hours=9)
    report = slept(
        reverie,
        dream=lambda night: [
            Reinforce(
                memory_id=tea.id, reason=f"she is there for {WORD}", sources=(*said_in(night).values(),)
            ),
            Connect(memory_a=tea.id, memory_b=secret.id, relation="near"),
        ],
    )
    assert len(report.changes) == 2, report.sleep.rejected
    with mama._desk.store.write("mama") as unit:  # as minds may name it
        unit.undo.disconnect(
            Connection(source=tea.id, target=secret.id, relation="near", created_at=clock.now)
        )
        edge = Connection(source=tea.id, target=secret.id, relation=relation, created_at=clock.now)
        unit.memories.connect(edge)
        (told,) = unit.audit.list(actions=[Action.CONNECT])
        unit.audit.retell([replace(told, after={**(told.after or {}), "relation": relation})])
    return mama, secret, tea


def test_a_later_night_that_was_shown_it_keeps_no_word_of_it(reverie: Reverie, clock: Clock) -> None:
    mama, secret, tea = _later_night(reverie, clock, f"{WORD} is why")
    (said,) = [one for one in mama.episodes() if one.content == CLINIC]
    mama.forget(said.id)
    # The memory that stays, and how it was remembered, hold it.
    assert {*holding(mama, WORD)} <= {"memories", "audit", "counters"}
    assert [one.reason for one in mama.audit(target=tea.id)] == [None, None, None]
    assert _edges(mama, tea) == [(tea.id, "near")]
    mama.forget(secret.id)
    assert holding(mama, WORD) == []


def test_an_edge_that_lost_its_name_goes_with_its_night(reverie: Reverie, clock: Clock) -> None:
    mama, _, tea = _later_night(reverie, clock, f"{WORD} is why")
    (said,) = [one for one in mama.episodes() if one.content == CLINIC]
    mama.forget(said.id)
    assert mama.revert(mama.jobs.sleeps()[0].id).edges == 1
    assert _edges(mama, tea) == []


def test_an_earlier_edge_stays_when_the_named_one_goes(reverie: Reverie, clock: Clock) -> None:
    mama, secret, tea = _later_night(reverie, clock, f"{WORD} is why")
    with mama._desk.store.write("mama") as unit:
        unit.memories.connect(
            Connection(source=secret.id, target=tea.id, relation="near", created_at=clock.now)
        )
    (said,) = [one for one in mama.episodes() if one.content == CLINIC]
    mama.forget(said.id)
    mama.revert(mama.jobs.sleeps()[0].id)
    assert _edges(mama, tea) == [(secret.id, "near")]


def test_a_forget_during_a_night_leaves_nothing_of_its_words(reverie: Reverie, clock: Clock) -> None:
    mama = reverie.agent("mama")
    secret, tea = kept(mama, f"Anna takes {WORD}pills at the clinic"), kept(mama, TEA)
    clock.wait(days=1)
    mama.observe([{"content": f"{TEA} again", "speaker": "Anna"}])
    clock.wait(hours=9)

    class Noted(Dreamer):
        def consolidate(self, night: Night) -> Proposal:
            mama.forget(secret.id)
            reason = f"she takes {WORD}pills there"
            again = Reinforce(memory_id=tea.id, reason=reason, sources=(*said_in(night).values(),))
            return Proposal(changes=(again,), notes=(f"{WORD} was the topic",))

    _, sleeper = minded(reverie, Noted())
    report = sleep(sleeper._desk, "mama", actor="night")
    assert len(report.changes) == 1
    assert holding(mama, WORD) == []
    assert WORD not in repr(report)


def test_a_night_keeps_its_reasons_where_nothing_was_forgotten(reverie: Reverie, clock: Clock) -> None:
    mama = reverie.agent("mama")
    tea = kept(mama, TEA)
    clock.wait(days=1)
    mama.observe([{"content": f"{TEA} again", "speaker": "Anna"}])
    clock.wait(hours=9)

    def dream(night: Night) -> Sequence[Change]:
        mama.remember("Ben keeps bees")
        return [Reinforce(memory_id=tea.id, reason="she said so", sources=(*said_in(night).values(),))]

    assert [one.reason for one in slept(reverie, dream=dream).changes] == ["she said so"]


def test_a_scripted_night_may_fail_without_a_trace(reverie: Reverie) -> None:
    mama = reverie.agent("mama")
    mama.observe([{"content": SECRET, "speaker": "Anna"}])

    def broken(night: Night) -> Sequence[Change]:
        raise RuntimeError(SECRET)

    _, sleeper = minded(reverie, Dreamer(dream=broken))
    with pytest.raises(Exception, match="RuntimeError") as raised:
        sleep(sleeper._desk, "mama", actor="night")
    assert WORD not in str(raised.value)
    (job,) = mama.stats().jobs
    assert WORD not in repr(job)


LATE = f"The {WORD} left the harbour at night"


def _all(agent: Agent) -> str:
    """Every row of every table, and the whole export."""
    return repr(rows_of(agent)) + json.dumps(lines_of(agent, with_vectors=True), ensure_ascii=False)


def _lived(mama: Agent, clock: Clock) -> None:
    """Three days; what is said on the second holds the word."""
    mama.diary.write("A calm morning", mood="calm")
    mama.relationships.assign("Kade", "ally", 0.5, notes="Owes me a map", rationale="He kept his word")
    clock.wait(days=1)
    mama.diary.write(LATE, mood=f"{WORD}ish", location=f"{WORD} bay", date="2026-11-20")
    mama.diary.write({"deep": [{"seen": LATE}], "n": 1})
    mama.relationships.assign("Kade", f"{WORD}_hunter", -0.5, tone=f"{WORD}ly", notes=f"Owes me a {WORD}")
    mama.relationships.assign("Anna", "friend", rationale=LATE)
    clock.wait(days=1)
    mama.diary.write("A calm evening", date="2026-11-20")
    mama.relationships.assign("Kade", trust=0.25)
    mama.relationships.assign("Kade", "rival", notes="Nothing owed")


def _by_range(mama: Agent) -> None:
    receipt = mama.forget(since=NOON.replace(day=21), until=NOON.replace(day=22))
    assert (receipt.diary, receipt.relationships) == (("2026-11-20", "2026-11-21"), ("Anna", "Kade"))
    page = mama.diary.page("2026-11-20")
    assert [note.body["text"] for note in page.notes] == ["A calm morning", "A calm evening"]
    assert (page.mood, page.location, len(mama.diary.pages())) == ("calm", None, 1)
    told = [(view.type, view.trust, view.tone, view.notes) for view in mama.relationships.history()]
    assert told == [
        ("ally", 0.5, None, "Owes me a map"), ("ally", 0.25, None, "Owes me a map"),
        ("rival", 0.25, None, "Nothing owed"),
    ]  # fmt: skip
    assert [view.rationale for view in mama.relationships.history()] == ["He kept his word", None, None]
    assert "A calm morning" in repr(mama.audit())


def _by_everything(mama: Agent) -> None:
    receipt = mama.forget(everything=True)
    assert (receipt.diary, receipt.relationships) == (("2026-11-20", "2026-11-21"), ("Anna", "Kade"))
    assert [*mama.diary.pages(), *mama.relationships.history()] == []
    assert "calm" not in repr(mama.audit())


def _one_by_one(mama: Agent) -> None:
    for date in ("2026-11-20", "2026-11-21"):
        mama.diary.remove(date)
    for other in ("Kade", "Anna"):
        mama.relationships.remove(other)


WAYS = [_by_range, _by_everything, _one_by_one]


@pytest.mark.parametrize("way", WAYS)
def test_no_row_nor_export_holds_a_word(mama: Agent, clock: Clock, way: Callable[[Agent], None]) -> None:
    _lived(mama, clock)
    assert _all(mama).count(WORD) > 9
    way(mama)
    assert WORD not in _all(mama)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_brings_back_a_word_of_it(mama: Agent, clock: Clock, way: Callable[[Agent], None]) -> None:
    _lived(mama, clock)
    lines = lines_of(mama)
    way(mama)
    left = mama.diary.pages(), mama.relationships.history()
    for write in (
        lambda: mama.diary.write(LATE.upper()), lambda: mama.relationships.assign("Anna", rationale=LATE),
        lambda: mama.diary.write({"n": 1, "deep": [{"seen": LATE}]}, date="2026-11-21"),
    ):  # fmt: skip
        with pytest.raises(Forgotten):
            write()
    done = brought(mama, lines, on_conflict="skip")
    assert WORD not in _all(mama)
    if way is _by_range:
        assert (mama.diary.pages(), mama.relationships.history()) == left
        assert (done.counts["diary"].added, done.counts["relationship"].added) == (0, 0)


def test_an_open_range_takes_all_of_its_side(mama: Agent, clock: Clock) -> None:
    _lived(mama, clock)
    mama.forget(until=NOON.replace(day=22))
    assert [note.body["text"] for note in mama.diary.page("2026-11-20").notes] == ["A calm evening"]
    assert [(view.type, view.notes) for view in mama.relationships.history()] == [
        ("neutral", None), ("rival", "Nothing owed")
    ]  # fmt: skip


def test_a_range_without_either_leaves_both_untouched(mama: Agent, clock: Clock) -> None:
    _lived(mama, clock)
    mama.soul.add("I keep my word")
    held = mama.diary.pages(), mama.relationships.history(), mama.soul.list()
    receipt = mama.forget(since=NOON.replace(day=25))
    assert (receipt.diary, receipt.relationships) == ((), ())
    assert (mama.diary.pages(), mama.relationships.history(), mama.soul.list()) == held
