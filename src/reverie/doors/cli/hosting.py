"""Coding agents: install, uninstall, daemon."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import ALL, Door, command
from reverie.doors.cli.options import DryRun, argument, option
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.doors.install.commands import Commands

_HOSTS = ("claude-code", "codex", "cursor", "opencode")
_AFTERWARDS = {
    "claude-code": "Claude Code reads it at its next start; /hooks and /mcp show it.",
    "codex": "Codex asks you once to trust the hooks: open /hooks in it and allow them.",
    "cursor": "Restart Cursor; its settings show the hooks and the server.",
    "opencode": "opencode reads it at its next start.",
}
Host = Annotated[str, argument("HOST", f"The coding agent: {', '.join(_HOSTS)}.")]
OfProject = Annotated[
    bool, option("--project", "Write the configuration of this folder's project instead of your own.")
]


@command("install")
def install(door: Door, host: Host, project: OfProject = False, dry_run: DryRun = False) -> Code:
    """Connect a coding agent: its hooks, and the MCP server.

    For example:
      reverie install claude-code
      reverie install codex --dry-run
      reverie install cursor --project
      reverie install claude-code --bank ~/work.bank --agent work

    From then on sessions begin with what is known of the project, prompts bring what bears on them, and what is said
    and done is kept, with no tool called (docs/coding-agents.md). What stands in the host's files stays as it is. Run
    it again at any time: nothing is written twice. --dry-run shows what would change.
    """
    return _change(door, host, project=project, dry_run=dry_run, installs=True)


@command("uninstall", shared=("as_json",))
def uninstall(door: Door, host: Host, project: OfProject = False, dry_run: DryRun = False) -> Code:
    """Disconnect a coding agent: take what `reverie install` wrote out of its files, and nothing else.

    For example:
      reverie uninstall claude-code
      reverie uninstall codex --dry-run

    Memories stay.
    """
    return _change(door, host, project=project, dry_run=dry_run, installs=False)


def _change(door: Door, host: str, *, project: bool, dry_run: bool, installs: bool) -> Code:
    if host not in _HOSTS:
        raise InvalidInput("host", f"{host!r:.60} is unknown", f"choose from {', '.join(_HOSTS)}")
    if installs and os.name != "posix":
        problem = "hooks need Unix sockets, which Python has not on this system"
        raise InvalidInput("host", problem, "connect the MCP server (docs/mcp.md), or use `reverie watch`")
    from reverie.client import host_folders, memory_variables
    from reverie.doors.cli.server import GET_PACKAGES, has_packages
    from reverie.doors.install.changes import apply
    from reverie.doors.install.hosts import Plan, changes

    commands = _commands(door, portable=project) if installs else None
    folder = Path.cwd() if project else None
    serves = not installs or has_packages()
    plan = Plan(homes=host_folders(), commands=commands, serves=serves, project=folder)
    planned = [one for one in changes(host, plan) if one]
    notes = _notes(door, memory_variables()) if installs else []
    if not serves:
        notes.append(
            f"No MCP server is connected, as its packages are missing: {GET_PACKAGES}, and repeat this."
        )
    if not dry_run:
        apply(planned)
    files = [{"file": str(one.path), "removed": one.after is None, "diff": one.diff()} for one in planned]
    document = {"host": host, "dry_run": dry_run, "changed": files, "notes": notes}
    for note in notes:
        door.out.say(note)
    if dry_run:
        return door.tell(document, *([one.diff() for one in planned] or ["Nothing would change."]))
    done = [f"{'removed' if one.after is None else 'wrote'} {one.path}" for one in planned]
    code = door.tell(document, *(done or ["Nothing to change."]))
    if installs and planned:
        door.out.say(_AFTERWARDS[host])
    return code


def _notes(door: Door, variables: Sequence[str]) -> list[str]:
    """Return what is to be known of this shell's variables, of which nothing is written: a URL may hold a password."""
    given = {"REVERIE_BANK": door.bank, "REVERIE_AGENT": door.agent}
    names = [name for name in variables if given.get(name) is None]
    if not names:
        return []
    said = f"{' and '.join(names)} of this shell {'is' if len(names) == 1 else 'are'} not written down"
    return [f"{said}: hooks see what the host is started with. --bank and --agent are written."]


def _commands(door: Door, *, portable: bool) -> Commands:
    """Return what the host is to run, with the options of the bank that were given. A relative path would mean
    another file in every folder.
    """
    from reverie.doors.install.commands import Commands

    bank = door.bank
    if bank is not None and "://" not in bank:
        bank = str(Path(bank).expanduser().absolute())
    given: Sequence[tuple[str, str | None]] = (("--bank", bank), ("--agent", door.agent))
    options = [part for name, value in given if value is not None for part in (name, value)]
    options += [f"--{name}" for name in ("keyring", "unencrypted") if getattr(door, name)]
    return Commands(options=tuple(options), portable=portable)


@command("daemon", shared=ALL)
def daemon(
    door: Door,
    status: Annotated[
        bool, option("--status", "Say whether it runs, what waits, and the last trouble.")
    ] = False,
    stop: Annotated[bool, option("--stop", "End the one that runs.")] = False,
    idle: Annotated[
        float, option("--idle", "End after so many minutes without a hook.", "MINUTES", min=0.1)
    ] = 10.0,
) -> Code:
    """Run what answers the hooks of coding agents, in the foreground. Hooks start it by themselves.

    For example:
      reverie daemon --status
      reverie daemon --stop

    There is one for your bank and agent. It keeps the bank open and the models loaded, so that a hook is answered at
    once, has the agent attend and sleep as the settings say, and ends when no hook has come for a while.
    """
    if os.name != "posix":
        raise InvalidInput(
            "daemon", "it needs Unix sockets, which Python has not on this system", "use another"
        )
    from reverie.doors.hooks import logbook, spool
    from reverie.doors.hooks.daemon import locked, running, serve
    from reverie.doors.hooks.places import Places

    places = Places(door.bank, door.agent)
    process = running(places)
    if status or stop:
        waiting = len(spool.waiting(places.spool)) if Path(places.spool).exists() else 0
        if stop and process is not None:
            os.kill(process, signal.SIGTERM)
        ran = (
            "none runs" if process is None else f"process {process}{' was told to end' if stop else ' runs'}"
        )
        last = logbook.last(places.log)
        document = {"process": process, "waiting": waiting, "log": places.log, "last_trouble": last}
        shown = [f"{ran}; {words.counted(waiting, 'event')} waiting", f"its log: {places.log}"]
        shown += [] if last is None else [f"its last trouble: {last}"]
        return door.tell(document, *shown, code=Code.NOTHING if process is None else Code.DONE)
    places.make()
    handle = locked(places)
    if handle is None:
        raise InvalidInput("daemon", "one runs already", "end it with --stop")
    from reverie.client import Reverie

    opened = partial(
        Reverie.open, door.bank, key="keyring" if door.keyring else None, encrypted=not door.unencrypted,
        actor="hooks",
    )  # fmt: skip
    door.out.say(f"answering hooks; its log: {places.log}; end with Ctrl-C")
    serve(places, handle, opened, door.agent_id, idle=idle * 60)
    return Code.DONE
