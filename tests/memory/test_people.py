"""What a context block tells of people: each on a line of its own, within its tokens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.relationship import Meetings, View
from reverie.memory.prompt.block import BlockSection
from reverie.memory.prompt.participants import Person, people_lines

NOW = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
counters = st.sampled_from(
    [
        len,
        lambda text: len(text.split()),
        lambda text: 7,
        lambda text: len(text) ** 2 // 99,
        lambda text: 10**9,
    ]
)
people = st.lists(
    st.builds(
        lambda name, tone, notes, trust: Person(
            view=View(id=name, other=name, at=NOW, type="ally", tone=tone, notes=notes, trust=trust)
        ),
        st.text(min_size=1, max_size=9), st.none() | st.text(max_size=30), st.none() | st.text(max_size=300),
        st.floats(-1, 1),
    ),
    max_size=6,
)  # fmt: skip


def _met(conversations: int) -> Meetings:
    return Meetings(other="Kade", messages=9, conversations=conversations, first_at=NOW, last_at=NOW)


@given(people, counters, st.integers(0, 300))
def test_people_never_cost_more_than_their_tokens(
    given_people: list[Person], count: Callable[[str], int], most: int
) -> None:
    told = people_lines(given_people, UTC, most=most, count=count)
    if told.lines:
        assert count("\n".join([BlockSection.PEOPLE.heading, *(line.text for line in told.lines)])) <= most
    assert len(told.lines) + len(told.left_out) == len(given_people)
    assert all(len(line.text.splitlines()) == 1 for line in told.lines)


def test_two_spellings_of_a_person_count_together() -> None:
    view = View(id="v1", other="Kade", at=NOW, trust=0.3333)
    (line,) = people_lines([Person(view=view, meetings=(_met(1), _met(2)))], UTC, most=999, count=len).lines
    assert line.text == "- Kade: neutral, trust 0.33 (first met 2026-11-20, 3 conversations)"
    (line,) = people_lines([Person(view=view, meetings=(_met(1),))], UTC, most=999, count=len).lines
    assert line.text.endswith("1 conversation)")
