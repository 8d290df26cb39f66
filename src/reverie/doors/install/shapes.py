"""What is ours in a configuration: the MCP server and the hooks, in the shapes of the hosts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import tomlkit

from reverie.doors.hooks.events import EVENTS
from reverie.doors.install.commands import SERVER, Commands, is_hook, is_server
from reverie.doors.install.jsonc import Document
from reverie.errors import InvalidInput

TIMEOUT_SECONDS = 10
"""The host's own limit for one hook, which ends long before."""


_SWITCHES = ("enabled",)
Shape: TypeAlias = Callable[[str, Sequence[str]], dict[str, object]]
"""How a host writes a server, given its program and arguments."""


def server(file: Document, path: tuple[str, ...], commands: Commands | None, shape: Shape) -> None:
    """Put our MCP server among the others, or take it away. Raises InvalidInput
    where another server has its name.
    """
    place = (*path, SERVER)
    there = file.get(place)
    if there is not None and not _is_our_server(there):
        if commands is None:
            return
        raise InvalidInput(
            ".".join(place), "another MCP server has this name", "rename it, and call this again"
        )
    if commands is not None:
        made = shape(*commands.server())
        if there is None:
            file.set(place, made)
        for name, value in made.items() if there is not None else ():
            if there.get(name) != value and name not in _SWITCHES:  # what people added stays
                file.set((*place, name), value)
    elif there is not None:
        file.remove(place)
        _prune(file, path)


def _is_our_server(there: object) -> bool:
    if not isinstance(there, Mapping):
        return False
    command = there.get("command")
    given = command if isinstance(command, list) else [command, *(there.get("args") or ())]
    return is_server(given)


def nested_hooks(file: Document, host: str, commands: Commands | None) -> None:
    """Claude's shape, and Codex's: by event a list of groups, each with a list of hooks."""
    for event in _events_of(file, host):
        wanted = _wanted(host, event, commands)
        groups = file.get(("hooks", event))
        found = [
            (place, inner)
            for place, group in enumerate(groups if isinstance(groups, list) else ())
            for inner, hook in enumerate(_hooks_of(group))
            if is_hook(hook.get("command"))
        ]
        if wanted is not None and [groups[place] for place, _ in found] == [wanted]:
            continue
        for place, inner in reversed(found):
            file.remove(("hooks", event), place, inner)
            if not _hooks_of(file.get(("hooks", event))[place]):
                file.remove(("hooks", event), place)
        if wanted is not None:
            file.append(("hooks", event), wanted)
        elif found:
            _prune(file, ("hooks", event))
            _prune(file, ("hooks",))


def flat_hooks(file: Document, commands: Commands | None) -> None:
    """Cursor's shape: by event a list of hooks."""
    if commands is not None and "version" not in file.value:
        file.set(("version",), 1)
    for event in _events_of(file, "cursor"):
        wanted = None if commands is None or event not in EVENTS["cursor"] else {
            "command": commands.hook("cursor", event), "timeout": TIMEOUT_SECONDS,
        }  # fmt: skip
        hooks = file.get(("hooks", event))
        hooks = hooks if isinstance(hooks, list) else []
        found = [
            place
            for place, hook in enumerate(hooks)
            if isinstance(hook, Mapping) and is_hook(hook.get("command"))
        ]
        if wanted is not None and [hooks[place] for place in found] == [wanted]:
            continue
        for place in reversed(found):
            file.remove(("hooks", event), place)
        if wanted is not None:
            file.append(("hooks", event), wanted)
        elif found:
            _prune(file, ("hooks", event))
            _prune(file, ("hooks",))
    if commands is None and file.value == {"version": 1}:
        file.remove(("version",))


def _events_of(file: Document, host: str) -> Sequence[str]:
    """Return the events that have hooks, and those that are to have ours. Raises InvalidInput."""
    hooks = file.get(("hooks",))
    if hooks is not None and not isinstance(hooks, Mapping):
        raise InvalidInput("hooks", "it is no object", "repair it first; nothing was changed")
    return [*dict.fromkeys([*EVENTS[host], *(hooks or ())])]


def _wanted(host: str, event: str, commands: Commands | None) -> dict[str, object] | None:
    if commands is None or event not in EVENTS[host]:
        return None
    hook = {"type": "command", "command": commands.hook(host, event), "timeout": TIMEOUT_SECONDS}
    return {"hooks": [hook]}


def _hooks_of(group: object) -> Sequence[Mapping[str, object]]:
    hooks = group.get("hooks") if isinstance(group, Mapping) else None
    return [hook if isinstance(hook, Mapping) else {} for hook in hooks] if isinstance(hooks, list) else ()


def _prune(file: Document, path: tuple[str, ...]) -> None:
    """Remove what holds nothing any more."""
    if file.get(path) in ({}, []):
        file.remove(path)


def toml_server(document: Any, commands: Commands | None) -> None:
    """``server`` for Codex's TOML."""
    servers = document.get("mcp_servers")
    there = None if servers is None else servers.get(SERVER)
    if there is not None and not _is_our_server(there):
        if commands is None:
            return
        raise InvalidInput(
            f"mcp_servers.{SERVER}", "another MCP server has this name", "rename it, and call this again"
        )
    if commands is None:
        if there is not None:
            del servers[SERVER]
            if not servers:
                del document["mcp_servers"]
        return
    program, arguments = commands.server()
    if there is None:
        there = _table(document, "mcp_servers").setdefault(SERVER, tomlkit.table())
    for name, value in (("command", program), ("args", list(arguments))):
        if there.get(name) != value:
            there[name] = value


def toml_hooks(document: Any, commands: Commands | None) -> None:
    """Codex's hooks where its config.toml holds them."""
    hooks = document["hooks"]
    for event in [*dict.fromkeys([*EVENTS["codex"], *hooks])]:
        wanted, groups = _wanted("codex", event, commands), hooks.get(event)
        groups = groups if isinstance(groups, list) else []
        ours = [
            (group, place)
            for group in groups
            for place, hook in enumerate(_hooks_of(group))
            if is_hook(hook.get("command"))
        ]
        if wanted is not None and [group for group, _ in ours] == [wanted]:
            continue
        for group, place in reversed(ours):
            del group["hooks"][place]
            if not group["hooks"]:
                del groups[groups.index(group)]
        if wanted is not None:
            if event not in hooks:
                hooks[event] = tomlkit.aot()
            hooks[event].append(tomlkit.item(wanted))
        elif event in hooks and not hooks[event]:
            del hooks[event]
    if not hooks:
        del document["hooks"]


def _table(above: Any, name: str) -> Any:
    """Return a table of that name, made where there is none. Raises InvalidInput where something else is there."""
    found = above.get(name)
    if found is None:
        found = above[name] = tomlkit.table(is_super_table=True)
    if not hasattr(found, "items"):
        raise InvalidInput(name, "there is no table", "repair it first; nothing was changed")
    return found
