"""What a forced revert drops of later sleeps is slept on again, so that nothing is lost from what is known."""

from __future__ import annotations

from reverie import Reverie
from reverie.domain.change import Learn, Revise
from reverie.domain.kinds import Kind
from tests.services.bench import Clock
from tests.services.nights import slept, undone

HOME, MOVED, OTHER = "Anna lives in Leipzig", "Anna lives in Halle now", "Anna keeps bees"


def test_the_later_nights_messages_are_to_be_slept_on_again(reverie: Reverie, clock: Clock) -> None:
    mama = reverie.agent("mama")
    mama.observe({"content": HOME, "speaker": "Anna"})
    first = slept(reverie, Learn(essence=HOME, kind=Kind.FACT, sources=(HOME,)))
    clock.wait(days=1)
    mama.observe({"content": MOVED, "speaker": "Anna"})
    second = slept(
        reverie,
        Revise(memory_id=first.changes[0].target, essence=MOVED, reason="she moved", sources=(MOVED,)),
    )
    assert [change.text for change in second.changes] == [MOVED]
    clock.wait(days=1)
    mama.observe({"content": OTHER, "speaker": "Anna"})
    third = slept(reverie, Learn(essence=OTHER, kind=Kind.FACT, sources=(OTHER,)))
    assert mama.stats().unslept == 0
    shown = undone(mama, first.sleep.id, force=True, dry_run=True)
    assert shown.episodes == 2
    assert any(second.sleep.id in line for line in shown.dropped)
    done = undone(mama, first.sleep.id, force=True)
    assert (done.episodes, done.dropped) == (shown.episodes, shown.dropped)
    assert not any(third.sleep.id in line for line in done.dropped)
    assert mama.stats().unslept == 2
    assert [one.essence for one in mama.memories(deep=True)] == [OTHER]


def test_undoing_the_last_night_wakes_that_one_alone(reverie: Reverie, clock: Clock) -> None:
    mama = reverie.agent("mama")
    nights = []
    for text in (HOME, OTHER):
        mama.observe({"content": text, "speaker": "Anna"})
        nights.append(slept(reverie, Learn(essence=text, kind=Kind.FACT, sources=(text,))))
        clock.wait(days=1)
    assert undone(mama, nights[-1].sleep.id).episodes == 1
    assert mama.stats().unslept == 1
