"""Evidence: what is carried by its sources passes, what is invented doesn't."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.evidence import (
    DENIAL,
    MEANING,
    NAME,
    NUMBER,
    ORDER,
    WORDS,
    Evidence,
    Said,
    denies_less,
    told,
    words_in,
)

SAID_AT = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)  # a Friday evening
CLOSE, FAR = 0.7, 0.4


def _evidence(*texts: str, speaker: str | None = "Anna", around: tuple[str, ...] = ()) -> Evidence:
    said = [Said(text=text, speaker=speaker, time=SAID_AT) for text in texts]
    return Evidence(said, UTC, around=words_in(around), names=("mama",))


CARRIED = [
    ("I keep seven bees in the garden", "Anna keeps seven bees in the garden", FAR),
    ("I keep seven bees in the garden", "The user keeps 7 bees", FAR),
    ("I moved to Berlin yesterday", "Anna moved to Berlin on 19 November 2026", FAR),
    ("I moved to Berlin yesterday", "On 2026-11-19 Anna moved to Berlin", FAR),
    ("I moved to Berlin last month", "Anna has lived in Berlin since October 2026", CLOSE),
    ("We met three years ago in Lisbon", "Anna met them in Lisbon in 2023", CLOSE),
    ("I've worked at Siemens since 2019", "Anna has worked at Siemens for 7 years", FAR),
    ("coding again, the parser is nearly done", "Anna usually works on the parser in the evening", FAR),
    ("coding again tonight", "Anna usually codes on Friday evenings", CLOSE),
    ("I can't stand coriander", "Anna doesn't like coriander", CLOSE),
    ("I stopped using React, it's Vue now", "Anna no longer uses React", FAR),
    ("I stopped using React, it's Vue now", "Anna uses Vue", FAR),
    ("I don't eat meat any more", "Anna doesn't eat meat", CLOSE),
    ("I don't eat meat any more", "Anna is vegetarian", CLOSE),
    ("I don't like tea, I love coffee", "Anna loves coffee", FAR),
    ("the meeting is at 8pm on Monday", "Anna has a meeting on Monday at 8pm", FAR),
    ("my budget is 1,200 euros", "Anna's budget is 1200 euros", FAR),
    ("Twenty-five people came", "25 people came", FAR),
]


@pytest.mark.parametrize(("said", "claim", "cosine"), CARRIED)
def test_what_the_source_says_in_other_words_is_carried(said: str, claim: str, cosine: float) -> None:
    told = _evidence(said)
    if claim == "Anna is vegetarian":  # no word of it was said: that is a mind's knowledge, not the night's
        assert told.against(claim, cosine) == WORDS
    else:
        assert told.against(claim, cosine) is None


INVENTED = [
    ("I keep seven bees in the garden", "Anna keeps nine bees in the garden", CLOSE, NUMBER),
    ("I keep seven bees in the garden", "Anna keeps seven bees since 1987", CLOSE, NUMBER),
    ("I moved to Berlin yesterday", "Anna moved to Berlin on 3 March 2026", CLOSE, NUMBER),
    ("I moved to Berlin yesterday", "Anna moved to Munich", CLOSE, NAME),
    ("I moved to Berlin yesterday", "Zoltan moved to Berlin", CLOSE, NAME),
    ("I moved to Berlin yesterday", "Anna moved to Berlin with Boris", CLOSE, NAME),
    ("see you on Monday", "Anna is free on Tuesday", CLOSE, NAME),
    ("I keep seven bees in the garden", "Anna keeps bees in the garden", 0.1, MEANING),
    ("I keep seven bees in the garden", "Anna paints harbours with thick oil colours", FAR, WORDS),
    ("I keep seven bees in the garden", "Anna is allergic to peanuts and shellfish", CLOSE, WORDS),
    ("I keep bees in the garden", "Anna doesn't keep bees in the garden", CLOSE, DENIAL),
    ("I don't keep bees in the garden", "Anna keeps bees in the garden", CLOSE, DENIAL),
    ("I never drink coffee", "Anna drinks coffee", CLOSE, DENIAL),
]


@pytest.mark.parametrize(("said", "claim", "cosine", "why"), INVENTED)
def test_what_is_invented_is_not_carried(said: str, claim: str, cosine: float, why: str) -> None:
    assert _evidence(said).against(claim, cosine) == why


def test_who_is_meant_may_come_from_what_was_said_around_it() -> None:
    claim = "Anna's sister Clara plays the cello"
    assert _evidence("my sister plays the cello").against(claim, CLOSE) == NAME
    around = _evidence("she plays the cello, my sister", around=("My sister Clara is here",))
    assert around.against(claim, CLOSE) is None


def test_a_number_must_come_from_the_sources_themselves() -> None:
    told = _evidence("she keeps bees", around=("There are 42 of them",))
    assert told.against("Anna keeps 42 bees", CLOSE) == NUMBER


def test_how_often_it_was_said_is_known() -> None:
    told = _evidence("coding tonight", "coding again", "still coding")
    assert told.against("Anna was coding 3 times", CLOSE) is None


def test_days_are_read_in_the_agents_zone() -> None:
    late = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
    said = [Said(text="we marry today", speaker="Anna", time=late)]
    told = Evidence(said, ZoneInfo("Asia/Tokyo"))
    assert told.against("Anna marries on 1 January 2027", CLOSE) is None
    assert told.against("Anna marries on 14 January 2027", CLOSE) == NUMBER


def test_what_is_said_again_confirms_and_what_denies_it_does_not() -> None:
    claim = "Anna keeps bees in the garden"
    assert _evidence("the bees in my garden are well").confirms(claim, FAR)
    assert not _evidence("it rained all day").confirms(claim, FAR)
    assert not _evidence("I don't keep bees in the garden").confirms(claim, CLOSE)
    assert not _evidence("the bees in my garden are well").confirms(claim, 0.1)


def test_the_day_of_a_quotation_is_no_name() -> None:
    may, june = (
        Evidence([Said(text="hey it's me", speaker="Dale", time=datetime(2026, month, 17, tzinfo=UTC))], UTC)
        for month in (5, 6)
    )
    assert may.unknown("Dale, 17 May 2026: hey it's me") is None
    assert june.unknown("Dale, 17 June 2026: hey it's me, May") is not None


def test_a_lesson_is_looked_at_for_names_and_numbers_alone() -> None:
    told = _evidence("I keep seven bees")
    assert told.unknown("Ask about the weather first") is None
    assert told.unknown("Ask Zoltan first") == NAME
    assert told.unknown("Ask 12 times") == NUMBER


@given(st.text(max_size=200), st.text(max_size=200), st.floats(-1, 1))
def test_any_text_can_be_held_against_any_other(said: str, claim: str, cosine: float) -> None:
    told = _evidence(said)
    told.against(claim, cosine)
    told.confirms(claim, cosine)
    told.unknown(claim)
    assert _evidence(said).against(claim, cosine) == told.against(claim, cosine)


@given(st.datetimes(timezones=st.just(UTC)), st.sampled_from(["UTC", "Pacific/Kiritimati", "Etc/GMT+12"]))
def test_evidence_can_be_of_any_time(at: datetime, zone: str) -> None:
    said = [Said(text="yesterday, last year and next week", speaker=None, time=at)]
    assert Evidence(said, ZoneInfo(zone)).against("last week", 0.0) == MEANING


def test_all_of_a_claim_is_said_in_one_sentence_or_not_at_all() -> None:
    claim = "Anna is allergic to shellfish"
    assert _evidence("I'm allergic to shellfish.").says_whole(claim)
    assert not _evidence("I'm not allergic to shellfish.").says_whole(claim)
    assert not _evidence("I'm allergic. There was shellfish.").says_whole(claim)
    assert not _evidence("Am I allergic to shellfish?").says_whole(claim)


def test_an_order_is_given_with_its_conditions_or_not_at_all() -> None:
    told = _evidence("Never send money without the approval of Ben, please.")
    assert told.gives_order("Never send money without the approval of Ben")
    assert not told.gives_order("Never send money")
    assert not told.gives_order("Send money without the approval of Ben")
    assert not _evidence("I had to send money to Ben").gives_order("Send money to Ben")


def test_a_lesson_orders_only_what_was_said() -> None:
    told = _evidence("Please mail the keys to Boris")
    assert told.orders("Mail the keys to Boris, and ask him how he is") is None
    assert told.orders("Mail the passports to Boris") == ORDER


def test_a_not_that_is_gone_is_seen_where_the_rest_is_the_same() -> None:
    assert denies_less("Send money", "Never send money without asking")
    assert denies_less("Anna eats meat", "Anna doesn't eat meat")
    assert not denies_less("Anna drinks matcha", "Anna drinks coffee, nothing works before that")
    assert not denies_less("Anna eats meat", "Anna eats fish")


def test_questions_are_left_out_of_what_is_told() -> None:
    assert told("I live in Berlin. Do you live in Munich? Well.") == "I live in Berlin. Well."
    assert told("Do you?") == ""
