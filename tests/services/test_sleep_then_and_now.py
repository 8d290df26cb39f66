"""What a past sleep made: what its report tells by now, and what a forced revert leaves to sleep on again."""

from __future__ import annotations

from reverie import Reverie
from reverie.domain.change import Learn, Reinforce, Revise
from reverie.domain.kinds import Kind
from reverie.domain.sleep import Applied
from tests.services.bench import Clock, kept
from tests.services.nights import slept, undone

HOME, MOVED, AWAY = "Anna lives in Leipzig", "Anna lives in Halle now", "Anna lives in Jena now"
DOG = "The dog of Anna is called Rex"


def _told(changes: tuple[Applied, ...]) -> list[tuple[str | None, str | None]]:
    return [(one.text, one.now) for one in changes]


def test_a_report_tells_the_words_of_then_and_of_now(reverie: Reverie, clock: Clock) -> None:
    mama = reverie.agent("mama")
    mama.observe({"content": HOME, "speaker": "Anna"})
    first = slept(reverie, Learn(essence=HOME, kind=Kind.FACT, sources=(HOME,)))
    assert _told(first.changes) == [(HOME, HOME)]
    id = first.changes[0].target
    clock.wait(days=1)
    mama.observe({"content": MOVED, "speaker": "Anna"})
    second = slept(reverie, Revise(memory_id=id, essence=MOVED, reason="moved", sources=(MOVED,)))
    clock.wait(days=1)
    mama.revise(id, essence=AWAY)
    assert _told(mama.jobs.diff(first.sleep.id).changes) == [(HOME, AWAY)]
    assert _told(mama.jobs.diff(second.sleep.id).changes) == [(MOVED, AWAY)]
    undone(mama, second.sleep.id, force=True)
    assert _told(mama.jobs.diff(second.sleep.id).changes) == [(MOVED, HOME)]
    undone(mama, first.sleep.id, force=True)
    assert _told(mama.jobs.diff(first.sleep.id).changes) == [(HOME, None)]


def test_what_a_night_only_confirmed_is_told_as_it_was_then(reverie: Reverie, clock: Clock) -> None:
    mama = reverie.agent("mama")
    dog = kept(mama, DOG)
    clock.wait(days=1)
    mama.observe({"content": DOG, "speaker": "Anna"})
    night = slept(reverie, Reinforce(memory_id=dog.id, reason="again", sources=(DOG,)))
    for name in ("Bello", "Fido"):
        clock.wait(days=1)
        mama.revise(dog.id, essence=f"The dog of Anna is called {name}")
    assert _told(mama.jobs.diff(night.sleep.id).changes) == [(DOG, "The dog of Anna is called Fido")]


def test_a_report_tells_nothing_of_what_was_forgotten_since(reverie: Reverie) -> None:
    mama = reverie.agent("mama")
    mama.observe({"content": HOME, "speaker": "Anna"})
    night = slept(reverie, Learn(essence=HOME, kind=Kind.FACT, sources=(HOME,)))
    mama.forget(night.changes[0].target)
    assert _told(mama.jobs.diff(night.sleep.id).changes) == [(None, None)]
    assert "Leipzig" not in repr(mama.jobs.diff(night.sleep.id))


OTHER = "Anna keeps bees"


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
