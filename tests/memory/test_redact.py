"""Card numbers by their check digit, passwords by where they stand, private parts by their marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.memory.privacy.accounts import cards, is_luhn
from reverie.memory.privacy.credentials import CREDENTIAL_FORMS
from reverie.memory.privacy.places import PLACE_FORMS
from reverie.memory.privacy.redaction import Found, is_iban, personal, redacted, without_private


def placed(text: str) -> list[Found]:
    return [one for form in (*CREDENTIAL_FORMS, *PLACE_FORMS) for one in form.find(text)]


def _types(text: str) -> list[tuple[str, str]]:
    return [(one.type, text[one.start : one.end]) for one in (*cards(text), *placed(text), *personal(text))]


@pytest.mark.parametrize(
    "number",
    [
        "4111111111111111",
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "5555 5555 5555 4444",
        "2223003122003222",
        "3782 822463 10005",
        "6011111111111117",
        "3530111333300000",
        "30569309025904",
        "4111.1111.1111.1111",
        "4111 1111\n1111 1111",
        "41111111\n    11111111",
    ],
)
def test_a_cards_number_is_found_in_any_spacing(number: str) -> None:
    assert _types(f"my card is {number}.") == [("card-number", number)]


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",  # the check digit is wrong
        "order 1234567890123456",
        "9999 9999 9999 9995",  # right, but nobody issues it
        "0.4111111111111111",
        "id41111111111111111",
        "4111111111111111111111",
        "on 2024-01-01 10:00:00 and 2024-01-02",
        "4111\n1111\n1111\n1111",
        "4111.1111 1111-1111",
    ],
)
def test_other_long_numbers_are_no_cards(text: str) -> None:
    assert _types(text) == []


@given(st.from_regex(r"[0-9]{12,18}", fullmatch=True))
def test_exactly_one_check_digit_is_right(digits: str) -> None:
    assert sum(is_luhn(f"{digits}{last}") for last in range(10)) == 1


@pytest.mark.parametrize(
    ("text", "kind", "secret"),
    [
        ("postgres://anna:hunter2@db.example/app", "url-password", "hunter2"),
        ("see https://user:p%40ss@host.example:8080/x", "url-password", "p%40ss"),
        ("redis://:s3cret@cache", "url-password", "s3cret"),
        ("Authorization: Bearer abcdef0123456789", "authorization", "abcdef0123456789"),
        ("'authorization': 'basic dXNlcjpwYXNz'", "authorization", "dXNlcjpwYXNz"),
        ("my password is hunter2!", "password", "hunter2"),
        ("Password: correct-horse-7", "password", "correct-horse-7"),
        ("the passphrase was 'tr0ub4dor&3'", "password", "tr0ub4dor&3"),
        ("my API key is 9f8a7b6c5d4e3f2a1b0c", "api-key", "9f8a7b6c5d4e3f2a1b0c"),
        ("sk-proj-abcdEFGH1234ijklMNOP5678", "api-key", "sk-proj-abcdEFGH1234ijklMNOP5678"),
    ],
)
def test_a_secret_is_known_by_where_it_stands(text: str, kind: str, secret: str) -> None:
    assert {(one.type, text[one.start : one.end]) for one in placed(text)} == {(kind, secret)}


@pytest.mark.parametrize(
    "text",
    [
        "the password is required",
        "Password: must be changed every 90 days",
        "my password is long enough",
        "the token is valid for 30 minutes",
        "https://example.com:8080/path@home",
        "bearer of good news",
        "meet at 10:30 @ the café",
        "the secret is out",
        "task-12 and sk-8 boards",
    ],
)
def test_prose_about_secrets_holds_none(text: str) -> None:
    assert _types(text) == []


def test_a_private_key_that_is_cut_off_is_taken_out_to_its_end() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nAAAAEbm9uZQAAAAAAAAABAAAB"
    assert _types(f"look:\n{key}\nwhat is this?") == [("private-key", key)]


@pytest.mark.parametrize(
    ("text", "kind", "mark"),
    [
        ("write to anna.kiss+work@mail.example.com, please", "email", "anna.kiss+work@mail.example.com"),
        ("IBAN DE89 3704 0044 0532 0130 00.", "iban", "DE89 3704 0044 0532 0130 00"),
        ("pay to HU42117730161111101800000000", "iban", "HU42117730161111101800000000"),
        ("the server 192.168.0.17 is down", "ip-address", "192.168.0.17"),
        ("over 2001:db8::8a2e:370:7334 it works", "ip-address", "2001:db8::8a2e:370:7334"),
    ],
)
def test_what_identifies_a_person_is_found(text: str, kind: str, mark: str) -> None:
    assert _types(text) == [(kind, mark)]


@pytest.mark.parametrize(
    "text",
    ["at 10:30:00", "version 1.2.3", "300.1.1.1", "DE00 3704 0044 0532 0130 00", "user@localhost", "a::b c"],
)
def test_what_only_looks_like_it_is_left(text: str) -> None:
    assert _types(text) == []


def test_an_ibans_digits_are_checked() -> None:
    assert is_iban("GB82 WEST 1234 5698 7654 32")
    assert not is_iban("GB82 WEST 1234 5698 7654 33")
    assert not is_iban("GB82")


@pytest.mark.parametrize(
    ("text", "kept", "parts"),
    [
        ("I like <private>my ex's</private> tea", "I like  tea", 1),
        ("before <PRIVATE > all of the rest", "before", 1),
        ("<private>everything</private>", "", 1),
        ("a <private>b <private>c</private> d</private> e", "a  e", 1),
        ("a <private>b</private> c <private>d</private>", "a  c", 2),
        ("a </private> b", "a </private> b", 0),
        ("one\n\n<private>two</private>\n\nthree", "one\n\nthree", 1),
        ("<privateer> sails", "<privateer> sails", 0),
    ],
)
def test_private_parts_are_dropped(text: str, kept: str, parts: int) -> None:
    cleaned = without_private(text)
    assert (cleaned.text, cleaned.found.get("private", 0)) == (kept, parts)


def test_each_piece_becomes_a_typed_placeholder() -> None:
    cleaned = redacted("a b c b", [Found(start=2, end=3, type="bee"), Found(start=6, end=7, type="bee")])
    assert (cleaned.text, cleaned.found) == ("a [redacted: bee] c [redacted: bee]", {"bee": 2})


def test_pieces_that_overlap_become_one_named_by_the_surest() -> None:
    found = [
        Found(start=0, end=4, type="general", rank=9),
        Found(start=2, end=6, type="sure", rank=1),
        Found(start=5, end=6, type="other", rank=5),
    ]
    assert redacted("abcdefg", found).text == "[redacted: sure]g"


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=6))
def test_nothing_of_a_piece_is_left_and_the_rest_stays(text: str, spans: list[tuple[int, int]]) -> None:
    found = [
        Found(start=start, end=min(start + length, len(text)), type="x")
        for start, length in spans
        if start < len(text)
    ]
    inside = {place for one in found for place in range(one.start, one.end)}
    outside = "".join(letter for place, letter in enumerate(text) if place not in inside)
    cleaned = redacted(text, found)
    assert cleaned.text.replace("[redacted: x]", "") == outside.replace("[redacted: x]", "")
    assert sum(cleaned.found.values()) <= len(found)
