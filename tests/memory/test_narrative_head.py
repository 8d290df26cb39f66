"""The line that a summary begins with."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from reverie.memory.quoting.narrative_head import (
    StandsFor,
    name_counts,
    narrative_body,
    narrative_head,
    stands_for,
)

FIRST, LAST = datetime(2026, 3, 1, 9, tzinfo=UTC), datetime(2026, 3, 13, 9, tzinfo=UTC)
NAMED = Counter({"Kade": 201, "Old Tom": 190, "Tom": 190, "Iris": 198, "Once": 1, "a: b": 9})


def _line(what: StandsFor, *, most: int = 1_000, summaries: int = 0) -> str:
    return narrative_head(FIRST, LAST, what, NAMED, lambda line: len(line) <= most, summaries=summaries)


def test_it_says_from_when_to_when_how_much_and_who_occurs() -> None:
    assert _line(StandsFor(observations=500)) == (
        "1\u201313 March 2026, 500 observations: Kade (201), Iris (198) and Old Tom (190)."
    )


def test_as_many_names_stand_there_as_fit() -> None:
    assert _line(StandsFor(observations=500), most=50).endswith("500 observations: Kade (201).")
    assert _line(StandsFor(observations=500), most=40).endswith("500 observations.")
    assert _line(StandsFor(observations=500), most=10) == ""


@pytest.mark.parametrize(
    "what",
    [
        StandsFor(observations=1), StandsFor(observations=2_400), StandsFor(messages=7),
        StandsFor(observations=60, messages=1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("summaries", [0, 1, 3])
def test_what_it_says_is_read_again_and_the_rest_is_the_minds(what: StandsFor, summaries: int) -> None:
    text = f"{_line(what, summaries=summaries)}\nKade sold the boat. And so on."
    assert stands_for(text) == what
    assert narrative_body(text) == "Kade sold the boat. And so on."


def test_a_text_without_it_is_all_the_minds() -> None:
    text = "1 March 2026: 500 observations were made."
    assert (stands_for(text), narrative_body(text)) == (None, text)


def test_a_name_counts_once_where_it_is_said_twice() -> None:
    assert name_counts([["Kade", "Kade"], ["Kade", "Iris"]]) == Counter({"Kade": 2, "Iris": 1})
