"""The parts of a change: whom it reaches, what is carried along, and how a statement of the night is read for it."""

from __future__ import annotations

import pytest

from reverie.domain.change import Contradict, Learn, Revise
from reverie.domain.kinds import Kind
from reverie.minds.local.carrying import carried_over, parted, reworded_with_rest, standing
from reverie.minds.local.gathering import gathered
from reverie.minds.local.habits import has_turned, is_habit
from reverie.minds.local.ledger import Entry, Ledger
from reverie.minds.local.matching import changed_in
from reverie.minds.local.reaching import as_known, is_of_agent, is_of_same, old_value, shares_more, with_name
from reverie.minds.local.said import Said
from reverie.minds.local.turning import Turn
from reverie.rules.salience import words
from tests.minds.nights import MODEL, MONDAY, episode, memory, night


def _said(text: str) -> Said:
    """The first statement that is read in a message of Anna's."""
    return gathered(night([episode(text, speaker="Anna")])).stated[0]


def _entry(essence: str) -> Entry:
    known = memory(essence, id="old")
    return Entry(key="old", essence=essence, kind=Kind.FACT, since=MONDAY, sources={"old"}, memory=known)


def _ledger(*known: str) -> Ledger:
    memories = [memory(one, id=f"m{place}") for place, one in enumerate(known)]
    vectors = MODEL.embed(list(known))
    return Ledger.of(
        night([episode("Hello.", speaker="Anna")]),
        MODEL.dimensions,
        list(zip(memories, vectors, strict=True)),
    )


def test_a_changed_value_is_put_into_its_clause_and_the_others_stay() -> None:
    entry = _entry("Anna lives in Munich and Tom works at Siemens.")
    changed = changed_in(entry, _said("I live in Berlin now."))
    assert carried_over(entry, changed) == "Anna lives in Berlin and Tom works at Siemens."


def test_what_may_hang_on_the_old_value_is_not_carried_over() -> None:
    entry = _entry("Anna lives in Munich and their rent is 900.")
    assert carried_over(entry, changed_in(entry, _said("I live in Berlin now."))) is None


def test_of_several_sentences_those_that_are_over_are_parted_from_the_rest() -> None:
    entry = _entry("Anna plays chess at the club. Anna's vet is Keane.")
    told = parted(entry, frozenset({"kean"}))
    assert told == "Anna plays chess at the club. Before that: Anna's vet is Keane."


@pytest.mark.parametrize(
    ("known", "said", "left"),
    [
        ("Anna's pet is a cat: Anna lives in Munich with their cat Miso.", "I live in Berlin now.",
         "Anna's pet is a cat. Anna's cat is Miso."),
        ("Anna lives in Munich.", "I live in Berlin now.", ""),
        ("Anna lives in Munich with their cat Miso.", "Miso died and I live in Berlin now.", ""),
    ],
)  # fmt: skip
def test_what_is_told_beside_the_value_stands_unless_it_is_named_as_over(
    known: str, said: str, left: str
) -> None:
    assert standing(_entry(known), _said(said)) == left


def test_a_rest_stands_before_what_was_before() -> None:
    told = reworded_with_rest(
        _entry("Anna's pet is a cat: Anna lives in Munich with their cat Miso."),
        _said("I live in Berlin now."),
        "Anna lives in Berlin.",
    )
    assert told.startswith("Anna lives in Berlin. Anna's pet is a cat. Anna's cat is Miso. Before that: ")


def test_a_statement_is_told_of_whom_its_message_named() -> None:
    stated = gathered(night([episode("Priya rang. She has moved to Glasgow.", speaker="Anna")])).stated
    named = [with_name(one).essence for one in stated]
    assert "Priya has moved to Glasgow." in named


def test_what_is_left_for_another_is_what_it_is_known_as() -> None:
    said = _said("I moved from Zwickelhofer to Brandauer last week.")
    job = as_known(
        said, _ledger("Anna works at the company Zwickelhofer: Anna works at Zwickelhofer in Linz.")
    )
    assert [one.attribute for one in job.claims if one.holds] == ["employer"]
    assert as_known(said, _ledger("Anna likes tea.")) is said


@pytest.mark.parametrize(
    ("known", "said", "same", "more"),
    [
        ("Anna lives in Turin.", "My boss lives in Milan now.", False, False),
        ("Anna lives in Turin.", "I live in Milan now.", True, True),
        ("Anna lives in Turin.", "I would live in Milan now.", True, False),
        (
            "Anna has a meeting with Dr Sato every first Thursday.",
            "Dr Sato has a new haircut now.",
            True,
            False,
        ),
    ],
)
def test_it_reaches_what_is_of_the_same_one_and_has_more_in_common_than_a_name(
    known: str, said: str, same: bool, more: bool
) -> None:
    one = _said(said)
    assert is_of_same(_entry(known), one) is same
    assert (shares_more(_entry(known), one) and same) is more


def test_the_value_that_is_over_is_that_of_the_same_claim() -> None:
    assert old_value(_entry("Anna lives in Turin."), _said("I live in Milan now.")) == frozenset({"turin"})


def test_what_the_agent_said_is_nobodys_life() -> None:
    assert is_of_agent("The assistant said: I live in Turin.")
    assert not is_of_agent("Anna lives in Turin.")


@pytest.mark.parametrize(
    ("known", "said", "what"),
    [
        ("Anna lives in Turin.", "I live in Milan now.", Revise),
        ("Anna lives in Turin.", "My boss lives in Milan now.", Learn),
    ],
)
def test_a_turn_revises_what_it_replaces_and_learns_the_rest(
    known: str, said: str, what: type[Learn | Revise]
) -> None:
    one = _said(said)
    ledger = _ledger(known)
    [vector] = MODEL.embed([one.essence])
    Turn(night([one.message]), ledger, one, vector, ("Anna",), MODEL).take(None)
    assert [type(change) for change in ledger.changes() if not isinstance(change, Contradict)] == [what]


def test_habits_are_told_in_the_present_and_not_of_today() -> None:
    assert is_habit("Anna plays tennis on Sundays.")
    assert not is_habit("Anna plays tennis today.")


def test_what_has_turned_is_told_of_oneself() -> None:
    assert has_turned("I no longer eat any meat.", words("I no longer eat any meat."))
    assert not has_turned("Tom no longer eats any meat.", words("Tom no longer eats any meat."))
