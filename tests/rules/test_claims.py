"""Claims: what a statement says of whom, and when one takes another's place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.claim import Claim, same_subject
from reverie.rules.claims import claims
from reverie.rules.claims_telling import briefly, named_after, plainly


def _told(text: str) -> dict[str, tuple[set[str], set[str], bool]]:
    return {one.attribute: (set(one.subjects), set(one.value), one.holds) for one in claims(text, "Rosa")}


@pytest.mark.parametrize(
    ("text", "attribute", "subject", "value"),
    [
        ("Rosa lives in Utrecht.", "home", "rosa", "utrecht"),
        ("Rosa has moved to Ghent for good.", "home", "rosa", "ghent"),
        ("Rosa's sister Lena lives in Oslo.", "home", "lena", "oslo"),
        ("Rosa's sister Lena lives in Oslo.", "home", "rosa's sister", "oslo"),
        ("The user works as a nurse.", "title", "user", "nurs"),
        ("Rosa joined Globex as an engineer.", "employer", "rosa", "globex"),
        ("Rosa traded the Civic in for a Kia Niro.", "car", "rosa", "niro"),
        ("Rosa has gone vegan.", "diet", "rosa", "vegan"),
        ("Rosa gets up at 6:30 these days.", "wakes", "rosa", "30"),
        ("Rosa takes the tram to work.", "commute", "rosa", "tram"),
        ("Rosa's favourite band is Muse.", "the band favourit", "rosa", "muse"),
        ("Muse is Rosa's favourite band now.", "the band favourit", "rosa", "muse"),
        ("Rosa's new phone number is 555-1234.", "the number phone", "rosa", "1234"),
        ("Rosa's new manager is called Ines.", "the boss", "rosa", "ine"),
        ("Rosa switched from React to Vue.", "uses front end", "rosa", "vue"),
        ("Rosa uses VS Code for everything.", "uses editor", "rosa", "vs"),
        ("The dentist moved Rosa's appointment to 2 April at 9:30.", "when dentist", "", "april"),
        ("Yoga's on Thursdays from now on.", "when yoga", "", "thursday"),
        ("Rosa is reading Middlemarch.", "reading", "rosa", "middlemarch"),
        ("Rosa has two cats.", "count cat", "rosa", "two"),
    ],
)
def test_a_statement_claims_its_value_of_its_subject(
    text: str, attribute: str, subject: str, value: str
) -> None:
    found = _told(text)
    assert attribute in found
    subjects, values, holds = found[attribute]
    assert subject in subjects
    assert value in values
    assert holds


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("Rosa no longer works at Siemens.", "employer"),
        ("Rosa is no longer vegan.", "diet"),
        ("Rosa has left Globex.", "employer"),
        ("Rosa hates coriander.", "likes coriand"),
        ("Rosa can't swim.", "can swim"),
        ("The dentist appointment was cancelled.", "when appoint dentist"),
        ("Rosa sold the Civic.", "car"),
    ],
)
def test_what_is_over_or_denied_does_not_hold(text: str, attribute: str) -> None:
    assert _told(text)[attribute][2] is False


@pytest.mark.parametrize(
    "text",
    [
        "Rosa is thinking about moving to Berlin.",
        "Rosa used to live in Munich.",
        "Rosa might work at Globex next year.",
        "Rosa would love to live in Lisbon.",
        "Apparently Tom lives in Rome now.",
        "Rosa moved the sofa to the kitchen.",
        "Rosa's car is broken.",
        "The train moved to platform 4.",
        "Rosa joined the call late.",
        "Rosa started at 8.",
    ],
)
def test_plans_rumours_the_past_and_mere_states_claim_nothing(text: str) -> None:
    assert not [
        one for one in claims(text, "Rosa") if one.holds and one.attribute in ("home", "employer", "car")
    ]


def test_the_value_said_last_in_a_statement_holds() -> None:
    assert _told("Ayla studies law, well, she did: Ayla switched from law to psychology.")["studies"][1] == {
        "psycholog"
    }


def test_another_value_of_what_one_has_one_of_takes_the_place_of_the_old_one() -> None:
    [old], [new] = claims("Rosa lives in Utrecht."), claims("Rosa moved to Ghent.")
    assert new.about(old)
    assert new.replaces(old)


def test_the_same_value_told_more_exactly_takes_no_place() -> None:
    [old], [new] = claims("Rosa lives in Utrecht."), claims("Rosa lives in Utrecht Overvecht.")
    assert new.agrees(old)
    assert not new.replaces(old)


def test_claims_of_two_people_have_nothing_to_do_with_each_other() -> None:
    [mine], [theirs] = claims("Rosa lives in Utrecht."), claims("Tom lives in Ghent.")
    assert not mine.about(theirs)


def test_two_sisters_by_their_names_are_two() -> None:
    assert not same_subject(frozenset({"rosa's sister", "lena"}), frozenset({"rosa's sister", "ana"}))
    assert same_subject(frozenset({"rosa's sister", "lena"}), frozenset({"rosa's sister"}))
    assert same_subject(frozenset({"rosa's sister", "lena"}), frozenset({"lena"}))


def test_the_user_may_be_anybody_by_name_but_nobodys_sister() -> None:
    assert same_subject(frozenset({"user"}), frozenset({"rosa"}))
    assert not same_subject(frozenset({"user"}), frozenset({"rosa's sister"}))


def test_an_event_is_the_same_however_exactly_it_is_named() -> None:
    [one], [other] = claims("Yoga is on Tuesdays."), claims("Rosa's yoga class moved to Wednesday evenings.")
    assert one.about(other)
    assert other.replaces(one)


def test_a_change_is_led_by_what_it_comes_to() -> None:
    text = "Rosa traded the Civic in for a Kia Niro."
    assert plainly(text, claims(text), "Rosa") == f"Rosa drives Kia Niro: {text}"


def test_what_is_plain_already_stays_as_it_is() -> None:
    text = "Rosa lives in Utrecht."
    assert plainly(text, claims(text), "Rosa") == text


def test_what_takes_the_place_of_a_brief_memory_is_brief() -> None:
    led = "Rosa lives in Ghent: Rosa moved to Ghent in March 2026."
    assert briefly("Rosa lives in Utrecht", led) == "Rosa lives in Ghent"
    assert briefly("Rosa lives in Utrecht with two flatmates and a very old parrot", led) == led


def test_a_corrected_name_is_told_of_whom_it_is() -> None:
    said = "Rosa said: Correction: her name is Sophia, not Sofie."
    known = "Rosa's neighbour is called Sofie, and plays the tuba."
    assert named_after(known, said) == "Rosa's neighbour's name is Sophia, not Sofie."


@given(st.text(max_size=700), st.text(max_size=20))
def test_any_text_can_be_read_and_gives_the_same_claims_again(text: str, speaker: str) -> None:
    found = claims(text, speaker)
    claims.cache_clear()
    assert claims(text, speaker) == found
    assert len(found) <= 12


_CLAIMS = st.builds(
    Claim,
    subjects=st.just(frozenset({"rosa"})),
    attribute=st.just("home"),
    value=st.frozensets(st.sampled_from("abc"), max_size=2),
    holds=st.booleans(),
    single=st.booleans(),
)


@given(_CLAIMS, _CLAIMS)
def test_what_says_the_same_never_takes_the_others_place(one: Claim, other: Claim) -> None:
    if one.holds and other.holds and one.agrees(other):
        assert not one.replaces(other)
    assert one.agrees(other) == other.agrees(one)
