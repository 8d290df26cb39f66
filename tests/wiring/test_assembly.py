"""Opening a bank: where it lies, with which key, and what never shows."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from reverie import (
    InvalidInput,
    KeyProblem,
    NoBank,
    NotEncrypted,
    Reverie,
    ReverieError,
    Settings,
    StoreError,
    StoreSettings,
    WrongKey,
)
from reverie.client import default_agent, default_bank
from reverie.embedders.hashing import HashingEmbedder
from reverie.wiring.settings import surroundings

KEY = bytes(range(100, 132))
OTHER = bytes(32)
PLAIN = b"SQLite format 3\x00"


def _open(where: object = None, **how: object) -> Reverie:
    return Reverie.open(where, **{"embedder": HashingEmbedder.for_tests(), **how})  # type: ignore[arg-type]


def _write(where: object = None, **how: object) -> None:
    with _open(where, **how) as reverie:
        reverie.agent("mama").remember("Anna likes tea")


def test_the_first_open_makes_bank_and_key_in_the_users_folders() -> None:
    _write()
    bank = default_bank()
    assert bank is not None
    assert bank.read_bytes()[:16] != PLAIN
    key = surroundings().key_file.read_text().strip()
    assert len(bytes.fromhex(key)) == 32
    assert bytes.fromhex(key) not in bank.read_bytes()
    _write()


def test_the_environment_names_bank_key_and_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_BANK", str(tmp_path / "env.bank"))
    monkeypatch.setenv("REVERIE_KEY", KEY.hex())
    monkeypatch.setenv("REVERIE_AGENT", "papa")
    assert (default_bank(), default_agent()) == (tmp_path / "env.bank", "papa")
    _write()
    _write(tmp_path / "env.bank", key=KEY)
    with pytest.raises(WrongKey):
        _open(key=OTHER)


def test_a_callers_key_goes_before_the_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_KEY", OTHER.hex())
    _write(tmp_path / "a.bank", key=KEY)
    with pytest.raises(WrongKey):
        _open(tmp_path / "a.bank")
    monkeypatch.setenv("REVERIE_KEY", KEY.hex())
    _write(tmp_path / "a.bank")


def test_a_malformed_environment_key_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_KEY", "hunter2hunter2")
    with pytest.raises(KeyProblem, match="REVERIE_KEY") as refused:
        _open(tmp_path / "a.bank")
    assert "hunter2" not in str(refused.value)
    assert [*tmp_path.iterdir()] == []


def test_a_lost_key_file_is_an_error_and_no_new_key_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_KEY_FILE", str(tmp_path / "keys" / "key"))
    _write(tmp_path / "a.bank")
    before = (tmp_path / "a.bank").read_bytes()
    (tmp_path / "keys" / "key").unlink()
    with pytest.raises(KeyProblem, match="there is no key"):
        _open(tmp_path / "a.bank")
    assert [*(tmp_path / "keys").iterdir()] == []
    assert (tmp_path / "a.bank").read_bytes() == before


@pytest.mark.parametrize("encrypted", [True, False])
def test_where_none_is_to_be_made_neither_bank_nor_key_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encrypted: bool
) -> None:
    monkeypatch.setenv("REVERIE_KEY_FILE", str(tmp_path / "key"))
    with pytest.raises(NoBank):
        _open(tmp_path / "a.bank", create=False, encrypted=encrypted)
    assert [*tmp_path.iterdir()] == []
    _write(tmp_path / "a.bank", encrypted=encrypted)
    _write(tmp_path / "a.bank", encrypted=encrypted, create=False)


def test_a_plain_file_is_made_only_where_asked_for(tmp_path: Path) -> None:
    _write(tmp_path / "plain.bank", encrypted=False)
    assert (tmp_path / "plain.bank").read_bytes()[:16] == PLAIN
    with pytest.raises(NotEncrypted):
        _open(tmp_path / "plain.bank", key=KEY)
    for vague in (None, 0, "", "no", 1):
        with pytest.raises(InvalidInput, match="encrypted"):
            _open(tmp_path / "vague.bank", encrypted=vague, key=None)
    with pytest.raises(InvalidInput, match="key"):
        _open(tmp_path / "both.bank", encrypted=False, key=KEY)
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".bank"] == ["plain.bank"]


def test_an_url_of_sqlite_is_its_path(tmp_path: Path) -> None:
    _write(f"sqlite:///{tmp_path / 'a.bank'}", key=KEY)
    _write(str(tmp_path / "a.bank"), key=KEY)
    assert (tmp_path / "a.bank").is_file()


@pytest.mark.parametrize(
    "where",
    ["", "  ", "postgres://host/db", "http://example", 5, b"a.bank", "a\x00b", "\ud800", "sqlite:///"],
)
def test_what_is_no_place_for_a_bank_is_refused_in_our_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: object
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ReverieError):
        _open(where, key=KEY)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("how", "field"),
    [({"actor": ""}, "actor"), ({"actor": 5}, "actor"), ({"settings": {"batch": 5}}, "settings"),
     ({"settings": 5}, "settings")],
)  # fmt: skip
def test_a_bad_argument_makes_no_bank(tmp_path: Path, how: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput, match=field):
        _open(tmp_path / "a.bank", key=KEY, **how)
    assert [*tmp_path.iterdir()] == []


def test_environment_settings_hold_unless_others_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_RECALL_LIMIT", "2")
    with _open(tmp_path / "a.bank", key=KEY) as reverie:
        mama = reverie.agent("mama")
        mama.observe([f"tea {n}" for n in range(5)])
        assert len(mama.recall_episodes("tea").hits) == 2
    with _open(tmp_path / "a.bank", key=KEY, settings=Settings()) as reverie:
        assert len(reverie.agent("mama").recall_episodes("tea").hits) == 5
    monkeypatch.setenv("REVERIE_RECALL_LIMIT", "0")
    with pytest.raises(InvalidInput, match=r"recall\.limit"):
        _open(tmp_path / "a.bank", key=KEY)


def test_a_whole_session_logs_neither_key_nor_contents(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = ["Péter is allergic to peanuts", "xyzzy-lesson", KEY.hex(), KEY.hex().upper(), repr(KEY)]
    errors: list[str] = []
    with _open(tmp_path / "a.bank", key=KEY) as reverie:
        mama = reverie.agent("mama")
        source = mama.observe({"content": secrets[0], "ref": "m1"}).episode_ids[0]
        memory = mama.remember(secrets[0], lesson=secrets[1], source_episodes=[source])
        assert mama.recall(secrets[0]).hits
        mama.revise(memory.memory.id, lesson=secrets[1] + "!")
        for wrong in (
            lambda: mama.observe({"content": secrets[0] + "!", "ref": "m1"}),
            lambda: mama.remember(secrets[0], kind="wrong"),
            lambda: mama.remember(secrets[0] * 1000),
            lambda: mama.revise(memory.memory.id, essence=secrets[0], time="9999-01-01"),
            lambda: (mama.forget(memory.memory.id), mama.remember(secrets[0])),
        ):
            with pytest.raises(ReverieError) as refused:
                wrong()
            errors.append(str(refused.value))
        errors += [repr(reverie), repr(mama), repr(reverie.info()), repr(reverie._desk)]
    with pytest.raises(WrongKey) as locked:
        _open(tmp_path / "a.bank", key=OTHER)
    said = "\n".join([*errors, str(locked.value), *(record.getMessage() for record in caplog.records)])
    assert [secret for secret in [*secrets, OTHER.hex()] if secret in said] == []


def test_unwritable_touches_are_kept_and_logged_bare(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reverie.errors import Busy

    settings = Settings(store=StoreSettings(touch_flush_every=1000))
    with _open(tmp_path / "a.bank", key=KEY, settings=settings) as reverie:
        mama = reverie.agent("mama")
        memory = mama.remember("Anna likes tea").memory

        def busy(agent_id: str, work: object, *, wait: float) -> object:
            raise Busy("the file", wait)

        with monkeypatch.context() as patch:
            patch.setattr(
                reverie._desk.touches, "_store", type("Store", (), {"transact": staticmethod(busy)})()
            )
            assert mama.recall("Anna tea").hits
            with pytest.raises(Busy):
                reverie._desk.touches.flush()
            reverie._desk.touches._flush_in_background()
        assert mama.stats().pending_touches == 1
        assert [record.name for record in caplog.records] == ["reverie.touches"]
        assert "tea" not in caplog.text
        mama.recall("Anna tea")
        reverie._desk.touches.flush()
        assert mama.portrait(memory.id).memory.touches == 2


def test_an_empty_file_is_no_bank_where_none_is_to_be_made(tmp_path: Path) -> None:
    (tmp_path / "a.bank").touch()
    with pytest.raises(NoBank):
        _open(tmp_path / "a.bank", create=False)
    assert (tmp_path / "a.bank").read_bytes() == b""


def test_looking_for_the_default_bank_makes_no_folder() -> None:
    with pytest.raises(NoBank):
        _open(create=False)
    bank = default_bank()
    assert bank is not None
    assert not bank.parent.exists()


def test_the_environment_may_name_the_bank_by_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_BANK", f"sqlite:///{tmp_path}/env.bank")
    assert default_bank() == tmp_path / "env.bank"
    monkeypatch.setenv("REVERIE_BANK", "mysql://nowhere")
    with pytest.raises(InvalidInput, match="REVERIE_BANK: there is no engine"):
        default_bank()


@pytest.mark.skipif(os.name != "posix", reason="hard links and open files that are moved are POSIX's")
def test_a_file_under_two_names_is_not_opened(tmp_path: Path) -> None:
    with _open(tmp_path / "a.bank", key=KEY) as reverie:
        reverie.agent("mama").remember("Alpha the first fact")
        os.link(tmp_path / "a.bank", tmp_path / "h.bank")
        with pytest.raises(StoreError, match="second name"):
            _open(tmp_path / "h.bank", key=KEY)
        (tmp_path / "h.bank").unlink()
        reverie.agent("mama").remember("Delta is fourth")
    with _open(tmp_path / "a.bank", key=KEY) as reverie:
        assert len(reverie.agent("mama").memories()) == 2


@pytest.mark.skipif(os.name != "posix", reason="hard links and open files that are moved are POSIX's")
def test_nothing_is_written_to_a_file_that_was_moved_away(tmp_path: Path) -> None:
    with _open(tmp_path / "a.bank", key=KEY) as reverie:
        mama = reverie.agent("mama")
        mama.remember("Alpha the first fact")
        (tmp_path / "a.bank").rename(tmp_path / "b.bank")
        with pytest.raises(StoreError, match="moved, deleted or replaced"):
            mama.remember("Delta is fourth")
        (tmp_path / "b.bank").rename(tmp_path / "a.bank")
        mama.remember("Delta is fourth")
        assert len(mama.memories()) == 2
