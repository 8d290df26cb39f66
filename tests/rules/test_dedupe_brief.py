"""The guard on brief statements whose telling words are the same: how often, when, where, whether."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.dedupe import differs
from reverie.rules.dedupe_tense import is_past, main_verb

FREQUENCIES = [
    ("Take one pill a day", "Take one pill every other day"),
    ("Water the plants every day", "Water the plants every other day"),
    ("The bus runs every hour", "The bus runs every other hour"),
    ("Take it on weekdays", "Take it on alternate weekdays"),
]
TENSES = [
    ("Anna works at Google", "Anna worked at Google"),
    ("Anna lives in Porto", "Anna lived in Porto"),
    ("Anna owns a boat", "Anna owned a boat"),
    ("Anna plays the piano", "Anna played the piano"),
    ("Anna needs surgery", "Anna needed surgery"),
    ("Anna loved Ben", "Anna loves Ben"),
    ("Anna dated Ben", "Anna dates Ben"),
    ("Ben is paying the rent", "Ben paid the rent"),
    ("Tests fail on CI", "Tests failed on CI"),
    ("The API returns JSON", "The API returned JSON"),
    ("Anna is moving to Berlin", "Anna moved to Berlin"),
    ("Anna's cat died", "Anna's cat is dying"),
    ("He drove home", "He drives home"),
    ("Lives in Porto", "Lived in Porto"),
    ("Anna has lived in Porto", "Anna lives in Porto"),
    ("Ben is paid", "Ben paid"),
    ("Ben hit Carl", "Ben hits Carl"),
    ("Anna purchases a boat", "Anna bought a boat"),
    ("Anna did yoga", "Anna does yoga"),
    ("Anna didn't eat meat", "Anna doesn't eat meat"),
    ("Anna can't eat meat", "Anna doesn't eat meat"),
    ("Anna has been ill", "Anna is ill"),
    ("Anna has a manager", "Anna is a manager"),
    ("Anna has to sleep", "Anna sleeps"),
    ("ANNA WORKED AT GOOGLE", "Anna works at Google"),
    ("Anna werkt bij Google", "Anna werkte bij Google"),
    ("Anna lebt in Porto", "Anna lebte in Porto"),
]
PREPOSITIONS = [
    ("Anna lives in Porto", "Anna lives near Porto"),
    ("Anna is in Lisbon", "Anna is near Lisbon"),
    ("Meet at the station", "Meet near the station"),
    ("Park in the garage", "Park by the garage"),
    ("Send the report to Ben", "Send the report for Ben"),
    ("Finish the slides by Friday", "Finish the slides on Friday"),
    ("Anna left Rome", "Anna left for Rome"),
    ("Anna sold the car to Ben", "Anna sold the car for Ben"),
    ("Ben shot the deer", "Ben shot at the deer"),
    ("The cat is in the basket", "The cat is behind the basket"),
]
NEGATIONS = [
    ("Анна любит чай", "Анна не любит чай"),
    ("Анна ест мясо", "Анна никогда не ест мясо"),
    ("Анна ест мясо", "Анна никогда ест мясо"),
    ("Дома есть чай", "Дома нет чая"),
    ("Анна ела рыбу", "Анна ела ни рыбу"),
    ("Анна живёт дома", "Анна живёт без дома"),
    ("Anna eet vlees", "Anna eet geen vlees"),
    ("Anna rookt", "Anna rookt niet"),
    ("Anna drinkt koffie", "Anna drinkt nooit koffie"),
]
ONE = [
    ("Anna is living in Porto", "Anna lives in Porto"),
    ("Anna has moved to Porto", "Anna moved to Porto"),
    ("Anna bought a car", "Anna purchased a car"),
    ("Anna sold the cars", "Anna sold the car"),
    ("Anna must leave", "Anna has to leave"),
    ("Anna owns a boat", "Anna has a boat"),
    ("The cup is broken", "The broken cup"),
    ("The door is closed", "A closed door"),
    ("The beds are made", "The bed is made"),
    ("The tests are run by the server", "The server runs the tests"),
    ("Anna is afraid of dogs", "Anna is scared of dogs"),
    ("Anna didn't eat meat", "Anna did not eat meat"),
    ("Anna can't swim", "Anna cannot swim"),
    ("She came on Monday", "She came Monday"),
    ("All tests pass", "All of the tests pass"),
    ("Anna helps cook", "Anna helps to cook"),
    ("Anna lives close to Porto", "Anna lives near Porto"),
    ("The dog jumps into the pool", "The dog jumps in the pool"),
    ("Ben met Anna at noon", "At noon Ben met Anna"),
    ("The dogs chase each other", "The dogs chase one another"),
]
LONG = "The platform team of the Vienna office cuts releases of the billing service"


def both_ways(one: str, other: str) -> set[str | None]:
    return {differs(one, other), differs(other, one)}


@pytest.mark.parametrize(("one", "other"), FREQUENCIES)
def test_every_other_day_is_not_every_day(one: str, other: str) -> None:
    assert both_ways(one, other) == {"word"}


@pytest.mark.parametrize(("one", "other"), TENSES)
def test_what_was_is_not_what_is_in_a_brief_statement(one: str, other: str) -> None:
    assert both_ways(one, other) == {"word"}


@pytest.mark.parametrize(("one", "other"), PREPOSITIONS)
def test_another_preposition_or_one_more_tells_brief_statements_apart(one: str, other: str) -> None:
    assert both_ways(one, other) == {"word"}


@pytest.mark.parametrize(("one", "other"), NEGATIONS)
def test_russian_and_dutch_negations_are_known(one: str, other: str) -> None:
    assert both_ways(one, other) == {"negation"}


@pytest.mark.parametrize(("one", "other"), ONE)
def test_aspect_number_voice_and_idle_prepositions_keep_no_brief_statements_apart(
    one: str, other: str
) -> None:
    assert both_ways(one, other) == {None}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (f"{LONG} every Thursday", f"{LONG.replace('cuts', 'cut')} every Thursday"),
        (f"{LONG} every Thursday", f"{LONG} on every Thursday"),
        (f"{LONG} at the office", f"{LONG} in the office"),
        (f"{LONG} and tests them", f"{LONG} and tested them"),
    ],
)
def test_tense_and_preposition_keep_no_longer_texts_apart(one: str, other: str) -> None:
    assert both_ways(one, other) == {None}


def test_every_other_tells_longer_copies_apart_too() -> None:
    assert both_ways(f"{LONG} every Thursday", f"{LONG} every other Thursday") == {"word"}


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("she worked", True),
        ("she works", False),
        ("she is working", False),
        ("it is held", False),
        ("it is quietly held", False),
        ("it was held", True),
        ("it has been held", True),
        ("it is being held", False),
        ("she has gone", True),
        ("they cut", None),
        ("she cut", True),
        ("she cuts", False),
        ("a closed", None),
        ("a cup broken", None),
        ("the bed", False),
        ("two men", False),
    ],
)
def test_form_and_auxiliary_tell_the_time_of_the_last_word(text: str, past: bool | None) -> None:
    words = text.split()
    assert is_past(words, len(words) - 1) is past


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("she has a cat", "have"),
        ("she has just eaten", ""),
        ("she has to go", "must"),
        ("she is a cat", "be"),
        ("she is eating", ""),
        ("she is loved", ""),
        ("she eats", ""),
        ("she has", "have"),
    ],
)
def test_be_and_have_say_something_where_no_verb_follows(text: str, verb: str) -> None:
    assert main_verb(text.split(), 1) == verb


words = st.sampled_from(
    """Anna Ben works worked is was been being has had have held holds cut cuts door in near at for by to of on
    into Monday the every other each can't didn't do not не geen""".split()
)


@given(st.lists(words, max_size=8).map(" ".join), st.lists(words, max_size=8).map(" ".join))
def test_the_guard_is_symmetric_for_tenses_and_prepositions(one: str, other: str) -> None:
    assert differs(one, other) == differs(other, one)
    assert differs(one, one.upper()) is None
