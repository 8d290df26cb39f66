"""Emotions, kinds, priorities, roles, trust: closed lists of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.agent import Agent
from reverie.domain.emotion import Emotion, checked_emotions, checked_label, emotion_bits
from reverie.domain.kinds import Kind, Priority, checked_kind, checked_priority, default_priority
from reverie.domain.message import Role, checked_labels, checked_role
from reverie.domain.time import EPOCH
from reverie.domain.trust import SourceTrust, least_trusted
from reverie.errors import InvalidInput

LABELS = st.sampled_from(Emotion)


def test_the_taxonomy_is_the_28_labels_of_goemotions() -> None:
    assert len(Emotion) == 28
    assert [*Emotion][-1] is Emotion.NEUTRAL
    assert {"joy", "grief", "nervousness", "realization"} <= set(Emotion)


def test_a_label_is_known_in_any_case() -> None:
    assert checked_label("JOY") is Emotion.JOY


@pytest.mark.parametrize("value", ["happy", "", None, 5, ["joy"], pytest.param(10**5000, id="huge"), "joy "])
def test_a_label_outside_the_taxonomy_is_refused_with_the_labels(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"choose from admiration, .*, neutral"):
        checked_label(value)


def test_up_to_three_distinct_labels_keep_their_order() -> None:
    assert checked_emotions(["sadness", "Joy", "love"]) == (Emotion.SADNESS, Emotion.JOY, Emotion.LOVE)
    assert (checked_emotions(["Joy"]), checked_emotions([])) == ((Emotion.JOY,), ())


@pytest.mark.parametrize(
    "values", ["joy", ["joy", "joy", "love"], ["joy", "love", "fear", "pride"], 5, None, {"joy": 1}]
)  # fmt: skip
def test_other_than_up_to_three_distinct_labels_are_refused(values: object) -> None:
    with pytest.raises(InvalidInput, match="emotions"):
        checked_emotions(values)


@given(st.sets(LABELS))
def test_bits_hold_a_set_of_labels_and_may_leave_neutral_out(labels: set[Emotion]) -> None:
    assert emotion_bits(labels).bit_count() == len(labels)
    assert emotion_bits(labels, neutral=False).bit_count() == len(labels - {Emotion.NEUTRAL})


@pytest.mark.parametrize(
    ("kind", "priority"),
    [
        (Kind.POLICY, Priority.CRITICAL),
        *((kind, Priority.HIGH) for kind in (Kind.WORKFLOW, Kind.PITFALL, Kind.ARCHITECTURE)),
        *((kind, Priority.MEDIUM) for kind in (Kind.DECISION, Kind.PREFERENCE, Kind.GOAL, Kind.PROJECT)),
        *((kind, Priority.NORMAL) for kind in (Kind.FACT, Kind.PATTERN, Kind.RELATIONSHIP, Kind.SKILL)),
        *((kind, Priority.NORMAL) for kind in (Kind.ROUTINE, Kind.EMOTIONAL, Kind.OBSERVATION)),
    ],
)
def test_a_kind_begins_with_the_priority_of_the_table(kind: Kind, priority: Priority) -> None:
    assert default_priority(kind) is priority


@pytest.mark.parametrize("value", ["facts", "", None, 5, [], {}, pytest.param(10**5000, id="huge")])
def test_an_unknown_choice_is_refused_with_the_choices(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"kind: .*choose from policy, .*, observation"):
        checked_kind(value)
    with pytest.raises(InvalidInput, match=r"priority: .*choose from critical, high, medium, normal"):
        checked_priority(value)
    with pytest.raises(InvalidInput, match=r"role: .*choose from user, agent, system, tool"):
        checked_role(value)


@pytest.mark.parametrize(
    ("name", "role"),
    [("USER", "user"), ("human", "user"), ("Assistant", "agent"), ("ai", "agent"), ("developer", "system"),
     ("function", "tool"), (Role.TOOL, "tool")],
)  # fmt: skip
def test_a_role_is_known_by_the_names_that_others_give_it(name: object, role: str) -> None:
    assert checked_role(name) == role


def test_labels_are_distinct_and_keep_their_order() -> None:
    assert checked_labels(["b", "a", "b"], "tags") == ("b", "a")


@pytest.mark.parametrize("values", ["work", 5, None, [""], [5], [" a"], [f"t{n}" for n in range(101)]])
def test_what_is_no_list_of_up_to_100_names_is_refused(values: object) -> None:
    with pytest.raises(InvalidInput, match="tags"):
        checked_labels(values, "tags")


@given(st.lists(st.sampled_from(SourceTrust)))
def test_derived_trust_is_that_of_the_least_trusted_source(sources: list[SourceTrust]) -> None:
    order = [*SourceTrust]
    expected = order[max(map(order.index, sources))] if sources else SourceTrust.EXTERNAL
    assert least_trusted(sources) is expected
    assert least_trusted(reversed(sources)) is expected


@pytest.mark.parametrize(
    "bad", [{"id": ""}, {"id": "a", "time_zone": "Mars"}, {"id": "a", "principals": ("",)}, {"id": "a", "home": "\n"}]
)  # fmt: skip
def test_an_agent_is_valid_once_built(bad: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        Agent(created_at=EPOCH, **bad)  # type: ignore[arg-type]
