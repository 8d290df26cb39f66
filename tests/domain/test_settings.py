"""Settings: the numbers that a user may change."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from dataclasses import fields

import pytest

from reverie.domain.settings import Settings
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput


def test_the_defaults_are_those_of_the_domain() -> None:
    settings = Settings()
    assert settings.duplicate_cosine == 0.92
    assert (settings.stated_confidence, settings.inferred_confidence) == (0.9, 0.6)
    assert (settings.touch_flush_seconds, settings.touch_flush_pending) == (2.0, 500)
    assert settings.snippet_messages == 6
    assert (settings.context_tokens, settings.identity_tokens, settings.procedure_tokens) == (800, 500, 150)
    assert settings.synchronous == "full"
    assert (settings.connections, settings.connect_seconds, settings.statement_seconds) == (10, 10.0, 30.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("duplicate_cosine", 1.01), ("duplicate_cosine", float("nan")), ("stated_confidence", "0.9"),
        ("inferred_confidence", -0.1), ("memory_floor", 2), ("episode_floor", None), ("recall_limit", 0),
        ("recall_limit", 2.5), ("candidates", True), pytest.param("candidates", 10**5000, id="huge"),
        ("snippet_messages", -1),
        ("touch_flush_pending", "500"), ("open_banks", 0), ("cache_mib", 0), ("batch", 0), ("batch", 1.5),
        ("touch_flush_seconds", -1), ("touch_flush_seconds", float("inf")), ("busy_seconds", float("nan")),
        ("busy_seconds", []), ("embed_threads", 0), ("embed_threads", 1.5), ("synchronous", "off"),
        ("synchronous", None), ("embed_compute", "f16"), ("embed_compute", []), ("channel_trust", 5),
        ("connections", 1), ("connections", 2.5), ("connect_seconds", 0), ("connect_seconds", float("nan")),
        ("statement_seconds", -1), ("statement_seconds", "30"), ("emotions", 1), ("emotions", None),
        ("context_tokens", 0), ("identity_tokens", -1), ("procedure_tokens", 1.5), ("context_relevance", 1.1),
        ("context_threshold", -0.1),
        ("embed_timeout_seconds", 0), ("soul_path", 5), ("soul_path", ""), ("soul_path", "~/x/{who}.md"),
        ("soul_path", "{agent}/{}.md"), ("soul_path", "x}.md"),
        ("channel_trust", {"api": "mine"}), ("channel_trust", {5: "other"}), ("channel_trust", {"api": None}),
    ],
)  # fmt: skip
def test_a_setting_out_of_range_is_refused_by_its_name(name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        Settings(**{name: value})  # type: ignore[arg-type]
    assert refused.value.field == f"Settings.{name}"
    assert refused.value.remedy


@pytest.mark.parametrize(
    "name", [each.name for each in fields(Settings) if re.search("int|float", str(each.type))]
)
@pytest.mark.parametrize(
    "value",
    [-1, float("nan"), float("inf"), "3", True, 10**5000],
    ids=["negative", "nan", "inf", "text", "switch", "huge"],
)
def test_every_number_has_a_range(name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        Settings(**{name: value})  # type: ignore[arg-type]
    assert refused.value.field == f"Settings.{name}"


def test_a_trust_table_may_be_given_in_words_and_is_frozen() -> None:
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
    settings = Settings(recall_limit=3, channel_trust={"api": SourceTrust.OTHER})
    made = through(settings)
    assert made == settings
    with pytest.raises(TypeError):
        made.channel_trust["api"] = SourceTrust.PRINCIPAL  # type: ignore[index]
