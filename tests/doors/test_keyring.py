"""--keyring: the key lies in the operating system's keyring, here one that the test brings."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.doors.commands import Cli


class _Keyring(ModuleType):
    """A keyring package whose back end claims to be an operating system's."""

    def __init__(self) -> None:
        super().__init__("keyring")
        self.drawer: dict[tuple[str, str], str] = {}

    def get_keyring(self) -> object:
        return type("Keyring", (), {"__module__": "keyring.backends.SecretService"})()

    def get_password(self, service: str, account: str) -> str | None:
        return self.drawer.get((service, account))

    def set_password(self, service: str, account: str, password: str) -> None:
        self.drawer[service, account] = password


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> _Keyring:
    package, errors = _Keyring(), ModuleType("keyring.errors")
    errors.KeyringError = type("KeyringError", (Exception,), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", package)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    return package


def test_a_bank_with_its_key_in_the_keyring_is_made_and_opened(cli: Cli, keyring: _Keyring) -> None:
    ran = cli("init", "--keyring")
    assert (ran.code, "key" in ran.err, len(keyring.drawer)) == (0, True, 1)
    cli("remember", "Anna is allergic to nuts", "--keyring")
    assert "Anna" in cli("list", "--keyring").out
    assert [*Path.home().rglob("key")] == []


def test_the_key_in_the_keyring_is_shown_nowhere(cli: Cli, keyring: _Keyring) -> None:
    ran = cli("init", "--keyring", "--json")
    (key,) = keyring.drawer.values()
    assert key not in ran.out + ran.err


def test_without_the_option_the_bank_does_not_open(cli: Cli, keyring: _Keyring) -> None:
    cli("init", "--keyring")
    assert cli("stats").code == 3
    assert cli("stats", "--keyring").code == 0


def test_a_bank_that_is_there_gets_no_new_key(cli: Cli, keyring: _Keyring) -> None:
    cli("init", "--keyring")
    keyring.drawer.clear()
    ran = cli("stats", "--keyring", "--json")
    assert (ran.code, ran.error["type"], keyring.drawer) == (3, "KeyProblem", {})
