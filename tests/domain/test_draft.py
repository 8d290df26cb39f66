"""Drafts and revisions: what a caller hands to remember and revise."""

from __future__ import annotations

import pytest

from reverie.domain.draft import Draft
from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Origin
from reverie.domain.revision import CLEARABLE, Revision
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput

SECRET = "the launch code is 8841"


def test_an_essence_alone_is_a_draft() -> None:
    assert Draft.of("Anna likes tea") == Draft(essence="Anna likes tea", kind=Kind.FACT, origin=Origin.COMMIT)


def test_a_mapping_gives_every_field_and_none_means_not_given() -> None:
    draft = Draft.of(
        {
            "essence": "Deploy on Mondays", "kind": "WORKFLOW", "lesson": "check CI first", "scope": ["src/**"],
            "emotions": ["pride", "joy", "relief"], "importance": 1, "priority": "high", "confidence": 0,
            "tags": ["a", "a"], "topics": None, "source_trust": "OTHER", "origin": "import", "pinned": True,
            "time": "2026-01-01", "valid_to": "2027-01-01",
        }
    )  # fmt: skip
    assert draft == Draft(
        essence="Deploy on Mondays", kind=Kind.WORKFLOW, lesson="check CI first", scope=("src/**",),
        emotions=(Emotion.PRIDE, Emotion.JOY, Emotion.RELIEF), importance=1.0, priority=Priority.HIGH, confidence=0.0,
        tags=("a",), source_trust=SourceTrust.OTHER, origin=Origin.IMPORT, pinned=True, time="2026-01-01",
        valid_to="2027-01-01",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("essence", 5), ("essence", " "), ("essence", "ő" * 8193), ("kind", "facts"), ("lesson", ""), ("lesson", 5),
        ("emotions", ["joy", "joy"]), ("emotions", "joy"), ("importance", 1.1), ("importance", True),
        ("priority", "urgent"), ("confidence", -1), ("scope", "src"),
        ("scope", [f"g{n}" for n in range(51)]), ("tags", [5]), ("topics", "a"),
        ("entities", [""]), ("source_episodes", "id"), ("source_trust", "mine"), ("origin", "dream"), ("pinned", 1),
        ("time", 5), ("time", "soon"), ("valid_from", "x"), ("valid_to", []),
    ],
)  # fmt: skip
def test_a_bad_draft_is_refused_by_field_without_its_essence(field: str, value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        Draft.of({"essence": SECRET, field: value})
    assert refused.value.field == field
    assert refused.value.remedy
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    "value", [5, None, b"x", ["x"], {}, {"lesson": "x"}, {"essence": "x", "mood": 1}, {5: 1}]
)
def test_what_is_no_draft_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput):
        Draft.of(value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("essence", " "), ("kind", "facts"), ("lesson", ""),
        ("emotions", ["joy", "joy"]), ("importance", 2),
        ("priority", "urgent"), ("confidence", -1), ("scope", "src"), ("tags", "a"), ("topics", 5), ("entities", [5]),
        ("pinned", "yes"), ("valid_from", "x"), ("valid_to", 5), ("time", "x"), ("clear", "lesson"),
        ("clear", ["essence"]), ("clear", [5]),
    ],
)  # fmt: skip
def test_a_bad_revision_is_refused_naming_its_field(field: str, value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        Revision(**{"kind": Kind.GOAL, field: value})  # type: ignore[arg-type]
    assert refused.value.field == field


def test_a_revision_that_changes_nothing_is_refused() -> None:
    for empty in ({}, {"time": "2026-01-01"}, {"clear": frozenset[str]()}):
        with pytest.raises(InvalidInput, match="changes nothing"):
            Revision(**empty)


@pytest.mark.parametrize("name", sorted(CLEARABLE))
def test_what_may_be_empty_can_be_cleared_but_not_given_as_well(name: str) -> None:
    assert Revision(clear=frozenset({name})).clear == {name}
    values = {"emotions": ("joy", "love", "fear"), "importance": 0.5, "valid_from": "2026-01-01"}
    value = values.get(name, "2026-01-01" if name == "valid_to" else ("a",) if name != "lesson" else "x")
    with pytest.raises(InvalidInput, match="both given and cleared"):
        Revision(clear=frozenset({name}), **{name: value})  # type: ignore[arg-type]
