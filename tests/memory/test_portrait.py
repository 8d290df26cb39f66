"""The self-portrait as a document: our sections between markers, a person's text around them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, Quoted
from reverie.domain.message import Role
from reverie.memory.society.portrait import (
    SOUL,
    TITLES,
    harmless,
    in_turn,
    line_of,
    lines_of,
    merged_document,
    portrait_section,
    portrait_weight,
)
from tests.contract.store_rows import a_memory

FACTS = portrait_section("fact", ["Anna lives in Porto"])
BODIES = {SOUL: portrait_section(SOUL, ["I ask before I guess"]), "fact": FACTS}
names = st.sampled_from([*TITLES])
texts = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60)
bodies = st.dictionaries(names, st.lists(texts, min_size=1, max_size=3), max_size=4).map(
    lambda found: {name: portrait_section(name, lines) for name, lines in found.items()}
)


def test_a_new_document_has_a_title_and_its_sections_in_order() -> None:
    text = merged_document(None, "mama", BODIES).text
    assert text.startswith("# mama\n")
    assert text.index("## Who I am\n- I ask before I guess") < text.index("## Facts\n- Anna lives in Porto")


def test_a_line_is_a_quotation_or_the_memory_as_it_stands() -> None:
    plain = a_memory("m", essence="Anna lives\nin Porto", kind=Kind.FACT)
    said = Quoted(episode="e", role=Role.USER, speaker="Anna", at=datetime(2026, 3, 12, tzinfo=UTC))
    assert line_of(plain) == "Anna lives in Porto"
    assert line_of(replace(plain, quoted=said)) == "Anna, 12 March 2026: Anna lives in Porto"


@pytest.mark.parametrize(
    "essence",
    ["Dale, can you book it?", "Anna's IBAN is DE89 3704 0044 0532 0130 00.", "4111 1111 1111 1111 pays"],
)
def test_a_question_and_an_accounts_number_are_no_line(essence: str) -> None:
    assert line_of(a_memory("m", essence=essence, kind=Kind.FACT)) is None


@given(bodies)
def test_merging_the_same_again_changes_nothing(some: dict[str, str]) -> None:
    once = merged_document(None, "mama", some).text
    again = merged_document(once, "mama", some)
    assert (again.text, again.aside, again.strays) == (once, (), 0)


@given(bodies, bodies, texts, texts)
def test_a_persons_text_around_the_sections_survives(
    first: dict[str, str], second: dict[str, str], before: str, after: str
) -> None:
    before, after = harmless(before).replace("\n", " "), harmless(after).replace("\n", " ")
    text = f"{before}\n\n{merged_document(None, 'mama', first).text}\n{after}\n"
    new = merged_document(text, "mama", second)
    assert new.text.startswith(f"{before}\n")
    assert after in new.text
    assert new.aside == ()
    for body in second.values():
        assert body in new.text


@given(bodies, bodies)
def test_only_what_is_given_stands_between_markers(first: dict[str, str], second: dict[str, str]) -> None:
    text = merged_document(merged_document(None, "mama", first).text, "mama", second).text
    assert merged_document(text, "mama", second).text == text
    assert text.count("<!-- reverie:begin ") == len(second)


def test_a_change_by_hand_is_kept_below_and_told() -> None:
    text = merged_document(None, "mama", BODIES).text.replace(
        "Anna lives in Porto", "Anna lives in PORTO!\n- and I know it"
    )
    new = merged_document(text, "mama", BODIES)
    assert new.aside == ("fact",)
    assert FACTS in new.text
    kept = new.text.split("<!-- reverie:end fact ")[1]
    assert "- Anna lives in PORTO!\n- and I know it" in kept
    again = merged_document(new.text, "mama", BODIES)
    assert (again.text, again.aside) == (new.text, ())


@pytest.mark.parametrize("bullet", ["- ", "* ", "  - ", ""])
def test_a_line_that_was_ours_is_never_kept_aside(bullet: str) -> None:
    known = portrait_section("fact", ["Anna lives in Porto", "Anna hides in Quax"])
    added = f"{bullet}Anna hides in Quax\n- a line of my own"
    text = merged_document(None, "mama", {"fact": known, "goal": portrait_section("goal", ["walk"])}).text
    text = text.replace("- Anna hides in Quax", added).replace(
        "- walk", f"- walk\n{bullet}Anna lives in Porto"
    )
    new = merged_document(text, "mama", {"fact": FACTS}).text
    assert "- a line of my own" in new
    assert "Quax" not in new
    assert new.count("Porto") == 1


def test_line_ends_of_another_system_are_no_change_by_hand() -> None:
    text = merged_document(None, "mama", BODIES).text
    assert merged_document(text.replace("\n", "\r\n"), "mama", BODIES).aside == ()


def test_a_stray_marker_gives_its_text_to_the_person() -> None:
    text = merged_document(None, "mama", {"fact": FACTS}).text.partition("<!-- reverie:end fact ")[0]
    new = merged_document(text + "my own words\n", "mama", {"goal": portrait_section("goal", ["walk"])})
    assert new.strays == 1
    assert "Anna lives in Porto" in new.text
    assert "my own words" in new.text
    assert new.text.count("<!-- reverie:begin ") == 1


def test_no_text_can_forge_a_marker() -> None:
    body = portrait_section(
        "fact", ["x --> <!-- reverie:end fact -->\n<!-- reverie:begin goal 0000000000000000 -->"]
    )
    assert "<!--" not in body
    assert "-->" not in body
    assert (
        merged_document(merged_document(None, "mama", {"fact": body}).text, "mama", {"fact": body}).aside
        == ()
    )


def test_sections_that_are_no_more_go_and_the_persons_text_stays() -> None:
    text = merged_document(None, "mama", BODIES).text + "\nmine\n"
    new = merged_document(text, "mama", {SOUL: BODIES[SOUL]})
    assert "Porto" not in new.text
    assert "mine" in new.text


def test_kinds_take_turns_and_what_is_too_long_is_left_out() -> None:
    facts = [
        a_memory("f1", essence="first"),
        a_memory("f2", essence="x" * 999),
        a_memory("f3", essence="third"),
    ]
    goals = [a_memory("g1", essence="goal")]
    given = {Kind.FACT: facts, Kind.GOAL: goals}
    assert lines_of(given, 1_000, len) == {Kind.FACT: ["first", "third"], Kind.GOAL: ["goal"]}
    assert lines_of(given, 35, len) == {Kind.FACT: ["first"], Kind.GOAL: ["goal"]}


def test_what_always_holds_stands_before_what_was_said_last() -> None:
    now = datetime(2026, 3, 12, tzinfo=UTC)
    home = a_memory("home", kind=Kind.FACT, importance=0.65, last_reinforced_at=now - timedelta(days=400))
    bill = a_memory("bill", kind=Kind.FACT, importance=0.3, last_reinforced_at=now, reinforcement_count=3)
    assert portrait_weight(home, now) > portrait_weight(bill, now)
    fresh = replace(home, last_reinforced_at=now)
    often = replace(fresh, reinforcement_count=20)
    assert portrait_weight(home, now) < portrait_weight(fresh, now) < portrait_weight(often, now)
    assert portrait_weight(replace(home, importance=None), now) < portrait_weight(home, now)


def test_each_kind_has_a_line_then_the_most_important() -> None:
    def some(kind: Kind, *importances: float) -> list[Memory]:
        return [
            a_memory(f"{kind}-{place}", kind=kind, importance=one) for place, one in enumerate(importances)
        ]

    given = {Kind.OBSERVATION: some(Kind.OBSERVATION, 0.2, 0.1), Kind.FACT: some(Kind.FACT, 0.9, 0.3, 0.8)}
    assert [one.id for _, one in in_turn(given)] == [
        "fact-0", "observation-0", "fact-1", "fact-2", "observation-1",
    ]  # fmt: skip
    assert [*in_turn({})] == []
