"""The key of an encrypted bank: 32 random bytes, from the caller, REVERIE_KEY, the OS keyring or a 0600 key
file.

A key never appears in a log, an error or a repr.
"""

from __future__ import annotations

import importlib
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from reverie.errors import KeyProblem
from reverie.errors.extras import install
from reverie.errors.showing import typed
from reverie.wiring.lock import alone
from reverie.wiring.private import open_to_others, put_once, read, why

KEY_BYTES = 32
KEYRING = "keyring"
_HEX = re.compile(r"[0-9a-fA-F]{64}")
_SERVICE = "reverie"
_ACCOUNT = "bank-key"
_SAFE_BACKENDS = (
    "keyring.backends.SecretService",
    "keyring.backends.libsecret",
    "keyring.backends.kwallet",
    "keyring.backends.macOS",
    "keyring.backends.Windows",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """The raw key and, for messages, where it came from. ``place``: the key file, or ``KEYRING``, where it can be read
    again; None where only the caller or the environment has it.
    """

    raw: bytes = field(repr=False)
    source: str
    place: Path | str | None = None


def given_key(key: object) -> Key:
    """Return a caller's own key: 32 bytes or 64 hexadecimal digits. Raises KeyProblem."""
    if isinstance(key, bytes):
        if len(key) != KEY_BYTES:
            raise KeyProblem(f"the given key has {len(key)} bytes", f"give {KEY_BYTES} random bytes")
        return Key(raw=bytes(key), source="the caller")
    if isinstance(key, str):
        return Key(raw=_from_hex(key, "the given key"), source="the caller")
    raise KeyProblem(f"the given key is {typed(key)}", "give 32 bytes or 64 hexadecimal digits")


def environment_key(text: str, variable: str) -> Key:
    """Return the key that stands in the environment. Raises KeyProblem."""
    return Key(raw=_from_hex(text, variable), source=variable)


def file_key(path: Path, *, make: bool) -> Key:
    """Return the key in the key file. With ``make``, make a missing file, whole or not at all, readable by its owner
    alone.

    Raises KeyProblem: no file (and not ``make``), a file that others can read, one that holds no key.
    """
    source = f"the key file {path}"
    if make and not path.exists():
        _make(path)
    try:
        exposed = open_to_others(path)
        text = read(path)
    except FileNotFoundError:
        raise KeyProblem(
            "the bank is encrypted and there is no key: none was given, REVERIE_KEY is not set"
            f" and there is no file {path}",
            "give the key that the bank has now (REVERIE_KEY_FILE names its key file), or put that file back",
        ) from None
    except UnicodeDecodeError:
        raise KeyProblem(
            f"{source} holds no key", "put the 64 hexadecimal digits back that it was made with"
        ) from None
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        raise KeyProblem(
            f"{source} can't be read ({why(error)})", "make it a readable file of yours"
        ) from None
    if exposed:
        raise KeyProblem(f"{source} can be read by others", f"run: chmod 600 {path}")
    return Key(raw=_from_hex(text, source), source=source, place=path)


def keyring_key(*, make: bool) -> Key:
    """Return the key in the operating system's keyring (extra ``keyring``). With ``make``, put one there if there is
    none.

    Raises KeyProblem where there is none, and what ``in_keyring`` raises.
    """
    key = in_keyring(make=make)
    if key is None:
        raise KeyProblem("the keyring holds no key for reverie", "give the key that the bank was made with")
    return key


def in_keyring(*, make: bool = False) -> Key | None:
    """Return the key in the operating system's keyring, or None if there is none and none was to be made.

    Raises KeyProblem where the package is missing, there is no keyring, or its back end is not one that encrypts.
    """
    try:
        keyring = importlib.import_module("keyring")
        keyring_errors = importlib.import_module("keyring.errors")
    except ImportError:
        raise KeyProblem("the package keyring is not installed", install("keyring")) from None
    backend = keyring.get_keyring()
    _check_backend(backend)
    try:
        text = keyring.get_password(_SERVICE, _ACCOUNT)  # asks its user to unlock it, before anybody waits
        if text is None and make:
            # A keyring overwrites without a word: of two that both found no key, one would lose its bank.
            with alone("keyring"):
                text = keyring.get_password(_SERVICE, _ACCOUNT)
                if text is None:
                    keyring.set_password(_SERVICE, _ACCOUNT, secrets.token_hex(KEY_BYTES))
                    text = keyring.get_password(_SERVICE, _ACCOUNT)
    except keyring_errors.KeyringError as error:
        raise KeyProblem(
            f"the keyring refused ({type(error).__name__})", "unlock it, or use a key file"
        ) from None
    return (
        None if text is None else Key(raw=_from_hex(text, "the keyring"), source="the keyring", place=KEYRING)
    )


def _check_backend(backend: object) -> None:
    """Raise KeyProblem unless the keyring is an operating system's own. A chain is as weak as its weakest link."""
    chained = getattr(backend, "backends", None)
    links = list(chained) if chained else [backend]
    for link in links:
        module = type(link).__module__
        if not any(module == safe or module.startswith(f"{safe}.") for safe in _SAFE_BACKENDS):
            raise KeyProblem(
                f"the keyring back end {module}.{type(link).__name__} is not known to encrypt what it keeps",
                "use the operating system's keyring, REVERIE_KEY or a key file",
            )


def _from_hex(text: str, source: str) -> bytes:
    if not _HEX.fullmatch(text.strip()):
        raise KeyProblem(
            f"{source} is not 64 hexadecimal digits (it has {len(text.strip())} characters)",
            'make one with: python -c "import secrets; print(secrets.token_hex(32))"',
        )
    return bytes.fromhex(text.strip())


def _make(path: Path) -> None:
    try:
        put_once(path, secrets.token_hex(KEY_BYTES) + "\n")
    except (OSError, ValueError) as error:
        raise KeyProblem(
            f"the key file {path} can't be made ({why(error)})",
            "make its folder writable, or set REVERIE_KEY",
        ) from None
