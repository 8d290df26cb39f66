"""What a sleep tells whole, in the bank: since when it is believed, and what a revert gives back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from reverie import Agent, Origin, Reverie
from reverie.domain.change import Revise
from reverie.domain.sleep import SleepReport
from tests.services.bench import Clock
from tests.services.nights import slept

pytestmark = pytest.mark.slow

CHOIR = (
    "The choir sang for four hundred people in the old brewery of Ghent. Owen forgot a verse. "
    "The mayor cried on the stairs and kissed the baker."
)
PART = "The choir sang for four hundred people in the old brewery of Ghent. Owen forgot a verse."
WHOLE = f"{CHOIR}"


def _made_of_a_part(mama: Agent, *, part: str = PART, text: str = CHOIR) -> tuple[str, str]:
    """Something is said, and the loop made a memory of a part of it; the ids of both."""
    [said] = mama.observe([{"content": text, "speaker": "Rosa"}]).episode_ids
    known = mama.remember(part, source_episodes=(said,), origin=Origin.LOOP, source_trust="principal").memory
    return said, known.id


def _told_whole(reverie: Reverie, known: str) -> SleepReport:
    """A sleep in which the mind tells all of what was said."""
    return slept(reverie, Revise(memory_id=known, essence=WHOLE, reason="told whole", sources=(CHOIR,)))


def test_it_is_believed_since_it_was_said(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    _, known = _made_of_a_part(mama)
    [before] = mama.memories()
    clock.wait(hours=12)
    done = _told_whole(reverie, known)
    [after] = mama.memories()
    assert (after.id, after.essence) == (known, WHOLE), done.sleep.rejected
    assert after.believed_from == before.believed_from + timedelta(microseconds=1)
    at = before.believed_from
    for moment, text in ((at, PART), (at + timedelta(hours=1), WHOLE), (clock.now, WHOLE)):
        [hit] = mama.recall("Where did the choir sing?", as_of=moment, min_score=0).hits
        assert hit.text == text


def test_a_revert_gives_back_the_part_as_it_was(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    _, known = _made_of_a_part(mama)
    [before] = mama.memories()
    clock.wait(hours=12)
    done = _told_whole(reverie, known)
    assert [one.essence for one in mama.memories()] == [WHOLE], done.sleep.rejected
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
