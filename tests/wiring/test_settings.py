"""What the environment says."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import InvalidInput, Settings
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
def test_the_environment_may_name_a_servers_database_whose_password_is_in_no_repr(scheme: str) -> None:
    url = f"{scheme}://anna:hunter2@db.example/memory?sslmode=verify-full"
    around = surroundings({"REVERIE_BANK": url})
    assert around.bank == ServerUrl(url)
    assert "hunter2" not in f"{around} {around!r} {around.bank} {around.bank!r}"


def test_variables_change_settings_each_by_its_type() -> None:
    settings = settings_from(
        {
            "REVERIE_SET_DUPLICATE_COSINE": "0.95", "REVERIE_SET_RECALL_LIMIT": "7",
            "REVERIE_SET_SYNCHRONOUS": "normal",
            "REVERIE_SET_EMBED_THREADS": "2", "REVERIE_SET_BUSY_SECONDS": "5", "OTHER": "x",
            "REVERIE_SET_CONNECTIONS": "20", "REVERIE_SET_STATEMENT_SECONDS": "0.5", "REVERIE_SET_CONNECT_SECONDS": "3",
        }
    )  # fmt: skip
    assert settings == Settings(
        duplicate_cosine=0.95,
        recall_limit=7,
        synchronous="normal",
        embed_threads=2,
        busy_seconds=5.0,
        connections=20,
        statement_seconds=0.5,
        connect_seconds=3.0,
    )


@pytest.mark.parametrize(
    ("text", "value"), [("false", False), (" False ", False), ("0", False), ("true", True), ("1", True)]
)
def test_a_variable_switches_by_words_or_digits(text: str, value: bool) -> None:
    assert settings_from({"REVERIE_SET_EMOTIONS": text}) == Settings(emotions=value)


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("REVERIE_SET_EMOTIONS", "maybe"), ("REVERIE_SET_EMOTIONS", ""), ("REVERIE_SET_EMOTIONS", "2"),
        ("REVERIE_SET_RECALL_LIMIT", "many"), ("REVERIE_SET_RECALL_LIMIT", "1.5"), ("REVERIE_SET_RECALL_LIMIT", ""),
        ("REVERIE_SET_DUPLICATE_COSINE", "2"), ("REVERIE_SET_DUPLICATE_COSINE", "nan"),
        ("REVERIE_SET_SYNCHRONOUS", "off"), ("REVERIE_SET_NO_SUCH", "1"), ("REVERIE_SET_", "1"),
        ("REVERIE_SET_CHANNEL_TRUST", "x"), ("REVERIE_SET_BATCH", "9" * 5000), ("REVERIE_SET_EMBED_THREADS", "None"),
    ],
)  # fmt: skip
def test_a_setting_that_is_unknown_or_out_of_range_is_refused_by_name(variable: str, text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        settings_from({variable: text})
    assert refused.value.field in (variable, f"Settings.{variable.removeprefix('REVERIE_SET_').lower()}")
    assert refused.value.remedy
