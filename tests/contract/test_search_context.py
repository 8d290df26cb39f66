"""What stands around an episode, and whether a memory is true now: the columns beside meaning and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.query import EVERYTHING, Filter
from reverie.language.lexical_terms import query_terms
from reverie.ports.search import EpisodeCandidates, Probe
from tests.contract.context_reference import FLAGS, Line, Said, agree
from tests.contract.search_fixtures import (
    DIRECTIONS,
    NOW,
    Searched,
    a_memory,
    a_version,
    an_episode,
    day,
)
from tests.contract.search_fixtures import searched as searched

ASKED = query_terms("which dog lives by the river?")


TALK = [
    Line("one", "Do you have a dog?", 1, "Anna"),
    Line("one", "Yes, Biscuit moved in last week.", 2, "Ben"),
    Line("two", "The river is high today.", 3, "Anna"),
    Line("one", "He swims in the river, can you believe it?", 4, "Anna"),
    Line("two", "Is the bridge closed?", 5, "Ben"),
    Line("one", "A dog that swims!", 6, "Ben"),
    Line("two", "It is.", 7, "Anna"),
]


@pytest.fixture
def talk(searched: Searched) -> Searched:
    """Two conversations, said in turns: e0, e1, e3, e5 in one; e2, e4, e6 in the other."""
    searched.say(*_episodes(TALK), vectors=[line.direction for line in TALK])
    return searched


def _episodes(lines: Sequence[Line], first: int = 0) -> list[Episode]:
    """Episodes e0, e1 …, each at the end of its conversation."""
    made = []
    for place, line in enumerate(lines):
        position = first + sum(other.conversation == line.conversation for other in lines[:place])
        made.append(
            an_episode(
                f"e{place}", line.text, conversation=line.conversation, position=position,
                speaker=line.speaker, role=line.role,
            )
        )  # fmt: skip
    return made


def _said(lines: Sequence[Line]) -> dict[str, Said]:
    return {
        episode.id: Said(
            id=episode.id,
            conversation=episode.conversation,
            position=episode.position,
            text=episode.content,
            vector=DIRECTIONS[line.direction],
            speaker=line.speaker,
            role=line.role,
        )
        for episode, line in zip(_episodes(lines), lines, strict=True)
    }


def _asked(talk: Searched, filter: Filter = EVERYTHING, **changed: Any) -> EpisodeCandidates:
    return talk.episodes(filter, **{"vector": DIRECTIONS[2], "terms": ASKED, **changed})


def _column(got: EpisodeCandidates, name: str) -> dict[str, Any]:
    return dict(zip(got.ids, getattr(got, name).tolist(), strict=True))


def _true(got: EpisodeCandidates, name: str) -> set[str]:
    return {id for id, value in _column(got, name).items() if value}


def _beside(got: EpisodeCandidates) -> dict[str, str]:
    """For each candidate which of the four places beside it are taken: an x, else a dot."""
    return {
        id: "".join(".x"[not nothing] for nothing in row)
        for id, row in zip(got.ids, np.isnan(got.around), strict=True)
    }


def test_the_message_before_tells_its_match_and_whether_it_asks(talk: Searched) -> None:
    got = _asked(talk)
    lexical, before = _column(got, "lexical"), _column(got, "before")
    assert before == {
        "e0": 0, "e1": lexical["e0"], "e3": lexical["e1"], "e5": lexical["e3"],
        "e2": 0, "e4": lexical["e2"], "e6": lexical["e4"],
    }  # fmt: skip
    assert before["e1"] > 0
    assert _true(got, "answers") == {"e1", "e5", "e6"}


def test_a_message_tells_whether_it_says_when(talk: Searched) -> None:
    assert _true(_asked(talk), "says_when") == {"e1", "e2"}


def _of(searched: Searched, *said: tuple[str | None, Role]) -> EpisodeCandidates:
    """A conversation in which each asks; checked against the reference."""
    lines = [Line("one", "Is there a dog?", place, *by) for place, by in enumerate(said)]
    searched.say(*_episodes(lines), vectors=[line.direction for line in lines])
    got = _asked(searched)
    agree(got, list(_said(lines).values()), DIRECTIONS[2], ASKED)
    return got


@pytest.mark.parametrize(
    ("said", "person", "among", "answers"),
    [
        ([("Anna", Role.USER), ("Ben", Role.USER)], {0, 1}, {0, 1}, {1}),
        ([("Anna", Role.USER), ("Anna", Role.USER)], {0, 1}, set(), set()),
        ([("Anna", Role.USER), ("Anna", Role.USER), ("Ben", Role.USER)], {0, 1, 2}, {1, 2}, {2}),
        ([("Anna", Role.USER), ("Ben", Role.USER), ("Ben", Role.USER)], {0, 1, 2}, {0, 1}, {1}),
        ([("Anna", Role.USER), (None, Role.USER), ("Ben", Role.USER)], {0, 1, 2}, set(), set()),
        ([(None, Role.USER), (None, Role.USER)], {0, 1}, set(), set()),
        ([("Anna", Role.USER), ("mama", Role.AGENT), ("Ben", Role.USER)], {0, 2}, set(), set()),
        ([("Anna", Role.USER), (None, Role.AGENT)], {0}, set(), set()),
        ([("Anna", Role.AGENT), ("Ben", Role.AGENT)], set(), set(), set()),
        ([("Anna", Role.USER), ("Ben", Role.TOOL), ("Ben", Role.SYSTEM)], {0}, set(), set()),
        ([("mama", Role.AGENT), ("Anna", Role.USER), ("Ben", Role.USER)], {1, 2}, {1, 2}, {2}),
        ([("Anna", Role.USER)], {0}, set(), set()),
    ],
    ids=[
        "two persons", "one person twice", "the second of two of one", "the first of two of one",
        "one nobody named between", "nobody named", "the agent between", "an agent without a name",
        "two names of the agent", "a tool and the system", "persons behind the agent", "alone",
    ],
)  # fmt: skip
def test_only_two_named_neighbours_talk_with_each_other(
    searched: Searched,
    said: list[tuple[str | None, Role]],
    person: set[int],
    among: set[int],
    answers: set[int],
) -> None:
    got = _of(searched, *said)
    for name, wanted in (("person", person), ("among", among), ("answers", answers)):
        assert _true(got, name) == {f"e{place}" for place in wanted}, name


def test_who_said_it_is_known_without_context(searched: Searched) -> None:
    lines = [Line("one", "A dog", 1, None, role) for role in Role]
    searched.say(*_episodes(lines), vectors=[1] * len(lines))
    got = _asked(searched, context=False)
    assert dict(zip(got.ids, got.person.tolist(), strict=True)) == {
        f"e{place}": role is Role.USER for place, role in enumerate(Role)
    }


def test_a_filter_hides_no_neighbour_and_changes_no_context(talk: Searched) -> None:
    whole, part = _asked(talk), _asked(talk, Filter(ids=frozenset({"e1", "e6"})))
    assert list(part.ids) == ["e1", "e6"]
    for name in ("session", "before", "person", *FLAGS):
        everything = _column(whole, name)
        assert _column(part, name) == {id: everything[id] for id in part.ids}
    np.testing.assert_allclose(part.around, whole.around[[1, 6]], atol=1e-6)
    assert part.session.all()


def test_a_deleted_message_leaves_an_empty_place_and_no_words(talk: Searched) -> None:
    _asked(talk)
    talk.write(lambda unit: unit.episodes.delete(["e0", "e4"]))
    got = _asked(talk)
    assert _beside(got) == {"e1": "..xx", "e3": ".xx.", "e5": "xx..", "e2": "...x", "e6": "x..."}
    left = {id: one for id, one in _said(TALK).items() if id not in ("e0", "e4")}
    agree(got, list(left.values()), DIRECTIONS[2], ASKED)


def test_a_message_that_lost_a_sentence_counts_as_it_is_now(talk: Searched) -> None:
    _asked(talk)
    changed = Line("one", "He swims in the river.", 9, "Anna")
    rewritten = _episodes([*TALK[:3], changed, *TALK[4:]])[3]
    talk.write(lambda unit: unit.episodes.rewrite(rewritten, DIRECTIONS[9]))
    got = _asked(talk, vector=DIRECTIONS[9])
    now = _said(TALK) | {"e3": _said([*TALK[:3], changed])["e3"]}
    agree(got, list(now.values()), DIRECTIONS[9], ASKED)
    assert _column(got, "answers")["e5"] is False
    assert got.around[list(got.ids).index("e5"), 1] == pytest.approx(1, abs=1e-3)


def test_what_is_said_after_a_view_is_in_the_context_of_the_next(talk: Searched) -> None:
    _asked(talk)
    late = Line("two", "A dog crosses the river.", 8, "Ben")
    talk.say(_episodes([*TALK, late])[-1], vectors=[8])
    got = _asked(talk)
    assert _beside(got)["e6"] == "xxx."
    agree(got, list(_said([*TALK, late]).values()), DIRECTIONS[2], ASKED)


def test_conversations_of_another_agent_are_no_context(talk: Searched) -> None:
    before = _asked(talk)
    talk.say(*_episodes([Line("one", "dog river lives", 2, "Carla")] * 5, first=4), agent_id="papa")
    after = _asked(talk)
    for name in ("session", "around", "before", "person", *FLAGS):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))


def test_without_a_vector_neighbours_have_no_cosine(talk: Searched) -> None:
    got = _asked(talk, vector=None)
    assert np.isnan(got.around).all()
    assert got.session.all()


def test_a_probe_without_context_leaves_it_neutral(talk: Searched) -> None:
    got = _asked(talk, context=False)
    assert len(got.ids) == len(TALK)
    for name in ("session", "before", *FLAGS):
        assert not getattr(got, name).any(), name
    assert np.isnan(got.around).all()


@pytest.mark.parametrize("asked", [{}, {"vector": DIRECTIONS[1]}, {"terms": ["dog"]}, {"terms": ["absent"]}])
@pytest.mark.parametrize("context", [True, False])
def test_context_columns_have_the_ports_types_and_shapes(
    talk: Searched, asked: dict[str, Any], context: bool
) -> None:
    got = talk.episodes(EVERYTHING, context=context, **asked)
    rows = len(got.ids)
    for name in ("session", "before"):
        assert (getattr(got, name).dtype, getattr(got, name).shape) == (np.float32, (rows,))
    assert got.around.dtype == np.float32
    assert got.around.shape == (rows, 4)
    for name in ("person", *FLAGS):
        assert (getattr(got, name).dtype, getattr(got, name).shape) == (np.bool_, (rows,))


_texts = st.lists(
    st.sampled_from(["dog", "river", "bridge", "the", "swims", "today", "dog?", "why? [photo]"]), max_size=6
).map(" ".join)
_rows = st.lists(
    st.builds(
        Line,
        conversation=st.sampled_from(["one", "two", "three"]),
        text=_texts,
        direction=st.integers(0, len(DIRECTIONS) - 1),
        speaker=st.sampled_from(["Anna", "Ben", None]),
        role=st.sampled_from(Role),
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=_rows, direction=st.integers(0, len(DIRECTIONS) - 1), words=_texts, limit=st.integers(1, 6))
def test_any_context_agrees_with_the_reference(
    searched: Searched, rows: list[Line], direction: int, words: str, limit: int
) -> None:
    agent = f"agent {next(searched.numbers)}"
    searched.say(*_episodes(rows), vectors=[row.direction for row in rows], agent_id=agent)
    terms = query_terms(words)
    probe = Probe(filter=EVERYTHING, now=NOW, vector=DIRECTIONS[direction], terms=terms, limit=limit)
    agree(searched.view(agent).episodes(probe), list(_said(rows).values()), DIRECTIONS[direction], terms)


def test_validity_includes_its_beginning_and_not_its_end(searched: Searched) -> None:
    searched.keep(
        a_memory("always"),
        a_memory("begins now", valid_from=NOW),
        a_memory("ends now", valid_to=NOW),
        a_memory("now", valid_from=day(-1), valid_to=day(1)),
        a_memory("later", valid_from=day(1)),
        a_memory("over", valid_from=day(-3), valid_to=day(-1)),
    )
    got = searched.memories(terms=(), vector=DIRECTIONS[0])
    assert got.valid.dtype == np.bool_
    assert dict(zip(got.ids, got.valid.tolist(), strict=True)) == {
        "always": True, "begins now": True, "ends now": False, "now": True, "later": False, "over": False,
    }  # fmt: skip


def test_a_changed_validity_shows_in_the_next_view(searched: Searched) -> None:
    searched.keep(a_memory("m"))
    assert searched.memories().valid.tolist() == [True]
    searched.write(lambda unit: unit.memories.update(a_memory("m", valid_to=day(-1))))
    assert searched.memories().valid.tolist() == [False]


def test_validity_at_a_moment_is_that_of_the_wording_then(searched: Searched) -> None:
    first = a_memory("m", "a garden", at=day(-9))
    revised = a_memory("m", "a garden", version=2, believed_from=day(-1), valid_to=day(-2))
    searched.keep(
        first, a_memory("over", at=day(-9), valid_to=day(-5)), a_memory("ends", at=day(-9), valid_to=day(-1))
    )
    searched.write(lambda unit: unit.memories.add_version(a_version(first, believed_to=day(-1))))
    searched.write(lambda unit: unit.memories.update(revised, DIRECTIONS[0]))
    then = searched.memories(as_of=day(-3))
    assert dict(zip(then.ids, then.valid.tolist(), strict=True)) == {"m": True, "ends": True}
    now = searched.memories()
    assert dict(zip(now.ids, now.valid.tolist(), strict=True)) == {"m": False, "over": False, "ends": False}
