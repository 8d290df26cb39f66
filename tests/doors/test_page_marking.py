"""How the page shows that one wording became another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reverie.doors.page.marking import differences

TEXTS = st.text(st.sampled_from("ab cd.\n"), max_size=60)


@given(before=TEXTS, after=TEXTS)
def test_both_wordings_can_be_read_off(before: str, after: str) -> None:
    found = differences(before, after)
    assert "".join(words for act, words in found if act != "new") == before
    assert "".join(words for act, words in found if act != "gone") == after


def test_a_word_that_became_another_is_told_alone() -> None:
    assert differences("Jonas is a plumber in Ghent", "Jonas is a carpenter in Ghent") == [
        ("same", "Jonas is a "), ("gone", "plumber"), ("new", "carpenter"), ("same", " in Ghent"),
    ]  # fmt: skip


def test_one_or_two_words_between_changes_are_told_with_them() -> None:
    assert differences("The bids are on for Sesimbra only", "The bids are off for Peniche now") == [
        ("same", "The bids are "), ("gone", "on for Sesimbra only"), ("new", "off for Peniche now"),
    ]  # fmt: skip
