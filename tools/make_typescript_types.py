"""Write what the TypeScript client has from the server: src/calls.ts and src/types.ts of clients/typescript.

Run it after every change of a verb or of what REST takes and gives: ``python tools/make_typescript_types.py``. It needs
no running server. calls.ts (a table of the calls, and interfaces with the verbs' docstrings) is written by Python
alone; types.ts comes from openapi-typescript (`npm ci` in clients/typescript first), and only where the structure of
the description changed, whose hash is its first line. A test compares both.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from starlette.testclient import TestClient  # noqa: E402  # the path comes first

from reverie.client import Right, Tokens  # noqa: E402
from reverie.doors.rest.app import make_app  # noqa: E402
from reverie.doors.rest.routes import BANK, ROUTES, Route  # noqa: E402

PACKAGE = ROOT / "clients" / "typescript"
CALLS, TYPES = PACKAGE / "src" / "calls.ts", PACKAGE / "src" / "types.ts"
PREFIX = "/v1/banks/{bank}/"
MOST_ARGUMENTS = 3
"""Further parameters that Python takes by position are named here."""
_SAID = ("summary", "title", "examples", "tags")
_NAMED = ("properties", "schemas", "paths")
_CURSORS = ("after", "before", "offset")
_BY_HAND = {"get_memory", "get_episode", "forget_memory", "forget_episode", "forget"}
"""Several calls that are one verb: index.ts joins them."""
_HEAD = "// Written by tools/make_typescript_types.py; don't edit it by hand."


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call as the client makes it. ``arguments``: name to whether it may be left out."""

    name: str
    route: Route
    arguments: Mapping[str, bool]
    others: Mapping[str, bool]
    result: Mapping[str, Any]

    @property
    def owner(self) -> str:
        """Return the interface that has it."""
        return self.route.facet or ("agent" if self.route.of_agent else "bank")

    @property
    def cursor(self) -> str | None:
        """Return the parameter by which the following page is asked; None where there is but one."""
        return next((one for one in _CURSORS if one in self.others), None) if self.is_list else None

    @property
    def is_value(self) -> bool:
        """Return whether it answers with a plain value."""
        return set(self.result.get("properties", ())) == {"result"}

    @property
    def is_list(self) -> bool:
        """Return whether it answers with a page."""
        return set(self.result.get("properties", ())) == {"items", "next"}


def description() -> dict[str, Any]:
    """Return the server's OpenAPI description."""
    app = make_app({}, Tokens(Path("no-tokens.json")))
    found: dict[str, Any] = TestClient(app).get("/openapi.json").json()
    return found


