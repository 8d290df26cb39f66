"""Backups of banks on either engine, as a file of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import Action, Reverie
from reverie.errors import InvalidInput, StoreError
from tests.services.bench import KEY, Clock, opened

OTHER = bytes(range(50, 82))


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where backups may lie, apart from the banks."""
    return tmp_path_factory.mktemp("backups")


def _fill(reverie: Reverie) -> None:
    for name in ("mama", "papa"):
        agent = reverie.agent(name)
        agent.remember(f"{name} keeps bees behind the barn")
        agent.observe(f"{name} was stung twice")
        agent.soul.add(f"I am {name}")


@pytest.mark.parametrize("key", [KEY, OTHER])
def test_a_backup_under_a_named_key_holds_every_agent(reverie: Reverie, folder: Path, key: bytes) -> None:
    _fill(reverie)
    done = reverie.backup(folder / "copy", key=key)
    assert (done.agents, done.encrypted) == (2, True)
    assert done.bytes == (folder / "copy").stat().st_size
    assert [one.name for one in folder.iterdir()] == ["copy"]
    with opened(folder / "copy", key=key) as copy:
        assert copy.agents() == ["mama", "papa"]
        for name in copy.agents():
            ours, theirs = reverie.agent(name), copy.agent(name)
            assert theirs.memories() == ours.memories()
            assert theirs.episodes() == ours.episodes()
            assert theirs.soul.list() == ours.soul.list()
            assert theirs.recall("who keeps bees?").hits
        assert [*copy.check()] == []


def test_a_bad_goal_leaves_nothing_behind(reverie: Reverie, folder: Path) -> None:
    _fill(reverie)
    (folder / "mine").write_text("mine")
    for goal in (folder / "mine", "postgresql://127.0.0.1:1/x"):
        with pytest.raises(InvalidInput):
            reverie.backup(goal, key=KEY)
    with pytest.raises((InvalidInput, StoreError)):
        reverie.backup(folder / "no" / "where", key=KEY)
    assert [one.name for one in folder.iterdir()] == ["mine"]
    assert (folder / "mine").read_text() == "mine"


def _named(elsewhere: tuple[str, ...]) -> list[str]:
    return [one for one in elsewhere if one.startswith("the backup ")]


def test_the_receipt_of_a_forget_names_known_backups(reverie: Reverie, folder: Path, clock: Clock) -> None:
    _fill(reverie)
    mama = reverie.agent("mama")
    assert _named(mama.forget(mama.memories()[0].id).elsewhere) == []
    for name in ("first", "second", "first"):
        clock.wait(days=1)
        (folder / name).unlink(missing_ok=True)
        reverie.backup(folder / name, key=KEY)
    assert [(one.action, one.target) for one in mama.audit(actions="backup")] == [
        (Action.BACKUP, str(folder / name)) for name in ("first", "second", "first")
    ]
    told = _named(mama.forget(mama.episodes()[0].id).elsewhere)
    latest = f"the backup {folder / 'first'} of {clock():%Y-%m-%d %H:%M} UTC"
    assert (told[0], len(told)) == (latest, 2)
    assert str(folder / "second") in told[1]
    assert len(_named(reverie.agent("papa").forget(everything=True).elsewhere)) == 2
    assert _named(reverie.agent("papa").forget(everything=True).elsewhere) != []


def test_a_receipt_counts_what_it_does_not_name_of_many_backups(
    reverie: Reverie, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reverie.services.aggregates.log._PAGE", 3)
    _fill(reverie)
    for number in range(7):
        reverie.backup(folder / f"copy{number}", key=KEY)
    told = reverie.agent("mama").forget(everything=True).elsewhere
    assert _named(told)[0].startswith(f"the backup {folder / 'copy6'} ")
    assert len(_named(told)) == 5
    assert any(one.startswith("2 older backups") for one in told)


def test_a_backup_that_no_log_notes_is_kept_with_a_warning(
    reverie: Reverie, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _fill(reverie)
    with monkeypatch.context() as patch:
        patch.setattr("reverie.services.forget.backups.entry", _refuse)
        done = reverie.backup(folder / "copy", key=KEY)
    assert "busy" in caplog.text
    assert done.where in caplog.text
    with opened(folder / "copy", key=KEY) as copy:
        assert copy.agents() == ["mama", "papa"]


def _refuse(*_: object, **__: object) -> None:
    raise StoreError("busy")
