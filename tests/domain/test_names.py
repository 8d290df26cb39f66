"""How names of others are compared, and which may enter a prompt."""

from __future__ import annotations

import pytest

from reverie.domain.names import checked_other, name_key
from reverie.errors import InvalidInput

COMPOSED, APART = "Zo\u00e9", "Zoe\u0301"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kade", "KADE"),
        (COMPOSED, APART),
        (COMPOSED.upper(), APART),
        ("Stra\u00dfe", "STRASSE"),
        ("Kade", "Ka\u200bde"),
        ("Kade", "Ka\u200dde"),
        ("Kade", "\u202eKade"),
        ("\u1fb3", "\u0391\u0345"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Zoe", COMPOSED), ("Kade", "Kada"), ("\u200b", "\u200d"), ("\u4e00", "\u4e8c")]
)
def test_names_that_differ_are_two(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    "name", ["\u202eedaK", "Ka\u200bde", "Ka\u00adde", "\ufeffKade", "Kade\u200f", "K\U000e0041ade"]
)
def test_what_cannot_be_seen_is_refused_by_its_number(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"invisible character \(U\+[0-9A-F]{4,6}\)"):
        checked_other(name, "other")


@pytest.mark.parametrize(
    "name", ["Kade", "\u05d3\u05d5\u05d3", "\u0645\u06cc\u200c\u062e", "\U0001f469\u200d\U0001f4bb", "\u4e00"]
)
def test_names_of_any_script_and_emoji_stay_as_they_are(name: str) -> None:
    assert checked_other(name, "other") == name


def test_accents_are_composed() -> None:
    assert checked_other(APART, "other") == COMPOSED
