"""What people state for good is captured as a standing statement, and nothing else is."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.capture import CapturePattern
from reverie.domain.kinds import Kind, Priority
from reverie.rules.patterns import MOST_CAPTURES, _meant, _placed, _Reading, captures, recalls_before
from reverie.rules.patterns_clause import _ASIDE, _EDGES, _TAIL, _end, small
from reverie.rules.patterns_gate import Gate
from reverie.rules.patterns_own import MOST_READ
from reverie.rules.patterns_row import Row, Subject
from reverie.rules.patterns_standing import standing
from reverie.rules.patterns_table import TABLE
from tests.rules.patterns_said import SILENT, STATED

SAID = [said for said, *_ in STATED]


@pytest.mark.parametrize(("said", "essence", "kind", "priority", "importance"), STATED, ids=SAID)
def test_a_statement_is_captured_as_it_stands_for_good(
    said: str, essence: str, kind: str, priority: str | None, importance: float | None
) -> None:
    (caught,) = captures(said)
    assert (caught.essence, caught.kind, caught.priority, caught.importance) == (
        essence, kind, priority, importance,
    )  # fmt: skip


@pytest.mark.parametrize("said", SILENT)
def test_what_only_looks_like_a_statement_is_left_alone(said: str) -> None:
    assert captures(said) == ()


def test_the_statement_bears_the_speakers_name() -> None:
    said = (
        "I prefer tabs. My dog is my favourite walker. You must never call me. We love hiking with our kids."
    )
    assert [one.essence for one in captures(said, "Anna")] == [
        "Anna prefers tabs",
        "You must never call Anna",
        "Anna and others love hiking with their kids",
    ]
    assert captures("My favourite colour is blue", "James")[0].essence == "James's favourite colour is blue"


def test_one_message_states_several_things_in_their_order() -> None:
    said = "Hi! I'm vegan and I love jazz. Could you plan dinner? Always book a table for two. Thanks!"
    assert [one.essence for one in captures(said)] == [
        "Is vegan",
        "Loves jazz",
        "Always book a table for two",
    ]


def test_a_capture_tells_where_it_was_said() -> None:
    said = "Hello there. I hate olives, you know."
    (caught,) = captures(said)
    assert said[caught.start : caught.end] == "I hate olives"


@pytest.mark.parametrize("said", [*SAID, *SILENT])
def test_the_gate_turns_nothing_away_that_a_row_would_catch(said: str) -> None:
    open_gate = Gate(replace(row, words="", heads="", opens="", gate="") for row in TABLE)
    meant = _meant(said, None)
    found = _Reading(meant.text, None, open_gate).captures([])
    assert tuple(_placed(one, meant) for one in found) == captures(said)


@given(st.lists(st.sampled_from(["use the big mug", "my mug", "the mug", "use", "my", "big"]), max_size=4))
def test_words_that_stand_side_by_side_in_a_row_do_so_in_the_text(said: list[str]) -> None:
    row = Row(name="mug", subject=Subject.ORDER, words="use+the_big_mug mug+my_mug", says="x")
    text = ", ".join(said)
    wanted = "my mug" in text or ("use" in text and "the big mug" in text)
    assert bool(Gate([row]).rows(text)) is wanted


_WORDS = re.findall(
    r"[a-z']+|[^\sa-z]", f"{_TAIL.pattern} I So 'cause tea \u2026 \u2014 ;".replace("\\", " ")
)


@given(
    st.one_of(
        st.sampled_from([*SAID, *SILENT]),
        st.lists(st.tuples(st.sampled_from(_WORDS), st.sampled_from([" ", "", "  ", ", "]))).map(
            lambda pairs: "".join(word + gap for word, gap in pairs)
        ),
    )
)
def test_the_end_of_a_statement_is_found_as_by_a_try_at_every_place(clause: str) -> None:
    low = small(clause).rstrip(_EDGES)
    for tail in (_TAIL, _ASIDE):
        found = tail.search(low)
        assert _end(low, tail) == (found.start() if found else len(low))


@given(st.text())
def test_small_letters_stand_where_the_capitals_did(text: str) -> None:
    assert len(small(text)) == len(text)


@given(st.lists(st.sampled_from(SILENT), max_size=3), st.sampled_from(STATED))
def test_talk_around_a_statement_does_not_hide_it(
    talk: list[str], stated: tuple[str, str, str, str | None, float | None]
) -> None:
    # Without what makes the rest of its message somebody else's words, a joke, or a task's material
    whole = ("\n", "kidding", "/s", "Here is", "Imagine", *"<[|>'\"`\u201c")
    plain = [line for line in talk if not any(mark in line for mark in whole)]
    caught = captures("\n".join([*plain, stated[0]]))
    assert stated[1] in [one.essence for one in caught]


@given(
    st.one_of(st.text(max_size=300), st.lists(st.sampled_from([*SAID, *SILENT]), max_size=20).map(" ".join))
)
def test_any_text_may_be_read(text: str) -> None:
    caught = captures(text, "Anna")
    assert len(caught) <= MOST_CAPTURES
    assert all(one.essence.strip() and len(one.essence) < 700 for one in caught)


def test_a_flood_of_statements_is_cut_off() -> None:
    assert len(captures(" ".join(f"I love fruit number {n}." for n in range(40)))) == MOST_CAPTURES


def test_of_a_document_only_the_first_paragraph_is_the_speakers() -> None:
    pasted = "I hate delays. " * 200
    assert [one.essence for one in captures(f"I love jazz.\n\n{pasted}")] == ["Loves jazz"]
    assert len(pasted) > MOST_READ


@pytest.mark.parametrize(
    "piece",
    ["I always ", "must must ", "<a>", "[x ", "'a ", "I love a, ", "not a but ", "my my ", "x" * 9, "I" * 9],
)
def test_a_megabyte_of_anything_is_read_like_any_text(piece: str) -> None:
    assert len(captures(piece * 100_000)) <= 1


def test_a_users_own_pattern_is_tried_first() -> None:
    mine = CapturePattern(name="deploys", says=r"we deploy to \w+", kind=Kind.ARCHITECTURE, words=("deploy",))
    (caught,) = captures("By the way, we deploy to Frankfurt.", extra=(mine,))
    assert (caught.essence, caught.kind, caught.pattern) == (
        "We deploy to Frankfurt", Kind.ARCHITECTURE, "deploys",
    )  # fmt: skip
    assert captures("He said we deploy to Frankfurt.", extra=(mine,)) == ()
    assert captures("By the way, we deploy to Frankfurt.") == ()


def test_a_users_own_pattern_needs_no_words_and_may_be_of_any_language() -> None:
    spanish = CapturePattern(name="gustos", says=r"prefiero\b", priority=Priority.HIGH)
    german = CapturePattern(name="mag", says=r"ich hätte lieber\b", words=("hätte",), importance=0.7)
    assert captures("Prefiero el té.", extra=(spanish,))[0].priority is Priority.HIGH
    assert captures("Ich hätte lieber Tee.", extra=(german,))[0].importance == 0.7


@pytest.mark.parametrize(
    "said", ["Remember this!", "Please remember that.", "ok, don't forget it", "So please keep that in mind."]
)
def test_a_message_may_ask_to_remember_the_one_before(said: str) -> None:
    assert recalls_before(said)


@pytest.mark.parametrize(
    "said", ["I remember this song", "Remember that film?!", "Do you remember this?", "this"]
)
def test_not_every_mention_of_remembering_asks_for_it(said: str) -> None:
    assert not recalls_before(said)


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("I watch films", "Watches films"),
        ("I carry a knife", "Carries a knife"),
        ("I do not own a car", "Does not own a car"),
        ("I've got a dog", "Has got a dog"),
        ("I put sugar in it", "Puts sugar in it"),
        ("I also just like tea", "Likes tea"),
        ("I dont like tea", "Doesn't like tea"),
        ("I'm sure that I am right and I was", "Is sure that they are right and they were"),
        ("the key is mine", "The key is the user's"),
    ],
)
def test_the_first_person_becomes_the_third(clause: str, told: str) -> None:
    assert standing(clause, None) == told
