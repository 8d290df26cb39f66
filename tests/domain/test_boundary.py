"""Whatever a caller hands over is a valid value or refused in our own words; Python's errors never show."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.domain.ask import Ask, filter_of
from reverie.domain.draft import Draft
from reverie.domain.message import EpisodeMetadata, Message
from reverie.domain.query import Filter
from reverie.domain.revision import Revision
from reverie.domain.settings import Settings, SettingsGroup, StoreSettings
from reverie.domain.time import to_utc, zone_of
from reverie.errors import InvalidInput

pytestmark = pytest.mark.slow

MARK = "Zyx-8841-secret"

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([63, 400, 5000]).map(lambda exponent: -(10**exponent))
    | st.floats()
    | st.text(st.characters(), max_size=20)
    | st.sampled_from(["joy", "fact", "user", "high", "hybrid", "2026-11-20", "UTC", "commit", "a" * 300])
    | st.datetimes(timezones=st.none() | st.timezones())
    | st.binary(max_size=5)
)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


def _fields(kind: type) -> st.SearchStrategy[dict[str, object]]:
    names = [field.name for field in dataclasses.fields(kind)]
    return st.dictionaries(st.sampled_from(names), anything, max_size=5)


FEWER = settings(max_examples=60)


def _deep(depth: int) -> list[object]:
    nested: list[object] = []
    for _ in range(depth):
        nested = [nested]
    return nested


def _refusal(make: Callable[[], object]) -> InvalidInput | None:
    try:
        make()
    except InvalidInput as refused:
        return refused
    return None


def _made_or_refused(make: Callable[[], object]) -> None:
    refusal = _refusal(make)
    if refusal is not None:
        assert refusal.field
        assert refusal.problem
        assert refusal.remedy
        assert MARK not in str(refusal)
        assert len(str(refusal)) < 1000


@given(anything)
def test_any_object_is_read_or_refused(value: object) -> None:
    _made_or_refused(lambda: Message.of(value))
    _made_or_refused(lambda: Draft.of(value))
    _made_or_refused(lambda: to_utc(value))
    _made_or_refused(lambda: zone_of(value))


@FEWER
@given(
    _fields(Message) | _fields(EpisodeMetadata) | st.dictionaries(st.text(max_size=8), anything, max_size=3)
)
def test_any_fields_make_a_message_or_are_refused(fields: dict[str, object]) -> None:
    _made_or_refused(lambda: Message.of({**fields, "content": MARK}))
    _made_or_refused(lambda: Message.of({"content": "x", "metadata": fields}))


@FEWER
@given(_fields(Draft))
def test_any_fields_make_a_draft_or_are_refused(fields: dict[str, object]) -> None:
    _made_or_refused(lambda: Draft.of({**fields, "essence": MARK}))


@FEWER
@given(_fields(Revision))
def test_any_fields_make_a_revision_or_are_refused(fields: dict[str, object]) -> None:
    _made_or_refused(lambda: Revision(**{**fields, "essence": MARK}))  # type: ignore[arg-type]


@FEWER
@given(_fields(Ask))
def test_any_fields_make_a_question_or_are_refused(fields: dict[str, object]) -> None:
    _made_or_refused(lambda: Ask(**{"query": None, **fields, "filter": Filter()}))  # type: ignore[arg-type]


@FEWER
@given(_fields(Filter), st.booleans())
def test_any_fields_make_a_filter_or_are_refused(fields: dict[str, object], memories: bool) -> None:
    _made_or_refused(lambda: filter_of(fields, zone=UTC, memories=memories))


@pytest.mark.parametrize(
    "kind",
    [
        Settings,
        *(
            type(one.default)
            for one in dataclasses.fields(Settings)
            if isinstance(one.default, SettingsGroup)
        ),
    ],
)
@FEWER
@given(data=st.data())
def test_any_fields_make_settings_or_are_refused(kind: type, data: st.DataObject) -> None:
    given_fields = data.draw(_fields(kind))
    _made_or_refused(lambda: kind(**given_fields))


@pytest.mark.parametrize("depth", [500, 900, 50_000])
def test_nesting_that_exhausts_the_stack_is_refused(depth: int) -> None:
    value = _deep(depth)
    for make in (
        lambda: Message.of(value),
        lambda: Message.of({"content": value}),
        lambda: Message.of({"content": "x", "role": value}),
        lambda: Message.of({"content": "x", "tags": value}),
        lambda: Draft.of({"essence": "x", "kind": value}),
        lambda: Draft.of({"essence": "x", "emotions": value}),
        lambda: Draft.of({"essence": "x", "pinned": value}),
        lambda: Ask(query="x", filter=Filter(), strategy=value),  # type: ignore[arg-type]
        lambda: Ask(query="x", filter=Filter(), emotions=value),  # type: ignore[arg-type]
        lambda: Settings(store=StoreSettings(batch=value)),  # type: ignore[arg-type]
        lambda: filter_of({"kinds": value}, zone=UTC, memories=True),
    ):
        with pytest.raises(InvalidInput):
            make()


def test_a_value_once_made_makes_itself_again() -> None:
    message = Message.of({"content": "a\r\nb", "time": datetime(2026, 1, 1, tzinfo=UTC), "topics": ["x"]})
    draft = Draft.of({"essence": "a\r\nb", "emotions": ["joy", "love", "fear"], "tags": ["x"]})
    assert dataclasses.replace(message) == message
    assert dataclasses.replace(draft) == draft
