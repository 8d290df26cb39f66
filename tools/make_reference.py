"""Write docs/reference.md from the docstrings of the public names.

Run it after every change of one: ``python tools/make_reference.py``. A test compares the page with what this would
write.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import itertools
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

import reverie  # noqa: E402  # the path comes first
from reverie import errors  # noqa: E402
from reverie.domain.settings import SettingsGroup  # noqa: E402

PAGE = ROOT / "docs" / "reference.md"
HEAD = """# Python reference

Written by tools/make_reference.py from the docstrings; don't edit it by hand. Everything below is imported from
`reverie`. The verbs are [on one page](verbs.md); `AsyncReverie` has [its own](asyncio.md).
"""
FIRST = ("Reverie", "Agent", "Message", "EpisodeMetadata", "Draft", "Settings")


def generated() -> str:
    """Return the whole page."""
    names = [name for name in reverie.__all__ if inspect.isclass(getattr(reverie, name))]
    plain = [name for name in names if not issubclass(getattr(reverie, name), reverie.ReverieError)]
    order = [*FIRST, *(name for name in plain if name not in FIRST)]
    parts = [HEAD, *(_class(name, getattr(reverie, name)) for name in order)]
    tree = inspect.getdoc(errors) or ""
    aliases = ["## Type aliases\n", "Signatures above use these names.\n", *_aliases(), ""]
    return "\n".join(
        [*parts, *aliases, "## Errors\n", f"```text\n{tree.split('::', 1)[1].strip(chr(10))}\n```", ""]
    )


def _class(title: str, kind: type) -> str:
    lines = [f"## {title}\n", _text(kind), ""]
    if issubclass(kind, enum.Enum):
        lines += [", ".join(f"`{member.value}`" for member in kind), ""]
    elif dataclasses.is_dataclass(kind):
        fields = [
            f"`{field.name}: {_name(field.type)}`{_default(field)}{_variable(kind, field.name)}"
            for field in dataclasses.fields(kind)
        ]
        lines += [*(f"- {field}" for field in fields), ""]
    elif not title.startswith("Async"):  # their verbs are those of their twins
        for name, member in _members(kind).items():
            if not name.startswith("_"):
                lines += _member(name, member)
    return "\n".join(lines)


def _aliases() -> list[str]:
    """A line for each public name that is no class: what it stands for, and the text below its definition."""
    wanted = {name for name in reverie.__all__ if not inspect.isclass(getattr(reverie, name))} - {
        "__version__"
    }
    lines = {}
    rooms = [ROOT / "src" / "reverie" / room for room in ("domain", "ports", "agent")]
    for path in sorted(path for room in rooms for path in room.rglob("*.py")):
        body = ast.parse(path.read_text("utf-8")).body
        for statement, below in itertools.zip_longest(body, body[1:]):
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name in wanted:
                    pass
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in wanted:
                    pass
                case _:
                    continue
            text = ""
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                text = ": " + " ".join(str(below.value.value).replace("``", "`").split())
            line = f"- `{name} = {ast.unparse(value)}`{text}"
            lines[name] = textwrap.fill(
                line, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
            )
    assert set(lines) == wanted, wanted - set(lines)
    return [lines[name] for name in sorted(lines)]


def _variable(kind: type, name: str) -> str:
    """The environment's variable for a setting."""
    if not issubclass(kind, SettingsGroup) or name == "patterns":
        return ""
    return f" (`{kind.path.replace('Settings.', 'REVERIE_')}_{name}`)".upper()


def _members(kind: type) -> dict[str, object]:
    """Its own, and those of the parts that it is put together from, in their order."""
    parts = [part for part in kind.__mro__ if part.__module__.startswith("reverie.")]
    return {name: member for part in parts for name, member in vars(part).items()}


def _member(name: str, member: object) -> list[str]:
    function = member.__func__ if isinstance(member, classmethod) else member
    if isinstance(function, property):
        return [f"### {name}\n", _text(function), ""]
    if not inspect.isfunction(function):
        return []
    signature = inspect.signature(function)
    shown = [_unquoted(one) for name, one in signature.parameters.items() if name not in ("self", "cls")]
    star = [i for i, one in enumerate(signature.parameters.values()) if one.kind is one.KEYWORD_ONLY]
    if star:
        shown.insert(star[0] - 1, "*")
    returned = _name(signature.return_annotation)
    call = f"{name}({', '.join(shown)}) -> {returned}"
    return [f"### {name}\n", f"```text\n{_wrapped(call)}\n```\n", _text(function), ""]


def _unquoted(parameter: inspect.Parameter) -> str:
    return re.sub(r": '([^']*)'", r": \1", str(parameter))


def _wrapped(call: str) -> str:
    if len(call) <= 90:  # what the site shows without scrolling
        return call
    head, rest = call.split("(", 1)
    inside, tail = rest.rsplit(") -> ", 1)
    pieces, depth, start = [], 0, 0
    for place, letter in enumerate(inside):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            pieces.append(inside[start:place].strip())
            start = place + 1
    return "\n".join(
        [f"{head}(", *(f"    {piece}," for piece in [*pieces, inside[start:].strip()]), f") -> {tail}"]
    )


def _text(thing: object) -> str:
    """The docstring as Markdown: its examples as code."""
    lines, in_example, out = (inspect.getdoc(thing) or "").splitlines(), False, []
    for line in lines:
        if line.startswith(">>>") and not in_example:
            out.append("```text")
            in_example = True
        elif in_example and not line.strip():
            out.append("```")
            in_example = False
        out.append(line.replace("``", "`"))
    return "\n".join([*out, "```"] if in_example else out)


def _default(field: dataclasses.Field[object]) -> str:
    if field.default is not dataclasses.MISSING:
        shown = field.default.value if isinstance(field.default, enum.Enum) else field.default
        return f" = `{shown!r}`" if isinstance(shown, str | int | float | bool | tuple | None) else ""
    return ""


def _name(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


if __name__ == "__main__":
    PAGE.write_text(generated(), "utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
