from __future__ import annotations

import pytest

from reverie import errors
from reverie.doors.cli.codes import EXIT_CODES, Code, code_of
from reverie.embedders.hashing import HashingEmbedder
from tests.doors.commands import Cli


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.NotFound("memory", "x"), Code.NOTHING),
        (errors.InvalidInput("limit", "it is odd", "even it"), Code.BAD_INPUT),
        (errors.RefConflict("m1", "main"), Code.BAD_INPUT),
        (errors.Forgotten("essence"), Code.BAD_INPUT),
        (errors.WrongKey("x.bank", "REVERIE_KEY"), Code.NO_BANK),
        (errors.DamagedFile("x.bank"), Code.NO_BANK),
        (errors.DiskFull("x.bank"), Code.NO_BANK),
        (errors.Busy("x.bank", 30.0), Code.NO_BANK),
        (errors.EmbedderMismatch("mama", "a", "b"), Code.NO_BANK),
        (errors.EmbedderFailed("a", "it answered 500"), Code.NO_BANK),
        (errors.Closed("it was closed"), Code.NO_BANK),
        (errors.NoBank("x.bank"), Code.NO_BANK),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_every_error_has_its_exit_code(error: errors.ReverieError, code: Code) -> None:
    assert code_of(error) is code


@pytest.mark.parametrize("code", Code)
def test_every_exit_code_is_explained_in_the_help(code: Code) -> None:
    assert f"{code.value} " in EXIT_CODES


def test_an_interrupted_import_is_an_interruption(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A C library that a signal meets while it is imported raises ImportError because of KeyboardInterrupt."""

    def interrupted(*_: object, **__: object) -> None:
        raise ImportError("initialization failed") from KeyboardInterrupt()

    monkeypatch.setattr(HashingEmbedder, "embed", interrupted)
    ran = cli("remember", "Anna lives in Porto")
    assert ran.code == 130
    assert "interrupted" in ran.err
