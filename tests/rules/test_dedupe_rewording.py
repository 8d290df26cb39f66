"""What the guard makes of the same thing said in other words, and of longer statements."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.kinds import Kind
from reverie.rules.dedupe import apart, differs
from reverie.rules.dedupe_align import align, longest_rise
from reverie.rules.dedupe_reading import read
from reverie.rules.dedupe_tables import EXCLUSIVE, SAME
from reverie.rules.dedupe_words import exclude, key_of
from tests.rules.memories import a_memory

RELEASES = "Releases of the billing service are cut by the platform team"
APART = [
    ("A beat B", "B beat A", "name"),
    ("Anna's manager is Ben", "Ben's manager is Anna", "order"),
    ("Anna is the mother of Ben", "Ben is the mother of Anna", "order"),
    ("The black cat chases the white dog", "The white cat chases the black dog", "order"),
    ("The dog is chased by the cat", "The dog chases the cat", "order"),
    ("a man in a straw hat smokes a cigarette", "a man in a hat smokes a straw cigarette", "order"),
    ("The red team then the blue team", "The blue team then the red team", "order"),
    (
        "Reads time out after 30 s, writes after 60 s",
        "Reads time out after 60 s, writes after 30 s",
        "order",
    ),
    ("He has twenty-one dogs", "He has twenty dogs", "number"),
    ("The office is in Rome", "The office is in Milan", "name"),
    ("Set it to A, not to B", "Set it to C, not to B", "name"),
    ("She came on Monday", "She came on Tuesday", "name"),
    ("She came on Monday", "She came", "name"),
    ("The fence is red", "The fence is green", "opposite"),
    ("The stove is hot", "The stove is cold", "opposite"),
    ("Exports run weekly", "Exports run monthly", "opposite"),
    ("I like your flat", "I like my flat", "opposite"),
    ("Anna was a nurse", "Anna is a nurse", "word"),
    ("The API returns text", "The API returns bytes", "word"),
    (f"{RELEASES} in Vienna every Thursday", f"{RELEASES} in Berlin every Thursday", "name"),
    (f"{RELEASES} in Vienna every Thursday", f"{RELEASES} in Vienna every Friday", "opposite"),
    (f"{RELEASES} after 3 approvals on Thursday", f"{RELEASES} after 4 approvals on Thursday", "number"),
    (f"{RELEASES} after 3 approvals on Thursday", f"{RELEASES} after approvals on Thursday", "number"),
    (f"{RELEASES} on Thursday evening", f"{RELEASES} on Thursday morning", "opposite"),
    (f"{RELEASES} on Thursday evening", f"{RELEASES} not on Thursday evening", "negation"),
    (f"{RELEASES} before noon on Thursday", f"{RELEASES} only before noon on Thursday", "word"),
    (f"{RELEASES} from /srv/main on Thursday", f"{RELEASES} from /srv/next on Thursday", "name"),
    (f"{RELEASES} on Thursday evening", f"{RELEASES} from /srv/main on Thursday evening", "name"),
    (f"{RELEASES} by hand, with care", f"{RELEASES} by machine, with care", "word"),
    (f"{RELEASES} after pytest, formatted by black", f"{RELEASES} after unittest, formatted by ruff", "word"),
    (f"{RELEASES} and tested by the web team", f"{RELEASES} and tested for the web team", "order"),
    (
        "Ben approved the budget that Anna proposed for the spring conference in Vienna",
        "Anna approved the budget that Ben proposed for the spring conference in Vienna",
        "order",
    ),
    (
        "The nightly job copies files from the archive bucket to the backup bucket on the old server",
        "The nightly job copies files from the backup bucket to the archive bucket on the old server",
        "order",
    ),
]
ONE = [
    ("A child is placing a bag on the couch", "A kid is putting a sack on the sofa"),
    ("The colour is grey", "The color is grey"),
    ("He is driving home", "He drives home"),
    ("The cat is licking the bowl", "The bowl is being licked by the cat"),
    ("A racket is held by the player", "The player holds a racket"),
    ("He speaks English and French", "He speaks French and English"),
    ("She plays chess, tennis and golf", "She plays golf, chess and tennis"),
    (
        "the gap between private schools and public schools",
        "the gap between public schools and private schools",
    ),
    ("because Anna was ill, we moved the meeting", "We moved the meeting because Anna was ill"),
    ("She lives in the U.S.", "She lives in the US"),
    ("Interest is 5%", "Interest is 5 percent"),
    ("Interest is 5 per cent", "Interest is 5 percent"),
    ("He has twenty-one dogs", "He has 21 dogs"),
    ("I do n't eat meat", "I don't eat meat"),
    ("Some people play cricket", "People play cricket"),
    ("A dog sleeps", "The dog sleeps"),
    (f"{RELEASES} on Thursday evening", f"On Thursday evening, {RELEASES}"),
    (f"{RELEASES} on Thursday evening", f"{RELEASES} on Thursday evening, as a rule, says the handbook"),
    (f"{RELEASES} in the United States", f"{RELEASES} in the U.S."),
    (f"{RELEASES} near Fallujah, in old barracks", f"{RELEASES} near Falluja, in bleak barracks on a hill"),
    (f'"{RELEASES} on Thursdays," Anna said', f'Anna said: "{RELEASES} on Thursdays."'),
]


@pytest.mark.parametrize(("one", "other", "reason"), APART)
def test_what_says_something_else_is_apart_however_long(one: str, other: str, reason: str) -> None:
    assert differs(one, other) == reason
    assert differs(other, one) == reason


@pytest.mark.parametrize(("one", "other"), ONE)
def test_the_same_thing_in_other_words_is_one(one: str, other: str) -> None:
    assert differs(one, other) is None
    assert differs(other, one) is None


def test_a_longer_statement_may_say_a_name_and_a_number_more_if_it_is_reworded_besides() -> None:
    long = f"{RELEASES} on Thursday evening after all the tests have passed"
    more = f"{RELEASES} under Anna on Thursday evening, once 40 long tests have passed"
    assert differs(long, more) is None
    assert differs("The team meets", "The team meets under Anna") == "name"


def test_steps_are_apart_in_another_order_though_joined_by_and() -> None:
    one, other = "Run the tests and build the image", "Build the image and run the tests"
    assert differs(one, other) is None
    assert differs(one, other, ordered=True) == "order"
    workflow, again = (a_memory(kind=Kind.WORKFLOW, essence=text) for text in (one, other))
    assert apart(workflow, again) == "order"
    assert apart(workflow, a_memory(kind=Kind.WORKFLOW, essence=f"{one}.")) is None


words = st.sampled_from(
    """Anna Ben A US United States was held by the and or cat dog chased not no 3 4 Monday today said, said kid
    child small big left right from to May may tests /a/b x@y.z "I you twenty-one 5% do n't then key is""".split()
)


