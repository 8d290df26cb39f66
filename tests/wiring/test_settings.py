"""What the environment says."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import (
    EmbedSettings,
    InvalidInput,
    RecallSettings,
    RememberSettings,
    Settings,
    SleepSettings,
    StoreSettings,
)
from reverie.domain.address import ServerUrl
from reverie.wiring.settings import settings_from, surroundings


def test_an_empty_environment_gives_the_defaults() -> None:
    assert settings_from({}) == Settings()
    around = surroundings({})
    assert (around.agent, around.key_text, around.bank_is_default) == ("main", None, True)
    assert isinstance(around.bank, Path)
    assert (around.bank.name, around.key_file.name) == ("reverie.bank", "key")
    assert around.bank.parent != around.key_file.parent  # a copy of the data folder carries no key


def test_the_environment_names_bank_key_and_agent() -> None:
    around = surroundings(
        {
            "REVERIE_BANK": "here.bank",
            "REVERIE_KEY": "ab" * 32,
            "REVERIE_KEY_FILE": "k",
            "REVERIE_AGENT": "mama",
        }
    )
    assert (around.bank, around.bank_is_default) == (Path("here.bank"), False)
    assert (around.key_file, around.key_text, around.agent) == (Path("k"), "ab" * 32, "mama")


def test_what_is_set_to_nothing_is_not_set() -> None:
    around = surroundings(
        dict.fromkeys(["REVERIE_BANK", "REVERIE_KEY", "REVERIE_KEY_FILE", "REVERIE_AGENT"], "")
    )
    assert around == surroundings({})


def test_a_key_of_the_environment_is_in_no_repr() -> None:
    around = surroundings({"REVERIE_KEY": "ab" * 32})
    assert "abab" not in repr(around)
    assert "abab" not in str(around)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_a_database_of_the_environment_shows_no_password(scheme: str) -> None:
    url = f"{scheme}://anna:hunter2@db.example/memory?sslmode=verify-full"
    around = surroundings({"REVERIE_BANK": url})
    assert around.bank == ServerUrl(url)
    assert "hunter2" not in f"{around} {around!r} {around.bank} {around.bank!r}"


def test_variables_change_settings_each_by_its_type() -> None:
    settings = settings_from(
        {
            "REVERIE_REMEMBER_DUPLICATE_COSINE": "0.95", "REVERIE_RECALL_LIMIT": "7", "REVERIE_MIND": "none",
            "REVERIE_STORE_SYNCHRONOUS": "normal", "REVERIE_STORE_CONNECTIONS": "20", "OTHER": "x",
            "REVERIE_EMBED_THREADS": "2", "REVERIE_EMBED_DIMENSIONS": "", "REVERIE_SLEEP_EVERY": "0.5",
            "REVERIE_TEST_X": "1", "REVERIE_PORT_80_TCP": "1",
        }
    )  # fmt: skip
    assert settings == Settings(
        mind="none",
        remember=RememberSettings(duplicate_cosine=0.95),
        recall=RecallSettings(limit=7),
        store=StoreSettings(synchronous="normal", connections=20),
        embed=EmbedSettings(threads=2),
        sleep=SleepSettings(every=0.5),
    )


@pytest.mark.parametrize(
    ("text", "value"), [("false", False), (" False ", False), ("0", False), ("true", True), ("1", True)]
)
def test_a_variable_switches_by_words_or_digits(text: str, value: bool) -> None:
    assert settings_from({"REVERIE_REMEMBER_EMOTIONS": text}).remember.emotions is value


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("REVERIE_REMEMBER_EMOTIONS", "maybe"), ("REVERIE_REMEMBER_EMOTIONS", ""), ("REVERIE_RECALL_LIMIT", "many"),
        ("REVERIE_RECALL_LIMIT", "1.5"), ("REVERIE_RECALL_LIMIT", ""), ("REVERIE_STORE_BATCH", "9" * 5000),
        ("REVERIE_EMBED_THREADS", "None"), ("REVERIE_REMEMBER_DUPLICATE_COSINE", "2"), ("REVERIE_MIND", "mine"),
        ("REVERIE_REMEMBER_DUPLICATE_COSINE", "nan"), ("REVERIE_STORE_SYNCHRONOUS", "off"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_refused_by_name(variable: str, text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        settings_from({variable: text})
    path = refused.value.field.replace("Settings.", "REVERIE_").replace(".", "_").upper()
    assert path == variable
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("variable", "closest"),
    [
        ("REVERIE_SLEP_EVERY", "REVERIE_SLEEP_EVERY"), ("REVERIE_AGNET", "REVERIE_AGENT"),
        ("REVERIE_SET_SLEEP_BATCH", "REVERIE_SLEEP_BATCH"), ("REVERIE_", ""), ("REVERIE_CHANNEL_TRUST", ""),
    ],
)  # fmt: skip
def test_an_unknown_variable_is_refused_with_the_closest(variable: str, closest: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        settings_from({variable: "1"})
    assert refused.value.field == variable
    assert closest in refused.value.remedy
