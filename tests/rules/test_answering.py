"""What a hit shows of an answer: what is asked for, how it is worded, and what was said later of the same."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.answering import FEATURES, GROUPS, Candidate, answering, features
from reverie.rules.answering_weights import WEIGHTS

DAY = 86_400_000_000  # microseconds
SCORE = 0.6
LISBON, PORTO = "Ana lives in Lisbon.", "Ana lives in Porto."
texts = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from("what where did Ana Ana's mother lives moved 7:30 pm 12 said: if please ? . 住 ž".split()),
        max_size=12,
    ).map(" ".join),
)  # fmt: skip
candidates = st.builds(Candidate, text=texts, score=st.floats(-2, 5), time=st.integers(-(2**62), 2**62))


def _told(*said: str, scores: Sequence[float] = ()) -> list[Candidate]:
    """Said on successive days, and else alike."""
    return [
        Candidate(text=text, score=scores[place] if scores else SCORE, time=place * DAY)
        for place, text in enumerate(said)
    ]


def _sums(question: str, *said: str) -> list[float]:
    return [sum(terms.values()) for terms in answering(question, _told(*said))]


def _term(name: str, question: str, *said: str) -> list[float]:
    return [terms[name] for terms in answering(question, _told(*said))]


def _feature(name: str, text: str, question: str = "Where does Ana live?") -> float:
    found: float = features(question, _told(text)).item(0, FEATURES.index(name))
    return found


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("What time does the choir meet?", "The choir meets at 7:30 pm.", "The choir meets in the old school."),
        ("Which day does the choir meet?", "The choir meets on Tuesdays.", "The choir meets in the old school."),
        ("How old is Ben?", "Ben is 12 years old.", "Ben likes old cars."),
        ("What colour is Ben's bike?", "Ben's bike is red.", "Ben's bike has a bell."),
        ("Where does Ana live?", LISBON, "Ana lives alone."),
    ],
)  # fmt: skip
def test_what_holds_what_is_asked_for_is_lifted_whichever_was_said_later(
    question: str, answer: str, other: str
) -> None:
    for said in ((answer, other), (other, answer)):
        sums = dict(zip(said, _sums(question, *said), strict=True))
        asked = dict(zip(said, _term("asked", question, *said), strict=True))
        assert sums[answer] > sums[other]
        assert asked[answer] > asked[other]


def test_a_name_that_the_question_names_is_no_answer_to_it() -> None:
    assert _feature("name", "Ana is tired.", "Who is Ana?") == 0
    assert _feature("name", "Ana is Ben's aunt.", "Who is Ana?") == 1
    assert _feature("name", "Ana is tired.", "Who is tired?") == 1


def test_a_question_that_wants_no_sort_of_value_finds_none_missing() -> None:
    for text in (LISBON, "Ana is tired."):
        assert (_feature("kind", text, "Is Ana tired?"), _feature("other_kind", text, "Is Ana tired?")) == (
            0,
            0,
        )


@pytest.mark.parametrize(
    ("asked", "other"), [("mother", "father"), ("father", "mother"), ("sister", "brother")]
)
def test_of_two_relatives_the_one_who_is_asked_for_is_lifted(asked: str, other: str) -> None:
    meant, another = f"Dale's {asked} lives in Leeds.", f"Dale's {other} lives in York."
    question = f"Where does Dale's {asked} live?"
    for said in ((meant, another), (another, meant)):
        sums = dict(zip(said, _sums(question, *said), strict=True))
        assert sums[meant] > sums[another]


def test_a_relative_counts_against_an_answer_only_where_another_was_asked_for() -> None:
    assert _feature("other_people", "Dale's father lives in York.", "Where does Dale's mother live?") == 1
    assert _feature("other_people", "Dale's mum lives in York.", "Where does Dale's mother live?") == 0
    assert _feature("other_people", "Dale lives in York.", "Where does Dale live?") == 0


def test_what_tells_of_the_topics_that_are_asked_for_is_lifted() -> None:
    about, beside = _term(
        "asked", "What does the dentist say?", "The dentist is on strike.", "The roof is on strike."
    )
    assert about > beside


def test_of_two_that_answer_alike_the_one_that_was_said_later_is_lifted() -> None:
    earlier, later = answering("Where does Ana live?", _told(LISBON, PORTO))
    assert later["later"] > earlier["later"]
    assert sum(later.values()) > sum(earlier.values())


def test_a_later_one_that_says_something_is_new_is_lifted_more() -> None:
    plain = _sums("Where does Ana live?", LISBON, PORTO)
    turned = _sums("Where does Ana live?", LISBON, "Ana lives in Porto now, no longer in Lisbon.")
    assert turned[1] - turned[0] > plain[1] - plain[0]


@pytest.mark.parametrize(
    "question",
    [
        "Where did Ana live?",
        "Where was Ana's flat?",
        "Where had Ana lived before?",
        "What was Ana's former town?",
    ],
)
def test_where_it_is_asked_what_was_the_later_one_is_not_lifted(question: str) -> None:
    assert _term("later", question, LISBON, PORTO) == [0, 0]


@pytest.mark.parametrize(
    "question",
    [
        "How old is the flat in which Ana lives?",
        "What is the first name of Ana, who lives here?",
        "Where was it again that Ana lives again?",
        "Where did Ana say that she lives?",
        "Where did Ana and Ben tell us that they live?",
        "Where does Ana live, if ever she is at home?",
    ],
)
def test_what_only_sounds_like_the_past_asks_for_what_is_so_now(question: str) -> None:
    earlier, later = _term("later", question, LISBON, PORTO)
    assert earlier < later


def test_where_a_value_is_named_that_only_the_older_has_the_later_one_is_not_lifted() -> None:
    older, newer = "The train leaves at 7:40.", "The train leaves at 8:40."
    assert _term("later", "Does the train leave at 7:40?", older, newer) == [0, 0]
    earlier, later = _term("later", "Does the train leave at 8:40?", older, newer)
    assert earlier < later
    earlier, later = _term("later", "When does the train leave?", older, newer)
    assert earlier < later


def test_what_was_said_at_the_same_moment_is_neither_later_nor_earlier() -> None:
    same = [Candidate(text=text, score=SCORE, time=DAY) for text in (LISBON, PORTO)]
    assert [terms["later"] for terms in answering("Where does Ana live?", same)] == [0, 0]


def test_a_later_one_that_hardly_answers_pushes_an_earlier_one_less() -> None:
    strong, weak = (
        answering("Where does Ana live?", _told(LISBON, PORTO, scores=scores))[0]["later"]
        for scores in ((0.9, 0.9), (0.9, 0.1))
    )
    assert strong < weak <= 0


@pytest.mark.parametrize(
    ("name", "text", "plain"),
    [
        ("asks", "Does Ana live in Porto?", LISBON),
        ("led", "Where Ana lives: a flat in Porto", PORTO),
        ("named", PORTO, "she lives alone."),
        ("numbered", "Ana has 3 cats.", "Ana has cats."),
        ("turned", "Ana lives in Porto now, no longer in Lisbon.", PORTO),
    ],
)
def test_how_a_hit_is_worded_is_seen(name: str, text: str, plain: str) -> None:
    assert (_feature(name, text), _feature(name, plain)) == (1, 0)


def test_no_hits_get_no_terms() -> None:
    assert answering("Where does Ana live?", []) == []
    assert features("Where does Ana live?", []).shape == (0, len(FEATURES))


def test_a_hit_alone_is_neither_later_nor_earlier() -> None:
    (terms,) = answering("Where does Ana live?", _told(PORTO))
    assert terms["later"] == 0


@pytest.mark.parametrize("score", [0.0, -0.3])
def test_where_no_hit_has_a_score_none_pushes_another(score: float) -> None:
    said = _told(LISBON, PORTO, scores=(score, score))
    assert [terms["later"] for terms in answering("Where does Ana live?", said)] == [0, 0]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Kje živi Ana?", ["Ana živi v Ljubljani.", "Ana živi v Mariboru."]),
        ("安娜住在哪里?", ["安娜住在里斯本。", "安娜住在波尔图。"]),
        ("Где живёт Анна?", ["Анна живёт в Москве.", "Анна живёт в Твери."]),
        ("🜍", ["\u202e", ""]),
        ("", ["", ""]),
    ],
)
def test_in_other_languages_little_is_moved(question: str, said: list[str]) -> None:
    """No more than a clear difference in meaning or words makes."""
    one, other = _sums(question, *said)
    assert abs(one - other) < 0.1


def test_every_feature_belongs_to_one_term_and_has_a_weight() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
    assert set(WEIGHTS) == set(FEATURES)


@given(texts, st.lists(candidates, max_size=8))
def test_any_texts_give_each_hit_the_three_terms_as_finite_numbers(
    question: str, hits: list[Candidate]
) -> None:
    found = answering(question, hits)
    assert len(found) == len(hits)
    for terms in found:
        assert list(terms) == list(GROUPS)
        assert all(math.isfinite(value) and abs(value) < 2 for value in terms.values())


@given(texts, st.lists(candidates, max_size=8))
def test_the_terms_are_the_weighted_sums_of_their_features(question: str, hits: list[Candidate]) -> None:
    weighted = features(question, hits) * [WEIGHTS[name] for name in FEATURES]
    for row, terms in zip(weighted, answering(question, hits), strict=True):
        first = 0
        for name, names in GROUPS.items():
            assert terms[name] == pytest.approx(row[first : first + len(names)].sum(), rel=1e-12, abs=1e-15)
            first += len(names)


@given(texts, st.lists(candidates, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_the_hits_does_not_change_what_each_gets(
    question: str, hits: list[Candidate], chance: object
) -> None:
    order = list(range(len(hits)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    found = answering(question, hits)
    again = answering(question, [hits[place] for place in order])
    for terms, place in zip(again, order, strict=True):
        assert dict(terms) == pytest.approx(dict(found[place]), abs=1e-9)


@given(texts, st.lists(candidates, min_size=1, max_size=5))
def test_every_feature_lies_within_about_one(question: str, hits: list[Candidate]) -> None:
    table = features(question, hits)
    assert table.shape == (len(hits), len(FEATURES))
    assert table.min() >= 0
    assert table.max() <= math.log(600) / 4 + 1


_SEEDED = """
from reverie.rules.answering import Candidate, answering
hits = [
    Candidate(text="Dale said: Adrian has resigned as conductor of the harbour choir in Ghent, so rehearsals pause"
              " until autumn and the brewery concert is cancelled", score=0.61, time=1),
    Candidate(text="Dale said: the harbour choir in Ghent has a new conductor, Imogen, rehearsals begin in autumn at"
              " the brewery, concert after that", score=0.6, time=2),
    Candidate(text="Dale's choir sang in Ghent at the brewery in autumn with Adrian the conductor", score=0.55, time=3),
    Candidate(text="The harbour is cold", score=0.5, time=4),
    Candidate(text="Imogen plays the harp", score=0.4, time=5),
]
print([[one.hex() for one in hit.values()] for hit in answering("Who leads Dale's choir?", hits)])
"""


def test_the_score_is_the_same_to_the_last_bit_in_whatever_order_sets_are_read() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", _SEEDED], env={**os.environ, "PYTHONHASHSEED": seed},
            check=True, capture_output=True, text=True,
        ).stdout
        for seed in "123456"
    }  # fmt: skip
    assert len(told) == 1
    assert "0x" in told.pop()
