"""The commands that a host is to run: our hook and our MCP server; and how ours are told from others'."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HOOK = "reverie-hook"
SERVER = "reverie"
_MODULE = "reverie.doors.hooks.client"
_OURS = re.compile(rf"(?:^|[/\\\s\"'])(?:{HOOK}(?:\.exe)?[\"']?|-m {re.escape(_MODULE)}) ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Commands:
    """``options`` are those of the bank. ``portable``: programs are named and not placed, for files that a project's
    people share.
    """

    options: Sequence[str] = ()
    portable: bool = False

    def hook(self, host: str, event: str) -> str:
        """Return the command line for one event, as a shell takes it."""
        return shlex.join([*self._program(HOOK, _MODULE), host, event, *self.options])

    def hook_parts(self, host: str) -> Sequence[str]:
        """Return the program and its arguments before the event's name."""
        return [*self._program(HOOK, _MODULE), host]

    def server(self) -> tuple[str, Sequence[str]]:
        """Return the MCP server's program and its arguments."""
        program, *arguments = self._program(SERVER, "reverie")
        return program, [*arguments, "mcp", *self.options]

    def _program(self, name: str, module: str) -> Sequence[str]:
        """Return the program beside this interpreter; the interpreter itself where it isn't installed, which must find
        no modules in the folder where it is called.
        """
        if self.portable:
            return [name]
        beside = Path(sys.executable).parent / name
        return [str(beside)] if beside.exists() else [sys.executable, "-P", "-m", module]


def is_hook(command: object) -> bool:
    """Return whether a command line runs our hook, of whatever installation."""
    return isinstance(command, str) and _OURS.search(command) is not None


def is_server(parts: Sequence[object]) -> bool:
    """Return whether a program and its arguments are our MCP server, of whatever installation."""
    words = [one for one in parts if isinstance(one, str)]
    names = [Path(word).name.removesuffix(".exe") for word in words[:1]]
    return "mcp" in words and (SERVER in names or words[1:4] == ["-P", "-m", "reverie"])
