"""Write docs/cli.md from the commands themselves. Run it when a command has changed."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"

_SHARED = ("bank", "agent", "unencrypted", "keyring", "as_json", "help")
_INTRO = """# The command line

<!-- Written by tools/make_cli_docs.py from the commands; a test compares them. -->

`reverie COMMAND --help` shows what stands here. Groups name their sub-commands alike, where they have them:
`list`, `show`, `add`, `remove`.

Results go to stdout; progress, messages and errors to stderr. With `--json` stdout is one JSON document: a list of what
a command lists, an object for what it does or shows (`sleep` gives `{"sleeps": [report, …]}`). An error is
`{"error": {"type": …, "message": …, "exit_code": …}}` on stderr. A command that only reads makes no bank: a slip in
`--bank` is an error, and so is an empty `--bank` or `--agent`, as from a variable that isn't set. A pipe that is closed
early (`| head`) is no error, nor is a closed stream (`>&-`).

Times are shown in the agent's time zone with their offset, as `--since`, `--until` and `--as-of` read them; with
`--json` they are in UTC.

As a whole process, a recall from 10,000 memories takes as long as 67 to 84 starts of a bare Python: 0.74 s on one
machine, 2.5 s on a slower one (`python -m bench cold`, [figures](../bench/RESULTS.md#targets)).

| exit code | means |
|---|---|
| 0 | done |
| 1 | nothing found, no such thing, or you said no |
| 2 | bad input or usage |
| 3 | the bank can't be opened, read or written: key, damage, busy, disk, server; `check` found faults |
| 130 | interrupted by Ctrl-C or SIGTERM; what was acknowledged is stored. A second signal ends it at once |

Every command that uses a bank takes these options, before or after its name:

{shared}"""


def page() -> str:
    """Return the whole page."""
    from reverie.doors.cli.program import PANELS, program

    whole = program()
    parts = [_INTRO.replace("{shared}", "\n".join(_table(whole, shared=True)))]
    for panel, names in PANELS.items():
        parts.append(f"## {panel}")
        for name in names.split():
            parts += _sections(name, whole.commands[name])
    return "\n\n".join(parts) + "\n"


def _sections(name: str, command: Any) -> Iterator[str]:
    yield f"### {name}"
    if hasattr(command, "commands"):
        yield _text(command.help)
        for sub, one in command.commands.items():
            yield f"#### {name} {sub}"
            yield from _section(one)
    else:
        yield from _section(command)


def _section(command: Any) -> Iterator[str]:
    head, *rest = _text(command.help).split("\n\n")
    examples = [part for part in rest if part.startswith("For example:")]
    yield head
    shown = [line.strip() for part in examples for line in part.splitlines()[1:]]
    yield "\n".join(["```sh", *shown, "```"])
    yield from (_fenced(part) for part in rest if part not in examples)
    if rows := _table(command):
        yield "\n".join(rows)


def _table(command: Any, *, shared: bool = False) -> list[str]:
    rows = [
        f"| {_name(one)} | {_cell(one.help or '')}{_default(one)} |"
        for one in command.params
        if (one.name in _SHARED and one.name != "help") == shared and one.name not in ("help", "version")
    ]
    return ["| option | meaning |", "|---|---|", *rows] if rows else []


def _name(param: Any) -> str:
    if param.param_type_name == "argument":
        return _code(_metavar(param))
    names = "/".join((*param.opts, *param.secondary_opts))
    return _code(names if param.is_flag else f"{names} {param.metavar or 'TEXT'}")


def _code(text: str) -> str:
    """Return code for a cell. GitHub and MkDocs agree on no other way to write a bar there."""
    plain = " ".join(text.split())
    return f"<code>{plain.replace('|', '&#124;')}</code>" if "|" in plain else f"`{plain}`"


def _metavar(param: Any) -> str:
    return str(param.metavar or param.name.upper())


def _default(param: Any) -> str:
    if param.param_type_name == "argument" or param.is_flag or param.default in (None, (), []):
        return ""
    return f" Default: {param.default}." if "Default:" not in (param.help or "") else ""


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def _text(help_text: str | None) -> str:
    return (help_text or "").strip()


def _fenced(part: str) -> str:
    """Return an indented paragraph as a block of text, and any other in lines of at most 120 characters."""
    if not part.startswith(" "):
        return textwrap.fill(part, 120, break_long_words=False, break_on_hyphens=False)
    return "\n".join(["```json", *(line[2:] for line in part.splitlines()), "```"])


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
