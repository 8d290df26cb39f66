"""Memories and what was said in one order, and what both say once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.memory.prompt.activation import Situation
from reverie.memory.prompt.block import BlockLine, BlockSection
from reverie.memory.prompt.contextual import packed_lines, said_lines
from tests.memory.memories import NOON

DAY = timedelta(days=1)


def episode(id: str, content: str = "I moved to Ghent.", days: int = 0, **fields: object) -> Episode:
    usual: dict[str, object] = {
        "channel": "chat", "conversation": "c", "position": 0, "observed_at": NOON, "role": Role.USER,
        "speaker": "Anna", "source_trust": SourceTrust.PRINCIPAL,
    }  # fmt: skip
    return Episode(id=id, content=content, time=NOON - days * DAY, **{**usual, **fields})  # type: ignore[arg-type]


def lines(*answers: tuple[Episode, float], threshold: float = 0.0) -> Sequence[BlockLine]:
    around = Situation(now=NOON, path=None, least_relevance=0.0, threshold=threshold)
    return said_lines(answers, frozenset(), around, NOON)


def line(id: str, score: float, quotes: tuple[str, str] | None = None) -> BlockLine:
    return BlockLine(
        id=id, section=BlockSection.KNOWN, text=f"- {id}", score=score, order=(0, id), quotes=quotes
    )


def ids(
    scores: Mapping[str, float],
    quoted: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    standing: Sequence[str] = (),
) -> list[str]:
    given = [line(id, score, quoted.get(id)) for id, score in scores.items()]
    return [one.id for one in packed_lines(given, [line(id, 1.0, quoted[id]) for id in standing])]


def test_what_was_said_is_quoted_with_its_speaker_and_day() -> None:
    (one,) = lines((episode("a"), 0.5))
    assert (one.section, one.text) == (
        BlockSection.SAID,
        f"- Anna, {NOON.day} {NOON:%B %Y}: I moved to Ghent.",
    )
    assert one.quotes == ("a", "I moved to Ghent.")


def test_what_was_done_tells_how_it_ended() -> None:
    (one,) = lines((episode("a", "We moved the shop.", outcome="two days\nlate"), 0.5))
    assert one.text.endswith(": We moved the shop. (outcome: two days late)")
    assert one.quotes == ("a", "We moved the shop.")


def test_what_others_said_is_labelled_and_stands_apart() -> None:
    (one,) = lines((episode("a", source_trust=SourceTrust.OTHER), 0.5))
    assert one.section is BlockSection.TOLD
    assert one.text.startswith("- [other] Anna")
    assert one.quotes == ("a", "I moved to Ghent.")


def test_the_same_words_stand_once() -> None:
    assert [one.id for one in lines((episode("a"), 0.5), (episode("b", "I moved  to ghent."), 0.4))] == ["a"]


def test_what_was_said_fades_by_half_in_ninety_days() -> None:
    fresh, old = lines((episode("a"), 0.5), (episode("b", "I live in Bruges.", days=90), 0.5))
    assert old.score == pytest.approx(fresh.score / 2)


def test_below_the_threshold_nothing_of_it_enters() -> None:
    assert lines((episode("a", days=90), 0.5), threshold=0.2) == ()


def test_the_most_useful_comes_first_whatever_its_kind() -> None:
    assert ids({"a": 0.1, "b": 0.3, "c": 0.2}) == ["b", "c", "a"]
    assert ids({"b": 0.1, "a": 0.1}) == ["a", "b"]


def test_a_statement_beside_its_own_message_stands_once() -> None:
    quoted = {"message": ("e", "I moved to Ghent. It rains."), "memory": ("e", "I moved to Ghent.")}
    assert ids({"message": 0.3, "memory": 0.2}, quoted) == ["message"]
    assert ids({"message": 0.2, "memory": 0.3}, quoted) == ["memory"]


def test_a_message_that_says_much_more_replaces_its_quotation() -> None:
    quoted = {
        "message": ("e", "It rains. The dog hates it here, and so does Tom."),
        "memory": ("e", "It rains."),
    }
    assert ids({"message": 0.2, "memory": 0.3}, quoted) == ["message"]


def test_the_same_words_of_two_messages_are_two_things() -> None:
    assert ids({"a": 0.3, "b": 0.2}, {"a": ("e", "Yes."), "b": ("f", "Yes.")}) == ["a", "b"]


def test_what_a_standing_memory_says_stands_nowhere_else() -> None:
    quoted = {"rule": ("e", "Never lie."), "message": ("e", "Never lie."), "other": ("e", "I like tea.")}
    assert ids({"message": 0.3, "other": 0.2}, quoted, ["rule"]) == ["other"]


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.floats(0, 1), max_size=8), st.randoms())
def test_the_order_of_what_is_given_changes_nothing(scores: Mapping[str, float], chance: object) -> None:
    shuffled = list(scores.items())
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert ids(dict(shuffled)) == ids(scores)