@given(st.lists(words, max_size=9).map(" ".join), st.lists(words, max_size=9).map(" ".join))
def test_the_guard_is_symmetric_for_passives_lists_and_initials(one: str, other: str) -> None:
    assert differs(one, other) == differs(other, one)
    assert differs(one, other, ordered=True) == differs(other, one, ordered=True)


@given(st.lists(words, max_size=9), st.lists(words, max_size=9))
def test_every_word_is_paired_or_left_over(one: list[str], other: list[str]) -> None:
    left, right = read(" ".join(one)).tokens, read(" ".join(other)).tokens
    found = align(left, right)
    over = [sum(map(len, side)) for side in zip(*((gap.left, gap.right) for gap in found.gaps), strict=True)]
    fewest = max(len(left), len(right)) - min(len(left), len(right))
    assert sum(over) + 2 * len(found.pairs) <= len(left) + len(right)
    assert sum(over) >= fewest or "us" in " ".join(one + other).lower()
    assert (
        len({here for here, _ in found.pairs}) == len({there for _, there in found.pairs}) == len(found.pairs)
    )


@given(st.lists(st.integers(0, 9), max_size=9))
def test_a_longest_rise_is_as_long_as_the_best_of_all_choices(values: list[int]) -> None:
    places = longest_rise(values)
    rise = [values[place] for place in places]
    assert places == sorted(places)
    assert rise == sorted(set(rise))
    best = max(
        (
            len(choice)
            for size in range(len(values) + 1)
            for choice in itertools.combinations(values, size)
            if list(choice) == sorted(set(choice))
        ),
        default=0,
    )
    assert len(rise) == best


def test_no_two_words_of_the_tables_say_the_same_and_exclude_each_other() -> None:
    groups = [group.split() for group in SAME.split("|")]
    both = [
        pair for group in groups for pair in itertools.combinations(group, 2) if exclude(*map(key_of, pair))
    ]
    assert both == []
    assert all(len(group.split()) > 1 for group in [*SAME.split("|"), *EXCLUSIVE.split("|")])


@pytest.mark.parametrize("kind", ["words", "names", "numbers", "passives", "lists", "repeated", "spaces"])
def test_two_longest_essences_are_compared_at_once(kind: str) -> None:
    chance = random.Random(kind)

    def text() -> str:
        made: Callable[[], str] = {
            "words": lambda: chance.choice("abcdefghij") * chance.randrange(1, 5),
            "names": lambda: chance.choice("ABCDEFGHIJ") + "x" * chance.randrange(3),
            "numbers": lambda: str(chance.randrange(500)),
            "passives": lambda: chance.choice(("held by", "holds", "Anna", "Ben")),
            "lists": lambda: chance.choice(("tea,", "gin and", "ale or", "rum")),
            "repeated": lambda: chance.choice(("tea", "the", "is")),
            "spaces": lambda: chance.choice((" " * 90, "key", "@" + "!" * 90, "n't")),
        }[kind]
        return " ".join(made() for _ in range(6000))[:16384]

    one, other = text(), text()
    started = time.process_time()
    differs(one, other)
    assert time.process_time() - started < 5  # what is quadratic takes longer by orders of magnitude
