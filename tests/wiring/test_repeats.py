"""Which writes were done by which idempotency key."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from reverie.errors import InvalidInput
from reverie.wiring.repeats import DAY_SECONDS, Repeat, Repeats


def test_a_key_is_known_after_a_restart(tmp_path: Path) -> None:
    before = Repeats(tmp_path / "a.repeats")
    for key in (b"done", b"begun", b"refused"):
        assert before.begin(key, b"r") is Repeat.NEW
    before.end(b"done", done=True)
    before.end(b"refused", done=False)
    before.close()
    after = Repeats(tmp_path / "a.repeats")
    assert after.begin(b"done", b"r") is Repeat.DONE
    assert after.begin(b"done", b"other") is Repeat.OTHER
    assert after.begin(b"begun", b"r") is Repeat.BEGUN
    assert after.begin(b"refused", b"r") is Repeat.NEW
    after.close()


def test_a_key_is_known_for_a_day(tmp_path: Path) -> None:
    now = 0.0
    repeats = Repeats(tmp_path / "a.repeats", clock=lambda: now)
    repeats.begin(b"k", b"r")
    repeats.end(b"k", done=True)
    now = DAY_SECONDS
    assert repeats.begin(b"k", b"r") is Repeat.DONE
    now = DAY_SECONDS + 1
    assert repeats.begin(b"k", b"r") is Repeat.NEW
    repeats.close()


def test_of_many_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reverie.wiring.repeats.MOST_REPEATS", 3)
    repeats = Repeats(tmp_path / "a.repeats")
    for number in range(5):
        repeats.begin(bytes([number]), b"r")
    assert repeats.begin(bytes([4]), b"r") is Repeat.BEGUN
    assert repeats.begin(bytes([0]), b"r") is Repeat.NEW
    repeats.close()


def test_servers_of_one_file_begin_a_request_once(tmp_path: Path) -> None:
    servers = [Repeats(tmp_path / "a.repeats") for _ in range(4)]
    found: list[Repeat] = []
    threads = [
        threading.Thread(target=lambda one=one: found.extend(one.begin(bytes([n]), b"r") for n in range(20)))
        for one in servers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count(Repeat.NEW) == 20
    assert found.count(Repeat.BEGUN) == 60
    for one in servers:
        one.close()


def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    repeats = Repeats(tmp_path / "new" / "a.repeats")
    repeats.begin(b"k", b"r")
    assert {one.stat().st_mode & 0o077 for one in (tmp_path / "new").iterdir()} == {0}
    repeats.close()


@pytest.mark.parametrize("content", [b"no database, but long enough to be looked at" * 99, None])
def test_without_a_file_keys_end_with_the_process(
    tmp_path: Path, content: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "a.repeats"
    if content is None:
        place.mkdir()
    else:
        place.write_bytes(content)
    repeats = Repeats(place)
    assert repeats.begin(b"k", b"r") is Repeat.NEW
    assert repeats.begin(b"k", b"r") is Repeat.BEGUN
    assert "end with the process" in caplog.text
    repeats.close()


def test_a_file_that_fails_is_told(tmp_path: Path) -> None:
    repeats = Repeats(tmp_path / "a.repeats")
    repeats.close()
    with pytest.raises(InvalidInput, match="can't be written"):
        repeats.begin(b"k", b"r")