def structure(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description as types need it: without prose and failures (which are all a Problem), with short names,
    and with each field of an answer required, since the server leaves none out.
    """
    kept = {name: described[name] for name in ("openapi", "paths")}
    parts = {"schemas": described["components"]["schemas"]}
    plain = _unsaid(kept | {"components": parts}) | {"info": {"title": "Reverie", "version": "1"}}
    text = json.dumps(plain, sort_keys=True)
    for name in plain["components"]["schemas"]:
        if "__" in name and name.startswith("reverie__"):
            short = name.rpartition("__")[2]
            text = text.replace(name, f"Tagged{short}" if "__rest__" in name else short)
    made: dict[str, Any] = json.loads(text)
    schemas = made["components"]["schemas"]
    calls = [call for path in made["paths"].values() for call in path.values()]
    for call in calls:
        call["responses"] = {code: one for code, one in call["responses"].items() if code < "3"}
    sent = _reached([call.get("requestBody", {}) for call in calls], schemas)
    told = _reached([call["responses"] for call in calls], schemas)
    for name in told - sent:
        if "properties" in schemas[name]:
            schemas[name]["required"] = sorted(schemas[name]["properties"])
    return made


def _unsaid(value: Any, *, names: bool = False) -> Any:
    """Return a schema without its prose. ``names``: the keys are names of fields, of which none is prose."""
    if isinstance(value, list):
        return [_unsaid(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: "" if key == "description" and not names else _unsaid(one, names=key in _NAMED and not names)
        for key, one in value.items()
        if names or key not in _SAID
    }


def _reached(roots: list[Any], schemas: Mapping[str, Any]) -> set[str]:
    """Return the names of the schemas that are referred to from here."""
    found: set[str] = set()
    waiting = roots
    while waiting:
        named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(waiting))) - found
        found |= named
        waiting = [schemas[name] for name in named]
    return found


def hash_of(shaped: Mapping[str, Any]) -> str:
    """Return what types.ts says of the structure that it was made from."""
    return hashlib.sha256(json.dumps(shaped, sort_keys=True).encode()).hexdigest()


def calls(described: Mapping[str, Any]) -> Iterator[Call]:
    """Yield the calls of the table."""
    schemas = described["components"]["schemas"]
    for route in ROUTES:
        call = described["paths"][route.path][route.method.lower()]
        named = [one for one in call.get("parameters", ()) if one["in"] in ("path", "query")]
        taken = {one["name"]: not one["required"] for one in named if one["name"] not in ("bank", "agent")}
        body = _resolved(call.get("requestBody", {}).get("content", {}).get("application/json", {}), schemas)
        taken |= {name: name not in body.get("required", ()) for name in body.get("properties", {})}
        arguments = dict(list(_by_position(route, taken))[:MOST_ARGUMENTS])
        told = next(one for code, one in call["responses"].items() if code < "3")
        yield Call(
            name=call["operationId"], route=route, arguments=arguments,
            others={name: may for name, may in taken.items() if name not in arguments},
            result=_resolved(told.get("content", {}).get("application/json", {}), schemas),
        )  # fmt: skip


def _by_position(route: Route, taken: Mapping[str, bool]) -> Iterator[tuple[str, bool]]:
    """Yield what Python takes by position, too: first what must be given."""
    parameters = inspect.signature(route.verb).parameters.values()
    names = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD and one.name in taken]
    return iter(sorted(((name, taken[name]) for name in names), key=lambda one: one[1]))


def _resolved(content: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    schema = content.get("schema", {})
    some = [one for one in schema.get("anyOf", ()) if "$ref" in one]
    if len(some) == 1:
        schema = some[0]
    found: Mapping[str, Any] = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found


def written_calls(described: Mapping[str, Any]) -> str:
    """Return calls.ts."""
    found = list(calls(described))
    owners = dict.fromkeys(one.owner for one in found)
    parts = [
        _HEAD,
        'import type { Listing } from "./listing.js";',
        'import type { Answer, Given, Item, Matching, Others, Request, Spec } from "./shapes.js";\n',
        "/** The calls: where each goes, and what it takes by position. */",
        "export const CALLS = {",
        *(f"  {one.name}: {_spec(one)}," for one in found),
        "} as const satisfies Record<string, Spec>;",
        *(_interface(owner, [one for one in found if one.owner == owner]) for owner in owners),
    ]
    return "\n".join(parts) + "\n"


def _spec(call: Call) -> str:
    route = call.route
    named = {"owner": call.owner, "verb": _camel(route.verb.__name__)}
    said: dict[str, Any] = {
        **({} if call.name in _BY_HAND else named),
        "method": route.method,
        "path": route.path.removeprefix(BANK),
        "args": list(call.arguments),
    }
    if call.others:
        said["params"] = True
    if route.right is not Right.READ:
        said["writes"] = True
    if call.is_list:
        said["lists"] = call.cursor or True
    if call.is_value:
        said["value"] = True
    return "{ " + ", ".join(f"{name}: {json.dumps(one)}" for name, one in said.items()) + " }"


def _interface(owner: str, found: list[Call]) -> str:
    name = {"agent": "AgentVerbs", "bank": "BankVerbs"}.get(owner, owner.title())
    members = [_member(one) for one in found if one.name not in _BY_HAND]
    return f"\nexport interface {name} {{\n" + "\n".join(members) + "\n}"


def _member(call: Call) -> str:
    key = json.dumps(call.name)
    all_may = all(call.others.values())
    taken = [
        f"{_camel(name)}{'?' if may and all_may else ''}: Given<{key}>[{json.dumps(name)}]"
        for name, may in call.arguments.items()
    ]
    if call.others:
        without = " | ".join(map(json.dumps, call.arguments)) or "never"
        taken.append(f"params{'?' if all_may else ''}: Others<{key}, {without}>")
    taken.append(f"request?: {'Request & Matching' if call.route.etag else 'Request'}")
    told = f"Listing<Item<{key}>>" if call.cursor else f"Promise<Answer<{key}>>"
    return f"{_comment(call.route)}\n  {_camel(call.route.verb.__name__)}({', '.join(taken)}): {told};"


def _comment(route: Route) -> str:
    """Return what the docstring says first, before its parameters and examples."""
    said = (inspect.getdoc(route.verb) or "").split("\n\n")[0].replace("``", "`").replace("*/", "* /")
    lines = textwrap.wrap(" ".join(said.split()), 105)
    if len(lines) == 1:
        return f"  /** {lines[0]} */"
    return "\n".join(["  /**", *(f"   * {line}" for line in lines), "   */"])


def _camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(one.title() for one in rest)


def main() -> None:
    """Write both files."""
    described = description()
    CALLS.write_text(written_calls(described), "utf-8")
    shaped = structure(described)
    head = f"// openapi-sha256: {hash_of(shaped)}\n{_HEAD}\n"
    if "--force" not in sys.argv and TYPES.exists() and TYPES.read_text("utf-8").startswith(head):
        return
    tool = PACKAGE / "node_modules" / ".bin" / "openapi-typescript"
    if not tool.exists():
        raise SystemExit(f"types.ts is out of date: `npm ci` in {PACKAGE}, then run this again")
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "openapi.json"), Path(folder, "types.ts")
        source.write_text(json.dumps(shaped), "utf-8")
        options = ["--default-non-nullable", "false", "--alphabetize"]
        subprocess.run([tool, source, "--output", made, *options], check=True)
        TYPES.write_text(head + made.read_text("utf-8"), "utf-8")


if __name__ == "__main__":
    main()
