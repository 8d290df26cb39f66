"""Where each host keeps its configuration, and what ours is in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from reverie.client import HostFolders
from reverie.doors.install import toml
from reverie.doors.install.changes import Change, text_of
from reverie.doors.install.commands import Commands
from reverie.doors.install.jsonc import Document
from reverie.doors.install.plugin import is_plugin, plugin
from reverie.doors.install.shapes import Shape, flat_hooks, nested_hooks, server, toml_hooks, toml_server
from reverie.errors import InvalidInput


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Where to write: the user's folders or, where ``project`` is given, that project's. ``commands`` None: take away
    what is ours. ``serves`` False: our MCP server couldn't start, so none is written; one that stands there stays.
    """

    homes: HostFolders
    commands: Commands | None
    serves: bool = True
    project: Path | None = None


def changes(host: str, plan: Plan) -> Sequence[Change]:
    """Return what installing for a host, or uninstalling, changes. Raises InvalidInput for a file that is broken."""
    return HOSTS[host](plan)


def _claude(plan: Plan) -> Sequence[Change]:
    if plan.project is not None:
        settings, servers = plan.project / ".claude" / "settings.json", plan.project / ".mcp.json"
    else:
        settings = (plan.homes.claude or plan.homes.home / ".claude") / "settings.json"
        servers = (plan.homes.claude or plan.homes.home) / ".claude.json"
    return [
        _json(settings, lambda file: nested_hooks(file, "claude-code", plan.commands)),
        *_server(servers, plan, ("mcpServers",), _stdio),
    ]


def _codex(plan: Plan) -> Sequence[Change]:
    folder = (
        plan.homes.codex or plan.homes.home / ".codex" if plan.project is None else plan.project / ".codex"
    )
    config, hooks = folder / "config.toml", folder / "hooks.json"
    before = text_of(config)

    def change(document: Any) -> None:
        if isinstance(document.get("hooks"), Mapping):  # Codex warns where both places have hooks
            toml_hooks(document, None if plan.commands is None or hooks.exists() else plan.commands)
            in_toml.append(not hooks.exists())
        if plan.serves:
            toml_server(document, plan.commands)

    in_toml: list[bool] = []
    with _named(config):
        after = toml.changed(before, change)
    commands = None if any(in_toml) else plan.commands
    return [
        Change(path=config, before=before, after=after or (None if before != "" else "")),
        _json(hooks, lambda file: nested_hooks(file, "codex", commands)),
    ]


def _cursor(plan: Plan) -> Sequence[Change]:
    folder = (plan.project or plan.homes.home) / ".cursor"
    return [
        _json(folder / "hooks.json", lambda file: flat_hooks(file, plan.commands)),
        *_server(folder / "mcp.json", plan, ("mcpServers",), _plain),
    ]


def _opencode(plan: Plan) -> Sequence[Change]:
    config = (plan.homes.config or plan.homes.home / ".config") / "opencode"
    folder = plan.project or config
    plugins = plan.project / ".opencode" / "plugins" if plan.project is not None else config / "plugins"
    file = next((one for one in (folder / "opencode.jsonc", folder / "opencode.json") if one.exists()), None)
    script = plugins / "reverie.js"
    before = text_of(script)
    if before is not None and not is_plugin(before):
        raise InvalidInput(
            str(script), "somebody else's plugin has this name", "rename it, and call this again"
        )
    return [
        *_server(file or folder / "opencode.json", plan, ("mcp",), _local),
        Change(path=script, before=before, after=None if plan.commands is None else plugin(plan.commands)),
    ]


HOSTS: Mapping[str, Callable[[Plan], Sequence[Change]]] = MappingProxyType(
    {"claude-code": _claude, "codex": _codex, "cursor": _cursor, "opencode": _opencode}
)


def _server(path: Path, plan: Plan, place: tuple[str, ...], shape: Shape) -> Sequence[Change]:
    return [_json(path, lambda file: server(file, place, plan.commands, shape))] if plan.serves else ()


def _stdio(program: str, arguments: Sequence[str]) -> dict[str, object]:
    return {"type": "stdio", "command": program, "args": list(arguments)}


def _plain(program: str, arguments: Sequence[str]) -> dict[str, object]:
    return {"command": program, "args": list(arguments)}


def _local(program: str, arguments: Sequence[str]) -> dict[str, object]:
    return {"type": "local", "command": [program, *arguments], "enabled": True}


class _named:  # noqa: N801  # it reads as a function
    """Name the file in what is wrong with it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InvalidInput):
            where = "" if error.field == "file" else f"{error.field}: "
            raise InvalidInput(str(self._path), where + error.problem, error.remedy) from None


def _json(path: Path, change: Callable[[Document], None]) -> Change:
    """Return the change of a JSON file. One in which nothing is left, no comment either, goes; but an empty one that
    was there before stays.
    """
    before = text_of(path)
    with _named(path):
        file = Document(before or "{}\n")
        change(file)
    was_empty = before is not None and not Document(before).value
    is_there = was_empty or "".join(file.text.split()) != "{}"
    return Change(path=path, before=before, after=file.text if is_there else None)
