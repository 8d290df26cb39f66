"""Messages that LocalMind keeps whole in a sleep, in their own words: which, how, and beside what."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.domain.change import Learn, Reinforce, Revise
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, Origin
from reverie.domain.message import Role
from reverie.domain.snippet import Snippet
from reverie.minds.local.keeping import KEPT, _is_supposed
from reverie.minds.local.runs import LONG, MOST, telling_runs
from reverie.rules.salience import words
from reverie.rules.sentences import Sentence
from reverie.rules.telling import tells
from tests.minds.nights import changes, episode, memory

CHOIR = (
    "The choir sang for four hundred people in the old brewery of Ghent yesterday, and Owen forgot a verse."
)
WHOLE = (
    "Rosa said: The choir sang for four hundred people in the old brewery of Ghent on 21 March 2026, and Owen forgot "
    "a verse."
)
PASTED = (
    "From: Owen\nTo: Anna Petersen\nSubject: Wedding\n\n> Our wedding is on 11 July in Ghent.\n"
    "> My sister Lena lives in Bergen and drives a Kia Niro.\n> We moved to Ghent."
)
LINE = "The choir sang for four hundred people in the old brewery of Ghent on 21 March 2026."
MAYOR = "Lena sold her bakery to the mayor over cherry wine, and we took the last tram home to Bruges with my mother."
PART = f"{WHOLE} It was hot."
TOLD = f"{CHOIR} It was hot. {MAYOR}"


def kept(said: Sequence[Episode], known: Sequence[Memory] = ()) -> list[str]:
    """The messages that are kept whole."""
    found = [one.essence for one in changes(said, known) if isinstance(one, Learn | Revise)]
    return [essence for essence in found if " said: " in essence]


def choir(text: str = CHOIR) -> Episode:
    return episode(text, 20, id="choir")


def test_a_message_is_kept_in_its_own_words_with_absolute_dates() -> None:
    (found,) = changes([choir()])
    assert isinstance(found, Learn)
    assert (found.essence, found.sources, found.since) == (WHOLE, ("choir",), choir().time)


def test_what_it_asks_is_left_out() -> None:
    assert kept([choir(f"{CHOIR} Was it the heat?")]) == [WHOLE]


def test_it_is_the_more_important_the_more_it_tells() -> None:
    (more,) = (one for one in changes([choir()]) if isinstance(one, Learn))
    less_told = "We were in the brewery of Ghent and Owen sang a bit."
    (less,) = (one for one in changes([choir(less_told)]) if isinstance(one, Learn))
    assert KEPT <= tells(less_told) < tells(CHOIR)
    assert less.importance is not None
    assert more.importance is not None
    assert 0.5 <= less.importance < more.importance <= 0.9


@pytest.mark.parametrize(
    "text",
    ["The brewery was nice.", "thanks, great verse!", "Sing me something about the brewery.", "Where is it?"],
)
def test_what_tells_too_little_is_not_kept(text: str) -> None:
    assert tells(text) < KEPT
    assert changes([choir(text)]) == ()


@pytest.mark.parametrize(
    "text",
    [
        f"{CHOIR} Just kidding!",
        f"I told them as a joke that {CHOIR}",
        f"In my novel {CHOIR}",
        f"Let's say {CHOIR}",
        "If we had the money we'd have the choir sing for four hundred people in the old brewery of Ghent on 12 May.",
        "In an ideal world the choir sings for four hundred people in the old brewery of Ghent on 12 May.",
        f"Someone said that {CHOIR}",
        PASTED,
    ],
)
def test_jokes_stories_suppositions_rumours_and_what_is_pasted_are_not_kept(text: str) -> None:
    assert tells(text) >= KEPT
    assert kept([choir(text)]) == []


def test_what_is_taken_back_right_behind_is_not_kept() -> None:
    said = [
        episode(CHOIR, 20, conversation="c"),
        episode("just kidding!", 20.001, conversation="c"),
    ]
    assert kept(said[:1]) == [WHOLE]
    assert kept(said) == []


@pytest.mark.parametrize("role", [Role.AGENT, Role.TOOL, Role.SYSTEM])
def test_only_what_people_say_is_kept(role: Role) -> None:
    assert kept([episode(CHOIR, 20, role=role, speaker=None)]) == []


def test_where_a_part_of_it_is_known_that_is_told_whole_under_its_id() -> None:
    part = memory(PART, day=20, id="part", sources=("choir",))
    (found,) = (one for one in changes([choir(TOLD)], [part]) if isinstance(one, Revise))
    assert (found.memory_id, found.essence, found.sources) == ("part", f"{PART} {MAYOR}", ("choir",))


@pytest.mark.parametrize(("importance", "more"), [(0.242, True), (0.99, False), (None, True)])
def test_it_is_as_important_as_the_whole_or_the_part(importance: float | None, more: bool) -> None:
    [alone] = [one for one in changes([choir(TOLD)]) if isinstance(one, Learn) and MAYOR in one.essence]
    part = replace(memory(PART, day=20, id="part", sources=("choir",)), importance=importance)
    (found,) = (one for one in changes([choir(TOLD)], [part]) if isinstance(one, Revise))
    assert found.importance == (alone.importance if more else importance)


@pytest.mark.parametrize("line", [LINE, f"Rosa said: {LINE}"])
def test_what_a_portrait_shows_stays_as_it_is_and_the_message_is_learned_beside_it(line: str) -> None:
    found = changes([choir(TOLD)], [memory(line, day=20, id="line", sources=("choir",))])
    assert not [one for one in found if isinstance(one, Revise)]
    assert f"{PART} {MAYOR}" in [one.essence for one in found if isinstance(one, Learn)]


@pytest.mark.parametrize(
    "own", [memory(PART, day=20, id="own", sources=("choir",), pinned=True),
            memory(PART, day=20, id="own", sources=("choir",), origin=Origin.COMMIT),
            memory(PART, day=20, id="own", sources=("choir", "other")),
            memory(PART, day=20, id="own", sources=("choir",), kind=Kind.PREFERENCE),
            memory(PART, day=20, id="own", sources=("choir",), kind=Kind.POLICY)],
    ids=["pinned", "made by somebody", "also of another message", "preference", "policy"],
)  # fmt: skip
def test_what_is_pinned_or_made_on_purpose_or_told_elsewhere_or_in_prompts_stays_as_it_is(
    own: Memory,
) -> None:
    found = changes([choir(TOLD)], [own])
    assert not [one for one in found if isinstance(one, Revise)]
    assert kept([choir(TOLD)], [own]) == [f"{PART} {MAYOR}"]


def test_what_a_memory_of_the_same_message_says_is_not_kept_again() -> None:
    known = memory(WHOLE.removeprefix("Rosa said: "), day=20, sources=("choir",))
    assert changes([choir()], [known]) == ()


@pytest.mark.parametrize("said", ["I have moved to Ghent.", "Hey, good news: we've moved to Ghent now!"])
def test_what_a_change_of_the_same_night_says_is_not_kept_again(said: str) -> None:
    known = memory("Rosa lives in Utrecht.", id="home")
    assert tells(said) >= KEPT
    (found,) = changes([episode(said, 20)], [known])
    assert isinstance(found, Revise)
    assert found.memory_id == "home"


def test_what_a_change_leaves_out_is_kept_beside_it() -> None:
    known = memory("Rosa lives in Utrecht.", id="home")
    found = changes([episode("I moved to Ghent on 1 March, Owen carried the piano.", 20)], [known])
    assert [one.memory_id for one in found if isinstance(one, Revise)] == ["home"]
    assert any("carried the piano" in one.essence for one in found if isinstance(one, Learn))


def test_what_was_told_before_is_confirmed_and_not_kept_twice() -> None:
    known = memory(WHOLE, day=19, id="known", sources=("before",))
    (found,) = changes([choir(CHOIR.replace("The choir", "Our choir"))], [known])
    assert isinstance(found, Reinforce)
    assert (found.memory_id, found.sources) == ("known", ("choir",))


def test_what_differs_in_a_number_is_not_the_same() -> None:
    known = memory(WHOLE.replace("21 March", "14 March"), day=13, id="known", sources=("before",))
    assert kept([choir()], [known]) == [WHOLE]


def test_the_same_night_keeps_the_same() -> None:
    said = [choir(), episode("Lena sold the bakery on Veldstraat to a couple from Bruges.", 21, id="bakery")]
    known = [
        memory(PART, day=20, id="part", sources=("choir",)),
        memory("Lena owns the bakery.", id="bakery"),
    ]
    first = changes(said, known)
    assert first
    assert changes(said[::-1], known[::-1]) == first


def test_a_sleep_learns_a_message_beside_a_part_that_stands_by_itself(tmp_path: Path) -> None:
    now = datetime(2026, 3, 22, 12, tzinfo=UTC)
    with Reverie.open(tmp_path / "choir.bank", clock=lambda: now) as reverie:
        agent = reverie.agent("choir")
        said = (
            "My cousin Owen sings in the choir of Ghent. On 14 March they sang for four hundred people at the old "
            "brewery, and the mayor cried."
        )
        agent.observe({"speaker": "Rosa", "content": said})
        agent.attend()
        before = {one.id: one.essence for one in agent.memories()}
        assert list(before.values()) == ["Rosa's cousin Owen sings in the choir of Ghent."]
        now += timedelta(hours=12)
        (slept,) = agent.sleep_through()
        after = {one.id: one.essence for one in agent.memories()}
        assert before.items() <= after.items()
        assert f"Rosa said: {said}" in after.values()
        agent.revert(slept.sleep.id)
        assert {one.id: one.essence for one in agent.memories()} == before


def test_a_whole_message_never_becomes_a_standing_taste_or_rule() -> None:
    text = (
        "We live in Freiburg now, right behind the botanical garden. Jonas loves it and always wants to stay."
    )
    [kept] = [
        one for one in changes([episode(text, 0)]) if isinstance(one, Learn) and text[:20] in one.essence
    ]
    assert kept.kind is Kind.FACT


THANKS = (
    "Thank you so much, that sounds really helpful and I will try to do it like that from now on, even if I am unsure "
    "that it can work out with the way in which these things usually go at my place."
)
ASK = (
    "Please make a list of what one could say in such a talk, sorted by how hard it is, and keep it friendly."
)


def test_of_a_long_message_what_tells_of_its_speakers_life_is_kept() -> None:
    ours = (
        "Well, they took us off the old brewery. Owen drives the choir to Bruges now, in the white van, and the new "
        "conductor waits there."
    )
    assert kept([choir(f"{THANKS}\n\n{ours}\n\n{ASK}\n\n{ASK.replace('list', 'table')}")]) == [
        f"Rosa said: {ours}"
    ]


def test_of_a_long_message_two_runs_of_eighty_words_are_kept_at_most() -> None:
    lines = [
        f"We moved to {town} in 20{number}, my brother Owen carried the piano and my sister Lena sold her bakery there."
        for number, town in enumerate("Ghent Bruges Lisbon Porto Utrecht Leiden Bergen Oslo".split(), 10)
    ]
    for gap, runs in (("\n", 8), (" ", 2)):
        found = telling_runs(snippet(gap.join(lines)), 0.0)
        assert len(found) == min(runs, MOST)
        assert all(len(words(one.essence)) <= LONG + 2 for one, _ in found)
    assert telling_runs(snippet("\n".join(lines) * 3), 0.0) == []  # pasted


def snippet(text: str) -> Snippet:
    return Snippet(agent_id="choir", zone=UTC, messages=(choir(text),), fresh=1)


def test_a_supposition_is_looked_for_in_linear_time() -> None:
    one = Sentence(text="haha, " * 100_000, place=0, line=0, listed=False)
    start = time.process_time()
    assert not _is_supposed(one)
    assert time.process_time() - start < 0.1
