"""Facts: a number or a name from nowhere is a fault, in any script; what else is doubtful is told as a doubt."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.memory.change import evidence as facts
from reverie.memory.change.evidence import CLOSE_COSINE, Facts, Said, is_english, names_in

SPOKEN = datetime(2026, 1, 30, 9, 30, tzinfo=UTC)  # a Friday
AROUND = "It is late, and I have to be at the station before the others are there."


def _facts(*texts: str, speaker: str | None = "Anna", around: tuple[str, ...] = (AROUND,)) -> Facts:
    said = [Said(text=text, speaker=speaker, time=SPOKEN) for text in texts]
    english = is_english(" ".join((*texts, *around)))
    return Facts(said, UTC, around=names_in(around), names=["Anna"], english=english)


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("We pay 42,000 a month in rent", "The rent is 42000 a month"),
        ("We pay 42k a month in rent", "The rent is 42,000 a month"),
        ("Wir zahlen 1.250,50 Euro Miete", "Anna pays 1,250.50 euros of rent"),
        ("家賃は4万2千円です", "The rent is 42,000 yen"),
        ("Fizetek 15 ezer forintot a lakásért minden hónapban", "Anna pays HUF 15,000"),
        ("We have forty-two bees and three dogs", "Anna has 42 bees"),
        ("The scan is tomorrow", "The scan is on 31 January 2026"),
        ("The scan is in two weeks", "The scan is on 13 February 2026"),
        ("I turned 34 last week", "Anna was born in 1992"),
        ("I have worked there since 2019", "Anna has worked there for 7 years"),
        ("Das Treffen ist um halb neun", "The meeting is at 8:30"),
        ("The standup is at 9.45", "The standup is at 9:45"),
        ("Ich habe drei Kinder", "Anna has 3 children"),
    ],
)
def test_a_number_that_was_said_or_dated_is_no_fault(said: str, claim: str) -> None:
    assert _facts(said, around=()).missing(claim) is None


@pytest.mark.parametrize(
    ("said", "claim"),
    [
        ("We pay 42,000 a month in rent", "The rent is 43,000 a month"),
        ("We pay rent every month", "The rent is 950 a month"),
        ("Wir zahlen Miete", "Die Miete beträgt 950 Euro"),
        ("We have some bees", "Anna has ninety bees"),
        ("家賃を払います", "家賃は95000円です"),
        ("The scan is tomorrow", "The scan is in 2031"),
        ("The scan is tomorrow", "The scan was in 2003"),
        ("The train leaves at noon", "The train leaves at 12:47"),
    ],
)
def test_a_number_from_nowhere_is_a_fault(said: str, claim: str) -> None:
    assert _facts(said).missing(claim) == facts.NUMBER


def test_an_unmentioned_name_is_a_fault_in_english() -> None:
    heard = _facts("She reads documents before meetings", around=(AROUND, "I report to Tanvi as of today"))
    assert heard.missing("Tanvi reads documents before meetings") is None
    assert heard.missing("Tanvi's documents are read by Anna") is None
    assert heard.missing("The documents are read by Zoltan") == facts.NAME


def test_names_are_translated_where_another_language_is_spoken() -> None:
    heard = _facts("Ich wohne seit einem Jahr in Mailand", around=("Wir sehen uns am Montag bei der Oma",))
    assert heard.missing("Anna has lived in Milan for a year") is None
    assert heard.missing("Anna wohnt in der Hauptstadt der Lombardei") is None


@pytest.mark.parametrize(
    ("said", "claim", "doubt"),
    [
        ("I am not married.", "Anna is married", facts.DENIAL),
        ("I live with my parents in the old town.", "Anna does not live with her parents", facts.DENIAL),
        ("Bob owes Eve ten euros, as far as I know.", "Eve owes Bob ten euros", facts.DENIAL),
        ("The scan is tomorrow.", "The scan is on 9 May", facts.DATE),
        ("I have some bees in the garden.", "Anna has 7 bees in the garden", facts.DATE),
        ("The scan is on 3 February.", "The scan costs 3000", facts.DATE),
        ("I have some bees in the garden.", "Anna has 30 bees in the garden", facts.DATE),
        ("I have some bees in the garden.", "Zoltan has some bees in the garden", facts.NAME),
        ("I have some bees in the garden.", "Anna has seven bees in the garden", facts.DATE),
    ],
)
def test_what_seems_to_be_otherwise_is_doubted(said: str, claim: str, doubt: str) -> None:
    assert doubt in _facts(said, AROUND).doubts(claim, CLOSE_COSINE)
    assert _facts(said, AROUND).missing(claim) is None


def test_what_shares_no_word_and_no_meaning_is_doubted() -> None:
    heard = _facts("I have seven bees in the garden, and they are well", AROUND)
    assert facts.ELSEWHERE in heard.doubts("The museum shows old maps", 0.1)
    assert heard.doubts("Anna keeps insects", CLOSE_COSINE) == ()


def test_what_takes_anothers_place_may_deny_what_that_said() -> None:
    heard = _facts("I report to Tanvi as of today", AROUND)
    assert heard.doubts("Anna reports to Tanvi and no longer to Nikhil", CLOSE_COSINE, rewords=True) == ()
    assert heard.doubts("Anna reports to Tanvi and no longer to Nikhil", CLOSE_COSINE) == (facts.DENIAL,)


def test_wordings_in_other_languages_are_not_doubted() -> None:
    heard = _facts("Ich bin nicht verheiratet", around=("Wir sehen uns am Montag",))
    assert heard.doubts("Anna is married", 0.0) == ()


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("I have to be at the station before the others are there", True),
        ("Ich muss vor den anderen am Bahnhof sein, und das Auto ist kaputt", False),
        ("Tengo que estar en la estación antes que los demás", False),
        ("Je dois être à la gare avant les autres", False),
        ("A többiek előtt a pályaudvaron kell lennem", False),
        ("みんなより先に駅に着かないと", False),
        ("Anna keeps bees", True),
        ("Péter méhészkedik", False),
    ],
)
def test_english_is_told_by_its_small_words(text: str, english: bool) -> None:
    assert is_english(text) is english


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_breaks_it_and_what_is_said_has_its_numbers(said: str, claim: str) -> None:
    heard = _facts(said)
    heard.missing(claim)
    heard.doubts(claim, 0.0)
    assert _facts(claim, around=()).missing(claim) != facts.NUMBER
