"""Backups of banks on either engine, as a file of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import Reverie
from reverie.errors import InvalidInput, StoreError
from tests.services.bench import KEY, opened

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
