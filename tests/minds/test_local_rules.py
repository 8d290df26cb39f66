"""What extraction's rules make of words: sentences, dates, persons, kinds, lessons."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.kinds import Kind
from reverie.rules.datesaid import dated
from reverie.rules.kinding import kind_of
from reverie.rules.lasting import lasting, most_lasting
from reverie.rules.lessons import lesson_of
from reverie.rules.person import Voice, cleaned, third_person
from reverie.rules.pointing import placed
from reverie.rules.sentences import MOST_SENTENCES, sentences, split

FRIDAY = datetime(2026, 11, 20, 9, tzinfo=UTC)
ANNA = Voice(speaker="Anna", listener="the assistant", together="Anna")
any_text = st.text(st.characters(codec=None), max_size=200)


def _texts(text: str) -> list[str]:
    return [one.text for one in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I saw Dr. Smith. He was kind.", ["I saw Dr. Smith.", "He was kind."]),
        ("Version 3.5 is out! I like it", ["Version 3.5 is out!", "I like it"]),
        ("**Plan**: go\n- one\n2. two", ["Plan: go", "one", "two"]),
        ("See [the docs](https://example.org/a) now.", ["See the docs now."]),
        ("今日は暑い。明日は寒い。", ["今日は暑い。", "明日は寒い。"]),
    ],
)
def test_a_message_is_parted_into_its_sentences(text: str, expected: list[str]) -> None:
    assert _texts(text) == expected


@pytest.mark.parametrize(
    "pasted",
    [
        "```\nI hate tests.\n```",
        "```py\nI hate tests.",
        "~~~\nI hate tests.\n~~~",
        "> I hate tests.",
        "| I hate | tests |",
        'He wrote: "I hate tests and will never write one again."',
        "\u201cI hate tests and will never write one again.\u201d",
    ],
)
def test_what_is_pasted_or_quoted_is_not_said(pasted: str) -> None:
    assert _texts(f"I like tea.\n{pasted}\n") == ["I like tea."]


def test_a_quoted_term_stays_in_its_sentence() -> None:
    assert _texts('I am reading "Moby Dick" again.') == ['I am reading "Moby Dick" again.']


@given(any_text)
def test_any_text_has_sentences_of_words_only(text: str) -> None:
    found = sentences(text)
    assert len(found) <= MOST_SENTENCES
    assert all(any(map(str.isalnum, one.text)) or "_" in one.text for one in found)
    assert [one.place for one in found] == list(range(len(found)))


@given(any_text)
def test_splitting_loses_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(split(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("I moved last week.", "I moved in the week of 9 November 2026."),
        ("Yesterday I ran 5 km.", "On 19 November 2026 I ran 5 km."),
        ("Yesterday was hard.", "19 November 2026 was hard."),
        ("I saw her two days ago.", "I saw her on 18 November 2026."),
        ("I will finish in two weeks.", "I will finish in the week of 30 November 2026."),
        ("See you tomorrow evening.", "See you on the evening of 21 November 2026."),
        ("I'll call on Tuesday.", "I'll call on 24 November 2026."),
        ("I met him on Tuesday.", "I met him on 17 November 2026."),
        ("It is due by tomorrow.", "It is due by 21 November 2026."),
        ("Today's run was good.", "20 November 2026's run was good."),
        ("A year ago I quit.", "In 2025 I quit."),
        ("We're flying in three weeks.", "We're flying in the week of 7 December 2026."),
        ("Last summer we went to Spain.", "In the summer of 2026 we went to Spain."),
        ("Next month is busy.", "December 2026 is busy."),
    ],
)
def test_what_hangs_on_the_time_of_speaking_becomes_a_date(said: str, means: str) -> None:
    assert dated(said, FRIDAY, UTC) == means


@pytest.mark.parametrize(
    "said",
    [
        "I run every Friday.",
        "My birthday is 15 March.",
        "We met on Friday, 7 May 2023.",
        "It takes me an hour in the morning.",
        "The game lasts in total two weeks.",
        "I may march in May.",
    ],
)
def test_what_does_not_hang_on_the_time_of_speaking_stays(said: str) -> None:
    assert dated(said, FRIDAY, UTC) == said


def test_a_day_is_the_speakers_own() -> None:
    late = datetime(2026, 11, 20, 23, tzinfo=UTC)
    assert dated("I quit today.", late, ZoneInfo("Asia/Tokyo")) == "I quit on 21 November 2026."


@given(any_text, st.datetimes(timezones=st.just(UTC)))
def test_dating_any_text_at_any_time_never_fails(text: str, time: datetime) -> None:
    assert dated(text, time, UTC) == dated(text, time, UTC)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I moved to Lisbon and I love it.", "Anna moved to Lisbon and they love it."),
        ("I'm into tea.", "Anna is into tea."),
        ("I always prefer tabs.", "Anna always prefers tabs."),
        ("I don't eat meat.", "Anna doesn't eat meat."),
        ("I no longer eat meat.", "Anna no longer eats meat."),
        ("My mom visited and I cooked.", "Anna's mom visited and Anna cooked."),
        ("I've told you my plan.", "Anna has told the assistant their plan."),
        ("I'd like to go; I'd been there.", "Anna would like to go; they had been there."),
        ("I study law.", "Anna studies law."),
        ("They asked me and I agreed.", "They asked Anna and Anna agreed."),
        ("You're right, I was wrong.", "The assistant is right, Anna was wrong."),
        ("We're in us-east-1 now.", "Anna is in us-east-1 now."),
        ("Join us - it's fun.", "Join Anna - it's fun."),
    ],
)
def test_the_first_person_becomes_the_third(said: str, told: str) -> None:
    assert third_person(said, ANNA) == told


def test_two_together_are_many() -> None:
    voice = Voice(speaker="the assistant", listener="Anna", together="the assistant and Anna")
    assert third_person("We were late, and we're sorry.", voice) == (
        "The assistant and Anna were late, and they are sorry."
    )


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Okay, well, I like tea", "I like tea"),
        ("Thanks! I'm Anna.", "I'm Anna."),
        ("I like tea, you know.", "I like tea."),
        ("Thank you!", ""),
        ("Oh, yes!", ""),
        ("And I like tea!", "I like tea."),
        ("And then there was tea", "Then there was tea"),
        ("And Tom likes tea \U0001f642", "Tom likes tea"),
        ("I quit, actually!!", "I quit."),
    ],
)
def test_the_words_that_only_open_and_close_talk_are_left_out(said: str, left: str) -> None:
    assert cleaned(said) == left


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("Anna prefers tabs over spaces.", Kind.PREFERENCE),
        ("Anna is allergic to peanuts.", Kind.PREFERENCE),
        ("Anna decided to take the job.", Kind.DECISION),
        ("Anna wants to run a marathon.", Kind.GOAL),
        ("Anna runs 5 km every morning.", Kind.ROUTINE),
        ("Anna's sister lives in Porto.", Kind.RELATIONSHIP),
        ("Anna speaks Portuguese.", Kind.SKILL),
        ("Anna feels exhausted.", Kind.EMOTIONAL),
        ("The build failed on Windows.", Kind.PITFALL),
        ("The billing service has its own database.", Kind.ARCHITECTURE),
        ("The second chapter of the thesis is long.", Kind.PROJECT),
        ("Anna was born in Lisbon.", Kind.FACT),
    ],
)
def test_the_words_decide_the_kind(statement: str, kind: Kind) -> None:
    assert kind_of(statement) is kind


@given(any_text)
def test_no_text_makes_itself_a_rule(text: str) -> None:
    assert kind_of(text) not in (Kind.POLICY, Kind.WORKFLOW)


@pytest.mark.parametrize("kind", list(Kind))
def test_a_lesson_of_any_kind_names_what_the_memory_is_about(kind: Kind) -> None:
    assert "Lisbon" in lesson_of("Anna moved to Lisbon.", kind)


@given(any_text)
def test_any_text_has_a_lesson(text: str) -> None:
    assert lesson_of(text, Kind.FACT).strip()


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("I am allergic to peanuts.", "health"),
        ("Anna is allergic to peanuts.", "health"),
        ("Our dog died in May.", "loss"),
        ("I'm tired, but my sister Clara moved to Porto.", "home"),
        ("I'm tired today.", "passing"),
        ("I love it!", "reaction"),
        ("I want you to act as a pirate.", "asked"),
        ("If I lived in Spain I would learn to dance.", "supposed"),
    ],
)
def test_a_statement_is_known_by_what_it_tells_of(text: str, row: str) -> None:
    told = lasting(text)
    assert told is not None
    assert told.row.name == row


def test_what_is_only_mentioned_late_in_a_sentence_is_not_told() -> None:
    assert (
        lasting("The second of these outlines is the one that shows how people who are vegan shop.") is None
    )


def test_of_a_message_the_weightiest_statement_counts() -> None:
    told = most_lasting(
        "I'm on the train. My favourite band is Big Thief. I was diagnosed with asthma. Are you well?"
    )
    assert told is not None
    assert told.row.name == "health"


@given(any_text)
def test_any_text_tells_of_something_or_nothing(text: str) -> None:
    assert lasting(text) == lasting(text)


@pytest.mark.parametrize(
    ("text", "before", "placed_there"),
    [
        ("I love it there.", "I moved to Lisbon in May.", "I love it in Lisbon."),
        ("I came from there.", "I lived in New York.", "I came from New York."),
        ("There is a cat there.", "I live in Porto.", "There is a cat in Porto."),
        ("There is a cat.", "I live in Porto.", "There is a cat."),
        ("I love it there.", "I went from Porto to Lisbon.", "I love it there."),
        ("I love it there.", "I moved in May.", "I love it there."),
    ],
)
def test_there_becomes_the_one_place_that_was_named_before(text: str, before: str, placed_there: str) -> None:
    assert placed(text, before) == placed_there
