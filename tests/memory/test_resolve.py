"""Resolve: what changes make of memories, and which of two holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import Kind, Memory, Origin, Priority, SourceTrust
from reverie.domain.memory import Quoted, State
from reverie.domain.message import Role
from reverie.memory.change.resolve import (
    EARLIER,
    INFERRED,
    LESS_TRUSTED,
    NEWER,
    OPEN,
    STATED,
    Side,
    Wording,
    faded,
    is_less_trusted,
    loser_after,
    not_revised,
    revised,
    side_of,
    spared,
    verdict,
)
from reverie.memory.decay import faded_confidence

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def _memory(id: str = "m", days: float = 0, **fields: Any) -> Memory:
    """One that was learned so many days before NOW."""
    at = NOW - timedelta(days=days)
    given: dict[str, Any] = {
        "essence": f"essence of {id}", "kind": Kind.FACT, "priority": Priority.NORMAL, "confidence": 0.9,
        "confidence_at": at, "origin": Origin.SLEEP, "source_trust": SourceTrust.PRINCIPAL,
        "last_reinforced_at": at, "created_at": at, "updated_at": at, "believed_from": at,
    }  # fmt: skip
    return Memory(id=id, **given | fields)


def _side(id: str, days: float, *, stated: bool = True, **fields: Any) -> Side:
    return Side(memory=_memory(id, days, **fields), stated=stated, at=NOW - timedelta(days=days))


EXTERNAL: dict[str, Any] = {"source_trust": SourceTrust.EXTERNAL}
VERDICTS = [
    (_side("old", 5), _side("new", 1), "new", NEWER, True),
    (_side("old", 5, stated=False), _side("new", 1), "new", NEWER, True),
    (_side("old", 5, **EXTERNAL), _side("new", 1), "new", NEWER, True),
    (_side("old", 5), _side("new", 1, stated=False), "old", STATED, False),
    (_side("old", 5, stated=False, **EXTERNAL), _side("new", 1, **EXTERNAL), "new", STATED, True),
    (_side("old", 5, stated=False), _side("new", 1, **EXTERNAL), None, LESS_TRUSTED, False),
    (_side("old", 5), _side("new", 1, **EXTERNAL), None, LESS_TRUSTED, False),
    (_side("old", 5, **EXTERNAL), _side("new", 1, stated=False), None, OPEN, False),
    (_side("old", 5, **EXTERNAL), _side("new", 1, **EXTERNAL), None, OPEN, False),
    (_side("one", 1, stated=False), _side("two", 1, stated=False), None, OPEN, False),
    (_side("one", 1), _side("two", 1), None, OPEN, False),
]


@pytest.mark.parametrize(("one", "other", "winner", "why", "replaces"), VERDICTS)
def test_which_of_two_holds_is_a_rule(
    one: Side, other: Side, winner: str | None, why: str, replaces: bool
) -> None:
    for found in (verdict(one, other), verdict(other, one)):
        assert (found.winner.memory.id if found.winner else None) == winner
        assert (found.why, found.replaces) == (why, replaces)


def test_the_loser_was_true_until_the_newer_was_said() -> None:
    old, new = _side("old", 65), _side("new", 1)
    loser = loser_after(verdict(old, new), NOW)
    assert loser is not None
    assert loser.confidence == pytest.approx(0.9 * 0.9**2 - 0.2)
    assert (loser.confidence_at, loser.superseded_by, loser.valid_to) == (NOW, "new", NOW - timedelta(days=1))
    assert loser.state is State.ARCHIVED


def test_a_loser_that_is_not_replaced_is_only_less_sure() -> None:
    loser = loser_after(verdict(_side("old", 5), _side("new", 1, stated=False)), NOW)
    assert loser is not None
    assert (loser.id, loser.superseded_by, loser.valid_to, loser.state) == ("new", None, None, State.ACTIVE)
    assert loser_after(verdict(_side("one", 1), _side("two", 1)), NOW) is None


def test_a_window_that_ended_before_is_not_opened_again() -> None:
    ended = NOW - timedelta(days=4)
    loser = loser_after(verdict(_side("old", 5, valid_to=ended), _side("new", 1)), NOW)
    assert loser is not None
    assert loser.valid_to == ended


_shares = st.floats(0, 1)
_days = st.floats(0, 2_000)


@given(_shares, _shares, _days, st.sampled_from(State))
def test_a_fade_only_lowers_and_is_inactive_under_a_tenth(
    before: float, wanted: float, days: float, state: State
) -> None:
    known = _memory(days=days, confidence=before, state=state)
    left = faded_confidence(before, known.fades_from, NOW)
    new = faded(known, wanted, NOW)
    assert (new is None) == (wanted >= left)
    if new is not None:
        assert (new.confidence, new.confidence_at) == (wanted, NOW)
        assert new.state is (State.INACTIVE if wanted < 0.1 else state)


@given(_shares, _days, _days)
def test_losing_never_takes_confidence_below_a_tenth(before: float, days: float, later: float) -> None:
    loser = loser_after(verdict(_side("old", days + later + 1, confidence=before), _side("new", later)), NOW)
    assert loser is not None
    left = faded_confidence(before, NOW - timedelta(days=days + later + 1), NOW)
    assert loser.confidence <= left
    assert loser.confidence >= min(left, 0.1)


def _wording(**changed: Any) -> Wording:
    sound = Wording(kind=Kind.FACT, priority=Priority.NORMAL,
        essence="another", lesson=None, since=NOW - timedelta(days=1), known_since=None,
        at=NOW - timedelta(days=1), sources=("e2",), trust=SourceTrust.PRINCIPAL, confidence=0.9,
    )  # fmt: skip
    return replace(sound, **changed)


def test_a_revision_keeps_the_id_and_begins_a_window() -> None:
    known = _memory(days=9, confidence=0.3, source_episodes=("e1",), state=State.INACTIVE, lesson="ask")
    new = revised(known, _wording(), NOW)
    assert (new.id, new.essence, new.version, new.lesson) == ("m", "another", 2, "ask")
    assert (new.believed_from, new.confidence, new.confidence_at) == (
        NOW - timedelta(days=1), 0.9, NOW - timedelta(days=1),
    )  # fmt: skip
    assert (new.source_episodes, new.state) == (("e1", "e2"), State.ACTIVE)


def test_a_wording_is_believed_after_its_predecessor_until_now() -> None:
    known = _memory(days=2)
    early = revised(known, _wording(since=NOW - timedelta(days=3), at=NOW - timedelta(days=3)), NOW)
    late = revised(known, _wording(since=NOW + timedelta(days=3), at=NOW + timedelta(days=3)), NOW)
    assert early.believed_from == late.believed_from == NOW


def test_a_retelling_of_the_same_sources_is_believed_as_long() -> None:
    known = replace(_memory(days=2, source_episodes=("e1", "e2")), essence="Anna lives in Porto.")
    whole = "Anna lives in Porto. She has a garden."
    for since in (NOW - timedelta(days=2), NOW - timedelta(days=9)):
        new = revised(known, _wording(essence=whole, since=since, at=known.believed_from), NOW)
        assert new.believed_from == known.believed_from + timedelta(microseconds=1)
    for changed in ({"essence": whole, "sources": ("e3",)}, {"essence": "Anna lives in Hull."}):
        wording = _wording(since=known.believed_from, at=known.believed_from, **changed)
        assert revised(known, wording, NOW).believed_from == NOW


def test_a_rewording_is_no_quotation() -> None:
    said = Quoted(episode="e1", role=Role.USER, speaker="Anna", at=NOW)
    known = replace(_memory(days=2), quoted=said)
    new = revised(known, _wording(), NOW)
    assert new.quoted is None


def test_a_wording_is_believed_since_it_was_told() -> None:
    said = NOW - timedelta(days=1)
    new = revised(_memory(days=2), _wording(since=NOW - timedelta(days=9), at=said), NOW)
    assert new.believed_from == said


def test_the_new_wording_has_a_window_of_its_own_in_the_world() -> None:
    known = _memory(days=9, valid_from=NOW - timedelta(days=400), valid_to=NOW - timedelta(days=5))
    new = revised(known, _wording(), NOW)
    assert (new.valid_from, new.valid_to) == (NOW - timedelta(days=1), None)
    said = revised(known, _wording(known_since=NOW - timedelta(days=3)), NOW)
    assert said.valid_from == NOW - timedelta(days=3)
    assert revised(_memory(days=9), _wording(), NOW).valid_from is None


@given(st.sampled_from(SourceTrust), st.sampled_from(SourceTrust))
def test_a_revision_never_raises_trust(known: SourceTrust, sources: SourceTrust) -> None:
    new = revised(_memory(days=9, source_trust=known), _wording(trust=sources), NOW)
    assert not is_less_trusted(known, new.source_trust)
    assert not is_less_trusted(sources, new.source_trust)


def test_what_was_committed_or_is_sure_was_stated() -> None:
    assert side_of(_memory(confidence=0.2, origin=Origin.COMMIT), stated_from=0.75).stated
    assert side_of(_memory(confidence=0.75), stated_from=0.75).stated
    assert not side_of(_memory(confidence=0.7), stated_from=0.75).stated
    again = _memory(days=9, last_reinforced_at=NOW)
    assert side_of(again, stated_from=0.75).at == NOW


def test_what_will_be_so_only_ends_the_other_then() -> None:
    ahead = NOW + timedelta(days=90)
    old = _side("old", 5)
    loser = loser_after(verdict(old, _side("new", 1, valid_from=ahead)), NOW)
    assert loser == replace(old.memory, valid_to=ahead, updated_at=NOW)
    ended = _side("old", 5, valid_to=NOW + timedelta(days=1))
    assert loser_after(verdict(ended, _side("new", 1, valid_from=ahead)), NOW) is None


POLICY: dict[str, Any] = {"kind": Kind.POLICY}
SPARED: list[tuple[dict[str, Any], dict[str, Any], bool]] = [
    ({}, {}, False),
    ({"pinned": True}, {}, True),
    ({"kind": Kind.PREFERENCE, "priority": Priority.HIGH}, {}, True),
    (POLICY, {}, True),
    (POLICY, POLICY, False),
    ({**POLICY, "source_trust": SourceTrust.EXTERNAL}, {"kind": Kind.FACT}, True),
]


@pytest.mark.parametrize(("loser", "winner", "spared_so"), SPARED)
def test_what_is_kept_or_steers_does_not_lose_in_a_sleep(
    loser: dict[str, Any], winner: dict[str, Any], spared_so: bool
) -> None:
    found = verdict(_side("old", 5, **loser), _side("new", 1, **winner))
    assert found.loser is not None
    assert (spared(found).loser is None) == spared_so


REVISIONS = [
    (True, 5, 1, True, None),
    (True, 1, 5, True, EARLIER),
    (True, 5, 1, False, INFERRED),
    (False, 5, 1, False, None),
    (False, 1, 5, False, EARLIER),
    (True, -30, 1, True, None),  # a clock that was ahead
]


@pytest.mark.parametrize(("known_stated", "known_days", "days", "stated", "why"), REVISIONS)
def test_what_was_said_later_or_outright_is_not_reworded(
    known_stated: bool, known_days: float, days: float, stated: bool, why: str | None
) -> None:
    known = _side("old", known_days, stated=known_stated)
    assert not_revised(known, stated=stated, at=NOW - timedelta(days=days), now=NOW) == why


def test_a_wording_of_a_clock_ahead_is_believed_from_now_on() -> None:
    wording = Wording(kind=Kind.FACT, priority=Priority.NORMAL,
        essence="new", lesson=None, since=NOW - timedelta(days=1), known_since=None, at=NOW - timedelta(days=1),
        sources=(), trust=SourceTrust.PRINCIPAL, confidence=0.9,
    )  # fmt: skip
    new = revised(_memory(days=-30), wording, NOW)
    assert (new.believed_from, new.confidence_at) == (NOW, NOW)
