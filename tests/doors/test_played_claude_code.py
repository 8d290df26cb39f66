"""A played Claude Code: hooks in its order, from what install wrote, on a small repository over two days."""

from __future__ import annotations

import json
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from tests.doors.hook_events import Transcript, claude
from tests.doors.hook_house import PATIENCE, House

pytestmark = pytest.mark.slow
_SLEEPY = {"REVERIE_SLEEP_IDLE": "0", "REVERIE_SLEEP_EVERY": "0", "REVERIE_SLEEP_MIN_EPISODES": "1"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, **_SLEEPY) as made:
        yield made


class Session:
    """One session of Claude Code: it runs the commands that stand in its settings, and writes its transcript."""

    def __init__(self, house: House, repository: Path, session: str, day: str) -> None:
        self._house, self._cwd, self._session = house, repository, session
        folder = house.home / ".claude/projects" / str(repository).replace("/", "-")
        self._transcript = Transcript(folder / f"{session}.jsonl", repository, session, day)
        settings = json.loads((house.home / ".claude/settings.json").read_text("utf-8"))
        self._hooks = settings["hooks"]

    def fire(self, event: str, **more: Any) -> str:
        """Run an event's hooks; return the context that they add."""
        given = claude(event, self._cwd, session=self._session, transcript=self._transcript.path, **more)
        added = ""
        for group in self._hooks.get(event, ()):
            for hook in group["hooks"]:
                command = [*shlex.split(hook["command"]), "--deadline", PATIENCE]  # the machine is a slow one
                ran = subprocess.run(
                    command, input=json.dumps(given).encode(), capture_output=True, cwd=self._cwd,
                    env=self._house.env, timeout=120, check=False,
                )  # fmt: skip
                assert (ran.returncode, ran.stderr) == (0, b"")
                if ran.stdout:
                    told = json.loads(ran.stdout)["hookSpecificOutput"]
                    assert told["hookEventName"] == event
                    added += told["additionalContext"]
        return added

    def begin(self) -> str:
        return self.fire("SessionStart", source="startup")

    def turn(self, prompt: str, answer: str, command: str | None = None) -> str:
        """The person says something, the agent runs a command and answers. Return what the prompt brought."""
        brought = self.fire("UserPromptSubmit", prompt=prompt)
        self._transcript.says("user", prompt)
        if command is not None:
            given = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command}}
            self._transcript.says("assistant", [given])
            self._transcript.says("user", [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}])
            self.fire(
                "PostToolUse",
                tool_name="Bash",
                tool_input={"command": command},
                tool_response={"stdout": "ok"},
            )
        self._transcript.says("assistant", [{"type": "text", "text": answer}])
        self.fire("Stop", stop_hook_active=False, last_assistant_message=answer)
        return brought

    def end(self) -> None:
        self.fire("PreCompact", trigger="auto")
        self.fire("SessionEnd", reason="exit")
        self._house.settle()


def repository(path: Path) -> Path:
    path.mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], cwd=path, check=True)
    (path / "app.py").write_text("print('hello')\n", "utf-8")
    return path


def attended(house: House) -> None:
    """Wait until the daemon has made memories of the day."""
    until = time.monotonic() + 120
    while not house.reverie("sleeps", "list"):
        assert time.monotonic() < until, house.log
        time.sleep(0.5)


def test_the_first_prompt_of_day_two_knows_the_decisions_of_day_one(house: House, tmp_path: Path) -> None:
    shop, blog = repository(tmp_path / "shop"), repository(tmp_path / "blog")
    assert house.reverie("install", "claude-code")["changed"]

    monday = Session(house, shop, "monday", "2026-11-23")
    monday.begin()
    monday.turn("Let's build the orders service.", "Gladly. Which database shall it use?")
    monday.turn(
        "We decided to use PostgreSQL for the orders service.", "Noted: PostgreSQL.", "pip install psycopg"
    )
    monday.turn(
        "The orders service listens on port 8081.", "I set the port to 8081.", "sed -i s/8080/8081/ app.py"
    )
    monday.turn("I prefer tabs over spaces. Never push to main without a review.", "Understood.")
    monday.end()
    attended(house)
    house.end()  # the night: the daemon is gone

    tuesday = Session(house, shop, "tuesday", "2026-11-24")
    began = tuesday.begin()
    brought = tuesday.turn(
        "Which database did we choose for the orders service, and which port?", "Both are known."
    )
    assert "Never push to main" in began + brought
    assert "PostgreSQL" in brought
    assert "8081" in brought
    tuesday.end()

    elsewhere = Session(house, blog, "wednesday", "2026-11-25")
    began = elsewhere.begin()
    brought = elsewhere.turn("Which database did we choose, and which port?", "None yet.")
    assert "Never push to main" in began + brought
    assert "PostgreSQL" not in began + brought
    elsewhere.end()

    house.end()
    with Reverie.open(
        house.home / ".local/share/reverie/reverie.bank", key=house.home / ".config/reverie/key"
    ) as reverie:
        agent = reverie.agent("main")
        assert [room.id.split("/")[2] for room in agent.conversations()] == ["wednesday", "monday", "tuesday"]
        refs = [one.ref for one in agent.episodes(limit=1_000)]
    assert len(refs) == len(set(refs)) == 16
    assert house.reverie("uninstall", "claude-code")["changed"]
    assert not (house.home / ".claude/settings.json").exists()
