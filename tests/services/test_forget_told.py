"""What a forget takes out of other memories of the same messages, and since when they are believed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from reverie import Agent, Memory, Origin, Reverie
from reverie.domain.change import Revise
from reverie.domain.sleep import SleepReport
from reverie.memory.forgetting.traces import retold_without
from tests.services.bench import Clock, opened
from tests.services.conftest import Open
from tests.services.moody import Moody
from tests.services.nights import slept
from tests.services.traces import files_holding, holding

pytestmark = pytest.mark.slow

WORD = "zanzibarquux"
PIN = f"My bank card PIN is {WORD} and I keep the card in the blue tin."
CHOIR = (
    "The choir sang for four hundred people in the old brewery of Ghent. Owen forgot a verse. "
    "The mayor cried on the stairs and kissed the baker."
)
PART = "The choir sang for four hundred people in the old brewery of Ghent. Owen forgot a verse."
SHORT = f"Rosa's bank card PIN is {WORD} and Rosa keeps the card in the blue tin."
TEXT = f"{PIN} {CHOIR}"


def _memory(mama: Agent, essence: str, *said: str) -> Memory:
    return mama.remember(essence, source_episodes=said, origin=Origin.LOOP, source_trust="principal").memory


def _night(reverie: Reverie, mama: Agent, clock: Clock) -> tuple[str, Memory, Memory]:
    """Rosa says it, the loop makes a memory of its first sentence and one of its second, and a mind rewords that one
    in a sleep so that it tells it whole; the id of the message, and both memories.
    """
    [said] = mama.observe([{"content": TEXT, "speaker": "Rosa"}]).episode_ids
    short = _memory(mama, SHORT, said)
    part = _memory(mama, PART, said)
    clock.wait(hours=12)
    _told_whole(reverie, part)
    assert _essence(mama, part.id) == TEXT
    return said, short, part


def _told_whole(reverie: Reverie, part: Memory) -> SleepReport:
    done = slept(reverie, Revise(memory_id=part.id, essence=TEXT, reason="all of it", sources=(TEXT,)))
    assert len(done.changes) == 1, done.sleep.rejected
    return done


def _essence(mama: Agent, id: str) -> str:
    return mama.portrait(id).memory.essence


def _vector(mama: Agent, id: str) -> list[float]:
    with mama._desk.store.read(mama.id) as unit:
        return [float(one) for one in unit.memories.vectors([id])[id]]


def test_a_message_is_told_without_its_forgotten_part(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    said, short, whole = _night(reverie, mama, clock)
    before = mama.portrait(whole.id).memory
    receipt = mama.forget(short.id)
    assert (receipt.memories, receipt.rewritten_episodes) == ((short.id,), (said,))
    assert receipt.reworded_memories == (whole.id,)
    after = mama.portrait(whole.id).memory
    assert (after.essence, after.updated_at) == (CHOIR, clock.now)
    for name in ("state", "importance", "believed_from"):
        assert getattr(after, name) == getattr(before, name)
    assert holding(mama, WORD) == []
    new = reverie._desk.embedder.embed([CHOIR])[0]
    assert _vector(mama, whole.id) == pytest.approx([float(one) for one in new], abs=1e-3)
    assert mama.memories(match=WORD, deep=True) == []
    [hit] = mama.recall("Where did the choir sing?").hits
    assert hit.text == CHOIR


def test_another_process_sees_the_rest(reverie: Reverie, mama: Agent, clock: Clock, open_bank: Open) -> None:
    other = open_bank().agent("mama")
    _, short, whole = _night(reverie, mama, clock)
    assert other.memories(match=WORD)
    mama.forget(short.id)
    assert other.memories(match=WORD, deep=True) == []
    assert [hit.id for hit in other.recall("Where did the choir sing?").hits] == [whole.id]


def test_a_revert_brings_back_no_forgotten_word(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    _, short, whole = _night(reverie, mama, clock)
    mama.forget(short.id)
    mama.revert(mama.jobs.sleeps()[0].id)
    assert _essence(mama, whole.id) == PART
    assert holding(mama, WORD) == []


def test_what_says_nothing_else_goes_with_its_history(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    said, short, whole = _night(reverie, mama, clock)
    again = _memory(mama, f"The PIN of Rosa's card: {WORD}", said)
    reworded = _memory(mama, f"Rosa keeps her card and its PIN {WORD} in the tin", said)
    mama.revise(reworded.id, essence="Owen forgot a verse in Ghent")
    receipt = mama.forget(short.id)
    assert receipt.memories == tuple(sorted((short.id, again.id)))
    assert receipt.reworded_memories == (whole.id,)
    assert [one.essence for one in mama.memories(deep=True)] == [CHOIR, "Owen forgot a verse in Ghent"]
    assert holding(mama, WORD) == []


def test_a_sleep_that_reworded_it_can_still_be_undone(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    [said] = mama.observe([{"content": TEXT, "speaker": "Rosa"}]).episode_ids
    kept = mama.remember("The bank card PIN is in the blue tin", source_episodes=[said]).memory
    part = _memory(mama, f"{PIN} The choir sang in the old brewery of Ghent. Owen forgot a verse.", said)
    clock.wait(hours=12)
    done = _told_whole(reverie, part)
    mama.forget(kept.id)
    assert holding(mama, WORD) == []
    mama.revert(done.sleep.id)
    assert [one.essence for one in mama.memories(deep=True)] == [CHOIR]
    assert holding(mama, WORD) == []


def test_a_sentence_goes_with_its_date_said_or_made_absolute(mama: Agent, clock: Clock) -> None:
    [said] = mama.observe(
        [{"content": f"Owen's operation was yesterday. {CHOIR}", "speaker": "Rosa"}]
    ).episode_ids
    short = _memory(mama, "Owen's operation: 19 November 2026", said)
    whole = _memory(mama, f"Owen's operation was on 19 November 2026. {CHOIR}", said)
    mama.forget(short.id)
    assert _essence(mama, whole.id) == CHOIR
    assert [one.content for one in mama.episodes()] == [CHOIR]


def test_memories_of_other_messages_and_sentences_stay(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    said, short, _ = _night(reverie, mama, clock)
    [other] = mama.observe([{"content": PIN, "speaker": "Rosa"}], conversation="other").episode_ids
    elsewhere = mama.remember(
        f"Rosa told of {WORD}: the PIN of her bank card in the tin", source_episodes=[other]
    )
    beside = _memory(mama, "Rosa loves blue", said)
    mama.forget(short.id)
    assert {elsewhere.memory, beside} <= set(mama.memories())


def test_where_the_embedder_fails_what_would_say_less_goes_whole(open_bank: Open, clock: Clock) -> None:
    moody = Moody()
    reverie = open_bank(embedder=moody)
    mama = reverie.agent("mama")
    said, short, whole = _night(reverie, mama, clock)
    moody.broken = True
    receipt = mama.forget(short.id)
    assert receipt.memories == tuple(sorted((short.id, whole.id)))
    assert receipt.whole_episodes == (said,)
    assert mama.memories(deep=True) == []
    assert holding(mama, WORD) == []


def test_no_raw_page_log_or_file_holds_it(tmp_path: Path, clock: Clock) -> None:
    with opened(tmp_path / "bank", key=None, encrypted=False, clock=clock) as reverie:
        mama = reverie.agent("mama")
        _, short, _ = _night(reverie, mama, clock)
        assert files_holding(tmp_path, WORD)
        mama.forget(short.id)
        assert mama.memories()
        assert files_holding(tmp_path, WORD) == set()


@pytest.mark.parametrize(
    ("essence", "left"),
    [
        (TEXT, CHOIR),
        (f"{PIN}", ""),
        (f"{CHOIR} {PIN}", CHOIR),
        (CHOIR, CHOIR),
        (f"Rosa's card PIN is {WORD}. Before that: Rosa has no card.", ""),
    ],
)
def test_whose_words_they_are_stays_told(essence: str, left: str) -> None:
    assert retold_without(essence, [SHORT]) == left


def test_a_range_takes_a_later_wording_and_the_sentence(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    [said] = mama.observe([{"content": TEXT, "speaker": "Rosa"}]).episode_ids
    part = _memory(mama, f"{CHOIR} {PIN}", said)
    slept(reverie)
    clock.wait(days=1)
    since = clock.now
    later = f"Tell nobody of {WORD} or the choir of Ghent or the mayor."
    mama.observe([{"content": later, "speaker": "Rosa"}])
    mama.remember(SHORT, source_episodes=[said])
    done = slept(reverie, Revise(memory_id=part.id, essence=later, reason="now", sources=(later,)))
    assert len(done.changes) == 1, done.sleep.rejected
    receipt = mama.forget(since=since)
    assert receipt.reworded_memories == (part.id,)
    assert _essence(mama, part.id) == CHOIR
    assert holding(mama, WORD) == []


def _made_of_a_part(mama: Agent, *, part: str = PART, text: str = CHOIR) -> tuple[str, str]:
    """Something is said, and the loop made a memory of a part of it; the ids of both."""
    [said] = mama.observe([{"content": text, "speaker": "Rosa"}]).episode_ids
    known = mama.remember(part, source_episodes=(said,), origin=Origin.LOOP, source_trust="principal").memory
    return said, known.id


def _all_told(reverie: Reverie, known: str) -> SleepReport:
    """A sleep in which the mind tells all of what was said."""
    return slept(reverie, Revise(memory_id=known, essence=CHOIR, reason="told whole", sources=(CHOIR,)))


def test_it_is_believed_since_it_was_said(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    _, known = _made_of_a_part(mama)
    [before] = mama.memories()
    clock.wait(hours=12)
    done = _all_told(reverie, known)
    [after] = mama.memories()
    assert (after.id, after.essence) == (known, CHOIR), done.sleep.rejected
    assert after.believed_from == before.believed_from + timedelta(microseconds=1)
    at = before.believed_from
    for moment, text in ((at, PART), (at + timedelta(hours=1), CHOIR), (clock.now, CHOIR)):
        [hit] = mama.recall("Where did the choir sing?", as_of=moment, min_score=0).hits
        assert hit.text == text


def test_a_revert_gives_back_the_part_as_it_was(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    _, known = _made_of_a_part(mama)
    [before] = mama.memories()
    clock.wait(hours=12)
    done = _all_told(reverie, known)
    assert [one.essence for one in mama.memories()] == [CHOIR], done.sleep.rejected
    mama.revert(done.sleep.id)
    [after] = mama.memories()
    assert after.essence == before.essence
    assert after.believed_from == before.believed_from
    [hit] = mama.recall("Where did the choir sing?", as_of=before.believed_from, min_score=0).hits
    assert hit.text == PART


def test_what_was_misread_was_believed_until_the_sleep(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    text = "We looked at the flat in Bath for Anna, and she signed for the one in Hull."
    said = mama.observe([{"content": text, "speaker": "Rosa"}]).episode_ids
    read, meant = "Anna signed for the flat in Bath", "Anna signed for the one in Hull"
    known = mama.remember(read, source_episodes=said, origin=Origin.LOOP, source_trust="principal").memory
    before = clock.wait(days=3)
    clock.wait(days=3)
    done = slept(reverie, Revise(memory_id=known.id, essence=meant, reason="misread", sources=(text,)))
    assert [change.text for change in done.changes] == [meant], done.sleep.rejected
    for moment, told in ((before, read), (clock.now, meant)):
        [hit] = mama.recall("Which flat did Anna sign for?", as_of=moment, min_score=0).hits
        assert hit.text == told
