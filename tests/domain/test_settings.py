"""The numbers and choices that a user may change."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from dataclasses import fields

import pytest

from reverie.domain.settings import (
    CaptureSettings,
    EmbedSettings,
    LLMSettings,
    PrivacySettings,
    RecallSettings,
    Settings,
    SettingsGroup,
    SoulSettings,
    StoreSettings,
)
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput

GROUPS = [type(one.default) for one in fields(Settings) if isinstance(one.default, SettingsGroup)]
NUMBERS = [
    (group, one.name) for group in GROUPS for one in fields(group) if re.match("int|float", str(one.type))
]


def _refused(group: type[SettingsGroup], name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        group(**{name: value})
    assert refused.value.field == f"{group.path}.{name}"
    assert refused.value.remedy


def test_the_defaults_are_those_of_the_domain() -> None:
    settings = Settings()
    assert settings.remember.duplicate_cosine == 0.92
    assert (settings.remember.stated_confidence, settings.remember.inferred_confidence) == (0.9, 0.6)
    assert (settings.store.touch_flush_every, settings.store.touch_flush_pending) == (2.0, 500)
    assert settings.loop.snippet_messages == 6
    context = settings.context
    assert (context.tokens, context.identity_tokens, context.procedure_tokens) == (800, 500, 150)
    assert settings.store.synchronous == "full"
    assert (settings.sleep.every, settings.sleep.idle, settings.sleep.min_episodes) == (21_600, 300, 10)
    assert (settings.llm.calls_hour, settings.llm.calls_day) == (60, 500)
    assert (settings.llm.tokens_hour, settings.llm.dollars_day, settings.llm.send_raw) == (None, None, False)


def test_each_group_is_named_as_its_path_says() -> None:
    assert {group.path for group in GROUPS} == {
        f"Settings.{one.name}" for one in fields(Settings) if isinstance(one.default, SettingsGroup)
    }


@pytest.mark.parametrize(("group", "name"), NUMBERS)
@pytest.mark.parametrize(
    "value",
    [-1, float("nan"), float("inf"), "3", True, 10**5000],
    ids=["negative", "nan", "inf", "text", "switch", "huge"],
)
def test_every_number_has_a_range(group: type[SettingsGroup], name: str, value: object) -> None:
    _refused(group, name, value)


@pytest.mark.parametrize(
    ("group", "name"), [(group, one.name) for group in GROUPS for one in fields(group) if one.type == "bool"]
)
@pytest.mark.parametrize("value", [1, None, "yes"])
def test_every_switch_is_true_or_false(group: type[SettingsGroup], name: str, value: object) -> None:
    _refused(group, name, value)


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        (RecallSettings, "limit", 0), (RecallSettings, "limit", 2.5), (RecallSettings, "memory_floor", 1.01),
        (StoreSettings, "connections", 1), (StoreSettings, "connect_timeout", 0), (StoreSettings, "busy_timeout", []),
        (StoreSettings, "synchronous", "off"), (StoreSettings, "synchronous", None),
        (EmbedSettings, "provider", "word2vec"), (EmbedSettings, "model", None), (EmbedSettings, "base_url", 7),
        (EmbedSettings, "dimensions", 0), (EmbedSettings, "dimensions", 1.5), (EmbedSettings, "timeout", 0),
        (EmbedSettings, "compute", "f16"), (EmbedSettings, "compute", []), (EmbedSettings, "threads", 0),
        (SoulSettings, "file", 5), (SoulSettings, "file", ""), (SoulSettings, "file", "~/x/{who}.md"),
        (SoulSettings, "file", "{agent}/{}.md"), (SoulSettings, "file", "x}.md"),
        (PrivacySettings, "phone_region", "Hungary"), (PrivacySettings, "phone_region", None),
        (CaptureSettings, "patterns", ("we deploy",)), (CaptureSettings, "patterns", 5),
        (LLMSettings, "calls_hour", 0), (LLMSettings, "calls_hour", 1.5), (LLMSettings, "tokens_day", True),
        (LLMSettings, "timeout", 0), (LLMSettings, "prices", (1,)), (LLMSettings, "prices", ("a", "b")),
        (LLMSettings, "prices", (-1, 2)), (LLMSettings, "prices", 3.0),
    ],
)  # fmt: skip
def test_a_value_out_of_range_is_refused_by_its_name(
    group: type[SettingsGroup], name: str, value: object
) -> None:
    _refused(group, name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("channel_trust", 5), ("channel_trust", {"api": "mine"}), ("channel_trust", {5: "other"}),
        ("channel_trust", {"api": None}), ("mind", "mine"), ("mind", None), ("sleep", 5), ("sleep", StoreSettings()),
    ],
)  # fmt: skip
def test_a_group_of_another_kind_is_refused(name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        Settings(**{name: value})  # type: ignore[arg-type]
    assert refused.value.field == f"Settings.{name}"


def test_a_table_of_trust_may_be_in_words_and_is_frozen() -> None:
    table = {"api": "other", "web": SourceTrust.EXTERNAL}
    settings = Settings(channel_trust=table)  # type: ignore[arg-type]
    table["api"] = "principal"
    assert settings.channel_trust["api"] is SourceTrust.OTHER


@pytest.mark.parametrize(
    "through",
    [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))],
    ids=["copy", "deep", "pickle"],
)
def test_a_copy_and_a_pickle_say_the_same(through: Callable[[Settings], Settings]) -> None:
    settings = Settings(recall=RecallSettings(limit=3), channel_trust={"api": SourceTrust.OTHER})
    made = through(settings)
    assert made == settings
    with pytest.raises(TypeError):
        made.channel_trust["api"] = SourceTrust.PRINCIPAL  # type: ignore[index]
